"""The grid in an answer of a person or a language model; its thoughts are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter

from unidoku.cell import CELL_CODES, HOUSES, NO_ANSWER, NO_GRID, NO_VALUES, ONLY_COPY
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.parse.board import Board
from unidoku.parse.boards import NAME_FIRST, Page
from unidoku.parse.faults import fault_of
from unidoku.parse.forms import Forms
from unidoku.parse.lines import LABEL, MANY, ROW_NAME
from unidoku.parse.lists import CELL
from unidoku.parse.rows import explain, unlabelled

LONGEST_ANSWER = 1 << 18
"""Characters of an answer that are read: the last ones."""
_NO_END = Message("a thought that does not end, and no answer")
_BARE = "analysis"  # at the beginning, before a word
_TAGS = {  # of thoughts: which model writes them, or a prompt asks for
    "<think>": "DeepSeek-R1, Qwen3, GLM",
    "[THINK]": "Magistral",
    "<seed:think>": "Seed-OSS",
    "◁think▷": "Kimi",
    "<|START_THINKING|>": "Command A",
    "<|begin_of_thought|>": "Sky-T1, OpenThinker",
    "<longcat_think>": "LongCat",
    "<antThinking>": "Claude",
    "<|channel|>analysis<|message|>": "gpt-oss",
    _BARE: "gpt-oss, where special tokens are left out",
    **dict.fromkeys(("<thinking>", "<thoughts>", "<thought>", "<reasoning>"), "prompts"),
    **dict.fromkeys(("<scratchpad>", "<reflection>", "<inner_monologue>", "<analysis>"), "prompts"),
}
_ENDS = {
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
    _BARE: "assistantfinal",
}
_THOUGHT = re.compile(
    "(?i)(?P<end>{})|{}".format(
        "|".join(re.escape(_ENDS.get(tag, f"{tag[0]}/{tag[1:]}")) for tag in _TAGS),
        "|".join(rf"\A{tag}(?=\w)" if tag == _BARE else re.escape(tag) for tag in _TAGS),
    )
)
_TAG = re.compile(r"(?i)<(/?)answer>")
_FORMS = Forms()
_NINE_DIGITS = re.compile(  # with one separator, and their sum behind them
    r"\W{0,4}[1-9]([ ]?[|,;&+][ ]?|[ \t]{0,3})[1-9](?:\1[1-9]){7}(?i:[ |,.;&\t()\]}\\✓✔✅=:]|45|sum|total)*"
)
_COLUMNS = re.compile(  # a heading of columns or boxes
    r"(?i)\W*(?:[^\W\d]+\W+){0,3}(?:col(?:umn)?|box|block|region|square)e?s(?:\W+check\w*)?\W*"
    r"|\W*[每各所有检查验证]*[列宫]\W*"
)
_COUNT = "123456789"
_TWO_ROWS = 18  # cells
_FEWEST_ROWS, _SHORT, _LONG = 4, 5, 60
"""Lines of what is meant as a board, cells of one of them, and cells of all."""
_WORD, _DOTS = re.compile(r"[^\W\d_]{2,}"), str.maketrans("0_-*?xX", "." * 7)
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
        page = Page(text, MANY)
        board, is_alone = _last_grid(page, puzzle)
        cells = board.cells
        if is_alone:
            _FORMS.learn(text, cells)
    return cells.encode().translate(CELL_CODES)


def _without_thoughts(text: str) -> str:
    """Return the text after the last end of a thought, up to one that does not end."""
    begin, end = 0, len(text)
    has_thoughts = any(map(text.__contains__, ("<", "[", "◁", _ENDS[_BARE]))) or text.startswith(_BARE)
    for match in _THOUGHT.finditer(text) if has_thoughts else ():
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
    """Return the grid of an answer, and whether it is the only one; what stands behind it is no other one."""
    boards = [
        board
        for board in page.boards + _apart(page)
        if not board.marks and board.cells not in (puzzle, _COUNT * 9)
    ]
    beside = [board.first for board in boards if page.beside(board)]
    grids = sorted((board for board in boards if board.first not in beside), key=attrgetter("first"))
    full = [board for board in grids if board.is_full]
    last = next(reversed(grids if puzzle else full or grids), None)
    end = last.last if last else 0
    lines = [*_lines_behind(page, end)]
    damaged = [
        *(_others(page, lines, last.cells if last else "", puzzle) if lines else ()),
        *(k for k in beside if k >= end),
    ]
    damaged += [row for row in lines[:1] if last and _is_tenth(page, last, row)]
    if damaged:
        why = fault_of(page, damaged[0]).message
        text = "the last grid of the answer is damaged: {reason}"
        raise InvalidPuzzleError(Message(text, reason=why))
    if last is None or (page.left and not full):
        why = ONLY_COPY if any(board.cells == puzzle for board in page.boards) else NO_GRID
        raise InvalidPuzzleError(fault_of(page, page.left[-1]).message if page.left else why)
    return last, page.boards == [last] and not (page.left or lines)


def _houses_of(cells: str) -> list[str]:
    """Return the cells of each house of a grid; nothing without one."""
    return ["".join(map(cells.__getitem__, house)) for house in HOUSES] if cells else []


def _lines_behind(page: Page, begin: int) -> Iterator[int]:
    """Yield the lines from one on that have cells, perhaps with signs around them, and are of no board."""
    left = {*page.left}
    for number, line in enumerate(page.lines[begin:], begin):
        if number in left or (page.kinds[number] == "t" and _is_marked(line)):
            yield number


def _is_tenth(page: Page, board: Board, number: int) -> bool:
    """Return whether a line of cells has this number, or is apart from a board as its bands are."""
    line, joints = page.lines[number], {*page.kinds[board.first : board.last]} & {*"b-="}
    if name := ROW_NAME.match(line):
        return line[name.end() :][:1].isdigit()
    is_row = page.kinds[number] in "cne" and not NAME_FIRST.match(line)
    return is_row and joints.issuperset(page.kinds[board.last : number])


def _others(page: Page, lines: list[int], grid: str, puzzle: str) -> list[int]:
    """Return lines that are meant as another grid: no columns or boxes of this one, nor its rows again."""
    houses, cells, is_below = _houses_of(grid), dict[int, str](), False
    corrections = list[int]()
    for before, number in pairwise((-1, *lines)):
        line = page.lines[number]
        row = "".join(re.findall("[1-9]" if page.kinds[number] == "t" else CELL, line)).translate(_DOTS)
        is_house = False
        if 9 <= len(row) < _TWO_ROWS:
            is_below = bool(_COLUMNS.fullmatch(page.heading(number))) if number - before > 1 else is_below
            is_named = (is_below or NAME_FIRST.match(line)) and not ROW_NAME.search(line)
            is_house = bool(is_named) and any(house in row for house in houses[9:])
            own = _row_in(line) or _row_in(LABEL.sub("", line, 1))
            if not is_named and len({*own}) == 9 and own not in (*houses, _COUNT, _COUNT[::-1]):
                corrections.append(number)
        if row and not is_house and not _ascends(row):
            cells[number] = row
    given = _houses_of(puzzle)[:9]
    copy = [n for n, row in cells.items() if len(row) >= 9 and any(own in row for own in given)]
    if len(copy) == 9:
        cells = {number: row for number, row in cells.items() if number not in copy}
    sizes = [*map(len, cells.values())]
    if sum(size >= _SHORT for size in sizes) < _FEWEST_ROWS and sum(sizes) < _LONG:
        return corrections if grid else []
    first = next(iter(cells))
    texts = page.lines[first : first + 9]
    again = [*map(_row_in, unlabelled(texts) or texts)]
    return [] if len(cells) == 9 and again == houses[:9] else [*cells]


def _ascends(row: str) -> bool:
    """Return whether the digits of a line, perhaps behind a number, are a list of some: all ascend."""
    digits = row.replace(".", "")
    return len(row) >= _SHORT and any([*digits[k:]] == sorted({*digits[k:]}) for k in (0, 1))


def _row_in(line: str) -> str:
    """Return the nine digits of a row, if nothing else but its sum or a remark is with them."""
    match = _NINE_DIGITS.fullmatch(line)
    return re.sub("[^1-9]", "", match[0])[:9] if match else ""


def _is_marked(line: str) -> bool:
    """Return whether a line of text is no prose: a row's digits, no names of cells, few words."""
    label = LABEL.match(line)
    body = line[label.end() :] if label else line
    if _NAME.search(body):
        return False
    digits = sum(map(str.isdigit, body))
    if digits in _ROW_DIGITS or digits >= _LONG:
        return len({*_WORD.findall(body)}) < 3
    return 0 < digits < _ROW_DIGITS[0] and not re.search(r"[^\W\d_]", body)


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
