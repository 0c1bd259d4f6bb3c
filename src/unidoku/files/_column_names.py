"""The names of columns, and what they declare: puzzles, solutions, answers, ratings.

A name counts in any case, also with an ``s``.  The user is asked about other names.
"""

from __future__ import annotations

from collections.abc import Iterable

PUZZLE_NAMES = (
    *("puzzle", "quizzes", "question", "sudoku", "initial_board", "grid", "quiz", "puzzles", "board", "q"),
)
"""Names of the puzzle's column in well-known data sets."""
GOLD_NAMES = (
    *("expected", "expected_solution", "expected_output", "gold", "ground_truth", "truth"),
    *("gt", "target", "label", "reference", "reference_answer", "ideal"),
)
"""Names of the solutions with which programs compare answers; no model writes them."""
SOLUTION_NAMES = (
    *("solution", "second_solution", "solution_grid", "solution_board", "sol", "solved", "solved_board"),
    *("answer", "a", *GOLD_NAMES),
)
"""Names of columns of solutions in well-known data sets."""
ANSWER_NAMES = (
    *("prediction", "predicted", "predicted_solution", "pred", "response", "completion", "output", "reply"),
    *("generated_text", "generation", "generated", "model_answer", "model_output", "filtered_resp"),
    *("choices", "candidates", "samples", "rollouts", "messages", "conversation"),
)
"""Names of columns of answers, as well-known programs and models write them."""
RATING_NAMES = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "card", "rating", "ratings", "effort"),
    *("steps", "search_first_steps", "search_first_level", "book_class"),
    *("level", "level_step", "first_steps", "first_level", "first_level_step", "class"),  # of version 1.0
)
"""Names of columns that may differ for images: of several steps a search takes the first one."""
WRITTEN_NAMES = frozenset(
    """id file line number reason reason_code name kind step clue_symmetry symmetry verdict count complete
    search_complete sample pass_at outcome wrong_cells broken_houses changed_clues empty_cells filled correct
    kept_clues score er ep ed technique difficulty at_least card rating effort steps search_first_steps
    search_first_level book_class automorphisms image_of original removed clues sentence placements
    eliminations further_eliminations before cells_left last""".split()
)
"""Names of columns that commands write, and ``id``: no other column has the answers if one of two is left."""
BEFORE = "input_"
"""The prefix of columns that describe the puzzle before a change, not the puzzle next to them."""


NO_ROWS = frozenset("columns cols boxes blocks nonets cages regions squares sectors subgrids".split())
"""Names of values whose cells are in the order of columns or of boxes."""
_PUZZLES = frozenset(PUZZLE_NAMES)
_ROLES = {**dict.fromkeys(ANSWER_NAMES, "answer"), **dict.fromkeys(SOLUTION_NAMES, "solution")}


def declares_puzzle(name: str) -> bool:
    """Return whether a name declares the puzzle."""
    return name.lower() in _PUZZLES


def declares_no_rows(name: str) -> bool:
    """Return whether a name says that the cells below it are in the order of columns or of boxes."""
    return name.lower() in NO_ROWS


def is_written(name: str) -> bool:
    """Return whether commands write a column of this name, or it is ``id``: it has no answers."""
    return name.lower() in WRITTEN_NAMES or name.startswith(BEFORE)


def role_of(name: str) -> str:
    """Return what a name declares: ``solution``, ``answer`` or nothing."""
    name = name.lower()
    return _ROLES.get(name) or _ROLES.get(name.removesuffix("s"), "")


def ratings_in(names: Iterable[str]) -> list[str]:
    """Return the columns of ratings; a name next to a technique belongs to a step, as `rate` writes it."""
    names = [*names]
    ratings = (*RATING_NAMES, "name") if "technique" in map(str.lower, names) else RATING_NAMES
    return [name for name in names if name.lower() in ratings]
