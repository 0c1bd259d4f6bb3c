"""Rows of an output: columns of a task, and columns of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from unidoku.compat import np
from unidoku.table.column import Column, Strings, codes_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.conditions import Condition


@dataclass(slots=True, eq=False, repr=False)
class Rows:
    """Rows of an output.

    Attributes
    ----------
    source : str
        The input.
    columns : dict of str to Column
        The columns of the task; those of the input that are written have other names.
    passthrough : dict of str to Column
        The columns of the input.
    is_puzzle : bool[n] or None
        Whether the record of a row is a puzzle; None if all are.  ``puzzle`` has the texts of the others.
    """

    source: str
    columns: dict[str, Column]
    passthrough: dict[str, Column]
    is_puzzle: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return next((len(column) for column in (*self.columns.values(), *self.passthrough.values())), 0)

    def select(self, names: Iterable[str]) -> list[Column]:
        """Return the columns of these names."""
        return [self.columns[name] if name in self.columns else self.passthrough[name] for name in names]

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Select rows."""
        columns, passthrough = (
            {name: column.take(rows) for name, column in group.items()}
            for group in (self.columns, self.passthrough)
        )
        return Rows(
            self.source, columns, passthrough, None if self.is_puzzle is None else self.is_puzzle[rows]
        )

    def head(self, count: int) -> Rows:
        """Return at most `count` of the first rows."""
        return self if len(self) <= count else self.take(np.arange(count))

    def slices(self, size: int) -> Iterator[Rows]:
        """Cut the rows where their texts pass `size` bytes; yield all slices in order, at least one."""
        columns = (*self.columns.values(), *self.passthrough.values())
        texts = [column.values for column in columns if isinstance(column.values, Strings)]
        if sum(int(text.ends.sum() - text.starts.sum()) for text in texts) <= size:
            yield self
            return
        lengths = sum(text.ends - text.starts for text in texts)
        number = np.cumsum(lengths) // size  # of the slice of each row
        for rows in np.split(np.arange(len(self)), np.flatnonzero(np.diff(number)) + 1):
            yield self.take(rows)

    @property
    def puzzle_count(self) -> int:
        """The number of rows whose record is a puzzle."""
        return len(self) if self.is_puzzle is None else int(self.is_puzzle.sum())

    def puzzles(self) -> Rows:
        """Return the rows whose record is a puzzle."""
        return self if self.is_puzzle is None else self.take(np.flatnonzero(self.is_puzzle))

    def where(self, conditions: Iterable[Condition]) -> Rows:
        """Return the rows that fulfil all conditions."""
        fits = np.ones(len(self), np.bool_)
        for condition in conditions:
            (column,) = self.select([condition.column])
            fits &= _fulfil(condition, column)
        return self if fits.all() else self.take(np.flatnonzero(fits))

    def clues(self) -> Column:
        """Return the number of clues of each puzzle."""
        puzzles, rows = self.columns["puzzle"].values, np.arange(len(self))
        if self.is_puzzle is not None:
            rows = rows[self.is_puzzle]
        counts = np.zeros(len(self), np.int64)
        if isinstance(puzzles, Strings):
            if rows.size:
                codes = codes_at(puzzles.text, puzzles.starts[rows])
                counts[rows] = np.count_nonzero(codes - np.uint8(ord("1")) < 9, axis=1)
        else:
            counts[rows] = np.count_nonzero(puzzles[rows], axis=1)
        return Column(counts, states=self.is_puzzle)


def _fulfil(condition: Condition, column: Column) -> NDArray[np.bool_]:
    """Return which values of a column fulfil a condition."""
    has_value, numbers = column.has_value(), column.numbers()
    if numbers is not None:
        return has_value & condition.of_numbers(numbers)
    if column.categories is None:
        return has_value & condition.of_texts(*column.as_strings().values)
    fits: NDArray[np.bool_] = condition.of_texts(*Column.of(column.categories).values)[column.values]
    return has_value & fits
