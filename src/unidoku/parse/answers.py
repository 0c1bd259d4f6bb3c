"""The grid in an answer of a person or a language model; its thoughts are none."""

from __future__ import annotations

import re

from unidoku.cell import CELL_CODES, NO_ANSWER, NO_GRID
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.parse import nine_lines
from unidoku.parse.board import Board
from unidoku.parse.boards import read
from unidoku.parse.faults import near_runs
from unidoku.parse.names import NO_VALUES
from unidoku.parse.runs import other_part

LONGEST_ANSWER = 1 << 18
"""Characters of an answer that are read: the last ones."""
_NO_END = Message("no end", "a thought that does not end, and no answer")
# of DeepSeek-R1, Qwen3 (<think>), Magistral ([THINK]); and of prompts for others (<thinking>, <reasoning>)
_THOUGHT = r"(?i)[<\[](/?)(?:think(?:ing)?|thoughts?|reasoning)[>\]]"
_TAG = r"(?i)<(/?)answer>"


def answer_in(text: str, *, has_tag: bool = False) -> bytes:
    """Return the cells of the last full grid of an answer, or else of its last grid; candidates are none.

    Thoughts are no answer; with `has_tag` only what stands in the last ``<answer>`` is one, if there is any.
    """
    if text.strip().lower() in {"", *NO_VALUES}:
        raise InvalidPuzzleError(NO_ANSWER)
    text = _without_thoughts(text)
    signs = nine_lines.ascii_signs((_in_tag(text) if has_tag else text)[-LONGEST_ANSWER:])
    board = nine_lines.board_in(signs) or _last_grid(signs)
    if board is None:
        raise InvalidPuzzleError(NO_GRID)
    return board.cells.encode().translate(CELL_CODES)


def _without_thoughts(text: str) -> str:
    """Return the text after the last end of a thought, up to one that does not end."""
    begin, end = 0, len(text)
    for match in re.finditer(_THOUGHT, text) if "<" in text or "[" in text else ():
        if match[1]:
            begin, end = match.end(), len(text)
        else:
            end = min(end, match.start())
    if end < len(text) and not text[begin:end].strip():
        raise InvalidPuzzleError(_NO_END)
    return text[begin:end]


def _in_tag(text: str) -> str:
    """Return what stands in the last ``<answer>``, perhaps without its end; any other text as it is."""
    begins = [match.end() for match in re.finditer(_TAG, text) if not match[1]]
    return re.split(_TAG, text[begins[-1] :], maxsplit=1)[0] if begins else text


def _last_grid(signs: str) -> Board | None:
    """Return the last full grid of a text, or else its last grid; behind it none is damaged."""
    reading = read(signs)
    boards = [board for board in reading.boards if not (board.doubt or board.marks)]
    full = [board for board in boards if "." not in board.cells]
    partial = [board for board in boards if board.layout != "side by side"]
    last = next(reversed(full or partial), None)
    if last is not None:
        behind = near_runs(reading.source[last.end :], ())
        faults = [*reading.faults, *(fault._replace(start=fault.start + last.end) for fault in behind)]
        if damaged := other_part(reading, [last], faults, last.end):
            text = "the last grid of the answer is damaged: {reason}"
            raise InvalidPuzzleError(Message("last damaged", text, reason=damaged.message))
    return last
