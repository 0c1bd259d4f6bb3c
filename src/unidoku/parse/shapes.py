"""A line and its readings: nine cells, and the shape of what stands before, between and behind them.

Reads one line of plain signs, whoever wrote it: cells with gaps, fields between separators of which some may
be blank, groups of candidates; a label of a row before them. Numbers in a shape are abstracted. What is taken
off a row (a label, a full stop, a bullet) leaves a mark in its shape, and cells are never cut to nine: a row
of eight with a full stop, or of ten, has another shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from unidoku.parse.lines import (
    ANY,
    CELLS,
    LEAST_CELLS,
    QUOTES,
    SEGMENT,
    SIGNS,
    WORD,
    Line,
    count_of,
    may_have_letters,
)
from unidoku.parse.plain import DIGITS, SETS

_WIDTH_OF_TAB = 8  # `nl` and `cat -n` write one behind the number of a line, whose cells have blanks between
# The words for a row, in English and, as answers of models have them, in Chinese and Japanese; every other
# word before nine cells in nine lines may be of columns or boxes.
_ROW_WORD = "row|line|r"
_LABEL_END = r"(?:[.:)\]=]|[ \t](?:[-=:]|[-=]>)(?=[ \t]))?[ \t]*"
_NAMED = re.compile(
    rf"(?i)(?:\b|(?<=[_\W]))(?:(?:{_ROW_WORD})[ _#\"':=-]{{0,4}}(\d{{1,2}})(?![\da-z])"
    rf"|第?[ ]?([0-9])[ ]?行目?){_LABEL_END}"
)
_LABEL = re.compile(
    r"[\s>*#|(\[]{0,12}?(?:([0-9]{1,2})(?:[.)\]:](?=[ \t|\[])|,\](?=[ \t])|(?=[ \t]{1,4}[\[\"'(|]))"
    r"|([A-Ja-j])(?:[.):\]]|(?=[ \t|])))[ \t]*"
)
_FIELD_LABEL = re.compile(rf"(?i)(?:{_ROW_WORD})?[ _]?(\d{{1,2}}|[A-J])[.:)]?")
_NUMBERS = re.compile(r"\d+(?:(?:, ?| and | )\d+)*")
# a number behind a row; a remark in brackets, and what stands behind its list, have none
_BEHIND = re.compile(r"(?s)\([^()]*\)|[\])}]\s{0,9}[\])}].*|(?<!\w)(\d{1,9})(?!\w)")
# an element of a list before a row
_ELEMENT = re.compile(rf"""(["'])[{re.escape(SIGNS)}]+\1|[\[({{,;]\s*[.*_?]\s*[,;]""")
_NOTHING = '""', "''"  # quotes without a cell
_MARKS = " \t[](){}\"'`|>*#-"
_ENDS = " \t\r,;|\"'`)]}>*\\"  # what stands behind a row, or nothing; another sign belongs to its shape
_SEPARATORS = " \t,;|&"
_LEGEND = re.compile(r"(?=[^|]{0,80}[^\W\d_]{2})[^|]{1,80}(?<=  )(?=\|)")
TIME = re.compile(
    r"(?<![\d:])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?=[\s\],;:>)](?!\d))"
)
_OPEN = frozenset("[({")
_CLOSED = str.maketrans("]}", "))")
_USUAL = {f"{left}{sign}{right}": sign for sign in (" ", *SIGNS) for left in ("", " ") for right in ("", " ")}
_LONGEST_ROW = 500


class Shape(NamedTuple):
    """What stands before, between and behind nine cells."""

    kind: str
    """segment, fields or groups."""
    words: str
    """Before the cells, with # for a number; of fields their separator."""
    is_labelled: bool
    gaps: tuple[str, ...] = ()
    """Of a segment, between cells; of fields, the edges that were taken off."""


class Row(NamedTuple):
    """Nine cells of a line in one of its shapes."""

    line: int
    cells: tuple[str, ...]
    label: str


RowReading = tuple[Shape, tuple[str, ...], str]
"""A shape of a line, the nine cells that it has then, and its label."""


def readings(line: Line) -> Iterator[RowReading]:
    """Yield the shapes of a line, with its nine cells and its label in each."""
    text = line.text
    if len(text) > _LONGEST_ROW or (
        line.size < LEAST_CELLS
        and line.kind != "rule"
        and text.count("|") + text.count(":") < LEAST_CELLS
        and max(map(text.count, "\t;,&")) < LEAST_CELLS
    ):
        return
    legend = _LEGEND.match(text) if "|" in text else None  # words before a frame
    yield from _readings(text[legend.end() :] if legend else text)


def follows(label: str, before: str) -> bool:
    """Return whether a label is the next one: a number, or a letter, of which I may be left out."""
    if label.isdigit() and before.isdigit():
        return int(label) == int(before) + 1
    return len(label) == len(before) == 1 and (
        ord(label) == ord(before) + 1 or before + label in {"HJ", "hj"}
    )


def _readings(text: str) -> Iterator[RowReading]:
    """Yield the shapes of a text, without its label and with it, by segments, fields and groups."""
    if ":" in text:
        text = TIME.sub(lambda match: "@" * len(match[0]), text)
    labels: list[Label] = []  # none, and the one that the line has, before nine cells
    if count_of(text) > LEAST_CELLS:
        label = label_of(text)
        labels.append(Label("", 0, 0, label.is_named))
        if label.end > 0 and count_of(text[label.end :]) > LEAST_CELLS:
            labels.append(label)
    for label in labels:
        yield from _in_segments(text, label)
    yield from _in_fields(text.strip("\r\n"))
    for label in labels:
        yield from _in_groups(text[label.end :], label.name)


class Label(NamedTuple):
    """The label of a line: of a row, by the word for it or by its place."""

    name: str
    start: int
    end: int
    is_named: bool
    """Whether the line has a label with the word for a row, taken off or left in."""


def label_of(text: str) -> Label:
    """Return the label of a line, of which the name is empty if it has none."""
    named = _NAMED.search(text) if may_have_letters(text) else None
    if named:
        largest = max(SEGMENT.finditer(text), key=lambda match: len(match[0]), default=None)
        if largest and named.start() <= largest.start():
            return Label(str(int(named[1] or named[2])), named.start(), named.end(), True)
    if label := _LABEL.match(text):
        return Label(label[1] or label[2].upper(), 0, label.end(), named is not None)
    return Label("", 0, 0, False)


def cells_of(segment: str) -> tuple[list[str], list[str], list[int]]:
    """Return the cells of a segment, and the kinds and the lengths of the gaps between them."""
    parts = CELLS.split(segment)
    cells, gaps = parts[1::2], parts[2:-1:2]
    kinds = [gap.strip() or ("b" if gap else "") for gap in gaps]
    if "\t" in segment:
        return cells, kinds, [_WIDTH_OF_TAB if "\t" in gap else len(gap) for gap in gaps]
    return cells, kinds, [*map(len, gaps)]


def are_even(kinds: Sequence[str]) -> bool:
    """Return whether the gaps of a row are alike, but for those between boxes."""
    if kinds[2] == "/" != kinds[1]:
        return False  # it ends the row of a box
    return kinds[2] == kinds[5] and kinds[0] == kinds[1] == kinds[3] == kinds[4] == kinds[6] == kinds[7]


def _skeleton(text: str) -> str:
    """Return a text before cells with its numbers abstracted; before a bracket whether one touches it."""
    text = text.rstrip()
    if not text or text[-1] in "[({\"'`" or text.rstrip(" |")[-1:] in _OPEN:
        return "#" if text.rstrip(" |[({\"'`")[-1:].isdigit() else ""
    text = text.lstrip(" \t>*-|")
    return " ".join(_NUMBERS.sub("#", text).split())[-40:].strip(" |,;:")


def _in_segments(text: str, label: Label) -> Iterator[RowReading]:
    """Yield nine cells with gaps, behind a label."""
    at, has_label = label.end, label.end > 0
    others = len(_NUMBERS.findall(text, 0, label.start)) if label.start else 0  # before the label
    matches = [match for match in SEGMENT.finditer(text, at) if count_of(match[0]) > LEAST_CELLS]
    for number, match in enumerate(matches):
        end = match.end()
        if text[end : end + 1].isalnum():
            continue
        cells, kinds, sizes = cells_of(match[0])
        if len(cells) not in {9, 10}:
            continue
        before, behind = text[at : match.start()], text[end:]
        if (before.endswith(_NOTHING) and before[-3:-2] != before[-1]) or _ELEMENT.search(before):
            continue
        edge = before.rstrip()
        is_list = edge[-1:] in _OPEN  # numbers behind its end are others
        beside = behind.translate(_CLOSED).partition(")")[0] if is_list else behind
        if beside and any(map(str.isdigit, beside)) and not WORD.search(beside):
            continue
        row = _nine_of((cells, kinds, sizes), before, behind, label.name)
        if row is None or not are_even(row[1]):
            continue
        cells, kinds, before, name = row
        skeleton = _skeleton(before)
        bare = "" if is_list and edge[:-1].rstrip()[-1:] in _OPEN else before.strip(_MARKS)
        if bare and (not label.is_named and WORD.search(bare) if has_label else label.is_named):
            continue  # the label of a row, or one that is followed by a word: of a column
        if "#" in skeleton and not (name or WORD.search(skeleton)):
            continue  # numbers beside cells, perhaps cells
        others_beside = f"{number} of {len(matches)}"  # rows on the same line
        ends = (
            _signs_behind(behind),
            _numbers_behind(before, behind),
            _fields_beside(before, behind),
            others_beside,
        )
        shape = Shape("segment", "#" * others + skeleton, bool(name), (*kinds, *ends))
        yield shape, (*cells,), name
        if skeleton and not name and edge[-1:] in {*":=>"}:  # on the line of a name
            yield shape._replace(words=""), (*cells,), "first"


def _signs_behind(behind: str) -> str:
    """Return the signs that touch a row, but for those that may stand behind some rows alone."""
    return "".join(takewhile(lambda sign: not (sign in _ENDS or sign.isalnum()), behind))


def _fields_beside(before: str, behind: str) -> str:
    """Return the separators of empty fields right before and right behind a row: more than one there."""
    if not (before[-1:] in _SEPARATORS and before) and not (behind[:1] in _SEPARATORS and behind):
        return "#"
    signs = before[len(before.rstrip(_SEPARATORS)) :], behind[: len(behind) - len(behind.lstrip(_SEPARATORS))]
    first, last = ("".join(part.split()) for part in signs)
    return f"{first.removeprefix('|')}#{last[:1] * (last.count(last[:1]) - 1)}"  # & goes on in Fortran


def _numbers_behind(before: str, behind: str) -> str:
    """Return how many digits stand behind a row, without remarks in brackets, within its list or text."""
    if len(behind) < 2 or not behind.strip(_ENDS) or (behind[0] in "\"'`" and before[-1:] != behind[0]):
        return "0"
    return str(len("".join(_BEHIND.findall(behind))))


def _nine_of(
    segment: tuple[list[str], list[str], list[int]], before: str, behind: str, label: str
) -> tuple[list[str], list[str], str, str] | None:
    """Return nine of up to ten cells, the kinds of their gaps, what stands before them, and the label.

    Left off are a full stop, a bullet, and a number before the row; each leaves a mark among the gaps, or
    before the cells.
    """
    cells, kinds, sizes = segment
    if len(cells) == 9:
        return cells, kinds, before, label
    is_stop = cells[9] == "." and not kinds[8] and "." not in cells[:9]
    if is_stop and not behind.strip(" \"'`*"):
        return cells[:9], kinds[:8], before, label  # `rows` looks at full stops beside dots
    if label or not kinds[0]:
        return None
    if cells[0] == "-" and kinds[0] == "b" and "-" not in cells[1:]:
        return cells[1:], [*kinds[1:], "-"], before, ""
    is_apart = kinds[0] != kinds[1] or sizes[0] > sizes[1] or not DIGITS.issuperset(cells[1:])
    if cells[0].isdigit() and not before.strip(" >|") and is_apart:
        return cells[1:], kinds[1:], f"#{kinds[0]}", str(int(cells[0]))
    if cells[0].isdigit() and kinds[0] == ":" and WORD.search(before):  # a label that is no row
        return cells[1:], kinds[1:], f"{before}{cells[0]}", ""
    return None


def cell_of(field: str) -> str | None:
    """Return the sign, or the candidates, in a field, a blank for none; None if it is another text."""
    bare = field.strip(QUOTES if len(field.strip()) > 1 else " \t")
    if not bare:
        return " "
    if '""' in field or "''" in field:
        return None  # an empty cell and another one
    if field.count("*") % 2 and len(bare) == 1 and bare != "*":
        return None  # a half of the signs around a bold digit
    field = bare
    if len(field) == 1:
        return field if field in SIGNS else None
    if len(field) in {3, 4} and field[0] in "0123456789" and field[1:] in {".0", ",0", ".00", ",00"}:
        return field[0]
    return field if field in SETS else None


def _in_fields(text: str) -> Iterator[RowReading]:
    """Yield nine cells between separators, of which some may be blank."""
    if "|" in text and 7 < text.count("|") + text.count(":") < 12:
        text = text.replace(":", "|")  # thin lines of a frame
    if text.count("||") == 8 and text.count("|") == 17:  # of MediaWiki
        yield from _row_of(text.strip()[1:].split("||"), "||", "")
        return
    for separator in "|\t;,&":
        if text.count(separator) < 8:
            continue
        body, edges = (text, "") if separator != "|" else _without_edges(text)
        fields = body.split(separator)
        if (
            edges == " behind" and text.endswith(" ") and len(fields) == 9
        ):  # psql: the last field may be blank
            yield from _row_behind_label(text.split("|"), separator, "")
        if edges == "before" and not fields[-1].strip():
            continue  # eight cells in a frame
        if len(fields) == 11 and not (fields[3] + fields[7]).strip():
            fields, edges = [*fields[:3], *fields[4:7], *fields[8:]], f"{edges} between boxes"  # empty ones
        if len({field == "" for field in fields[1:-1] if not field.strip()}) > 1 and separator == "|":
            continue  # two kinds of empty fields: double bars of MediaWiki
        if len(fields) == 9:
            yield from _row_of(fields, separator, edges)
        elif len(fields) == 10:
            yield from _row_behind_label(fields, separator, edges)
            if separator != "|" and not fields[9].strip():  # a separator behind the last one
                yield from _row_of(fields[:9], separator, "behind")


def _row_behind_label(fields: Sequence[str], separator: str, edges: str) -> Iterator[RowReading]:
    """Yield the row of nine fields behind a label."""
    if label := _FIELD_LABEL.fullmatch(fields[0].strip(" *\"'")):
        name = str(int(label[1])) if label[1].isdigit() else label[1].upper()
        yield from _row_of(fields[1:], separator, edges, name)


def _without_edges(text: str) -> tuple[str, str]:
    """Return a text between bars without the outer ones, and which there were."""
    body, edges = text.strip().removesuffix("."), ""
    if body.count("|") > 9 and WORD.search(body.rpartition("|")[2]):
        body = body[: body.rindex("|") + 1]  # words behind a frame
    if body.count("|") > 8 and body.startswith("|"):
        body, edges = body[1:], "before"
    if body.count("|") > 8 and body.endswith("|"):
        body, edges = body[:-1], edges + " behind"
    return body, edges


def _row_of(fields: Sequence[str], separator: str, edges: str, label: str = "") -> Iterator[RowReading]:
    """Yield the row of nine fields, if all are cells."""
    cells = [_USUAL.get(field) or cell_of(field) for field in fields]
    if None not in cells:
        yield Shape("fields", separator, bool(label), (edges,)), tuple(filter(None, cells)), label


def _in_groups(text: str, label: str) -> Iterator[RowReading]:
    """Yield nine groups of candidates between blanks and bars."""
    groups = text.replace("|", " ").replace(",", " ").split()
    if len(groups) == 9 and all(group in SETS or group in ANY for group in groups):
        yield Shape("groups", "", bool(label)), (*groups,), label
