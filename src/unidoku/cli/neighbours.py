"""``unidoku neighbours``: proper puzzles that differ in a few clues."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.command import command, values_checked
from unidoku.cli.craft import parts_of, write
from unidoku.cli.inputs import Input, announce_standard_input, inputs_argument, refuse_empty
from unidoku.cli.options import PARTS, PUZZLE_FORMATS, READING, options
from unidoku.cli.terminal import cancelled_by_interrupt, counted, print_message

__all__ = ["neighbours"]


@command(
    "neighbours",
    "unidoku neighbours few.txt -o near.txt",
    "unidoku neighbours few.txt --remove 2 --add 1 --to csv",
)
@inputs_argument()
@options("remove", "add", "output", "to", "bare", *PARTS, "threads", *READING, to=PUZZLE_FORMATS)
@click.pass_context
def neighbours(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    remove: int,
    add: int,
    output: str,
    to: str | None,
    bare: bool,
    **options: Any,
) -> None:
    """Write the proper puzzles near a puzzle.

    These are what it becomes when N clues are removed and M added. No two puzzles written are images of each
    other under the symmetry group; with --resume, --cluster or --part-bytes, neighbours of different puzzles
    may be, until dedupe --by canonical. Formats with columns also have er, ep, ed, technique and difficulty
    of each new puzzle, as rate writes them, unless --bare is given.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.commands import neighbours_file, stage_file
    from unidoku.run.change import Neighbours
    from unidoku.run.given import has_columns
    from unidoku.threads import Cancel

    in_parts = parts_of(options)
    cancel = Cancel()
    with values_checked():
        if in_parts:
            stage = Neighbours(remove, add, ratings=not bare and has_columns(output, to))
            in_parts["may_be_empty"] = True
            ctx.exit(write(stage_file, inputs, output, stage=stage, to=to, **in_parts, **options))
        announce_standard_input(inputs)
        with cancelled_by_interrupt(cancel):
            done = neighbours_file(
                inputs, output, remove=remove, add=add, ratings=not bare, to=to, cancel=cancel, **options
            )
    if cancel:
        raise KeyboardInterrupt
    refuse_empty(done.puzzles, inputs)
    if output != "-":
        print_message(counted(done.written, "puzzle"))
