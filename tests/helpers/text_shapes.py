"""Texts with a board by shapes: what stands before, between and behind cells; and damages of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from text_table import ROWS, Row


class Shape(NamedTuple):
    """How the nine lines of a board are written."""

    label: str  # {k} counts from 1, {letter} from A
    gap: str
    box_gap: str
    end: str
    empty: str

    @property
    def blank(self) -> bool:
        """Whether an empty cell is a blank."""
        return self.empty == " "

    def draw(self, cells: str) -> str:
        """Draw 81 cells with ``.`` for each empty one."""
        lines = [
            self.label.format(k=k + 1, letter="ABCDEFGHI"[k])
            + self.box_gap.join(self.gap.join(row[begin : begin + 3]) for begin in (0, 3, 6))
            + self.end
            for k, row in enumerate(rows_of(cells.replace(".", self.empty)))
        ]
        return "\n".join(lines)


def rows_of(cells: str) -> list[str]:
    """Return the nine rows of 81 cells."""
    return [cells[9 * k : 9 * k + 9] for k in range(9)]


LABELS = (
    "",
    "    ",
    "Row {k}: ",
    "row {k} ",
    "R{k}: ",
    "{letter} ",
    "{letter}: ",
    "{k}. ",
    "{k}) ",
    "[{k}] ",
    "第{k}行: ",
    "**Row {k}:** ",
    "- ",
    "> ",
    "{k} | ",
)
GAPS = (("", ""), (" ", " "), (" ", "  "), (",", ","), (", ", ", "), ("\t", "\t"), (" | ", " | "), ("", " "))
ENDS = ("", " ", ",", ";", "<br>", "\\", " ✓")
EMPTY = (".", "0", "_", "*", "-", "x", "?")
FORMS = [
    row
    for row in ROWS
    if (row.kind, row.meaning) == ("puzzle", "A") and "\n" in row.text and "{S" not in row.notation
]
"""Texts of the table with other boards."""
SHAPES = (
    *(
        Shape(label, gap, box_gap, end, empty)
        for label, (gap, box_gap), end, empty in product(LABELS, GAPS, ENDS, EMPTY)
        if label.strip() != empty  # a bullet that is also the sign of empty cells
    ),
    *FORMS * 50,
)
"""Shapes that are read; many copies of those of the table, so that a sample has both."""

AROUND = (
    ("", ""),
    ("Can you solve this?\n\n", "\n\nThanks!"),
    ("```\n", "\n```"),
    ("Solution:\n\n", "\n\nEach row has every digit once."),
    ("<pre>\n", "\n</pre>"),
)


def damages(text: str, pick: random.Random) -> dict[str, str]:
    """Return a text with each kind of damage in a random place; the same text where there is none."""
    lines = text.split("\n")
    number, cut, end = pick.randrange(len(lines)), pick.randint(1, 3), pick.randrange(len(text))
    before, line, after = lines[:number], lines[number], lines[number + 1 :]
    following = after[0] if after else ""
    places = {
        "digit": [k for k, sign in enumerate(text) if sign in "123456789"],
        "sign": [k for k, sign in enumerate(text) if sign in EMPTY],
        "gap": [k for k, sign in enumerate(text) if not sign.isalnum() and sign not in EMPTY],
    }
    found = {}
    for name, all_places in places.items():
        place = pick.choice(all_places or places["digit"])
        found |= {
            f"{name} lost": text[:place] + text[place + 1 :],
            f"{name} doubled": text[:place] + text[place] + text[place:],
            f"{name} another": text[:place] + pick.choice("OlSBae#~" + "".join(EMPTY)) + text[place + 1 :],
        }
    changed = {
        "line lost": [*before, *after],
        "line doubled": [*before, line, line, *after],
        "line cut": [*before, line[:-cut], *after],
        "ends cut": [one[:-cut] for one in lines],
        "lines joined": [*before, line + following, *after[1:]],
        "end moved": [*before, line[:-1], line[-1:] + following, *after[1:]],
        "a line of one cell": [*before, pick.choice("123456789."), line, *after],
        "wrapped": [text[:end], text[end:]],
        "cut": [text[: (len(text) + end) // 2]],
    }
    return found | {name: "\n".join(rows) for name, rows in changed.items()}


DAMAGES = tuple(damages("1", random.Random(1)))


def samples(count: int, seed: int) -> Iterator[tuple[Shape | Row, tuple[str, str], random.Random]]:
    """Yield shapes, what stands around their boards, and a generator."""
    pick = random.Random(seed)
    for _ in range(count):
        yield pick.choice(SHAPES), pick.choice(AROUND), pick
