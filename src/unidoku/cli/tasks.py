"""Commands from declarations: options from the fields, help from the docstring and the columns."""

from __future__ import annotations

import sys
from dataclasses import asdict
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import Any

import click

from unidoku.cli.inputs import INPUTS, Input, single_puzzle, with_diagnosis
from unidoku.cli.options import Command, format_option, take
from unidoku.cli.run import exit_code, run_report, write
from unidoku.cli.terminal import print_json, signs
from unidoku.errors import InvalidPuzzleError
from unidoku.options import PARTS, READING, ROW_FORMATS, RUNNING, TABLE, WRITING, Option, options_of
from unidoku.task import Declaration, Report, Task

_CODES = "The exit code is 0, or 1 if a record is not a puzzle as this command needs it, 2 after an error."


def declaration_of(name: str) -> Declaration:
    """Import the declaration of a command, from the module of its name in `unidoku.tasks`."""
    declaration: Declaration = import_module(f"unidoku.tasks.{name}").COMMAND
    return declaration


def command_of(declaration: Declaration, name: str) -> Command:
    """Return the command of a declaration: its own function, or a run of the task or report."""
    about: Any = declaration.about
    kind = about if isinstance(about, type) else object
    function, common = declaration.function, declaration.common
    if kind is object:
        function = about
    elif function is None and issubclass(kind, Report):
        function = partial(run_report, kind)
        common = ("output", format_option(*kind.formats), *READING)
    elif function is None and "puzzle" in about.columns:
        function, common = partial(_run, declaration), (*WRITING, *RUNNING)
    elif function is None:
        only = ("only",) if "verdict" in about.columns else ()
        function, common = partial(_run, declaration), ("output", "to", "columns", *only, *PARTS, *RUNNING)
    text, *_ = cleandoc(about.__doc__ or "").split("\n\nParameters\n")  # these are for Python
    table = dict(TABLE)
    if issubclass(kind, Task):
        if "puzzle" not in kind.columns:
            table |= _options_of_rows(kind)
        if "columns" in common or "puzzle" in kind.columns:
            text += _columns_help(kind)
    if "exit code" not in text and "format" in common:
        text += f"\n\n{_CODES}"
    shared = [table[option] if isinstance(option, str) else option for option in (*common, "as_json")]
    argument = _argument(declaration.argument)
    params = [*([argument] if argument else []), *options_of(kind), *declaration.options, *shared]
    epilog = "\b\n" + "\n".join(["Examples:", *(f"  {example}" for example in declaration.examples)])
    return Command(name, callback=function, help=text, params=params, epilog=epilog)


def _argument(text: str | None) -> click.Argument | None:
    """Return the argument of a command, if it takes one: puzzles, or texts as they are."""
    if text is None:
        return INPUTS
    if not text:
        return None
    number = -1 if text.endswith("...") else 1
    return click.Argument(["inputs"], nargs=number, required=False, metavar=text)


def _options_of_rows(task: type[Task]) -> dict[str, Option]:
    """Return the options --to and --columns of a task whose rows are no puzzles."""
    default = task()
    columns = f"{', '.join(default.table_columns(several=False))} and columns of the input"
    if default.lines is not None:
        columns += f"; for txt {', '.join(name for name in default.lines if name != 'file')}"
    return {
        "to": TABLE["to"].replace(help=f"Write this format: {ROW_FORMATS}."),
        "columns": TABLE["columns"].replace(show_default=columns),
    }


def _columns_help(task: type[Task]) -> str:
    """Return the part of a help that describes the columns."""
    own = {name: about for name, (_, about) in task.columns.items() if name != "puzzle" and about}
    if not own:
        return ""
    width = max(map(len, own))
    rows = "\n".join(f"  {name:{width}}  {about}" for name, about in own.items())
    title = "Columns, in formats that have some:" if "puzzle" in task.columns else "Columns:"
    return f"\n\n\b\n{title}\n{rows}"


def _run(declaration: Declaration, *, inputs: list[Input], output: str, as_json: bool, **options: Any) -> int:
    """Run a task over the inputs of its command; return the exit code."""
    values = take(options, (option.name for option in options_of(declaration.about)))
    task = declaration.about(**values)
    puzzle = None
    if as_json or declaration.always_text or sys.stdout.isatty():
        puzzle = single_puzzle(inputs, output, options)
    if puzzle is not None:
        try:
            if as_json and declaration.result is not None:
                result = declaration.result(task, puzzle)
                print_json(None if result is None else asdict(result))
                return exit_code()
            if not as_json and declaration.text is not None:
                text = declaration.text(task, puzzle)
                click.echo(text.translate(signs(sys.stdout, values.get("lang", "en"))))
                return exit_code()
        except InvalidPuzzleError as error:
            raise with_diagnosis(error) from None
    drawn = None if values.get("seed") is not None else getattr(task, "seed", None)
    settings = {"drawn": drawn, "as_json": as_json, "is_one": puzzle is not None, **options}
    return write(task, inputs, output, report_counts=declaration.report_counts, **settings)
