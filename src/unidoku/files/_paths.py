"""Values in lists and objects, as logs of models have them: their kinds, paths into them, and their puzzle.

A value has one kind, in JSON, as a text of JSON or Python in a table, and in Parquet alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from unidoku._table.json_values import as_text, json_text
from unidoku.cell import keeps_clues
from unidoku.files._column_names import NO_ROWS
from unidoku.files._records import reading_of, usual_line

SPEAKERS = ("role", "from")
"""Members of messages that say who wrote them."""
MODELS = ("assistant", "model", "gpt", "ai", "bot", "chatbot")
"""Roles of models; nobody else writes an answer."""
CALLS = ("function_call", "tool_call", "tool_use")
"""Types of items that are calls of tools, by a model."""
_TYPES = {name: name for name in ("ai", "human", "tool", "system")} | dict.fromkeys(CALLS, MODELS[0])
_TYPES |= dict.fromkeys(("function_call_output", "tool_result", "tool_response", "function_response"), "tool")
"""Types of messages of LangChain, and of items of a message, with the roles that they mean."""
THOUGHTS = frozenset(
    (
        *("thought", "thoughts", "thought_process", "thinking", "think", "reasoning", "reasoning_content"),
        *("reasoning_text", "reasoning_details", "redacted_thinking", "analysis", "chain_of_thought", "cot"),
        *("rationale", "scratchpad", "reflection", "inner_monologue", "commentary", "critique"),
        *("explanation", "explanations", "steps", "plan", "draft", "notes", "work", "working"),
    )
)
"""Names of members and tags that have thoughts, and values of the members in `_MARKS` that mark thoughts."""
_MARKS = frozenset(("type", "channel", "thought", "thinking", "reasoning"))
"""Members that mark an item as a thought: by one of these words, or by true."""
_MARKED = THOUGHTS | {"true"}
_UNSAID = THOUGHTS | NO_ROWS
_COLUMN = re.compile(r"(?i)(?:c|col|column|box|block|nonet|square|region)[ _-]?\d")
"""The beginning of a name of a column or a box, or of a cell whose name has its column first."""
_PARTS = ("content", "parts")
"""Members whose lists are the parts of one text."""
_SIGN = r"(?>-1|None|null|nan|NaN|[0-9.*_xX?-])(?:\.0)?"
_ROW = re.compile(rf"""(?:[A-Za-z]*[ _]?\d[:.)]? )?[\[('"| ]*(?:{_SIGN}[\s,;|/'"\])]*){{8,11}}""")
"""A row of cells, whole or damaged, perhaps after its number."""
_DIGITS = re.compile("[0-9]{1,18}")
_LONGEST_CELL = 4  # characters: None
_MOST_MEMBERS = 120
"""Members of an object with 81 cells, with its thoughts and the like."""
_LETTERS = re.compile(r"([^\W\d_])(?!\1)[^\W\d_]")
"""Two different letters, which are not signs of empty cells."""
STEP = r"\[-?\d*\]|[^.\[\]]+"
"""A step of a path: a number or each item of a list, or a name."""
_WORD_BREAK = re.compile(r"[ -]|(?<=[a-z])(?=[A-Z])")
_LIST = re.compile(r"\s*[\[{]")
_WRAPPED = re.compile(r"(?is)\A\s*(?:```\w*\n(.*?)\n?```|<answer>(.*?)</answer>)\s*\Z")
"""A text that is all in a code fence or an answer tag."""
_EMPTY: tuple[Any, ...] = (None, "", [], {})
DEEPEST = 40
"""Levels of lists and objects that are looked into."""


class ValueKind(IntEnum):
    """The kinds of values; the last four have values in them."""

    NOTHING = 0
    TEXT = 1
    GRID = 2
    CONVERSATION = 3
    PARTS = 4
    SAMPLES = 5
    OBJECT = 6

    @property
    def is_tree(self) -> bool:
        """Whether values are in it."""
        return self > ValueKind.GRID


def kind_of(value: Any, name: str = "") -> tuple[ValueKind, Any]:
    """Return the kind of a value under a name, and the value: a text of a list or an object as that.

    Such a text may be in a code fence or an answer tag.  Any other list only of cells, numbers and rows is
    text.
    """
    found = _opened(value)
    if found is None:
        return ValueKind.NOTHING, None
    if isinstance(found, list | dict):
        if is_grid(found):
            return ValueKind.GRID, found
        if isinstance(found, dict):
            return ValueKind.OBJECT, found
        if is_conversation(found):
            return ValueKind.CONVERSATION, found
        if _is_said(found):
            return (ValueKind.PARTS if name in _PARTS else ValueKind.SAMPLES), found
    text = json_text(value) if isinstance(value, list) else as_text(value).removeprefix("\ufeff")
    return (ValueKind.TEXT, text) if text.strip() else (ValueKind.NOTHING, None)


class Path(tuple[str, ...]):
    """The name of a column and the steps into its values: ``.name``, ``[n]`` or ``[]``.

    Options accept it as a text, and messages show the text.
    """

    __slots__ = ()

    @classmethod
    def of(cls, names: Sequence[str], text: str) -> Path:
        """Return the path that a text means: the longest of the names that it begins with, and the steps."""
        known = (name for name in names if f"{text}.".startswith((f"{name}.", f"{name}[")))
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
        """Return the values at the path in a value of the column."""
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


def _opened(value: Any) -> Any:
    """Return the list or object that a text is, as JSON or Python writes it; other values as they are."""
    if not isinstance(value, str):
        return value
    text = value.removeprefix("\ufeff")  # as at the beginning of a file
    if wrapped := _WRAPPED.match(text):
        text = wrapped.expand(r"\1\2")
    if not _LIST.match(text) or text.rstrip()[-1:] not in ("]", "}"):
        return value
    found = literal_value(text)
    return value if found is None else found


def literal_value(text: str) -> Any:
    """Return the value that a text is in the notation of JSON or Python; None if it is none."""
    import json  # not at the top: files without logs start faster

    from unidoku.files._literals import value_of_literal

    for read in (json.loads, value_of_literal):
        with suppress(ValueError, RecursionError):
            return read(text)
    return None


def _is_said(value: object, depth: int = 0) -> bool:
    """Return whether a value has a grid, an object or a word, and not only cells and numbers."""
    if isinstance(value, str):
        return len(value) >= 81 or _LETTERS.search(value) is not None
    if not isinstance(value, list):
        return isinstance(value, dict)
    if is_grid(value) or all(one in _EMPTY for one in value):
        return True
    return depth < DEEPEST and any(_is_said(one, depth + 1) for one in value)


def is_grid(value: list[Any] | dict[str, Any]) -> bool:
    """Return whether a value is 81 cells or nine rows, in a list or under names, thoughts aside."""
    if not 9 <= len(value) <= _MOST_MEMBERS:
        return False
    members = members_of(value)
    if isinstance(value, dict) and all(map(_COLUMN.match, members)):
        return False
    rows = [*members.values()]
    if len(rows) == 81:
        return max(map(len, map(str, rows))) <= _LONGEST_CELL
    return len(rows) == 9 and all(map(_ROW.fullmatch, map(str, rows)))


def speaker_of(value: object) -> str:
    """Return the role of a message in lower case; an empty text for another value."""
    if not isinstance(value, dict):
        return ""
    names = (*map(value.get, SPEAKERS), _TYPES.get(str(value.get("type"))))
    return next((name.lower() for name in names if isinstance(name, str)), "")


@lru_cache(maxsize=1024)
def member_name(name: str) -> str:
    """Return the name of a member as the tables write it: `finalAnswer` is ``final_answer``."""
    return _WORD_BREAK.sub("_", name).lower()


def is_thought(value: Any) -> bool:
    """Return whether a value is an item with a mark of thoughts: a type, a channel, or true."""
    return isinstance(value, dict) and any(
        str(value[mark]).lower() in _MARKED for mark in _MARKS & value.keys()
    )


def said_members(value: dict[str, Any]) -> dict[str, Any]:
    """Return the members of an object without thoughts, and without cells that are not in rows."""
    return {name: one for name, one in value.items() if member_name(name) not in _UNSAID}


def members_of(tree: list[Any] | dict[str, Any]) -> dict[Any, Any]:
    """Return the items of a list by number, or the members of an object by name, without thoughts.

    Rows and cells are in the order of the numbers in their names, which differ; A1 and B1 have the same.
    """
    if isinstance(tree, list):
        return dict(enumerate(tree))
    members = said_members(tree)
    numbers = {name: tuple(map(int, _DIGITS.findall(name))) for name in members}
    if len({*numbers.values()}) < len(numbers):
        return members
    return {name: members[name] for name in sorted(numbers, key=numbers.__getitem__)}


def leaf_text(leaf: str | list[Any] | dict[str, Any] | None) -> str:
    """Return a value without values in it as a text; rows of texts in a grid are its lines."""
    if not isinstance(leaf, list | dict):
        return leaf or ""
    rows = [*members_of(leaf).values()]
    if len(rows) == 9 and isinstance(rows[0], str):
        return "\n".join(map(str, rows))
    return usual_line(rows) or json_text(rows)


def is_conversation(values: list[Any]) -> bool:
    """Return whether a list has messages."""
    return any(map(speaker_of, values))


def is_in_words(value: object) -> bool:
    """Return whether a value is a text with words, not only the cells of a puzzle."""
    if not isinstance(value, str) or _LETTERS.search(value) is None:
        return False
    from unidoku._parse.lists import without_empty_words  # not at the top: most files have no words

    return _LETTERS.search(without_empty_words(value)) is not None


def cells_in(text: str) -> str:
    """Return the cells of a text that is a puzzle in any form; an empty text for another one."""
    return usual_line(text) or reading_of(text)[0] or ""


def puzzle_in(value: Any, *path: str) -> Puzzle:
    """Return the puzzle with empty cells in a value; an empty one if there are none or several."""
    found = {puzzle.cells: puzzle for puzzle in reversed(_puzzles_in(value, path))}
    return found.get(earliest(found), Puzzle(path))


def earliest(puzzles: Collection[str]) -> str:
    """Return the puzzle that the other puzzles are states of; nothing without such a puzzle."""
    first = max(puzzles, key=_empty_cells, default="")
    return first if all(keeps_clues(first, other) for other in puzzles) else ""


def _empty_cells(cells: str) -> int:
    """Return the number of empty cells of a puzzle."""
    return cells.count(".")


def _puzzles_in(value: Any, path: tuple[str, ...]) -> list[Puzzle]:
    """Return the puzzles in a value; of a conversation the last one, where it began."""
    kind, tree = kind_of(value)
    if not kind.is_tree:
        text = leaf_text(tree).strip()
        cells = cells_in(text)
        return [Puzzle(path, text, cells)] if "." in cells else []
    if len(path) > DEEPEST or speaker_of(tree) in MODELS:
        return []
    steps = tree.items() if isinstance(tree, dict) else (("[]", one) for one in tree)
    found = [puzzle for step, inner in steps for puzzle in _puzzles_in(inner, (*path, step))]
    if kind is not ValueKind.CONVERSATION:
        return found
    states = [one for one in found if keeps_clues(one.cells, found[-1].cells)]
    return sorted(states, key=lambda one: -_empty_cells(one.cells))[:1]


def _values_at(value: Any, steps: Sequence[str]) -> list[Any]:
    """Return the values on a path, or one on the way without items; a name leads to all items of a list."""
    if not steps:
        return [value]
    tree, step, *rest = _opened(value), *steps
    if isinstance(tree, list) and step.startswith("["):
        items = tree if step == "[]" else tree[int(step[1:-1]) :][:1]
        return [found for one in items for found in _values_at(one, rest)]
    if not isinstance(tree, dict) or step in tree:
        return _values_at(tree[step], rest) if isinstance(tree, dict) else []
    return _values_at(tree, [".".join(steps[:2]), *steps[2:]]) if rest else []  # a name may have dots
