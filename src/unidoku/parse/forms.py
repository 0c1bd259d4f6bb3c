"""The forms of texts that were read before: where the 81 cells stand in a text of the same skeleton.

A skeleton is a text in which digits and empty cells are one sign.  What looks at values stays behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from operator import itemgetter
from typing import NamedTuple

_MOST = 512  # forms that are kept
_LONGEST = 4096  # characters of a text
_HEAD = "12345678"  # of a heading of columns, as which a row is looked at
_DOTS, _ZEROS = (str.maketrans(dict.fromkeys("123456789" + sign, "5")) for sign in ".0")
_ANY_VALUE = re.compile(r"[^\\<&{}*]*")  # other signs may mean something beside a digit alone


class _Form(NamedTuple):
    """What texts of one skeleton have in common."""

    cells: Callable[[str], tuple[str, ...]]
    labels: tuple[int, ...]
    """The places of digits that are no cells."""
    digits: str
    """These digits."""
    has_full: bool
    """Whether a full grid was read in it; others may stand beside the place of their puzzle."""


class Forms:
    """The forms that one use of texts has read; a full grid may stand in any if `has_full`."""

    def __init__(self, *, has_full: bool = False) -> None:
        self._forms = dict[str, _Form]()
        self._has_full = has_full
        for gap, end in product(("", " "), ("", "\n")):
            self.learn("\n".join([gap.join("5" * 9)] * 9) + end, "5" * 81)

    def cells_in(self, text: str) -> str | None:
        """Return the cells of a text whose form was read before; None if they have to be looked at."""
        form = self._forms.get(_skeleton_of(text)) if len(text) < _LONGEST else None
        if not form or (form.labels and "".join(text[place] for place in form.labels) != form.digits):
            return None
        cells = "".join(form.cells(text)).replace("0", ".")
        if "." not in cells and not (self._has_full or form.has_full):
            return None
        return None if _HEAD in cells else cells

    def learn(self, text: str, cells: str) -> None:
        """Keep where the 81 cells of a text stand that has no other board."""
        if len(text) >= _LONGEST or not _ANY_VALUE.fullmatch(text):
            return
        skeleton = _skeleton_of(text)
        signs = [place for place, sign in enumerate(skeleton) if sign == "5"]
        places = signs if len(signs) == 81 else _places_of(skeleton)
        if "".join([text[place] for place in places]).replace("0", ".") != cells:
            return
        labels = () if len(signs) == 81 else (*sorted({*signs} - {*places}),)
        digits = "".join(text[place] for place in labels)
        if len(self._forms) >= _MOST:
            self._forms.clear()
        self._forms[skeleton] = _Form(itemgetter(*places), labels, digits, "." not in cells)


def _skeleton_of(text: str) -> str:
    """Return a text with one sign for digits and empty cells, which are zeros if it has any."""
    return text.translate(_ZEROS if "0" in text else _DOTS)


def _places_of(skeleton: str) -> list[int]:
    """Return the last nine places of digits and empty cells on each line that has so many."""
    places, begin = list[int](), 0
    for line in skeleton.split("\n"):
        found = [place for place, sign in enumerate(line, begin) if sign == "5"]
        places += found[-9:] if len(found) > 8 else []
        begin += len(line) + 1
    return places
