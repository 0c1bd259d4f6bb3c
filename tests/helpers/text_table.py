"""The table of texts, `tests/texts/table.txt`, and its notation for boards.

A row begins with ``===``, a kind (a puzzle, an answer, or a file by its suffix) and what is read: cells, or
``refused``; of a file its records by lines, ``-`` for one that is no puzzle. Its text stands below; signs
that nobody sees are escapes of Python.

``{A}`` are the 81 cells of a board, ``{A3}`` its row 3, ``{A<80}`` its first 80 cells, ``{A>1}`` all but its
first. A line with ``{A1-9}`` is written once for each of these rows, with ``{n}`` for its number. Behind
colons may follow: the sign of empty cells, and what stands between cells, boxes, rows and bands.
``{,}`` is a comma, a semicolon and a tab, in a row each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from example_puzzles import SOLUTION, UNIQUE

BOARDS = {
    "A": UNIQUE,
    "S": SOLUTION,
    "B": "97..8....5..914....82....6.6...2...71..3.8..43...6...8.6....89....591..6....7..35",
    "T": "971682543536914782482735169658429317197358624324167958765243891843591276219876435",
    "E": "." * 81,
    "C": "".join(SOLUTION[column::9] for column in range(9)),
    "X": "".join(
        SOLUTION[k : k + 3] for box in (0, 3, 6, 27, 30, 33, 54, 57, 60) for k in range(box, box + 27, 9)
    ),
}
"""Two puzzles, each with its solution, an empty board, and columns and boxes of the first solution."""

_DRAWN = re.compile(r"\{([ASBTECX])(?:([1-9])|<(\d+)|>(\d+))?((?::[^:{}]*)*)\}")
_ROWS = re.compile(r"(?m)^.*\{[ASBTECX]([1-9])-([1-9]).*$")


class Row(NamedTuple):
    """A row of the table, whose boards may be others."""

    line: int
    kind: str
    meaning: str
    notation: str

    @property
    def text(self) -> str:
        """The text."""
        return self.draw(BOARDS["A"])

    @property
    def blank(self) -> bool:
        """Whether an empty cell of ``A`` is a blank or nothing."""
        return bool(re.search(r"\{A[^:}]*: ?[:}]", self.notation))

    def draw(self, cells: str) -> str:
        """Return the text with other cells of ``A``."""
        text = _ROWS.sub(_lines, self.notation)
        text = _DRAWN.sub(lambda match: _cells(match, BOARDS | {"A": cells}), text)
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape")


def _lines(match: re.Match[str]) -> str:
    """Write a line for each of its rows."""
    numbers = range(int(match[1]), int(match[2]) + 1)
    span = f"{match[1]}-{match[2]}"
    return "\n".join(match[0].replace(span, str(k)).replace("{n}", str(k)) for k in numbers)


def _cells(match: re.Match[str], boards: Mapping[str, str]) -> str:
    """Write cells of a board."""
    name, row, below, above, options = match.groups()
    first, last = (9 * int(row) - 9, 9 * int(row)) if row else (int(above or 0), int(below or 81))
    empty, *gaps = [*(options[1:].split(":") if options else "."), *[""] * 4][:5]
    text = ""
    for k in range(first, last):
        between = [gap for gap, size in zip(gaps, (1, 3, 9, 27), strict=True) if gap and k % size == 0]
        text += "".join(between[-1:] if k > first else []) + boards[name][k].replace(".", empty)
    return text


def _rows() -> list[Row]:
    """Read the table."""
    table = (Path(__file__).parent.parent / "texts" / "table.txt").read_text(encoding="utf-8")
    return [
        Row(
            table.count("\n", 0, match.start()) + 1,
            match[1],
            _DRAWN.sub(lambda place: _cells(place, BOARDS), match[2]),
            match[3].replace("{,}", sign),
        )
        for match in re.finditer(r"(?ms)^=== (\S+) (.*?)\n(.*?)\n(?=^===|\Z)", table)
        for sign in (",", ";", "\\t")
        if sign == "," or "{,}" in match[3]
    ]


ROWS = _rows()
