"""The texts in lists and objects, as logs of models have them: where a puzzle is, and what a model said.

A path is a name and its steps: ``.name`` into an object, ``[]`` into a list, and ``[-1]`` to the message of a
model that counts. A step that a user gives may be the number of an item, too.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from unidoku.files.records import cells_of_field, reading_of, text_of

_SPEAKERS = ("role", "from")
_ASKERS = ("", "user", "human", "prompter", "system", "developer", "tool", "function")
"""Who says what no model does."""
_PARTS = ("content", "parts")
"""Lists of the parts of one text."""
_WORD = re.compile(r"([^\W\d_])(?!\1)[^\W\d_]")
"""Two letters, which are no signs of empty cells."""
_TREE = re.compile(r"\s*(?:\{\s*[\"']|\[[\s\[]*[{\"'])")
_DEEPEST = 40
"""Levels of lists and objects that are looked into."""


class Said(NamedTuple):
    """A text, and the path to it."""

    path: tuple[str, ...]
    text: str
    by_model: bool = False
    """Whether it is the message of a model."""


def value_of(text: str) -> Any:
    """Return the list or the object with texts that a field has as JSON or in Python, or the field."""
    if _TREE.match(text):
        for read in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                value = read(text)
                return value if is_tree(value) else text
    return text


def is_tree(value: object, depth: int = 0) -> bool:
    """Return whether a value has texts in it: an object, or a list that is no puzzle."""
    if isinstance(value, list) and depth < _DEEPEST:
        return any(is_tree(one, depth + 1) or (isinstance(one, str) and _is_text(one)) for one in value)
    return isinstance(value, dict)


def _is_text(text: str) -> bool:
    """Return whether a text in a list is no cell and no row."""
    return len(text) >= 81 or _WORD.search(text) is not None


def _speaker(value: object) -> str:
    """Return who says a message, in lower case; nothing for another value."""
    names = (value.get(name) for name in _SPEAKERS) if isinstance(value, dict) else ()
    return next((name.lower() for name in names if isinstance(name, str)), "")


def is_talk(values: object) -> bool:
    """Return whether a list has messages."""
    return isinstance(values, list) and any(map(_speaker, values))


def asked_in(value: Any, *path: str) -> Said:
    """Return the text in a value that has the puzzle, nothing if several could be it.

    Of messages it is the last one, or where that one began.
    """
    if isinstance(value, str) or not is_tree(value):
        text = value.strip() if isinstance(value, str) else text_of(value)
        return Said(path, text if isinstance(value, str | list) and "." in cells_in(text) else "")
    if len(path) > _DEEPEST or _speaker(value) not in _ASKERS:
        return Said(path, "")
    members = value.items() if isinstance(value, dict) else (("[]", one) for one in value)
    found = [asked for name, one in members if (asked := asked_in(one, *path, name)).text]
    first = found.pop() if found else Said(path, "")
    for asked in reversed(found):
        if _is_state(first, asked):
            first = asked
        elif not (is_talk(value) or _is_state(asked, first)):
            return Said(path, "")
    return first


def _is_state(asked: Said, before: Said) -> bool:
    """Return whether a puzzle is another one with more cells filled in."""
    pairs = zip(cells_in(before.text), cells_in(asked.text), strict=True)
    return all(clue in (".", cell) for clue, cell in pairs)


def cells_in(text: str) -> str:
    """Return the cells of a text that is a puzzle in any form; nothing without one."""
    return cells_of_field(text) or reading_of(text)[0] or ""


def said_in(value: Any, path: tuple[str, ...] = (), *, by_model: bool = False) -> Iterator[Said]:
    """Yield the texts in a value: of messages, the one of the model that counts; of parts, all as one."""
    if isinstance(value, str):
        yield Said(path, value, by_model)
    elif isinstance(value, list) and not is_tree(value):
        if value:
            yield Said(path, text_of(value), by_model)
    elif len(path) > _DEEPEST:
        return
    elif isinstance(value, list):
        said, step = _counting(value)
        texts = [one for item in said for one in said_in(item, (*path, step), by_model=by_model)]
        parts = [one.text for one in texts if one.path[-1] == "text"]
        if path and path[-1] in _PARTS and parts:
            texts = [Said(path, "\n".join(parts), by_model)]
        yield from texts
    elif isinstance(value, dict):
        by_model = by_model or _speaker(value) not in _ASKERS
        for name, one in value.items():
            if name not in _SPEAKERS and (by_model or not _speaker(value)):
                yield from said_in(one, (*path, name), by_model=by_model)


def _counting(values: list[Any]) -> tuple[list[Any], str]:
    """Return the items of a list whose texts count, and the step to them: of messages, one of the model.

    It is the last one; behind the puzzle, if that is among them.
    """
    if not is_talk(values):
        return values, "[]"
    puzzle = max((k for k, one in enumerate(values) if asked_in(one).text), default=-1)
    models = [one for one in values[puzzle + 1 :] if _speaker(one) not in _ASKERS]
    return models[-1:], "[-1]"


def dotted(path: Sequence[str]) -> str:
    """Return a path as an option has it."""
    return path[0] + "".join(step if step.startswith("[") else f".{step}" for step in path[1:])


def split_path(names: Sequence[str], path: str) -> tuple[str, list[str]]:
    """Return the column of a path, and the names and numbers behind it; an unknown one as it is."""
    column = max(
        (name for name in names if path == name or path.startswith((f"{name}.", f"{name}["))),
        key=len,
        default=path,
    )
    return column, [step for step in re.split(r"[.\[\]]+", path[len(column) :]) if step not in ("", "-1")]


def texts_at(value: Any, steps: Sequence[str]) -> list[str]:
    """Return the different texts on a path in a value."""
    return [*dict.fromkeys(one.text for inner in _at(value, steps) for one in said_in(inner, (*steps[-1:],)))]


def _at(value: Any, steps: Sequence[str]) -> list[Any]:
    """Return the values on a path."""
    if not steps:
        return [value]
    if isinstance(value, list):
        if steps[0].isdecimal():
            return [one for item in value[int(steps[0]) :][:1] for one in _at(item, steps[1:])]
        return [one for item in _counting(value)[0] for one in _at(item, steps)]
    return _at(value[steps[0]], steps[1:]) if isinstance(value, dict) and steps[0] in value else []
