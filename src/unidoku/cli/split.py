"""``unidoku split``: data sets split without leaks."""

from __future__ import annotations

from typing import Any

from unidoku.cli.command import command, values_checked
from unidoku.cli.craft import used_seed
from unidoku.cli.inputs import (
    Input,
    accepts_empty,
    announce_standard_input,
    inputs_argument,
    refuse_empty,
)
from unidoku.cli.options import PUZZLE_FORMATS, READING, options
from unidoku.cli.terminal import counted, print_message

__all__ = ["split"]


@command(
    "split",
    "unidoku split puzzles.txt -o training.txt -o test.txt --fractions 0.9,0.1 --seed 1",
    "unidoku split puzzles.txt -o one.csv -o other.csv --by solution",
)
@inputs_argument()
@options(
    *("output", "fractions", "by", "seed", "to", "bare", "comment", "threads", *READING, "quiet"),
    output={"multiple": True, "required": True, "default": None, "absent": None},
    by={"default": "canonical"},
    to=PUZZLE_FORMATS,
)
def split(
    inputs: list[Input],
    *,
    output: tuple[str, ...],
    fractions: str | None,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Split puzzles into several files.

    Give --output once for each file. All puzzles of one class go to the same; the output of a class depends
    on the class and the seed alone.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.run.split import split_file

    options["seed"] = used_seed(options["seed"], quiet=quiet)
    announce_standard_input(inputs)
    with values_checked():
        parts = None if fractions is None else [float(each) for each in fractions.split(",")]
        options["empty"] = accepts_empty()
        done = split_file(inputs, output, fractions=parts, carry=not bare, **options)
    refuse_empty(done.puzzles, inputs)
    if not quiet:
        for path, count in zip(output, done.outputs, strict=True):
            print_message(f"{path}: {counted(count, 'puzzle')}")
