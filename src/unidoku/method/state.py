"""The book's variables: I, II, JJ, KG, NA, NAK, MMK, KH.

Cells are numbered ``I = 1..81`` row by row: ``II = (I - 1) // 9 + 1`` is the row, ``JJ = (I - 1) % 9 + 1``
the column. This corrects the book's formula a2 (section 1.1, for I that is not a multiple of 9), which
exchanges rows and columns. Formula a1, for the multiples of 9, and all the examples agree with the numbers
here: cells 1, 2, 3, 7 and 9 are in row 1, cell 39 is in column 3, and box 3 consists of cells 7, 8, 9, 16,
17, 18, 25, 26, 27.

Units are numbered 1..27: rows 1..9, columns 10..18, boxes 19..27.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.cell import HOUSE_NAMES, HOUSES, HOUSES_OF

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from unidoku.method.events import Event

    _Arrays: TypeAlias = tuple[NDArray[Any], ...]

#: Cells of the 27 units, ascending; ``UNITS[u - 1]`` belongs to unit u.
UNITS: tuple[tuple[int, ...], ...] = tuple(tuple(cell + 1 for cell in house) for house in HOUSES)
#: Numbers of the row, the column and the box of a cell; ``UNITS_OF[I]``, entry 0 is empty.
UNITS_OF: tuple[tuple[int, ...], ...] = (
    (),
    *(tuple(house + 1 for house in houses) for houses in HOUSES_OF),
)


def row_of(cell: int) -> int:
    """II: the row 1..9 of cell I."""
    return UNITS_OF[cell][0]


def column_of(cell: int) -> int:
    """JJ: the column 1..9 of cell I."""
    return UNITS_OF[cell][1] - 9


def box_of(cell: int) -> int:
    """KG: the box 1..9 of cell I, from left to right, then downwards."""
    return UNITS_OF[cell][2] - 18


def unit_name(unit: int) -> str:
    """``row 3``, ``column 7``, ``box 1`` for a unit 1..27."""
    return HOUSE_NAMES[unit - 1]


class State:
    """The arrays of the method; events change the state forwards and backwards.

    Parameters
    ----------
    givens : bytes
        81 values 0..9, 0 where the cell is undetermined.

    Attributes
    ----------
    NA : numpy.ndarray, uint8[81]
        ``NA[I - 1]``: value of cell I, 0 while undetermined.
    NAK : numpy.ndarray, uint8[9, 81]
        ``NAK[MNK - 1, I - 1]``: MNK while that value is possible in cell I, else 0.
    MMK : numpy.ndarray, uint8[81]
        Number of components of cell I that are not 0; 1 for a cell with a value.
    KH : numpy.ndarray, uint16[81]
        Order in which the cells got their values: the givens 1, 2, … row by row, then each conversion; 0
        while undetermined.
    why : numpy.ndarray, int32[9, 81]
        First cause of each zero: number (from 1) of the event that zeroed the component, -1 where the cell
        is a given (it never had the component), 0 for a component that is not 0.
    level : int
        Number of presets in effect.

    Notes
    -----
    The arrays are read-only views that change with the state; copy them to keep the values.
    """

    def __init__(self, givens: bytes) -> None:
        na = np.frombuffer(givens, dtype=np.uint8).copy()
        digits = np.arange(1, 10, dtype=np.uint8)[:, None]
        given = na != 0
        self._na = na
        self._nak = np.where(given & (digits != na), np.uint8(0), digits)
        self._mmk = np.where(given, 1, 9).astype(np.uint8)
        self._kh = np.where(given, np.cumsum(given), 0).astype(np.uint16)
        self._why = np.where(self._nak == 0, -1, 0).astype(np.int32)
        self.level = 0
        self._next = int(given.sum()) + 1
        self._before: list[_Arrays] = []
        self._taken_back: list[tuple[_Arrays, _Arrays]] = []
        self.NA, self.NAK, self.MMK, self.KH, self.why = (_view(a) for a in self._arrays())

    def __repr__(self) -> str:
        open_cells = self._na == 0
        left = int(self._mmk[open_cells].sum())
        return (
            f"<State: {81 - int(open_cells.sum())} cells filled, {left} components left, level {self.level}>"
        )

    def _arrays(self) -> _Arrays:
        return self._na, self._nak, self._mmk, self._kh, self._why

    def _snapshot(self) -> _Arrays:
        return tuple(a.copy() for a in self._arrays())

    def _restore(self, saved: _Arrays) -> None:
        for array, old in zip(self._arrays(), saved, strict=True):
            array[...] = old
        self._next = int(self._kh.max()) + 1

    def components(self, cell: int) -> tuple[int, ...]:
        """Return the values still possible in a cell, ascending."""
        return tuple(int(d) for d in self._nak[:, cell - 1] if d)

    def places(self, unit: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a unit that still have this component, ascending."""
        return tuple(c for c in UNITS[unit - 1] if self._nak[digit - 1, c - 1])

    def drawn_state(self) -> tuple[bytes, bytes, dict[int, tuple[int, ...]]]:
        """Values, givens and components by cell 0 to 80, as `unidoku.view.svg` draws them."""
        given = (self._why == -1).any(axis=0)  # a given has no other components from the start
        marks = {cell: self.components(cell + 1) for cell in range(81) if not self._na[cell]}
        return self._na.tobytes(), (self._na * given).tobytes(), marks

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        from unidoku.view.svg import svg

        return svg(self, size=360)

    def apply(self, event: Event, number: int) -> None:
        """Apply an event.

        Parameters
        ----------
        event : Event
            The next event.
        number : int
            Its number in the record, from 1; it becomes the cause in `why`.
        """
        c, d = event.cell - 1, event.digit
        match event.kind:
            case "zero":
                self._nak[d - 1, c] = 0
                self._why[d - 1, c] = number
            case "convert" | "preset":
                if event.kind == "preset":
                    self._before.append(self._snapshot())
                    self.level += 1
                self._na[c] = d
                self._kh[c] = self._next
                self._next += 1
                if event.rule == "theorem4":
                    others = (self._nak[:, c] != 0) & (self._nak[:, c] != d)
                    self._nak[others, c] = 0
                    self._why[others, c] = number
            case "retract":
                before = self._before.pop()
                self._taken_back.append((self._snapshot(), before))
                self._restore(before)
                self.level -= 1
                self._nak[d - 1, c] = 0
                self._why[d - 1, c] = number
        if event.cell:
            self._count(c)

    def undo(self, event: Event, number: int) -> None:
        """Undo the last event, whose number is that of `apply`."""
        c, d = event.cell - 1, event.digit
        match event.kind:
            case "zero":
                self._nak[d - 1, c] = d
                self._why[d - 1, c] = 0
            case "convert":
                self._na[c] = self._kh[c] = 0
                self._next -= 1
                saved = np.flatnonzero(self._why[:, c] == number)
                self._nak[saved, c] = saved + 1
                self._why[saved, c] = 0
            case "preset":
                self._restore(self._before.pop())
                self.level -= 1
            case "retract":
                after, before = self._taken_back.pop()
                self._before.append(before)
                self._restore(after)
                self.level += 1
        if event.cell and event.kind != "retract":
            self._count(c)

    def _count(self, c: int) -> None:
        if self._na[c]:
            self._mmk[c] = 1 if self._nak[self._na[c] - 1, c] else 0
        else:
            self._mmk[c] = np.count_nonzero(self._nak[:, c])


def _view(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
