"""Measures of many puzzles: the steps and guesses of the console's search, and the book's classes."""

from __future__ import annotations

from typing import Any

from unidoku._compat import NDArray, np
from unidoku._native.steps import CLASH, ENDED, STEP_LIMIT, search_cells
from unidoku._threads import Cancel, call_to_end
from unidoku.kernel import with_starts
from unidoku.method._rules import classes_of, run_classify


def measure(
    cells: NDArray[np.uint8], step_limit: int = STEP_LIMIT, *, cancel: Cancel
) -> dict[str, NDArray[Any]]:
    """Measure how much the console's search and the book's method have to do for puzzles, uint8[n, 81].

    Returns these columns; if `cancel` ends the work, it is an error:

    - search_first_steps: uint64, steps of the search, mode 0, up to the first solution, or to the end if none
      is found; search_first_level: uint8, the highest guess level up to there. SudokuSolver's author states
      the difficulty of a puzzle by these two numbers;
    - search_complete: bool, false if `step_limit` ended the search; without a solution the two numbers are
      then lower bounds. With 0 there is no limit;
    - book_class: uint8, the numerical-analysis method's class 1 to 4; 0 for a puzzle that is not proper or
      whose search is not complete.
    """
    numbers = ("steps", "solutions", "level_step", "first_steps", "first_level_step")
    outputs: dict[str, NDArray[Any]] = {name: np.zeros(len(cells), np.uint64) for name in numbers}
    outputs |= {name: np.zeros(len(cells), np.uint8) for name in ("biggest_level", "first_level", "outcomes")}
    options: dict[str, Any] = {"zero": 0, "step_limit": step_limit, **outputs}
    call_to_end(search_cells, *with_starts(cells), cancel=cancel, **options)
    is_open, solutions = ~np.isin(outputs["outcomes"], (ENDED, CLASH)), outputs["solutions"]
    steps = outputs["first_steps"]
    if step_limit:  # a unit of work is never split, so a search may take more steps before it ends
        np.minimum(steps, np.uint64(step_limit), out=steps, where=is_open & (solutions == 0))
    classes = classes_of(run_classify(cells, presets=0, cancel=cancel))
    classes[is_open | (solutions != 1)] = 0
    return {
        "search_first_steps": steps,
        "search_first_level": outputs["first_level"],
        "search_complete": ~is_open,
        "book_class": classes,
    }
