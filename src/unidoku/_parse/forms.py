"""Where the 81 cells of a text are: a form is judged once, and texts of its skeleton are then read at once.

In a skeleton, digits and empty cells are one character. Texts of one skeleton have their cells at the same
places, and the same characters elsewhere. Questions about the digits are asked of each text, so that no
reading depends on earlier texts.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import compress, product
from operator import itemgetter, or_
from typing import NamedTuple

from unidoku.cell import row_twice
from unidoku.errors import Reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unidoku._parse.board import Board

_COUNTS = Reason(
    "unclear",
    "a row or an outer column is 1 to 9 in order, so it could be a heading or labels; remove "
    "it, or write 81 cells in one line",
)
_MOST = 512  # forms that are kept for each kind of empty cells
_LONGEST = 4096  # characters of a text
_DIGITS = b"123456789"
_HEAD = "12345678"  # of a heading of columns, as which a row is looked at
FEWEST_BLANKS = 20
"""Empty cells that nothing or a blank marks: cells of full rows may be lost."""
NO_GAPS = 11
"""Characters of a row without blanks between cells, at most."""
_IS_CELL = 255
_CELLS = bytes(_IS_CELL * (sign == ord("5")) for sign in range(256))  # of a skeleton
_LAST_NINE = re.compile(rb"(?m)((?:5[^5\n]*+){9}+)$").split  # cells of a line
_DIGIT_PLACES = bytes(_IS_CELL * (sign in _DIGITS) for sign in range(256))
_LINE_SIGNS = b".0"
_KINDS = {  # skeletons by the signs for empty cells; blanks are also between cells
    **{
        signs: bytes.maketrans(_DIGITS + signs, b"5" * (9 + len(signs)))
        for signs in (_LINE_SIGNS, b"_", b"-", b"*", b"?", b"xX")
    },
    b" ": bytes.maketrans(_DIGITS, b" " * 9),
}
_PLACES = {signs: kind.replace(b"5", b"\0") for signs, kind in _KINDS.items()}  # of cells as 0
_OTHERS = {signs: bytes({*range(256)} - {*_DIGITS, *signs}) for signs in _KINDS}
_DOTS = bytes.maketrans(b"0_-*?xX ", b"." * 8)
_MEANT = re.compile(rb"\\5|\*\*5|5\.")  # in skeletons: where an empty cell is not what a digit is
_BARE = frozenset("123456789_-*?xX \n|+=:.,;[](){}").union(map(chr, range(0x2500, 0x2580)))
"""Beside these in a line with digits the other empty cells mean more."""
_BLANK, _DIGIT = "." * 9, re.compile("[1-9]")
_ROWS = [slice(k, k + 9) for k in range(0, 81, 9)]
_rows_in = itemgetter(*_ROWS)


class _Layout(NamedTuple):
    """The properties that texts of one skeleton share."""

    others: bytes = bytes(range(256))
    """The characters that are deleted from a text to get its cells."""
    mask: int = 0
    """The bytes of the 81 cells in the text as a number; 0 if there are no other signs of cells."""
    beside: int = 0
    """The text on both sides of the number."""
    line: int = 0
    """The number of the line with the first cell, from 0."""
    signs: frozenset[bytes] = frozenset()
    """Empty cells of boards that were read in it; of a full grid nothing, whose puzzle may have a place."""
    kind: bytes = _LINE_SIGNS
    """The signs for empty cells that are one character in the skeleton."""

    def _cells_in(self, data: bytes) -> bytes:
        """Return the cells of a text; nothing if it has further digits next to them."""
        if not self.mask:
            return data.translate(None, self.others)
        number = int.from_bytes(data, "little")
        cells = number & self.mask
        if number ^ cells != self.beside:
            return b""
        return cells.to_bytes(len(data), "little").translate(None, self.others)

    def cells_of(self, data: bytes) -> str:
        """Return the cells of a text of this form; nothing if it has to be looked at."""
        found = self._cells_in(data)
        empty = found.translate(None, _DIGITS)
        sign = empty[:1]
        if sign not in self.signs or empty != sign * len(empty):
            return ""
        cells, is_drawn = found.translate(_DOTS).decode(), sign == b" "
        if cells.find(".") == 80 or _HEAD in cells or not is_sure(cells, is_drawn):
            return ""
        if sign in b".0":
            return cells
        lines = (*_rows_in(cells), cells[::9], cells[8::9])  # an empty one can be a rule, or a lost column
        return "" if _BLANK in lines else cells

    def boards_in(
        self, text: memoryview, gap: bytes, block: str, is_title: Callable[[bytes], bool]
    ) -> tuple[list[str], list[int]]:
        """Return the cells of puzzles of this form, up to a text that differs, and where each ends.

        Each is below such a gap, in which another title may be in the place of a title.
        """
        from unidoku._native.text.scan import boards_alike  # not at the top: one puzzle needs no scanner

        one, is_plain = f"{block}\n".encode(), self.kind == _LINE_SIGNS
        form = self.beside.to_bytes(len(one), "little") if self.mask else one.translate(_PLACES[self.kind])
        signs, gaps, in_rows = b"".join(self.signs), gap.splitlines(keepends=True), not is_plain
        cells, ends = boards_alike(text, form, signs, gaps, is_title, least=FEWEST_BLANKS, in_rows=in_rows)
        shown = cells.decode()
        return [shown[k : k + 81] for k in range(0, len(shown), 81)], ends


_UNKNOWN = _Layout()
"""The form of a text that has to be looked at."""


class SeenLayouts:
    """The forms that one use of texts has read."""

    def __init__(self) -> None:
        self._kinds = {signs: dict[bytes, _Layout]() for signs in _KINDS}
        self._sizes = set[int]()  # of texts that were read: a text of another size comes once
        for empty, gap, end in product(("", ".", "0"), ("", " "), ("", "\n")):
            symbols = empty + "5" * (81 - len(empty))
            text = "\n".join(map(gap.join, _rows_in(symbols))) + end
            self._sizes.add(len(text))
            self.learn(text, symbols.replace("0", "."))

    def cells_in(self, text: str) -> str:
        """Return the cells of a text whose form was read before; nothing if it has to be looked at."""
        form, data = self._form_of(text)
        return form.cells_of(data)

    def board_in(self, text: str) -> Board | None:
        """Return the same as a board."""
        from unidoku._parse.board import Board  # not at the top: texts of known forms start faster

        form, data = self._form_of(text)
        cells = form.cells_of(data)
        return Board(cells, form.line, form.line + 9) if cells else None

    def form_of(self, text: str) -> _Layout:
        """Return the form of a text; `_UNKNOWN` if it was not read before as it is."""
        form, data = self._form_of(text)
        return form if data == f"{text}\n".encode() else _UNKNOWN

    def _form_of(self, text: str) -> tuple[_Layout, bytes]:
        """Return the form of a text, and its bytes."""
        data = _bytes_of(text) if len(text) in self._sizes else b""
        for signs, forms in self._kinds.items():
            if form := forms.get(data.translate(_KINDS[signs])):
                return form, data
        return _UNKNOWN, data

    def learn(self, text: str, cells: str, line: int = 0) -> None:
        """Keep the places of the cells of a text that has no other board, which begins on this line.

        A form is kept when a second text of its size comes: most texts with words come once.
        """
        # signs next to a board are like the cells of an empty outer column, or like a last empty cell
        has_empty_end = cells.find(".") == 80 or _BLANK in (cells[::9], cells[8::9])
        if has_empty_end or len(text) >= _LONGEST:
            return
        if len(text) not in self._sizes:
            self._sizes.add(len(text))
            return
        data = _bytes_of(text)
        number = int.from_bytes(data, "little")
        is_bare = all(map(_BARE.issuperset, filter(_DIGIT.search, text.split("\n"))))
        for signs in _KINDS if is_bare else (_LINE_SIGNS,):
            skeleton, forms = data.translate(_KINDS[signs]), self._kinds[signs]
            others, mask = _OTHERS[signs], 0
            found = data.translate(None, others)
            if signs == b" " or len(found) != 81:
                places = _places_of(data, skeleton, signs, cells.encode())
                mask = int.from_bytes(places, "little")
                found = (number & mask).to_bytes(len(data), "little").translate(None, b"\0")
            if found.translate(_DOTS) != cells.encode() or _MEANT.search(skeleton):
                continue
            if len(forms) >= _MOST:
                forms.clear()
            known = forms.get(skeleton, _UNKNOWN).signs | {found.translate(None, _DIGITS)[:1]}
            forms[skeleton] = _Layout(others, mask, number & ~mask, line, known, signs)
            return


def _bytes_of(text: str) -> bytes:
    """Return the bytes of a text and a line end; a middle dot is a dot."""
    return text.replace("·", ".").encode("utf-8", "surrogatepass") + b"\n"


def _places_of(data: bytes, skeleton: bytes, signs: bytes, cells: bytes) -> bytes:
    """Return 255 for each byte of a text that may be a cell, and 0 for any other byte; nothing if unclear.

    If there are more than 81, lines of nine cells that are not rows of the board have none.
    """
    if signs == b" ":  # where the digits of nine lines are, if their frame is closed, or wide between cells
        lines = skeleton.split(b"\n")
        row = max(lines, key=lines.count)
        digits = (line[: len(row)].translate(_DIGIT_PLACES) for line in data.split(b"\n"))
        shown = reduce(or_, (int.from_bytes(line, "little") for line in digits))
        frame = shown.to_bytes(len(row), "little")
        drawn = (shown | int.from_bytes(row, "little")).to_bytes(len(row), "little")
        if len(drawn.strip()) < max(len(row), NO_GAPS):
            return b""
        places = b"\0".join(frame if line == row else bytes(len(line)) for line in lines)
    else:  # the last nine cells of a line
        parts = _LAST_NINE(skeleton)
        parts[::2] = [bytes(len(part)) for part in parts[::2]]
        places = b"".join(parts).translate(_CELLS)
    rows, at, rest = _rows_in(cells), [*compress(range(len(data)), places)], bytearray(len(data))
    for line in (at[k : k + 9] for k in range(0, len(at), 9)):
        if bytes(map(data.__getitem__, line)).translate(_DOTS) in rows:
            for place in line:
                rest[place] = _IS_CELL
    return bytes(rest)


def doubt_of(cells: str) -> tuple[int, Reason] | None:
    """Return the reason to doubt nine rows, with the row: a row twice, a heading, or labels."""
    if "." not in cells:
        return None
    rows = _rows_in(cells)
    if "123456789" in rows:
        return rows.index("123456789"), _COUNTS
    if _are_labels(cells[::9]) or _are_labels(cells[8::9]):
        return 0, _COUNTS
    return row_twice(cells) if len({*rows}) < 9 else None


def is_sure(cells: str, is_drawn: bool, *, may_end_empty: bool = False) -> bool:
    """Return whether nine rows are a board: none is a label or there twice, their ends and blanks are cells.

    It is drawn if a blank is its empty cell.
    """
    count = cells.count(".")
    have_lost_ends = count == 9 and cells[8::9] == _BLANK and not may_end_empty  # of full rows
    have_lost_cells = is_drawn and 0 < count < FEWEST_BLANKS
    return not have_lost_ends and not have_lost_cells and not doubt_of(cells)


def _are_labels(column: str) -> bool:
    """Return whether an outer column counts, but for two cells at most, or is alike, with few empty cells."""
    counts = ("123456789", "012345678", ".12345678", "987654321")
    if column.count(".") > 3 or len({*column}) == 1:
        return "." not in column
    return any(sum(map(str.__ne__, column, count)) < 3 for count in counts)


PUZZLES = SeenLayouts()
"""Of texts of one puzzle."""
