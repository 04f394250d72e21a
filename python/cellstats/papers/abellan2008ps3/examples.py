"""The examples of the CellStats paper: published value beside simulated value, and Figure 2.

    python papers/abellan2008ps3/examples.py out

prints the table and writes it to out/abellan2008ps3_examples.csv; the DMA sweep of Figure 2 goes
to out/abellan2008ps3_dma.csv and, as a plot, to out/abellan2008ps3_dma.png.
"""

import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import cellstats as cs
from cellstats.files import write_csv
from cellstats.quantities import format_bandwidth, format_latency

HERE = Path(__file__).parent
PANELS = (
    ("dmaget", True, "GET, private memory"),
    ("dmaget", False, "GET, shared memory"),
    ("dmaput", True, "PUT, private memory"),
    ("dmaput", False, "PUT, shared memory"),
)
SPES = range(1, 7)
SIZES_BYTES = [2**power for power in range(4, 15)]
SWEEP_ITERATIONS = 10_000


def main(out: Path) -> None:
    """Run all examples and the sweep, writing to the directory `out`."""
    out.mkdir(parents=True, exist_ok=True)
    rows = [_compared(example) for example in _examples()]
    _print_table(rows)
    write_csv(rows, out / "abellan2008ps3_examples.csv")

    results = list(_sweep())
    write_csv([result.row() for result in results], out / "abellan2008ps3_dma.csv")
    plot = out / "abellan2008ps3_dma.png"
    _plot(results, plot)
    print(f"\nDMA latency and bandwidth for 1 to 6 SPEs: {plot}")


def _examples() -> list[dict[str, object]]:
    examples: list[dict[str, object]] = tomllib.loads(
        (HERE / "examples.toml").read_text(encoding="utf-8")
    )["example"]
    return examples


def _compared(example: dict[str, object]) -> dict[str, object]:
    """Run one command as printed, through the command line, and set the values side by side."""
    command = str(example["command"])
    flags = shlex.split(command)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "cellstats", *flags, "--format", "json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        sys.exit(f"{command}\n{done.stderr.strip()}")
    result = cs.Result.from_json(done.stdout)
    published = example.get("published_ns")
    difference = None
    if isinstance(published, int):
        difference = round(100 * (result.latency_ns / published - 1), 1)
    return {
        "place": example["place"],
        "command": command,
        "published_ns": published,
        "latency_ns": result.latency_ns,
        "difference_percent": difference,
        "bandwidth_gb_s": result.bandwidth_gb_s,
    }


def _print_table(rows: list[dict[str, object]]) -> None:
    print("published  simulated  difference  bandwidth   command")
    for row in rows:
        published, latency, bandwidth = (
            row[name] for name in ("published_ns", "latency_ns", "bandwidth_gb_s")
        )
        assert isinstance(latency, float | int)
        cells = (
            format_latency(published).rjust(9) if isinstance(published, int) else "-".rjust(9),
            format_latency(latency).rjust(9),
            "-".rjust(10)
            if row["difference_percent"] is None
            else f"{row['difference_percent']:+} %".rjust(10),
            format_bandwidth(bandwidth).rjust(9) if isinstance(bandwidth, float) else "-".rjust(9),
            f" {row['command']}",
        )
        print("  ".join(cells))


def _sweep() -> Iterator[cs.Result]:
    ps3 = cs.machine("ps3")
    for function, private, _ in PANELS:
        for spes in SPES:
            for size in SIZES_BYTES:
                yield ps3.measure(
                    function, spes=spes, private=private, size=size, iterations=SWEEP_ITERATIONS
                )


def _plot(results: list[cs.Result], path: Path) -> None:
    """Latency above, bandwidth below, one column per panel of the paper's Figure 2."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    # cividis is made for colour-blind readers; markers tell the lines apart without colour.
    colours = mpl.colormaps["cividis"]
    figure, grid = plt.subplots(2, len(PANELS), figsize=(16, 7), sharex=True, sharey="row")
    for column, (function, private, title) in enumerate(PANELS):
        above, below = grid[:, column]
        for index, spes in enumerate(SPES):
            line = [
                result
                for result in results
                if (result.function, result.private, result.spes) == (function, private, spes)
            ]
            sizes = [result.size_bytes for result in line]
            style = {"color": colours(0.95 * index / 5), "marker": "osD^v*"[index], "markersize": 4}
            label = f"{spes} SPE{'s' if spes > 1 else ''}"
            above.plot(sizes, [result.latency_ns for result in line], label=label, **style)
            below.plot(sizes, [result.bandwidth_gb_s for result in line], label=label, **style)
        above.set_title(title)
        above.set_yscale("log")
        below.set_xscale("log", base=2)
        below.set_xticks(SIZES_BYTES, [str(size) for size in SIZES_BYTES], rotation=60)
        below.set_xlabel("DMA size (bytes)")
        for axes in (above, below):
            axes.grid(visible=True, alpha=0.3)
    grid[0, 0].set_ylabel("latency (ns)")
    grid[1, 0].set_ylabel("bandwidth, all SPEs (GB/s)")
    grid[0, 0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
