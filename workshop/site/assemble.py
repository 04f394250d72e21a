"""Complete the site beside its documents: start page and report.

    python workshop/site/assemble.py out/site [BASE]

BASE is the address at which the site will be, such as https://example.org/cellstats. Without it,
no page names a canonical address. Links are relative in any case. `make site` has built `docs/` in
that folder, and the report in the folder above. The page in which runs are watched is among the
documents; the links of the report lead there. The report and that page, which are also files of
their own, get a line of links to the rest of the site here.
"""

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "_static" / "rings.svg"
LINKED = {
    "docs/rings.html": {
        "Start": "../index.html",
        "Documents": "index.html",
        "Report": "../report/report.html",
    },
    "report/report.html": {
        "Start": "../index.html",
        "Documents": "../docs/index.html",
        "The rings at work": "../docs/rings.html",
    },
}
"""Pages that know nothing of the site, and what they link to."""
LINKED_STYLE = (
    ".of-site{padding:0.2rem 0;font-size:0.9rem}"
    ".of-site a{color:inherit;line-height:1.9;text-decoration:underline}"
    "@media print{.of-site{display:none}}"
)
SIZE_MAX = 15_000_000
"""Maximum size of the site in bytes; free hosts and readers' patience have limits."""


def main(site: Path, base: str = "") -> None:
    """Write all files, and print the sizes of the site's parts."""
    if base and not re.fullmatch(r"https?://[^\s\"<>#?]+", base):
        sys.exit(
            f"workshop/site/assemble.py: {base!r} is no address; write one such as https://example.org"
        )
    start = (HERE / "index.html").read_text(encoding="utf-8")
    start = start.replace("<!-- picture -->", PICTURE.read_text(encoding="utf-8"))
    start = start.replace("<!-- how good -->", how_good(README.read_text(encoding="utf-8")))
    (site / "index.html").write_text(start, encoding="utf-8")
    copy_report(site.parent / "report.html", site / "report")
    for page, others in LINKED.items():
        link_to_site(site / page, others)
    if base:
        # Sphinx has done this for the documents, but not for the page that it only copies.
        for page in ("", "docs/rings.html", "report/report.html"):
            name_address(site / (page or "index.html"), f"{base.rstrip('/')}/{page}")
    sizes = {part.name: size(part) for part in sorted(site.iterdir())}
    for name, amount in (sizes | {"all": sum(sizes.values())}).items():
        print(f"{amount / 1e6:6.2f} MB  {name}")
    if sum(sizes.values()) > SIZE_MAX:
        sys.exit(f"workshop/site/assemble.py: the limit is {SIZE_MAX / 1e6:.0f} MB")


def how_good(readme: str) -> str:
    """README's sentences with the deviations, without their links. A test compares the numbers."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(readme.split()))
    found = re.search(r"Half of \d+ published numbers .*? and the worst within [\d.]+ %\.", text)
    if found is None:
        sys.exit("workshop/site/assemble.py: README.md does not say how far numbers are")
    return found[0].replace(" %", "&nbsp;%")


def link_to_site(page: Path, others: Mapping[str, str]) -> None:
    """Write links to the rest of the site at the beginning of a page, which prints without them."""
    # The documents show the page of the rings in a frame.
    links = " · ".join(f'<a href="{to}" target="_top">{name}</a>' for name, to in others.items())
    line = f'<nav class="of-site" aria-label="This site">{links}</nav>'
    text = page.read_text(encoding="utf-8")
    text = text.replace("</head>", f"<style>{LINKED_STYLE}</style></head>", 1)
    page.write_text(re.sub(r"<body[^>]*>", rf"\g<0>{line}", text, count=1), encoding="utf-8")


def copy_report(report: Path, folder: Path) -> None:
    """Copy a report and the files that it links to. Its links to `watch.html` lead to the rings."""
    text = report.read_text(encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    for name in set(re.findall(r'href="([^"#:]+)', text)) - {"watch.html"}:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(report.parent / name, folder / name)
    text = text.replace('href="watch.html', 'href="../docs/rings.html')
    (folder / report.name).write_text(text, encoding="utf-8")


def name_address(page: Path, address: str) -> None:
    """Write the canonical address of a page into its head."""
    head, end, rest = page.read_text(encoding="utf-8").partition("</head>")
    page.write_text(f'{head}<link rel="canonical" href="{address}">{end}{rest}', encoding="utf-8")


def size(part: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    return sum(each.stat().st_size for each in [part, *part.rglob("*")] if each.is_file())


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
