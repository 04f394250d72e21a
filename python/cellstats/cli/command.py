"""Base classes of all commands."""

from collections import Counter

import click

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean


class Command(click.Command):
    """A command that refuses a flag given twice, where Click would silently take the last value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line. Raises UsageError for an option with one value, given twice."""
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
            for param, times in Counter(given).items():
                single = isinstance(param, click.Option) and not (param.is_flag or param.multiple)
                if single and times > 1:
                    flags = " or ".join(param.opts)
                    raise UsageError(f"{flags} is given {times} times; give it once")
        return super().parse_args(ctx, args)


class Group(Command, click.Group):
    """A command with sub-commands. The error for an unknown sub-command lists the known names."""

    command_class = Command

    def refuse(self, name: str) -> None:
        """Raise UsageError for an unknown command that deserves a special message."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the sub-command that the first argument names."""
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            self.refuse(name)
            path = " ".join([*ctx.command_path.split()[1:], name])
            near = did_you_mean(name, self.list_commands(ctx))
            raise UsageError(f"no such command {path!r}; {near}")
        return super().resolve_command(ctx, args)
