"""``unidoku transform``: images of puzzles under the symmetry group."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import SEED, puzzles_to_puzzles, used_seed, write
from unidoku.cli.inputs import Input, PuzzleCommand
from unidoku.cli.options import QUIET, THREADS, Number, reading

__all__ = ["command"]

_TURNS = ("90", "180", "270")
_LAST = 2 * 6**8 * 362_880 - 1  # number of the last element of the group
_AXES = ("horizontal", "vertical", "diagonal", "antidiagonal")


@click.command("transform", cls=PuzzleCommand, short_help="Write symmetric images of puzzles.")
@puzzles_to_puzzles
@click.option("--random", type=Number(1), metavar="K", help="Write K random images of each puzzle.")
@SEED
@click.option("--keep", is_flag=True, help="Write each puzzle before its images.")
@click.option("--index", type=Number(0, _LAST), metavar="I", help="Apply element I of the group.")
@click.option("--rotate", type=click.Choice(_TURNS), help="Rotate clockwise by this angle in degrees.")
@click.option("--reflect", type=click.Choice(_AXES), help="Reflect in this axis.")
@click.option("--digits", metavar="DIGITS", help="New labels of the digits 1 to 9, such as 912345678.")
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
    random: int | None,
    index: int | None,
    rotate: str | None,
    reflect: str | None,
    digits: str | None,
    **options: Any,
) -> None:
    """Write images of puzzles under the symmetry group, and of their solution columns.

    Rotation, reflection and new labels are applied in this order. An element of the group is a number from
    0 to 1218998108159 (0 changes nothing).

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.craft.files import transform_file
    from unidoku.craft.transform import Transformation

    elements = []
    if index is not None:
        elements.append(Transformation.from_index(index))
    if rotate is not None:
        elements.append(Transformation.rotation(int(rotate)))
    if reflect is not None:
        elements.append(Transformation.reflection(reflect))
    if digits is not None:
        if sorted(digits) != list("123456789"):
            raise click.UsageError(f"--digits takes the digits 1 to 9 in some order, not {digits!r}")
        elements.append(Transformation.relabelling([int(digit) for digit in digits]))
    if bool(elements) == (random is not None):
        raise click.UsageError("Give either --random, or some of --index, --rotate, --reflect and --digits.")
    element = None
    for each in elements:
        element = each if element is None else each @ element
    seed = options.pop("seed")
    if random is not None:
        options["seed"] = used_seed(seed, quiet=options["quiet"], resume=options["resume"])
    ctx.exit(write(transform_file, inputs, output, transformation=element, random=random, **options))
