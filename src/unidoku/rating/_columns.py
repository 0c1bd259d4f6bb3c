"""The columns of a step, and of the difficulty of a puzzle, by which puzzles are chosen and requested."""

from __future__ import annotations

from unidoku._columns import ColumnSpec
from unidoku.rating._names import names_of, technique_of
from unidoku.rating._scale import BEGINNER, BEGINNER_CLUES, BEGINNER_ER, DIFFICULTIES, MOST_EFFORT

BOUNDS: tuple[float, float] = (1.0, 20.0)
"""The lowest and the highest rating of the scale."""

RATINGS = {
    "er": ColumnSpec("float64", "rating of the hardest step", bounds=BOUNDS),
    "ep": ColumnSpec("float64", "rating of the hardest step up to the first digit", bounds=BOUNDS),
    "ed": ColumnSpec("float64", "rating of the first step", bounds=BOUNDS),
    "technique": ColumnSpec("string", "technique of the hardest step", technique_of),
    "name": ColumnSpec("string", "the name that players use, such as Skyscraper", names_of),
    "difficulty": ColumnSpec(
        "string",
        "easy, medium, hard, expert or extreme, by er",
        {difficulty: difficulty for difficulty in DIFFICULTIES},
        conditions={BEGINNER: f"er=1-{BEGINNER_ER},clues={BEGINNER_CLUES}-"},  # as it is requested
    ),
}
"""Columns of the rating of a puzzle, which images of it need not share; words are of every language."""

EFFORT = {"effort": ColumnSpec("int16", "how long a person takes, as a number", bounds=(1, MOST_EFFORT))}
"""The column of the effort of a puzzle."""

STEPS = {"steps": ColumnSpec("int64", "number of steps that unidoku steps lists")}
"""The column of the length of the solution path of a puzzle."""

STEP = {
    "technique": ColumnSpec("words", "technique of the step", technique_of),
    "name": ColumnSpec("words", "the name that players use, such as Skyscraper", names_of),
    "kind": ColumnSpec("words", "full house, type 1 to 4, or a kind of chain: double, X, cell …"),
    "rating": ColumnSpec("float64", "rating of the step"),
    "placements": ColumnSpec("words[]", "what is filled in, such as r4c2=7"),
    "eliminations": ColumnSpec("words[]", "the candidates that are removed, such as r4c2=7"),
    "before": ColumnSpec("cells", "the digits before the step"),
    "candidates": ColumnSpec("uint16[81]", "candidates before the step by cell: bit d - 1 for digit d"),
}
"""Columns of a step, with words in English; tasks add their own ``sentence``."""

SEARCH = {
    "search_first_steps": ColumnSpec("int64", "steps of the console's search up to its first solution"),
    "search_first_level": ColumnSpec("int64", "highest guess level up to the first solution"),
    "search_complete": ColumnSpec("bool", "whether that search ended within ten million steps"),
    "book_class": ColumnSpec(
        "int64",
        "hardest rule of the book's method: 1 theorems, 2 extended, 3 subsets, 4 presets",
    ),
}
"""Columns of the console's search and of the book's method."""
