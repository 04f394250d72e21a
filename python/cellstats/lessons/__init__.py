"""Lessons of the page: a folder of TOML files, and the code that reads and checks them.

The page contains all lessons of this folder. A lesson's claims are statements about a run, which
`check` compares with the simulator. docs/guide/lessons.md explains the format.
"""

from cellstats.lessons.checks import Checked, check
from cellstats.lessons.lesson import LESSONS, Lesson, read_lesson

__all__ = ["LESSONS", "Checked", "Lesson", "check", "read_lesson"]
