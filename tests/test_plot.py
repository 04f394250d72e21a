"""Pictures of sweeps and matrices: axes, curves, texts, and files."""

import dataclasses
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import cellstats as cs
from cellstats.show.matrix_figure import matrix_figure
from cellstats.show.sweep import sweep_figure
from cellstats.show.views import save
from command_line import cellstats

SIZES = cs.sweep("dmaget", spes=[1, 2, 6], private=True, size="128..16k", iterations=10)


def texts(artists: Any) -> list[str]:
    return [artist.get_text() for artist in artists]


def test_size_against_bandwidth_with_a_line_for_each_number_of_spes() -> None:
    figure = sweep_figure(SIZES)
    (axes,) = figure.axes
    assert axes.get_xlabel() == "Size (bytes)"
    assert axes.get_ylabel() == "Bandwidth, all SPEs (GB/s)"
    assert axes.get_title() == "dmaget on ps3: private buffers"
    assert axes.get_xscale() == "log"
    assert texts(axes.get_xticklabels()) == ["128", "256", "512", "1K", "2K", "4K", "8K", "16K"]
    assert [line.get_label() for line in axes.lines] == ["1 SPE", "2 SPEs", "6 SPEs"]
    for line, spes in zip(axes.lines, (1, 2, 6), strict=True):
        rows = [result for result in SIZES if result.spes == spes]
        assert list(line.get_xdata()) == [result.size_bytes for result in rows]  # type: ignore[arg-type]
        assert list(line.get_ydata()) == [result.bandwidth_gb_s for result in rows]  # type: ignore[arg-type]


def test_latency_if_wanted() -> None:
    (axes,) = sweep_figure(SIZES, "latency").axes
    assert axes.get_ylabel() == "Latency (ns)"
    assert list(axes.lines[0].get_ydata()) == [r.latency_ns for r in SIZES if r.spes == 1]  # type: ignore[arg-type]


def test_lines_are_told_apart_without_colour_and_the_legend_covers_nothing() -> None:
    results = cs.sweep(
        "dmaget,dmaput", spes="1..6", private=[False, True], size="128,256", iterations=10
    )
    figure = sweep_figure(results)
    (axes,) = figure.axes
    looks = {(line.get_marker(), line.get_linestyle()) for line in axes.lines}
    assert len(looks) == len(axes.lines) == 24
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert legend.get_window_extent().x0 >= axes.get_window_extent().x1


def test_spes_are_the_axis_where_size_does_not_vary() -> None:
    results = cs.sweep("fetchadd", spes="1..6", private=[False, True], iterations=10)
    (axes,) = sweep_figure(results).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("SPEs", "Latency (ns)")
    assert texts(axes.get_xticklabels()) == list("123456")
    assert [line.get_label() for line in axes.lines] == ["shared", "private"]


def test_words_can_be_an_axis() -> None:
    figure = sweep_figure(cs.sweep("mailbox", ppe="library,mmio", iterations=10))
    (axes,) = figure.axes
    assert axes.get_xlabel() == "Path from the PPE"
    assert texts(axes.get_xticklabels()) == ["library", "mmio"]
    assert (axes.lines[0].get_linestyle(), figure.legends) == ("None", [])


@pytest.mark.parametrize(
    ("results", "y", "words"),
    [
        (SIZES[:1], None, "nothing varies"),
        (SIZES, "speed", "latency, bandwidth"),
        (cs.sweep("mailbox", spes=[1, 2], iterations=10), "bandwidth", "moves no data"),
        (
            cs.sweep("dmaget", batch="1..49:1", size=[128, 256], iterations=10),
            None,
            "a plot of 49 lines",
        ),
    ],
)
def test_what_cannot_be_drawn(results: list[cs.Result], y: str | None, words: str) -> None:
    with pytest.raises(cs.UsageError) as error:
        sweep_figure(results, y)
    assert words in str(error.value)


def test_a_heat_map_has_its_numbers_labels_and_unit() -> None:
    matrix = cs.matrix("mailbox", iterations=100)
    axes, bar = matrix_figure(matrix).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Partner (SPE)", "Initiator (SPE)")
    assert axes.get_title() == "mailbox on ps3: between SPEs"
    assert bar.get_ylabel().startswith("Latency (ns)\n")
    assert texts(axes.get_xticklabels()) == texts(axes.get_yticklabels()) == list("012345")
    numbers = {tuple(map(int, text.get_position())): text.get_text() for text in axes.texts}
    assert len(numbers) == 30
    for column, row in numbers:
        assert numbers[column, row] == f"{matrix.values[row][column]:.1f}"


@pytest.mark.parametrize("function", ["mailbox", "signal"])
def test_colours_go_from_the_lowest_to_the_highest_and_the_bar_says_how_far(function: str) -> None:
    matrix = cs.matrix(function, iterations=100)
    values = [value for row in matrix.values for value in row if value is not None]
    axes, bar = matrix_figure(matrix).axes
    image = axes.images[0]
    shades = image.to_rgba(np.asarray(image.get_array()), norm=True)
    for row, line in zip(matrix.values, shades, strict=True):
        for value, shade in zip(row, line, strict=True):
            if value in (min(values), max(values)):
                end = mpl.colormaps["cividis"](float(value == max(values)))
                assert tuple(shade) == pytest.approx(end)
    ticks = texts(bar.get_yticklabels())
    assert (ticks[0], ticks[-1]) == (f"{min(values):.1f}", f"{max(values):.1f}")
    more = 100 * (max(values) / min(values) - 1)
    assert bar.get_ylabel().endswith(f"\nthe highest is {more:.0f} % above the lowest")


def test_a_small_matrix_has_room_for_the_words_at_its_bar() -> None:
    two = cs.matrix("mailbox", machine="eval-board", iterations=10)
    labels = two.labels[:2]
    small = dataclasses.replace(
        two, labels=labels, values=[list(row[:2]) for row in two.values[:2]]
    )
    picture = matrix_figure(small)
    picture.draw_without_rendering()
    box = picture.axes[1].yaxis.label.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= picture.bbox.width
    assert 0 <= box.y0 < box.y1 <= picture.bbox.height


def test_noise_is_shown_in_digits_and_not_in_colour() -> None:
    matrix = cs.matrix("dmaget", y="bandwidth", size="16k", batch=16, iterations=100)
    numbers = [value for row in matrix.values for value in row if value is not None]
    assert min(numbers) < max(numbers) < 1.01 * min(numbers)
    axes, bar = matrix_figure(matrix).axes
    shades = axes.images[0].to_rgba(np.asarray(axes.images[0].get_array()))
    drawn = [shades[i][j] for i in range(6) for j in range(6) if i != j]
    assert max(abs(shade - drawn[0]).max() for shade in drawn) == 0
    assert len(set(texts(axes.texts))) > 1
    assert bar.get_ylabel().endswith("\nall are the same to within 1 %")


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_files_are_written_and_the_same_each_time(
    ending: str, start: bytes, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        save(sweep_figure(SIZES), tmp_path / f"{name}.{ending}")
    first, second = (tmp_path / f"{name}.{ending}" for name in ("first", "second"))
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()


def test_the_commands_draw_too(tmp_path: Path) -> None:
    sweep, matrix = tmp_path / "sweep.png", tmp_path / "matrix.png"
    done = cellstats(*f"sweep dmaget -n 1..2 -b 128..1k -i 10 --plot {sweep}".split())
    assert (done.status, done.err, len(done.out.splitlines())) == (0, "", 9)
    done = cellstats(*f"matrix mailbox -i 10 --plot {matrix}".split())
    assert (done.status, done.err) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["matrix.png", "sweep.png"]
    assert min(sweep.stat().st_size, matrix.stat().st_size) > 10_000
