"""A page of one run: in a notebook, in a file, in the browser."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellstats._native import UsageError
from cellstats.measure.request import request
from cellstats.page import recipes
from cellstats.page.built_page import built_page, frame, page_with
from cellstats.page.scene import (
    BUS_CYCLES,
    Described,
    part,
    scene,
    scene_link,
    scene_of_trace,
)


@dataclass(frozen=True, repr=False)
class Page:
    """A page that plays one run; `Machine.watch`, `Result.watch` and `Trace.watch` make it.

    A notebook shows it where it is the value of a cell.
    """

    scene: Mapping[str, Any]
    """What it shows: machine, request and part, or a recorded trace; docs/guide/watch.md."""

    def __repr__(self) -> str:
        return f"<Page: {self.scene['title']}>"

    def _repr_html_(self) -> str:
        try:
            return frame(self.to_html())
        except UsageError as error:
            # A notebook would show a traceback.
            return f"<p>{html.escape(str(error))}</p>"

    @property
    def link(self) -> str:
        """What stands behind `#` in the address of a page that shows the same.

        Raises UsageError for a machine file of one's own and for a recorded trace.
        """
        return scene_link(self.scene)

    def to_html(self) -> str:
        """The whole page, which needs nothing else. Raises UsageError where it was not built."""
        return page_with(self.scene)

    def save(self, path: str | Path) -> None:
        """Write the page into a file, which appears when it is complete.

        Raises UsageError where no file can be, or the page was not built; RunError where the disk
        is full.
        """
        from cellstats.export.whole_file import write_whole

        write_whole(Path(path), self.to_html())

    def open(self, path: str | Path | None = None) -> Path:
        """Save the page and show it in the browser; answers the path of the file.

        path: the file; by default a new one in the system's directory for temporary files.

        Raises UsageError as `save` does, and where no browser is found.
        """
        built_page()  # or an empty file would be left
        place = _temporary() if path is None else Path(path)
        self.save(place)
        show_in_browser(place)
        return place


def show_in_browser(path: Path) -> None:
    """Open a file in the browser. Raises UsageError where none is found."""
    import webbrowser

    if not webbrowser.open(path.resolve().as_uri()):
        raise UsageError(f"no browser was found; open {str(path)!r} in one")


def page_of(
    machine: Described,
    function: str,
    parameters: Mapping[str, Any],
    *,
    skip: int | str = 0,
    window: int | str = BUS_CYCLES,
    at: int | str | None = None,
) -> Page:
    """`Machine.watch`, its keywords as a mapping."""
    shown = part(skip, window, at)
    # Refused is what a trace refuses, and where the run has ended before there is anything to see.
    request(machine.native, function, parameters).trace(shown.skip, 1)
    return Page(scene(machine, function, parameters, shown))


def page_of_result(recipe: Mapping[str, Any], machine: Described | None, **shown: Any) -> Page:
    """`Result.watch`, from the recipe of the result."""
    found = recipes.machine_of(recipe, machine)
    return page_of(found, recipe["function"], recipes.parameters_of(recipe), **shown)


def page_of_trace(data: Mapping[str, Any], title: str | None) -> Page:
    """`Trace.watch`, from the data of the trace."""
    return Page(scene_of_trace(data, title or f"a trace of {data['machine']}"))


def _temporary() -> Path:
    """It stays there: the browser reads it later, and again when it is reloaded."""
    import os
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix="cellstats-", suffix=".html")
    os.close(descriptor)
    return Path(name)
