"""The commands that write puzzles: made by seed or from others, or as they are, into other files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.cli.inputs import Input, puzzles_of
from unidoku.cli.options import (
    NOT_EMPTY,
    PARTS,
    PUZZLE_FORMATS,
    RUNNING,
    common,
    is_written,
    take,
)
from unidoku.cli.run import exit_code, print_seed, run_all, seed_for, values_checked, write
from unidoku.cli.tasks import by_hand
from unidoku.cli.terminal import Messages, open_text, print_message, refuse_terminal
from unidoku.words import table

if TYPE_CHECKING:
    from unidoku.craft.series import Series
    from unidoku.run.summary import Summary

_KEEP = "Write the ratings too, where the format has columns (columns, all), or leave them out (none)."


@by_hand(
    "generate",
    *("output", "to", common("keep", help=_KEEP), "comment"),
    *(common(name, needs=("--attempts",)) for name in PARTS),
    *("threads", "quiet"),
    argument=None,
)
def generate(
    output: str,
    *,
    count: int | None,
    seed: int | None,
    where: dict[str, Any] | None,
    attempts: tuple[int, int] | None,
    budget: int | None,
    **options: Any,
) -> int:
    """Write puzzles, of a number or of attempts."""
    from unidoku.craft.request import Request
    from unidoku.tasks.generate import REQUEST, Generate

    with values_checked():
        asked: dict[str, Any] = take(options, [each.name for each in REQUEST]) | (where or {})
        options["request"] = Request(**asked)
    if attempts is None:
        options["count"] = count or 1
    else:
        if count is not None or budget is not None:
            raise click.UsageError("--attempts takes neither -n nor --budget.")
        first, last = attempts
        if last < first:
            raise click.UsageError(f"--attempts: the first attempt, {first}, is after the last, {last}.")
        options |= {"count": None, "first": first}
        budget = last - first + 1
    options["budget"] = budget

    def work(_: object, output: str, **options: Any) -> Summary:
        return unidoku.generate_file(output, **options)

    chosen, drawn = seed_for(seed)
    task = Generate(options["request"], lang=options["lang"])
    return write(work, (), output, task=task, empty=True, seed=chosen, drawn=drawn, **options)


@by_hand(
    "series",
    "output",
    common("to", f"{PUZZLE_FORMATS}, html"),
    "comment",
    *NOT_EMPTY,
    argument=click.Argument(["results"], nargs=-1, metavar="[GRID|FILE]..."),
)
def series(
    results: tuple[str, ...],
    *,
    seed: int | None,
    number: int | None,
    group: int | None,
    find: str | None,
    lang: str,
    **options: Any,
) -> int:
    """Write a series of puzzles, or a page of them; or print where one is."""
    from unidoku.craft.series import Series
    from unidoku.run.task import run_file
    from unidoku.tasks.series import PAPER, Numbered

    if sum(each is not None for each in (number, group, find)) > 1:
        raise click.UsageError("Give one of --number, --group and --find.")
    words, (chosen, drawn), code = Messages(lang), seed_for(seed), 0
    writing, paper = take(options, ("output", "to", "comment")), take(options, [each.name for each in PAPER])
    if results:
        puzzles = Series.from_results(puzzles_of(results, **options), seed=chosen)
    else:
        puzzles = Series.generate(seed=chosen)
    first, last = 1, len(puzzles)
    with values_checked():
        if number is not None:
            puzzles.position(number)
            first = last = number
        elif group is not None:
            first = puzzles.number(group, 1)
            last = first + len(puzzles) // 64 - 1
    if find is not None:
        found = puzzles.find(find)
        if found is None:
            click.echo(words.say("absent"), err=True)
            code = 1
        else:
            group, place = puzzles.position(found)
            click.echo(words.say("place", number=found, group=group, place=place))
    elif is_written("html", writing["to"], writing["output"]):
        if writing["comment"]:
            raise click.UsageError("--comment is for lines and CSV, not for --to html.")
        _print_series(puzzles, range(first, last + 1), writing["output"], lang=lang, **paper)
    else:
        run_file(Numbered(chosen, number, group, puzzles.rows()), [range(first - 1, last)], **writing)
    print_seed(drawn, words)
    return code


def _print_series(series: Series, numbers: range, output: str, *, lang: str, **options: Any) -> None:
    """Write puzzles of a series as a page to print, with their results at the end."""
    from unidoku.view.sheets import Printed, sheets

    words = table(lang)["sheets"]
    refuse_terminal(output, "an HTML page")

    def printed(number: int) -> Printed:
        (group, place), grid = series.position(number), series.puzzle(number)
        of, name = words["group"].format(group=group), words["place"].format(group=group, place=place)
        return Printed(grid, name, solution=unidoku.solve(grid), number=number, group=of)

    with open_text(output, (), lines=False) as page:
        for piece in sheets(map(printed, numbers), answers=words["results"], lang=lang, **options):
            click.echo(piece.encode(), page, nl=False)


@by_hand(
    "split",
    common("output", kind=list, default=None, absent=None),
    *("to", "keep", "comment", *RUNNING),
)
def split(
    inputs: list[Input],
    *,
    output: tuple[str, ...],
    seed: int | None,
    quiet: bool,
    **options: Any,
) -> int:
    """Write the puzzles of each class to one of several files."""
    (chosen, drawn), words = seed_for(seed), Messages()
    with values_checked():
        done = run_all(unidoku.split_file, inputs, output, quiet=quiet, more=None, seed=chosen, **options)
    if done.complete and not done.failures and not quiet:
        for path, count in zip(output, done.outputs, strict=True):
            print_message(f"{path}: {words.counted(count, 'puzzle')}")
    if done.written:
        print_seed(drawn, words, quiet=quiet)
    return exit_code(done)
