"""Canonical forms: equivalent puzzles have the same form.

Two puzzles are equivalent if an element of the symmetry group maps one to the other.  There are two forms.
``minlex`` is the smallest of all images of the puzzle, read as 81 digits with 0 for an empty cell; it exists
for every puzzle without clashing clues, and for full grids.  ``solution`` is the smallest of the images whose
solution is in minlex form; it exists for proper puzzles only.  The two forms of a puzzle usually differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.craft.seeds import seed_of
from unidoku.craft.transform import GROUP_ORDER, Transformation, random_numbers, transform_many
from unidoku.grid import Grid
from unidoku.kernel import Solved
from unidoku.many import Table, invalid_row, symmetry
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.rows import Rows

__all__ = [
    "FORMS",
    "CanonicalResult",
    "automorphism_count",
    "canonical",
    "canonical_details",
    "canonical_many",
    "isomorphism",
    "variants",
]

FORMS = ("minlex", "solution")
"""The names of the forms."""


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalResult:
    """Canonical forms of many puzzles, in the order of the puzzles.

    Attributes
    ----------
    forms : uint8[n, 81]
        Cells 0 to 9.
    transformations : int64[n]
        Number of an element that maps each puzzle to its form (`Transformation.from_index`).
    automorphisms : int64[n]
        How many elements do so: the number of automorphisms of the puzzle, see `automorphism_count`.
    """

    forms: NDArray[np.uint8]
    transformations: NDArray[np.int64]
    automorphisms: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.forms)


def canonical(puzzle: PuzzleLike, form: str = "minlex") -> Grid:
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
        It is not a puzzle, two clues clash, or (``solution``) it is not a proper puzzle.
    ValueError
        `form` is not one of these.

    Examples
    --------
    >>> canonical("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").line
    '........1.....2.34156...27......8.......51..232974......16..9....34..7..28.91.45.'
    """
    return Grid(canonical_many(_one(puzzle), form, threads=1)[0])


def canonical_many(
    rows: Rows,
    form: str = "minlex",
    *,
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
) -> NDArray[np.uint8]:
    """Return the canonical forms of many puzzles or full grids.

    Parameters
    ----------
    rows : array, bytes, sequence or Arrow column
        As `unidoku.check_many` accepts them.
    form : {'minlex', 'solution'}, optional
        As for `canonical`.
    solutions : uint8[n, 81], optional
        The solutions, cells 1 to 9, if they are known; only for the form ``solution``.
    threads : int, optional
        Worker threads; by default one per available core.

    Returns
    -------
    uint8[n, 81]
        Cells 0 to 9.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle, two of its clues clash, or (``solution``) it is not a proper puzzle or its
        solution is not a full grid; the message names the row, from 0.
    ValueError
        `form` is not one of these, or `solutions` has another shape or is given for ``minlex``.
    """
    return _forms(rows, form, solutions, threads, False).forms


def canonical_details(
    rows: Rows,
    form: str = "minlex",
    *,
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
) -> CanonicalResult:
    """Return canonical forms, the elements that lead to them, and automorphism counts.

    Parameters
    ----------
    rows, form, solutions, threads
        As for `canonical_many`.

    Returns
    -------
    CanonicalResult

    Raises
    ------
    InvalidPuzzleError, ValueError
        As for `canonical_many`.
    """
    return _forms(rows, form, solutions, threads, True)


def automorphism_count(puzzle: PuzzleLike) -> int:
    """Count the elements of the symmetry group that map a puzzle to itself.

    The number of different images of the puzzle is 1,218,998,108,160 divided by this count.  Relabellings of
    digits that do not occur in the puzzle are included.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle, or two clues clash.
    """
    return int(canonical_details(_one(puzzle), threads=1).automorphisms[0])


def isomorphism(first: PuzzleLike, second: PuzzleLike) -> Transformation | None:
    """Find an element of the symmetry group that maps one puzzle to another, or return None.

    Parameters
    ----------
    first, second : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.

    Raises
    ------
    InvalidPuzzleError
        One is not a puzzle, or two of its clues clash.
    """
    found = canonical_details(np.concatenate([_one(first), _one(second)]), threads=1)
    if (found.forms[0] != found.forms[1]).any():
        return None
    one, two = (Transformation.from_index(int(number)) for number in found.transformations)
    return two.inverse() @ one


def _one(puzzle: PuzzleLike) -> NDArray[np.uint8]:
    return np.frombuffer(Grid(puzzle).cells, np.uint8).reshape(1, 81)


def _forms(
    rows: Rows, form: str, solutions: NDArray[np.uint8] | None, threads: int | None, details: bool
) -> CanonicalResult:
    if form not in FORMS:
        raise ValueError(f"invalid form {form!r}; choose from: {', '.join(FORMS)}")
    table = Table(rows)
    n = len(table)
    if solutions is not None:
        if form != "solution":
            raise ValueError(f"the form {form!r} takes no solutions")
        solutions = np.ascontiguousarray(solutions, np.uint8)
        if solutions.shape != (n, 81):
            raise ValueError(f"solutions have shape ({n}, 81), not {solutions.shape}")
    forms = np.empty((n, 81), np.uint8)
    numbers, automorphisms = np.empty((2, n if details else 0), np.int64)
    native = symmetry()

    def work(text: Any, starts: NDArray[np.int64], zero: int, part: slice) -> None:
        images = forms[part].reshape(-1)
        more = {"numbers": numbers[part], "automorphisms": automorphisms[part]} if details else {}
        if form == "minlex":
            wrong = native.least_images(text, starts, images, zero=zero, **more)
            reason = "two clues clash"
        else:
            grids = _solutions(text, starts, zero, part.start) if solutions is None else solutions[part]
            wrong = native.least_through_solutions(text, starts, grids.reshape(-1), images, zero=zero, **more)
            reason = "the solution is not a full grid"
        if wrong >= 0:
            raise invalid_row(part.start + wrong, f"no canonical form: {reason}")

    table.run(work, threads, checks=True)
    return CanonicalResult(forms, numbers, automorphisms)


def _solutions(text: Any, starts: NDArray[np.int64], zero: int, first: int) -> NDArray[np.uint8]:
    """Solve proper puzzles; `first` is the row of the first one, for errors."""
    found = Solved.arrays(len(starts), 1)
    kernel.solve(text, starts, found, zero=zero)
    wrong = np.flatnonzero(found.verdicts != Verdict.UNIQUE)
    if wrong.size:
        raise invalid_row(first + int(wrong[0]), "the form 'solution' needs a proper puzzle")
    solutions: NDArray[np.uint8] = found.solutions & np.uint8(15)
    return solutions


def variants(puzzle: PuzzleLike, n: int, *, seed: int | None = None) -> NDArray[np.uint8]:
    """Return different images of a puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    n : int
        Number of images.
    seed : int, optional
        The same seed gives the same images; by default it is a fresh one.

    Returns
    -------
    uint8[n, 81]
        No two are equal, and none is the puzzle itself.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle.
    ValueError
        `n` is below 0, or the puzzle has fewer images.
    """
    cells = np.frombuffer(Grid(puzzle).cells, np.uint8).reshape(1, 81)
    most = GROUP_ORDER // automorphism_count(puzzle) - 1
    if not 0 <= n <= most:
        raise ValueError(f"n must be 0 to {most:,}, the number of the puzzle's other images, not {n:,}")
    seen = {cells.tobytes()}
    found: list[bytes] = []
    start, position = seed_of(seed), 0
    while len(found) < n:
        count = n - len(found) + 16
        images = transform_many(np.repeat(cells, count, axis=0), random_numbers(count, start, position), 1)
        position += count
        for image in images:
            if len(found) < n and (key := image.tobytes()) not in seen:
                seen.add(key)
                found.append(key)
    return np.frombuffer(b"".join(found), np.uint8).reshape(n, 81).copy()
