"""Check the puzzles of Arrow tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku import kernel
from unidoku.arrow import answer_arrays, chunked, has_interface, pyarrow, reason_array, result_schema
from unidoku.batch import check_puzzles
from unidoku.errors import FormatError, InvalidPuzzleError
from unidoku.files.base import puzzle_column
from unidoku.kernel import MAX_LISTED, positive, solver_options
from unidoku.rows import puzzles_of
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unidoku.batch import CheckResult
    from unidoku.kernel import Cancel

__all__ = ["check_table"]

_DIGITS = bytes(byte + 48 if byte < 10 else byte for byte in range(256))
_MOST = 1 << 24  # rows per array of solutions, whose offsets have four bytes


def check_table(
    data: Any,
    column: str | None = None,
    *,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    all_solutions: int | None = None,
    budget: int | None = None,
    cancel: Cancel | None = None,
) -> Any:
    """Add the verdicts of its puzzles to an Arrow table.

    Parameters
    ----------
    data : table
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

    Returns
    -------
    pyarrow.Table or pyarrow.RecordBatchReader
        All columns of `data`, and ``verdict`` (words), ``count`` (uint64), ``complete`` (bool; false if the
        budget ended the search and the count is a lower bound), ``solution`` (81 digits, or null) and, with
        `all_solutions`, ``solutions`` (a list of these in the order of the search; null where the verdict is
        ``unknown``), and ``reason``: why a row is not a puzzle; its verdict is ``invalid``, the others are
        null.  A column of `data` with one of these names is renamed to ``given_…``.  For a record batch
        reader the result is a reader that works batch by batch.

    Raises
    ------
    FormatError
        There is no column of strings, or no column `column`.
    MissingExtraError
        PyArrow is not installed.
    ValueError
        As for `check_many`.
    """
    pa = pyarrow()
    most, guesses, workers = solver_options(limit, budget, threads)
    listed = positive("all_solutions", all_solutions, MAX_LISTED)
    if listed and most:
        most = max(most, listed + 1)
    settings: dict[str, Any] = {"limit": most, "threads": workers, "budget": guesses, "cancel": cancel}
    settings["solutions"] = solutions or listed > 0
    kinds = [solutions, listed > 0]
    if isinstance(data, pa.RecordBatchReader):
        index = puzzle_column(data.schema.names, column)
        schema = result_schema(data.schema, *kinds)

        def batches() -> Iterator[Any]:
            for whole in data:
                for begin in range(0, len(whole), _MOST):
                    batch = whole.slice(begin, _MOST)
                    added = _answers(batch.column(index), settings, solutions, listed)
                    yield pa.RecordBatch.from_arrays([*batch.columns, *added], schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches())
    table = _table_of(pa, data)
    index = puzzle_column(table.schema.names, column)
    parts = [
        _answers(chunk.slice(begin, _MOST), settings, solutions, listed)
        for chunk in table.column(index).chunks
        for begin in range(0, len(chunk), _MOST)
    ]
    schema = result_schema(table.schema, *kinds)
    fields = list(schema)[table.num_columns :]
    added = [pa.chunked_array([part[i] for part in parts], type=field.type) for i, field in enumerate(fields)]
    return pa.table([*table.columns, *added], schema=schema)


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


def _answers(column: Any, settings: dict[str, Any], solutions: bool, listed: int) -> list[Any]:
    """Return verdict, count, complete, solution, solutions and reason of each row, as Arrow arrays."""
    try:
        puzzles = puzzles_of(column)
    except InvalidPuzzleError as error:
        raise FormatError(error.message) from None
    result = check_puzzles(puzzles, errors="invalid", witnesses=False, text=True, **settings)
    first = result.solutions if solutions else None
    arrays = answer_arrays(result.counts, result.verdicts, result.complete, first)
    if listed:
        arrays.append(_lists(column, result, listed))
    return [*arrays, reason_array(result.reasons, len(result))]


def _lists(column: Any, result: CheckResult, most: int) -> Any:
    """Return the solutions of each row as an Arrow array of lists; rows with several are searched again."""
    pa = pyarrow()
    first: Any = result.solutions
    lists: list[list[str] | None] = []
    for row, verdict in enumerate(result.verdicts.tolist()):
        if verdict == Verdict.UNIQUE:
            lists.append([bytes(first[row]).decode()])
        elif verdict == Verdict.MULTIPLE:
            search = kernel.SolutionSearch(column[row].as_py().encode())
            found = bytes(search.chunk(most)).translate(_DIGITS).decode()
            lists.append([found[begin : begin + 81] for begin in range(0, len(found), 81)])
        else:
            lists.append([] if verdict == Verdict.NONE else None)
    return pa.array(lists, pa.list_(pa.string()))
