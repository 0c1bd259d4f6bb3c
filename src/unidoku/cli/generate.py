"""``unidoku generate``: new puzzles by seed."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import COMMENT, OUTPUT, SEED, parts_of, used_seed, write
from unidoku.cli.inputs import Input
from unidoku.cli.options import QUIET, THREADS, Number, Range, parts
from unidoku.cli.terminal import cancelled_by_interrupt, counted, print_message

__all__ = ["command"]

_SYMMETRIES = ("none", "180", "90", "horizontal", "vertical", "diagonal", "full")


@click.command("generate", short_help="Write new proper puzzles.")
@click.option("--count", type=Number(1), metavar="N", help="Make N puzzles.  [default: 1]")
@SEED
@click.option(
    "--clues", type=Range(), metavar="N|A-B", help="Number of clues, or the least and the greatest."
)
@click.option(
    "--symmetry",
    type=click.Choice(_SYMMETRIES),
    default="none",
    show_default=True,
    help="Symmetry of the pattern of clues.",
)
@click.option("--pattern", metavar="CELLS", help="Clues in exactly these cells: 81 characters, . for none.")
@click.option("--minimal", is_flag=True, help="Only puzzles without redundant clues.")
@click.option("--solution", metavar="GRID", help="The solution of all puzzles.  [default: random]")
@click.option("--uniform", is_flag=True, help="Draw the full grids uniformly from all; slower.")
@click.option(
    "--class", "difficulty", type=Range(), metavar="N|A-B", help="Class of rate, 1 to 4, or a range."
)
@click.option("--steps", type=Range(), metavar="N|A-B", help="Steps of rate, or a range.")
@click.option(
    "--level", "biggest_level", type=Range(), metavar="N|A-B", help="Highest guess level of rate, or a range."
)
@click.option("--first-steps", type=Range(), metavar="N|A-B", help="Steps to the first solution, or a range.")
@click.option(
    "--first-level",
    type=Range(),
    metavar="N|A-B",
    help="Highest guess level up to the first solution, or a range.",
)
@click.option(
    "--attempts",
    type=Range(),
    metavar="A-B",
    help="Make all puzzles of the attempts A to B, from 0, instead of N puzzles; consecutive ranges give the "
    "puzzles of one long run.",
)
@click.option("--budget", type=Number(1), metavar="N", help="Attempts to make at most.")
@click.option(
    "--solutions", is_flag=True, help="Write the solutions too: a column, or the rest of each line."
)
@OUTPUT
@COMMENT
@parts(
    "Make the output in parts, and resume those that an earlier run with --resume left; with --attempts, of "
    "which each counts as 82 bytes of input."
)
@THREADS
@QUIET
@click.pass_context
def command(
    ctx: click.Context,
    /,
    output: str,
    *,
    count: int | None,
    seed: int | None,
    clues: tuple[int, int] | None,
    symmetry: str,
    pattern: str | None,
    minimal: bool,
    solution: str | None,
    uniform: bool,
    difficulty: tuple[int, int] | None,
    steps: tuple[int, int] | None,
    biggest_level: tuple[int, int] | None,
    first_steps: tuple[int, int] | None,
    first_level: tuple[int, int] | None,
    attempts: tuple[int, int] | None,
    budget: int | None,
    solutions: bool,
    to: str | None,
    comment: bool,
    threads: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Write new proper puzzles.

    Without --clues, clues are removed as long as the puzzle stays proper, with --symmetry in symmetric
    sets. --class, --steps, --level, --first-steps and --first-level are the measures that rate prints.

    The exit code is 0, 1 if fewer puzzles than asked for were found, 2 after an error.
    """
    from unidoku.craft.changes import Generate, attempt_lines
    from unidoku.craft.files import change_file, solution_column, write_generated
    from unidoku.craft.generate import BudgetError, Request
    from unidoku.errors import UnidokuError
    from unidoku.parallel import Cancel

    try:
        request = Request(
            clues=clues,
            symmetry=symmetry,
            pattern=pattern,
            minimal=minimal,
            solution=solution,
            uniform=uniform,
            difficulty=difficulty,
            steps=steps,
            biggest_level=biggest_level,
            first_steps=first_steps,
            first_level=first_level,
        )
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    first = 0
    in_parts = parts_of(options)
    if in_parts and attempts is None:
        raise click.UsageError(f"--{next(iter(in_parts)).replace('_', '-')} needs --attempts.")
    if attempts is not None:
        if count is not None or budget is not None:
            raise click.UsageError("--attempts takes neither --count nor --budget.")
        first, last = attempts
        if last < first:
            raise click.UsageError(f"--attempts: the first attempt, {first}, is after the last, {last}.")
        budget = last - first + 1
        if in_parts:
            seed = used_seed(seed, quiet=quiet, resume="resume" in in_parts)
            column = solution_column(output, to) if solutions else None
            change = Generate(request, seed, first, column)
            inputs: list[Input] = [attempt_lines(budget)]
            in_parts |= {"to": to, "comment": comment, "threads": threads, "may_be_empty": True}
            ctx.exit(write(change_file, inputs, output, quiet=quiet, change=change, **in_parts))
    elif count is None:
        count = 1
    seed = used_seed(seed, quiet=quiet)
    cancel = Cancel()
    try:
        with cancelled_by_interrupt(cancel):
            written = write_generated(
                request,
                count,
                output,
                seed=seed,
                first=first,
                budget=budget,
                solutions=solutions,
                to=to,
                comment=comment,
                threads=threads,
                cancel=cancel,
            )
    except BudgetError as error:
        print_message(f"error: {error}")
        ctx.exit(1)
    if cancel:
        raise KeyboardInterrupt
    if not quiet and output != "-":
        print_message(counted(written, "puzzle"))
