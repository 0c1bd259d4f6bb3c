"""Bent arrows between the small digits of a board."""

from __future__ import annotations

from math import dist

Point = tuple[float, float]

RADIUS = 5.5
"""The distance from a small digit at which arrows begin and end."""

_BEND = 8.0  # from the middle between two digits to the point towards which an arrow leaves the first one
_HEAD = 4.0
_HALF_HEAD = 2.0


def arrow(start: Point, end: Point) -> tuple[str, str]:
    """Return the paths of the line and the head of an arrow between the centers of two small digits.

    The arrow is to the left of its direction, so that one there and one back are apart.
    """
    length = dist(start, end)
    across = (end[1] - start[1]) / length * _BEND, (start[0] - end[0]) / length * _BEND
    middle = (start[0] + end[0]) / 2 + across[0], (start[1] + end[1]) / 2 + across[1]
    tip, back = _toward(end, middle, RADIUS), _toward(end, middle, RADIUS + _HEAD)
    x, y = (tip[1] - back[1]) / _HEAD * _HALF_HEAD, (back[0] - tip[0]) / _HEAD * _HALF_HEAD
    first, last = _toward(start, middle, RADIUS), _toward(end, middle, RADIUS + 1)
    line = f"M{_text(first)}Q{_text(middle)} {_text(last)}"
    corners = tip, (back[0] + x, back[1] + y), (back[0] - x, back[1] - y)
    return line, f"M{'L'.join(map(_text, corners))}Z"


def _toward(start: Point, end: Point, length: float) -> Point:
    """Return the point at some length on the way from one point to another."""
    part = length / dist(start, end)
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _text(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
