"""The book's marks: why a component became zero and how a cell got its value.

The book has ``I<k>``, ``J<m>``, ``G<n>`` (zeroed by the valued cell k, m, n of the same row, column, box),
``*`` (the cell itself got a value), ``⊙`` (theorem 2) and ``⊙I``, ``⊙J``, ``⊙G`` (theorem 3). unidoku adds
``④I``, ``④J``, ``④G`` (theorem 4), ``XI5``, ``XJ2``, ``XG4`` (extended rule, by the unit that confines the
digit), ``S`` (subset), ``P1`` (preset that opens level 1) and ``R1`` (component refuted when that preset is
retracted). Every mark has an ASCII form.
"""

from __future__ import annotations

#: Letters of the three kinds of units: row, column, box.
LETTERS = "IJG"

_TO_ASCII = str.maketrans({"⊙": "@", "④": "#"})


def ascii_mark(mark: str) -> str:
    """Return the mark in ASCII: ``⊙`` becomes ``@``, ``④`` becomes ``#``."""
    return mark.translate(_TO_ASCII)


def mark_of(kind: str, rule: str, unit: int, cause: int, level: int) -> str:
    """Return the mark of an event."""
    letter = LETTERS[(unit - 1) // 9] if unit else ""
    match kind, rule:
        case "zero", "own":
            return "*"
        case "zero", "theorem1":
            return f"{letter}{cause}"
        case "zero", "extended":
            return f"X{letter}{(unit - 1) % 9 + 1}"
        case "zero", "subset":
            return "S"
        case "convert", "theorem4":
            return f"④{letter}"
        case "convert", _:
            return f"⊙{letter}"
        case "preset", _:
            return f"P{level}"
        case "retract", _:
            return f"R{level}"
    return ""
