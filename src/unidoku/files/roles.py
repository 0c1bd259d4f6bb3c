"""The roles of the columns of an input: puzzles, solutions, answers.

Names declare them, or the user is asked. Only if no name of puzzles is found, or several, does the first
record say which column has them. If the names leave several columns open, a column of numbers, dates and
single words has no answers; if one column remains it has them, and the user is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from itertools import islice, zip_longest
from typing import Any, NamedTuple, TypeAlias

from unidoku.cell import HOUSES, NO_VALUES
from unidoku.errors import FormatError, InvalidPuzzleError, LateTextsNote, Message
from unidoku.files.chunks import LINES, Reading
from unidoku.files.column_names import BEFORE, PUZZLE_NAMES, is_answer, is_known, role_of
from unidoku.files.paths import (
    THOUGHTS,
    AnswerPlace,
    Path,
    answers_in,
    cells_in,
    is_conversation,
    is_in_words,
    is_prompt,
    is_tree,
    parsed,
    places_of_answers,
    puzzle_in,
)
from unidoku.files.records import cells_of_field, is_damaged_puzzle, text_of
from unidoku.table.batch import Batch, Roles

Names: TypeAlias = Callable[[], Collection[str]]
"""A function that returns names when they are needed."""

_TAUGHT = ("output", "outputs")
"""Names of answers that are solutions in a data set of instructions."""
_ASKED = ("input", "instruction")
"""Names of questions in a data set of instructions."""
_NO_ANSWERS = ("second_solution", "expected_count", "solutions", "solved")
"""Names of solutions that are not compared if there is another solution: some are numbers."""

_MOST_PROMPTS = 16
"""Records that are looked at for prompts."""
_MOST_PROPOSALS = 16
"""Paths that an error proposes."""
_LONGEST_WORD = 40
"""Characters of an id, a number, a date or a word."""

_DATE = re.compile(r"[-+:.,/%TZ0-9 ]{1,40}")
"""Numbers, dates and times."""
_HARMLESS = r"[A-Za-z]{0,12}[-_ ]?[0-9]{0,8}(?:\.[0-9]{1,4})?(?<=\w)"


class NoPuzzlesError(FormatError):
    """No column of an input has puzzles."""


class _Head:
    """The first records of an input: the names of the columns, and their values."""

    def __init__(self, names: Sequence[str], puzzle: int, rows: Sequence[Sequence[Any]], asked: Path) -> None:
        self.names, self.rows, self.asked = names, rows, asked
        self.puzzle = names[puzzle]
        """The column of the puzzles."""
        found = ((row, _cells_of(row[puzzle], asked)) for row in rows if len(row) > puzzle)
        self.firsts = [*islice(((row, cells) for row, cells in found if cells), _MOST_PROMPTS)]
        """The first rows that have a puzzle, and its cells."""
        self.log: list[str] = []
        """The column of the puzzles if it has lists or objects, which may also have answers."""
        if any(is_tree(parsed(row[puzzle])) for row, _ in self.firsts):
            self.log = [self.puzzle]
        self.is_deep = bool(self.log) or any(map(is_in_words, self._first_values(self.puzzle)))
        """Whether the puzzles are in lists or objects, or among words (law 12)."""

    @property
    def others(self) -> list[str]:
        """The columns that may have something else than the puzzles."""
        if self.log:
            return [*self.names]
        return [name for name in self.names if name != self.puzzle]

    def values(self, name: str) -> list[Any]:
        """Return the values of a column, with None in shorter rows; an unknown column has no values."""
        if name not in self.names:
            return []
        return _values_in(self.rows, self.names.index(name))

    def unknown(self, written: Names = frozenset) -> list[str]:
        """Return the columns whose names do not say what they are, if they may have answers (law 5).

        A column that a command writes is known, unless it has lists or objects: a command writes texts.
        """
        names = [name for name in self.names if not role_of(name) and not is_known(name)]
        names = self.with_texts(name for name in names if name != self.puzzle)
        if not names:
            return []
        known = written()
        return [name for name in names if name.removeprefix(BEFORE) not in known or self.has_trees(name)]

    def with_role(self, role: str) -> list[str]:
        """Return the columns whose names declare a role."""
        return [name for name in self.others if role_of(name) == role]

    def with_texts(self, names: Iterable[str]) -> list[str]:
        """Return the columns that may have answers, without columns of numbers, dates, words or puzzles."""
        return [*filter(self.may_have_answers, names)]

    def may_have_answers(self, name: str) -> bool:
        """Return whether a column has a text that may be an answer, or nothing in the first records."""
        values = [value for value in self.values(name) if not _is_empty(value)]
        if not values:
            return True
        return any(_may_have_answer(value, name) for value in values)

    def has_trees(self, name: str) -> bool:
        """Return whether a column has lists with texts, or objects."""
        return any(is_tree(parsed(value)) for value in self.values(name))

    def has_replies(self, name: str) -> bool:
        """Return whether a column has conversations in which a model replies."""
        return any(map(_has_reply, self.values(name)))

    def is_empty(self, name: str) -> bool:
        """Return whether a column has nothing in the first records."""
        return all(map(_is_empty, self.values(name)))

    def prompts(self) -> list[str]:
        """Return the columns that have the puzzle in lists or objects, or among words (law 12)."""
        cells, others = [cells for _, cells in self.firsts], [*self.names]
        others.remove(self.puzzle)
        found = [name for name in others if _are_prompts(name, self._first_values(name), cells)]
        if self.is_deep:
            found.append(self.puzzle)
        return found

    def puzzle_path(self, typed: str | None, asked: Path) -> str:
        """Return where the puzzles are: their column, or the path into it, as typed or as found."""
        if not self.log:
            return self.puzzle
        if typed and asked.is_deep:
            return typed
        return str(Path(puzzle_in(self._first_values(self.puzzle)[0], self.puzzle).path))

    def all_cells(self) -> list[str]:
        """Return the cells of the puzzle of each row, nothing without one."""
        return [_cells_of(value, self.asked) for value in self.values(self.puzzle)]

    def _first_values(self, name: str) -> list[Any]:
        return _values_in([row for row, _ in self.firsts], self.names.index(name))


def _values_in(rows: Iterable[Sequence[Any]], column: int) -> list[Any]:
    """Return the values of a column, with None in shorter rows."""
    return [row[column] if column < len(row) else None for row in rows]


class Answers(NamedTuple):
    """Which column of an input has the answers."""

    path: Path | None = None
    passed_over: tuple[str, ...] | None = None
    """The columns that were passed over because of their first values; None if the user named a column."""
    choices: tuple[Path, ...] = ()
    """The paths from which the user has to choose, the likeliest first."""
    answered: int = 0
    """The first records that have an answer."""
    several: int = 0
    """Those that have several."""

    @property
    def has_samples(self) -> bool:
        """Whether most of the first records that have answers have several (law 9)."""
        return 2 * self.several > self.answered

    def merge(self, other: Answers) -> Answers:
        """Return the decision for two inputs with the same columns; if they differ, the user is asked."""
        path, choices = self.path, self.choices or other.choices
        if not choices and path != other.path:
            choices = tuple(one for one in (path, other.path) if one is not None)
        if choices:
            path = None
        return Answers(
            path, self.passed_over, choices, self.answered + other.answered, self.several + other.several
        )


def roles_of(names: Sequence[str], puzzle: int, rows: Sequence[Sequence[Any]], settings: Reading) -> Roles:
    """Return what the columns of an input are; `puzzle` is the number of that with the puzzles.

    The names decide.  The values of the first records, `rows`, say how the puzzles are written, which columns
    repeat them among words, which unknown columns have no texts, and what an error can propose.
    """
    asked = Path.of(names, settings.column or "")
    head = _Head(names, puzzle, rows, asked)
    solutions = _solution_columns(head, settings.solution)
    answers = _answers_of_input(head, solutions, settings)
    return Roles(
        puzzles=head.puzzle_path(settings.column, asked),
        solutions=tuple(solutions),
        answers=answers.path,
        choices=answers.choices,
        passed_over=answers.passed_over,
        has_samples=answers.has_samples,
        names=tuple(names),
        is_deep=head.is_deep,
        contents=_contents(head, solutions),
    )


def _contents(head: _Head, solutions: list[str]) -> dict[str, str]:
    """Return the columns that have solutions or answers, or the puzzle among words, as `Roles.contents`."""
    results = [name for name in head.others if name in solutions or role_of(name)]
    return dict.fromkeys(results, "result") | dict.fromkeys(head.prompts(), "prompt")


def has_answers(roles: Roles, settings: Reading) -> bool:
    """Return whether an input has a column of answers, or the user names one, and not only solutions."""
    if roles.answers is None:
        return roles.choices != ()
    column = roles.answers[0]
    if column not in roles.names:
        return False
    if settings.prediction is not None:
        return True
    return column not in roles.solutions


def _solution_columns(head: _Head, typed: str | None) -> list[str]:
    """Return the columns of solutions (law 3): the column that the user typed, or all named as solutions."""
    if typed is not None:
        return [head.names[column_number(head.names, typed)]]
    return head.with_role("solution")


def _answers_of_input(head: _Head, solutions: list[str], settings: Reading) -> Answers:
    """Return where the answers are; inputs of one run with the same columns share the decision."""
    if not settings.compares:
        return Answers()
    key, found = (head.puzzle, frozenset(head.names)), _answers(head, solutions, settings)
    before: Answers | None = settings.decisions.get(key)
    if before is not None:
        found = before.merge(found)
    settings.decisions[key] = found
    return found


def _answers(head: _Head, solutions: list[str], settings: Reading) -> Answers:
    """Return where the answers are (laws 1, 4 and 5), or what an error proposes (law 6)."""
    if settings.prediction is not None:
        return _at(head, _typed_path(head.names, settings.prediction))
    columns = _named_answers(head, solutions, settings.written)
    columns = columns or _columns_left(head, solutions, settings.written)
    if len(columns) > 1:
        columns = head.with_texts(columns) or columns
    if len(columns) == 1 and not _needs_step(head, columns[0]):
        return _at(head, Path(columns))._replace(passed_over=_passed_over(head, columns[0]))
    if not columns:
        no_answers = {head.puzzle, *THOUGHTS, *settings.written()}
        columns = head.with_texts(name for name in head.names if name not in no_answers)
        columns = [name for name in columns if not head.is_empty(name)]
    return Answers(choices=tuple(_proposals(head, columns)))


def _passed_over(head: _Head, answers: str) -> tuple[str, ...]:
    """Return the columns that could have the answers, but have no texts in the first records."""
    names = [
        name for name in head.names if name not in (answers, head.puzzle) and _may_replace(name, answers)
    ]
    if not _is_by_model(answers):
        prompts = (name for name in head.names if is_known(name) and any(map(is_prompt, head.values(name))))
        names += dict.fromkeys((*head.log, *prompts))
    return tuple(
        name
        for name in names
        if name != answers and not any(_has_answer(value, name) for value in head.values(name))
    )


def _may_replace(name: str, answers: str) -> bool:
    """Return whether a column would be one to ask about next to the answers, if it had texts."""
    if _is_by_model(answers):
        return _is_by_model(name)
    return role_of(name) != "solution" and not is_known(name)


def _is_by_model(name: str) -> bool:
    """Return whether a name declares answers, whatever other columns have."""
    return role_of(name) in ("answer", "model text") and name.lower() not in _TAUGHT


def late_texts(batch: Batch, written: Names) -> LateTextsNote | None:
    """Return a note on the first column that was passed over, but may have answers in this batch.

    A text that is too short for a grid does not count.
    """
    roles = batch.roles
    if roles.passed_over is None or not roles.answers:
        return None
    late = [name for name in batch.late if _may_replace(name, roles.answers[0])]
    for name in (*roles.passed_over, *late):
        row = _first_answer(batch, name)
        if row is None or name in written():
            continue
        text = (
            "{column} has texts from here on, but {answers} was compared; if the texts are the answers, "
            "choose their column with --prediction (or prediction)"
        )
        message = Message(text, column=quote(name), answers=quote(str(Path(roles.answers))))
        return LateTextsNote(message, file=batch.source, line=int(batch.lines[row]))
    return None


def _first_answer(batch: Batch, name: str) -> int | None:
    """Return the first puzzle of a batch that may have an answer in a column."""
    column = batch.columns.get(name)
    if column is None:
        return None
    if batch.order is not None:
        column = column.take(batch.puzzle_rows)
    values = column.values_with_grids()
    return next((row for row, value in values if _has_answer(value, name)), None)


def _typed_path(names: Sequence[str], text: str) -> Path:
    """Return the path that a user typed (law 1): a name or a number, and perhaps steps."""
    path = Path.of(names, text)
    with suppress(FormatError):  # an error where a record needs it
        path = Path((names[column_number(names, path[0])], *path[1:]))
    return path


def _named_answers(head: _Head, solutions: list[str], written: Names) -> list[str]:
    """Return the columns whose names declare that they have the answers (law 4)."""
    names = {name.lower() for name in head.names}
    named = [name for name in head.with_role("answer") if f"filtered_{name}".lower() not in names]
    is_of_instructions = not names.isdisjoint(_ASKED)
    if is_of_instructions and _has_taught_outputs(head, solutions, written):
        named = [name for name in named if name.lower() not in _TAUGHT]
    named = named or head.with_role("model text")
    return named or _without_numbers(head, head.with_role("choice"))


def _has_taught_outputs(head: _Head, solutions: list[str], written: Names) -> bool:
    """Return whether outputs in a data set of instructions are taught: other texts are a model's."""
    if solutions:
        return False
    if head.with_role("model text") or head.with_role("output"):
        return True
    return head.unknown(written) != []


def _without_numbers(head: _Head, names: list[str]) -> list[str]:
    """Return the columns that have something else than numbers and dates, or nothing."""
    return [name for name in names if not _has_only_numbers(head, name)]


def _has_only_numbers(head: _Head, name: str) -> bool:
    """Return whether a column has numbers and dates, and nothing else."""
    if head.is_empty(name):
        return False
    return all(map(_is_number, head.values(name)))


def _columns_left(head: _Head, solutions: list[str], written: Names) -> list[str]:
    """Return the columns that may have the answers if no name declares one (law 5).

    Without a column of an unknown name these are the conversations, or else the solutions. The columns
    ``input_NAME`` belong to a puzzle before: they are answers only if the user names them.
    """
    unknown, golds = head.unknown(written), _golds(solutions)
    outputs, conversations = head.with_role("output"), head.with_role("conversation")
    if not unknown:
        declared = outputs or conversations
        return declared or [*golds, *_logs(head)]
    taught = [name for name in head.with_role("answer") if name.lower() in _TAUGHT]
    left = [*dict.fromkeys((*unknown, *outputs, *conversations, *_logs(head), *taught, *golds))]
    if len(left) == 1 and left[0].startswith(BEFORE):
        return []
    return left


def _logs(head: _Head) -> list[str]:
    """Return the columns that may have answers, although they have or are called something else.

    This is the column of the puzzles, unless by its name and its values it is only a prompt, and every
    column of prompts or remarks in which a model replies.
    """
    remarks = (name for name in head.names if is_known(name) and name not in (head.puzzle, *THOUGHTS))
    replies = [*filter(head.has_replies, remarks)]
    if is_known(head.puzzle) and all(map(is_prompt, head.values(head.puzzle))):
        return replies
    return head.with_texts(head.log) + replies


def _golds(solutions: list[str]) -> list[str]:
    """Return the columns of solutions that a file without answers is verified by."""
    return [name for name in solutions if name.lower() not in _NO_ANSWERS] or solutions


def _needs_step(head: _Head, name: str) -> bool:
    """Return whether most that a column says is in members of objects that no word of the table names."""
    values = head.values(name)
    direct = sum(any(answers_in(parsed(value), name)) for value in values)
    return sum(_is_below(value, name) for value in values) > direct


def _is_below(value: Any, name: str) -> bool:
    """Return whether only members of a value may have an answer.

    An object in a text with one member, and perhaps thoughts, is the text: so a model answers (law 10).
    """
    tree = parsed(value)
    if isinstance(tree, str):
        return False
    if any(answers_in(tree, name)):
        return False
    if isinstance(value, str) and isinstance(tree, dict):
        said = tree.keys() - {*THOUGHTS}
        if len(said) == 1:
            return False
    below = (place.text for place in places_of_answers(tree, (name,)) if place.path.is_deep)
    return any(map(_may_be_answer, below))


def _at(head: _Head, path: Path) -> Answers:
    """Return that the answers are at a path, and how many of the first records have several there."""
    counts = [count for count in (len(path.answers(value)) for value in head.values(path[0])) if count]
    return Answers(path, answered=len(counts), several=sum(count > 1 for count in counts))


def _proposals(head: _Head, columns: Sequence[str]) -> list[Path]:
    """Return the paths that an error proposes (law 6): those with a text, and columns that are empty.

    Solutions are last: first the texts that each solve their puzzle, then those with the name of a solution.
    """
    puzzles, found = head.all_cells(), dict[Path, list[_Found]]()
    for name in columns:
        for value, puzzle in zip(head.values(name), puzzles, strict=False):
            for place in places_of_answers(value, (name,)):
                if _may_be_answer(place.text):
                    found.setdefault(place.path, []).append(_found_in(place.text, puzzle))
        if name != head.puzzle and not any(path[0] == name for path in found):
            found[Path((name,))] = [_Found.NOTHING]

    def rank(path: Path) -> tuple[bool, ...]:
        return _rank(path, found[path], len(puzzles))

    return sorted(_without_samples(found), key=rank)[:_MOST_PROPOSALS]


def _without_samples(found: Mapping[Path, list[_Found]]) -> list[Path]:
    """Return paths, each with or without its number of a sample: as most records have it."""
    paths = [*found]
    for path in found:
        sample = Path((*path, "[0]"))
        if sample in found:
            rarer = min(sample, path, key=lambda one: len(found[one]))
            paths.remove(rarer)
    return paths


class _Found(Enum):
    """The content of a text that an error may propose."""

    NOTHING = 0
    WORDS = 1
    GRID = 2
    SOLUTION = 3


def _rank(path: Path, found: list[_Found], puzzles: int) -> tuple[bool, ...]:
    """Return the order of a path in a proposal: solutions are last, and unnamed texts without a grid.

    A column of answers can have the solutions only if its name can mean that a model learns from them.
    """
    kinds = {*found}
    has_fault = not kinds.isdisjoint({_Found.GRID, _Found.WORDS})
    is_called_solution = any(role_of(step) == "solution" for step in path)  # such as ``about.truth``
    is_by_model = is_answer(path[0]) and path[0].lower() not in _TAUGHT
    solves_all = not is_by_model and found.count(_Found.SOLUTION) == puzzles
    has_grid = not kinds.isdisjoint({_Found.GRID, _Found.SOLUTION})
    is_named = not path.is_deep and role_of(path[0]) != ""
    return is_called_solution and not has_fault, solves_all, not (has_grid or is_named)


def _is_remark(place: AnswerPlace) -> bool:
    """Return whether a member with a text is a remark by its name, such as ``metrics[].reason``."""
    if not place.is_text or not place.path.is_deep:
        return False
    return is_known(place.path.last_name)


def _found_in(text: str, puzzle: str) -> _Found:
    """Return what a text has: nothing, words, a grid, or a solution of a puzzle."""
    from unidoku.parse.answers import answer_in  # not at the top: only an error needs it

    if not text:
        return _Found.NOTHING
    try:
        cells = answer_in(text, puzzle=puzzle)
    except InvalidPuzzleError:
        return _Found.WORDS
    are_whole = (len({cells[cell] for cell in house} - {0}) == 9 for house in HOUSES)
    if not all(are_whole):
        return _Found.GRID
    keeps_clues = all(clue in (".", str(cell)) for clue, cell in zip(puzzle, cells, strict=False))
    return _Found.SOLUTION if keeps_clues else _Found.GRID


def _is_number(value: Any) -> bool:
    """Return whether a value is a number, a date, or nothing."""
    if _is_empty(value):
        return True
    if isinstance(value, str):
        return _DATE.fullmatch(value) is not None
    return isinstance(value, int | float)


def _is_empty(value: Any) -> bool:
    """Return whether a value is nothing."""
    return value in (None, "", [], {})


def _may_have_answer(value: Any, name: str) -> bool:
    """Return whether a value is or has a text that may be an answer: not a number or a thought."""
    if is_prompt(value):
        return True  # a later record may have a reply
    return any(map(_may_be_answer, _texts_in(value, name)))


def _has_answer(value: Any, name: str) -> bool:
    """Return whether a value itself is or has a text that may be an answer."""
    return any(map(_may_be_answer, filter(None, _texts_in(value, name))))


def _texts_in(value: Any, name: str) -> list[str]:
    """Return the texts in a value, without numbers, thoughts and remarks; an empty one where none is yet."""
    if not isinstance(value, str | list | dict):
        return []
    return [place.text for place in places_of_answers(value, (name,)) if not _is_remark(place)]


def _has_reply(value: Any) -> bool:
    """Return whether a value is a conversation in which a model replies."""
    tree = parsed(value)
    if not is_conversation(tree):
        return False
    return any(answers_in(tree))


def _may_be_answer(text: str) -> bool:
    """Return whether a text may be an answer: not an id, a number, a date, a word or a puzzle (law 6).

    An empty text may be one.
    """
    text = text.strip()
    if len(text) <= _LONGEST_WORD and len(text.split()) == 1:
        return False
    if _DATE.fullmatch(text):
        return False
    return "." not in (cells_of_field(text) or "")


def rows_of(columns: Iterable[Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the first rows of columns, with nothing for a shorter column."""
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
        first = first or row
        if columns:
            other = other or row
    return other or first


_WHOLE = Path()  # no path into a column


def _text_of(value: Any, path: Path = _WHOLE) -> str:
    """Return the text of a field, or the one that has the puzzle in a list or an object."""
    value = parsed(value)
    if is_tree(value):
        return path.puzzle(value).text.strip()
    return text_of(value).strip()


def _cells_of(value: Any, path: Path = _WHOLE) -> str:
    """Return the cells of a field, in any form; nothing without a puzzle."""
    return cells_in(_text_of(value, path))


def _are_prompts(name: str, values: Sequence[Any], clues: Sequence[str]) -> bool:
    """Return whether all values have their puzzle among messages, or among words that are not answers."""
    puzzles = [*map(puzzle_in, values)]
    if not puzzles or [one.cells for one in puzzles] != [*clues]:
        return False
    if role_of(name):
        return all(is_tree(parsed(value)) for value in values)
    plain = (puzzle for value, puzzle in zip(values, puzzles, strict=True) if not is_tree(parsed(value)))
    return not any(cells_of_field(puzzle.text) for puzzle in plain)


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
    lone: bool = False,
    line: int | None = None,
    row: Callable[[], Sequence[Any]] = tuple,
    has_puzzles: Callable[[int], bool] = lambda _: True,
    shown: Sequence[str] = (),
) -> int:
    """Find the column of the puzzles (law 2): the one that the user names or numbers, or with a known name.

    With `lone`, the only column may have any name.  If no name is known, or several are, it is the one with
    a puzzle in the first row; of several, the one with empty cells.  A column with a known name that has no
    puzzles is none if another one has them, except solutions and answers by name.  An error has the line.
    """
    if column is not None:
        return column_number(names, column, line=line)
    known = [i for i, name in enumerate(names) if name.lower() in PUZZLE_NAMES]
    if len(names) == 1 and (lone or known):
        return 0
    if len(known) == 1:
        if has_puzzles(known[0]):
            return known[0]
        return _other_column(names, row(), known[0])
    candidates = columns_with_puzzles(known or range(len(names)), row()) or known
    if len(candidates) == 1:
        return candidates[0]
    raise _not_one_column(names, candidates, shown or names, line)


def _not_one_column(
    names: Sequence[str], candidates: Sequence[int], shown: Sequence[str], line: int | None
) -> FormatError:
    """Return the error about several columns that may have the puzzles, or none."""
    if candidates:
        return several_puzzles([names[i] for i in candidates], line)
    text = "no puzzle in the columns {listed}; choose one with --column NAME (or column)"
    return NoPuzzlesError(Message(text, listed=_listed(shown)), line=line)


def _other_column(names: Sequence[str], row: Sequence[Any], known: int) -> int:
    """Return the only column of another name than of solutions and answers that has a puzzle, or `known`."""
    values = enumerate(row[: len(names)])
    others = [k for k, value in values if "." in _cells_of(value) and not role_of(names[k])]
    return others[0] if len(others) == 1 else known


def several_puzzles(names: Sequence[str], line: int | None = None) -> FormatError:
    """Return the error about columns from which the user has to choose the puzzles."""
    text = "several columns could be the puzzle: {several}; choose one with --column (or column)"
    return FormatError(Message(text, several=_listed(names)), line=line)


def columns_with_puzzles(columns: Iterable[int], row: Sequence[Any]) -> list[int]:
    """Return the columns with a puzzle in a record: with empty cells, or else a damaged one, or a full grid.

    Next to a full grid only ids, numbers and words are allowed: anything else may hold its puzzle.
    """
    columns = [*columns]
    texts = dict.fromkeys(columns, "") | {i: _text_of(row[i]) for i in columns if i < len(row)}
    cells = {i: _cells_of(text) for i, text in texts.items()}
    puzzles = {i: found for i, found in cells.items() if "." in found}
    if puzzles:
        return _first_state(puzzles)
    return _damaged_or_full(texts, cells)


def _damaged_or_full(texts: dict[int, str], cells: dict[int, str]) -> list[int]:
    """Return the columns with a damaged puzzle, or those with a full grid."""
    damaged = [i for i, text in texts.items() if not cells[i] and is_damaged_puzzle(text)]
    if damaged:
        return damaged
    full = [i for i, found in cells.items() if found]
    others = (text for i, text in texts.items() if i not in full)
    if not all(map(is_id_or_word, others)):
        return []
    return full


def _first_state(puzzles: dict[int, str]) -> list[int]:
    """Return the column of the puzzle, if the other columns are states, or a solution with a hole."""
    if len(puzzles) == 1:
        return [*puzzles]
    most = max(puzzles, key=lambda i: puzzles[i].count("."))
    pairs = [zip(puzzles[most], cells, strict=True) for cells in puzzles.values()]
    are_states = all(clue in (".", cell) or cell == "." for pair in pairs for clue, cell in pair)
    if are_states:
        return [most]
    return [*puzzles]


def has_puzzle(row: Sequence[Any], column: int) -> bool:
    """Return whether a column has a puzzle in a record, perhaps a damaged one or a full grid."""
    return columns_with_puzzles([column], row) != []


def is_id_or_word(text: str) -> bool:
    """Return whether a text next to a full grid is an id, number or word, and cannot hold its puzzle."""
    if re.fullmatch(_HARMLESS, text) is None:
        return False
    return text.lower() not in NO_VALUES


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
    return repr(text) if text.isprintable() else ascii(text)
