"""Random walkers in a slab, with histories that do not depend on the thread that computes them.

A slab of ZONES zones, each two mean free paths deep: plates of fuel, and plates that only absorb. A
walker flies, collides, loses weight to absorption, gains what fission produces, and goes on in any
direction. Heavy walkers are split in two, light ones play Russian roulette.

All arithmetic is of integers. Random numbers come from the walker's own key and the number of its
flights, so its history is the same on every thread; and tallies are sums, in which order does not
matter. The tallies of many threads are therefore exactly those of one.
"""

from dataclasses import dataclass, field
from math import log
from struct import Struct

ZONES = 25
FUEL = range(1, ZONES, 2)

# Positions count in 1/65536 of a mean free path, directions are cosines in 1/32768.
PATH_SHIFT, COSINE_SHIFT = 16, 15
ZONE_SHIFT = PATH_SHIFT + 1
WIDTH = ZONES << ZONE_SHIFT

# Weight that a collision takes, and that it brings, in 1/256 of the walker's, by zone.
ABSORBED = [40 if zone in FUEL else 8 for zone in range(ZONES)]
PRODUCED = [48 if zone in FUEL else 0 for zone in range(ZONES)]

# Weights, in 1/65536: a walker above HEAVY is split, one below LIGHT plays roulette.
HEAVY, LIGHT = 1 << 17, 1 << 15
SCORE_SHIFT = 8

# Lengths of flights: quantiles of the exponential distribution.
PATHS = [round(-log((nth + 0.5) / 256) * (1 << PATH_SHIFT)) for nth in range(256)]

_WORD, _KEY = (1 << 32) - 1, (1 << 64) - 1
_GOLDEN = 0x9E37_79B9
# Numbers of a walker's random words: its flights count from 0 on, its splits from here on.
_SPLITS = 1 << 30

# Key, position, direction, weight, flights, where the family began; then a score for each zone.
_STATE = Struct(">QiiIII")
_SCORES = Struct(f">{ZONES}I")
_SCORE = Struct(">I")
_NO_SCORES = bytes(_SCORES.size)
WALKER_BYTES = _STATE.size + _SCORES.size
"""Length of a walker, that of a line of the bus, so that no transfer cuts one."""


@dataclass
class Tallies:
    """Sums over walkers and collisions; lists are by zone, weights in 1/65536 of a walker."""

    collisions: list[int] = field(default_factory=lambda: [0] * ZONES)
    absorbed: list[int] = field(default_factory=lambda: [0] * ZONES)
    produced: list[int] = field(default_factory=lambda: [0] * ZONES)
    importance: list[int] = field(default_factory=lambda: [0] * ZONES)
    """Production of families of walkers anywhere, by the zone where the family began."""
    flux: list[int] = field(default_factory=lambda: [0] * ZONES)
    """The scores of all tracks; weights in 1/256 of a walker."""
    flux_squared: list[int] = field(default_factory=lambda: [0] * ZONES)
    """The squares of each track's score, from which its error is known."""
    born: int = 0
    leaked_left: int = 0
    leaked_right: int = 0
    roulette_lost: int = 0
    roulette_won: int = 0
    alive: int = 0
    splits: int = 0
    tracks: int = 0
    """Walkers, those that came of splits included."""

    def add(self, other: "Tallies") -> None:
        """Add the tallies of another thread."""
        for name, its in vars(other).items():
            mine = getattr(self, name)
            by_zone = isinstance(mine, list)
            both = [a + b for a, b in zip(mine, its, strict=True)] if by_zone else mine + its
            setattr(self, name, both)

    @property
    def weight_in(self) -> int:
        """All weight that came, equal to `weight_out`."""
        return self.born + sum(self.produced) + self.roulette_won

    @property
    def weight_out(self) -> int:
        """All weight that went, or is left."""
        leaked = self.leaked_left + self.leaked_right
        return sum(self.absorbed) + leaked + self.roulette_lost + self.alive

    def end_track(self, walker: bytes | bytearray) -> None:
        """Take over the scores of a walker whose history ends."""
        self.tracks += 1
        for zone, score in enumerate(_SCORES.unpack_from(walker, _STATE.size)):
            if score:
                self.flux[zone] += score
                self.flux_squared[zone] += score * score


def source(first: int, end: int, walkers: int, seed: int, tallies: Tallies) -> bytes:
    """Walkers `first` to `end` - 1 of a source of `walkers`, spread evenly over the slab."""
    born = bytearray()
    for nth in range(first, end):
        key = _key(seed & _KEY, nth)
        position = (2 * nth + 1) * WIDTH // (2 * walkers)
        zone = position >> ZONE_SHIFT
        # Weights vary, or all walkers would be split at the same time.
        weight = LIGHT + (key >> 32) * (HEAVY - LIGHT) // (_WORD + 1)
        born += _STATE.pack(key, position, _direction(key), weight, 0, zone) + _NO_SCORES
        tallies.born += weight
    return bytes(born)


def move(walkers: bytes, tallies: Tallies) -> bytes:
    """Move each walker by one flight; answers the walkers that are left, and new ones."""
    left = bytearray()
    for start in range(0, len(walkers), WALKER_BYTES):
        walker = bytearray(walkers[start : start + WALKER_BYTES])
        key, position, direction, weight, flights, began = _STATE.unpack_from(walker)
        flights += 1
        random = _random(key, flights)
        position += PATHS[random & 0xFF] * direction >> COSINE_SHIFT
        if not 0 <= position < WIDTH:
            if position < 0:
                tallies.leaked_left += weight
            else:
                tallies.leaked_right += weight
            tallies.end_track(walker)
            continue

        zone = position >> ZONE_SHIFT
        place = _STATE.size + zone * _SCORE.size
        (score,) = _SCORE.unpack_from(walker, place)
        _SCORE.pack_into(walker, place, score + (weight >> SCORE_SHIFT))
        absorbed, produced = weight * ABSORBED[zone] >> 8, weight * PRODUCED[zone] >> 8
        tallies.collisions[zone] += 1
        tallies.absorbed[zone] += absorbed
        tallies.produced[zone] += produced
        tallies.importance[began] += produced
        weight += produced - absorbed
        direction = _direction(random >> 8)

        if weight < LIGHT:
            if random >> 24 & 1:
                tallies.roulette_lost += weight
                tallies.end_track(walker)
                continue
            tallies.roulette_won += weight
            weight *= 2
        elif weight > HEAVY:
            tallies.splits += 1
            half = weight // 2
            weight -= half
            # The new walker has no score yet, and a key of its own, hence another history.
            child = _key(key, _SPLITS + flights)
            left += _STATE.pack(child, position, _direction(child), half, 0, began)
            left += _NO_SCORES
        _STATE.pack_into(walker, 0, key, position, direction, weight, flights, began)
        left += walker
    return bytes(left)


def end(walkers: bytes, tallies: Tallies) -> None:
    """Count those that are alive at the end."""
    for start in range(0, len(walkers), WALKER_BYTES):
        tallies.end_track(walkers[start : start + WALKER_BYTES])
        tallies.alive += _STATE.unpack_from(walkers, start)[3]


def plain(walkers: int, steps: int, seed: int = 0) -> Tallies:
    """The tallies after `steps` flights of all walkers, without threads and without a machine."""
    tallies = Tallies()
    all_of_them = source(0, walkers, walkers, seed, tallies)
    for _ in range(steps):
        all_of_them = move(all_of_them, tallies)
    end(all_of_them, tallies)
    return tallies


def _direction(random: int) -> int:
    return (random & 0xFFFF) - (1 << COSINE_SHIFT)


def _key(key: int, counter: int) -> int:
    """A new key, almost certainly unlike all others."""
    return _random(key, 2 * counter) << 32 | _random(key, 2 * counter + 1)


def _random(key: int, counter: int) -> int:
    """32 random bits for each counter and key of 64: its halves, through MurmurHash3's finaliser.

    An SPU multiplies 16 bits at a time; words of 32, of four walkers at once, suit it best.
    """
    return _mixed(_mixed(key + counter * _GOLDEN & _WORD) ^ key >> 32)


def _mixed(word: int) -> int:
    word = (word ^ word >> 16) * 0x85EB_CA6B & _WORD
    word = (word ^ word >> 13) * 0xC2B2_AE35 & _WORD
    return word ^ word >> 16
