"""Answers in the inputs, and how they compare with the puzzles: for verify, audit and the bundled sample."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unidoku.batch import Batch
from unidoku.cell import CELL_CODES, WRONG
from unidoku.column import Column, Strings
from unidoku.craft.answers import NO_ANSWER, read_answer
from unidoku.craft.verify import verify_rows
from unidoku.errors import FormatError
from unidoku.kernel import Solved
from unidoku.native.text.columns import agree
from unidoku.runner.summary import MAX_MESSAGES
from unidoku.task import Need, ResultBatch, Task
from unidoku.tasks.columns import ANSWERS, CELL_ERRORS, NUMBERS

OUTCOMES = ("missing", "right", "wrong")
"""What an answer is, by the codes that `agree` has."""

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
    """Why there is no grid, an empty text where there is one."""


def answer_column(batch: Batch, name: str | None = None) -> str | None:
    """Return the name of the column of the answers: this one, by default the first of `ANSWERS`, or None."""
    there = {each if name else each.lower(): each for each in reversed(batch.columns)}
    return next((there[each] for each in (ANSWERS if name is None else (name,)) if each in there), None)


def given(batch: Batch, name: str | None = None) -> Answers:
    """Return the answers in the column of this name, by default in the first of `ANSWERS`."""
    wanted = ANSWERS if name is None else (name,)
    columns = batch.puzzle_columns()
    found = answer_column(batch, name)
    if found is not None:
        texts = columns[found].as_strings().values
        return _grids(_by_size(texts, grids=True) if found.lower() in NUMBERS else texts)
    if not len(batch):
        return Answers(np.empty((0, 81), np.uint8), np.empty(0, np.object_))
    names = ", ".join(columns) or "none"
    raise FormatError(f"expected a column {', '.join(wanted)}, found {names}", file=batch.source)


def compared(
    batch: Batch, need: Need, answers: Answers, found: Solved | None = None, limit: int = 0
) -> dict[str, Any]:
    """Compare answers with the puzzles of a batch; return the columns, and why answers are not right.

    Numbers of solutions are compared with those `found` up to the limit, if any.
    """
    grids, reasons = answers
    is_grid = reasons == ""
    puzzles = batch.cells if is_grid.any() else grids  # where all answers are numbers, none is looked at
    columns = verify_rows(puzzles, grids, is_grid, need.cancel)
    places = np.flatnonzero(is_grid & ~columns["solved"])
    errors = (columns[name] for name in ("empty_cells", "changed_clues", "broken_houses"))
    reasons[places] = np.select([each[places] > 0 for each in errors], _FAULTS, "")
    outcomes = np.full(len(grids), _WRONG, np.uint8)
    outcomes[columns["solved"]] = _RIGHT
    outcomes[reasons == NO_ANSWER] = _MISSING
    for name, column in batch.puzzle_columns().items():
        if name.lower() in NUMBERS:
            _compare_numbers(column.as_strings().values, outcomes, reasons, found, limit)
    cell_errors = {name: Column(columns[name], states=is_grid) for name in CELL_ERRORS}
    return {**cell_errors, "solved": Column(outcomes == _RIGHT), "reason": reasons}


def outcomes_of(columns: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Return what each answer is, from what `compared` returned: the codes of `OUTCOMES`."""
    right = columns["solved"].values
    missing = np.isin(columns["reason"], _NO_ANSWERS)
    return np.where(right, _RIGHT, np.where(missing, _MISSING, _WRONG)).astype(np.uint8)


class WithAnswers(Task):
    """A task that compares the answers in its inputs, if there are any, with the puzzles."""

    def counts(self, results: ResultBatch) -> dict[str, int]:
        """Count the right, wrong and missing answers, and the errors in them."""
        counts = super().counts(results)
        if "solved" not in results.columns:
            return counts
        right = int(np.count_nonzero(results.columns["solved"].values))
        missing = sum(reason in _NO_ANSWERS for reason in results.reasons.values())
        counts |= {"right": right, "missing": missing, "wrong": len(results) - right - missing}
        for name in ("wrong_cells", "broken_houses", "changed_clues"):
            column = results.columns[name]
            counts[name] = int(column.values[column.known()].clip(0).sum())
        return counts

    def wrong_answers(self, results: ResultBatch) -> dict[int, str]:
        """Return the first puzzles whose answer is wrong, and why."""
        if "solved" not in results.columns:
            return {}
        wrong = (row for row, reason in results.reasons.items() if reason not in _NO_ANSWERS)
        return {row: results.reasons[row] for row in islice(wrong, MAX_MESSAGES)}


def _compare_numbers(
    texts: Strings,
    outcomes: NDArray[np.uint8],
    reasons: NDArray[np.object_],
    found: Solved | None,
    limit: int,
) -> None:
    """Compare the numbers of solutions in a column; the worse of two answers counts."""
    text, starts, ends = _by_size(texts, grids=False)
    reasons[(outcomes == _MISSING) & (ends > starts)] = _NOT_COMPARED
    if found is None:
        return
    before = outcomes.copy()
    agree(text, starts, ends, found.verdicts, found.counts, found.complete, outcomes, limit)
    reasons[outcomes == _RIGHT] = ""
    for at in np.flatnonzero((outcomes == _WRONG) & (before != _WRONG)).tolist():
        is_least = not found.complete[at] or 0 < limit == found.counts[at]
        or_more = " or more" if is_least else ""
        reasons[at] = f"the number of solutions is {found.counts[at]:,}{or_more}"


def _by_size(texts: Strings, *, grids: bool) -> Strings:
    """Return only the texts that are as long as grids, or only the shorter ones."""
    starts, ends = np.asarray(texts.starts, np.int64), np.asarray(texts.ends, np.int64)
    return texts._replace(starts=starts, ends=np.where((ends - starts >= 81) == grids, ends, starts))


def _grids(texts: Strings) -> Answers:
    """Return the grids in texts."""
    starts, ends = np.asarray(texts.starts, np.int64), np.asarray(texts.ends, np.int64)
    grids = np.zeros((len(starts), 81), np.uint8)
    plain = np.flatnonzero(ends - starts == 81)
    if plain.size:
        grids[plain] = _CELLS[np.frombuffer(texts.text, np.uint8)[starts[plain, None] + np.arange(81)]]
    why = np.full(len(starts), "", np.object_)
    is_read = ends == starts
    why[is_read] = NO_ANSWER
    is_read[plain] = (grids[plain] != WRONG).all(axis=1)
    for row in np.flatnonzero(~is_read).tolist():
        _put(bytes(texts.text[starts[row] : ends[row]]), grids, why, row)
    return Answers(grids, why)


def _put(text: bytes, grids: NDArray[np.uint8], why: NDArray[np.object_], row: int) -> None:
    """Put the grid of an answer into a row, or the reason why there is none."""
    cells, why[row] = read_answer(text)
    grids[row] = np.frombuffer(cells, np.uint8)
