"""The program of one thread, which repeatedly moves its walkers and exchanges some of them with
both neighbours.

Threads form a ring: thread i is between threads i - 1 and i + 1. Each thread keeps its walkers in
its local store. The thread sends its load, which is the number of its walkers, to both neighbours.
The message also permits the neighbours to write into the space behind the thread's walkers, because
the thread has already handled all earlier arrivals. After a barrier of all threads, each thread
puts walkers into its neighbours' local stores, first to the right, then to the left:

    walkers, those to be sent last | from the left ->  ...  <- from the right |
    0                            held                                        ROOM

As a result, no two threads send to the same thread at once. A fenced signal follows the walkers and
announces their arrival. The barrier and the arrival signals share a signal register in OR mode. The
barrier's signals are fenced, so that the `put` commands that send loads to mailboxes complete
first. After the barrier, the mailbox therefore holds the loads of exactly this step.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cellstats._native import UsageError
from cellstats.architecture import MFC_MAX_DMA_SIZE, Register, local_store_ea, register_ea
from cellstats.montecarlo.walkers import WALKER_BYTES, Tallies, end, move, source
from cellstats.programs import AsyncProgram
from cellstats.spu import Spu

MOVE_SPU_CYCLES = 48
"""SPU cycles of one flight. Four walkers are moved at once. Four walkers need about 120
instructions for random words, flights, collisions and weight window, and each walker needs about 15
more for its look-up and score. Many instructions issue in pairs, and other instructions wait for a
result or a branch."""

COPY_SPU_CYCLES = 16
"""SPU cycles to copy one received walker: 8 loads and 8 stores of 16 bytes."""

# Layout of a local store: 32 KB for the program, then message words, walkers and the stack.
WORDS_LSA = 0x8000
LOADS_LSA = 0x8200
WALKERS_LSA = 0x8400
WALKERS_END_LSA = 0x3F000
ROOM = (WALKERS_END_LSA - WALKERS_LSA) // WALKER_BYTES
"""Maximum number of walkers in a local store."""

# The addresses of mailbox and signal registers end in 0xC.
# A DMA's local address must end in the same digit as the register's address.
_WORD_STRIDE, _WORD_OFFSET = 16, 0xC
_LEFT, _RIGHT = 0, 1
# Bits of the signal register.
# The barrier has two bits for each round: a fast thread may already be in the next barrier.
_ARRIVED = (30, 31)
_BARRIER_TAG, _WALKERS_TAG = 0, 1
_SIDE_SHIFT = 31
_MOST_TICKS = 0xFFFF_FFFF

Amount = Callable[[int, int], int]

EXCHANGES: Mapping[str, Amount] = {
    "shares": lambda mine, _its: mine // 3,
    "differences": lambda mine, its: max(0, mine - its) // 3,
}
"""Number of walkers that a thread sends to a neighbour, computed from both threads' loads.

With both rules, loads diffuse: each thread's load becomes the mean of this load and the loads of
both neighbours. With `shares`, each neighbour receives a third of the walkers, so that families of
split walkers spread over the threads. With `differences`, a neighbour with a smaller load receives
a third of the difference, which balances the loads with the fewest transfers.
"""


@dataclass(frozen=True)
class Task:
    """Parameters of a run, identical for all threads."""

    placement: tuple[int, ...]
    walkers: int
    steps: int
    seed: int
    exchange: str

    @property
    def threads(self) -> int:
        """Number of threads."""
        return len(self.placement)


@dataclass
class Report:
    """Counts and times of one thread."""

    tallies: Tallies = field(default_factory=Tallies)
    ticks: int = 0
    """Time from the first barrier to the last, in decrementer ticks."""
    exchange_ticks: list[int] = field(default_factory=list)
    """Time of each step's exchange, from the barrier until all transfers are complete."""
    loads: list[int] = field(default_factory=list)
    """Number of walkers before each exchange and at the end."""
    sent: int = 0
    received: int = 0


class Worker:
    """One thread of the program."""

    def __init__(self, spu: Spu, task: Task, thread: int, report: Report) -> None:
        self._spu, self._task, self._thread, self._report = spu, task, thread, report
        beside = (thread - 1) % task.threads, (thread + 1) % task.threads
        self._beside = tuple(task.placement[neighbour] for neighbour in beside)
        self._amount = EXCHANGES[task.exchange]
        self._held = 0
        self._signals = 0
        self._barriers = 0

    async def run(self) -> int:
        """Run all steps, from the first barrier to the last."""
        self._begin()
        await self._spu.spu_write_decrementer(_MOST_TICKS)
        await self._barrier()
        start = await self._spu.spu_read_decrementer()
        for _ in range(self._task.steps):
            await self._move()
            await self._barrier()
            before = await self._spu.spu_read_decrementer()
            arrived = await self._exchange()
            after = await self._spu.spu_read_decrementer()
            self._report.exchange_ticks.append(before - after)
            await self._spu.compute(COPY_SPU_CYCLES * arrived)
        await self._barrier()
        self._report.ticks = start - await self._spu.spu_read_decrementer()
        end(self._read(0, self._held), self._report.tallies)
        self._report.loads.append(self._held)
        return 0

    def _begin(self) -> None:
        """Store the signal words, and the walkers that start in this thread's part of the slab."""
        for bit in range(32):
            self._spu.store_word(_word(WORDS_LSA, bit), 1 << bit)
        task, thread = self._task, self._thread
        first, last = (task.walkers * nth // task.threads for nth in (thread, thread + 1))
        mine = source(first, last, task.walkers, task.seed, self._report.tallies)
        self._hold(mine)

    async def _move(self) -> None:
        await self._spu.compute(MOVE_SPU_CYCLES * self._held)
        self._hold(move(self._read(0, self._held), self._report.tallies))
        self._report.loads.append(self._held)
        if self._task.threads > 1:
            await self._send_load()

    async def _exchange(self) -> int:
        """Exchange walkers with both neighbours. Returns the number of walkers received."""
        if self._task.threads == 1:
            return 0
        theirs = await self._loads()
        held = self._held
        out = [self._amount(held, load) for load in theirs]
        come = [self._amount(load, held) for load in theirs]
        self._check_room(held + sum(come))

        # Walkers go behind the right neighbour's walkers, or to the end of the left neighbour's
        # ROOM.
        await self._shift(_RIGHT, held - out[_RIGHT], theirs[_RIGHT], out[_RIGHT], come[_LEFT])
        await self._shift(_LEFT, held - sum(out), ROOM - out[_LEFT], out[_LEFT], come[_RIGHT])

        from_left = self._read(held, come[_LEFT])
        from_right = self._read(ROOM - come[_RIGHT], come[_RIGHT])
        self._hold(self._read(0, held - sum(out)) + from_left + from_right)
        self._report.sent += sum(out)
        self._report.received += sum(come)
        return sum(come)

    async def _send_load(self) -> None:
        for side, spe in enumerate(self._beside):
            lsa = _word(LOADS_LSA, side)
            # Seen from the neighbour, this thread is on the other side.
            self._spu.store_word(lsa, (1 - side) << _SIDE_SHIFT | self._held)
            await self._spu.mfc_put(lsa, register_ea(spe, Register.SPU_In_Mbox), 4, _BARRIER_TAG)

    async def _loads(self) -> list[int]:
        """Receive the loads of the left and the right neighbour."""
        theirs = [0, 0]
        for _ in theirs:
            message = await self._spu.spu_read_in_mbox()
            theirs[message >> _SIDE_SHIFT] = message & (1 << _SIDE_SHIFT) - 1
        return theirs

    async def _shift(self, side: int, first: int, slot: int, out: int, come: int) -> None:
        """Put `out` walkers into a neighbour's slots; await `come` from the other neighbour."""
        spe, other = self._beside[side], 1 - side
        size = out * WALKER_BYTES
        for offset in range(0, size, MFC_MAX_DMA_SIZE):
            target = local_store_ea(spe, _walker(slot) + offset)
            part = min(MFC_MAX_DMA_SIZE, size - offset)
            await self._spu.mfc_put(_walker(first) + offset, target, part, _WALKERS_TAG)
        if out:
            await self._signal(spe, _ARRIVED[other], _WALKERS_TAG)
        await self._spu.mfc_write_tag_mask(1 << _BARRIER_TAG | 1 << _WALKERS_TAG)
        await self._spu.mfc_read_tag_status_all()
        if come:
            await self._await_signal(_ARRIVED[other])

    async def _barrier(self) -> None:
        """Wait at a dissemination barrier: in round r, signal thread i + 2^r and await a signal."""
        ahead, bit = 1, self._barriers % 2
        while ahead < self._task.threads:
            spe = self._task.placement[(self._thread + ahead) % self._task.threads]
            await self._signal(spe, bit, _BARRIER_TAG)
            await self._await_signal(bit)
            ahead, bit = 2 * ahead, bit + 2
        self._barriers += 1

    async def _signal(self, spe: int, bit: int, tag: int) -> None:
        """Set a bit in an SPE's signal register, after all earlier `put` commands with this tag."""
        register = register_ea(spe, Register.SPU_Sig_Notify_1)
        await self._spu.mfc_sndsigf(_word(WORDS_LSA, bit), register, tag)

    async def _await_signal(self, bit: int) -> None:
        while not self._signals >> bit & 1:
            self._signals |= await self._spu.spu_read_signal1()
        self._signals ^= 1 << bit

    def _hold(self, walkers: bytes) -> None:
        self._held = len(walkers) // WALKER_BYTES
        self._check_room(self._held)
        self._spu.ls.write(WALKERS_LSA, walkers)

    def _read(self, first: int, count: int) -> bytes:
        return self._spu.ls.read(_walker(first), count * WALKER_BYTES)

    def _check_room(self, walkers: int) -> None:
        if walkers > ROOM:
            raise UsageError(
                f"thread {self._thread} has room for {ROOM} walkers, but would hold {walkers}; "
                "give fewer walkers, fewer steps or more SPEs"
            )


def thread_program(task: Task, thread: int, report: Report) -> AsyncProgram:
    """The program of one thread, for `cellstats.run`."""

    async def program(spu: Spu) -> int:
        return await Worker(spu, task, thread, report).run()

    return program


def _walker(nth: int) -> int:
    return WALKERS_LSA + nth * WALKER_BYTES


def _word(lsa: int, nth: int) -> int:
    return lsa + nth * _WORD_STRIDE + _WORD_OFFSET
