"""``unidoku neighbours``: proper puzzles that differ in a few clues."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import OUTPUT, parts_of, write
from unidoku.cli.inputs import Input, PuzzleCommand, announce_standard_input, inputs_argument, refuse_empty
from unidoku.cli.options import THREADS, Number, parts, reading
from unidoku.cli.terminal import cancelled_by_interrupt, counted, print_message

__all__ = ["command"]


@click.command("neighbours", cls=PuzzleCommand, short_help="Write the proper puzzles near a puzzle.")
@inputs_argument()
@click.option(
    "--remove", type=Number(0, 81), default=1, show_default=True, metavar="N", help="Remove N clues."
)
@click.option("--add", type=Number(0, 81), default=1, show_default=True, metavar="M", help="Add M clues.")
@OUTPUT
@parts(
    "Make the output in parts, and resume those that an earlier run with --resume left. Neighbours of "
    "different puzzles may be images of each other then; use dedupe --symmetry."
)
@THREADS
@reading()
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    remove: int,
    add: int,
    output: str,
    to: str | None,
    **options: Any,
) -> None:
    """Write the proper puzzles that puzzles become when N clues are removed and M added.

    No two puzzles written are images of each other under the symmetry group.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.craft.changes import Neighbours
    from unidoku.craft.files import change_file, write_neighbours
    from unidoku.errors import UnidokuError
    from unidoku.parallel import Cancel

    in_parts = parts_of(options)
    cancel = Cancel()
    try:
        if in_parts:
            change = Neighbours(remove, add)
            in_parts["may_be_empty"] = True
            ctx.exit(write(change_file, inputs, output, change=change, to=to, **in_parts, **options))
        announce_standard_input(inputs)
        with cancelled_by_interrupt(cancel):
            read, written = write_neighbours(inputs, output, remove, add, to=to, cancel=cancel, **options)
    except UnidokuError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if cancel:
        raise KeyboardInterrupt
    refuse_empty(read, inputs)
    if output != "-":
        print_message(counted(written, "puzzle"))
