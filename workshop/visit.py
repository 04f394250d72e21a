"""Open each page of a site in Chromium, and report what would trouble readers.

    python workshop/visit.py out/site

A server offers the site in a subdirectory, as some hosts do. Each page is opened as on a phone in
light colours and as on a desktop in dark colours. The output has one text line for each finding,
and the exit status is 1 if there is any:

- serious and critical findings of axe-core, such as faint text, small targets, missing names;
- messages on the console, failed requests, requests to other servers;
- a missing title, description, language or viewport; a page that is wider than the screen;
- a canonical address that is not one absolute address; a page that moves while it loads, or that is
  larger than 1.2 MB when compressed.

Finally, for the start page and the page of the rings: size, first contentful paint, readiness.
"""

import gzip
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Response

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from browser import driven  # noqa: E402

# `make web` installs it.
AXE = ROOT / "page" / "node_modules" / "axe-core" / "axe.min.js"
_AXE_RUNS = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target).join(", ")}`);
}"""
_ABOUT = """() => ({
  title: document.title,
  description: document.querySelector("meta[name=description]")?.content,
  language: document.documentElement.lang,
  viewport: document.querySelector("meta[name=viewport]")?.content,
})"""
COMPRESSED_MAX = 1_200_000
"""Maximum bytes of a page and all that it loads, compressed by gzip, as most hosts do."""
SHIFT_MAX = 0.25
"""Maximum sum of layout shifts. https://web.dev/articles/cls calls more than this poor."""
_LAYOUT_SHIFT = """() => new Promise((resolve) => {
  const sum = (list) => list.getEntries().reduce((all, { value }) => all + value, 0);
  const observer = new PerformanceObserver((list) => resolve(sum(list)));
  observer.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(0), 200);
})"""
_CANONICAL = """() => [...document.querySelectorAll("link[rel=canonical]")]
  .map((link) => link.getAttribute("href"))"""
_PAINTED_MS = """() => new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime));
  observer.observe({ type: "paint", buffered: true });
})"""
TIMED = ("index.html", "docs/rings.html")
_READERS: tuple[dict[str, Any], ...] = (
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "has_touch": True},
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
)


def main(site: Path) -> int:
    """Visit all pages, and print the findings."""
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    count = 0
    with served(site) as address, driven() as browser:
        for page in pages:
            for finding in visit(browser, address, page):
                count += 1
                print(f"{page}: {finding}", file=sys.stderr)
        for page in TIMED:
            print(timed(browser, address, page))
    print(f"{len(pages)} pages, {count} findings")
    return 1 if count or not pages else 0


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve the folder that contains a site. Yields the address of the site."""
    handler = partial(_Silent, directory=str(site.parent))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
    finally:
        server.shutdown()
        server.server_close()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def visit(browser: Browser, address: str, page: str) -> Iterator[str]:
    """The findings of a page for each kind of reader, each finding once."""
    found: dict[str, None] = {}
    for reader in _READERS:
        context = browser.new_context(**reader)
        opened = context.new_page()
        found |= dict.fromkeys(_findings(opened, address, page))
        context.close()
    yield from found


def timed(browser: Browser, address: str, name: str) -> str:
    """Open a page as if for the first time. Says how long that took, which depends on the load."""
    page = browser.new_page()
    page.goto(address + name)
    page.evaluate("window.cellstats?.ready")
    ready_ms, painted_ms = page.evaluate("performance.now()"), page.evaluate(_PAINTED_MS)
    page.close()
    return f"{name}: first contentful paint {painted_ms:.0f} ms, ready {ready_ms:.0f} ms"


def _findings(page: Page, address: str, name: str) -> list[str]:
    found: list[str] = []
    page.on("console", lambda said: found.extend(_said(said)))
    page.on("pageerror", lambda error: found.append(f"console: {error}"))
    page.on("requestfailed", lambda request: found.append(f"{request.url}: failed"))
    page.on("response", lambda response: found.extend(_refused(response.url, response.status)))
    loaded: list[Response] = []
    page.on("response", lambda response: loaded.append(response))
    page.on("request", lambda request: found.extend(_elsewhere(request.url, address)))
    page.goto(address + name)
    page.evaluate("window.cellstats?.ready")
    found += [f"no {what}" for what, content in page.evaluate(_ABOUT).items() if not content]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
        found.append(f"is wider than a screen of {page.evaluate('innerWidth')} pixels")
    if (shift := page.evaluate(_LAYOUT_SHIFT)) > SHIFT_MAX:
        found.append(f"moves while it loads: layout shifts of {shift:.2f}")
    size = sum(len(gzip.compress(each.body())) for each in loaded if each.ok)
    if size > COMPRESSED_MAX:
        found.append(f"has {size / 1e6:.2f} MB when compressed")
    canonical = page.evaluate(_CANONICAL)
    if len(canonical) > 1 or not all(each.startswith("http") for each in canonical):
        found.append(f"canonical addresses: {', '.join(canonical)}")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return found + list(page.evaluate(_AXE_RUNS))


def _said(message: ConsoleMessage) -> list[str]:
    # Browsers look for an icon, which no page needs.
    is_icon = message.location["url"].endswith("/favicon.ico")
    return [] if is_icon else [f"console: {message.text}"]


def _refused(url: str, status: int) -> list[str]:
    is_refused = status >= 400 and not url.endswith("/favicon.ico")
    return [f"{url}: status {status}"] if is_refused else []


def _elsewhere(url: str, address: str) -> list[str]:
    is_ours = url.startswith((address, "data:", "blob:")) or url.endswith("/favicon.ico")
    return [] if is_ours else [f"{url}: is fetched from elsewhere"]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
