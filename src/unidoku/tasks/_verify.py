"""Check: Compare predicted solutions with their puzzles.

The task `verify`: a comparison of answers with the puzzles.

The functions in memory are in `unidoku.craft._verification`. `audit` and `check --sample` also compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, ClassVar, TypeAlias

from unidoku._answers.columns import answer_path, listed, named_answers, question_about, samples_at
from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult
from unidoku._columns import REASON, ColumnSpec
from unidoku._compat import NDArray, np
from unidoku._native.text.columns import agree, read_cells
from unidoku._options import PARTS, RUNNING, TABLE, Choice, Option, option
from unidoku._table.batch import Batch, Roles
from unidoku._table.column import Column, ListValues, StringValues
from unidoku._table.json_values import as_text
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku._verdict import Verdict
from unidoku._words import language, say
from unidoku.cell import NO_ANSWER, symbols_of
from unidoku.craft._verification import copies_of, read_answer, verify_rows
from unidoku.errors import FormatError, InvalidPuzzleError, Message, Reason, escape
from unidoku.files._paths import Path
from unidoku.files._roles import column_number
from unidoku.kernel import rows_with, solve_rows
from unidoku.runner._summary import MAX_MESSAGES, Summary, chances_of_pass, different_puzzles
from unidoku.tasks._search import Search
from unidoku.tasks._shared import aligned, answer_counts, count_lines, fact_line, figure, label

OUTCOMES = ("missing", "right", "wrong", "no grid", "invalid")
"""Outcomes of a comparison, by their codes; the first three are those in `agree`."""

OUTCOME = {
    "outcome": ColumnSpec(
        "words", "right, wrong, no grid, missing or invalid", {word: word for word in OUTCOMES}
    )
}
"""The column of outcomes."""

CELL_ERRORS = {
    "solved": ColumnSpec("bool", "whether the answer is right"),
    "wrong_cells": ColumnSpec(
        "int16", "cells that differ from the only solution, -1 if there is none", is_signed=True
    ),
    "broken_houses": ColumnSpec("uint8", "rows, columns and boxes without all nine digits"),
    "changed_clues": ColumnSpec("uint8", "clues that the answer changes"),
    "empty_cells": ColumnSpec("uint8", "cells that the answer leaves empty"),
    "filled": ColumnSpec("uint8", "open cells of the puzzle that the answer fills"),
    "correct": ColumnSpec(
        "int16", "filled cells that agree with the solution, -1 if it is unknown", is_signed=True
    ),
    "kept_clues": ColumnSpec("uint8", "clues that the answer keeps"),
    "score": ColumnSpec("float64", "share of open cells that are correct times share of clues kept"),
}
"""Columns of a comparison with an answer; see `unidoku.Verification`."""

FAULTS = ("wrong_cells", "broken_houses", "changed_clues")
"""Columns whose sums a comparison counts."""

OF_ANSWERS = ("right", "wrong", "no_grid", "missing")
"""Counts of answers; ``wrong`` are those with a grid."""

_COUNTS = ("missing", "right", "wrong", "no_grid")
"""The count of each code."""
_PLACES = [*map(OF_ANSWERS.index, _COUNTS)]
"""And its place in `OF_ANSWERS`."""

ANSWER_COUNTS = (*OF_ANSWERS, *FAULTS)
"""Counts of a comparison."""

PREDICTION = Option(
    "prediction",
    "Read the predictions from this column: its name, number or path.",
    show_default="by its name",
    metavar="COLUMN",
)
"""The option for the column of answers."""


_NO_ANSWERS = ("second_solution", "solutions", "solved")
"""Names of solutions that are not compared if there is another solution: some are numbers."""
_OPENS = b"[{`< \t\r\n"
"""The bytes that a list, an object, a code fence or a tag can begin with."""
_MISSING, _RIGHT, _WRONG, _NO_GRID = range(4)
_Answers: TypeAlias = "tuple[Column, dict[int, Reason]]"
"""Answers as texts, and why records have none that is known."""
_REASONS = (
    Reason("wrong_answer", "the grid has empty cells"),
    Reason("wrong_answer", "a clue is changed"),
    Reason("wrong_answer", "a digit occurs twice in a house"),
)


class Verify(Task):
    """Compare predicted solutions with their puzzles.

    A column of the inputs holds the predictions. A prediction is 81 cells, a JSON list of 81 cells or 9 rows,
    or a text that contains a grid. The last grid of a text counts, and everything up to its last </think> is
    skipped.

    A prediction is right if it is a full grid that follows the rules and keeps all clues. Otherwise it is
    missing (empty), no grid (only text) or wrong.

    Rows that are not right have a reason. Rows with a grid have all columns.

    The exit code is 0 if every puzzle has a right prediction, 1 if not, 2 after an error, 130 after Ctrl-C.

    Parameters
    ----------
    prediction : str, optional
        Their column, or a path into it such as ``response.content`` or ``responses[1]``.  By default it is
        the column with a name of answers (``prediction``, ``response``, …), or the only one next to the
        puzzles; otherwise an error lists what can be written.
    answer : {"text", "tag"}
        As for `unidoku.verify`.
    samples : bool
        Whether each of several answers of a record is compared, and has a row; otherwise they are an error.
        The rows and the summary then have pass@k.
    group : str, optional
        A column that has the same value for all answers to one puzzle, such as ``id``, if each answer has a
        record of its own.  The summary then has pass@k of these groups.
    by : str, optional
        A column, such as ``difficulty``: the summary has the outcomes for each of its values.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "sample": ColumnSpec("int64", "number of the answer within its record, from 1"),
        "pass_at": ColumnSpec("float64[]", "pass@1, pass@2 and so on of the record"),
        **OUTCOME,
        **CELL_ERRORS,
    }
    summary_counts: ClassVar[tuple[str, ...]] = (*ANSWER_COUNTS, "no_solution")
    verifies: ClassVar[bool] = True
    prediction: str | None = PREDICTION.field()
    answer: str = option(
        "text",
        "Read the grid from the whole answer (text), or from its last <answer> (tag).",
        Choice(["text", "tag"]),
    )
    samples: bool = option(False, "Compare all answers of a record, a row for each.")

    group: str | None = Option(
        "group", "Compute pass@k of the answers that have the same value here.", metavar="COLUMN"
    ).field()
    by: str | None = Option(
        "by", "Count the outcomes for each value of this column.", metavar="COLUMN"
    ).field()

    def columns_taken(self, roles: Roles) -> dict[str, list[str]]:
        """Return the columns of an input that it works on, by what they are."""
        path = answer_path(roles, self.prediction)
        return super().columns_taken(roles) | ({"answers": [str(path)]} if path else {})

    def has_answers(self, roles: Roles) -> bool:
        """Return whether an input has a column of answers, or the user names one, and not only solutions."""
        path = answer_path(roles, self.prediction)
        found = path[:1] if path else named_answers(roles)
        others = roles.solutions if self.prediction is None else ()
        return not {*roles.names}.difference(others).isdisjoint(found)

    @property
    def default_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns, with the numbers of samples if there may be several."""
        return (
            "line",
            "puzzle",
            *(["sample", "pass_at"] if self.samples else []),
            *OUTCOME,
            *CELL_ERRORS,
            *REASON,
            "file",
        )

    def check_late(self, batch: Batch) -> None:
        """Refuse columns that come late if another column has the answers from there on."""
        usual = batch.without_late().roles
        if answer_path(batch.roles, self.prediction) != answer_path(usual, self.prediction):
            raise FormatError(question_about(_with_longest(batch)), file=batch.source)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Compare the answers."""
        if not len(batch):
            yield ResultBatch(batch, {"outcome": _codes([])})
            return
        path = path_in(batch, self.prediction)
        batch, numbers, answers = answers_of(batch, path, several=self.samples)
        results = ResultBatch(batch)
        outcomes = compare_answers(results, cancel, answers, has_tag=self.answer == "tag")
        is_right = outcomes == _RIGHT
        results.columns["sample"] = Column(numbers)
        if self.samples or "pass_at" in work.columns:
            _count_samples(results, numbers, is_right)
        if self.group is not None:
            _count_groups(results, _values_of(batch, self.group), is_right)
        if self.prediction is None and (outcomes == _MISSING).all():
            results.question = question_about(_with_longest(batch), path)
        if self.by is not None:
            for value, code in zip(_values_of(batch, self.by), outcomes.tolist(), strict=True):
                results.by.setdefault(value, [0] * len(OF_ANSWERS))[_PLACES[code]] += 1
        found = solve_rows(batch.cells[~is_right], 1, grids=0, cancel=cancel)
        results.counts["no_solution"] = int(np.count_nonzero(found.verdicts == int(Verdict.NONE)))
        yield results

    def check_end(self, summary: Summary) -> None:
        """Ask where the answers are if no record of the run has one, and other columns have texts."""
        missing = summary.task_counts["missing"]
        if summary.question and 0 < missing == summary.puzzles - summary.invalid:
            raise FormatError(summary.question, file=summary.files[0].file)


def _with_longest(batch: Batch) -> Roles:
    """Return the roles of a batch with the longest value of each column, which says most, as the first."""
    longest = {
        name: max(column.to_list(), key=lambda one: len(str(one))) for name, column in batch.columns.items()
    }
    return batch.roles._replace(first=longest)


def _values_of(batch: Batch, typed: str) -> list[str]:
    """Return the texts at a path that the user typed, for each puzzle of a batch."""
    roles = batch.roles
    path = Path.of(roles.names, typed)
    name = roles.names[column_number(roles.names, path[0])]
    columns = {roles.puzzles: batch.puzzles()} | batch.puzzle_columns()
    found = map(path.values, columns[name].to_list())
    return ["" if value in ([], [None]) else as_text(value[0]) for value in found]


def _count_samples(results: ResultBatch, numbers: NDArray[np.int64], is_right: NDArray[np.bool_]) -> None:
    """Add pass@k of each record to its rows, and how many records have so many right answers of so many."""
    begins = np.flatnonzero(numbers == 1)
    counts = np.diff(np.append(begins, len(numbers)))
    right = np.add.reduceat(is_right.astype(np.int64), begins).tolist()
    chances = [*map(chances_of_pass, right, counts.tolist())]
    flat = np.concatenate([np.tile(chance, len(chance)) for chance in chances])
    ends = np.cumsum([0, *np.repeat(counts, counts)], dtype=np.int64)
    results.columns["pass_at"] = Column(ListValues(Column(flat), ends))
    results.samples = [[0] * (n + 1) for n in range(counts.max() + 1)]
    for few, chance in zip(right, chances, strict=True):
        results.samples[len(chance)][few] += 1


def _count_groups(results: ResultBatch, values: list[str], is_right: NDArray[np.bool_]) -> None:
    """Count the right answers of each group; a row without a value is a record of its own."""
    puzzles = map(symbols_of, results.batch.grids())
    results.samples = [[], [0, 0]]  # only of records without a group
    for value, puzzle, is_one in zip(values, puzzles, is_right.tolist(), strict=True):
        if not value:
            results.samples[1][is_one] += 1
            continue
        count = results.groups.setdefault(value, [0, 0])
        count[0] += is_one
        count[1] += 1
        if results.group_puzzles.setdefault(value, puzzle) != puzzle:
            raise different_puzzles(value, results.batch.source)


class CheckSample(Search):
    """Check the sample, and compare the numbers of solutions."""

    summary_counts: ClassVar[tuple[str, ...]] = (*Search.summary_counts, *ANSWER_COUNTS)
    limit: int | None = 2
    budget: int | None = None
    verifies: ClassVar[bool] = True

    def columns_taken(self, roles: Roles) -> dict[str, list[str]]:
        """Return none: the file does not belong to the user's inputs."""
        return {}

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Count the solutions, and compare the numbers."""
        outputs, results = self.search(batch, work, cancel)
        texts, outcomes = batch.columns["expected_count"].texts(), bytearray(len(batch))
        agree(*texts, outputs.verdicts, outputs.counts, outputs.complete, outcomes, self.limit or 0)
        results.counts |= dict(zip(("missing", "right", "wrong"), map(outcomes.count, range(3)), strict=True))
        results.mismatches = {
            row: Reason("wrong_answer", "the number of solutions is {n}", n=f"{outputs.counts[row]:,}")
            for row in rows_with(re.compile(b"\2"), outcomes)
        }
        yield results


def named_or_solution(roles: Roles) -> Path | None:
    """Return the path to the named answers of a data set, or else to its solutions; None without them."""
    solutions = sorted(roles.solutions, key=lambda name: name.lower() in _NO_ANSWERS)
    names = [*named_answers(roles), *solutions]
    return Path(names[:1]) if names else None


def path_in(batch: Batch, typed: str | None) -> Path:
    """Return the path to the answers of a batch; an error if nobody says it, or if it is not there."""
    roles = batch.roles
    path = answer_path(roles, typed)
    if not batch.columns:
        text = "the puzzles have no answers; write a puzzle and its answer on one line: {example}"
        example = "echo PUZZLE,ANSWER | unidoku verify --from csv"
        raise FormatError(Message(text, example=example), file=batch.source)
    if path is None:
        raise FormatError(question_about(roles), file=batch.source)
    if path[0] not in batch.columns:
        text, listed = "expected a column {column}, found {listed}", ", ".join(batch.columns)
        raise FormatError(Message(text, column=str(path), listed=listed), file=batch.source)
    return path


def answers_of(batch: Batch, path: Path, *, several: bool) -> tuple[Batch, NDArray[np.int64], _Answers]:
    """Return a batch with a record for each answer, their numbers from 1 within a puzzle, and the answers.

    Different answers in a record are an error unless there may be several.
    """
    column, numbers = batch.puzzle_columns()[path[0]], np.ones(len(batch), np.int64)
    if not _has_trees(column, path):
        return batch, numbers, (column, {})
    from unidoku._answers.values import answers_at  # not at the top: grids need no reader of texts

    said, reasons = list[list[str]](), dict[int, Reason]()
    for row, value in enumerate(column.to_list()):
        answers = [""]
        try:
            answers = answers_at(path, value) or answers
        except InvalidPuzzleError as error:
            reasons[row] = error.message
        if not several:
            if len({*answers}) > 1:
                raise _several_answers(batch, path, len(answers), value, row)
            answers = answers[:1]
        said.append(answers)
    counts = np.array([*map(len, said)])
    begins = np.cumsum(counts) - counts
    of_records = np.ones(batch.size, np.int64)
    of_records[batch.puzzle_rows] = counts
    batch = batch.records(np.repeat(np.arange(batch.size), of_records))
    numbers = np.arange(len(batch)) - np.repeat(begins, counts) + 1
    texts = Column.of([*chain.from_iterable(said)])
    return batch, numbers, (texts, {int(begins[row]): reason for row, reason in reasons.items()})


def _has_trees(column: Column, path: Path) -> bool:
    """Return whether some values of the column of answers may be lists or objects, as such or as texts."""
    if path.is_deep or column.has_lists():
        return True
    texts = column.texts()
    firsts = np.frombuffer(texts.text, np.uint8)[texts.starts[texts.ends > texts.starts]].tobytes()
    return len(firsts.translate(None, _OPENS)) < len(firsts)


def _several_answers(batch: Batch, path: Path, count: int, value: Any, row: int) -> FormatError:
    """Return the error about a record with several answers, from which the user has to choose."""
    message = Message(
        "{n} answers are at {path}: {several}; choose one with --prediction (or prediction), "
        "or all with --samples (or samples)",
        n=count,
        path=repr(str(path)),
        several=listed(samples_at(path, path.values(value)[0])),
    )
    return FormatError(message, file=batch.source, line=int(batch.lines[row]))


def compare_answers(
    results: ResultBatch, cancel: Cancel, answers: _Answers, *, has_tag: bool = False
) -> NDArray[np.uint8]:
    """Compare answers with the puzzles of a batch.

    Add the columns and counts to the results, with a reason for each fault; return the codes of the outcomes.
    """
    puzzles = results.batch.cells  # made anew at each call
    texts, several = answers
    grids, reasons, is_grid = read_grids(texts.texts(), puzzles, has_tag=has_tag)
    reasons[[*several]] = [*several.values()]
    errors = verify_rows(puzzles, grids, is_grid, cancel)
    rows = np.flatnonzero(is_grid & ~errors["solved"])
    faults = [errors[error][rows] > 0 for error in ("empty_cells", "changed_clues", "broken_houses")]
    reasons[rows] = np.array(_REASONS, object)[np.argmax(faults, axis=0)]  # one of them is there
    codes = np.full(len(reasons), _NO_GRID, np.uint8)
    codes[reasons == NO_ANSWER] = _MISSING
    codes[is_grid] = np.where(errors["solved"], _RIGHT, _WRONG)[is_grid]
    by_row = {row: reasons[row] for row in np.flatnonzero(codes != _RIGHT).tolist()}
    mismatches = np.flatnonzero(codes >= _WRONG)[:MAX_MESSAGES].tolist()
    results.columns |= {error: Column(errors[error], states=is_grid) for error in CELL_ERRORS}
    results.columns["outcome"] = _codes(codes)
    results.columns["solved"] = Column(codes == _RIGHT)
    results.columns["score"] = Column(errors["score"])
    results.reasons |= by_row
    results.mismatches = {row: by_row[row] for row in mismatches}
    results.counts |= zip(_COUNTS, np.bincount(codes, minlength=len(_COUNTS)).tolist(), strict=True)
    for error in FAULTS:
        results.counts[error] = int(errors[error][is_grid].clip(0).sum())
    return codes


def _codes(outcomes: NDArray[np.uint8] | list[int]) -> Column:
    """Return outcomes as a column of words."""
    return Column(np.asarray(outcomes, np.uint8), OUTCOMES, is_dictionary=True)


def read_grids(
    texts: StringValues, puzzles: NDArray[np.uint8], *, has_tag: bool = False
) -> tuple[NDArray[np.uint8], NDArray[np.object_], NDArray[np.bool_]]:
    """Read grids from texts: return cells 0 to 9, uint8[n, 81], faults (or ``""``), and which are grids."""
    starts, ends = texts.starts, texts.ends
    n, plain = len(starts), np.flatnonzero(ends - starts == 81)
    grids, reasons = np.zeros((n, 81), np.uint8), np.full(n, "", np.object_)
    is_grid = np.zeros(n, np.bool_)
    cells = np.empty((plain.size, 81), np.uint8)
    wrong = read_cells(texts.text, starts[plain], cells.reshape(-1))
    grids[plain] = cells
    is_grid[plain] = True
    is_grid[plain[wrong]] = False
    is_grid[copies_of(puzzles, grids)] = False
    is_missing = ends == starts
    reasons[is_missing] = NO_ANSWER
    for row in np.flatnonzero(~(is_grid | is_missing)).tolist():
        answer = bytes(texts.text[starts[row] : ends[row]])
        cells_of_row, why = read_answer(answer, has_tag=has_tag, puzzle=puzzles[row].tobytes())
        grids[row], reasons[row] = np.frombuffer(cells_of_row, np.uint8), why or ""
        is_grid[row] = not why
    return grids, reasons, is_grid


def command(call: Call[Verify, None]) -> CommandResult:
    """Print the counts of right and wrong predictions."""
    task = call.about
    summary = call.run(names_wrong=False)
    counts = {name: getattr(summary, name) for name in ("puzzles", "invalid", *FAULTS)}
    lines = count_lines(counts | answer_counts(summary, *OF_ANSWERS), language())
    fields = dict[str, Any]()
    if chances := summary.pass_at:
        fields |= {"pass_at": chances, "pass_at_records": (numbers := summary.pass_at_records)}
        lines += _lines_of_means(chances, numbers, summary.invalid, are_groups=task.group is not None)
    if task.by is not None:
        fields["by"] = {value: dict(zip(OF_ANSWERS, row, strict=True)) for value, row in summary.by.items()}
        heading = (escape(task.by), *(label(name, language()) for name in OF_ANSWERS))
        table = [(escape(value), *map(figure, row)) for value, row in summary.by.items()]
        lines += aligned([heading, *table], heading[0])
    return call.told(summary, lines, _notes(summary), is_right=summary.all_right, **fields)


def _lines_of_means(
    chances: list[float], numbers: list[int], invalid: int, *, are_groups: bool
) -> Iterator[str]:
    """Yield pass@1 and so on, each over how many records or groups, and how many records were not read."""
    width = max(18, len(f"pass@{len(chances)}"))
    over = "{chance} over {n} groups" if are_groups else "{chance} over {n} records"
    rest = say("; {invalid} could not be read", invalid=f"{invalid:,}") if invalid else ""
    for k, (chance, number) in enumerate(zip(chances, numbers, strict=True), 1):
        yield fact_line(f"pass@{k}", say(over, chance=f"{chance:.4f}", n=f"{number:,}") + rest, width)


def _notes(summary: Summary) -> Iterator[str]:
    """Yield how many puzzles have no solution."""
    if count := summary.task_counts["no_solution"]:
        yield say("note: {n} of the puzzles have no solution", n=f"{count:,}")


COMMAND = Command(
    Verify,
    examples=(
        "unidoku verify predicted.csv --where outcome=wrong -o wrong.csv",
        "echo PUZZLE,ANSWER | unidoku verify --from csv",
    ),
    function=command,
    options=(
        TABLE["output"].replace(default=None, show_default="no rows"),
        *("to", "columns", "where", "keep"),
        *(TABLE[name].replace(needs=("--output",)) for name in PARTS),
        *RUNNING,
    ),
)
