"""The answers in a value, one for each sample: the same for files, calls and rewards."""

from __future__ import annotations

import re
from typing import Any

from unidoku.answers.thoughts import is_thought
from unidoku.errors import InvalidPuzzleError, Message
from unidoku.files.paths import (
    DEEPEST,
    MODELS,
    SPEAKERS,
    Path,
    ValueKind,
    is_grid,
    is_list_of_grids,
    is_tree,
    kind_of,
    puzzle_in,
    speaker_of,
)
from unidoku.files.records import text_of

WORDS = (
    *(
        "final_answer",
        "content",
        "parts",
        "output_text",
        "output",
        "outputs",
        "text",
        "generated_text",
        "value",
    ),
    *("message", "messages", "choices", "candidates", "completion", "completions", "response", "responses"),
    *("generation", "generations", "samples", "sampled", "filtered_resps", "resps", "body", "data"),
    *("prediction", "answer", "final", "result", "solution", "grid"),
)
"""Members in which an object has its answer, in order of preference."""
_CALLS = ("tool_calls", "tool_call", "function_call", "functionCall", "function")
"""Members that have calls of tools."""
_ARGUMENTS = ("arguments", "input", "args", "parameters")
"""Members of a call that have its arguments."""


def answers_in(value: Any, name: str = "", depth: int = 0, *, is_said: bool = False) -> list[str]:
    """Return what a value says, a text for each sample; `name` is the name of its member.

    Samples that say nothing are empty texts. If the value was among words (`is_said`), a list of texts is one
    text. An object whose names do not say which member has the answer is an error that names them.
    """
    kind, value = kind_of(value, name)
    if kind is ValueKind.NOTHING or depth > DEEPEST:
        return []
    if kind is ValueKind.TEXT:
        return [value]
    if kind is ValueKind.GRID:
        return [_text_of_grid(value)]
    if kind is ValueKind.OBJECT:
        return _said_by_object(value, depth + 1, is_said=is_said)
    items = [item for item in value if not is_thought("", item)]
    if kind is ValueKind.CONVERSATION:
        return answers_in(_reply_in(items), "", depth + 1, is_said=is_said)
    if kind is ValueKind.PARTS:
        found = (part.get("text") if isinstance(part, dict) else part for part in items)
        text = "\n".join(text for text in found if isinstance(text, str))
        return answers_in(text or _arguments_in(items), "", depth + 1, is_said=is_said)
    samples = (answers_in(item, "", depth + 1, is_said=is_said) or [""] for item in items)
    texts = [text for texts in samples for text in texts]
    return texts if not is_said or _has_objects(items) else ["\n".join(texts)]


def _has_objects(values: list[Any]) -> bool:
    """Return whether a list has objects or grids, at any depth."""
    if any(isinstance(one, dict) or is_grid(one) for one in values):
        return True
    return any(_has_objects(one) for one in values if isinstance(one, list))


def _said_by_object(value: dict[str, Any], depth: int, *, is_said: bool) -> list[str]:
    """Return what an object says: by a word of the table, by its only member, or by a call of a tool."""
    if speaker_of(value) not in ("", *MODELS) or is_thought("", value):
        return []
    said = {member_name(name): one for name, one in value.items() if not is_thought(member_name(name))}
    said = {name: one for name, one in said.items() if name not in SPEAKERS}
    word = next((word for word in WORDS if word in said), None)
    texts = answers_in(said[word], word, depth, is_said=is_said) if word else []
    if not any(texts):
        call = next((value[name] for name in _CALLS if name in value), value if not word else None)
        texts = answers_in(_arguments_in(call), "", depth, is_said=is_said) or texts
    if word or texts or not said:
        return texts
    if len(said) > 1:
        text = Message("several members could be the answer: {names}", names=", ".join(map(repr, said)))
        raise InvalidPuzzleError(text)
    [(name, member)] = said.items()
    return answers_in(member, name, depth, is_said=is_said)


def member_name(name: str) -> str:
    """Return the name of a member as the tables write it."""
    return name.lower().replace(" ", "_")


def _arguments_in(call: Any) -> Any:
    """Return the arguments of the last call of a tool in a value, None without one."""
    if isinstance(call, list):
        return next(filter(None, map(_arguments_in, reversed(call))), None)
    if not isinstance(call, dict):
        return None
    found = next((call[name] for name in _ARGUMENTS if name in call), None)
    return found or _arguments_in(next((call[name] for name in _CALLS if name in call), None))


def _reply_in(messages: list[Any]) -> Any:
    """Return the last message of a model; None if somebody else gives another puzzle after it."""
    replies = [k for k, message in enumerate(messages) if speaker_of(message) in MODELS]
    if not replies or any(puzzle_in(later).cells for later in messages[replies[-1] + 1 :]):
        return None
    return messages[replies[-1]]


def _text_of_grid(grid: Any) -> str:
    """Return the cells of a grid as a text; members with numbers in their names are in that order."""
    if isinstance(grid, dict):
        numbers = {name: [*map(int, re.findall("[0-9]+", name))] for name in grid}
        names = sorted(grid, key=numbers.__getitem__) if all(numbers.values()) else [*grid]
        grid = [grid[name] for name in names]
    if all(isinstance(row, str) and len(row) > 1 for row in grid):
        return "\n".join(grid)
    return text_of(grid)


def answers_at(path: Path, value: Any) -> list[str]:
    """Return what a value of a column says at a path; a number after an object selects a sample."""
    found, number = path.values(value), path[-1].strip("[]")
    if not found and path[-1] != number:
        samples = answers_at(Path(path[:-1]), value)
        return samples[int(number) :][:1] if number else samples
    if len(found) == 1:
        return answers_in(found[0], path.last_name)
    return [text for one in found for text in answers_in(one, path.last_name) or [""]]


def is_data(value: Any) -> bool:
    """Return whether a value is one of a log, and not a list of other objects such as arrays."""
    return not isinstance(value, list) or is_tree(value) or is_grid(value) or is_list_of_grids(value)


def only_answer(answers: list[str]) -> str | None:
    """Return the only one of several samples; an error if they differ."""
    if len({*answers}) > 1:
        raise InvalidPuzzleError(Message("expected one answer, found {n}", n=len(answers)))
    return answers[0] if answers else None
