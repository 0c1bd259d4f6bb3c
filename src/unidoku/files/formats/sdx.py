"""SudoCue's .sdx: nine lines of nine cells separated by blanks, a game in progress.

A bare digit is a clue, ``u`` and a digit a cell the player filled, several digits are candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from unidoku.files.base import PuzzleRecord, Reject
from unidoku.files.formats.gridline import kind_of_grids
from unidoku.files.records import RecordReader, reject_at
from unidoku.files.text import Fit, Head, shown

__all__ = ["SdxReader"]

_CELL = re.compile(r"u?[1-9]\Z|[1-9]{2,9}\Z|[.0]\Z")


def _record(line: int, cells: list[str]) -> PuzzleRecord:
    clues = "".join(cell if len(cell) == 1 and cell != "0" else "." for cell in cells)
    state = "".join("." if cell in "0." or (len(cell) > 1 and cell[0] != "u") else cell[-1] for cell in cells)
    extra = {"state": state} if state != clues else {}
    if any(len(cell) > 1 and cell[0] != "u" for cell in cells):
        sets = ("123456789" if cell in ".0" else cell.removeprefix("u") for cell in cells)
        extra["candidates"] = "".join(digit if digit in own else "." for own in sets for digit in "123456789")
    return PuzzleRecord(line, clues, extra)


class SdxReader(RecordReader):
    """SudoCue's .sdx."""

    columns = ("state", "candidates")

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether there are lines of nine such cells."""
        return Fit.MAYBE if kind_of_grids(head) == "sdx" else Fit.NO

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read every game; the clues are the puzzle, ``state`` and ``candidates`` come with it."""
        rows: list[list[str]] = []
        begin, first, fault = 0, "", None
        for number, line in chain(self.lines(), [(0, "")]):
            text = line.strip()
            if not text or text.startswith("#"):
                if rows:
                    yield fault or reject_at(begin, 1, first, "9 rows of .sdx cells", str(len(rows)))
                rows, fault = [], None
                continue
            if not rows:
                begin, first = number, line
            cells = text.split()
            bad = next((cell for cell in cells if not _CELL.match(cell)), None)
            if fault is None and bad is not None:
                expected = "a digit, u and a digit, or candidates"
                fault = reject_at(number, line.index(bad) + 1, line, expected, shown(bad))
            elif fault is None and len(cells) != 9:
                fault = reject_at(number, 1, line, "9 cells separated by blanks", str(len(cells)))
            rows.append(cells)
            if len(rows) == 9:
                yield fault or _record(begin, [cell for row in rows for cell in row])
                rows, fault = [], None
