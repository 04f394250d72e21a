"""The table of views: how the objects of each kind are shown, and in which formats written.

The choices of every `--format`, `--out` and `--plot` come from this table, and this module rejects
unknown formats. A lambda of the table finds its function through `cellstats.show`, which imports
the function's module only then, so that importing the table takes no time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cellstats import show
from cellstats._native import UsageError
from cellstats.core.display import Kind
from cellstats.core.files import check_place, write_whole
from cellstats.core.words import did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Find: TypeAlias = Callable[[], Callable[..., Any]]
"""Finds a function, and imports its module if necessary."""


def _nothing() -> Callable[..., Any]:
    raise TypeError("objects of this kind are not shown in this way")


@dataclass(frozen=True, slots=True)
class Format:
    """One output format of one kind of object."""

    name: str
    writer: Find
    """Finds the function that converts the object to text or bytes."""
    endings: tuple[str, ...] = ()
    """File extensions that select this format."""
    needs: Find | None = None
    """Finds a function that raises UsageError if a library is missing. Only file formats have such
    a function."""
    about: str = ""
    """Description of the format, shown in help texts beside the name."""

    def write(self, *thing: Any, **options: Any) -> Any:
        """The object as text, or as bytes if the format is only for files."""
        return self.writer()(*thing, **options)


class View:
    """How objects of one kind are shown. Each argument finds a function, when it is needed.

    formats: the formats of `--format` and of files; the first is the default.
    text: the text of an object as printed by the `cellstats` command; by default, the first format.
    html: HTML of bounded size for a notebook, without style sheets or scripts.
    page: a page that plays the object's run in a browser.
    """

    def __init__(
        self,
        *formats: Format,
        text: Find | None = None,
        html: Find = _nothing,
        picture: Find = _nothing,
        page: Find = _nothing,
    ) -> None:
        self.formats = formats
        self.text = text or (formats[0].writer if formats else _nothing)
        self.html = html
        self._picture = picture
        self.page = page

    def picture(self) -> "Callable[..., Figure]":
        """Find the function that draws an object. Raises UsageError if matplotlib is missing."""
        show.figures.figure_class()
        return self._picture()


def _figure(name: str, writer: Find) -> Format:
    return Format(name, writer, (f".{name}",), lambda: show.figures.figure_class)


_LINE = Format("json", lambda: show.documents.line)
_OBJECT = Format("json", lambda: show.documents.line, about="one object")
VIEWS: dict[Kind, View] = {
    "result": View(
        text=lambda: show.result.simulation_text,
        html=lambda: show.result.result_html,
        picture=lambda: show.result.histogram_figure,
        page=lambda: show.page.page_of_result,
    ),
    "host result": View(
        text=lambda: show.host_result.host_text, html=lambda: show.host_result.host_html
    ),
    "results": View(
        Format("text", lambda: show.result.results_text),
        Format("json", lambda: show.result.json_lines, about="one object per line"),
        Format("csv", lambda: show.result.csv),
    ),
    "sweep": View(
        Format("table", lambda: show.tables.text_table),
        Format("csv", lambda: show.result.csv, (".csv",)),
        Format(
            "json",
            lambda: show.result.json_lines,
            (".json", ".jsonl"),
            about="one object per line",
        ),
        Format(
            "parquet",
            lambda: show.result.parquet,
            (".parquet",),
            lambda: show.result.check_library,
        ),
        html=lambda: show.sweep.sweep_html,
        picture=lambda: show.sweep.sweep_figure,
    ),
    "placements": View(
        Format("text", lambda: show.over_placements.placements_text),
        _LINE,
        Format("csv", lambda: show.over_placements.placements_csv),
        html=lambda: show.over_placements.placements_html,
    ),
    "matrix": View(
        Format("table", lambda: show.matrix.matrix_table),
        Format("csv", lambda: show.matrix.matrix_csv),
        _OBJECT,
        html=lambda: show.matrix.matrix_html,
        picture=lambda: show.matrix_figure.matrix_figure,
    ),
    "breakdown": View(
        Format("text", lambda: show.breakdown.breakdown_text),
        _OBJECT,
        Format("csv", lambda: show.breakdown.breakdown_csv),
        html=lambda: show.breakdown.breakdown_html,
        picture=lambda: show.breakdown.breakdown_figure,
    ),
    "trouble": View(
        Format("text", lambda: show.computer.doctor_text),
        Format("json", lambda: show.computer.doctor_json, about="one object"),
    ),
    "machines": View(
        Format("text", lambda: show.machine.names),
        Format("json", lambda: show.machine.machines_json),
        Format("csv", lambda: show.machine.machines_csv),
    ),
    "machine": View(
        Format("text", lambda: show.machine.listing),
        Format("json", lambda: show.machine.machine_json),
        Format("csv", lambda: show.machine.machine_csv),
        html=lambda: show.machine.machine_html,
        page=lambda: show.page.page_of,
    ),
    "difference": View(
        Format("text", lambda: show.machine.differences),
        Format("json", lambda: show.machine.difference_json),
        Format("csv", lambda: show.machine.difference_csv),
    ),
    "computer": View(
        Format("text", lambda: show.computer.computer_text),
        Format("json", lambda: show.computer.computer_json),
        Format("csv", lambda: show.computer.computer_csv),
    ),
    "overview": View(
        Format("text", lambda: show.overview.overview_text),
        _OBJECT,
        html=lambda: show.overview.overview_html,
        picture=lambda: show.overview_figure.overview_figure,
    ),
    "pattern": View(
        Format("text", lambda: show.pattern.pattern_text),
        Format("json", lambda: show.pattern.to_json),
        Format("csv", lambda: show.pattern.to_csv),
        html=lambda: show.pattern.pattern_html,
    ),
    "placement": View(
        Format("text", lambda: show.placement.placement_text),
        _LINE,
        html=lambda: show.placement.placement_html,
        picture=lambda: show.placement_figure.rings_figure,
    ),
    "SPE binding": View(
        Format("list", lambda: show.spe_bindings.as_list, about="as --placement takes it"),
        Format("libspe2", lambda: show.spe_bindings.as_libspe2, about="C"),
        Format("environment", lambda: show.spe_bindings.as_environment, about="a line of shell"),
    ),
    "CPU binding": View(
        Format("list", lambda: show.placement.as_cpu_list, about="as --spes takes it"),
        Format("environment", lambda: show.placement.as_gomp, about="a line of shell"),
        Format("openmp", lambda: show.placement.as_openmp),
        Format("taskset", lambda: show.placement.as_taskset),
        Format("numactl", lambda: show.placement.as_numactl),
        Format("rankfile", lambda: show.placement.as_rankfile, about="Open MPI"),
    ),
    "trace": View(
        text=lambda: show.waveform.trace_text,
        html=lambda: show.waveform.trace_html,
        picture=lambda: show.waveform.trace_figure,
        page=lambda: show.page.page_of_trace,
    ),
    "static timing": View(
        text=lambda: show.static_timing.static_timing_text,
        html=lambda: show.static_timing.static_timing_html,
    ),
    "Linux program": View(
        text=lambda: show.program.linux_text, html=lambda: show.program.linux_html
    ),
    "run": View(html=lambda: show.program.run_html),
    "claims": View(
        Format("text", lambda: show.claims.scorecard_text, about="a scorecard"),
        Format("json", lambda: show.claims.json_lines, about="one claim per line"),
        Format("csv", lambda: show.claims.csv),
        html=lambda: show.claims.scorecard_html,
    ),
    "paper": View(html=lambda: show.claims.judged_html, picture=lambda: show.claims.paper_figure),
    "claim": View(text=lambda: show.claims.line, html=lambda: show.claims.outcome_html),
    "figure": View(
        _figure("png", lambda: show.figures.png),
        _figure("svg", lambda: show.figures.svg),
        _figure("pdf", lambda: show.figures.pdf),
    ),
}


def formats_of(*kinds: Kind) -> list[Format]:
    """All formats of these kinds, in the order of the kinds."""
    return [each for kind in kinds for each in VIEWS[kind].formats]


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

    >>> find("results", "csv").write([]).partition(",")[0]
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
        found.needs()()
    return found


def write_file(kind: Kind, thing: Any, path: Path, flag: str) -> None:
    """Write an object of this kind to a file. An existing file is replaced.

    For results, CSV and Parquet files contain only the non-nested columns. JSON files contain all
    columns, with one object on each line. Raises UsageError if the file cannot be written, and
    RunError if the disk is full.
    """
    write_whole(path, of_file(kind, path, flag).write(thing))


def save(figure: "Figure", path: Path) -> None:
    """Write a figure in the format of the file extension. Raises UsageError on failure."""
    write_file("figure", figure, path, "--plot")
