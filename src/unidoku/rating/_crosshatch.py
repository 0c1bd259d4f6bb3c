"""Why a single has one place or one digit left: the digits that exclude all other places or digits."""

from __future__ import annotations

from typing import NamedTuple

from unidoku.cell import HOUSES, HOUSES_OF
from unidoku.rating._deduction import Deduction

_BITS = [sum(1 << cell for cell in house) for house in HOUSES]  # of the cells of each house


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


def covering(masks: dict[int, int], wanted: int) -> dict[int, int]:
    """Return as few masks as cover all the wanted bits that any do, each with the bits that it adds.

    The next one adds the most; of several the first.
    """
    chosen = dict[int, int]()
    while wanted:
        best = most = 0
        for number, mask in masks.items():
            if (count := (mask & wanted).bit_count()) > most:
                best, most = number, count
        if not most:
            break
        chosen[best] = masks[best] & wanted
        wanted &= ~masks[best]
    return chosen


def exclusion_of(step: Deduction) -> Exclusion:
    """Return the reasons that exclude the digit of a hidden single."""
    ((cell, digit),), (house,) = step.placements, step.houses["house"]
    values = step.before.values
    place_in, at = dict[int, int](), values.find(digit)
    while at >= 0:
        row, column, box = HOUSES_OF[at]
        place_in[row] = place_in[column] = place_in[box] = at
        at = values.find(digit, at + 1)
    others = sum([1 << peer for peer in HOUSES[house] if not values[peer] and peer != cell])
    masks = {own: mask for own in sorted(place_in) if (mask := _BITS[own] & others)}
    chosen = covering(masks, others)
    is_whole = sum(chosen.values()) == others
    return Exclusion({own: place_in[own] for own in chosen}, others.bit_count(), is_whole)


def digits_around(step: Deduction) -> dict[int, int]:
    """Return the houses that exclude the other digits of a naked single, each with a bit for each of them.

    Of several digits that exclude the same cells, those in the fewest houses are chosen. Candidates that an
    earlier step removed have none.
    """
    ((cell, digit),), values = step.placements, step.before.values
    masks = {house: sum({1 << values[at] for at in HOUSES[house]}) for house in HOUSES_OF[cell]}
    return covering(masks, 0b1_111_111_110 & ~(1 << digit))


def crosshatch(step: Deduction) -> tuple[set[int], set[int]]:
    """Return the cells of the houses that exclude, and among them the cells whose digits do."""
    if step.technique != "naked single":
        excluders_of = exclusion_of(step).excluders
        return set().union(*map(HOUSES.__getitem__, excluders_of)), {*excluders_of.values()}
    values, lines, excluders = step.before.values, set[int](), set[int]()
    for house, mask in digits_around(step).items():
        lines.update(HOUSES[house])
        excluders.update(at for at in HOUSES[house] if mask >> values[at] & 1)
    return lines, excluders
