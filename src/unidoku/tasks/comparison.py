"""Answers in columns of the input, and their comparison with the puzzles."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from unidoku.compat import np
from unidoku.craft.answers import NO_ANSWER, read_answer
from unidoku.craft.verification import verify_rows
from unidoku.errors import FormatError, Message
from unidoku.kernel import SearchOutputs
from unidoku.native.text.columns import agree, read_cells
from unidoku.options import Option
from unidoku.runner.summary import MAX_MESSAGES
from unidoku.table.batch import Batch
from unidoku.table.column import Column, Strings
from unidoku.task import ResultBatch
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL_ERRORS = {
    "solved": ("bool", "whether the answer is right"),
    "wrong_cells": ("int16", "cells that differ from the only solution, -1 if there is none"),
    "broken_houses": ("uint8", "rows, columns and boxes without all nine digits"),
    "changed_clues": ("uint8", "clues that the answer changes"),
    "empty_cells": ("uint8", "cells that the answer leaves empty"),
}
"""Columns of a comparison with an answer; see `unidoku.Verification`."""

FAULTS = ("wrong_cells", "broken_houses", "changed_clues")
"""Columns of which a comparison counts the sums."""

OF_ANSWERS = ("right", "wrong", "no_grid", "missing")
"""Counts of answers; ``wrong`` are those with a grid."""

ANSWER_COUNTS = (*OF_ANSWERS, *FAULTS)
"""Counts of a comparison."""

NUMBERS = ("expected", "expected_count")
"""Names of columns of answers in which a text shorter than a grid is a number of solutions."""

ANSWERS = ("prediction", "answer", "solution", "solutions", *NUMBERS, "a")
"""Names of columns of answers; the first one in a file counts."""

PREDICTION = Option(
    "prediction",
    "Take the predictions from this column of the inputs.",
    show_default="the first of " + ", ".join(name for name in ANSWERS if name not in NUMBERS),
    metavar="COLUMN",
)
"""The option for the column of answers."""


OUTCOMES = ("missing", "right", "wrong")
"""Outcomes of a comparison, by their codes in `agree`."""

_MISSING, _RIGHT, _WRONG = range(3)
_NOT_COMPARED = "a number of solutions that was not compared"
_NO_ANSWERS = (NO_ANSWER, _NOT_COMPARED)
_REASONS = "the grid has empty cells", "a clue is changed", "a digit is twice in a house"


def answer_column(batch: Batch, name: str | None = None) -> str | None:
    """Find the column of the answers: this one, by default the first of `ANSWERS`; None if it is missing."""
    if name is not None:
        return name if name in batch.columns else None
    columns = {column.lower(): column for column in reversed(batch.columns)}
    return next((columns[answer] for answer in ANSWERS if answer in columns), None)


def compare_answers(
    results: ResultBatch,
    cancel: Cancel,
    name: str | None = None,
    outputs: SearchOutputs | None = None,
    limit: int = 0,
) -> NDArray[np.uint8]:
    """Compare the answers in a column, by default the first of `ANSWERS`, with the puzzles of a batch.

    Add the columns and counts to the results, with a reason for each fault; return the outcomes.  Numbers of
    solutions are compared with the counts of `outputs` up to the limit, if any.
    """
    batch = results.batch
    columns = batch.puzzle_columns()
    answers = answer_column(batch, name)
    if answers is None:
        if not len(batch):
            results.counts |= dict.fromkeys(ANSWER_COUNTS, 0)
            return np.empty(0, np.uint8)
        names = name or Message("one of", "one of {words}", words=", ".join(ANSWERS))
        message = Message(
            "column missing",
            "expected a column {column}, found {listed}",
            column=names,
            listed=", ".join(columns) or "none",
        )
        raise FormatError(message, file=batch.source)
    texts = columns[answers].as_strings().values
    if answers.lower() in NUMBERS:
        texts = _by_size(texts, grids=True)
    grids, reasons, is_grid = _grids(texts)
    is_missing = ~is_grid
    is_missing[is_missing] = reasons[is_missing] == NO_ANSWER
    is_refusal = ~(is_grid | is_missing)
    puzzles = batch.cells if is_grid.any() else grids  # where all answers are numbers, none is looked at
    errors = verify_rows(puzzles, grids, is_grid, cancel)
    rows = np.flatnonzero(is_grid & ~errors["solved"])
    faults = [errors[error][rows] > 0 for error in ("empty_cells", "changed_clues", "broken_houses")]
    reasons[rows] = np.select(faults, _REASONS, "")
    outcomes = np.where(errors["solved"], _RIGHT, np.where(is_missing, _MISSING, _WRONG))
    outcomes = outcomes.astype(np.uint8)
    for column in columns:
        if column.lower() in NUMBERS:
            _compare_numbers(columns[column].as_strings().values, outcomes, reasons, outputs, limit)
    by_row = {row: str(reasons[row]) for row in np.flatnonzero(outcomes != _RIGHT).tolist() if reasons[row]}
    mismatches = ((row, reason) for row, reason in by_row.items() if reason not in _NO_ANSWERS)
    results.columns |= {error: Column(errors[error], states=is_grid) for error in CELL_ERRORS}
    results.columns["solved"] = Column(outcomes == _RIGHT)
    results.reasons |= by_row
    results.mismatches = dict(islice(mismatches, MAX_MESSAGES))
    results.counts |= {outcome: int(np.count_nonzero(outcomes == k)) for k, outcome in enumerate(OUTCOMES)}
    results.counts["no_grid"] = int(np.count_nonzero(is_refusal & (outcomes == _WRONG)))
    results.counts["wrong"] -= results.counts["no_grid"]
    for error in FAULTS:
        results.counts[error] = int(errors[error][is_grid].clip(0).sum())
    return outcomes


def _compare_numbers(
    texts: Strings,
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
        or_more = " or more" if is_least else ""
        reasons[row] = f"the number of solutions is {outputs.counts[row]:,}{or_more}"


def _by_size(texts: Strings, *, grids: bool) -> Strings:
    """Keep the texts that are as long as grids, or the shorter ones; empty the others."""
    starts, ends = texts.starts, texts.ends
    return Strings(texts.text, starts, np.where((ends - starts >= 81) == grids, ends, starts))


def _grids(
    texts: Strings,
) -> tuple[NDArray[np.uint8], NDArray[np.object_], NDArray[np.bool_]]:
    """Read grids from texts: cells 0 to 9, uint8[n, 81]; why one is no grid, or an empty text; which are."""
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
    is_missing = ends == starts
    reasons[is_missing] = NO_ANSWER
    for row in np.flatnonzero(~(is_grid | is_missing)).tolist():
        cells_of_row, reasons[row] = read_answer(bytes(texts.text[starts[row] : ends[row]]))
        grids[row] = np.frombuffer(cells_of_row, np.uint8)
        is_grid[row] = not reasons[row]
    return grids, reasons, is_grid
