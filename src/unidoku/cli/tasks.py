"""Commands from declarations: options from the fields, help from the docstring and the columns."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import Any

import click

from unidoku.cli.inputs import INPUTS, Input, single_puzzle, with_diagnosis
from unidoku.cli.options import Command, Function, format_option, take
from unidoku.cli.run import exit_code, run_report, write
from unidoku.cli.terminal import print_json, signs
from unidoku.errors import InvalidPuzzleError
from unidoku.options import PARTS, READING, ROW_FORMATS, RUNNING, TABLE, WRITING, Option, options_of
from unidoku.task import Declaration, Report, Task

_CODES = "The exit code is 0, or 1 if a record is not a puzzle as this command needs it, 2 after an error."

_WRITTEN = (*WRITING, "columns", "only")
"""The options of outputs, which stand before those of a declaration."""


def declaration_of(name: str) -> Declaration:
    """Import the declaration of a command, from the module of its name in `unidoku.tasks`."""
    declaration: Declaration = import_module(f"unidoku.tasks.{name}").COMMAND
    return declaration


def command_of(declaration: Declaration, name: str) -> Command:
    """Return the command of a declaration: its own function, or a run of the task or report."""
    about: Any = declaration.about
    function = declaration.function
    if not isinstance(about, type):
        return _command(declaration, name, about, declaration.common)
    if function is not None:
        return _command(declaration, name, function, declaration.common)
    if issubclass(about, Report):
        common = ("output", format_option(*about.formats), *READING)
        return _command(declaration, name, partial(run_report, about), common)
    assert issubclass(about, Task)
    writing: tuple[str, ...] = WRITING
    if "puzzle" not in about.columns:
        writing = ("output", "to", "columns", *(["only"] if "verdict" in about.columns else []), *PARTS)
    return _command(declaration, name, partial(_run, declaration), (*writing, *RUNNING))


def _command(
    declaration: Declaration,
    name: str,
    function: Function,
    common_options: Sequence[str | Option],
) -> Command:
    """Return the command with a function and, beside its own options, these that it shares with others."""
    about = declaration.about
    task = about if isinstance(about, type) and issubclass(about, Task) else None
    common_options = (*common_options, "as_json")
    names = [option if isinstance(option, str) else option.name for option in common_options]
    text, *_ = cleandoc(about.__doc__ or "").split("\n\nParameters\n")  # these are for Python
    if task is not None:
        text += _columns_help(task, with_columns="columns" in common_options or "puzzle" in task.columns)
    if "exit code" not in text and "format" in names:
        text += f"\n\n{_CODES}"
    own = [*(options_of(about) if isinstance(about, type) else ()), *declaration.options]
    rows = _columns(task) if task is not None and "puzzle" not in task.columns else {}
    shared = [(rows.get(each) or TABLE[each]) if isinstance(each, str) else each for each in common_options]
    writing = [option for option in shared if option.name in _WRITTEN]
    options = [*writing, *own, *(option for option in shared if option not in writing)]
    argument = _argument(declaration.argument)
    return Command(name, function, options, text=text, examples=declaration.examples, argument=argument)


def _argument(text: str | None) -> click.Argument | None:
    """Return the argument of a command, if it takes one: puzzles, or texts as they are."""
    if text is None:
        return INPUTS
    if not text:
        return None
    number = -1 if text.endswith("...") else 1
    return click.Argument(["inputs"], nargs=number, required=False, metavar=text)


def _columns(task: type[Task]) -> dict[str, Option]:
    """Return the options --to and --columns of a task whose rows are no puzzles."""
    default = task()
    names = dict.fromkeys(("puzzle", "file", "line", *task.columns, "reason", "or columns of the input"))
    absent = ", ".join(default.table_columns(several=False))
    if default.lines is None:
        absent += " and, except for txt, columns of the input"
    else:
        lines = ", ".join(name for name in default.lines if name != "file")
        absent += f" and columns of the input; for txt {lines}"
    text = f"Write these columns, separated by commas: {', '.join(names)}."
    return {
        "to": TABLE["to"].replace(help=f"Write this format: {ROW_FORMATS}."),
        "columns": TABLE["columns"].replace(help=text, show_default=absent),
    }


def _columns_help(task: type[Task], *, with_columns: bool) -> str:
    """Return the part of a help that describes the columns."""
    own = {name: about for name, (_, about) in task.columns.items() if name != "puzzle" and about}
    if not own or not with_columns:
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
