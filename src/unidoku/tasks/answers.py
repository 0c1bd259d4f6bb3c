"""Answers in columns of the input, and their comparison with the puzzles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unidoku.cell import CELL_CODES, WRONG
from unidoku.craft.answers import NO_ANSWER, read_answer
from unidoku.craft.verify import verify_rows
from unidoku.errors import FormatError
from unidoku.kernel import Solved
from unidoku.native.text.columns import agree
from unidoku.runner.summary import MAX_MESSAGES
from unidoku.table.batch import Batch
from unidoku.table.column import Column, Strings
from unidoku.task import ResultBatch
from unidoku.tasks.columns import ANSWERS, CELL_ERRORS, NUMBERS
from unidoku.threads import Cancel

OUTCOMES = ("missing", "right", "wrong")
"""Outcomes of a comparison, by their codes in `agree`."""

_MISSING, _RIGHT, _WRONG = range(3)
_NOT_COMPARED = "a number of solutions that was not compared"
_NO_ANSWERS = (NO_ANSWER, _NOT_COMPARED)
_FAULTS = "the grid has empty cells", "a clue is changed", "a digit is twice in a house"

_CELLS = np.frombuffer(CELL_CODES, np.uint8)


class Answers(NamedTuple):
    """An answer for each puzzle."""

    grids: NDArray[np.uint8]
    """Cells 0 to 9: uint8[n, 81]."""
    reasons: NDArray[np.object_]
    """Why an answer is no grid, or an empty text."""


def answer_column(batch: Batch, name: str | None = None) -> str | None:
    """Find the column of the answers: this one, by default the first of `ANSWERS`; None if it is missing."""
    if name is not None:
        return name if name in batch.columns else None
    columns = {column.lower(): column for column in reversed(batch.columns)}
    return next((columns[answer] for answer in ANSWERS if answer in columns), None)


def read_answers(batch: Batch, name: str | None = None) -> Answers:
    """Read the answers in a column, by default the first of `ANSWERS`."""
    columns = batch.puzzle_columns()
    column = answer_column(batch, name)
    if column is not None:
        texts = columns[column].as_strings().values
        return _grids(_by_size(texts, grids=True) if column.lower() in NUMBERS else texts)
    if not len(batch):
        return Answers(np.empty((0, 81), np.uint8), np.empty(0, np.object_))
    names = ANSWERS if name is None else (name,)
    raise FormatError(
        f"expected a column {', '.join(names)}, found {', '.join(columns) or 'none'}", file=batch.source
    )


def compare_answers(
    batch: Batch, cancel: Cancel, answers: Answers, outputs: Solved | None = None, limit: int = 0
) -> ResultBatch:
    """Compare answers with the puzzles of a batch; return columns, counts, and a reason for each fault.

    Numbers of solutions are compared with the counts of `outputs` up to the limit, if any.
    """
    grids, reasons = answers
    is_grid = reasons == ""
    puzzles = batch.cells if is_grid.any() else grids  # where all answers are numbers, none is looked at
    columns = verify_rows(puzzles, grids, is_grid, cancel)
    rows = np.flatnonzero(is_grid & ~columns["solved"])
    errors = (columns[name] for name in ("empty_cells", "changed_clues", "broken_houses"))
    reasons[rows] = np.select([numbers[rows] > 0 for numbers in errors], _FAULTS, "")
    outcomes = np.full(len(grids), _WRONG, np.uint8)
    outcomes[columns["solved"]] = _RIGHT
    outcomes[reasons == NO_ANSWER] = _MISSING
    for name, column in batch.puzzle_columns().items():
        if name.lower() in NUMBERS:
            _compare_numbers(column.as_strings().values, outcomes, reasons, outputs, limit)
    is_missing = np.isin(reasons, _NO_ANSWERS)
    numbers = np.bincount(outcomes, minlength=len(OUTCOMES)).tolist()
    counts: dict[str, int] = dict(zip(OUTCOMES, numbers, strict=True))
    for name in ("wrong_cells", "broken_houses", "changed_clues"):
        counts[name] = int(columns[name][is_grid].clip(0).sum())
    wrong = np.flatnonzero((reasons != "") & ~is_missing)[:MAX_MESSAGES].tolist()
    return ResultBatch(
        batch,
        {
            **{name: Column(columns[name], states=is_grid) for name in CELL_ERRORS},
            "solved": Column(outcomes == _RIGHT),
            "answer": Column(outcomes, OUTCOMES),
        },
        reasons={row: str(reasons[row]) for row in np.flatnonzero(reasons != "").tolist()},
        counts=counts,
        mismatches={row: str(reasons[row]) for row in wrong},
    )


def _compare_numbers(
    texts: Strings,
    outcomes: NDArray[np.uint8],
    reasons: NDArray[np.object_],
    outputs: Solved | None,
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
    starts, ends = np.asarray(texts.starts, np.int64), np.asarray(texts.ends, np.int64)
    return texts._replace(starts=starts, ends=np.where((ends - starts >= 81) == grids, ends, starts))


def _grids(texts: Strings) -> Answers:
    """Read grids from texts."""
    starts, ends = np.asarray(texts.starts, np.int64), np.asarray(texts.ends, np.int64)
    grids = np.zeros((len(starts), 81), np.uint8)
    plain = np.flatnonzero(ends - starts == 81)
    if plain.size:
        grids[plain] = _CELLS[np.frombuffer(texts.text, np.uint8)[starts[plain, None] + np.arange(81)]]
    reasons = np.full(len(starts), "", np.object_)
    is_read = ends == starts
    reasons[is_read] = NO_ANSWER
    is_read[plain] = (grids[plain] != WRONG).all(axis=1)
    for row in np.flatnonzero(~is_read).tolist():
        cells, reasons[row] = read_answer(bytes(texts.text[starts[row] : ends[row]]))
        grids[row] = np.frombuffer(cells, np.uint8)
    return Answers(grids, reasons)
