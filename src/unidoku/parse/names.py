"""Names of a puzzle, its solution and an answer to it, as data sets write them, and of what is missing."""

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
SOLUTION_NAMES = (
    *("solution", "solutions", "second_solution", "solution_grid", "sol", "solved", "solved_board"),
    *(
        "answer",
        "answers",
        "a",
        "expected",
        "expected_count",
        "expected_solution",
        "gold",
        "ground_truth",
        "target",
        "label",
    ),
)
"""Names of columns of solutions in well-known data sets."""
ANSWER_NAMES = (
    *("prediction", "predictions", "predicted", "predicted_solution", "response", "completion", "output"),
    *("generated_text", "generation", "model_answer", "model_output"),
)
"""Names of columns of answers to compare: predictions of programs and models."""
NO_VALUES = frozenset({"null", "none", "nan", "na", "n/a", "nil"})
"""What programs write in the place of a puzzle or an answer that is missing."""
