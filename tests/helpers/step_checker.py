"""Proofs of the techniques within chains, on a board of plain sets.

A proof says whether a candidate is on, or off, by the reasoning of the technique from the candidates of the
81 cells alone (sets of digits 1 to 9, empty for filled cells): for intersections, pairs and X-wings a pattern
must exist; for chains the opposite must lead to a contradiction by the kind of links that the technique has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

import counting

Candidate = tuple[int, int]
Marks = list[set[int]]

DIGITS = frozenset(range(1, 10))
ROWS, COLUMNS, BOXES = (
    [frozenset(house) for house in kind] for kind in (counting.ROWS, counting.COLUMNS, counting.BOXES)
)
HOUSES = [*ROWS, *COLUMNS, *BOXES]
AROUND = [[house for house in HOUSES if cell in house] for cell in range(81)]
PEERS = counting.PEERS


def places(marks: Marks, house: Iterable[int], digit: int) -> frozenset[int]:
    return frozenset(cell for cell in house if digit in marks[cell])


# --- intersections, pairs, X-wings: a pattern must exist


def confinement(bases: list[frozenset[int]], covers: list[frozenset[int]]) -> Callable[..., bool]:
    """Prove a removal from a house that has all places of the digit in another house."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        return not on and any(
            cell in cover and cell not in base and (own := places(marks, base, digit)) and own <= cover
            for base in bases
            for cover in covers
        )

    return prove


def hidden_pair(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    for house in AROUND[cell]:
        for pair in combinations(DIGITS - {digit}, 2):
            a, b = (places(marks, house, value) for value in pair)
            if not on and a and b and cell in a | b and len(a | b) == 2:
                return True
    return False


def naked_pair(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    return not on and any(
        digit in marks[a] | marks[b] and len(marks[a] | marks[b]) == 2
        for house in AROUND[cell]
        for a, b in combinations([k for k in house if k != cell and marks[k]], 2)
    )


def x_wing(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    for bases, covers in ((ROWS, COLUMNS), (COLUMNS, ROWS)):
        lines = [base for base in bases if cell not in base and places(marks, base, digit)]
        for pair in combinations(lines, 2):
            crossings = {k for base in pair for k in range(9) if places(marks, base & covers[k], digit)}
            if not on and len(crossings) == 2 and any(cell in covers[k] for k in crossings):
                return True
    return False


# --- chains: the opposite of the conclusion is followed


def follow(marks: Marks, cell: int, digit: int, on: bool, *, cells: bool, houses: bool) -> tuple[set, set]:
    """Return the candidates that links turn on and off; strong links of cells, of houses, or both."""
    is_on: set[Candidate] = set()
    is_off: set[Candidate] = set()
    pending = [(cell, digit, on)]
    while pending:
        at, value, state = pending.pop()
        assertions = is_on if state else is_off
        if (at, value) in assertions:
            continue
        assertions.add((at, value))
        if state:
            pending += [(peer, value, False) for peer in PEERS[at] if value in marks[peer]]
            if cells:
                pending += [(at, rival, False) for rival in marks[at] - {value}]
            continue
        if cells and len(marks[at]) == 2:
            pending += [(at, rival, True) for rival in marks[at] - {value}]
        for house in AROUND[at] if houses else ():
            own = places(marks, house, value)
            if len(own) == 2:
                pending += [(place, value, True) for place in own - {at}]
    return is_on, is_off


def unary(*, cells: bool, houses: bool) -> Callable[..., bool]:
    """Prove by the opposite, which implies its own negation."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        is_on, is_off = follow(marks, cell, digit, not on, cells=cells, houses=houses)
        return (cell, digit) in (is_on if on else is_off)

    return prove


def multiple(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    """Prove by the opposite, which empties a cell or leaves a digit no place in a house."""
    _, is_off = follow(marks, cell, digit, not on, cells=True, houses=True)
    if any(own and all((k, value) in is_off for value in own) for k, own in enumerate(marks)):
        return True
    return any(
        (own := places(marks, house, value)) and all((k, value) in is_off for k in own)
        for house in HOUSES
        for value in DIGITS
    )


def apply_singles(marks: Marks, cell: int, digit: int, on: bool) -> Marks | None:
    """Apply singles after an assumption; return the candidates, None for a contradiction."""
    empty = [k for k in range(81) if marks[k]]
    needed = [(house, value) for house in HOUSES for value in DIGITS if places(marks, house, value)]
    marks = [set(own) for own in marks]
    if not on:
        marks[cell].discard(digit)
    pending = [(cell, digit)] if on else []
    fills: set[Candidate] = set()
    while True:
        for at, value in pending:
            if value not in marks[at]:
                return None
            fills.add((at, value))
            marks[at] = {value}
            for peer in PEERS[at]:
                marks[peer].discard(value)
        options = [(value, places(marks, house, value)) for house, value in needed]
        if not all(own for _, own in options) or not all(marks[k] for k in empty):
            return None
        pending = [(min(own), value) for value, own in options if len(own) == 1]
        pending += [(k, min(marks[k])) for k in empty if len(marks[k]) == 1]
        pending = [single for single in dict.fromkeys(pending) if single not in fills]
        if not pending:
            return marks


def dynamic(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    """Prove by singles, from the opposite or in all cases of a cell, a house or a candidate."""
    if apply_singles(marks, cell, digit, not on) is None:
        return True

    def proves(at: int, value: int, state: bool) -> bool:
        after = apply_singles(marks, at, value, state)
        return after is None or (after[cell] == {digit} if on else digit not in after[cell])

    good = {(k, value) for k, own in enumerate(marks) for value in own if proves(k, value, True)}
    return (
        any(own and all((k, value) in good for value in own) for k, own in enumerate(marks))
        or any(
            (own := places(marks, house, value)) and all((k, value) in good for k in own)
            for house in HOUSES
            for value in DIGITS
        )
        or any(proves(k, value, False) for k, value in good)
    )


PROOFS: dict[str, Callable[..., bool]] = {
    "pointing": confinement(BOXES, ROWS + COLUMNS),
    "claiming": confinement(ROWS + COLUMNS, BOXES),
    "naked pair": naked_pair,
    "X-wing": x_wing,
    "hidden pair": hidden_pair,
    # a removal by a cycle is a chain too: the candidate decides the cycle, which turns it off
    "X-cycle": unary(cells=False, houses=True),
    "Y-cycle": unary(cells=True, houses=False),
    "XY-cycle": unary(cells=True, houses=True),
    "forcing X-chain": unary(cells=False, houses=True),
    "forcing chain": unary(cells=True, houses=True),
    "multiple forcing chains": multiple,
    "dynamic forcing chains": dynamic,
}
