"""HoDoKu's library lines: one step of one puzzle per line.

``:technique:candidates:givens:deleted candidates:eliminations:placements:extra``, where a technique is
four digits and perhaps ``-`` and a variant (``-x``: it must not be found), the givens are 81 cells of
which ``+d`` is a digit placed but not given, and candidates are triples digit, row, column separated
by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from unidoku.errors import FormatError
from unidoku.files.base import PuzzleRecord, Writer, plain_cells
from unidoku.files.head import Fit, Head
from unidoku.files.records import Fault, RecordReader
from unidoku.files.text import shown

__all__ = ["LibraryLine", "LibraryReader", "LibraryWriter", "format_line", "is_step", "parse_line"]

TRIPLES = ("deleted", "eliminations", "placements")
"""The fields that hold candidates as triples."""

_TECHNIQUE = re.compile(r"[0-9]{4}(-[0-9]+|-x)?\Z")
_GIVENS = re.compile(r"(?:[.0-9]|\+[1-9])*\Z")
_TRIPLES = re.compile(r"(?:[1-9]{3}(?:\s+[1-9]{3})*)?\Z")
_DIGITS = re.compile(r"[1-9]{0,9}\Z")


@dataclass(frozen=True)
class LibraryLine:
    """The fields of one library line; candidates are triples digit, row, column."""

    technique: str
    """Four digits, perhaps with a variant, e.g. ``0002`` (hidden single) or ``0100`` (locked candidates)."""
    cells: str
    """The clues, 81 characters, ``.`` for empty."""
    state: str
    """The clues and the digits placed since."""
    digits: str = ""
    """The digits the step is about."""
    deleted: tuple[str, ...] = ()
    """Candidates deleted before the step."""
    eliminations: tuple[str, ...] = ()
    """What the step deletes."""
    placements: tuple[str, ...] = ()
    """What it places."""
    extra: str = ""
    """What a technique adds."""


def is_step(line: bytes) -> bool:
    """Return whether a line begins like one of a library."""
    return line[:1] == b":" and line[1:5].isdigit() and line.count(b":") in (6, 7)


def parse_line(text: str) -> LibraryLine:
    """Read one library line; the `FormatError` of a malformed field has the column where it begins."""
    fields = text.rstrip().split(":")
    if len(fields) not in (7, 8) or fields[0].strip():
        raise FormatError(
            f"expected a line of 7 fields, each after a colon, found {max(0, len(fields) - 1)}", column=1
        )
    values = [field.strip() for field in fields[1:]] + [""] * (8 - len(fields))
    patterns = (_TECHNIQUE, _DIGITS, _GIVENS, _TRIPLES, _TRIPLES, _TRIPLES, None)
    for index, (value, pattern) in enumerate(zip(values, patterns, strict=True)):
        if pattern is not None and not pattern.match(value):
            column = sum(len(field) + 1 for field in fields[: index + 1]) + 1
            raise FormatError(f"expected {_EXPECTED[index]}, found {shown(value)}", column=column)
    state = values[2].replace("+", "").replace("0", ".")
    cells = re.sub(r"\+[1-9]", ".", values[2]).replace("0", ".")
    if len(state) != 81:
        column = len(fields[0]) + len(fields[1]) + len(fields[2]) + 4
        raise FormatError(f"expected 81 cells, found {len(state)}", column=column)
    deleted, eliminations, placements = (tuple(value.split()) for value in values[3:6])
    return LibraryLine(values[0], cells, state, values[1], deleted, eliminations, placements, values[6])


_EXPECTED = (
    "a technique of four digits",
    "digits",
    "81 cells, + before a digit that is not given",
    *("candidates as digit, row, column",) * 3,
)


def format_line(line: LibraryLine) -> str:
    """Write one library line; a `FormatError` refuses what `parse_line` would not read back.

    >>> cells = "." * 72 + "12345678."
    >>> format_line(LibraryLine("0000", cells, cells, "9", placements=("999",)))[-21:]
    '.12345678.:::999:'
    """
    if len(line.cells) != 81 or len(line.state) != 81:
        raise FormatError("a library line has 81 cells and 81 cells of state")
    givens = []
    for clue, now in zip(line.cells, line.state, strict=True):
        if clue not in (".", now):
            raise FormatError(f"the state has {shown(now)} where the clue is {shown(clue)}")
        givens.append(now if clue == now else "+" + now)
    fields = [line.technique, line.digits, "".join(givens)]
    fields += [" ".join(triples) for triples in (line.deleted, line.eliminations, line.placements)]
    if ":" in line.extra or "\n" in line.extra or "\r" in line.extra:
        raise FormatError("the extra field of a library line holds no colon and no line end")
    text = ":" + ":".join([*fields, line.extra])
    if parse_line(text) != line:
        raise FormatError(f"a field of {shown(text)} cannot be read back")
    return text


class LibraryReader(RecordReader):
    """HoDoKu's library lines."""

    columns = ("technique", "digits", "state", "deleted", "eliminations", "placements", "extra")

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether there is such a line."""
        return Fit.MAYBE if any(map(is_step, head.lines)) else Fit.NO

    def records(self) -> Iterator[PuzzleRecord | Fault]:
        """Read the lines; the givens are the puzzle, the other fields and ``state`` come with it."""
        for number, line in self.lines():
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            try:
                found = parse_line(text)
            except FormatError as error:
                column = len(line) - len(line.lstrip()) + (error.column or 1)
                expected, _, found_there = error.message.removeprefix("expected ").partition(", found ")
                yield Fault(number, column, line, expected, found_there)
                continue
            extra = asdict(found)
            cells = extra.pop("cells")
            extra |= {name: " ".join(extra[name]) for name in TRIPLES}
            yield PuzzleRecord(number, cells, extra)


class LibraryWriter(Writer):
    """A line is one step, so the puzzles must come with the columns of the steps."""

    def puzzle(self, record: PuzzleRecord) -> str:
        """One line; not of a puzzle without a step."""
        extra = record.extra
        if "technique" not in extra:
            raise FormatError(
                f"line {record.line}: a library line is one step; expected the columns technique, digits, "
                f"state and so on, found {', '.join(extra) or 'none'}"
            )
        cells = plain_cells(record, "a library line")
        deleted, eliminations, placements = (tuple(extra.get(name, "").split()) for name in TRIPLES)
        state, digits, rest = extra.get("state", cells), extra.get("digits", ""), extra.get("extra", "")
        line = LibraryLine(extra["technique"], cells, state, digits, deleted, eliminations, placements, rest)
        return format_line(line) + "\n"
