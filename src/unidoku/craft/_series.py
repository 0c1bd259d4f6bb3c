"""Numbered series of puzzles, as in chapter 4 and the appendices of the book.

The book makes a puzzle from each of 36 results (4.1), and 64 images of each puzzle by transformations (4.2).
These are 2,304 puzzles: puzzles 36 (g - 1) + 1 to 36 g are group g, and group 1 has the puzzles themselves.
The book's 64 transformations are not known here, only the title of the section; this module uses all
combinations of six exchanges.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import reduce

from unidoku import kernel
from unidoku._arguments import integer, seed_of, whole_number
from unidoku._compat import NDArray, np
from unidoku._lazy import public
from unidoku._table.forms import PuzzlesLike, read_cells
from unidoku.cell import grids_in
from unidoku.craft._generate import random_grid_values
from unidoku.craft._minimize import reduce_clues
from unidoku.craft._seeds import random_bits
from unidoku.craft._transform import Transformation
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, Reason
from unidoku.grid import Grid, PuzzleLike

__all__ = ["RESULTS", "TRANSFORMATIONS", "Series"]

RESULTS = 36
"""The number of results in the book."""

_STREAM = 4  # stream of random numbers: the order in which clues are removed


_EXCHANGES = (
    Transformation(digits=tuple(range(9, 0, -1))),
    Transformation(transposed=True),
    Transformation.reflection("vertical"),
    Transformation.reflection("horizontal"),
    Transformation.stacks((1, 0, 2)),
    Transformation.bands((1, 0, 2)),
)

TRANSFORMATIONS = tuple(
    reduce(
        lambda element, exchange: exchange @ element,
        (exchange for k, exchange in enumerate(_EXCHANGES) if group >> k & 1),
        Transformation(),
    )
    for group in range(64)
)
"""The transformations of groups 1 to 64.

Bit k of the group's number minus 1 is set if exchange k is made. Exchanges 0 to 5 are: digits d and 10 - d,
rows and columns, left and right, top and bottom, the first two stacks, the first two bands.
"""


class Series:
    """Puzzles made from full grids, and their images in 64 groups, each with its number from 1.

    Parameters
    ----------
    results : array, bytes, sequence or Arrow column
        Full grids, n of them; the book has 36. A minimal puzzle is made from each.
    seed : int, optional
        Seed of the order in which clues are removed; by default a fresh one.

    Raises
    ------
    InvalidPuzzleError
        `results` has no rows, or a row is not a full grid.

    Examples
    --------
    >>> series = Series.generate(seed=1)
    >>> len(series), series.position(37), series.number(64, 36)
    (2304, (2, 1), 2304)
    >>> series.find(series.puzzle(1000))
    1000
    """

    __module__ = "unidoku.craft"

    @public
    def __init__(self, results: PuzzlesLike, *, seed: int | None = None) -> None:
        grids, _ = read_cells(results)
        self._puzzles = _puzzles_of([*map(bytes, grids)], seed)

    @classmethod
    def of_grids(cls, grids: Sequence[bytes], *, seed: int | None = None) -> Series:
        """Make a series from full grids, 81 values each, without arrays."""
        series = cls.__new__(cls)
        series._puzzles = _puzzles_of(grids, seed)
        return series

    @classmethod
    def generate(cls, *, seed: int | None = None, count: int = RESULTS) -> Series:
        """Make a series from random full grids."""
        start = seed_of(seed)
        grids = bytes(random_grid_values(count, start, 0, 1, None))
        return cls.of_grids(grids_in(grids), seed=start)

    def __len__(self) -> int:
        return len(self._puzzles) * len(TRANSFORMATIONS)

    def number(self, group: int, place: int) -> int:
        """Return the number of a puzzle from its group, 1 to 64, and its place in the group, from 1."""
        group = whole_number("group", group, 1, len(TRANSFORMATIONS))
        return len(self._puzzles) * (group - 1) + whole_number("place", place, 1, len(self._puzzles))

    def position(self, number: int) -> tuple[int, int]:
        """Return the group and the place of a puzzle from its number; a `ValueError` if there is none."""
        if not 1 <= integer("number", number) <= len(self):
            text = "the number must be 1 to {n}, not {number}"
            raise ArgumentError(Message(text, n=f"{len(self):,}", number=f"{number:,}"))
        group, place = divmod(number - 1, len(self._puzzles))
        return group + 1, place + 1

    def puzzle(self, number: int) -> Grid:
        """Return the puzzle with a number, from 1: a symmetric copy of one of the series."""
        group, place = self.position(number)
        return TRANSFORMATIONS[group - 1](Grid(self._puzzles[place - 1]))

    def find(self, puzzle: PuzzleLike) -> int | None:
        """Return the number of a puzzle, or None if it is not in the series."""
        cells, puzzles = Grid(puzzle).cells, grids_in(self.values())
        return puzzles.index(cells) + 1 if cells in puzzles else None

    def rows(self) -> NDArray[np.uint8]:
        """Return all puzzles in the order of their numbers: uint8[64 n, 81]."""
        return np.frombuffer(self.values(), np.uint8).reshape(-1, 81)

    def values(self) -> bytearray:
        """Return the 81 values of all puzzles in the order of their numbers, without arrays."""
        puzzles, images = b"".join(self._puzzles), bytearray(81 * len(self))
        starts = array("q", [*range(0, len(puzzles), 81)] * len(TRANSFORMATIONS))
        elements = [transformation.index for transformation in TRANSFORMATIONS for _ in self._puzzles]
        native = kernel.isa_module(package="symmetry")
        native.transform(puzzles, starts, array("q", elements), images, zero=0)
        return images


def _puzzles_of(grids: Sequence[bytes], seed: int | None) -> list[bytes]:
    """Return a minimal puzzle of each full grid."""
    if not grids:
        raise InvalidPuzzleError(Reason("not_full", "a series needs at least one full grid"))
    for row, grid in enumerate(grids):
        if not Grid(grid).is_solved():
            raise InvalidPuzzleError(Reason("not_full", "not a full grid"), index=row)
    puzzles = bytes(reduce_clues(b"".join(grids), random_bits(seed_of(seed), 0, len(grids), _STREAM)))
    return grids_in(puzzles)
