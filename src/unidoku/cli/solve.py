"""``unidoku solve``, ``count`` and ``solutions``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.arguments import MAX_COUNT
from unidoku.cli.command import command
from unidoku.cli.inputs import each_puzzle, inputs_argument, only_puzzle
from unidoku.cli.options import READING, ROW_FORMATS, options
from unidoku.cli.run import print_stopped, run_inputs
from unidoku.cli.streams import open_text
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    cancelled_by_interrupt,
    print_message,
    print_rejects,
)
from unidoku.errors import SearchStoppedError
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.run.stage import Stage

__all__ = ["count", "solutions", "solve"]

MOST = 1024  # solutions fetched at a time


def _run(
    inputs: list[Input], output: str, stage: Stage, *, quiet: bool, to: str | None = None, **options: Any
) -> tuple[int, int]:
    """Solve the inputs into an output; the exit code, and the puzzles without solution."""
    from unidoku.run.options import RunOptions

    sys.stdout.flush()
    settings = {"to": to, "threads": options.pop("threads")}
    outcome = run_inputs(inputs, output, RunOptions(stage=stage, **options), quiet=quiet, **settings)
    summary = outcome.summary
    if summary is None:
        return 2, 0
    if not quiet:
        print_rejects(summary.rejects, summary.invalid)
    print_stopped(summary, outcome.failures)
    return outcome.code or min(summary.invalid, 1), summary.none


@command("solve", "unidoku solve puzzles.txt -o solved.txt", "unidoku solve puzzles.txt --to csv")
@inputs_argument()
@options("output", "to", "threads", *READING, "quiet", to=ROW_FORMATS)
@click.pass_context
def solve(ctx: click.Context, /, inputs: list[Input], *, output: str, to: str | None, **options: Any) -> None:
    """Print the first solution of each puzzle.

    A line per puzzle: 81 digits, "none" if there is no solution, "invalid" if it is no puzzle. Formats other
    than txt have the columns of check. On a terminal, the solution of one PUZZLE is drawn.

    The exit code is 0 if every puzzle has a solution, 1 if not, 2 after an error.
    """
    from unidoku.files.formats import output_format
    from unidoku.run.check import Check, Solve

    puzzle = _asked(inputs, output, options) if to is None and sys.stdout.isatty() else None
    if puzzle is not None and (solution := unidoku.solve(puzzle)) is not None:
        click.echo(solution)
        return
    only_solutions = output_format(output, to, rows=True).suffix == ".txt"
    code, none = _run(inputs, output, Solve() if only_solutions else Check(), to=to, **options)
    ctx.exit(code or min(none, 1))


@command(
    "count",
    "unidoku count puzzles.txt --limit 1000",
    "unidoku count puzzles.txt --budget 10000 -o counts.txt",
)
@inputs_argument()
@options(
    *("limit", "budget", "output", "threads", *READING, "quiet"),
    limit={"absent": "all"},
    budget={"of": "guesses for a puzzle", "metavar": "GUESSES"},
)
@click.pass_context
def count(ctx: click.Context, /, inputs: list[Input], *, output: str, **options: Any) -> None:
    """Print the number of solutions of each puzzle.

    A line per puzzle: the number, "960+" if the budget ended the count at 960, or "invalid" if it is no
    puzzle.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.run.check import Count

    puzzle = _asked(inputs, output, options)
    if puzzle is None:
        stage = Count(options.pop("limit"), options.pop("budget"))
        ctx.exit(_run(inputs, output, stage, to="txt", **options)[0])
    ctx.exit(_count_one(puzzle, threads=options["threads"], quiet=options["quiet"]))


def _asked(inputs: list[Input], output: str, options: dict[str, Any]) -> bytes | None:
    """Return the one puzzle that is asked about on the command line, unless options say how to read it."""
    ways = ("limit", "budget", "format", "column", "strict")
    return None if output != "-" or any(options.get(way) for way in ways) else only_puzzle(inputs)


def _count_one(puzzle: bytes, *, threads: int | None, quiet: bool) -> int:
    """Print the number of solutions of one puzzle, which may take seconds; the exit code."""
    cancel = Cancel()
    with Display(quiet=quiet) as display, cancelled_by_interrupt(cancel):
        try:
            number = unidoku.count(puzzle, threads=threads, cancel=cancel, progress=display.part)
        except SearchStoppedError:
            display.stop()
            print_message("stopped: the solutions are not counted")
            return INTERRUPTED
    click.echo(number)
    return 0


@command("solutions", "unidoku solutions puzzles.txt -n 3", "unidoku solutions puzzles.txt -o solutions.txt")
@inputs_argument()
@options("count", "output", *READING, count={"of": "solutions of each puzzle", "absent": "all"})
@click.pass_context
def solutions(
    ctx: click.Context, /, inputs: list[Input], *, count: int | None, output: str, **options: Any
) -> None:
    """Print every solution of each puzzle.

    Each is printed as soon as it is found. A line per solution: 81 digits. The solutions of one puzzle follow
    those of the puzzle before it.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    with open_text(output, inputs) as out:
        code = each_puzzle(inputs, lambda puzzle, _: _write_solutions(puzzle.cells, count, out), **options)
    ctx.exit(code)


def _write_solutions(cells: str, count: int | None, out: TextIO) -> None:
    from unidoku import kernel

    search = kernel.SolutionSearch(cells.encode())
    left = MAX_COUNT if count is None else count
    size = 1
    while left > 0:
        size = min(size, left)
        chunk = search.chunk(size)
        digits = chunk.decode()
        out.writelines(f"{digits[i : i + 81]}\n" for i in range(0, len(digits), 81))
        out.flush()
        if len(chunk) < 81 * size:
            return
        left -= size
        size = min(2 * size, MOST)
