"""A puzzle or solution as a value: parse, format, validate, draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, overload

from unidoku._compat import np, view
from unidoku._native.text.columns import grid_hash, line_of, usual_cells
from unidoku._parse.puzzle import cells_of
from unidoku._verdict import ImproperPuzzleError
from unidoku.cell import HOUSE_NAMES, HOUSES, PEERS, cell_name, cell_number, rows_of, thirds_of
from unidoku.errors import ArgumentError, Message, Reason, WrongTypeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from unidoku._parse.board import Board
    from unidoku.cell import Cell

__all__ = ["Clash", "Grid", "PuzzleLike"]

PuzzleLike: TypeAlias = "Grid | str | bytes | bytearray | memoryview | npt.NDArray[Any] | Sequence[Any]"


# Annotations of a class would be texts here, which are compiled: a tenth of the time of a first call.
class Clash(NamedTuple("Clash", [("first", int), ("second", int), ("digit", int), ("house", str)])):
    """Two equal digits in one house; cells are 0..80, ``house`` reads like ``"row 3"``.

    Examples
    --------
    >>> Grid("55" + "." * 79).clashes()[0]
    Clash(first=0, second=1, digit=5, house='row 1')
    """

    __slots__ = ()


def clash_message(clash: Clash) -> Reason:
    """Return which two cells hold the same digit, and in which house."""
    kind, _, number = clash.house.partition(" ")
    houses = {"row": Message("row {n}", n=number), "column": Message("column {n}", n=number)}
    return Reason(
        "no_solution",
        "{first} and {second} both hold {digit} in {house}",
        first=cell_name(clash.first),
        second=cell_name(clash.second),
        digit=clash.digit,
        house=houses.get(kind, Message("box {n}", n=number)),
    )


class WrongName:
    """A name that people try on a class, which has no other place for what to type instead."""

    def __set_name__(self, kind: type, name: str) -> None:
        self.name = name

    def __get__(self, grid: object, kind: type) -> NoReturn:
        from unidoku._guesses import no_attribute  # not at the top: it is needed seldom

        raise no_attribute(kind, self.name)


class Grid:
    """A 9 x 9 grid, with some or all cells filled.  It is immutable and hashable.

    A grid equals another grid with the same cells, and its `line`, whose hash it has.  Other texts with the
    same cells are not equal to it, such as a text with ``0`` for empty cells.  ``str(grid)`` is a drawing to
    print: write `line` to files.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        A puzzle, in one of these forms:

        - a text of 81 cells, row by row, with ``. 0 * _ - x X ?`` for empty cells, also as bytes
        - a text with one board as people copy it: a drawing, a sheet, a table, source code or a link, with
          words around it (docs/texts.md has the rules)
        - 81 numbers 0 to 9, with 0 for an empty cell: ``bytes``, an array of any shape, or a list of numbers,
          rows or strings. An empty cell can also be None, NaN, -1, ``""`` or ``" "``, and numbers can be
          ASCII codes
        - an integer of 65 to 81 digits, which has lost its leading zeros

    Raises
    ------
    InvalidPuzzleError
        The input is not a puzzle, has two different boards, or has candidates that contradict the clues.  The
        message and the attributes name the row and the column.

    Examples
    --------
    >>> import numpy
    >>> grid = Grid("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> grid[4], grid[0, 4], grid["r1c5"], grid.clues
    (7, 7, 7, 30)
    >>> grid.rows[0]
    [5, 3, 0, 0, 7, 0, 0, 0, 0]
    >>> numpy.asarray(grid).shape
    (9, 9)
    """

    __slots__ = ("_cells",)
    _cells: bytes

    # An unknown argument is Python's own error: to accept it here would cost a third of the time of a grid.
    def __init__(self, puzzle: PuzzleLike) -> None:
        cells: bytes | Board | None = usual_cells(puzzle)
        if cells is None:
            cells = puzzle._cells if isinstance(puzzle, Grid) else cells_of(puzzle)
        if not isinstance(cells, bytes):
            from unidoku._parse.board import clues_in  # not at the top: most puzzles are not a position

            cells = clues_in(cells)
        self._cells = cells

    __init__.__qualname__ = "Grid"  # errors name what people typed
    if not TYPE_CHECKING:
        from_string, from_str, from_numpy, parse = WrongName(), WrongName(), WrongName(), WrongName()
        from_array, from_list = WrongName(), WrongName()

    @property
    def cells(self) -> bytes:
        """The 81 values 0..9, row by row, 0 for an empty cell."""
        return self._cells

    @property
    def line(self) -> str:
        """The 81 cells as text on one line, ``.`` for an empty cell."""
        return line_of(self._cells)

    @property
    def clues(self) -> int:
        """The number of filled cells."""
        return 81 - self._cells.count(0)

    @property
    def clue_symmetry(self) -> str:
        """The symmetry of the cells with clues, by the words of `unidoku.generate`.

        Several are joined, such as ``180+horizontal+vertical``; ``none`` if there is none.
        """
        from unidoku._clue_symmetry import clue_symmetry  # not at the top: a check of files needs none

        return clue_symmetry(self._cells)

    @property
    def rows(self) -> list[list[int]]:
        """The values 0..9 as nine lists of nine."""
        return [*map(list, rows_of(self._cells))]

    def clashes(self) -> list[Clash]:
        """Return every pair of equal digits in a house: rows first, then columns, then boxes."""
        clashes, values = [], self._cells
        for house, cells in zip(HOUSE_NAMES, HOUSES, strict=True):
            place: dict[int, int] = {}
            for cell in filter(values.__getitem__, cells):
                first = place.setdefault(values[cell], cell)
                if first != cell:
                    clashes.append(Clash(first, cell, values[cell], house))
        return clashes

    @overload
    def candidates(self) -> list[tuple[int, ...]]: ...
    @overload
    def candidates(self, cell: Cell | tuple[int, int], column: int | None = None) -> tuple[int, ...]: ...
    def candidates(
        self, cell: Cell | tuple[int, int] | None = None, column: int | None = None
    ) -> tuple[int, ...] | list[tuple[int, ...]]:
        """Return the digits, ascending, that no peer of a cell holds; none for a filled cell.

        The cell can be its row and its column from 0.  Without a cell, return the digits of all 81 cells.
        """
        if cell is None:
            return [*map(self.candidates, range(81))]
        place: Any = cell if column is None else (cell, column)
        number = _number_of(place)
        if self._cells[number]:
            return ()
        digits = {self._cells[peer] for peer in PEERS[number]}
        return tuple(digit for digit in range(1, 10) if digit not in digits)

    def is_valid(self) -> bool:
        """Test whether no clues clash and each empty cell has a candidate; it does not search a solution."""
        if self.clashes():
            return False
        return all(self._cells[cell] or self.candidates(cell) for cell in range(81))

    def is_solved(self) -> bool:
        """Test whether all 81 cells are filled and every house contains all nine digits."""
        return 0 not in self._cells and not self.clashes()

    def to_array(self) -> npt.NDArray[np.uint8]:
        """Return the values as a new ``uint8[9, 9]`` array."""
        return np.frombuffer(self._cells, dtype=np.uint8).reshape(9, 9).copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return the values as ``uint8[9, 9]``, or with another type: ``numpy.asarray(grid)``."""
        if copy is False:
            raise ValueError("a grid has no array, so it cannot be one without a copy")
        array = self.to_array()
        return array if dtype is None else array.astype(dtype)

    def __getattr__(self, name: str) -> Any:
        """Refuse a name that is not there: say what to type instead."""
        from unidoku._guesses import no_attribute  # not at the top: it is needed seldom

        raise no_attribute(self, name)

    def __getitem__(self, cell: Cell | tuple[int, int]) -> int:
        """Return the value 0..9 of a cell: 0..80, ``"r1c1"`` to ``"r9c9"``, or row and column from 0."""
        try:
            return self._cells[_number_of(cell)]
        except ValueError as error:
            raise IndexError(str(error)) from None

    def __len__(self) -> int:
        return 81

    def __iter__(self) -> Iterator[int]:
        return iter(self._cells)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Grid):
            return self._cells == other._cells
        if isinstance(other, str):
            return line_of(self._cells) == other
        return NotImplemented

    __hash__ = grid_hash

    def __add__(self, other: object) -> NoReturn:
        raise WrongTypeError("a grid is not a text; use grid.line")

    __radd__ = __add__

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Let pydantic read a grid as `Grid` does, from JSON a text, and write its line into JSON."""
        from pydantic_core import core_schema as schema

        read_text = schema.no_info_after_validator_function(cls, schema.str_schema())
        write_line = schema.plain_serializer_function_ser_schema(lambda grid: grid.line, when_used="json")
        any_form = schema.no_info_plain_validator_function(cls)
        return schema.json_or_python_schema(read_text, any_form, serialization=write_line)

    def __repr__(self) -> str:
        return f"Grid({self.line!r})"

    def __str__(self) -> str:
        rows = [" | ".join(map(" ".join, thirds_of(line))) for line in rows_of(self.line)]
        return "\n------+-------+------\n".join(map("\n".join, thirds_of(rows)))

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook."""
        return view("svg.svg", self, size=270)


_NUMBERS = {divmod(number, 9): number for number in range(81)}
"""The number of each cell by its row and column."""


def _number_of(cell: Cell | tuple[int, int]) -> int:
    """Return the number 0..80 of a cell, which may be its row and column from 0, as of an array."""
    if not isinstance(cell, tuple):
        return cell_number(cell)
    try:
        return _NUMBERS[cell]
    except (KeyError, TypeError):
        text = "invalid cell {cell}; write a row and a column, each 0 to 8, or use grid.to_array()"
        raise ArgumentError(Message(text, cell=repr(cell))) from None


def refuse_clashes(grid: Grid) -> None:
    """Refuse two equal digits in a house."""
    for clash in grid.clashes():
        raise ImproperPuzzleError(clash_message(clash))


def grid_or_position(puzzle: PuzzleLike | Board) -> Grid | Board:
    """Return a puzzle as a grid, or the board of a text that draws candidates."""
    if isinstance(puzzle, Grid):
        return puzzle
    if hasattr(puzzle, "marks"):
        return puzzle  # type: ignore[return-value]
    cells = cells_of(puzzle)
    if isinstance(cells, bytes):
        return Grid(cells)
    return cells
