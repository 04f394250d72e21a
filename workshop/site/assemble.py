"""Complete the site beside its documents: start page and report.

    python workshop/site/assemble.py out/site [BASE]

BASE is the address at which the site will be, such as https://example.org/cellstats. Without it,
no page names a canonical address. Links are relative in any case. `make site` has built `docs/` in
that folder, and the report in the folder above. The page in which runs are watched is among the
documents; the links of the report lead there.
"""

import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PICTURE = ROOT / "docs" / "_static" / "rings.svg"
SIZE_MAX = 15_000_000
"""Maximum size of the site in bytes; free hosts and readers' patience have limits."""


def main(site: Path, base: str = "") -> None:
    """Write all files, and print the sizes of the site's parts."""
    if base and not re.fullmatch(r"https?://[^\s\"<>#?]+", base):
        sys.exit(
            f"workshop/site/assemble.py: {base!r} is no address; write one such as https://example.org"
        )
    start = (HERE / "index.html").read_text(encoding="utf-8")
    picture = PICTURE.read_text(encoding="utf-8")
    (site / "index.html").write_text(start.replace("<!-- picture -->", picture), encoding="utf-8")
    copy_report(site.parent / "report.html", site / "report")
    if base:
        # Sphinx has done this for the documents, but not for the page that it only copies.
        for page in ("", "docs/rings.html", "report/report.html"):
            name_address(site / (page or "index.html"), f"{base.rstrip('/')}/{page}")
    sizes = {part.name: size(part) for part in sorted(site.iterdir())}
    for name, amount in (sizes | {"all": sum(sizes.values())}).items():
        print(f"{amount / 1e6:6.2f} MB  {name}")
    if sum(sizes.values()) > SIZE_MAX:
        sys.exit(f"workshop/site/assemble.py: the limit is {SIZE_MAX / 1e6:.0f} MB")


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
