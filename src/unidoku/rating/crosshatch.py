"""Why a single has one place or one digit left: the digits that exclude all other places or digits."""

from __future__ import annotations

from typing import NamedTuple

from unidoku.cell import HOUSES, HOUSES_OF
from unidoku.rating.deduction import Deduction


class Exclusion(NamedTuple):
    """The reason that the other empty cells of the house of a hidden single exclude the digit.

    Attributes
    ----------
    excluders : dict of int to int
        The houses that have the digit, and its cell in each; as few as exclude all cells that any do.
    others : int
        How many other cells are empty.
    is_whole : bool
        Whether these houses exclude all of them: an earlier step removed the digit from no other cell.
    """

    excluders: dict[int, int]
    others: int
    is_whole: bool


def exclusion_of(step: Deduction) -> Exclusion:
    """Return the reasons that exclude the digit of a hidden single."""
    ((cell, digit),), (house,) = step.placements, step.houses["house"]
    values = step.before.values
    place_in = dict[int, int]()  # by house: where the digit is
    place = values.find(digit)
    while place >= 0:
        row, column, box = HOUSES_OF[place]
        place_in[row] = place_in[column] = place_in[box] = place
        place = values.find(digit, place + 1)
    found, bit = dict[int, int](), 1  # by house: a bit for each cell that it excludes
    for peer in HOUSES[house]:
        if values[peer] or peer == cell:
            continue
        for other_house in HOUSES_OF[peer]:
            if other_house in place_in:
                found[other_house] = found.get(other_house, 0) | bit
        bit <<= 1
    excluders, open_cells = dict[int, int](), bit - 1
    chosen = _most_excluding(found, open_cells)
    while chosen is not None:
        excluders[chosen] = place_in[chosen]
        open_cells &= ~found[chosen]
        chosen = _most_excluding(found, open_cells)
    return Exclusion(excluders, bit.bit_length() - 1, not open_cells)


def _most_excluding(found: dict[int, int], open_cells: int) -> int | None:
    """Return the house that excludes the most of some cells, the first of several; None if none does."""
    best, most = 27, 0
    for house, mask in found.items():
        count = (mask & open_cells).bit_count()
        if count > most or (count == most and house < best):
            best, most = house, count
    return best if most else None


def crosshatch(step: Deduction) -> tuple[set[int], set[int]]:
    """Return the cells of the houses that exclude, and among them the cells whose digits do.

    Of several digits that exclude the same cells, those in the fewest houses are chosen. Candidates that an
    earlier step removed have none.
    """
    if step.technique != "naked single":
        excluders_of = exclusion_of(step).excluders
        return {at for house in excluders_of for at in HOUSES[house]}, {*excluders_of.values()}
    ((cell, _),), values = step.placements, step.before.values
    exclusions = {  # by house: each digit, and the cell that excludes it
        house: {values[peer]: peer for peer in HOUSES[house] if values[peer]} for house in HOUSES_OF[cell]
    }
    lines: set[int] = set()
    excluders: set[int] = set()
    excluded: set[int] = set()
    while True:  # the house comes next that excludes the most of what no house before it does
        house = max(exclusions, key=lambda house: len(exclusions[house].keys() - excluded))
        targets = exclusions[house].keys() - excluded
        if not targets:
            return lines, excluders
        lines.update(HOUSES[house])
        excluders.update(exclusions[house][target] for target in targets)
        excluded |= targets
