"""Compiled versions of the programs in `cellstats.programs`, for `cellstats.run`.

The compiled programs make the same requests in the same order, so runs have the same record.

>>> import cellstats as cs
>>> from cellstats import native, programs
>>> ps3 = cs.machine("ps3")
>>> compiled = cs.run(ps3, {0: native.ping(10, 1), 1: native.pong(10, 0)})
>>> written_here = cs.run(ps3, {0: programs.ping(10, 1), 1: programs.pong(10, 0)})
>>> compiled.record_json == written_here.record_json
True
"""

from cellstats._native import NativeProgram

__all__ = ["NativeProgram", "double_buffered_copy", "ping", "pong"]


def ping(iterations: int, partner_spe: int) -> NativeProgram:
    """As `cellstats.programs.ping`. Raises UsageError for invalid numbers."""
    return NativeProgram.ping(iterations, partner_spe)


def pong(iterations: int, partner_spe: int) -> NativeProgram:
    """As `cellstats.programs.pong`. Raises UsageError for invalid numbers."""
    return NativeProgram.pong(iterations, partner_spe)


def double_buffered_copy(
    source_ea: int, target_ea: int, total_bytes: int, chunk_bytes: int
) -> NativeProgram:
    """Like `cellstats.programs.double_buffered_copy`, with sizes in bytes.

    Raises UsageError for chunks that DMA cannot move, or that do not add up to the total.
    """
    return NativeProgram.double_buffered_copy(source_ea, target_ea, total_bytes, chunk_bytes)
