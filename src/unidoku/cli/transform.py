"""``unidoku transform``: images of puzzles under the symmetry group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.craft import used_seed, write
from unidoku.cli.inputs import Input, inputs_argument
from unidoku.cli.options import PARTS, PUZZLE_FORMATS, READING, options

if TYPE_CHECKING:
    from unidoku.craft.transform import Axis

__all__ = ["transform"]


@command(
    "transform",
    "unidoku transform puzzles.txt -n 10 --seed 1 -o images.txt",
    "unidoku transform puzzles.txt --rotate 90 --digits 912345678",
)
@inputs_argument()
@options(
    *("output", "to", "bare", "comment", *PARTS, "count", "seed", "original", "index", "rotate", "reflect"),
    *("digits", "threads", *READING, "quiet"),
    to=PUZZLE_FORMATS,
    count="random images of each puzzle",
)
@click.pass_context
def transform(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    output: str,
    count: int | None,
    original: bool,
    index: int | None,
    rotate: str | None,
    reflect: Axis | None,
    digits: str | None,
    **options: Any,
) -> None:
    """Write symmetric images of puzzles.

    Solution columns are transformed too. With -n the images are random. Rotation, reflection and new labels
    are applied in this order. An element of the group is a number from 0 to 1218998108159 (0 changes
    nothing).

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.commands import transform_file
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
        elements.append(Transformation(digits=tuple(map(int, digits))))
    if bool(elements) == (count is not None):
        raise click.UsageError("Give either -n, or some of --index, --rotate, --reflect and --digits.")
    element = None
    for each in elements:
        element = each if element is None else each @ element
    seed = options.pop("seed")
    options["original"] = original
    if count is not None:
        options["seed"] = used_seed(seed, quiet=options["quiet"], resume=options["resume"])
    ctx.exit(write(transform_file, inputs, output, transformation=element, count=count, **options))
