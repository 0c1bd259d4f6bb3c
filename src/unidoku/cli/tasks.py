"""The command of a task: its options from its fields, its columns and its help from the declaration.

The tasks of other packages are found by the group of entry points `GROUP`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import INPUTS, Input, shown_puzzle, with_diagnosis
from unidoku.cli.options import Command, Function, flags_of, take
from unidoku.cli.run import formats, run_report, values_checked, write
from unidoku.cli.terminal import signs
from unidoku.declared import Declared, Report
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.options import PARTS, READING, ROW_FORMATS, RUNNING, TABLE, WRITING, Option, common, options_of
from unidoku.run.summary import COUNTS
from unidoku.task import Task, naming_task

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_CODES = "The exit code is 0, or 1 if a record is not a puzzle, 2 after an error."

GROUP = "unidoku.tasks"
"""The group of entry points by which packages declare tasks: ``name = module:Class``."""


_WRITTEN = (*WRITING, "columns", "only")
"""The options of outputs, which stand before those of a declaration."""


def others() -> dict[str, EntryPoint]:
    """Return the tasks that packages declare, by the names of their commands."""
    from importlib.metadata import entry_points  # not at the top: our own commands start faster

    return {each.name: each for each in entry_points(group=GROUP)}


def foreign_command(found: EntryPoint) -> click.Command:
    """Return the command of a task of another package; one that cannot be imported says so when it runs."""
    try:
        task = _checked(found.load())
        command = command_of(task, found.name)
        task()  # so that what is wrong with a default is known now
    except (Exception, SystemExit) as error:  # no package may end the help of all commands
        message = f"task {found.name} of {found.value} cannot be imported: {type(error).__name__}: {error}"

        def fail(**_: Any) -> None:
            raise UnidokuError(message)

        given = click.Argument(["inputs"], nargs=-1, type=click.UNPROCESSED)  # its options are not known
        settings = {"ignore_unknown_options": True}
        return click.Command(found.name, settings, callback=fail, params=[given], help=f"({message})")
    return command


def _checked(task: Any) -> type[Task]:
    if isinstance(task, type) and issubclass(task, Task):
        return task
    raise TypeError(f"{task!r} is no subclass of unidoku.Task")


def declared(name: str) -> type[Declared]:
    """Return the declaration of a command of ours: in `unidoku.tasks`, in the module of its name."""
    module = import_module(f"unidoku.tasks.{name}")
    found = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Declared))
    return next(each for each in found if vars(each).get("name") == name)


def command_of(task: type[Declared], name: str) -> Command:
    """Return the command of a declaration: what it does, if it says so, or a run of the task or report."""
    if own := vars(task).get("command"):  # that of a base class is not what a subclass does
        if not isinstance(own, staticmethod):
            raise TypeError(f"task {name}: command must be a static method")
        if unknown := [each for each in task.common_options if isinstance(each, str) and each not in TABLE]:
            known = ", ".join(TABLE)
            raise TypeError(f"task {name}: no common option is {unknown[0]!r}; choose from: {known}")
        return _command(task, name, task.command, task.common_options)
    if issubclass(task, Report):
        to = [formats(*task.formats)] if len(task.formats) > 1 else []
        return _command(task, name, partial(run_report, task), ("output", *to, *READING))
    assert issubclass(task, Task)
    alone = ("threads", *PARTS) if task.in_order is True else ()  # which cannot be divided
    before: tuple[str, ...] = WRITING
    if "puzzle" not in task.columns:
        before = ("output", "to", "columns", *(["only"] if "verdict" in task.columns else []), *PARTS)
    names = [each for each in (*before, *RUNNING, "as_json") if each not in alone]
    return _command(task, name, partial(_run, task), names)


def _command(
    task: type[Declared],
    name: str,
    function: Function,
    given: Sequence[str | Option],
) -> Command:
    names = [each if isinstance(each, str) else each.name for each in given]
    text = cleandoc(task.__doc__ or "")
    if issubclass(task, Task):
        text += _columns_help(task, with_columns="columns" in names or "puzzle" in task.columns)
    if "exit code" not in text and "empty" in names:
        text += f"\n\n{_CODES}"
    taken = {"inputs", "-h", "--help", *names}
    taken.update(*(flags_of(TABLE[each]) for each in names))
    own = [*options_of(task), *task.command_options]
    for each in own:
        for flag in (each.name, *flags_of(each)):
            if flag in taken:
                raise TypeError(f"task {name}: every command has an option {flag}; choose another name")
    flags = [flag for each in own for both in flags_of(each) for flag in both.split("/")]
    if twice := [flag for flag in flags if flags.count(flag) > 1]:
        raise TypeError(f"task {name}: two parameters have the option {twice[0]}")
    taken.update(flags)
    for needed in (needed for each in own for needed in each.needs):
        if needed.partition(" ")[0] not in taken:
            raise TypeError(f"task {name}: no option of the command is {needed}, which another one needs")

    rows = _columns(task) if issubclass(task, Task) and "puzzle" not in task.columns else {}
    every = [common(each) if isinstance(each, str) else each for each in given]
    every = [rows.get(each.name, each) for each in every]
    written = [each for each in every if each.name in _WRITTEN]
    options = [*written, *own, *(each for each in every if each not in written)]
    return Command(name, function, options, text=text, examples=task.examples, argument=_argument(task))


def _argument(task: type[Declared]) -> click.Argument | None:
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
    with naming_task(task):
        one = task()
    every = dict.fromkeys(("puzzle", "file", "line", *task.columns, "reason", "or columns of the input"))
    absent = ", ".join(one.shown_for(several=False))
    if one.lines is None:
        absent += " and, except for txt, columns of the input"
    else:
        lines = ", ".join(name for name in one.lines if name != "file")
        absent += f" and columns of the input; for txt {lines}"
    columns = common("columns", ", ".join(every), absent=absent)
    return {"to": common("to", ROW_FORMATS), "columns": columns}


def _columns_help(task: type[Task], *, with_columns: bool) -> str:
    """Return what the help of a command says of its columns."""
    own = {each: about for each, (_, about) in task.columns.items() if each != "puzzle" and about}
    if not own or not with_columns:
        return ""
    width = max(map(len, own))
    rows = "\n".join(f"  {each:{width}}  {about}" for each, about in own.items())
    title = "Columns, in formats that have some:" if "puzzle" in task.columns else "Columns:"
    return f"\n\n\b\n{title}\n{rows}"


def _run(task: type[Task], *, inputs: list[Input], output: str, **given: Any) -> int:
    """Run a task over the inputs of its command; return the exit code."""
    from unidoku.run.task import run_file

    values = take(given, (each.name for each in options_of(task)))
    with values_checked(), naming_task(task):
        made = task(**values)
    if unknown := {*(made.told or ())} - {*COUNTS}:
        raise UnidokuError(f"task {task.name}: told has {min(unknown)!r}; choose from: {', '.join(COUNTS)}")
    may_show = made.always_shown or sys.stdout.isatty()
    if may_show and (puzzle := shown_puzzle(inputs, output, given)):
        try:
            text = made.show(puzzle)
        except InvalidPuzzleError as error:
            raise with_diagnosis(error, puzzle) from None
        if text is not None:
            click.echo(text.translate(signs(sys.stdout, values.get("lang", "en"))))
            return 0
    drawn: Any = None if values.get("seed") is not None else getattr(made, "seed", None)
    return write(partial(run_file, made), inputs, output, task=made, drawn=drawn, **given)
