"""Canonical forms: equivalent puzzles have the same form.

Two puzzles are equivalent if an element of the symmetry group maps one to the other.  There are two forms.
``minlex`` is the smallest of all images of the puzzle, read as 81 digits with 0 for an empty cell; it exists
for every puzzle without clashing clues, and for full grids.  ``solution`` is the smallest of the images whose
solution is in minlex form; it exists for proper puzzles only.  The two forms of a puzzle usually differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unidoku import kernel
from unidoku.arguments import one_of, whole
from unidoku.batch import Batch
from unidoku.craft.seeds import seed_of
from unidoku.craft.transform import GROUP_ORDER, Transformation, random_numbers, transform_many
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid
from unidoku.kernel import solve_rows
from unidoku.parse_many import Puzzles, numbers_of
from unidoku.result import Result
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.parse_many import Places, PuzzlesLike
    from unidoku.threads import Cancel

_FEW = 512  # puzzles whose forms are found within 50 milliseconds, even the slowest ones
_SOME = 10_000  # images that are made at once

FORMS = ("minlex", "solution")
"""The names of the forms."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CanonicalResult(Result[Any]):
    """Canonical forms of many puzzles, in the order of the puzzles.

    Attributes
    ----------
    forms : uint8[n, 81]
        Cells 0 to 9.
    transformations : int64[n]
        Number of an element that maps each puzzle to its form (`Transformation.from_index`).
    automorphisms : int64[n]
        How many elements do so: the number of automorphisms of the puzzle, see `automorphism_count`.
    reasons : dict of int to str
        Why rows have no form, by row, from 0; their values are 0.
    """

    forms: NDArray[np.uint8]
    transformations: NDArray[np.int64]
    automorphisms: NDArray[np.int64]
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.forms)


def canonical_details(
    puzzles: PuzzlesLike,
    *,
    form: str = "minlex",
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CanonicalResult:
    """Return canonical forms, the elements that lead to them, and automorphism counts."""
    return forms_of(puzzles, form, solutions, errors=errors, threads=threads, cancel=cancel)


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
        It is not a puzzle, or two clues clash.
    """
    return int(form_of(puzzle).automorphisms[0])


def isomorphism(first: PuzzleLike, second: PuzzleLike) -> Transformation | None:
    """Find an element of the symmetry group that maps one puzzle to another, or return None.

    Parameters
    ----------
    first, second : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.

    Returns
    -------
    Transformation or None
        An element ``t`` with ``t(first) == second``; None if there is none.

    Raises
    ------
    InvalidPuzzleError
        One is not a puzzle, or two of its clues clash.
    """
    found = form_of(first), form_of(second)
    if (found[0].forms != found[1].forms).any():
        return None
    one, two = (Transformation.from_index(int(each.transformations[0])) for each in found)
    return two.inverse() @ one


def form_of(puzzle: PuzzleLike, form: str = "minlex") -> CanonicalResult:
    """Return the details of one puzzle; its errors name no row."""
    cells = Grid(puzzle).to_array().reshape(1, 81)
    found = canonical_details(cells, form=form, threads=1, errors="invalid")
    for reason in found.reasons.values():
        raise InvalidPuzzleError(reason)
    return found


def forms_of(
    puzzles: PuzzlesLike,
    form: str = "minlex",
    solutions: NDArray[np.uint8] | None = None,
    *,
    details: bool = True,
    errors: str = "raise",
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> CanonicalResult:
    """Return canonical forms as `canonical_details` does, perhaps without the elements."""
    one_of("form", form, FORMS)
    given = Puzzles.of(puzzles, cancel)
    n = len(given)
    if solutions is not None:
        if form != "solution":
            raise UnidokuError(f"the form {form!r} takes no solutions")
        solutions = np.ascontiguousarray(solutions, np.uint8)
        if solutions.shape != (n, 81):
            raise UnidokuError(f"solutions have shape ({n}, 81), not {solutions.shape}")
    forms = np.zeros((n, 81), np.uint8)
    numbers, automorphisms = np.zeros((2, n if details else 0), np.int64)
    native = kernel.form(package="symmetry")

    def work(part: Batch, rows: Places, stop: Cancel) -> dict[int, str]:
        grids = None if solutions is None else solutions[rows]
        tried, reasons = np.arange(len(part)), {}
        if form == "solution" and grids is None:
            found = solve_rows(part.cells, grids=1, cancel=stop)
            is_proper = found.verdicts == int(Verdict.UNIQUE)
            reasons = dict.fromkeys(
                np.flatnonzero(~is_proper).tolist(), "the form 'solution' needs a proper puzzle"
            )
            tried, grids = np.flatnonzero(is_proper), found.solutions[is_proper]
            part = part.only(tried)
        images, ways = np.zeros((len(part), 81), np.uint8), np.zeros((2, len(part)), np.int64)
        out = {
            "automorphisms": ways[1],
            "zero": part.empty_code,
            "stop": stop.flag,
            **({"numbers": ways[0]} if details else {}),
        }
        if grids is None:
            native.least_images(part.text, part.starts, images.reshape(-1), **out)
            reason = "two clues clash"
        else:
            both = np.ascontiguousarray(grids).reshape(-1), images.reshape(-1)
            native.least_through_solutions(part.text, part.starts, *both, **out)
            reason = "the solution is not a full grid"
        stop.raise_if_set()
        without = ways[1] == 0
        images[without] = 0
        reasons |= dict.fromkeys(tried[without].tolist(), f"no canonical form: {reason}")
        places = numbers_of(rows)[tried]
        forms[places] = images
        if details:
            numbers[places], automorphisms[places] = ways
        return reasons

    reasons = given.each_part(work, errors=errors, threads=threads, cancel=cancel, polls=n > _FEW)
    return CanonicalResult(forms, numbers, automorphisms, reasons)


def least_images(
    rows: NDArray[np.uint8], threads: int = 1, cancel: Cancel | None = None
) -> NDArray[np.uint8]:
    """Return the smallest images of puzzles, uint8[n, 81]."""
    return forms_of(rows, details=False, threads=threads, cancel=cancel).forms


def variants(puzzle: PuzzleLike, *, count: int, seed: int | None = None) -> NDArray[np.uint8]:
    """Return different images of a puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    count : int
        Number of images.
    seed : int, optional
        0 to 2**64 - 1: the same seed gives the same images; by default it is a fresh one.

    Returns
    -------
    uint8[n, 81]
        No two are equal, and none is the puzzle itself.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle, or two clues clash.
    ValueError
        `count` is not an integer or below 0, the puzzle has fewer images, or `seed` is out of range.
    """
    cells = Grid(puzzle).to_array().reshape(1, 81)
    most = GROUP_ORDER // automorphism_count(puzzle) - 1
    if whole("count", count) > most:
        raise UnidokuError(
            f"count must be 0 to {most:,}, the number of the puzzle's other images, not {count:,}"
        )
    found = {cells.tobytes(): None}
    start, position = seed_of(seed), 0
    while len(found) <= count:
        more = min(count - len(found) + 17, _SOME)
        numbers = random_numbers(more, start, position)
        found |= dict.fromkeys(map(bytes, transform_many(np.repeat(cells, more, axis=0), numbers, threads=1)))
        position += more
    return np.frombuffer(b"".join(found), np.uint8).reshape(-1, 81)[1 : count + 1].copy()
