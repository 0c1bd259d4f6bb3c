"""The roles of the columns of an input, decided once: puzzles, solutions, answers.

Names come first, then the first record with a puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, zip_longest
from typing import Any

from unidoku.cell import HOUSES, NO_VALUES
from unidoku.errors import FormatError, InvalidPuzzleError, Message
from unidoku.files.chunks import LINES, Reading
from unidoku.files.logs import Said, asked_in, cells_in, dotted, is_tree, said_in, split_path
from unidoku.files.records import cells_of_field, is_nearly_puzzle, text_of
from unidoku.table.batch import Roles

PUZZLE_NAMES = (
    *("puzzle", "quizzes", "question", "sudoku", "initial_board", "grid", "quiz", "puzzles", "board", "q"),
)
"""Names of the puzzle's column in well-known data sets."""
SOLUTION_NAMES = (
    *("solution", "second_solution", "solution_grid", "sol", "solved", "solved_board"),
    *("answer", "a", "expected", "expected_count", "expected_solution", "expected_output"),
    *("gold", "ground_truth", "target", "label", "reference", "reference_answer"),
)
"""Names of columns of solutions in well-known data sets, also with an ``s``."""
ANSWER_NAMES = (
    *("prediction", "predicted", "predicted_solution", "response", "completion", "output", "resp"),
    *(
        "generated_text",
        "generation",
        "model_answer",
        "model_output",
        "filtered_resp",
        "reply",
        "predict",
        "pred",
    ),
)
"""Names of columns of answers to compare: predictions of programs and models, also with an ``s``."""
RATING_NAMES = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "card", "rating", "ratings", "effort"),
    *("steps", "level", "level_step", "first_steps", "first_level", "first_level_step", "class"),
)
"""Names of columns that may differ for images: of several steps a search takes the first one."""
_TEXT_NAMES = (
    *("name", "title", "source", "author", "description", "comment", "note", "notes"),
    *("techniques", "uses", "sentence", "reason", "rules", "prompt", "system", "instruction"),
)
"""Names of columns of texts that are no answers, whatever they say."""
_WORDS = ("content", "text", "value", "message", "generated_text", "output_text")
"""Names of texts in objects; what is beside them says more of these, or was thought."""
_NO_ANSWERS = ("second_solution", "expected_count")
"""Names of solutions that are compared beside another one."""

_FIRST = 16
"""Records that say what a column is."""

_HARMLESS = r"[A-Za-z]{0,12}[-_ ]?[0-9]{0,8}(?:\.[0-9]{1,4})?(?<=\w)"


def roles_of(names: Sequence[str], puzzle: int, rows: Sequence[Sequence[Any]], settings: Reading) -> Roles:
    """Decide what the columns of an input are, beside that of the puzzles, whose number is `puzzle`.

    The `rows` have the values of the first records; without one with a puzzle the names decide alone.  Deep
    in lists and objects are paths, and the column of the puzzles is then another one as well.
    """
    rows = [row for row in rows if len(row) > puzzle and _cells_of(row[puzzle])][:_FIRST]
    clues = [_cells_of(row[puzzle]) for row in rows]
    is_deep = any(is_tree(row[puzzle]) for row in rows)
    others = [name for k, name in enumerate(names) if k != puzzle or is_deep]
    truths = {
        name for row in rows for name, value in zip(names, row, strict=False) if isinstance(value, bool)
    }
    texts = _Texts({(name,): {} for name in others if role_of(name) and name not in truths}, clues)
    for number, row in enumerate(rows):
        for name, value in zip(names, row, strict=False):
            if name in others:
                texts.add(number, said_in(value, (name,)))
    texts.prune()
    golds = [path for path, role in texts.roles.items() if role == "solution"]
    predictions = [path for path, role in texts.roles.items() if role == "answer"]
    rest = [path for path, role in texts.roles.items() if not role and texts.may_answer(path)]
    found = [path for path in rest if texts.solve(path)]
    former = [path for path in rest if path[0].startswith("input_")]  # of the puzzle that this one is from
    rest = [path for path in rest if path not in found]
    solutions = [name for name in others if role_of(name) == "solution"]
    solutions += [path[0] for path in found if len(path) == 1]
    if settings.solution is not None:
        solutions = [names[column_number(names, settings.solution)]]
    place = dotted(asked_in(rows[0][puzzle], names[puzzle]).path) if is_deep else names[puzzle]
    plain = [name for name in others if role_of(name) == "answer"]
    pairs = [
        path
        for path in (*golds, *found)
        if rows and any(_solves(text, clues[0]) for text in texts.texts[path].get(0, ()))
    ]
    roles = Roles(
        place, tuple(solutions), tuple(plain), names=tuple(names), are_pairs=bool(pairs) and "." in clues[0]
    )
    if settings.prediction is not None:
        name, steps = split_path(names, settings.prediction)
        with suppress(FormatError):  # an error where a record needs it
            name = names[column_number(names, name)]
        paths = [path for path in texts.roles if path[0] == name and len(path) > 1 and not steps]
        return roles._replace(
            predictions=(name,), answers=(*map(dotted, paths),) or (dotted((name, *steps)),)
        )
    choices = predictions
    if not any(texts.solve(path) is False for path in predictions):  # perhaps solutions in an ``output``
        choices = predictions + [path for path in rest if path not in former and texts.has_grid(path)]
    doubts: list[tuple[str, ...]] = []
    if not choices:
        doubts = [path for path in (*found, *rest) if path in former or path in rest]
        choices = [path for path in (*golds, *found) if path not in former]
        choices = [path for path in choices if path[-1].lower() not in _NO_ANSWERS] or choices
    if len(choices) > 1:
        choices = texts.different([path for path in choices if texts.may_answer(path)]) or choices[:1]
    groups = (tuple(map(dotted, paths)) for paths in (choices, doubts))
    return roles._replace(**dict(zip(("answers", "doubts"), groups, strict=True)))


class _Texts:
    """The texts of the first records, by their paths."""

    def __init__(self, texts: dict[tuple[str, ...], dict[int, list[str]]], clues: list[str]) -> None:
        self.texts, self.clues = texts, clues
        self.roles = {path: role_of(*path) for path in texts}

    def add(self, number: int, said: Iterable[Said]) -> None:
        """Add the texts of a column in a record."""
        for path, text, by_model in said:
            self.texts.setdefault(path, {}).setdefault(number, []).append(text.strip())
            self.roles[path] = role_of(*path) or ("answer" if by_model else "")

    def prune(self) -> None:
        """Drop the texts beside those that are named as such in an object, and columns with deep ones."""
        deep = {path[0] for path in self.roles if len(path) > 1}
        named = {
            path[0] for path in self.roles if len(path) > 1 and _is_named(path) and self.may_answer(path)
        }
        for path, role in [*self.roles.items()]:
            is_beside = path[0] in named and not _is_named(path) and role != "solution"
            if path[0] in deep and (is_beside or (len(path) == 1 and not self.texts[path])):
                del self.roles[path]

    def may_answer(self, path: tuple[str, ...]) -> bool:
        """Return whether one of the texts may be an answer, by its name and what it says."""
        return any(_may_answer(path[-1], text) for texts in self.texts[path].values() for text in texts)

    def solve(self, path: tuple[str, ...]) -> bool:
        """Return whether all texts are solutions of their puzzles."""
        records = self.texts[path].items()
        return all(_solves(text, self.clues[number]) for number, texts in records for text in texts)

    def has_grid(self, path: tuple[str, ...]) -> bool:
        """Return whether one of the texts has a grid in it."""
        records = self.texts[path].items()
        return any(_grid_in(text, self.clues[number]) for number, texts in records for text in texts)

    def different(self, paths: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return the paths without those that say what one before says: in its column, or wrongly."""
        return [
            path for k, path in enumerate(paths) if not any(self._is_same(path, one) for one in paths[:k])
        ]

    def _is_same(self, path: tuple[str, ...], other: tuple[str, ...]) -> bool:
        is_same = self.texts[path] == self.texts[other]
        return is_same and (path[0] == other[0] or not self.solve(path))


def role_of(*names: str) -> str:
    """Return what the first known one of names says: ``solution``, ``answer`` or nothing."""
    for name in map(str.lower, names):
        if not {name, name.removesuffix("s")}.isdisjoint(SOLUTION_NAMES):
            return "solution"
        if not {name, name.removesuffix("s")}.isdisjoint(ANSWER_NAMES):
            return "answer"
    return ""


def _is_named(path: tuple[str, ...]) -> bool:
    """Return whether the last name of a path is known as that of a text."""
    name = next((step for step in reversed(path) if step[:1] != "["), "")
    return name.lower() in _WORDS or role_of(name) != ""


def ratings_in(names: Iterable[str]) -> list[str]:
    """Return the columns of ratings; a name beside a technique is that of a step, as `rate` writes it."""
    given = {name: name.lower() for name in names}
    ratings = (*RATING_NAMES, "name") if "technique" in given.values() else RATING_NAMES
    return [name for name, known in given.items() if known in ratings]


def rows_of(columns: Iterable[Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the first rows of columns, nothing where a column is shorter."""
    return islice(zip_longest(*columns, fillvalue=""), LINES)


def first_record(rows: Iterable[Sequence[Any]]) -> Sequence[Any]:
    """Return the first row that has a puzzle with empty cells, or else a damaged one or a full grid.

    If none has these, it is the first row, if any.
    """
    first: Sequence[Any] = ()
    other: Sequence[Any] = ()
    for row in rows:
        columns = columns_with_puzzles(range(len(row)), row)
        if any("." in _cells_of(row[column]) for column in columns):
            return row
        first, other = first or row, other or (row if columns else ())
    return other or first


def _text_of(value: Any) -> str:
    """Return the text of a field, or the one that has the puzzle in a list or an object."""
    return (asked_in(value).text if is_tree(value) else text_of(value)).strip()


def _cells_of(value: Any) -> str:
    """Return the cells of a field, in any form; nothing without a puzzle."""
    return cells_in(_text_of(value))


def _grid_in(text: str, clues: str) -> str:
    """Return the cells of the grid in an answer; nothing without one."""
    if not clues or sum(map(text.count, "123456789")) < 17:
        return ""
    if (cells := cells_of_field(text)) is not None:
        return cells
    from unidoku.parse.answers import answer_in  # not at the top: a check of files starts faster

    try:
        return "".join(map(str, answer_in(text, puzzle=clues))).replace("0", ".")
    except InvalidPuzzleError:
        return ""


def _solves(text: str, clues: str) -> bool:
    """Return whether a text has a full grid by the rules with the clues of a puzzle."""
    cells = _grid_in(text, clues) if sum(map(text.count, "123456789")) >= 81 else "."
    return (
        "." not in (cells or ".")
        and all(clue in (".", cell) for clue, cell in zip(clues, cells, strict=True))
        and all(len({cells[cell] for cell in house}) == len(house) for house in HOUSES)
    )


def _may_answer(name: str, text: str) -> bool:
    """Return whether a text beside a puzzle may be an answer: a full grid, a text as long, or a sentence."""
    if cells := cells_of_field(text):
        return "." not in cells
    is_text = len(text) >= 81 or (len(text.split()) > 1 and text[:1].isalpha())
    return is_text and name.lower() not in (*RATING_NAMES, *_TEXT_NAMES)


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
    row: Callable[[], Sequence[Any]] = tuple,
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


def columns_with_puzzles(columns: Iterable[int], row: Sequence[Any]) -> list[int]:
    """Return the columns with a puzzle in a record: with empty cells, or else a damaged one, or a full grid.

    Beside a full grid stand ids, numbers and words alone: anything else may be the place of its puzzle.
    """
    found: dict[str, dict[int, str]] = {"empty": {}, "damaged": {}, "full": {}}
    others = list[str]()
    for i in columns:
        text = _text_of(row[i]) if i < len(row) else ""
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
