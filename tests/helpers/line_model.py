"""Model of the native scanner: the rules of puzzle lines, plain and slow."""

import re
from typing import NamedTuple

from unidoku._native.text.columns import (
    REJECT_AFTER,
    REJECT_CELL,
    REJECT_FIELDS,
    REJECT_LENGTH,
    REJECT_LONG,
)

SEPARATORS = b' \t,;:#|"'
CELLS = b"1234567890.*_-xX?"


class Puzzle(NamedTuple):
    """A puzzle: its place in a line, and its cells as read."""

    line: int
    start: int
    cells: bytes
    before: bytes
    rest: bytes


class Bad(NamedTuple):
    """A line that is not a puzzle: code and offset of the fault."""

    line: int
    code: int
    at: int


def physical_lines(text):
    """Split a text at LF, CRLF and lone CR."""
    lines = re.split(rb"\r\n|\n|\r", text)
    if not lines[-1]:
        lines.pop()
    return lines


def entries(text, *, column=0, keep=False, line_max=1 << 20):
    """Return the puzzles and bad lines of a text, in order."""
    records = []
    for number, line in enumerate(physical_lines(text), 1):
        entry = judge(number, line, column, keep=keep, line_max=line_max)
        if entry is not None:
            records.append(entry)
    return records


def judge(number, line, column=0, *, keep=False, line_max=1 << 20):
    """Read one line."""
    whole = len(line)
    line = line[:line_max]
    cut = whole > len(line)
    text = line.lstrip(b" \t")
    if not text:
        return Bad(number, REJECT_LONG, len(line)) if cut else None
    if is_comment(text):
        return None
    start = len(line) - len(text)
    if cut and keep:
        return Bad(number, REJECT_LONG, -1)
    if column:
        starts = fields_of(line)
        if column not in starts:
            return Bad(number, REJECT_LONG if cut else REJECT_FIELDS, len(line))
        start = starts[column]
    end = start
    while end < len(line) and line[end] in CELLS and end - start < 730:
        end += 1
    cells = line[start:end]
    if cut and end == len(line):
        return Bad(number, REJECT_LONG, end)
    over = end == len(line) or line[end] in SEPARATORS
    if len(cells) != 81:
        return Bad(number, REJECT_LENGTH if over or len(cells) > 81 else REJECT_CELL, end)
    if not over:
        return Bad(number, REJECT_AFTER, end)
    signs = cells.translate(None, b"123456789")
    second = next((k for k, sign in enumerate(cells) if sign in signs.replace(signs[:1], b"")), None)
    if second is not None or (len(signs) == 81 and signs[0] not in b".0"):
        return Bad(number, REJECT_CELL, start + (second or 0))
    return Puzzle(number, start, cells, line[:start], line[end + 1 :])


def is_comment(text):
    """Return whether a line is a comment; 81 cells behind ``;``, or behind ``#`` and a number, are none."""
    begin = re.match(rb';|#[0-9]+[ \t,;:#|"]+', text)
    if begin and isinstance(judge(1, text[begin.end() :]), Puzzle) and text[begin.end() :][:1] not in b" \t":
        return False
    return text.startswith((b"#", b"//", b";"))


def fields_of(line):
    """Return where texts between separators begin, by their numbers; nothing between two has one, too."""
    starts, number = {}, 0
    text = line.lstrip(b" \t")
    for match in re.finditer(rb'([ \t,;:#|"]*)([^ \t,;:#|"]+)', text):
        signs = sum(match[1].count(sign) for sign in (b",", b";", b"\t"))
        number += 1 + max(0, signs - (match.start() > 0))
        starts[number] = len(line) - len(text) + match.start(2)
    return starts
