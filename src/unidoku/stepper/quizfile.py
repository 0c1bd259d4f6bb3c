"""Quizzes of the console: the file form of SudokuSolver, and a quiz typed in one line."""

from __future__ import annotations

import re

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import FormatError, InvalidPuzzleError, UnidokuError

_EMPTIES = re.escape(EMPTY_SYMBOLS)
_ONE_LINE = re.compile(f"[1-9{_EMPTIES}]{{81}}")


def one_line(text: str) -> str | None:
    """Return the cells if the text is a complete quiz of 81 cells, with or without blanks, else None."""
    cells = "".join(text.split())
    return cells if _ONE_LINE.fullmatch(cells) else None


def read_quiz(data: bytes, name: str) -> str:
    """Return the 81 cells of a quiz file.

    Empty lines and lines that begin with ``#`` are skipped.  The first nine digits of each other line are
    a row (0 is an empty cell); other characters between them are ignored.  A line with fewer digits may have
    dots as empty cells, nine cells in all.  Reading stops after the ninth row.  A line of exactly 81 cells,
    with or without blanks between them, is a complete quiz.
    """
    rows: list[str] = []
    for number, line in enumerate(data.decode("utf-8", "replace").lstrip("\ufeff").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        quiz = one_line(line)
        if not rows and quiz is not None:
            return quiz
        if len(line) < 9:
            raise UnidokuError(f"Invalid line {number}: {line}")
        digits = re.sub("[^0-9]", "", line)
        letter = re.search(r"[^\W\d_]", line)
        if letter:
            raise FormatError(
                f"{letter[0]!r} is not a cell", file=name, line=number, column=letter.start() + 1
            )
        cells = re.sub("[^0-9.]", "", line)
        if len(digits) < 9 and len(cells) == 9:
            digits = cells
        if len(digits) < 9:
            raise FormatError(f"a row has nine digits, not {len(digits)}", file=name, line=number)
        rows.append(digits[:9])
        if len(rows) == 9:
            return "".join(rows)
    raise InvalidPuzzleError(f"a quiz has nine rows, not {len(rows)}", file=name)
