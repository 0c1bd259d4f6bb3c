"""Crosshatching of singles: digits and houses that exclude all other cells or digits."""

from __future__ import annotations

from unidoku.cell import HOUSES, HOUSES_OF
from unidoku.rating.deduction import Deduction


def crosshatch(step: Deduction) -> tuple[set[int], set[int]]:
    """Return the cells of the houses that exclude, and among them the cells whose digits do.

    Of several digits that exclude the same cells, those in the fewest houses are chosen. Candidates that an
    earlier step removed have none.
    """
    ((cell, digit),) = step.placements
    values = step.before.values
    exclusions: dict[int, dict[int, int]]  # by house: each cell or digit, and the cell that excludes it
    if step.technique == "naked single":
        exclusions = {
            house: {values[peer]: peer for peer in HOUSES[house] if values[peer]} for house in HOUSES_OF[cell]
        }
    else:
        (area,) = step.houses["house"]
        empty = {peer for peer in HOUSES[area] if not values[peer]} - {cell}
        exclusions = {
            house: dict.fromkeys(empty.intersection(cells), peer)
            for house, cells in enumerate(HOUSES)
            for peer in cells
            if values[peer] == digit
        }
    lines: set[int] = set()
    excluders: set[int] = set()
    excluded: set[int] = set()
    while exclusions:  # the house comes next that excludes the most of what no house before it does
        house = max(exclusions, key=lambda house: len(exclusions[house].keys() - excluded))
        targets = exclusions[house].keys() - excluded
        if not targets:
            break
        lines.update(HOUSES[house])
        excluders.update(exclusions[house][target] for target in targets)
        excluded |= targets
    return lines, excluders
