"""What a command is: puzzles that are no options, rare options, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from unidoku.cli.inputs import without_dashes
from unidoku.cli.options import Option, show_all
from unidoku.errors import UnidokuError

__all__ = ["Command", "command", "names_of", "take", "values_checked"]


class Command(click.Command):
    """A command; its help ends with examples, and lists rare options with ``--help-all``."""

    def __init__(self, *args: Any, examples: tuple[str, ...], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples
        if any(isinstance(each, Option) and each.rare for each in self.params):
            more = "Show this message with the rare options and exit."
            self.params.append(
                click.Option(
                    ["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=show_all,
                    help=more,
                )
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; a whole puzzle is not an option."""
        return super().parse_args(ctx, without_dashes(args))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def command(name: str, *examples: str) -> Callable[[Callable[..., Any]], Command]:
    """Return the decorator that makes a function a command."""
    return click.command(name, cls=Command, examples=examples)


def take(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Take some options out of those of a command."""
    return {name: options.pop(name) for name in names if name in options}


def names_of(columns: str | None) -> tuple[str, ...] | None:
    """Return the names of ``--columns``, None without the option."""
    return None if columns is None else tuple(name.strip() for name in columns.split(","))


@contextmanager
def values_checked() -> Iterator[None]:
    """Make values that the API refuses a wrong use of the command."""
    try:
        yield
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
