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
from unidoku.cli.options import Command, Function, take
from unidoku.cli.run import exit_code, formats, run_report, values_checked, write
from unidoku.cli.terminal import print_json, signs
from unidoku.errors import InvalidPuzzleError
from unidoku.options import PARTS, READING, ROW_FORMATS, RUNNING, WRITING, Option, common, options_of
from unidoku.task import Declaration, Report, Task

_CODES = "The exit code is 0, or 1 if a record is not a puzzle as this command needs it, 2 after an error."

_WRITTEN = (*WRITING, "columns", "only")
"""The options of outputs, which stand before those of a declaration."""


def declaration_of(name: str) -> type[Declaration]:
    """Import the declaration of a command, from the module of its name in `unidoku.tasks`."""
    module = import_module(f"unidoku.tasks.{name}")
    classes = (value for value in vars(module).values() if isinstance(value, type))
    return next(kind for kind in classes if issubclass(kind, Declaration) and vars(kind).get("name") == name)


def command_of(task: type[Declaration], name: str) -> Command:
    """Return the command of a declaration: its own function, or a run of the task or report."""
    if "command" in vars(task):  # that of a base class is not what a subclass does
        return _command(task, name, task.command, task.common_options)
    if issubclass(task, Report):
        to = [formats(*task.formats)] if len(task.formats) > 1 else []
        return _command(task, name, partial(run_report, task), ("output", *to, *READING))
    assert issubclass(task, Task)
    writing: tuple[str, ...] = WRITING
    if "puzzle" not in task.columns:
        writing = ("output", "to", "columns", *(["only"] if "verdict" in task.columns else []), *PARTS)
    excluded = ("threads", *PARTS) if task.in_order else ()  # its work cannot be divided
    names = [option for option in (*writing, *RUNNING) if option not in excluded]
    return _command(task, name, partial(_run, task), names)


def _command(
    task: type[Declaration],
    name: str,
    function: Function,
    common_options: Sequence[str | Option],
) -> Command:
    """Return the command with a function and, beside its own options, these that it shares with others."""
    common_options = (*common_options, "as_json")
    names = [option if isinstance(option, str) else option.name for option in common_options]
    text, *_ = cleandoc(task.__doc__ or "").split("\n\nParameters\n")  # these are for Python
    if issubclass(task, Task):
        text += _columns_help(task, with_columns="columns" in common_options or "puzzle" in task.columns)
    if "exit code" not in text and "format" in names:
        text += f"\n\n{_CODES}"
    own = [*options_of(task), *task.command_options]
    rows = _columns(task) if issubclass(task, Task) and "puzzle" not in task.columns else {}
    shared = [(rows.get(each) or common(each)) if isinstance(each, str) else each for each in common_options]
    writing = [option for option in shared if option.name in _WRITTEN]
    options = [*writing, *own, *(option for option in shared if option not in writing)]
    return Command(name, function, options, text=text, examples=task.examples, argument=_argument(task))


def _argument(task: type[Declaration]) -> click.Argument | None:
    """Return the argument of a command, if it takes one: puzzles, or texts as they are."""
    text = task.argument_text if "command" in vars(task) else None
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
    columns = common("columns", ", ".join(names), absent=absent)
    return {"to": common("to", ROW_FORMATS), "columns": columns}


def _columns_help(task: type[Task], *, with_columns: bool) -> str:
    """Return the part of a help that describes the columns."""
    own = {name: about for name, (_, about) in task.columns.items() if name != "puzzle" and about}
    if not own or not with_columns:
        return ""
    width = max(map(len, own))
    rows = "\n".join(f"  {name:{width}}  {about}" for name, about in own.items())
    title = "Columns, in formats that have some:" if "puzzle" in task.columns else "Columns:"
    return f"\n\n\b\n{title}\n{rows}"


def _run(kind: type[Task], *, inputs: list[Input], output: str, as_json: bool, **options: Any) -> int:
    """Run a task over the inputs of its command; return the exit code."""
    values = take(options, (option.name for option in options_of(kind)))
    with values_checked():
        task = kind(**values)
    puzzle = None
    if as_json or task.always_shown or sys.stdout.isatty():
        puzzle = single_puzzle(inputs, output, options)
    if puzzle is not None:
        try:
            if as_json:
                result = task.result(puzzle)
                if result is not NotImplemented:
                    print_json(None if result is None else asdict(result))
                    return exit_code()
            elif (text := task.show(puzzle)) is not None:
                click.echo(text.translate(signs(sys.stdout, values.get("lang", "en"))))
                return exit_code()
        except InvalidPuzzleError as error:
            raise with_diagnosis(error) from None
    drawn: Any = None if values.get("seed") is not None else getattr(task, "seed", None)
    is_one = puzzle is not None
    return write(task, inputs, output, drawn=drawn, as_json=as_json, is_one=is_one, **options)
