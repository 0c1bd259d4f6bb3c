"""The roles of the columns of an input, decided once: puzzles, solutions, answers.

Names come first, then the first records with a puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, zip_longest
from typing import Any, TypeAlias

from unidoku.cell import HOUSES, NO_VALUES
from unidoku.errors import FormatError, InvalidPuzzleError, Message
from unidoku.files.chunks import LINES, Reading
from unidoku.files.paths import (
    WORDS,
    Path,
    Said,
    asked_in,
    cells_in,
    is_tree,
    said_in,
    value_of,
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
    *("generated_text", "generation", "model_answer", "model_output", "filtered_resp", "reply", "predict"),
    *("pred", "chosen", "rejected"),
)
"""Names of columns of answers to compare: predictions of programs and models, also with an ``s``."""
RATING_NAMES = (
    *("er", "ep", "ed", "technique", "difficulty", "at_least", "card", "rating", "ratings", "effort"),
    *("steps", "level", "level_step", "first_steps", "first_level", "first_level_step", "class"),
)
"""Names of columns that may differ for images: of several steps a search takes the first one."""
_TEXT_NAMES = (
    *("name", "title", "source", "author", "description", "comment", "note", "notes"),
    *("techniques", "uses", "sentence", "reason", "rules", "prompt", "system", "instruction", "tags"),
    *("error", "errors", "refusal", "finish_reason", "stop_reason"),
)
"""Names of columns of texts that are no answers, whatever they say."""
_EITHER = ("output", "outputs", "completion", "completions")
"""Names of answers that also are those of solutions, from which a model learns, as messages may be."""
_THOUGHTS = ("thoughts", "thinking", "reasoning", "reasoning_content", "rationale", "cot")
"""Names of texts that are answers only where nothing else is one."""
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
    asked = Path.of(names, settings.column or "")
    found_rows = ((row, _cells_of(row[puzzle], asked)) for row in rows if len(row) > puzzle)
    firsts = [*islice(((row, cells) for row, cells in found_rows if cells), _FIRST)]
    rows, clues = [row for row, _ in firsts], [cells for _, cells in firsts]
    is_deep = any(is_tree(value_of(row[puzzle])) for row in rows)
    others = [name for k, name in enumerate(names) if k != puzzle or is_deep]
    columns = {name: [row[k] if k < len(row) else None for row in rows] for k, name in enumerate(names)}
    texts = _Texts({name: columns[name] for name in others}, clues)
    place = str(Path(asked_in(rows[0][puzzle], names[puzzle]).path)) if is_deep else names[puzzle]
    place = settings.column if is_deep and asked.is_deep and settings.column else place
    golds, found = texts.of("solution"), [path for path in texts.of("") if texts.solve(path)]
    solutions = [name for name in others if role_of(name) == "solution"]
    solutions += [path[0] for path in found if len(path) == 1]
    if settings.solution is not None:
        solutions = [names[column_number(names, settings.solution)]]
    is_pair = "." in "".join(clues[:1]) and any(map(texts.begin, (*golds, *found)))
    prompts = [name for name in names if name != place and rows and _are_prompts(name, columns[name], clues)]
    prompts += [names[puzzle]] if is_deep and names[puzzle] not in prompts else []
    former = [path for path in texts.roles if path[0].startswith("input_") and path[0] not in prompts]
    answers, doubts = _answers(texts, golds, found, former)
    results = {*solutions, *(path[0] for path in texts.roles if texts.roles[path] or path in answers)}
    results |= {path[0] for path in doubts if texts.has_grid(path)}
    roles = Roles(place, tuple(solutions), (), (), tuple(names), is_pair, tuple(prompts), (*results,))
    if settings.prediction is not None:
        named = Path.of(names, settings.prediction)
        with suppress(FormatError):  # an error where a record needs it
            named = Path((names[column_number(names, named[0])], *named[1:]))
        name = named[0]
        paths = [] if named.is_deep else [path for path in texts.roles if path[0] == name and len(path) > 1]
        paths = texts.different([path for path in paths if texts.may_answer(path)])
        if len(paths) > 1 and all(isinstance(value, str) for value in columns[name]):
            paths = []  # a text of JSON is an answer as it is
        return roles._replace(answers=(*map(Path, paths),) or (named,))
    return roles._replace(answers=(*map(Path, answers),), doubts=(*map(Path, doubts),))


def _answers(
    texts: _Texts, golds: list[_Path], found: list[_Path], former: list[_Path]
) -> tuple[list[_Path], list[_Path]]:
    """Return the paths that may have the answers, and doubts.

    Beside them are golds by name and found ones, and what is of the puzzle before this one.
    """
    named = [path for path in texts.of("answer") if path not in former]
    others = [path for path in texts.of("") if path not in (*found, *former)]
    texts_beside = [path for path in others if texts.may_answer(path) or texts.is_short(path)]
    grids = [path for path in texts_beside if texts.has_grid(path)]
    answers, doubts = named, list[_Path]()
    if not named:
        answers = grids
    elif all(texts.solve(path) or not texts.has_grid(path) for path in named):  # perhaps golds, or ids
        answers = named + grids
        may_teach = [path for path in named if path[0].lower() in _EITHER or not role_of(*path)]
        if not golds and named == [path for path in may_teach if texts.solve(path)]:
            doubts = texts_beside
        elif not any(texts.may_answer(path) or texts.is_blank(path) for path in named):
            doubts = found
    if not answers:
        doubts = [path for path in former if texts.roles[path] == "answer" or texts.may_answer(path)]
        doubts += texts_beside
        doubts += [path for path in others if texts.is_blank(path)]
        answers = [path for path in (*golds, *found) if path not in former]
        answers = [path for path in answers if path[-1].lower() not in _NO_ANSWERS] or answers
    if len(answers) > 1:
        plausible = [path for path in answers if texts.may_answer(path)]
        answers = texts.different(plausible or (answers if named else answers[:1]))
    return answers, [path for path in doubts if path not in answers]


_Path: TypeAlias = tuple[str, ...]


class _Texts:
    """The texts of the first records, by their paths."""

    def __init__(self, columns: dict[str, list[Any]], clues: list[str]) -> None:
        self.clues = clues
        self.texts: dict[_Path, dict[int, list[str]]] = {}
        self.roles: dict[_Path, str] = {}
        for name, values in columns.items():
            if not any(isinstance(value, bool) for value in values):
                if role_of(name):
                    self.texts[(name,)], self.roles[(name,)] = {}, role_of(name)
                for number, value in enumerate(values):
                    self._add(number, said_in(value, (name,)))
        paths = [*self.roles]
        for path in paths:
            paths += self._open(path)
        self._prune()

    def _add(self, number: int, said: Iterable[Said]) -> None:
        """Add the texts of a column in a record."""
        for path, text, by_model in said:
            self.texts.setdefault(path, {}).setdefault(number, []).append(text.strip())
            self.roles[path] = role_of(*path) or ("answer" if by_model else "")

    def _open(self, path: _Path) -> list[_Path]:
        """Take texts of lists or objects for these, if all on a path are; return the new paths."""
        before = {*self.roles}
        records = self.texts[path].items()
        values = {number: [*map(value_of, filter(None, texts))] for number, texts in records}
        inner = [value for found in values.values() for value in found if value is not None]
        if not inner:
            self.texts[path] = {}  # such as [null]
        if (len(path) > 1 and path[-1] in WORDS) or not inner or not all(map(is_tree, inner)):
            return []
        said = [one for value in inner for one in said_in(value)]
        names = [role_of(*one.path) for one in said]
        if "solution" in names and not ("answer" in names or any(one.by_model for one in said)):
            return []  # a model writes so too
        by_model = self.roles.pop(path) == "answer"
        del self.texts[path]
        for number, found in values.items():
            for value in found:
                self._add(number, said_in(value, path, by_model=by_model))
        return [one for one in self.roles if one not in before]

    def _prune(self) -> None:
        """Drop texts beside those that are named as such in an object, and thoughts; add those above."""
        for path in [*self.roles]:
            column = [one for one in self.roles if one[0] == path[0] and len(one) > 1]
            below = [one for one in column if one[: len(path)] == path != one]
            for one in below:  # where other records have a text in its place
                self.texts[one] = self.texts[path] | self.texts[one]
            named = [one for one in column if _is_named(one) and not _is_remark(one)]
            is_beside = named and not _is_named(path) and self.roles[path] != "solution"
            if path[-1].lower() not in _THOUGHTS:
                is_said = any(map(self.has_grid if self.has_grid(path) else self.may_answer, named))
                is_beside = is_beside and is_said
            if is_beside or below:
                del self.roles[path]
        for path in [path for path in self.roles if path[-1].lower() in _THOUGHTS]:
            others = [one for one in self.of("answer") + self.of("") if one != path and not _is_remark(one)]
            if any(one[:-1] == path[:-1] or self.may_answer(one) for one in others):
                del self.roles[path]

    def of(self, role: str) -> list[_Path]:
        """Return the paths of a role."""
        return [path for path, one in self.roles.items() if one == role]

    def _all(self, path: _Path) -> Iterator[tuple[str, str]]:
        """Yield the texts on a path that are not empty, with the clues of their puzzles."""
        records = self.texts[path].items()
        return ((text, self.clues[number]) for number, texts in records for text in texts if text)

    def is_blank(self, path: _Path) -> bool:
        """Return whether no record has a text there, and its name could be that of answers."""
        return not any(self._all(path)) and not _is_remark(path)

    def is_short(self, path: _Path) -> bool:
        """Return whether texts in an object are named as such, whatever they say."""
        return len(path) > 1 and _is_named(path) and any(self._all(path)) and not _is_remark(path)

    def may_answer(self, path: _Path) -> bool:
        """Return whether one of the texts may be an answer, by its name and what it says."""
        return any(_may_answer(path, text, clues) for text, clues in self._all(path))

    def solve(self, path: _Path) -> bool:
        """Return whether all texts are solutions of their puzzles."""
        return any(self._all(path)) and all(_solves(text, clues) for text, clues in self._all(path))

    def begin(self, path: _Path) -> bool:
        """Return whether the first record has its solution there."""
        return any(_solves(text, self.clues[0]) for text in self.texts[path].get(0, ()))

    def has_grid(self, path: _Path) -> bool:
        """Return whether one of the texts has a grid in it."""
        return any(_grid_in(text, clues) not in ("", clues) for text, clues in self._all(path))

    def different(self, paths: list[_Path]) -> list[_Path]:
        """Return the paths without those that say what one before says: in its column, or wrongly."""
        found = list[_Path]()
        for path in paths:
            same = [one for one in found if self.texts[one] == self.texts[path]]
            if not any(one[0] == path[0] or not self.solve(path) for one in same):
                found.append(path)
        return found


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
    return name.lower() in WORDS or role_of(name) != ""


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
    value = value_of(value)
    return (path.puzzle(value) if is_tree(value) else text_of(value)).strip()


def _cells_of(value: Any, path: Path = _WHOLE) -> str:
    """Return the cells of a field, in any form; nothing without a puzzle."""
    return cells_in(_text_of(value, path))


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


def _is_remark(path: _Path) -> bool:
    """Return whether a name on a path is one of remarks or ratings."""
    return any(name.lower() in (*RATING_NAMES, *_TEXT_NAMES) for name in path)


def _may_answer(path: _Path, text: str, clues: str) -> bool:
    """Return whether a text beside a puzzle may be an answer: a full grid, a text as long, or a sentence."""
    if cells := cells_of_field(text):
        return "." not in cells
    is_list = text[:1] in ("[", "{") and text[-1:] in ("]", "}")  # perhaps of numbers
    is_long = len(text) >= 81 and (not is_list or _grid_in(text, clues) != "")
    is_text = is_long or (len(text.split()) > 1 and text[:1].isalpha())
    return is_text and not _is_remark(path) and cells_in(text) != clues


def _are_prompts(name: str, values: Sequence[Any], clues: Sequence[str]) -> bool:
    """Return whether all values have their puzzle among messages, or among words that are no answer."""
    texts = [asked_in(value).text for value in values]
    return [*map(cells_in, texts)] == clues and all(
        is_tree(value_of(value)) or not (role_of(name) or cells_of_field(text))
        for value, text in zip(values, texts, strict=True)
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
    """Find the column of the puzzles: the one that the user named or numbered, or the one with a known name.

    With `lone`, the only column may have any name.  If no name is known, or several are, it is the one with
    a puzzle in the first row; of several, the one with empty cells.  A column with a known name that has no
    puzzles is none if another one has them, except solutions and answers by name.  An error has the line.
    """
    if column is not None:
        return column_number(names, column, line=line)
    any_name = lone and len(names) == 1
    candidates = [i for i, name in enumerate(names) if name.lower() in PUZZLE_NAMES]
    if len(candidates) == 1 and len(names) > 1 and not has_puzzles(candidates[0]):
        others = [k for k, value in enumerate(row()) if "." in _cells_of(value) and not role_of(names[k])]
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
