"""The stages that make puzzles: images, canonical forms, minimal puzzles, neighbours, new puzzles.

The result for a puzzle depends on the parameters and on the puzzle alone, not on its position in the input.
Only `Generate` depends on the number of the line instead, which parts have too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.cell import SYMBOLS
from unidoku.craft.canonical import FORMS, canonical_details
from unidoku.craft.generate import attempts
from unidoku.craft.minimize import minimized
from unidoku.craft.neighbours import neighbours_of
from unidoku.craft.request import Request
from unidoku.craft.seeds import row_words
from unidoku.craft.transform import GROUP_ORDER, transform_many
from unidoku.errors import InvalidPuzzleError
from unidoku.files.base import Batch, Column
from unidoku.many import flat
from unidoku.parse_many import puzzles_of
from unidoku.rating.se121 import SCALE
from unidoku.run.convert import batch_at, cells_of
from unidoku.run.rate import with_ratings
from unidoku.run.stage import PuzzleStage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unidoku.run.stage import Need, Rows

__all__ = [
    "SOLUTION_COLUMNS",
    "Canonical",
    "Generate",
    "Minimize",
    "Neighbours",
    "RandomImages",
    "Transform",
    "grid_column",
    "puzzle_cells",
]

SOLUTION_COLUMNS = ("solution", "witness", "prediction", "answer", "answers")
"""Columns that are transformed with their puzzles; letter case does not matter."""

CODES = np.frombuffer(SYMBOLS.encode(), np.uint8)
"""The codes of the symbols of values 0 to 9."""

_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))


@dataclass(frozen=True, slots=True)
class Transform(PuzzleStage):
    """The image under the element of the symmetry group with this number, perhaps after the puzzle itself."""

    name: ClassVar[str] = "transform"
    index: int
    original: bool = False

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the changed puzzles of a batch, with their columns."""
        return self.rows(
            batch, _images(batch, np.full((len(batch.starts), 1), self.index, np.int64), self.original)
        )


@dataclass(frozen=True, slots=True)
class RandomImages(PuzzleStage):
    """Images under random elements of the symmetry group, perhaps after the puzzle itself."""

    name: ClassVar[str] = "transform"
    images: int
    seed: int
    original: bool = False

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the changed puzzles of a batch, with their columns."""
        words = row_words(puzzle_cells(batch), self.seed, self.images)
        numbers = (words % np.uint64(GROUP_ORDER)).astype(np.int64)
        return self.rows(batch, _images(batch, numbers, self.original))


@dataclass(frozen=True, slots=True)
class Canonical(PuzzleStage):
    """The canonical form, as `unidoku.canonical` finds it."""

    name: ClassVar[str] = "canonical"
    form: str = "minlex"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise ValueError(f"invalid form {self.form!r}; choose from: {', '.join(FORMS)}")

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the changed puzzles of a batch, with their columns."""
        found = canonical_details(puzzle_cells(batch), form=self.form, threads=1)
        return self.rows(batch, _moved(batch, found.forms, found.transformations))


class _NewPuzzles(PuzzleStage):
    """A stage whose puzzles are new; they may have ratings."""

    ratings: bool

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters as a JSON object, with the scale of the ratings."""
        about = PuzzleStage.to_json(self)
        return about | {"scale": SCALE} if about.pop("ratings") else about

    def new_rows(self, read: Batch, made: Batch, need: Need) -> Rows:
        """Return the puzzles that were made of those that were read, perhaps with their ratings."""
        return self.rows(read, with_ratings(made, cancel=need.cancel) if self.ratings else made)


@dataclass(frozen=True, slots=True)
class Minimize(_NewPuzzles):
    """A minimal puzzle within each proper puzzle."""

    name: ClassVar[str] = "minimize"
    seed: int
    ratings: bool = False

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the changed puzzles of a batch, with their columns."""
        cells = puzzle_cells(batch)
        small = minimized(puzzles_of(cells), row_words(cells, self.seed)[:, 0], threads=1)
        return self.new_rows(batch, batch_of(batch.source, small, batch.lines, batch.columns), need)


@dataclass(frozen=True, slots=True)
class Neighbours(_NewPuzzles):
    """The proper puzzles that result when clues of a puzzle are removed and others added.

    No two of the neighbours of one puzzle are images of each other; those of different puzzles may be.
    """

    name: ClassVar[str] = "neighbours"
    remove: int = 1
    add: int = 1
    ratings: bool = False

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the neighbours of the puzzles of a batch, without columns."""
        owners, rows = neighbours_of(puzzle_cells(batch), self.remove, self.add)
        return self.new_rows(batch, batch_of(batch.source, rows, np.asarray(batch.lines)[owners]), need)


@dataclass(frozen=True, slots=True)
class Generate(_NewPuzzles):
    """New puzzles: an attempt for each of the numbers of an input `unidoku.files.base.Attempts`."""

    name: ClassVar[str] = "generate"
    request: Request
    seed: int = 0
    first: int = 0
    """The attempt of number 0."""
    column: str | None = None
    """The column for the solutions, as `unidoku.run.given.solution_column` returns it."""
    ratings: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the name, the seed, the first attempt and what is requested as a JSON object."""
        about = _NewPuzzles.to_json(self)
        solutions = {"solutions": True} if about.pop("column") else {}
        del about["request"]
        return about | solutions | self.request.to_json()

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the puzzles of the attempts of a batch."""
        lines = np.asarray(batch.lines)
        first = self.first + int(lines[0]) - 1
        places, puzzles, solutions = attempts(self.request, self.seed, first, len(lines))
        columns = [] if self.column is None else [grid_column(solutions, self.column)]
        return self.new_rows(batch, batch_of(batch.source, puzzles, lines[places], columns), need)


def grid_column(grids: NDArray[np.uint8], name: str) -> Column:
    """Return full grids, uint8[n, 81], as a column."""
    cells, starts = flat(grids)
    return Column(name, CODES[cells].tobytes(), starts, starts + 81)


def puzzle_cells(batch: Batch) -> NDArray[np.uint8]:
    """Return the cells of a batch, 0 to 9: uint8[n, 81]; pencil marks are an error."""
    if len(batch.marked):
        raise InvalidPuzzleError("a puzzle of 81 cells is needed", row=batch.marked[0])
    return cells_of(batch)


def _images(batch: Batch, numbers: NDArray[np.int64], original: bool) -> Batch:
    """Return the images of each puzzle under its elements of the group, `numbers`: int64[n, k]."""
    if original:
        numbers = np.pad(numbers, ((0, 0), (1, 0)))  # element 0 changes nothing
    repeated = batch_at(batch, np.repeat(np.arange(len(numbers)), numbers.shape[1]))
    elements = numbers.reshape(-1)
    return _moved(repeated, transform_many(puzzle_cells(repeated), elements, threads=1), elements)


def _moved(batch: Batch, rows: NDArray[np.uint8], numbers: NDArray[np.int64]) -> Batch:
    columns = [
        _moved_column(column, numbers) if column.name.lower() in SOLUTION_COLUMNS else column
        for column in batch.columns
    ]
    return batch_of(batch.source, rows, batch.lines, columns)


def batch_of(source: str, rows: NDArray[np.uint8], lines: Any, columns: Sequence[Column] = ()) -> Batch:
    """Return rows of cells 0 to 9 as a batch."""
    cells, starts = flat(rows)
    return Batch(source, CODES[cells].tobytes(), starts, lines, columns=columns)


def _moved_column(column: Column, numbers: NDArray[np.int64]) -> Column:
    """Transform the grids of 81 cells in a column; other texts stay as they are."""
    begins = np.asarray(column.starts, np.int64)
    sizes = np.asarray(column.ends, np.int64) - begins
    ends = np.cumsum(sizes)
    starts = ends - sizes
    source = np.repeat(begins - starts, sizes) + np.arange(int(sizes.sum()))
    text = np.frombuffer(column.text, np.uint8)[source]
    rows = np.flatnonzero(sizes == 81)
    places = starts[rows, None] + np.arange(81)
    whole = _IS_CELL[text[places]].all(axis=1)
    rows, places = rows[whole], places[whole]
    if rows.size:
        text[places] = CODES[transform_many(text[places], numbers[rows], threads=1)]
    return Column(column.name, text.tobytes(), starts, ends)
