"""Check many puzzles at once: arrays, lines, strings, boards or Arrow tables in, answers out."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from operator import index
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from unidoku import counting, kernel
from unidoku.answer import Answer
from unidoku.arguments import MAX_LISTED, positive
from unidoku.arrow import (
    chunked,
    grid_array,
    has_interface,
    number_array,
    pyarrow,
    reason_array,
    verdict_words,
)
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.kernel import Solved
from unidoku.parse_many import puzzles_of
from unidoku.threads import Cancel
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt
    from pyarrow import RecordBatchReader, Table  # type: ignore[import-untyped, import-not-found, unused-ignore]

    from unidoku.parse_many import Puzzles, Rows, RowSlice, SupportsArrow, SupportsArrowArray

_DIGITS = bytes(byte + 48 if byte < 10 else byte for byte in range(256))
_MOST = 1 << 24  # rows per array of solutions, whose offsets have four bytes
_SHOWN = 10  # answers in the table of a notebook
_SLICE = 8192  # rows a thread takes at a time: their text and answers stay in its cache


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheckResult:
    """The answers for many puzzles, in the order of the puzzles.

    ``len(result)`` is the number of puzzles and ``result[i]`` the `Answer` for one of them; ``result[a:b]``,
    ``result[mask]`` and ``result[numbers]`` are results for some of them.  Iteration yields an `Answer` for
    each puzzle, and ``==`` compares all arrays.

    Attributes
    ----------
    counts : uint64[n]
        Solutions found, at most the limit; 2**64 - 1 and not complete if there are more.
    verdicts : uint8[n]
        Codes of `unidoku.Verdict`.
    complete : bool[n]
        Whether all solutions were counted, or the limit was reached.  If false, the budget or a `Cancel`
        ended the search, or there are more than 2**64 - 1 solutions; the count is a lower bound.
    solutions : uint8[n, 81] or None
        The first solution of each puzzle in the order of the search, cells 1 to 9; zeros for a puzzle without
        solution.  None if not requested.
    witnesses : uint8[n, 81] or None
        The second solution of each puzzle with several; zeros for others.  None if not requested.
    reasons : dict of int to str
        The rows, from 0, that are not puzzles (verdict INVALID), and why.
    """

    counts: npt.NDArray[np.uint64]
    verdicts: npt.NDArray[np.uint8]
    complete: npt.NDArray[np.bool_]
    solutions: npt.NDArray[np.uint8] | None = None
    witnesses: npt.NDArray[np.uint8] | None = None
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.verdicts)

    @overload
    def __getitem__(self, key: int) -> Answer: ...
    @overload
    def __getitem__(self, key: slice | npt.NDArray[Any] | list[int] | list[bool]) -> CheckResult: ...
    def __getitem__(
        self, key: int | slice | npt.NDArray[Any] | list[int] | list[bool]
    ) -> Answer | CheckResult:
        if isinstance(key, slice | np.ndarray | list):
            reasons = {}
            if self.reasons:
                rows = np.arange(len(self))[key].tolist()
                reasons = {k: self.reasons[row] for k, row in enumerate(rows) if row in self.reasons}
            arrays: dict[str, Any] = {name: each[key] for name, each in self._arrays().items()}
            return CheckResult(**arrays, reasons=reasons)
        row = index(key)
        row += len(self) if row < 0 else 0
        if not 0 <= row < len(self):
            raise IndexError(f"no puzzle {index(key)} among {len(self)}")
        return Answer(
            Verdict(int(self.verdicts[row])),
            int(self.counts[row]),
            bool(self.complete[row]),
            _grid(self.solutions, row),
            _grid(self.witnesses, row),
            self.reasons.get(row),
        )

    def __iter__(self) -> Iterator[Answer]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CheckResult):
            return NotImplemented
        mine, others = self._arrays(), other._arrays()
        same = self.reasons == other.reasons and mine.keys() == others.keys()
        return same and all(np.array_equal(array, others[name]) for name, array in mine.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        numbers = [f"{getattr(self, name)} {name}" for name in ("unique", "multiple", "none", "unknown")]
        if self.invalid:
            numbers.append(f"{self.invalid} invalid")
        cut_off = int(np.count_nonzero(~self.complete)) - self.invalid
        if cut_off:
            numbers.append(f"{cut_off} not complete")
        return f"<CheckResult of {len(self)} puzzles: {', '.join(numbers)}>"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: the numbers, and the first answers."""
        names = ["puzzle", "verdict", "count", *(["solution"] if self.solutions is not None else [])]
        rows = []
        for number in range(min(len(self), _SHOWN)):
            answer = self[number]
            cells = [str(number), str(answer.verdict), answer.count_text]
            if self.solutions is not None:
                cells.append(answer.solution.line if answer.solution else answer.reason or "")
            rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        more = f"<p>… {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        caption = f"<caption>{escape(repr(self)[1:-1])}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the answers as an Arrow table.

        The columns are ``verdict`` (words), ``count``, ``complete``, ``solution`` and ``reason``.
        """
        text = None if self.solutions is None else self.solutions | np.uint8(48)
        return pyarrow().table(self._columns(text)).__arrow_c_stream__(requested_schema)

    def _columns(self, text: npt.NDArray[np.uint8] | None) -> dict[str, Any]:
        """Return the columns of the Arrow table, which share the memory; `text` is the solutions as ASCII."""
        codes = number_array(np.ascontiguousarray(self.verdicts).view(np.int8))
        valid = self.verdicts != Verdict.INVALID
        columns = {
            "verdict": pyarrow().DictionaryArray.from_arrays(codes, verdict_words()),
            "count": number_array(np.ascontiguousarray(self.counts), valid),
            "complete": number_array(self.complete, valid),
        }
        if text is not None:
            columns["solution"] = grid_array(text, text[:, 0] > 48)
        return {**columns, "reason": reason_array(self.reasons, len(self))}

    @property
    def unique(self) -> int:
        """Number of puzzles with exactly one solution."""
        return self._number_of(Verdict.UNIQUE)

    @property
    def multiple(self) -> int:
        """Number of puzzles with several solutions."""
        return self._number_of(Verdict.MULTIPLE)

    @property
    def none(self) -> int:
        """Number of puzzles without a solution."""
        return self._number_of(Verdict.NONE)

    @property
    def unknown(self) -> int:
        """Number of puzzles without a known verdict, because their search was ended."""
        return self._number_of(Verdict.UNKNOWN)

    @property
    def invalid(self) -> int:
        """Number of rows that are not puzzles."""
        return self._number_of(Verdict.INVALID)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that were requested, by name."""
        names = ("counts", "verdicts", "complete", "solutions", "witnesses")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def _number_of(self, verdict: Verdict) -> int:
        return int(np.count_nonzero(self.verdicts == verdict))


def _grid(rows: npt.NDArray[np.uint8] | None, row: int) -> Grid | None:
    return Grid(rows[row].tobytes()) if rows is not None and rows[row, 0] else None


def _allocate(n: int, solutions: bool, witnesses: bool) -> CheckResult:
    """Allocate a result for `n` puzzles."""
    return CheckResult(
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint8),
        np.zeros(n, np.bool_),
        np.zeros((n, 81), np.uint8) if solutions else None,
        np.zeros((n, 81), np.uint8) if witnesses else None,
    )


@kernel.native_check_many(_allocate)
def check_many(
    puzzles: Rows,
    *,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    witnesses: bool = False,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CheckResult:
    """Count the solutions of many puzzles, each up to a limit.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        In any of these forms:

        - an array of integers, shape (n, 81) or (n, 9, 9): numbers 0 to 9 (0: empty), or ASCII codes;
        - an array of n strings (``U81``, ``S81``, ``StringDType``, objects), or of single characters with
          shape (n, 81) or (n, 9, 9);
        - ``bytes`` of lines with 81 characters each;
        - a sequence of puzzles, each of them anything that `Grid` takes: strings, ``bytes``, `Grid`, nested
          lists (with None for empty cells), arrays;
        - a column of strings with the Arrow PyCapsule interface (PyArrow, Polars, pandas, DuckDB), which is
          read in place.

        Empty cells in text are any of ``. 0 * _ - x X ?``.  A string, a line or a value of a column may also
        have 729 pencil marks.
    limit : int or None, optional
        Largest number of solutions to count for each puzzle; None counts all.
    threads : int, optional
        Worker threads; by default one per available core.
    solutions, witnesses : bool, optional
        Whether to return the first solution of each puzzle, and the second.
    budget : int, optional
        Largest number of guesses for each puzzle.  A puzzle that needs more is not complete, and its verdict
        is UNKNOWN unless two solutions have been found.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle: raise an error, or set its verdict to INVALID and report
        the reason.
    cancel : Cancel, optional
        Set it to end the call.  Unfinished puzzles are not complete; puzzles not begun have count 0 and
        verdict UNKNOWN.

    Returns
    -------
    CheckResult
        The same for any number of threads, on any machine, unless it is cancelled.

    Raises
    ------
    InvalidPuzzleError
        `puzzles` has a wrong shape or type; or a row is not a puzzle and `errors` is ``"raise"``: the
        attribute ``row`` is its number, from 0, and ``reason`` what is wrong.
    MissingExtraError
        `puzzles` is an Arrow column and PyArrow is not installed.
    ValueError
        `limit`, `threads` or `budget` is not an integer, below 1 or too large; `errors` is not one of these.

    Notes
    -----
    With ``limit=1`` the search ends at the first solution: a puzzle that has a solution is complete, and its
    verdict is UNKNOWN because a second solution was not searched for.

    The search is the lanes kernel: see docs/kernel.md.  Without a limit or with one above 1,024, and without
    a budget, puzzles with many solutions are counted as a sum: see docs/counting.md.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> result = check_many([puzzle, puzzle[:80] + "!"], errors="invalid")
    >>> result
    <CheckResult of 2 puzzles: 1 unique, 0 multiple, 0 none, 0 unknown, 1 invalid>
    >>> result[0].solution.line[:9], result.reasons[1]
    ('534678912', "expected a digit or an empty cell (. 0 * _ - x X ?), found '!' in r9c9")
    """
    return check_puzzles(
        puzzles_of(puzzles, errors),
        limit=limit,
        threads=threads,
        solutions=solutions,
        witnesses=witnesses,
        budget=budget,
        cancel=cancel,
    )


def solve_many(
    puzzles: Rows,
    *,
    threads: int | None = None,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CheckResult:
    """Find a solution of many puzzles.

    Parameters
    ----------
    puzzles, threads, budget, errors, cancel
        As for `check_many`.

    Returns
    -------
    CheckResult
        ``solutions`` has a row for each puzzle, zeros where there is none.  A second solution is not searched
        for: the verdict of a puzzle with a solution is UNKNOWN.

    Raises
    ------
    InvalidPuzzleError, MissingExtraError, ValueError
        As for `check_many`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> solve_many([puzzle]).solutions[0, :9].tolist()
    [5, 3, 4, 6, 7, 8, 9, 1, 2]
    """
    return check_many(puzzles, limit=1, threads=threads, budget=budget, errors=errors, cancel=cancel)


def count_many(
    puzzles: Rows,
    *,
    limit: int | None = None,
    threads: int | None = None,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CheckResult:
    """Count the solutions of many puzzles.

    Parameters
    ----------
    puzzles, threads, budget, errors, cancel
        As for `check_many`.
    limit : int, optional
        Largest number of solutions to count for each puzzle; by default all are counted.

    Returns
    -------
    CheckResult
        ``counts`` and ``complete`` have the numbers; there are no ``solutions``.

    Raises
    ------
    InvalidPuzzleError, MissingExtraError, ValueError
        As for `check_many`.

    Examples
    --------
    >>> count_many(["." * 80 + "1"], limit=5000).counts.tolist()
    [5000]
    """
    return check_many(
        puzzles, limit=limit, threads=threads, solutions=False, budget=budget, errors=errors, cancel=cancel
    )


def check_puzzles(
    puzzles: Puzzles,
    *,
    limit: int | None,
    budget: int | None = None,
    threads: int | None = None,
    solutions: bool = False,
    witnesses: bool = False,
    cancel: Cancel | None = None,
) -> CheckResult:
    """Count the solutions of puzzles that are already converted, as `check_many` does."""
    most, guesses = positive("limit", limit), positive("budget", budget)
    arrays = _allocate(puzzles.count, solutions, witnesses)._arrays()
    arrays["verdicts"].fill(Verdict.INVALID)

    def work(part: RowSlice) -> None:
        if stop:
            arrays["verdicts"][part.rows] = Verdict.UNKNOWN
            return
        some = {name: array[part.rows] for name, array in arrays.items()}
        counting.solve(
            part.text,
            part.starts,
            Solved(**some),
            marked=part.places_of_marks(),
            zero=part.zero,
            limit=most,
            budget=guesses,
            stop=stop.flag,
        )
        for name, array in some.items():
            if part.zero and array.ndim > 1:
                np.bitwise_and(array, 15, out=array)
            if not isinstance(part.rows, slice):  # a copy
                arrays[name][part.rows] = array

    with (Cancel() if cancel is None else cancel).child() as stop:
        puzzles.run(work, threads=threads, cancel=stop, size=_SLICE, marks=True)
    return CheckResult(**arrays, reasons=puzzles.reasons)


def check_table(
    table: SupportsArrow | SupportsArrowArray,
    *,
    column: str | None = None,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    all_solutions: int | None = None,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "invalid",
    cancel: Cancel | None = None,
) -> Table | RecordBatchReader:
    """Add the verdicts of its puzzles to an Arrow table.

    Parameters
    ----------
    table : Arrow table
        Any object with the Arrow PyCapsule interface: a PyArrow table, batch or reader, a Polars or pandas
        frame, a DuckDB relation, or a single column.
    column : str, optional
        The column with the puzzles, 81 characters each; by default the one with a well-known name
        (``puzzle``, ``quizzes``, ``question``, ``sudoku``, ``initial_board``, ``grid``), or the only one.
    limit, threads, budget, cancel
        As for `check_many`.
    solutions : bool
        Whether to add the solutions.
    all_solutions : int, optional
        Also add all solutions of each puzzle, at most this many, 1 to 2**24 - 1.  `limit` is then at least
        one more, so that a greater ``count`` shows that there are more.
    errors : {"invalid", "raise"}, optional
        As for `check_many`; by default a row that is not a puzzle has its reason in the table.

    Returns
    -------
    pyarrow.Table or pyarrow.RecordBatchReader
        All columns of `table`, and ``verdict`` (words), ``count`` (uint64), ``complete`` (bool; false if the
        budget ended the search and the count is a lower bound), ``solution`` (81 digits, or null) and, with
        `all_solutions`, ``solutions`` (a list of these in the order of the search; null where the verdict is
        ``unknown``, and for pencil marks with several solutions), and ``reason``: why a row is not a puzzle;
        its verdict is ``invalid``, the others are null.  A column of `table` with one of these names is
        renamed to ``given_…``.  For a record batch reader the result is a reader that works batch by batch.

    Raises
    ------
    FormatError
        There is no column of strings, or no column `column`.
    InvalidPuzzleError
        A row is not a puzzle and `errors` is ``"raise"``.
    MissingExtraError
        PyArrow is not installed.
    ValueError
        As for `check_many`.
    """
    from unidoku.files.base import puzzle_column

    pa = pyarrow()
    listed = positive("all_solutions", all_solutions, MAX_LISTED)
    if listed and positive("limit", limit):
        limit = max(limit or 0, listed + 1)

    def added(puzzles: Any) -> dict[str, Any]:
        """Return the columns for some rows, as Arrow arrays."""
        try:
            found = puzzles_of(puzzles, errors)
        except InvalidPuzzleError as error:
            raise FormatError(error.message) from None
        result = check_puzzles(
            found,
            limit=limit,
            budget=budget,
            threads=threads,
            solutions=solutions or listed > 0,
            cancel=cancel,
        )
        if result.solutions is not None:
            np.bitwise_or(result.solutions, 48, out=result.solutions)
        columns = result._columns(result.solutions)
        reason = columns.pop("reason")
        if listed:
            columns["solutions"] = _lists(puzzles, columns["solution"], result.verdicts, listed)
        if not solutions:
            columns.pop("solution", None)
        return {**columns, "reason": reason}

    new = added(pa.array([], pa.string()))
    given: Any = table
    reader = given if isinstance(table, pa.RecordBatchReader) else _table_of(pa, given).to_reader(_MOST)
    index = puzzle_column(reader.schema.names, column)
    old = [each.with_name(f"given_{each.name}") if each.name in new else each for each in reader.schema]
    schema = pa.schema([*old, *((name, array.type) for name, array in new.items())])

    def batches() -> Iterator[Any]:
        done = 0
        for each in reader:
            for begin in range(0, len(each), _MOST):
                batch = each.slice(begin, _MOST)
                try:
                    columns = added(batch.column(index))
                except InvalidPuzzleError as error:
                    raise InvalidPuzzleError(error.reason, row=done + (error.row or 0)) from None
                done += len(batch)
                yield pa.RecordBatch.from_arrays([*batch.columns, *columns.values()], schema=schema)

    result = pa.RecordBatchReader.from_batches(schema, batches())
    return result if reader is given else result.read_all()


def _table_of(pa: Any, data: Any) -> Any:
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.Array | pa.ChunkedArray):
        return pa.table({"puzzle": data})
    if not has_interface(data):
        raise FormatError(
            f"expected an object with the Arrow PyCapsule interface, found {type(data).__name__}"
        )
    try:
        return pa.table(data)
    except (TypeError, ValueError, pa.ArrowException):
        pass  # a single column is not a table
    return pa.table({"puzzle": chunked(data)})


def _lists(puzzles: Any, first: Any, verdicts: npt.NDArray[np.uint8], most: int) -> Any:
    """Return the solutions of each row as an Arrow array of lists; rows with several are searched again."""
    pa = pyarrow()
    lists: list[list[str] | None] = []
    for row, verdict in enumerate(verdicts.tolist()):
        if verdict == Verdict.UNIQUE:
            lists.append([first[row].as_py()])
        elif verdict == Verdict.MULTIPLE:
            puzzle = puzzles[row].as_py()
            if len(puzzle) == 729:
                lists.append(None)
                continue
            search = kernel.SolutionSearch(Grid(puzzle).cells, zero=0)
            found = bytes(search.chunk(most)).translate(_DIGITS).decode()
            lists.append([found[begin : begin + 81] for begin in range(0, len(found), 81)])
        else:
            lists.append([] if verdict == Verdict.NONE else None)
    return pa.array(lists, pa.list_(pa.string()))
