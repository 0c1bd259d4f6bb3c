"""Names of cycles and forcing chains, recognised from the links of a step and the candidates before it.

The definitions are those of players; only the values of a `Step` are used, so nothing of the engine.
"""

from __future__ import annotations

from itertools import pairwise

from step_checker import AROUND, BOXES, COLUMNS, HOUSES, ROWS, Candidate, Marks, places

from unidoku.cell import candidate_of
from unidoku.rating._steps import Step

CYCLES = {"X-cycle", "Y-cycle", "XY-cycle"}
UNARY = CYCLES | {"forcing X-chain", "forcing chain"}


def marks_of(step: Step) -> Marks:
    """Return the candidates before a step; a filled cell has none."""
    marks: Marks = [set() for _ in range(81)]
    for cell, symbol in enumerate(step.before):
        if symbol == ".":
            marks[cell] = {int(digit) for digit in step.marks[9 * cell : 9 * cell + 9] if digit != "."}
    return marks


def conjugate_in(marks: Marks, one: Candidate, two: Candidate, houses: list[frozenset[int]]) -> bool:
    """Return whether the cells of two candidates of a digit are its only places in one of the houses."""
    return one[1] == two[1] and any(places(marks, house, one[1]) == {one[0], two[0]} for house in houses)


def walk_of(step: Step) -> list[tuple[Candidate, Candidate, str]]:
    """Return the links in their order, checked: weak and strong alternate, each begins where another ends."""
    links = [(candidate_of(a), candidate_of(b), kind) for a, b, kind in step.links]
    assert all(a[1] == b[0] and a[2] != b[2] for a, b in pairwise(links)), step
    return links


def links_hold(step: Step) -> bool:
    """Return whether each link of a step is weak or strong in the position."""
    marks = marks_of(step)
    for (a, x), (b, y), kind in walk_of(step):
        if kind == "strong" and not (
            (a == b and marks[a] == {x, y}) or conjugate_in(marks, (a, x), (b, y), HOUSES)
        ):
            return False
        sees = a != b and any(b in house for house in AROUND[a])
        if kind == "weak" and not ((a == b and x != y) or (sees and x == y)):
            return False
    return True


def name_of(step: Step) -> str:
    """Return the name of a cycle or forcing chain."""
    marks, links = marks_of(step), walk_of(step)
    is_cycle, is_x = step.technique in CYCLES, step.technique in {"X-cycle", "forcing X-chain"}
    strong = [(a, b) for a, b, kind in links if kind == "strong"]
    weak = [(a, b) for a, b, kind in links if kind == "weak"]
    inner = weak if is_cycle or step.placements else weak[1:-1]
    if is_x:
        if not is_cycle and not step.placements and len(strong) == 2 and strong[0][0] != strong[1][1]:
            return of_two(marks, strong, inner[0])
        if all(conjugate_in(marks, a, b, HOUSES) for a, b in inner):
            return "Simple Colors"
        return "X-Chain Loop" if is_cycle else "X-Chain"
    if all(a[0] == b[0] for a, b in strong):
        if len({digit for a, b, _ in links for _, digit in (a, b)}) == 2:
            return "Remote Pair"
        return "XY-Chain Loop" if is_cycle else "XY-Chain"
    if is_cycle:
        return "Continuous Nice Loop"
    if step.placements:
        return "AIC (Discontinuous Loop)"
    if len(strong) == 3:
        (end, a), (c, d), (b, other_end) = strong
        cells_differ = end[0] != other_end[0] and c[0] != d[0]
        if a[0] == end[0] and b[0] == other_end[0] and cells_differ:
            pair = {end[1], a[1]}
            if marks[a[0]] == marks[b[0]] == pair and end[1] == other_end[1] and c[1] == d[1] == a[1]:
                return "W-Wing"
    return "AIC"


def of_two(
    marks: Marks, strong: list[tuple[Candidate, Candidate]], joint: tuple[Candidate, Candidate]
) -> str:
    """Return the name of two conjugate pairs of a digit that are joined in a house."""
    in_rows = [conjugate_in(marks, a, b, ROWS) for a, b in strong]
    in_columns = [conjugate_in(marks, a, b, COLUMNS) for a, b in strong]
    ends = {joint[0][0], joint[1][0]}

    def joined(houses: list[frozenset[int]]) -> bool:
        return any(ends <= house for house in houses)

    if (all(in_rows) and joined(COLUMNS)) or (all(in_columns) and joined(ROWS)):
        return "Skyscraper"
    crossed = (in_rows[0] and in_columns[1]) or (in_columns[0] and in_rows[1])
    return "2-String Kite" if crossed and joined(BOXES) else "Turbot Fish"
