"""Which column of an input has the answers: its name says so, or the user is asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Any

from unidoku._table.batch import Roles
from unidoku.errors import FormatError, InvalidPuzzleError, Message
from unidoku.files._column_names import BEFORE, role_of
from unidoku.files._paths import THOUGHTS, Path, ValueKind, kind_of
from unidoku.files._roles import column_number, quote

_MOST = 16
"""Paths that an error lists."""
_BEGIN = 24
"""Characters of their texts in the error."""


def answer_path(
    roles: Roles, typed: str | None = None, written: Callable[[], Collection[str]] = tuple
) -> Path | None:
    """Return where the answers are, None if the user has to say.

    The path is the one that the user has typed, or the only column with a name of answers, or the other one
    of two columns, not counting ids and columns that are `written` by commands. The other one does not count
    if the puzzle is in a log, which may have the answer, or if its name says that it is a thought or belongs
    to a puzzle before.
    """
    if typed is not None:
        path = Path.of(roles.names, typed)
        with suppress(FormatError):  # an error where a record needs it
            path = Path((roles.names[column_number(roles.names, path[0])], *path[1:]))
        return path
    puzzle, named = Path.of(roles.names, roles.puzzles), named_answers(roles)
    if not named and not puzzle.is_deep:
        others = [name for name in roles.names if name != puzzle[0] and name.lower() != "id"]
        if len(others) > 1:
            others = [name for name in others if name not in written()]
        if len(others) == 1 and others[0] not in THOUGHTS and not others[0].startswith(BEFORE):
            named = others
    return Path(named) if len(named) == 1 else None


def named_answers(roles: Roles) -> list[str]:
    """Return the columns with a name of answers; the column of the puzzles has some only if it is a log."""
    puzzle = Path.of(roles.names, roles.puzzles)
    names = [name for name in roles.names if role_of(name) == "answer"]
    return names if puzzle.is_deep else [name for name in names if name != puzzle[0]]


def question_about(roles: Roles, source: str) -> FormatError:
    """Return the error about an input whose names do not say where the answers are: it lists what to type."""
    places = _places_of(roles)
    if not places:
        text = "no text in the first record; choose one of {listed} with --prediction (or prediction)"
        return FormatError(Message(text, listed=", ".join(map(quote, roles.names[:20]))), file=source)
    text = "several columns could be the answers: {several}; choose one with --prediction (or prediction)"
    if len(places) == 1:
        text = (
            "no column name tells which has the answers; choose one with --prediction (or prediction), "
            "such as {several}"
        )
    return FormatError(Message(text, several=_listed(places)), file=source)


def question_without(used: Path, roles: Roles) -> str:
    """Return what to ask about an input without an answer at a path; nothing if no other column has texts."""
    places = [place for place in _places_of(roles) if place[0][0] not in (used[0], "id")]
    if not places:
        return ""
    text = "no record has an answer at {path}; choose one with --prediction (or prediction): {several}"
    return Message(text, path=repr(str(used)), several=_listed(places))


def _places_of(roles: Roles) -> list[tuple[Path, str]]:
    """Return the places with a text in the first record, but for the puzzle; solutions last."""
    places = [place for name, value in roles.first.items() for place in _texts_at(Path((name,)), value)]
    places = [place for place in places if str(place[0]) != roles.puzzles]
    return sorted(places, key=lambda place: any(role_of(step) == "solution" for step in place[0]))


def _listed(places: list[tuple[Path, str]]) -> str:
    """Return places with the beginnings of their texts."""
    return ", ".join(f"{str(path)!r} ({_beginning(said)})" for path, said in places[:_MOST])


def _texts_at(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    """Yield the places with a text in a value: itself, or else its members."""
    from unidoku._answers.values import answers_in, word_of  # not at the top: a name mostly decides

    kind, tree = kind_of(value)
    said = list[str]()
    with suppress(InvalidPuzzleError):
        said = [text for text in answers_in(value, path.last_name) if text]
    if kind is ValueKind.OBJECT and not (said and word_of(tree)):
        for name, member in tree.items():
            if name not in THOUGHTS:
                yield from _texts_at(Path((*path, name)), member)
    elif said and isinstance(value, str | list | dict):
        yield (Path((*path, "[0]")) if len({*said}) > 1 else path), said[0]


def _beginning(text: str) -> str:
    """Return the beginning of a text as an error shows it."""
    words = " ".join(text.split())
    return quote(words if len(words) <= _BEGIN else f"{words[: _BEGIN - 1]}…")[1:-1]
