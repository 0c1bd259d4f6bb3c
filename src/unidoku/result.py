"""Results for many puzzles in memory: columns of rows, also as records, as a table and in Arrow."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from unidoku.column import Column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Row = TypeVar("Row")

_SHOWN = 10
"""How many rows a notebook shows."""


class Result(Generic[Row]):
    """Results for many puzzles in memory: rows in the order of the puzzles.

    A column is an attribute: an array with a value for each row; NaN, None, False or 0 where there is none.
    ``result[i]`` is a row as a record, such as a named tuple, with None for what it does not have, and its
    ``reason``.  ``len(result)`` is the number of rows, and iteration yields a record for each.  pandas,
    Polars, PyArrow and DuckDB read it as a table, a notebook shows one.

    Attributes
    ----------
    of : int64[n]
        The puzzle of each row, from 0.
    reasons : dict of int to str
        Why puzzles have no result, by the number of the puzzle, from 0.
    """

    reasons: Mapping[int, str]
    _name: ClassVar[str] = ""
    _about: ClassVar[Mapping[str, str] | None] = None
    """The metadata of its Arrow table."""

    def __init__(
        self, name: str, columns: Mapping[str, Column], of: NDArray[np.int64], reasons: Mapping[int, str]
    ) -> None:
        vars(self).update(_name=name, _columns=dict(columns), of=of, reasons=dict(reasons))

    @cached_property
    def of(self) -> NDArray[np.int64]:
        """The puzzle of each row, from 0: int64[n]."""
        import numpy as np

        return np.arange(len(self))

    def _values(self) -> dict[str, Any]:
        """Return what it consists of, by name: columns, or the arrays of a class with fields."""
        if not is_dataclass(self):
            return dict(vars(self)["_columns"])
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in own.items() if name != "reasons" and value is not None}

    def _table(self) -> dict[str, Column]:
        """Return the columns of the table, without the reasons."""
        values = self._values().items()
        return {name: value if isinstance(value, Column) else Column(value) for name, value in values}

    def _reasons(self) -> Column:
        """Return the reason of each row, where there is one."""
        rows = self.of.tolist()
        return Column.sparse(
            {k: self.reasons[row] for k, row in enumerate(rows) if row in self.reasons}, len(rows)
        )

    def _with_reasons(self) -> dict[str, Column]:
        """Return the columns of the table, and ``reason``."""
        return {**self._table(), "reason": self._reasons()}

    def __len__(self) -> int:
        return len(self.of)

    def __getattr__(self, name: str) -> NDArray[Any]:
        columns = vars(self).get("_columns", {})
        if name not in columns:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        array: NDArray[Any] = columns[name].array()
        vars(self)[name] = array
        return array

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._values()})

    def _record(self, row: int) -> Any:
        """Return a row, from 0."""
        table = self._table()
        names = [f"{name}_" if iskeyword(name) else name for name in (*table, "reason")]
        values = [column.value(row) for column in table.values()]
        return _record_class(tuple(names))(*values, self.reasons.get(int(self.of[row])))

    def __getitem__(self, row: int) -> Row:
        record: Row = self._record(range(len(self))[row])
        return record

    def __iter__(self) -> Iterator[Row]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        what = f" of {self._name}" if self._name else ""
        reasons = f", {len(self.reasons)} puzzles without a result" if self.reasons else ""
        return f"<{type(self).__name__}{what}: {len(self)} rows of {', '.join(self._table())}{reasons}>"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: a title, the first rows, and how many more there are."""
        from html import escape  # not at the top: its tables take time to load

        every = self._table()
        table = {name: column for name, column in every.items() if not len(self) or column.known().any()}
        head = "".join(f"<th>{escape(name)}</th>" for name in ("puzzle", *table, "reason"))
        body = ""
        for row, owner in enumerate(self.of[:_SHOWN].tolist()):
            values = (owner, *(column.value(row) for column in table.values()), self.reasons.get(owner))
            cells = (f"<td>{'' if value is None else escape(str(value))}</td>" for value in values)
            body += f"<tr>{''.join(cells)}</tr>"
        more = f"<p>… {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        caption = f"<caption>{escape(repr(self)[1:-1])}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as an Arrow table: the columns, and ``reason``."""
        from unidoku.arrow import pyarrow

        columns = {name: column.to_arrow() for name, column in self._with_reasons().items()}
        table: Any = pyarrow().table(columns).replace_schema_metadata(self._about)
        stream: object = table.__arrow_c_stream__(requested_schema)
        return stream


@cache
def _record_class(names: tuple[str, ...]) -> Any:
    """Return the class of the records with these fields."""
    record: Any = namedtuple("Row", names)  # type: ignore[misc]
    return record
