"""Puzzles and their ratings by Sudoku Explainer itself."""

from __future__ import annotations

from pathlib import Path

Row = tuple[int, int, int]


def read_ratings(path: Path) -> dict[str, Row]:
    """Return the puzzles of a file, each with ER, EP and ED in tenths."""
    rows = {}
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            puzzle, ratings = line.split()
            er, ep, ed = (round(10 * float(part)) for part in ratings.split("/"))
            rows[puzzle] = (er, ep, ed)
    return rows


TABLE = read_ratings(Path(__file__).parents[1] / "rating" / "se121.txt")
"""Generated puzzles: one or more of every ER that occurs."""

ONE_OF_EACH = {puzzle: TABLE[puzzle] for puzzle in {row[0]: puzzle for puzzle, row in TABLE.items()}.values()}
"""One puzzle of every ER."""

HARDEST = read_ratings(Path(__file__).parents[1] / "known" / "hardest.txt")
"""Puzzles rated above 11, which need every detail of nested chains."""
