"""The moving picture at the beginning of the README, the documents and the site.

    python workshop/site/picture.py [FILE]

In the page of `make web`, the simulator makes a run whose traffic repeats. The script reads the
drawing in each bus cycle of a period and writes it as an SVG file that moves without scripts, in
light and dark colours. For readers who prefer reduced motion, the picture stands still. On a phone,
it shows the elements with their names in large letters, the rings and the lines.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "workshop"), str(ROOT / "tests")]

from browser import driven  # noqa: E402
from cellstats.show.page import PAGE  # noqa: E402

PICTURE = ROOT / "docs" / "_static" / "rings.svg"
RUN = "machine=eval-board&function=complement&spes=8&size=16384&op=put"
TITLE = "Cache lines travel on the four rings of the Cell between eight SPEs"
FIRST = 1500
"""Bus cycle at which the picture begins, when the traffic repeats."""
PERIOD_MAX = 32
SAMPLES = 2
"""Drawings of a bus cycle; with one, the labels would leave the curves of the rings."""
SECONDS = 0.35
"""Duration of a bus cycle."""
GAP = 0.02
"""Space before and after a beat, in hops."""
BEATS = 8

PHONE_PX = 699
"""Widest picture with names only, which are large: other text would be too small."""
NAME_PX = 34
"""Size of these names, and how far they move into their boxes."""

Moment = Mapping[str, Any]
Node = Mapping[str, Any]
Sample = tuple[float, Mapping[str, Any]]
"""Time in bus cycles, and how a line is drawn then."""


def main(file: Path = PICTURE) -> None:
    """Write the picture, by default the one that is kept. A test compares it with the page."""
    moments, looks = read()
    file.write_text(Drawing(moments, looks).text(), encoding="utf-8")
    print(f"{file}: {file.stat().st_size} bytes")


def read() -> tuple[list[Moment], list[Mapping[str, str]]]:
    """The drawing at all times of a period and the next, and its styles by class."""
    with driven() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(f"{PAGE.as_uri()}#{RUN}")
        page.evaluate("cellstats.ready")
        page.add_script_tag(path=Path(__file__).with_name("picture.js"))
        times = [FIRST + nth / SAMPLES for nth in range(2 * PERIOD_MAX * SAMPLES)]
        return [page.evaluate(f"moment({time})") for time in times], page.evaluate("styles")


def period(moments: Sequence[Moment]) -> int:
    """Bus cycles after which the drawing repeats and that are longer than any line's journey."""
    whole = moments[::SAMPLES]
    drawn = [(each["still"], sorted(map(_without_id, each["bands"]))) for each in whole]
    longest = BEATS + max(band["head"] for each in moments for band in each["bands"])
    for cycles in range(int(longest) + 1, PERIOD_MAX):
        if all(drawn[nth] == drawn[nth + cycles] for nth in range(len(drawn) - cycles)):
            return cycles
    sys.exit(f"workshop/site/picture.py: no period within {PERIOD_MAX} bus cycles: {RUN}")


def _without_id(band: Mapping[str, Any]) -> str:
    return str({**band, "line": None})


class Drawing:
    """The SVG file: what stands still or changes at once, below the lines that move."""

    def __init__(self, moments: Sequence[Moment], looks: Sequence[Mapping[str, str]]) -> None:
        self.moments = moments
        self.looks = looks
        self.cycles = period(moments)
        self.keyframes: dict[str, str] = {}
        """Name of each animation, by its steps."""

    def text(self) -> str:
        """The file."""
        # The numbers of the rings and the boxes are above the lines.
        below, above = self._layers()
        trains, labels = zip(*map(self._band, self._journeys()), strict=True)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{self.moments[0]["viewBox"]}" '
            f'class="s0" role="img"><title>{TITLE}</title><style>{self._style()}</style>'
            f"{below}{''.join(trains)}{''.join(labels)}{above}</svg>\n"
        )

    def _layers(self) -> Iterator[str]:
        layers = [moment["still"] for moment in self.moments[: self.cycles * SAMPLES : SAMPLES]]
        above = next(nth for nth, layer in enumerate(layers[0]) if layer["below"] is False)
        for part in (slice(None, above), slice(above, None)):
            yield "".join(
                self._changing(nodes)
                for nodes in zip(*(layer[part] for layer in layers), strict=True)
            )

    def _changing(self, nodes: Sequence[Node]) -> str:
        """An element in all bus cycles: once if it stays the same, else its parts or variants."""
        first = nodes[0]
        if all(node == first for node in nodes):
            return _element(first)
        same = ("tag", "attributes", "text")
        if all(
            [node[key] for key in same] == [first[key] for key in same]
            and len(node["children"]) == len(first["children"])
            for node in nodes
        ):
            children = zip(*(node["children"] for node in nodes), strict=True)
            return _element(first, "".join(map(self._changing, children)))
        variants: dict[str, list[int]] = {}
        for nth, node in enumerate(nodes):
            variants.setdefault(_element(node), []).append(nth)
        return "".join(self._flipped(text, shown) for text, shown in variants.items())

    def _flipped(self, text: str, shown: Sequence[int]) -> str:
        """An element that is visible only in these bus cycles."""
        steps = {
            f"{self._percent(nth)}%": f"visibility:{'visible' if nth in shown else 'hidden'}"
            for nth in range(self.cycles)
            if nth == 0 or (nth in shown) != (nth - 1 in shown)
        }
        hidden = "" if 0 in shown else ' visibility="hidden"'
        return f'<g class="f"{hidden} style="animation-name:{self._named(steps)}">{text}</g>'

    def _journeys(self) -> Iterator[list[Sample]]:
        """The samples of each line that is granted in the period."""
        samples: dict[int, list[Sample]] = {}
        for nth, moment in enumerate(self.moments):
            for band in moment["bands"]:
                samples.setdefault(band["line"], []).append((nth / SAMPLES, band))
        for journey in samples.values():
            if 0 < journey[0][0] <= self.cycles:
                yield journey

    def _band(self, journey: Sequence[Sample]) -> tuple[str, str]:
        """A line from its grant until its last beat arrives: the train of beats, and its label."""
        start = int(journey[0][0])
        whole = max((band for _, band in journey), key=lambda band: band["head"] - band["tail"])
        hops = whole["head"]
        end = start + BEATS + hops
        age = -start % self.cycles
        body, beats = (f"s{look}" for look in whole["looks"])
        steps = {"0%": f"stroke-dashoffset:{BEATS}"}
        steps[f"{self._percent(end - start)}%,100%"] = f"stroke-dashoffset:{-hops}"
        moves = (
            f'd="{whole["d"]}" pathLength="{hops}" '
            f'stroke-dashoffset="{max(BEATS - age, -hops)}" style="{self._timed(steps, start)}"'
        )
        places = {
            f"{self._percent(nth - start)}%": _at(band["position"]) + ";visibility:visible"
            for nth, band in journey
        }
        arrives = f"{self._percent(hops)}%"
        leads = {"0%": "offset-distance:0%;visibility:visible"}
        leads[arrives] = "offset-distance:100%;visibility:visible"
        leads[f"{self._percent(end - start)}%,100%"] = "offset-distance:100%;visibility:hidden"
        last = _at(journey[-1][1]["position"])
        places[f"{self._percent(end - start)}%,100%"] = f"{last};visibility:hidden"
        x, y = next((band["position"] for nth, band in journey if nth - start == age), (0, 0))
        hidden = "" if start + age <= journey[-1][0] else ' visibility="hidden"'
        way = f"offset-path:path('{whole['d']}');offset-distance:{min(age / hops, 1):.0%}"
        head = whole["arrowhead"]
        return (
            f'<path class="m {body} y" {moves}/><path class="m {beats} b" {moves}/>'
            f'<g class="m"{hidden} style="{way};{self._timed(leads, start)}">'
            f'<g transform="{head["place"]}">{_element(head)}</g></g>',
            f'<g class="m w"{hidden} transform="translate({x} {y})" '
            f'style="{self._timed(places, start)}">'
            f"{''.join(map(_element, whole['label']))}</g>",
        )

    def _timed(self, steps: Mapping[str, str], start: int) -> str:
        delay = (start - self.cycles) * SECONDS
        return f"animation-name:{self._named(steps)};animation-delay:{delay:.2f}s"

    def _named(self, steps: Mapping[str, str]) -> str:
        text = "".join(f"{when}{{{what}}}" for when, what in steps.items())
        return self.keyframes.setdefault(text, f"k{len(self.keyframes)}")

    def _percent(self, cycles: float) -> str:
        return f"{100 * cycles / self.cycles:.4g}"

    def _style(self) -> str:
        duration = f"{self.cycles * SECONDS:.2f}s"
        dashes = f"{1 - 2 * GAP} {2 * GAP} " * (BEATS - 1) + f"{1 - 2 * GAP} 99"
        light = "".join(f".s{nth}{{{look['light']}}}" for nth, look in enumerate(self.looks))
        dark = "".join(
            f".s{nth}{{{look['dark']}}}"
            for nth, look in enumerate(self.looks)
            if look["dark"] != look["light"]
        )
        names = "".join(f"@keyframes {name}{{{steps}}}" for steps, name in self.keyframes.items())
        return (
            f'text{{font-family:system-ui,"DejaVu Sans",sans-serif}}{light}'
            f"@media(prefers-color-scheme:dark){{{dark}}}"
            f".y{{stroke-dasharray:{BEATS} 99}}.b{{stroke-dasharray:{dashes}}}"
            f"@media(max-width:{PHONE_PX}px){{.w{{display:none}}"
            f".n{{font-size:{NAME_PX}px;transform:translateY({NAME_PX}px)}}}}"
            f"@media not (prefers-reduced-motion:reduce){{"
            f".m{{animation:{duration} linear infinite}}"
            f".f{{animation:{duration} step-end infinite}}{names}}}"
        )


def _at(position: Sequence[float]) -> str:
    return f"transform:translate({position[0]}px,{position[1]}px)"


def _element(node: Node, inside: str | None = None) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node["attributes"])
    if inside is None:
        inside = escape(node["text"]) + "".join(map(_element, node["children"]))
    return f"<{node['tag']}{attributes}>{inside}</{node['tag']}>" if inside or attributes else ""


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
