"""The roles of the columns of an input: puzzles, solutions, answers.

Names declare them, or the user is asked: no value is looked at to find a solution or an answer.  Only where
no name, or several, are those of puzzles, the first record says which column has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from unidoku.cell import NO_VALUES
from unidoku.errors import FormatError, Message
from unidoku.files.chunks import LINES, Reading
from unidoku.files.paths import (
    Path,
    cells_in,
    is_in_words,
    is_tree,
    parsed,
    paths_to_answers,
    puzzle_in,
)
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
    *("generated_text", "generation", "generated", "model_answer", "model_output", "reply", "predict"),
    *("pred", "filtered_resp", "samples", "chosen", "rejected"),
)
"""Names of columns of answers to compare: predictions of programs and models, also with an ``s``."""
_CHOICES = ("choice", "candidate", "message")
"""Names of columns of answers if no column has one of `ANSWER_NAMES`; of several messages without ``s``."""
_CONVERSATIONS = ("messages", "conversation", "contents", "trajectory", "dialog", "dialogue", "chat", "body")
"""Names of columns of answers if no column has one of those above."""
RATING_NAMES = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "card", "rating", "ratings", "effort"),
    *("steps", "search_steps", "search_level", "search_level_step", "book_class"),
    *("search_first_steps", "search_first_level", "search_first_level_step"),
    *("level", "level_step", "first_steps", "first_level", "first_level_step", "class"),  # of version 1.0
)
"""Names of columns that may differ for images: of several steps a search takes the first one."""
_REMARK_NAMES = (
    *("id", "uuid", "key", "hash", "index", "idx", "number", "no", "line", "row", "file", "seed", "split"),
    *("name", "title", "source", "author", "date", "description", "comment", "note", "tags", "url", "page"),
    *("clues", "givens", "symmetry", "verdict", "count", "complete", "minimal", "unique", "nodes", "time"),
    *("techniques", "uses", "sentence", "reason", "rules", "prompt", "system", "instruction", "input"),
    *("error", "refusal", "finish_reason", "stop_reason", "model", "status", "category", "type", "kind"),
    *("metadata", "meta", "info", "extra_info", "data_source", "reward_model", "reward", "score", "set"),
)
"""Names of columns that are neither solutions nor answers, also with an ``s``."""
_OWN_NAMES = (
    *("sample", "outcome", "wrong_cells", "broken_houses", "changed_clues", "empty_cells", "filled"),
    *(
        "correct",
        "kept_clues",
        "equal",
        "equivalent",
        "same_solution",
        "image_of",
        "original",
        "automorphisms",
    ),
    *("part", "placements", "eliminations", "before", "step", "link_starts", "link_ends", "link_kinds"),
    *("further_eliminations", "cells_left", "removed", "candidates", "search_solutions", "search_complete"),
)
"""Further names of columns that commands write."""
_KNOWN_NAMES = frozenset((*PUZZLE_NAMES, *RATING_NAMES, *_REMARK_NAMES, *_OWN_NAMES))
_TAUGHT = ("output", "outputs")
"""Names of answers that are solutions in a data set of instructions."""
_NO_ANSWERS = ("second_solution", "expected_count", "solutions", "solved")
"""Names of solutions that are not compared if there is another solution: some are numbers."""

_FIRST = 16
"""Records that are looked at for prompts, and for the paths that an error proposes."""

_HARMLESS = r"[A-Za-z]{0,12}[-_ ]?[0-9]{0,8}(?:\.[0-9]{1,4})?(?<=\w)"


class _Head(NamedTuple):
    """The columns of an input, and their values in the first records that have a puzzle."""

    puzzle: str
    """The column of the puzzles."""
    values: dict[str, list[Any]]
    cells: list[str]
    """Those of the puzzles."""
    log: list[str]
    """The column of the puzzles if it has lists or objects, which may have answers too."""

    @classmethod
    def of(cls, names: Sequence[str], puzzle: int, rows: Sequence[Sequence[Any]], asked: Path) -> _Head:
        """Return the head of an input whose puzzles are in a column, by its number, on a path."""
        found = ((row, _cells_of(row[puzzle], asked)) for row in rows if len(row) > puzzle)
        firsts = [*islice(((row, cells) for row, cells in found if cells), _FIRST)]
        values = {
            name: [row[k] if k < len(row) else None for row, _ in firsts] for k, name in enumerate(names)
        }
        is_log = any(is_tree(parsed(row[puzzle])) for row, _ in firsts)
        log = [names[puzzle]] if is_log else []
        return cls(names[puzzle], values, [cells for _, cells in firsts], log)

    @property
    def others(self) -> list[str]:
        """The columns that may have something else than the puzzles."""
        return [name for name in self.values if name != self.puzzle or self.log]

    @property
    def unknown(self) -> list[str]:
        """The columns whose names do not say what they are."""
        names = (name for name in self.values if name != self.puzzle)
        return [name for name in names if not (role_of(name) or is_known(name))]

    def is_deep(self) -> bool:
        """Return whether the puzzles are in lists or objects, or among words."""
        return bool(self.log) or any(map(is_in_words, self.values[self.puzzle]))

    def prompts(self) -> list[str]:
        """Return the columns that have the puzzle in lists or objects, or among words."""
        others = (name for name in self.values if name != self.puzzle)
        found = [name for name in others if _are_prompts(name, self.values[name], self.cells)]
        return [*found, self.puzzle] if self.is_deep() else found


def roles_of(names: Sequence[str], puzzle: int, rows: Sequence[Sequence[Any]], settings: Reading) -> Roles:
    """Return what the columns of an input are; `puzzle` is the number of that with the puzzles.

    The names decide.  The values of the first records, `rows`, only say how the puzzles are written, which
    columns repeat them among words, and what an error can propose.
    """
    asked = Path.of(names, settings.column or "")
    head = _Head.of(names, puzzle, rows, asked)
    solutions = _solution_columns(head, settings.solution)
    answers, choices = _answer_paths(head, solutions, settings.prediction)
    has_samples = settings.compares and any(_has_samples(rows, names, path) for path in answers)
    return Roles(
        puzzles=_puzzle_path(head, settings.column, asked),
        solutions=tuple(solutions),
        answers=tuple(answers),
        choices=tuple(choices),
        has_samples=has_samples,
        names=tuple(names),
        is_deep=head.is_deep(),
        prompts=tuple(head.prompts()),
        results=tuple(name for name in head.others if name in solutions or role_of(name)),
    )


def _puzzle_path(head: _Head, typed: str | None, asked: Path) -> str:
    """Return where the puzzles are: their column, or the path into it, as typed or as found."""
    if not head.log:
        return head.puzzle
    if typed and asked.is_deep:
        return typed
    return str(Path(puzzle_in(head.values[head.puzzle][0], head.puzzle).path))


def _solution_columns(head: _Head, typed: str | None) -> list[str]:
    """Return the columns of solutions (law 3): that which the user typed, or all with such a name."""
    if typed is not None:
        return [[*head.values][column_number([*head.values], typed)]]
    return [name for name in head.others if role_of(name) == "solution"]


def _answer_paths(head: _Head, solutions: list[str], typed: str | None) -> tuple[list[Path], list[Path]]:
    """Return the path to the answers; or none, and those of which the user has to say one."""
    if typed is not None:
        return [_typed_path([*head.values], typed)], []
    declared = _answer_columns(head, solutions)
    if len(declared) == 1:
        return [Path(declared)], []
    return [], _proposals(head, declared or _possible_columns(head, solutions))


def _has_samples(rows: Sequence[Sequence[Any]], names: Sequence[str], path: Path) -> bool:
    """Return whether most of the first records that have answers have several (law 9)."""
    if path[0] not in names:
        return False
    column = names.index(path[0])
    counts = [len(path.answers(row[column])) for row in rows if len(row) > column]
    answered = [count for count in counts if count]
    return sum(count > 1 for count in answered) * 2 > len(answered)


def _typed_path(names: Sequence[str], text: str) -> Path:
    """Return the path that a user typed (law 1): a name or a number, and perhaps steps."""
    path = Path.of(names, text)
    with suppress(FormatError):  # an error where a record needs it
        path = Path((names[column_number(names, path[0])], *path[1:]))
    return path


def _answer_columns(head: _Head, solutions: list[str]) -> list[str]:
    """Return the columns that the names declare to have the answers (laws 4 and 5)."""
    named = _with_role("answer", head.others)
    named = [name for name in named if f"filtered_{name}".lower() not in map(str.lower, head.values)]
    if _is_taught(head, solutions):
        named = [name for name in named if name.lower() not in _TAUGHT]
    if named := named or _with_role("choice", head.others):
        return named
    if head.unknown:
        return []
    return _with_role("conversation", head.others) or [*_golds(solutions), *head.log]


def _possible_columns(head: _Head, solutions: list[str]) -> list[str]:
    """Return the columns that may have the answers if no name declares one (law 5)."""
    named = (*_with_role("answer", head.others), *_with_role("conversation", head.others))
    return [*dict.fromkeys((*_golds(solutions), *named, *head.log, *head.unknown))]


def _is_taught(head: _Head, solutions: list[str]) -> bool:
    """Return whether a model learns from the outputs (law 4): they are solutions, not answers."""
    names = {name.lower() for name in head.values}
    return bool(head.unknown) and not solutions and not names.isdisjoint(("input", "instruction"))


def _golds(solutions: list[str]) -> list[str]:
    """Return the columns of solutions that a file without answers is verified by."""
    return [name for name in solutions if name.lower() not in _NO_ANSWERS] or solutions


def _with_role(role: str, names: Iterable[str]) -> list[str]:
    """Return the columns whose names declare a role."""
    return [name for name in names if role_of(name) == role]


def _proposals(head: _Head, columns: Sequence[str]) -> list[Path]:
    """Return the paths that an error proposes (law 6): those with a text, and columns that are empty."""
    found = [(Path((name,)), "") for name in columns if not any(head.values[name])]
    values = [(name, value) for name in columns for value in head.values[name]]
    found += [one for name, value in values for one in paths_to_answers(value, (name,))]
    paths = dict.fromkeys(path for path, text in found if not text or _may_be_answer(text))
    return sorted(paths, key=lambda path: columns.index(path[0]))[:_FIRST]


def _may_be_answer(text: str) -> bool:
    """Return whether a text is worth a proposal: not an id, a number, a word or a puzzle."""
    return not is_harmless(text.strip()) and "." not in (cells_of_field(text) or "")


def role_of(name: str) -> str:
    """Return what a name declares: ``solution``, ``answer``, ``choice``, ``conversation`` or nothing."""
    name = name.lower()
    names = {name, name.removesuffix("s")}
    if not names.isdisjoint(SOLUTION_NAMES):
        return "solution"
    if not names.isdisjoint(ANSWER_NAMES):
        return "answer"
    if not names.isdisjoint(_CONVERSATIONS):
        return "conversation"
    return "" if names.isdisjoint(_CHOICES) else "choice"


def is_known(name: str) -> bool:
    """Return whether a name is one of puzzles, ratings, ids or remarks, perhaps those of an input (law 5)."""
    name = name.lower().removeprefix("input_")
    names = {name, name.removesuffix("s")}
    return name.endswith("_id") or not names.isdisjoint(_KNOWN_NAMES)


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


_WHOLE = Path()  # no path into a column


def _text_of(value: Any, path: Path = _WHOLE) -> str:
    """Return the text of a field, or the one that has the puzzle in a list or an object."""
    value = parsed(value)
    return (path.puzzle(value).text if is_tree(value) else text_of(value)).strip()


def _cells_of(value: Any, path: Path = _WHOLE) -> str:
    """Return the cells of a field, in any form; nothing without a puzzle."""
    return cells_in(_text_of(value, path))


def _are_prompts(name: str, values: Sequence[Any], clues: Sequence[str]) -> bool:
    """Return whether all values have their puzzle among messages, or among words that are no answer."""
    puzzles = [puzzle_in(value) for value in values]
    return [one.cells for one in puzzles] == [*clues] != [] and all(
        is_tree(parsed(value)) or not (role_of(name) or cells_of_field(puzzle.text))
        for value, puzzle in zip(values, puzzles, strict=True)
    )


def column_number(names: Sequence[str], column: str, *, line: int | None = None) -> int:
    """Return the number of a column from 0 that a user names, or numbers from 1; an error has the line."""
    name = Path.of(names, column)[0]
    if name in names:
        return names.index(name)
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
    has_puzzles: Callable[[int], bool] = lambda _: True,
) -> int:
    """Find the column of the puzzles (law 2): the one that the user names or numbers, or with a known name.

    With `lone`, the only column may have any name.  If no name is known, or several are, it is the one with
    a puzzle in the first row; of several, the one with empty cells.  A column with a known name that has no
    puzzles is none if another one has them, except solutions and answers by name.  An error has the line.
    """
    if column is not None:
        return column_number(names, column, line=line)
    any_name = lone and len(names) == 1
    candidates = [i for i, name in enumerate(names) if name.lower() in PUZZLE_NAMES]
    if len(candidates) == 1 and len(names) > 1 and not has_puzzles(candidates[0]):
        values = enumerate(row()[: len(names)])
        others = [k for k, value in values if "." in _cells_of(value) and not role_of(names[k])]
        candidates = others if len(others) == 1 else candidates
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


def has_puzzle(row: Sequence[Any], column: int) -> bool:
    """Return whether a column has a puzzle in a record, perhaps a damaged one or a full grid."""
    return columns_with_puzzles([column], row) != []


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
