"""The roles of cells and candidates in the steps that native code finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from unidoku.cell import HOUSES, HOUSES_OF, PEERS
from unidoku.rating.se121 import TECHNIQUES
from unidoku.rating.step import Assertion, Chain, Link, Step
from unidoku.rating.techniques import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unidoku.rating.position import Position

    Candidate = tuple[int, int]

_CHAIN_KINDS = ("", "double", "X", "Y", "XY", "cell", "house", "contradiction")
_INNER = 5  # why a node of a chain is off: an inner technique, whose code is added


def step_of(position: Position, raw: tuple[Any, ...]) -> Step:
    """Return the step that native code found in a position."""
    code, tenths, kind, cell, digit, removed, cells, others, digits, house, other, nodes = raw
    placed = ((cell, digit),) if cell >= 0 else ()
    chains = tuple(_chains(nodes))
    if chains:
        name = _CHAIN_KINDS[kind]
        digits = sorted({chain.start.digit for chain in chains})
    else:
        name = f"type {kind}" if kind else "last cell" if tenths == 10 else ""
    step = Step(
        TECHNIQUES[code],
        tenths / 10,
        name,
        placed,
        () if placed else tuple(removed),
        position,
        digits=tuple(digits),
        chains=chains,
    )
    if chains:
        _set_roles_of_chains(step)
    else:
        _set_houses(step, cells, house, other)
        _set_roles(step, tuple(cells), others)
    return step


def _own(step: Step, cells: Iterable[int], digits: Iterable[int] = range(1, 10)) -> tuple[Candidate, ...]:
    """Return those of the digits that are candidates of the cells and are not removed."""
    wanted = set(digits)
    some = [(cell, digit) for cell in cells for digit in step.before.candidates(cell) if digit in wanted]
    return tuple(each for each in some if each not in step.eliminations)


def _set_houses(step: Step, cells: list[int], house: int, other: int) -> None:
    family = FAMILIES[step.technique]
    if family == "fish":
        rows, columns = range(9), range(9, 18)
        base, cover = (rows, columns) if house == 0 else (columns, rows)
        for role, lines in (("base", base), ("cover", cover)):
            step.houses[role] = tuple(line for line in lines if set(HOUSES[line]) & set(cells))
    elif house >= 0:
        step.houses["house"] = (house,)
    if other >= 0:
        step.houses["other"] = (other,)
    if family == "direct intersection":
        step.houses["single"] = (HOUSES_OF[step.placements[0][0]][house // 9],)


def _set_roles(step: Step, cells: tuple[int, ...], others: list[int]) -> None:
    """Set the roles of the cells, of the other cells and of their candidates, for anything but chains."""
    candidates, family = step.before.candidates, FAMILIES[step.technique]
    if family in {"XY-wing", "XYZ-wing"}:
        pivot = next(cell for cell in cells if _is_pivot(step, cell, cells))
        step.cells.update(pivot=(pivot,), wings=tuple(cell for cell in cells if cell != pivot))
        step.candidates["pattern"] = _own(step, cells, set(range(1, 10)) - set(step.digits))
        step.candidates["extra"] = _own(step, cells, step.digits)
    elif family == "loop":
        pair = set(step.digits)
        more = tuple(cell for cell in cells if set(candidates(cell)) != pair)
        step.cells.update(loop=tuple(_around(cells)), extra=more)
        step.candidates["pattern"] = _own(step, cells, pair)
        step.candidates["extra"] = _own(step, more, set(range(1, 10)) - pair)
    elif family == "BUG":
        step.cells["extra"] = cells
        step.candidates["extra"] = _own(step, cells, step.digits)
        if step.kind == "type 4":
            both = set.intersection(*(set(candidates(cell)) for cell in cells))
            step.candidates["pattern"] = _own(step, cells, both - set(step.digits))
    elif family == "exclusion":
        # cells that all base cells see, with few candidates, all of them candidates of the base
        common = frozenset.intersection(*(PEERS[cell] for cell in cells))
        few = [cell for cell in sorted(common) if 2 <= len(candidates(cell)) <= len(cells)]
        united = {digit for cell in cells for digit in candidates(cell)}
        useful = tuple(cell for cell in few if set(candidates(cell)) <= united)
        step.cells.update(base=cells, excluders=useful)
        step.candidates["pattern"] = _own(step, cells)
        step.candidates["extra"] = _own(step, useful)
    else:
        step.cells["pattern"] = cells
        step.candidates["pattern"] = _own(step, cells, step.digits)
    if others:  # they make a subset with the extra candidates
        step.cells["subset"] = tuple(others)
        step.candidates["subset"] = _own(step, others)


def _is_pivot(step: Step, cell: int, cells: tuple[int, ...]) -> bool:
    """Test whether a cell of a wing is the one that the two others are around."""
    if step.technique == "XYZ-wing":
        return len(step.before.candidates(cell)) == 3
    return step.digits[0] not in step.before.candidates(cell) and set(cells) - {cell} <= PEERS[cell]


def _set_roles_of_chains(step: Step) -> None:
    on: dict[Candidate, None] = {}
    off: dict[Candidate, None] = {}
    for chain in step.chains:
        links = (end for link in chain.links for end in (link.holds, link.follows))
        for each in (chain.start, chain.end, *links):
            (on if each.on else off)[each[:2]] = None
    step.candidates.update(on=tuple(on), off=tuple(off))
    step.cells["start"] = tuple(dict.fromkeys(chain.start.cell for chain in step.chains))
    if step.kind == "house":  # that whose places of the digit are the starts
        (digit,), places = step.digits, set(step.cells["start"])
        step.houses["house"] = (
            next(
                house
                for house in HOUSES_OF[step.cells["start"][0]]
                if {cell for cell in HOUSES[house] if digit in step.before.candidates(cell)} == places
            ),
        )


def _around(cells: tuple[int, ...]) -> list[int]:
    """Return the cells of a loop in their order around it, from the first."""
    path = [cells[0]]

    def extend() -> bool:
        if len(path) == len(cells):
            return bool(set(HOUSES_OF[path[0]]) & set(HOUSES_OF[path[-1]]))
        for cell in cells:
            if cell not in path and cell in PEERS[path[-1]]:
                path.append(cell)
                if extend():
                    return True
                path.pop()
        return False

    extend()
    return path


def _chains(nodes: list[tuple[int, int, int, list[int]]]) -> Iterator[Chain]:
    """Yield the chains of nodes: number of the chain, code of the node, why it holds, its parents."""
    for number in dict.fromkeys(node[0] for node in nodes):
        yield _chain({code: (why, parents) for chain, code, why, parents in nodes if chain == number})


def _chain(reasons: dict[int, tuple[int, list[int]]]) -> Chain:
    """Return a chain of nodes, of which the first is the end."""
    end = next(iter(reasons))
    order: list[int] = []
    seen = {end}
    stack: list[tuple[int, Iterator[int]]] = [(end, iter(reasons[end][1]))]
    while stack:
        node, parents = stack[-1]
        for parent in parents:
            if parent not in seen:
                seen.add(parent)
                stack.append((parent, iter(reasons[parent][1])))
                break
        else:
            stack.pop()
            order.append(node)
    links = []
    start = end
    for node in order:
        why, given = reasons[node]
        if not given:
            start = node
        kind: Literal["weak", "strong", "inner"] = "strong" if node & 1 else "weak"
        technique = ""
        if why >= _INNER:
            kind, technique = "inner", TECHNIQUES[why - _INNER]
        links += [Link(_candidate(parent), _candidate(node), kind, technique) for parent in given]
    return Chain(_assertion(start), _assertion(end), tuple(links))


def _candidate(node: int) -> Candidate:
    """Return the candidate of a node."""
    return node // 18, node // 2 % 9 + 1


def _assertion(node: int) -> Assertion:
    """Return what a node says."""
    return Assertion(*_candidate(node), bool(node & 1))
