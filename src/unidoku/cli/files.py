"""The commands that write puzzles into other files."""

from __future__ import annotations

from typing import Any

import click

import unidoku
from unidoku.cli.inputs import Input, announce_standard_input, inputs_argument, refuse_empty
from unidoku.cli.options import READING, RUNNING, command, options
from unidoku.cli.run import used_seed, values_checked, write
from unidoku.cli.terminal import counted, print_message


@command(
    "unidoku convert puzzles.txt -o puzzles.jsonl",
    "unidoku convert --from lines --to csv < puzzles.txt",
)
@inputs_argument
@options("output", "to", "bare", *RUNNING)
def convert(inputs: list[Input], **options: Any) -> int:
    """Write puzzles in another format.

    The suffixes of --output: .txt .sdm .csv .tsv .jsonl .sdk .ss .opensudoku .library (also with .gz .bz2 .xz
    .zst), .parquet, .arrow.
    """
    return write(unidoku.convert_file, inputs, at_once=True, **options)


@command(
    "unidoku dedupe puzzles.txt -o different.txt",
    "unidoku dedupe puzzles.txt --by canonical --to csv",
)
@inputs_argument
@options(
    *("output", "to", "bare", "by", *READING, "quiet"), by={"type": click.Choice(["puzzle", "canonical"])}
)
def dedupe(inputs: list[Input], **options: Any) -> int:
    """Write puzzles without duplicates.

    The first puzzle of each class is written. Formats are as for convert. Memory: up to 43 bytes per puzzle.
    """
    return write(
        unidoku.dedupe_file, inputs, at_once=True, counts=("puzzles", "duplicates", "invalid"), **options
    )


@command(
    "unidoku split puzzles.txt -o training.txt -o test.txt --fractions 0.9,0.1 --seed 1",
    "unidoku split puzzles.txt -o one.csv -o other.csv --by solution",
)
@inputs_argument
@options(
    *("output", "fractions", "by", "seed", "to", "bare", "comment", *RUNNING),
    output={"multiple": True, "required": True, "default": None, "absent": None},
    by={"default": "canonical"},
)
def split(
    inputs: list[Input],
    *,
    output: tuple[str, ...],
    fractions: str | None,
    seed: int | None,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Split puzzles into several files.

    Give --output once for each file. All puzzles of one class go to the same; the output of a class depends
    on the class and the seed alone.

    The exit code is 0, or 2 after an error.
    """
    seed = used_seed(seed, quiet=quiet)
    announce_standard_input(inputs)
    with values_checked():
        parts = None if fractions is None else [float(each) for each in fractions.split(",")]
        options |= {"seed": seed, "carry": not bare}
        done = unidoku.split_file(inputs, output, fractions=parts, **options)
    refuse_empty(done.puzzles, inputs, empty=options["empty"])
    if not quiet:
        for path, count in zip(output, done.outputs, strict=True):
            print_message(f"{path}: {counted(count, 'puzzle')}")
