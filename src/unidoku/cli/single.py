"""``unidoku solve``, ``count`` and ``solutions``."""

from __future__ import annotations

import os
import sys

import click

from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid

__all__ = ["count", "solutions", "solve"]

MOST = 1024  # solutions fetched at a time


def puzzle_of(argument: str) -> Grid:
    """The puzzle an argument gives; ``-`` takes it from standard input."""
    return Grid.parse(sys.stdin.read() if argument == "-" else argument)


@click.command()
@click.argument("arguments", nargs=-1, metavar="[PUZZLE or FILE]...")
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Worker threads, for files.")
@click.pass_context
def solve(ctx: click.Context, /, arguments: tuple[str, ...], *, threads: int | None) -> None:
    """Write one solution line per puzzle: of PUZZLEs, of FILEs, or of standard input.

    A puzzle without solution gets the line "none", an invalid one "invalid". Of several solutions the
    first in search order is written. The exit code is 0 when every puzzle has a solution.
    """
    worst = 0
    for argument in arguments or ("-",):
        if argument == "-" or os.path.exists(argument):
            worst = max(worst, _solve_file(argument, threads))
        else:
            worst = max(worst, _solve_puzzle(argument))
    ctx.exit(worst)


def _solve_puzzle(argument: str) -> int:
    import unidoku

    try:
        solution = unidoku.solve(argument)
    except InvalidPuzzleError as error:
        raise UnidokuError(
            f"{_short(argument)!r} is neither a file nor a puzzle ({error.message})"
        ) from error
    click.echo("none" if solution is None else solution.line)
    return 1 if solution is None else 0


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:100]}…"


def _solve_file(path: str, threads: int | None) -> int:
    from unidoku.pipeline import check_file
    from unidoku.pipeline.sinks import SolutionSink

    failures = []

    def failed(error: UnidokuError) -> None:
        failures.append(error)
        click.echo(f"error: {error}", err=True)

    summary = check_file(path, limit=1, threads=threads, output=SolutionSink(), on_failure=failed)
    for reject in summary.rejects:
        click.echo(f"invalid: {reject}", err=True)
    if summary.invalid > len(summary.rejects):
        click.echo(f"invalid: {summary.invalid - len(summary.rejects):,} more lines", err=True)
    if failures:
        return 2
    return 1 if summary.none or summary.invalid else 0


@click.command()
@click.argument("puzzle")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop counting there.")
def count(puzzle: str, limit: int | None) -> None:
    """Write the number of solutions of PUZZLE (- reads it from standard input)."""
    import unidoku

    click.echo(unidoku.count(puzzle_of(puzzle), limit=limit))


@click.command()
@click.argument("puzzle")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Write so many at most.")
def solutions(puzzle: str, limit: int | None) -> None:
    """Write every solution of PUZZLE (- reads it from standard input), while they are found."""
    from unidoku import kernel

    search = kernel.SolutionSearch(bytes(48 + value for value in puzzle_of(puzzle).cells))
    out = sys.stdout.buffer
    size = 1
    while limit is None or limit > 0:
        wanted = size if limit is None else min(size, limit)
        chunk = search.chunk(wanted)
        out.write(b"".join(chunk[i : i + 81] + b"\n" for i in range(0, len(chunk), 81)))
        out.flush()
        if len(chunk) < 81 * wanted:
            return
        if limit is not None:
            limit -= wanted
        size = min(2 * size, MOST)
