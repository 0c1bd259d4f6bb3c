"""The rules and the order in which they work; the work itself is done by ``unidoku.native.method``.

1. Expansion: every undetermined cell gets nine components.
2. Zeroing (theorem 1), valued cells in KH order: the cell's own other components, then those of its row, its
   column, its box.
3. Conversion: theorem 4, theorem 3, theorem 2, the first that is found. Then 2 again, until nothing converts.
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
from unidoku.method.record import Record
from unidoku.native.method import analysis as native
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.grid import PuzzleLike

__all__ = ["DEFAULT_PRESETS", "Order", "explain"]

#: Presets after which a run gives up.
DEFAULT_PRESETS = 10_000
_SOLVED, _STUCK, _CONTRADICTION = range(3)
MAX_PRESETS = 2**63 - 1  # the native engine counts in 64 bits
_BUDGET = 20_000  # guesses of the kernel before presets are asked
_KINDS = {"row": 0, "column": 1, "box": 2}


@dataclass(frozen=True)
class Order:
    """The order of work; the default is the one every figure of unidoku is given for.

    Parameters
    ----------
    theorems : tuple of int
        Theorems 2, 3 and 4 as they are looked for.
    units : tuple of str
        ``row``, ``column`` and ``box`` as they are gone through within a rule.
    early : bool
        Look for theorem 4 after each conversion, before that conversion is zeroed out; this is what the
        book says of theorem 4, that it can save the zeroing.
    sweep : bool
        After a conversion go on from where it was found, and begin again only at the end; otherwise begin
        again at once.
    extended, subsets : bool
        Switch the rules beyond the theorems.
    """

    theorems: tuple[int, int, int] = (4, 3, 2)
    units: tuple[str, str, str] = ("row", "column", "box")
    early: bool = False
    sweep: bool = False
    extended: bool = True
    subsets: bool = True

    def __post_init__(self) -> None:
        if sorted(self.theorems) != [2, 3, 4]:
            raise ValueError(f"theorems must be 2, 3 and 4 in some order, not {self.theorems}")
        if sorted(self.units) != ["box", "column", "row"]:
            raise ValueError(f"units must be row, column and box in some order, not {self.units}")

    @property
    def codes(self) -> tuple[bytes, bytes]:
        """Theorems and kinds of units as the native engine takes them."""
        return bytes(self.theorems), bytes(_KINDS[unit] for unit in self.units)


def explain(
    puzzle: PuzzleLike,
    order: Order | None = None,
    *,
    presets: int = DEFAULT_PRESETS,
    verdict: Verdict | None = None,
) -> Record:
    """Work a puzzle by the numerical-analysis method and keep the record.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        As `Grid` takes it.
    order : Order, optional
        The order of work and the rules in use.
    presets : int
        How many presets may be made. None is made for a puzzle with several solutions: its record ends
        where presets would begin.
    verdict : Verdict, optional
        The puzzle's verdict where the caller knows it; found out when it is needed otherwise.

    Returns
    -------
    Record
        Every zeroing, conversion, preset and its outcome.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle, or two givens of a unit are equal; the message names the two cells and the unit.
    ValueError
        `presets` is not an integer, or negative, or too large.

    Notes
    -----
    Source: Jin Jianming, "九宫格数独游戏的数值分析解法" (2012), chapters 1 and 2; the rest is ours, as the
    documentation of this module says.
    """
    whole("presets", presets, most=MAX_PRESETS)
    grid = Grid(puzzle)
    order = order or Order()
    for clash in grid.clashes():
        raise InvalidPuzzleError(
            f"cells {clash.first + 1} and {clash.second + 1} both hold {clash.digit} in {clash.house}"
        )
    theorems, kinds = order.codes

    def work(allowed: int) -> tuple[int, bytes, bytes, dict[str, int]]:
        return native.trace(
            grid.cells,
            theorems=theorems,
            kinds=kinds,
            early=order.early,
            sweep=order.sweep,
            extended=order.extended,
            subsets=order.subsets,
            presets=allowed,
        )

    outcome = work(0)
    if outcome[0] != _STUCK:
        verdict = Verdict.UNIQUE if outcome[0] == _SOLVED else Verdict.NONE
    else:
        verdict = verdict_of(grid) if verdict is None else verdict
        if verdict is not Verdict.MULTIPLE and presets:
            outcome = work(presets)
        if verdict is Verdict.UNKNOWN:
            verdict = Verdict.NONE if outcome[0] == _CONTRADICTION else verdict_of(grid, budget=0)
    return Record(grid, order, verdict, outcome)


def verdict_of(grid: Grid, budget: int = _BUDGET) -> Verdict:
    """How many solutions a puzzle has, by the kernel; UNKNOWN where the budget was used up."""
    from unidoku import kernel

    counts, verdicts = memoryview(bytearray(8)).cast("Q"), bytearray(1)
    starts = memoryview(bytearray(8)).cast("q")
    kernel.solve_cells(grid.cells, starts, zero=0, limit=2, budget=budget, counts=counts, verdicts=verdicts)
    return Verdict(verdicts[0])
