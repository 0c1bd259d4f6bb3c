"""``unidoku series``: the book's numbered puzzles, 36 results in 64 groups."""

from __future__ import annotations

from typing import Any

import click

from unidoku.cli.craft import COMMENT, OUTPUT, SEED, used_seed
from unidoku.cli.inputs import PuzzleCommand, inputs_of
from unidoku.cli.options import Number, reading

__all__ = ["command"]


@click.command("series", cls=PuzzleCommand, short_help="Write a series of puzzles from a result.")
@click.argument("results", nargs=-1, metavar="[GRID|FILE]...")
@SEED
@click.option("--number", type=Number(1), metavar="N", help="Write puzzle N only.")
@click.option("--group", type=Number(1, 64), metavar="G", help="Write the puzzles of group G only.")
@OUTPUT
@COMMENT
@click.option("--find", metavar="PUZZLE", help="Print the number, the group and the place of PUZZLE.")
@reading()
@click.pass_context
def command(
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
    """Write a series of puzzles: one from each result, and 63 images of each of these.

    Puzzles are numbered by group: of 36 results, puzzles 36(g - 1) + 1 to 36g are group g, 2304 in all.
    Without results, 36 random ones are made by the seed.

    The exit code is 0, or 1 if PUZZLE is not in the series, 2 after an error.
    """
    from unidoku.craft.files import puzzle_writer
    from unidoku.craft.series import Series
    from unidoku.errors import UnidokuError
    from unidoku.files.puzzles import read_puzzles

    if sum(each is not None for each in (number, group, find)) > 1:
        raise click.UsageError("Give one of --number, --group and --find.")
    seed = used_seed(seed)
    if results:
        grids = []
        for puzzle in read_puzzles(inputs_of(results), **options):
            if isinstance(puzzle, UnidokuError):
                raise puzzle
            grids.append(puzzle.cells)
        series = Series.from_results(grids, seed)
    else:
        series = Series.generate(seed)
    if find is not None:
        found = series.find(find)
        if found is None:
            click.echo("not in the series", err=True)
            ctx.exit(1)
        click.echo("number {}, group {}, place {}".format(found, *series.position(found)))
        return
    try:
        numbers: Any = range(1, len(series) + 1)
        if number is not None:
            series.position(number)
            numbers = [number]
        elif group is not None:
            first = series.number(group, 1)
            numbers = range(first, first + len(series) // 64)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    about = {"command": "series", "seed": seed, "number": number, "group": group}
    with puzzle_writer(output, about, to=to, comment=comment) as write:
        write(series.rows()[[each - 1 for each in numbers]])
