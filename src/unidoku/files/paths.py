"""The texts in lists and objects, as logs of models have them: where a puzzle is, and what a model said.

A path is a name and its steps: ``.name`` into an object, ``[]`` into a list, and ``[-1]`` to the message of a
model that counts. A step that a user gives may be the number of an item, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from unidoku.files.records import cells_of_field, reading_of, text_of
from unidoku.table.json_values import json_text

_SPEAKERS = ("role", "from")
_ASKERS = ("", "user", "human", "prompter", "system", "developer", "tool", "function")
"""Who says what no model does."""
_PARTS = ("content", "parts")
"""Lists of the parts of one text."""
_THOUGHTS = ("thought", "thinking", "reasoning")
"""What a part is that is no answer: its type, or a mark."""
WORDS = ("content", "text", "value", "message", "generated_text", "output_text")
"""Names of texts in objects; what is beside them says more of these, or was thought."""
_WORD = re.compile(r"([^\W\d_])(?!\1)[^\W\d_]")
"""Two letters, which are no signs of empty cells."""
_TREE = re.compile(r"\s*(?:\{\s*[\"']|\[[\s\[]*[{\"'])")
_NOTHING = re.compile(r"[\[{][\s\[\]{}]*(?:None|null|''|\"\")?[\s\[\]{}]*")
_BETWEEN = re.compile(r"\}\s*\n\s*\{")
"""Objects of an array of NumPy."""
_DEEPEST = 40
"""Levels of lists and objects that are looked into."""


class Path(tuple[str, ...]):
    """The name of a column and the steps into its values; as a text, as options and messages have it."""

    __slots__ = ()

    @classmethod
    def of(cls, names: Sequence[str], text: str) -> Path:
        """Return the path of a text: the longest name that begins it, or all of it, and steps."""
        known = (name for name in names if text == name or text.startswith((f"{name}.", f"{name}[")))
        column = max(known, key=len, default=text)
        return cls((column, *filter(None, re.split(r"[.\[\]]+", text[len(column) :]))))

    def __str__(self) -> str:
        return self[0] + "".join(step if step.startswith("[") else f".{step}" for step in self[1:])

    @property
    def is_deep(self) -> bool:
        """Whether it leads into the values of its column."""
        return len(self) > 1

    def puzzle(self, value: Any) -> str:
        """Return the text with the puzzle in a value of the column."""
        steps = self._steps
        found = _at(value_of(value), steps) if steps else [value]
        return asked_in(found[0] if len(found) == 1 else found).text

    def texts(self, value: Any) -> list[str]:
        """Return the texts in a value of the column; a plain value is one itself, perhaps empty."""
        inner = value_of(value)
        if isinstance(inner, str | int | float):
            return [str(inner)]
        steps = self._steps
        return [one.text for item in _at(inner, steps) for one in said_in(item, (*steps[-1:],))]

    @property
    def _steps(self) -> list[str]:
        """The names and numbers behind the column; what counts in a list needs no step."""
        return [step for step in self[1:] if step not in ("[]", "[-1]", "-1")]


class Said(NamedTuple):
    """A text, and the path to it."""

    path: tuple[str, ...]
    text: str
    by_model: bool = False
    """Whether it is the message of a model."""


def value_of(value: Any) -> Any:
    """Return the list or the object with texts that a text has as JSON or in Python; others as they are."""
    if isinstance(value, str) and _NOTHING.fullmatch(value):
        return None
    if isinstance(value, str) and _TREE.match(value):
        import ast  # not at the top: files without logs start faster
        import json

        for read, text in ((json.loads, value), (ast.literal_eval, _BETWEEN.sub("}, {", value))):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                found = read(text)
                return found if is_tree(found) else value
    return value


def is_tree(value: object, depth: int = 0) -> bool:
    """Return whether a value has texts in it: an object, or a list that is no puzzle.

    An object of cells or rows, as by their names, is none.
    """
    if not isinstance(value, list | dict) or depth == _DEEPEST:
        return False
    if isinstance(value, list):
        return any(is_tree(one, depth + 1) or (isinstance(one, str) and _is_text(one)) for one in value)
    members = [one if isinstance(one, str | list) else str(one) for one in value.values()]
    return [*map(len, members)] not in ([9] * 9, [1] * 81)


def _is_text(text: str) -> bool:
    """Return whether a text in a list is no cell and no row."""
    return len(text) >= 81 or _WORD.search(text) is not None


def _speaker(value: object) -> str:
    """Return who says a message, in lower case; nothing for another value."""
    names = (value.get(name) for name in _SPEAKERS) if isinstance(value, dict) else ()
    return next((name.lower() for name in names if isinstance(name, str)), "")


def is_talk(values: object) -> bool:
    """Return whether a value is a list of messages."""
    return isinstance(values, list) and any(map(_speaker, values))


def _plain(value: Any) -> str:
    """Return a value without texts in it as a text: cells, or JSON."""
    return json_text(value) if isinstance(value, dict) else text_of(value)


def cells_in(text: str) -> str:
    """Return the cells of a text that is a puzzle in any form; nothing without one."""
    return cells_of_field(text) or reading_of(text)[0] or ""


def asked_in(value: Any, *path: str) -> Said:
    """Return the text in a value that has the puzzle, nothing if several could be it."""
    found = _puzzles_in(value, path)
    return found[0] if len(found) == 1 else Said(path, "")


def _puzzles_in(value: Any, path: tuple[str, ...]) -> list[Said]:
    """Return the texts with different puzzles, each where it began; of messages the last one."""
    value = value_of(value)
    if not is_tree(value):
        text = _plain(value).strip()
        return [Said(path, text)] if "." in cells_in(text) else []
    if len(path) > _DEEPEST or _speaker(value) not in _ASKERS:
        return []
    members = value.items() if isinstance(value, dict) else (("[]", one) for one in value)
    puzzles = list[Said]()
    for asked in reversed([one for name, inner in members for one in _puzzles_in(inner, (*path, name))]):
        for k, other in enumerate(puzzles):
            if is_state(other.text, asked.text):
                puzzles[k] = asked
                break
            if is_state(asked.text, other.text):
                break
        else:
            if not (puzzles and is_talk(value)):
                puzzles.append(asked)
    return puzzles


def is_state(text: str, before: str) -> bool:
    """Return whether a puzzle is another one with more cells filled in, or the same."""
    return all(clue in (".", cell) for clue, cell in zip(cells_in(before), cells_in(text), strict=True))


def said_in(value: Any, path: tuple[str, ...] = (), *, by_model: bool = False) -> Iterator[Said]:
    """Yield the texts in a value: of messages, the one of the model that counts; of parts, all as one.

    What has no text is an empty one.
    """
    if isinstance(value, str):
        yield Said(path, value, by_model)
    elif value in ([], {}):
        return
    elif value is None or (isinstance(value, list | dict) and not is_tree(value)):
        text = "" if value is None else _plain(value)
        yield Said(path, "" if _NOTHING.fullmatch(text) else text, by_model)
    elif len(path) > _DEEPEST:
        return
    elif isinstance(value, list):
        said, step = _counting(value)
        texts = [one for item in said for one in said_in(item, (*path, step), by_model=by_model)]
        if path[-1:] and path[-1] in _PARTS and any(isinstance(one, dict) and "text" in one for one in value):
            texts = [Said(path, _text_of_parts(value), by_model)]
        yield from texts
    elif isinstance(value, dict):
        by_model = by_model or _speaker(value) not in _ASKERS
        for name, one in value.items():
            if name not in _SPEAKERS and (by_model or not _speaker(value)):
                yield from said_in(one, (*path, name), by_model=by_model)


def _text_of_parts(values: list[Any]) -> str:
    """Return the texts of parts, without thoughts, as one."""
    parts = (one for one in values if isinstance(one, dict) and one.get("type") not in _THOUGHTS)
    texts = (one.get("text") for one in parts if not any(map(one.get, _THOUGHTS)))
    return "\n".join(text for text in texts if isinstance(text, str))


def _counting(values: list[Any]) -> tuple[list[Any], str]:
    """Return the items of a list whose texts count, and the step to them: of messages, one of the model.

    It is the last one; behind the puzzle, if that is among them.
    """
    if not is_talk(values):
        return values, "[]"
    puzzle = max((k for k, one in enumerate(values) if asked_in(one).text), default=-1)
    models = [one for one in values[puzzle + 1 :] if _speaker(one) not in _ASKERS]
    return models[-1:], "[-1]"


def text_said(value: Any) -> str:
    """Return what a model says in a message or in messages, as one text."""
    said = [one for one in said_in(value) if one.text]
    named = [one.text for one in said if one.path[-1:] and one.path[-1].lower() in WORDS]
    return "\n".join(named or [one.text for one in said])


def _at(value: Any, steps: Sequence[str]) -> list[Any]:
    """Return the values on a path."""
    if steps:
        value = value_of(value)
    if not steps or isinstance(value, str):
        return [value]
    if isinstance(value, list):
        if steps[0].isdecimal():
            return [one for item in value[int(steps[0]) :][:1] for one in _at(item, steps[1:])]
        return [one for item in _counting(value)[0] for one in _at(item, steps)]
    if isinstance(value, dict):
        for k in range(len(steps), 0, -1):  # a name may have dots
            if (name := ".".join(steps[:k])) in value:
                return _at(value[name], steps[k:])
    return []
