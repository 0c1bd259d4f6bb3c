"""Verification of predicted solutions, and their errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal

from unidoku import kernel
from unidoku._arguments import one_of
from unidoku._compat import NDArray, np
from unidoku._guesses import NamedFields
from unidoku._native.clues.prediction import agree_one, compare, compare_one
from unidoku._native.text.columns import usual_cells
from unidoku._parse.arrays import foreign_error, is_missing, one_value, read_array
from unidoku._parse.text import decode_text, is_bytes, lines_of
from unidoku._table.column import Column
from unidoku._table.forms import PuzzlesLike, cells_of_list, read_cells
from unidoku._table.json_values import json_schema
from unidoku._table.puzzles import PART, Result
from unidoku._threads import Cancel, begun, cancel_of, flag_of, map_whole, parts_of, thread_count
from unidoku._verdict import Verdict
from unidoku.cell import NO_ANSWER, NO_GRID, ONLY_COPY, grids_in, symbols_of
from unidoku.errors import (
    ArgumentError,
    InvalidPuzzleError,
    Message,
    Reason,
    SearchStoppedError,
    UnidokuError,
)
from unidoku.grid import Grid, PuzzleLike
from unidoku.kernel import solve_rows


class VerifyResult(Result):
    """The columns of `unidoku.verify_many`."""

    solved: NDArray[np.bool_]
    wrong_cells: NDArray[np.int16]
    broken_houses: NDArray[np.uint8]
    changed_clues: NDArray[np.uint8]
    empty_cells: NDArray[np.uint8]
    filled: NDArray[np.uint8]
    correct: NDArray[np.int16]
    kept_clues: NDArray[np.uint8]
    score: NDArray[np.float64]


_EMPTY = bytes(81)

_EXPECTED = Reason("wrong_type", "predictions must be a sequence or an array, with one for each puzzle")


@dataclass(frozen=True, slots=True)
class Verification(NamedFields):
    """The errors of one predicted solution; it is true if the prediction is right.

    A prediction without a grid counts as an empty one.

    Attributes
    ----------
    solved : bool
        Whether the prediction is a solution of the puzzle.
    wrong_cells : int
        Number of cells that differ from the solution of a proper puzzle, including empty cells. It is 0 if
        `solved`, and -1 if the puzzle is not proper and the prediction is not a solution.
    broken_houses : int
        Number of rows, columns and boxes, of 27, that do not contain all nine digits.
    changed_clues : int
        Number of clues of the puzzle that are missing from the prediction.
    empty_cells : int
        Number of cells without a digit.
    filled : int
        Number of open cells of the puzzle (those without a clue) in which the prediction has a digit.
    correct : int
        Number of open cells of the puzzle that agree with its solution. If the puzzle has several solutions,
        the solution that agrees best counts. It is -1 if there is no solution, or if there are more than
        1,000 solutions and none of them agrees with all filled cells.
    kept_clues : int
        Number of clues of the puzzle that are in the prediction.
    score : float
        From 0 to 1: the share of the open cells that are correct, times the share of the clues that are kept.
        1 if `solved`, and only then; 0 where `correct` is not known.
    reason : str or None
        Why the prediction has no grid.

    Examples
    --------
    >>> import unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> right = verify(puzzle, unidoku.solve(puzzle))
    >>> bool(right), right.score, right.wrong_cells
    (True, 1.0, 0)
    """

    __get_pydantic_json_schema__ = json_schema

    solved: bool
    wrong_cells: int
    broken_houses: int
    changed_clues: int
    empty_cells: int
    filled: int
    correct: int
    kept_clues: int
    score: float
    reason: str | None = None

    def __bool__(self) -> bool:
        """Return whether the prediction is a solution of the puzzle."""
        return self.solved


MOST_SOLUTIONS = 1000
"""A prediction for a puzzle with more solutions is not compared with each of them."""


def verify(
    puzzle: PuzzleLike,
    prediction: Any,
    *,
    answer: Literal["text", "tag"] = "text",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Verification:
    """Verify a predicted solution of a puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `Grid` accepts it.
    prediction : object
        The prediction, in one of these forms:

        - a text: the last grid in its last 262,144 characters, in any layout of a puzzle, with words around
          it; if the puzzle is a full grid, the last full one
        - a message (dict) or a list of messages: the last message of a model counts
        - a list of 81 cells or of nine rows, a `Grid` or an array

        Anything else, including None, is a prediction without a grid, not an error.
    answer : {"text", "tag"}, optional
        Where a text has its answer. Thoughts are never read: the answer begins after the last ``</think>``,
        and a ``<think>`` that does not end hides the rest. With ``"tag"`` the answer is the content of the
        last ``<answer>``, if the text has this tag.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Verification
        With a ``reason`` if the prediction has no grid; all its cells are then empty.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    SearchStoppedError
        `cancel` ended the work.
    UnidokuError
        `answer` is not one of these.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> import unidoku
    >>> right = unidoku.solve(puzzle).line
    >>> bool(verify(puzzle, right)), verify(puzzle, "1" + right[1:]).wrong_cells
    (True, 1)
    """
    cancel = begun(cancel, timeout)
    cells = Grid(puzzle).cells  # without NumPy: a call takes microseconds
    grid, reason = read_answer(prediction, has_tag=_has_tag(answer), puzzle=cells)
    solved, changed_clues, broken_houses, empty_cells, filled = compare_one(cells, grid)
    open_cells = cells.count(0)
    kept_clues = 81 - open_cells - changed_clues
    wrong_cells, correct = 0, open_cells
    if not solved:
        solution = bytearray(81)
        verdict, _, complete = kernel.search(cells, 2, stop=flag_of(cancel), grids=[solution])
        if not complete:
            raise SearchStoppedError(0, "results")
        wrong_cells, correct = -1, -1
        if verdict == Verdict.UNIQUE:
            wrong_cells, correct = agree_one(cells, grid, bytes(solution))
        elif verdict == Verdict.MULTIPLE:
            correct = _best_agreement(cells, grid, filled, cancel)
    return Verification(
        solved,
        wrong_cells,
        broken_houses,
        changed_clues,
        empty_cells,
        filled,
        correct,
        kept_clues,
        score=float(_score(correct, open_cells, kept_clues, 81 - open_cells)),
        reason=reason,
    )


def verify_many(
    puzzles: PuzzlesLike,
    predictions: PuzzlesLike | Sequence[Any],
    *,
    answer: Literal["text", "tag"] = "text",
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> VerifyResult:
    """Verify predicted solutions of many puzzles.

    Parameters
    ----------
    puzzles, threads, errors
        As for `unidoku.check_many`; `errors` applies to the puzzles only.
    predictions : array, bytes of lines, sequence or Arrow column
        One for each puzzle, as for `verify`: a prediction without a grid has a reason.
    answer : {"text", "tag"}, optional
        As for `verify`.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Result
        The attributes of `Verification` as columns: arrays of bool (``solved``), float64 (``score``), int16
        (``wrong_cells``, ``correct``) and uint8. ``reasons`` has the rows without a prediction, which count
        as empty grids, and records that are not puzzles, which have no values.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        The numbers of puzzles and predictions differ.

    Notes
    -----
    Only puzzles with a wrong prediction are solved.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> import unidoku
    >>> right = unidoku.solve(puzzle).line
    >>> result = verify_many([puzzle, puzzle], [right, "1" + right[1:]])
    >>> result.solved.tolist(), result.wrong_cells.tolist(), result.changed_clues.tolist()
    ([True, False], [0, 1], [0, 1])
    """
    cancel = begun(cancel, timeout)
    cancel, count = cancel_of(cancel), thread_count(threads)
    rows, invalid = read_cells(puzzles, errors=errors, cancel=cancel)
    n, (grids, reasons) = len(rows), _grids_of(predictions, _has_tag(answer), rows, cancel)
    cancel.raise_if_set()
    is_puzzle = np.ones(n, np.bool_)
    if invalid:
        is_puzzle[list(invalid)] = False
        grids = grids * is_puzzle[:, None]
    parts = parts_of(n, PART) or [slice(0)]

    def work(part: slice, stop: Cancel) -> dict[str, NDArray[Any]]:
        return verify_rows(rows[part], grids[part], cancel=stop)

    pieces = map_whole(work, parts, count, cancel)
    columns = {}
    for name in pieces[0]:
        values = np.concatenate([piece[name] for piece in pieces])
        columns[name] = Column(values, states=None if name in ("solved", "score") else is_puzzle)
    return Result(columns, dict(sorted((reasons | invalid).items())))  # type: ignore[return-value]


def _has_tag(answer: str) -> bool:
    """Return whether a text has the tag of an answer."""
    one_of("answer", answer, ("text", "tag"))
    return answer == "tag"


def _grids_of(
    answers: Any, has_tag: bool, puzzles: NDArray[np.uint8], cancel: Cancel
) -> tuple[NDArray[np.uint8], dict[int, Reason]]:
    """Return the grids in answers, uint8[n, 81], zeros without a grid, and why an answer has none.

    Native code reads answers that are 81 cells, or numbers; each other one is read as `verify` reads it.
    """
    try:
        items = _items(one_value(answers))
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        raise foreign_error(answers, error) from error
    reasons = dict[int, Reason]()
    grids, others = _usual_grids(items, cancel)
    cancel.raise_if_set()
    if len(puzzles) != len(grids):
        text = "{n} puzzles need {n} predictions, not {found}"
        raise ArgumentError(Message(text, n=f"{len(puzzles):,}", found=f"{len(grids):,}"))
    others = sorted({*others, *copies_of(puzzles, grids)})
    # they may be the caller's
    if others:
        grids = grids.copy()
    for row in takewhile(lambda _: not cancel, others):
        grid, reason = read_answer(items[row], has_tag=has_tag, puzzle=puzzles[row].tobytes())
        grids[row] = np.frombuffer(grid, np.uint8)
        if reason:
            reasons[row] = reason
    return grids, reasons


def copies_of(puzzles: NDArray[np.uint8], grids: NDArray[np.uint8]) -> list[int]:
    """Return the numbers of the answers, uint8[n, 81], that are their puzzle, with empty cells."""
    if grids.all():  # as most have none
        return []
    rows = np.flatnonzero((grids == 0).any(axis=1))
    copies: list[int] = rows[(puzzles[rows] == grids[rows]).all(axis=1)].tolist()
    return copies


def _usual_grids(items: Any, cancel: Cancel) -> tuple[NDArray[np.uint8], list[int]]:
    """Return the grids of answers in usual forms, uint8[n, 81], and the numbers of all other answers."""
    if isinstance(items, np.ndarray) and items.dtype.kind in "iuf":
        with suppress(InvalidPuzzleError):  # no puzzles as a whole, but each may have a grid
            grids, rejects = read_array(items, cancel)
            return grids, [*rejects, *np.flatnonzero(~grids.any(axis=1)).tolist()]  # perhaps only NaN
    grids, _ = cells_of_list(items, cancel)
    return grids, np.flatnonzero(~grids.any(axis=1)).tolist()  # also lists of only None


def _items(answers: Any) -> Any:
    """Return answers one by one, by their numbers."""
    if is_bytes(answers):
        return lines_of(bytes(answers))
    if type(answers) in (list, tuple, np.ndarray):
        return answers
    if to_list := getattr(answers, "to_pylist", None):
        return to_list()
    if isinstance(answers, str | Grid) or not isinstance(answers, Iterable):
        raise InvalidPuzzleError(_EXPECTED)
    return list(answers)


def verify_rows(
    rows: NDArray[np.uint8],
    grids: NDArray[np.uint8],
    is_known: NDArray[np.bool_] | bool = True,
    cancel: Cancel | None = None,
) -> dict[str, NDArray[Any]]:
    """Verify predictions, uint8[n, 81], on the calling thread; solve the puzzles of wrong, known predictions.

    Return the columns of `verify_many`.
    """
    n = len(rows)
    solved, broken_houses, changed_clues, empty_cells, open_cells, filled = outputs = np.empty(
        (6, n), np.uint8
    )
    wrong_cells = np.zeros(n, np.int16)
    compare(rows.reshape(-1), grids.reshape(-1), outputs)
    kept_clues = 81 - open_cells - changed_clues
    correct = np.where(solved, open_cells.astype(np.int16), -1)
    score = solved.astype(np.float64)
    failed = np.flatnonzero((solved == 0) & is_known)
    if failed.size:
        answers = solve_rows(rows[failed], grids=1, cancel=cancel)
        agree = answers.solutions == grids[failed]
        unique = answers.verdicts == int(Verdict.UNIQUE)
        wrong_cells[failed] = np.where(unique, np.count_nonzero(~agree, axis=1), -1)
        correct[failed] = np.where(unique, np.count_nonzero(agree & (rows[failed] == 0), axis=1), -1)
        for row in failed[answers.verdicts == int(Verdict.MULTIPLE)].tolist():
            correct[row] = _best_agreement(
                rows[row].tobytes(), grids[row].tobytes(), int(filled[row]), cancel
            )
        opens = open_cells[failed]
        score[failed] = _score(correct[failed], opens, kept_clues[failed], 81 - opens)
    return {
        "solved": solved.view(np.bool_),
        "wrong_cells": wrong_cells,
        "broken_houses": broken_houses,
        "changed_clues": changed_clues,
        "empty_cells": empty_cells,
        "filled": filled,
        "correct": correct,
        "kept_clues": kept_clues,
        "score": score,
    }


def _score(correct: Any, open_cells: Any, kept_clues: Any, clues: Any) -> Any:
    """Return the score for open cells that are correct, -1 if that is not known, and clues that are kept.

    The numbers of one prediction, or arrays of them.
    """
    is_known = correct >= 0
    return is_known * share(is_known * correct, open_cells) * share(kept_clues, clues)


def share(part: Any, whole: Any) -> Any:
    """Return the share of the whole; 1 if the whole is 0."""
    nothing = whole == 0
    return (part + nothing) / (whole + nothing)


def _best_agreement(cells: bytes, grid: bytes, filled: int, cancel: Cancel | None) -> int:
    """Return how many open cells agree with the solution that agrees best; -1 if that is not known.

    If `cancel` ends the work, it is an error.
    """
    merged = bytes(clue or digit for clue, digit in zip(cells, grid, strict=True))
    if kernel.solution_of(merged, cancel=cancel):
        return filled
    solutions = kernel.chunk_of(kernel.solution_search(cells), MOST_SOLUTIONS + 1, cancel)
    if len(solutions) > 81 * MOST_SOLUTIONS:
        return -1
    return max(agree_one(cells, grid, solution)[1] for solution in grids_in(solutions))


def read_answer(answer: Any, *, has_tag: bool = False, puzzle: bytes = b"") -> tuple[bytes, Reason | None]:
    """Return the grid in an answer, cells 0 to 9, and None; or an empty grid and why there is none.

    In a text, it is the last grid, in any layout of a puzzle. Only the last `LONGEST_ANSWER` characters are
    read, in linear time. Thoughts are skipped; with `has_tag` only the content of the last ``<answer>`` is
    read, if the text has this tag. A copy of the `puzzle` is not an answer.
    """
    try:
        cells = _cells_of(answer, has_tag, puzzle)
    except InvalidPuzzleError as error:
        return _EMPTY, error.message
    except MemoryError:
        raise
    except Exception:  # an object of another program may raise anything
        return _EMPTY, NO_GRID
    if cells == puzzle and 0 in cells:
        return _EMPTY, ONLY_COPY
    return cells, None


def _cells_of(answer: Any, has_tag: bool, puzzle: bytes) -> bytes:
    """Return the cells of the grid in an answer; an error if there is none."""
    cells = usual_cells(answer)
    if cells is not None:
        return cells
    answer = one_value(answer)
    if is_bytes(answer):
        data = bytes(answer)
        return usual_cells(data) or _cells_of(decode_text(data), has_tag, puzzle)
    if is_missing(answer):
        raise InvalidPuzzleError(NO_ANSWER)
    if not isinstance(answer, str | int | list | dict):
        return Grid(answer).cells
    from unidoku._answers.values import answer_in  # not at the top: seldom

    return answer_in(answer, has_tag=has_tag, puzzle=symbols_of(puzzle))
