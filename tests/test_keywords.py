"""Keywords have the types in the parameter table, and misspelt keywords cause a suggestion."""

import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from types import FunctionType, ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import cellstats as cs
import recorded
from cellstats.core import keywords
from cellstats.core.parameters import BREAKDOWN_NAMES, HOST_NAMES, NAMES, named
from cellstats.host.matrices import HostMatrix
from cellstats.patterns import PatternLike
from cellstats.reproduce.sensitivity import sensitivities
from cellstats.reproduce.verdicts import chosen, judge
from host_answers import Answers

PS3 = cs.machine("ps3")
CELL_ONLY = {row["name"] for row in cs._native.parameters() if not row["host"]}


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (keywords.Unseeded, set(NAMES) - {"seed"}),
        (keywords.Measured, set(NAMES)),
        (keywords.Swept, set(NAMES)),
        (keywords.HostUntimed, set(HOST_NAMES) - CELL_ONLY - {"budget"}),
        (keywords.HostMeasured, set(HOST_NAMES) - CELL_ONLY),
        (keywords.HostSwept, set(HOST_NAMES) - CELL_ONLY),
    ],
)
def test_names_are_those_of_the_table(typed: type, names: set[str]) -> None:
    assert set(get_type_hints(typed)) == names


def words(hint: Any) -> Iterator[str]:
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
    else:
        for inner in get_args(hint):
            yield from words(inner)


@pytest.mark.parametrize("typed", [keywords.Measured, keywords.HostMeasured])
def test_types_are_those_of_the_table(typed: type) -> None:
    for name, hint in get_type_hints(typed).items():
        row = named(name)
        if row is None or row.kind == "switch":
            assert hint is bool
            continue
        kinds = set(get_args(hint)) | {hint}
        assert (int in kinds) or not row.is_number
        assert (str in kinds) or row.is_number
        # The shell's completion offers every word that an editor offers.
        assert set(words(hint)) <= {*row.words, "random"}


@pytest.mark.parametrize(
    ("method", "typed"),
    [(cs.Machine.measure, keywords.Measured), (cs.HostMachine.measure, keywords.HostMeasured)],
)
def test_measure_has_these_keywords_and_defaults(
    method: Callable[..., object], typed: type
) -> None:
    inside = {"PatternLike": PatternLike, "Result": object}
    hints = get_type_hints(inspect.unwrap(method), localns=inside)
    signature = inspect.signature(method).parameters
    assert {name: hints[name] for name in signature if name not in ("self", "function")} == (
        get_type_hints(typed)
    )
    for name, parameter in signature.items():
        row = named(name) if name not in ("self", "function") else None
        if row is not None:
            assert parameter.default == row.default


def test_breakdowns_have_theirs() -> None:
    own = inspect.signature(cs.Machine.breakdown).parameters
    assert (*own,)[2:] == BREAKDOWN_NAMES
    hints = get_type_hints(inspect.unwrap(cs.Machine.breakdown), localns={"Breakdown": object})
    assert {name: hints[name] for name in BREAKDOWN_NAMES} == get_type_hints(keywords.Apart)


def test_a_type_checker_sees_a_misspelt_keyword() -> None:
    # Each of these lines is a test of types, because mypy reports unused ignores.
    with pytest.raises(cs.UsageError):
        PS3.measure("dmaget", sise=1)  # type: ignore[call-arg]
    with pytest.raises(cs.UsageError):
        PS3.check("dmaget", sise=1)  # type: ignore[call-arg]
    with pytest.raises(cs.UsageError):
        PS3.trace("dmaget", size=[1])  # type: ignore[arg-type]
    with pytest.raises(cs.UsageError):
        cs.trace("dmaget", sise=1)  # type: ignore[call-arg]
    with pytest.raises(cs.UsageError):
        cs.watch("dmaget", sise=1)  # type: ignore[call-arg]
    with pytest.raises(cs.UsageError):
        cs.placements("couples", sise=1)  # type: ignore[call-arg]
    with pytest.raises(cs.UsageError):
        cs.measure("dmaget", sise=1)  # type: ignore[call-overload]
    with pytest.raises(cs.UsageError):
        cs.sweep("dmaget", sise=1)  # type: ignore[call-overload]
    with pytest.raises(cs.UsageError):
        cs.matrix("mailbox", sise=1)  # type: ignore[call-overload]
    with pytest.raises(cs.UsageError):
        cs.place("ring", sise=1)  # type: ignore[call-overload]


def module_functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    for name in getattr(module, "__all__", dir(module)):
        thing = getattr(module, name)
        own = getattr(thing, "__module__", "").startswith(module.__name__.partition(".")[0])
        if not name.startswith("_") and isinstance(thing, FunctionType) and own:
            yield f"{module.__name__}.{name}", thing


def methods(kind: type) -> Iterator[tuple[str, Callable[..., object]]]:
    for name, thing in vars(kind).items():
        if not name.startswith("_") and isinstance(thing, FunctionType):
            yield f"{kind.__name__}.{name}", thing


def has_options(function: Callable[..., object]) -> bool:
    return any(
        each.kind in (each.KEYWORD_ONLY, each.VAR_KEYWORD)
        for each in inspect.signature(function).parameters.values()
    )


def public() -> Iterator[tuple[str, Callable[..., object]]]:
    for module in (cs, cs.linux, cs.patterns, cs.exchanges, cs.affinities, cs.assignment):
        yield from module_functions(module)
    for name in cs.TYPES:
        thing = getattr(cs, name)
        # Keywords of methods that programs call millions of times are not checked.
        if isinstance(thing, type) and thing not in (cs.Spu, cs.Ppe):
            yield from methods(thing)
    yield "judge", judge
    yield "sensitivities", sensitivities


OPTIONS = {name: function for name, function in public() if has_options(function)}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_misspelt_keyword_is_refused_in_a_line_that_names_those_there_are(name: str) -> None:
    function = OPTIONS[name]
    with pytest.raises(cs.UsageError, match=r"^unknown parameter 'iterationz'; .*nown are"):
        function(iterationz=1)


def test_the_list_of_functions_is_not_empty() -> None:
    assert {"cellstats.measure", "cellstats.run", "Machine.trace", "Result.watch"} <= {*OPTIONS}


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda: PS3.measure("dmaget", sizee=1), "did you mean size?"),  # type: ignore[call-arg]
        (lambda: PS3.trace("dmaget", windw=1), "did you mean window?"),  # type: ignore[call-arg]
        (lambda: PS3.breakdown("dmaget", sise=1), "did you mean size?"),  # type: ignore[call-arg]
        (lambda: cs.place("ring", thread=4), "did you mean threads?"),  # type: ignore[call-overload]
        (lambda: cs.placements("couples", wich=2), "did you mean which?"),  # type: ignore[call-arg]
        (lambda: cs.matrix("mailbox", iteration=2), "did you mean iterations?"),  # type: ignore[call-overload]
        (lambda: cs.measure("dmaget", machin="ps3"), "did you mean machine?"),  # type: ignore[call-overload]
        (lambda: cs.run("ps3", {}, limit_buscycles=1), "mean limit_bus_cycles?"),  # type: ignore[call-arg]
        (lambda: cs.breakdown("dmaget", machines="ps3"), "did you mean machine?"),  # type: ignore[call-arg]
        (lambda: cs.measure("dmaget", samples=3), "samples is for machine host"),  # type: ignore[call-overload]
        (lambda: cs.matrix("mailbox", placement=[0, 1]), "not for a matrix of SPEs"),  # type: ignore[call-overload]
        (lambda: cs.measure("dmaget", machine=7), "machine 7: give a machine"),  # type: ignore[call-overload]
    ],
)
def test_what_is_near_is_suggested(call: Callable[[], object], wanted: str) -> None:
    with pytest.raises(cs.UsageError) as error:
        call()
    assert wanted in str(error.value)
    assert "\n" not in str(error.value)


def test_the_top_level_has_what_a_machine_has() -> None:
    asked: dict[str, Any] = {"spes": 2, "size": "1k", "iterations": 100}
    assert cs.measure("dmaget", **asked) == PS3.measure("dmaget", **asked)
    board = cs.machine("eval-board")
    assert cs.measure("dmaget", machine="eval-board", **asked) == board.measure("dmaget", **asked)
    assert cs.measure("dmaget", machine=board, **asked) == board.measure("dmaget", **asked)
    assert cs.trace("dmaget", window=20, **asked).data == (
        PS3.trace("dmaget", window=20, **asked).data
    )
    assert cs.watch("couples", at=3).scene == PS3.watch("couples", at=3).scene
    assert cs.breakdown("dmaget", size="2k") == PS3.breakdown("dmaget", size="2k")
    # The subpackage with the same name as the function can still be imported.
    from cellstats.measure import workers

    assert workers.__name__ == "cellstats.measure.workers"


def test_a_matrix_of_this_computer_is_a_matrix() -> None:
    answers = Answers()
    host = answers.on(recorded.host("desktop", answers))
    matrix = cs.matrix("mailbox", machine=host, placement=[0, 1], budget="10s")
    assert isinstance(matrix, HostMatrix)
    assert set(matrix.labels) == {0, 1}
    for name, value in (("jobs", 2), ("executor", ThreadPoolExecutor(1))):
        with pytest.raises(cs.UsageError, match="one after the other; leave it out"):
            cs.matrix("mailbox", machine=host, **{name: value})  # type: ignore[call-overload]
    with pytest.raises(cs.UsageError, match="a computer has no Cells"):
        cs.matrix("mailbox", machine=host, cells=0)  # type: ignore[call-overload]


def claims(**how: Any) -> Any:
    return [
        each.to_dict()
        for one in judge(chosen(["chen2007"], None), progress=False, **how)
        for each in one.outcomes
    ]


MANY: dict[str, Callable[..., Any]] = {
    "sweep": lambda **how: cs.sweep("dmaget", spes="1..3", iterations=10, **how),
    "matrix": lambda **how: cs.matrix("mailbox", iterations=10, **how).values,
    "placements": lambda **how: cs.placements("couples", which=5, iterations=5, **how).results,
    "place": lambda **how: cs.place("ring", threads=3, size="1k", **how).to_dict(),
    "times": lambda **how: cs.exchanges.times(
        PS3, cs.patterns.pattern("ring", 3), [(0, 1, 2), (2, 0, 4)], **how
    ),
    "claims": claims,
}


@pytest.mark.parametrize("name", MANY)
def test_who_runs_it_changes_nothing(name: str) -> None:
    plain = MANY[name]()
    assert MANY[name](jobs=1) == plain
    with ThreadPoolExecutor(2) as threads:
        assert MANY[name](executor=threads) == plain


def test_processes_place_too() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        placed = cs.place("ring", threads=3, size="1k", executor=processes)
    assert placed == cs.place("ring", threads=3, size="1k")


@pytest.mark.parametrize("name", MANY)
def test_who_cannot_run_it_is_refused_before_anything_runs(name: str) -> None:
    with pytest.raises(cs.UsageError, match=r"^jobs 0 is too small"):
        MANY[name](jobs=0)
    with pytest.raises(cs.UsageError, match=r"^executor 4 is no concurrent\.futures\.Executor"):
        MANY[name](executor=4)
    with ThreadPoolExecutor(1) as threads, pytest.raises(cs.UsageError, match="exclude each other"):
        MANY[name](jobs=1, executor=threads)
