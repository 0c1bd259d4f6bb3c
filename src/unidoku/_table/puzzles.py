"""Many puzzles in memory: the work on some of them at a time, its results, puzzles as cells and as lines.

Results of one puzzle are plain instead: frozen dataclasses of str, int, float, bool, list and tuple, or None,
and of such dataclasses. Grids are texts of 81 characters and verdicts are words, so that
`dataclasses.asdict`, `json.dumps` and pydantic accept them as they are. `unidoku.tasks._examine.Answer` is an
example. Functions whose result is one value return a `Grid`, a `Verdict` or a number.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from keyword import iskeyword
from typing import Any

from unidoku._arguments import integer
from unidoku._compat import NDArray, cached_property, np, pyarrow
from unidoku._table.batch import Batch
from unidoku._table.column import Column
from unidoku._table.forms import BLOCK, PuzzlesLike, read
from unidoku._threads import Cancel, begun, cancel_of, map_whole, parts_of, thread_count
from unidoku._verdict import VERDICTS
from unidoku.cell import grids_in, symbols_of
from unidoku.errors import InvalidPuzzleError, Reason, SearchStoppedError, WrongTypeError

_SHOWN = 10
"""How many rows a notebook shows."""


class Result:
    """Results for many puzzles: columns of rows, in the order of the puzzles.

    Each column is an attribute, with the name that it has in files, such as ``result.er``: an array with a
    value for each row.  Grids are uint8[n, 81], and words, such as ``verdict``, are strings in an array of
    objects.  A row without a value has NaN, None, False or 0.

    ``result[i]`` is a row as a named tuple of Python values: a grid is a text of 81 characters, a verdict a
    word, None stands for no value, and ``reason`` is the last field.  ``len(result)`` is the number of rows,
    and iteration yields them.  ``pandas.DataFrame(result)``, ``polars.DataFrame(result)`` and
    ``pyarrow.table(result)`` have the same columns with the same values.

    Parameters
    ----------
    columns : dict of str to Column
        All with a value for each row; or a function that makes it when a column is read.
    reasons : dict of int to str, optional
        Why puzzles have no result, by the number of the puzzle, from 0.
    source_rows : int64[n], optional
        The puzzle of each row, from 0, ascending; by default each puzzle has one row.

    Attributes
    ----------
    reasons, source_rows
        As above.
    solutions : list of str or None
        The column ``solution`` as texts of 81 characters, for a data frame; None for a row without one.
    verdict_codes : uint8[n]
        The codes of `Verdict`, if there is a column ``verdict``. A row without a verdict has the code of
        UNKNOWN.
    unique, multiple, none, unknown, invalid : int
        The number of rows with this verdict, if there is a column ``verdict``.
    later : dict of str to callable
        Further columns, after all other columns, which are made when they are read: called with the rows,
        int64[k], or None for all.

    Examples
    --------
    >>> import unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> result = unidoku.check_many([puzzle, "." * 81])
    >>> result.verdict.tolist(), result.unique, result[1].count
    (['unique', 'multiple'], 1, 2)
    """

    __module__ = "unidoku"

    reasons: Mapping[int, Reason]
    source_rows: NDArray[np.int64]

    def __init__(
        self,
        columns: Mapping[str, Column] | Callable[[], Mapping[str, Column]],
        reasons: Mapping[int, Reason] | None = None,
        source_rows: NDArray[np.int64] | None = None,
    ) -> None:
        self.later: Mapping[str, Callable[[NDArray[np.int64] | None], Column]] = {}
        self._made = columns
        self.reasons = {} if reasons is None else reasons
        if source_rows is not None:
            self.source_rows = source_rows

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns by their names, without `later` columns and reasons."""
        if callable(self._made):
            self._made = self._made()
        return self._made

    def __getattr__(self, name: str) -> Any:
        if "_made" not in vars(self):  # while it is copied
            raise AttributeError(name)
        columns, later = self.columns, self.later
        if name in later:
            value: Any = later[name](None).array()
        elif name in columns:
            value = columns[name].array()
        elif name == "source_rows":
            value = np.arange(len(self))
        elif name == "solutions" and "solution" in columns:
            value = columns["solution"].to_list()
        elif "verdict" in columns and name == "verdict_codes":
            column, unknown = columns["verdict"], np.uint8(VERDICTS.index("unknown"))
            value = np.where(column.has_value(), column.category_codes(), unknown)
        elif "verdict" in columns and name in VERDICTS:
            value = int(np.count_nonzero(self.verdict_codes == VERDICTS.index(name)))
        else:
            from unidoku._guesses import no_attribute  # not at the top: it is needed seldom

            raise no_attribute(self, name, [*columns, *later])
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        if "verdict" in self.columns:
            counts = ("verdict_codes", *VERDICTS)
        else:
            counts = ()
        texts = {"solutions"} if "solution" in self.columns else set()
        return sorted({*super().__dir__(), *self.columns, *self.later, "source_rows", *counts, *texts})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, row: int) -> Any:
        if isinstance(row, str):
            raise WrongTypeError(f"the row of a result must be an integer, not {row!r}; use result.{row}")
        number = integer("the row of a result", row)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no row {number}; the result has {len(self):,}")
        row = range(len(self))[number]
        values = [column.to_list()[0] for column in self._columns_of(np.array([row])).values()]
        return self._record(*values, self.reasons.get(int(self.source_rows[row])))

    def __iter__(self) -> Iterator[Any]:
        columns = [column.to_list() for column in self._columns_of(None).values()]
        return map(self._record, *columns, map(self.reasons.get, self.source_rows.tolist()))

    def _record(self, *values: Any) -> Any:
        """Return a row as a record."""
        return _record_class((*self.columns, *self.later, "reason"))(*values)

    def _columns_of(self, rows: NDArray[np.int64] | None) -> dict[str, Column]:
        """Return all columns of some rows, or of all, without the reasons."""
        columns = dict(self.columns)
        if rows is not None:
            columns = {name: column.take(rows) for name, column in columns.items()}
        return columns | {name: make(rows) for name, make in self.later.items()}

    def __repr__(self) -> str:
        if self.reasons:
            counts = [f"{len(self.reasons)} without a result"]
        else:
            counts = []
        if "verdict" in self.columns:
            numbers = np.bincount(self.verdict_codes, minlength=len(VERDICTS)).tolist()
            counts = [f"{number} {word}" for number, word in zip(numbers, VERDICTS, strict=True) if number]
        if "solved" in self.columns:
            counts = [f"{np.count_nonzero(self.solved)} solved", *counts]
        return f"<Result of {len(self)} rows: {', '.join([*self.columns, *self.later, *counts])}>"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: a title, the first rows, and how many more there are."""
        from html import escape  # not at the top: rows in files start faster

        owners = self.source_rows[:_SHOWN].tolist()
        shown = self._columns_of(np.arange(len(owners)))
        head = "".join(f"<th>{escape(name)}</th>" for name in ("puzzle", *shown, "reason"))
        body = ""
        columns = [column.to_list() for column in shown.values()]
        for owner, *row in zip(owners, *columns, strict=True):
            values = (owner, *row, self.reasons.get(owner))
            cells = (f"<td>{'' if value is None else escape(str(value))}</td>" for value in values)
            body += f"<tr>{''.join(cells)}</tr>"
        note = ""
        if len(self) > _SHOWN:
            note = f"<p>… {len(self) - _SHOWN:,} more</p>"
        caption = f"<caption>{escape(repr(self)[1:-1])}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as an Arrow table: the columns, and ``reason``."""
        columns = self._columns_of(None)
        columns["reason"] = Column.of(map(self.reasons.get, self.source_rows.tolist()))
        arrays = {name: column.to_arrow() for name, column in columns.items()}
        stream: object = pyarrow().table(arrays).__arrow_c_stream__(requested_schema)
        return stream


class PuzzleResult(Result):
    """The column of functions that make a puzzle of each; two more of `unidoku.craft.canonical_many`."""

    puzzle: NDArray[np.uint8]
    symmetry: NDArray[np.int64]
    automorphisms: NDArray[np.int64]


@cache
def _record_class(names: tuple[str, ...]) -> Any:
    """Return the class of the records with these fields; a keyword, such as ``class``, gets a ``_``."""
    fields = [f"{name}_" if iskeyword(name) else name for name in names]
    record: Any = namedtuple("Row", fields)  # type: ignore[misc]
    parts = {"__slots__": (), "__reduce__": lambda row: (_record_of, (names, tuple(row)))}
    return type("Row", (record,), parts)


def _record_of(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """Return a record that was pickled: its class is made when it is needed."""
    return _record_class(names)(*values)


PART = 2048
"""Puzzles that a thread takes at a time: they stay in its cache."""


@dataclass(eq=False, repr=False)  # not frozen: to make one would take three times as long
class Puzzles:
    """Puzzles in memory, apart from the rows that are none.

    Attributes
    ----------
    batch : Batch
        The puzzles, perhaps in the memory of the caller; their lines are their numbers, from 1.
    reasons : dict of int to str
        Why the other rows are not puzzles, by the number of the row among all.
    errors : {"raise", "invalid"}
        Whether a puzzle without a result is an error.
    """

    batch: Batch
    reasons: dict[int, Reason] = field(default_factory=dict)
    errors: str = "raise"
    cancel: Cancel | None = None
    """Ends the work of `cells`: the rows that are left have no clues."""

    @classmethod
    def of(cls, puzzles: PuzzlesLike, *, errors: str = "raise", cancel: Cancel | None = None) -> Puzzles:
        """Read puzzles in any form that `check_many` accepts."""
        rows, reasons = read(puzzles, errors, cancel)
        if isinstance(rows, Batch):
            return cls(rows, errors=errors, cancel=cancel)
        batch = Batch.of_cells(rows)
        if reasons:
            batch = batch.take(_other_rows(len(rows), reasons))
        return cls(batch, reasons, errors, cancel)

    def __len__(self) -> int:
        """Return the number of rows: puzzles and all other rows."""
        return len(self.batch) + len(self.reasons)

    @cached_property
    def cells(self) -> NDArray[np.uint8]:
        """The cells, 0 for an empty one: uint8[m, 81], perhaps the memory of the caller."""
        is_whole = self.batch.empty_code == 0 and isinstance(self.batch.starts, range)
        if is_whole:
            return self.batch.cells
        return _copy(self.batch, self.cancel)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The number of the row of each puzzle among all: int64[m]."""
        return _other_rows(len(self), self.reasons)

    def map_slices(
        self,
        work: Callable[[slice, Cancel], Mapping[int, Reason] | None],
        *,
        threads: int | None = None,
        cancel: Cancel | None = None,
        size: int = PART,
        cancellable: bool = False,
    ) -> dict[int, Reason]:
        """Call `work` for `size` of the puzzles at a time, in worker threads; if `cancel` ends it, raise.

        It also gets the flag that ends it, and may return why puzzles have no result, by their numbers in the
        slice.  Return these reasons by the numbers of the puzzles.  `cancellable` is as for `map_parts`.
        """

        def attempt(part: slice, stop: Cancel) -> Mapping[int, Reason]:
            reasons = work(part, stop) or {}
            if reasons and self.errors == "raise":
                puzzle, reason = min(reasons.items())
                raise InvalidPuzzleError(reason, index=part.start + puzzle)
            return reasons

        parts, flag = parts_of(len(self.batch), size), cancel_of(cancel)
        results = map_whole(attempt, parts, thread_count(threads), flag, cancellable=cancellable)
        pairs = zip(parts, results, strict=True)
        return {part.start + k: reason for part, own in pairs for k, reason in sorted(own.items())}

    def result(
        self,
        puzzle_columns: Mapping[str, Column] | Callable[[], Mapping[str, Column]],
        reasons: Mapping[int, Reason] | None = None,
        for_invalid: Mapping[str, Any] | None = None,
    ) -> Result:
        """Return columns of the puzzles, or functions that make them on demand, as columns of all rows.

        Puzzles with `reasons` and the other rows have no values, or in some columns those
        `for_invalid`.
        """
        if not (reasons or self.reasons):
            return Result(puzzle_columns)
        rows = self.rows
        failures = {int(rows[puzzle]): reason for puzzle, reason in (reasons or {}).items()}
        row_reasons = dict(sorted({**self.reasons, **failures}.items()))
        # a function of the module can be pickled, so a result that nobody has looked at can be
        make = partial(_row_columns, puzzle_columns, self.places(row_reasons), for_invalid or {})
        return Result(make, row_reasons)

    def places(self, reasons: Mapping[int, Reason]) -> NDArray[np.int64]:
        """Return the puzzle of each row, int64[n]: -1 for a row that has one of the reasons."""
        places = np.full(len(self), -1)
        places[self.rows] = np.arange(len(self.batch))
        places[list(reasons)] = -1
        return places


def _row_columns(
    puzzle_columns: Mapping[str, Column] | Callable[[], Mapping[str, Column]],
    index: NDArray[np.int64],
    for_invalid: Mapping[str, Any],
) -> dict[str, Column]:
    """Return columns of puzzles as columns of all rows: ``index`` has the puzzle of each, or -1."""
    columns = puzzle_columns() if callable(puzzle_columns) else puzzle_columns
    return {name: column.take(index, for_invalid.get(name)) for name, column in columns.items()}


def _other_rows(count: int, reasons: Mapping[int, Reason]) -> NDArray[np.int64]:
    """Return the numbers of the rows, `count` of them, without those that have reasons."""
    return np.delete(np.arange(count), list(reasons))


def with_reason(reasons: Mapping[int, Reason], rows: NDArray[np.int64], reason: Reason) -> dict[int, Reason]:
    """Return reasons by row, ascending, with this `reason` for further `rows`: often nearly all."""
    every = np.sort(np.concatenate([rows, np.fromiter(reasons, np.int64)]), kind="stable")
    return {**dict.fromkeys(every.tolist(), reason), **reasons}


def cells(
    puzzles: PuzzlesLike, *, cancel: Cancel | None = None, timeout: float | None = None
) -> NDArray[np.uint8]:
    """Convert many puzzles or full grids to an array of cells, uint8[n, 81].

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        As for `unidoku.check_many`.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    uint8[n, 81]
        Cells 0 to 9, 0 for an empty one; a new array.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> cells([puzzle]).shape, lines(cells([puzzle])) == [puzzle]
    ((1, 81), True)
    """
    cancel = cancel_of(begun(cancel, timeout))
    rows, _ = read(puzzles, "raise", cancel)
    cancel.raise_if_set()
    copy = _copy(rows, cancel)  # it is perhaps the memory of the caller
    cancel.raise_if_set()
    return copy


def lines(puzzles: PuzzlesLike, *, cancel: Cancel | None = None, timeout: float | None = None) -> list[str]:
    """Convert many puzzles or full grids to texts of 81 characters, the reverse of `cells`.

    Parameters
    ----------
    puzzles, cancel, timeout
        As for `cells`.

    Returns
    -------
    list of str
        ``1`` to ``9``, ``.`` for an empty cell.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle; its attribute ``index`` is the number, from 0.
    SearchStoppedError
        `cancel` ended the work.

    Examples
    --------
    >>> lines([[0] * 80 + [7]])
    ['................................................................................7']
    """
    cancel = cancel_of(begun(cancel, timeout))
    rows, _ = read(puzzles, "raise", cancel)
    cancel.raise_if_set()
    texts = list[str]()
    for _, block in _blocks(rows, cancel):
        texts += grids_in(symbols_of(block.tobytes()))
    return texts


def _copy(rows: Batch | NDArray[np.uint8], cancel: Cancel | None) -> NDArray[np.uint8]:
    """Return the cells of puzzles as a new array; after a `cancel`, the rows that are left have no clues."""
    if len(rows) <= BLOCK:
        return np.array(rows.cells if isinstance(rows, Batch) else rows)
    cells = np.zeros((len(rows), 81), np.uint8)
    with suppress(SearchStoppedError):
        for begin, block in _blocks(rows, cancel):
            cells[begin : begin + len(block)] = block
    return cells


def _blocks(
    rows: Batch | NDArray[np.uint8], cancel: Cancel | None
) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """Yield the cells of some puzzles at a time, with the number of the first; raise if `cancel` is set."""
    for begin in cancel_of(cancel).watch(range(0, len(rows), BLOCK)):
        part = slice(begin, begin + BLOCK)
        yield begin, rows.part(part).cells if isinstance(rows, Batch) else rows[part]
