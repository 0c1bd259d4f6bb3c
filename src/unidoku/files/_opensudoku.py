"""OpenSudoku's .opensudoku files: XML with one ``game`` element a puzzle.

Version 1 has the name, author and so on of the collection as elements, then ``<game data="…81 digits…"/>``;
version 2 has ``folder`` elements that hold the games. Only ``data`` is read: 81 digits, ``0`` for empty, or
the program's own form of a game in progress, ``version: n`` and per cell ``value|notes|editable|``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from xml.parsers import expat  # as xml.etree has no lines

from unidoku._table.batch import PuzzleRecord, Reject
from unidoku.cell import PEERS
from unidoku.errors import FormatError, Message
from unidoku.files._chunks import Reader
from unidoku.files._records import reject_at, usual_line
from unidoku.files._roles import quote
from unidoku.files._source import PIECE

_LARGEST = 1 << 22  # bytes of a piece
_LONGEST = 1 << 26  # bytes of a tag or a comment
_DEEPEST = 100  # elements within one another: expat keeps the names of all
_TWO_NOTES = 4  # the version with two kinds of notes, which is not described anywhere we know
_ANY = 0b111_111_111
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CELL = re.compile("[0-9] ([0-9,]{0,30}|-) [01]")  # its value, its notes, and whether it is not a clue
_IN_PROGRESS = re.compile(r"\s*version:\s*([0-9]{1,4})\s*(.*)\Z", re.DOTALL)


class OpenSudokuReader(Reader):
    """Reader of the XML of OpenSudoku."""

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Parse the document as it streams; yield the games before an error first."""
        document = _Document("utf-8" if self.source.kind == "UTF-16" else None)
        size, place, waiting, piece = PIECE, 0, 0, b"<"
        while piece:
            piece = self.source.read(size)
            try:
                document.parse(piece)
            finally:
                yield from (_read_game(*game) for game in document.games)
                document.games.clear()
            waiting += len(piece)
            if document.place != place:
                place, waiting = document.place, 0
            if waiting > _LONGEST:
                message = Message(
                    "expected tags and comments of at most {most} bytes, found a longer one; split or remove "
                    "it",
                    most=_LONGEST,
                )
                raise FormatError(message, line=document.at[0])
            # A tag or comment that has not ended is read again with each piece: so the pieces grow.
            size = min(2 * size, _LARGEST)


class _Document:
    """The elements of a document, one after the other, and the games among them."""

    def __init__(self, encoding: str | None) -> None:
        self.games: list[tuple[str | None, int, int]] = []
        """The data of each, its line and its column."""
        self._depth = 1
        self._parser = expat.ParserCreate(encoding)
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._root, self._end

    @property
    def at(self) -> tuple[int, int]:
        """The line and the column, from 1."""
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    @property
    def place(self) -> int:
        """The byte up to which elements have ended."""
        return self._parser.CurrentByteIndex

    def parse(self, piece: bytes) -> None:
        """Parse the next bytes; none are the end."""
        try:
            self._parser.Parse(piece, not piece)
        except expat.ExpatError as error:
            message = Message("expected XML, found: {error}", error=expat.ErrorString(error.code))
            raise FormatError(message, line=error.lineno, column=error.offset + 1) from error
        except FormatError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that expat does not know
            message = Message("expected XML, found: {error}", error=error)
            raise FormatError(message, line=1) from error

    def _root(self, name: str, _: dict[str, str]) -> None:
        if name != "opensudoku":
            text = "expected the root element opensudoku, found {found}"
            raise self._fault(Message(text, found=quote(name)))
        self._parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            text = "expected at most {most} nested elements, found more"
            raise self._fault(Message(text, most=_DEEPEST))
        if name == "game":
            self.games.append((attributes.get("data"), *self.at))

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _fault(self, message: Message) -> FormatError:
        """Return the error about an element, with its place."""
        line, column = self.at
        return FormatError(message, line=line, column=column)


def _fields_of(data: str) -> tuple[int, list[str]]:
    """Return the version of a game in progress, and the fields of its cells, 81 times as many as of one."""
    match = _IN_PROGRESS.match(data)
    if not match:
        return 0, []
    # version 2 doubled a bar by mistake
    return int(match[1]), [*filter(None, map(str.strip, match[2].split("|")))]


def position_in(content: bytes) -> str | None:
    """Return the position of the only game of a document, if it is in progress, as a text of SudokuWiki.

    Notes are a list of digits in version 1 and a number with a bit for each digit since version 2, as the
    program's ``CellNote.java`` has them; a cell without notes may have any digit.
    """
    document = _Document(None)
    with suppress(FormatError):  # the reader of records reports it
        for piece in (content, b""):
            document.parse(piece)
        if len(document.games) == 1:
            return _position_of(*_fields_of(document.games[0][0] or ""))
    return None


def _position_of(version: int, fields: list[str]) -> str | None:
    """Return a position from the fields of its cells; None if nothing was entered, or a field is unknown."""
    values, notes, editable = fields[::3], fields[1::3], fields[2::3]
    if not 0 < version < _TWO_NOTES:
        return None
    if len(fields) != 3 * 81:
        return None
    if not all(map(_CELL.fullmatch, map(" ".join, zip(values, notes, editable, strict=True)))):
        return None
    codes = list[int]()
    for cell, value in enumerate(values):
        mask = _mask_of(version, notes[cell])
        if value != "0":
            codes.append(int(value) + 9 * int(editable[cell]))
        elif mask > _ANY:
            return None
        else:
            codes.append(_code_of_mask(mask, {values[peer] for peer in PEERS[cell]}))
    if all(code <= 9 or code == 18 + _ANY for code in codes):
        return None
    return "S9B" + "".join(_DIGITS[code // 36] + _DIGITS[code % 36] for code in codes)


def _mask_of(version: int, notes: str) -> int:
    """Return the digits in the notes of a cell, a bit each; 0 for none."""
    if version == 1:
        return sum(1 << int(digit) - 1 for digit in {*notes} & {*"123456789"})
    if not notes.isdigit():
        return 0
    return int(notes)


def _code_of_mask(mask: int, placed: set[str]) -> int:
    """Return the code of an empty cell with notes, without old notes of digits that its peers have."""
    old = sum(1 << int(digit) - 1 for digit in placed - {"0"})
    return 18 + (mask & ~old or mask or _ANY)


def _read_game(data: str | None, line: int, column: int) -> PuzzleRecord | Reject:
    """Read the clues of a game."""
    if data is None:
        return reject_at(line, column, "<game>", Message("an attribute named data"), Message("none"))
    if (cells := usual_line(data.strip())) is not None:
        return PuzzleRecord(line, cells)
    version, fields = _fields_of(data)
    width = 4 if version >= _TWO_NOTES else 3
    values, editable = "".join(fields[::width]), "".join(fields[width - 1 :: width])
    has_cells = len(fields) == 81 * width and re.fullmatch("[0-9]{81}", values)
    if has_cells and re.fullmatch("[01]{81}", editable):
        clues = (value if flag == "0" else "." for value, flag in zip(values, editable, strict=True))
        return PuzzleRecord(line, "".join(clues).replace("0", "."))
    requirement = "81 digits, or 'version:' and 81 cells, each a value 0 to 9, notes and a flag 0 or 1"
    actual = f"{len(data)} characters"
    if fields:
        actual = f"{len(fields)} fields"
    return reject_at(line, column, data, requirement, actual)
