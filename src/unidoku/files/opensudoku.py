"""OpenSudoku's .opensudoku files: XML with one ``game`` element a puzzle.

Version 1 has the name, author and so on of the collection as elements, then ``<game data="…81 digits…"/>``;
version 2 has ``folder`` elements that hold the games. All but ``data`` is left out: 81 digits, ``0`` for
empty, or the program's own form of a game in progress, ``version: n`` and per cell ``value|notes|editable|``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from xml.parsers import expat  # as xml.etree has no lines

from unidoku.cell import PEERS
from unidoku.errors import FormatError, Message
from unidoku.files.chunks import Reader
from unidoku.files.records import puzzle_in, reject_at
from unidoku.files.roles import quote
from unidoku.files.source import PIECE
from unidoku.table.batch import PuzzleRecord, Reject

_LONGEST = 1 << 26  # bytes of a tag or a comment
_DEEPEST = 100  # elements within one another: expat keeps the names of all
_TWO_NOTES = 4  # the version that has two kinds of notes, of which we know no description
_ANY = 0b111_111_111
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_IN_PROGRESS = re.compile(r"\s*version:\s*([0-9]{1,4})\s*(.*)\Z", re.DOTALL)


class OpenSudokuReader(Reader):
    """Reader of the XML of OpenSudoku."""

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Parse the document as it streams; yield the games before an error, too."""
        document = _Document("utf-8" if self.source.kind == "UTF-16" else None)
        is_last = False
        size, place, waiting = PIECE, -1, 0
        while not is_last:
            piece = self.source.read(size)
            is_last = not piece
            try:
                document.parse(piece, is_last)
            finally:
                yield from document.games
                document.games.clear()
            # A tag or comment that has not ended is read again with each piece: so the pieces grow.
            if document.place != place:
                size, place, waiting = PIECE, document.place, 0
                continue
            waiting += len(piece)
            size = min(2 * size, _LONGEST)
            if waiting > _LONGEST:
                message = Message(
                    "expected tags and comments of at most {most} bytes, found a longer one", most=_LONGEST
                )
                raise FormatError(message, line=document.at[0])


class _Document:
    """The elements of a document, one after the other, and the games among them."""

    def __init__(self, encoding: str | None) -> None:
        self.games: list[PuzzleRecord | Reject] = []
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

    def parse(self, piece: bytes, is_last: bool) -> None:
        """Parse the next bytes."""
        try:
            self._parser.Parse(piece, is_last)
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
            text = "expected at most {most} elements within one another, found more"
            raise self._fault(Message(text, most=_DEEPEST))
        if name == "game":
            self.games.append(_read_game(attributes.get("data"), *self.at))

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _fault(self, message: Message) -> FormatError:
        """Return the error about an element, with its place."""
        line, column = self.at
        return FormatError(message, line=line, column=column)


def position_in(content: bytes) -> str | None:
    """Return the position of the only game of a document, if it is in progress, as a text of SudokuWiki.

    Notes are a list of digits in version 1 and a number with a bit for each digit since version 2, as the
    program's ``CellNote.java`` has them; a cell without notes may have any digit.
    """
    games: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: (
        games.append(attributes.get("data", "")) if name == "game" else None
    )
    with suppress(expat.ExpatError):  # the reader of records reports it
        parser.Parse(content, True)
        match = _IN_PROGRESS.match(games[0]) if len(games) == 1 else None
        if match is not None and int(match[1]) < _TWO_NOTES:
            return _position_of(int(match[1]), [field.strip() for field in match[2].split("|")])
    return None


def _position_of(version: int, fields: list[str]) -> str | None:
    """Return a position from the fields of its cells; None if nothing was entered, or they are others."""
    cells = [*zip(fields[0:243:3], fields[1:243:3], fields[2:243:3], strict=False)]
    if len(cells) != 81 or any(fields[243:]):
        return None
    codes: list[int] = []
    for cell, (value, notes, editable) in enumerate(cells):
        if (
            not re.fullmatch("[0-9]", value)
            or not re.fullmatch("[0-9,]{0,30}|-", notes)
            or editable not in {"0", "1"}
        ):
            return None
        if value != "0":
            codes.append(int(value) + 9 * int(editable))
            continue
        if version == 1:
            mask = sum(1 << int(digit) - 1 for digit in {*notes} & {*"123456789"})
        else:
            mask = int(notes) if notes.isdigit() else 0
        if mask > _ANY:
            return None
        placed = sum({1 << int(cells[peer][0]) >> 1 for peer in PEERS[cell] if cells[peer][0].isdigit()})
        codes.append(18 + (mask & ~placed or mask or _ANY))  # notes of digits written since are old
    if all(code <= 9 or code == 18 + _ANY for code in codes):
        return None
    return "S9B" + "".join(_DIGITS[code // 36] + _DIGITS[code % 36] for code in codes)


def _read_game(data: str | None, line: int, column: int) -> PuzzleRecord | Reject:
    """Read the clues of a game."""
    if data is None:
        return reject_at(line, column, "<game>", Message("an attribute data"), Message("none"))
    cells, match = puzzle_in(data.strip()), _IN_PROGRESS.match(data)
    if cells is not None:
        return PuzzleRecord(line, cells)
    requirement, actual = "81 digits or 'version:' and 81 cells", f"{len(data)} characters"
    if match is not None:
        # Version 2 doubled a bar by mistake; version 4 has two kinds of notes.
        fields = [field for field in match[2].split("|") if field.strip()]
        width = 4 if int(match[1]) >= 4 else 3
        values, editable = "".join(fields[::width]), "".join(fields[width - 1 :: width])
        if len(fields) != 81 * width:
            requirement, actual = f"81 cells of {width} fields each", f"{len(fields)} fields"
        elif re.fullmatch("[0-9]{81}", values) and re.fullmatch("[01]{81}", editable):
            clues = (v if e == "0" else "." for v, e in zip(values, editable, strict=True))
            return PuzzleRecord(line, "".join(clues).replace("0", "."))
        else:
            requirement, actual = "of every cell a value 0 to 9 and a flag 0 or 1", "others"
    return reject_at(line, column, data, requirement, actual)
