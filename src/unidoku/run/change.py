"""The stages that write puzzles by numbers: new puzzles, and those of a series.

The result depends on the parameters and on the number of the line, which parts have too.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.column import Column
from unidoku.craft.generate import attempts
from unidoku.craft.request import Request
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch, Need
from unidoku.files.formats import output_format
from unidoku.rating.se121 import SCALE
from unidoku.run.loop import FileFields
from unidoku.run.rate import with_ratings
from unidoku.run.stage import LARGEST, SMALLEST, PuzzleStage, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
