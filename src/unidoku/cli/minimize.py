"""``unidoku minimize``: puzzles without redundant clues."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.command import command
from unidoku.cli.craft import used_seed, write
from unidoku.cli.inputs import Input, each_puzzle, inputs_argument
from unidoku.cli.options import PARTS, PUZZLE_FORMATS, READING, options
from unidoku.cli.terminal import print_message

__all__ = ["minimize"]


@command(
    "minimize",
    "unidoku minimize puzzles.txt -o minimal.txt --seed 1",
    "unidoku minimize puzzles.txt --all -n 2",
)
@inputs_argument()
@options(
    *("output", "to", "bare", "comment", *PARTS, "seed", "every", "count", "fewest", "budget"),
    *("threads", *READING, "quiet"),
    to=PUZZLE_FORMATS,
    count="of the minimal puzzles within each puzzle, with --all,",
    budget={"of": "branches of a puzzle, with --fewest", "metavar": "BRANCHES"},
)
@click.pass_context
def minimize(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    output: str,
    every: bool,
    count: int | None,
    fewest: bool,
    budget: int | None,
    **options: Any,
) -> None:
    """Remove redundant clues of proper puzzles.

    The seed draws the order. No clue of a puzzle written can be removed. Formats with columns also have
    er, ep, ed, technique and difficulty of each new puzzle, as rate writes them; with --all and --fewest
    these are the only columns.

    --fewest searches for the fewest clues that suffice. If the budget is used up, the best puzzle found is
    written, and a message on standard error gives the number of clues that no puzzle can have less than.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    if count is not None and not every:
        raise click.UsageError("-n needs --all")
    if budget is not None and not fewest:
        raise click.UsageError("--budget needs --fewest")
    if every and fewest:
        raise click.UsageError("--all and --fewest exclude each other")
    if not every:
        options["seed"] = used_seed(options["seed"], quiet=options["quiet"], resume=options["resume"])
    if not every and not fewest:
        from unidoku.commands import minimize_file

        ctx.exit(write(minimize_file, inputs, output, **options))
    refused = ("threads", "resume", "cluster", "part_bytes")
    if any(options.pop(name) for name in refused):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in refused)
        raise click.UsageError(f"--all and --fewest take none of {names}")
    import numpy as np

    from unidoku.craft.fewest import fewest_clues
    from unidoku.craft.minimize import minimal_puzzles
    from unidoku.files.overlap import refuse_overlap
    from unidoku.run.given import puzzle_writer

    refuse_overlap(inputs, [output])
    seed, quiet = options.pop("seed"), options.pop("quiet")
    about: dict[str, Any] = {"command": "minimize", "all": every, "fewest": fewest}
    about |= {"count": count} if every else {"budget": budget, "seed": seed}

    def write_all(puzzle: Any, _: bool) -> None:
        for grid in minimal_puzzles(puzzle.cells, count=count):
            put(np.frombuffer(grid.cells, np.uint8).reshape(1, 81))

    def write_fewest(puzzle: Any, _: bool) -> None:
        found = fewest_clues(puzzle.cells, budget=budget, seed=seed)
        put(np.frombuffer(found.grid.cells, np.uint8).reshape(1, 81))
        if not found.complete and not quiet:
            print_message(
                f"{found.grid.clue_count} clues; at least {found.at_least} are needed; the budget is used up"
            )

    writing = {"to": options.pop("to"), "comment": options.pop("comment"), "ratings": not options.pop("bare")}
    with puzzle_writer(output, about, **writing) as put:
        code = each_puzzle(inputs, write_all if every else write_fewest, **options)
    ctx.exit(code)
