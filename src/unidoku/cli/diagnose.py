"""``unidoku diagnose``: why a puzzle is not a proper one, or what it could do without."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from unidoku.craft.diagnose import Diagnosis
    from unidoku.method.report import Line, Words

__all__ = ["command"]


@click.command("diagnose")
@click.argument("puzzle")
@click.option(
    "--limit", type=click.IntRange(2), default=1000, show_default=True, help="Count up to this many."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Marks and lines in ASCII.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language.")
def command(puzzle: str, *, limit: int, as_json: bool, ascii_only: bool, lang: str) -> int:
    """Say why PUZZLE has no or several solutions, and what would settle it.

    Several solutions: two of them, and few further clues that leave one. None: clues that contradict each
    other, none of which can be spared, and the chain that shows it. One: the clues that could be left out.
    PUZZLE is 81 cells, or - to read it from standard input. The exit status is 0 for a proper puzzle, else 1.
    """
    from unidoku.cli.explain import console_for, must_be_ascii, read_puzzle
    from unidoku.craft.diagnose import diagnose
    from unidoku.method.report import Words
    from unidoku.verdict import Verdict

    found = diagnose(read_puzzle(puzzle), limit=limit)
    if as_json:
        click.echo(json.dumps(found.as_dict(), separators=(",", ":")))
    else:
        words = Words(lang, ascii_only=ascii_only or must_be_ascii(lang))
        _tell(found, words, lang, console_for(sys.stdout))
    return 0 if found.verdict is Verdict.UNIQUE else 1


def _tell(found: Diagnosis, words: Words, lang: str, console: Console) -> None:
    from unidoku.cli.explain import STYLES, print_lines
    from unidoku.method.pictures import ASCII, UNICODE, values_picture
    from unidoku.method.report import Line
    from unidoku.verdict import Verdict

    drawing = ASCII if words.ascii_only else UNICODE
    if found.verdict is Verdict.UNIQUE:
        print_lines([Line("title", words.say("diagnose.unique"))], console, STYLES)
        key = "diagnose.minimal" if found.minimal else "diagnose.redundant"
        print_lines([Line("", words.say(key, cells=words.join(found.redundant)))], console, STYLES)
    elif found.verdict is Verdict.MULTIPLE:
        count = str(found.count) if found.count_is_exact else words.say("diagnose.more", count=found.count)
        cells = words.join(found.differing_cells)
        lines = [
            Line("title", words.say("diagnose.multiple", count=count)),
            Line("", words.say("diagnose.two", n=len(found.differing_cells), cells=cells)),
        ]
        print_lines(lines, console, STYLES)
        pictures = [values_picture(solution.cells, drawing) for solution in found.solutions]
        _side_by_side(pictures, found.differing_cells, console)
        clues = words.join(words.say("diagnose.clue", cell=c, digit=d) for c, d in found.deciding_clues)
        print_lines([Line("end", words.say("diagnose.deciding", clues=clues))], console, STYLES)
    else:
        print_lines(_contradiction(found, words, lang), console, STYLES)


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
