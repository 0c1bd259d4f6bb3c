"""Canonical forms of puzzles and grids: equal for equivalent puzzles.

Two puzzles are equivalent if an element of the symmetry group maps one to the other.  There are two forms.
``minlex`` is the smallest of all images of the puzzle, read as 81 digits with 0 for an empty cell; it exists
for every puzzle without clashing clues, and for full grids.  ``solution`` is the smallest of the images whose
solution is in minlex form; it exists for proper puzzles only.  The two forms of a puzzle usually differ.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from unidoku import kernel
from unidoku.arguments import one_of
from unidoku.counting import unique_solutions
from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.grid import Grid, PuzzleLike
from unidoku.native.text.columns import MISSING, TEXT
from unidoku.table.batch import Batch
from unidoku.table.column import CellValues, Column
from unidoku.table.forms import PuzzlesLike
from unidoku.table.puzzles import Puzzles
from unidoku.threads import Cancel, call_to_end, cancel_of, map_parts, thread_count, within
from unidoku.verdict import ImproperPuzzleError, Verdict

if TYPE_CHECKING:
    from unidoku.table.puzzles import PuzzleResult

Form: TypeAlias = Literal["minlex", "solution"]

REASONS: dict[str, Reason] = {
    "minlex": Reason("no_solution", "no canonical form: two clues clash"),
    "solution": Reason("not_proper", "the form 'solution' needs a puzzle with exactly one solution"),
}
"""Why a puzzle has no form, by the name of the form."""

_START = array("q", [0])
_PART = 2048  # puzzles that a thread takes at a time
_FEW = 512  # puzzles whose forms are found within 50 milliseconds, even the slowest

FORMS = get_args(Form)
"""The names of the forms."""


def canonical(
    puzzle: PuzzleLike, *, form: Form = "minlex", cancel: Cancel | None = None, timeout: float | None = None
) -> Grid:
    """Find the canonical form of a puzzle or a full grid, which all its symmetric copies share.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    form : {'minlex', 'solution'}, optional
        ``minlex``: the smallest image.  ``solution``: the smallest of the images whose solution is in minlex
        form; faster for many puzzles, and for proper puzzles only.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Grid
        The same for every image of the puzzle.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    ImproperPuzzleError
        Two clues clash, or (``solution``) it has not exactly one solution.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `form` is not one of these.

    Examples
    --------
    >>> canonical("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").line
    '........1.....2.34156...27......8.......51..232974......16..9....34..7..28.91.45.'
    """
    cancel = within(cancel, timeout)
    one_of("form", form, FORMS)
    cells = Grid(puzzle).cells
    image, counts = bytearray(81), array("q", [0])
    native = kernel.isa_module(package="symmetry")
    options: dict[str, Any] = {"zero": 0, "automorphisms": counts, "numbers": None, "cancel": cancel}
    if form == "minlex":
        call_to_end(native.least_images, cells, _START, image, **options)
    else:
        solution = bytearray(81)
        verdict = call_to_end(kernel.search, cells, 2, cancel=cancel, grids=[solution])[0]
        grid = solution if verdict is Verdict.UNIQUE else bytes(81)
        call_to_end(native.least_through_solutions, cells, _START, grid, image, **options)
    if not counts[0]:
        raise ImproperPuzzleError(REASONS[form], call_to_end(kernel.search, cells, 2, cancel=cancel)[0])
    return Grid(bytes(image))


def forms_of(
    batch: Batch,
    form: Form,
    *,
    symmetries: bool = True,
    threads: int | None = 1,
    cancel: Cancel | None = None,
) -> tuple[dict[str, Column], dict[int, Reason]]:
    """Return the forms of a batch, as columns of `canonical_many`, and why puzzles have none.

    It computes nothing with arrays.  If `cancel` ends the work, it is an error.
    """
    n, flag = len(batch), cancel_of(cancel)
    images = memoryview(bytearray(81 * n))
    numbers, counts = (memoryview(bytearray(8 * n)).cast("q") for _ in range(2))
    native = kernel.isa_module(package="symmetry")

    def work(part: slice, stop: Cancel) -> None:
        piece = batch.part(part)
        out = images[81 * part.start : 81 * part.stop]
        options: dict[str, Any] = {"zero": batch.empty_code, "cancel": stop, "automorphisms": counts[part]}
        options["numbers"] = numbers[part] if symmetries else None
        if form == "minlex":
            call_to_end(native.least_images, piece.text, piece.starts, out, **options)
        else:
            grids = unique_solutions(piece, stop)
            call_to_end(native.least_through_solutions, piece.text, piece.starts, grids, out, **options)

    parts = [slice(begin, min(begin + _PART, n)) for begin in range(0, n, _PART)]
    map_parts(work, parts, thread_count(threads), flag, cancellable=n > _FEW)
    flag.raise_if_set()
    reasons = {k: REASONS[form] for k, count in enumerate(counts) if not count}
    states = None
    if reasons:
        states = bytes(TEXT if count else MISSING for count in counts)
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
    form: Form = "minlex",
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
    form : {'minlex', 'solution'}, optional
        As for `canonical`.
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
        A row is not a puzzle, two of its clues clash, or (``solution``) it is not a proper puzzle;
        its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `form` is not one of these.

    Examples
    --------
    >>> import unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rotated = unidoku.transform(puzzle, unidoku.Transformation.rotation(90))
    >>> forms = canonical_many([puzzle, rotated]).puzzle
    >>> forms.shape, (forms[0] == forms[1]).all().item()
    ((2, 81), True)
    """
    cancel = within(cancel, timeout)
    one_of("form", form, FORMS)
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    columns, reasons = forms_of(inputs.batch, form, symmetries=symmetries, threads=threads, cancel=cancel)
    if reasons and errors == "raise":
        raise InvalidPuzzleError(reasons[min(reasons)], index=min(reasons))
    return inputs.result(columns, reasons)  # type: ignore[return-value]
