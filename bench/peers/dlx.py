"""Exact cover by dancing links, in plain Python, as many write it.

Donald Knuth, Dancing Links, arXiv:cs/0011047, describes the method; the program is our own.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvers import Solver, one_by_one

NEEDS = 324  # each cell has a digit; each row, column and box has each digit


class Links:
    """The 729 choices of a digit for a cell, as a matrix of linked nodes; nodes 1 to 324 head the columns."""

    def __init__(self) -> None:
        self.left, self.right = [NEEDS, *range(NEEDS)], [*range(1, NEEDS + 1), 0]
        self.up, self.down, self.head = [*range(NEEDS + 1)], [*range(NEEDS + 1)], [*range(NEEDS + 1)]
        self.size, self.choice = [0] * (NEEDS + 1), [0] * (NEEDS + 1)
        for choice in range(729):
            row, column, digit = choice // 81, choice // 9 % 9, choice % 9
            houses = row, 9 + column, 18 + 3 * (row // 3) + column // 3
            self.add_row(choice, [1 + choice // 9, *(82 + 9 * house + digit for house in houses)])

    def add_row(self, choice: int, heads: list[int]) -> None:
        first = len(self.head)
        for k, head in enumerate(heads):
            node = first + k
            self.left.append(first + (k - 1) % 4)
            self.right.append(first + (k + 1) % 4)
            self.up.append(self.up[head])
            self.down.append(head)
            self.down[self.up[head]] = self.up[head] = node
            self.head.append(head)
            self.choice.append(choice)
            self.size[head] += 1

    def cover(self, head: int) -> None:
        left, right, up, down = self.left, self.right, self.up, self.down
        right[left[head]], left[right[head]] = right[head], left[head]
        row = down[head]
        while row != head:
            node = right[row]
            while node != row:
                down[up[node]], up[down[node]] = down[node], up[node]
                self.size[self.head[node]] -= 1
                node = right[node]
            row = down[row]

    def uncover(self, head: int) -> None:
        left, right, up, down = self.left, self.right, self.up, self.down
        row = up[head]
        while row != head:
            node = left[row]
            while node != row:
                self.size[self.head[node]] += 1
                down[up[node]] = up[down[node]] = node
                node = left[node]
            row = up[row]
        right[left[head]] = left[right[head]] = head

    def search(self, digits: list[str]) -> Iterator[str]:
        if not self.right[0]:
            yield "".join(digits)
            return
        best = head = self.right[0]
        while head:
            best, head = (head if self.size[head] < self.size[best] else best), self.right[head]
        self.cover(best)
        row = self.down[best]
        while row != best:
            digits[self.choice[row] // 9] = str(self.choice[row] % 9 + 1)
            node = self.right[row]
            while node != row:
                self.cover(self.head[node])
                node = self.right[node]
            yield from self.search(digits)
            node = self.left[row]
            while node != row:
                self.uncover(self.head[node])
                node = self.left[node]
            row = self.down[row]
        self.uncover(best)


def solutions(line: str) -> Iterator[str]:
    """Yield the solutions, one after the other."""
    links, digits = Links(), list(line)
    covered: set[int] = set()
    for cell, clue in enumerate(line):
        if clue != ".":
            node = NEEDS + 1 + 4 * (9 * cell + int(clue) - 1)
            heads = links.head[node : node + 4]
            if covered.intersection(heads):
                return  # two clues clash
            covered.update(heads)
            for head in heads:
                links.cover(head)
    yield from links.search(digits)


def load() -> Solver:
    def tell(line: str, limit: int) -> int:
        return sum(1 for _ in zip(range(limit), solutions(line), strict=False))

    return Solver("DLX", one_by_one(lambda line: next(solutions(line), ""), tell))
