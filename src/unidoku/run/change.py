"""The stages that make puzzles: images, canonical forms, minimal puzzles, neighbours, new puzzles.

The result for a puzzle depends on the parameters and on the puzzle alone, not on its position in the input.
Only `Generate` depends on the number of the line instead, which parts have too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.batch import are_proper
from unidoku.column import Column
from unidoku.craft.generate import attempts
from unidoku.craft.images import image_columns
from unidoku.craft.minimize import IMPROPER, every_minimal, fewest_clues, minimized
from unidoku.craft.neighbours import neighbours_of
from unidoku.craft.request import Request
from unidoku.craft.seeds import row_words
from unidoku.craft.transform import GROUP_ORDER, transform_many
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch, Need
from unidoku.files.formats import output_format
from unidoku.grid import Grid
from unidoku.parse_many import puzzles_of
from unidoku.rating.se121 import SCALE
from unidoku.run.loop import FileFields
from unidoku.run.rate import with_ratings
from unidoku.run.stage import LARGEST, SMALLEST, PuzzleStage, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


_PIECE = 64  # minimal puzzles that are written at once


@dataclass(frozen=True, slots=True)
class Transform(PuzzleStage):
    """The image under the element of the symmetry group with this number, perhaps after the puzzle itself."""

    name: ClassVar[str] = "transform"
    index: int
    original: bool = False

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        return self.rows(
            batch, _images(batch, np.full((len(batch.starts), 1), self.index, np.int64), self.original, need)
        )


@dataclass(frozen=True, slots=True)
class RandomImages(PuzzleStage):
    """Images under random elements of the symmetry group, perhaps after the puzzle itself."""

    name: ClassVar[str] = "transform"
    images: int
    seed: int
    original: bool = False

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        words = row_words(puzzle_cells(batch), self.seed, self.images)
        numbers = (words % np.uint64(GROUP_ORDER)).astype(np.int64)
        return self.rows(batch, _images(batch, numbers, self.original, need))


class _NewPuzzles(PuzzleStage):
    """A stage whose puzzles are new; they may have ratings."""

    ratings: bool

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters as a JSON object, with the scale of the ratings."""
        about = PuzzleStage.to_json(self)
        return about | {"scale": SCALE} if about.pop("ratings") else about

    def new_rows(self, read: Batch, made: Batch, need: Need) -> Rows:
        """Return the puzzles that were made of those that were read, perhaps with their ratings."""
        if self.ratings:
            made = with_ratings(made, need.threads(), need.cancel)
        return self.rows(read, made)


@dataclass(frozen=True, slots=True)
class Minimize(_NewPuzzles):
    """A minimal puzzle within each proper puzzle."""

    name: ClassVar[str] = "minimize"
    seed: int
    ratings: bool = False

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        cells = puzzle_cells(batch)
        seeds = row_words(cells, self.seed)[:, 0]
        small = minimized(puzzles_of(cells), seeds, threads=1, cancel=need.cancel)
        return self.new_rows(batch, batch.with_cells(small), need)


@dataclass(frozen=True, slots=True)
class AllMinimal(_NewPuzzles):
    """All minimal puzzles within each proper puzzle, or the first of them."""

    name: ClassVar[str] = "minimize"
    streams: ClassVar[bool] = True
    chunk_bytes = (82, 1 << 13)
    steady_bytes = 1 << 11
    count: int | None = None
    ratings: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters as a JSON object."""
        return {**_NewPuzzles.to_json(self), "all": True, "fewest": False}

    def pieces(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Iterator[Rows | None]:
        """Yield the minimal puzzles of a batch as they are found; None if the run was cancelled."""
        bare = replace(batch, columns={})
        found = (
            (number, grid)
            for number, cells in enumerate(_proper_cells(batch, need))
            for grid in islice(every_minimal(cells), self.count)
        )
        begin: int = 0
        more = True
        while more:
            some = list(islice(takewhile(lambda _: not need.cancel, found), _PIECE))
            more = len(some) == _PIECE
            numbers = [number for number, _ in some]
            end = int(batch.puzzle_rows[numbers[-1]]) if more else batch.rows
            made = bare.at(numbers, begin, end).with_cells(_rows_of(grid for _, grid in some))
            begin = end
            rows = self.new_rows(batch, made, need)
            rows.more = more
            if more:
                rows.counts = {"written": len(some)}
            yield None if need.cancel else rows


@dataclass(frozen=True, slots=True)
class FewestClues(_NewPuzzles):
    """A minimal puzzle with the fewest clues within each proper puzzle, or the best that the budget gives."""

    name: ClassVar[str] = "minimize"
    chunk_bytes = (82, 1 << 13)
    steady_bytes = 82
    budget: int | None = None
    seed: int = 0
    ratings: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters as a JSON object."""
        return {**_NewPuzzles.to_json(self), "all": False, "fewest": True}

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the puzzles, with the proved bound as the only column."""
        settings: dict[str, Any] = {"budget": self.budget, "seed": self.seed, "cancel": need.cancel}
        found = [fewest_clues(cells, **settings) for cells in _proper_cells(batch, need)]
        puzzles = _rows_of(each.grid for each in found)
        bound = Column.numbers(np.array([each.at_least for each in found], np.int64), "int64")
        made = replace(batch.with_cells(puzzles), columns={"clues_at_least": bound.lay(batch.place)})
        rows = self.new_rows(batch, made, need)
        rows.counts["cut_off"] = sum(not each.complete for each in found)
        return rows


@dataclass(frozen=True, slots=True)
class Neighbours(_NewPuzzles):
    """The proper puzzles that result when clues of a puzzle are removed and others added.

    No two of the neighbours of one puzzle are images of each other; those of different puzzles may be.
    """

    name: ClassVar[str] = "neighbours"
    steady_bytes = 1 << 12
    remove: int = 1
    add: int = 1
    ratings: bool = False

    @property
    def chunk_bytes(self) -> tuple[int, int]:  # type: ignore[override]
        """A puzzle at least, which may have thousands of neighbours; but lanes need a thousand puzzles."""
        return 82 * max(1, 1024 // comb(24, min(self.remove, 12))), 1 << 13

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Return the neighbours of the puzzles of a batch, without columns."""
        owners, rows = neighbours_of(puzzle_cells(batch), self.remove, self.add, need.threads(), need.cancel)
        return self.new_rows(batch, replace(batch, columns={}).at(owners).with_cells(rows), need)


@dataclass(frozen=True, slots=True)
class Generate(_NewPuzzles):
    """New puzzles: an attempt for each of the numbers of an input `unidoku.files.base.Attempts`."""

    name: ClassVar[str] = "generate"
    request: Request
    seed: int = 0
    first: int = 0
    """The attempt of number 0."""
    count: int | None = None
    """How many puzzles to write; None for those of all attempts."""
    budget: int | None = None
    column: str | None = None
    """The column for the solutions, as `solution_column` returns it."""
    ratings: bool = False

    # Rating takes longer than making a puzzle, so not many more attempts than may be enough.
    @property
    def chunk_bytes(self) -> tuple[int, int]:  # type: ignore[override]
        """From the attempts for as many puzzles as are asked for, but at most 64."""
        return SMALLEST if self.count is None else 82 * min(64, self.count), LARGEST

    @property
    def steady_bytes(self) -> int:  # type: ignore[override]
        """As many attempts as puzzles are asked for, from 64 to 1,024."""
        return 1 << 20 if self.count is None else 82 * min(1024, max(64, self.count))

    def most_rows(self) -> int | None:
        """Return the number of puzzles to write."""
        return self.count

    def to_json(self) -> dict[str, Any]:
        """Return the name, the seed, the attempts and what is requested as a JSON object."""
        about = _NewPuzzles.to_json(self)
        solutions = {"solutions": True} if about.pop("column") else {}
        del about["request"]
        return about | solutions | self.request.to_json()

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        lines = np.asarray(batch.lines)
        first = self.first + int(lines[0]) - 1
        places, puzzles, solutions = attempts(self.request, self.seed, first, len(lines), need.cancel)
        made = batch.at(places).with_cells(puzzles)
        if self.column is not None:
            made = replace(made, columns={self.column: Column.cells_of(solutions)})
        return self.new_rows(batch, made, need)


@dataclass(frozen=True, slots=True)
class Numbered(PuzzleStage):
    """Puzzles of a series, by the numbers of an input `unidoku.files.base.Attempts`."""

    name: ClassVar[str] = "series"
    seed: int
    number: int | None
    group: int | None
    series: NDArray[np.uint8] = field(compare=False)

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        lines = np.asarray(batch.lines)
        return self.rows(batch, batch.with_cells(self.series[lines - 1]))


def solution_column(output: str | os.PathLike[str], to: str | None = None) -> str:
    """Return the name of the column for solutions: ``rest`` for lines, which have them behind a tab."""
    name = os.fspath(output)
    form = output_format(name, to, rows=False)
    if form.suffix == ".txt":
        return "rest"
    if not _has_columns(output, to):
        message = f"{form.suffix} holds no solutions; txt, csv, tsv, jsonl, parquet and arrow do"
        raise FormatError(message, file="<stdout>" if name == "-" else name)
    return "solution"


def has_ratings(output: str | os.PathLike[str], options: FileFields) -> bool:
    """Return whether new puzzles are written with their ratings."""
    return options.get("carry", True) and _has_columns(output, options.get("to"))


def _has_columns(output: str | os.PathLike[str], to: str | None) -> bool:
    """Return whether the format of an output for puzzles has columns with names."""
    form = output_format(os.fspath(output), to, rows=False, default=".parquet")
    return form.format.rows and form.suffix not in (".txt", ".sdm")


def puzzle_cells(batch: Batch) -> NDArray[np.uint8]:
    """Return the cells of a batch, 0 to 9: uint8[n, 81]; pencil marks are an error."""
    if len(batch.marked):
        raise InvalidPuzzleError("a puzzle of 81 cells is needed", row=batch.marked[0])
    return batch.cells


def _proper_cells(batch: Batch, need: Need) -> NDArray[np.uint8]:
    """Return the cells of proper puzzles as `puzzle_cells` does; another puzzle is an error."""
    cells = puzzle_cells(batch)
    wrong = np.flatnonzero(~are_proper(cells, need.cancel))
    if wrong.size:
        raise InvalidPuzzleError(IMPROPER, row=int(wrong[0]))
    return cells


def _rows_of(grids: Iterable[Grid]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(grid.cells for grid in grids), np.uint8).reshape(-1, 81)


def _images(batch: Batch, numbers: NDArray[np.int64], original: bool, need: Need) -> Batch:
    """Return the images of each puzzle under its elements of the group, `numbers`: int64[n, k]."""
    if original:
        numbers = np.pad(numbers, ((0, 0), (1, 0)))  # element 0 changes nothing
    repeated = batch.at(np.repeat(np.arange(len(numbers)), numbers.shape[1]))
    elements = numbers.reshape(-1)
    images = transform_many(puzzle_cells(repeated), elements, threads=1, cancel=need.cancel)
    return _moved(repeated, images, elements, need)


def _moved(batch: Batch, rows: NDArray[np.uint8], numbers: NDArray[np.int64], need: Need) -> Batch:
    """Return other puzzles in place of a batch's, and the solutions that come with them transformed too."""
    return replace(batch.with_cells(rows), columns=image_columns(batch, numbers, need.cancel))
