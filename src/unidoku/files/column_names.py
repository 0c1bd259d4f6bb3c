"""Names of the columns of an input: which one has the puzzles, and how they are told apart and quoted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from unidoku.errors import FormatError, Message
from unidoku.files.records import cells_of_field, is_nearly_puzzle
from unidoku.parse.names import PUZZLE_NAMES


def puzzle_column(
    names: list[str],
    column: str | None,
    *,
    lone: bool = False,
    line: int | None = None,
    rows: Callable[[], Sequence[Sequence[object]]] = tuple,
) -> int:
    """Find the column of the puzzles: the one that the user named or numbered, or the one with a known name.

    With `lone`, the only column may have any name.  If no name is known, or several are, it is the one with
    puzzles in the first `rows`, which are read then; of several, the one with empty cells.  One with a name
    of columns or boxes is none.  An error has the line.
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
        from unidoku.parse.order import names_others  # not at the top: a run of lines starts faster

        of_rows = [i for i, name in enumerate(names) if not names_others(name)]
        found = of_rows if any_name else columns_with_puzzles(candidates or of_rows, rows())
        candidates = found or candidates
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


def columns_with_puzzles(columns: Iterable[int], rows: Sequence[Sequence[object]]) -> list[int]:
    """Return the columns with a puzzle, perhaps a damaged one, in most rows (in half with empty cells).

    Those whose grids mostly have empty cells, else those with damaged puzzles; full grids may solve them,
    though some of these are damaged.
    """
    groups: dict[str, list[int]] = {"empty": [], "damaged": [], "full": []}
    for i in columns:
        texts = [str(row[i]).strip() for row in rows if i < len(row)]
        cells = [*filter(None, map(cells_of_field, texts))]
        full = sum("." not in text for text in cells)
        has_empty = full < len(cells) - full
        damaged = sum(map(is_nearly_puzzle, texts)) if len(cells) < len(texts) else 0
        missing = texts.count("") if has_empty else 0
        if 2 * (len(cells) + damaged + missing) >= len(rows) + (not has_empty):
            groups["empty" if has_empty else "damaged" if damaged > full else "full"].append(i)
    return groups["empty"] or groups["damaged"] or groups["full"]


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
