"""The page shows the instruction where an SPE is, its source line, and why it waits."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import cellstats as cs
from browser import Open
from command_line import ROOT
from parts import needs
from positions_in_trace import at, periods_of

pytestmark = needs("page", "chromium")

BARRIER = ROOT / "programs" / "samples" / "barrier.elf"


@pytest.fixture(scope="module")
def trace() -> cs.Trace:
    """Six SPEs that meet at a barrier, with their instructions."""
    programs = {rank: cs.spu_program(BARRIER, argp=rank, envp=6) for rank in range(6)}
    found = cs.run("ps3", programs, window=(0, 4000)).trace
    assert found is not None
    return found


@pytest.fixture
def page(visited: Open, trace: cs.Trace, tmp_path: Path) -> Page:
    """The page of the trace."""
    trace.watch("barrier").save(tmp_path / "barrier.html")
    address = (tmp_path / "barrier.html").as_uri()
    return visited(address, viewport={"width": 1280, "height": 900})


def go(page: Page, trace: cs.Trace, bus_cycle: int) -> None:
    page.evaluate("(at) => cellstats.go(at)", bus_cycle - trace.data["triggered_at"])


def marked(page: Page) -> int:
    return int(page.locator("#program [aria-current]").get_attribute("data-address") or -1)


def test_the_marked_instruction_is_the_recorded_one(page: Page, trace: cs.Trace) -> None:
    begin = trace.data["from"] + 100
    stall = next(row for row in trace.data["stalls"] if row["from"] > begin)
    spe = stall["spe"]
    page.locator("#program-spe").select_option(str(spe))
    periods = periods_of(trace.data, spe)
    for cycle in (stall["from"] - 6, stall["from"] + 3, stall["to"] + 9):
        go(page, trace, cycle)
        expected = at(periods, cycle)
        assert marked(page) == expected.address, cycle
        assert page.locator("#program [aria-current] button").text_content() == expected.text
    go(page, trace, stall["from"] + 3)
    expect(page.locator("#program-why")).to_contain_text(f"channel {stall['channel']}")
    go(page, trace, stall["from"] - 6)
    expect(page.locator("#program-why")).not_to_contain_text("(channel ")


def test_a_click_in_the_picture_chooses_the_spe(page: Page, trace: cs.Trace) -> None:
    for row in trace.data["programs"]:
        page.locator(f"#picture [data-spe='{row['spe']}'] .name").click()
        assert page.locator("#program-spe").input_value() == str(row["spe"])


def test_an_instruction_leads_to_its_next_issue(page: Page, trace: cs.Trace) -> None:
    spe = int(page.locator("#program-spe").input_value())
    page.evaluate("cellstats.go(500)")
    before = page.evaluate("cellstats.state().at") + trace.data["triggered_at"]
    row = page.locator("#program tr[data-address]").first
    address = int(row.get_attribute("data-address") or -1)
    row.locator("button").focus()
    page.keyboard.press("Enter")
    after = page.evaluate("cellstats.state().at") + trace.data["triggered_at"]
    issues = [
        period.start // 2
        for period in periods_of(trace.data, spe)
        if period.address == address and period.cause is None
    ]
    later = [cycle for cycle in issues if cycle > before]
    assert after == (later or issues)[0]
    focused = page.evaluate("document.activeElement.closest('tr').dataset.address")
    assert focused == str(address)


def test_a_run_without_instructions_shows_no_program(browser: Browser, tmp_path: Path) -> None:
    recorded: Any = cs.machine("ps3").trace("dmaget", spes=1, window=100)
    recorded.watch("recorded").save(tmp_path / "recorded.html")
    page = browser.new_page()
    page.goto((tmp_path / "recorded.html").as_uri())
    page.evaluate("cellstats.ready")
    assert not page.locator("#program").is_visible()
    page.close()


@pytest.mark.parametrize(
    ("width", "dark"), [(390, False), (768, True), (1280, True), (2560, False)]
)
def test_the_program_fits_the_screen(
    browser: Browser, trace: cs.Trace, tmp_path: Path, width: int, dark: bool
) -> None:
    trace.watch("barrier").save(tmp_path / "barrier.html")
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
    page.goto((tmp_path / "barrier.html").as_uri())
    page.evaluate("cellstats.ready")
    assert page.locator("#program").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
