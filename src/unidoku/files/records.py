"""Batches of records that Python reads one by one.

Formats that people write by hand or export from a program hold a few thousand puzzles at most: their readers
work on ``str``, and yield puzzles and rejects.
"""

from __future__ import annotations

from array import array

from unidoku.cell import VALUES, cells_in, fault, symbols_of
from unidoku.native.text.scan import separated_cells
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
    cells = cells_in(text)
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
