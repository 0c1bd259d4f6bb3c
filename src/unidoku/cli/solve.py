"""``unidoku solve``, ``count`` and ``solutions``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.arguments import MAX_COUNT
from unidoku.cli.inputs import PuzzleArgument, PuzzleCommand, each_puzzle, inputs_argument
from unidoku.cli.options import QUIET, ROWS, TEXT, THREADS, Number, reading
from unidoku.cli.run import check_inputs, print_stopped
from unidoku.cli.streams import open_text
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    cancelled_by_interrupt,
    print_message,
    print_rejects,
)
from unidoku.errors import SearchStoppedError
from unidoku.files.formats import output_format
from unidoku.files.output import OutputFile
from unidoku.parallel import Cancel
from unidoku.pipeline.sink import Sink
from unidoku.pipeline.sinks import open_sink, solution_sink

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.base import Batch
    from unidoku.pipeline.results import Results

__all__ = ["count", "solutions", "solve"]

MOST = 1024  # solutions fetched at a time


class CountSink(Sink):
    """Writes the number of solutions of each puzzle to an output, one per line."""

    file: OutputFile

    def __init__(self, output: str) -> None:
        self.file = OutputFile(output).open()  # pyright: ignore[reportIncompatibleVariableOverride]

    def render(self, batch: Batch, results: Results) -> bytes:
        """Return the lines of one batch; ``invalid`` for a record that is not a puzzle."""
        n = len(batch.starts)
        pairs = zip(results.counts[:n], results.complete[:n], strict=True)
        lines = [str(count) if complete else f"{count}+" for count, complete in pairs]
        for k, count in enumerate(results.counts[:n]):
            if count == MAX_COUNT:  # all that fits in 64 bits: or more
                lines[k] = str(unidoku.count(bytes(batch.text[batch.starts[k] : batch.starts[k] + 81])))
        for reject in reversed(batch.rejects):
            lines.insert(reject.before, "invalid")
        return "".join(f"{line}\n" for line in lines).encode()

    def write(self, piece: bytes) -> None:
        """Write the lines of the next batch."""
        self.file.write(piece)

    def close(self) -> None:
        """Finish the output."""
        self.file.close()


def _run(
    inputs: list[Input], output: str, open_output: Callable[[str], Sink], *, quiet: bool, **options: Any
) -> tuple[int, int]:
    """Solve the inputs into an output; the exit code, and the puzzles without solution."""
    sys.stdout.flush()
    if output != "-":
        from unidoku.files.overlap import refuse_overlap

        refuse_overlap(inputs, [output])
    outcome = check_inputs(inputs, quiet=quiet, rows=output == "-", output=open_output(output), **options)
    summary = outcome.summary
    if summary is None:
        return 2, 0
    if not quiet:
        print_rejects(summary.rejects, summary.invalid)
    print_stopped(summary, outcome.failures)
    return outcome.code or min(summary.invalid, 1), summary.none


@click.command(cls=PuzzleCommand)
@inputs_argument()
@ROWS
@THREADS
@reading()
@QUIET
@click.pass_context
def solve(ctx: click.Context, /, inputs: list[Input], *, output: str, to: str | None, **options: Any) -> None:
    """Print the first solution of each puzzle.

    A line per puzzle: 81 digits, "none" if there is no solution, "invalid" if it is no puzzle. Formats other
    than txt have the columns of check.

    The exit code is 0 if every puzzle has a solution, 1 if not, 2 after an error.
    """
    only_solutions = output_format(output, to, rows=True).suffix == ".txt"
    # Rows have a verdict, which a second solution decides.
    limit = 1 if only_solutions else 2
    open_output = solution_sink if only_solutions else partial(open_sink, to=to)
    code, none = _run(inputs, output, open_output, limit=limit, **options)
    ctx.exit(code or min(none, 1))


@click.command(cls=PuzzleCommand)
@inputs_argument()
@click.option(
    "--limit", type=Number(1), metavar="N", help="Stop counting a puzzle at N.  [default: no limit]"
)
@click.option(
    "--budget",
    type=Number(1),
    metavar="GUESSES",
    help="Largest number of guesses for a puzzle.  [default: no budget]",
)
@TEXT
@THREADS
@reading()
@QUIET
@click.pass_context
def count(ctx: click.Context, /, inputs: list[Input], *, output: str, **options: Any) -> None:
    """Print the number of solutions of each puzzle.

    A line per puzzle: the number, "960+" if the budget ended the count at 960, or "invalid" if it is no
    puzzle.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    puzzle = _only_puzzle(inputs) if output == "-" else None
    if puzzle is None or any(options[name] for name in ("limit", "budget", "format", "column", "strict")):
        ctx.exit(_run(inputs, output, CountSink, **options)[0])
    ctx.exit(_count_one(puzzle, threads=options["threads"], quiet=options["quiet"]))


def _only_puzzle(inputs: list[Input]) -> bytes | None:
    """Return the only input, if it is a puzzle of 81 cells on the command line."""
    text = inputs[0].getvalue() if len(inputs) == 1 and isinstance(inputs[0], PuzzleArgument) else b""
    return text if len(text) == 81 else None


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


@click.command(cls=PuzzleCommand)
@inputs_argument()
@click.option(
    "--limit", type=Number(1), metavar="N", help="Print at most N solutions of each puzzle.  [default: all]"
)
@TEXT
@reading()
@click.pass_context
def solutions(
    ctx: click.Context, /, inputs: list[Input], *, limit: int | None, output: str, **options: Any
) -> None:
    """Print every solution of each puzzle as soon as it is found.

    A line per solution: 81 digits. The solutions of one puzzle follow those of the puzzle before it.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.files.overlap import refuse_overlap

    refuse_overlap(inputs, [output])
    with open_text(output) as out:
        code = each_puzzle(inputs, lambda puzzle, _: _write_solutions(puzzle.cells, limit, out), **options)
    ctx.exit(code)


def _write_solutions(cells: str, limit: int | None, out: TextIO) -> None:
    from unidoku import kernel

    search = kernel.SolutionSearch(cells.encode())
    left = MAX_COUNT if limit is None else limit
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
