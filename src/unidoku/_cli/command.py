"""Commands of tasks, reports and functions: options from fields, help from docstrings and columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import cleandoc
from itertools import pairwise
from types import MappingProxyType, NoneType
from typing import Any

import click
from click.core import ParameterSource

from unidoku._arguments import any_of
from unidoku._cli.call import Call, Showing
from unidoku._cli.inputs import INPUTS
from unidoku._cli.run import CommandResult, format_option, print_outcome, timed_out_error
from unidoku._cli.terminal import (
    CODES,
    COLUMNS,
    COLUMNS_OF_PUZZLES,
    TranslatedCommand,
    print_error,
    write_rows,
)
from unidoku._options import (
    LANG,
    PARTS,
    READING,
    RUNNING,
    SEARCHING,
    TABLE,
    CommandOptions,
    Option,
    Options,
    Show,
    options_of,
)
from unidoku._schema import Schema, described_columns
from unidoku._task import Task, View
from unidoku._threads import call_timeout
from unidoku._words import language, say
from unidoku.errors import InvalidPuzzleError, Message, SearchStoppedError
from unidoku.files._formats import names_in_help


class Command(TranslatedCommand):
    """A command: ``COMMAND`` in the module of its name in `unidoku.tasks`.

    An option may need another option, or have an optional value.

    Parameters
    ----------
    about : type or callable
        A task or a report, whose fields are options of the command, or its function; the docstring is the
        help.
    examples : tuple of str
        Command lines, for the help.
    function : callable, optional
        It works on a `Call` and returns a `CommandResult`; by default `Call.answer` or `Call.report` does.
    own : type, optional
        A class of `CommandOptions`: options that only the command has. By default the class of None.
    options : tuple of Option or str
        The shared options of a function: names in `unidoku._options.TABLE`, or these options with changes.
    argument : click.Argument or None
        Its argument; by default puzzles and files.
    shows : mapping of str to callable
        Functions that show one puzzle in place of its row. Each entry gets the call and the puzzle:

        - ``json``: for ``--json``
        - ``text``, ``terminal``: for any output, or for a terminal

        A task that is also a `PuzzleReport` draws one puzzle if the output has the name of a picture or page.
    """

    about: Any
    own: type[CommandOptions | None]
    examples: tuple[str, ...]
    shows: Mapping[str, Showing]

    def __init__(
        self,
        about: Any,
        *,
        examples: tuple[str, ...],
        function: Callable[[Call[Any, Any]], CommandResult] | None = None,
        own: type[CommandOptions | None] = NoneType,
        options: tuple[Option | str, ...] = (),
        argument: click.Argument | None = INPUTS,
        shows: Mapping[str, Showing] = MappingProxyType({}),
    ) -> None:
        self.about, self.own, self.examples, self.shows = about, own, examples, shows
        self.kind: type = about if isinstance(about, type) else NoneType
        self.function: Callable[[Call[Any, Any]], CommandResult] = function or about
        table = TABLE
        if issubclass(self.kind, Task):
            self.function = function or Call.answer
            table = TABLE | _options_of_rows(about)
            only = ("only",) if "verdict" in about.columns else ()
            rows = ("output", "to", "columns", "where", "keep", *only, *PARTS)
            options = options or (*rows, *_searching(about), *RUNNING)
        elif issubclass(self.kind, View) and not options:
            self.function = function or Call.report
            options = (
                "output",
                format_option(*about.formats, of_folder=about.folder_formats),
                *_searching(about),
                *READING,
            )
        help, *_ = cleandoc(about.__doc__ or "").split("\n\nParameters\n")  # these are for Python
        if "format" in options:  # it reads puzzles
            if "exit code" not in help:
                help += f"\n\n{CODES}"
            options = (*options, "exit_zero")
        shared = [table[option] if isinstance(option, str) else option for option in options]
        every = [*options_of(self.kind), *options_of(own), *shared]
        named = {option.name: option for option in every}
        assert len(named) == len(every), "two options of a command have the same name"
        named.setdefault("json", table["json"])
        named["lang"] = LANG.replace(default=language, show_default="locale")  # it is read before the others
        self.columns: dict[str, str] = {}  # of its rows, with what they say
        if issubclass(self.kind, Task) and "output" in named:
            self.columns = described_columns(about)
        params: list[click.Parameter] = [*filter(None, [argument]), *named.values()]
        super().__init__(None, help=help, params=params)

    @property
    def options(self) -> list[Option]:
        """The options, without ``--help``."""
        return [param for param in self.params if isinstance(param, Option)]

    @property
    def option_of(self) -> dict[str, Option]:
        """The option of each flag, such as ``--to`` and ``-o``."""
        return {flag: option for option in self.options for flag in option.opts}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an option with an optional value gets it unless a choice follows.

        The name of an option after one dash is refused: as short options it may mean something else.
        """
        option_of = self.option_of
        for place, word in enumerate(args):
            option = option_of.get(word)
            if option is not None and isinstance(option.flag_value, str):
                following = "".join(args[place + 1 : place + 2]).lower()
                if following not in option.type.choices:  # type: ignore[attr-defined]
                    args[place] = f"{word}={option.flag_value}"
        words = [*args]  # click takes them out
        for last, word in pairwise(("", *words)):
            flag = f"-{word.partition('=')[0]}"
            if word[:1] == "-" and last[:1] != "-" and flag in option_of:
                raise self._wrong_line(ctx, words)
        try:
            self._refuse_twice(ctx, words)
            return super().parse_args(ctx, args)
        except click.NoSuchOption:
            raise self._wrong_line(ctx, words) from None
        except click.UsageError as error:
            if type(error) is click.UsageError and not isinstance(error.message, Message):
                raise self._too_many(ctx, words) from None
            error.ctx = ctx
            raise

    @staticmethod
    def _wrong_line(ctx: click.Context, words: list[str]) -> click.UsageError:
        """Return the error about all words that the command does not have: the line to type instead."""
        from unidoku._cli.corrections import instead_of_line  # not at the top: it is needed seldom

        wrong, line, is_short = instead_of_line(str(ctx.info_name), words)
        text = "{command}: unknown {words}; type {line}"
        message = Message(text, command=ctx.command_path, words=", ".join(wrong), line=line)
        if is_short:
            text = "{reason}; {command} --help lists all options"
            message = Message(text, reason=message, command=ctx.command_path)
        return click.UsageError(message, ctx)

    def _refuse_twice(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse an option with a value that is given twice: the first value would be lost."""
        if len(args) < 2:
            return  # a parser takes a while
        *_, order = self.make_parser(ctx).parse_args([*args])
        seen = list[Any]()
        for option in order:
            if option in seen:
                flags = "/".join((option.opts[0], *option.secondary_opts))
                raise click.UsageError(Message("{option} is given twice; give it once", option=flags), ctx)
            if isinstance(option, Option) and option.has_one_value:
                seen.append(option)

    def _too_many(self, ctx: click.Context, args: list[str]) -> click.UsageError:
        """Return the error for inputs of a command that takes none, or several of one that takes one."""
        values, words, _ = self.make_parser(ctx).parse_args([*args])
        if not values.get("inputs"):
            return self._wrong_line(ctx, args)
        text = "{command} takes one input, found {words}; put a name with blanks in quotes"
        words = [values["inputs"], *words]
        return click.UsageError(Message(text, command=ctx.command_path, words=" ".join(words)), ctx)

    def invoke(self, ctx: click.Context) -> int:
        """Run the command, unless an option is named that has no use without another one."""
        self._refuse_useless(ctx)
        values, taken = ctx.params, set[str]()

        def made(kind: Any) -> Any:
            """Return an instance of a class of options, with the values that none before it took."""
            names = {option.name for option in options_of(kind)} & values.keys() - taken
            taken.update(names)
            return kind(**{name: values[name] for name in names})

        about, own, options, show = map(made, (self.kind, self.own, Options, Show))
        places = {"inputs": values.get("inputs", []), "output": values.get("output")}
        call = Call(about, own=own, options=options, show=show, shows=self.shows, **places)
        seconds: Any = values.get("puzzle_timeout")
        try:
            with call_timeout(seconds):
                outcome: CommandResult = ctx.invoke(self.function, call)
            print_outcome(outcome, show)
            return outcome.exit_code(exit_zero=show.exit_zero)
        except (InvalidPuzzleError, SearchStoppedError) as error:
            if error.summary is not None:  # of a run
                raise
            is_late = isinstance(error, SearchStoppedError)
            print_error(timed_out_error(seconds) if is_late else error)
            return int(not show.exit_zero)

    def _refuse_useless(self, ctx: click.Context) -> None:
        """Refuse an option that is named without an option that it needs."""
        option_of = self.option_of

        def has(needed: str) -> bool:
            """Return whether an option is named, such as ``--blank``, or has a value: ``--method book``."""
            flag, _, value = needed.partition(" ")
            if value:
                return str(ctx.params.get(option_of[flag].name)) == value
            return is_named(ctx, option_of[flag])

        for option in self.options:
            if option.needs and is_named(ctx, option) and not any(map(has, option.needs)):
                text = "{option} works only with {others}; add it"
                raise click.UsageError(Message(text, option=option.opts[0], others=any_of(option.needs)), ctx)

    def first_named(self, needs: tuple[str, ...]) -> str:
        """Return the first option of the command line that needs just these; empty for none."""
        ctx = click.get_current_context()
        return next(
            (each.opts[0] for each in self.options if each.needs == needs and is_named(ctx, each)), ""
        )

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text, and the columns of rows."""
        super().format_help_text(ctx, formatter)
        if self.columns:
            rows = [(name, say(text)) for name, text in self.columns.items()]
            is_of_puzzles = "puzzle" in self.about.columns  # most formats hold nothing else
            write_rows(formatter, say(COLUMNS_OF_PUZZLES if is_of_puzzles else COLUMNS), rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.indentation(), formatter.section(say("Examples")):
            formatter.write_text("\b\n" + "\n".join(self.examples))


def _searching(about: type[Task] | type[View]) -> tuple[str, ...]:
    """Return the option of a command whose puzzles may take long."""
    return SEARCHING if about.searches else ()


def is_named(ctx: click.Context, option: Option) -> bool:
    """Return whether the command line names an option."""
    return ctx.get_parameter_source(option.name) is not ParameterSource.DEFAULT


def _options_of_rows(task: type[Task]) -> dict[str, Option]:
    """Return the options ``--to`` and ``--columns`` of a task, by what its rows are."""
    has_rows = "puzzle" not in task.columns
    to = TABLE["to"].replace(help=f"Write this format: {names_in_help(rows=has_rows)}.")
    if has_rows:
        own = task()
        shown = ", ".join(name for name in Schema(own).default_columns if name in own.columns)
        if own.line_columns is not None:
            shown += f"; for txt {', '.join(name for name in own.line_columns if name != 'file')}"
        return {"to": to, "columns": TABLE["columns"].replace(show_default=shown)}
    choices = ["puzzle"]
    if any(column.about for column in task.columns.values()):
        choices.append("any above")
    if isinstance(task.default_columns, tuple) and "reason" in task.default_columns:
        choices.append("reason")
    help = f"Comma-separated columns: {', '.join(choices)}, or input columns."
    return {"to": to, "columns": TABLE["columns"].replace(help=help)}
