"""`cellstats.linux.run`: counts, profiles and traces."""

import json
from pathlib import Path

import cellstats as cs
from parts import needs
from ppe_programs import compiled, kept


def test_each_context_has_its_counts() -> None:
    done = cs.linux.run(kept("hello"), capture=True, placement=[3, 1, 5])
    # If a context starts after the first context has ended, it runs on the first context's SPE.
    assert [context.spe for context in done.contexts[:3]] == [3, 1, 5]
    assert {context.spe for context in done.contexts} == {3, 1, 5}
    assert all(context.runs >= 1 and context.instructions > 0 for context in done.contexts)
    assert all(0 < context.running_ns < done.time_ns for context in done.contexts)
    copied = cs.linux.run(kept("abs"), capture=True)
    (context,) = copied.contexts
    counters = copied.record["counters"]["spes"][context.spe or 0]
    for count in ("dma_commands", "get_bytes", "put_bytes"):
        assert getattr(context, count) == counters[count] > 0


def test_contexts_that_share_an_spe_share_its_counts() -> None:
    done = cs.linux.run(kept("many"), capture=True, placement=[2])
    assert {context.spe for context in done.contexts} == {2}
    assert sum(context.waiting_ns for context in done.contexts) > 0
    (spe,) = {context.spe for context in done.contexts}
    spe_stalls = done.record["counters"]["spes"][spe]["channel_stalls"]
    assert sum(context.channel_stalls for context in done.contexts) == spe_stalls


def test_a_profile_has_the_instructions_of_each_context() -> None:
    done = cs.linux.run(kept("abs"), capture=True, profile=True)
    (context,) = done.contexts
    profile = json.loads(context.profile_json or "{}")
    assert profile["totals"]["instructions"] == context.instructions
    assert done.data["contexts"][0]["profile"]["totals"] == profile["totals"]
    plain = cs.linux.run(kept("abs"), capture=True)
    assert plain.contexts[0].profile_json is None
    assert plain.record_json == done.record_json


def test_a_profile_changes_nothing_however_many_run() -> None:
    plain = cs.linux.run(kept("counter"), capture=True)
    profiled = cs.linux.run(kept("counter"), capture=True, profile=True)
    assert profiled.record_json == plain.record_json
    assert sum(row[2] for row in profiled.ppe_profile or ()) == plain.ppe_cycles


@needs("powerpc")
def test_a_profile_has_the_ppes_time_by_function(tmp_path: Path) -> None:
    source = """
        __attribute__((noinline)) void much(void) { for (volatile int n = 0; n < 30000; n++); }
        __attribute__((noinline)) void little(void) { for (volatile int n = 0; n < 3000; n++); }
        void _start(void) {
            much(); little();
            __asm__ volatile("li 0,234; li 3,0; sc");
            __builtin_unreachable();
        }
    """
    path = compiled(source, tmp_path, "-nostdlib", "-static")
    done = cs.linux.run(path, capture=True, profile=True)
    assert done.ppe_profile is not None
    assert [row[:2] for row in done.ppe_profile[:2]] == [("program", "much"), ("program", "little")]
    assert sum(cycles for _, _, cycles in done.ppe_profile) == done.ppe_cycles
    much, little = (cycles for _, _, cycles in done.ppe_profile[:2])
    assert 9 < much / little < 11
    # Sampling changes nothing.
    plain = cs.linux.run(path, capture=True)
    assert (plain.ppe_profile, plain.record_json) == (None, done.record_json)


def test_a_trace_begins_with_the_first_dma_and_ends_the_run() -> None:
    whole = cs.linux.run(kept("abs"), capture=True)
    done = cs.linux.run(kept("abs"), capture=True, window=(0, 400))
    assert done.status is None
    assert done.trace is not None
    begin, end = done.trace.window
    assert end - begin == 400
    first = done.trace.data["commands"][0]
    assert first["enqueued_at"] == begin == done.trace.data["triggered_at"]
    assert done.record["bus_cycles"] < whole.record["bus_cycles"]
    later = cs.linux.run(kept("abs"), capture=True, window=(100, 50))
    assert later.trace is not None
    assert later.trace.window == (begin + 100, begin + 150)
    never = cs.linux.run(kept("abs"), capture=True, window=(10**12, 50))
    assert (never.trace, never.status) == (None, 0)


def test_closing_a_file_that_no_spe_has_costs_a_plain_call() -> None:
    # Each lap makes five system calls, one of them `close`.
    laps = Path(cs.__file__).parent / "papers" / "loops" / "unix_laps.elf"
    done = cs.linux.run(str(laps), ["system-calls", "100"], capture=True)
    (ticks,) = (done.stdout or b"").split()[2:]
    values = {value["key"]: value["value"] for value in cs.machine("ps3").values()}
    lap_ns = int(ticks) / 100 / values["chip.timebase_hz"] * 1e9
    assert 5 <= lap_ns / values["linux.system_call_ns"] < 5.5
