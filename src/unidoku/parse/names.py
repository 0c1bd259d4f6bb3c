"""Names of a puzzle, as data sets write them, and of what is missing."""

PUZZLE_NAMES = (
    "puzzle",
    "quizzes",
    "question",
    "sudoku",
    "initial_board",
    "grid",
    "quiz",
    "puzzles",
    "board",
    "q",
)
"""Names of the puzzle's column in well-known data sets."""
NO_VALUES = frozenset({"null", "none", "nan", "na", "n/a", "nil"})
"""What programs write in the place of a puzzle or an answer that is missing."""
