"""``unidoku generate``: new puzzles by seed."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.command import command, take, values_checked
from unidoku.cli.craft import parts_of, used_seed, write
from unidoku.cli.options import PARTS, PUZZLE_FORMATS, REQUEST, options
from unidoku.cli.terminal import cancelled_by_interrupt, counted, print_error, print_message

__all__ = ["generate"]


@command(
    "generate",
    "unidoku generate -n 100 --seed 1 --clues 24-28 -o new.txt",
    "unidoku generate -n 3 --rating 3.0-4.4 --solutions --to csv",
)
@options(
    *(
        "count",
        "seed",
        *REQUEST,
        "attempts",
        "budget",
        "solutions",
        "output",
        "to",
        "bare",
        "comment",
        *PARTS,
    ),
    *("threads", "quiet"),
    count="puzzles",
    budget={"of": "attempts in all", "metavar": "ATTEMPTS"},
    to=PUZZLE_FORMATS,
)
@click.pass_context
def generate(
    ctx: click.Context,
    /,
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
) -> None:
    """Write new proper puzzles.

    Without -n, one puzzle is written. Without --clues, clues are removed as long as the puzzle stays proper,
    with --symmetry in symmetric sets. With --resume, an attempt counts as 82 bytes of input.

    Formats with columns also have er, ep, ed, technique and difficulty of each puzzle, as rate writes them,
    unless --bare is given. --rating, --difficulty and --technique choose by them; --class, --steps, --level,
    --first-steps and --first-level choose by the other measures of rate.

    The exit code is 0, 1 if fewer puzzles than asked for were found, 2 after an error.
    """
    from unidoku.commands import generate_file, stage_file
    from unidoku.craft.generate import BudgetError
    from unidoku.craft.request import Request
    from unidoku.files.base import Attempts
    from unidoku.run.change import Generate
    from unidoku.run.given import has_columns, solution_column
    from unidoku.threads import Cancel

    with values_checked():
        request = Request(**take(options, REQUEST))
    first = 0
    in_parts = parts_of(options)
    if in_parts and attempts is None:
        raise click.UsageError(f"--{next(iter(in_parts)).replace('_', '-')} needs --attempts.")
    if attempts is not None:
        if count is not None or budget is not None:
            raise click.UsageError("--attempts takes neither -n nor --budget.")
        first, last = attempts
        if last < first:
            raise click.UsageError(f"--attempts: the first attempt, {first}, is after the last, {last}.")
        budget = last - first + 1
        if in_parts:
            seed = used_seed(seed, quiet=quiet, resume="resume" in in_parts)
            column = solution_column(output, to) if solutions else None
            stage = Generate(request, seed, first, column, ratings=not bare and has_columns(output, to))
            in_parts |= {"stage": stage, "may_be_empty": True}
            inputs = [Attempts(0, budget)]
            ctx.exit(write(stage_file, inputs, output, to=to, quiet=quiet, **in_parts, **options))
    elif count is None:
        count = 1
    seed = used_seed(seed, quiet=quiet)
    cancel = Cancel()
    try:
        with cancelled_by_interrupt(cancel):
            done = generate_file(
                output,
                request=request,
                count=count,
                seed=seed,
                first=first,
                budget=budget,
                solutions=solutions,
                ratings=not bare,
                to=to,
                cancel=cancel,
                **options,
            )
    except BudgetError as error:
        print_error(error)
        ctx.exit(1)
    if cancel:
        raise KeyboardInterrupt
    if not quiet and output != "-":
        print_message(counted(done.written, "puzzle"))
