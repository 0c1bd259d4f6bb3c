"""The commands that make many puzzles by seed or from a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command, take, values_checked
from unidoku.cli.inputs import announce_standard_input, inputs_argument, inputs_of, refuse_empty
from unidoku.cli.options import PARTS, READING, REQUEST, WRITING, options
from unidoku.cli.run import used_seed, write
from unidoku.cli.terminal import cancelled_by_interrupt, counted, print_error, print_message
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from collections.abc import Callable

    from unidoku.cli.inputs import Input
    from unidoku.run.summary import Summary


def _make(work: Callable[..., Summary], output: str, **options: Any) -> Summary:
    """Write puzzles while they are found; Ctrl-C keeps those that are."""
    cancel = Cancel()
    with cancelled_by_interrupt(cancel):
        done = work(output=output, cancel=cancel, **options)
    if cancel:
        raise KeyboardInterrupt
    return done


def _in_parts(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options for parts out of the options of a command; return those that are given."""
    return {name: value for name, value in take(options, PARTS).items() if value}


@command(
    "unidoku generate -n 100 --seed 1 --clues 24-28 -o new.txt",
    "unidoku generate -n 3 --rating 3.0-4.4 --solutions --to csv",
)
@options(
    *("count", "seed", *REQUEST, "attempts", "budget", "solutions", *WRITING, "threads", "quiet"),
    count="puzzles",
    budget={"of": "attempts in all", "metavar": "ATTEMPTS"},
)
def generate(
    output: str,
    *,
    count: int | None,
    seed: int | None,
    attempts: tuple[int, int] | None,
    budget: int | None,
    solutions: bool,
    to: str | None,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Write new proper puzzles.

    Without -n, one puzzle is written. Without --clues, clues are removed as long as the puzzle stays proper,
    with --symmetry in symmetric sets. With --resume, an attempt counts as 82 bytes of input.

    Formats with columns also have er, ep, ed, technique and difficulty of each puzzle, as rate writes them,
    unless --bare is given. --rating, --difficulty and --technique choose by them; --class, --steps, --level,
    --first-steps and --first-level choose by the other measures of rate.

    The exit code is 0, 1 if fewer puzzles than asked for were found, 2 after an error.
    """
    from unidoku.commands import generate_file
    from unidoku.craft.generate import BudgetError
    from unidoku.craft.request import Request
    from unidoku.files.base import Attempts
    from unidoku.run.change import Generate
    from unidoku.run.given import has_columns, solution_column
    from unidoku.run.start import stage_file

    with values_checked():
        request = Request(**take(options, REQUEST))
    in_parts = _in_parts(options)
    if in_parts and attempts is None:
        raise click.UsageError(f"--{next(iter(in_parts)).replace('_', '-')} needs --attempts.")
    first = 0
    if attempts is not None:
        if count is not None or budget is not None:
            raise click.UsageError("--attempts takes neither -n nor --budget.")
        first, last = attempts
        if last < first:
            raise click.UsageError(f"--attempts: the first attempt, {first}, is after the last, {last}.")
        budget = last - first + 1
    elif count is None:
        count = 1
    seed = used_seed(seed, quiet=quiet, resume="resume" in in_parts)
    if in_parts:
        column = solution_column(output, to) if solutions else None
        stage = Generate(request, seed, first, column, ratings=not bare and has_columns(output, to))
        options |= {"stage": stage, "to": to, "may_be_empty": True, "quiet": quiet, **in_parts}
        return write(stage_file, [Attempts(0, budget or 0)], output, **options)
    asked: dict[str, Any] = {
        "request": request,
        "count": count,
        "seed": seed,
        "first": first,
        "budget": budget,
    }
    try:
        done = _make(generate_file, output, solutions=solutions, ratings=not bare, to=to, **asked, **options)
    except BudgetError as error:
        print_error(error)
        return 1
    if not quiet and output != "-":
        print_message(counted(done.written, "puzzle"))
    return 0


@command(
    "unidoku neighbours few.txt -o near.txt",
    "unidoku neighbours few.txt --remove 2 --add 1 --to csv",
)
@inputs_argument
@options("remove", "add", "output", "to", "bare", *PARTS, "threads", *READING)
def neighbours(
    inputs: list[Input], *, remove: int, add: int, output: str, to: str | None, bare: bool, **options: Any
) -> int:
    """Write the proper puzzles near a puzzle.

    These are what it becomes when N clues are removed and M added. No two puzzles written are images of each
    other under the symmetry group; with --resume, --cluster or --part-bytes, neighbours of different puzzles
    may be, until dedupe --by canonical. Formats with columns also have er, ep, ed, technique and difficulty
    of each new puzzle, as rate writes them, unless --bare is given.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.commands import neighbours_file
    from unidoku.run.change import Neighbours
    from unidoku.run.given import has_columns
    from unidoku.run.start import stage_file

    options["to"] = to
    in_parts = _in_parts(options)
    with values_checked():
        if in_parts:
            stage = Neighbours(remove, add, ratings=not bare and has_columns(output, to))
            return write(stage_file, inputs, output, stage=stage, may_be_empty=True, **in_parts, **options)
        announce_standard_input(inputs)
        asked = {"remove": remove, "add": add, "ratings": not bare}
        done = _make(neighbours_file, output, inputs=inputs, **asked, **options)
    refuse_empty(done.puzzles, inputs)
    if output != "-":
        print_message(counted(done.written, "puzzle"))
    return 0


@command("unidoku series --seed 1 -o series.txt", "unidoku series --seed 1 --group 64")
@click.argument("results", nargs=-1, metavar="[GRID|FILE]...")
@options("seed", "number", "group", "output", "to", "comment", "find", *READING)
def series(
    results: tuple[str, ...],
    *,
    seed: int | None,
    number: int | None,
    group: int | None,
    output: str,
    to: str | None,
    comment: bool,
    find: str | None,
    **options: Any,
) -> int:
    """Write a series of puzzles from results.

    There is one puzzle from each result, and 63 images of each of these. Puzzles are numbered by group: of 36
    results, puzzles 36(g - 1) + 1 to 36g are group g, 2304 in all. Without results, 36 random ones are made
    by the seed.

    The exit code is 0, or 1 if PUZZLE is not in the series, 2 after an error.
    """
    from unidoku.craft.series import Series
    from unidoku.errors import UnidokuError
    from unidoku.files.inputs import read_puzzles
    from unidoku.run.given import puzzle_writer

    if sum(each is not None for each in (number, group, find)) > 1:
        raise click.UsageError("Give one of --number, --group and --find.")
    seed = used_seed(seed)
    if results:
        grids = []
        for puzzle in read_puzzles(inputs_of(results), **options):
            if isinstance(puzzle, UnidokuError):
                raise puzzle
            grids.append(puzzle.cells)
        puzzles = Series.from_results(grids, seed=seed)
    else:
        puzzles = Series.generate(seed=seed)
    if find is not None:
        found = puzzles.find(find)
        if found is None:
            click.echo("not in the series", err=True)
            return 1
        click.echo("number {}, group {}, place {}".format(found, *puzzles.position(found)))
        return 0
    with values_checked():
        numbers: Any = range(1, len(puzzles) + 1)
        if number is not None:
            puzzles.position(number)
            numbers = [number]
        elif group is not None:
            first = puzzles.number(group, 1)
            numbers = range(first, first + len(puzzles) // 64)
    about = {"command": "series", "seed": seed, "number": number, "group": group}
    with puzzle_writer(output, about, to=to, comment=comment) as put:
        put(puzzles.rows()[[each - 1 for each in numbers]])
    return 0
