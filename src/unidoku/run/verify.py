"""Answers that came with the puzzles, or in a file of their own, compared with the puzzles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from unidoku.cell import CELL_CODES, WRONG
from unidoku.craft.verify import VerifyResult, verify_rows
from unidoku.errors import FormatError, InvalidPuzzleError, UnidokuError
from unidoku.files.inputs import read_batches
from unidoku.native.text.columns import agree
from unidoku.run.answers import ABSENT, answer_cells
from unidoku.run.convert import cells_of
from unidoku.run.stage import CELL_ERRORS, Made, Rows, Stage, numbers, text_column
from unidoku.run.summary import SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unidoku.files.base import Batch, Column
    from unidoku.files.inputs import Input
    from unidoku.files.source import InputOptions
    from unidoku.kernel import Solved
    from unidoku.run.stage import Need

GRIDS = ("prediction", "answer", "solution", "solutions")
"""Columns that hold a solution."""

_NUMBERS = ("expected", "expected_count")
"""Columns that hold a number of solutions; the first, perhaps a solution."""

_CELLS = np.frombuffer(CELL_CODES, np.uint8)
_MARKS = "not a puzzle: a puzzle of 81 cells is needed"

_Grids = tuple["NDArray[np.uint8]", "NDArray[np.object_]"]
"""Cells 0 to 9 of each row, and why there are none, an empty text where there are."""


@dataclass(frozen=True, slots=True)
class Verify(Stage):
    """The errors of predicted solutions; see `unidoku.verify_file`.

    A record without a puzzle or a prediction is wrong too, with a reason.
    """

    name: ClassVar[str] = "verify"
    columns: ClassVar[Mapping[str, str]] = {
        "file": "string",
        "line": "int64",
        "puzzle": "string",
        **CELL_ERRORS,
        "reason": "string",
    }
    header: ClassVar[bool] = True
    prediction: str | None = None
    side: Side | None = field(default=None, compare=False)

    @property
    def reads_columns(self) -> bool:  # type: ignore[override]
        """Whether the predictions come with the puzzles."""
        return self.side is None

    @property
    def in_order(self) -> bool:  # type: ignore[override]
        """Whether the predictions are read side by side with the puzzles."""
        return self.side is not None

    def shown(self, text: bool, several: bool) -> tuple[str, ...]:
        """Return the columns that are written by default."""
        return tuple(name for name in Stage.shown(self, text, several) if name != "puzzle")

    def finish(self) -> None:
        """Check that all predictions were taken."""
        if self.side is not None:
            self.side.end()

    def __call__(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        """Compare; see `Stage`."""
        n = len(batch.starts)
        before = np.array([reject.before for reject in batch.rejects], np.int64)
        if self.side is None:
            grids, why = _predictions(batch, self.prediction)
        else:
            every = self.side.take(n + len(before), batch.source)
            rejected = before + np.arange(len(before))
            grids, why = np.delete(every[0], rejected, axis=0), np.delete(every[1], rejected)
        why[list(batch.marked)] = _MARKS
        read = why == ""
        grids[~read] = 0
        result = verify_rows(cells_of(batch), grids)
        right = int(np.count_nonzero(result.solved))
        malformed, wrong = n + len(before) - int(read.sum()), n + len(before) - right
        counts = {"unknown": n, "right": right, "wrong": wrong, "malformed": malformed, "written": n}
        for name in ("wrong_cells", "broken_houses", "changed_clues"):
            counts[name] = int(getattr(result, name)[read].clip(0).sum())
        rows = Rows(batch, counts=counts)
        if need.columns:
            rows.columns = {**_columns(result), "reason": _reasons(why)}
            empty = np.zeros((len(before), 81), np.uint8)
            why_not = [f"not a puzzle: {reject.reason}" for reject in batch.rejects]
            rows.rejected = {**_columns(verify_rows(empty, empty)), "reason": _reasons(why_not)}
        return rows


def _columns(result: VerifyResult, known: NDArray[np.bool_] | None = None) -> dict[str, Made]:
    """Return the results as columns; rows that are not `known` have no values."""
    return {name: numbers(name, kind, getattr(result, name), known) for name, kind in CELL_ERRORS.items()}


def _reasons(texts: Iterable[str]) -> Made:
    column = text_column("reason", texts)
    return Made("reason", "string", "reasons", (column.text, column.starts, column.ends))


def _predictions(batch: Batch, name: str | None) -> _Grids:
    """Return the grids in a column of predictions, one for each puzzle."""
    wanted = GRIDS if name is None else (name,)
    there = {each.name if name else each.name.lower(): each for each in reversed(batch.columns)}
    column = next((there[each] for each in wanted if each in there), None)
    if column is not None:
        return _grids(column)
    if not len(batch.starts):
        return np.empty((0, 81), np.uint8), np.empty(0, np.object_)
    names = ", ".join(each.name for each in batch.columns) or "none"
    what = f"no column {name!r}" if name else f"none of the columns {', '.join(GRIDS)}"
    raise FormatError(f"there is {what}; other columns: {names}", file=batch.source)


def _grids(column: Column) -> _Grids:
    """Return the grids in a column of texts."""
    starts, ends = np.asarray(column.starts, np.int64), np.asarray(column.ends, np.int64)
    grids = np.zeros((len(starts), 81), np.uint8)
    plain = np.flatnonzero(ends - starts == 81)
    if plain.size:
        grids[plain] = _CELLS[np.frombuffer(column.text, np.uint8)[starts[plain, None] + np.arange(81)]]
    is_plain = np.zeros(len(starts), np.bool_)
    is_plain[plain] = (grids[plain] != WRONG).all(axis=1)
    why = np.full(len(starts), "", np.object_)
    for row in np.flatnonzero(~is_plain).tolist():
        _put(bytes(column.text[starts[row] : ends[row]]), grids, why, row)
    return grids, why


def _put(text: bytes, grids: NDArray[np.uint8], why: NDArray[np.object_], row: int) -> None:
    """Put the grid of an answer into a row, or the reason why there is none."""
    try:
        grids[row] = np.frombuffer(answer_cells(text.decode("utf-8", "replace")), np.uint8)
    except InvalidPuzzleError as error:
        grids[row], why[row] = 0, error.message


class Side:
    """Predictions in a file of their own, read in step with the puzzles."""

    def __init__(self, path: Input, options: InputOptions) -> None:
        self._path = path
        self._batches = read_batches(path, options, size=1 << 20)
        self._grids = np.empty((0, 81), np.uint8)
        self._why = np.empty(0, np.object_)
        self._taken = 0

    def take(self, count: int, source: str) -> _Grids:
        """Return the next predictions."""
        while len(self._grids) < count:
            if not self._read():
                found = self._taken + len(self._grids)
                raise FormatError(f"more puzzles than predictions, of which there are {found:,}", file=source)
        grids, self._grids = self._grids[:count], self._grids[count:]
        why, self._why = self._why[:count], self._why[count:]
        self._taken += count
        return grids, why

    def _read(self) -> bool:
        """Read further predictions; return whether there are any."""
        for batch in self._batches:
            if isinstance(batch, UnidokuError):
                raise batch
            places = np.array([reject.before for reject in batch.rejects], np.int64)
            cells = np.insert(cells_of(batch), places, 0, axis=0)
            why = np.full(len(cells), "", np.object_)
            for row, reject in zip((places + np.arange(len(places))).tolist(), batch.rejects, strict=True):
                _put(reject.text, cells, why, row)
            self._grids = np.concatenate([self._grids, cells])
            self._why = np.concatenate([self._why, why])
            if len(cells):
                return True
        return False

    def end(self) -> None:
        """Check that all predictions were taken."""
        if len(self._grids) or self._read():
            message = f"more predictions than puzzles, of which there are {self._taken:,}"
            raise FormatError(message, file=str(self._path))


def compare(batch: Batch, found: Solved, limit: int, rows: Rows) -> None:
    """Compare all given answers of a batch with the ones found; add counts, columns and the first errors."""
    given = [column for column in batch.columns if column.name.lower() in (*GRIDS, *_NUMBERS)]
    if not given:
        there = ", ".join(column.name for column in batch.columns) or "none"
        wanted = ", ".join((*GRIDS, *_NUMBERS))
        raise FormatError(f"expected a column {wanted} to verify, found {there}", file=batch.source)
    n = len(batch.starts)
    outcomes = bytearray(n)  # of each row: 0 no answer, 1 right, 2 wrong
    outcome = np.frombuffer(outcomes, np.uint8)
    none: dict[str, Any] = {name: np.zeros(n, kind) for name, kind in CELL_ERRORS.items()}
    errors = VerifyResult(**none)
    has_cells = np.zeros(n, np.bool_)
    for column in given:
        numeric = column.name.lower() in _NUMBERS
        if numeric:
            starts, ends = np.asarray(column.starts, np.int64), np.asarray(column.ends, np.int64)
            agree(column.text, starts, ends, found.verdicts, found.counts, found.complete, outcomes, limit)
        grids, has_grid = _answers(column, numeric)
        result = _judged(batch, found, grids)
        code = np.where(result.solved, 1, 2).astype(np.uint8)
        worse = has_grid & ((code > outcome) | ~has_cells)
        outcome[has_grid] = np.maximum(outcome, code)[has_grid]
        has_cells |= has_grid
        for name in CELL_ERRORS:
            getattr(errors, name)[worse] = getattr(result, name)[worse]
    reasons = [""] * n
    for at in np.flatnonzero(outcome == 2).tolist():
        reasons[at] = _reason(given, at, found)
        if len(rows.mismatches) < SHOWN:
            message = f"the given answer is wrong: {reasons[at]}"
            error = InvalidPuzzleError(message, file=batch.source, line=int(batch.lines[at]))
            rows.mismatches.append(error)
    rows.counts |= {name: outcomes.count(code) for code, name in enumerate(("absent", "right", "wrong"))}
    solved = numbers("solved", "bool", outcome == 1, outcome > 0)
    rows.columns |= {**_columns(errors, has_cells), "solved": solved, "reason": _reasons(reasons)}


def _answers(column: Column, numeric: bool) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the grids in a column of answers, and which rows have an answer that is no number."""
    sizes = np.asarray(column.ends, np.int64) - np.asarray(column.starts, np.int64)
    rows = np.flatnonzero((sizes == 81) | (not numeric))
    grids, there = np.zeros((len(sizes), 81), np.uint8), np.zeros(len(sizes), np.bool_)
    grids[rows], why = _grids(column.at(rows))
    there[rows] = why != ABSENT
    return grids, there


def _judged(batch: Batch, found: Solved, grids: NDArray[np.uint8]) -> VerifyResult:
    """Return the errors of grids, where the solutions are known."""
    n = len(batch.starts)
    digits = np.frombuffer(found.solutions, np.uint8).reshape(n, 81)
    solutions = np.where(digits, digits - np.uint8(batch.zero), np.uint8(0))
    result = verify_rows(cells_of(batch), grids, np.frombuffer(found.verdicts, np.uint8)[:n], solutions)
    marked = list(batch.marked)  # whose clues are not known
    result.solved[marked] &= (grids == solutions)[marked].all(axis=1)
    return result


def _reason(given: Sequence[Column], at: int, found: Solved) -> str:
    """Return why a given answer is wrong."""
    texts = [
        bytes(column.text[column.starts[at] : column.ends[at]]).decode("utf-8", "backslashreplace").strip()
        for column in given
    ]
    count = found.counts[at]
    right = f"{count:,}{'' if found.complete[at] else '+'} solutions"
    if count == 1:
        right = bytes(c | 48 for c in found.solutions[81 * at : 81 * at + 81]).decode("ascii")
    shown = ", ".join(text if len(text) <= 81 else f"{text[:80]}…" for text in texts if text)
    malformed = any(text and len(text) != 81 and not text.isdecimal() for text in texts)
    what = "no grid of 81 cells in the answer, " if malformed else ""
    return f"{what}expected {right}, found {shown!r}"
