"""The command line: options, messages and exit codes around the public API.

A command is imported when it is called: most need NumPy, which the list of all does not.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from unidoku._arguments import any_of, near
from unidoku._cli.commands import ALIASES, command_names, command_of, commands
from unidoku._cli.terminal import (
    INTERRUPTED,
    TerminatedError,
    TranslatedCommand,
    discard_output,
    encode_all,
    encode_language,
    is_closed_pipe,
    named_language,
    print_error,
    print_message,
    print_notes,
    print_usage_error,
    replace_closed,
    terminated_by_signals,
    warnings_as_notes,
    without_language,
    write_rows,
)
from unidoku._compat import version
from unidoku._words import say, speaking
from unidoku.errors import Message, UnidokuError, import_failure

_ON_PAGES = {
    **dict.fromkeys(("completion", "completions", "install", "update", "upgrade"), "docs/install.md"),
    **dict.fromkeys(("server", "serve", "api", "web", "service"), "docs/python.md"),
    **dict.fromkeys(("techniques", "list-techniques", "strategies"), "docs/rating.md"),
    **dict.fromkeys(("train", "gym", "reward"), "docs/learning.md"),
}
"""Words for work that no command does, by the page that explains it."""


class LazyGroup(TranslatedCommand, click.Group):
    """A group that imports a command when it is needed, and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all commands."""
        return command_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command."""
        command: click.Command | None = command_of(cmd_name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; without any, puzzles of a pipe are to be solved."""
        args = [word.replace("-", ".") if _is_puzzle(word) else word for word in args]
        if without_language(args)[:1] in ([], ["-h"], ["--help"], ["help"]):
            args = without_language(args)  # the help is in that language
        if not (args or sys.stdin.isatty() or ctx.resilient_parsing):
            args = ["solve"]
        words = [*args]  # click takes them out
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.possibilities:
                text = "{command}: unknown option {option}; did you mean {words}?"
                fields = {"option": error.option_name, "words": any_of([*error.possibilities])}
                ctx.fail(Message(text, command=ctx.command_path, **fields))
            names = {*command_names(), *ALIASES}
            word = next((word for word in [error.option_name.strip("-"), *words] if word in names), "solve")
            lines = _lines_instead(word, [other for other in words if other.strip("-") != word])
            text = "unknown option {word} before a command; type {lines}"
            ctx.fail(Message(text, word=error.option_name, lines=any_of(lines)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an input without a command is solved."""
        if args[0] == "help":
            args = [*without_language(args)[1:2], "--help"]
            if len(args) == 1:
                click.echo(ctx.get_help())
                ctx.exit()
        word = ALIASES.get(args[0], args[0])
        args = [word, *args[1:]]
        is_input = self.get_command(ctx, word) is None and (word == "-" or word[:1] != "-")
        if is_input and not ctx.resilient_parsing:
            if fault := _fault(word, args):
                ctx.fail(fault)
            args = ["solve", *args]
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their groups."""
        width = max(map(len, command_names()))
        for title, group in commands().items():
            rows = [(f"{name:{width}}", say(text)) for name, text in group.items()]
            write_rows(formatter, say(title), rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; hide a closed pipe from click, which would treat it as a failure."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except OSError as error:
            if not is_closed_pipe(error):
                raise
            discard_output()
            return 0
        return code

    def main(self, args: Sequence[str] | None = None, *more: Any, **settings: Any) -> Any:
        """Run and exit, with the code of the command or of the error that ends it."""
        code: Any = INTERRUPTED
        ended_by = [int(signal.SIGINT)]
        try:
            lang = named_language(sys.argv[1:] if args is None else args)
            encode_language(lang)
        except UnidokuError as error:  # its catalog is not compiled
            print_error(error)
            sys.exit(error.exit_code)
        # an interrupt while a message about an error, or the first one, is printed
        with speaking(lang), suppress(KeyboardInterrupt):
            code = self._outcome((args, *more), settings, ended_by)
            # Not in an except block: its exception holds outputs that were opened and not yet entered, which
            # are discarded with it.
            discard_output()  # what cannot be written any more must not raise again at shutdown
        if code == INTERRUPTED:
            code = 128 + ended_by[-1]
        sys.exit(code)

    def _outcome(self, args: Any, settings: dict[str, Any], ended_by: list[int]) -> Any:
        """Run the command; return its exit code, or after a message the code of the error that ends it."""
        code: Any = 2
        try:
            with terminated_by_signals(ended_by), warnings_as_notes():
                code = super().main(*args, **settings | {"standalone_mode": False})
        except click.ClickException as error:
            print_usage_error(error)
        except UnidokuError as error:
            print_error(error)
            code = error.exit_code
        except (KeyboardInterrupt, TerminatedError, click.Abort, RuntimeError) as error:
            # Before Python 3.12 a RuntimeError hides an error raised while a class is made, in an import.
            cause = error.__cause__ or error
            if isinstance(cause, RuntimeError):
                raise
            print_message(say("interrupted"))
            print_notes(cause)
            code = INTERRUPTED
        except OSError as error:  # only standard streams have no name
            name = error.filename or Message("standard input or output")
            message = error.strerror or error
            print_error(Message("{name}: {message}", name=name, message=message))
        except MemoryError as error:
            no_memory = Message("not enough memory")
            named = Message("{name}: {message}", name=no_memory, message=error)
            print_error(named if str(error) else no_memory)
            print_notes(error)
        except ImportError as error:
            print_error(import_failure(error))
        return code


def _is_puzzle(word: str) -> bool:
    """Return whether an argument is not an option, but a puzzle that may begin with an empty cell."""
    return len(word) == 81 and not any(map(str.isalpha, word))


def _fault(word: str, args: list[str]) -> str:
    """Return why the first of some arguments is neither a command nor an input; it may be meant as one."""
    from unidoku._cli.inputs import PuzzleArgument, are_rows, inputs_of
    from unidoku.files._storage import names_near

    if word == "-" or os.path.lexists(word) or are_rows(args):
        return ""
    try:
        if isinstance(inputs_of([word])[0], PuzzleArgument):
            return ""
    except UnidokuError as error:  # it says what is wrong with a puzzle
        return error.message
    if word.lower() in _ON_PAGES:
        return Message("unknown command {word}; see {page}", word=repr(word), page=_ON_PAGES[word.lower()])
    if lines := _lines_instead(word, args[1:]):
        return Message("unknown command {word}; type {lines}", word=repr(word), lines=any_of(lines))
    if files := names_near(word):
        text = "no file named {word}; did you mean {names}?"
        return Message(text, word=repr(word), names=any_of(files))
    text = "{word} is not a command, a file or a puzzle; unidoku help lists all commands"
    return Message(text, word=repr(word))


def _lines_instead(word: str, args: list[str]) -> list[str]:
    """Return the command lines to type for one with an unknown command, which another program or typo has."""
    from unidoku._cli.corrections import commands_for, instead_of_line  # not at the top: it is needed seldom

    lines = dict[frozenset[str], str]()
    word = ALIASES.get(word, word)
    known = [*command_names(), "help", "--version"]
    for instead in commands_for(word) or ([word] if word in known else near(word, known)):
        name, *options = instead.split()
        line = f"unidoku {name}"
        if name in command_names():
            _, line, _ = instead_of_line(name, [*args, *options])
        lines.setdefault(frozenset(line.split()), line)
    return [*lines.values()]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), "-V", "--version", prog_name="unidoku", message="%(prog)s %(version)s")
def cli() -> None:
    """Check, solve, rate, explain and make Sudoku puzzles.

    Every command accepts a puzzle (81 cells, or nine rows as nine arguments), files in any format
    (docs/files.md), folders, zip and tar archives, quoted patterns, URLs, and - for standard input. Without
    an input, standard input is read. Without a command, puzzles are solved.

    A file or standard input with only one puzzle is used like a puzzle on the command line. An argument that
    is the name of a file is that file, even if it could be a puzzle.

    unidoku help COMMAND shows the options of a command. docs/words.md explains terms such as proper, ER,
    canonical and "the book".

    Exit codes: 0 for success, 1 if a puzzle is not as it should be, 2 after an error, 130 after Ctrl-C, 143
    after SIGTERM, 129 after SIGHUP.
    """


def _report_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Report an error of an object that is dropped, as Python does; a signal at that moment is none."""
    if not issubclass(unraisable.exc_type, (KeyboardInterrupt, TerminatedError)):
        sys.__unraisablehook__(unraisable)


def main() -> None:
    """Run the command line; the console script and ``python -m unidoku`` call this."""
    sys.unraisablehook = _report_unraisable
    replace_closed()
    encode_all()
    # PyArrow's own allocator holds 12 MB for a Parquet output that uses two; it is chosen before the import.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        cli.main(prog_name="unidoku")
    except (KeyboardInterrupt, TerminatedError):  # where the command has handled one already
        raise SystemExit(INTERRUPTED) from None
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is left that a traceback could be about
        gc.freeze()  # at exit, the search of all objects for cycles takes a tenth of a short command's time
