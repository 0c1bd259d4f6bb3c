"""Which format a text is in, by its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unidoku.cell import VALUES
from unidoku.errors import FormatError
from unidoku.files.readers.text import shown
from unidoku.native.text.scan import separated_cells

__all__ = ["CSV_NAMES", "begins_with_cells", "formats_of", "puzzle_column"]

CSV_NAMES = ("puzzle", "quizzes", "question", "sudoku", "initial_board", "grid", "quiz", "puzzles")
"""Names of the puzzle's column in well-known data sets."""

_FIELDS = {"library", "exchange", "gsf"}  # kinds of lines that are formats
_LINES = 100  # significant lines looked at
_SYMBOLS = frozenset("".join(VALUES).encode())
# What follows the 81 cells of every line: number of solutions, solution; solution, or number and reason.
_DIALECTS = {
    "tdoku": rb":[0-9]{1,19}(:[1-9]{81}(:.*)?)?",
    "stevehjohn": rb",([1-9]{81}|[0-9]+,[A-Za-z]+)",
}
_SEPARATORS = frozenset(b' \t,;:#|"')
_MAGIC = ((b"PAR1", "parquet"), (b"ARROW1", "arrow"), (b"FEA1", "arrow"), (b"\xff\xff\xff\xff", "arrow"))


def formats_of(head: bytes) -> list[str]:
    """Names of the formats the content can be of.

    Parameters
    ----------
    head : bytes
        The beginning of the content, decompressed.

    Returns
    -------
    list of str
        One name where the content is certain; several where it fits several formats that would be read
        differently; none where nothing fits but lines.
    """
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return [name]
    head = head.removeprefix(b"\xef\xbb\xbf")
    lines = list(_significant(head))
    if not lines:
        return []
    first = lines[0].lstrip()
    if first.startswith(b"<"):
        return ["opensudoku"]
    if first.startswith((b"{", b"[[", b"[ [", b'["')) or _is_json_array(first):
        return ["jsonl"]
    if _is_header(first):
        return ["csv"]
    kinds = [_line_kind(line) for line in lines]
    if all(kind == "line" for kind in kinds):
        return _dialect(lines)
    found = sorted(set(kinds) & _FIELDS)
    if kinds.count("other") >= len(kinds) / 2:
        found += _grids(head)
    if "line" in kinds and found:
        found.insert(0, "lines")
    return found


def begins_with_cells(head: bytes) -> bool:
    """Return whether the first line has 81 fields of one cell each."""
    first = next(_significant(head.removeprefix(b"\xef\xbb\xbf")), b"")
    return separated_cells(first) is not None


def _significant(head: bytes) -> Iterator[bytes]:
    """Yield the first lines that are neither blank nor comments; never one that is cut off."""
    count = 0
    pieces = head.splitlines(keepends=True)
    if len(pieces) > 1 and not pieces[-1].endswith((b"\n", b"\r")):
        pieces.pop()
    for piece in pieces:
        line = piece.strip()
        if line and line[:1] not in (b"#", b";") and not line.startswith(b"//"):
            yield line
            count += 1
            if count == _LINES:
                return


def is_puzzle(field: bytes) -> bool:
    """Return whether these are 81 cells."""
    return len(field) == 81 and _SYMBOLS.issuperset(field)


def _is_json_array(line: bytes) -> bool:
    """Return whether a line is a list of 81 values."""
    return line[:1] == b"[" and line[-1:] == b"]" and line.count(b",") == 80


def _is_header(line: bytes) -> bool:
    for separator in (b",", b";", b"\t"):
        names = [name.strip(b" \"'").lower() for name in line.split(separator)]
        if any(name.decode("latin-1") in CSV_NAMES for name in names):
            return True
    return False


def _line_kind(line: bytes) -> str:
    for width in (81, 729):
        ends = len(line) == width or (len(line) > width and line[width] in _SEPARATORS)
        if ends and _SYMBOLS.issuperset(line[:width]):
            return "line"
    if separated_cells(line) is not None:
        return "line"
    if line[:1] == b":" and line[1:5].isdigit() and line.count(b":") in (6, 7):
        return "library"
    if line.count(b",") >= 6 and is_puzzle(line.split(b",")[4].strip()):
        return "gsf"
    fields = line.split()
    if len(fields) == 3 and len(fields[0]) == 12 and is_puzzle(fields[1]):
        return "exchange"
    if any(is_puzzle(field.strip(b'"')) for field in line.replace(b",", b" ").replace(b";", b" ").split()):
        return "later"  # the line reader finds the field
    return "other"


def _dialect(lines: list[bytes]) -> list[str]:
    """Lines whose remainder has a known meaning."""
    for name, rest in _DIALECTS.items():
        if all(re.fullmatch(rest, line[81:], re.DOTALL) for line in lines):
            return [name]
    return ["lines"]


def _grids(head: bytes) -> list[str]:
    """Return the kind of grids over several lines, if there are rows of any."""
    from unidoku.files.readers.gridline import Kind, classify

    text = head[: 1 << 14].decode("utf-8", "replace")
    rows, framed, meta, sdx = 0, False, False, 0
    for line in text.splitlines()[:_LINES]:
        if _line_kind(line.strip().encode()) == "line":
            continue  # a whole puzzle: no sign of a grid among bad lines
        kind, _ = classify(line)
        if kind in (Kind.ROW, Kind.MAYBE, Kind.GROUPS):
            rows += 1
        elif kind is Kind.BORDER:
            framed = framed or line.strip().startswith("*-")
        elif kind is Kind.COMMENT and not rows:
            meta = meta or _is_metadata(line.strip())
        elif kind is Kind.TEXT:
            cells = line.split()
            sdx += len(cells) == 9 and all(cell.removeprefix("u").isdigit() for cell in cells)
    if sdx and rows + sdx >= 3:
        return ["sdx"]
    if rows < 3:
        return []
    return ["ss" if framed else "sdk" if meta else "grid"]


def _is_metadata(line: str) -> bool:
    """Return whether a line is ``#``, one letter and a value, and not a comment that begins with a word."""
    return (
        line[1:2] in tuple("ADCBSLU") and line[:1] == "#" and not (line[2:3].islower() or line[2:3].isspace())
    )


def puzzle_column(names: list[str], column: str | None, found: list[int] | None = None) -> int:
    """Return the column of the puzzles: the one named, or the one with a well-known name, or the only one.

    Parameters
    ----------
    names : list of str
        The columns.
    column : str or None
        The name, or the number from 1, that the user gave.
    found : list of int, optional
        The columns that can be meant without it; default: those with well-known names, or the only one.

    Raises
    ------
    FormatError
        When there is none, or more than one could be meant.
    """
    there = ", ".join(map(shown, names[:20]))
    if column is not None:
        if column in names:
            return names.index(column)
        if column.isascii() and column.isdigit() and 1 <= int(column) <= len(names):
            return int(column) - 1
        raise FormatError(f"expected a column {shown(column)}, found {there}")
    if found is None:
        found = [i for i, name in enumerate(names) if name.lower() in CSV_NAMES or len(names) == 1]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(shown(names[i]) for i in found[:20])
        raise FormatError(
            f"the puzzle could be in any of the columns {several}; say which with --column (or column)"
        )
    known = ", ".join(CSV_NAMES)
    raise FormatError(f"expected a column {known} or one named with --column (or column), found {there}")
