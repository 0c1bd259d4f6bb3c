"""Labels of nine lines, on either side of their cells: of rows, in their order, or a fault.

Reads the labels that were taken off nine lines of one shape, and what stands before and behind their cells,
whoever wrote them: a word with a number or a letter that varies is a label. Those of rows ascend by one from
line to line; others, and words for columns or boxes, say that the lines may be no rows. A remark whose form
varies is no label.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from unidoku.errors import Message
from unidoku.parse.board import Fault
from unidoku.parse.faults import of_row, other_labels, row_twice
from unidoku.parse.lines import CELLS, SEGMENT, Line
from unidoku.parse.order import OTHER_WORDS, WORDS
from unidoku.parse.plain import UNMARKED
from unidoku.parse.shapes import TIME, Row, Shape, follows, label_of

_PAIR = re.compile(
    r"(?:([^\W\d_]+)[\W_]{0,4})?(?<!\d)(?<!\d\.)(\d{1,2}|(?<![^\W_])[A-Ja-j](?![^\W_]))(?!\d|\.\d)"
    r"(?=(?:st|nd|rd|th)?[.):]?[ ]{0,3}([^\W\d_]*))"
)
_ROW_WORDS = frozenset({"row", "line", "r", "行", "行目"})
_NUMBER = re.compile(r"\d+|(?<![^\W_])[A-Ja-j](?![^\W_])")
_LINE_NUMBER = re.compile(rf"{TIME.pattern}|(?<![\w.])\d{{3,9}}(?![\w.])")
_LEAST = 5  # lines with a label among words, or with one that is no row's
_LETTERS = "ABCDEFGHJ"  # I may be left out
_SHOWN = 40  # characters of a label in a message
_EDGES = " \t\r:.=-*|>#{},;'\"/%"

Pair = tuple[str, int]
"""A number, or the place of a letter, and before it the word at it."""


def _sides_of(kind: str, cells: Sequence[str], text: str) -> tuple[str, str]:
    """Return what stands before and behind the cells of a line, which has a kind of shape."""
    timeless = TIME.sub(lambda match: "@" * len(match[0]), text) if ":" in text else text
    for match in SEGMENT.finditer(timeless) if kind != "groups" else ():
        places = [cell.start() for cell in CELLS.finditer(text, *match.span())]
        size = len(places) if len(places) < 11 else 0  # ten with a number before the row, or a stop behind
        for first in range(size - 8):
            if [text[place] for place in places[first : first + 9]] == [*cells]:
                return text[: places[first]], text[places[first + 8] + 1 :]
    return "", ""


def _labels_of(texts: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the numbers of rows on one side of the cells of nine lines, and two labels that are no row's."""
    if not any(map(str.isalnum, {*"".join(texts)})):
        return (), ()
    texts = [TIME.sub("@", text) if ":" in text else text for text in texts]
    own = {text: (_pairs(text), _words(text)) for text in {*texts}}  # in a chat all are equal but for times
    pairs, words = [own[text][0] for text in texts], [own[text][1] for text in texts]
    return _row_numbers(pairs, words), _other_labels(texts, pairs, words)


def _exchange_in(texts: Sequence[str]) -> Sequence[str]:
    """Return two times, or numbers of lines, on one side of the cells of nine lines that do not ascend.

    They may be equal, but for one pair among steps of one size, as those of BASIC are.
    """
    for column in zip(*map(_LINE_NUMBER.findall, texts), strict=False):
        pairs = [*pairwise(column)]
        steps = [_number_of(after) - _number_of(before) for before, after in pairs]
        is_twice = steps.count(0) == 1 and max(map(steps.count, steps)) > _LEAST
        if min(steps) < 0 or is_twice:
            return pairs[steps.index(min(steps))]
    return ()


def _number_of(number: str) -> int:
    """Return a number, or a time of day as one."""
    return int("".join(f"{part:0>2}" for part in re.findall(r"\d+", number)[:3]))


def _row_numbers(pairs: Sequence[Sequence[Pair]], words: Sequence[Sequence[str]]) -> list[str]:
    """Return the numbers of nine lines, which are none if they are not labelled as rows.

    A line without a label has the number that follows from the first.
    """
    named = [next((row for word, row in own if word in _ROW_WORDS), None) for own in pairs]
    labelled = [place for place, row in enumerate(named) if row is not None]
    if not labelled:  # numbers alone, of which the first may be the same on all lines
        numbers = [[row if not word else None for word, row in own] for own in pairs]
        numbers[0] = numbers[0][-len(numbers[1]) :]  # behind the opening of a list
        columns = enumerate(zip(*filter(None, numbers), strict=False))
        column = next((place for place, rows in columns if len({*rows} - {None}) >= _LEAST), None)
        if column is None:
            return []
        named = [own[column] if own else None for own in numbers]
        labelled = [place for place, row in enumerate(named) if row is not None]
    if len(labelled) < _LEAST:
        return []
    first = (named[labelled[0]] or 0) - labelled[0]
    return [str(max(first + place, 0) if row is None else row) for place, row in enumerate(named)]


def _other_labels(
    texts: Sequence[str], pairs: Sequence[Sequence[Pair]], words: Sequence[Sequence[str]]
) -> Sequence[str]:
    """Return the first and the last label of most of nine lines, if they are no row's."""
    forms = [" ".join(_NUMBER.sub("#", text).split()) for text in texts]
    usual = max(forms, key=forms.count)
    own = [place for place, form in enumerate(forms) if form == usual]
    others = {(*(pair for pair in pairs[place] if pair[0] not in _ROW_WORDS),) for place in own}
    is_other = len(others) > len(own) - 3 and any(word for word, _ in next(iter(others)))
    bare = words[own[0]]
    is_house = not OTHER_WORDS.isdisjoint((*bare[:1], *bare[-1:])) or (
        usual[-1:] == ":" and usual[:-1].strip().isalpha()  # of lines that may be columns, in any language
    )
    is_house = is_house and _ROW_WORDS.isdisjoint(bare)
    if len(own) < _LEAST or not (is_other or is_house):
        return ()
    ends = (" ".join(texts[place].translate(UNMARKED).split()) for place in (own[0], own[-1]))
    return [end.strip(_EDGES)[-_SHOWN:] for end in ends]


def _words(text: str) -> list[str]:
    """Return the words of a text, without single letters that may be numbers."""
    return [word.lower() for word in WORDS.findall(_NUMBER.sub("#", text))]


def _pairs(text: str) -> list[Pair]:
    """Return the numbers in a text, a letter as its place, each with the word at it, or without one."""
    pairs = list[Pair]()
    for match in _PAIR.finditer(text):
        before, value, behind = match.groups()
        word = behind if before is None or (before == "第" and behind) else before
        pairs.append((word.lower(), _place_of(value)))
    return pairs


def odd_label(rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return what is wrong with the line right above or below labelled rows that has the next label."""
    first, last = rows[0], rows[-1]
    above = _of_label(lines[first.line - 1 : first.line], first.label, -1)
    return above or _of_label(lines[last.line + 1 : last.line + 2], last.label, 1)


def _of_label(lines: Sequence[Line], label: str, step: int) -> Fault | None:
    """Return what is wrong with the line that has the number some steps from a label, if one has it."""
    number = int(label) + step if label.isdigit() else -1
    line = next((line for line in lines if label_of(line.text).name == str(number)), None)
    return of_row(line, number, is_labelled=True) if line else None


def _place_of(label: str) -> int:
    """Return the number of the row that a label, a number or a letter, names."""
    return int(label) if label.isdigit() else _LETTERS.find(label.upper()) + 1 or len(_LETTERS)


def wrong_labels(rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return what is wrong with the labels of rows: one is there twice, missing, or on another line."""
    start, total = lines[rows[0].line].start, 9 * len(rows)
    for before, row in pairwise(rows):
        number = _place_of(before.label) + 1
        if row.label == before.label:
            return Fault(row_twice(row.label), lines[row.line].start, total, number - 1 or None, lines=9)
        if follows(row.label, before.label):
            continue
        if row.label.isdigit() and str(number) in {row.label for row in rows}:
            text = "row {row} is out of order, expected row {n}"
            why = Message("row order", text, row=int(row.label), n=number)
            return Fault(why, lines[row.line].start, total, number, lines=9)
        why = Message("row missing", "row {row} is missing", row=number)
        wrong = _of_label(lines[before.line + 1 : row.line], before.label, 1)
        return wrong or Fault(why, start, total, number, lines=9)
    return None


def labels_beside(shape: Shape, rows: Sequence[Row], lines: Sequence[Line]) -> Fault | None:
    """Return the fault of labels before or behind the cells of nine rows."""
    own = [lines[row.line] for row in rows]
    if all(line.size == 9 and line.kind == "cells" for line in own):
        return None
    sides = [_sides_of(shape.kind, row.cells, line.text) for row, line in zip(rows, own, strict=True)]
    for texts in zip(*sides, strict=True):
        if pair := _exchange_in(texts):
            text = "{second} stands below {first}: lines may be exchanged"
            message = Message("exchange", text, first=pair[0], second=pair[1])
            return Fault(message, own[0].start, 81, lines=9)
        numbers, ends = _labels_of(texts)
        numbered = [row._replace(label=label) for row, label in zip(rows, numbers, strict=False)]
        if wrong := wrong_labels(numbered, lines) if numbered else None:
            return wrong
        if ends:
            return other_labels(ends[0], ends[-1], own[0].start)
    return None
