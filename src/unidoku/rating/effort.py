"""Effort: how much looking a puzzle asks of a person, as one whole number, which people's times follow.

Go over the grid in passes.  A pass writes all hidden singles that stand at its start; where there is none,
all naked singles; where there is no single at all, it removes what locked candidates show, else what pairs
show, else every candidate that singles alone drive to a contradiction.  A pass costs its empty cells: once
for hidden singles, twice for naked singles, four times for locked candidates or pairs, eight times for
contradictions.  The effort is the sum.  No order of cells enters, so all images of a puzzle have the same.

Native code finds it, ``native/effort``; docs/rating.md has the definition and what it was compared with.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import TYPE_CHECKING, Any

from unidoku import kernel
from unidoku.compat import np
from unidoku.threads import Cancel, cancel_of, map_parts, thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.table.column import Column

MOST_EFFORT = 32767
"""No puzzle has more: a number of 16 bits."""

HIGHEST_OF_MINUTES = 5.0
"""The highest ER for which minutes say something: of harder puzzles, few were completed."""

_SLICE = 256  # puzzles at a time, some 10 milliseconds of hard ones


def effort_of(cells: bytes) -> int | None:
    """Return the effort of 81 cells 0 to 9; None if the passes do not fill them with one solution."""
    effort = array("h", [0])
    kernel.isa_module(package="effort").efforts(cells, array("q", [0]), effort, zero=0)
    return effort[0] if effort[0] >= 0 else None


def minutes_of(effort: int) -> int:
    """Return the minutes that a practised player takes for an effort, rounded.

    They are the means of 1,533 puzzles in one app (docs/rating.md); other people differ by a factor.
    """
    return max(1, round((effort + 150) / 77))


def efforts_of(cells: NDArray[Any], *, threads: int | None = 1, cancel: Cancel | None = None) -> NDArray[Any]:
    """Return the efforts of puzzles, uint8[n, 81]: int16[n], -1 for one that has none.

    After `cancel` the rest is -1.
    """
    efforts = np.full(len(cells), -1, np.int16)
    native = kernel.isa_module(package="effort").efforts

    def work(part: slice, stop: Cancel) -> None:
        native(*kernel.flat(cells[part]), efforts[part], zero=0, stop=stop.flag)
        if stop:
            efforts[part] = -1

    parts = [slice(begin, begin + _SLICE) for begin in range(0, len(cells), _SLICE)]
    map_parts(work, parts, thread_count(threads), cancel_of(cancel), cancellable=len(parts) > 1)
    return efforts


def effort_column(cells: NDArray[Any], *, threads: int | None = 1, cancel: Cancel | None = None) -> Column:
    """Return the efforts of puzzles, uint8[n, 81], as a column."""
    from unidoku.table.column import Column

    efforts = efforts_of(cells, threads=threads, cancel=cancel)
    efforts[cells.all(axis=1)] = -1  # no cell is empty
    return Column(efforts.clip(0), states=efforts >= 0)


def later_efforts(cells: NDArray[Any], index: NDArray[Any], threads: int | None) -> Any:
    """Return what makes the column of some rows when it is read: ``index`` has the puzzle of each, or -1."""
    return partial(_efforts_of_rows, cells, index, threads)


def _efforts_of_rows(
    cells: NDArray[Any], index: NDArray[Any], threads: int | None, rows: NDArray[Any] | None
) -> Column:
    """Return the column of these rows, or of all."""
    chosen = index if rows is None else index[rows]
    there = np.flatnonzero(chosen >= 0)
    place = np.full(len(chosen), -1)
    place[there] = np.arange(len(there))
    return effort_column(cells[chosen[there]], threads=threads).take(place)
