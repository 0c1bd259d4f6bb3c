"""The choice of a reader: by the name of a format, the suffix of a file, or its first bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from functools import cached_property
from io import BytesIO
from itertools import chain, islice
from typing import Any, NamedTuple

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import FormatError, Message, UnidokuError
from unidoku.files.chunks import BOM, HEAD, LINES, Chunk, Reader, Reading
from unidoku.files.codecs import without_compression
from unidoku.files.column_names import columns_with_puzzles, quote
from unidoku.files.formats import FORMATS, Format, format_named
from unidoku.files.records import cells_of_field, is_puzzle_line, puzzle_in
from unidoku.files.source import Source, open_source
from unidoku.native.text.scan import last_line_end, separated_cells
from unidoku.parse.names import PUZZLE_NAMES, SOLUTION_NAME, SOLUTION_NAMES, SOLUTION_SIGNS
from unidoku.table.batch import Batch
from unidoku.table.json_values import text_of_lists

_PUZZLE = b"[1-9%b]{81}" % re.escape(EMPTY_SYMBOLS).encode()
_MARKS = b"(?:(?![.0]{9})%b){9}" % b"".join(b"[%d.0]" % digit for digit in range(1, 10))
"""A row of candidates: nine signs for each cell, which has at least one."""
_RUN = re.compile(b"(?<![0-9A-Za-z.])%b(?![0-9A-Za-z.])" % _PUZZLE)
_OBJECT = re.compile(rb"\{(?!\s*[0-9.])")
_NOTHING_FIRST = re.compile(rb"\[(?:\s*(?:null|[0-9])\s*,)+\s*[\"{\[]")  # an array of records
_NAME = re.compile(r" *[^\W\d][^.*]{0,40} *")  # of a column; most puzzles have other signs, or digits alone
# the name of a solution before a full grid, or on the line above: of a book, whose solutions are no records
_SOLUTION = (  # compiled when a word of it is there
    rf"""(?mx)^[^\w\n]{{0,10}}(?i:the[ ])?{SOLUTION_NAME}[^\n]{{0,30}}[\n:=|]\s{{0,9}}
    [^\w\n]{{0,4}}(?:[1-9][ ,;]{{0,2}}){{81}}""".encode()
)
_SOLUTION_WORDS = [word.encode() for word in SOLUTION_NAMES + SOLUTION_SIGNS]
# ``;`` right before 81 cells is an empty field, and ``#`` with a number a count, if 81 cells follow
_COMMENT = re.compile(rb"#(?!\d+[ \t,;:#|\"]+%b)|//|;(?!%b)" % (_PUZZLE, _PUZZLE))
_SHORTEST = 60  # bytes of what may be meant as a puzzle in a line
_SEPARATED = 160  # bytes of 81 cells with something between
_DRAWN_ROWS = 2  # more lines of cells are a board that is drawn, though a faulty one
_FEW_BYTES = 1 << 13  # in which nearly all texts of boards have one
_HEAD_RECORDS = 1000  # at the beginning, in which a column that the user named must have a puzzle
_HEAD_BYTES = 1 << 18  # in which these records must be


class Head:
    """What rules of recognition look at: the first bytes of an input, its name, and the user's choices.

    What a rule has parsed is kept for the reader.
    """

    def __init__(self, source: Source, settings: Reading) -> None:
        self.source = source
        self.settings = settings
        self.content = source.peek(HEAD)
        self.file, _ = without_compression(source.name)
        self.reader: Reader | None = None
        """The reader of CSV or JSON lines, if it found its column."""

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines, without comments and blank ones."""
        return significant_lines(self.content)

    @cached_property
    def has_puzzle_lines(self) -> bool:
        """Whether some line begins with a puzzle."""
        return any(map(is_puzzle_line, self.lines))

    @cached_property
    def are_puzzle_lines(self) -> bool:
        """Whether each line begins with a puzzle."""
        return bool(self.lines) and all(map(is_puzzle_line, self.lines))

    @cached_property
    def most_have_puzzles(self) -> bool:
        """Whether most lines have a puzzle in some field."""
        return 2 * sum(map(_holds_puzzle, self.lines)) > len(self.lines)

    @cached_property
    def names_solutions(self) -> bool:
        """Whether a full grid on a line is behind or below the name of a solution."""
        text = self.content.lower()  # the pattern alone takes a tenth of the time of 1,000 lines
        return (
            any(word in text for word in _SOLUTION_WORDS)
            and re.search(_SOLUTION, self.content.replace(b"\r", b"")) is not None
        )

    @cached_property
    def table(self) -> str:
        """``csv`` or ``jsonl`` by the suffix, a header or objects; nothing for other text."""
        for name in ("csv", "jsonl"):
            if self.file.endswith(FORMATS[name].suffixes) and not (name == "csv" and _is_text(self.lines)):
                return name
        if not self.lines or self.are_puzzle_lines:
            return ""
        if _is_header(self.lines[0]):
            return "csv"
        if _is_json(self.lines[0]) or 2 * sum(map(_is_object, self.lines)) > len(self.lines):
            return "jsonl"  # perhaps the first one is damaged
        has_header = self.most_have_puzzles and not _holds_puzzle(self.lines[0]) and _is_table(self.lines)
        return "csv" if has_header else ""

    @cached_property
    def text(self) -> str:
        """The first bytes as a reader of boards has them; of more, whole lines, as a sign may be cut."""
        from unidoku.files.grids import text_of_piece

        end = last_line_end(self.content, 0, HEAD) if len(self.content) == HEAD else 0
        return text_of_piece(self.content[: end or HEAD].removeprefix(BOM))

    @cached_property
    def records(self) -> list[Any]:
        """The boards in the first bytes, and what is like a board."""
        from unidoku.parse.uses import records_in  # not at the top: a check of lines starts faster

        return records_in(self.text)


class Rule(NamedTuple):
    """A rule of recognition: the format of an input for which it holds, and why."""

    format: str
    holds: Callable[[Head], bool]
    reason: str


def _has_suffix(format: Format) -> Rule:
    """Return the rule of the suffixes of a format."""
    return Rule(format.name, lambda head: head.file.endswith(format.suffixes), "its name ends so")


def _has_magic(format: Format) -> Rule:
    """Return the rule of the first bytes of a format."""
    return Rule(format.name, lambda head: head.content.startswith(format.magic), "its first bytes are these")


def _is_table_of_puzzles(name: str) -> Rule:
    """Return the rule of a table, CSV or JSON lines, that has puzzles."""
    return Rule(
        name,
        lambda head: head.table == name and _has_records(head),
        "a suffix, a header or objects, and a column of puzzles",
    )


def _is_drawn(head: Head) -> bool:
    """Return whether the first bytes have a board, or rows of one; beside lines of 81 cells, a drawn one."""
    from unidoku.parse.board import Fault  # not at the top: a check of lines starts faster
    from unidoku.parse.places import NO_PUZZLE
    from unidoku.parse.uses import records_in

    if len(head.content) >= HEAD and not head.has_puzzle_lines:  # what is read here is read again
        few = records_in(head.text[:_FEW_BYTES], is_cut=True)
        if any(not isinstance(record, Fault) for _, _, record in few):
            return True
    found = [record for _, _, record in head.records]
    return any(
        (
            record.lines > _DRAWN_ROWS
            or record.message == NO_PUZZLE
            or (len(found) == 1 and record.cells >= _SHORTEST)
        )
        if isinstance(record, Fault)
        else record.layout != "line" or not head.has_puzzle_lines
        for record in found
    )


def _has_separated_cells(head: Head) -> bool:
    """Return whether the first line of a .csv is a puzzle whose cells are fields."""
    is_csv = head.file.endswith(FORMATS["csv"].suffixes)
    return is_csv and bool(head.lines) and separated_cells(head.lines[0]) is not None


def _begins(head: Head, start: bytes, part: bytes, count: int) -> bool:
    """Return whether the first line begins so, and one of the first `count` has a part."""
    return head.lines[:1] != [] and head.lines[0].startswith(start) and part in b"".join(head.lines[:count])


_TEXTS = ("lines", "csv", "jsonl")  # of which a suffix does not say enough
RULES = (
    *(_has_suffix(format) for format in FORMATS.values() if format.suffixes and format.name not in _TEXTS),
    *(_has_magic(format) for format in FORMATS.values() if format.magic),
    Rule("lines", _has_separated_cells, "a .csv whose first line has 81 cells as fields"),
    _is_table_of_puzzles("csv"),
    _is_table_of_puzzles("jsonl"),
    Rule("grid", lambda head: head.names_solutions, "full grids behind or below the name of a solution"),
    Rule(
        "lines",
        lambda head: head.are_puzzle_lines and not re.match(_MARKS, head.lines[0]),
        "each line begins with a puzzle, which is no row of candidates",
    ),
    Rule("opensudoku", lambda head: _begins(head, b"<", b"<opensudoku", 9), "OpenSudoku writes this element"),
    Rule("ss", lambda head: _begins(head, b"*-", b"|", 4), "Simple Sudoku and HoDoKu draw this frame"),
    Rule(
        "lines",
        lambda head: (
            head.most_have_puzzles
            and not (head.are_puzzle_lines or _OBJECT.match(head.lines[0]) or _is_header(head.lines[0], b"|"))
        ),
        "most lines have a puzzle in a field, are no objects, and have no names above",
    ),
    Rule("grid", _is_drawn, "boards, or rows of one"),
    Rule("csv", lambda head: head.table == "csv", "a suffix or a header; no column may have puzzles"),
    Rule("jsonl", lambda head: head.table == "jsonl", "a suffix, an object or an array"),
    Rule("lines", lambda head: True, "nothing else: each line is a record"),
)
"""The first rule that holds is the format of an input that no option names."""


def open_reader(source: Source, settings: Reading) -> Reader:
    """Return the reader of an open input."""
    head = Head(source, settings) if settings.format is None and source.format is None else None
    format = choose_format(source, settings, head)
    if settings.column is not None:
        _check_column(source, settings, format)
    if head is not None and head.reader is not None:
        return head.reader
    reader = format.reader()(source, settings)
    if head is not None and "records" in vars(head):
        reader.known = head.text, head.records
    return reader


def choose_format(source: Source, settings: Reading, head: Head | None = None) -> Format:
    """Choose the format of an input by its name in the options, otherwise by the first rule that holds."""
    if settings.format is not None:
        return format_named(settings.format)[0]
    if source.format is None:
        head = head or Head(source, settings)
        source.format = FORMATS[next(rule.format for rule in RULES if rule.holds(head))]
    format: Format = source.format
    return format


def _is_table(lines: list[bytes]) -> bool:
    """Return whether the first lines are a header and records of as many fields, one of them a puzzle.

    A line of one field, of numbers or of what is nearly a puzzle is no header, but a record.
    """
    import csv  # not at the top: a check of lines starts faster

    separator = max((",", ";", "\t"), key=lambda sign: lines[0].count(sign.encode()))
    names, *rows = csv.reader((line.decode("latin-1") for line in lines), delimiter=separator)
    if len(names) < 2 or not all(map(_NAME.fullmatch, names)):
        return False
    whole = [row for row in rows if len(row) == len(names)]
    return 2 * len(whole) > len(rows) and bool(columns_with_puzzles(range(len(names)), rows))


def _is_text(lines: list[bytes]) -> bool:
    """Return whether the first line has a puzzle among other text, and no field that is one."""
    first = lines[0] if lines else b""
    fields = (field.strip(b" \"'").decode("latin-1") for field in re.split(rb"[,;\t]", first))
    return _RUN.search(first) is not None and not any(map(puzzle_in, fields))


def _is_title(lines: list[bytes]) -> bool:
    """Return whether a name stands alone above rows of a board, which no field of a puzzle is as short as."""
    rows = lines[1:]
    return len(rows) > 8 and not re.search(rb"[,;\t]", lines[0]) and max(map(len, rows)) < _SHORTEST


def _are_records(lines: list[bytes]) -> bool:
    """Return whether each of several lines is an object, or some line has a puzzle: all are records then."""
    return len(lines) > 1 and (all(map(_is_object, lines)) or any(map(_RUN.search, lines)))


def _is_object(line: bytes) -> bool:
    """Return whether a line is in braces, and no row of digits."""
    return _OBJECT.match(line) is not None and line.endswith(b"}")


def _has_known_name(lines: list[bytes]) -> bool:
    """Return whether the first record has a name of the puzzles' column between separators."""
    names = re.findall(rb"""(?:^|[,;\t{]) *["']?([A-Za-z_]{1,20})["']? *(?=$|[,;\t:])""", b"".join(lines[:1]))
    is_title = re.fullmatch(rb"[^,;\t]*[,;\t]{2,}", b"".join(lines[:1]))
    return not is_title and any(name.lower().decode() in PUZZLE_NAMES for name in names)


def _has_records(head: Head) -> bool:
    """Return whether a table has puzzles; a reader that looked for its column is kept."""
    if head.settings.column is not None:
        return True
    if (_has_known_name(head.lines) and not _is_title(head.lines)) or _are_records(head.lines):
        return True
    if head.table == "csv":
        from unidoku.files.csv import CsvReader

        with suppress(UnidokuError):
            table = CsvReader(head.source, head.settings)
            head.reader = table if table.has_puzzles() else None
        return head.reader is not None
    if len(head.content) >= HEAD:  # a long array
        return True
    with suppress(UnidokuError):
        copy = Source(BytesIO(head.content), head.source.name)
        reader = FORMATS["jsonl"].reader()(copy, head.settings)
        batches = (batch for chunk in reader.chunks(lambda: HEAD) for batch in chunk())
        first = next(batches, None)
        if first is not None and not isinstance(first, UnidokuError) and len(first):
            head.reader = _FirstBatchReader(head.source, head.settings, chain([first], batches))
    return head.reader is not None


class _FirstBatchReader(Reader):
    """A reader of a small input whose first batch is there."""

    def __init__(self, source: Source, settings: Reading, batches: Iterator[Batch | UnidokuError]) -> None:
        super().__init__(source, settings)
        self._all = batches

    def chunks(self, target: Callable[[], int]) -> Iterator[Chunk]:
        """Yield the batches as one chunk."""
        self.source.read(HEAD)
        yield lambda: self._all
        if self.source.failure is not None:
            raise self.source.failure


def _is_header(line: bytes, separators: bytes = b",;\t") -> bool:
    """Return whether a line has a name of the puzzles' column, and no puzzle."""
    if _RUN.search(line):
        return False
    for separator in separators:
        names = line.split(bytes([separator]))
        if any(name.strip(b" \"'").lower().decode("latin-1") in PUZZLE_NAMES for name in names):
            return True
    return False


def _is_json(line: bytes) -> bool:
    """Return whether a line begins an object, an array of records, or a puzzle as a list or a string."""
    if line.endswith(b",") and line.count(b"[") == line.count(b"]"):
        return False  # lists of a program, one a line
    if line.startswith(b"["):
        start = line[1:].lstrip()[:1]
        is_list = start in b'[{"]' or _NOTHING_FIRST.match(line) is not None
        return not start or is_list or (line.endswith(b"]") and line.count(b",") == 80)
    return _OBJECT.match(line) is not None or (line[:1] == line[82:83] == b'"' and not line[83:].strip())


def significant_lines(content: bytes) -> list[bytes]:
    """Return the first complete lines that are neither blank nor comments."""
    pieces = content.removeprefix(BOM).splitlines(keepends=True)
    if len(content) >= HEAD and len(pieces) > 1 and not pieces[-1].endswith((b"\n", b"\r")):
        pieces.pop()
    lines = map(bytes.strip, pieces)
    return [*islice((line for line in lines if line and not _COMMENT.match(line)), LINES)]


def _holds_puzzle(line: bytes) -> bool:
    """Return whether a line begins with a puzzle, or some field of it is one."""
    fields = re.split(rb"[\s,;:|]+", line)
    if is_puzzle_line(line) or any(puzzle_in(field.strip(b'"').decode("latin-1")) for field in fields):
        return True
    parts = re.split(rb"[\t,;:|]", line) if len(line) > _SEPARATED else []  # cells between blanks
    return any(cells_of_field(part.decode("latin-1").strip()) for part in parts)


def _check_column(source: Source, settings: Reading, format: Format) -> None:
    """Refuse a column where there is none, or without a puzzle in the first records if another has some."""
    if not format.rows:
        text = "{format} has no columns: leave out column (--column)"
        raise FormatError(Message("no columns", text, format=format.name))
    if format.columnar:
        head = None if source.path is None else open_source(source.path)
    else:
        head = Source(BytesIO(source.peek(_HEAD_BYTES)), source.name)
    if head is None or format.name == "npz":
        return
    puzzles, records = Counter[str](), 0
    batches = _read(format, head, settings._replace(keeps=True, needed=None), _HEAD_BYTES)
    with suppress(UnidokuError), head, closing(batches):
        for batch in batches:
            count = min(batch.size, _HEAD_RECORDS - records)
            if (batch.puzzle_rows < count).any():
                return
            for name, column in batch.columns.items():
                texts = (text_of_lists(value).strip() for value in column.to_list()[:count])
                puzzles[name] += sum(puzzle_in(text) is not None for text in texts)
            records += count
            if records == _HEAD_RECORDS:
                break
    names = ", ".join(quote(name) for name, count in puzzles.items() if 2 * count > records)
    if records == _HEAD_RECORDS and names:
        text = "none of the first {n} records has a puzzle in column {column}"
        message = Message("none in column", text, n=records, column=quote(str(settings.column)))
        raise FormatError(
            Message("puzzles in", "{message}; the puzzles are in {names}", message=message, names=names)
        )


def _read(format: Format, source: Source, settings: Reading, size: int) -> Generator[Batch]:
    """Read batches of about `size` bytes in a format."""
    for chunk in format.reader()(source, settings).chunks(lambda: size):
        for batch in chunk():
            if isinstance(batch, UnidokuError):
                raise batch
            yield batch
