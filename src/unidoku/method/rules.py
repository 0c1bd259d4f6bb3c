"""The rules of the method and their order; ``unidoku.native.method`` executes them.

1. Expansion: every undetermined cell gets nine components.
2. Zeroing (theorem 1), valued cells in KH order: the cell's own other components, then those of its row, its
   column, its box.
3. Conversion: the first that theorem 4, theorem 2 or theorem 3 finds. Then 2 again, until nothing converts.
   Theorem 4 is looked for before each zeroing of step 2 too: the ninth cell of a unit takes its value, and
   its other components are 0 without a zeroing.
4. Extended zeroing in big units, our reading of the book's sections 3.1 and 3.2, of which only the titles
   were at hand: where all components of a digit left in a unit lie in another unit too, the rest of that
   other unit loses the digit. Then 2 again.
5. Subsets: naked and hidden pairs, triples, quads. Then 2 again.
6. Presets: the smallest component of the first cell with fewest components is assumed. A contradiction takes
   the preset back and zeroes it in the state before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unidoku.arguments import whole
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.method.record import CONTRADICTION, SOLVED, STUCK, Record
from unidoku.native.method import analysis
from unidoku.single import check
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.grid import PuzzleLike

#: Default limit of presets for one puzzle.
DEFAULT_PRESETS = 10_000
MAX_PRESETS = 2**63 - 1  # the native engine counts in 64 bits
_BUDGET = 20_000  # guesses that the kernel may use for the verdict
_KINDS = {"row": 0, "column": 1, "box": 2}


@dataclass(frozen=True)
class Order:
    """The order of work; all figures published for unidoku use the default.

    Parameters
    ----------
    theorems : tuple of int
        Theorems 2, 3 and 4 in the order in which they are tried. Where 4 is first, it is also tried before
        the zeroing by each value, which it makes unnecessary in the ninth cell (the book, 1.6.5).
    units : tuple of str
        ``row``, ``column`` and ``box`` in the order in which each rule visits them.
    sweep : bool
        After a conversion, continue the search at the same place and restart only at the end. Otherwise
        restart from the beginning after each conversion.
    extended, subsets : bool
        Whether to use the two rules beyond the theorems.
    """

    theorems: tuple[int, int, int] = (4, 2, 3)
    units: tuple[str, str, str] = ("row", "column", "box")
    sweep: bool = False
    extended: bool = True
    subsets: bool = True

    def __post_init__(self) -> None:
        if sorted(self.theorems) != [2, 3, 4]:
            raise ValueError(f"theorems must be 2, 3 and 4 in some order, not {self.theorems}")
        if sorted(self.units) != ["box", "column", "row"]:
            raise ValueError(f"units must be row, column and box in some order, not {self.units}")

    @property
    def native(self) -> tuple[bytes, bytes, bool, bool, bool]:
        """The order in the form of the native engine."""
        kinds = bytes(_KINDS[unit] for unit in self.units)
        return bytes(self.theorems), kinds, self.sweep, self.extended, self.subsets


def explain(
    puzzle: PuzzleLike,
    order: Order | None = None,
    *,
    presets: int = DEFAULT_PRESETS,
    verdict: Verdict | None = None,
) -> Record:
    """Solve a puzzle by the numerical-analysis method and keep a record of every step.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        As `Grid` accepts it.
    order : Order, optional
        The order of work and the rules in use.
    presets : int
        Limit of presets. None is made for a puzzle with several solutions: its record ends before the
        first preset.
    verdict : Verdict, optional
        The verdict of the puzzle, if the caller knows it. Default: computed when it is needed.

    Returns
    -------
    Record
        Every zeroing, conversion, preset and its outcome.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle, or two givens of a unit are equal; the message names the two cells and the
        unit.
    ValueError
        `presets` is not an integer, or negative, or too large.

    Notes
    -----
    Source: Jin Jianming, "九宫格数独游戏的数值分析解法" (2012): chapter 1 and what the text at hand has of
    2.1 and 2.2. The documentation of this module lists what unidoku adds.
    """
    whole("presets", presets, most=MAX_PRESETS)
    grid = Grid(puzzle)
    order = order or Order()
    for clash in grid.clashes():
        raise InvalidPuzzleError(
            f"cells {clash.first + 1} and {clash.second + 1} both hold {clash.digit} in {clash.house}"
        )
    outcome = analysis.trace(grid.cells, order.native)
    if outcome[0] != STUCK:
        verdict = Verdict.UNIQUE if outcome[0] == SOLVED else Verdict.NONE
    else:
        verdict = check(grid, budget=_BUDGET) if verdict is None else verdict
        if verdict is not Verdict.MULTIPLE and presets:
            outcome = analysis.trace(grid.cells, order.native, presets=presets)
        if verdict is Verdict.UNKNOWN:
            verdict = Verdict.NONE if outcome[0] == CONTRADICTION else check(grid)
    return Record(grid, order, verdict, outcome)
