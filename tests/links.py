"""Find broken links in the Markdown files and in the site that is built from them.

    python tests/links.py             Markdown: files, headings, the form of addresses
    python tests/links.py out/docs    the same, and the pages of the site: files and anchors, and
                                      that no page loads anything from another site

The network is not used: only the form of another site's address is checked. The output has a line
for each broken link; the exit status is 1 if there are any.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n|\n)+")
CODE = re.compile(r"(`+)(?!`).+?\1", re.DOTALL)
LINK = re.compile(
    r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|<(\w+:[^>\s]+)>|^\[[^\]]+\]:\s*(\S+)", re.M
)
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
RUSTDOC = "rust"
"""The folder of the site with the pages of rustdoc."""


def main(arguments: list[str]) -> int:
    """Check everything and print the broken links."""
    broken = [line for path in markdown_files() for line in of_markdown(path)]
    for site in arguments:
        broken += of_site(Path(site).resolve())
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


def markdown_files() -> list[Path]:
    """All Markdown files that git tracks or would track."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [ROOT / name for name in sorted(set(listed)) if (ROOT / name).is_file()]


def of_markdown(path: Path) -> Iterator[str]:
    """The broken links of a Markdown file."""
    text = CODE.sub("", _without_blocks(path.read_text(encoding="utf-8")))
    for match in LINK.finditer(text):
        link = next(group for group in match.groups() if group)
        broken = problem(path, link)
        if broken:
            yield f"{path.relative_to(ROOT)}: {link}: {broken}"


def problem(path: Path, link: str) -> str | None:
    """The fault of a link in a Markdown file; None for a good link."""
    parts = urlsplit(link)
    if parts.scheme or link.startswith("//"):
        return _address(link)
    target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    if not target.exists():
        return "there is no such file"
    if not target.is_relative_to(ROOT):
        return "leads out of the repository"
    if parts.fragment and target.suffix == ".md" and parts.fragment not in anchors(target):
        return "there is no such heading"
    return None


def _address(link: str) -> str | None:
    """The fault in the form of an address; None for a good address.

    >>> _address("https://ui.perfetto.dev"), _address("http//x")
    (None, 'is no address; write https://...')
    """
    parts = urlsplit(link)
    if parts.scheme == "mailto":
        return None if "@" in parts.path else "is no address for mail"
    is_web = parts.scheme in ("https", "http") and re.fullmatch(
        r"[\w-]+(\.[\w-]+)+(:\d+)?", parts.netloc
    )
    return None if is_web else "is no address; write https://..."


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a Markdown file's headings, as GitHub and the site make them."""
    found: dict[str, int] = {}
    names = []
    for title in HEADING.findall(_without_blocks(path.read_text(encoding="utf-8"))):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        again = found.get(slug, 0)
        found[slug] = again + 1
        names.append(f"{slug}-{again}" if again else slug)
    return frozenset(names)


def _without_blocks(text: str) -> str:
    return INDENTED.sub("\n", FENCED.sub("", text))


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in ("href", "src", "srcset", "data") and value:
                self.links.append((tag, value))


def of_site(site: Path) -> Iterator[str]:
    """The broken links of a site's pages."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        if path.relative_to(site).parts[0] != RUSTDOC:
            pages[path] = _Page()
            pages[path].feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        for tag, link in page.links:
            broken = _of_page(path, tag, link, pages)
            if broken:
                yield f"{path.relative_to(site.parent)}: {link}: {broken}"
    for path in sorted(site.rglob("*.css")):
        if path.relative_to(site).parts[0] != RUSTDOC:
            for link in re.findall(
                r"url\(['\"]?(https?:[^)'\"]+)|@import ['\"](https?:[^'\"]+)",
                path.read_text("utf-8"),
            ):
                yield f"{path.relative_to(site.parent)}: {''.join(link)}: is fetched from elsewhere"


def _of_page(path: Path, tag: str, link: str, pages: dict[Path, _Page]) -> str | None:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return None
    if parts.scheme or link.startswith("//"):
        return _address(link) if tag == "a" else "is fetched from elsewhere"
    target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    if not target.is_file():
        return "there is no such file"
    ids = pages[target].ids if target in pages else None
    # A fragment with "=" is not an anchor, but parameters of the page.
    is_anchor = parts.fragment and "=" not in parts.fragment
    if is_anchor and ids is not None and unquote(parts.fragment) not in ids:
        return "there is no such anchor"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
