"""The grid in an answer of a person or a language model; its thoughts are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import attrgetter, contains

from unidoku.cell import CELL_CODES, NO_ANSWER, NO_GRID, NO_VALUES
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.parse.board import Board
from unidoku.parse.boards import Page
from unidoku.parse.faults import fault_of
from unidoku.parse.forms import Forms
from unidoku.parse.lines import LABEL, MANY
from unidoku.parse.lists import CELL
from unidoku.parse.rows import explain, unlabelled

LONGEST_ANSWER = 1 << 18
"""Characters of an answer that are read: the last ones."""
_NO_END = Message("a thought that does not end, and no answer")
_TAGS = {  # of thoughts: which model writes them, or a prompt asks for
    "<think>": "DeepSeek-R1, Qwen3, GLM",
    "[THINK]": "Magistral",
    "<seed:think>": "Seed-OSS",
    "◁think▷": "Kimi",
    "<|START_THINKING|>": "Command A",
    "<|begin_of_thought|>": "Sky-T1, OpenThinker",
    "<|channel|>analysis<|message|>": "gpt-oss",
    **dict.fromkeys(("<thinking>", "<thoughts>", "<thought>", "<reasoning>"), "prompts"),
    **dict.fromkeys(("<scratchpad>", "<reflection>", "<inner_monologue>"), "prompts"),
}
_ENDS = {
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
}
_THOUGHT = re.compile(
    "(?i)(?P<end>{})|{}".format(
        "|".join(re.escape(_ENDS.get(tag, f"{tag[0]}/{tag[1:]}")) for tag in _TAGS),
        "|".join(map(re.escape, _TAGS)),
    )
)
_TAG = re.compile(r"(?i)<(/?)answer>")
_BOLD_DIGIT = re.compile(r"\*\*([1-9])\*\*")  # that is filled in
_ROW = rf"[ \[]*(?:[A-Za-z]{{,5}} ?\d[:.)] *)?{CELL}(?:[ |,]{{,2}}{CELL}){{8}}[ |,\]]*"
_ROW_BEHIND_WORDS = re.compile(rf"(?<=[A-Za-z]: )(?={_ROW}\r?\n[ |]*{_ROW}\r?\n)")  # the first one
_BRACKETS = re.compile(r"[\s\[\](){},;]+")  # between the cells of a list
_FORMS = Forms()
_LEAST = 36  # cells of a part that is meant as a board
_ROWS, _WORD = re.compile(".{9}"), re.compile(r"[^\W\d_]{2,}")
_NAME = re.compile(r"[^\W\d_]\d|\A\W*[^\W\d_]+ ?\d")  # of a cell, or of a column or box before its cells
_ROW_DIGITS = range(8, 13)  # of a row with signs around cells, perhaps its number and its sum


def answer_in(text: str, *, has_tag: bool = False, puzzle: str = "") -> bytes:
    """Return the cells of the last grid of an answer, or, where no puzzle is known, of the last full one.

    Candidates and thoughts are no answer, nor is the puzzle; with `has_tag` only what stands in the last
    ``<answer>`` is one, if there is any.
    """
    if text.strip().lower() in {"", *NO_VALUES}:
        raise InvalidPuzzleError(NO_ANSWER)
    text = _without_thoughts(text)
    text = (_in_tag(text) if has_tag else _TAG.sub("\n", text))[-LONGEST_ANSWER:]
    cells = _FORMS.cells_in(text)
    if not cells or "." in cells or cells == puzzle:
        page = Page(_BOLD_DIGIT.sub(r"\1", _ROW_BEHIND_WORDS.sub("\n", text)), MANY)
        board, is_alone = _last_grid(page, puzzle)
        cells = board.cells
        if is_alone:
            _FORMS.learn(text, cells)
    return cells.encode().translate(CELL_CODES)


def _without_thoughts(text: str) -> str:
    """Return the text after the last end of a thought, up to one that does not end."""
    begin, end = 0, len(text)
    for match in _THOUGHT.finditer(text) if "<" in text or "[" in text or "◁" in text else ():
        if match["end"]:
            begin, end = match.end(), len(text)
        else:
            end = min(end, match.start())
    if end < len(text) and not text[begin:end].strip():
        raise InvalidPuzzleError(_NO_END)
    return text[begin:end]


def _in_tag(text: str) -> str:
    """Return what stands in the last ``<answer>``, perhaps without its end; any other text as it is."""
    begins = [match.end() for match in _TAG.finditer(text) if not match[1]]
    return _TAG.split(text[begins[-1] :], maxsplit=1)[0] if begins else text


def _last_grid(page: Page, puzzle: str) -> tuple[Board, bool]:
    """Return the grid of an answer, and whether it is the only one; no part behind it is a damaged board."""
    boards = [board for board in page.boards + _apart(page) if not board.marks and board.cells != puzzle]
    beside = [board.first for board in boards if page.beside(board)]
    found = sorted((board for board in boards if board.first not in beside), key=attrgetter("first"))
    full = [board for board in found if board.is_full]
    last = next(reversed(found if puzzle else full or found), None)
    end, rows = (last.last, _ROWS.findall(last.cells)) if last else (0, [])
    parts = [*_parts(page, end)]
    damaged = [
        number
        for number, lines, is_marked in parts
        if not (is_marked and (page.names_columns(number) or _repeats(lines, rows)))
    ]
    damaged += [number for number in beside if number >= end]
    if damaged:
        why = fault_of(page, max(damaged)).message
        text = "the last grid of the answer is damaged: {reason}"
        raise InvalidPuzzleError(Message(text, reason=why))
    if last is None or (page.left and not full):
        raise InvalidPuzzleError(fault_of(page, page.left[-1]).message if page.left else NO_GRID)
    return last, page.boards == [last] and not (page.left or parts)


def _parts(page: Page, begin: int) -> Iterator[tuple[int, list[str], bool]]:
    """Yield the first line and all lines of parts from a line on that are meant as a board, and are none.

    Lines of cells with signs around them are one too, and marked: they may have the rows of a grid again.
    """
    left = {*page.left}
    kinds = ""
    for number, (kind, line) in enumerate(zip(page.kinds[begin:], page.lines[begin:], strict=True), begin):
        if number in left:
            kinds += "c" if kind in "cne" else "t"
        elif kind in "b=d-" or _BRACKETS.fullmatch(line):
            kinds += "-"
        else:
            kinds += "m" if kind == "t" and _is_marked(line) else "t"
    for match in re.finditer(r"[cm](?:-{,3}[cm])*", kinds):
        first, last = (begin + place for place in match.span())
        lines, sign = page.lines[first:last], CELL if "c" in match[0] else "[1-9]"
        if sum(len(re.findall(sign, line)) for line in lines) >= _LEAST:
            yield first, lines, "c" not in match[0]


def _is_marked(line: str) -> bool:
    """Return whether a line of text is no prose: a row's digits, no names of cells, few words."""
    label = LABEL.match(line)
    body = line[label.end() :] if label else line
    words = {*_WORD.findall(body)}
    return sum(map(str.isdigit, body)) in _ROW_DIGITS and len(words) < 3 and not _NAME.search(body)


def _repeats(lines: list[str], rows: list[str]) -> bool:
    """Return whether lines have the rows of a grid among their digits."""
    found = [digits for line in lines if (digits := re.sub("[^1-9]", "", line))]
    return len(found) == len(rows) and all(map(contains, found, rows))


def _apart(page: Page) -> list[Board]:
    """Return a board of rows that labels count, with sentences between."""
    rows = [number for number in page.left if LABEL.match(page.lines[number])][-9:]
    if len(rows) < 9 or {rows[0] - 1, rows[-1] + 1} & {*page.left}:
        return []
    others = [number for number in page.left if rows[0] < number < rows[-1] and number not in rows]
    bodies = unlabelled([page.lines[number] for number in rows])
    if others or not bodies or not {*page.kinds[rows[0] : rows[-1]]} <= {*"ctb"}:
        return []
    board = explain([body.rstrip(" .;✓") for body in bodies], rows[0], rows[-1] + 1)
    page.left[:] = [number for number in page.left if not board or number not in rows]
    return [board] if board else []
