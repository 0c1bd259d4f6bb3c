"""Records that Python reads one by one, and their batches.

A record that is no puzzle for a scanner is a text for the reader of all layouts; where that finds no puzzle,
it is invalid.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from unidoku.cell import VALUES, fault, symbols_of
from unidoku.errors import InvalidPuzzleError
from unidoku.native.text.columns import usual_cells
from unidoku.native.text.scan import separated_cells
from unidoku.parse.text import decode_line
from unidoku.table.batch import KEPT, Batch, PuzzleRecord, Reject
from unidoku.table.json_values import NO_VALUE


def reject_at(line: int, column: int, text: str, requirement: str, actual: str) -> Reject:
    """Return a reject at a line and column, counted from 1."""
    return Reject(line, column, text[:KEPT].encode(errors="replace"), fault(requirement, actual))


def is_puzzle_line(line: bytes) -> bool:
    """Return whether a line begins with the cells of a puzzle."""
    if line[81:82] in b' \t,;:#|"' and puzzle_in(line[:81].decode("latin-1")) is not None:
        return True
    return separated_cells(line) is not None


def puzzle_in(text: str) -> str | None:
    """Return 81 cells with ``.`` for each empty one; None for another text."""
    cells = usual_cells(text)
    return None if cells is None else symbols_of(cells)


_NO_LIST = str.maketrans(dict.fromkeys(" \t\r\n,;|/[](){}'\""))


def cells_of_field(text: str) -> str | None:
    """Return the cells of a field that is a puzzle, a list of cells or of rows, or nine lines."""
    return puzzle_in(text) or (puzzle_in(text.translate(_NO_LIST)) if len(text) > 81 else None)


_NEARLY = range(40, 100)  # characters: a time in digits is shorter, candidates are more
_STRANGE_MAX = 3


def is_nearly_puzzle(text: str) -> bool:
    """Return whether a field is a damaged puzzle: no name has so many signs of cells, among them digits."""
    if len(text) not in _NEARLY or (len(text) == 81 and puzzle_in(text)):
        return False
    strange = len(text) - sum(map(text.count, VALUES))
    return strange <= _STRANGE_MAX and any(map(str.isdigit, text))


_NO_CELLS = bytes(code for code in range(128) if chr(code) not in VALUES)


def reading_of(text: str) -> tuple[str | None, str]:
    """Return the cells of a text with 81 cells in another form; or why it has none, if that says more."""
    content = text.encode(errors="replace")
    if not 81 <= len(content) < KEPT or b"\0" in content or len(content.translate(None, _NO_CELLS)) < 81:
        return None, ""
    from unidoku.parse import board, uses  # not at the top: a check of lines starts faster

    try:
        cells = symbols_of(board.clues_in(uses.puzzle_in(text)))
    except InvalidPuzzleError as error:
        says_more = error.row is not None or error.message in {board.POSITION, board.NO_PUZZLE}
        return None, error.message if says_more else ""
    if cells == text and "." not in cells:  # for a scanner a field is missing, perhaps its puzzle
        return None, board.NO_PUZZLE
    return cells, ""


def read_again(batch: Batch, numbers: Iterable[int]) -> Batch:
    """Return a batch in which the rejects with these numbers are records, if their texts are puzzles."""
    cells = dict[int, str]()
    for number in numbers:
        reject = batch.rejects[number]
        puzzle, reason = reading_of(decode_line(reject.text or b""))
        if puzzle is not None:
            cells[~number] = puzzle
        reject.reason = reason or reject.reason
    if not cells or batch.order is None:
        return batch
    content = bytes(batch.text) + "".join(cells.values()).encode()
    places = dict(zip(cells, range(len(batch.text), len(content), 81), strict=True))
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


def batch_of(records: list[PuzzleRecord | Reject], source: str, names: tuple[str, ...] = ()) -> Batch:
    """Return records and rejects as a batch, with columns of these names."""
    puzzles, rejects, order = list[PuzzleRecord](), list[Reject](), array("q")
    for record in records:
        if isinstance(record, PuzzleRecord):
            order.append(len(puzzles))
            puzzles.append(record)
        else:
            order.append(~len(rejects))
            rejects.append(record)
    columns = {}
    if names:
        from unidoku.table.column import Column  # not at the top: a run that only counts needs no NumPy

        columns = {name: Column.of(record.extra.get(name, NO_VALUE) for record in records) for name in names}
    return Batch(
        source,
        "".join(puzzle.cells for puzzle in puzzles).encode(),
        array("q", range(0, 81 * len(puzzles), 81)),
        array("q", [puzzle.line for puzzle in puzzles]),
        rejects=rejects,
        order=order if rejects else None,
        columns=columns,
    )
