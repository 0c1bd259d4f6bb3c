"""Answers as people, files and language models write them: the grid in a text."""

from __future__ import annotations

import json
import re

from unidoku.cell import VALUES
from unidoku.errors import InvalidPuzzleError

ABSENT = "no answer"
"""The reason where there is no answer."""

_NONE = frozenset({"", "null", "none", "nan", "n/a"})
_PART = r"\s,;/|&\\\[\](){}'\"`+*=─-╿-"  # what may stand between the cells of a drawn grid
# A dot or a line beside a letter belongs to a sentence or a name.
_CELL = r"(?:[0-9]|(?<![A-Za-z])[._](?![A-Za-z]))"
_RUN = re.compile(rf"(?<![A-Za-z0-9.]){_CELL}(?:[{_PART}]*{_CELL})*(?![A-Za-z0-9])")
_LABEL = re.compile(r"^\W*(?:row|line|r)?\s*(?:[1-9]|[A-Ia-i])\s*[:.)|]", re.IGNORECASE)
_BORDER = re.compile(rf"(?:\\hline|[{_PART}:_.])*")
_LONGEST = 200  # characters in a line that is a row of a drawn grid
_NOT_CELLS = re.compile(rf"[{_PART}]|\*\*")


def answer_cells(text: str) -> bytes:
    """Return the cells 0 to 9 of the grid in an answer; the last one if there are several.

    A grid is 81 cells in a line or in nine, also spaced, framed, with words before and after it or a label
    before each row, or a JSON list of 81 cells or of 9 rows.
    """
    if text.strip().lower() in _NONE:
        raise InvalidPuzzleError(ABSENT)
    if len(text) == 81 and all(symbol in VALUES for symbol in text):
        return bytes(map(VALUES.__getitem__, text))
    found = _listed(text) or max(_runs(text), _rows(text))[1]
    if not found:
        raise InvalidPuzzleError("no grid of 81 cells in the answer")
    return found


def _listed(text: str) -> bytes | None:
    """Return the cells of a JSON list, None if the text is another one."""
    if not text.lstrip().startswith(("[", '"')):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, str):
        return answer_cells(value)
    if not isinstance(value, list):
        return None
    cells = [cell for row in value for cell in (row if isinstance(row, list | str) else [row])]
    values = [0 if cell in (None, "", " ") else VALUES.get(str(cell), -1) for cell in cells]
    if len(values) != 81 or -1 in values:
        return None
    return bytes(values)


def _runs(text: str) -> tuple[int, bytes]:
    """Return the last run of 81 cells, or of several grids, and where it ends."""
    best = -1, b""
    for run in _RUN.finditer(text):
        cells = _NOT_CELLS.sub("", run[0])
        if len(cells) % 81 == 1 and cells.endswith("."):  # of the sentence
            cells = cells[:-1]
        if cells and len(cells) % 81 == 0:
            best = run.end(), bytes(map(VALUES.__getitem__, cells[-81:]))
    return best


def _rows(text: str) -> tuple[int, bytes]:
    """Return the last grid whose rows are lines, perhaps with a label each, and where it ends."""
    best = -1, b""
    rows: list[bytes] = []
    end = 0
    for line in text.splitlines(keepends=True):
        end += len(line)
        row = _row(line)
        if row is not None:
            rows.append(row)
            if len(rows) >= 9:
                best = end, b"".join(rows[-9:])
        elif not _BORDER.fullmatch(line):
            rows = []
    return best


def _row(line: str) -> bytes | None:
    """Return the nine cells of a line, None for another line."""
    if len(line) > _LONGEST:
        return None
    label = _LABEL.match(line)
    for rest in (line, line[label.end() :] if label else ""):
        cells = _NOT_CELLS.sub("", rest)
        if len(cells) == 9 and all(cell in "0123456789._" for cell in cells):
            return bytes(map(VALUES.__getitem__, cells))
    return None
