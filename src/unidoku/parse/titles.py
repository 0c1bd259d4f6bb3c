"""Titles of the boards of a file: one whose board is missing is a record that would vanish.

A title is a line with a number, of books, chats and problem 96 of Project Euler: most lines of its form have
a board below, and the first one stands above the first board. What a line in the place of a board has for
nothing (``N/A``) is a record too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from unidoku.cell import fault, wrong_size
from unidoku.errors import Message
from unidoku.parse.board import Board, Fault
from unidoku.parse.lines import SIGNS, count_of
from unidoku.parse.names import NO_VALUES
from unidoku.parse.runs import Record

_NUMBERED = re.compile(
    r"^(?P<name>[^\d\n]{0,40})(?P<number>\d{1,4}([-./])\d{1,2}\3\d{1,4}|\d{1,9})(?!\d)(?P<rest>[^\n]{0,60})$",
    re.MULTILINE,
)
_LETTER = re.compile(r"[^\W\d_]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_NOTHING = re.compile(rf"(?im)(?:^[ \t]*\n|\A)[ \t]*({'|'.join(NO_VALUES)})[ \t]*(?:\n[ \t]*$|\Z)")
_ROW_LEAST = 8  # signs of cells without a letter that are like a row
_LINE = re.compile(r"[^\n]+")
_NUMBER = re.compile(r"\d+")
_HAS_WORDS = re.compile(r"[^\W\d_]{2}|[^\s\w]\s*[\"']$")
_RUN_OF_CELLS = re.compile(rf"[{re.escape(SIGNS)}]+")
_BETWEEN = 3  # lines between a title and its board
_SHOWN = 40  # characters of a title in a message

Title = re.Match[str]


def titles_alone(text: str, records: Sequence[Record], *, is_begin: bool) -> Iterator[Fault]:
    """Yield the faults of titles, and of values for nothing, in the place of a board.

    With `is_begin` no board stands before the text.
    """
    gaps = _gaps_of(text, records)
    groups = dict[tuple[str, str], list[Title]]()
    for stop, start in gaps:
        for title in _NUMBERED.finditer(text, stop, start):
            if form := _form_of(title):
                groups.setdefault(form, []).append(title)
    lost = list[tuple[int, int]]()  # where the parts of titles without a board begin and end
    for own in (own for own in groups.values() if len(own) > 1):
        for title, end in _without_board(text, own, records, is_begin=is_begin):
            lost.append((title.start(), end))
            shown = title[0].strip()[:_SHOWN]
            message = Message("no board", "no board below {title}", title=shown)
            yield Fault(message, title.start(), 81)
    for stop, start in gaps if records else ():
        for match in _NOTHING.finditer(text, stop, start):
            place = match.start(1)
            if not any(begin < place < end for begin, end in lost):
                yield Fault(fault(Message("a board", "a board"), repr(match[1])), place, 81)


def lines_alone(text: str, records: Sequence[Record]) -> Iterator[Fault]:
    """Yield the faults of lines that begin as lines with a board do, and have none: code, logs, pages.

    Such a beginning has words or signs, in which numbers differ; what is behind it in the place of the cells
    may be nothing.
    """
    forms = set[str]()
    for start, _, record in records:
        if isinstance(record, Board) and record.layout == "line":
            before = _without_numbers(text[text.rfind("\n", 0, start) + 1 : start])
            if _HAS_WORDS.search(before):
                forms.add(before)
    beginnings = (*forms,)
    for stop, start in _gaps_of(text, records) if forms else ():
        for match in _LINE.finditer(text, stop, start):
            begin, end = match.span()
            is_used = (
                _number_at(records, begin) < _number_at(records, end + 1)
                or text[begin - 1 : begin] not in "\n"
            )
            if is_used or not _without_numbers(match[0]).startswith(beginnings):
                continue
            cells = max(map(len, _RUN_OF_CELLS.findall(match[0])), default=0)
            yield Fault(wrong_size(cells), begin, cells)


def _number_at(records: Sequence[Record], place: int) -> int:
    """Return the number of the first record that begins at a place or behind it."""
    return bisect_left(records, place, key=itemgetter(0))


def _without_numbers(text: str) -> str:
    """Return a text with one sign for each number."""
    return _NUMBER.sub("0", text)


def _gaps_of(text: str, records: Sequence[Record]) -> list[tuple[int, int]]:
    """Return where the text between records begins and ends."""
    ends = [0, *(stop for _, stop, _ in records)]
    starts = [*(start for start, _, _ in records), len(text)]
    return [(stop, start) for stop, start in zip(ends, starts, strict=True) if start - stop > 1]


def _form_of(title: Title) -> tuple[str, str] | None:
    """Return what titles of one form have in common: their words, or signs around a number; a row is none."""
    name, rest = title["name"].strip().lower(), title["rest"].strip()
    if _LETTER.search(name):
        return name, ""
    has_words = _LETTER.search(rest) is not None
    kind, bare = title[3] or "1", name + rest  # of a date its signs
    count = count_of(bare, SIGNS) + (0 if title[3] else len(title["number"]))
    if not has_words and (any(map(str.isdigit, rest)) or count >= _ROW_LEAST):
        return None
    return f"{name}{kind}", rest[:1] if rest and not rest[0].isalnum() else ""


def _without_board(
    text: str, titles: Sequence[Title], records: Sequence[Record], *, is_begin: bool
) -> Iterator[tuple[Title, int]]:
    """Yield those titles of one form that have no board before the next one, and where that begins."""
    known, lost, count = set[str](), list[tuple[Title, int]](), 0
    bounds = [*(title.start() for title in titles), len(text)]
    are_titles = is_begin and _number_at(records, bounds[0]) == 0
    for title, (begin, end) in zip(titles, pairwise(bounds), strict=True):
        place = _number_at(records, begin)
        start, _, record = records[place] if place < len(records) else (end, end, None)
        if start >= end:
            lost.append((title, end))
            continue
        below, above = text[title.end() : start], text[records[place - 1][1] if place else 0 : begin]
        is_parted = [_BLANK_LINE.search(part) is not None for part in (above, below)]
        if place and is_parted == [False, True]:
            return  # they stand below boards
        are_titles = are_titles or is_parted == [True, False] or "\n" not in below
        is_near = sum(map(bool, map(str.strip, below.split("\n")))) <= _BETWEEN
        count += (1 if is_near else -1) * isinstance(record, Board)
        known.add(title["number"])
    lost = [(title, end) for title, end in lost if title["number"] not in known]  # of a list of contents
    if are_titles and 0 < len(lost) <= count:
        yield from {title["number"]: (title, end) for title, end in lost}.values()
