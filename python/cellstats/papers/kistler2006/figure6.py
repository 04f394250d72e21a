"""Figure 6: hot spots by the number of SPEs, and patterns of eight SPEs."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

PATTERNS = ["complement", "pairwise", "uniform"]
ITERATIONS = 512


def rows() -> Iterator[Ask]:
    """All bandwidths of the figure; a hot SPE counts as one of them."""
    for target in ("memory", "0"):
        yield from measured(
            "eval-board",
            "hotspot",
            op=["get", "put"],
            target=target,
            spes=range(1 if target == "memory" else 2, 9),
            iterations=ITERATIONS,
        )
    yield from measured("eval-board", PATTERNS, op=["get", "put"], iterations=ITERATIONS)


def draw(rows: Answers) -> Iterator[Chart]:
    """Hot spots (a) and patterns (b)."""
    hot = Chart(
        "(a) Hot spots", Axis("SPEs", ticks="all"), Axis("Bandwidth, all SPEs (GB/s)", least=0)
    )
    hot.published("gets: 25.6 GB/s", [2, 8], [25.6, 25.6])
    hot.published("puts: 1.5 less", [2, 8], [24.1, 24.1])
    for (target, op), line in rows.where(function="hotspot").groups("target", "op"):
        what = "memory" if target == "memory" else "local store"
        hot.line(f"{op}, {what}", line.column("spes"), line.column("bandwidth_gb_s"))
    yield hot

    axis = Axis("Bandwidth, all SPEs (GB/s)", least=0)
    patterns = Chart("(b) Patterns of eight SPEs", Axis(""), axis, names=PATTERNS)
    for op in ("get", "put"):
        of = [rows.where(function=name, op=op)[0]["bandwidth_gb_s"] for name in PATTERNS]
        patterns.bar(op, of)
    patterns.published("200 and 80 GB/s; pairwise puts 40 less", [0], [200])
    patterns.published("200 and 80 GB/s; pairwise puts 40 less", [2], [80])
    yield patterns
