"""Grids in answers of any kind: texts, bytes, lists, arrays, or nothing."""

from __future__ import annotations

import re
from typing import Any

from unidoku.cell import CELL_CODES, cells_in
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.grid import Grid
from unidoku.parse.text import array_of, is_bytes, is_missing, one_value, text_of
from unidoku.parse.uses import LONGEST_ANSWER, answer_in

NO_ANSWER = Message("no answer", "no answer")
"""Why there is no grid where there is no answer."""

NO_GRID = Message("no grid", "no grid of 81 cells in the answer")
"""Why there is none in an answer."""

NO_END = Message("no end", "a thought that does not end, and no answer")
"""Why there is none in an answer that is cut within its thoughts."""

# of DeepSeek-R1, Qwen3 (<think>), Magistral ([THINK]); and of prompts for others (<thinking>, <reasoning>)
_THOUGHT = re.compile(r"[<\[](/?)(?:think(?:ing)?|thoughts?|reasoning)[>\]]", re.IGNORECASE)
_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_EMPTY = bytes(81)
_NONE = frozenset({"", "null", "none", "nan", "n/a"})


def read_answer(answer: Any, *, has_tag: bool = False) -> tuple[bytes, str]:
    """Return the grid in an answer, cells 0 to 9, and an empty text; or an empty grid and why there is none.

    Of a text it is the last full grid, or else the last grid, in any layout that a puzzle may have; only the
    last `LONGEST_ANSWER` characters are read, in linear time.  Thoughts are no answer; with `has_tag` only
    what stands in the last ``<answer>`` is one, where there is such a tag.
    """
    try:
        return _cells_of(answer, has_tag), ""
    except InvalidPuzzleError as error:
        return _EMPTY, error.message
    except Exception:  # an object of another program may raise anything
        return _EMPTY, NO_GRID


def _cells_of(answer: Any, has_tag: bool) -> bytes:
    """Return the cells of the grid in an answer; an error if there is none."""
    if isinstance(answer, Grid):
        return answer.cells
    if isinstance(answer, str):
        return _cells_in(answer, has_tag)
    if is_bytes(answer):
        data = bytes(answer)
        return data if len(data) == 81 and max(data) <= 9 else _cells_in(text_of(data), has_tag)
    if is_missing(answer):
        raise InvalidPuzzleError(NO_ANSWER)
    if isinstance(answer, float):
        raise InvalidPuzzleError(NO_GRID)
    value = one_value(answer)
    if value is not answer:
        return _cells_of(value, has_tag)
    is_list = isinstance(answer, list | tuple)
    if len(answer) > 81 or (is_list and len(answer) not in {9, 81}):
        raise InvalidPuzzleError(NO_GRID)
    try:
        array = array_of(answer)
    except ValueError:  # rows of different lengths
        raise InvalidPuzzleError(NO_GRID) from None
    if (array.size != 81 and not (is_list and array.shape == (9,))) or all(
        map(is_missing, array.ravel().tolist())
    ):
        raise InvalidPuzzleError(NO_GRID)
    return Grid(answer).cells


def _without_thoughts(text: str) -> str:
    """Return the text after the last end of a thought, up to one that does not end."""
    begin, end = 0, len(text)
    for match in _THOUGHT.finditer(text) if "<" in text or "[" in text else ():
        if match[1]:
            begin, end = match.end(), len(text)
        else:
            end = min(end, match.start())
    if end < len(text) and not text[begin:end].strip():
        raise InvalidPuzzleError(NO_END)
    return text[begin:end]


def _in_tag(text: str) -> str:
    """Return what stands in the last ``<answer>``, perhaps without its end; any other text as it is."""
    begins = [match.end() for match in _TAG.finditer(text) if not match[1]]
    return _TAG.split(text[begins[-1] :], maxsplit=1)[0] if begins else text


def _cells_in(text: str, has_tag: bool) -> bytes:
    """Return the cells of the grid in a text."""
    if (cells := cells_in(text)) is not None:
        return cells
    if text.strip().lower() in _NONE:
        raise InvalidPuzzleError(NO_ANSWER)
    text = _without_thoughts(text)
    board = answer_in((_in_tag(text) if has_tag else text)[-LONGEST_ANSWER:])
    if board is None:
        raise InvalidPuzzleError(NO_GRID)
    return board.cells.encode().translate(CELL_CODES)
