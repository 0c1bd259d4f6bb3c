"""Where the 81 cells of a text stand: a form is judged once, other texts of its skeleton are read at once.

In a skeleton digits and empty cells are one sign.  Texts of one skeleton have their cells at the same places,
and the same signs elsewhere.  What looks at the digits is asked of each text, so that no reading depends on
the texts before it.
"""

from __future__ import annotations

import re
from itertools import product
from operator import itemgetter
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unidoku.parse.board import Board

_MOST = 512  # forms that are kept for each kind of empty cells
_LONGEST = 4096  # characters of a text
_DIGITS = b"123456789"
_HEAD = "12345678"  # of a heading of columns, as which a row is looked at
FEWEST_BLANKS = 20
"""Empty cells where nothing or a blank is the sign: cells of full rows may be lost."""
FEWEST_COLUMNS = 4
"""Columns of a drawing that have digits."""
NO_GAPS = 11
"""Characters of a row without blanks between cells, at most."""
_IS_CELL, _END = 255, ord("\n")
_CELLS = bytes(_IS_CELL * (sign == ord("5")) for sign in range(256))  # of a skeleton
_DIGITS_IN = re.compile(b"[1-9]").finditer
_KINDS = {  # skeletons by the signs for empty cells; blanks stand between cells too
    **{
        signs: bytes.maketrans(_DIGITS + signs, b"5" * (9 + len(signs)))
        for signs in (b".0", b"_", b"-", b"*", b"?", b"xX")
    },
    b" ": bytes.maketrans(_DIGITS, b" " * 9),
}
_OTHERS = {signs: bytes({*range(256)} - {*_DIGITS, *signs}) for signs in _KINDS}
_DOTS = bytes.maketrans(b"0_-*?xX ", b"." * 8)
_MEANT = (b"{5}", b"\\5", b"**5", b"5.")  # in skeletons: where an empty cell is not what a digit is
_BARE = frozenset("123456789_-*?xX \n|+=:.,;[](){}").union(map(chr, range(0x2500, 0x2580)))
"""Beside these in a line with digits the other empty cells mean more."""
_BLANK, _DIGIT = "." * 9, re.compile("[1-9]")
_ROWS = [slice(k, k + 9) for k in range(0, 81, 9)]
_rows_in, _columns_in = itemgetter(*_ROWS), itemgetter(*(slice(k, None, 9) for k in range(9)))


class _Form(NamedTuple):
    """What texts of one skeleton have in common."""

    others: bytes
    """What is deleted of a text to have its cells."""
    mask: int
    """The bytes of the 81 cells in the text as a number; 0 if there are no other signs of cells."""
    beside: int
    """What the number has beside them."""
    line: int
    """The number of the line with the first cell, from 0."""
    is_open: bool = False
    """Whether nothing begins and ends the rows of a drawing."""
    signs: frozenset[bytes] = frozenset()
    """Empty cells of boards that were read in it; of a full grid nothing, whose puzzle may have a place."""

    def cells_in(self, data: bytes) -> bytes:
        """Return the 81 signs of the cells of a text; nothing where it has other digits beside them."""
        if not self.mask:
            return data.translate(None, self.others)
        number = int.from_bytes(data, "little")
        cells = number & self.mask
        if number ^ cells != self.beside:
            return b""
        return cells.to_bytes(len(data), "little").translate(None, self.others)

    def cells_of(self, data: bytes) -> str:
        """Return the cells of a text of this form; nothing if it has to be looked at."""
        found = self.cells_in(data)
        empty = found.translate(None, _DIGITS)
        sign = empty[:1]
        if sign not in self.signs or len(found) != 81 or empty != sign * len(empty):
            return ""
        cells = found.translate(_DOTS).decode()
        if _HEAD in cells or is_doubtful(cells) or not _shows_lines(cells, sign, is_open=self.is_open):
            return ""
        return cells


class Forms:
    """The forms that one use of texts has read."""

    def __init__(self) -> None:
        self._kinds = {signs: dict[bytes, _Form]() for signs in _KINDS}
        for empty, gap, end in product(("", ".", "0"), ("", " "), ("", "\n")):
            symbols = empty + "5" * (81 - len(empty))
            rows = (gap.join(symbols[row]) for row in _ROWS)
            self.learn("\n".join(rows) + end, symbols.replace("0", "."))

    def cells_in(self, text: str) -> str:
        """Return the cells of a text whose form was read before; nothing if it has to be looked at."""
        form, data = self._form_of(text)
        return form.cells_of(data) if form else ""

    def board_in(self, text: str) -> Board | None:
        """Return the same as a board."""
        from unidoku.parse.board import Board  # not at the top: texts of known forms start faster

        form, data = self._form_of(text)
        cells = form.cells_of(data) if form else ""
        return Board(cells, form.line, form.line + 9) if form and cells else None

    def _form_of(self, text: str) -> tuple[_Form | None, bytes]:
        """Return the form of a text, and its bytes."""
        data = _bytes_of(text)
        for signs, forms in self._kinds.items():
            if forms and (form := forms.get(data.translate(_KINDS[signs]))):
                return form, data
        return None, data

    def learn(self, text: str, cells: str, line: int = 0) -> None:
        """Keep where the cells of a text stand that has no other board, which begins on this line."""
        data = _bytes_of(text)
        shown = {*data}
        for signs, table in _KINDS.items():
            if "." in cells and shown.isdisjoint(signs):
                continue
            skeleton, forms = data.translate(table), self._kinds[signs]
            form = _form_with(data, skeleton, signs, cells.encode(), line)
            if form is None or any(part in skeleton for part in _MEANT):
                continue
            if signs != b".0" and not all(map(_BARE.issuperset, filter(_DIGIT.search, text.split("\n")))):
                continue
            found, known = form.cells_in(data), forms.get(skeleton)
            read = known.signs if known and known.cells_in(data) == found else frozenset()
            if len(forms) >= _MOST:
                forms.clear()
            forms[skeleton] = form._replace(signs=read | {found.translate(None, _DIGITS)[:1]})
            return


def _bytes_of(text: str) -> bytes:
    """Return the bytes of a text, none of a long one; a middle dot is a dot, an empty field a blank."""
    if not text.isascii():
        text = text.replace("·", ".")
    if " " not in text and (separator := next((sign for sign in ",;\t" if sign * 2 in text), "")):
        text = f"\n{text}\n"
        for pair in (separator * 2, separator * 2, f"\n{separator}", f"{separator}\n"):
            text = text.replace(pair, f"{pair[0]} {pair[1]}")
    return text.encode("utf-8", "surrogatepass") if len(text) < _LONGEST else b""


def _form_with(data: bytes, skeleton: bytes, signs: bytes, cells: bytes, line: int) -> _Form | None:
    """Return the form of texts of a skeleton; None if it does not find these cells."""
    others = _OTHERS[signs]
    form = _Form(others, 0, 0, line)
    if signs == b" " or len(data.translate(None, others)) != 81:
        places = _mask_of(data, skeleton, signs, cells)
        mask = int.from_bytes(places, "little")
        if not mask:
            return None
        is_open = signs == b" " and (b"\n" + data)[places.find(_IS_CELL)] == _END
        form = _Form(others, mask, int.from_bytes(data, "little") & ~mask, line, is_open)
    return form if form.cells_in(data).translate(_DOTS) == cells else None


def _mask_of(data: bytes, skeleton: bytes, signs: bytes, cells: bytes) -> bytes:
    """Return 255 for each byte of a text that is a cell, and 0 for others; nothing if that is not clear.

    The cells are the last nine signs of a line, or stand where the digits of a frame are.
    """
    lines = [*zip(data.split(b"\n"), skeleton.split(b"\n"), strict=True)]
    columns = _columns_of((line for line, bare in lines if line != bare), cells) if signs == b" " else []
    frame = bytes(_IS_CELL * (column in columns) for column in range(max(columns, default=0) + 1))
    mask, rows, count = list[bytes](), [*map(cells.__getitem__, _ROWS)], 0
    for line, bare in lines:
        here, found = b"", b""
        if columns and line != bare:
            is_closed = bare[: columns[0]].strip() and bare[columns[8] + 1 :].strip()
            if is_closed or (columns[0] == 0 and columns[8] == len(line) - 1 >= NO_GAPS):
                here, found = frame, bytes(map(line.__getitem__, columns))
        else:
            head = len(bare.rsplit(b"5", 9)[0])
            here = bytes(head) + bare[head:].translate(_CELLS)
            found = line[head:].translate(None, _OTHERS[signs])
        row = found.translate(_DOTS)
        is_next = rows[count : count + 1] == [row]
        mask.append((here if is_next else b"").ljust(len(line), b"\0"))
        count += row in rows  # a line of text may be like one
    return b"\0".join(mask) if count == 9 else b""


def _columns_of(lines: Iterable[bytes], cells: bytes) -> list[int]:
    """Return where the columns of a frame stand, by the digits in its rows; nothing if a column has none."""
    at = dict[int, int]()
    for row, line in zip(map(cells.__getitem__, _ROWS), lines, strict=False):
        columns, places = ([digit.start() for digit in _DIGITS_IN(part)] for part in (row, line))
        at |= zip(columns, places, strict=False)
    return sorted(at.values()) if len(at) == 9 else []


def is_doubtful(cells: str) -> bool:
    """Return whether nine rows may be heads, labels and eight of them, or have one twice."""
    if "." not in cells:
        return False
    rows = {*_rows_in(cells)}
    if len(rows) < 9 and len(rows) + max(1, _rows_in(cells).count(_BLANK)) < 10:
        return True
    return "123456789" in rows or _are_labels(cells[::9]) or _are_labels(cells[8::9])


def _are_labels(column: str) -> bool:
    """Return whether an outer column counts, but for two cells at most, or is alike, with few empty cells."""
    if column.count(".") > 3:
        return False
    counts = ("123456789", "012345678", ".12345678")
    return len({*column}) == 1 or any(sum(map(str.__ne__, column, count)) < 3 for count in counts)


def _shows_lines(cells: str, sign: bytes, *, is_open: bool) -> bool:
    """Return whether no row of a board is like a rule or a heading, and a drawing has enough to be one."""
    if sign != b" ":
        return sign in b".0" or _BLANK not in _rows_in(cells)
    if is_open and _BLANK in (*_rows_in(cells), cells[::9], cells[8::9]):
        return False
    columns = 9 - _columns_in(cells).count(_BLANK)
    return columns >= FEWEST_COLUMNS and cells.count(".") >= FEWEST_BLANKS and cells[:9] != _BLANK


PUZZLES = Forms()
"""Of texts of one puzzle."""
