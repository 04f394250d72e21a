"""The one table of output formats: kind of thing, name of the format, function that writes it.

Every `--format`, `--out` and `--plot` takes its choices from here, and unknown formats are refused
here. Writers are imported when they are used, so that the table costs no time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.export.whole_file import check_place
from cellstats.text.nearest import did_you_mean

Kind: TypeAlias = Literal[
    "result",
    "sweep",
    "placements",
    "matrix",
    "breakdown",
    "trouble",
    "machines",
    "machine",
    "difference",
    "computer",
    "pattern",
    "placement",
    "SPE binding",
    "CPU binding",
    "claims",
    "figure",
]
"""Kinds of things that can be written."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of one kind of thing."""

    kind: Kind
    name: str
    writer: str
    """Module and name of the function that turns the thing into a text, or into bytes."""
    endings: tuple[str, ...] = ()
    """Endings of file names that stand for this format."""
    needs: str = ""
    """Function that raises UsageError if a library is missing; only formats for files have one."""
    about: str = ""
    """What help says of it, beside its name."""

    def write(self, *thing: Any, **options: Any) -> Any:
        """The thing as a text, or as bytes in a format for files only."""
        return function_at(self.writer)(*thing, **options)


FORMATS = (
    Format("result", "text", "export.results:text"),
    Format("result", "json", "export.results:json_lines", about="one object per line"),
    Format("result", "csv", "export.results:csv"),
    Format("sweep", "table", "text.tables:text_table"),
    Format("sweep", "csv", "export.results:csv", (".csv",)),
    Format(
        "sweep",
        "json",
        "export.results:json_lines",
        (".json", ".jsonl"),
        about="one object per line",
    ),
    Format(
        "sweep", "parquet", "export.parquet:parquet", (".parquet",), "export.parquet:check_library"
    ),
    Format("placements", "text", "text.over_placements_text:placements_text"),
    Format("placements", "json", "export.documents:line"),
    Format("placements", "csv", "export.documents:placements_csv"),
    Format("matrix", "table", "text.matrix_table:matrix_table"),
    Format("matrix", "csv", "export.documents:matrix_csv"),
    Format("matrix", "json", "export.documents:line", about="one object"),
    Format("breakdown", "text", "export.documents:text"),
    Format("breakdown", "json", "export.documents:line", about="one object"),
    Format("breakdown", "csv", "export.documents:breakdown_csv"),
    Format("trouble", "text", "host.doctor_text:doctor_text"),
    Format("trouble", "json", "host.doctor_text:doctor_json", about="one object"),
    Format("machines", "text", "text.machine_listing:names"),
    Format("machines", "json", "export.machines:machines_json"),
    Format("machines", "csv", "export.machines:machines_csv"),
    Format("machine", "text", "text.machine_listing:listing"),
    Format("machine", "json", "export.machines:machine_json"),
    Format("machine", "csv", "export.machines:machine_csv"),
    Format("difference", "text", "text.machine_listing:differences"),
    Format("difference", "json", "export.machines:difference_json"),
    Format("difference", "csv", "export.machines:difference_csv"),
    Format("computer", "text", "host.computer_text:computer_text"),
    Format("computer", "json", "host.computer_text:computer_json"),
    Format("computer", "csv", "host.computer_text:computer_csv"),
    Format("pattern", "text", "text.pattern_text:pattern_text"),
    Format("pattern", "json", "placement.pattern_files:to_json"),
    Format("pattern", "csv", "placement.pattern_files:to_csv"),
    Format("placement", "text", "text.placement_text:placement_text"),
    Format("placement", "json", "export.documents:line"),
    Format("SPE binding", "list", "export.spe_bindings:as_list", about="as --placement takes it"),
    Format("SPE binding", "libspe2", "export.spe_bindings:as_libspe2", about="C"),
    Format(
        "SPE binding", "environment", "export.spe_bindings:as_environment", about="a line of shell"
    ),
    Format("CPU binding", "list", "export.cpu_bindings:as_cpu_list", about="as --spes takes it"),
    Format("CPU binding", "environment", "export.cpu_bindings:as_gomp", about="a line of shell"),
    Format("CPU binding", "openmp", "export.cpu_bindings:as_openmp"),
    Format("CPU binding", "taskset", "export.cpu_bindings:as_taskset"),
    Format("CPU binding", "numactl", "export.cpu_bindings:as_numactl"),
    Format("CPU binding", "rankfile", "export.cpu_bindings:as_rankfile", about="Open MPI"),
    Format("claims", "text", "reproduce.scorecard:text", about="a scorecard"),
    Format("claims", "json", "reproduce.scorecard:json_lines", about="one claim per line"),
    Format("claims", "csv", "reproduce.scorecard:csv"),
    Format("figure", "png", "draw.figure_files:png", (".png",), "draw.figure_files:figure_class"),
    Format("figure", "svg", "draw.figure_files:svg", (".svg",), "draw.figure_files:figure_class"),
    Format("figure", "pdf", "draw.figure_files:pdf", (".pdf",), "draw.figure_files:figure_class"),
)


def formats_of(*kinds: Kind) -> list[Format]:
    """All formats of these kinds, in the order of the kinds."""
    return [each for kind in kinds for each in FORMATS if each.kind == kind]


def names_of(*kinds: Kind) -> tuple[str, ...]:
    """The choices of `--format`, each once.

    >>> names_of("placement", "SPE binding")
    ('text', 'json', 'list', 'libspe2', 'environment')
    """
    return tuple(dict.fromkeys(each.name for each in formats_of(*kinds) if not each.needs))


def in_words(*kinds: Kind) -> str:
    """The choices of `--format` for help, with what they are.

    >>> in_words("matrix")
    'table, csv or json (one object)'
    """
    about = {each.name: each.about for each in reversed(formats_of(*kinds))}
    return either([f"{name} ({about[name]})" if about[name] else name for name in names_of(*kinds)])


def endings(kind: Kind) -> str:
    """The endings of the names of files, for help.

    >>> endings("figure")
    '.png, .svg or .pdf'
    """
    return either([ending for each in formats_of(kind) for ending in each.endings])


def either(words: Sequence[str]) -> str:
    """Words as a choice.

    >>> either(["text"]), either(["text", "json", "csv"])
    ('text', 'text, json or csv')
    """
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def find(kind: Kind, name: str, near: Callable[[str, Sequence[str]], str] = did_you_mean) -> Format:
    """The format of this name. Raises UsageError if there is none.

    near: words the end of the message, from the name and the known names.

    >>> find("result", "csv").write([]).partition(",")[0]
    'schema'
    """
    check(names_of(kind), name, near)
    return next(each for each in formats_of(kind) if each.name == name)


def check(
    names: Sequence[str], name: str, near: Callable[[str, Sequence[str]], str] = did_you_mean
) -> None:
    """Raise UsageError unless `name` is among `names`; `near` as for `find`."""
    if name not in names:
        raise UsageError(f"unknown format {name!r}; {near(name, names)}")


def give_one_of(_name: str, names: Sequence[str]) -> str:
    """All names, as the end of a message: a `near` for `find`.

    >>> give_one_of("xml", ["text", "json"])
    'give one of text, json'
    """
    return f"give one of {', '.join(names)}"


def of_file(kind: Kind, path: Path, flag: str) -> Format:
    """The format for the ending of a file name.

    Raises UsageError, which begins with `flag`, if there is no such format, if no file of this name
    can be made, or if a library is missing.
    """
    known = {ending: each for each in formats_of(kind) for ending in each.endings}
    found = known.get(path.suffix.lower())
    if found is None:
        raise UsageError(f"{flag} {path}: the name ends in {', '.join(known)}; choose one of them")
    check_place(path, flag)
    if found.needs:
        function_at(found.needs)()
    return found


def function_at(place: str) -> Callable[..., Any]:
    """The function of the package with this module and name, as `text.tables:text_table`."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"cellstats.{module}"), name)
    return function
