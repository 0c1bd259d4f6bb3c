"""The symmetry of the pattern of clues: which turns and reflections of the board map it to itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unidoku._arguments import one_of


def _moved(place: Callable[[int, int], tuple[int, int]]) -> bytes:
    """Return the cell that comes to each cell, by its row and column from 0."""
    places = (place(*divmod(cell, 9)) for cell in range(81))
    return bytes(9 * row + column for row, column in places)


_HALF = _moved(lambda row, column: (8 - row, 8 - column))
_TURNS = _moved(lambda row, column: (8 - column, row)), _HALF, _moved(lambda row, column: (column, 8 - row))
_HORIZONTAL = _moved(lambda row, column: (8 - row, column))
_VERTICAL = _moved(lambda row, column: (row, 8 - column))
_DIAGONAL = _moved(lambda row, column: (column, row))
_ANTIDIAGONAL = _moved(lambda row, column: (8 - column, 8 - row))

SYMMETRIES: dict[str, tuple[bytes, ...]] = {
    "none": (),
    "180": (_HALF,),
    "90": _TURNS,
    "horizontal": (_HORIZONTAL,),
    "vertical": (_VERTICAL,),
    "diagonal": (_DIAGONAL,),
    "antidiagonal": (_ANTIDIAGONAL,),
    "full": (*_TURNS, _HORIZONTAL, _VERTICAL, _DIAGONAL, _ANTIDIAGONAL),
}
"""Symmetries of the clue pattern: none, half turn, quarter turn, four reflections, or all together."""

_AT_ONCE = (
    *("none", "180", "90", "horizontal", "vertical", "180+horizontal+vertical"),
    *("diagonal", "antidiagonal", "180+diagonal+antidiagonal", "full"),
)
GROUPS: dict[str, tuple[bytes, ...]] = {
    name: tuple(moved for part in name.split("+") for moved in SYMMETRIES[part]) for name in _AT_ONCE
}
"""All sets of symmetries that a pattern can have at once, each after its parts."""


def has_all(cells: bytes, moves: Iterable[bytes]) -> bool:
    """Return whether the clues of a puzzle, 81 values, stay where they are by some moves of the board."""
    pattern = bytes(map(bool, cells))
    return all(bytes(map(pattern.__getitem__, moved)) == pattern for moved in moves)


def clue_symmetry(cells: bytes) -> str:
    """Return the symmetry of the clues of a puzzle, 81 values, by its name in GROUPS."""
    return [name for name, moves in GROUPS.items() if has_all(cells, moves)][-1]


def names_with(word: str) -> tuple[str, ...]:
    """Return the names in GROUPS that a word of them means: a half turn is also part of a quarter turn."""
    moves = GROUPS[one_of("clue_symmetry", word.lower(), GROUPS)]
    return tuple(name for name in GROUPS if {*moves} <= {*GROUPS[name]}) if moves else ("none",)
