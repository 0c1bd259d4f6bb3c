"""Proofs of single steps on the scale se121, independent of how the steps were found.

A step is plain data: the candidates of the 81 cells before it (sets of digits 1 to 9, empty for filled
cells), the name of its technique, the placement as (cell, digit) or none, and the removed candidates as pairs
(cell, digit). ``faults`` lists what is wrong with it. Each conclusion must follow by the reasoning of the
technique from the candidates alone: for sets, fish and wings a pattern must exist; for chains the opposite
of the conclusion must lead to a contradiction by the kind of links that the technique has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product

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


def faults(
    before: Marks, solution: list[int], technique: str, place: Candidate | None, removed: Iterable[Candidate]
) -> list[str]:
    """What is wrong with a step: nothing if it is proved."""
    conclusions = [(cell, digit, False) for cell, digit in removed] + ([(*place, True)] if place else [])
    if not conclusions:
        return ["nothing follows from the step"]
    prove = PROOFS.get(technique)
    if prove is None:
        return [f"unknown technique {technique}"]
    found = []
    for cell, digit, on in conclusions:
        name = f"r{cell // 9 + 1}c{cell % 9 + 1} {'=' if on else '<>'} {digit}"
        if digit not in before[cell]:
            found.append(f"{name}: no candidate")
        elif (solution[cell] == digit) != on:
            found.append(f"{name}: against the solution")
        elif not prove(before, cell, digit, on):
            found.append(f"{name}: no {technique} shows it")
    return found


def places(marks: Marks, house: Iterable[int], digit: int) -> frozenset[int]:
    return frozenset(cell for cell in house if digit in marks[cell])


# --- singles, intersections, subsets, fish, wings: a pattern must exist


def hidden_single(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    return on and any(places(marks, house, digit) == {cell} for house in AROUND[cell])


def naked_single(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    return on and marks[cell] == {digit}


def confined(firsts: list[frozenset[int]], seconds: list[frozenset[int]]) -> Callable[..., bool]:
    """All places of a digit in a house lie in another house: it is removed from the rest of the other one."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        return not on and any(
            cell in second and cell not in first and (own := places(marks, first, digit)) and own <= second
            for first in firsts
            for second in seconds
        )

    return prove


pointing = confined(BOXES, ROWS + COLUMNS)
claiming = confined(ROWS + COLUMNS, BOXES)


def direct_intersection(rule: Callable[..., bool]) -> Callable[..., bool]:
    """The one place that an intersection leaves in a house."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        return on and any(
            all(other == cell or rule(marks, other, digit, False) for other in places(marks, house, digit))
            for house in AROUND[cell]
        )

    return prove


def hidden_sets(marks: Marks, house: Iterable[int], size: int) -> Iterator[tuple[set[int], frozenset[int]]]:
    for digits in combinations(DIGITS, size):
        own = [places(marks, house, digit) for digit in digits]
        union = frozenset().union(*own)
        if all(own) and len(union) == size:
            yield set(digits), union


def hidden_set(size: int) -> Callable[..., bool]:
    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        return not on and any(
            cell in union and digit not in digits
            for house in AROUND[cell]
            for digits, union in hidden_sets(marks, house, size)
        )

    return prove


def direct_hidden_set(size: int) -> Callable[..., bool]:
    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        return on and any(
            digit not in digits and places(marks, house, digit) - union == {cell}
            for house in AROUND[cell]
            for digits, union in hidden_sets(marks, house, size)
        )

    return prove


def naked_set(size: int) -> Callable[..., bool]:
    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        for house in AROUND[cell]:
            others = [other for other in house if other != cell and marks[other]]
            for cells in combinations(others, size):
                union = set().union(*(marks[other] for other in cells))
                if not on and digit in union and len(union) == size:
                    return True
        return False

    return prove


def fish(size: int) -> Callable[..., bool]:
    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        for bases, covers in ((ROWS, COLUMNS), (COLUMNS, ROWS)):
            lines = [base for base in bases if cell not in base and places(marks, base, digit)]
            for chosen in combinations(lines, size):
                used = {k for base in chosen for k in range(9) if places(marks, base & covers[k], digit)}
                if not on and len(used) == size and any(cell in covers[k] for k in used):
                    return True
        return False

    return prove


def wing(with_pivot: bool) -> Callable[..., bool]:
    """Two cells share the digit, and each has one of the other digits of a pivot that both see."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        near = [other for other in PEERS[cell] if len(marks[other]) == 2 and digit in marks[other]]
        return not on and any(
            len(rest := (marks[first] | marks[second]) - {digit}) == 2
            and marks[pivot] == (rest | {digit} if with_pivot else rest)
            and (not with_pivot or cell in PEERS[pivot])
            for first, second in combinations(near, 2)
            for pivot in PEERS[first] & PEERS[second]
        )

    return prove


# --- uniqueness: the opposite leads to cells whose two digits could be exchanged


def assumed(marks: Marks, cell: int, digit: int) -> Marks:
    """The candidates if the cell has the digit; nothing else follows yet."""
    after = [own - {digit} if k in PEERS[cell] else set(own) for k, own in enumerate(marks)]
    after[cell] = {digit}
    return after


def sets_of_one_house(marks: Marks) -> Iterator[Marks]:
    """The candidates, and for each house what all subsets of its cells leave of them."""
    yield marks
    for house in HOUSES:
        after = [set(own) for own in marks]
        cells = [cell for cell in house if marks[cell]]
        for size in range(1, len(cells)):
            for chosen in combinations(cells, size):
                union = set().union(*(after[cell] for cell in chosen))
                if len(union) <= size:
                    for cell in house.difference(chosen):
                        after[cell] -= union
        yield after


def exchangeable(before: Marks, after: Marks, pair: set[int]) -> bool:
    """Whether some cells have only the pair left, two in each of their houses."""
    cells = {cell for cell in range(81) if pair <= before[cell] and after[cell] <= pair}
    while alone := {cell for cell in cells for house in AROUND[cell] if len(cells & house) == 1}:
        cells -= alone
    return bool(cells)


def unique_loop(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    return not on and any(
        exchangeable(marks, after, set(pair))
        for after in sets_of_one_house(assumed(marks, cell, digit))
        for pair in combinations(DIGITS, 2)
    )


def bug_extras(marks: Marks) -> list[Candidate] | None:
    """The candidates beyond two in each cell and house; none if the other candidates are not a BUG."""
    rich = [cell for cell in range(81) if len(marks[cell]) > 2]
    if len(rich) > 8 or any(len(own) == 1 for own in marks):
        return None
    for kept in product(*(combinations(sorted(marks[cell]), 2) for cell in rich)):
        rest = [set(own) for own in marks]
        for cell, pair in zip(rich, kept, strict=True):
            rest[cell] = set(pair)
        if all(len(places(rest, house, digit)) in (0, 2) for house in HOUSES for digit in DIGITS):
            return [(cell, digit) for cell in rich for digit in marks[cell] - rest[cell]]
    return None


def bug(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    extras = bug_extras(marks)
    return (
        not on
        and extras is not None
        and any(
            all(other not in after[place] for place, other in extras)
            for after in sets_of_one_house(assumed(marks, cell, digit))
        )
    )


def aligned_exclusion(size: int) -> Callable[..., bool]:
    """Each combination of base cells with the digit repeats a digit in a house or empties a common peer."""

    def prove(marks: Marks, cell: int, digit: int, on: bool) -> bool:
        others = [other for other in range(81) if other != cell and marks[other]]
        for base in combinations(others, size - 1):
            common = frozenset.intersection(PEERS[cell], *(PEERS[other] for other in base))
            left = [marks[peer] for peer in common if 2 <= len(marks[peer]) <= size]
            if on or len(left) < 2:
                continue
            if all(
                impossible((cell, *base), (digit, *digits), left)
                for digits in product(*(marks[other] for other in base))
            ):
                return True
        return False

    return prove


def impossible(base: tuple[int, ...], digits: tuple[int, ...], left: list[set[int]]) -> bool:
    return any(own.issubset(digits) for own in left) or any(
        digits[i] == digits[j] and base[j] in PEERS[base[i]] for i, j in combinations(range(len(base)), 2)
    )


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


def closed(marks: Marks, cell: int, digit: int, on: bool, *, alone: bool = False) -> Marks | None:
    """The candidates that singles leave after an assumption, or none for a contradiction.

    ``alone``: only places of that digit are looked at, not the cells.
    """
    empty = [] if alone else [k for k in range(81) if marks[k]]
    needed = [
        (house, value)
        for house in HOUSES
        for value in ([digit] if alone else DIGITS)
        if places(marks, house, value)
    ]
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
            if not alone:
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


def nishio(marks: Marks, cell: int, digit: int, on: bool) -> bool:
    return closed(marks, cell, digit, not on, alone=True) is None


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
    "hidden single": hidden_single,
    "direct pointing": direct_intersection(pointing),
    "direct claiming": direct_intersection(claiming),
    "direct hidden pair": direct_hidden_set(2),
    "naked single": naked_single,
    "direct hidden triplet": direct_hidden_set(3),
    "pointing": pointing,
    "claiming": claiming,
    "naked pair": naked_set(2),
    "X-wing": fish(2),
    "hidden pair": hidden_set(2),
    "naked triplet": naked_set(3),
    "swordfish": fish(3),
    "hidden triplet": hidden_set(3),
    "XY-wing": wing(False),
    "XYZ-wing": wing(True),
    "unique rectangle": unique_loop,
    "unique loop": unique_loop,
    "naked quad": naked_set(4),
    "jellyfish": fish(4),
    "hidden quad": hidden_set(4),
    "BUG": bug,
    "aligned pair exclusion": aligned_exclusion(2),
    "aligned triplet exclusion": aligned_exclusion(3),
    # a removal by a cycle is a chain too: the candidate decides the cycle, which turns it off
    "X-cycle": unary(cells=False, houses=True),
    "Y-cycle": unary(cells=True, houses=False),
    "XY-cycle": unary(cells=True, houses=True),
    "forcing X-chain": unary(cells=False, houses=True),
    "forcing chain": unary(cells=True, houses=True),
    "Nishio": nishio,
    "multiple forcing chains": multiple,
    "dynamic forcing chains": dynamic,
}
