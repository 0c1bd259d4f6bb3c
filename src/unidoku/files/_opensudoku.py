"""OpenSudoku's .opensudoku files: XML with one ``game`` element a puzzle.

Version 1 has the name, author and so on of the collection as elements, then ``<game data="…81 digits…"/>``;
version 2 has ``folder`` elements that hold the games. Only ``data`` is read: 81 digits, ``0`` for empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat  # as xml.etree has no lines

from unidoku._table.batch import KEPT, PuzzleRecord, Reject
from unidoku.errors import FormatError, Message
from unidoku.files._chunks import Reader
from unidoku.files._records import reason_of_text, reject_at, usual_line
from unidoku.files._roles import quote
from unidoku.files._source import PIECE

_LARGEST = 1 << 22  # bytes of a piece
_LONGEST = 1 << 26  # bytes of a tag or a comment
_DEEPEST = 100  # elements within one another: expat keeps the names of all


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


def _read_game(data: str | None, line: int, column: int) -> PuzzleRecord | Reject:
    """Read the clues of a game."""
    if data is None:
        return reject_at(line, column, "<game>", Message("an attribute named data"), Message("none"))
    if (cells := usual_line(data.strip())) is not None:
        return PuzzleRecord(line, cells)
    text = data[:KEPT].encode(errors="replace")
    return Reject(line, column, text, reason_of_text(data.strip()))
