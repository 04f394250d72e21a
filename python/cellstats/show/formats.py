"""The table of all output formats, with kind of object, format name and writing function.

The choices of every `--format`, `--out` and `--plot` come from this table, and this module rejects
unknown formats. Writing functions are imported only when they are used, so that importing the table
takes no time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.core.files import check_place
from cellstats.core.words import did_you_mean

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
    "overview",
    "pattern",
    "placement",
    "SPE binding",
    "CPU binding",
    "claims",
    "figure",
]
"""The kinds of objects that can be written."""


@dataclass(frozen=True, slots=True)
class Format:
    """One output format of one kind of object."""

    kind: Kind
    name: str
    writer: str
    """Module and name of the function that converts the object to text or bytes."""
    endings: tuple[str, ...] = ()
    """File extensions that select this format."""
    needs: str = ""
    """Function that raises UsageError if a library is missing. Only file formats have such a
    function."""
    about: str = ""
    """Description of the format, shown in help texts beside the name."""

    def write(self, *thing: Any, **options: Any) -> Any:
        """The object as text, or as bytes if the format is only for files."""
        return function_at(self.writer)(*thing, **options)


FORMATS = (
    Format("result", "text", "show.result:results_text"),
    Format("result", "json", "show.result:json_lines", about="one object per line"),
    Format("result", "csv", "show.result:csv"),
    Format("sweep", "table", "show.tables:text_table"),
    Format("sweep", "csv", "show.result:csv", (".csv",)),
    Format(
        "sweep",
        "json",
        "show.result:json_lines",
        (".json", ".jsonl"),
        about="one object per line",
    ),
    Format("sweep", "parquet", "show.result:parquet", (".parquet",), "show.result:check_library"),
    Format("placements", "text", "show.over_placements:placements_text"),
    Format("placements", "json", "show.documents:line"),
    Format("placements", "csv", "show.over_placements:placements_csv"),
    Format("matrix", "table", "show.matrix:matrix_table"),
    Format("matrix", "csv", "show.matrix:matrix_csv"),
    Format("matrix", "json", "show.documents:line", about="one object"),
    Format("breakdown", "text", "show.breakdown:breakdown_text"),
    Format("breakdown", "json", "show.documents:line", about="one object"),
    Format("breakdown", "csv", "show.breakdown:breakdown_csv"),
    Format("trouble", "text", "show.computer:doctor_text"),
    Format("trouble", "json", "show.computer:doctor_json", about="one object"),
    Format("machines", "text", "show.machine:names"),
    Format("machines", "json", "show.machine:machines_json"),
    Format("machines", "csv", "show.machine:machines_csv"),
    Format("machine", "text", "show.machine:listing"),
    Format("machine", "json", "show.machine:machine_json"),
    Format("machine", "csv", "show.machine:machine_csv"),
    Format("difference", "text", "show.machine:differences"),
    Format("difference", "json", "show.machine:difference_json"),
    Format("difference", "csv", "show.machine:difference_csv"),
    Format("computer", "text", "show.computer:computer_text"),
    Format("computer", "json", "show.computer:computer_json"),
    Format("computer", "csv", "show.computer:computer_csv"),
    Format("overview", "text", "show.overview:overview_text"),
    Format("overview", "json", "show.documents:line", about="one object"),
    Format("pattern", "text", "show.pattern:pattern_text"),
    Format("pattern", "json", "core.pattern_files:to_json"),
    Format("pattern", "csv", "core.pattern_files:to_csv"),
    Format("placement", "text", "show.placement:placement_text"),
    Format("placement", "json", "show.documents:line"),
    Format("SPE binding", "list", "show.spe_bindings:as_list", about="as --placement takes it"),
    Format("SPE binding", "libspe2", "show.spe_bindings:as_libspe2", about="C"),
    Format(
        "SPE binding", "environment", "show.spe_bindings:as_environment", about="a line of shell"
    ),
    Format("CPU binding", "list", "host.cpu_bindings:as_cpu_list", about="as --spes takes it"),
    Format("CPU binding", "environment", "host.cpu_bindings:as_gomp", about="a line of shell"),
    Format("CPU binding", "openmp", "host.cpu_bindings:as_openmp"),
    Format("CPU binding", "taskset", "host.cpu_bindings:as_taskset"),
    Format("CPU binding", "numactl", "host.cpu_bindings:as_numactl"),
    Format("CPU binding", "rankfile", "host.cpu_bindings:as_rankfile", about="Open MPI"),
    Format("claims", "text", "show.claims:scorecard_text", about="a scorecard"),
    Format("claims", "json", "show.claims:json_lines", about="one claim per line"),
    Format("claims", "csv", "show.claims:csv"),
    Format("figure", "png", "show.figures:png", (".png",), "show.figures:figure_class"),
    Format("figure", "svg", "show.figures:svg", (".svg",), "show.figures:figure_class"),
    Format("figure", "pdf", "show.figures:pdf", (".pdf",), "show.figures:figure_class"),
)


def formats_of(*kinds: Kind) -> list[Format]:
    """All formats of these kinds, in the order of the kinds."""
    return [each for kind in kinds for each in FORMATS if each.kind == kind]


def names_of(*kinds: Kind) -> tuple[str, ...]:
    """The choices of `--format`, without duplicates.

    >>> names_of("placement", "SPE binding")
    ('text', 'json', 'list', 'libspe2', 'environment')
    """
    return tuple(dict.fromkeys(each.name for each in formats_of(*kinds) if not each.needs))


def in_words(*kinds: Kind) -> str:
    """The choices of `--format` with their descriptions, for help texts.

    >>> in_words("matrix")
    'table, csv or json (one object)'
    """
    about = {each.name: each.about for each in reversed(formats_of(*kinds))}
    return either([f"{name} ({about[name]})" if about[name] else name for name in names_of(*kinds)])


def endings(kind: Kind) -> str:
    """The file extensions for a kind of object, for help texts.

    >>> endings("figure")
    '.png, .svg or .pdf'
    """
    return either([ending for each in formats_of(kind) for ending in each.endings])


def either(words: Sequence[str]) -> str:
    """The words, joined by commas and with `or` before the last word.

    >>> either(["text"]), either(["text", "json", "csv"])
    ('text', 'text, json or csv')
    """
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def find(kind: Kind, name: str, near: Callable[[str, Sequence[str]], str] = did_you_mean) -> Format:
    """The format with this name. Raises UsageError if no format has this name.

    near: function that returns the end of the error message, given the name and the known names.

    >>> find("result", "csv").write([]).partition(",")[0]
    'schema'
    """
    check(names_of(kind), name, near)
    return next(each for each in formats_of(kind) if each.name == name)


def check(
    names: Sequence[str], name: str, near: Callable[[str, Sequence[str]], str] = did_you_mean
) -> None:
    """Raise UsageError unless `name` is one of `names`. The parameter `near` is as for `find`."""
    if name not in names:
        raise UsageError(f"unknown format {name!r}; {near(name, names)}")


def give_one_of(_name: str, names: Sequence[str]) -> str:
    """The end of an error message that lists all names, for use as the parameter `near` of `find`.

    >>> give_one_of("xml", ["text", "json"])
    'give one of text, json'
    """
    return f"give one of {', '.join(names)}"


def of_file(kind: Kind, path: Path, flag: str) -> Format:
    """The format that the extension of a file name selects.

    Raises UsageError if there is no such format, if a file with this name cannot be created, or if
    a library is missing. The error message begins with `flag`.
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
    """The function of this package that is specified by `place` in the form `module:function`."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"cellstats.{module}"), name)
    return function
