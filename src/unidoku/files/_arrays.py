"""Files of NumPy: ``.npy`` with puzzles, ``.npz`` with an array for each column."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from unidoku._compat import NDArray, np
from unidoku._table.batch import KEPT, Batch, Reject
from unidoku._table.column import Column
from unidoku._table.forms import check_characters, read_cells
from unidoku.cell import fault
from unidoku.errors import FormatError, InvalidPuzzleError, Message
from unidoku.files._chunks import HEAD, LINES, Chunk, Reader, Reading, chunk_with
from unidoku.files._roles import first_record, first_rows, puzzle_column, roles_of
from unidoku.files._source import PUZZLE_BYTES, Source
from unidoku.files._storage import reading

_MAGIC = b"\x93NUMPY", b"PK\x03\x04", b"PK\x05\x06"


class ArraysReader(Reader):
    """Reader of an array of puzzles ([n, 81] or [n, 9, 9] cells, or n texts), and of the other arrays."""

    def __init__(self, source: Source, settings: Reading) -> None:
        super().__init__(source, settings)
        if not source.peek(HEAD).startswith(_MAGIC):
            raise FormatError(fault("wrong_format", Message("arrays of NumPy"), Message("other content")))
        content = io.BytesIO(source.read())
        with reading(source.name, Message("NumPy cannot read its arrays")):
            loaded = np.load(content)
            sizes = {"puzzles": 0}
            if isinstance(loaded, np.ndarray):
                loaded = {"puzzles": loaded}
            else:  # a member that is not an array is ignored
                members = {member.filename: member.file_size for member in loaded.zip.infolist()}
                sizes = {name: members[f"{name}.npy"] for name in loaded if f"{name}.npy" in members}

            def first_row() -> Sequence[str]:
                source.expand(sum(sizes.values()))
                return first_record(_rows(loaded[name] for name in sizes))

            index = puzzle_column([*sizes], settings.column, row=first_row)
            puzzles = [*sizes][index]
            others = settings.needed.among([name for name in sizes if name != puzzles])
            source.expand(sum(sizes[name] for name in (puzzles, *others)))
            arrays = {name: loaded[name] for name in (puzzles, *others)}
        self.puzzles: NDArray[Any] = arrays.pop(puzzles)
        if not self.puzzles.ndim:
            raise FormatError(Message("expected an array of puzzles, found a single value"))
        self.passthrough: dict[str, NDArray[Any]] = {
            name: array for name, array in arrays.items() if array.ndim
        }
        for array in (self.puzzles, *self.passthrough.values()):
            try:
                check_characters(array)
            except InvalidPuzzleError as error:
                raise FormatError(error.message) from error
        if len(sizes) > 1:
            rows = [*_rows(({puzzles: self.puzzles} | arrays).get(name, np.empty(0)) for name in sizes)]
            self.roles = roles_of([*sizes], index, rows, settings)
        for name, array in self.passthrough.items():
            if len(array) != len(self.puzzles):
                text = "expected {n} rows in {name}, found {found}"
                fields = {"n": len(self.puzzles), "name": repr(name), "found": len(array)}
                raise FormatError(Message(text, **fields))

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Cut the arrays into chunks."""
        while (begin := self.line) < len(self.puzzles):
            self.line = end = begin + max(1, target() // PUZZLE_BYTES)
            puzzles = self.puzzles[begin:end]
            try:
                cells, reasons = read_cells(puzzles, errors="invalid")
            except InvalidPuzzleError as error:
                raise FormatError(error.message) from error
            texts = ((row, _text(puzzles[row]), why) for row, why in reasons.items())
            rejects = [Reject(begin + row + 1, None, text, why) for row, text, why in texts]
            columns = {name: _column(array[begin:end]) for name, array in self.passthrough.items()}
            batch = Batch.of_cells(cells, rejects, begin)
            yield chunk_with(replace(batch, source=self.source.name, columns=columns, roles=self.roles))


def _rows(arrays: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the first rows of arrays."""
    return first_rows(array[:LINES].tolist() if array.ndim else [] for array in arrays)


def _text(puzzle: Any) -> bytes | None:
    """Return a puzzle that is a text; None for an array."""
    if not isinstance(puzzle, str):
        return None
    return puzzle[:KEPT].encode("utf-8", "backslashreplace")


def _column(array: np.ndarray) -> Column:
    """Convert an array to a column; texts and nested arrays become Python values."""
    kind = array.dtype.kind
    if kind not in "biuf" or array.shape[1:] not in ((), (81,)):
        return Column.of(array.tolist())
    if kind == "f":
        return Column(array.astype(np.float64))
    return Column(array.astype(array.dtype.newbyteorder("=")))
