"""``unidoku solve``, ``count`` and ``solutions``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.arguments import MAX_COUNT
from unidoku.cli.command import command
from unidoku.cli.inputs import each_puzzle, inputs_argument, only_puzzle
from unidoku.cli.options import READING, ROW_FORMATS, RUNNING, options
from unidoku.cli.run import exit_code, print_stopped, run_all
from unidoku.cli.streams import open_text
from unidoku.cli.terminal import INTERRUPTED, Display, cancelled_by_interrupt, print_message, print_rejects
from unidoku.errors import SearchStoppedError
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.run.summary import Summary

MOST = 1024  # solutions fetched at a time
_WAYS = ("format", "column", "strict")  # options that say how to read the puzzle


def _run(inputs: list[Input], output: str, *, quiet: bool, **options: Any) -> Summary:
    """Solve the inputs into an output."""
    from unidoku.run.start import stage_file

    sys.stdout.flush()
    done = run_all(stage_file, inputs, output, quiet=quiet, **options)
    if not quiet:
        print_rejects(done.rejects, done.invalid)
    print_stopped(done)
    return done


@command("unidoku solve puzzles.txt -o solved.txt", "unidoku solve puzzles.txt --to csv")
@inputs_argument
@options("output", "to", *RUNNING, to=ROW_FORMATS)
def solve(inputs: list[Input], *, output: str, to: str | None, **options: Any) -> int:
    """Print the first solution of each puzzle.

    A line per puzzle: 81 digits, "none" if there is no solution, "invalid" if it is no puzzle. Formats other
    than txt have the columns of check. On a terminal, the solution of one PUZZLE is drawn.

    The exit code is 0 if every puzzle has a solution, 1 if not, 2 after an error.
    """
    from unidoku.files.formats import output_format
    from unidoku.run.check import Check, Solve

    puzzle = only_puzzle(inputs, output != "-", to, *(options[way] for way in _WAYS))
    if puzzle and sys.stdout.isatty() and (solution := unidoku.solve(puzzle)) is not None:
        click.echo(solution)
        return 0
    only_solutions = output_format(output, to, rows=True).suffix == ".txt"
    done = _run(inputs, output, stage=Solve() if only_solutions else Check(), to=to, **options)
    return exit_code(done) or int(done.invalid + done.none > 0)


@command(
    "unidoku count puzzles.txt --limit 1000",
    "unidoku count puzzles.txt --budget 10000 -o counts.txt",
)
@inputs_argument
@options(
    *("limit", "budget", "output", *RUNNING),
    limit={"absent": "all"},
    budget={"of": "guesses for a puzzle", "metavar": "GUESSES"},
)
def count(
    inputs: list[Input], *, limit: int | None, budget: int | None, output: str, quiet: bool, **options: Any
) -> int:
    """Print the number of solutions of each puzzle.

    A line per puzzle: the number, "960+" if the budget ended the count at 960, or "invalid" if it is no
    puzzle.
    """
    from unidoku.run.check import Count

    puzzle = only_puzzle(inputs, output != "-", limit, budget, *(options[way] for way in _WAYS))
    if puzzle is None:
        done = _run(inputs, output, stage=Count(limit, budget), to="txt", quiet=quiet, **options)
        return exit_code(done) or min(done.invalid, 1)
    cancel = Cancel()
    with Display(quiet=quiet) as display, cancelled_by_interrupt(cancel):
        try:
            number = unidoku.count(puzzle, threads=options["threads"], cancel=cancel, progress=display.part)
        except SearchStoppedError:
            display.stop()
            print_message("stopped: the solutions are not counted")
            return INTERRUPTED
    click.echo(number)
    return 0


@command("unidoku solutions puzzles.txt -n 3", "unidoku solutions puzzles.txt -o solutions.txt")
@inputs_argument
@options("count", "output", *READING, count={"of": "solutions of each puzzle", "absent": "all"})
def solutions(inputs: list[Input], *, count: int | None, output: str, **options: Any) -> int:
    """Print every solution of each puzzle.

    Each is printed as soon as it is found. A line per solution: 81 digits. The solutions of one puzzle follow
    those of the puzzle before it.
    """
    with open_text(output, inputs) as out:
        return each_puzzle(inputs, lambda puzzle, _: _write_solutions(puzzle.cells, count, out), **options)


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
