"""Values in lists and objects, as logs of models have them: the puzzle that is asked, and the answers.

`puzzle_in` and `answers_in` are the only two walks through a value. Both depend only on the value, so a file,
`unidoku.verify`, `unidoku.verify_many` and the rewards read the same answers.

A *conversation* is a list of messages, objects with a ``role`` or ``from``.  *Samples* are several answers to
one puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from unidoku.errors import InvalidPuzzleError, Message
from unidoku.files.records import cells_of_field, reading_of, text_of
from unidoku.table.json_values import as_text, json_text

WORDS = (
    *("content", "parts", "output_text", "output", "outputs", "text", "generated_text", "value"),
    *("message", "messages", "choices", "candidates", "completion", "completions", "response", "responses"),
    *("generation", "generations", "samples", "sampled", "resps", "body", "data"),
    *("prediction", "answer", "solution", "grid"),
)
"""Members in which an object has its answer, in order of preference."""
THOUGHTS = ("thought", "thoughts", "thinking", "reasoning", "reasoning_content")
"""Types, marks and names of thoughts, which are never answers."""
_PARTS = ("content", "parts")
"""Members whose lists are the parts of one text."""
SPEAKERS = ("role", "from")
"""Members of messages that say who wrote them."""
ASKERS = ("user", "human", "prompter", "system", "developer", "tool", "function")
"""Roles that are not a model's."""
_LETTERS = re.compile(r"([^\W\d_])(?!\1)[^\W\d_]")
"""Two different letters, which are not signs of empty cells."""
_OPENS_TREE = r"\s*(?:\{\s*[\"']|\[[\s\[]*[{\"']|\[\s*\[\s*\[|\[\s*[\[(](?:[^\[\]{}(),]*,){9})"
"""The beginning of a list or an object that may have texts, or of a list of grids."""
_STEP = r"\[-?\d*\]|[^.\[\]]+"
_DEEPEST = 40
"""Levels of lists and objects that are looked into."""


class Path(tuple[str, ...]):
    """The name of a column and the steps into its values (law 1): ``.name``, ``[n]`` or ``[]``.

    Options accept it as a text, and messages show the text.
    """

    __slots__ = ()

    @classmethod
    def of(cls, names: Sequence[str], text: str) -> Path:
        """Return the path that a text means: the longest of the names that it begins with, and the steps."""
        known = (name for name in names if text == name or text.startswith((f"{name}.", f"{name}[")))
        column = max(known, key=len, default=text)
        return cls((column, *re.findall(_STEP, text[len(column) :])))

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

    def puzzle(self, value: Any) -> Puzzle:
        """Return the puzzle in a value of the column."""
        if not self.is_deep:
            return puzzle_in(value)
        found = _values_at(parsed(value), self[1:])
        return puzzle_in(found[0] if len(found) == 1 else found)

    def answers(self, value: Any) -> list[str]:
        """Return the answers in a value of the column; a plain text on the way is one."""
        if not self.is_deep:
            return answers_in(value, self[0])
        value = parsed(value)
        if isinstance(value, str):
            return answers_in(value)
        found = [answers_in(one, self.last_name) for one in _values_at(value, self[1:])]
        if len(found) == 1:
            return found[0]
        return [text for texts in found for text in texts or [""]]


class Puzzle(NamedTuple):
    """A text with a puzzle, and the path to it."""

    path: tuple[str, ...] = ()
    text: str = ""
    cells: str = ""


def parsed(value: Any) -> Any:
    """Return the list or object with texts that a text is, as JSON or Python writes it (law 10).

    Other values are returned as they are, and None for a text of an empty list or object.
    """
    if not isinstance(value, str):
        return value
    if _is_nothing(value):
        return None
    if value.lstrip().startswith(("{", "[")) and re.match(_OPENS_TREE, value):
        import json  # not at the top: files without logs start faster

        from unidoku.files.literals import value_of_literal

        for read in (json.loads, value_of_literal):
            with suppress(ValueError, RecursionError):
                found = read(value)
                return found if has_samples(found) else value
    return value


def _is_nothing(text: str) -> bool:
    """Return whether a text has only an empty list or object, perhaps with a null in it."""
    if text[:1] not in ("[", "{"):
        return False
    if text[-1:] not in ("]", "}"):
        return False
    return text.strip(" \t\r\n[]{}") in ("", "None", "null", "''", '""')


def is_tree(value: object, depth: int = 0) -> bool:
    """Return whether a value is an object, or a list with texts; cells and rows of a grid are not."""
    if depth == _DEEPEST:
        return False
    if isinstance(value, list):
        return any(_has_text(one, depth + 1) for one in value)
    if not isinstance(value, dict):
        return False
    members = [one if isinstance(one, str | list) else str(one) for one in value.values()]
    return [*map(len, members)] not in ([9] * 9, [1] * 81)


def _has_text(value: object, depth: int) -> bool:
    """Return whether a value in a list is or has a text that is more than a cell or a row."""
    if isinstance(value, str):
        return len(value) >= 81 or _LETTERS.search(value) is not None
    if isinstance(value, list | dict):
        return is_tree(value, depth)
    return False


def has_samples(values: list[Any]) -> bool:
    """Return whether a list has texts, objects or whole grids, and is not a grid of its own."""
    return is_tree(values) or _are_grids(values)


def _are_grids(value: object) -> bool:
    """Return whether a value is a list of grids, each of 81 cells or nine rows."""
    if not isinstance(value, list) or not value:
        return False
    return all(map(is_grid, value))


def is_grid(value: object) -> bool:
    """Return whether a value is a list of 81 cells, or of nine rows."""
    if not isinstance(value, list):
        return False
    if len(value) == 9:
        return all(isinstance(row, list | str) and len(row) >= 9 for row in value)
    if len(value) != 81:
        return False
    return not any(isinstance(cell, list | dict) for cell in value)


def _speaker(value: object) -> str:
    """Return the role of a message in lower case; an empty text for another value."""
    if not isinstance(value, dict):
        return ""
    names = map(value.get, SPEAKERS)
    return next((name.lower() for name in names if isinstance(name, str)), "")


def _is_by_model(message: object) -> bool:
    """Return whether a model wrote a message (law 8)."""
    return _speaker(message) not in ("", *ASKERS)


def is_conversation(values: object) -> bool:
    """Return whether a value is a list of messages."""
    if not isinstance(values, list):
        return False
    return any(map(_speaker, values))


def answers_in(value: Any, name: str = "", depth: int = 0, *, is_in_text: bool = False) -> list[str]:
    """Return the answers in a value, one for each sample (law 7); `name` is the name of its member.

    A text is its own answer. A conversation has its answer in the last message of a model, and an object in
    the first of its members that is in `WORDS`. If that value is null or empty, the object has no answer.
    Samples without an answer are empty texts. `is_in_text` says that the value was found inside a text.
    """
    if isinstance(value, str):
        return _answers_of_text(value, name, depth)
    if value is None or depth > _DEEPEST:
        return []
    if isinstance(value, dict):
        return _answers_of_object(value, depth, is_in_text=is_in_text)
    if isinstance(value, list):
        return _answers_of_list(value, name, depth, is_in_text=is_in_text)
    return [as_text(value)]


def only_answer(answers: list[str]) -> str | None:
    """Return the only one of several samples; an error if they differ (law 9)."""
    if len({*answers}) > 1:
        raise InvalidPuzzleError(Message("expected one answer, found {n}", n=len(answers)))
    return answers[0] if answers else None


def _answers_of_text(text: str, name: str, depth: int) -> list[str]:
    """Return the answers in a text: the text itself, or the answers of the JSON log that it is (law 10)."""
    tree = parsed(text)
    if tree is None or not text.strip():
        return []
    if isinstance(tree, str):
        return [text]
    if not _is_log(tree):
        return [_texts_of(tree) or text]
    return answers_in(tree, name, depth + 1, is_in_text=True)


def _answers_of_object(value: dict[str, Any], depth: int, *, is_in_text: bool) -> list[str]:
    """Return the answers in an object: in the first of its members that is in the table of words."""
    if _speaker(value) in ASKERS:
        return []
    if not is_tree(value):
        return [json_text(value)]
    word = next((word for word in WORDS if word in value), None)
    if word is not None:
        return answers_in(value[word], word, depth + 1, is_in_text=is_in_text)
    if not is_in_text or _speaker(value):
        return []
    return [*filter(None, [_texts_of(value)])]


def _answers_of_list(values: list[Any], name: str, depth: int, *, is_in_text: bool) -> list[str]:
    """Return the answers in a list: a conversation, the parts of a text, samples, or the cells of a grid."""
    if is_conversation(values):
        return answers_in(_reply_in(values), "", depth + 1, is_in_text=is_in_text)
    if name in _PARTS and is_tree(values):
        return answers_in(_text_of_parts(values))
    if not values:
        return []
    if not (has_samples(values) or _is_blank(values)):
        return [text_of(values)]
    found = (answers_in(one, "", depth + 1, is_in_text=is_in_text) or [""] for one in values)
    samples = [text for texts in found for text in texts]
    if is_in_text and not _has_objects_or_grids(values):
        return ["\n".join(samples)]  # a text that lists texts is one text
    return samples


def _texts_of(value: Any, depth: int = 0) -> str:
    """Return the texts and grids in a value that no word of the table names, without thoughts."""
    if isinstance(value, str):
        return value
    if depth > _DEEPEST or not isinstance(value, list | dict):
        return ""
    if not is_tree(value):
        return json_text(value)
    members = value
    if isinstance(value, dict):
        members = [value[name] for name in value if name not in THOUGHTS]
    return "\n".join(filter(None, (_texts_of(one, depth + 1) for one in members)))


def _has_objects_or_grids(values: list[Any]) -> bool:
    """Return whether a list, or one in it, is of objects or of grids (law 10)."""
    if _are_grids(values):
        return True
    if any(isinstance(one, dict) for one in values):
        return True
    return any(_has_objects_or_grids(one) for one in values if isinstance(one, list))


def _is_log(tree: Any, depth: int = 0) -> bool:
    """Return whether a text of JSON is a log (law 10): a message, an object with a word, or a list."""
    if isinstance(tree, dict):
        if _speaker(tree):
            return True
        return any(word in tree for word in (*WORDS, *THOUGHTS))
    if not isinstance(tree, list) or depth > _DEEPEST:
        return False
    if _are_grids(tree):
        return True
    if any(isinstance(one, str) for one in tree):
        return True
    return any(_is_log(one, depth + 1) for one in tree)


def _is_blank(values: list[Any]) -> bool:
    """Return whether a list has nothing but empty texts and nulls, as samples without an answer."""
    if not all(one in (None, "") for one in values):
        return False
    return not is_grid(values)


def _reply_in(messages: list[Any]) -> Any:
    """Return the last message of a model; None if an asker gives another puzzle after it."""
    later = list[Any]()
    for message in reversed(messages):
        if _is_by_model(message):
            is_asked_anew = any(puzzle_in(one).cells for one in later)
            return None if is_asked_anew else message
        later.append(message)
    return None


def _text_of_parts(values: list[Any]) -> str:
    """Return the texts of parts as one, without thoughts."""
    texts = list[Any]()
    for part in values:
        if not isinstance(part, dict):
            texts.append(part)
        elif not _is_thought(part):
            texts.append(part.get("text"))
    return "\n".join(text for text in texts if isinstance(text, str))


def _is_thought(part: dict[str, Any]) -> bool:
    """Return whether a part of a text has a type or a mark of thoughts."""
    if part.get("type") in THOUGHTS:
        return True
    return any(map(part.get, THOUGHTS))


def is_in_words(value: object) -> bool:
    """Return whether a value is a text with words, not only the cells of a puzzle."""
    if not isinstance(value, str):
        return False
    if _LETTERS.search(value) is None:
        return False
    if cells_of_field(value):
        return False
    from unidoku.parse.lists import without_empty_words  # not at the top: most files have no words

    return _LETTERS.search(without_empty_words(value)) is not None


def cells_in(text: str) -> str:
    """Return the cells of a text that is a puzzle in any form; an empty text for another one."""
    return cells_of_field(text) or reading_of(text)[0] or ""


def puzzle_in(value: Any, *path: str) -> Puzzle:
    """Return the puzzle with empty cells in a value; an empty one if there are none or several (law 11)."""
    found = _puzzles_in(value, path)
    return found[0] if len(found) == 1 else Puzzle(path)


def _puzzles_in(value: Any, path: tuple[str, ...]) -> list[Puzzle]:
    """Return the different puzzles in a value, each where it began; of a conversation the last one."""
    value = parsed(value)
    if not is_tree(value):
        return _puzzles_of_text(value, path)
    if len(path) > _DEEPEST:
        return []
    if _is_by_model(value):
        return []
    found = [puzzle for name, inner in _members(value) for puzzle in _puzzles_in(inner, (*path, name))]
    puzzles = list[Puzzle]()
    for earlier in reversed(found):
        if _joins(earlier, puzzles):
            continue
        if not puzzles or not is_conversation(value):
            puzzles.append(earlier)
    return puzzles


def _puzzles_of_text(value: Any, path: tuple[str, ...]) -> list[Puzzle]:
    """Return the puzzle that a text, a grid or a list of cells is, if it has empty cells."""
    text = json_text(value) if isinstance(value, dict) else text_of(value)
    cells = cells_in(text.strip())
    return [Puzzle(path, text.strip(), cells)] if "." in cells else []


def _members(value: dict[str, Any] | list[Any]) -> Iterable[tuple[str, Any]]:
    """Return the members of an object or a list, with the steps to them."""
    if isinstance(value, dict):
        return value.items()
    return (("[]", one) for one in value)


def _joins(earlier: Puzzle, puzzles: list[Puzzle]) -> bool:
    """Return whether a puzzle is a state of another puzzle; the earlier puzzle replaces it."""
    for k, puzzle in enumerate(puzzles):
        if _is_state(puzzle.cells, earlier.cells):
            puzzles[k] = earlier
            return True
        if _is_state(earlier.cells, puzzle.cells):
            return True
    return False


def _is_state(cells: str, before: str) -> bool:
    """Return whether a puzzle is another one with more cells filled in, or the same."""
    return all(clue in (".", cell) for clue, cell in zip(before, cells, strict=True))


class AnswerPlace(NamedTuple):
    """A path that has one answer when typed."""

    path: Path
    text: str
    """The answer; empty if the value says nothing here."""
    is_text: bool = False
    """Whether the value is a text itself, or nothing, not a list or an object with a word of the table."""


def places_of_answers(value: Any, path: tuple[str, ...]) -> Iterator[AnswerPlace]:
    """Yield the places in a value that may have answers: the value itself, or else its members.

    A place without a text is a member that is empty, or a value with a word of the table that says nothing.
    """
    tree, texts = parsed(value), list[str]()
    if not _has_members(tree, is_in_text=isinstance(value, str)) or _has_word(tree):
        texts = answers_in(value, path[-1])
    if len({*texts}) > 1:
        yield AnswerPlace(Path((*path, "[0]")), next(filter(None, texts)))
        return
    is_member = len(path) > 1
    if any(texts) or _says_nothing(value, tree, is_member=is_member):
        yield AnswerPlace(Path(path), "".join(texts[:1]), not isinstance(tree, list | dict))
        return
    for name, one in _members_without_word(tree, len(path)):
        yield from places_of_answers(one, (*path, name))


def _members_without_word(tree: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the members of an object or a list that may have answers: not thoughts, and not of an asker."""
    if depth > _DEEPEST:
        return
    if _speaker(tree) in ASKERS:
        return
    if isinstance(tree, list | dict):
        yield from (member for member in _members(tree) if member[0] not in THOUGHTS)


def _has_members(tree: Any, *, is_in_text: bool) -> bool:
    """Return whether a value has members that may have answers: an object, or in a text a list of objects."""
    if isinstance(tree, dict):
        return is_tree(tree)
    if not is_in_text or not isinstance(tree, list):
        return False
    if _are_grids(tree):
        return False
    return _has_objects_or_grids(tree)


def _says_nothing(value: Any, tree: Any, *, is_member: bool) -> bool:
    """Return whether a value is where an answer should be, if it has none."""
    if is_member and value in (None, ""):
        return True
    if isinstance(tree, list) and _is_blank(tree):
        return True
    return _has_word(tree)


def _has_word(tree: Any) -> bool:
    """Return whether a value is, or lists, messages of a model or objects with a word of the table."""
    if isinstance(tree, list):
        return any(map(_should_answer, tree))
    return _should_answer(tree)


def _should_answer(value: object) -> bool:
    """Return whether a value is a message of a model, or an object with a word of the table."""
    if not isinstance(value, dict):
        return False
    speaker = _speaker(value)
    if speaker:
        return speaker not in ASKERS
    return any(word in value for word in WORDS)


def is_prompt(value: Any) -> bool:
    """Return whether a value is a conversation in which no model has a message."""
    tree = parsed(value)
    if not is_conversation(tree):
        return False
    return not any(map(_is_by_model, tree))


def _values_at(value: Any, steps: Sequence[str]) -> list[Any]:
    """Return the values on a path; names without a step into a list lead to each of its items."""
    if not steps:
        return [value]
    value = parsed(value)
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        items, rest = _items_at(value, steps)
        return [one for item in items for one in _values_at(item, rest)]
    if not isinstance(value, dict):
        return []
    if steps[0].startswith("["):  # of the samples in an object
        return _items_at(answers_in(value), steps)[0]
    names = ((".".join(steps[:k]), steps[k:]) for k in range(len(steps), 0, -1))  # a name may have dots
    return next((_values_at(value[name], rest) for name, rest in names if name in value), [])


def _items_at(values: list[Any], steps: Sequence[str]) -> tuple[list[Any], Sequence[str]]:
    """Return the items of a list that the first step of a path means, and the steps into them."""
    number = steps[0].strip("[]")
    if number.removeprefix("-").isdecimal():
        begin = int(number)
        return values[begin : begin + 1 or None], steps[1:]
    if steps[0] == "[]":
        return values, steps[1:]
    if is_conversation(values):
        values = [_reply_in(values)]
    return values, steps
