"""Text that is generated when the site is built, so that it is never out of date.

A line `<!-- generated: WHAT ARGUMENTS -->` of a page is replaced:

    file ../CONTRIBUTING.md   that file, with its links adjusted to this page
    commands                  a section with `--help` for each command
    crates                    a table of the Rust crates, linked to what `cargo doc` made of them
    beside Placed: A, B       the classes A and B of the module that the public class Placed is in,
                              or of a module: `beside measure.result_parts: A`
    rings                     the page in which runs are watched, if it was built
    sensitivity guesses       a table of `sensitivity_tables`

With the tag `site` (`make site`), the documents leave out the pages of `cargo doc`.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from sphinx.application import Sphinx
from sphinx.util import logging

import cellstats
import sensitivity_tables
from borders import USES, manifest
from cellstats.cli.group import cellstats as group
from cellstats.show.page import PAGE

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
RUSTDOC = ROOT / "target" / "doc"
RINGS = "rings.html"
"""Name, in the site, of the page that plays runs."""
HELP_COLUMNS = 100
_LINE = re.compile(r"^<!-- generated: (\w+) ?(.*?) -->$", re.MULTILINE)
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
# Files outside docs/ that are also pages of the site.
PAGES = {
    (page.parent / match[2]).resolve(): page
    for page in DOCS.glob("**/*.md")
    for match in _LINE.finditer(page.read_text(encoding="utf-8"))
    if match[1] == "file"
}

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _read)
    app.connect("env-check-consistency", _all_public_names)
    app.connect("build-finished", _copy_rustdoc)
    app.connect("build-finished", _copy_rings)
    return {"parallel_read_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    path = (DOCS / page).with_suffix(".md")

    def made(match: re.Match[str]) -> str:
        app.env.note_reread()
        return _MAKERS[match[1]](app, path, match[2])

    source[0] = _LINE.sub(made, _turned(source[0], path, path))


def _turned(text: str, written: Path, shown: Path) -> str:
    """The text of the file `written` with its links adjusted to the page `shown`."""

    def turned(match: re.Match[str]) -> str:
        target = (written.parent / match[1]).resolve()
        return os.path.relpath(PAGES.get(target, target), shown.parent)

    return _LINK.sub(turned, text)


def _file(_app: Sphinx, page: Path, name: str) -> str:
    path = (page.parent / name).resolve()
    return _turned(path.read_text(encoding="utf-8"), path, page)


def _commands(_app: Sphinx, _page: Path, _: str) -> str:
    return "\n".join(_help(group, click.Context(group, info_name="cellstats")))


def _help(command: click.Command, context: click.Context) -> Iterator[str]:
    context.terminal_width = context.max_content_width = HELP_COLUMNS
    yield f"## {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            sub = command.get_command(context, name)
            assert sub is not None, name
            yield from _help(sub, click.Context(sub, info_name=name, parent=context))


def _crates(app: Sphinx, _page: Path, _: str) -> str:
    rows = ["| crate | content |", "|---|---|"]
    for member in sorted(USES):
        package = manifest(ROOT / member)["package"]
        name = str(package["name"])
        module = name.replace("-", "_")
        shown = f"`{name}`"
        if _with_rustdoc(app) and (RUSTDOC / module / "index.html").exists():
            shown = f'<a href="../rust/{module}/index.html"><code>{name}</code></a>'
        rows.append(f"| {shown} | {package.get('description', '')} |")
    return "\n".join(rows)


def _beside(_app: Sphinx, _page: Path, arguments: str) -> str:
    public, names = arguments.split(": ")
    is_module = "." in public
    module = f"cellstats.{public}" if is_module else getattr(cellstats, public).__module__
    return "\n".join(
        f"```{{eval-rst}}\n.. autoclass:: {module}.{name}\n   :members:\n   :undoc-members:\n```\n"
        for name in names.split(", ")
    )


def _rings(_app: Sphinx, page: Path, _: str) -> str:
    if not PAGE.is_file():
        return "*This copy of the documents has no page, because it was built before `make web`.*"
    address = os.path.relpath(DOCS / RINGS, page.parent)
    title = "The rings at work"
    return (
        f'<iframe class="rings" src="{address}" title="{title}" loading="lazy"></iframe>\n'
        f'<p><a href="{address}">Open the page alone</a></p>\n'
    )


def _sensitivity(_app: Sphinx, _page: Path, table: str) -> str:
    return sensitivity_tables.TABLES[table]()


_MAKERS: dict[str, Callable[[Sphinx, Path, str], str]] = {
    "file": _file,
    "commands": _commands,
    "crates": _crates,
    "beside": _beside,
    "rings": _rings,
    "sensitivity": _sensitivity,
}


def _all_public_names(_app: Sphinx, env: Any) -> None:
    """Warns of each public name that no page describes."""
    described = env.domains.python_domain.objects
    for name in (*cellstats.__all__, *cellstats.TYPES):
        if f"cellstats.{name}" not in described:
            logger.warning("cellstats.%s is public, but no page describes it", name)


def _copy_rustdoc(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html" and _with_rustdoc(app):
        shutil.copytree(RUSTDOC, Path(app.outdir) / "rust", dirs_exist_ok=True)


def _with_rustdoc(app: Sphinx) -> bool:
    return RUSTDOC.is_dir() and not app.tags.has("site")


def _copy_rings(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html" and PAGE.is_file():
        shutil.copy(PAGE, Path(app.outdir) / RINGS)
