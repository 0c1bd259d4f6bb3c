"""Paths for arrows between small digits of a board, around all other digits.

The lines between the places of small digits are free of digits. An arrow goes straight if nothing is in its
way, otherwise along these lines, with as few bends as the digits allow. Between digits next to each
other there is no room: their arrow is beside both.
"""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from math import dist, inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Point = tuple[float, float]

RADIUS = 5.5
"""The distance from a small digit at which arrows begin and end."""

_SHORT = 14.0  # candidates nearer than this are next to each other: an arrow between them would be too short
_BESIDE = 5.2  # between the centers of such candidates and the arrow beside them
_AGAIN = 1.5  # factor on the length of a line that already has an arrow
_THICK = 1.5  # factor on the length of a thick line, on which an arrow is hard to see
_BEND = 1.4  # where the rounding of a bend begins
_HEAD = 4.0
_HALF_HEAD = 2.0


class Box(NamedTuple):
    """The box around a digit."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, start: Point, end: Point) -> bool:
        """Test whether a segment passes through the box."""
        (x, y), (x2, y2) = start, end
        if max(x, x2) <= self.left or min(x, x2) >= self.right:
            return False
        if max(y, y2) <= self.top or min(y, y2) >= self.bottom:
            return False
        first, last = 0.0, 1.0
        for at, move, low, high in ((x, x2 - x, self.left, self.right), (y, y2 - y, self.top, self.bottom)):
            if not move:
                continue
            near, far = sorted(((low - at) / move, (high - at) / move))
            first, last = max(first, near), min(last, far)
        return first < last


class Router:
    """Finds ways along the lines at `xs` and `ys` of one board, around the boxes, beside `thick` lines."""

    def __init__(
        self, xs: Sequence[float], ys: Sequence[float], boxes: Iterable[Box], thick: Iterable[float]
    ) -> None:
        self._xs, self._ys = sorted(xs), sorted(ys)
        self._thick = frozenset(thick)
        self._boxes = list(boxes)
        self._used: set[frozenset[Point]] = set()
        self._neighbours = cache(self._next_to)

    def way(self, start: Point, end: Point) -> list[Point]:
        """Return the corners of the way between the centers of two small digits, with both.

        If they are next to each other, the way is beside the centers.
        """
        boxes = [box for box in self._boxes if not _inside(start, box) and not _inside(end, box)]
        if dist(start, end) <= _SHORT:
            return self._beside(start, end, boxes)
        if self._fits(start, end, end, boxes):
            return [start, end]
        points = [start, *self._along(start, end), end]
        self._used.update(frozenset(pair) for pair in pairwise(points))
        way = [start]
        while way[-1] != end:
            k = points.index(way[-1]) + 1
            for later in range(len(points) - 1, k, -1):
                if self._fits(way[-1], points[later], end, boxes):
                    k = later
                    break
            way.append(points[k])
        return way

    def _beside(self, start: Point, end: Point, boxes: list[Box]) -> list[Point]:
        """Return a way beside two small digits, on a side that is free if there is one.

        It is longer than what is drawn, which begins and ends where it touches the circles around the digits.
        """
        length = dist(start, end)
        along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        more = RADIUS - sqrt(RADIUS**2 - _BESIDE**2)
        ways = [
            [
                (
                    x + side * _BESIDE * along[1] + more * sign * along[0],
                    y - side * _BESIDE * along[0] + more * sign * along[1],
                )
                for (x, y), sign in ((start, -1), (end, 1))
            ]
            for side in (1, -1)
        ]
        free = [way for way in ways if self._fits(way[0], way[1], way[1], boxes)]
        return (free or ways)[0]

    def _fits(self, one: Point, other: Point, end: Point, boxes: list[Box]) -> bool:
        """Test whether a part of a way is free, with the head if it is the last one."""
        if other == end:
            tip, left, right = _head([one, end])
            if not (self._free(tip, left, boxes) and self._free(tip, right, boxes)):
                return False
        return self._free(one, other, boxes)

    @staticmethod
    def _free(start: Point, end: Point, boxes: Iterable[Box]) -> bool:
        return not any(box.meets(start, end) for box in boxes)

    def _along(self, start: Point, end: Point) -> list[Point]:
        """Return the crossings of lines on the shortest way."""
        goals = set(self._around(end))
        best = {node: dist(start, self._point(node)) for node in self._around(start)}
        before: dict[tuple[int, int], tuple[int, int]] = {}
        queue = [(length + dist(self._point(node), end), node) for node, length in best.items()]
        queue.sort()
        while queue:
            _, node = heappop(queue)
            here = self._point(node)
            if node in goals:
                way = [here]
                while node in before:
                    node = before[node]
                    way.append(self._point(node))
                return way[::-1]
            for other in self._neighbours(node):
                there = self._point(other)
                length = dist(here, there)
                if frozenset((here, there)) in self._used:
                    length *= _AGAIN
                if any(a == b and a in self._thick for a, b in zip(here, there, strict=True)):
                    length *= _THICK
                length += best[node]
                if length < best.get(other, inf) - 1e-9:
                    best[other] = length
                    before[other] = node
                    heappush(queue, (length + dist(there, end), other))
        return []

    def _point(self, node: tuple[int, int]) -> Point:
        return self._xs[node[0]], self._ys[node[1]]

    def _around(self, center: Point) -> list[tuple[int, int]]:
        """Return the four crossings around the place of a digit."""
        i = max(k for k, x in enumerate(self._xs) if x < center[0])
        j = max(k for k, y in enumerate(self._ys) if y < center[1])
        return [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)]

    def _next_to(self, node: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the crossings next to one, also across places without a digit."""
        return [
            other
            for i in range(max(node[0] - 1, 0), min(node[0] + 2, len(self._xs)))
            for j in range(max(node[1] - 1, 0), min(node[1] + 2, len(self._ys)))
            if (other := (i, j)) != node and self._free(self._point(node), self._point(other), self._boxes)
        ]


def _inside(point: Point, box: Box) -> bool:
    return box.left < point[0] < box.right and box.top < point[1] < box.bottom


def _toward(start: Point, end: Point, length: float) -> Point:
    """Return the point at some length on the way from one point to another."""
    part = length / (dist(start, end) or 1)
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def line_of(way: Sequence[Point]) -> str:
    """Return the path of an arrow's line, shortened at both ends, with round bends."""
    points = [_toward(way[0], way[1], RADIUS), *way[1:-1], _toward(way[-1], way[-2], RADIUS + 1)]
    text = f"M{_text(points[0])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        near = _toward(corner, before, min(_BEND, dist(corner, before) / 2))
        far = _toward(corner, after, min(_BEND, dist(corner, after) / 2))
        text += f"L{_text(near)}Q{_text(corner)} {_text(far)}"
    return f"{text}L{_text(points[-1])}"


def head_of(way: Sequence[Point]) -> str:
    """Return the path of an arrow's head."""
    return f"M{'L'.join(map(_text, _head(way)))}Z"


def _head(way: Sequence[Point]) -> tuple[Point, Point, Point]:
    """Return the tip of an arrow and the two other corners of its head."""
    tip = _toward(way[-1], way[-2], RADIUS)
    back = _toward(tip, way[-2], _HEAD)
    x, y = (tip[1] - back[1]) / _HEAD * _HALF_HEAD, (back[0] - tip[0]) / _HEAD * _HALF_HEAD
    return tip, (back[0] + x, back[1] + y), (back[0] - x, back[1] - y)


def _text(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
