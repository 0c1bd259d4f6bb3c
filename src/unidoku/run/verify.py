"""Answers that came with the puzzles, compared with the ones found."""

from __future__ import annotations

from array import array
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import Batch, Column
from unidoku.native.text.columns import agree, words
from unidoku.run.answers import answer_cells, is_absent
from unidoku.run.results import Results
from unidoku.run.summary import SHOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ANSWERS", "GRIDS", "AnswerCheck", "text_column", "verify"]

GRIDS = ("prediction", "answer", "solution", "solutions")
"""Columns that hold a solution."""

ANSWERS = (*GRIDS, "expected_count", "expected")
"""Columns that hold a solution, or a number of solutions."""

_ABSENT_SIZES = (3, 4)  # of words such as null


class AnswerCheck(NamedTuple):
    """What the comparison found."""

    right: int
    wrong: int
    absent: int
    first: list[InvalidPuzzleError]
    columns: list[Column]


def verify(batch: Batch, results: Results, limit: int) -> AnswerCheck:
    """Compare the given answers of a batch with the ones found."""
    given = [_normal(column) for column in batch.columns if column.name.lower() in ANSWERS]
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
    reasons = [b""] * n
    at = outcomes.find(2)
    while at >= 0:
        reason = _reason(given, at, results)
        reasons[at] = reason.encode()
        if len(first) < SHOWN:
            message = f"the given answer is wrong: {reason}"
            first.append(InvalidPuzzleError(message, file=batch.source, line=int(batch.lines[at])))
        at = outcomes.find(2, at + 1)
    starts, ends = array("q", bytes(8 * n)), array("q", bytes(8 * n))
    text = words(outcomes, starts, ends)
    columns = [Column("verified", text, starts, ends), text_column("verified_reason", reasons)]
    return AnswerCheck(outcomes.count(1), outcomes.count(2), outcomes.count(0), first, columns)


def text_column(name: str, texts: Sequence[bytes]) -> Column:
    """Return texts, one per puzzle, as a column."""
    ends = array("q", accumulate(map(len, texts)))
    return Column(name, b"".join(texts), array("q", [0, *ends])[: len(texts)], ends)


def _normal(column: Column) -> Column:
    """Return a column of answers in which each grid is written as 81 digits, however it was given."""
    import numpy as np

    starts, ends = np.asarray(column.starts, np.int64), np.asarray(column.ends, np.int64)
    sizes = ends - starts
    places = np.flatnonzero((sizes > 81) | np.isin(sizes, _ABSENT_SIZES)).tolist()
    others: dict[int, bytes] = {}
    for k in places:
        text = bytes(column.text[starts[k] : ends[k]]).decode("utf-8", "replace")
        if is_absent(text):
            others[k] = b""
        elif len(text) > 81:
            with suppress(InvalidPuzzleError):
                others[k] = bytes(48 + cell for cell in answer_cells(text))
    if not others:
        return column
    texts = [bytes(column.text[s:e]) for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]
    for k, made in others.items():
        texts[k] = made
    return text_column(column.name, texts)


def _reason(given: list[Column], at: int, results: Results) -> str:
    """Return why a given answer is wrong."""
    texts = [
        bytes(column.text[column.starts[at] : column.ends[at]]).decode("utf-8", "backslashreplace").strip()
        for column in given
    ]
    count = results.counts[at]
    found = f"{count:,}{'' if results.complete[at] else '+'} solutions"
    if count == 1:
        found = bytes(c | 48 for c in results.solutions[81 * at : 81 * at + 81]).decode("ascii")
    shown = ", ".join(text if len(text) <= 81 else f"{text[:80]}…" for text in texts if text)
    malformed = any(text and len(text) != 81 and not text.isdecimal() for text in texts)
    what = "no grid of 81 cells in the answer, " if malformed else ""
    return f"{what}expected {found}, found {shown!r}"
