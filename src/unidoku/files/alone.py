"""A line, or the text of a field, as the reader of all layouts reads it alone.

What is no puzzle for a scanner may be one in another form; and a record is none whose line alone has other
cells.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence

from unidoku.cell import VALUES, fault, symbols_of
from unidoku.compat import np
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.files.records import cells_of_field
from unidoku.table.batch import KEPT, Batch, Reject

LONE_GRID = Message(
    "lone grid", "a full grid without its puzzle, which most lines beside it have: write the puzzle before it"
)
_COLUMN = re.compile(r" in ('[^']*')(?=, found)")  # of a reason
_NO_CELLS = bytes(code for code in range(128) if chr(code) not in VALUES)


def count_of_cells(text: bytes) -> int:
    """Return how many signs of a text may be cells."""
    return len(text.translate(None, _NO_CELLS))


def may_have_cells(text: bytes) -> bool:
    """Return whether the whole text of a reject may have 81 cells in another form."""
    return len(text) < KEPT and b"\0" not in text and count_of_cells(text) > 80


def cells_alone(text: str) -> str | InvalidPuzzleError:
    """Return the cells of a text alone, or why it is no puzzle."""
    from unidoku.parse import uses  # not at the top: a check of lines starts faster

    try:
        return symbols_of(uses.clues_in(uses.puzzle_in(text)))
    except InvalidPuzzleError as error:
        return error


def reason_of(alone: str | InvalidPuzzleError, cells: str) -> str | None:
    """Return why what a line has alone is no puzzle, or not these cells."""
    if isinstance(alone, InvalidPuzzleError):
        return alone.message
    return other_column(alone) if alone != cells else None


def other_column(cells: str) -> Message:
    """Return why a puzzle of a line is none of its file."""
    text = "the puzzle of this line alone is not in the column of the others: {cells}"
    return Message("other column", text, cells=cells)


def has_lone_grids(records: Iterable[tuple[str, str]]) -> bool:
    """Return whether the puzzles of the first records are full grids, and one is none beside its rest.

    A record is its text and its puzzle.
    """
    beside = list[tuple[str, str]]()
    for text, puzzle in records:
        cells = cells_of_field(puzzle)
        if cells and "." in cells:
            return False
        if cells and len(text.strip(" \r\n")) > len(cells):
            beside.append((text, cells))
    return any(reason_of(cells_alone(text), cells) for text, cells in beside)


def says_more(error: InvalidPuzzleError) -> bool:
    """Return whether an error says more than that of a scanner: a row, or that a part is missing."""
    from unidoku.parse import uses  # not at the top: a check of lines starts faster
    from unidoku.parse.places import NO_PUZZLE

    return error.row is not None or error.message in {uses.POSITION, NO_PUZZLE}


def readings_of(
    rejects: Sequence[Reject],
    texts: Iterable[tuple[int, str]],
    reason_beside: Callable[[int, str, str], str | None] = lambda number, text, cells: None,
) -> dict[int, Reject | str]:
    """Return the cells of rejects whose texts are puzzles, by the complements of their numbers.

    Others have the reason of their text, where it says more.
    """
    readings = dict[int, Reject | str]()
    for number, text in texts:
        alone = cells_alone(text)
        if isinstance(alone, str):
            if reason := reason_beside(number, text, alone):
                rejects[number].reason = reason
            else:
                readings[~number] = alone
        elif says_more(alone):
            column = _COLUMN.search(rejects[number].reason)
            rejects[number].reason = _in_column(alone.message, column[1]) if column else alone.message
    return readings


def _in_column(message: str, column: str) -> str:
    """Return a message about a text with the column where it stands."""
    if not isinstance(message, Message):
        return message
    fields = message.fields
    if message.key == "fault":
        what = Message("what in column", "{what} in {column}", what=fields["requirement"], column=column)
        return fault(what, fields["actual"])
    if "reason" in fields:
        fields = {**fields, "reason": _in_column(fields["reason"], column)}
        return Message(message.key, message.template, **fields)
    return message


def with_readings(batch: Batch, readings: dict[int, Reject | str], marks: set[int]) -> Batch:
    """Return a batch with other readings of its records; the rejects that are `marks` are no records.

    A reading is the cells of a record or what is wrong with it, by its number in ``batch.order``.
    """
    if not (readings or marks):
        return batch
    rejects = [*batch.rejects]
    cells_of = {number: cells for number, cells in readings.items() if isinstance(cells, str)}
    content = bytes(batch.text) + "".join(cells_of.values()).encode()
    places = dict(zip(cells_of, range(len(batch.text), len(content), 81), strict=True))
    starts, lines, order, rest = array("q"), array("q"), array("q"), list[Reject]()
    for k in range(len(batch.starts)) if batch.order is None else batch.order:
        reject = readings.get(k) if k >= 0 else rejects[~k]
        if k in places or not isinstance(reject, Reject):
            order.append(len(starts))
            starts.append(places[k] if k in places else batch.starts[k])
            lines.append(batch.lines[k] if k >= 0 else rejects[~k].line)
        elif ~k not in marks:
            order.append(~len(rest))
            rest.append(reject)
    if marks and batch.columns:
        kinds: Sequence[int] = batch.order  # pyright: ignore[reportAssignmentType]
        records = np.flatnonzero([~k not in marks for k in kinds])
        batch.columns = {name: column.take(records) for name, column in batch.columns.items()}
    batch.text, batch.starts, batch.lines, batch.rejects = content, starts, lines, rest
    batch.order = order if rest else None
    return batch
