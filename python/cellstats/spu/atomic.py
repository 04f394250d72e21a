"""Atomic read-modify-write on words of main memory, as in the SDK's sync library.

Each operation reserves the word's lock line (getllar), changes the word in local store, and puts
the line back if it is still reserved (putllc); otherwise it starts again. Words are big-endian.
Results are signed 32-bit integers, as in C.
"""

from collections.abc import Callable, Generator

from cellstats.architecture import LINE_BYTES, MFC_PUTLLC_STATUS
from cellstats.spu.door import Asked, Request, request
from cellstats.spu.mfc import MfcStatus


class AtomicOperations(MfcStatus):
    """The atomic_* functions; each uses the last 128 bytes of local store for the lock line.

    `spu_cycles` is the time of the library's own instructions in each attempt.
    """

    __slots__ = ()

    @request
    def _modify(
        self, ea: int, spu_cycles: int, change: Callable[[int], int]
    ) -> Generator[Request, int, int]:
        line = self.ls.size - LINE_BYTES
        word = line + ea % LINE_BYTES
        while True:
            yield from self.mfc_getllar(line, ea - ea % LINE_BYTES)
            yield from self.mfc_read_atomic_status()
            before = _signed(self.load_word(word))
            self.store_word(word, change(before))
            if spu_cycles:
                yield from self.compute(spu_cycles)
            yield from self.mfc_putllc(line, ea - ea % LINE_BYTES)
            if not (yield from self.mfc_read_atomic_status()) & MFC_PUTLLC_STATUS:
                return before

    def atomic_add_return(self, amount: int, ea: int, *, spu_cycles: int = 0) -> Asked[int]:
        """Add to the word at `ea`; returns the old value."""
        return self._modify(ea, spu_cycles, lambda before: before + amount)

    def atomic_sub_return(self, amount: int, ea: int, *, spu_cycles: int = 0) -> Asked[int]:
        """Subtract from the word at `ea`; returns the old value."""
        return self._modify(ea, spu_cycles, lambda before: before - amount)

    def atomic_inc_return(self, ea: int, *, spu_cycles: int = 0) -> Asked[int]:
        """Add one to the word at `ea`; returns the old value."""
        return self._modify(ea, spu_cycles, lambda before: before + 1)

    def atomic_dec_return(self, ea: int, *, spu_cycles: int = 0) -> Asked[int]:
        """Subtract one from the word at `ea`; returns the old value."""
        return self._modify(ea, spu_cycles, lambda before: before - 1)

    @request
    def atomic_set(
        self, ea: int, value: int, *, spu_cycles: int = 0
    ) -> Generator[Request, int, None]:
        """Set the word at `ea`; the rest of the line keeps its value."""
        yield from self._modify(ea, spu_cycles, lambda _: value)

    @request
    def atomic_read(self, ea: int) -> Generator[Request, int, int]:
        """The word at `ea`. The read reserves the word's line, but does not write to it."""
        line = self.ls.size - LINE_BYTES
        yield from self.mfc_getllar(line, ea - ea % LINE_BYTES)
        yield from self.mfc_read_atomic_status()
        return _signed(self.load_word(line + ea % LINE_BYTES))


def _signed(word: int) -> int:
    return word - (1 << 32) if word & 1 << 31 else word
