"""Canonical forms of puzzles and grids: equal for equivalent puzzles.

Two puzzles are equivalent if an element of the symmetry group maps one to the other. The form is the smallest
of all images of the puzzle, read as 81 digits with 0 for an empty cell; it exists for every puzzle without
clashing clues, and for full grids.
"""

from __future__ import annotations

from array import array
from typing import Any, Literal

from unidoku import kernel
from unidoku._table.batch import Batch
from unidoku._table.column import CellValues, Column, states_of
from unidoku._table.forms import PuzzlesLike
from unidoku._table.puzzles import PuzzleResult, Puzzles
from unidoku._threads import Cancel, begun, call_to_end, cancel_of, map_whole, parts_of, thread_count
from unidoku._verdict import ImproperPuzzleError
from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.grid import Grid, PuzzleLike

NO_FORM = Reason("no_solution", "no canonical form: two clues clash")
"""Why a puzzle has no form."""

_START = array("q", [0])
_PART = 2048  # puzzles that a thread takes at a time
_FEW = 512  # puzzles whose forms are found within 50 milliseconds, even the slowest


def canonical(puzzle: PuzzleLike, *, cancel: Cancel | None = None, timeout: float | None = None) -> Grid:
    """Find the canonical form of a puzzle or a full grid, which all its symmetric copies share.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Grid
        The smallest image of the puzzle: the same for every image.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    ImproperPuzzleError
        Two clues clash.
    SearchStoppedError
        `cancel` ended the work.

    Examples
    --------
    >>> canonical("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").line
    '........1.....2.34156...27......8.......51..232974......16..9....34..7..28.91.45.'
    """
    cancel = begun(cancel, timeout)
    cells = Grid(puzzle).cells
    image, counts = bytearray(81), array("q", [0])
    find = kernel.isa_module(package="symmetry").least_images
    call_to_end(find, cells, _START, image, zero=0, automorphisms=counts, cancel=cancel)
    if not counts[0]:
        raise ImproperPuzzleError(NO_FORM)
    return Grid(bytes(image))


def forms_of(
    batch: Batch,
    *,
    symmetries: bool = True,
    threads: int | None = 1,
    cancel: Cancel | None = None,
) -> tuple[dict[str, Column], dict[int, Reason]]:
    """Return the forms of a batch, as columns of `canonical_many`, and why puzzles have none.

    It computes nothing with arrays.  If `cancel` ends the work, it is an error.
    """
    n = len(batch)
    images = memoryview(bytearray(81 * n))
    numbers, counts = (memoryview(bytearray(8 * n)).cast("q") for _ in range(2))
    native = kernel.isa_module(package="symmetry")

    def work(part: slice, stop: Cancel) -> None:
        piece = batch.part(part)
        out = images[81 * part.start : 81 * part.stop]
        options: dict[str, Any] = {"zero": batch.empty_code, "cancel": stop, "automorphisms": counts[part]}
        options["numbers"] = numbers[part] if symmetries else None
        call_to_end(native.least_images, piece.text, piece.starts, out, **options)

    map_whole(work, parts_of(n, _PART), thread_count(threads), cancel_of(cancel), cancellable=n > _FEW)
    reasons = {k: NO_FORM for k, count in enumerate(counts) if not count}
    states = None
    if reasons:
        states = states_of(counts)
    columns = {"puzzle": Column(CellValues(images, range(0, 81 * n, 81), 0), states=states)}
    if symmetries:
        columns |= {
            "symmetry": Column(numbers, states=states),
            "automorphisms": Column(counts, states=states),
        }
    return columns, reasons


def canonical_many(
    puzzles: PuzzlesLike,
    *,
    symmetries: bool = False,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> PuzzleResult:
    """Find the canonical forms of many puzzles or full grids, and the symmetries to them.

    Parameters
    ----------
    puzzles, threads, errors, cancel, timeout
        As for `unidoku.check_many`.
    symmetries : bool, optional
        Whether to return the symmetries as well.

    Returns
    -------
    Result
        The column ``puzzle`` has the forms: uint8[n, 81], cells 0 to 9. With `symmetries`, ``symmetry`` has
        the number of a transformation that maps each puzzle to its form (`Transformation.from_index`).
        ``automorphisms`` counts the transformations that do so: the elements of the symmetry group that map
        the puzzle to itself, including relabellings of digits that do not occur in it. Both are int64[n].

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle, or two of its clues clash; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.

    Examples
    --------
    >>> import unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rotated = unidoku.transform(puzzle, unidoku.Transformation.rotation(90))
    >>> forms = canonical_many([puzzle, rotated]).puzzle
    >>> forms.shape, (forms[0] == forms[1]).all().item()
    ((2, 81), True)
    """
    cancel = begun(cancel, timeout)
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    columns, reasons = forms_of(inputs.batch, symmetries=symmetries, threads=threads, cancel=cancel)
    if reasons and errors == "raise":
        raise InvalidPuzzleError(reasons[min(reasons)], index=min(reasons))
    return inputs.result(columns, reasons)  # type: ignore[return-value]
