"""The forms of texts that were read before: where the 81 cells stand in a text of the same skeleton.

A skeleton is a text in which digits and empty cells are one sign.  What looks at values stays behind it, and
which sign the empty cells have: an ``x`` may be a word's or a mark's.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from unidoku.parse.board import Board

_MOST = 512  # forms that are kept
_LONGEST = 4096  # characters of a text
_HEAD = "12345678"  # of a heading of columns, as which a row is looked at
_DIGITS = b"123456789"
_MASKS = {sign: bytes.maketrans(_DIGITS + sign.encode(), b"5" * 10) for sign in ".0_xX?-"}
_DOTS = {sign: bytes.maketrans(sign.encode(), b".") for sign in _MASKS}
_OTHERS = {sign: bytes({*range(256)} - {*_DIGITS, ord(sign)}) for sign in _MASKS}
_MEANT = frozenset("\\<&{}*")  # signs that may mean something beside a digit alone


class _Form(NamedTuple):
    """What texts of one skeleton have in common."""

    labels: list[int]
    """The places of digits that are no cells."""
    digits: bytes
    """These digits."""
    places: Callable[[bytes], tuple[int, ...]]
    """The signs at those of the cells, where there are labels."""
    line: int
    """The number of the line with the first cell, from 0."""
    has_full: bool
    """Whether a full grid was read in it; others may stand beside the place of their puzzle."""

    def cells_of(self, data: bytes, sign: str) -> str:
        """Return the cells of a text of this form; nothing if its labels are others."""
        if not self.labels:
            return data.translate(_DOTS[sign], _OTHERS[sign]).decode()
        if bytes([data[place] for place in self.labels]) != self.digits:
            return ""
        return bytes(self.places(data)).translate(_DOTS[sign]).decode()


class Forms:
    """The forms that one use of texts has read; a full grid may stand in any if `has_full`."""

    def __init__(self, *, has_full: bool = False) -> None:
        self._forms = dict[tuple[str, bytes], _Form]()
        self._has_full = has_full
        for first, gap, end in product("50", ("", " "), ("", "\n")):
            cells = first + "5" * 80
            lines = [gap.join(cells[k : k + 9]) for k in range(0, 81, 9)]
            self.learn("\n".join(lines) + end, cells.replace("0", "."))

    def board_in(self, text: str) -> Board | None:
        """Return the board of a text whose form was read before; None if it has to be looked at."""
        if len(text) >= _LONGEST:
            return None
        data, sign = text.encode("utf-8", "surrogatepass"), _sign_in(text)
        form = self._forms.get((sign, data.translate(_MASKS[sign])))
        cells = form.cells_of(data, sign) if form else ""
        if form is None or not cells or _HEAD in cells:
            return None
        if "." not in cells and not (self._has_full or form.has_full):
            return None
        return Board(cells, form.line, form.line + 9)

    def learn(self, text: str, cells: str, line: int = 0) -> None:
        """Keep where the 81 cells of a text stand that has no other board, which begins on this line."""
        if len(text) >= _LONGEST or not _MEANT.isdisjoint(text):
            return
        data, sign = text.encode("utf-8", "surrogatepass"), _sign_in(text)
        skeleton = data.translate(_MASKS[sign])
        labels, places = list[int](), [*range(81)]
        if data.translate(_DOTS[sign], _OTHERS[sign]) != cells.encode():
            labels, places = _places_of(data.translate(_DOTS[sign]), skeleton, cells.encode())
        if len(places) != 81:
            return
        digits = bytes([data[place] for place in labels])
        if len(self._forms) >= _MOST:
            self._forms.clear()
        self._forms[sign, skeleton] = _Form(labels, digits, itemgetter(*places), line, "." not in cells)


def _sign_in(text: str) -> str:
    """Return the sign of the empty cells of a text, if it has cells of one sign alone."""
    if "0" in text:
        return "0"
    return "." if "." in text else next((sign for sign in _MASKS if sign in text), ".")


def _places_of(data: bytes, skeleton: bytes, cells: bytes) -> tuple[list[int], list[int]]:
    """Return the places of other signs, and of cells: the last nine of each line that has those of a row."""
    labels, places, begin = list[int](), list[int](), 0
    for line in skeleton.split(b"\n"):
        found = [place for place, sign in enumerate(line, begin) if sign == ord("5")]
        row = bytes([data[place] for place in found[-9:]])
        first = len(found) - 9 if row == cells[len(places) : len(places) + 9] else len(found)
        labels += found[:first]
        places += found[first:]
        begin += len(line) + 1
    return labels, places
