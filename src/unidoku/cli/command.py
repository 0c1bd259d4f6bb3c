"""What a command is: options of which some are rare, puzzles that are no options, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from inspect import cleandoc
from typing import Any

import click

from unidoku.cli.inputs import without_dashes
from unidoku.errors import UnidokuError

_ALL = "unidoku.help_all"
_CODES = "The exit code is 0, or 1 if a record is not a puzzle, 2 after an error."


class Option(click.Option):
    """An option of the table; the help lists a rare one only with ``--help-all``."""

    def __init__(self, *args: Any, rare: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.rare = rare

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the two columns of the help."""
        return None if self.rare and not ctx.meta.get(_ALL) else super().get_help_record(ctx)


class Command(click.Command):
    """A command; its help ends with exit codes and examples, and lists rare options with ``--help-all``."""

    def __init__(self, *args: Any, examples: tuple[str, ...], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples
        self.help = cleandoc(self.help or "")
        if "exit code" not in self.help and any(each.name == "empty" for each in self.params):
            self.help += f"\n\n{_CODES}"
        if any(isinstance(each, Option) and each.rare for each in self.params):
            text = "Show this message with the rare options and exit."
            more: dict[str, Any] = {"expose_value": False, "callback": _show_all, "help": text}
            self.params.append(click.Option(["--help-all"], is_flag=True, is_eager=True, **more))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; a whole puzzle is not an option."""
        return super().parse_args(ctx, without_dashes(args))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def _show_all(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Print the help of a command with its rare options, and exit."""
    if value:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


def command(*examples: str) -> Callable[[Callable[..., int | None]], Command]:
    """Return the decorator that makes a function, which returns its exit code, a command of its name."""
    return click.command(cls=Command, examples=examples)


def take(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Take some options out of those of a command."""
    return {name: options.pop(name) for name in names if name in options}


@contextmanager
def values_checked() -> Iterator[None]:
    """Make values that the API refuses a wrong use of the command."""
    try:
        yield
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
