"""Types of flags and arguments that name files.

No output may overwrite a file that another flag or argument names.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from cellstats._native import UsageError
from cellstats.core.files import descriptor
from cellstats.core.machine import is_file as is_machine_file
from cellstats.core.refusal import verbatim
from cellstats.core.words import file_name
from cellstats.patterns import is_file as is_pattern_file

_NAMED = "cellstats.files"


def _whole(text: str) -> Iterable[str]:
    return (text,)


class FileType(click.ParamType):  # type: ignore[type-arg]
    """A value that names a file to read or to write.

    Click converts the values of a command line one by one. Each value is compared with the earlier
    ones by file identity, so that a command never writes a file that another flag reads or writes.
    """

    name = "file"

    def __init__(
        self,
        *,
        written: bool,
        made: Callable[[str], Any] = str,
        files: Callable[[str], Iterable[str]] = _whole,
    ) -> None:
        """made: converts the value for the command. files: returns the file names in a value."""
        self.written = written
        self._made = made
        self._files = files

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a value. Raises UsageError for a file that another value reads or writes."""
        assert param is not None
        if self.written and not str(value):
            raise UsageError(f"{_called(param)} '': a name is missing; give one")
        if ctx is not None and not ctx.resilient_parsing:
            named = ctx.meta.setdefault(_NAMED, list(_standard_outputs()))
            for text in self._files(str(value)):
                self._note(named, text, _called(param))
        return self._made(value)

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Let the shell complete file names."""
        return [CompletionItem(incomplete, type="file")]

    def _note(self, named: list[tuple[object, bool, str]], text: str, flag: str) -> None:
        file = _identity(text)
        if file is None:
            return
        here = f"{flag} {verbatim(file_name(text))}"
        for other, written, there in named:
            if other == file and (written or self.written):
                if not self.written:
                    here, there = there, here
                use = "written too" if written and self.written else "read"
                raise UsageError(
                    f"{here}: this file is also {there}, which is {use}; give another file"
                )
        named.append((file, self.written, here))


def _called(param: click.Parameter) -> str:
    return param.opts[0] if isinstance(param, click.Option) else param.human_readable_name


def _identity(text: str) -> object:
    """A key that is equal for all names of one file, or None for devices, pipes and directories."""
    path = Path(text)
    try:
        if descriptor(path) is not None or (path.exists() and not path.is_file()):
            return None
        if not path.exists():
            return path.resolve()
        found = path.stat()
    except (OSError, ValueError, RuntimeError):
        # The reason is reported when the file is opened.
        return None
    return found.st_dev, found.st_ino


def _standard_outputs() -> Iterator[tuple[object, bool, str]]:
    """Files that stdout and stderr are redirected to, which no other output may overwrite."""
    for number, name in ((1, "the standard output"), (2, "the error output")):
        try:
            found = os.fstat(number)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode):
            yield (found.st_dev, found.st_ino), True, name


def _before_address(text: str) -> Iterable[str]:
    path, at, _ = text.rpartition("@")
    return (path if at else text,)


def _machine_files(text: str) -> Iterable[str]:
    return _files_among(text, is_machine_file)


def _pattern_files(text: str) -> Iterable[str]:
    return _files_among(text, is_pattern_file)


def _files_among(text: str, is_file: Callable[[str], bool]) -> Iterable[str]:
    return filter(is_file, dict.fromkeys((text, *text.split(","))))


READ = FileType(written=False)
WRITTEN = FileType(written=True)
WRITTEN_PATH = FileType(written=True, made=Path)
READ_PIECE = FileType(written=False, files=_before_address)
"""FILE@EA"""
WRITTEN_PIECE = FileType(written=True, files=_before_address)
"""FILE@EA:BYTES"""
MACHINE_FILE = FileType(written=False, files=_machine_files)
"""A machine's name or file; for a sweep, a comma-separated list of machines."""
PATTERN_FILE = FileType(written=False, files=_pattern_files)
"""A pattern's name or file; for a sweep, a comma-separated list of patterns."""
