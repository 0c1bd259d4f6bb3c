"""Columns: a value for each of n rows, as numbers, as texts or grids in a buffer, as lists, or in Arrow.

Nothing else converts values to text, to Arrow and to Python. A column shares memory and is not changed.
`Rows` has the columns of an output. Arrays may be any buffers: NumPy is imported when a method computes with
them, so that other rows are written without it (docs/decisions.md).

=================  ================================  ====================================================
values             states                            made by
=================  ================================  ====================================================
array [n]          TEXT, MISSING, and AT_LEAST for   tasks; inputs of arrays
                   counts
array of codes     TEXT, MISSING                     tasks, with `categories`: verdicts, names of files
                   JSON, MISSING                     tasks, with numbers as `categories`: ratings
array uint8[n,81]  TEXT, MISSING                     tasks: grids and new puzzles; inputs of arrays
array [n, k]       TEXT, MISSING                     tasks: candidates, keys; inputs of arrays
`CellValues`       TEXT, MISSING                     puzzles of a batch, and their solutions
`StringValues`     TEXT, MISSING                     scanners of CSV and lines: fields
                   TEXT, JSON, MISSING, ABSENT       the scanner of JSON lines; `Column.of`: Python values
                   TEXT, and MISSING or ABSENT       `Column.sparse`: reasons; puzzles among rejects
                   JSON, AT_LEAST, MISSING           `as_strings`: numbers
`ListValues`       TEXT, MISSING                     tasks: placements, links of a step
Arrow array        none: nulls are in the array      inputs of Parquet and Arrow (`ArrowColumn`)
=================  ================================  ====================================================

``states`` None stands for TEXT in each row, which says of an array that there is a value; an array of bool
has TEXT and MISSING. `take` makes MISSING of a negative row. ABSENT is a missing value whose key JSON omits.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from unidoku._compat import np, pyarrow
from unidoku._native.text.columns import (
    ABSENT,
    AT_LEAST,
    JSON,
    MISSING,
    TEXT,
    gather,
    interleave,
    numbers_of,
    pack,
    size_of,
)
from unidoku._table import arrow
from unidoku._table.json_values import NO_VALUE, as_text, is_json, json_text
from unidoku.cell import grids_in
from unidoku.kernel import starts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._conditions import Condition

_KINDS = {"?": "flags", **dict.fromkeys("bBhHiIql", "signed"), "Q": "unsigned", "L": "unsigned"}
"""The numbers that the native renderer accepts, by the format of a buffer; any other becomes a text."""
_CODES = {"signed": "q", "unsigned": "Q"}
_FILLS = {"f": float("nan"), "O": None}
"""The value of a row without one, by the kind of an array; 0 in another array."""

_KEPT = 1 << 16  # from this number of places on, they are made anew for each call
_FEW = 1024  # numbers that are converted sooner than NumPy is imported


def states_of(rows: Iterable[object]) -> bytes:
    """Return the states of rows that have a value if they are true."""
    return bytes(TEXT if has_value else MISSING for has_value in rows)


class StringValues(NamedTuple):
    """Texts in UTF-8: value ``i`` is ``text[starts[i]:ends[i]]``.

    An array as text belongs to the column; another buffer may be used again, so outputs copy it.
    """

    text: Any
    starts: Any
    ends: Any

    @classmethod
    def of_parts(cls, parts: Sequence[bytes]) -> StringValues:
        """Join texts in a buffer of their own."""
        ends = array("q", accumulate(map(len, parts), initial=0))
        return cls(b"".join(parts), ends[:-1], ends[1:])

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.starts)

    def join(self, columns: Sequence[Column]) -> StringValues:
        """Join the values of columns of this kind."""
        (text, *_), *places = zip(*(column.values for column in in_one_text(*columns)), strict=True)
        return StringValues(text, *map(np.concatenate, places))

    def take(self, rows: Any) -> StringValues:
        """Select rows."""
        return StringValues(self.text, *(selected(places, rows) for places in self[1:]))

    def array(self, column: Column) -> NDArray[Any]:
        """Return the values of a column as objects."""
        return _objects(column)

    def objects(self, column: Column) -> list[Any]:
        """Return the values of a column as Python objects, anything for a missing value."""
        return [*_decode(column)]

    def strings(self, column: Column) -> Column:
        """Return the column."""
        return column

    def native(self, column: Column) -> tuple[Any, ...]:
        """Return a column of this kind for the renderer."""
        return column.rendered("texts", *self)

    def to_arrow(self, column: Column) -> Any:
        """Return a column of this kind as an Arrow array."""
        return _arrow_strings(self, column.has_value())


class CellValues(NamedTuple):
    """Grids: value ``i`` is the 81 bytes from ``starts[i]`` on; `zero` is the code of 0."""

    text: Any
    starts: Any
    zero: int

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.starts)

    def join(self, columns: Sequence[Column]) -> NDArray[Any]:
        """Join the values of columns of this kind."""
        return np.concatenate([column.array() for column in columns])

    def take(self, rows: Any) -> CellValues:
        """Select rows."""
        return CellValues(self.text, selected(self.starts, rows), self.zero)

    def array(self, column: Column) -> NDArray[Any]:
        """Return the cells of a column, 0 in rows without a value."""
        values = np.zeros((self.size, 81), np.uint8)
        values[column.has_value()] = _array(self.strings(column).values.text).reshape(-1, 81)
        values -= np.uint8(48)
        values[values > 9] = 0
        return values

    def objects(self, column: Column) -> list[Any]:
        """Return the texts of a column, anything for a missing value."""
        strings = self.strings(column)
        if column.states is None:
            return grids_in(bytes(strings.values.text).decode())
        return [*_decode(strings)]

    def strings(self, column: Column) -> Column:
        """Return a column of this kind as texts with a dot for each empty cell."""
        if column.states is not None:
            return self._grids(column.has_value())
        n, text = self.size, bytearray(81 * self.size)
        gather(self.text, buffer_of(self.starts), text, self.zero)
        places = starts_of(n + 1)
        return Column(StringValues(text, places[:n], places[1:]))

    def _grids(self, exists: NDArray[np.bool_]) -> Column:
        """Return the same in an array, without texts in rows that have no value."""
        cells = np.empty(81 * np.count_nonzero(exists), np.uint8)
        gather(self.text, _array(self.starts)[exists], cells, self.zero)
        ends = np.cumsum(81 * exists)
        return Column(StringValues(cells, ends - 81 * exists, ends), states=exists)

    def native(self, column: Column) -> tuple[Any, ...]:
        """Return a column of this kind for the renderer."""
        return column.rendered("cells", self.text, buffer_of(self.starts), self.zero)

    def to_arrow(self, column: Column) -> Any:
        """Return a column of this kind as an Arrow array."""
        return self._grids(column.has_value()).to_arrow()  # in an array of its own, which needs no copy


class ListValues(NamedTuple):
    """Lists: value ``i`` has the items ``offsets[i]`` to ``offsets[i + 1]``, all of them there."""

    items: Column
    offsets: Any
    width: int = 0
    """The size of each list; 0 if they differ."""

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.offsets) - 1

    def join(self, columns: Sequence[Column]) -> ListValues:
        """Join the values of columns of this kind: offsets begin after the items of the columns before."""
        lists: list[ListValues] = [column.values for column in columns]
        shifts = np.cumsum([0, *(len(part.items) for part in lists[:-1])])
        offsets = [_array(part.offsets)[1:] + shift for part, shift in zip(lists, shifts, strict=True)]
        items = Column.join([part.items for part in lists])
        return ListValues(items, np.concatenate([self.offsets[:1], *offsets]))

    def take(self, rows: Any) -> ListValues:
        """Select rows; a negative one has an empty list."""
        places = _array(self.offsets)
        begins, ends = (selected(each, _array(rows)) for each in (places[:-1], places[1:]))
        sizes = ends - begins
        offsets = np.append(0, np.cumsum(sizes))
        items = self.items.take(np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], sizes))
        return ListValues(items, offsets)

    def array(self, column: Column) -> NDArray[Any]:
        """Return the values of a column as objects."""
        return _objects(column)

    def objects(self, _: Column) -> list[Any]:
        """Return the lists."""
        items = self.items.to_list()
        return [items[begin:end] for begin, end in pairwise(self.offsets.tolist())]

    def strings(self, column: Column) -> Column:
        """Return a column of this kind as JSON."""
        return Column.of(column.to_list())

    def native(self, column: Column) -> tuple[Any, ...]:
        """Return a column of this kind for the renderer."""
        items = self.items.native()
        if items[3] is not None:  # floats are texts of JSON with states, which a list has not
            return column.as_strings().native()
        return column.rendered("lists", self.offsets, items)

    def to_arrow(self, column: Column) -> Any:
        """Return a column of this kind as an Arrow array."""
        return arrow.list_array(self.items.to_arrow(), _array(self.offsets), self.width, column.has_value())


class WordValues(NamedTuple):
    """Words: value ``i`` is ``categories[codes[i]]``."""

    codes: Any
    categories: tuple[Any, ...]

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.codes)

    def array(self, _: Column) -> NDArray[Any]:
        """Return the words as objects."""
        words: NDArray[Any] = np.array([*self.categories, None], np.object_)
        return np.take(words, _array(self.codes))

    def objects(self, _: Column) -> list[Any]:
        """Return the words."""
        words = self.categories or (None,)  # the codes of rows without a value are 0
        return [words[code] for code in memoryview(self.codes).tolist()]

    def strings(self, column: Column) -> Column:
        """Return a column of this kind as texts."""
        index = np.where(column.has_value(), _array(self.codes).astype(np.int64), -1)
        return replace(Column(_strings_of(self.categories)).take(index), states=column.states)

    def native(self, column: Column) -> tuple[Any, ...]:
        """Return a column of this kind for the renderer: codes of one byte or of two."""
        words = _strings_of(self.categories or ("",))  # the codes of rows without a value are 0
        codes = memoryview(self.codes)
        buffer = codes.tobytes() if codes.itemsize == 1 else array("H", codes.tolist())
        return column.rendered("words", buffer, *words)

    def to_arrow(self, column: Column) -> Any:
        """Return a column of this kind as an Arrow array."""
        if not column.is_dictionary:
            return column.as_strings().to_arrow()
        codes = _array(self.codes)
        signed = arrow.number_array(codes.astype(f"i{codes.itemsize}"), column.has_value())
        return pyarrow().DictionaryArray.from_arrays(signed, _arrow_categories(self.categories))


class NumberValues(NamedTuple):
    """Numbers or truth values."""

    values: Any

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.values)

    def objects(self, _: Column) -> list[Any]:
        """Return the numbers."""
        numbers: list[Any] = self.values.tolist()
        return numbers

    def strings(self, column: Column) -> Column:
        """Return a column of this kind as JSON."""
        return _strings_of_numbers(_array(self.values), column._states())

    def native(self, column: Column) -> tuple[Any, ...]:
        """Return a column of this kind for the renderer; of few numbers without NumPy."""
        view = memoryview(self.values)
        kind = _KINDS.get(view.format)
        if kind is None:
            return column.as_strings().native()
        numbers: Any
        if kind == "flags":
            numbers = view.tobytes()
        elif view.itemsize == 8:
            numbers = array(_CODES[kind], view.tobytes())
        elif len(view) < _FEW:
            numbers = array("q", view.tolist())
        else:
            numbers = np.ascontiguousarray(self.values, np.int64)
        return column.rendered(kind, numbers)

    def to_arrow(self, column: Column) -> Any:
        """Return a column of this kind as an Arrow array."""
        return arrow.number_array(np.array(_array(self.values)), column.has_value())


@dataclass(slots=True, eq=False, repr=False)  # not frozen: to make one would take five times as long
class Column:
    """A value for each of n rows.

    Attributes
    ----------
    values : array [n], [n, k], or uint8[n, 81] for cells, 0 for an empty cell
        Numbers or truth values, or codes of `categories`.  Or `StringValues`, `CellValues` or `ListValues`;
        an Arrow array only of an `ArrowColumn`.
    categories : tuple of str or of float, optional
        The texts, or the numbers, that the values are codes of.
    states : bool[n], optional
        Whether a row has a value; by default all have one.  Or uint8[n], the state of each: a code of
        `unidoku._native.text.columns`.
    is_dictionary : bool
        Whether categories are a dictionary in Arrow.

    Examples
    --------
    >>> Column.of(["easy", None, "hard"]).to_list()
    ['easy', None, 'hard']
    """

    values: Any
    categories: tuple[Any, ...] | None = None
    states: Any = None
    is_dictionary: bool = False

    @classmethod
    def of(cls, values: Iterable[Any]) -> Column:
        """Convert Python values: strings, None, `NO_VALUE`, and whatever JSON has."""
        parts, states = list[bytes](), bytearray()
        for value in values:
            if isinstance(value, str):
                part, state = value.encode("utf-8", "backslashreplace"), TEXT
            elif value is None:
                part, state = b"", MISSING
            elif value is NO_VALUE:
                part, state = b"", ABSENT
            else:
                part, state = json_text(value).encode(), JSON if is_json(value) else MISSING
            parts.append(part)
            states.append(state)
        return cls(StringValues.of_parts(parts), states=_unless_plain(states))

    @classmethod
    def constant(cls, text: str, n: int) -> Column:
        """Repeat a text n times."""
        return cls(bytes(n), (text,))

    @classmethod
    def sparse(cls, texts: Mapping[int, str], n: int, state: int = MISSING) -> Column:
        """Lay texts, by row, into n rows; the other rows are in a state without a value."""
        begins, ends, states = array("q", bytes(8 * n)), array("q", bytes(8 * n)), bytearray([state]) * n
        joined = cls.of(texts.values()).values
        for row, begins[row], ends[row] in zip(texts, *joined[1:], strict=True):
            states[row] = TEXT
        return cls(StringValues(joined.text, begins, ends), states=bytes(states))

    @classmethod
    def join(cls, columns: Sequence[Column]) -> Column:
        """Join columns of the same kind, one after the other."""
        columns = [*filter(len, columns)] or columns[:1]
        head = columns[0]
        if len(columns) == 1:
            return head
        if isinstance(head.values, StringValues | CellValues | ListValues):
            values: Any = head.values.join(columns)
        else:
            values = np.concatenate([column.values for column in columns])
        return replace(
            head,
            values=values,
            states=_unless_plain(np.concatenate([column._states() for column in columns])),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle arrays in place of buffers."""
        values = self.array() if isinstance(self.values, CellValues) else _without_buffer(self.values)
        if isinstance(values, ListValues):
            values = ListValues(values.items, _without_buffer(values.offsets), values.width)
        return type(self), (values, self.categories, _without_buffer(self.states), self.is_dictionary)

    def __len__(self) -> int:
        size: int = self._content().size
        return size

    @property
    def is_whole(self) -> bool:
        """Whether each row has a value."""
        return {MISSING, ABSENT}.isdisjoint(bytes(self._codes()))

    @property
    def is_absent(self) -> bool:
        """Whether no record has the column, not even with null."""
        if self.states is None:
            return False
        return not bytes(self.states).strip(bytes([ABSENT]))

    def has_value(self) -> NDArray[np.bool_]:
        """Return which rows have a value: bool[n]."""
        states = self._states()
        return np.asarray((states != MISSING) & (states != ABSENT))

    def has_lists(self) -> bool:
        """Return whether some values may be lists or objects."""
        return bool((self._states() == JSON).any())

    def _states(self) -> NDArray[np.uint8]:
        """Return the state of each row: uint8[n]."""
        return _array(self._codes()).astype(np.uint8, copy=False)

    def _codes(self) -> Any:
        """Return the same as any buffer."""
        if self.states is None:
            return bytes([TEXT]) * len(self)
        return self.states

    def take(self, rows: Any, fill: Any = None) -> Column:
        """Select rows; repeats are allowed.  A negative row has no value, or in an array the value `fill`."""
        states = _unless_plain(selected(self._codes(), rows, MISSING if fill is None else TEXT))
        if isinstance(self.values, StringValues | CellValues | ListValues):
            return replace(self, values=self.values.take(rows), states=states)
        return replace(self, values=selected(self.values, rows, fill or 0), states=states)

    def merge(self, column: Column | None, order: Any) -> Column:
        """Interleave with another column, if any: ``k`` is row k of this one, ``~k`` row k of the other."""
        if column is None:
            return self.take(order)
        one, other = in_one_text(self, column)
        pairs = zip(one.values[1:], other.values[1:], strict=True)
        values = StringValues(one.values.text, *(merge_values(own, aside, order) for own, aside in pairs))
        return replace(
            one, values=values, states=_unless_plain(merge_values(one._codes(), other._codes(), order))
        )

    def fallback(self, column: Column) -> Column:
        """Replace missing values by the values of another column, as text."""
        rows = np.arange(len(self))
        return self.merge(column, np.where(self.has_value(), rows, ~rows))

    def array(self) -> NDArray[Any]:
        """Return an array of values, NaN, None, False or 0 in rows without one; lists are objects."""
        column, missing = self.plain(), ~self.has_value()
        values: NDArray[Any] = column._array() if column.is_array else column._content().array(column)
        if missing.any():
            values = values.copy()
            values[missing] = _FILLS.get(values.dtype.kind, 0)
        return values

    def numbers(self) -> NDArray[Any] | None:
        """Return numbers or truth values, with any content for a missing value; None for other columns."""
        column = self.plain()
        if column.is_array and column._array().ndim == 1:
            return column._array()
        return None

    @property
    def is_array(self) -> bool:
        """Whether the values are an array of numbers."""
        return self.categories is None and not isinstance(self.values, tuple)

    def _array(self) -> NDArray[Any]:
        """Return these numbers."""
        return _array(self.values)

    def category_codes(self) -> NDArray[Any]:
        """Return the numbers of the categories: an array [n], anything in rows without a value."""
        return _array(self.values)

    def plain(self) -> Column:
        """Return an Arrow array as numbers, truth values or texts, or else JSON; codes as numbers."""
        if self.categories is None or not isinstance(next(iter(self.categories), ""), float):
            return self
        return Column(np.array(self.categories)[self.category_codes()], states=self.has_value())

    def to_list(self) -> list[Any]:
        """Return the values as Python objects, with None for a missing value."""
        objects: list[Any] = self._content().objects(self)
        if self.states is None:
            return objects
        rows = zip(objects, bytes(self.states), strict=True)
        return [None if state in (MISSING, ABSENT) else value for value, state in rows]

    def _content(self) -> Any:
        """Return the values by their kind; an array with several in a row as cells or lists."""
        values = self.values
        if isinstance(values, tuple):
            return values
        if self.categories is not None:
            return WordValues(values, self.categories)
        if getattr(values, "ndim", 1) == 1:
            return NumberValues(values)
        width, flat = values.shape[1], np.ascontiguousarray(values).reshape(-1)
        if width == 81 and flat.dtype == np.uint8:
            return CellValues(flat, range(0, flat.size, 81), 0)
        return ListValues(Column(flat), np.arange(0, flat.size + 1, width), width)

    def as_strings(self) -> Column:
        """Return the values as `StringValues`, which may share the memory; JSON for anything but text."""
        column: Column = self._content().strings(self)
        return column

    def texts(self) -> StringValues:
        """Return the same with arrays of places."""
        values = self.as_strings().values
        return StringValues(values.text, *map(_array, values[1:]))

    def native(self) -> tuple[Any, ...]:
        """Return the column as `unidoku._native.text.render` takes it: kind, rows, buffers, states."""
        found: tuple[Any, ...] = self._content().native(self)
        return found

    def rendered(self, kind: str, *buffers: Any) -> tuple[Any, ...]:
        """Return the same of a kind and its buffers."""
        states = self.states
        if hasattr(states, "view"):
            states = states.view(np.uint8)
        return kind, len(self), buffers, states

    def to_arrow(self) -> Any:
        """Return an Arrow array that owns its memory."""
        column = self.plain()
        return column._content().to_arrow(column)


class ArrowColumn(Column):
    """A column of an input in Arrow, which stays as it is until it is written."""

    __slots__ = ()

    @property
    def is_whole(self) -> bool:
        """Whether each row has a value."""
        return not self.values.null_count

    def has_value(self) -> NDArray[np.bool_]:
        """Return which rows have a value: bool[n]."""
        return arrow.truths(self.values.is_valid())

    def has_lists(self) -> bool:
        """Return whether some values may be lists or objects."""
        return bool(pyarrow().types.is_nested(arrow.stored_type(self.values.type)))

    @property
    def is_array(self) -> bool:
        """False: the values are an array of Arrow."""
        return False

    def take(self, rows: Any, fill: Any = None) -> Column:
        """Select rows; repeats are allowed.  A negative row has no value."""
        rows = _array(rows)
        return ArrowColumn(self.values.take(arrow.number_array(np.maximum(rows, 0), rows >= 0)))

    def array(self) -> NDArray[Any]:
        """Return the values as objects."""
        return _objects(self)

    def plain(self) -> Column:
        """Return numbers, truth values or texts; JSON for all that it has otherwise.

        PyArrow's own ways to numbers, `to_numpy` and `fill_null`, import pandas if it is installed.
        """
        pa, values = pyarrow(), arrow.without_extension(self.values)
        kind, has_value = values.type, arrow.truths(values.is_valid())
        states = _unless_plain(has_value)
        if pa.types.is_boolean(kind):
            return Column(arrow.truths(values), states=states)
        if pa.types.is_integer(kind) or pa.types.is_floating(kind):
            buffers = [None, values.buffers()[1]]
            array = pa.Array.from_buffers(kind, len(values), buffers, offset=values.offset)
            numbers = np.from_dlpack(array)
            return Column(np.where(has_value, numbers, numbers.dtype.type(0)), states=states)
        try:
            return Column(StringValues(*arrow.spans(values.cast(pa.large_string()))), states=states)
        except pa.ArrowException:  # nested, or bytes that are not UTF-8
            rows = values.to_pylist()
            return Column.of(as_text(value) if isinstance(value, bytes) else value for value in rows)

    def to_list(self) -> list[Any]:
        """Return the values as Python objects, with None for a missing value."""
        values: list[Any] = self.values.to_pylist()
        return values

    def as_strings(self) -> Column:
        """Return the values as `StringValues`; JSON for anything but text."""
        return self.plain().as_strings()

    def native(self) -> tuple[Any, ...]:
        """Return the column as `unidoku._native.text.render` takes it."""
        return self.plain().native()

    def to_arrow(self) -> Any:
        """Return the array."""
        return self.values


def _array(values: Any) -> NDArray[Any]:
    """Return a buffer, or a range, as an array, without a copy; an array as it is."""
    if isinstance(values, range):
        return np.arange(values.start, values.stop, values.step)
    return np.asarray(values if hasattr(values, "dtype") else memoryview(values))


def buffer_of(places: Any) -> Any:
    """Return places, perhaps a range of them, as a buffer."""
    if not isinstance(places, range):
        return places
    if 0 <= places.start < places.step and len(places) < _KEPT:  # records of the same size
        return starts_of(len(places), places.start, places.step)
    return numbers_of(places.start, places.step, len(places))


def in_rows(values: bytes | bytearray, size: int) -> Any:
    """Return bytes as rows of so many."""
    if not values:  # a memoryview with two dimensions has at least one row
        return np.zeros((0, size), np.uint8)
    return memoryview(values).cast("B", (len(values) // size, size))


def merge_values(values: Any, others: Any, order: Any, fill: int = 0) -> Any:
    """Return values from two sources of the same type in one buffer: see `columns.interleave`."""
    views: list[Any] = [memoryview(buffer_of(one)) for one in (values, others)]
    own, aside = (view.cast("B") if view.nbytes else b"" for view in views)
    size = views[0].strides[0]
    made = interleave(own, aside, size, order, fill)
    if size > views[0].itemsize:
        return in_rows(made, size)
    return memoryview(made).cast(views[0].format)


def selected(values: Any, rows: Any, fill: Any = 0) -> Any:
    """Select rows of an array or a buffer; row -1 is `fill`."""
    if not hasattr(values, "dtype"):
        return merge_values(values, b"", rows, fill)
    rows = _array(rows)
    if rows.size and rows.min() < 0:  # so -1, the last row, is this one
        values = np.append(values, np.full((1, *values.shape[1:]), fill, values.dtype), axis=0)
    return values[np.maximum(rows, -1)]


def _unless_plain(states: Any) -> Any:
    """Return states; None if each row has a text, or a value of an array."""
    if bytes(states).count(TEXT) == len(states):
        return None
    return states


def _objects(column: Column) -> NDArray[Any]:
    """Return the values of a column as an array of objects."""
    objects = column.to_list()
    return np.fromiter(objects, np.object_, len(objects))


def in_one_text(*columns: Column) -> list[Column]:
    """Return columns as `StringValues` of one buffer."""
    strings = [column.as_strings() for column in columns]
    texts = {id(column.values.text): column.values.text for column in strings}
    if len(texts) == 1:
        return strings
    sizes = (memoryview(text).nbytes for text in texts.values())
    shifts = dict(zip(texts, accumulate(sizes, initial=0), strict=False))
    whole = b"".join(texts.values())
    return [
        replace(
            column,
            values=StringValues(whole, *(_shifted(one, shifts[id(column.values.text)]) for one in places)),
        )
        for column in strings
        for _, *places in [column.values]
    ]


def _shifted(places: Any, shift: int) -> Any:
    """Return places in a text that begins so much later in another text."""
    few = not hasattr(places, "dtype") and len(places) < _FEW
    if few:
        return array("q", map(shift.__add__, places))
    return _array(places) + shift


def _decode(column: Column) -> Iterator[Any]:
    """Yield texts and JSON values as Python objects."""
    text, starts, ends = column.values
    from json import JSONDecoder  # not at the top: most outputs have no JSON

    buffer = memoryview(text).cast("B")
    decode = JSONDecoder().decode
    for begin, end, state in zip(starts.tolist(), ends.tolist(), column._states().tolist(), strict=True):
        value = bytes(buffer[begin:end]).decode("utf-8", "replace")
        if state not in (JSON, AT_LEAST):
            yield value
            continue
        try:
            yield decode(value)
        except (ValueError, RecursionError):  # too many digits or levels: it stays a text
            yield value


@lru_cache(maxsize=64)
def _strings_of(categories: tuple[Any, ...]) -> StringValues:
    return StringValues.of_parts(
        [str(category).encode("utf-8", "backslashreplace") for category in categories]
    )


@lru_cache(maxsize=64)
def _arrow_categories(categories: tuple[Any, ...]) -> Any:
    # PyArrow imports pandas, 40 MB, for each array that it makes of Python objects or of NumPy arrays.
    return _arrow_strings(_strings_of(categories), np.ones(len(categories), np.bool_))


def _arrow_strings(strings: StringValues, has_value: NDArray[np.bool_]) -> Any:
    """Return texts in UTF-8 as an Arrow array that owns its memory."""
    pa = pyarrow()
    text, starts, ends = strings.text, *map(_array, strings[1:])
    offsets = np.append(0, np.cumsum(ends - starts))
    is_packed = isinstance(text, np.ndarray) and np.array_equal(starts, offsets[:-1])
    if not is_packed:
        packed = np.empty(offsets[-1], np.uint8)
        pack(text, starts, ends, packed)
        text = packed
    kind = pa.large_string()
    if offsets[-1] < 1 << 31:
        kind, offsets = pa.string(), offsets.astype(np.int32)
    buffers = [arrow.bits(has_value), pa.py_buffer(offsets), pa.py_buffer(text)]
    return pa.Array.from_buffers(kind, len(starts), buffers)


def _without_buffer(value: Any) -> Any:
    """Return the array of a buffer, which cannot be pickled; any other value as it is."""
    if isinstance(value, memoryview):
        return _array(value)
    return value


def _strings_of_numbers(values: NDArray[Any], states: NDArray[np.uint8]) -> Column:
    """Return numbers or truth values as texts; numbers that are not finite have no value."""
    has_value = (states != MISSING) & np.isfinite(values)
    numbers = np.where(has_value, values, values.dtype.type(0))
    # few different numbers become text once; by their bits, 0.0 and -0.0 are different
    distinct, codes = np.unique(numbers.view(f"i{numbers.itemsize}"), return_inverse=True)
    texts = [str(number).lower().encode() for number in distinct.view(numbers.dtype)]  # in its own precision
    words = StringValues.of_parts(texts)
    starts, ends = (_array(places)[codes] for places in words[1:])
    states = np.where(has_value, np.where(states == AT_LEAST, states, np.uint8(JSON)), np.uint8(MISSING))
    return Column(StringValues(words.text, starts, np.where(has_value, ends, starts)), states=states)


@dataclass(slots=True, eq=False, repr=False)
class Rows:
    """Rows of an output.

    Attributes
    ----------
    source : str
        The input.
    columns : dict of str to Column
        The columns of the task; columns of the input that are written have other names.
    passthrough : dict of str to Column
        The columns of the input.
    is_puzzle : bool[n]
        Whether the record of a row is a puzzle. ``puzzle`` has the texts of the remaining records.
    """

    source: str
    columns: dict[str, Column]
    passthrough: dict[str, Column]
    is_puzzle: Any

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.is_puzzle)

    def select(self, names: Iterable[str]) -> list[Column]:
        """Return the columns of these names."""
        return [self.columns[name] if name in self.columns else self.passthrough[name] for name in names]

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Select rows."""
        columns, passthrough = (
            {name: column.take(rows) for name, column in group.items()}
            for group in (self.columns, self.passthrough)
        )
        return Rows(self.source, columns, passthrough, selected(self.is_puzzle, rows))

    def slices(self, size: int) -> Iterator[Rows]:
        """Cut the rows where their texts pass `size` bytes; yield all slices in order, at least one."""
        columns = (*self.columns.values(), *self.passthrough.values())
        texts = [column for column in columns if isinstance(column.values, StringValues)]
        if sum(size_of(*column.values[1:]) for column in texts) <= size:
            yield self
            return
        strings = [column.texts() for column in texts]
        lengths = sum(text.ends - text.starts for text in strings)
        number = np.cumsum(lengths) // size  # of the slice of each row
        for rows in np.split(np.arange(len(self)), np.flatnonzero(np.diff(number)) + 1):
            yield self.take(rows)

    @property
    def puzzle_count(self) -> int:
        """The number of rows whose record is a puzzle."""
        return bytes(self.is_puzzle).count(1)

    def puzzles(self) -> Rows:
        """Return the rows whose record is a puzzle."""
        if self.puzzle_count == len(self):
            return self
        return self.take(np.flatnonzero(_array(self.is_puzzle)))

    def fulfil(self, conditions: Iterable[Condition]) -> NDArray[np.bool_]:
        """Return which rows fulfil all conditions."""
        fits = np.ones(len(self), np.bool_)
        for condition in conditions:
            (column,) = self.select([condition.column])
            numbers = column.numbers()
            if numbers is not None:
                own = condition.of_numbers(numbers)
            elif column.categories is None:
                own = condition.of_texts(*column.texts())
            else:
                words = Column.of(column.categories).texts()
                own = condition.of_texts(*words)[_array(column.values)]
            fits &= column.has_value() & own
        return fits

    def where(self, conditions: Iterable[Condition]) -> Rows:
        """Return the rows that fulfil all conditions."""
        return self.take(np.flatnonzero(self.fulfil(conditions)))

    def of_puzzles(self, name: str) -> Column:
        """Return ``clues``, the number of clues of each puzzle, or ``clue_symmetry``, their symmetry."""
        puzzles, rows = self.columns["puzzle"].texts(), np.flatnonzero(_array(self.is_puzzle))
        cells = np.empty((rows.size, 81), np.uint8)
        if rows.size:
            gather(puzzles.text, puzzles.starts[rows], cells.reshape(-1))
        has_clue, numbers = cells != ord("."), np.zeros(len(self), np.int64)
        if name == "clues":
            numbers[rows] = np.count_nonzero(has_clue, axis=1)
            return Column(numbers, states=self.is_puzzle)
        from unidoku._clue_symmetry import GROUPS  # not at the top: a check of files starts faster

        stays = {moved: (has_clue[:, [*moved]] == has_clue).all(axis=1) for moved in GROUPS["full"]}
        for number, moves in enumerate(GROUPS.values()):
            if moves:
                numbers[rows[np.all([stays[moved] for moved in moves], axis=0)]] = number
        return Column(numbers, (*GROUPS,), self.is_puzzle)
