"""Canonical forms of puzzles and grids: equal for equivalent puzzles.

Two puzzles are equivalent if an element of the symmetry group maps one to the other.  There are two forms.
``minlex`` is the smallest of all images of the puzzle, read as 81 digits with 0 for an empty cell; it exists
for every puzzle without clashing clues, and for full grids.  ``solution`` is the smallest of the images whose
solution is in minlex form; it exists for proper puzzles only.  The two forms of a puzzle usually differ.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku import kernel
from unidoku.arguments import one_of
from unidoku.errors import ImproperPuzzleError, UnidokuError
from unidoku.grid import Grid, PuzzleLike
from unidoku.kernel import flat, solve_rows
from unidoku.table.column import Column
from unidoku.table.puzzles import Puzzles, PuzzlesLike
from unidoku.table.result import Result
from unidoku.threads import Cancel
from unidoku.verdict import Verdict

Form: TypeAlias = Literal["minlex", "solution"]

_FEW = 512  # puzzles whose forms are found within 50 milliseconds, even the slowest ones

FORMS = ("minlex", "solution")
"""The names of the forms."""


def canonical(puzzle: PuzzleLike, *, form: Form = "minlex") -> Grid:
    """Return the canonical form of a puzzle or a full grid.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    form : {'minlex', 'solution'}, optional
        ``minlex``: the smallest image.  ``solution``: the smallest of the images whose solution is in minlex
        form; faster for many puzzles, and for proper puzzles only.

    Returns
    -------
    Grid
        The same for every image of the puzzle.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle.
    ImproperPuzzleError
        Two clues clash, or (``solution``) it has not exactly one solution.
    ValueError
        `form` is not one of these.

    Examples
    --------
    >>> canonical("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").line
    '........1.....2.34156...27......8.......51..232974......16..9....34..7..28.91.45.'
    """
    return Grid(_details_of(puzzle, form).puzzle[0])


def canonical_many(
    puzzles: PuzzlesLike,
    *,
    form: Form = "minlex",
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Result:
    """Return the canonical forms of many puzzles or full grids.

    Parameters
    ----------
    puzzles, threads, errors
        As for `unidoku.check_many`.
    form : {'minlex', 'solution'}, optional
        As for `canonical`.
    solutions : uint8[n, 81], optional
        The solutions, cells 1 to 9, if they are known; only for the form ``solution``.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    Result
        The column ``puzzle`` has the forms: uint8[n, 81], cells 0 to 9.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle, two of its clues clash, or (``solution``) it is not a proper puzzle or its
        solution is not a full grid; its attribute ``row`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `form` is not one of these, or `solutions` has another shape or is given for ``minlex``.
    """
    return _forms_of(puzzles, form, solutions, details=False, errors=errors, threads=threads, cancel=cancel)


def canonical_details(
    puzzles: PuzzlesLike,
    *,
    form: str = "minlex",
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> Result:
    """Return canonical forms, the symmetries that lead to them, and automorphism counts.

    It has the parameters and the errors of `canonical_many`.

    Returns
    -------
    Result
        ``puzzle``: the forms, uint8[n, 81], cells 0 to 9; ``symmetry``: the number of a transformation that
        maps each puzzle to its form, int64[n] (`Transformation.from_index`); ``automorphisms``: how many do
        so, int64[n]. All are 0 where a row has a reason.
    """
    return _forms_of(puzzles, form, solutions, details=True, errors=errors, threads=threads, cancel=cancel)


def _forms_of(
    puzzles: PuzzlesLike,
    form: str,
    solutions: NDArray[np.uint8] | None,
    *,
    details: bool,
    errors: str,
    threads: int | None,
    cancel: Cancel | None,
) -> Result:
    """Return canonical forms, and with `details` also the other columns of `canonical_details`."""
    one_of("form", form, FORMS)
    given = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    if solutions is not None:
        if form != "solution":
            raise UnidokuError(f"the form {form!r} takes no solutions")
        solutions = np.ascontiguousarray(solutions, np.uint8)
        if solutions.shape != (len(given), 81):
            raise UnidokuError(f"solutions have shape ({len(given)}, 81), not {solutions.shape}")
        solutions = solutions[given.rows]
    n = len(given.cells)
    forms = np.zeros((n, 81), np.uint8)
    numbers, automorphisms = np.zeros((2, n), np.int64)
    native = kernel.form(package="symmetry")

    def work(part: slice, stop: Cancel) -> dict[int, str]:
        cells, grids = given.cells[part], None if solutions is None else solutions[part]
        tried = np.arange(len(cells))
        reasons: dict[int, str] = {}
        if form == "solution" and grids is None:
            answers = solve_rows(cells, grids=1, cancel=stop)
            is_proper = answers.verdicts == int(Verdict.UNIQUE)
            improper = np.flatnonzero(~is_proper).tolist()
            reasons = dict.fromkeys(improper, "the form 'solution' needs a proper puzzle")
            tried, cells, grids = np.flatnonzero(is_proper), cells[is_proper], answers.solutions[is_proper]
        images = np.zeros_like(cells)
        transformations, counts = np.zeros((2, len(cells)), np.int64)
        outputs = {"numbers": transformations if details else None, "automorphisms": counts}
        options = {"zero": 0, "stop": stop.flag}
        if grids is None:
            native.least_images(*flat(cells), images.reshape(-1), **outputs, **options)
            reason = "two clues clash"
        else:
            full = np.ascontiguousarray(grids).reshape(-1)
            native.least_through_solutions(*flat(cells), full, images.reshape(-1), **outputs, **options)
            reason = "the solution is not a full grid"
        stop.raise_if_set()
        without = counts == 0
        images[without] = 0
        reasons |= dict.fromkeys(tried[without].tolist(), f"no canonical form: {reason}")
        rows = part.start + tried
        forms[rows], numbers[rows], automorphisms[rows] = images, transformations, counts
        return reasons

    reasons = given.map_slices(work, threads=threads, cancel=cancel, cancellable=n > _FEW)
    columns = {"puzzle": Column(forms)}
    if details:
        columns["symmetry"] = Column(numbers)
        columns["automorphisms"] = Column(automorphisms)
    return given.result(columns, reasons)


def _details_of(puzzle: PuzzleLike, form: str) -> Result:
    """Return the details of one puzzle; its errors name no row."""
    details = canonical_details(Grid(puzzle).to_array()[None], form=form, threads=1, errors="invalid")
    for reason in details.reasons.values():
        raise ImproperPuzzleError(reason, kernel.verdict_of(Grid(puzzle).cells))
    return details


def automorphism_count(puzzle: PuzzleLike) -> int:
    """Count the elements of the symmetry group that map a puzzle to itself.

    The number of different images of the puzzle is 1,218,998,108,160 divided by this count.  Relabellings of
    digits that do not occur in the puzzle are included.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.

    Returns
    -------
    int

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle.
    ImproperPuzzleError
        Two clues clash.
    """
    return int(_details_of(puzzle, "minlex").automorphisms[0])
