"""Symmetry group of the grid: its elements, and images of puzzles.

An element consists of an optional transposition, an order of the rows that keeps the bands together, an order
of the columns that keeps the stacks together, and a relabelling of the digits.  There are 2 * 6**8 elements
without relabelling and 2 * 6**8 * 9! with it.  Each has a number.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from math import factorial
from operator import attrgetter
from typing import Literal, TypeAlias

from unidoku import kernel
from unidoku._arguments import integer, one_of, seed_of, whole_number, wrong_type
from unidoku._compat import NDArray, np
from unidoku._guesses import Keywords
from unidoku._table.column import Column
from unidoku._table.forms import PuzzlesLike
from unidoku._table.puzzles import PuzzleResult, Puzzles
from unidoku._threads import Cancel, begun
from unidoku.craft._seeds import random_bits, row_bits
from unidoku.errors import ArgumentError, Message
from unidoku.grid import Grid, PuzzleLike

Axis: TypeAlias = Literal["horizontal", "vertical", "diagonal", "antidiagonal"]
Transformations: TypeAlias = "Transformation | Sequence[Transformation] | NDArray[np.integer]"

GROUP_ORDER = 2 * 6**8 * factorial(9)
"""The number of elements: 1,218,998,108,160."""

_LINES = tuple(range(9))
_DIGITS = tuple(range(1, 10))
_THREE = tuple(permutations(range(3)))
_ORDERS = tuple(  # of nine lines, by number
    tuple(3 * band + k for band, lines in zip(bands, line_orders, strict=True) for k in lines)
    for bands, *line_orders in product(_THREE, repeat=4)
)
_NUMBERS = {order: number for number, order in enumerate(_ORDERS)}
_SLICE = 8192  # puzzles that a thread takes at once


@dataclass(frozen=True, slots=True)
class Transformation(Keywords):
    """An element of the symmetry group; immutable and hashable.

    Row i, column j of the image holds ``digits[d - 1]``, where d is the digit in row ``rows[i]``, column
    ``columns[j]`` of the source.  If `transposed`, the source is transposed first.

    Parameters
    ----------
    transposed : bool, optional
        Whether rows become columns first.
    rows, columns : sequence of int, optional
        The numbers 0 to 8; the three rows of a band (columns of a stack) come from one band (stack).
    digits : sequence of int, optional
        The new labels of the digits 1 to 9.

    Raises
    ------
    ValueError
        An order is not a permutation, or separates the rows of a band or the columns of a stack; there is no
        such angle, axis, seed or number.

    Examples
    --------
    >>> turn = Transformation.rotation(90)
    >>> turn @ turn == Transformation.rotation(180), turn.inverse() == Transformation.rotation(270)
    (True, True)
    >>> Transformation.from_index(turn.index) == turn
    True
    """

    transposed: bool = False
    rows: tuple[int, ...] = _LINES
    columns: tuple[int, ...] = _LINES
    digits: tuple[int, ...] = _DIGITS
    _index: int = field(default=-1, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "transposed", bool(self.transposed))
        for name, of in (("rows", _LINES), ("columns", _LINES), ("digits", _DIGITS)):
            order = _order_of(name, getattr(self, name))
            if sorted(order) != list(of):
                text = "{name} must be the numbers {first} to {last} in any order, not {order}"
                raise ArgumentError(Message(text, name=name, first=of[0], last=of[-1], order=order))
            if of is _LINES and order not in _NUMBERS:
                text = "{name} must keep the lines of each band or stack together, not {order}"
                raise ArgumentError(Message(text, name=name, order=order))
            object.__setattr__(self, name, order)

    @classmethod
    def rotation(cls, degrees: int = 90) -> Transformation:
        """Return the clockwise rotation by a multiple of 90 degrees."""
        degrees = integer("degrees", degrees)
        if degrees % 90:
            raise ArgumentError(
                Message("a rotation must be a multiple of 90 degrees, not {degrees}", degrees=degrees)
            )
        back = _LINES[::-1]
        return (
            cls(),
            cls(transposed=True, columns=back),
            cls(rows=back, columns=back),
            cls(transposed=True, rows=back),
        )[degrees // 90 % 4]

    @classmethod
    def reflection(cls, axis: Axis) -> Transformation:
        """Return a reflection.

        Parameters
        ----------
        axis : str
            ``horizontal`` exchanges top and bottom, ``vertical`` left and right; ``diagonal`` is the axis
            from the top left corner, ``antidiagonal`` the one from the top right corner.
        """
        back = _LINES[::-1]
        axes = {
            "horizontal": cls(rows=back),
            "vertical": cls(columns=back),
            "diagonal": cls(transposed=True),
            "antidiagonal": cls(transposed=True, rows=back, columns=back),
        }
        return axes[one_of("axis", axis, axes)]

    @classmethod
    def bands(cls, order: Sequence[int]) -> Transformation:
        """Return the element that puts the bands 0 to 2 in an order and keeps the rows within each."""
        return cls(rows=_lines_of(order))

    @classmethod
    def stacks(cls, order: Sequence[int]) -> Transformation:
        """Return the element that puts the stacks 0 to 2 in an order and keeps the columns within each."""
        return cls(columns=_lines_of(order))

    @classmethod
    def random(cls, seed: int | None = None) -> Transformation:
        """Return a uniformly random element by a seed, 0 to 2**64 - 1; by default a fresh one."""
        return cls.from_index(int(random_numbers(1, seed)[0]))

    @classmethod
    def from_index(cls, number: int) -> Transformation:
        """Return the element with a number.

        Parameters
        ----------
        number : int
            An index from 0 to 1,218,998,108,159: ((t * 1296 + r) * 1296 + c) * 9! + d. The number t is 1 if
            the grid is transposed, r and c are the numbers of the orders of rows and columns, and d is the
            lexicographic number of the new labels.

            The number of an order of lines has four digits to base 6:
            the order of the bands, and of the lines in the first, second and third band of the image.
        """
        number = whole_number("the number of a transformation", number, 0, GROUP_ORDER - 1)
        lines, labels = divmod(number, factorial(9))
        quotient, columns = divmod(lines, len(_ORDERS))
        transposed, rows = divmod(quotient, len(_ORDERS))
        digits, order = list(_DIGITS), list[int]()
        for k in range(8, -1, -1):
            place, labels = divmod(labels, factorial(k))
            order.append(digits.pop(place))
        return cls(bool(transposed), _ORDERS[rows], _ORDERS[columns], tuple(order))

    @property
    def index(self) -> int:
        """The number of the element, 0 to 1,218,998,108,159; see `from_index`."""
        if self._index < 0:
            lines = (self.transposed * 1296 + _NUMBERS[self.rows]) * 1296 + _NUMBERS[self.columns]
            labels = 0  # the lexicographic number of the digits
            for k, digit in enumerate(self.digits):
                labels += sum(later < digit for later in self.digits[k + 1 :]) * factorial(8 - k)
            object.__setattr__(self, "_index", lines * factorial(9) + labels)
        return self._index

    def source(self, cell: int) -> int:
        """Return the cell 0 to 80 of the source whose digit a cell 0 to 80 of the image shows."""
        row, column = self.rows[cell // 9], self.columns[cell % 9]
        if self.transposed:
            return 9 * column + row
        return 9 * row + column

    def digit(self, digit: int) -> int:
        """Return the new label of a digit; 0 stays 0."""
        return (0, *self.digits)[digit]

    def __matmul__(self, inner: Transformation) -> Transformation:
        """Return the element that applies `inner`, then this one: ``(t @ u)(p) == t(u(p))``."""
        rows, columns = inner.rows, inner.columns
        if self.transposed:
            rows, columns = columns, rows
        return Transformation(
            self.transposed != inner.transposed,
            tuple(rows[k] for k in self.rows),
            tuple(columns[k] for k in self.columns),
            tuple(self.digits[d - 1] for d in inner.digits),
        )

    def inverse(self) -> Transformation:
        """Return the inverse of this element."""
        rows = tuple(map(self.rows.index, _LINES))
        columns = tuple(map(self.columns.index, _LINES))
        if self.transposed:
            rows, columns = columns, rows
        return Transformation(
            self.transposed, rows, columns, tuple(self.digits.index(d) + 1 for d in _DIGITS)
        )

    def __call__(self, puzzle: PuzzleLike) -> Grid:
        """Return the image of a puzzle or a solution in any form that `Grid` accepts."""
        cells = Grid(puzzle).cells
        return Grid(bytes(self.digit(cells[self.source(k)]) for k in range(81)))


def transform(
    puzzle: PuzzleLike,
    transformation: Transformation,
    *,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Grid:
    """Apply a symmetry to a puzzle or a full grid.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    transformation : Transformation
        The element that is applied.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Grid
        The image.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    SearchStoppedError
        `cancel` is set.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> transform(puzzle, Transformation.rotation(90)).line[:9]
    '...748.65'
    """
    cancel = begun(cancel, timeout)
    if not isinstance(transformation, Transformation):
        raise wrong_type(
            "transformation", "a Transformation, such as Transformation.rotation(90)", transformation
        )
    return transformation(puzzle)


def transform_many(
    puzzles: PuzzlesLike,
    transformations: Transformations,
    *,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> PuzzleResult:
    """Apply symmetries to many puzzles or full grids: one to all, or one to each.

    Parameters
    ----------
    puzzles, threads, errors, cancel, timeout
        As for `unidoku.check_many`.
    transformations : Transformation, sequence of Transformation, or of integers [n]
        One for all puzzles, or one (or its number) for each.

    Returns
    -------
    Result
        The column ``puzzle`` has the images: uint8[n, 81], cells 0 to 9.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        The numbers of transformations and puzzles differ, or there is no element with a number.

    Examples
    --------
    >>> import unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> images = transform_many([puzzle, puzzle], Transformation.rotation(90)).puzzle
    >>> unidoku.lines(images)[1][:9]
    '...748.65'
    """
    cancel = begun(cancel, timeout)
    numbers = _numbers_of(transformations)
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    if numbers.size != 1:
        if len(numbers) != len(inputs):
            text = "{n} puzzles need {n} transformations, not {found}"
            raise ArgumentError(Message(text, n=len(inputs), found=len(numbers)))
        numbers = numbers[inputs.rows]
    images = np.empty((len(inputs.batch), 81), np.uint8)
    native = kernel.isa_module(package="symmetry")

    def work(part: slice, _: Cancel) -> None:
        batch, own_numbers = inputs.batch.part(part), numbers if numbers.size == 1 else numbers[part]
        own_images = images[part].reshape(-1)
        native.transform(batch.text, batch.starts, own_numbers, own_images, zero=batch.empty_code)

    inputs.map_slices(work, threads=threads, cancel=cancel, size=_SLICE)
    return inputs.result({"puzzle": Column(images)})  # type: ignore[return-value]


def _numbers_of(transformations: Transformations) -> NDArray[np.int64]:
    """Return the numbers of transformations in any form that `transform_many` accepts."""
    numbers = np.atleast_1d(np.asarray(transformations))
    if not numbers.size:
        return np.zeros(0, np.int64)
    if numbers.dtype.kind == "O" and all(isinstance(each, Transformation) for each in numbers):
        numbers = np.fromiter(map(attrgetter("index"), numbers), np.int64)
    if numbers.dtype.kind not in "iu":
        expected = "a Transformation, several, or their numbers"
        raise wrong_type("transformations", expected, transformations)
    if not 0 <= numbers.min() <= numbers.max() < GROUP_ORDER:
        text = "the number of a transformation must be 0 to {last}"
        raise ArgumentError(Message(text, last=f"{GROUP_ORDER - 1:,}"))
    return np.ascontiguousarray(numbers, np.int64)


def random_numbers(count: int, seed: int | None = None, position: int = 0) -> NDArray[np.int64]:
    """Return the numbers of random elements of the symmetry group.

    Parameters
    ----------
    count : int
        How many numbers.
    seed : int, optional
        The same seed gives the same sequence; by default the seed is fresh.
    position : int, optional
        The place in the sequence of the first number, from 0.

    Returns
    -------
    int64[count]
        As `Transformation.from_index` accepts them.

    Examples
    --------
    >>> random_numbers(3, seed=1).shape
    (3,)
    """
    return _element_numbers(random_bits(seed_of(seed), position, count))


def random_symmetries(
    puzzles: NDArray[np.uint8], seed: int, count: int, position: int = 0
) -> NDArray[np.int64]:
    """Return the numbers of random elements for each puzzle, the same wherever it is: int64[n, count].

    They are those from `position` on of the sequence of a puzzle.
    """
    numbers = row_bits(kernel.with_starts(puzzles)[0], seed, count, position)
    return _element_numbers(numbers).reshape(len(puzzles), count)


def _element_numbers(numbers: array[int]) -> NDArray[np.int64]:
    """Return the numbers of the elements that random numbers choose."""
    return (np.asarray(numbers) % np.uint64(GROUP_ORDER)).astype(np.int64)


def _lines_of(order: Sequence[int]) -> tuple[int, ...]:
    """Return the order of the lines that puts bands or stacks in an order and keeps the lines in each."""
    return tuple(3 * block + k for block in _order_of("order", order) for k in range(3))


def _order_of(name: str, order: Sequence[int]) -> tuple[int, ...]:
    if not isinstance(order, Iterable):
        raise wrong_type(name, "a sequence of integers", order)
    return tuple(integer(name, line) for line in order)
