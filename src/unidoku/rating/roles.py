"""The roles of cells and candidates in the steps that native code finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from unidoku.cell import HOUSES, HOUSES_OF, PEERS
from unidoku.rating.se121 import TECHNIQUES
from unidoku.rating.step import Assertion, Chain, Link, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unidoku.rating.position import Position

    Candidate = tuple[int, int]

_CHAIN_KINDS = ("", "double", "X", "Y", "XY", "cell", "house", "contradiction")
_FISH = {"X-wing", "swordfish", "jellyfish"}
_INNER = 5  # why a node of a chain is off: an inner technique, whose code is added


def step_of(position: Position, raw: tuple[Any, ...]) -> Step:
    """Return the step that native code found in a position."""
    code, tenths, kind, cell, digit, removed, *pattern, nodes = raw
    technique = TECHNIQUES[code]
    placed = ((cell, digit),) if cell >= 0 else ()
    gone = () if placed else tuple(removed)
    step = _Roles(position, technique, placed, gone)
    if nodes:
        kind_name = _CHAIN_KINDS[kind]
        step.chains(nodes, kind_name)
    else:
        kind_name = f"type {kind}" if kind else "last cell" if tenths == 10 else ""
        step.pattern(kind, tuple(pattern))
    return Step(
        technique,
        tenths / 10,
        kind_name,
        placed,
        gone,
        position,
        step.cells,
        step.candidates,
        step.houses,
        tuple(step.digits),
        tuple(step.found),
    )


class _Roles:
    """Finds the roles of cells and candidates of a step."""

    def __init__(
        self,
        position: Position,
        technique: str,
        placed: tuple[Candidate, ...],
        removed: tuple[Candidate, ...],
    ) -> None:
        self.position = position
        self.technique = technique
        self.placed = placed
        self.removed = removed
        self.cells: dict[str, tuple[int, ...]] = {}
        self.candidates: dict[str, tuple[Candidate, ...]] = {}
        self.houses: dict[str, tuple[int, ...]] = {}
        self.digits: Sequence[int] = ()
        self.found: list[Chain] = []

    def own(self, cells: Iterable[int], digits: Iterable[int] = range(1, 10)) -> tuple[Candidate, ...]:
        """Return those of the digits that are candidates of the cells."""
        wanted = set(digits)
        some = [(c, d) for c in cells for d in self.position.candidates(c) if d in wanted]
        return tuple(each for each in some if each not in self.removed)

    def pattern(self, kind: int, own: tuple[Any, ...]) -> None:
        """Set the roles of anything but chains: cells, other cells, digits, house and other house."""
        cells, others, digits, house, other = own
        technique = self.technique
        self.digits = digits
        if technique in _FISH:
            lines, across = (slice(0, 9), slice(9, 18)) if house == 0 else (slice(9, 18), slice(0, 9))
            for role, some in (("base", lines), ("cover", across)):
                first = some.start
                self.houses[role] = tuple(
                    first + k for k, each in enumerate(HOUSES[some]) if set(each) & set(cells)
                )
        elif house >= 0:
            self.houses["house"] = (house,)
        if other >= 0:
            self.houses["other"] = (other,)
        if technique in {"direct pointing", "direct claiming"}:
            kind = house // 9
            self.houses["single"] = (HOUSES_OF[self.placed[0][0]][kind],)
        if technique.endswith("-wing") and technique not in _FISH:
            self.wing(cells)
        elif technique.startswith("unique"):
            self.loop(cells, others)
        elif technique == "BUG":
            self.cells["extra"] = tuple(cells)
            self.candidates["extra"] = self.own(cells, digits)
            if kind == 4:
                both = set.intersection(*(set(self.position.candidates(cell)) for cell in cells))
                self.candidates["pattern"] = self.own(cells, both - set(digits))
            self.subset(others)
        elif technique.startswith("aligned"):
            self.exclusion(cells)
        else:
            self.cells["pattern"] = tuple(cells)
            self.candidates["pattern"] = self.own(cells, digits)

    def wing(self, cells: list[int]) -> None:
        """Set the roles of a wing: the pivot sees both others."""
        pivot = next(cell for cell in cells if self.is_pivot(cell, cells))
        wings = tuple(cell for cell in cells if cell != pivot)
        self.cells.update(pivot=(pivot,), wings=wings)
        self.candidates["pattern"] = self.own(cells, set(range(1, 10)) - set(self.digits))
        self.candidates["extra"] = self.own(cells, self.digits)

    def is_pivot(self, cell: int, cells: list[int]) -> bool:
        """Test whether a cell of a wing is the one that the two others are around."""
        if self.technique == "XYZ-wing":
            return len(self.position.candidates(cell)) == 3
        return self.digits[0] not in self.position.candidates(cell) and set(cells) - {cell} <= PEERS[cell]

    def loop(self, cells: list[int], others: list[int]) -> None:
        """Set the roles of a unique rectangle or loop; its cells come in their order around it."""
        pair = set(self.digits)
        more = [cell for cell in cells if set(self.position.candidates(cell)) != pair]
        self.cells["loop"] = tuple(_around(cells))
        self.cells["extra"] = tuple(more)
        self.candidates["pattern"] = self.own(cells, pair)
        self.candidates["extra"] = self.own(more, set(range(1, 10)) - pair)
        self.subset(others)

    def subset(self, others: list[int]) -> None:
        """Set the role of the cells that make a subset with the extra candidates."""
        if others:
            self.cells["subset"] = tuple(others)
            self.candidates["subset"] = self.own(others)

    def exclusion(self, base: list[int]) -> None:
        """Set the roles of an aligned exclusion: cells that all base cells see, with few candidates."""
        common = frozenset.intersection(*(PEERS[cell] for cell in base))
        few = [cell for cell in sorted(common) if 2 <= len(self.position.candidates(cell)) <= len(base)]
        united = {digit for cell in base for digit in self.position.candidates(cell)}
        useful = [cell for cell in few if set(self.position.candidates(cell)) <= united]
        self.cells.update(base=tuple(base), excluders=tuple(useful))
        self.candidates["pattern"] = self.own(base)
        self.candidates["extra"] = self.own(useful)

    def chains(self, nodes: list[tuple[int, int, int, list[int]]], kind: str) -> None:
        """Set the chains, and the roles of their candidates."""
        for number in dict.fromkeys(node[0] for node in nodes):
            reasons = {code: (why, parents) for chain, code, why, parents in nodes if chain == number}
            self.found.append(_chain(reasons))
        on: dict[Candidate, None] = {}
        off: dict[Candidate, None] = {}
        for chain in self.found:
            for each in (chain.start, chain.end):
                (on if each.on else off)[each[:2]] = None
            for link in chain.links:
                (on if link.holds.on else off)[link.start] = None
                (on if link.follows.on else off)[link.end] = None
        self.candidates.update(on=tuple(on), off=tuple(off))
        starts = tuple(dict.fromkeys(chain.start[:2] for chain in self.found))
        self.cells["start"] = tuple(dict.fromkeys(cell for cell, _ in starts))
        self.digits = tuple(sorted({digit for _, digit in starts}))
        if kind == "house":
            self.houses["house"] = (self.house_of(starts),)

    def house_of(self, places: Sequence[Candidate]) -> int:
        """Return the house whose places of a digit these are."""
        wanted = {cell for cell, _ in places}
        return next(
            house
            for house in HOUSES_OF[places[0][0]]
            if {cell for cell in HOUSES[house] if places[0][1] in self.position.candidates(cell)} == wanted
        )


def _around(cells: list[int]) -> list[int]:
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
