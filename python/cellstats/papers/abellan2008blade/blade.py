"""The measurements of abellan2008blade: published beside simulated, and its Figures 2 to 4.

    python papers/abellan2008blade/blade.py out

prints Table 1 and every number of the text, then what sudheer2009 says about messages between the
two Cells of the same blade, and writes both to out/abellan2008blade_values.csv and
out/sudheer2009_values.csv. The figures go to out/abellan2008blade_figure2, _figure3,
_figure3_memory1 and _figure4, each as .csv and as .png.
"""

import sys
import tomllib
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

import cellstats as cs
from blade_figures import FIGURES
from cellstats.columns import aligned, number
from cellstats.files import write_csv
from cellstats.pool import measure_each

PAPERS = Path(__file__).parent.parent
BLADE = cs.machine("qs20")
Entry: TypeAlias = dict[str, Any]


def main(out: Path) -> None:
    """Measure, print and draw everything, writing to the directory `out`."""
    out.mkdir(parents=True, exist_ok=True)
    for paper in ("abellan2008blade", "sudheer2009"):
        published = tomllib.loads((PAPERS / paper / "published.toml").read_text(encoding="utf-8"))
        rows = compared(published["value"])
        print(f"What {paper} says in numbers\n")
        print(aligned([list(rows[0]), *(list(map(_cell, row.values())) for row in rows)]))
        write_csv(rows, out / f"{paper}_values.csv")
    for figure in FIGURES:
        results = figure.measure(BLADE)
        stem = out / f"abellan2008blade_{figure.name}"
        write_csv([result.row() for result in results], stem.with_suffix(".csv"))
        figure.draw(results).savefig(stem.with_suffix(".png"), dpi=120)
        print(stem.with_suffix(".png"))


def compared(entries: Sequence[Entry]) -> list[Entry]:
    """Each number of the paper with what is measured here."""
    asked = [_asked(entry) for entry in entries]
    results = iter(measure_each(BLADE, chain.from_iterable(asked)))
    return [
        _row(entry, _value(entry, list(islice(results, len(one_or_two)))))
        for entry, one_or_two in zip(entries, asked, strict=True)
    ]


def _asked(entry: Entry) -> list[dict[str, Any]]:
    """The measurements that make a value, as keywords of `Machine.measure`: two for a quotient."""
    if "lanes" in entry:
        return []
    first = {"function": entry["function"], **entry["parameters"]}
    return [first, first | entry["times"]] if "times" in entry else [first]


def _value(entry: Entry, results: Sequence[cs.Result]) -> float:
    if "lanes" in entry:
        values = {row["key"]: row["value"] for row in BLADE.values()}
        carried: float = values[entry["lanes"]] * values["bif.lane_bytes_per_second"] / 1e9
        return carried
    first, *others = (float(getattr(result, entry["look_at"])) for result in results)
    return first / others[0] if others else first


def _row(entry: Entry, value: float) -> Entry:
    unit = "ns" if entry.get("look_at") == "latency_ns" else "GB/s"
    below = entry.get("below")
    if below is None:
        published = entry["published"]
        off = f"{100 * (value / published - 1):+.1f} %"
    else:
        published = f"below {below}"
        off = "within" if value < below else f"{100 * (value / below - 1):+.1f} %"
    return {
        "what": entry["what"],
        "place": entry["place"],
        "published": published,
        "simulated": round(value, 2),
        "unit": "times" if "times" in entry else unit,
        "difference": off,
    }


def _cell(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
