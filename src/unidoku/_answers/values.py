"""The answers in a value, one for each sample: the same for files, calls and rewards."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from unidoku._answers.grid import grid_in, has_cells
from unidoku._answers.thoughts import before_members, messages_in, without_thoughts
from unidoku._native.text.columns import usual_cells
from unidoku.cell import NO_ANSWER, NO_VALUES
from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.files._column_names import GOLD_NAMES
from unidoku.files._paths import (
    CALLS,
    DEEPEST,
    MODELS,
    SPEAKERS,
    Path,
    ValueKind,
    is_grid,
    is_thought,
    kind_of,
    leaf_text,
    literal_value,
    member_name,
    puzzle_in,
    said_members,
    speaker_of,
)

ANSWERS = (
    *("final_answer", "answer", "solution", "grid", "final", "prediction", "completion", "response"),
    *("output", "output_text", "generated_text"),
)
"""Members that have the answer of an object, in order of preference."""
CONTAINERS = (
    *("content", "parts", "text", "message", "value", "data", "result", "outputs", "choices", "candidates"),
    *("completions", "responses", "generation", "generations", "samples", "sampled", "filtered_resps"),
    *("resps", "body", "messages"),
)
"""Members that have what an object says if none of `ANSWERS` is there, in order of preference."""
_CALLS = ("tool_calls", "tool_call", "function_call", "functionCall")
"""Members that have calls of tools."""
_ARGUMENTS = ("arguments", "input", "args")
"""Members of a call that have what it says."""

LONGEST_ANSWER = 1 << 18
"""The number of characters at the end of an answer that are read."""
_TAG = re.compile(r"(?i)</?answer(?:\s[^<>\n]*)?>")
_LAST_TAG = re.compile(rf"(?is)\A.*<answer(?:\s[^<>\n]*)?>(.*?)(?:{_TAG.pattern[4:]}.*)?\Z")
_NUMBER = re.compile(r"\[(-?\d+)\]")
_OBJECT = re.compile(r"\{\s*[\"']")
_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[{}]", re.DOTALL)


def answers_in(value: Any, name: str = "", depth: int = 0) -> list[str]:
    """Return what a value says, a text for each sample; `name` is the name of its member.

    Samples that say nothing are empty texts. An object whose names do not say which member has the answer is
    an error that names them.
    """
    kind, value = kind_of(value, name)
    if kind is ValueKind.NOTHING or depth > DEEPEST:
        return []
    if not kind.is_tree:
        return [leaf_text(value)]
    if kind is ValueKind.OBJECT:
        return _said_by_object(value, depth + 1)
    if kind is ValueKind.CONVERSATION:
        return answers_in(_reply_in(value), "", depth + 1)
    items = [item for item in value if not _is_silent(item)]
    if kind is ValueKind.PARTS:
        return ["\n".join(text for item in items for text in _said_by_part(item, depth + 1))]
    return [text for item in items for text in answers_in(item, "", depth + 1) or [""]]


def _said_by_part(part: Any, depth: int) -> list[str]:
    """Return what a part says; one without a text, such as a call, only if it has a grid."""
    is_other = isinstance(part, dict) and not part.get("text")
    return _grids_in(part, depth) if is_other else answers_in(part, "", depth)


def _is_silent(value: Any) -> bool:
    """Return whether a value is a thought, or by somebody else than a model."""
    return speaker_of(value) not in ("", *MODELS) or is_thought(value)


def _said_by_object(value: dict[str, Any], depth: int) -> list[str]:
    """Return what an object says: a call of a tool with a grid, a word of the tables, or its only member.

    Each member is read once, as members may be deep.
    """
    if _is_silent(value):
        return []
    for name in filter(value.__contains__, _CALLS):
        calls = value[name]
        if said := _grids_in(calls[-1:] if isinstance(calls, list) else calls, depth):  # the last call
            return said
    if word := word_of(value):
        return answers_in(value[word], member_name(word), depth)
    others = (*SPEAKERS, *GOLD_NAMES, *_CALLS)
    names = [name for name in said_members(value) if member_name(name) not in others]
    if len(names) == 1:
        return answers_in(value[names[0]], names[0], depth)
    with_grid = {name: said for name in names if (said := _grids_in(value[name], depth))}
    if len(with_grid) == 1:
        return with_grid.popitem()[1]
    if names:
        text = "several members could be the answer: {names}"
        listed = ", ".join(map(repr, with_grid or names))
        raise InvalidPuzzleError(Reason("several_answers", text, names=listed))
    return []


def word_of(value: dict[str, Any]) -> str:
    """Return the member of an object that is first in the tables of words; empty if none is in them."""
    names = {member_name(name): name for name in said_members(value)}
    words = _ARGUMENTS if value.get("type") in CALLS else (*ANSWERS, *CONTAINERS)
    return next((names[word] for word in words if word in names), "")


def _grids_in(value: Any, depth: int = 0) -> list[str]:
    """Return what a value says if that has a full grid; otherwise nothing."""
    with suppress(InvalidPuzzleError):
        said = answers_in(value, "", depth)
        if any(has_cells(text) and 0 not in answer_in(text) for text in said):
            return said
    return []


def _reply_in(messages: list[Any]) -> Any:
    """Return the last message of a model; None if somebody else gives another puzzle after it."""
    for message in reversed(messages):
        if speaker_of(message) in MODELS and not is_thought(message):
            return message
        if puzzle_in(message).cells:
            break
    return None


def answer_in(value: Any, *, has_tag: bool = False, puzzle: str = "") -> bytes:
    """Return the cells of the last grid of an answer, or of the last full grid if no puzzle is known.

    Candidates, thoughts, turns of users and the puzzle are skipped. With `has_tag` only the content of the
    last ``<answer>`` is read, if the text has this tag. An object of JSON or Python says what it says by
    itself if it has a grid or a word of `ANSWERS`, unless a grid follows; any other object is skipped.
    """
    puzzle = puzzle if "." in puzzle else ""
    kind, value = kind_of(value)
    if kind is ValueKind.TEXT:
        value = without_thoughts(value)[-LONGEST_ANSWER:]
        kind, value = kind_of(messages_in(value, puzzle) or value)
    if kind.is_tree:
        return answer_in(only_answer(answers_in(value)), has_tag=has_tag, puzzle=puzzle)
    text = leaf_text(value)
    if text.strip().lower() in {"", *NO_VALUES}:
        raise InvalidPuzzleError(NO_ANSWER)
    if cells := usual_cells(text):
        return cells
    if has_tag:
        text = _LAST_TAG.sub(r"\1", text)  # perhaps without an end
    said, text = _last_object(_TAG.sub("\n", text))
    if said:
        with suppress(InvalidPuzzleError):
            if has_cells(text):
                return grid_in(text, puzzle)
        return answer_in(said, puzzle=puzzle)
    return grid_in(text, puzzle)


def _last_object(text: str) -> tuple[str, str]:
    """Return what the last object in a text says that counts, and the text after it without objects.

    If an object is damaged, the text ends before its first thought.
    """
    said, words, at, end = "", "", 0, 0
    while match := _OBJECT.search(text, at):
        depth, begin, at = 0, match.start(), match.end()
        for token in _TOKEN.finditer(text, begin):
            depth += {"{": 1, "}": -1}.get(token[0], 0)
            if depth == 0:
                break
        else:
            return "", before_members(text)
        found = literal_value(text[begin : token.end()])
        if isinstance(found, dict):
            words += f"{text[end:begin]}\n"
            if _counts(found):
                said, words = "\n".join(answers_in(found)), ""
            at = end = token.end()
    return said, words + text[end:]


def _counts(value: dict[str, Any]) -> bool:
    """Return whether an object among words counts: it has a grid, perhaps a damaged one, or a word."""
    if _is_silent(value):
        return False
    said = said_members(value).items()
    return is_grid(value) or any(member_name(name) in ANSWERS or _grids_in(one) for name, one in said)


def answers_at(path: Path, value: Any) -> list[str]:
    """Return what a value of a column says at a path; a number after an object selects a sample."""
    said = [text for one in path.values(value) for text in answers_in(one, path.last_name) or [""]]
    number = _NUMBER.fullmatch(path[-1])
    if said or not number:
        return said
    return answers_at(Path(path[:-1]), value)[int(number[1]) :][:1]


def only_answer(answers: list[str]) -> str | None:
    """Return the only one of several samples; an error if they differ."""
    if len({*answers}) > 1:
        raise InvalidPuzzleError(Reason("several_answers", "expected one answer, found {n}", n=len(answers)))
    return next(iter(answers), None)
