"""Counting solutions by exact cover (Knuth's Algorithm X over dicts of sets): slow, and not our kernel."""

from __future__ import annotations


def _constraints(cell: int, digit: int) -> tuple[tuple[str, int, int], ...]:
    row, column = divmod(cell, 9)
    box = row // 3 * 3 + column // 3
    return ("cell", cell, 0), ("row", row, digit), ("column", column, digit), ("box", box, digit)


_CHOICES = {(cell, digit): _constraints(cell, digit) for cell in range(81) for digit in range(1, 10)}


def count_solutions(line: str, limit: int = 2) -> int:
    """The number of solutions of 81 characters ('1'..'9', anything else empty), counted up to ``limit``."""
    open_: dict[tuple[str, int, int], set[tuple[int, int]]] = {}
    for choice, constraints in _CHOICES.items():
        for constraint in constraints:
            open_.setdefault(constraint, set()).add(choice)
    for cell, symbol in enumerate(line):
        if symbol in "123456789":
            if any(constraint not in open_ for constraint in _CHOICES[cell, int(symbol)]):
                return 0
            _cover(open_, (cell, int(symbol)))
    return _count(open_, limit)


def _cover(open_, choice):
    removed = []
    for constraint in _CHOICES[choice]:
        for other in open_[constraint]:
            for touched in _CHOICES[other]:
                if touched != constraint and touched in open_:
                    open_[touched].discard(other)
        removed.append(open_.pop(constraint))
    return removed


def _uncover(open_, choice, removed):
    for constraint in reversed(_CHOICES[choice]):
        open_[constraint] = removed.pop()
        for other in open_[constraint]:
            for touched in _CHOICES[other]:
                if touched != constraint and touched in open_:
                    open_[touched].add(other)


def _count(open_, limit):
    if not open_:
        return 1
    best = min(open_, key=lambda constraint: len(open_[constraint]))
    found = 0
    for choice in sorted(open_[best]):
        removed = _cover(open_, choice)
        found += _count(open_, limit - found)
        _uncover(open_, choice, removed)
        if found >= limit:
            break
    return found
