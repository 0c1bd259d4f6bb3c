"""Where a text has nine rows, and the lines of cells that no board explains."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import chain, product
from operator import attrgetter
from typing import TypeAlias

from unidoku._compat import cached_property
from unidoku._parse.board import Board, mask_of, may_go_on
from unidoku._parse.lines import (
    BLANK,
    BLANKS,
    CELLS,
    COUNT,
    DASHES,
    FEW,
    HEADING,
    LINE,
    MANY,
    NOT_ROWS,
    NUMBER,
    ROWS,
    RULE,
    RULES,
    STOP,
    TABLE_RULE,
    TEXT,
    WORDED,
    boards_on,
    kind_of_line,
)
from unidoku._parse.lists import CALL, EMPTY_WORDS, is_filled_by_columns, without_lists
from unidoku._parse.patterns import pattern
from unidoku._parse.rows import board_of_rows
from unidoku._parse.signs import BREAK, lines_in, numbers_in, plain, rows_apart
from unidoku.cell import keeps_clues

_ROWS, _CELL_LINES = ROWS + DASHES, ROWS + HEADING + WORDED
_R, _L = f"[{_ROWS}]", f"[{RULES}]"  # lines of cells, and rules
_NO_ROW = f"(?<!{_R})"
_BOARD = pattern(
    rf"""{_NO_ROW} (?<!{_R}{_L})
    (?:[{HEADING}{COUNT}]|{BLANKS}(?={TABLE_RULE}))? {_L}?
    (?P<rows> [{CELLS}{COUNT}]{TABLE_RULE}{_R}{{8}} | {_R}{{3}} (?P<s>{_L}|) {_R}{{3}} (?P=s) {_R}{{3}}
      | {_R}{{3}} (?P<u>{BLANK}+) {_R}{{3}} (?P=u) {_R}{{3}} (?!(?!(?P=u)){BLANK}+{_R})
      | (?<!{_R}{BLANK}) {_R}(?P<t>{_L}|{BLANK}(?!{BLANK})|(?<!{_R}{BLANK}{BLANK}.){BLANK}+)
        {_R}(?:(?P=t){_R}){{7}} (?!{BLANK}+{_R}(?!{_R})) )
    (?: {RULE}(?={RULE}{_R}) | {_L}*+ (?!{_R}) )""",
    re.VERBOSE,
)
_N = f"[{_ROWS}{NUMBER}]"
_NUMBER = pattern(rf"(?<!{_N}){NUMBER}(?:(?!{_N})|(?={_N}{{9}}(?!{_N})|{_N}{{3}}{BLANK}))")
"""A number by itself, or above a board."""
_STOP = pattern(rf"(?<=[{RULES}{ROWS}{LINE}])({BLANK}*){STOP}(?!{BLANK}*{_N})")
"""A full stop by itself, below a board."""
_RUN = pattern(rf"{_NO_ROW}{_R}{{9}}(?P<t>{RULE}?){_R}{{9}}(?:(?P=t){_R}{{9}})*(?!{_R})")
_CELL = rf"(?={BLANKS}*[{CELLS}{BLANKS}]{BLANKS}*{RULE})[{CELLS}{BLANKS}]{{2,5}}{RULE}"
_TALL = pattern(rf"{RULE}(?:{_CELL}){{9}}")
_BLOCK = rf"[{RULES}{HEADING}]{{,2}}[{ROWS}][^{BLANK}]{{,4}}"
_BANDS = pattern(rf"(?<![^{BLANK}]){TEXT}?{_BLOCK}(?:{BLANK}{_BLOCK})+(?![^{BLANK}]|{BLANK}{_BLOCK})")
"""Blocks of a file with one blank line between all: a board is three of them, and damage may move them."""
_BEHIND = 20  # characters of a line below a list
_LONG = range(81, 4096)  # characters of a line of 81 cells
_LETTER = pattern(r"[^\W\d_xX]")
_SIGN = pattern(r"[^\W_]")
_FEW_WORDS = 8  # of a line that says what is below
_EXAMPLE = 27  # cells of an example of an answer
_CELLS = pattern(r"[1-9]|[^1-9][,;|\t]")  # of an example
_WORDS = pattern(r"[^\W\d_]{2,}")
NAME_FIRST = pattern(r"\W*(?:[^\W\d_]{2}|[A-WYZa-wyz]\d)")
"""A word before the cells of a line, as the name of a column or a box."""
_EMPTY = pattern(rf"[1-9][.0*_?-]|(?<![^\s,|\[(])[.0*_?-](?![^\s,|\])])|[,;|\t][,;|\t]|{EMPTY_WORDS}")
"""A cell without a digit."""
LOST_END = pattern(r"(?:[1-9][ ,;|]*){8}[.?]")
"""Eight digits and the end of a sentence, or of a board whose only empty cell is the last."""
_Part: TypeAlias = tuple[tuple[int, int], list[Board]]  # lines, by the first and the line after the last


class ParsedText:
    """The lines of a text, the boards that explain lines of cells, and the lines that nothing explains."""

    def __init__(self, text: str, many: re.Pattern[str] = FEW) -> None:
        self.is_answer: bool = many is MANY
        text = plain(text)
        self.is_by_columns: bool = is_filled_by_columns(text)
        """Whether no line of cells is a row."""
        self.text: str = rows_apart(without_lists(text))
        self.lines: list[str] = lines_in(self.text)
        self.rests: dict[int, str] = {}
        """The text next to 81 cells, by the number of their line."""
        boards = [] if self.is_by_columns else [*self._boards_on_lines()]
        others = {line for number, line in enumerate(self.lines) if number not in self.rests}
        kinds = {line: kind_of_line(line, many) for line in others}
        widths = {len(line) for line in others if kinds[line] == CELLS}
        kinds |= {" " * max(9, width): CELLS for width in widths}  # a row without digits
        letters = "".join([kinds.get(line, LINE) for line in self.lines])
        shown = _NUMBER.sub(TEXT, _STOP.sub(rf"\1{TEXT}", letters).replace(STOP, CELLS))
        cells = WORDED if self.is_by_columns else CELLS
        self.kinds: str = shown.replace(NUMBER, CELLS).replace(CELLS, cells)
        """The kind of each line, by `unidoku._parse.lines.kind_of_line`, or `LINE`; lone numbers are text."""
        self.bands: set[int] = set()
        """The blank lines between blocks of a file that have one between all."""
        used: set[int] = set()
        for lines, found in chain(self._drawn({*self._moved()}), self._tall(), self._runs()):
            if self._ends_sentence([board.cells for board in found], self.lines[lines[1] - 1]):
                continue
            used.update(range(*lines))
            boards += found
        self.boards: list[Board] = self._with_states(sorted(boards, key=attrgetter("first")))
        """The boards, by their lines."""
        self.left: list[int] = [
            k for k, kind in enumerate(self.kinds) if kind in _CELL_LINES and k not in used
        ]
        """The numbers of the lines of cells that no board explains."""

    def _boards_on_lines(self) -> Iterator[Board]:
        """Yield the boards of 81 cells on a line, and keep in `rests` the rest of these lines."""
        for number, line in enumerate(self.lines):
            if len(line) not in _LONG:
                continue
            boards, rest = boards_on(line)
            if boards and not self._ends_sentence(boards, line):
                self.rests[number] = rest
                yield from (Board(cells, number, number + 1) for cells in boards)

    def _ends_sentence(self, boards: list[str], line: str) -> bool:
        """Return whether the only empty cell of a board among words can be the end of a sentence."""
        if not any(cells.find(".") == 80 for cells in boards):
            return False
        return bool(LOST_END.search(line) and (self.is_answer or _LETTER.search(self.text)))

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the lines in the source, from 1, and of the line after the last."""
        return [*numbers_in(f"{self.text}\n")]

    def beside(self, board: Board) -> list[int]:
        """Return the lines of cells right above and below a board of rows that nothing explains."""
        numbers = self.numbers
        first = bisect_left(numbers, numbers[board.first])  # the rows of a list are one line
        last = bisect_right(numbers, numbers[board.last - 1])
        if numbers[last] - numbers[first] < 2:  # one line has no rows
            return []
        near = {first - 1, last}
        return [number for number in self.left if number in near and self.kinds[number] in ROWS]

    def follows_row(self, board: Board) -> bool:
        """Return whether the line above a board has cells that no board explains."""
        above = board.first - 1
        return above in self.left

    @property
    def others(self) -> list[int]:
        """The lines of `left`; none if they are an empty grid, or few, full, and apart from a board."""
        text = "\n".join(self.lines[k] for k in self.left)
        size = max(len(self.left), len(_CELLS.findall(text)))
        if not size or size > _EXAMPLE or _EMPTY.search(text):
            return self.left
        has_words = [NAME_FIRST.match(line) is not None for line in self.lines]
        for number, board in product(self.left, self.boards):
            between = has_words[board.last : number] + has_words[number + 1 : board.first]
            if not has_words[number] and not any(between):
                return self.left
        return []

    def _moved(self) -> Iterator[int]:
        """Yield the lines of `bands` that no board of three blocks has first, or all if some are lost."""
        for match in _BANDS.finditer(self.kinds):
            blanks = [k for k in range(*match.span()) if self.kinds[k] == BLANK]
            self.bands.update(blanks)
            if len(blanks) % 3 == 2:  # none is lost
                del blanks[::3]
            yield from blanks

    def _drawn(self, moved: set[int]) -> Iterator[_Part]:
        """Yield the boards of nine lines of cells, with or without rules of dashes."""
        for match in _BOARD.finditer(self.kinds):
            if match.start("u") in moved:
                continue
            rows = [k for k in range(*match.span("rows")) if self.kinds[k] in _ROWS]
            if len(rows) > 9:
                rows = [k for k in rows if self.kinds[k] != DASHES]
            board = board_of_rows([self.lines[k] for k in rows], match.start("rows"), match.end())
            if not board:
                continue
            last = self.lines[rows[-1]]
            behind = self.text.rpartition(last)[2].lstrip(f" ,;{BREAK}")[:1]
            if may_go_on(board.cells, last, behind):
                continue
            if self.is_answer or not self._names_columns(*match.span()):
                yield match.span(), [board]

    def heading(self, first: int) -> str:
        """Return the line of text right above a board, over rules and brackets; nothing if there is none."""
        above = (k for k in reversed(range(first)) if _SIGN.search(self.lines[k]))
        number = next(above, first)
        return self.lines[number] if self.kinds[number] == TEXT else ""

    def _names_columns(self, first: int, last: int) -> bool:
        """Return whether the short line above a board, or a call around it, says that it has no rows."""
        below = "".join(self.lines[last : last + 1])
        if below[:1] in {*")]}"} and re.search(CALL, below[:_BEHIND]):
            return True
        text = self.heading(first)
        if len(_WORDS.findall(text)) >= _FEW_WORDS:
            return False
        words = text.split()
        if text.lstrip()[:1] in {*'["{'}:
            words = words[-3:]
        return NOT_ROWS.search(" ".join(words)) is not None

    def _tall(self) -> Iterator[_Part]:
        """Yield the boards in frames with several lines a row of cells, at most one with characters."""
        for match in _TALL.finditer(self.kinds):
            blocks, first, rows = match[0][1:-1].split(RULE), match.start() + 1, list[str]()
            for block in blocks:
                rows.append(self.lines[first + max(block.find(CELLS), 0)])
                first += len(block) + 1
            heights, widths = {*map(len, blocks)}, {*map(len, self.lines[slice(*match.span())])}
            if max(len(heights), len(widths)) > 1:
                continue
            board = board_of_rows(rows, *match.span())
            if board:
                yield match.span(), [board]

    def _runs(self) -> Iterator[_Part]:
        """Yield the boards of lines of cells with nothing or a rule between, if one form explains all."""
        for match in _RUN.finditer(self.kinds):
            places = [k for k in range(*match.span()) if self.kinds[k] != RULE]
            texts = [self.lines[k] for k in places]
            found = [
                board_of_rows(texts[k : k + 9], places[k], places[k + 8] + 1) for k in range(0, len(texts), 9)
            ]
            boards = [*filter(None, found)]
            if len(boards) == len(found):
                yield match.span(), boards

    def _with_states(self, boards: list[Board]) -> list[Board]:
        """Return boards, with a puzzle and its state, as SadMan names it, joined in one position."""
        found: list[Board] = []
        for board in boards:
            is_state = self.lines[board.first - 1].strip().lower() == "[state]"
            if found and is_state and keeps_clues(found[-1].cells, board.cells):
                found[-1] = found[-1]._replace(marks=(*map(mask_of, board.cells),))
            else:
                found.append(board)
        return found
