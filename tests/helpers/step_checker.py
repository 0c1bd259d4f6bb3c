"""The board of plain sets, and proofs of the techniques within chains, independent of how they were found.

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
PEERS = [frozenset().union(*AROUND[cell]) - {cell} for cell in range(81)]


def places(marks: Marks, house: Iterable[int], digit: int) -> frozenset[int]:
    return frozenset(cell for cell in house if digit in marks[cell])


# --- intersections, pairs, X-wings: a pattern must exist


def confined(firsts: list[frozenset[int]], seconds: list[frozenset[int]]) -> Callable[..., bool]:
    """All places of a digit in a house lie in another house: it is removed from the rest of the other one."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        return not on and any(
            cell in second and cell not in first and (own := places(marks, first, digit)) and own <= second
            for first in firsts
            for second in seconds
        )

    return prove


def hidden_pair(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    for house in AROUND[cell]:
        for pair in combinations(DIGITS - {digit}, 2):
            first, second = (places(marks, house, each) for each in pair)
            if not on and first and second and cell in first | second and len(first | second) == 2:
                return True
    return False


def naked_pair(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    return not on and any(
        digit in marks[first] | marks[second] and len(marks[first] | marks[second]) == 2
        for house in AROUND[cell]
        for first, second in combinations([k for k in house if k != cell and marks[k]], 2)
    )


def x_wing(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    for bases, covers in ((ROWS, COLUMNS), (COLUMNS, ROWS)):
        lines = [base for base in bases if cell not in base and places(marks, base, digit)]
        for chosen in combinations(lines, 2):
            used = {k for base in chosen for k in range(9) if places(marks, base & covers[k], digit)}
            if not on and len(used) == 2 and any(cell in covers[k] for k in used):
                return True
    return False


# --- chains: the opposite of the conclusion is followed


def follow(marks: Marks, cell: int, digit: int, on: bool, *, cells: bool, houses: bool) -> tuple[set, set]:
    """The candidates that links make on and off; strong links are those of cells, of houses, or both."""
    is_on: set[Candidate] = set()
    is_off: set[Candidate] = set()
    pending = [(cell, digit, on)]
    while pending:
        at, value, state = pending.pop()
        known = is_on if state else is_off
        if (at, value) in known:
            continue
        known.add((at, value))
        if state:
            pending += [(peer, value, False) for peer in PEERS[at] if value in marks[peer]]
            if cells:
                pending += [(at, other, False) for other in marks[at] - {value}]
            continue
        if cells and len(marks[at]) == 2:
            pending += [(at, other, True) for other in marks[at] - {value}]
        for house in AROUND[at] if houses else ():
            own = places(marks, house, value)
            if len(own) == 2:
                pending += [(other, value, True) for other in own - {at}]
    return is_on, is_off


def unary(*, cells: bool, houses: bool) -> Callable[..., bool]:
    """The opposite turns itself over."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        is_on, is_off = follow(marks, cell, digit, not on, cells=cells, houses=houses)
        return (cell, digit) in (is_on if on else is_off)

    return prove


def multiple(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    """The opposite leaves a cell without candidates or a house without places of a digit."""
    _, is_off = follow(marks, cell, digit, not on, cells=True, houses=True)
    if any(own and all((k, value) in is_off for value in own) for k, own in enumerate(marks)):
        return True
    return any(
        (own := places(marks, house, value)) and all((k, value) in is_off for k in own)
        for house in HOUSES
        for value in DIGITS
    )


def closed(marks: Marks, cell: int, digit: int, on: bool) -> Marks | None:
    """The candidates that singles leave after an assumption, or none for a contradiction."""
    empty = [k for k in range(81) if marks[k]]
    needed = [(house, value) for house in HOUSES for value in DIGITS if places(marks, house, value)]
    marks = [set(own) for own in marks]
    if not on:
        marks[cell].discard(digit)
    pending = [(cell, digit)] if on else []
    done: set[Candidate] = set()
    while True:
        for at, value in pending:
            if value not in marks[at]:
                return None
            done.add((at, value))
            marks[at] = {value}
            for peer in PEERS[at]:
                marks[peer].discard(value)
        left = [(value, places(marks, house, value)) for house, value in needed]
        if not all(own for _, own in left) or not all(marks[k] for k in empty):
            return None
        pending = [(min(own), value) for value, own in left if len(own) == 1]
        pending += [(k, min(marks[k])) for k in empty if len(marks[k]) == 1]
        pending = [single for single in dict.fromkeys(pending) if single not in done]
        if not pending:
            return marks


def dynamic(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    """Singles refute the opposite, or show the conclusion in all cases of a cell, a house or a candidate."""
    if closed(marks, cell, digit, not on) is None:
        return True

    def shown(at: int, value: int, state: bool) -> bool:
        after = closed(marks, at, value, state)
        return after is None or (after[cell] == {digit} if on else digit not in after[cell])

    good = {(k, value) for k, own in enumerate(marks) for value in own if shown(k, value, True)}
    return (
        any(own and all((k, value) in good for value in own) for k, own in enumerate(marks))
        or any(
            (own := places(marks, house, value)) and all((k, value) in good for k in own)
            for house in HOUSES
            for value in DIGITS
        )
        or any(shown(k, value, False) for k, value in good)
    )


PROOFS: dict[str, Callable[..., bool]] = {
    "pointing": confined(BOXES, ROWS + COLUMNS),
    "claiming": confined(ROWS + COLUMNS, BOXES),
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
