"""Measures of many puzzles: the steps and guesses of the console's search, and the book's classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.compat import np
from unidoku.kernel import flat
from unidoku.method.rules import classes_of, run_classify
from unidoku.native.steps import CLASH, ENDED, STEP_LIMIT, search_cells
from unidoku.threads import Cancel, call_to_end

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OUTPUTS = {
    "search_steps": "steps",
    "search_solutions": "solutions",
    "search_level": "biggest_level",
    "search_level_step": "level_step",
    "search_first_steps": "first_steps",
    "search_first_level": "first_level",
    "search_first_level_step": "first_level_step",
}
"""The outputs of the native search by the columns that have them."""
_COLUMNS = {
    **{name: "uint8" if name.endswith("level") else "uint64" for name in _OUTPUTS},
    "search_complete": "bool",
    "book_class": "uint8",
}


def _columns(n: int) -> dict[str, NDArray[Any]]:
    """Allocate the columns for n puzzles."""
    return {name: np.zeros(n, type_) for name, type_ in _COLUMNS.items()}


def measure(
    cells: NDArray[np.uint8], step_limit: int = STEP_LIMIT, *, cancel: Cancel
) -> dict[str, NDArray[Any]]:
    """Measure how much the console's search and the book's method have to do for puzzles, uint8[n, 81].

    Returns these columns; if `cancel` ends the work, it is an error:

    - search_steps, search_solutions: uint64, steps of the search to its end, mode 0, and the solutions found
      in them;
    - search_level: uint8, the highest guess level;
    - search_level_step: uint64, the step at which it was first reached, 0 for level 0;
    - search_first_steps, search_first_level, search_first_level_step: the same up to the first solution, or
      to the end if none is found: how SudokuSolver's author states the difficulty of a puzzle;
    - search_complete: bool, false if `step_limit` ended the search; the other numbers are then lower bounds,
      but search_first_steps and search_first_level only if there are no solutions.  With 0 there is no limit;
    - book_class: uint8, the numerical-analysis method's class 1 to 4; 0 for a puzzle that is not proper or
      whose search is not complete.
    """
    columns, outcomes = _columns(len(cells)), np.zeros(len(cells), np.uint8)
    outputs: dict[str, Any] = {output: columns[name] for name, output in _OUTPUTS.items()}
    call_to_end(
        search_cells,
        *flat(cells),
        zero=0,
        outcomes=outcomes,
        step_limit=step_limit,
        cancel=cancel,
        **outputs,
    )
    is_open, solutions = (outcomes != ENDED) & (outcomes != CLASH), columns["search_solutions"]
    columns["search_complete"] = ~is_open
    if step_limit:  # a unit of work is never split, so a search may take more steps before it ends
        is_first_bound = is_open & (solutions == 0)
        for name, is_bound in (("search_steps", is_open), ("search_first_steps", is_first_bound)):
            np.minimum(columns[name], np.uint64(step_limit), out=columns[name], where=is_bound)
    columns["book_class"] = classes_of(run_classify(cells, presets=0, cancel=cancel))
    columns["book_class"][is_open | (solutions != 1)] = 0
    return columns
