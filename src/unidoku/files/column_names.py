"""Names of the columns of an input: which one has the puzzles, and how they are told apart and quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from unidoku.errors import FormatError, Message
from unidoku.files.records import cells_of_field, is_nearly_puzzle, reading_of
from unidoku.parse.names import NO_VALUES, PUZZLE_NAMES

_HARMLESS = r"[A-Za-z]{0,12}[-_ ]?[0-9]{0,8}(?:\.[0-9]{1,4})?(?<=\w)"


def puzzle_column(
    names: list[str],
    column: str | None,
    *,
    lone: bool = False,
    line: int | None = None,
    row: Sequence[str] = (),
) -> int:
    """Find the column of the puzzles: the one that the user named or numbered, or the one with a known name.

    With `lone`, the only column may have any name.  If no name is known, or several are, it is the one with
    a puzzle in the first `row`; of several, the one with empty cells.  An error has the line.
    """
    listed = ", ".join(map(quote, names[:20])) or Message("none", "none")
    if column is not None:
        if column in names:
            return names.index(column)
        if column.isascii() and column.isdigit() and 1 <= int(column) <= len(names):
            return int(column) - 1
        raise FormatError(
            Message(
                "column missing",
                "expected a column {column}, found {listed}",
                column=quote(column),
                listed=listed,
            ),
            line=line,
        )
    any_name = lone and len(names) == 1
    candidates = [i for i, name in enumerate(names) if name.lower() in PUZZLE_NAMES]
    if len(candidates) != 1:
        candidates = (
            [0] if any_name else columns_with_puzzles(candidates or range(len(names)), row) or candidates
        )
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        several = ", ".join(quote(names[i]) for i in candidates[:20])
        message = Message(
            "which column",
            "the puzzle could be in any of the columns {several}; say which with --column (or column)",
            several=several,
        )
    else:
        choices = ", ".join(PUZZLE_NAMES)
        message = Message(
            "column of puzzle",
            "expected a column {choices} or one named with --column (or column), found {listed}",
            choices=choices,
            listed=listed,
        )
    raise FormatError(message, line=line)


def columns_with_puzzles(columns: Iterable[int], row: Sequence[str]) -> list[int]:
    """Return the columns with a puzzle in a record: with empty cells, or else a damaged one, or a full grid.

    Beside a full grid stand ids, numbers and words alone: anything else may be the place of its puzzle.
    """
    found: dict[str, dict[int, str]] = {"empty": {}, "damaged": {}, "full": {}}
    others = list[str]()
    for i in columns:
        text = row[i].strip() if i < len(row) else ""
        cells = cells_of_field(text) or reading_of(text)[0]
        if cells or is_nearly_puzzle(text):
            found["damaged" if not cells else "empty" if "." in cells else "full"][i] = cells or text
        else:
            others.append(text)
    if found["empty"]:
        puzzles = found["empty"]
        most = max(puzzles, key=lambda i: puzzles[i].count("."))  # others may be its solution with a hole
        pairs = [zip(puzzles[most], cells, strict=True) for cells in puzzles.values()]
        are_states = all(clue in (".", cell) or cell == "." for pair in pairs for clue, cell in pair)
        return [most] if are_states else [*puzzles]
    if found["damaged"]:
        return [*found["damaged"]]
    return [*found["full"]] if all(map(is_harmless, others)) else []


def is_harmless(text: str) -> bool:
    """Return whether a text beside a full grid is an id, a number or a word, and no place of its puzzle."""
    return re.fullmatch(_HARMLESS, text) is not None and text.lower() not in NO_VALUES


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
    short = text if len(text) <= QUOTE_MAX else text[: QUOTE_MAX - 1] + "…"
    return ascii(short) if not short.isprintable() else repr(short)
