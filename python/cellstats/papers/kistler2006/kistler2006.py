"""The measurements of kistler2006: published beside simulated, and its Figures 4 to 7.

    python papers/kistler2006/kistler2006.py out

prints Table 1 and every number of the text, writes them to out/kistler2006_table1.csv and
out/kistler2006_values.csv, and draws the figures as out/kistler2006_figure4.png and so on. The
machine is the evaluation board.
"""

import sys
import tomllib
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

import cellstats as cs
from cellstats.columns import aligned, number
from cellstats.files import write_csv
from cellstats.pool import measure_each
from kistler2006_plots import draw_all

PUBLISHED = Path(__file__).parent / "published.toml"
BOARD = cs.machine("eval-board")
Entry: TypeAlias = dict[str, Any]
UNITS = {"bandwidth_gb_s": "GB/s"}


def main(out: Path) -> None:
    """Measure, print and draw everything, writing to the directory `out`."""
    out.mkdir(parents=True, exist_ok=True)
    published = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))

    components = table_1(published["component"])
    _print(components, "Table 1: latency of one DMA between two local stores, in SPU cycles")
    write_csv(components, out / "kistler2006_table1.csv")

    values = compared(published["value"])
    _print(values, "\nWhat the text says in numbers")
    write_csv(values, out / "kistler2006_values.csv")

    for picture in draw_all(BOARD, out):
        print(picture)


def table_1(components: Iterable[Entry]) -> list[Entry]:
    """A row for each component of Table 1: published, a put, and a list of one put."""
    put, listed = BOARD.breakdown(), BOARD.breakdown("dmalistput", spe_to_spe=True)
    rows = []
    for component in components:
        name, published = component["name"], component["published_spu_cycles"]
        rows.append(
            {
                "component": name,
                "published": published,
                "put": _cycles(put, component["parts"]),
                "list of one put": _cycles(listed, component["parts"]),
            }
        )
    *_, fetch, _, _, total = rows[1:]
    without = {"component": "total without list", "published": total["published"]}
    without["published"] -= fetch["published"]
    for column in ("put", "list of one put"):
        without[column] = total[column] - (fetch[column] or 0)
    return [*rows, without]


def _cycles(apart: cs.Breakdown, names: Sequence[str]) -> int | None:
    parts = [part for part in (*apart, apart.total) if part.component in names]
    return sum(part.spu_cycles for part in parts) if parts else None


def compared(entries: Sequence[Entry]) -> list[Entry]:
    """Each number of the paper with what is measured here."""
    asked = [_asked(entry) for entry in entries]
    results = iter(measure_each(BOARD, chain.from_iterable(asked)))
    return [
        _row(entry, _value(entry, list(islice(results, len(one_or_two)))))
        for entry, one_or_two in zip(entries, asked, strict=True)
    ]


def _asked(entry: Entry) -> list[dict[str, Any]]:
    """The one or two measurements that make a value, as keywords of `Machine.measure`."""
    first = {"function": entry["function"], **entry["parameters"]}
    if first["function"].startswith("dma"):
        first = {"iterations": 2000, **first}
    changes = entry.get("less") or entry.get("times")
    return [first, first | changes] if changes else [first]


def _value(entry: Entry, results: Sequence[cs.Result]) -> float:
    first, *others = (_looked_at(result, entry["look_at"]) for result in results)
    if not others:
        return first
    return first - others[0] if "less" in entry else first / others[0]


def _looked_at(result: cs.Result, what: str) -> float:
    latencies = result.dma_latency
    if what == "spread_ns":
        return result.latency_ns_max - result.latency_ns_min
    if latencies is None:
        return float(getattr(result, what))
    if what == "mode_ns":
        fullest = max(latencies.bins, key=lambda bar: bar.count)
        return (fullest.from_ns + fullest.to_ns) / 2
    return float(getattr(latencies, what))


def _row(entry: Entry, value: float) -> Entry:
    published = entry["published"]
    unit = "times" if "times" in entry else UNITS.get(entry["look_at"], "ns")
    low, high = published if isinstance(published, list) else (published, published)
    nearest = min(max(value, low), high)
    if low < value < high:
        off = "within"
    else:
        change = round(100 * (value / nearest - 1) if nearest else value, 1) + 0.0  # no -0.0
        off = f"{change:+.1f} {'%' if nearest else unit}"
    return {
        "what": entry["what"],
        "place": entry["place"],
        "published": published if low == high else f"{low} to {high}",
        "simulated": round(value, 2),
        "unit": unit,
        "difference": off,
    }


def _print(rows: Sequence[Entry], head: str) -> None:
    print(f"{head}\n")
    cells = [list(rows[0])]
    cells += [[_cell(value) for value in row.values()] for row in rows]
    print(aligned(cells))


def _cell(value: Any) -> str:
    if value is None or isinstance(value, float):
        return number(value)
    return str(value)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
