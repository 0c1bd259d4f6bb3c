"""``unidoku minimize``: puzzles without redundant clues."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import SEED, puzzles_to_puzzles, used_seed, write
from unidoku.cli.inputs import Input, PuzzleCommand, each_puzzle
from unidoku.cli.options import QUIET, THREADS, Number, reading

__all__ = ["command"]


@click.command("minimize", cls=PuzzleCommand, short_help="Remove redundant clues of puzzles.")
@puzzles_to_puzzles
@SEED
@click.option("--all", "every", is_flag=True, help="Write all minimal puzzles within each puzzle.")
@click.option("--limit", type=Number(1), metavar="N", help="With --all: at most N per puzzle.")
@click.option("--fewest", is_flag=True, help="Write a minimal puzzle with the fewest clues for each puzzle.")
@click.option("--budget", type=Number(1), metavar="N", help="With --fewest: at most N branches per puzzle.")
@THREADS
@reading()
@QUIET
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    output: str,
    every: bool,
    limit: int | None,
    fewest: bool,
    budget: int | None,
    **options: Any,
) -> None:
    """Remove redundant clues of proper puzzles, in an order drawn by the seed.

    No clue of a puzzle written can be removed. With --all and --fewest, columns are not written.

    --fewest searches for the fewest clues that suffice. If the budget is used up, the best puzzle found is
    written, and a message on standard error gives the number of clues that no puzzle can have less than.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    if limit is not None and not every:
        raise click.UsageError("--limit needs --all")
    if budget is not None and not fewest:
        raise click.UsageError("--budget needs --fewest")
    if every and fewest:
        raise click.UsageError("--all and --fewest exclude each other")
    if not every:
        options["seed"] = used_seed(options["seed"], quiet=options["quiet"], resume=options["resume"])
    if not every and not fewest:
        from unidoku.craft.files import minimize_file

        ctx.exit(write(minimize_file, inputs, output, **options))
    refused = ("bare", "threads", "resume", "cluster", "shard_bytes")
    if any(options.pop(name) for name in refused):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in refused)
        raise click.UsageError(f"--all and --fewest take none of {names}")
    import numpy as np

    from unidoku.craft.fewest import fewest_clues
    from unidoku.craft.files import puzzle_writer
    from unidoku.craft.minimize import minimal_puzzles
    from unidoku.files.overlap import refuse_overlap

    refuse_overlap(inputs, [output])
    seed, quiet = options.pop("seed"), options.pop("quiet")
    about: dict[str, Any] = {"command": "minimize", "all": every, "fewest": fewest}
    about |= {"limit": limit} if every else {"budget": budget, "seed": seed}

    def write_all(puzzle: Any, _: bool) -> None:
        for grid in minimal_puzzles(puzzle.cells, limit):
            put(np.frombuffer(grid.cells, np.uint8).reshape(1, 81))

    def write_fewest(puzzle: Any, _: bool) -> None:
        found = fewest_clues(puzzle.cells, budget=budget, seed=seed)
        put(np.frombuffer(found.grid.cells, np.uint8).reshape(1, 81))
        if not found.complete and not quiet:
            click.echo(
                f"{found.grid.clue_count} clues; at least {found.at_least} are needed; the budget is used up",
                err=True,
            )

    with puzzle_writer(output, about, to=options.pop("to"), comment=options.pop("comment")) as put:
        code = each_puzzle(inputs, write_all if every else write_fewest, **options)
    ctx.exit(code)
