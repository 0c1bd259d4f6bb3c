"""Measures of many puzzles: the steps and guesses that the step engine needs, and the book's classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.compat import np
from unidoku.kernel import flat
from unidoku.method.rules import classes_of, run_classify
from unidoku.native.steps import CLASH, ENDED, STEP_LIMIT, search_cells
from unidoku.threads import Cancel, call_to_end

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COLUMNS = {
    **dict.fromkeys(("steps", "solutions", "level_step", "first_steps", "first_level_step"), "uint64"),
    **dict.fromkeys(("level", "first_level", "classes"), "uint8"),
    "complete": "bool",
}
_OWN_NAMES = ("level", "classes", "complete")


def _columns(n: int) -> dict[str, NDArray[Any]]:
    """Allocate the columns for n puzzles."""
    return {name: np.zeros(n, type_) for name, type_ in _COLUMNS.items()}


def measure(
    cells: NDArray[np.uint8], step_limit: int = STEP_LIMIT, *, cancel: Cancel
) -> dict[str, NDArray[Any]]:
    """Measure how much the step engine and the book's method have to do for puzzles, uint8[n, 81].

    Returns these columns; if `cancel` ends the work, it is an error:

    - steps, solutions: uint64, steps of the step engine to the end of the whole search, mode 0, and the
      solutions found in them;
    - level: uint8, the highest guess level; level_step: uint64, the step at which it was first reached, 0 for
      level 0;
    - first_steps, first_level, first_level_step: the same up to the first solution, or to the end if none is
      found: how SudokuSolver's author states the difficulty of a puzzle;
    - classes: uint8, the numerical-analysis method's class 1 to 4; 0 for a puzzle that is not proper or not
      complete;
    - complete: bool, false if `step_limit` ended the search; the other numbers are then lower bounds, but
      first_steps and first_level only if there are no solutions.  With 0 there is no limit.
    """
    columns, outcomes = _columns(len(cells)), np.zeros(len(cells), np.uint8)
    outputs: dict[str, Any] = {name: columns[name] for name in _COLUMNS if name not in _OWN_NAMES}
    call_to_end(
        search_cells,
        *flat(cells),
        zero=0,
        biggest_level=columns["level"],
        outcomes=outcomes,
        step_limit=step_limit,
        cancel=cancel,
        **outputs,
    )
    is_open, solutions = (outcomes != ENDED) & (outcomes != CLASH), columns["solutions"]
    columns["complete"] = ~is_open
    if step_limit:  # a unit of work is never split, so a search may take more steps before it ends
        for name, is_bound in (("steps", is_open), ("first_steps", is_open & (solutions == 0))):
            np.minimum(columns[name], np.uint64(step_limit), out=columns[name], where=is_bound)
    columns["classes"] = classes_of(run_classify(cells, presets=0, cancel=cancel))
    columns["classes"][is_open | (solutions != 1)] = 0
    return columns
