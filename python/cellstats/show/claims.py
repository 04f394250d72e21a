"""Judged papers as text, HTML, CSV and JSON, and the figures of papers as pictures.

The scorecard states the number of reproduced claims for each paper, and the deviations of the
simulated numbers from the published ones. Claims that are not reproduced come first. Only
`paper_figure` needs matplotlib.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cellstats._native import UsageError
from cellstats.core.files import csv_table
from cellstats.core.refusal import refusal
from cellstats.core.words import did_you_mean
from cellstats.reproduce.claims import Claim, Kind
from cellstats.reproduce.verdicts import Judged, Outcome, Scorecard, Verdict
from cellstats.show.chart_figures import panels_figure
from cellstats.show.deviations import (
    OutOfSample,
    Quartiles,
    cells,
    out_of_sample,
    percent,
    quartiles,
    worst,
)
from cellstats.show.documents import json_line
from cellstats.show.html_parts import paragraph, table
from cellstats.show.tables import aligned

if TYPE_CHECKING:
    from matplotlib.figure import Figure


HEAD = (
    *("", "measured", "off", "cannot be met", "out of reach"),
    *("held out", "read back", "machine", "methods"),
)
HELD_OUT_HEAD = ("out of sample", "numbers", "within 10 %", "median", "worst")
DEVIATION_HEAD = ("deviation", "numbers", "lower quartile", "median", "upper quartile")
ORDER = ("off", "cannot-be-met", "out-of-reach", "reproduced", "method")
"""The verdicts. Verdicts that need attention come first."""


@dataclass(frozen=True)
class Tally:
    """The number of claims of one kind, for each verdict."""

    reproduced: int
    off: int
    cannot_be_met: int
    """Claims with which no machine can agree, because it agrees with others."""
    out_of_reach: int

    @property
    def claims(self) -> int:
        """The total number of claims of the kind."""
        return self.reproduced + self.off + self.cannot_be_met + self.out_of_reach

    def __str__(self) -> str:
        return f"{self.reproduced} of {self.claims}" if self.claims else "–"


@dataclass(frozen=True)
class Score:
    """The number of claims of each kind, for each verdict."""

    measured: Tally
    held_out: Tally
    """Numbers to which nothing was fitted; reproduced if they are within 10 %."""
    read_back: Tally
    """Claims whose published number was used to choose a value of the machine."""
    machine: Tally
    """Claims that only describe the hardware."""
    methods: int
    """The number of claims about methods of measurement. These claims are not judged."""


def score(outcomes: Iterable[Outcome]) -> Score:
    """Count outcomes by the verdict on the simulated number, not by the status in `claims.toml`."""
    every = list(outcomes)

    def tally(kind: Kind) -> Tally:
        verdicts = [each.verdict for each in every if each.claim.kind == kind]
        names: tuple[Verdict, ...] = ("reproduced", "off", "cannot-be-met", "out-of-reach")
        return Tally(*(verdicts.count(name) for name in names))

    return Score(
        measured=tally("measured"),
        held_out=tally("held-out"),
        read_back=tally("read-back"),
        machine=tally("machine"),
        methods=sum(each.claim.kind == "method" for each in every),
    )


def shortfalls(judged: Sequence[Judged]) -> str:
    """A text line for each claim with the verdict "off", "cannot be met" or "out of reach"."""
    lines = []
    for verdict, head in SHORTFALLS.items():
        bad = [each for one in judged for each in one.outcomes if each.verdict == verdict]
        if bad:
            rows = [
                [f"  {_with_excluders(each)}", *_numbers(each), each.claim.statement]
                for each in bad
            ]
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            lines.append(head)
            lines += [
                "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
                for row in rows
            ]
    return "\n".join(lines) + "\n" if lines else ""


SHORTFALLS = {
    "off": "Off:",
    "cannot-be-met": "Cannot be met, because these claims exclude each other:",
    "out-of-reach": "Out of reach:",
}
"""The verdicts on claims that are not reproduced, with headings."""


def _with_excluders(outcome: Outcome) -> str:
    """The claim's id, and the ids of the claims that exclude it."""
    claim = outcome.claim
    return f"{claim.id} ({', '.join(claim.excluded_by)})" if claim.excluded_by else claim.id


def over_placements(outcome: Outcome) -> str:
    """The numbers over ten and over all placements; empty for claims without such numbers."""
    unit = outcome.claim.unit
    return "; ".join(f"{words}: {number:.1f} {unit}" for words, number in outcome.numbers.items())


def _numbers(outcome: Outcome) -> list[str]:
    return [] if outcome.simulated is None else [published(outcome.claim), simulated(outcome)]


def published(claim: Claim) -> str:
    """The published value as text: `22.5 GB/s`, `2 to 3 times`, `below 6 GB/s`."""
    if isinstance(claim.published, tuple):
        text = " to ".join(_plain(end) for end in claim.published)
    elif claim.published is not None:
        text = ("about " if claim.approximate else "") + _plain(claim.published)
    else:
        limits = (("above", claim.above), ("below", claim.below))
        text = ", ".join(f"{word} {_plain(limit)}" for word, limit in limits if limit is not None)
    return f"{text} {claim.unit}".strip() if text else "–"


def simulated(outcome: Outcome) -> str:
    """The simulated value as text."""
    if outcome.simulated is None:
        return "–"
    value = outcome.simulated
    small = abs(value) < 10 and value != round(value)
    text = f"{value:.3g}" if small else _plain(round(value, 1))
    return f"{text} {outcome.claim.unit}".strip()


def _both(outcome: Outcome) -> str:
    return f"published {published(outcome.claim)}, simulated {simulated(outcome)}"


def line(outcome: Outcome) -> str:
    """One text line with a claim, its verdict, and its published and simulated numbers."""
    both = _both(outcome)
    if outcome.without is not None:
        both += f" ({outcome.without:.4g} without the harness)"
    if outcome.numbers:
        both += f" ({over_placements(outcome)})"
    return f"{outcome.claim.id} {outcome.verdict}: {both}; {outcome.claim.statement}"


def _plain(value: float) -> str:
    return f"{value:,.10g}".replace(",", " ")


def scorecard_table(judged: Sequence[Judged], width: int | None = None) -> str:
    """A table that counts the claims of each kind, with a row for each paper and one for all
    papers.

    width: characters in a line of the terminal.
    """
    return aligned([HEAD, *score_rows(judged)], width)


def score_line(judged: Judged) -> str:
    """One text line with the score of a paper."""
    line = f"{judged.paper.label}: {score(judged.outcomes).measured} measured claims reproduced"
    found = quartiles(judged.outcomes)
    return line if found is None else f"{line}, median deviation {percent(found.median)}"


def score_rows(judged: Sequence[Judged]) -> list[list[str]]:
    """The table rows below `HEAD`. Recalled papers come last and are not included in the total."""
    return [[key, *map(str, _cells(score(outcomes)))] for key, outcomes in _groups(judged)]


def _summary_rows(
    judged: Sequence[Judged],
    summary: Callable[[Sequence[Outcome]], Quartiles | OutOfSample | None],
) -> list[list[str]]:
    """A table row for each paper, and one for all papers, with a summary of their deviations."""
    found = [(key, summary(outcomes)) for key, outcomes in _groups(judged)]
    return [[key, *cells(each)] for key, each in found if each is not None]


def _groups(judged: Sequence[Judged]) -> list[tuple[str, Sequence[Outcome]]]:
    """The outcomes of each paper and, if there are several papers, the outcomes of all papers."""
    groups = [(each.paper.label, each.outcomes) for each in judged]
    counted = [each for each in judged if not each.paper.is_recalled]
    if len(counted) > 1:
        # Recalled papers come after the total, which does not include them.
        groups = [(each.paper.key, each.outcomes) for each in counted]
        groups.append(("all", counted_outcomes(judged)))
        groups += [(each.paper.label, each.outcomes) for each in judged if each.paper.is_recalled]
    return groups


def counted_outcomes(judged: Iterable[Judged]) -> list[Outcome]:
    """The outcomes of all papers except recalled papers, which are counted separately."""
    return [outcome for each in judged if not each.paper.is_recalled for outcome in each.outcomes]


def _cells(of: Score) -> Sequence[object]:
    measured = of.measured
    short = (measured.off, measured.cannot_be_met, measured.out_of_reach)
    return (measured, *short, of.held_out, of.read_back, of.machine, of.methods)


def deviation_table(judged: Sequence[Judged], width: int | None = None) -> str:
    """A table of the quartiles of the deviations, with a row for each paper and one for all papers.

    The text is empty if no claim has a published number. width: characters in a line of the
    terminal.
    """
    rows = _summary_rows(judged, quartiles)
    return aligned([DEVIATION_HEAD, *rows], width) if rows else ""


def out_of_sample_table(judged: Sequence[Judged], width: int | None = None) -> str:
    """A table of the deviations from numbers that were held out; empty without such numbers.

    width: characters in a line of the terminal.
    """
    rows = _summary_rows(judged, out_of_sample)
    return aligned([HELD_OUT_HEAD, *rows], width) if rows else ""


def lenient(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The claims with a tolerance above 10 %, sorted so that the most lenient claim comes first."""
    found = [each for each in outcomes if each.claim.is_lenient]
    return sorted(found, key=lambda each: each.claim.leniency or 0, reverse=True)


def tolerances(judged: Sequence[Judged]) -> str:
    """Two text lines for each claim with a tolerance above 10 %: the numbers, and the reason."""
    found = lenient(outcome for each in judged for outcome in each.outcomes)
    return _explained(
        "Tolerances above 10 %:",
        (
            (each, f"±{percent(each.claim.leniency)}  {each.verdict}:", each.claim.why)
            for each in found
        ),
    )


def largest_deviations(judged: Sequence[Judged]) -> str:
    """Two text lines for each of the largest deviations: the numbers, and the cause."""
    found = worst(counted_outcomes(judged))
    return _explained(
        "Largest deviations:",
        ((each, f"{percent(each.deviation)} ", each.claim.reason) for each in found),
    )


def _explained(head: str, found: Iterable[tuple[Outcome, str, str | None]]) -> str:
    """The text `head`, and each claim's id, words, published and simulated number, and reason."""
    lines = [
        f"  {each.claim.id}  {words} {_both(each)}\n    {reason}" for each, words, reason in found
    ]
    return "\n".join([head, *lines]) + "\n" if lines else ""


def scorecard_text(judged: Sequence[Judged], width: int | None = None) -> str:
    """Three lists of claims (not reproduced, lenient, off by most), and the tables of papers. The
    last table has the numbers to which nothing was fitted.

    width: characters in a line of the terminal.
    """
    parts = (
        shortfalls(judged),
        tolerances(judged),
        largest_deviations(judged),
        scorecard_table(judged, width),
        deviation_table(judged, width),
        out_of_sample_table(judged, width),
    )
    return "\n".join(part for part in parts if part)


def json_lines(judged: Sequence[Judged]) -> str:
    """A JSON object for each claim, one per line."""
    return "".join(json_line(row) for row in claim_rows(judged))


def csv(judged: Sequence[Judged]) -> str:
    """CSV with a row for each claim."""
    rows = claim_rows(judged)
    return csv_table(list(rows[0]), rows) if rows else ""


def claim_rows(judged: Iterable[Judged]) -> list[dict[str, Any]]:
    """The columns of each claim in JSON and CSV."""
    return [
        {**outcome.to_dict(), "basis": each.paper.file.basis}
        for each in judged
        for outcome in each.outcomes
    ]


_COLUMNS = ("claim", "verdict", "published", "simulated", "statement")


def scorecard_html(of: Scorecard) -> str:
    """A table row for each paper and each claim. Claims that are not reproduced come first."""
    return _tables(of) + _claims([outcome for each in of for outcome in each.outcomes])


def judged_html(of: Judged) -> str:
    """The title, the counts and the claims of one paper."""
    title = paragraph(of.paper.file.title, strong=True)
    return title + _tables([of]) + _claims(list(of.outcomes))


def _tables(of: Sequence[Judged]) -> str:
    rows, held = _summary_rows(of, quartiles), _summary_rows(of, out_of_sample)
    deviations = table(DEVIATION_HEAD, rows, list) if rows else ""
    held_out = table(HELD_OUT_HEAD, held, list) if held else ""
    return table(HEAD, score_rows(of), list) + deviations + held_out


def outcome_html(of: Outcome) -> str:
    """One claim with its published and simulated numbers, and the reason if they differ."""
    reason = of.claim.reason
    return _claims([of]) + (paragraph(reason) if reason else "")


def _claims(outcomes: list[Outcome]) -> str:
    ordered = sorted(outcomes, key=lambda each: ORDER.index(each.verdict))
    return table(_COLUMNS, ordered, _html_cells)


def _html_cells(of: Outcome) -> list[str]:
    claim = of.claim
    return [claim.id, of.verdict, published(claim), simulated(of), claim.statement]


def paper_figure(of: Judged, figure: str | int | None = None) -> "Figure":
    """The panels of a figure in one picture. Raises UsageError if there is no such figure.

    figure: name or number of the figure; by default, the first figure.
    """
    charts = {each.name: (each, each.charts(rows)) for each, rows in of.rows.items()}
    drawable = {name: both for name, both in charts.items() if both[1]}
    if not drawable:
        raise UsageError(f"{of.paper.key} has no figure that can be drawn, only tables")
    names = [next(iter(drawable))] if figure is None else [str(figure), f"figure{figure}"]
    chosen = next((name for name in names if name in drawable), None)
    if chosen is None:
        raise refusal(f"{{figure}} {figure}: {did_you_mean(str(figure), list(drawable))}")
    found, panels = drawable[chosen]
    return panels_figure(panels, f"{of.paper.key}, {found.title}")
