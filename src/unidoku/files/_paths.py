"""Values in lists and objects, as logs of models have them: their kinds, paths into them, and their puzzle.

A value has one kind, in JSON, as a text of JSON or Python in a table, and in Parquet alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from unidoku._table.json_values import as_text, json_text
from unidoku.files._records import reading_of, text_of, usual_line, without_separators

SPEAKERS = ("role", "from")
"""Members of messages that say who wrote them."""
MODELS = ("assistant", "model", "gpt", "ai", "bot", "chatbot")
"""Roles of models; nobody else writes an answer."""
_TYPES = ("ai", "human", "tool", "system")
"""Roles that LangChain writes as the type of a message."""
THOUGHTS = frozenset(
    (
        *("thought", "thoughts", "thought_process", "thinking", "think", "reasoning", "reasoning_content"),
        *("reasoning_text", "reasoning_details", "redacted_thinking", "analysis", "chain_of_thought", "cot"),
        *("rationale", "scratchpad", "reflection", "inner_monologue", "commentary", "critique"),
        *("explanation", "explanations", "steps", "plan", "draft", "notes", "work", "working"),
    )
)
"""Names of members and tags that have thoughts, and values of the members in `_MARKS` that mark thoughts."""
_MARKS = ("type", "channel", "thought", "thinking", "reasoning")
"""Members that mark an item as a thought: by one of these words, or by true."""
_PARTS = ("content", "parts")
"""Members whose lists are the parts of one text."""
_LETTERS = re.compile(r"([^\W\d_])(?!\1)[^\W\d_]")
"""Two different letters, which are not signs of empty cells."""
STEP = r"\[-?\d*\]|[^.\[\]]+"
"""A step of a path: a number or each item of a list, or a name."""
_WORD_BREAK = re.compile(r"[ -]|(?<=[a-z])(?=[A-Z])")
_EMPTY: tuple[Any, ...] = (None, "", [], {})
DEEPEST = 40
"""Levels of lists and objects that are looked into."""


class ValueKind(Enum):
    """The kinds of values."""

    NOTHING = 0
    TEXT = 1
    GRID = 2
    CONVERSATION = 3
    PARTS = 4
    SAMPLES = 5
    OBJECT = 6


def kind_of(value: Any, name: str = "") -> tuple[ValueKind, Any]:
    """Return the kind of a value under a name, and the value: a text of a list or an object as that."""
    value = parsed(value)
    if value in _EMPTY or (isinstance(value, str) and not value.strip()):
        return ValueKind.NOTHING, None
    if is_grid(value):
        return ValueKind.GRID, value
    if isinstance(value, dict):
        return ValueKind.OBJECT, value
    if not is_tree(value):
        return ValueKind.TEXT, json_text(value) if isinstance(value, list) else as_text(value)
    if is_conversation(value):
        return ValueKind.CONVERSATION, value
    return (ValueKind.PARTS if name in _PARTS else ValueKind.SAMPLES), value


class Path(tuple[str, ...]):
    """The name of a column and the steps into its values: ``.name``, ``[n]`` or ``[]``.

    Options accept it as a text, and messages show the text.
    """

    __slots__ = ()

    @classmethod
    def of(cls, names: Sequence[str], text: str) -> Path:
        """Return the path that a text means: the longest of the names that it begins with, and the steps."""
        known = (name for name in names if text == name or text.startswith((f"{name}.", f"{name}[")))
        column = max(known, key=len, default=text)
        return cls((column, *re.findall(STEP, text[len(column) :])))

    def __str__(self) -> str:
        return self[0] + "".join(step if step.startswith("[") else f".{step}" for step in self[1:])

    @property
    def is_deep(self) -> bool:
        """Whether it leads into the values of its column."""
        return len(self) > 1

    @property
    def last_name(self) -> str:
        """The last step that is a name; empty for a path of numbers."""
        return next((step for step in reversed(self) if not step.startswith("[")), "")

    def values(self, value: Any) -> list[Any]:
        """Return the values at the path in a value of the column; a plain text on the way is one."""
        return _values_at(value, self[1:])

    def puzzle(self, value: Any) -> Puzzle:
        """Return the puzzle in a value of the column."""
        found = self.values(value)
        return puzzle_in(found[0] if len(found) == 1 else found)


class Puzzle(NamedTuple):
    """A text with a puzzle, and the path to it."""

    path: tuple[str, ...] = ()
    text: str = ""
    cells: str = ""


def parsed(value: Any) -> Any:
    """Return the list or object with texts or grids that a text is, as JSON or Python writes it.

    Other values are returned as they are.
    """
    if (
        not isinstance(value, str)
        or value.lstrip()[:1] not in ("[", "{")
        or value.rstrip()[-1:] not in ("]", "}")
    ):
        return value
    found = literal_value(value)
    return found if is_tree(found) else value


def literal_value(text: str) -> Any:
    """Return the value that a text is in the notation of JSON or Python; None if it is none."""
    import json  # not at the top: files without logs start faster

    from unidoku.files._literals import value_of_literal

    for read in (json.loads, value_of_literal):
        with suppress(ValueError, RecursionError):
            return read(text)
    return None


def is_tree(value: object, depth: int = 0) -> bool:
    """Return whether a value is an object, or a list with texts or grids, or one that is empty at all depths.

    A grid and any other list of cells and rows are not.
    """
    if depth == DEEPEST:
        return False
    if not isinstance(value, list):
        return isinstance(value, dict) and not is_grid(value)
    if any(map(_is_word, value)):
        return True
    if is_grid(value):
        return False
    return any(is_tree(one, depth + 1) or is_grid(one) for one in value) or all(
        one in _EMPTY for one in value
    )


def _is_word(value: object) -> bool:
    """Return whether a value is a text that is more than a cell or a row."""
    if not isinstance(value, str):
        return False
    return len(value) >= 81 or _LETTERS.search(value) is not None


def is_grid(value: object) -> bool:
    """Return whether a value is 81 cells or nine rows, in a list or under names, thoughts aside."""
    if not isinstance(value, list | dict) or len(value) < 9:
        return False
    if isinstance(value, dict):
        members = [without_separators(one) for one in said_members(value).values()]
        sizes = [len(one) if isinstance(one, str | list) else len(str(one)) for one in members]
        return sizes in ([9] * 9, [1] * 81)
    if len(value) == 9:
        return all(map(_is_row, value))
    return len(value) == 81 and not any(isinstance(cell, list | dict) for cell in value)


def _is_row(row: object) -> bool:
    """Return whether a value may be a row of a grid: nine cells, perhaps more, or a number of nine digits."""
    if isinstance(row, int):
        return len(str(row)) == 9
    return isinstance(row, list | str) and 9 <= len(row) < 81 and not isinstance(row[0], list)


def speaker_of(value: object) -> str:
    """Return the role of a message in lower case; an empty text for another value."""
    if not isinstance(value, dict):
        return ""
    kind = value.get("type")
    names = (*map(value.get, SPEAKERS), kind if kind in _TYPES else None)
    return next((name.lower() for name in names if isinstance(name, str)), "")


@lru_cache(maxsize=1024)
def member_name(name: str) -> str:
    """Return the name of a member as the tables write it: `finalAnswer` is ``final_answer``."""
    return _WORD_BREAK.sub("_", name).lower()


def is_thought(name: str, value: Any = None) -> bool:
    """Return whether a member is a thought by its name, or an item by a mark: a type, a channel, or true."""
    if member_name(name) in THOUGHTS:
        return True
    if not isinstance(value, dict):
        return False
    marks = map(value.get, _MARKS)
    return any(mark is True or (isinstance(mark, str) and mark.lower() in THOUGHTS) for mark in marks)


def said_members(value: dict[str, Any]) -> dict[str, Any]:
    """Return the members of an object without thoughts."""
    return {name: one for name, one in value.items() if not is_thought(name)}


def names_of_rows(grid: dict[str, Any]) -> list[str]:
    """Return the names of the rows of a grid; names with numbers are in their order."""
    numbers = {name: [*map(int, re.findall("[0-9]+", name))] for name in said_members(grid)}
    return sorted(numbers, key=numbers.__getitem__) if all(numbers.values()) else [*numbers]


def is_conversation(values: object) -> bool:
    """Return whether a value is a list of messages."""
    return isinstance(values, list) and any(map(speaker_of, values))


def is_in_words(value: object) -> bool:
    """Return whether a value is a text with words, not only the cells of a puzzle."""
    if not isinstance(value, str) or _LETTERS.search(value) is None or usual_line(value):
        return False
    from unidoku._parse.lists import without_empty_words  # not at the top: most files have no words

    return _LETTERS.search(without_empty_words(value)) is not None


def cells_in(text: str) -> str:
    """Return the cells of a text that is a puzzle in any form; an empty text for another one."""
    return usual_line(text) or reading_of(text)[0] or ""


def puzzle_in(value: Any, *path: str) -> Puzzle:
    """Return the puzzle with empty cells in a value; an empty one if there are none or several."""
    found = _puzzles_in(value, path)
    return found[0] if len(found) == 1 else Puzzle(path)


def _puzzles_in(value: Any, path: tuple[str, ...]) -> list[Puzzle]:
    """Return the different puzzles in a value, each where it began; of a conversation the last one."""
    value = parsed(value)
    if not is_tree(value):
        text = (json_text(value) if isinstance(value, dict) else text_of(value)).strip()
        cells = cells_in(text)
        return [Puzzle(path, text, cells)] if "." in cells else []
    if len(path) > DEEPEST or speaker_of(value) in MODELS:
        return []
    found = [puzzle for name, inner in members(value) for puzzle in _puzzles_in(inner, (*path, name))]
    puzzles = list[Puzzle]()
    for earlier in reversed(found):
        if not _joins(earlier, puzzles) and not (puzzles and is_conversation(value)):
            puzzles.append(earlier)
    return puzzles


def members(value: dict[str, Any] | list[Any]) -> Iterable[tuple[str, Any]]:
    """Return the members of an object or a list, with the steps to them."""
    if isinstance(value, dict):
        return value.items()
    return (("[]", one) for one in value)


def _joins(earlier: Puzzle, puzzles: list[Puzzle]) -> bool:
    """Return whether a puzzle is a state of another puzzle; the earlier puzzle replaces it."""
    for k, puzzle in enumerate(puzzles):
        if is_state(puzzle.cells, earlier.cells):
            puzzles[k] = earlier
            return True
        if is_state(earlier.cells, puzzle.cells):
            return True
    return False


def is_state(cells: str, before: str) -> bool:
    """Return whether a puzzle is another one with more cells filled in, or the same."""
    return all(clue in (".", cell) for clue, cell in zip(before, cells, strict=True))


def _values_at(value: Any, steps: Sequence[str]) -> list[Any]:
    """Return the values on a path; names without a step into a list lead to each of its items."""
    if not steps:
        return [value]
    value = parsed(value)
    if isinstance(value, str):
        return [value]
    number = steps[0].strip("[]")
    if isinstance(value, list):
        rest = steps[1:] if steps[0].startswith("[") else steps
        if number.removeprefix("-").isdecimal():
            begin = int(number)
            value = value[begin : begin + 1 or None]
        return [found for one in value for found in _values_at(one, rest)]
    if not isinstance(value, dict):
        return []
    names = ((".".join(steps[:k]), steps[k:]) for k in range(len(steps), 0, -1))  # a name may have dots
    return next((_values_at(value[name], rest) for name, rest in names if name in value), [])
