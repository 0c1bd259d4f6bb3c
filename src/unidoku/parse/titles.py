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

from unidoku.cell import fault
from unidoku.errors import Message
from unidoku.parse.board import Fault
from unidoku.parse.lines import SIGNS, count_of
from unidoku.parse.names import NO_VALUES
from unidoku.parse.runs import Record

_NUMBERED = re.compile(
    r"^(?P<name>[^\d\n]{0,40})(?P<number>\d{1,9}(?:[-./]\d{1,4}){0,2})(?!\d)(?P<rest>[^\n]{0,60})$",
    re.MULTILINE,
)
_LETTER = re.compile(r"[^\W\d_]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_NOTHING = re.compile(rf"(?im)(?:^[ \t]*\n|\A)[ \t]*({'|'.join(NO_VALUES)})[ \t]*(?:\n[ \t]*$|\Z)")
_ROW_LEAST = 8  # signs of cells without a letter that are like a row
_BETWEEN = 3  # lines between a title and its board
_SHOWN = 40  # characters of a title in a message

Title = re.Match[str]


def titles_alone(text: str, records: Sequence[Record], *, is_begin: bool) -> Iterator[Fault]:
    """Yield the faults of titles, and of values for nothing, in the place of a board.

    With `is_begin` no board stands before the text.
    """
    ends = [0, *(stop for _, stop, _ in records)]
    starts = [*(start for start, _, _ in records), len(text)]
    gaps = [(stop, start) for stop, start in zip(ends, starts, strict=True) if start - stop > 1]
    groups = dict[tuple[str, str], list[Title]]()
    for stop, start in gaps:
        for title in _NUMBERED.finditer(text, stop, start):
            if form := _form_of(title):
                groups.setdefault(form, []).append(title)
    lost = list[tuple[int, int]]()  # where the parts of titles without a board begin and end
    for own in groups.values():
        for title, end in _without_board(text, own, starts[:-1], ends, is_begin=is_begin):
            lost.append((title.start(), end))
            shown = title[0].strip()[:_SHOWN]
            message = Message("no board", "no board below {title}", title=shown)
            yield Fault(message, title.start(), 81)
    for stop, start in gaps if records else ():
        for match in _NOTHING.finditer(text, stop, start):
            place = match.start(1)
            if not any(begin < place < end for begin, end in lost):
                yield Fault(fault(Message("a board", "a board"), repr(match[1])), place, 81)


def _form_of(title: Title) -> tuple[str, str]:
    """Return what titles of one form have in common: their words, or the signs around a bare number."""
    name, rest = title["name"].strip().lower(), title["rest"].strip()
    if _LETTER.search(name):
        return name, ""
    has_words = _LETTER.search(rest) is not None
    if not has_words and (any(map(str.isdigit, rest)) or count_of(name + rest, SIGNS) >= _ROW_LEAST):
        return "", ""  # a row
    kind = "-" if "-" in title["number"] else "1"  # a date
    return f"{name}{kind}", rest[:1] if rest and not rest[0].isalnum() else ""


def _without_board(
    text: str, titles: Sequence[Title], starts: Sequence[int], ends: Sequence[int], *, is_begin: bool
) -> Iterator[tuple[Title, int]]:
    """Yield those titles of one form that have no board before the next one, and where that begins."""
    known, lost, count = set[str](), list[tuple[Title, int]](), 0
    bounds = [*(title.start() for title in titles), len(text)]
    are_titles = is_begin and bisect_left(starts, bounds[0]) == 0
    for title, (begin, end) in zip(titles, pairwise(bounds), strict=True):
        place = bisect_left(starts, begin)
        if place == len(starts) or starts[place] >= end:
            lost.append((title, end))
            continue
        below, above = text[title.end() : starts[place]], text[ends[place] : begin]
        is_parted = [_BLANK_LINE.search(part) is not None for part in (above, below)]
        if place and is_parted == [False, True]:
            return  # they stand below boards
        are_titles = are_titles or is_parted == [True, False] or "\n" not in below
        count += 1 if sum(map(bool, map(str.strip, below.split("\n")))) <= _BETWEEN else -1
        known.add(title["number"])
    lost = [(title, end) for title, end in lost if title["number"] not in known]  # of a list of contents
    if are_titles and 0 < len(lost) <= count:
        yield from {title["number"]: (title, end) for title, end in lost}.values()
