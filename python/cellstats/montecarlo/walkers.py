"""Random walkers in a slab of material. A walker's history does not depend on the thread that
computes it.

The slab consists of ZONES zones, each two mean free paths deep. Zones of fuel alternate with zones
that only absorb. A walker flies, collides, loses weight to absorption, gains weight from fission,
and continues in a random direction. Heavy walkers are split in two, and light walkers play Russian
roulette.

All arithmetic is in integers. Random numbers depend only on a walker's key and the number of its
flights, so a walker's history is the same on every thread. Tallies are sums, so the order of
additions does not matter. The tallies are therefore exactly the same with any number of threads.
"""

from dataclasses import dataclass, field
from math import log
from struct import Struct

ZONES = 25
FUEL = range(1, ZONES, 2)

# Positions are in 1/65536 of a mean free path. Directions are cosines in 1/32768.
PATH_SHIFT, COSINE_SHIFT = 16, 15
ZONE_SHIFT = PATH_SHIFT + 1
WIDTH = ZONES << ZONE_SHIFT

# Weight lost and gained in a collision in each zone, in 1/256 of the walker's weight.
ABSORBED = [40 if zone in FUEL else 8 for zone in range(ZONES)]
PRODUCED = [48 if zone in FUEL else 0 for zone in range(ZONES)]

# Weights are in 1/65536.
# A walker with a weight above HEAVY is split. A walker with a weight below LIGHT plays roulette.
HEAVY, LIGHT = 1 << 17, 1 << 15
SCORE_SHIFT = 8

# Flight lengths: quantiles of the exponential distribution.
PATHS = [round(-log((nth + 0.5) / 256) * (1 << PATH_SHIFT)) for nth in range(256)]

_WORD, _KEY = (1 << 32) - 1, (1 << 64) - 1
_GOLDEN = 0x9E37_79B9
# A walker's random words are numbered: words for flights from 0, words for splits from _SPLITS.
_SPLITS = 1 << 30

# A walker in memory: key, position, direction, weight, flights, zone where its family began, and
# one score per zone.
_STATE = Struct(">QiiIII")
_SCORES = Struct(f">{ZONES}I")
_SCORE = Struct(">I")
_NO_SCORES = bytes(_SCORES.size)
WALKER_BYTES = _STATE.size + _SCORES.size
"""Size of a walker in bytes: one bus line, so that no transfer splits a walker."""


@dataclass
class Tallies:
    """Sums over walkers and collisions, in lists with one element for each zone. Weights are in
    1/65536 of a walker.
    """

    collisions: list[int] = field(default_factory=lambda: [0] * ZONES)
    absorbed: list[int] = field(default_factory=lambda: [0] * ZONES)
    produced: list[int] = field(default_factory=lambda: [0] * ZONES)
    importance: list[int] = field(default_factory=lambda: [0] * ZONES)
    """Weight produced by families of walkers, indexed by the zone where a family began."""
    flux: list[int] = field(default_factory=lambda: [0] * ZONES)
    """Sum of the scores of all tracks, in 1/256 of a walker's weight."""
    flux_squared: list[int] = field(default_factory=lambda: [0] * ZONES)
    """Sum of the squares of all tracks' scores, which gives the statistical error of `flux`."""
    born: int = 0
    leaked_left: int = 0
    leaked_right: int = 0
    roulette_lost: int = 0
    roulette_won: int = 0
    alive: int = 0
    splits: int = 0
    tracks: int = 0
    """Number of walkers, including those from splits."""

    def add(self, other: "Tallies") -> None:
        """Add the tallies of another thread."""
        for name, its in vars(other).items():
            mine = getattr(self, name)
            by_zone = isinstance(mine, list)
            both = [a + b for a, b in zip(mine, its, strict=True)] if by_zone else mine + its
            setattr(self, name, both)

    @property
    def weight_in(self) -> int:
        """Total weight of born walkers, produced weight and roulette gains; equal to
        `weight_out`.
        """
        return self.born + sum(self.produced) + self.roulette_won

    @property
    def weight_out(self) -> int:
        """Total weight lost, plus the weight of the walkers that are still alive."""
        leaked = self.leaked_left + self.leaked_right
        return sum(self.absorbed) + leaked + self.roulette_lost + self.alive

    def end_track(self, walker: bytes | bytearray) -> None:
        """Add the scores of a walker whose history ends."""
        self.tracks += 1
        for zone, score in enumerate(_SCORES.unpack_from(walker, _STATE.size)):
            if score:
                self.flux[zone] += score
                self.flux_squared[zone] += score * score


def source(first: int, end: int, walkers: int, seed: int, tallies: Tallies) -> bytes:
    """Create walkers `first` to `end` - 1 of `walkers` walkers that are spread evenly over the
    slab.
    """
    born = bytearray()
    for nth in range(first, end):
        key = _key(seed & _KEY, nth)
        position = (2 * nth + 1) * WIDTH // (2 * walkers)
        zone = position >> ZONE_SHIFT
        # Walkers start with different weights, so that they do not all split at the same time.
        weight = LIGHT + (key >> 32) * (HEAVY - LIGHT) // (_WORD + 1)
        born += _STATE.pack(key, position, _direction(key), weight, 0, zone) + _NO_SCORES
        tallies.born += weight
    return bytes(born)


def move(walkers: bytes, tallies: Tallies) -> bytes:
    """Move each walker by one flight. Returns the walkers that are still alive, including new
    ones.
    """
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
        offset = _STATE.size + zone * _SCORE.size
        (score,) = _SCORE.unpack_from(walker, offset)
        _SCORE.pack_into(walker, offset, score + (weight >> SCORE_SHIFT))
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
            # The new walker has empty scores and a different key, so its history differs.
            child = _key(key, _SPLITS + flights)
            left += _STATE.pack(child, position, _direction(child), half, 0, began)
            left += _NO_SCORES
        _STATE.pack_into(walker, 0, key, position, direction, weight, flights, began)
        left += walker
    return bytes(left)


def end(walkers: bytes, tallies: Tallies) -> None:
    """Add the walkers that are alive at the end to the tallies."""
    for start in range(0, len(walkers), WALKER_BYTES):
        tallies.end_track(walkers[start : start + WALKER_BYTES])
        tallies.alive += _STATE.unpack_from(walkers, start)[3]


def plain(walkers: int, steps: int, seed: int = 0) -> Tallies:
    """Compute the tallies after `steps` flights of all walkers, without a simulated machine."""
    tallies = Tallies()
    all_of_them = source(0, walkers, walkers, seed, tallies)
    for _ in range(steps):
        all_of_them = move(all_of_them, tallies)
    end(all_of_them, tallies)
    return tallies


def _direction(random: int) -> int:
    return (random & 0xFFFF) - (1 << COSINE_SHIFT)


def _key(key: int, counter: int) -> int:
    """A new key, which is almost certainly unique."""
    return _random(key, 2 * counter) << 32 | _random(key, 2 * counter + 1)


def _random(key: int, counter: int) -> int:
    """32 random bits, made from a 64-bit key and a counter by MurmurHash3's finaliser on both
    halves.

    An SPU multiplies 16-bit numbers, so 32-bit arithmetic on four walkers at once is fastest.
    """
    return _mixed(_mixed(key + counter * _GOLDEN & _WORD) ^ key >> 32)


def _mixed(word: int) -> int:
    word = (word ^ word >> 16) * 0x85EB_CA6B & _WORD
    word = (word ^ word >> 13) * 0xC2B2_AE35 & _WORD
    return word ^ word >> 16
