"""The commands that make puzzles from puzzles, and those that write them into other files."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command, values_checked
from unidoku.cli.inputs import (
    accepts_empty,
    announce_standard_input,
    each_puzzle,
    inputs_argument,
    refuse_empty,
)
from unidoku.cli.options import PARTS, READING, RUNNING, WRITING, options
from unidoku.cli.run import print_written, used_seed, write
from unidoku.cli.terminal import Display, counted, print_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from unidoku.cli.inputs import Input
    from unidoku.craft.transform import Axis
    from unidoku.files.base import PuzzleRecord
    from unidoku.run.summary import Summary


@command(
    "unidoku canonical puzzles.txt -o canonical.txt",
    "unidoku canonical puzzles.txt --form solution --to csv",
)
@inputs_argument
@options(*WRITING, "form", *RUNNING)
def canonical(inputs: list[Input], **options: Any) -> int:
    """Write the canonical forms of puzzles.

    The form is the same for all puzzles that a symmetry maps to each other. Solution columns are transformed
    too.
    """
    from unidoku.commands import canonical_file

    return write(canonical_file, inputs, **options)


@command(
    "unidoku transform puzzles.txt -n 10 --seed 1 -o images.txt",
    "unidoku transform puzzles.txt --rotate 90 --digits 912345678",
)
@inputs_argument
@options(
    *(*WRITING, "count", "seed", "original", "index", "rotate", "reflect", "digits", *RUNNING),
    count="random images of each puzzle",
)
def transform(
    inputs: list[Input],
    *,
    index: int | None,
    rotate: str | None,
    reflect: Axis | None,
    digits: str | None,
    **options: Any,
) -> int:
    """Write symmetric images of puzzles.

    Solution columns are transformed too. With -n the images are random. Rotation, reflection and new labels
    are applied in this order. An element of the group is a number from 0 to 1218998108159 (0 changes
    nothing).
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
    if bool(elements) == (options["count"] is not None):
        raise click.UsageError("Give either -n, or some of --index, --rotate, --reflect and --digits.")
    if elements:
        options["transformation"] = reduce(lambda before, after: after @ before, elements)
    else:
        options["seed"] = used_seed(options["seed"], quiet=options["quiet"], resume=options["resume"])
    return write(transform_file, inputs, **options)


@command(
    "unidoku minimize puzzles.txt -o minimal.txt --seed 1",
    "unidoku minimize puzzles.txt --all -n 2",
)
@inputs_argument
@options(
    *(*WRITING, "seed", "every", "count", "fewest", "budget", *RUNNING),
    count="of the minimal puzzles within each puzzle, with --all,",
    budget={"of": "branches of a puzzle, with --fewest", "metavar": "BRANCHES"},
)
def minimize(
    inputs: list[Input],
    *,
    every: bool,
    count: int | None,
    fewest: bool,
    budget: int | None,
    **options: Any,
) -> int:
    """Remove redundant clues of proper puzzles.

    The seed draws the order. No clue of a puzzle written can be removed. Formats with columns also have
    er, ep, ed, technique and difficulty of each new puzzle, as rate writes them; with --all and --fewest
    these are the only columns.

    --fewest searches for the fewest clues that suffice. If the budget is used up, the best puzzle found is
    written, and a message on standard error gives the number of clues that no puzzle can have less than.
    """
    from unidoku.commands import minimize_file

    if count is not None and not every:
        raise click.UsageError("-n needs --all")
    if budget is not None and not fewest:
        raise click.UsageError("--budget needs --fewest")
    if every and fewest:
        raise click.UsageError("--all and --fewest exclude each other")
    if not every:
        options["seed"] = used_seed(options["seed"], quiet=options["quiet"], resume=options["resume"])
    if not every and not fewest:
        return write(minimize_file, inputs, **options)
    refused = ("threads", *PARTS)
    if any(options.pop(name) for name in refused):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in refused)
        raise click.UsageError(f"--all and --fewest take none of {names}")
    import numpy as np

    from unidoku.craft.fewest import fewest_clues
    from unidoku.craft.minimize import minimal_puzzles
    from unidoku.files.overlap import refuse_overlap
    from unidoku.run.given import puzzle_writer

    output, seed, quiet = (options.pop(name) for name in ("output", "seed", "quiet"))
    refuse_overlap(inputs, [output])
    about: dict[str, Any] = {"command": "minimize", "all": every, "fewest": fewest}
    about |= {"count": count} if every else {"budget": budget, "seed": seed}

    def write_within(puzzle: PuzzleRecord, _: bool) -> None:
        found = None if every else fewest_clues(puzzle.cells, budget=budget, seed=seed)
        for grid in minimal_puzzles(puzzle.cells, count=count) if found is None else [found.grid]:
            put(np.frombuffer(grid.cells, np.uint8).reshape(1, 81))
        if found is not None and not found.complete and not quiet:
            print_message(
                f"{found.grid.clue_count} clues; at least {found.at_least} are needed; the budget is used up"
            )

    writing = {"to": options.pop("to"), "comment": options.pop("comment"), "ratings": not options.pop("bare")}
    with puzzle_writer(output, about, **writing) as put:
        return each_puzzle(inputs, write_within, **options)


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
    from unidoku.commands import convert_file

    return _convert(convert_file, inputs, **options)


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
    from unidoku.commands import dedupe_file

    return _convert(dedupe_file, inputs, **options)


def _convert(
    work: Callable[..., Summary],
    inputs: list[Input],
    *,
    output: str,
    bare: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Do what Ctrl-C ends at once: nothing of the output is kept."""
    announce_standard_input(inputs)
    with Display(quiet=quiet, rows=output == "-") as display:
        options |= {"carry": not bare, "empty": accepts_empty(), "progress": display.progress}
        done = work(inputs, output, **options)
    refuse_empty(done.puzzles, inputs)
    return print_written(done, quiet=quiet, summary=True, duplicates="by" in options)


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
    from unidoku.run.split import split_file

    seed = used_seed(seed, quiet=quiet)
    announce_standard_input(inputs)
    with values_checked():
        parts = None if fractions is None else [float(each) for each in fractions.split(",")]
        options |= {"seed": seed, "carry": not bare, "empty": accepts_empty()}
        done = split_file(inputs, output, fractions=parts, **options)
    refuse_empty(done.puzzles, inputs)
    if not quiet:
        for path, count in zip(output, done.outputs, strict=True):
            print_message(f"{path}: {counted(count, 'puzzle')}")
