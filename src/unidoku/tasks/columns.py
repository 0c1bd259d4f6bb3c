"""Columns, options and seeds of several tasks, and tables as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unidoku.arguments import MAX_COUNT, seed_of
from unidoku.craft.symmetry import SYMMETRIES
from unidoku.errors import UnidokuError, escape
from unidoku.options import Option
from unidoku.words import LANGUAGES

CELL_ERRORS = {
    "solved": ("bool", "whether the answer is right"),
    "wrong_cells": ("int16", "cells that differ from the only solution, -1 if there is none"),
    "broken_houses": ("uint8", "rows, columns and boxes without all nine digits"),
    "changed_clues": ("uint8", "clues that the answer changes"),
    "empty_cells": ("uint8", "cells that the answer leaves empty"),
}
"""Columns of a comparison with an answer; see `unidoku.Verification`."""

NUMBERS = ("expected", "expected_count")
"""Names of columns of answers in which a text shorter than a grid is a number of solutions."""

ANSWERS = ("prediction", "answer", "solution", "solutions", *NUMBERS, "a")
"""Names of columns of answers; the first one in a file counts."""

ANSWER_GRIDS = ", ".join(name for name in ANSWERS if name not in NUMBERS)

PREDICTION = Option(
    "Take the predictions from this column of the inputs.",
    absent=f"the first of {ANSWER_GRIDS}",
    metavar="COLUMN",
    name="prediction",
    optional=True,
)
"""The option for the column of answers."""

SEED = Option(
    "Use this seed: the same one gives the same output.",
    least=0,
    most=MAX_COUNT,
    absent="a fresh seed, printed to standard error",
    metavar="S",
    name="seed",
    kind=int,
    optional=True,
)
"""The option for the seed of random choices."""


def seed_for(seed: int | None) -> tuple[int, int | None]:
    """Return the seed of a command, and the seed to print at its end: None if an option set it."""
    value = seed_of(seed)
    return value, value if seed is None else None


LANG = Option("Print English (en) or Chinese (zh).", choices=LANGUAGES, name="lang", default="en")
"""The option for the language of what is printed."""

CELLS = Option(
    "Call the cells 1 to 81 (numbers) or r1c1 (rc) in the text; pages have a switch for this.",
    choices=("numbers", "rc"),
    flags=("--cells",),
    name="names",
    default="numbers",
)
"""The option for the names of cells."""

CANDIDATES = Option(
    "Write the candidates of the empty cells too.", name="candidates", kind=bool, default=False
)
"""The option for the candidates of a puzzle."""


def words_to_show(words: Mapping[str, str], absent: str = "none") -> Option:
    """Return the option ``--show`` for words with descriptions."""
    descriptions = ", ".join(f"{word} ({description})" for word, description in words.items())
    return Option(
        f"Show these, separated by commas: {descriptions}; or none.",
        choices=tuple(words),
        metavar="WORDS",
        absent=absent,
        name="show",
        kind=tuple,
        optional=True,
    )


UNITS = Option(
    "Search the units in this order: row, column and box, with commas, in any order.",
    choices=("row", "column", "box"),
    metavar="UNITS",
    name="units",
    kind=tuple,
    default=("row", "column", "box"),
)
"""The option for the order of units in the numerical-analysis method."""

METHOD = Option(
    "Explain by the steps of Sudoku Explainer (steps) or by the numerical-analysis method (book).",
    choices=("steps", "book"),
    name="method",
    default="steps",
)
"""The option for the method of explanations."""

FILTERS = {"filters": '"No shrink happened" for a filter that finds nothing'}
"""Words of ``--show`` for a search by groups and ply."""

SOLUTIONS = Option("Write the solutions too.", name="solutions", kind=bool, default=False)
"""The option for solutions beside puzzles."""


SOLUTION_COUNT = Option(
    "Write N solutions of each puzzle.",
    least=1,
    absent="all",
    flags=("-n", "--count"),
    needs=("--all",),
    name="count",
    kind=int,
    optional=True,
)
"""The option for the largest number of solutions of a puzzle that are written."""


def range_of(text: str, kind: type[int] | type[float] = int) -> tuple[float, float]:
    """Parse a number, or a range such as ``24-28``."""
    least, _, greatest = text.partition("-")
    try:
        return kind(least), kind(greatest or least)
    except ValueError:
        example = "24-28" if kind is int else "3.0-4.4"
        raise UnidokuError(f"{text[:40]!r} is not a number or a range such as {example}") from None


# options of new puzzles, also of a booklet
CLUES = Option(
    "Make puzzles with this number of clues, or with A to B clues.",
    parse=range_of,
    metavar="N|A-B",
    name="clues",
)
SYMMETRY = Option(
    "Make the pattern of clues symmetric in this way.",
    choices=tuple(SYMMETRIES),
    name="symmetry",
    default="none",
)
DIFFICULTY = Option(
    "Choose puzzles by their difficulty, in the words of rate: easy, medium, hard, expert or extreme; or "
    "beginner: full houses and hidden singles in boxes alone, and 30 clues or more.",
    metavar="WORD",
    name="difficulty",
)


def aligned(rows: Sequence[Sequence[str]], *left: str) -> Iterator[str]:
    """Yield the lines of a table with headings; columns are flush right, except those in `left`."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, rows[0], strict=True)
        texts = (cell.ljust(width) if name in left else cell.rjust(width) for cell, width, name in cells)
        yield "  ".join(texts).rstrip()


def figure(value: float | str | None) -> str:
    """Format a number with separators, and a text with escapes; an empty text for no value."""
    if isinstance(value, float):
        return f"{value:,.3f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else escape(value or "")


def count_lines(counts: Mapping[str, Any]) -> list[str]:
    """Format counts as lines, with the counts of answers last."""
    answers = {f"{name} answers": count for name, count in counts.get("verified", {}).items()}
    lines = {name: value for name, value in counts.items() if name != "verified"} | answers
    return [f"{name.replace('_', ' '):18} {figure(value)}" for name, value in lines.items()]
