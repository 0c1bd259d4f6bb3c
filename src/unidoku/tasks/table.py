"""Add the verdicts of its puzzles to an Arrow table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from unidoku.arrow import chunked, has_interface, pyarrow, validated
from unidoku.errors import FormatError, InvalidPuzzleError, UnidokuError
from unidoku.files.base import distinct, puzzle_column
from unidoku.tasks.check_many import check_many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyarrow import RecordBatchReader, Table  # type: ignore[import-untyped, import-not-found, unused-ignore]

    from unidoku.parse_many import SupportsArrow, SupportsArrowArray
    from unidoku.threads import Cancel

_MOST = 1 << 24  # rows per array of solutions, whose offsets have four bytes


def check_table(
    table: SupportsArrow | SupportsArrowArray,
    *,
    column: str | None = None,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
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
        (``puzzle``, ``quizzes``, ``question``, ``sudoku``, ``initial_board``, ``grid``, ``board``,
        ``q``), or the only one.
    limit, threads, budget, cancel
        As for `check_many`.
    solutions : bool
        Whether to add the solutions.
    errors : {"invalid", "raise"}, optional
        As for `check_many`; by default a row that is not a puzzle has its reason in the table.

    Returns
    -------
    pyarrow.Table or pyarrow.RecordBatchReader
        All columns of `table`, and ``verdict`` (words), ``count`` (uint64), ``complete`` (bool; false if the
        budget ended the search and the count is a lower bound), ``solution`` (81 digits, or null), and
        ``reason``: why a row is not a puzzle; its verdict is ``invalid``, the others are null.  They
        replace columns of `table` with these names.  For a record batch reader the result is a reader that
        works batch by batch.

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
    pa = pyarrow()
    column = None if column is None else str(column)
    limits: dict[str, Any] = {"limit": limit, "budget": budget, "solutions": solutions}
    limits |= {"threads": threads, "errors": errors}
    check_many([], **limits)  # errors are raised at once

    def added(puzzles: Any) -> list[Any]:
        """Return the new columns for some rows, as Arrow arrays."""
        try:
            result = check_many(puzzles, cancel=cancel, **limits)
        except InvalidPuzzleError as error:
            if error.row is None:
                raise FormatError(error.message) from None
            raise
        columns = result._with_reasons()
        return [columns[name].to_arrow() for name in new]

    text = pa.string()
    new = {"verdict": pa.dictionary(pa.int8(), text), "count": pa.uint64(), "complete": pa.bool_()}
    new |= {"solution": text, "reason": text} if solutions else {"reason": text}
    given: Any = table
    streams = isinstance(table, pa.RecordBatchReader)
    reader = given if streams else _table_of(pa, given).to_reader(_MOST)
    given_columns = reader.schema.names
    index = puzzle_column(given_columns, column, lone=True)
    names = distinct(given_columns)
    kept = [k for k, name in enumerate(names) if name not in new]
    old = [reader.schema.field(k).with_name(names[k]) for k in kept]
    schema = pa.schema([*old, *new.items()])

    def batches() -> Iterator[Any]:
        done = 0
        for each in map(validated, reader) if streams else reader:
            for begin in range(0, len(each), _MOST):
                batch = each.slice(begin, _MOST)
                try:
                    columns = added(batch.column(index))
                except InvalidPuzzleError as error:
                    raise InvalidPuzzleError(error.reason, row=done + (error.row or 0)) from None
                done += len(batch)
                yield pa.RecordBatch.from_arrays([*map(batch.column, kept), *columns], schema=schema)

    result = pa.RecordBatchReader.from_batches(schema, batches())
    return result if streams else result.read_all()


def _table_of(pa: Any, data: Any) -> Any:
    if not has_interface(data):
        raise FormatError(
            f"expected an object with the Arrow PyCapsule interface, found {type(data).__name__}"
        )
    try:
        data = validated(data)
        return data if isinstance(data, pa.Table) else validated(pa.table(data))
    except UnidokuError:
        raise
    except (TypeError, ValueError, pa.ArrowException):  # a single column is not a table
        return pa.table({"puzzle": chunked(data)})
