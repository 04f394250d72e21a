"""The page that plays one run, in a notebook, a file or the browser.

The file `page.html` in the same directory is the page as built by `make web`. The input of the page
is called a scene. A scene is either a recorded trace, or a machine, a request and the part of the
run to be shown. The scene for a result is made from the result's recipe.
"""

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlencode

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.files import check_place, write_whole
from cellstats.core.machine import Hardware, apart
from cellstats.core.parameters import PARAMETERS, PLAIN_DEFAULTS
from cellstats.core.pattern_files import from_json
from cellstats.core.quantities import parse_count
from cellstats.core.refusal import refusal
from cellstats.core.words import reason
from cellstats.measure.request import plain_parameters, request
from cellstats.measure.result import Result
from cellstats.measure.trace import Trace

if TYPE_CHECKING:
    from cellstats.lessons import Lesson

PAGE = Path(__file__).with_name("page.html")
"""The built page. The file is written by `make web` and included in wheels."""
FRAME_HEIGHT_PX = 860
_WHAT = "the page in which runs are watched"
_SCENE = '<script type="application/json" id="scene">{}</script>'
BUS_CYCLES = 4000
"""Default length of the shown part of a run."""
BUS_CYCLES_MAX = 200_000
"""Maximum length of the shown part of a run. A browser has too little memory for more."""
_DEFAULTS: Mapping[str, Any] = PLAIN_DEFAULTS | {row.name: row.default for row in PARAMETERS}
_KEYWORDS = {"size_bytes": "size", "stride_bytes": "stride"}
"""Maps a column of a recipe to its keyword, if their names differ."""
_USUAL = {"memory": "0", "seed": 0, "spes": 0}
"""Values in a recipe that mean that the keyword was not given."""


def built_page() -> str:
    """The page without a scene. Raises UsageError if the page has not been built."""
    wanted = "build it with make web in a checkout, or install a wheel of a release"
    try:
        text = PAGE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"{_WHAT} is not there; {wanted}") from None
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"{_WHAT} cannot be read: {why}; {wanted}") from None
    if text.count(_SCENE.format("null")) != 1:
        raise UsageError(f"{_WHAT} has no place for a run; {wanted}")
    return text


def page_with(scene: Mapping[str, Any]) -> str:
    """The page with a scene. Raises UsageError if the page has not been built."""
    # A string in the scene may contain </script>, which would end the element.
    inside = json.dumps(scene, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return built_page().replace(_SCENE.format("null"), _SCENE.format(inside))


def frame(whole: str) -> str:
    """An `<iframe>` that contains a whole page, for notebooks and other pages.

    The scripts of the inner page run, but cannot access the outer page.
    """
    return (
        f'<iframe srcdoc="{html.escape(whole)}" sandbox="allow-scripts" title="The rings at work" '
        f'style="width: 100%; height: {FRAME_HEIGHT_PX}px; border: 0"></iframe>'
    )


class Part(NamedTuple):
    """The shown part of a run, in bus cycles from the beginning of the measurement."""

    skip: int
    """Number of bus cycles before the shown part."""
    window: int
    """Length of the part."""
    at: int | None
    """The bus cycle that the page shows first; None if the page chooses it."""

    def words(self) -> dict[str, int]:
        """The keys and values that represent this part in a scene."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def part(skip: int | str = 0, window: int | str = BUS_CYCLES, at: int | str | None = None) -> Part:
    """The shown part that is specified by the keywords of `Machine.watch`. Raises UsageError for
    invalid values.

    >>> part("1k", at=1500)
    Part(skip=1000, window=4000, at=1500)
    """
    first = parse_count(skip, "{skip}", least=0)
    length = parse_count(window, "{window}")
    if length > BUS_CYCLES_MAX:
        raise refusal(f"give 1 to {BUS_CYCLES_MAX}", "window", length)
    shown = None if at is None else parse_count(at, "{at}", least=0)
    if shown is not None and not first <= shown < first + length:
        raise refusal(f"give {first} to {first + length - 1}, which is shown", "at", shown)
    return Part(first, length, shown)


def scene(
    machine: Hardware, function: str, parameters: Mapping[str, Any], shown: Part | None = None
) -> dict[str, Any]:
    """The scene of a measurement: the machine, the request, and the shown part.

    parameters: keywords of `Machine.measure`.

    Raises UsageError for invalid parameters.

    >>> scene(Hardware.from_source("ps3"), "couples", {"spes": 4, "size": "1k"})["request"]
    {'function': 'couples', 'spes': 4, 'size': 1024}
    """
    plain = plain_parameters(machine.native, function, parameters)
    # The page simulates a part of the run, bus cycle by bus cycle.
    del plain["fast_forward"], plain["settle"]
    given = {
        name: value
        for name, value in plain.items()
        if value is not None and value != _DEFAULTS[name]
    }
    return {
        "title": f"{function} on {machine.native.name}",
        "machine": _machine(machine),
        "request": {"function": function, **given},
        **({} if shown is None else shown.words()),
    }


def scene_of_trace(data: Mapping[str, Any], title: str) -> dict[str, Any]:
    """The scene of a recorded trace, for which the page simulates nothing.

    data: `Trace.data`.
    """
    # The request is empty: nothing is measured again, and the run of a program has no request.
    return {"title": title, "machine": {"name": data["machine"]}, "request": {}, "trace": data}


def scene_link(scene: Mapping[str, Any]) -> str:
    """A scene, encoded as the part of a web address after `#`.

    Raises UsageError for a scene with a machine file or a recorded trace, which would be too long.

    >>> scene_link(scene(Hardware.from_source("ps3"), "couples", {"placement": "0,2,4,5"}))
    'machine=ps3&function=couples&placement=0.2.4.5'
    """
    if "lesson" in scene or "lessons" in scene:
        raise UsageError("a link cannot hold a lesson; save the page instead")
    if "name" not in scene["machine"] or "trace" in scene:
        what = "a recorded trace" if "trace" in scene else "a machine file of your own"
        raise UsageError(f"a link cannot hold {what}; save the page instead")
    words: dict[str, Any] = {"machine": scene["machine"]["name"], **scene["request"]}
    values = scene["machine"].get("values", {})
    words |= {f"value.{key}": json.dumps(value) for key, value in values.items()}
    usual = Part(0, BUS_CYCLES, None)._asdict()
    words |= {key: scene[key] for key in usual if scene.get(key, usual[key]) != usual[key]}
    return urlencode({key: _word(value) for key, value in words.items()}, quote_via=quote)


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ".".join(str(spe) for spe in value)
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _machine(machine: Hardware) -> dict[str, Any]:
    """The machine of a scene: the name of a built-in machine and its changed numbers, or a file."""
    name, path, *settings = machine.source
    # The directory of a file is omitted for privacy: the page may be sent to other people.
    of_page: dict[str, Any] = {"toml": name, "origin": Path(path).name} if path else {"name": name}
    if settings:
        changed = {setting.partition("=")[0].strip() for setting in settings}
        known = machine.native.values()
        of_page["values"] = {row["key"]: row["value"] for row in known if row["key"] in changed}
    return of_page


def machine_of(recipe: Mapping[str, Any], given: Hardware | None) -> Hardware:
    """The machine of a recipe. If `given` is None, the machine is looked up by name.

    Raises UsageError if the machine's hash differs from the hash in the recipe.
    """
    name, found = recipe["machine"], given
    if found is None and apart(name)[0] in _native.machine_names():
        found = Hardware.find(name)
    if found is None or found.native.hash != recipe["machine_hash"]:
        raise UsageError(
            f"machine: this result is of another {name!r}; give the one that it was measured on"
        )
    return found


def parameters_of(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of `Machine.measure` for the measurement in a recipe.

    >>> named = {"size_bytes": 128, "spes": 2, "placement": [4, 5, 0, 1], "seed": 0}
    >>> parameters_of({"machine": "ps3", "parameters": named})
    {'size': 128, 'spes': 2, 'placement': [4, 5]}
    """
    known = recipe["parameters"]
    # A recipe lists all SPEs. The SPEs that take part in the measurement are first.
    parameters = known | {"placement": known["placement"][: known["spes"]] or None}
    if parameters.get("pattern") is not None:
        parameters["pattern"] = from_json(json.dumps(parameters["pattern"]), "pattern")
    return {
        _KEYWORDS.get(key, key): value
        for key, value in parameters.items()
        if value is not None and value != _USUAL.get(key)
    }


@dataclass(frozen=True, repr=False)
class Page:
    """A page that plays one run, from `Machine.watch`, `Result.watch` or `Trace.watch`.

    A notebook shows the page as the value of a cell.
    """

    scene: Mapping[str, Any]
    """The input of the page: machine, request and shown part, or a recorded trace. See
    docs/guide/watch.md."""

    def __repr__(self) -> str:
        return f"<Page: {self.scene['title']}>"

    def _repr_html_(self) -> str:
        try:
            return frame(self.to_html())
        except UsageError as error:
            # If this method raised the exception, the notebook would show a traceback.
            return f"<p>{html.escape(str(error))}</p>"

    @property
    def link(self) -> str:
        """The part after `#` in the web address of a page that shows the same scene.

        Raises UsageError for a machine file of your own and for a recorded trace.
        """
        return scene_link(self.scene)

    def to_html(self) -> str:
        """The whole page as one HTML file. Raises UsageError if the page has not been built."""
        return page_with(self.scene)

    def save(self, path: str | Path) -> None:
        """Write the page to a file. The file appears only when it is complete.

        Raises UsageError if the file cannot be written or the page has not been built, and RunError
        if the disk is full.
        """
        write_whole(Path(path), self.to_html())

    def open(self, path: str | Path | None = None) -> Path:
        """Save the page and show it in the browser; returns the path of the file.

        path: the file; by default, a new file in the system's directory for temporary files.

        Raises UsageError if saving fails or no browser is found.
        """
        built_page()  # checked first: an error after `_temporary` would leave an empty file behind
        file = _temporary() if path is None else Path(path)
        self.save(file)
        show_in_browser(file)
        return file


def check_page_file(path: Path, flag: str) -> None:
    """Raise UsageError for a file that cannot be written, and for a name that is not HTML's.

    >>> check_page_file(Path("x.pdf"), "--out")
    Traceback (most recent call last):
    cellstats.UsageError: --out x.pdf: a page is HTML; give a name that ends in .html
    """
    if path.suffix.lower() not in ("", ".html", ".htm"):
        raise UsageError(f"{flag} {path}: a page is HTML; give a name that ends in .html")
    check_place(path, flag)


def show_in_browser(path: Path) -> None:
    """Open an HTML file in the browser. Raises UsageError if no browser is found."""
    import webbrowser

    if not webbrowser.open(path.resolve().as_uri()):
        raise UsageError(f"no browser was found; open {str(path)!r} in one")


def page_of(
    machine: Hardware,
    function: str,
    parameters: Mapping[str, Any],
    *,
    skip: int | str = 0,
    window: int | str = BUS_CYCLES,
    at: int | str | None = None,
) -> Page:
    """Implements `Machine.watch`. The keywords of the measurement are passed as a mapping."""
    shown = part(skip, window, at)
    # Tracing one cycle detects all errors, for example that the run ends before the part begins.
    request(machine.native, function, parameters).trace(shown.skip, 1)
    return Page(scene(machine, function, parameters, shown))


def page_of_lesson(lesson: "Lesson") -> Page:
    """A page that opens with a lesson. The lesson is the first in the page's list."""
    return Page({"title": lesson.data["title"], "lesson": {"key": lesson.key, **lesson.data}})


def page_of_lessons() -> Page:
    """A page that opens with the list of its lessons."""
    return Page({"title": "the lessons", "lessons": True})


def page_of_result(of: Result, machine: Hardware | None, **shown: Any) -> Page:
    """Implements `Result.watch`, using the recipe of the result."""
    found = machine_of(of.recipe, machine)
    return page_of(found, of.recipe["function"], parameters_of(of.recipe), **shown)


def page_of_trace(of: Trace, title: str | None) -> Page:
    """Implements `Trace.watch`, using the data of the trace."""
    return Page(scene_of_trace(of.data, title or f"a trace of {of.data['machine']}"))


def _temporary() -> Path:
    """A new temporary file, which is never deleted because the browser may read it at any time."""
    import os
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix="cellstats-", suffix=".html")
    os.close(descriptor)
    return Path(name)
