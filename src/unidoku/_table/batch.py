"""Batches: records in order, with the puzzles among them ready for the kernel.

NumPy is imported only when it is needed, so that a check of text starts fast.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from unidoku import kernel
from unidoku._compat import np
from unidoku._native.text.columns import interleave
from unidoku.errors import FormatError, InvalidPuzzleError, Reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._table.column import Column

KEPT = 4096
"""Bytes of the text of a record that is not a puzzle, in outputs."""


_VALUES = {
    code: bytes(byte - code if byte - code in range(10) else 0 for byte in range(256)) for code in (0, 48)
}
"""The value of each byte as a cell, by the code of an empty one."""


@dataclass(slots=True, eq=False, repr=False)
class PuzzleRecord:
    """One puzzle as text, the physical line it begins on, and what came with it, by column name.

    Cells are 81 characters, ``1`` to ``9`` or ``.``.
    """

    line: int
    cells: str
    extra: dict[str, Any] = field(default_factory=dict)
    source: str = ""
    title: str = ""
    subject: Any = field(init=False)
    """The cells, or the position of digits and candidates."""

    def __post_init__(self) -> None:
        self.subject = self.cells

    def error(self, why: str) -> FormatError:
        """Return why it cannot be written, with its file and line."""
        return FormatError(why, file=self.source or None, line=self.line)


@dataclass(slots=True, eq=False, repr=False)
class Reject:
    """A record that is not a puzzle; the text is None if the value is null."""

    line: int
    column: int | None
    text: bytes | None
    reason: Reason
    extra: dict[str, Any] = field(default_factory=dict)
    """Its other values by the names of columns, if the reader has them as Python objects."""

    def error(self, source: str) -> InvalidPuzzleError:
        """Return the same as an exception with file, line and column."""
        return InvalidPuzzleError(self.reason, file=source, line=self.line, column=self.column)


class Roles(NamedTuple):
    """The roles of the columns of an input, by their names; the same for all its batches."""

    puzzles: str = ""
    """The column of the puzzles; empty for texts without columns."""
    solutions: tuple[str, ...] = ()
    """Columns of solutions."""
    names: tuple[str, ...] = ()
    """All columns of the input."""
    is_deep: bool = False
    """Whether the puzzles are among words, or in lists or objects: their column stays one of the output."""
    first: Mapping[str, Any] = MappingProxyType({})
    """The values of the first record that has a puzzle."""


@dataclass(slots=True, eq=False, repr=False)
class Batch:
    """Records of one source, in order.

    Puzzle ``i`` is ``text[starts[i]:starts[i] + 81]``: a byte ``empty_code + 1`` to ``empty_code + 9`` is a
    clue, any other one is an empty cell.
    """

    source: str
    text: Any
    """The buffer with the puzzles; the reader has checked their cells."""
    starts: Any
    """Where each puzzle begins: int64[m], or a range of these numbers."""
    lines: Any
    """Physical line (or record) number of each puzzle, from 1."""
    _: KW_ONLY
    empty_code: int = 48
    """48 for text, 0 for arrays of 0 to 9."""
    rejects: Sequence[Reject] = ()
    """The records that are not puzzles."""
    order: Any = None
    """The kind of each record, int64[n]: k is puzzle k, ~k reject k; None if all are puzzles."""
    columns: dict[str, Column] = field(default_factory=dict)
    """The columns that came with the records, puzzles or not, by name."""
    late: tuple[str, ...] = ()
    """Those of them whose names the first bytes of the input lack: other batches may not have them."""
    roles: Roles = field(default_factory=Roles)
    """The roles of these columns."""
    text_bytes: int = 0
    """The bytes of its text, if known: they determine the time."""
    legacy_line: int | None = None
    """The first line that was not UTF-8, and was read as Windows-1252."""

    @classmethod
    def of_cells(cls, cells: Any, rejects: Sequence[Reject] = (), begin: int = 0) -> Batch:
        """Return records given as uint8[n, 81], cells 0 to 9; there are `begin` records before them.

        The cells are not copied; the cells of rejects are not read.
        """
        text = np.ascontiguousarray(cells, np.uint8).reshape(-1)
        lines = np.arange(begin + 1, begin + 1 + len(cells))
        if not rejects:
            return cls("", text, range(0, text.size, 81), lines, empty_code=0)
        is_puzzle = np.ones(len(cells), np.bool_)
        is_puzzle[[reject.line - begin - 1 for reject in rejects]] = False
        starts, order = 81 * np.flatnonzero(is_puzzle), _order_of(is_puzzle)
        return cls("", text, starts, lines[is_puzzle], empty_code=0, rejects=rejects, order=order)

    @classmethod
    def of_text(cls, text: Any, starts: Any, empty_code: int = 48) -> Batch:
        """Return the puzzles of a text, given by where each begins."""
        return cls("", text, starts, range(1, len(starts) + 1), empty_code=empty_code)

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.starts)

    @property
    def size(self) -> int:
        """The number of records: puzzles and rejects."""
        return len(self.starts) + len(self.rejects)

    def without_late(self) -> Batch:
        """Return the batch with the columns that all batches of the input have."""
        if not self.late:
            return self
        columns = {name: column for name, column in self.columns.items() if name not in self.late}
        names = tuple(name for name in self.roles.names if name not in self.late)
        return replace(self, columns=columns, roles=self.roles._replace(names=names), late=())

    @property
    def names(self) -> list[str]:
        """The columns of the input apart from the puzzles, read or not."""
        roles = self.roles
        return [name for name in roles.names or self.columns if roles.is_deep or name != roles.puzzles]

    @property
    def cells(self) -> NDArray[np.uint8]:
        """The cells of the puzzles, 0 to 9: uint8[m, 81], which cannot be changed; perhaps not copied."""
        cells: NDArray[np.uint8] = np.frombuffer(self.values(), np.uint8).reshape(-1, 81)
        cells.flags.writeable = False
        return cells

    def values(self) -> memoryview:
        """Return the 81 values of each puzzle, copied if they are not numbers one after the other."""
        n, starts = len(self), self.starts
        if self.empty_code == 0 and n and isinstance(starts, range) and starts.step == 81:
            return memoryview(self.text).cast("B")[starts[0] : starts[0] + 81 * n]
        from unidoku._table.column import buffer_of  # not at the top: a check of text starts faster

        copy = bytearray(81 * n)
        native = kernel.isa_module(package="symmetry")
        native.transform(self.text, buffer_of(starts), array("q", [0]), copy, zero=self.empty_code)
        return memoryview(copy)

    def grids(self) -> Iterator[bytes]:
        """Yield the cells of each puzzle, 81 values, without arrays."""
        text, values = memoryview(self.text).cast("B"), _VALUES[self.empty_code]
        return (bytes(text[start : start + 81]).translate(values) for start in self.starts)

    @property
    def puzzle_rows(self) -> NDArray[np.int64]:
        """The records that are puzzles, from 0: int64[m]."""
        if self.order is None:
            return np.arange(len(self))
        return np.flatnonzero(np.asarray(self.order) >= 0)

    @property
    def is_puzzle(self) -> Any:
        """Which records are puzzles: bool[n]."""
        if self.order is None:
            return memoryview(b"\1" * len(self)).cast("?")
        return memoryview(interleave(b"\1" * len(self), b"", 1, self.order)).cast("?")

    def puzzles(self) -> Column:
        """Return the puzzles as a column of m rows."""
        from unidoku._table.column import CellValues, Column  # not at the top: a check of text starts faster

        return Column(CellValues(self.text, self.starts, self.empty_code))

    def puzzle_columns(self) -> dict[str, Column]:
        """Return the columns that came with only the puzzles."""
        if self.order is None:
            return self.columns
        rows = self.puzzle_rows
        return {name: column.take(rows) for name, column in self.columns.items()}

    def marks(self) -> list[Any] | None:
        """Return the candidates of each puzzle, if the puzzles are positions with a column of candidates."""
        if self.roles.puzzles == "before" and "candidates" in self.columns:
            return self.puzzle_columns()["candidates"].to_list()
        return None

    def records(self, rows: NDArray[np.int64] | array[int]) -> Batch:
        """Select records by ascending index, with their columns."""
        if len(rows) == self.size:
            return self
        puzzles, rejects, order = rows, list[Reject](), None
        if self.order is not None:
            kinds = np.asarray(self.order, np.int64)[rows]
            is_puzzle = kinds >= 0
            puzzles = kinds[is_puzzle]
            rejects = [self.rejects[~kind] for kind in kinds[~is_puzzle].tolist()]
            order = None
            if rejects:
                order = _order_of(is_puzzle)
        taken = self.take(puzzles)
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        own = {"starts": taken.starts, "lines": taken.lines, "rejects": rejects, "order": order}
        return replace(self, **own, columns=columns)

    def part(self, puzzles: slice) -> Batch:
        """Return some puzzles one after the other, without the other records and the columns."""
        from unidoku._table.column import buffer_of  # not at the top: a check of text starts faster

        starts, lines = buffer_of(self.starts[puzzles]), self.lines[puzzles]
        return Batch(self.source, self.text, starts, lines, empty_code=self.empty_code)

    def take(self, puzzles: Any) -> Batch:
        """Select puzzles by index, without the other records and the columns; repeats are allowed."""
        from unidoku._table.column import selected  # not at the top: a check of text starts faster

        starts, lines = (selected(values, puzzles) for values in (self.starts, self.lines))
        return Batch(self.source, self.text, starts, lines, empty_code=self.empty_code)


def _order_of(is_puzzle: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the kind of each record, as `Batch.order` has them."""
    order: NDArray[np.int64] = np.where(is_puzzle, np.cumsum(is_puzzle) - 1, ~(np.cumsum(~is_puzzle) - 1))
    return order
