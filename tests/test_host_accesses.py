"""Loads, stores and copies on recorded computers: working sets, chases, and traffic meanwhile."""

from typing import Any

import pytest

import recorded
from host_answers import Answers, asked, refusal


def test_a_chase_has_the_cache_for_itself_and_its_neighbours_walk_over_memory() -> None:
    given = {"chase": "lines", "level": "l2", "background": "copy", "rate": 8}
    request = asked("two-sockets", "load", **given)
    assert len(request["cpus"]) == 36
    assert request["level_bytes"] == asked("two-sockets", "load", level="l2")["level_bytes"]
    # The other threads together walk over four times both last-level caches.
    assert request["background_bytes"] == 8 * 46080 * 1024 // 35 // 4096 * 4096
    assert (request["stride_bytes"], request["rate_gb_s"]) == (64, 8.0)


def test_a_working_set_has_the_size_that_was_asked_for() -> None:
    request = asked("desktop", "load", chase="lines", working_set="3m", stride=128, pages="huge")
    assert (request["level_bytes"], request["stride_bytes"]) == (3 << 20, 128)
    assert (request["cpus"], request["level"], request["pages"]) == ([0], None, "huge")
    assert asked("desktop", "copy", mix="3:1")["reads_per_write"] == 3


def test_bandwidth_during_a_chase_is_that_of_the_neighbours() -> None:
    host = recorded.host("desktop", Answers())
    result = host.measure("load", chase="lines", background="load")
    assert result.bandwidth_gb_s == 15.0
    assert [each.bandwidth_gb_s for each in result.per_thread] == [None, 5.0, 5.0, 5.0]
    assert result.latency_ns == pytest.approx(1000.1)
    assert host.measure("load", chase="lines").bandwidth_gb_s is None


@pytest.mark.parametrize("how", ["clean", "dirty"])
def test_a_second_core_holds_the_lines(how: str) -> None:
    request = asked("desktop", "load", chase="lines", level="l2", background=how)
    assert (request["cpus"], request["background"]) == ([0, 1], how)
    assert request["background_bytes"] == 0
    # The lines fit the holder's cache, as they would fit that of a core alone.
    alone = asked("desktop", "load", chase="lines", level="l2")
    assert request["level_bytes"] == alone["level_bytes"]
    result = recorded.host("desktop", Answers()).measure("load", chase="lines", background=how)
    assert (result.spes, result.bandwidth_gb_s) == (2, None)
    assert [each.latency_ns is None for each in result.per_thread] == [False, True]


@pytest.mark.parametrize(
    ("function", "parameters", "words"),
    [
        ("load", {"stride": 64}, "it is between elements of a chase, give chase"),
        ("load", {"op": "chase"}, "op chase: an order of loads, not a direction; give chase lines"),
        ("load", {"chase": "backwards"}, "known are lines, pages"),
        ("load", {"chase": "lines", "size": 8}, "a chase loads addresses, leave it out"),
        ("load", {"level": "l1", "working_set": "8k"}, "give one of them"),
        ("load", {"working_set": 1 << 40}, "free some, or give less"),
        ("load", {"background": "copy"}, "background with load on the host: give chase too"),
        ("load", {"chase": "lines", "rate": 2}, "give background too"),
        ("load", {"background": "clean"}, "give chase too"),
        ("load", {"chase": "lines", "background": "dirty", "rate": 2}, "are no traffic"),
        ("load", {"chase": "lines", "background": "dirty", "spes": 3}, "what one holds, give 2"),
        ("load", {"chase": "lines", "background": "clean", "non_temporal": True}, "leave it out"),
        ("load", {"chase": "lines", "background": "copy", "rate": "fast"}, "rate fast: give GB/s"),
        ("load", {"chase": "lines", "background": "copy", "rate": -1}, "a positive number"),
        (
            "load",
            {"chase": "lines", "background": "copy", "spes": 1},
            "other threads take at least",
        ),
        (
            "load",
            {"chase": "lines", "background": "load", "mix": "2:1"},
            "only a copy is a mixture",
        ),
        ("load", {"mix": "2:1"}, "only a copy is a mixture"),
        ("copy", {"mix": "4:1"}, "did you mean 3:1?"),
        ("copy", {"chase": "lines"}, "only loads can be a chase"),
        ("store", {"stride": 64}, "only DMA and atomic functions have a stride"),
        ("dmaget", {"working_set": "1m"}, "only load, store and copy have a working set"),
    ],
)
def test_what_is_refused(function: str, parameters: dict[str, Any], words: str) -> None:
    assert words in refusal("desktop", function, **parameters)
