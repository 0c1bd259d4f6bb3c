"""``unidoku series``: the book's numbered puzzles, 36 results in 64 groups."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.command import command, values_checked
from unidoku.cli.craft import used_seed
from unidoku.cli.inputs import inputs_of
from unidoku.cli.options import PUZZLE_FORMATS, READING, options

__all__ = ["series"]


@command("series", "unidoku series --seed 1 -o series.txt", "unidoku series --seed 1 --group 64")
@click.argument("results", nargs=-1, metavar="[GRID|FILE]...")
@options(*("seed", "number", "group", "output", "to", "comment", "find", *READING), to=PUZZLE_FORMATS)
@click.pass_context
def series(
    ctx: click.Context,
    /,
    results: tuple[str, ...],
    *,
    seed: int | None,
    number: int | None,
    group: int | None,
    output: str,
    to: str | None,
    comment: bool,
    find: str | None,
    **options: Any,
) -> None:
    """Write a series of puzzles from results.

    There is one puzzle from each result, and 63 images of each of these. Puzzles are numbered by group: of 36
    results, puzzles 36(g - 1) + 1 to 36g are group g, 2304 in all. Without results, 36 random ones are made
    by the seed.

    The exit code is 0, or 1 if PUZZLE is not in the series, 2 after an error.
    """
    from unidoku.craft.series import Series
    from unidoku.errors import UnidokuError
    from unidoku.files.puzzles import read_puzzles
    from unidoku.run.given import puzzle_writer

    if sum(each is not None for each in (number, group, find)) > 1:
        raise click.UsageError("Give one of --number, --group and --find.")
    seed = used_seed(seed)
    if results:
        grids = []
        for puzzle in read_puzzles(inputs_of(results), **options):
            if isinstance(puzzle, UnidokuError):
                raise puzzle
            grids.append(puzzle.cells)
        puzzles = Series.from_results(grids, seed=seed)
    else:
        puzzles = Series.generate(seed=seed)
    if find is not None:
        found = puzzles.find(find)
        if found is None:
            click.echo("not in the series", err=True)
            ctx.exit(1)
        click.echo("number {}, group {}, place {}".format(found, *puzzles.position(found)))
        return
    with values_checked():
        numbers: Any = range(1, len(puzzles) + 1)
        if number is not None:
            puzzles.position(number)
            numbers = [number]
        elif group is not None:
            first = puzzles.number(group, 1)
            numbers = range(first, first + len(puzzles) // 64)
    about = {"command": "series", "seed": seed, "number": number, "group": group}
    with puzzle_writer(output, about, to=to, comment=comment) as write:
        write(puzzles.rows()[[each - 1 for each in numbers]])
