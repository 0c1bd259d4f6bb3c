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
@click.option("--fewest", is_flag=True, help="Print a minimal puzzle with the fewest clues for each puzzle.")
@click.option("--budget", type=Number(1), metavar="N", help="With --fewest: at most N branches per puzzle.")
@THREADS
@reading()
@QUIET
@click.pass_context
def command(
    ctx: click.Context,
    /,
    arguments: tuple[str, ...],
    *,
    every: bool,
    limit: int | None,
    fewest: bool,
    budget: int | None,
    **options: Any,
) -> None:
    """Remove redundant clues of proper puzzles, in an order drawn by the seed.

    No clue of a puzzle written can be removed. The last of several arguments is OUTPUT, in the format of
    its suffix; without it, puzzles go to standard output, one per line, as they always do with --all and
    --fewest.

    --fewest searches for the fewest clues that suffice. If the budget is used up, the best puzzle found is
    printed, and a message on standard error gives the number of clues that no puzzle can have less than.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    if limit is not None and not every:
        raise click.UsageError("--limit needs --all")
    if budget is not None and not fewest:
        raise click.UsageError("--budget needs --fewest")
    if every and fewest:
        raise click.UsageError("--all and --fewest exclude each other")
    if not every and not fewest:
        from unidoku.craft.files import minimize_file

        ctx.exit(run(minimize_file, arguments, **options))
    options_of_files = ("to", "bare", "comment", "threads", "resume", "cluster", "shard_bytes")
    if any(options[name] for name in options_of_files):
        refused = ", ".join(f"--{name.replace('_', '-')}" for name in options_of_files)
        raise click.UsageError(f"--all and --fewest take none of {refused}")
    from unidoku.craft.fewest import fewest_clues
    from unidoku.craft.minimize import minimal_puzzles

    def print_all(puzzle: Any, _: bool) -> None:
        for grid in minimal_puzzles(puzzle.cells, limit):
            click.echo(grid.line)

    def print_fewest(puzzle: Any, _: bool) -> None:
        found = fewest_clues(puzzle.cells, budget=budget, seed=options["seed"])
        click.echo(found.grid.line)
        if not found.complete and not options["quiet"]:
            click.echo(
                f"{found.grid.clue_count} clues; at least {found.at_least} are needed; the budget is used up",
                err=True,
            )

    names = ("format", "column", "strict", "max_ratio", "max_size")
    ctx.exit(
        each_puzzle(
            inputs_of(arguments),
            print_all if every else print_fewest,
            **{name: options[name] for name in names},
        )
    )
