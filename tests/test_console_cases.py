"""What consoles answered, and the README's number of equal cases."""

from pathlib import Path

import pytest

import console_cases

README = Path(__file__).resolve().parents[1] / "README.md"


@pytest.mark.parametrize("case", console_cases.answers(), ids=lambda case: case.name[:40])
def test_our_machine_answers_as_the_console(case: console_cases.Answer) -> None:
    assert case.equal is not False, case.ours


def test_the_readme_tells_how_many_cases_are_equal() -> None:
    assert f"{console_cases.line()} cases" in " ".join(README.read_text(encoding="utf-8").split())
