"""A line, or the text of a field, that is no puzzle for a scanner, as the reader of all layouts reads it alone."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence

from unidoku.cell import VALUES, fault, symbols_of
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.table.batch import KEPT, Batch, Reject

_COLUMN = re.compile(r" in ('[^']*')(?=, found)")  # of a reason
_NO_CELLS = bytes(code for code in range(128) if chr(code) not in VALUES)


def may_have_cells(text: bytes) -> bool:
    """Return whether the whole text of a reject may have 81 cells in another form."""
    return len(text) < KEPT and b"\0" not in text and len(text.translate(None, _NO_CELLS)) > 80


def cells_alone(text: str) -> str | InvalidPuzzleError:
    """Return the cells of a text alone, or why it is no puzzle."""
    from unidoku.parse.board import clues_in  # not at the top: a check of lines starts faster
    from unidoku.parse.uses import puzzle_in

    try:
        return symbols_of(clues_in(puzzle_in(text)))
    except InvalidPuzzleError as error:
        return error


def says_more(error: InvalidPuzzleError) -> bool:
    """Return whether an error says more than that of a scanner: a row, or that a part is missing."""
    from unidoku.parse.board import POSITION  # not at the top: a check of lines starts faster
    from unidoku.parse.uses import NO_PUZZLE

    return error.row is not None or error.message in {POSITION, NO_PUZZLE}


def readings_of(rejects: Sequence[Reject], texts: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the cells of rejects whose texts are puzzles, by the complements of their numbers.

    Others have the reason of their text, where it says more.
    """
    readings = dict[int, str]()
    for number, text in texts:
        alone = cells_alone(text)
        if isinstance(alone, str):
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


def with_readings(batch: Batch, readings: dict[int, str]) -> Batch:
    """Return a batch in which some rejects are records with these cells, by their numbers in ``batch.order``."""
    if not readings or batch.order is None:
        return batch
    content = bytes(batch.text) + "".join(readings.values()).encode()
    places = dict(zip(readings, range(len(batch.text), len(content), 81), strict=True))
    starts, lines, order, rest = array("q"), array("q"), array("q"), list[Reject]()
    for k in batch.order:
        if k < 0 and k not in places:
            order.append(~len(rest))
            rest.append(batch.rejects[~k])
            continue
        order.append(len(starts))
        starts.append(places[k] if k < 0 else batch.starts[k])
        lines.append(batch.rejects[~k].line if k < 0 else batch.lines[k])
    batch.text, batch.starts, batch.lines, batch.rejects = content, starts, lines, rest
    batch.order = order if rest else None
    return batch
