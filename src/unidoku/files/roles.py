"""The roles of the columns of an input, decided once: puzzles, solutions, answers.

Names come first, then the first record with a puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, zip_longest
from typing import Any

from unidoku.cell import NO_VALUES
from unidoku.errors import FormatError, InvalidPuzzleError, Message
from unidoku.files.chunks import LINES, Reading
from unidoku.files.records import cells_of_field, is_nearly_puzzle, reading_of
from unidoku.table.batch import Roles
from unidoku.table.json_values import text_of_lists

PUZZLE_NAMES = (
    *("puzzle", "quizzes", "question", "sudoku", "initial_board", "grid", "quiz", "puzzles", "board", "q"),
)
"""Names of the puzzle's column in well-known data sets."""
SOLUTION_NAMES = (
    *("solution", "solutions", "second_solution", "solution_grid", "sol", "solved", "solved_board"),
    *("answer", "answers", "a", "expected", "expected_count", "expected_solution"),
    *("gold", "ground_truth", "target", "label"),
)
"""Names of columns of solutions in well-known data sets."""
ANSWER_NAMES = (
    *("prediction", "predictions", "predicted", "predicted_solution", "response", "completion", "output"),
    *("generated_text", "generation", "model_answer", "model_output"),
)
"""Names of columns of answers to compare: predictions of programs and models."""
RATING_NAMES = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "card", "rating", "ratings", "effort"),
    *("steps", "level", "level_step", "first_steps", "first_level", "first_level_step", "class"),
)
"""Names of columns that may differ for images: of several steps a search takes the first one."""
_TEXT_NAMES = (
    *("name", "title", "source", "author", "description", "comment", "note", "notes"),
    *("techniques", "uses", "sentence", "reason"),
)
"""Names of columns of texts that are no answers, whatever they say."""
_NO_ANSWERS = ("second_solution", "expected_count")
"""Names of solutions that are compared beside another one."""

_HARMLESS = r"[A-Za-z]{0,12}[-_ ]?[0-9]{0,8}(?:\.[0-9]{1,4})?(?<=\w)"


def roles_of(names: Sequence[str], puzzle: int, row: Sequence[str], settings: Reading) -> Roles:
    """Decide what the columns of an input are, beside that of the puzzles, whose number is `puzzle`.

    The `row` has the texts of the first record with a puzzle; without one the names decide alone.
    """
    texts = {name: text.strip() for name, text in zip(names, row, strict=False)}
    clues = texts.pop(names[puzzle], "")
    clues = _cells_of(clues)
    others = [name for k, name in enumerate(names) if k != puzzle]
    solutions = [name for name in others if name.lower() in SOLUTION_NAMES]
    predictions = [name for name in others if name.lower() in ANSWER_NAMES]
    known = {*solutions, *predictions}
    found = [name for name in others if name not in known and _solves(texts.get(name, ""), clues)]
    former = [name for name in found if name.startswith("input_")]  # of the puzzle that this one is from
    solutions += found
    if settings.solution is not None:
        solutions = [names[column_number(names, settings.solution)]]
    if settings.prediction is not None:
        name = settings.prediction  # an error where a record needs it
        with suppress(FormatError):
            name = names[column_number(names, name)]
        return Roles(names[puzzle], tuple(solutions), (name,), (name,), names=tuple(names))
    choices = [name for name in solutions if name not in former]
    choices = predictions or [name for name in choices if name.lower() not in _NO_ANSWERS] or choices
    answers = [name for name in choices if len(texts.get(name, "")) >= 81] if len(choices) > 1 else choices
    answers = answers or choices[:1]
    doubts = [] if predictions else [name for name, text in texts.items() if _may_answer(name, text)]
    doubts = [name for name in doubts if name in former or name not in solutions]
    groups = map(tuple, (solutions, predictions, answers, doubts, names))
    return Roles(names[puzzle], *groups)


def ratings_in(names: Iterable[str]) -> list[str]:
    """Return the columns of ratings; a name beside a technique is that of a step, as `rate` writes it."""
    given = {name: name.lower() for name in names}
    ratings = (*RATING_NAMES, "name") if "technique" in given.values() else RATING_NAMES
    return [name for name, known in given.items() if known in ratings]


def text_rows(columns: Iterable[Iterable[Any]]) -> Iterator[list[str]]:
    """Yield the first rows of columns as texts, nothing where a column is shorter."""
    for row in islice(zip_longest(*columns, fillvalue=""), LINES):
        yield [*map(text_of_lists, row)]


def first_record(rows: Iterable[Sequence[str]]) -> Sequence[str]:
    """Return the first row that has a puzzle with empty cells, or else a damaged one or a full grid.

    If none has these, it is the first row, if any.
    """
    first: Sequence[str] = ()
    other: Sequence[str] = ()
    for row in rows:
        columns = columns_with_puzzles(range(len(row)), row)
        if any("." in _cells_of(row[column]) for column in columns):
            return row
        first, other = first or row, other or (row if columns else ())
    return other or first


def _cells_of(text: str) -> str:
    """Return the cells of a field, in any form; nothing without a puzzle."""
    return cells_of_field(text.strip()) or reading_of(text.strip())[0] or ""


def _solves(text: str, clues: str) -> bool:
    """Return whether a text has a full grid with the clues of a puzzle."""
    if not clues or sum(map(text.count, "123456789")) < 81:
        return False
    cells = cells_of_field(text)
    if cells is None:
        from unidoku.parse.answers import answer_in  # not at the top: a check of files starts faster

        try:
            cells = "".join(map(str, answer_in(text, puzzle=clues))).replace("0", ".")
        except InvalidPuzzleError:
            return False
    return "." not in cells and all(clue in (".", cell) for clue, cell in zip(clues, cells, strict=True))


def _may_answer(name: str, text: str) -> bool:
    """Return whether a text beside a puzzle may be an answer: a full grid, a text as long, or a sentence."""
    if len(text) >= 81:
        return "." not in (cells_of_field(text) or "")
    is_sentence = len(text.split()) > 1 and text[:1].isalpha()
    return is_sentence and name.lower() not in (*RATING_NAMES, *_TEXT_NAMES)


def column_number(names: Sequence[str], column: str, *, line: int | None = None) -> int:
    """Return the number of a column from 0 that a user names, or numbers from 1; an error has the line."""
    if column in names:
        return names.index(column)
    if column.isascii() and column.isdigit() and 1 <= int(column) <= len(names):
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
    lone: bool = False,
    line: int | None = None,
    row: Callable[[], Sequence[str]] = tuple,
) -> int:
    """Find the column of the puzzles: the one that the user named or numbered, or the one with a known name.

    With `lone`, the only column may have any name.  If no name is known, or several are, it is the one with
    a puzzle in the first row; of several, the one with empty cells.  An error has the line.
    """
    if column is not None:
        return column_number(names, column, line=line)
    any_name = lone and len(names) == 1
    candidates = [i for i, name in enumerate(names) if name.lower() in PUZZLE_NAMES]
    if len(candidates) != 1:
        candidates = (
            [0] if any_name else columns_with_puzzles(candidates or range(len(names)), row()) or candidates
        )
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise several_puzzles([names[i] for i in candidates], line)
    text = "expected a column {choices} or one named with --column (or column), found {listed}"
    raise FormatError(Message(text, choices=", ".join(PUZZLE_NAMES), listed=_listed(names)), line=line)


def several_puzzles(names: Sequence[str], line: int | None = None) -> FormatError:
    """Return the error about columns of which the user has to say which has the puzzles."""
    text = "the puzzle could be in any of the columns {several}; say which with --column (or column)"
    return FormatError(Message(text, several=_listed(names)), line=line)


def columns_with_puzzles(columns: Iterable[int], row: Sequence[str]) -> list[int]:
    """Return the columns with a puzzle in a record: with empty cells, or else a damaged one, or a full grid.

    Beside a full grid stand ids, numbers and words alone: anything else may be the place of its puzzle.
    """
    found: dict[str, dict[int, str]] = {"empty": {}, "damaged": {}, "full": {}}
    others = list[str]()
    for i in columns:
        text = row[i].strip() if i < len(row) else ""
        cells = _cells_of(text)
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
