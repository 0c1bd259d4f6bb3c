"""The capability `canonical`: the canonical forms of puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, overload

from unidoku.options import option
from unidoku.task import Need, Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.column import Column
    from unidoku.grid import Grid, PuzzleLike
    from unidoku.parse_many import CellsResult, PuzzlesLike
    from unidoku.threads import Cancel

    Form: TypeAlias = Literal["minlex", "solution"]


@dataclass(frozen=True)
class Canonical(Task):
    """Write the canonical forms of puzzles.

    The form is the same for all puzzles that a symmetry maps to each other. Solutions in columns of the input
    are transformed too; its ratings are left out, because an image may have others.

    Parameters
    ----------
    form : {"minlex", "solution"}
        As for `unidoku.canonical`.
    """

    name: ClassVar[str] = "canonical"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        "puzzle": ("cells", "the form"),
        "symmetry": ("int64", "the number of an element of the group that maps the puzzle to its form"),
    }
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku canonical puzzles.txt -o canonical.txt",
        "unidoku canonical puzzles.txt --form solution --to csv",
    )
    shown: ClassVar[tuple[str, ...]] = ()
    form: str = option(
        "minlex",
        "Write the smallest image (minlex); or, of a proper puzzle, the smallest one among the images whose "
        "solution is a smallest image itself (solution).",
        choices=("minlex", "solution"),
    )

    def work(self, batch: Batch, need: Need) -> dict[str, Any]:
        """Find the forms."""
        from unidoku.craft.canonical import forms_of

        limits: dict[str, Any] = {"errors": "invalid", "threads": need.threads(), "cancel": need.cancel}
        found = forms_of(batch.cells, self.form, **limits)
        made = {"puzzle": found.forms, "symmetry": found.transformations}
        return {**made, "reason": found.reasons}

    def passthrough(self, columns: dict[str, Column], results: dict[str, Column]) -> dict[str, Column]:
        """Return the columns of the input as those of images."""
        from unidoku.craft.images import image_columns

        return image_columns(columns, results["symmetry"]) if columns else {}


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
        It is not a puzzle, two clues clash, or (``solution``) it is not a proper puzzle.
    ValueError
        `form` is not one of these.

    Examples
    --------
    >>> canonical("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").line
    '........1.....2.34156...27......8.......51..232974......16..9....34..7..28.91.45.'
    """
    from unidoku.craft.canonical import form_of
    from unidoku.grid import Grid

    return Grid(form_of(puzzle, form).forms[0])


@overload
def canonical_many(
    puzzles: PuzzlesLike,
    *,
    form: Form = "minlex",
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
    errors: Literal["raise"] = "raise",
    cancel: Cancel | None = None,
) -> NDArray[np.uint8]: ...
@overload
def canonical_many(
    puzzles: PuzzlesLike,
    *,
    form: Form = "minlex",
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
    errors: Literal["invalid"],
    cancel: Cancel | None = None,
) -> CellsResult: ...
def canonical_many(
    puzzles: PuzzlesLike,
    *,
    form: Form = "minlex",
    solutions: NDArray[np.uint8] | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> NDArray[np.uint8] | CellsResult:
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
    uint8[n, 81]
        Cells 0 to 9.  With ``errors="invalid"`` these and the reasons, as a `CellsResult`.

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
    from unidoku.craft.canonical import forms_of
    from unidoku.parse_many import CellsResult

    settings: dict[str, Any] = {"errors": errors, "threads": threads, "cancel": cancel}
    found = forms_of(puzzles, form, solutions, details=False, **settings)
    return found.forms if errors == "raise" else CellsResult(found.forms, found.reasons)
