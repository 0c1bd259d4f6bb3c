"""Grids in answers of any kind: texts, bytes, lists, arrays, or nothing."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from unidoku.cell import CELL_CODES, VALUES, WRONG
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.parse.text import array_of, is_bytes, is_missing, one_value

NO_ANSWER = "no answer"
"""Why there is no grid where there is no answer."""

LONGEST = 1 << 18
"""Characters of a text that are read: the last ones of a longer text."""

_NO_GRID = "no grid of 81 cells in the answer"
_EMPTY = bytes(81)
_NONE = frozenset({"", "null", "none", "nan", "n/a"})
_PART = r"\s,;/|&\\\[\](){}'\"`+*=─-╿-"  # what may stand between the cells of a drawn grid
# A dot or a line beside a letter belongs to a sentence or a name.
_CELL = r"(?:[0-9]|(?<![A-Za-z])[._](?![A-Za-z]))"
_RUN = re.compile(rf"(?<![A-Za-z0-9.]){_CELL}(?:[{_PART}]*{_CELL})*(?![A-Za-z0-9])")
_FLOAT = re.compile(r"(?<![A-Za-z0-9.])([0-9])\.0*(?![A-Za-z0-9.])")
_ALONE = re.compile(r"(?<![0-9._])[0-9._]{81}(?![0-9_]|\.[0-9._])")
_LABEL = re.compile(r"^\W*(?:row|line|r)?\s*(?:[1-9]|[A-Ia-i])\s*[:.)|]", re.IGNORECASE)
_BORDER = re.compile(rf"(?:\\hline|[{_PART}:_.])*")
_LONGEST_ROW = 200  # characters in a line that is a row of a drawn grid
_NOT_CELLS = re.compile(rf"[{_PART}]|\*\*")


def read_answer(answer: Any) -> tuple[bytes, str]:
    """Return the grid in an answer, cells 0 to 9, and an empty text; or an empty grid and why there is none.

    A grid is 81 cells in a line or in nine, also spaced, framed, with words before and after it or a label
    before each row, or a list of 81 cells or of 9 rows, also as JSON; the last one if there are several.  The
    time is linear in the answer, and bounded: only the last `LONGEST` characters of a text are read.
    """
    try:
        return _grid_in(answer), ""
    except InvalidPuzzleError as error:
        return _EMPTY, error.message
    except Exception:  # an object of another program may raise anything
        return _EMPTY, _NO_GRID


def _grid_in(answer: Any) -> bytes:
    """Return the cells of the grid in an answer; an error if there is none."""
    if isinstance(answer, Grid):
        return answer.cells
    if isinstance(answer, str):
        return _cells_of(answer[-LONGEST:])
    if is_bytes(answer):
        data = bytes(memoryview(answer).cast("B")[-4 * LONGEST :])
        if len(data) == 81 and max(data) <= 9:
            return data
        return _cells_of(data.decode("utf-8", "replace")[-LONGEST:])
    if is_missing(answer):
        raise InvalidPuzzleError(NO_ANSWER)
    if isinstance(answer, float):
        raise InvalidPuzzleError(_NO_GRID)
    value = one_value(answer)
    if value is not answer:
        return _grid_in(value)
    is_list = isinstance(answer, list | tuple)
    if len(answer) > 81 or (is_list and len(answer) not in {9, 81}):
        raise InvalidPuzzleError(_NO_GRID)
    with suppress(ValueError):  # rows of different lengths
        array = array_of(answer)
        if not is_list and array.size != 81:
            raise InvalidPuzzleError(_NO_GRID)
        if array.dtype.kind == "f" and (array % 1 == 0).all():
            return Grid(array.astype("int64")).cells
    return Grid(answer).cells


def _cells_of(text: str) -> bytes:
    """Return the cells of the last grid in a text."""
    if len(text) == 81 and text.isascii():
        cells = text.encode("ascii").translate(CELL_CODES)
        if WRONG not in cells:
            return cells
    if text.strip().lower() in _NONE:
        raise InvalidPuzzleError(NO_ANSWER)
    grid = _listed(text)
    if not grid:
        text = _without_fractions(text)
        grid = max(_runs(text), _rows(text))[1]
    if not grid:
        raise InvalidPuzzleError(_NO_GRID)
    return grid


def _listed(text: str) -> bytes | None:
    """Return the cells of a JSON list; None for any other text."""
    if not text.lstrip().startswith(("[", '"')):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, str):
        return _cells_of(value)
    if not isinstance(value, list):
        return None
    cells = [cell for row in value for cell in (row if isinstance(row, list | str) else [row])]
    cells = [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in cells]
    values = [0 if cell in (None, "", " ") else VALUES.get(str(cell), -1) for cell in cells]
    if len(values) != 81 or -1 in values:
        return None
    return bytes(values)


def _without_fractions(text: str) -> str:
    """Return a text with ``5`` for ``5.0`` and ``5.`` where these are the cells: there are at least 81."""
    changed, count = _FLOAT.subn(r"\1", text) if text.count(".") >= 81 else (text, 0)
    return changed if count >= 81 else text


def _runs(text: str) -> tuple[int, bytes]:
    """Return the last run of 81 cells, or of several grids, and where it ends.

    A run may begin with other numbers; then its last 81 cells in one piece count.
    """
    best = -1, b""
    for run in _RUN.finditer(text):
        cells = _NOT_CELLS.sub("", run[0])
        if len(cells) % 81 == 1 and cells.endswith("."):  # of the sentence
            cells = cells[:-1]
        if len(cells) > 81 and len(cells) % 81:
            cells = "".join(_ALONE.findall(run[0])[-1:])
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
    if len(line) > _LONGEST_ROW:
        return None
    label = _LABEL.match(line)
    for content in (line, line[label.end() :] if label else ""):
        cells = _NOT_CELLS.sub("", content)
        if len(cells) == 9 and all(cell in "0123456789._" for cell in cells):
            return bytes(map(VALUES.__getitem__, cells))
    return None
