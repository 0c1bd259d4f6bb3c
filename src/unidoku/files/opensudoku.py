"""OpenSudoku's .opensudoku files: XML with one ``game`` element a puzzle.

Version 1 has the name, author and so on of the collection as elements, then ``<game data="…81 digits…"/>``;
version 2 has ``folder`` elements that hold the games. All but ``data`` is left out: 81 digits, ``0`` for
empty, or the program's own form of a game in progress, ``version: n`` and per cell ``value|notes|editable|``.

The document is parsed as it streams, by expat. A document type declaration, and with it every entity, is
refused; nothing is ever fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

from unidoku.errors import FormatError
from unidoku.files.base import Fit, Reader, Writer, quote
from unidoku.files.records import puzzle_in, reject_at
from unidoku.files.source import PIECE, Source
from unidoku.options import Options
from unidoku.table.batch import PuzzleRecord, Reject

_IN_PROGRESS = re.compile(r"\s*version:\s*([0-9]{1,4})\s*(.*)\Z", re.DOTALL)
_TOKEN_LIMIT = 1 << 18  # bytes of a tag or comment
_NAMES_LIMIT = 1000  # different names of elements and attributes; expat keeps all of them in memory
_DEPTH_LIMIT = 32


class OpenSudokuReader(Reader):
    """Reader of the XML of OpenSudoku."""

    def __init__(self, source: Source, options: Options) -> None:
        super().__init__(source, options)
        self._out: list[PuzzleRecord | Reject] = []
        self._depth = 0
        self._names: set[str] = set()
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    @classmethod
    def fit(cls, lines: list[bytes], content: bytes) -> Fit:
        """Look for XML."""
        return Fit.YES if lines[0].startswith(b"<") else Fit.NO

    def records(self) -> Iterator[PuzzleRecord | Reject]:
        """Read the games."""
        fed, ended = 0, False
        while not ended:
            piece = self.source.read(PIECE)
            ended = not piece
            try:
                self._parser.Parse(piece, ended)
            except expat.ExpatError as error:
                message = f"expected XML, found: {expat.ErrorString(error.code)}"
                raise FormatError(message, line=error.lineno, column=error.offset + 1) from error
            except FormatError:
                raise
            except (LookupError, ValueError) as error:  # an encoding expat does not know
                raise FormatError(f"expected XML in UTF-8, found: {error}", line=1) from error
            finally:
                yield from self._out  # also what comes before an error
                self._out.clear()
            fed += len(piece)
            # Some versions of expat scan an unfinished token again with every piece.
            if fed - max(0, self._parser.CurrentByteIndex) > _TOKEN_LIMIT:
                raise self._error(f"expected tags, comments and declarations of at most {_TOKEN_LIMIT} bytes")

    def _error(self, message: str) -> FormatError:
        parser = self._parser
        return FormatError(message, line=parser.CurrentLineNumber, column=parser.CurrentColumnNumber + 1)

    def _doctype(self, *_: object) -> None:
        raise self._error("expected XML without a document type declaration (entities are not read)")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._depth == 0 and tag != "opensudoku":
            raise self._error(f"expected the root element opensudoku, found {quote(tag)}")
        self._names.update((tag, *attributes))
        if len(self._names) > _NAMES_LIMIT:
            raise self._error(f"expected at most {_NAMES_LIMIT} different names of elements and attributes")
        self._depth += 1
        if self._depth > _DEPTH_LIMIT:
            raise self._error(f"expected at most {_DEPTH_LIMIT} nested elements")
        if tag == "game":
            self._game(attributes)

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _game(self, attributes: dict[str, str]) -> None:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        data = attributes.get("data")
        if data is None:
            self._out.append(reject_at(line, column, "<game>", "an attribute data", "none"))
            return
        self._out.append(_read_game(data, line, column))


def _read_game(data: str, line: int, column: int) -> PuzzleRecord | Reject:
    """Read the clues of a game."""

    def reject(expected: str, actual: str) -> Reject:
        return reject_at(line, column, data[:1000], expected, actual)

    cells = puzzle_in(data.strip())
    if cells is not None and len(cells) == 81:
        return PuzzleRecord(line, cells)
    match = _IN_PROGRESS.match(data)
    if match is None:
        return reject("81 digits or 'version:' and 81 cells", f"{len(data)} characters")
    # Version 2 doubled a bar by mistake; version 4 has two kinds of notes.
    fields = [field for field in match[2].split("|") if field.strip()]
    width = 4 if int(match[1]) >= 4 else 3
    if len(fields) != 81 * width:
        return reject(f"81 cells of {width} fields each", f"{len(fields)} fields")
    values, editable = fields[::width], fields[width - 1 :: width]
    if not all(len(v) == 1 and v in "0123456789" for v in values) or not set(editable) <= {"0", "1"}:
        return reject("of every cell a value 0 to 9 and a flag 0 or 1", "others")
    clues = "".join(v if e == "0" else "0" for v, e in zip(values, editable, strict=True))
    return PuzzleRecord(line, clues.replace("0", "."))


class OpenSudokuWriter(Writer):
    """Writer of version 1."""

    def begin(self, names: tuple[str, ...]) -> bytes:
        """Return the declaration and the opening tag."""
        return b'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'

    def puzzle(self, cells: str) -> str:
        """Render a game."""
        data = cells.replace(".", "0")
        return f'  <game data="{data}"/>\n'

    def end(self) -> bytes:
        """Return the closing tag."""
        return b"</opensudoku>\n"
