"""Links that open a puzzle, a position or the steps of a record on a web site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from unidoku.arguments import SITES
from unidoku.cell import cell_name, cell_number
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid
from unidoku.links import CANDIDATE_SITES, site_link
from unidoku.method.record import Record
from unidoku.method.report import sentences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Literal, TypeAlias

    from unidoku.grid import PuzzleLike
    from unidoku.rating.path import Steps

    Site: TypeAlias = Literal["sudokuwiki", "sudoku.coach", "sudokuexchange", "fpuzzles", "sudokupad"]

_KINDS = {"convert", "extended", "subset", "preset"}


def link(
    puzzle: PuzzleLike,
    *,
    site: Site = "sudokuwiki",
    givens: PuzzleLike | None = None,
    candidates: Mapping[int, Collection[int]] | Mapping[str, Collection[int]] | None = None,
) -> str:
    """Return a link that opens a puzzle or a position on a web site.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `unidoku.Grid` accepts it.
    site : {"sudokuwiki", "sudoku.coach", "sudokuexchange", "fpuzzles", "sudokupad"}, optional
    givens : Grid, str, bytes or array of 81 integers, optional
        The clues, if `puzzle` has found digits too; by default all digits are clues.
    candidates : mapping of cell to digits, optional
        Candidates of empty cells; ``sudokuwiki``, ``fpuzzles`` and ``sudokupad`` show them.

    Returns
    -------
    str

    Raises
    ------
    InvalidPuzzleError
        `puzzle` or `givens` is not a puzzle, or a clue is not among the values.
    ValueError
        The site is unknown, or a cell is invalid.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> link(puzzle, site="sudoku.coach")[:46]
    'https://sudoku.coach/en/play/53007000060019500'
    """
    if site not in SITES:
        raise UnidokuError(f"invalid site {site!r}; choose from: {', '.join(SITES)}")
    cells = Grid(puzzle).cells
    clues = cells if givens is None else Grid(givens).cells
    for cell, clue in enumerate(clues):
        if clue not in {0, cells[cell]}:
            raise InvalidPuzzleError(f"{cell_name(cell)} holds {cells[cell]}, but its clue is {clue}")
    if not isinstance(candidates, Mapping | None):
        raise UnidokuError(f"candidates must be a mapping from cells to digits, not {candidates!r}")
    marks = None if candidates is None else {cell_number(cell): each for cell, each in candidates.items()}
    return site_link(cells, clues, site, marks)


def step_links(record: Steps | Record, *, site: Site = "sudokuwiki") -> Iterator[tuple[str, str]]:
    """Yield a link to the position before each step, and the step's sentence.

    Parameters
    ----------
    record : Steps or Record
        Of `unidoku.steps`, or of the book's method.
    site : str
        One of `unidoku.links.CANDIDATE_SITES`; the other sites show no candidates.

    Raises
    ------
    ValueError
        The site shows no candidates.
    """
    if site not in CANDIDATE_SITES:
        raise UnidokuError(f"{site} shows no candidates; choose from {', '.join(CANDIDATE_SITES)}")
    positions: Iterator[tuple[Any, str]]
    if isinstance(record, Record):
        told = sentences(record, names="rc")  # one after the other: the state is that of the last one
        positions = ((each.state, each.text) for each in told if each.kind in _KINDS)
    else:
        positions = ((step.before, str(step)) for step in record)
    for position, text in positions:
        values, givens, marks = position.drawn_state()
        yield link(values, site=site, givens=givens, candidates=marks), text
