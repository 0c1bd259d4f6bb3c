"""``unidoku diagnose``: why a puzzle is not a proper one, or what it could do without."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, each_puzzle, heading, inputs_argument
from unidoku.cli.options import Number, reading
from unidoku.cli.terminal import console_for, must_be_ascii, print_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from unidoku.cli.inputs import Input
    from unidoku.craft.diagnose import Diagnosis
    from unidoku.files.puzzles import Puzzle
    from unidoku.method.report import Line, Words

__all__ = ["command"]


@click.command("diagnose", cls=PuzzleCommand)
@inputs_argument()
@click.option(
    "--limit",
    type=Number(2),
    default=1000,
    show_default=True,
    metavar="N",
    help="Stop counting solutions at N, at least 2.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per puzzle.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Print marks and lines in ASCII.")
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Print English (en) or Chinese (zh).",
)
@reading()
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    limit: int,
    as_json: bool,
    ascii_only: bool,
    lang: str,
    **options: Any,
) -> None:
    """Explain why a puzzle has no solution or several, and what would make it proper.

    Several solutions: two of them, and a few clues that leave only one. No solution: a smallest set of
    clues that contradict each other, and the chain that shows it. One solution: the redundant clues.

    The exit code is 0 if every puzzle has exactly one solution, 1 if not, 2 after an error.
    """
    from unidoku.craft.diagnose import diagnose
    from unidoku.method.report import Line, Words
    from unidoku.verdict import Verdict

    def print_diagnosis(puzzle: Puzzle, several: bool) -> int:
        found = diagnose(puzzle.cells, limit=limit)
        if as_json:
            click.echo(json.dumps(found.as_dict(), separators=(",", ":")))
        else:
            console = console_for(sys.stdout)
            if several:
                print_lines([Line("title", f"# {heading(puzzle)}")], console)
            words = Words(lang, ascii_only=ascii_only or must_be_ascii(lang))
            _print(found, words, lang, console)
        return 0 if found.verdict is Verdict.UNIQUE else 1

    ctx.exit(each_puzzle(inputs, print_diagnosis, **options))


def _print(found: Diagnosis, words: Words, lang: str, console: Console) -> None:
    from unidoku.method.pictures import ASCII, UNICODE, values_picture
    from unidoku.method.report import Line
    from unidoku.verdict import Verdict

    drawing = ASCII if words.ascii_only else UNICODE
    if found.verdict is Verdict.UNIQUE:
        print_lines([Line("title", words.say("diagnose.unique"))], console)
        key = "diagnose.minimal" if found.minimal else "diagnose.redundant"
        print_lines([Line("", words.say(key, cells=words.join(found.redundant)))], console)
    elif found.verdict is Verdict.MULTIPLE:
        count = str(found.count) if found.count_is_exact else words.say("diagnose.more", count=found.count)
        cells = words.join(found.differing_cells)
        lines = [
            Line("title", words.say("diagnose.multiple", count=count)),
            Line("", words.say("diagnose.two", n=len(found.differing_cells), cells=cells)),
        ]
        print_lines(lines, console)
        pictures = [values_picture(solution.cells, drawing) for solution in found.solutions]
        _side_by_side(pictures, found.differing_cells, console)
        clues = words.join(words.say("diagnose.clue", cell=c, digit=d) for c, d in found.deciding_clues)
        print_lines([Line("end", words.say("diagnose.deciding", clues=clues))], console)
    else:
        print_lines(_contradiction(found, words, lang), console)


def _contradiction(found: Diagnosis, words: Words, lang: str) -> Iterator[Line]:
    """The clues that contradict each other, and why."""
    from unidoku.method.pictures import ASCII, UNICODE, values_picture
    from unidoku.method.proof import needed
    from unidoku.method.report import Line, report
    from unidoku.method.rules import explain
    from unidoku.verdict import Verdict

    yield Line("title", words.say("diagnose.none"))
    alone = found.conflict_puzzle()
    clues = words.join(
        words.say("diagnose.clue", cell=cell, digit=alone.cells[cell - 1]) for cell in found.conflict
    )
    yield Line("", words.say("diagnose.conflict", n=len(found.conflict), clues=clues))
    drawing = ASCII if words.ascii_only else UNICODE
    yield from (Line("picture", line) for line in values_picture(alone.cells, drawing))
    clashes = alone.clashes()
    if clashes:
        kind, number = clashes[0].house.split()
        yield Line(
            "contradiction",
            words.say(
                "diagnose.givens",
                first=clashes[0].first + 1,
                second=clashes[0].second + 1,
                digit=clashes[0].digit,
                unit=words.say(kind, n=number),
            ),
        )
        return
    yield Line("title", words.say("diagnose.chain"))
    record = explain(alone, verdict=Verdict.NONE)
    lines = report(record, lang=lang, ascii_only=words.ascii_only, needed=needed(record))
    yield from (line for line in lines if line.kind not in {"title", "order"})


def _side_by_side(pictures: list[list[str]], differing: Iterable[int], console: Console) -> None:
    """Two grids, the cells where they differ in colour."""
    from rich.text import Text

    places = set()
    for cell in differing:
        row, column = divmod(cell - 1, 9)
        places.add((1 + row + row // 3, 2 + 2 * column + column // 3 * 2))
    for number, lines in enumerate(zip(*pictures, strict=True)):
        text = Text()
        for picture in lines:
            part = Text(picture)
            for row, column in places:
                if row == number:
                    part.stylize("bold red", column, column + 1)
            text.append(part).append("   ")
        text.rstrip()
        console.print(text, no_wrap=True, crop=False, overflow="ignore")
