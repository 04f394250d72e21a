"""<simdmath.h> of the SDK: each function beside Python's double precision, on both sides.

Errors are in ulp: units in the last place of the exact result. Arguments come from a fixed seed.
"""

import math
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import cellstats
from parts import needs
from sdk_programs import compiled

COUNT = 512
SMALLEST = 2.0**-126
Numbers = Callable[[random.Random], float]


def nearest(number: float) -> float:
    """The nearest number of single precision."""
    return float(struct.unpack(">f", struct.pack(">f", number))[0])


def scales(low: int, high: int, negative: bool = True) -> Numbers:
    """Numbers of all magnitudes from 2^low to 2^(high + 1)."""
    signs = (1, -1) if negative else (1,)
    return lambda chance: nearest(
        math.ldexp(chance.uniform(1, 1.99) * chance.choice(signs), chance.randint(low, high))
    )


def between(low: float, high: float) -> Numbers:
    return lambda chance: nearest(chance.uniform(low, high))


def integers(low: int, high: int) -> Numbers:
    return lambda chance: float(chance.randint(low, high))


class Row(NamedTuple):
    """A function, its arguments, the exact result, and the greatest error by the header."""

    name: str
    exact: Callable[..., float]
    ulp: float
    x: Numbers
    y: Numbers | None = None


class Case(NamedTuple):
    """A function with its arguments."""

    name: str
    x: list[float]
    y: list[float] | None


ANY = scales(-100, 100)
POSITIVE = scales(-120, 120, negative=False)
FRACTIONS = scales(-5, 26)
ABOUT_ONE = between(0.5, 2)
TABLE = (
    Row("fabsf4", abs, 0, ANY),
    Row("negatef4", lambda x: -x, 0, ANY),
    Row("copysignf4", math.copysign, 0, ANY, ANY),
    Row("floorf4", math.floor, 0, FRACTIONS),
    Row("ceilf4", math.ceil, 0, FRACTIONS),
    Row("truncf4", math.trunc, 0, FRACTIONS),
    Row("roundf4", lambda x: math.copysign(math.floor(abs(x) + 0.5), x), 0, FRACTIONS),
    Row("joined_again", lambda x: x, 0, ANY),
    Row("halves_added", lambda x: x, 0, FRACTIONS),
    Row("logbf4", lambda x: math.frexp(x)[1] - 1, 0, ANY),
    Row("fmaxf4", max, 0, ANY, ANY),
    Row("fminf4", min, 0, ANY, ANY),
    Row("fdimf4", lambda x, y: max(x - y, 0), 1, ANY, ANY),
    Row("divf4", lambda x, y: x / y, 1, scales(-60, 60), scales(-60, 60)),
    Row("recipf4", lambda x: 1 / x, 1, scales(-120, 120)),
    Row("fmodf4", math.fmod, 0, scales(-8, 12), scales(-8, 8)),
    Row("sqrtf4", math.sqrt, 2, POSITIVE),
    Row("rsqrtf4", lambda x: 1 / math.sqrt(x), 2, POSITIVE),
    Row("divf4_fast", lambda x, y: x / y, 6, scales(-60, 60), scales(-60, 60)),
    Row("recipf4_fast", lambda x: 1 / x, 4, scales(-120, 120)),
    Row("sqrtf4_fast", math.sqrt, 8, POSITIVE),
    Row("rsqrtf4_fast", lambda x: 1 / math.sqrt(x), 6, POSITIVE),
    Row("cbrtf4", math.cbrt, 3, scales(-120, 120)),
    Row("hypotf4", math.hypot, 2, scales(-50, 50), scales(-50, 50)),
    Row("expf4", math.exp, 2, between(-87, 88.5)),
    Row("expf4", math.exp, 2, scales(-20, 5)),
    Row("exp2f4", lambda x: 2.0**x, 2, between(-126, 127.9)),
    Row("expm1f4", math.expm1, 4, scales(-30, 5)),
    Row("logf4", math.log, 2, POSITIVE),
    Row("logf4", math.log, 2, ABOUT_ONE),
    Row("log2f4", math.log2, 3, POSITIVE),
    Row("log2f4", math.log2, 3, ABOUT_ONE),
    Row("log10f4", math.log10, 3, POSITIVE),
    Row("log10f4", math.log10, 3, ABOUT_ONE),
    Row("log1pf4", math.log1p, 4, scales(-30, 30, negative=False)),
    Row("log1pf4", math.log1p, 4, between(-0.9, 1)),
    # The header states the error of powf4 in terms of the result: see `errors`.
    Row("powf4", math.pow, 1, scales(-10, 10, negative=False), between(-8, 8)),
    Row("powf4", math.pow, 1, ABOUT_ONE, between(-100, 100)),
    Row("powf4", math.pow, 1, between(-9, 9), integers(-20, 20)),
    Row("sinhf4", math.sinh, 6, scales(-20, 5)),
    Row("coshf4", math.cosh, 4, scales(-20, 5)),
    Row("tanhf4", math.tanh, 6, scales(-20, 5)),
    Row("sinf4", math.sin, 3, between(-10, 10)),
    Row("sinf4", math.sin, 3, scales(-20, 0)),
    Row("cosf4", math.cos, 3, between(-10, 10)),
    Row("sine_of_both", math.sin, 3, between(-1e4, 1e4)),
    Row("cosine_of_both", math.cos, 3, between(-1e4, 1e4)),
    Row("tanf4", math.tan, 6, between(-1e4, 1e4)),
    Row("tanf4", math.tan, 6, scales(-20, 2)),
    Row("atanf4", math.atan, 4, scales(-20, 20)),
    Row("atan2f4", math.atan2, 4, scales(-10, 10), scales(-10, 10)),
    Row("asinf4", math.asin, 5, between(-1, 1)),
    Row("acosf4", math.acos, 5, between(-1, 1)),
)


class Edge(NamedTuple):
    """Arguments at the limits of a function, and its result."""

    name: str
    result: float
    x: float
    y: float | None = None


INFINITY, NAN = math.inf, math.nan
# The greatest number of the SPU.
HUGE = math.ldexp(0xFFFFFF, 105)
BOTH_SIDES = (
    Edge("expf4", 0.0, -1000.0),
    Edge("exp2f4", 0.0, -127.0),
    Edge("exp2f4", 2.0**-126, -126.0),
    Edge("expf4", 1.0, 0.0),
    Edge("sqrtf4", 0.0, 0.0),
    Edge("cbrtf4", 0.0, 0.0),
    Edge("logf4", 0.0, 1.0),
    Edge("powf4", 1.0, 0.0, 0.0),
    Edge("powf4", 0.0, 0.0, 3.0),
    Edge("powf4", -8.0, -2.0, 3.0),
    Edge("powf4", 16.0, -2.0, 4.0),
    Edge("powf4", 1.0, -7.0, 0.0),
    Edge("atan2f4", 0.0, 0.0, 0.0),
    Edge("atan2f4", nearest(math.pi), 0.0, -1.0),
    Edge("atan2f4", -nearest(math.pi), -0.0, -1.0),
    Edge("floorf4", -1.0, -0.25),
    Edge("ceilf4", -0.0, -0.25),
    Edge("roundf4", 0.0, 0.49999997),
    Edge("floorf4", 2.0**100, 2.0**100),
    Edge("acosf4", 0.0, 1.0),
    Edge("tanhf4", 1.0, 50.0),
)
EDGES = {
    "spu": (
        *BOTH_SIDES,
        Edge("expf4", HUGE, 1000.0),
        Edge("exp2f4", 2.0**128, 128.0),
        Edge("exp2f4", HUGE, 129.0),
        Edge("logf4", -HUGE, 0.0),
        Edge("powf4", HUGE, 0.0, -1.0),
        Edge("powf4", HUGE, 2.0, 200.0),
        Edge("scaled_by_200", HUGE, 1.0),
        Edge("fmaxf4", 2.0, 1.0, 2.0),
    ),
    "ppu": (
        *BOTH_SIDES,
        Edge("expf4", INFINITY, 1000.0),
        Edge("exp2f4", INFINITY, 128.0),
        Edge("logf4", -INFINITY, 0.0),
        Edge("logf4", NAN, -1.0),
        Edge("logf4", INFINITY, INFINITY),
        Edge("recipf4", INFINITY, 0.0),
        Edge("recipf4", 0.0, INFINITY),
        Edge("rsqrtf4", INFINITY, 0.0),
        Edge("sqrtf4", INFINITY, INFINITY),
        Edge("sqrtf4", NAN, -1.0),
        Edge("divf4", -INFINITY, -1.0, 0.0),
        Edge("powf4", INFINITY, 0.0, -1.0),
        Edge("powf4", NAN, -2.0, 0.5),
        Edge("powf4", INFINITY, INFINITY, 2.0),
        Edge("scaled_by_200", -INFINITY, -1.0),
        Edge("atanf4", nearest(math.pi / 2), INFINITY),
        Edge("fmaxf4", 2.0, NAN, 2.0),
        Edge("fminf4", 2.0, 2.0, NAN),
        Edge("sinf4", NAN, NAN),
        Edge("expf4", NAN, NAN),
        Edge("powf4", NAN, NAN, 2.0),
        Edge("powf4", 1.0, NAN, 0.0),
        Edge("joined_again", -INFINITY, -INFINITY),
    ),
}
ANGLES = {"sinf4", "cosf4", "sine_of_both", "cosine_of_both"}


def applied(side: str, place: Path, cases: Sequence[Case]) -> Iterator[list[float]]:
    """Run all functions in one program, on COUNT pairs of arguments each. Yield their results."""
    lines = [f"F{1 if case.y is None else 2}({case.name})\n" for case in cases]
    (place / "table.h").write_text("".join(lines))
    rows = [numbers for case in cases for numbers in (case.x, case.y or case.x)]
    (place / "arguments").write_bytes(b"".join(struct.pack(f">{COUNT}f", *row) for row in rows))
    program = compiled(side, "simdmath.c", place / "program", "simdmath")
    command = cellstats({"ppu": "run", "spu": "spu"}[side], program.name)
    assert command.status == 0, command.err
    words = struct.unpack(f">{COUNT * len(cases)}I", (place / "results").read_bytes())
    for number in range(len(cases)):
        yield [number_of(word, side) for word in words[number * COUNT : (number + 1) * COUNT]]


def number_of(word: int, side: str) -> float:
    """A number of single precision; on the SPU, the greatest exponent is that of a number too."""
    exponent, mantissa = word >> 23 & 255, word & 0x7FFFFF
    sign = -1.0 if word >> 31 else 1.0
    if exponent == 0:
        return sign * 0.0
    if exponent == 255 and side == "ppu":
        return math.nan if mantissa else sign * math.inf
    return sign * math.ldexp(mantissa | 0x800000, exponent - 150)


def errors(row: Row, case: Case, found: list[float]) -> Iterator[float]:
    """The errors of a row's results; results outside of both sides' range are left out."""
    for first, second, result in zip(case.x, case.y or case.x, found, strict=True):
        exact = float(row.exact(first) if row.y is None else row.exact(first, second))
        if exact and not SMALLEST <= abs(exact) < 2.0**128:
            continue
        ulp = math.ldexp(1, math.frexp(exact)[1] - 24) if exact else SMALLEST
        if row.name in ANGLES:
            ulp = max(ulp, 2.0**-24)
        if row.name == "powf4":
            ulp *= 4 + abs(math.log2(abs(exact)))
        yield abs(result - exact) / ulp


@needs("powerpc")
@needs("spu")
@pytest.mark.parametrize("side", ["ppu", "spu"])
def test_errors_and_edges_are_as_the_headers_say(
    side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(2007)
    cases = []
    for row in TABLE:
        x = [row.x(chance) for _ in range(COUNT)]
        y = [row.y(chance) for _ in range(COUNT)] if row.y else None
        cases.append(Case(row.name, x, y))
    edges = [
        Case(edge.name, [edge.x] * COUNT, None if edge.y is None else [edge.y] * COUNT)
        for edge in EDGES[side]
    ]
    found = applied(side, tmp_path, [*cases, *edges])
    for row, case in zip(TABLE, cases, strict=True):
        compared = list(errors(row, case, next(found)))
        assert len(compared) > COUNT / 2, row.name
        # A comparison with NaN is false.
        assert all(error <= row.ulp for error in compared), (row.name, max(compared))
    for edge in EDGES[side]:
        result = next(found)[0]
        assert str(result) == str(edge.result), edge


DOUBLES: dict[str, Callable[..., float]] = {
    "same": lambda x: x,
    "fabs": abs,
    "negate": lambda x: -x,
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "rint": round,
    "nearbyint": round,
    "recip": lambda x: 1 / x,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "exp2": lambda x: 2.0**x,
    "div": lambda x, y: x / y,
    "fmax": max,
    "fmin": min,
}
TWO_ARGUMENTS = {"copysign", "div", "fmod", "fmax", "fmin", "atan2", "pow"}


@needs("spu")
def test_double_precision_is_as_accurate_as_newlib(tmp_path: Path) -> None:
    printed = cellstats("spu", str(compiled("spu", "doubles.c", tmp_path / "program", "simdmath")))
    assert printed.status == 0
    rows = [line.split() for line in printed.out.splitlines()]
    assert {name for name, *_ in rows} >= {
        *DOUBLES,
        *TWO_ARGUMENTS,
        "floor",
        "tan",
        "log10",
        "acos",
    }
    for name, *words in rows:
        x, y, found = (struct.unpack(">d", bytes.fromhex(word))[0] for word in words)
        function = DOUBLES.get(name) or getattr(math, name)
        exact = float(function(x, y) if name in TWO_ARGUMENTS else function(x))
        # newlib's pow loses bits where the compiler fuses a multiplication with an addition.
        limit = 128 if name == "pow" else 2
        assert abs(found - exact) <= limit * math.ulp(exact), (name, x, y)


@needs("powerpc")
@needs("spu")
@pytest.mark.parametrize("side", ["ppu", "spu"])
def test_arrays_of_massv_get_the_results_of_vectors(side: str, tmp_path: Path) -> None:
    program = compiled(side, "massv.c", tmp_path / "program", "simdmath", "massv")
    assert cellstats({"ppu": "run", "spu": "spu"}[side], str(program)).status == 0
