"""Which column of an input has the answers: its name says so, or the user is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from unidoku._table.batch import Roles
from unidoku.errors import FormatError, InvalidPuzzleError, Message
from unidoku.files._column_names import is_written, role_of
from unidoku.files._paths import THOUGHTS, Path, ValueKind, kind_of, said_members
from unidoku.files._roles import column_number, quote

_MOST = 16
"""Paths that an error lists."""
_BEGIN = 24
"""Characters of their texts in the error."""


def answer_path(roles: Roles, typed: str | None = None) -> Path | None:
    """Return where the answers are, None if the user has to say.

    The path is the one that the user has typed, or the only column with a name of answers, or the other one
    of two columns, not counting ids and columns that commands write. The other one does not count if the
    puzzle is in a log, which may have the answer, or if its name says that it is a thought.
    """
    if typed is not None:
        path = Path.of(roles.names, typed)
        with suppress(FormatError):  # an error where a record needs it
            path = Path((roles.names[column_number(roles.names, path[0])], *path[1:]))
        return path
    names = named_answers(roles)
    if not names and roles.puzzles in roles.names:
        names = [name for name in roles.names if name != roles.puzzles and not is_written(name)]
    return Path(names) if len(names) == 1 and names[0] not in THOUGHTS else None


def named_answers(roles: Roles) -> list[str]:
    """Return the columns with a name of answers; the column of the puzzles has some only if it is a log."""
    return [name for name in roles.names if role_of(name) == "answer" and name != roles.puzzles]


def question_about(roles: Roles, used: Path | None = None) -> str:
    """Return the question where the answers of an input are, with what to type.

    If no record has one at the path that was `used`, nothing is asked unless another column has a value.
    """
    others = {name: one for name, one in roles.first.items() if name not in (roles.puzzles, str(used), "id")}
    places = [place for name, value in others.items() for place in _texts_at(Path((name,)), value)]
    places.sort(key=lambda place: "solution" in map(role_of, place[0]))
    several = listed(places)
    if used is None:
        text = (
            "no column name tells which has the answers; "
            "choose one with --prediction (or prediction): {several}"
        )
        return Message(text, several=several or Message("none"))
    text = "no record has an answer at {path}; choose one with --prediction (or prediction): {several}"
    return Message(text, path=repr(str(used)), several=several) if any(others.values()) else ""


def _texts_at(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    """Yield the places with a text in a value, or with nothing: itself, or members that no word names.

    Such an object is also a place itself if it says a grid.
    """
    from unidoku._answers.grid import has_cells  # not at the top: a name mostly decides
    from unidoku._answers.values import answers_in, word_of

    kind, tree = kind_of(value)
    said, members = list[str](), dict[str, Any]()
    with suppress(InvalidPuzzleError):
        said = answers_in(value, path.last_name)
    if kind is ValueKind.OBJECT and not word_of(tree):
        members = said_members(tree)
    if len({*said}) > 1:
        yield from samples_at(path, value)
    elif any(map(has_cells, said)) or (not members and isinstance(value, str | list | dict | None)):
        yield path, "".join(said[:1])
    for name, member in members.items():
        yield from _texts_at(Path((*path, name)), member)


def samples_at(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    """Yield the path to each sample of the value at a path, and what it says."""
    from unidoku._answers.values import answers_at

    for number in range(_MOST):
        said = answers_at(Path((path.last_name, f"[{number}]")), value)
        if len(said) == 1 and said[0]:
            yield Path((*path, f"[{number}]")), said[0]


def listed(places: Iterable[tuple[Path, str]]) -> str:
    """Return paths as an error lists them, each with the beginning of its text."""
    return ", ".join(f"{str(path)!r} ({_beginning(said)})" for path, said in islice(places, _MOST))


def _beginning(text: str) -> str:
    """Return the beginning of a text as an error shows it."""
    words = " ".join(text.split())
    return quote(words if len(words) <= _BEGIN else f"{words[: _BEGIN - 1]}…")[1:-1] or "''"
