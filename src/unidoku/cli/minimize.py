"""``unidoku minimize``: puzzles without redundant clues."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import SEED, input_output, run
from unidoku.cli.inputs import PuzzleCommand, each_puzzle, inputs_of
from unidoku.cli.options import QUIET, THREADS, Number, reading

__all__ = ["command"]


@click.command("minimize", cls=PuzzleCommand, short_help="Remove redundant clues of puzzles.")
@input_output
@SEED
@click.option("--all", "every", is_flag=True, help="Print all minimal puzzles within each puzzle.")
@click.option("--limit", type=Number(1), metavar="N", help="With --all: at most N per puzzle.")
@THREADS
@reading()
@QUIET
@click.pass_context
def command(
    ctx: click.Context, /, arguments: tuple[str, ...], *, every: bool, limit: int | None, **options: Any
) -> None:
    """Remove redundant clues of proper puzzles, in an order drawn by the seed.

    No clue of a puzzle written can be removed. The last of several arguments is OUTPUT, in the format of
    its suffix; without it, puzzles go to standard output, one per line, as they always do with --all.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    if limit is not None and not every:
        raise click.UsageError("--limit needs --all")
    if not every:
        from unidoku.craft.files import minimize_file

        ctx.exit(run(minimize_file, arguments, **options))
    from unidoku.craft.minimize import minimal_puzzles

    if any(options[name] for name in ("to", "bare", "threads", "resume", "cluster", "shard_bytes")):
        raise click.UsageError(
            "--all takes none of --to, --bare, --threads, --resume, --cluster and --shard-bytes"
        )

    def print_all(puzzle: Any, _: bool) -> None:
        for grid in minimal_puzzles(puzzle.cells, limit):
            click.echo(grid.line)

    names = ("format", "column", "strict", "max_ratio", "max_size")
    ctx.exit(each_puzzle(inputs_of(arguments), print_all, **{name: options[name] for name in names}))
