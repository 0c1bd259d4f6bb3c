"""The task `series`: the puzzles of a series.

`unidoku.craft.series` makes the series.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import click

from unidoku import kernel
from unidoku.arguments import seed_of
from unidoku.cli.call import Call
from unidoku.cli.command import Command, to_option
from unidoku.cli.inputs import puzzles_of
from unidoku.cli.run import CommandResult, report_format
from unidoku.cli.terminal import open_text, print_message, refuse_terminal
from unidoku.columns import ColumnSpec
from unidoku.craft.series import TRANSFORMATIONS, Series
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.files.inputs import MemoryInput
from unidoku.grid import Grid
from unidoku.options import LANG, POSITIVE, READING, CommandOptions, Whole, complete_file, option
from unidoku.runner.run import run
from unidoku.runner.summary import Summary
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task, Work
from unidoku.tasks.print import SHEETS, write_sheets
from unidoku.tasks.shared import SEED
from unidoku.tasks.single import solve
from unidoku.threads import Cancel
from unidoku.view.sheets import PrintedPuzzle
from unidoku.words import say, table


class SeriesTask(Task):
    """Write a series of puzzles made from full grids.

    Each full grid is the solution of a puzzle. The series has these puzzles, and 63 symmetric copies of each.
    They are numbered by group: with 36 full grids, group g has the puzzles 36(g - 1) + 1 to 36g, 2304 in all.
    Without full grids, the seed makes 36 random grids.

    HTML and PDF output are pages to print, with all solutions at the end. Every puzzle has its number, its
    group and its place in the group.

    The exit code is 0, or 1 if PUZZLE is not in the series, 2 after an error.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {"puzzle": ColumnSpec("cells", "")}
    seed: int | None = SEED.field()
    number: int | None = option(None, "Write puzzle N only.", POSITIVE)
    group: int | None = option(None, "Write the puzzles of group G only.", Whole(1, 64), metavar="G")

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Return the puzzles: the input has them."""
        yield ResultBatch(batch, {"puzzle": batch.puzzles()})


def _print(series: Series, numbers: range, output: str, *, lang: str, **options: Any) -> None:
    """Write puzzles of a series on pages to print, with their results at the end."""
    words = table(lang)["sheets"]
    refuse_terminal(output, "a page")

    def puzzle(number: int) -> PrintedPuzzle:
        (group, place), grid = series.position(number), series.puzzle(number)
        heading, name = words["group"].format(group=group), words["place"].format(group=group, place=place)
        return PrintedPuzzle(grid, name, solution=solve(grid), number=number, group=heading)

    with open_text(output, ()) as file:
        write_sheets([*map(puzzle, numbers)], file, answers=words["results"], lang=lang, **options)


def _of_inputs(inputs: Sequence[Any], seed: int, **reading: Any) -> Series:
    """Make a series from full grids; the error about another puzzle names its place."""
    puzzles = puzzles_of(inputs, **reading)
    try:
        return Series.of_grids([Grid(puzzle.cells).cells for puzzle in puzzles], seed=seed)
    except InvalidPuzzleError as error:
        if error.index is not None:
            error.at(puzzles[error.index].source, puzzles[error.index].line)
        raise


def _format(context: click.Context, _: click.Parameter, to: str | None) -> str | None:
    """Return ``html`` or ``pdf`` if ``--to`` or the output's name says so."""
    return report_format(to or os.path.splitext(context.params["output"])[1], ["html", "pdf"]) or to


class _SeriesOptions(CommandOptions):
    find: str | None = option(None, "Print the number, the group and the place of PUZZLE.", metavar="PUZZLE")
    lang: str = LANG.field()
    per_page: int = SHEETS["per_page"].field(default=12, show_default=True)
    answers_per_page: int | None = SHEETS["answers_per_page"].field()
    paper: str | tuple[float, float] = SHEETS["paper"].field()
    margin: float = SHEETS["margin"].field()
    title: str | None = SHEETS["title"].field()
    name_line: bool = SHEETS["name_line"].field()
    book: bool = SHEETS["book"].field()


def _found(series: Series, puzzle: str, seed: int) -> CommandResult:
    """Return the place of a puzzle in a series."""
    match = series.find(puzzle)
    if match is None:
        print_message(say("not in the series"))
        return CommandResult(is_right=False, rows=[None], seed=seed)
    group, place = series.position(match)
    position = {"number": match, "group": group, "place": place}
    text = say("number {number}, group {group}, place {place}", **position)
    return CommandResult(text=[text], rows=[position], seed=seed)


def command(call: Call) -> CommandResult:
    """Write a series of puzzles, or a page of them, or print the position of a puzzle."""
    task, own, output, to = call.about, call.own, call.output, call.options.to
    if sum(value is not None for value in (task.number, task.group, own.find)) > 1:
        raise click.UsageError(Message("--number, --group and --find cannot be combined; choose one"))
    seed = seed_of(task.seed)
    if call.inputs:
        series = _of_inputs(call.inputs, seed, **call.reading)
    else:
        series = Series.generate(seed=seed)
    if own.find is not None:
        return _found(series, own.find, seed)
    numbers = range(1, len(series) + 1)
    if task.number is not None:
        series.position(task.number)
        numbers = range(task.number, task.number + 1)
    elif task.group is not None:
        size = len(series) // len(TRANSFORMATIONS)
        numbers = range(size * (task.group - 1) + 1, size * task.group + 1)
    if to in {"html", "pdf"}:
        if call.show.json and output == "-":
            raise click.UsageError(
                Message("--json prints a summary, not the page or picture; add --output PATH")
            )
        paper = {name: getattr(own, name) for name in SHEETS}
        _print(series, numbers, output, lang=own.lang, pdf=to == "pdf", **paper)
        summary = Summary(puzzles=len(numbers), written=len(numbers), isa=kernel.isa())
    else:
        rows, writing = call.rows
        values = series.values()[81 * numbers.start - 81 : 81 * numbers.stop - 81]
        puzzles = MemoryInput([values], len(numbers))
        summary = run(replace(task, seed=seed), puzzles, rows, to=writing.to)
    if task.number is not None and output == "-":
        fields = None
    else:
        fields = {"files": [], "seed": seed}
    return CommandResult(summary, fields=fields, seed=seed)


COMMAND = Command(
    SeriesTask,
    examples=(
        "unidoku series --seed 1 -o series.txt",
        "unidoku series --seed 1 --group 64 -o group64.html",
    ),
    function=command,
    own=_SeriesOptions,
    options=("output", to_option("html", "pdf", rows=False).replace(callback=_format), *READING),
    argument=click.Argument(["inputs"], nargs=-1, metavar="[GRID|FILE]...", shell_complete=complete_file),
)
