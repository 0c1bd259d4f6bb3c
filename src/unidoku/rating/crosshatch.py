"""What leaves one place or one digit for a single: the digits that exclude the others."""

from __future__ import annotations

from unidoku.cell import HOUSES, HOUSES_OF
from unidoku.rating.deduction import Deduction


def other_cells(step: Deduction) -> set[int]:
    """Return the other empty cells of the house of a hidden single."""
    ((cell, _),), (house,) = step.placements, step.houses["house"]
    return {at for at in HOUSES[house] if not step.before.values[at]} - {cell}


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
        places = (at for at, value in enumerate(values) if value == digit)
        place_in = {house: at for at in places for house in HOUSES_OF[at]}
        found: dict[int, dict[int, int]] = {}
        for peer in other_cells(step):
            for house in HOUSES_OF[peer]:
                if house in place_in:
                    found.setdefault(house, {})[peer] = place_in[house]
        exclusions = dict(sorted(found.items()))
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
