"""The command line; it calls the public API and knows no algorithm.

A command is one module, imported when it is called (or when ``--help`` lists it): see ``COMMANDS``.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from unidoku import __version__
from unidoku.errors import UnidokuError

__all__ = ["COMMANDS", "cli", "main"]

# Command -> "module in unidoku.cli:function".
COMMANDS: dict[str, str] = {
    "check": "check:check",
    "solve": "single:solve",
    "count": "single:count",
    "solutions": "single:solutions",
    "convert": "convert:convert",
    "dedupe": "convert:dedupe",
    "info": "info:info",
    "console": "console:command",
    "trace": "trace:command",
    "explain": "explain:command",
    "diagnose": "diagnose:command",
    "rate": "rate:command",
}

INTERRUPTED = 130  # what a shell reports for a program ended by Ctrl-C


class _ClosedPipeError(Exception):
    """The reader of our output has gone away."""


class LazyGroup(click.Group):
    """A group that imports a command when it is needed, and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        home = COMMANDS.get(cmd_name)
        if home is None:
            return None
        module, _, function = home.partition(":")
        command = getattr(import_module(f"unidoku.cli.{module}"), function)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed pipe is kept from click, for which it is a failure."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if closed_pipe(error):
                raise _ClosedPipeError from error
            raise

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run and exit: 0 or 1 as the command says, 2 for any usage, input or output error."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        code: Any = 0
        try:
            code = super().main(args, prog_name, complete_var, False, **extra)
            sys.stdout.flush()
        except _ClosedPipeError:
            # Whoever read our output has seen enough.
            _exit(0)
        except click.ClickException as error:
            error.show()
            sys.exit(2)
        except UnidokuError as error:
            fail(str(error))
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted", err=True)
            _exit(INTERRUPTED)
        except OSError as error:
            if closed_pipe(error):
                _exit(0)
            fail(os_message(error))
        sys.exit(code if isinstance(code, int) else 0)


def closed_pipe(error: OSError) -> bool:
    """Whether the reader of our output has gone away."""
    # Windows says EINVAL for a closed pipe.
    return isinstance(error, BrokenPipeError) or (
        os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    )


def os_message(error: OSError) -> str:
    """The operating system's complaint as ``file: reason``."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason


def fail(message: str) -> NoReturn:
    """Tell what is wrong and leave with exit code 2."""
    click.echo(f"error: {message}", err=True)
    _exit(2)


def _exit(code: int) -> NoReturn:
    """Leave; what cannot be written any more must not raise a second time at shutdown."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)
    sys.exit(code)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="unidoku", message="%(prog)s %(version)s")
def cli() -> None:
    """Sudoku at full speed: check, count, solve step by step, explain."""


def main() -> None:
    """Start the command line; the console script and ``python -m unidoku`` call this."""
    cli.main(prog_name="unidoku")
