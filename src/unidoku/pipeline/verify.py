"""Answers that came with the puzzles, compared with the ones found."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch, Column
from unidoku.native.text.columns import agree, words
from unidoku.pipeline.results import Results
from unidoku.pipeline.summary import SHOWN

__all__ = ["ANSWERS", "AnswerCheck", "verify"]

ANSWERS = ("solution", "solutions", "answer", "expected_count", "expected")
"""Columns that hold a solution, or a number of solutions."""


class AnswerCheck(NamedTuple):
    """What the comparison found.

    Attributes
    ----------
    right, wrong, absent : int
        Puzzles whose given answers are right, puzzles with a wrong one, and puzzles without an answer
        that can be compared: none is given, or the search ended before the answer was known.
    first : list of InvalidPuzzleError
        Descriptions of the first wrong answers.
    column : Column
        ``right``, ``wrong`` or nothing for each puzzle.
    """

    right: int
    wrong: int
    absent: int
    first: list[InvalidPuzzleError]
    column: Column


def verify(batch: Batch, results: Results, limit: int) -> AnswerCheck:
    """Compare the given answers of a batch with the ones found.

    Parameters
    ----------
    batch : Batch
    results : Results
        With solutions.
    limit : int
        Limit of the counts; 0: none.

    Returns
    -------
    AnswerCheck

    Raises
    ------
    FormatError
        When the batch has no column with answers.
    """
    given = [column for column in batch.columns if column.name.lower() in ANSWERS]
    if not given:
        there = ", ".join(column.name for column in batch.columns) or "none"
        raise FormatError(
            f"expected a column {', '.join(ANSWERS)} to verify, found {there}", file=batch.source
        )
    n = len(batch.starts)
    outcomes = bytearray(n)
    for column in given:
        agree(
            column.text,
            column.starts,
            column.ends,
            results.solutions,
            results.verdicts,
            results.counts,
            results.complete,
            outcomes,
            batch.zero,
            limit,
        )
    first: list[InvalidPuzzleError] = []
    at = outcomes.find(2)
    while at >= 0 and len(first) < SHOWN:
        first.append(_error(batch, given, at, results))
        at = outcomes.find(2, at + 1)
    starts, ends = array("q", bytes(8 * n)), array("q", bytes(8 * n))
    text = words(outcomes, starts, ends)
    column = Column("verified", text, starts, ends)
    return AnswerCheck(outcomes.count(1), outcomes.count(2), outcomes.count(0), first, column)


def _error(batch: Batch, given: list[Column], at: int, results: Results) -> InvalidPuzzleError:
    given_text = ", ".join(
        bytes(column.text[column.starts[at] : column.ends[at]][:81]).decode("utf-8", "backslashreplace")
        for column in given
        if column.ends[at] > column.starts[at]
    )
    count = results.counts[at]
    found = f"{count}{'' if results.complete[at] else '+'} solutions"
    if count == 1:
        found = bytes(c | 48 for c in results.solutions[81 * at : 81 * at + 81]).decode("ascii")
    return InvalidPuzzleError(
        f"the given answer is wrong: expected {found}, found {given_text!r}",
        file=batch.source,
        line=int(batch.lines[at]),
    )
