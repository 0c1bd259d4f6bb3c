"""Rows of puzzles and other records in one buffer: a batch, whatever it was read from or made of.

NumPy is imported only for what needs it, so that a check of text starts fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from unidoku.cell import CELL_CODES, wrong_cell
from unidoku.column import Cells, Column
from unidoku.errors import FormatError, InvalidPuzzleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 4096
"""Bytes of the text of a record that is no puzzle, in outputs."""


@dataclass(slots=True, eq=False, repr=False)
class PuzzleRecord:
    """One puzzle as text, the physical line it begins on, and what came with it, by column name.

    Cells are 81 characters, ``1`` to ``9`` or ``.``.
    """

    line: int
    cells: str
    extra: dict[str, Any] = field(default_factory=dict)
    source: str = ""

    def error(self, why: str) -> FormatError:
        """Return why it cannot be written, with its file and line."""
        return FormatError(why, file=self.source or None, line=self.line)


@dataclass(slots=True, eq=False, repr=False)
class Reject:
    """A record that is not a puzzle; the text is None where it is null."""

    line: int
    column: int
    text: bytes | None
    reason: str
    extra: dict[str, Any] = field(default_factory=dict)
    """Its other values by the names of columns, where the reader has them as Python has them."""

    def error(self, source: str) -> InvalidPuzzleError:
        """Return the same as an exception with file, line and column."""
        return InvalidPuzzleError(self.reason, file=source, line=self.line, column=self.column)


@dataclass(slots=True, eq=False, repr=False)
class Batch:
    """Rows in order: puzzles ready for the kernel, in the buffer of the reader, and other records."""

    source: str
    puzzles: Cells
    """The puzzles; the reader has checked their cells unless `is_checked` is false."""
    lines: Any
    """Physical line (or record) number of each puzzle, from 1."""
    _: KW_ONLY
    rejects: Sequence[Reject] = ()
    """The rows that are no puzzles."""
    place: Any = None
    """What each row is, int64[n]: k is puzzle k, ~k is reject k; None where all rows are puzzles."""
    columns: dict[str, Column] = field(default_factory=dict)
    """What came with the rows, puzzles or not, by name."""
    line_count: int | None = None
    """The number of lines of the batch if lines are numbered from its beginning."""
    is_checked: bool = True
    """Whether the cells are known to be right; in memory, the thread that takes them calls `checked`."""

    @classmethod
    def of_cells(cls, cells: Any) -> Batch:
        """Return puzzles given as uint8[n, 81], cells 0 to 9; they are not copied."""
        import numpy as np

        text = np.ascontiguousarray(cells, np.uint8).reshape(-1)
        return cls.evenly(text, len(cells), 0)

    @classmethod
    def evenly(cls, text: Any, n: int, zero: int, *, step: int = 81, is_checked: bool = True) -> Batch:
        """Return n puzzles that begin every `step` bytes of a text, which is not copied."""
        import numpy as np

        starts = np.arange(0, step * n, step, dtype=np.int64)
        return cls("", Cells(text, starts, zero), range(1, n + 1), is_checked=is_checked)

    def after(self, count: int) -> Batch:
        """Move the lines of the batch, which are numbers, behind those of others, and return it."""
        lines = self.lines
        is_range = isinstance(lines, range)
        self.lines = range(lines.start + count, lines.stop + count) if is_range else lines + count
        for each in self.rejects:
            each.line += count
        return self

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.puzzles.starts)

    @property
    def rows(self) -> int:
        """How many rows there are: puzzles and other records."""
        return len(self) + len(self.rejects)

    @property
    def cells(self) -> NDArray[np.uint8]:
        """The cells of the puzzles, 0 to 9: uint8[m, 81].

        They are not copied if they are numbers one after the other, and so they cannot be changed.
        """
        import numpy as np

        n, (text, starts, zero) = len(self), self.puzzles
        starts = np.asarray(starts, np.int64)
        one_after_other = n == 1 or bool((np.diff(starts) == 81).all())
        if zero == 0 and n and one_after_other:
            cells: NDArray[np.uint8] = np.frombuffer(text, np.uint8)[starts[0] : starts[0] + 81 * n]
            cells = cells.reshape(n, 81)
            cells.flags.writeable = False
            return cells
        from unidoku import kernel

        cells = np.empty((n, 81), np.uint8)
        native, same = kernel.form(package="symmetry"), np.zeros(1, np.int64)
        native.transform(text, starts, same, cells.reshape(-1), zero=zero)
        cells.flags.writeable = False
        return cells

    @property
    def puzzle_rows(self) -> NDArray[np.int64]:
        """The rows that are puzzles, from 0: int64[m]."""
        import numpy as np

        if self.place is None:
            return np.arange(len(self))
        return np.flatnonzero(np.asarray(self.place) >= 0)

    def puzzle_columns(self) -> dict[str, Column]:
        """Return what came with the puzzles alone."""
        if self.place is None:
            return self.columns
        rows = self.puzzle_rows
        return {name: column.lay(rows) for name, column in self.columns.items()}

    def only(self, puzzles: slice | NDArray[np.integer]) -> Batch:
        """Return some puzzles, perhaps several times, without the other records and the columns."""
        every = isinstance(puzzles, slice) and puzzles.indices(len(self)) == (0, len(self), 1)
        if every and not len(self.rejects) and not self.columns:
            return self
        chosen = self.puzzles.chosen(puzzles)
        return Batch(self.source, chosen, self._lines_of(puzzles), is_checked=self.is_checked)

    def _lines_of(self, puzzles: slice | NDArray[np.integer]) -> Any:
        """Return the lines of some puzzles; those of a slice of a range are a range."""
        if isinstance(self.lines, range) and isinstance(puzzles, slice):
            return self.lines[puzzles]
        import numpy as np

        if isinstance(self.lines, range):
            return np.arange(self.lines.start, self.lines.stop)[puzzles]
        return np.asarray(self.lines, np.int64)[puzzles]

    def at(self, puzzles: Any, begin: int = 0, end: int | None = None) -> Batch:
        """Return some puzzles, perhaps several times, with their columns, in place of all.

        The other records stay in their places; those before row `begin` and from row `end` on are left out.
        """
        import numpy as np

        puzzles = np.asarray(puzzles, np.int64)
        some, rows = self.only(puzzles), puzzles
        if len(self.rejects):
            before = np.asarray(self.place)
            others = np.flatnonzero(before < 0)
            chosen = slice(*np.searchsorted(others, (begin, len(before) if end is None else end)).tolist())
            rows = np.concatenate([self.puzzle_rows[puzzles], others[chosen]])
            order = np.argsort(rows, kind="stable")
            rows = rows[order]
            some.rejects = self.rejects[chosen]
            if len(some.rejects):
                some.place = np.where(order < len(puzzles), order, len(puzzles) - 1 - order)
        some.columns = {name: column.lay(rows) for name, column in self.columns.items()}
        return some

    def checked(self, given: NDArray[Any] | None = None) -> Batch:
        """Return the batch, which has nothing but puzzles, with those that have a wrong cell as records.

        Their reasons show what was `given`.
        """
        wrong = () if self.is_checked else list(self._wrong())
        if not wrong:
            return self
        import numpy as np

        good = np.delete(np.arange(len(self)), wrong)
        some = self.only(good)
        some.is_checked = True
        some.rejects = [Reject(int(self.lines[k]), 1, None, self._fault(k, given)) for k in wrong]
        some.place = np.empty(len(self), np.int64)
        some.place[good] = np.arange(len(good))
        some.place[wrong] = ~np.arange(len(wrong))
        return some

    def _wrong(self) -> Iterator[int]:
        """Yield the puzzles that have a wrong cell."""
        from unidoku.native.text.columns import first_bad

        text, starts, zero = self.puzzles
        begin = 0
        while (found := first_bad(text, starts[begin:], zero)) >= 0:
            yield begin + found
            begin += found + 1

    def _fault(self, k: int, given: NDArray[Any] | None) -> str:
        """Describe the wrong cell of puzzle `k`."""
        text, starts, zero = self.puzzles
        codes = bytes(memoryview(text)[starts[k] : starts[k] + 81])
        values = codes if zero == 0 else codes.translate(CELL_CODES)
        cell = next(cell for cell, value in enumerate(values) if value > 9)
        if given is not None:
            return wrong_cell(given[k].item(cell), cell)
        return wrong_cell(codes[cell] if zero == 0 else chr(codes[cell]), cell)

    def part(self, begin: int, end: int) -> Batch:
        """Return the rows from `begin` to before `end`; the lines are counted with the last of all."""
        import numpy as np

        first, last = np.searchsorted(self.puzzle_rows, (begin, end))
        some = self.at(np.arange(first, last), begin, end)
        if self.line_count is not None:
            some.line_count = self.line_count if end == self.rows else 0
        return some

    def with_puzzles(self, puzzles: Column, columns: dict[str, Column]) -> Batch:
        """Return the batch with other puzzles in the same places, not copied, and other columns."""
        return Batch(  # `replace` takes five times as long
            self.source,
            puzzles.puzzles(),
            self.lines,
            rejects=self.rejects,
            place=self.place,
            columns=columns,
            line_count=self.line_count,
            is_checked=self.is_checked,
        )

    def records(self) -> Iterator[PuzzleRecord]:
        """Yield the puzzles one by one, with their values that are not empty."""
        columns = [(name, column.as_texts().values) for name, column in self.puzzle_columns().items()]
        for i, (line, cells) in enumerate(zip(self.lines, Column(self.puzzles).to_list(), strict=True)):
            extra = {
                name: bytes(text[starts[i] : ends[i]]).decode("utf-8", "replace")
                for name, (text, starts, ends) in columns
                if ends[i] > starts[i]
            }
            yield PuzzleRecord(int(line), cells, extra, self.source)
