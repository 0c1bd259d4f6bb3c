"""Results for many puzzles in memory: columns of rows, as arrays, as records and as a table.

Results of one puzzle are plain instead: frozen dataclasses of str, int, float, bool, list and tuple, or None,
and of such dataclasses, with grids as texts of 81 characters and verdicts as words, so that
`dataclasses.asdict`, `json.dumps` and pydantic take them as they are.  `unidoku.tasks.examine.Answer` is an
example.  Functions whose result is one value return a `Grid`, a `Verdict` or a number.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from unidoku.arguments import integer
from unidoku.compat import np, pyarrow
from unidoku.table.column import Column
from unidoku.verdict import VERDICTS, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHOWN = 10
"""How many rows a notebook shows."""


class Result:
    """Results for many puzzles: columns of rows, in the order of the puzzles.

    Each column is an attribute, with the name that it has in files, such as ``result.er``: an array with a
    value for each row.  Grids are uint8[n, 81], words are strings in an array of objects; only ``verdict`` is
    uint8[n] with the codes of `Verdict`.  A row without a value has NaN, None, False or 0.

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
    later : dict of str to callable
        Further columns, after the others, which are made when they are read: called with the rows, int64[k],
        or None for all.
    """

    reasons: Mapping[int, str]
    source_rows: NDArray[np.int64]

    def __init__(
        self,
        columns: Mapping[str, Column] | Callable[[], Mapping[str, Column]],
        reasons: Mapping[int, str] | None = None,
        source_rows: NDArray[np.int64] | None = None,
    ) -> None:
        self._made = columns
        self.later: Mapping[str, Callable[[NDArray[np.int64] | None], Column]] = {}
        self.reasons = {} if reasons is None else reasons
        if source_rows is not None:
            self.source_rows = source_rows

    @property
    def _columns(self) -> Mapping[str, Column]:
        if callable(self._made):
            self._made = self._made()
        return self._made

    def __getattr__(self, name: str) -> NDArray[Any]:
        columns = self._columns if "_made" in vars(self) else {}  # there are none while it is copied
        later = vars(self).get("later", {})
        array: NDArray[Any]
        if name in later:
            array = later[name](None).array()
        elif name in columns:
            array = columns[name].values if name == "verdict" else columns[name].array()
        elif name == "source_rows":
            array = np.arange(len(self))
        else:
            raise AttributeError(f"the result has no column {name!r}; it has {', '.join([*columns, *later])}")
        setattr(self, name, array)
        return array

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._columns, *self.later, "source_rows"})

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __getitem__(self, row: int) -> Any:
        number = integer("the row of a result", row)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no row {number}; the result has {len(self):,}")
        row = range(len(self))[number]
        values = [column.to_list()[0] for column in self._columns_of(np.array([row])).values()]
        return self._record(*values, self.reasons.get(int(self.source_rows[row])))

    def __iter__(self) -> Iterator[Any]:
        columns = [column.to_list() for column in self._with_reasons().values()]
        return map(self._record, *columns)

    @property
    def unique(self) -> int:
        """The number of rows with the verdict ``unique``."""
        return int(np.count_nonzero(self.verdict == int(Verdict.UNIQUE)))

    def _record(self, *values: Any) -> Any:
        """Return a row as a record."""
        return _record_class((*self._columns, *self.later, "reason"))(*values)

    def _columns_of(self, rows: NDArray[np.int64]) -> dict[str, Column]:
        """Return all columns of some rows."""
        columns = {name: column.take(rows) for name, column in self._columns.items()}
        return columns | {name: make(rows) for name, make in self.later.items()}

    def _with_reasons(self) -> dict[str, Column]:
        """Return the columns, and the reason of each row."""
        reasons = self.reasons
        if reasons and "source_rows" in vars(self):
            owners = self.source_rows.tolist()
            reasons = {row: reasons[owner] for row, owner in enumerate(owners) if owner in reasons}
        later = {name: make(None) for name, make in self.later.items()}
        return {**self._columns, **later, "reason": Column.sparse(reasons, len(self))}

    def __repr__(self) -> str:
        counts = [f"{len(self.reasons)} without a result"] if self.reasons else []
        if "verdict" in self._columns:
            numbers = np.bincount(self.verdict, minlength=len(VERDICTS)).tolist()
            counts = [f"{number} {word}" for number, word in zip(numbers, VERDICTS, strict=True) if number]
        return f"<Result of {len(self)} rows: {', '.join([*self._columns, *self.later, *counts])}>"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: a title, the first rows, and how many more there are."""
        owners = self.source_rows[:_SHOWN].tolist()
        shown = self._columns_of(np.arange(len(owners)))
        is_there = {name: column.has_value().any() for name, column in self._columns.items()}
        table = {name: column for name, column in shown.items() if is_there.get(name, True)}
        head = "".join(f"<th>{escape(name)}</th>" for name in ("puzzle", *table, "reason"))
        body = ""
        columns = [column.to_list() for column in table.values()]
        for owner, *row in zip(owners, *columns, strict=True):
            values = (owner, *row, self.reasons.get(owner))
            cells = (f"<td>{'' if value is None else escape(str(value))}</td>" for value in values)
            body += f"<tr>{''.join(cells)}</tr>"
        note = f"<p>… {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        caption = f"<caption>{escape(repr(self)[1:-1])}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as an Arrow table: the columns, and ``reason``."""
        columns = {name: column.to_arrow() for name, column in self._with_reasons().items()}
        stream: object = pyarrow().table(columns).__arrow_c_stream__(requested_schema)
        return stream


@cache
def _record_class(names: tuple[str, ...]) -> Any:
    """Return the class of the records with these fields; a keyword, such as ``class``, gets a ``_``."""
    fields = [f"{name}_" if iskeyword(name) else name for name in names]
    record: Any = namedtuple("Row", fields)  # type: ignore[misc]
    return record
