"""Options of several tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from unidoku.arguments import MAX_COUNT
from unidoku.options import POSITIVE, Option, WordList, choice
from unidoku.words import table

if TYPE_CHECKING:
    from unidoku.rating.step import Step

SEED = Option(
    "seed",
    "Use this seed.",
    type=click.IntRange(0, MAX_COUNT),
    show_default="a fresh one, printed",
    metavar="S",
)
"""The option for the seed of random choices."""

SOLUTION = Option(
    "solution",
    "Take the solutions from this column of the inputs, by its name or its number.",
    show_default="found: solution, solutions, answer …",
    metavar="COLUMN",
)
"""The option for the column of solutions, which move with their puzzles."""

CELLS = Option(
    "names",
    "Call the cells 1 to 81 (numbers) or r1c1 (rc) in the text; pages have a switch for this.",
    type=choice(["numbers", "rc"]),
    flags=("--cells",),
    default="numbers",
)
"""The option for the names of cells."""


def words_to_show(words: Mapping[str, str], show_default: str = "none") -> Option:
    """Return the option ``--show`` for words with descriptions."""
    descriptions = ", ".join(f"{word} ({description})" for word, description in words.items())
    return Option(
        "show",
        f"Show these, separated by commas: {descriptions}; or none.",
        type=WordList(words, empty="none"),
        show_default=show_default,
    )


UNITS = Option(
    "units",
    "Search the units in this order: row, column and box, with commas, in any order.",
    type=WordList(["row", "column", "box"]),
    metavar="UNITS",
    default=("row", "column", "box"),
)
"""The option for the order of units in the numerical-analysis method."""

FILTERS = {"filters": '"No shrink happened" for a filter that finds nothing'}
"""Words of ``--show`` for a search by groups and ply."""


def every_step(steps: Iterable[Step], lang: str, *, is_full: bool) -> str:
    """Return the steps of `unidoku.all_steps` as text, a line each: its rating and its sentence."""
    lines = [f"{step.rating:4.1f}  {step.sentence}" for step in steps]
    return "\n".join(lines) or table(lang)["rating"]["full" if is_full else "none"]


ALL_STEPS = Option(
    "all",
    "List every step of one PUZZLE, easiest first.",
    default=False,
)
"""The option for all steps of a position."""

SOLUTIONS = Option("solutions", "Write the solutions too.", default=False)
"""The option for solutions beside puzzles."""


SOLUTION_COUNT = Option(
    "count",
    "Write N solutions of each puzzle.",
    type=POSITIVE,
    show_default="all",
    flags=("-n", "--count"),
    needs=("--all",),
)
"""The option for the largest number of solutions of a puzzle that are written."""
