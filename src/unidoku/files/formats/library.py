"""HoDoKu's library lines: one step of one puzzle per line.

``:technique:candidates:givens:deleted candidates:eliminations:placements:extra``, where a technique is
four digits, or five for some fish, and perhaps ``-`` and a variant (``-x``: it must not be found), the givens
are 81 cells of which ``+d`` is a digit placed but not given, and candidates are triples digit, row, column
separated by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from unidoku.batch import PuzzleRecord, Reject
from unidoku.errors import FormatError
from unidoku.files.base import Fit, Reader, Writer, plain_cells, shown
from unidoku.files.records import reject_at

_TECHNIQUE = re.compile(r"[0-9]{4,5}(-[0-9]+|-x)?\Z")
_GIVENS = re.compile(r"(?:[.0-9]|\+[1-9])*\Z")
_TRIPLES = re.compile(r"(?:[1-9]{3}(?:\s+[1-9]{3})*)?\Z")
_DIGITS = re.compile(r"[1-9]{0,9}\Z")


@dataclass(frozen=True)
class LibraryLine:
    """The fields of one library line; candidates are triples digit, row, column, separated by blanks."""

    technique: str
    """Its digits, perhaps with a variant, e.g. ``0002`` (hidden single) or ``0100`` (locked candidates)."""
    cells: str
    """The clues, 81 characters, ``.`` for empty."""
    state: str
    """The clues and the digits placed since."""
    digits: str = ""
    """The digits the step is about."""
    deleted: str = ""
    """Candidates deleted before the step."""
    eliminations: str = ""
    """What the step deletes."""
    placements: str = ""
    """What it places."""
    extra: str = ""
    """What a technique adds."""


def is_step(line: bytes) -> bool:
    """Return whether a line begins like one of a library."""
    return line[:1] == b":" and line[1:5].isdigit() and line.count(b":") in (6, 7)


_FIELDS = (
    (_TECHNIQUE, "a technique of four or five digits"),
    (_DIGITS, "digits"),
    (_GIVENS, "81 cells, + before a digit that is not given"),
    *((_TRIPLES, "candidates as digit, row, column"),) * 3,
)


def parse_line(line: str, number: int = 1) -> LibraryLine | Reject:
    """Read one library line; a reject has the column where a malformed field begins."""
    fields = line.rstrip().split(":")
    if len(fields) not in (7, 8) or fields[0].strip():
        column, count = len(line) - len(line.lstrip()) + 1, str(max(0, len(fields) - 1))
        return reject_at(number, column, line, "a line of 7 fields, each after a colon", count)
    values = [field.strip() for field in fields[1:]] + [""] * (8 - len(fields))
    column = len(fields[0]) + 2
    for field, value, (pattern, expected) in zip(fields[1:], values, _FIELDS, strict=False):
        if not pattern.match(value):
            return reject_at(number, column, line, expected, shown(value))
        column += len(field) + 1
    state = values[2].replace("+", "").replace("0", ".")
    cells = re.sub(r"\+[1-9]", ".", values[2]).replace("0", ".")
    if len(state) != 81:
        column = len(":".join(fields[:3])) + 2
        return reject_at(number, column, line, "81 cells", str(len(state)))
    return LibraryLine(values[0], cells, state, values[1], *values[3:])


def format_line(line: LibraryLine) -> str:
    """Write one library line; a `FormatError` refuses what `parse_line` would not read back."""
    if len(line.cells) != 81 or len(line.state) != 81:
        raise FormatError("a library line has 81 cells and 81 cells of state")
    givens = []
    for clue, now in zip(line.cells, line.state, strict=True):
        if clue not in (".", now):
            raise FormatError(f"the state has {shown(now)} where the clue is {shown(clue)}")
        givens.append(now if clue == now else "+" + now)
    fields = [line.technique, line.digits, "".join(givens), line.deleted, line.eliminations, line.placements]
    if ":" in line.extra or "\n" in line.extra or "\r" in line.extra:
        raise FormatError("the extra field of a library line holds no colon and no line end")
    text = ":" + ":".join([*fields, line.extra])
    found = parse_line(text)
    if isinstance(found, Reject):
        raise FormatError(found.reason, column=found.column)
    if found != line:
        raise FormatError(f"a field of {shown(text)} cannot be read back")
    return text


class LibraryReader(Reader):
    """HoDoKu's library lines."""

    columns = ("technique", "digits", "state", "deleted", "eliminations", "placements", "extra")

    @classmethod
    def fit(cls, lines: list[bytes], content: bytes) -> Fit:
        """Whether there is such a line."""
        return Fit.MAYBE if any(map(is_step, lines)) else Fit.NO

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read the lines; the givens are the puzzle, the other fields and ``state`` come with it."""
        for number, line in self.lines():
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            found = parse_line(line, number)
            if isinstance(found, Reject):
                yield found
                continue
            extra = asdict(found)
            cells = extra.pop("cells")
            yield PuzzleRecord(number, cells, extra)


class LibraryWriter(Writer):
    """A line is one step, so the puzzles must come with the columns of the steps."""

    def puzzle(self, record: PuzzleRecord) -> str:
        """One line; not of a puzzle without a step."""
        extra = record.extra
        if "technique" not in extra:
            raise record.error(
                "a library line is one step; expected the columns technique, digits, state and so on, "
                f"found {', '.join(extra) or 'none'}"
            )
        cells = plain_cells(record, "a library line")
        others = {name: extra[name] for name in LibraryReader.columns if name in extra}
        return format_line(LibraryLine(**{"cells": cells, "state": cells} | others)) + "\n"
