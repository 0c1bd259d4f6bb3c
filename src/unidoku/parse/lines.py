"""A line of plain signs and its kind: blank, a rule, cells and nothing else, nearly cells, or text.

Reads one line, whoever wrote it, and what is known of it without its shapes: how many cells it has, whether
it is the heading of columns, or the rule of a table below one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from unidoku.parse.plain import MARKED, MINUS, SETS

SIGNS = f"0123456789.*_xX?{MINUS}-{MARKED}"
"""The signs of cells."""
_CELL = f"[0-9.*_xX?{MINUS}{MARKED}-]"
_GAP = r"(?>[ \t]*)(?:(?:[,;/&:\\]|\|{1,2})(?>[ \t]*))?"
READ = "\0"
"""What stands in the place of a board that was read."""
SEGMENT = re.compile(rf"(?<![^\W_]){_CELL}(?:{_GAP}{_CELL})*+")
"""Cells with gaps, as many as there are: a pattern that stops at nine would cut a row of ten."""
CELLS = re.compile(f"({_CELL})")
LEAST_CELLS = 8
"""Cells of a line that may be a row."""
WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_xX]")
"""A word; an x alone is a cell."""
_FIELDS = frozenset(SIGNS)
QUOTES = " \t\"'`()[]{}*"
_RULE = "->=+*.:|_ \t~^#'`,;oO\\/&[](){}\""
HEAD_RULE = re.compile(r"[\s>]*\|?(?:\s*:?-+:?\s*\|){8,9}(?:\s*:?-+:?)?\s*")
"""The rule below the heading of a table of Markdown."""
_FRAME_RULE = re.compile(r"\+[-=+]{9,}\+")
_FORMULA = re.compile(
    r"[@$%#!^=]|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$|^\s*[\d/.,]{0,12}\d{1,2}:\d\d(?::\d\d)?\s*$"
)
_LETTER_LABEL = re.compile(r"\s*[A-J](?=[ |:.)])")
_GAP_SIGNS = b" \t,;/&:\\|"
_NUMERALS = bytes(ord("0") if chr(code) in SIGNS else code for code in range(256))
_NO_CELLS = str.maketrans(dict.fromkeys(SIGNS))
_BARE = str.maketrans(dict.fromkeys("|,;:/\\& \t\r[](){}<>\"'`"))
_LONGEST_NEAR = 60
_LONGEST_HEAD = 120
ANY = frozenset(".0*_")
"""A cell with any candidate among groups of them: the empty signs of Sukaku Explainer."""
_LONGEST = 1200  # characters of a line that is looked at: 81 groups of candidates, and their frame
_HEADS = ("123456789", "012345678", "ABCDEFGHI", "ABCDEFGHJ")
_NO_HEAD = re.compile(r"[^0-9A-Za-z]|(?<![A-Za-z])[CcRr](?=[1-9])")


class Line(NamedTuple):
    """A line of plain text."""

    start: int
    text: str
    kind: str
    """blank, rule, cells (and nothing else), near (a row but for a sign), or text."""
    size: int
    """How many cells it has: of text eight, if it has so many in one segment."""


def line_of(start: int, text: str) -> Line:
    """Return a line, which begins at a place, with its kind."""
    if not text.strip(" \r") or (not text.strip() and text.count("\t") < 8):
        return Line(start, text, "blank", 0)
    if len(text) > _LONGEST or READ in text:
        return Line(start, text, "text", 0)
    if not text.strip(_RULE) or ("+" in text and _FRAME_RULE.search(text)):
        return Line(start, text, "rule", 0)
    total = count_of(text)
    has_letters = may_have_letters(text)
    start_of_words = label.end() if has_letters and (label := _LETTER_LABEL.match(text)) else 0
    if start_of_words and not total and not text[start_of_words:].strip(" |\r"):
        return Line(start, text, "cells", 0)  # a blank row in a frame, with its letter
    if has_letters and WORD.search(text, start_of_words):
        size = LEAST_CELLS if total >= LEAST_CELLS and has_eight(text) else 0
        return Line(start, text, "near" if is_near(text) else "text", size)
    is_text = not total or _FORMULA.search(text)
    if is_text or has_letters:  # without letters all cells are in segments
        sizes = [*map(count_of, SEGMENT.findall(text))]
        total = sum(sizes)
        if is_text or not total:
            return Line(start, text, "near" if is_near(text) else "text", max(sizes, default=0))
    return Line(start, text, "cells", total)


def count_of(text: str, signs: str = SIGNS) -> int:
    """Return how many of its signs are among others."""
    if text.isascii():  # of bytes signs are deleted ten times as fast
        return len(text) - len(text.encode().translate(None, _ascii_of(signs)))
    return sum(map(text.count, signs))


@cache
def _ascii_of(signs: str) -> bytes:
    """Return the signs of ASCII among others."""
    return signs.encode("ascii", "ignore")


def has_eight(text: str) -> bool:
    """Return whether eight cells follow each other, with gaps."""
    if text.isascii() and b"0" * LEAST_CELLS not in text.encode().translate(_NUMERALS, _GAP_SIGNS):
        return False  # nearly all lines of words
    return any(count_of(part) >= LEAST_CELLS for part in SEGMENT.findall(text))


def may_have_letters(text: str) -> bool:
    """Return whether a text may have letters or digits beyond ASCII."""
    return not text.isascii() or text.lower() != text.upper()


def is_near(text: str) -> bool:
    """Return whether a line is like a row, but for one or two signs that are no cells."""
    groups = text.replace("|", " ").split()
    if len(groups) == 9 and 9 > sum(group in SETS or group in ANY for group in groups) > 6:
        return True
    if len(text) > _LONGEST_NEAR:
        return False
    symbols = text.translate(_BARE)
    others = symbols.translate(_NO_CELLS)
    kinds = len({"1" if other.isnumeric() else other for other in others})  # a digit of another script
    known = len(symbols) - len(others)
    most = 1 if _FORMULA.search(text) else 2
    is_one = kinds == 1 and len(symbols) == 9
    if 0 < kinds <= most and 6 < len(symbols) < 13 and (known > 4 or is_one):
        return True
    fields = max((text.split(separator) for separator in "|,;\t"), key=len)
    if (
        8 < len(fields) < 12
        and max(map(len, fields)) < 9
        and sum(f.strip(QUOTES) in _FIELDS for f in fields) > 3
    ):
        return True
    is_drawn = text.count("|") > 1 or "  " in text.strip()
    return is_drawn and len(others) == 1 and 0 < known < 10


def is_heading(text: str) -> bool:
    """Return whether a line has the numbers or the letters of the columns."""
    return len(text) < _LONGEST_HEAD and _NO_HEAD.sub("", text).upper() in _HEADS


def are_heading(cells: Sequence[str]) -> bool:
    """Return whether nine cells may be the numbers or the letters of the columns."""
    return "".join(cells).upper() in _HEADS


def has_head_rule(lines: Sequence[Line]) -> bool:
    """Return whether one of some lines is the rule below the heading of a table of Markdown."""
    return any(HEAD_RULE.fullmatch(line.text) for line in lines)


def begins_table(lines: Sequence[Line], number: int) -> bool:
    """Return whether the rule of a heading is below a line, and no row above it."""
    return has_head_rule(lines[number + 1 : number + 2]) and lines[number - 1].kind in {"blank", "text"}
