"""Names of a puzzle and of its solution, as data sets, books, pages and models' answers write them.

Pieces of patterns are texts: each module compiles what it needs.
"""

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
PUZZLE_KEY = r"(?i:\b(?:puzzles?|quiz(?:zes)?|question|givens)\b|题目)"
"""The names of the place of a puzzle beside a full grid."""
PUZZLE_TITLE = r"(?i:puzzle|quizz?|题目)\b"
"""What a heading above a puzzle begins with."""
SOLUTION_NAMES = ("solution", "answer", "solved")
SOLUTION_SIGNS = ("答案", "解答")
SOLUTION_NAME = rf"(?i:\b(?:{'|'.join(SOLUTION_NAMES)})s?\b|{'|'.join(SOLUTION_SIGNS)})"
"""What calls a full grid a solution, above it or before it on its line."""
NO_VALUES = frozenset({"null", "none", "nan", "na", "n/a", "nil"})
"""What programs write in the place of a puzzle or an answer that is missing."""
