"""Puzzles that many tests use."""

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
"""Of `UNIQUE`."""

NONE = "55" + "." * 79
MULTIPLE = "." * 81
EIGHT = "." * 18 + "789123456231564897564897231897231564312645978645978312978312645"
"""Exactly eight solutions."""

QUIZ = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
"""The quiz of the published SudokuSolver 2.6 session."""


def spread(puzzles: list[str], number: int) -> list[str]:
    """Up to `number` of the puzzles, evenly spread over the list."""
    return puzzles[:: -(-len(puzzles) // number)]
