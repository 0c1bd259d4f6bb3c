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

_NATIVE = {"b": ("flags", "bool"), "i": ("signed", "int64"), "u": ("unsigned", "uint64")}
"""Types that the native renderer accepts, by the kind of an array of numbers; other types are texts."""
_KINDS = {"?": "flags", **dict.fromkeys("bBhHiIql", "signed"), "Q": "unsigned", "L": "unsigned"}
"""The same by the format of a buffer with such values."""


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
    def join(cls, parts: Sequence[bytes]) -> StringValues:
        """Join texts in a buffer of their own."""
        ends = array("q", accumulate(map(len, parts), initial=0))
        return cls(b"".join(parts), ends[:-1], ends[1:])


class CellValues(NamedTuple):
    """Grids: value ``i`` is the 81 bytes from ``starts[i]`` on; `zero` is the code of 0."""

    text: Any
    starts: Any
    zero: int


class ListValues(NamedTuple):
    """Lists: value ``i`` has the items ``offsets[i]`` to ``offsets[i + 1]``, all of them there."""

    items: Column
    offsets: Any


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
        are_texts = states.count(TEXT) == len(states)
        return cls(StringValues.join(parts), states=None if are_texts else bytes(states))

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
        are_plain = all(column.states is None for column in columns)
        if are_plain:
            states = None
        else:
            states = np.concatenate([column._states() for column in columns])
        values: Any
        if isinstance(head.values, StringValues):
            strings = [column.values for column in in_one_text(*columns)]
            begins, ends = (np.concatenate([part[k] for part in strings]) for k in (1, 2))
            values = StringValues(strings[0].text, begins, ends)
        elif isinstance(head.values, ListValues):  # the offsets begin after the items of the columns before
            lists: list[ListValues] = [column.values for column in columns]
            shifts = np.cumsum([0, *(len(part.items) for part in lists[:-1])])
            offsets = [_array(part.offsets)[1:] + shift for part, shift in zip(lists, shifts, strict=True)]
            items = Column.join([part.items for part in lists])
            values = ListValues(items, np.concatenate([lists[0].offsets[:1], *offsets]))
        elif isinstance(head.values, CellValues):
            values = np.concatenate([column.array() for column in columns])
        else:
            values = np.concatenate([column.values for column in columns])
        return replace(head, values=values, states=states)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle arrays in place of buffers."""
        values = self.array() if isinstance(self.values, CellValues) else self.values
        if isinstance(values, tuple):
            values = type(values)(*map(_without_buffer, values))
        else:
            values = _without_buffer(values)
        return type(self), (values, self.categories, _without_buffer(self.states), self.is_dictionary)

    def __len__(self) -> int:
        if isinstance(self.values, ListValues):
            return len(self.values.offsets) - 1
        return len(self.values.starts if isinstance(self.values, StringValues | CellValues) else self.values)

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
        states = selected(self._codes(), rows, MISSING if fill is None else TEXT)
        if self.states is None and MISSING not in bytes(states):
            states = None
        return replace(self, values=selected(self.values, rows, fill or 0), states=states)

    def merge(self, column: Column | None, order: Any) -> Column:
        """Interleave with another column, if any: ``k`` is row k of this one, ``~k`` row k of the other."""
        if column is None:
            return self.take(order)
        one, other = in_one_text(self, column)
        pairs = zip(one.values[1:], other.values[1:], strict=True)
        values = StringValues(one.values.text, *(merge_values(own, aside, order) for own, aside in pairs))
        are_plain = one.states is None and other.states is None
        if are_plain:
            states = None
        else:
            states = merge_values(one._codes(), other._codes(), order)
        return replace(one, values=values, states=states)

    def fallback(self, column: Column) -> Column:
        """Replace missing values by the values of another column, as text."""
        rows = np.arange(len(self))
        return self.merge(column, np.where(self.has_value(), rows, ~rows))

    def array(self) -> NDArray[Any]:
        """Return an array of values, NaN, None, False or 0 in rows without one; lists are objects."""
        missing = ~self.has_value()
        if isinstance(self.values, CellValues):
            values: NDArray[Any] = np.empty((len(self), 81), np.uint8)
            values[~missing] = _array(self.as_strings().values.text).reshape(-1, 81)
            values -= np.uint8(48)
            values[values > 9] = 0
        elif isinstance(self.values, StringValues | ListValues):
            objects = self.to_list()
            return np.fromiter(objects, np.object_, len(objects))
        elif self._has_words:
            values = np.array([*(self.categories or ()), None], np.object_)[self.category_codes()]
            values[missing] = None
            return values
        else:
            values = _array(self.plain().values)
        if missing.any():
            values = values.copy()
            values[missing] = np.nan if values.dtype.kind == "f" else 0
        return values

    def numbers(self) -> NDArray[Any] | None:
        """Return numbers or truth values, with any content for a missing value; None for other columns."""
        column = self.plain()
        if isinstance(column.values, StringValues | CellValues | ListValues):
            return None
        if column._has_words:
            return None
        values = _array(column.values)
        if values.ndim == 1:
            return values
        return None

    def category_codes(self) -> NDArray[Any]:
        """Return the numbers of the categories: an array [n], anything in rows without a value."""
        return _array(self.values)

    def plain(self) -> Column:
        """Return an Arrow array as numbers, truth values or texts, or else JSON; codes as numbers."""
        if self.categories is None or self._has_words:
            return self
        states = None if self.states is None else self.has_value()
        return Column(np.array(self.categories)[self.category_codes()], states=states)

    @property
    def _has_words(self) -> bool:
        """Whether the values are codes of texts."""
        return self.categories is not None and not isinstance(next(iter(self.categories), ""), float)

    def to_list(self) -> list[Any]:
        """Return the values as Python objects, with None for a missing value."""
        values, objects = self._kind(), list[Any]()
        if isinstance(values, CellValues) and self.states is None:
            objects = grids_in(bytes(self.as_strings().values.text).decode())
        elif isinstance(values, StringValues | CellValues):
            objects = [*_decode(self.as_strings())]
        elif isinstance(values, ListValues):
            items = values.items.to_list()
            objects = [items[begin:end] for begin, end in pairwise(values.offsets.tolist())]
        elif self.categories is not None:
            words = self.categories or (None,)  # the codes of rows without a value are 0
            objects = [words[code] for code in memoryview(values).tolist()]
        else:
            objects = values.tolist()
        if self.states is None:
            return objects
        rows = zip(objects, bytes(self.states), strict=True)
        return [None if state in (MISSING, ABSENT) else value for value, state in rows]

    def _kind(self) -> Any:
        """Return the values; an array with several in a row as `CellValues` or `ListValues`."""
        values = self.values
        if len(getattr(values, "shape", ())) != 2:
            return values
        width, flat = values.shape[1], np.ascontiguousarray(values).reshape(-1)
        if width == 81 and flat.dtype == np.uint8:
            return CellValues(flat, range(0, flat.size, 81), 0)
        return ListValues(Column(flat), np.arange(0, flat.size + 1, width))

    def as_strings(self) -> Column:
        """Return the values as `StringValues`, which may share the memory; JSON for anything but text."""
        values = self._kind()
        if isinstance(values, StringValues):
            return self
        if isinstance(values, CellValues) and self.states is None:
            n, text = len(self), bytearray(81 * len(self))
            gather(values.text, buffer_of(values.starts), text, values.zero)
            places = starts_of(n + 1)
            return Column(StringValues(text, places[:n], places[1:]))
        if isinstance(values, CellValues):
            return _grids(values.text, _array(values.starts), self.has_value(), values.zero)
        if isinstance(values, ListValues):
            return Column.of(self.to_list())
        if self.categories is None:
            return _strings_of_numbers(_array(values), self._states())
        index = np.where(self.has_value(), _array(values).astype(np.int64), -1)
        return replace(Column(_strings_of(self.categories)).take(index), states=self.states)

    def texts(self) -> StringValues:
        """Return the same with arrays of places."""
        values = self.as_strings().values
        return StringValues(values.text, *map(_array, values[1:]))

    def native(self) -> tuple[Any, ...]:
        """Return the column as `unidoku._native.text.render` takes it: kind, rows, buffers, states."""
        values, n = self._kind(), len(self)
        if hasattr(self.states, "view"):
            states = self.states.view(np.uint8)
        else:
            states = self.states
        if isinstance(values, StringValues):
            return "texts", n, tuple(values), states
        if isinstance(values, CellValues):
            return "cells", n, (values.text, buffer_of(values.starts), values.zero), states
        if isinstance(values, ListValues):
            items = values.items.native()
            if items[3] is not None:  # floats are texts of JSON with states, which a list has not
                return self.as_strings().native()
            return "lists", n, (values.offsets, items), states
        if self.categories is not None and len(self.categories) <= 1 << 16:
            words = _strings_of(self.categories or ("",))  # the codes of rows without a value are 0
            return "words", n, (_codes(values, len(self.categories)), *words), states
        numbers = _native_buffer(values)
        if numbers is None and self.categories is None:
            numbers = _native_array(_array(values))
        if numbers is None:
            return self.as_strings().native()
        kind, buffer = numbers
        return kind, n, (buffer,), states

    def to_arrow(self) -> Any:
        """Return an Arrow array that owns its memory."""
        values, has_value = self._kind(), None if self.states is None else self.has_value()
        if self.categories is not None and not self._has_words:
            return self.plain().to_arrow()
        if isinstance(values, ListValues):
            width = 0 if isinstance(self.values, ListValues) else self.values.shape[1]
            return arrow.list_array(values.items.to_arrow(), _array(values.offsets), width, has_value)
        if self.is_dictionary:
            values = _array(values)
            signed = np.int8 if values.dtype == np.uint8 else np.int16
            codes = arrow.number_array(values.astype(signed), has_value)
            return pyarrow().DictionaryArray.from_arrays(codes, _arrow_categories(self.categories))
        if isinstance(values, CellValues):  # in an array of its own, which needs no copy
            grids = _grids(values.text, _array(values.starts), self.has_value(), values.zero)
            return _arrow_strings(grids.values, has_value)
        if isinstance(values, StringValues) or self.categories is not None:
            return _arrow_strings(self.as_strings().values, has_value)
        return arrow.number_array(np.array(_array(values)), has_value)


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

    def take(self, rows: Any, fill: Any = None) -> Column:
        """Select rows; repeats are allowed.  A negative row has no value."""
        rows = _array(rows)
        return ArrowColumn(self.values.take(arrow.number_array(np.maximum(rows, 0), rows >= 0)))

    def array(self) -> NDArray[Any]:
        """Return the values as objects."""
        objects = self.to_list()
        return np.fromiter(objects, np.object_, len(objects))

    def plain(self) -> Column:
        """Return numbers, truth values or texts; JSON for all that it has otherwise."""
        return _plain(self.values)

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


def _codes(values: Any, count: int) -> Any:
    """Return the codes of some words as bytes or, of more than 256, as numbers of two bytes."""
    if hasattr(values, "dtype"):
        return np.ascontiguousarray(values, np.uint8 if count <= 256 else np.uint16)
    view = memoryview(values)
    if view.itemsize == 2:
        return view.cast("B").cast("H")
    return values


def _native_buffer(values: Any) -> tuple[str, Any] | None:
    """Return the kind of a buffer that needs no NumPy, and its numbers; None for an array or another kind."""
    if hasattr(values, "dtype"):
        return None
    view = memoryview(values)
    kind = _KINDS.get(view.format)
    if kind is None:
        return None
    if kind == "flags":
        return kind, view.cast("B")
    if view.itemsize == 8:
        return kind, values
    if len(view) < _FEW:
        return (kind, array("q", view))
    return None


def _native_array(values: NDArray[Any]) -> tuple[str, NDArray[Any]] | None:
    """Return the kind of an array, and its numbers in the type of that kind; None if it has none."""
    if values.dtype.kind not in _NATIVE:
        return None
    kind, dtype = _NATIVE[values.dtype.kind]
    numbers: NDArray[Any] = np.ascontiguousarray(values, dtype)
    return kind, numbers.view(np.uint8) if kind == "flags" else numbers


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
    """Select rows of values other than an Arrow array; row -1 is `fill`, an empty text or an empty list."""
    if isinstance(values, StringValues):
        return StringValues(values.text, *(selected(places, rows) for places in values[1:]))
    if isinstance(values, CellValues):
        return values._replace(starts=selected(values.starts, rows))
    if not isinstance(values, ListValues) and not hasattr(values, "dtype"):
        return merge_values(values, b"", rows, fill)
    if isinstance(values, ListValues) and len(values.offsets) == 1:  # no row of `rows` is one of these
        return ListValues(values.items, array("q", bytes(8 * (len(rows) + 1))))
    rows = _array(rows)
    if isinstance(values, ListValues):
        places = _array(values.offsets)
        begins, ends = selected(places[:-1], rows), selected(places[1:], rows)
        sizes = ends - begins
        offsets = np.append(0, np.cumsum(sizes))
        return ListValues(
            values.items.take(np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], sizes)), offsets
        )
    if rows.size and rows.min() < 0:  # so -1, the last row, is this one
        values = np.append(values, np.full((1, *values.shape[1:]), fill, values.dtype), axis=0)
    return values[np.maximum(rows, -1)]


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
    if not shift:
        return places
    few = not hasattr(places, "dtype") and len(places) < _FEW
    if few:
        return array("q", map(shift.__add__, places))
    return _array(places) + shift


def _grids(text: Any, starts: NDArray[np.int64], exists: NDArray[np.bool_], empty_code: int = 48) -> Column:
    """Copy puzzles as texts with a dot for each empty cell."""
    cells = np.empty(81 * np.count_nonzero(exists), np.uint8)
    gather(text, starts[exists], cells, empty_code)
    ends = np.cumsum(81 * exists)
    return Column(StringValues(cells, ends - 81 * exists, ends), states=exists)


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
    return StringValues.join([str(category).encode("utf-8", "backslashreplace") for category in categories])


@lru_cache(maxsize=64)
def _arrow_categories(categories: tuple[Any, ...]) -> Any:
    # PyArrow imports pandas, 40 MB, for each array that it makes of Python objects or of NumPy arrays.
    return _arrow_strings(_strings_of(categories), None)


def _arrow_strings(strings: StringValues, has_value: NDArray[np.bool_] | None) -> Any:
    """Return texts as an Arrow array that owns its memory; replace bytes that are not UTF-8."""
    pa = pyarrow()
    text, starts, ends = strings.text, *map(_array, strings[1:])
    offsets = np.append(0, np.cumsum(ends - starts))
    is_packed = isinstance(text, np.ndarray) and np.array_equal(starts, offsets[:-1])
    if not is_packed:
        packed = np.empty(offsets[-1], np.uint8)
        pack(text, starts, ends, packed)
        text = packed
    if text.max(initial=0) >= 128:
        try:
            text.tobytes().decode()
        except UnicodeDecodeError:
            values = [bytes(text[begin:end]).decode("utf-8", "replace") for begin, end in pairwise(offsets)]
            return pa.array(values, pa.string(), mask=None if has_value is None else ~has_value)
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
    # few different numbers become text once
    distinct, codes = np.unique(np.where(has_value, values, values.dtype.type(0)), return_inverse=True)
    texts = [str(number).lower() for number in distinct]  # in its own precision
    if values.dtype.kind == "f":  # 0.0 and -0.0 are equal, and either may be the one among these
        codes = np.where(has_value & (values == 0) & np.signbit(values), len(texts), codes)
        texts = [text.removeprefix("-") if text == "-0.0" else text for text in texts] + ["-0.0"]
    words = StringValues.join([text.encode() for text in texts])
    starts, ends = (_array(places)[codes] for places in words[1:])
    states = np.where(has_value, np.where(states == AT_LEAST, states, np.uint8(JSON)), np.uint8(MISSING))
    return Column(StringValues(words.text, starts, np.where(has_value, ends, starts)), states=states)


def _plain(values: Any) -> Column:
    """Return an Arrow array as numbers, truth values or texts; JSON for all that it has otherwise."""
    types, values = pyarrow().types, arrow.decode(values)
    kind, states = values.type, None
    if values.null_count:
        states = arrow.truths(values.is_valid()) * np.uint8(TEXT)
    if types.is_boolean(kind):
        return Column(arrow.truths(values), states=states)
    if types.is_integer(kind) or types.is_floating(kind):
        return Column(_numbers(values), states=states)
    try:
        return Column(StringValues(*arrow.spans(values.cast(pyarrow().large_string()))), states=states)
    except pyarrow().ArrowException:  # nested, or bytes that are not UTF-8
        rows = values.to_pylist()
        return Column.of(as_text(value) if isinstance(value, bytes) else value for value in rows)


def _numbers(values: Any) -> NDArray[Any]:
    """Return an Arrow array of numbers as NumPy's, with 0 for a null.

    PyArrow's own ways, `to_numpy` and `fill_null`, import pandas if it is installed.
    """
    pa = pyarrow()
    if not values.null_count:
        return np.from_dlpack(values)
    buffers = [None, values.buffers()[1]]
    numbers = np.from_dlpack(pa.Array.from_buffers(values.type, len(values), buffers, offset=values.offset))
    return np.where(arrow.truths(values.is_valid()), numbers, numbers.dtype.type(0))


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
    is_puzzle : bool[n] or None
        Whether the record of a row is a puzzle; None if all are. ``puzzle`` has the texts of the remaining
        records.
    """

    source: str
    columns: dict[str, Column]
    passthrough: dict[str, Column]
    is_puzzle: Any = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return next((len(column) for column in (*self.columns.values(), *self.passthrough.values())), 0)

    def select(self, names: Iterable[str]) -> list[Column]:
        """Return the columns of these names."""
        return [self.columns[name] if name in self.columns else self.passthrough[name] for name in names]

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Select rows."""
        columns, passthrough = (
            {name: column.take(rows) for name, column in group.items()}
            for group in (self.columns, self.passthrough)
        )
        return Rows(
            self.source,
            columns,
            passthrough,
            None if self.is_puzzle is None else selected(self.is_puzzle, rows),
        )

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
        if self.is_puzzle is None:
            return len(self)
        return bytes(self.is_puzzle).count(1)

    def puzzles(self) -> Rows:
        """Return the rows whose record is a puzzle."""
        if self.is_puzzle is None:
            return self
        return self.take(np.flatnonzero(_array(self.is_puzzle)))

    def fulfil(self, conditions: Iterable[Condition]) -> NDArray[np.bool_]:
        """Return which rows fulfil all conditions."""
        fits = np.ones(len(self), np.bool_)
        for condition in conditions:
            (column,) = self.select([condition.column])
            fits &= _fulfil(condition, column)
        return fits

    def where(self, conditions: Iterable[Condition]) -> Rows:
        """Return the rows that fulfil all conditions."""
        return self.take(np.flatnonzero(self.fulfil(conditions)))

    def of_puzzles(self, name: str) -> Column:
        """Return ``clues``, the number of clues of each puzzle, or ``clue_symmetry``, their symmetry."""
        puzzles, rows = self.columns["puzzle"].texts(), np.arange(len(self))
        if self.is_puzzle is not None:
            rows = rows[_array(self.is_puzzle)]
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


def _fulfil(condition: Condition, column: Column) -> NDArray[np.bool_]:
    """Return which values of a column fulfil a condition."""
    has_value, numbers = column.has_value(), column.numbers()
    if numbers is not None:
        return has_value & condition.of_numbers(numbers)
    if column.categories is None:
        return has_value & condition.of_texts(*column.texts())
    words = Column.of(column.categories).texts()
    fits: NDArray[np.bool_] = condition.of_texts(*words)[_array(column.values)]
    return has_value & fits
