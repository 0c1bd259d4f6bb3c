"""Records that Python reads one by one, and their batches.

If a scanner does not accept a record, the reader of all layouts reads its text; if that finds no puzzle, the
record is invalid.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from itertools import chain
from typing import Any, TypeVar, cast

from unidoku._native.text.columns import usual_cells
from unidoku._parse.links import is_link
from unidoku._parse.text import decode_line
from unidoku._table.batch import KEPT, Batch, PuzzleRecord, Reject
from unidoku._table.json_values import NO_VALUE, as_text, json_text
from unidoku.cell import (
    VALUES,
    fault,
    size_message,
    symbols_of,
    with_lost_zeros,
    wrong_cell,
    wrong_signs,
    wrong_size,
)
from unidoku.errors import InvalidPuzzleError, Message, Reason

_Function = TypeVar("_Function", bound=Callable[..., Any])


def remember_short(count: int) -> Callable[[_Function], _Function]:
    """Keep the last answers of a function of a text; long texts would stay in memory with them."""

    def remembering(function: _Function) -> _Function:
        remembered = lru_cache(count)(function)

        @wraps(function)
        def answer(text: str, *others: Any, **named: Any) -> Any:
            one = remembered if len(text) < KEPT else function
            return one(text, *others, **named)

        return cast(_Function, answer)

    return remembering


def reject_at(line: int, column: int, text: str, requirement: str, actual: str) -> Reject:
    """Return the reject of a damaged record at a line and column, counted from 1."""
    return Reject(line, column, text[:KEPT].encode(errors="replace"), fault("damaged", requirement, actual))


def usual_line(value: object) -> str | None:
    """Return 81 cells with ``.`` for each empty one; None for another text or value."""
    cells = usual_cells(value)
    return None if cells is None else symbols_of(cells)


_ROW = 9  # cells
_NO_LIST = str.maketrans(dict.fromkeys(" \t\r\n,;|/[](){}'\""))


def without_separators(row: list[Any] | str) -> list[Any] | str:
    """Return a row of cells without separators, if it is a text."""
    if not isinstance(row, str) or len(row) <= _ROW:
        return row
    return row.translate(_NO_LIST)


_NEARLY = range(40, 100)  # characters: a time in digits is shorter, candidates are more
_STRANGE_MAX = 3


def is_damaged_puzzle(text: str) -> bool:
    """Return whether a field is a damaged puzzle: no name has so many signs of cells, among them digits."""
    if text[:1] == "[":
        text = text.translate(_NO_LIST)
    if len(text) not in _NEARLY:
        return False
    if len(text) - sum(map(text.count, VALUES)) > _STRANGE_MAX:
        return False
    return any(map(str.isdigit, text))


_CELLS = "".join(VALUES)
_NO_CELLS = bytes({*range(128)}.difference(_CELLS.encode()))
_NO_CELLS_OR_GAPS = bytes({*_NO_CELLS}.difference(b" ,;|\t\n"))
_GAPS = 80  # between cells
_FEWEST_CLUES = 17


def _may_have_board(content: bytes) -> bool:
    """Return whether a text has 81 characters of cells, or gaps between them in a list or among clues."""
    if not 81 <= len(content) < KEPT:
        return False
    if len(content.translate(None, _NO_CELLS)) >= 81:
        return True
    if len(content.translate(None, _NO_CELLS_OR_GAPS)) < _GAPS:
        return False
    if content.startswith((b"[", b"(")):
        return True
    return sum(map(content.count, b"123456789")) >= _FEWEST_CLUES


@remember_short(32)  # the search for a record, and the record, read the same text, in several threads
def reading_of(text: str) -> tuple[str | None, Reason | None]:
    """Return the cells of a text with 81 cells in another form; or why it has none, if it may have some."""
    if not is_link(text) and not _may_have_board(text.encode(errors="replace")):
        return None, None
    from unidoku._parse import board, contents, forms  # not at the top: a check of lines starts faster

    try:
        cells = forms.PUZZLES.cells_in(text) or symbols_of(board.clues_in(contents.only_board(text)))
    except InvalidPuzzleError as error:
        return None, error.message
    if cells == text and "." not in cells:  # for a scanner a field is missing, perhaps its puzzle
        return None, board.NO_PUZZLE
    return cells, None


def read_again(reject: Reject) -> PuzzleRecord | Reject:
    """Return the puzzle that the whole text of a reject is in another form, or the reject with its beginning.

    The reject perhaps has a better reason then.
    """
    if reject.text is None:
        return reject
    puzzle, reason = reading_of(decode_line(reject.text))
    if puzzle is not None:
        return PuzzleRecord(reject.line, puzzle)
    if reason:
        reject.reason = reason
    reject.text = reject.text[:KEPT]
    return reject


def reading_of_value(value: object) -> str | Reason:
    """Return the cells of a value of JSON, as `unidoku.Grid` reads it; or why it has none."""
    if usual := usual_line(value):
        return usual
    if isinstance(value, str):
        found, reason = reading_of(value)
        return found or reason or reason_of_text(value)
    if value is None:
        return fault("no_puzzle", size_message(), "null")
    if not isinstance(value, list):
        return fault("wrong_type", size_message(), Message("neither a text nor a list"))
    from unidoku._parse.board import POSITION  # not at the top: a check of lines starts faster
    from unidoku._parse.puzzle import cells_of

    try:
        of_list = cells_of(value)
    except InvalidPuzzleError as error:
        return error.message
    return symbols_of(of_list) if isinstance(of_list, bytes) else POSITION


def excerpt_of(value: object) -> bytes | None:
    """Return the beginning of a value that is not a puzzle; None for a null."""
    if value is None:
        return None
    text = as_text(value) if isinstance(value, str | bytes) else json_text(value)
    return text[:KEPT].encode(errors="replace")


@remember_short(256)  # damage is often alike
def reason_of_text(text: str) -> Reason:
    """Explain why a text is not a puzzle."""
    if len(text) != 81:
        from unidoku._parse.errors import other_size  # not at the top: a puzzle needs no error

        return with_lost_zeros(wrong_size(other_size(text.split("\n")) or len(text)), text)
    if wrong := wrong_signs(text):
        return wrong
    cell = 81 - len(text.lstrip(_CELLS))
    return wrong_cell(text[cell], cell)


def merged(batch: Batch, items: Sequence[PuzzleRecord | Reject]) -> Batch:
    """Return a batch with items in the places of its rejects: puzzles, or other rejects."""
    batch.rejects = rejects = [item for item in items if isinstance(item, Reject)]
    if len(rejects) == len(items):
        return batch
    content, count = bytearray(batch.text), 0
    starts, lines, order = array("q"), array("q"), array("q")
    for k in batch.order:
        if k >= 0:
            start, line = batch.starts[k], batch.lines[k]
        elif isinstance(item := items[~k], PuzzleRecord):
            start, line = len(content), item.line
            content += item.cells.encode()
        else:
            order.append(~count)
            count += 1
            continue
        order.append(len(starts))
        starts.append(start)
        lines.append(line)
    batch.text, batch.starts, batch.lines = bytes(content), starts, lines
    batch.order = order if rejects else None
    return batch


def batch_of(records: Sequence[PuzzleRecord | Reject], source: str, names: Sequence[str] = ()) -> Batch:
    """Return records and rejects as a batch, with columns of these names and of what came with them."""
    order = array("q", range(-1, -len(records) - 1, -1))
    batch = merged(Batch(source, b"", array("q"), array("q"), order=order), records)
    found = dict.fromkeys(chain(names, *(record.extra for record in records)))
    from unidoku._table.column import Column  # not at the top: lines start faster

    batch.columns = {
        name: Column.of(record.extra.get(name, NO_VALUE) for record in records) for name in found
    }
    return batch
