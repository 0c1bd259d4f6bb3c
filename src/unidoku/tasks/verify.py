"""The task `verify`: a comparison of answers with the puzzles.

The functions in memory are in `unidoku.craft.verification`. `audit` and `check --sample` also compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.arguments import any_of
from unidoku.cell import NO_ANSWER
from unidoku.cli.command import Command
from unidoku.cli.inputs import single_puzzle
from unidoku.cli.run import CommandResult, from_options, output_of_rows, run_with_progress
from unidoku.columns import ColumnSpec
from unidoku.compat import np
from unidoku.craft.verification import copies_of, read_answer, verify_rows
from unidoku.errors import FormatError, InvalidPuzzleError, Message
from unidoku.files.column_names import ANSWER_NAMES, SOLUTION_NAMES
from unidoku.files.paths import Path, only_answer
from unidoku.kernel import SearchOutputs
from unidoku.native.text.columns import agree, read_cells
from unidoku.options import PARTS, RUNNING, TABLE, Choice, Option, option
from unidoku.runner.run import run
from unidoku.runner.summary import MAX_MESSAGES, Summary
from unidoku.table.batch import Batch, Roles
from unidoku.table.column import Column, ListValues, StringValues
from unidoku.task import ResultBatch, Task, Work
from unidoku.tasks.search import Search
from unidoku.tasks.shared import answer_counts, count_lines, fact_line, names_of_commands
from unidoku.threads import Cancel
from unidoku.words import language, say

if TYPE_CHECKING:
    from numpy.typing import NDArray

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

ANSWER_COUNTS = (*OF_ANSWERS, *FAULTS)
"""Counts of a comparison."""

NUMBERS = ("expected", "expected_count")
"""Names of columns in which a text shorter than a grid is a number of solutions."""

PREDICTION = Option(
    "prediction",
    "Read the predictions from this column: its name, number or path.",
    show_default="by its name",
    metavar="COLUMN",
)
"""The option for the column of answers."""


_OPENS = b"[{ \t\r\n"
"""The bytes that a list or an object can begin with."""
_MISSING, _RIGHT, _WRONG, _NO_GRID = range(4)
_NOT_COMPARED = Message("the number of solutions was not compared")
_NO_ANSWERS = (NO_ANSWER, _NOT_COMPARED)
_REASONS = (
    Message("the grid has empty cells"),
    Message("a clue is changed"),
    Message("a digit occurs twice in a house"),
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
        the column with a name of answers (``prediction``, ``response``, …).  Without one it is the
        conversation (``messages``, …) or else the solutions (``solution``, ``answer``, …), if the names of
        all other columns are known; if not, an error names the columns that may have the answers.
    answer : {"text", "tag"}
        As for `unidoku.verify`.
    samples : bool
        Whether each of several answers of a record is compared, and has a row; otherwise they are an error.
        The rows and the summary then have pass@k.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "sample": ColumnSpec("int64", "number of the answer within its record, from 1"),
        "pass_at": ColumnSpec("float64[]", "pass@1, pass@2 and so on of the record"),
        **OUTCOME,
        **CELL_ERRORS,
    }
    summary_counts: ClassVar[tuple[str, ...]] = ANSWER_COUNTS
    verifies: ClassVar[bool] = True
    prediction: str | None = PREDICTION.field()
    answer: str = option(
        "text",
        "Read the grid from the whole answer (text), or from its last <answer> (tag).",
        Choice(["text", "tag"]),
    )
    samples: bool = option(False, "Compare all answers of a record, a row for each.")

    needs_answers: ClassVar[bool] = True
    written_names = staticmethod(names_of_commands)

    @property
    def default_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns, with the numbers of samples if there may be several."""
        return (
            "line",
            "puzzle",
            *(["sample", "pass_at"] if self.samples else []),
            *OUTCOME,
            *CELL_ERRORS,
            "reason",
            "file",
        )

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Compare the answers."""
        numbers, answers = None, None
        if self.samples and len(batch):
            batch, numbers, answers = _with_samples(batch)
        results = ResultBatch(batch)
        outcomes = compare_answers(results, cancel, has_tag=self.answer == "tag", answers=answers)
        numbers = np.ones(len(batch), np.int64) if numbers is None else numbers
        results.columns["sample"] = Column(numbers)
        if self.samples or "pass_at" in work.columns:
            _count_samples(results, numbers, outcomes == _RIGHT)
        yield results


def pass_at(right: int, count: int) -> list[float]:
    """Return pass@1 to pass@count for so many answers, some of them right.

    pass@k is the chance that one of k answers, drawn without repeats, is right: the unbiased estimator of
    Chen et al., Evaluating Large Language Models Trained on Code (2021), 1 - C(n - c, k) / C(n, k).
    """
    return [1 - comb(count - right, k) / comb(count, k) for k in range(1, count + 1)]


def _count_samples(results: ResultBatch, numbers: NDArray[np.int64], is_right: NDArray[np.bool_]) -> None:
    """Add pass@k of each record to its rows, and how many records have so many right answers of so many."""
    begins = np.flatnonzero(numbers == 1)
    counts = np.diff(np.append(begins, len(numbers))).tolist()
    right = np.add.reduceat(is_right.astype(np.int64), begins).tolist() if len(begins) else []
    chances = [pass_at(*pair) for pair in zip(right, counts, strict=True)]
    values = [chance for chance, count in zip(chances, counts, strict=True) for _ in range(count)]
    ends = np.cumsum([0, *map(len, values)], dtype=np.int64)
    flat = np.array([number for value in values for number in value], np.float64)
    results.columns["pass_at"] = Column(ListValues(Column(flat), ends))
    results.counts |= Counter(f"{few} of {count}" for few, count in zip(right, counts, strict=True))


def means_of_pass_at(counts: Mapping[str, int]) -> list[float]:
    """Return the means of pass@1 and so on over the records that have so many answers."""
    found = [
        (int(few), int(count), number)
        for (few, count), number in (
            (name.split(" of "), number) for name, number in counts.items() if " of " in name
        )
    ]
    most = max((count for _, count, _ in found), default=0)
    sums, numbers = [0.0] * most, [0] * most
    for right, count, number in found:
        for k, chance in enumerate(pass_at(right, count)):
            sums[k] += number * chance
            numbers[k] += number
    return [total / number for total, number in zip(sums, numbers, strict=True)]


class CheckSample(Search):
    """Check the sample, and compare the numbers of solutions."""

    columns: ClassVar[Mapping[str, ColumnSpec]] = {**Search.columns, **OUTCOME, **CELL_ERRORS}
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
        compare_answers(results, cancel, outputs, self.limit or 0)
        yield results


def answer_path(batch: Batch, *, strict: bool = True) -> Path | None:
    """Return the path to the answers of a batch, None without one; an error says what the user can choose.

    If not `strict`, the solutions are the answers if the user would have to choose.
    """
    roles = batch.roles
    if roles.answers:
        return Path(roles.answers)
    if not strict:
        return Path(roles.solutions[:1]) if roles.solutions else None
    if roles.choices:
        raise _unclear_answers(batch)
    return None


def _unclear_answers(batch: Batch) -> FormatError:
    """Return the error about columns or members from which the user has to choose the answers."""
    names = [repr(str(Path(choice))) for choice in batch.roles.choices]
    text = "several columns could be the answers: {several}; choose one with --prediction (or prediction)"
    if len(names) == 1:
        text = (
            "no column name tells which has the answers; choose one with --prediction (or "
            "prediction), such as {several}"
        )
    return FormatError(Message(text, several=", ".join(names)), file=batch.source)


def _path_in(batch: Batch, *, strict: bool = True) -> Path:
    """Return the path to the answers of a batch; an error if it has no such column."""
    path = answer_path(batch, strict=strict)
    if not batch.columns:
        text = "the puzzles have no answers; write a puzzle and its answer on one line: {example}"
        example = "echo PUZZLE,ANSWER | unidoku verify"
        raise FormatError(Message(text, example=example), file=batch.source)
    if path is None or path[0] not in batch.columns:
        message = Message(
            "expected a column {column}, found {listed}",
            column=str(path) if path else any_of((ANSWER_NAMES[0], SOLUTION_NAMES[0])),
            listed=", ".join(batch.columns),
        )
        raise FormatError(message, file=batch.source)
    return path


def _with_samples(batch: Batch) -> tuple[Batch, NDArray[np.int64], Column]:
    """Return a batch with a record for each answer, their numbers from 1 within a puzzle, and the answers."""
    path = _path_in(batch)
    column = batch.puzzle_columns()[path[0]]
    if not _has_trees(column, path):
        return batch, np.ones(len(batch), np.int64), column
    answers = [path.answers(value) or [""] for value in column.to_list()]
    counts = np.array([*map(len, answers)], np.int64)
    puzzles = np.repeat(np.arange(len(batch)), counts)
    numbers = np.arange(len(puzzles)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    taken, order, records = batch.take(puzzles), None, puzzles
    if batch.order is not None:
        kinds = np.asarray(batch.order, np.int64)
        records = np.repeat(np.arange(len(kinds)), np.where(kinds < 0, 1, counts[kinds]))
        order = kinds[records]
        order[order >= 0] = np.arange(len(puzzles))
    columns = {name: one.take(records) for name, one in batch.columns.items()}
    batch = replace(batch, starts=taken.starts, lines=taken.lines, order=order, columns=columns)
    return batch, numbers, Column.of([text or None for texts in answers for text in texts])


def _has_trees(column: Column, path: Path) -> bool:
    """Return whether some values of the column of answers may be lists or objects, as such or as texts."""
    if path.is_deep or column.has_lists():
        return True
    texts = column.texts()
    firsts = np.frombuffer(texts.text, np.uint8)[texts.starts[texts.ends > texts.starts]].tobytes()
    return len(firsts.translate(None, _OPENS)) < len(firsts)


def _one_answer_each(batch: Batch, path: Path) -> tuple[Column, dict[int, str]]:
    """Return the answers of a batch as texts, and why records have none (law 9): their answers differ.

    If the first records of the input also have several answers, different answers are an error.
    """
    column = batch.puzzle_columns()[path[0]]
    if not _has_trees(column, path):
        return column, {}
    said, reasons = list[str | None](), dict[int, str]()
    for row, value in enumerate(column.to_list()):
        answers = path.answers(value)
        try:
            said.append(only_answer(answers))
        except InvalidPuzzleError as error:
            if batch.roles.has_samples:
                raise _several_answers(batch, path, len(answers), row) from None
            said.append(None)
            reasons[row] = error.message
    return Column.of(said), reasons


def _several_answers(batch: Batch, path: Path, count: int, row: int) -> FormatError:
    """Return the error about a record with several answers, from which the user has to choose."""
    message = Message(
        "{n} answers are at {path}; choose one with --prediction (or prediction), such as "
        "{example}, or all with --samples (or samples)",
        n=count,
        path=repr(str(path)),
        example=repr(f"{path}[0]"),
    )
    return FormatError(message, file=batch.source, line=int(batch.lines[row]))


def compare_answers(
    results: ResultBatch,
    cancel: Cancel,
    outputs: SearchOutputs | None = None,
    limit: int = 0,
    *,
    has_tag: bool = False,
    answers: Column | None = None,
) -> NDArray[np.uint8]:
    """Compare the answers in their column with the puzzles of a batch.

    Add the columns and counts to the results, with a reason for each fault; return the outcomes. Numbers of
    solutions are compared with the counts of `outputs` up to the limit, if any. If `answers` is not given,
    their column has the answers.
    """
    batch = results.batch
    if not len(batch):
        results.counts |= dict.fromkeys(ANSWER_COUNTS, 0)
        results.columns["outcome"] = Column(np.empty(0, np.uint8), OUTCOMES, is_dictionary=True)
        return np.empty(0, np.uint8)
    path, columns = _path_in(batch, strict=outputs is None), batch.puzzle_columns()
    several = dict[int, str]()
    if answers is None:
        answers, several = _one_answer_each(batch, path)
    texts = answers.texts()
    if str(path).lower() in NUMBERS:
        texts = _by_size(texts, grids=True)
    puzzles = batch.cells  # made anew at each call
    grids, reasons, is_grid = grids_in(texts, puzzles, has_tag=has_tag)
    reasons[[*several]] = [*several.values()]
    is_missing = ~is_grid
    is_missing[is_missing] = reasons[is_missing] == NO_ANSWER
    is_refusal = ~(is_grid | is_missing)
    errors = verify_rows(puzzles, grids, is_grid, cancel)
    rows = np.flatnonzero(is_grid & ~errors["solved"])
    faults = [errors[error][rows] > 0 for error in ("empty_cells", "changed_clues", "broken_houses")]
    reasons[rows] = np.array(_REASONS, object)[np.argmax(faults, axis=0)]  # one of them is there
    outcomes = np.where(errors["solved"], _RIGHT, np.where(is_missing, _MISSING, _WRONG))
    outcomes = outcomes.astype(np.uint8)
    for column in columns:
        if column.lower() in NUMBERS:
            _compare_numbers(columns[column].texts(), outcomes, reasons, outputs, limit)
    by_row = {row: reasons[row] for row in np.flatnonzero(outcomes != _RIGHT).tolist() if reasons[row]}
    mismatches = ((row, reason) for row, reason in by_row.items() if reason not in _NO_ANSWERS)
    results.columns |= {error: Column(errors[error], states=is_grid) for error in CELL_ERRORS}
    codes = np.where((outcomes == _WRONG) & is_refusal, _NO_GRID, outcomes).astype(np.uint8)
    results.columns["outcome"] = Column(codes, OUTCOMES, is_dictionary=True)
    results.columns["solved"] = Column(outcomes == _RIGHT)
    results.columns["score"] = Column(errors["score"])
    results.reasons |= by_row
    results.mismatches = dict(islice(mismatches, MAX_MESSAGES))
    found = np.bincount(codes, minlength=len(OUTCOMES))
    results.counts |= {outcome.replace(" ", "_"): int(found[k]) for k, outcome in enumerate(OUTCOMES[:-1])}
    for error in FAULTS:
        results.counts[error] = int(errors[error][is_grid].clip(0).sum())
    return outcomes


def _compare_numbers(
    texts: StringValues,
    outcomes: NDArray[np.uint8],
    reasons: NDArray[np.object_],
    outputs: SearchOutputs | None,
    limit: int,
) -> None:
    """Compare the numbers of solutions in a column; the worse of two answers counts."""
    text, starts, ends = _by_size(texts, grids=False)
    reasons[(outcomes == _MISSING) & (ends > starts)] = _NOT_COMPARED
    if outputs is None:
        return
    grid_outcomes = outcomes.copy()
    agree(text, starts, ends, outputs.verdicts, outputs.counts, outputs.complete, outcomes, limit)
    reasons[outcomes == _RIGHT] = ""
    for row in np.flatnonzero((outcomes == _WRONG) & (grid_outcomes != _WRONG)).tolist():
        is_least = not outputs.complete[row] or 0 < limit == outputs.counts[row]
        number = f"{outputs.counts[row]:,}"
        number = Message("{n} or more", n=number) if is_least else number
        reasons[row] = Message("the number of solutions is {n}", n=number)


def _by_size(texts: StringValues, *, grids: bool) -> StringValues:
    """Keep the texts that are as long as grids, or the shorter texts; empty all other texts."""
    starts, ends = texts.starts, texts.ends
    return StringValues(texts.text, starts, np.where((ends - starts >= 81) == grids, ends, starts))


def grids_in(
    texts: StringValues, puzzles: NDArray[np.uint8], *, has_tag: bool = False
) -> tuple[NDArray[np.uint8], NDArray[np.object_], NDArray[np.bool_]]:
    """Read grids from texts: return cells 0 to 9, uint8[n, 81], faults (or ``""``), and which are grids."""
    starts, ends = texts.starts, texts.ends
    n, plain = len(starts), np.flatnonzero(ends - starts == 81)
    grids, reasons = np.zeros((n, 81), np.uint8), np.full(n, "", np.object_)
    is_grid = np.zeros(n, np.bool_)
    if plain.size:
        is_plain = plain.size == n
        cells = grids if is_plain else np.empty((plain.size, 81), np.uint8)
        wrong = read_cells(texts.text, starts[plain], cells.reshape(-1))
        is_grid[plain] = True
        is_grid[plain[wrong]] = False
        if not is_plain:
            grids[plain] = cells
    is_grid[copies_of(puzzles, grids)] = False
    is_missing = ends == starts
    reasons[is_missing] = NO_ANSWER
    for row in np.flatnonzero(~(is_grid | is_missing)).tolist():
        answer = bytes(texts.text[starts[row] : ends[row]])
        cells_of_row, reasons[row] = read_answer(answer, has_tag=has_tag, puzzle=puzzles[row].tobytes())
        grids[row] = np.frombuffer(cells_of_row, np.uint8)
        is_grid[row] = not reasons[row]
    return grids, reasons, is_grid


def command(
    inputs: list[Any],
    *,
    output: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> CommandResult:
    """Print the counts of right and wrong predictions."""
    task = from_options(Verify, options)
    is_one = as_json and single_puzzle(inputs, output, options) is not None
    rows, options = output_of_rows(output, options, as_json=as_json)
    summary = run_with_progress(partial(run, task), inputs, rows, quiet=quiet, names_wrong=False, **options)
    counts = {name: getattr(summary, name) for name in ("puzzles", "invalid", *FAULTS)}
    lines = count_lines(counts | answer_counts(summary, *OF_ANSWERS), language())
    chances = means_of_pass_at(summary.task_counts) if task.samples else []
    width = max(18, len(f"pass@{len(chances)}"))
    lines += [fact_line(f"pass@{k}", f"{chance:.4f}", width) for k, chance in enumerate(chances, 1)]
    fields: dict[str, Any] | None = {"pass_at": chances} if task.samples else {}
    notes = [*_notes(task, summary)]
    if rows == "-":
        lines, notes = [], [*lines, *notes]
    return CommandResult(
        summary, is_right=summary.all_right, text=lines, notes=notes, fields=None if is_one else fields
    )


def _notes(task: Verify, summary: Summary) -> Iterator[str]:
    """Yield where answers were looked for, if no record has one, or if no answer has a grid."""
    missing, no_grid = (summary.task_counts[name] for name in ("missing", "no_grid"))
    if not 0 < summary.puzzles == missing + no_grid:
        return
    paths = [path for file in summary.files for path in file.columns.get("answers", ())]
    if task.prediction:
        paths = [task.prediction]
    for path in dict.fromkeys(paths):
        if no_grid:
            yield say("note: no answer at {path} has a grid", path=repr(path))
        else:
            yield say("note: no record has an answer at {path}", path=repr(path))


COMMAND = Command(
    Verify,
    examples=(
        "unidoku verify predicted.csv --where outcome=wrong -o wrong.csv",
        "echo PUZZLE,ANSWER | unidoku verify",
    ),
    function=command,
    options=(
        TABLE["output"].replace(default=None, show_default="no rows"),
        *("to", "columns", "where", "keep"),
        *(TABLE[name].replace(needs=("--output",)) for name in PARTS),
        *RUNNING,
    ),
)
