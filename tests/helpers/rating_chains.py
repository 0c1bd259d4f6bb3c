"""Techniques 21 and 23 to 25 of the plain model of se121: chains.

A node says that a candidate is on or off; its parents are the nodes that imply it together.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from rating_board import PEER_SETS, PEERS, Board, Step, houses_of

X, Y, XY = 2, 3, 4  # kinds of unary chains, as they are sorted
DOUBLE, CELL, REGION, CONTRADICTION = 1, 5, 6, 7


class Node:
    def __init__(self, cell: int, digit: int, on: bool, parents: list[Node] | None = None) -> None:
        self.cell, self.digit, self.on = cell, digit, on
        self.parents = parents or []

    @property
    def candidate(self) -> tuple[int, int]:
        return self.cell, self.digit


def ancestors(node: Node) -> set[tuple[int, int, bool]]:
    """The node and all that it follows from."""
    seen = set()
    pending = [node]
    while pending:
        node = pending.pop()
        key = (node.cell, node.digit, node.on)
        if key not in seen:
            seen.add(key)
            pending += node.parents
    return seen


def rated(base: float, complexity: int) -> float:
    """The rating of a chain: 0.1 more for every limit that its length exceeds, summed as doubles."""
    added, limit, even = 0.0, 4, True
    while complexity - 2 > limit:
        added += 0.1
        limit = limit * 3 // 2 if even else limit * 4 // 3
        even = not even
    return base + added


def weak_links(board: Board, cell: int, digit: int, in_cell: bool) -> Iterator[tuple[int, int]]:
    """What is off when a candidate is on."""
    if in_cell:
        yield from ((cell, other) for other in sorted(board.candidates[cell]) if other != digit)
    yield from ((peer, digit) for peer in PEERS[cell] if digit in board.candidates[peer])


def strong_links(
    board: Board, cell: int, digit: int, in_cell: bool, in_house: bool
) -> Iterator[tuple[tuple[int, int], list[int] | None]]:
    """What is on when a candidate is off, each once, and the house of the link (none: the cell)."""
    seen = set()
    if in_cell and len(board.candidates[cell]) == 2:
        (other,) = board.candidates[cell] - {digit}
        seen.add((cell, other))
        yield (cell, other), None
    for house in houses_of(cell) if in_house else ():
        places = board.places(house, digit)
        if len(places) == 2:
            (place,) = set(places) - {cell}
            if (place, digit) not in seen:
                seen.add((place, digit))
                yield (place, digit), house


# --- 21: cycles and forcing chains in one direction


def layers(board: Board, start: Node, kind: int) -> Iterator[tuple[int, Node]]:
    """Nodes reached from the start, breadth first, with their distance."""
    is_on = {start.candidate} if start.on else set()
    layer, length = [start], 0
    while layer:
        following = []
        length += 1
        for node in layer:
            if node.on:
                for candidate in weak_links(board, *node.candidate, kind != X):
                    if not has_ancestor(node, candidate):
                        following.append(Node(*candidate, False, [node]))
                        yield length, following[-1]
            else:
                for candidate, _ in strong_links(board, *node.candidate, kind != X, kind != Y):
                    reached = Node(*candidate, True, [node])
                    if candidate not in is_on:
                        is_on.add(candidate)
                        following.append(reached)
                        yield length, reached
                    elif start.on and candidate == start.candidate:
                        yield length, reached
        layer = following


def has_ancestor(node: Node, candidate: tuple[int, int]) -> bool:
    """Whether the candidate is off among the ancestors of a node in one direction."""
    while True:
        if not node.on and node.candidate == candidate:
            return True
        if not node.parents:
            return False
        (node,) = node.parents


def unary_starts(board: Board) -> Iterator[tuple[int, int]]:
    for cell in range(81):
        if len(board.candidates[cell]) > 1:
            for digit in sorted(board.candidates[cell]):
                yield cell, digit


def cycles(board: Board, start: tuple[int, int], kind: int) -> Iterator[Step]:
    for length, node in layers(board, Node(*start, True), kind):
        if node.on and node.candidate == start and length >= 4:
            nodes = ancestors(node)
            cells = {cell for cell, _, _ in nodes}
            removed: dict[int, set[int]] = {}
            for cell, digit, on in nodes:
                for other, digit2, on2 in nodes:
                    if on and not on2 and digit == digit2:
                        for gone in (PEER_SETS[cell] & PEER_SETS[other]) - cells:
                            if digit in board.candidates[gone]:
                                removed.setdefault(gone, set()).add(digit)
            if removed:
                name = {X: "X-cycle", Y: "Y-cycle", XY: "XY-cycle"}[kind]
                rating = rated(7.0 if kind == XY else 6.5, length)
                yield Step(21, name, rating, removed=removed, complexity=length, kind=kind)


def forcing(board: Board, start: tuple[int, int], kind: int, on: bool) -> Iterator[Step]:
    """The start is on (off) and turns itself off (on): the first arrival."""
    for length, node in layers(board, Node(*start, on), kind):
        if node.on != on and node.candidate == start:
            base, name = (6.6, "forcing X-chain") if kind == X else (7.0, "forcing chain")
            place, removed = (None, {start[0]: {start[1]}}) if on else (start, {})
            yield Step(21, name, rated(base, length + 1), place, removed, length + 1, kind)
            return


def in_order(steps: list[Step]) -> list[Step]:
    return sorted(steps, key=lambda step: (step.rating, step.complexity, step.kind))


def unary_chains(board: Board) -> list[Step]:
    """Technique 21."""
    steps = []
    for kind in (X, Y, XY):
        for start in unary_starts(board):
            if kind != Y or len(board.candidates[start[0]]) == 2:
                steps += cycles(board, start, kind)
            if kind != Y:
                steps += forcing(board, start, kind, True)
                steps += forcing(board, start, kind, False)
    return in_order(steps)


# --- 23 to 25: chains with several starts or several parents


class Run:
    """What one assumption implies, breadth first; it stops at the first contradiction."""

    def __init__(self, board: Board, start: tuple[int, int], on: bool, dynamic: bool, nishio: bool) -> None:
        self.first = board
        self.board = deepcopy(board) if dynamic else board
        self.dynamic, self.in_cell = dynamic, not nishio
        self.on: dict[tuple[int, int], Node] = {}
        self.off: dict[tuple[int, int], Node] = {}
        self.contradiction: tuple[Node, Node] | None = None  # on, off
        self.pending_on: list[Node] = []
        self.pending_off: list[Node] = []
        self.meet(Node(*start, on))
        while not self.contradiction and (self.pending_on or self.pending_off):
            if self.pending_on:
                self.follow_on(self.pending_on.pop(0))
            else:
                self.follow_off(self.pending_off.pop(0))

    def meet(self, node: Node) -> None:
        same, opposite = (self.on, self.off) if node.on else (self.off, self.on)
        if self.contradiction:
            return
        if node.candidate in opposite:
            ends = (node, opposite[node.candidate])
            self.contradiction = ends if node.on else ends[::-1]
        elif node.candidate not in same:
            same[node.candidate] = node
            (self.pending_on if node.on else self.pending_off).append(node)

    def follow_on(self, node: Node) -> None:
        for candidate in list(weak_links(self.board, *node.candidate, self.in_cell)):
            self.meet(Node(*candidate, False, [node]))

    def follow_off(self, node: Node) -> None:
        links = list(strong_links(self.board, *node.candidate, self.in_cell, True))
        if self.dynamic:
            self.board.candidates[node.cell].discard(node.digit)
        for candidate, house in links:
            if house is None:
                gone = [(node.cell, digit) for digit in self.first.candidates[node.cell]]
            else:
                gone = [(cell, node.digit) for cell in self.first.places(house, node.digit)]
            removed = [
                self.off[c] for c in gone if c != node.candidate and c[1] not in self.board.candidates[c[0]]
            ]
            self.meet(Node(*candidate, True, [node, *removed]))


class Search:
    """All steps of one of the techniques 23 to 25."""

    def __init__(self, board: Board, producer: int) -> None:
        self.board, self.producer = board, producer
        self.nishio, self.dynamic = producer == 23, producer in (23, 25)
        self.base = {23: 7.5, 24: 8.0, 25: 8.5}[producer]
        self.runs: dict[tuple[tuple[int, int], bool], Run] = {}
        self.steps: list[Step] = []
        for cell in range(81):
            if len(board.candidates[cell]) > (1 if self.dynamic else 2):
                for digit in sorted(board.candidates[cell]):
                    self.look_from(cell, digit)
                if not self.nishio:
                    self.reduce(CELL, [(cell, digit) for digit in sorted(board.candidates[cell])])

    def run(self, start: tuple[int, int], on: bool) -> Run:
        if (start, on) not in self.runs:
            self.runs[start, on] = Run(self.board, start, on, self.dynamic, self.nishio)
        return self.runs[start, on]

    def add(self, kind: int, candidate: tuple[int, int], on: bool, complexity: int) -> None:
        cell, digit = candidate
        name = {23: "Nishio", 24: "multiple forcing chains", 25: "dynamic forcing chains"}[self.producer]
        place, removed = (candidate, {}) if on else (None, {cell: {digit}})
        self.steps.append(
            Step(self.producer, name, rated(self.base, complexity), place, removed, complexity, kind)
        )

    def look_from(self, cell: int, digit: int) -> None:
        start = cell, digit
        on, off = self.run(start, True), self.run(start, False)
        if self.dynamic:
            for run, conclusion in ((on, False), (off, True)):
                if run.contradiction:
                    self.add(
                        CONTRADICTION, start, conclusion, sum(len(ancestors(n)) for n in run.contradiction)
                    )
        if self.nishio:
            return
        if self.dynamic and len(self.board.candidates[cell]) > 2:
            self.intersect(DOUBLE, [on, off])
        for house in houses_of(cell):
            places = self.board.places(house, digit)
            if len(places) > 1 and places[0] == cell:
                self.reduce(REGION, [(place, digit) for place in places])

    def reduce(self, kind: int, starts: list[tuple[int, int]]) -> None:
        self.intersect(kind, [self.run(start, True) for start in starts])

    def intersect(self, kind: int, runs: list[Run]) -> None:
        """What all runs conclude, in the order in which the first concludes it; "on" first."""
        for on in (True, False):
            reached = [run.on if on else run.off for run in runs]
            for candidate in reached[0]:
                if all(candidate in nodes for nodes in reached):
                    complexity = sum(len(ancestors(nodes[candidate])) for nodes in reached)
                    self.add(kind, candidate, on, complexity)


def nishio_chains(board: Board) -> list[Step]:
    return in_order(Search(board, 23).steps)


def multiple_chains(board: Board) -> list[Step]:
    return in_order(Search(board, 24).steps)


def dynamic_chains(board: Board) -> list[Step]:
    return in_order(Search(board, 25).steps)
