"""The columns of an input: which has the puzzles, which have solutions.

Names declare them, or the user does.  Only if no name of puzzles is found, or several, does the first record
say which column has them.  `unidoku._answers` decides which column has the answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any

from unidoku._table.batch import Roles
from unidoku.errors import FormatError, Message
from unidoku.files._chunks import LINES, Reading
from unidoku.files._column_names import declares_no_rows, declares_puzzle, role_of
from unidoku.files._paths import Path, earliest, is_in_words, kind_of, puzzle_in


class NoPuzzlesError(FormatError):
    """No column of an input has puzzles."""


def roles_of(names: Sequence[str], puzzle: int, rows: Sequence[Sequence[Any]], settings: Reading) -> Roles:
    """Return what the columns of an input are; `puzzle` is the number of that with the puzzles.

    The first record with a puzzle, of `rows`, says only how the puzzles are written.
    """
    column = names[puzzle]
    if settings.column is None and declares_no_rows(column):
        text = (
            "{column} may be columns or boxes, not rows; if it has rows, choose it with --column (or column)"
        )
        raise FormatError(Message(text, column=quote(column)))
    asked = Path.of(names, settings.column or column)
    first = first_record(rows, lambda row: asked.puzzle(dict(enumerate(row)).get(puzzle)).cells)
    record = dict(zip(names, first, strict=False))
    value = record.get(column)
    path = asked if asked.is_deep else Path(puzzle_in(value, column).path)
    solutions = [name for name in names if role_of(name) == "solution" and name != column]
    if settings.solution is not None:
        solutions = [names[column_number(names, settings.solution)]]
    return Roles(
        puzzles=str(path),
        solutions=tuple(solutions),
        names=tuple(names),
        is_deep=kind_of(value)[0].is_tree or is_in_words(value),
        first=record,
    )


def prompts_of(roles: Roles) -> list[str]:
    """Return the columns in which the first record has its puzzle in lists or objects, or among words."""
    path = Path.of(roles.names, roles.puzzles)
    cells = path.puzzle(roles.first.get(path[0])).cells
    prompts = [
        name
        for name, value in roles.first.items()
        if (kind_of(value)[0].is_tree or (is_in_words(value) and not role_of(name)))
        and puzzle_in(value).cells == cells
    ]
    return [*prompts, path[0]] if roles.is_deep else prompts


def first_rows(columns: Iterable[Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the first rows of columns, with nothing for a shorter column."""
    return islice(zip_longest(*columns, fillvalue=""), LINES)


def _has_puzzle(row: Sequence[Any]) -> bool:
    """Return whether a record has a puzzle with empty cells."""
    return columns_with_puzzles(range(len(row)), row) != []


def first_record(
    rows: Iterable[Sequence[Any]], has_puzzle: Callable[[Sequence[Any]], object] = _has_puzzle
) -> Sequence[Any]:
    """Return the first row that has a puzzle with empty cells; if none has, the first row, if any."""
    rows = [*rows]
    return next(filter(has_puzzle, rows), [*rows, ()][0])


def column_number(names: Sequence[str], column: str, *, line: int | None = None) -> int:
    """Return the number of a column from 0 that a user names, or numbers from 1; an error has the line."""
    name = Path.of(names, column)[0]
    if name in names:
        return names.index(name)
    is_number = re.fullmatch("[0-9]+", column)
    if is_number and 1 <= int(column) <= len(names):
        return int(column) - 1
    text = "expected a column {column}, found {listed}"
    raise FormatError(Message(text, column=quote(column), listed=_listed(names)), line=line)


def _listed(names: Sequence[str]) -> str:
    """Return names as an error lists them."""
    return ", ".join(map(quote, names[:20])) or Message("none")


def puzzle_column(
    names: list[str],
    column: str | None,
    *,
    line: int | None = None,
    row: Callable[[], Sequence[Any]] = tuple,
    shown: Sequence[str] = (),
) -> int:
    """Find the column of the puzzles: the one that the user names or numbers, or with a known name.

    If no name is known, or several are, it is the one with a puzzle with empty cells in the first row.  An
    error has the line.
    """
    if column is not None:
        return column_number(names, column, line=line)
    known = [i for i, name in enumerate(names) if declares_puzzle(name)]
    if len(known) != 1:
        known = columns_with_puzzles(known or range(len(names)), row()) or known
    if len(known) > 1:
        raise several_puzzles([names[i] for i in known], line)
    if known:
        return known[0]
    text = "no puzzle in the columns {listed}; choose one with --column NAME (or column)"
    raise NoPuzzlesError(Message(text, listed=_listed(shown or names)), line=line)


def several_puzzles(names: Sequence[str], line: int | None = None) -> FormatError:
    """Return the error about columns from which the user has to choose the puzzles."""
    text = "several columns could be the puzzle: {several}; choose one with --column (or column)"
    return FormatError(Message(text, several=_listed(names)), line=line)


def columns_with_puzzles(columns: Sequence[int], row: Sequence[Any]) -> list[int]:
    """Return the columns with a puzzle with empty cells in a record; of its states only the earliest."""
    values = dict(enumerate(row))
    found = {puzzle_in(values.get(i)).cells: i for i in reversed(columns)}
    found.pop("", None)
    first = earliest(found)
    return [found[first]] if first else sorted(found.values())


def unique_names(names: list[str]) -> tuple[str, ...]:
    """Name columns without a name by their number, and append a number to repeated names."""
    last_numbers: dict[str, int] = {}  # appended to a name
    result = []
    for number, name in enumerate(names, 1):
        base = choice = name or f"column{number}"
        while choice in last_numbers:
            last_numbers[base] += 1
            choice = f"{base}_{last_numbers[base]}"
        last_numbers[choice] = 1
        result.append(choice)
    return tuple(result)


QUOTE_MAX = 40
"""Longest quote of a text in a message, in characters."""


def quote(text: str) -> str:
    """Quote a text in a message: shorten it, escape control characters."""
    if len(text) > QUOTE_MAX:
        text = text[: QUOTE_MAX - 1] + "…"
    return repr(text)
