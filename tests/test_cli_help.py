"""Help fits a terminal of 80 columns: no line is longer, and no word is broken."""

from collections.abc import Iterator

import click
import pytest

from cellstats.cli.command import Context, fitted
from cellstats.cli.group import cellstats as group


def commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(Context(command)):
            sub = command.get_command(Context(command), name)
            assert sub is not None
            yield from commands(sub, (*path, name))


COMMANDS = dict(commands(group))


def shown(path: tuple[str, ...], columns: int) -> str:
    """The help of a command on a terminal with this many columns."""
    context = Context(COMMANDS[path], info_name="cellstats " + " ".join(path))
    context.terminal_width = columns
    return COMMANDS[path].get_help(context)


def words(text: str) -> list[str]:
    return sorted(word for word in text.split() if word != "\\")


def test_all_commands_are_known() -> None:
    assert len(COMMANDS) > 15
    assert {(), ("watch",), ("machine", "show"), ("sdk",)} <= COMMANDS.keys()


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: "-".join(path) or "cellstats")
def test_no_line_is_longer_and_no_word_is_broken(path: tuple[str, ...]) -> None:
    narrow, wide = shown(path, 80), shown(path, 1000)
    assert max(map(len, narrow.splitlines())) <= 80
    assert words(narrow) == words(wide)
    assert "\N{NON-BREAKING HYPHEN}" not in narrow


def test_a_long_command_stays_a_command() -> None:
    line = "  cellstats sweep load --machine host --chase lines --plot curve.png"
    lines = fitted(line, 40).splitlines()
    assert max(map(len, lines)) <= 40
    assert all(each.endswith(" \\") for each in lines[:-1])
    assert "".join(each.rstrip("\\") for each in lines).split() == line.split()
    assert fitted(line, 80) == line
