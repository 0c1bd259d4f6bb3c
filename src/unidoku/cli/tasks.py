"""The command of a task: its options from its fields, its columns and its help from the declaration.

The tasks of other packages are found by the group of entry points `GROUP`.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import Input, only_puzzle, with_diagnosis
from unidoku.cli.options import (
    PARTS,
    ROW_FORMATS,
    RUNNING,
    WRITING,
    Command,
    command,
    option_from,
    options,
    row_of,
    take,
)
from unidoku.cli.run import write
from unidoku.cli.terminal import Messages, signs
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.options import options_of
from unidoku.task import Task

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "unidoku.tasks"
"""The group of entry points by which packages declare tasks: ``name = module:Class``."""


def others() -> dict[str, EntryPoint]:
    """Return the tasks that packages declare, by the names of their commands."""
    from importlib.metadata import entry_points  # not at the top: our own commands start faster

    return {each.name: each for each in entry_points(group=GROUP)}


def command_of(found: EntryPoint) -> click.Command:
    """Return the command of a task of another package; one that cannot be imported says so when it runs."""
    try:
        return task_command(found.load(), found.name)
    except Exception as error:
        message = f"task {found.name} of {found.value} cannot be imported: {type(error).__name__}: {error}"

        def fail(**_: Any) -> None:
            raise UnidokuError(message)

        argument = click.Argument(["inputs"], nargs=-1)
        return click.Command(found.name, callback=fail, params=[argument], help=f"({message})")


def task_of(name: str) -> type[Task]:
    """Return the task of a command of ours: in `unidoku.tasks`, in the module of its name."""
    module = import_module(f"unidoku.tasks.{name}")
    found = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Task))
    return next(each for each in found if vars(each).get("name") == name)


def task_command(task: type[Task], name: str) -> Command:
    """Return the command of a task."""
    if not (isinstance(task, type) and issubclass(task, Task)):
        raise TypeError(f"{task!r} is no subclass of unidoku.Task")
    declared = options_of(task)
    replaces = "puzzle" in task.columns
    alone = ("threads", *PARTS) if task.in_order is True else ()  # which cannot be divided
    common: tuple[str, ...] = tuple(name for name in (*RUNNING, "as_json") if name not in alone)
    changes: dict[str, Any] = {}
    if replaces:
        before: tuple[str, ...] = tuple(name for name in WRITING if name not in alone)
    else:
        before = ("output", "to", "columns", *(["only"] if "verdict" in task.columns else []), *PARTS)
        default = task().shown
        shown = task.columns if default is None else default
        changes["to"] = ROW_FORMATS
        changes["columns"] = {
            "of": ", ".join(("puzzle", "file", "line", *task.columns, "reason", "or columns of the input")),
            "absent": ", ".join(("puzzle", *shown, "reason and, not for txt, columns of the input")),
        }
    if any(each.name in (*before, *common) for each in declared):
        taken = next(each.name for each in declared if each.name in (*before, *common))
        raise TypeError(f"task {task.name}: every command has an option {taken}; choose another name")

    def run(inputs: list[Input], **given: Any) -> int:
        return _run(task, inputs, **given)

    run.__name__ = name
    run.__doc__ = _help(task)
    function, common_options = options(*before, *common, **changes)(run)

    def made() -> list[click.Option]:
        every = {str(each.name): each for each in common_options()}
        own = [option_from(each.name, row_of(each), {}) for each in declared]
        return [*(every[each] for each in before), *own, *(every[each] for each in common)]

    return command(*task.examples)((function, made))()


def _help(task: type[Task]) -> str:
    """Return the docstring, with the columns."""
    text = cleandoc(task.__doc__ or "")
    own = {each: about for each, (_, about) in task.columns.items() if each != "puzzle" and about}
    if own:
        width = max(map(len, own))
        rows = "\n".join(f"  {each:{width}}  {about}" for each, about in own.items())
        title = "Columns, in formats that have some:" if "puzzle" in task.columns else "Columns:"
        text += f"\n\n\b\n{title}\n{rows}"
    return text


def _run(task: type[Task], inputs: list[Input], *, output: str, **given: Any) -> int:
    """Run a task over the inputs of its command; return the exit code."""
    from unidoku.run.task import run_file

    values = take(given, [each.name for each in options_of(task)])
    try:
        made = task(**values)
    except UnidokuError as error:
        said = str(error)
        raise click.UsageError(f"{said[:1].upper()}{said[1:]}.") from None
    if puzzle := _one_shown(task, inputs, output, given):
        try:
            text = made.show(puzzle)
        except InvalidPuzzleError as error:
            raise with_diagnosis(error, puzzle) from None
        if text is not None:
            click.echo(text.translate(signs(sys.stdout, values.get("lang", "en"), False)))
            return 0
    drawn: Any = None if values.get("seed") is not None else getattr(made, "seed", None)
    words = Messages(values.get("lang", "en"))
    more: dict[str, Any] = {"told": task.told, "makes": made.replaces, "drawn": drawn, "words": words}
    return write(partial(run_file, made), inputs, output, **more, **given)


def _one_shown(task: type[Task], inputs: list[Input], output: str, given: dict[str, Any]) -> bytes | None:
    """Return the only puzzle of a command, if it is to be shown and no form of rows is asked for."""
    asked = (given.get(name) for name in ("to", "columns", "only", "column", "as_json"))
    is_shown = task.always_shown or sys.stdout.isatty()
    return only_puzzle(inputs, output != "-", *asked) if is_shown else None
