"""DMAs that are offered at a rate: what is printed, kept, drawn and refused."""

import csv
import io
import json
from pathlib import Path
from shlex import split

import pytest

import cellstats as cs
from cellstats import Result, UsageError
from command_line import cellstats
from test_schema import VALIDATOR

UNIFORM = "uniform -b 4k -i 300 --machine eval-board"


def printed(arguments: str) -> str:
    ran = cellstats(*split(arguments))
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def test_a_measurement_says_what_was_offered_accepted_and_how_long_it_took() -> None:
    light = printed(f"-f {UNIFORM} --rate 0.2").splitlines()
    assert light[0].startswith("offered 38.6 GB/s ")
    assert "(0.2 of the peak, bernoulli), accepted 38.4 GB/s" in light[0]
    assert light[1].startswith("a DMA from its offer: mean ")
    assert len(light) == 2
    heavy = printed(f"-f {UNIFORM} --rate 90% --injection periodic").splitlines()
    assert "(0.9 of the peak, periodic)" in heavy[0]
    assert heavy[2].startswith("saturated: ")


def test_a_result_has_the_load_and_can_be_read_back() -> None:
    text = printed(f"-f {UNIFORM} --rate 6.4GB/s --format json")
    VALIDATOR.validate(json.loads(text))
    result = Result.from_json(text)
    assert result.offered_load is not None
    assert result.offered_load.rate == 0.25
    assert result.to_json() == text.rstrip("\n")
    assert result.recipe["parameters"]["rate"] == "6.4GB/s"
    row = result.row()
    assert result.dma_latency is not None
    assert row["dma_p99_ns"] == result.dma_latency.p99_ns
    given = result.recipe["parameters"]
    names = ("spes", "iterations", "op", "rate", "injection", "placement")
    again = cs.measure(
        result.function,
        machine=result.machine,
        size=result.size_bytes,
        **{name: given[name] for name in names},
    )
    assert again.to_json() == text.rstrip("\n"), "the recipe repeats it"


def test_a_sweep_names_the_saturation_of_each_curve() -> None:
    shown = printed(f"sweep {UNIFORM} --rate 0.2..0.8 --op get,put")
    names, *rows = (line.split() for line in shown.splitlines()[:9])
    assert names == [
        *("function", "rate", "op", "offered_gb_s", "bandwidth_gb_s"),
        *("dma_mean_ns", "dma_median_ns", "dma_p99_ns", "dma_max_ns", "saturated"),
    ]
    assert [row[1] for row in rows] == [
        *("0.2", "0.2", "0.4", "0.4"),
        *("0.6", "0.6", "0.8", "0.8"),
    ]
    assert [line.split(";")[0] for line in shown.splitlines()[9:]] == [
        "get: saturated above 0.4 and up to 0.6 of the peak",
        "put: saturated above 0.4 and up to 0.6 of the peak",
    ]
    assert "not saturated at 0.1 of the peak" in printed(f"sweep {UNIFORM} --rate 0.05,0.1")


def test_a_sweep_keeps_and_draws_the_curve(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    text = printed(f"sweep {UNIFORM} --rate 0.2..0.8 --format csv --plot {picture}")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["saturated"] for row in rows] == ["False", "False", "True", "True"]
    means = [float(row["dma_mean_ns"]) for row in rows]
    assert means == sorted(means), "latency grows with the load"
    drawn = picture.read_text()
    assert "saturated at 0.6" in drawn
    assert "Offered load" in drawn


def test_a_permutation_is_a_text_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "permutation.txt"
    file.write_text("1 2\n0\n")
    machine = cs.machine("eval-board")
    results = [
        machine.measure("permutation", target=target, iterations=20)
        for target in ("1,2,0", str(file))
    ]
    assert {each.target for each in results} == {"1,2,0"}
    assert {each.spes for each in results} == {3}
    assert len({each.latency_ns for each in results}) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("load --rate 0.3", "only patterns of traffic are offered at a rate"),
        ("uniform --rate 0.3 --machine host", "only the background of a chase has a rate"),
        ("dmaget --rate 0.3", "only patterns of traffic are offered at a rate"),
        ("uniform --rate 1.5", "give 1 at most (25.6GB/s)"),
        ("uniform --rate much", "give a share of the peak, such as 0.3 or 30%, or a bandwidth"),
        ("uniform --rate 0.3 --batch 4", "leave --batch out"),
        ("uniform --rate 1 -b 1", "give a lower rate, or a larger -b"),
        ("uniform --injection bursts", "give --rate too"),
        ("uniform --rate 0.3 --injection now", "give one of periodic, bernoulli, bursts"),
        ("permutation --target 0,0", "name the partner of each thread, and each thread once"),
        ("permutation --target 1,0 -n 4", "there are 2 partners, give one for each SPE"),
        ("permutation --target none.txt", "no such file or directory"),
    ],
)
def test_what_cannot_be_offered_is_refused(given: str, said: str) -> None:
    ran = cellstats("-f", *split(given))
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert said in ran.err


def test_a_range_of_rates_that_is_none_is_refused() -> None:
    for rate in ("0.1..", "a..b", "0.5..0.1", "..1"):
        with pytest.raises(UsageError):
            cs.sweep("uniform", rate=rate)
