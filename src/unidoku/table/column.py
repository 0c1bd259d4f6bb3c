"""Columns: one value for each of n rows, as an array, as texts in a buffer, as lists, or as an Arrow array.

Nothing else converts values to text, to Arrow and to Python.  A column shares memory and is not changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.native.text.columns import gather, pack
from unidoku.table import arrow
from unidoku.table.json_values import NO_VALUE, as_text, is_json, json_text

MISSING, TEXT, JSON, ABSENT, AT_LEAST, PUZZLE = range(6)
"""States of a value: missing; a text, as are values that are no texts; JSON that is no string; absent, where
an object lacks the name; a number that is a lower bound; 81 cells as text, to write with dots."""

_NATIVE = {"b": ("flags", np.bool_), "i": ("signed", np.int64), "u": ("unsigned", np.uint64)}
"""Types that the native renderer takes, by the kind of an array of numbers; it takes others as texts."""


def type_of_items(kind: str) -> tuple[str, int | None]:
    """Return the type of the values in a row, and their number: 0 for lists, None for one value.

    Types are ``bool``, ``string``, ``float64``, whole numbers such as ``int16``; ``words``, few texts and
    codes of `Column.categories`; ``cells``, a grid.

    Examples
    --------
    >>> type_of_items("uint16[81]"), type_of_items("words[]"), type_of_items("bool")
    (('uint16', 81), ('words', 0), ('bool', None))
    """
    item, bracket, size = kind.partition("[")
    return item, int(size[:-1] or 0) if bracket else None


_DOTS = {ord(symbol): "." for symbol in EMPTY_SYMBOLS}


class Strings(NamedTuple):
    """Texts in UTF-8: value ``i`` is ``text[starts[i]:ends[i]]``."""

    text: Any
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def join(cls, parts: Sequence[bytes]) -> Strings:
        """Join texts in a buffer of their own."""
        offsets = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([*map(len, parts)], out=offsets[1:])
        return cls(b"".join(parts), offsets[:-1], offsets[1:])


class Cells(NamedTuple):
    """Puzzles in a buffer.

    Puzzle ``i`` is ``text[starts[i]:starts[i] + 81]``: a byte ``empty_code + 1`` to ``empty_code + 9`` is a
    clue, any other one is an empty cell.
    """

    text: Any
    starts: NDArray[np.int64]
    empty_code: int = 48
    """48 for text, 0 for arrays of 0 to 9."""

    def gather(self) -> NDArray[np.uint8]:
        """Copy the puzzles as text, 81 characters each."""
        cells = np.empty(81 * len(self.starts), np.uint8)
        gather(self.text, self.starts, cells, self.empty_code)
        return cells


class Lists(NamedTuple):
    """Lists: value ``i`` has the items ``starts[i]`` to ``ends[i]``, all of them there."""

    items: Column
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def joined(self) -> tuple[Column, NDArray[np.int64]]:
        """Return the items of all lists one after the other, and n + 1 offsets."""
        sizes = self.ends - self.starts
        offsets = np.append(0, np.cumsum(sizes))
        if np.array_equal(self.starts, offsets[:-1]):
            return self.items, offsets
        return self.items.take(np.arange(offsets[-1]) + np.repeat(self.starts - offsets[:-1], sizes)), offsets


@dataclass(slots=True, eq=False, repr=False)  # not frozen: to make one would take five times as long
class Column:
    """A value for each of n rows.

    Attributes
    ----------
    values : array [n], [n, k], or [n, 81] for cells, 0 for an empty cell
        Numbers or truth values, or codes of `categories`.  Or `Strings`, `Cells`, `Lists`, or an Arrow array.
    categories : tuple of str, optional
        The texts that the values are codes of.
    states : bool[n], optional
        Whether a row has a value; by default all have one.  Or uint8[n], the state of each: `MISSING`,
        `TEXT`, `JSON`, `ABSENT`, `AT_LEAST` or `PUZZLE`.
    is_dictionary : bool
        Whether categories are a dictionary in Arrow.
    """

    values: Any
    categories: tuple[str, ...] | None = None
    states: Any = None
    is_dictionary: bool = False

    @classmethod
    def of(cls, values: Iterable[Any]) -> Column:
        """Convert Python values: strings, None, `NO_VALUE`, and whatever JSON has."""
        parts, states = list[bytes](), bytearray()
        for value in values:
            if isinstance(value, str):
                part, state = value.encode("utf-8", "backslashreplace"), TEXT
            elif value is None or value is NO_VALUE:
                part, state = b"", MISSING if value is None else ABSENT
            else:
                part, state = json_text(value).encode(), JSON if is_json(value) else MISSING
            parts.append(part)
            states.append(state)
        plain = states.count(TEXT) == len(states)
        return cls(Strings.join(parts), states=None if plain else np.frombuffer(states, np.uint8))

    @classmethod
    def of_text(cls, text: Any, starts: Any, ends: Any, states: Any = None) -> Column:
        """Return texts given by buffers of their beginnings, ends and states."""
        strings = Strings(text, np.asarray(starts, np.int64), np.asarray(ends, np.int64))
        return cls(strings, states=None if states is None else np.asarray(states, np.uint8))

    @classmethod
    def of_lists(cls, items: Column, offsets: NDArray[np.int64]) -> Column:
        """Return lists: row i has the items from ``offsets[i]`` to ``offsets[i + 1]``."""
        return cls(Lists(items, offsets[:-1], offsets[1:]))

    @classmethod
    def constant(cls, text: str, n: int) -> Column:
        """Repeat a text n times."""
        return cls.of([text]).take(np.zeros(n, np.int64))

    @classmethod
    def sparse(cls, texts: Mapping[int, str], n: int, state: int = MISSING) -> Column:
        """Lay texts, by row, into n rows; the other rows are in a state without a value."""
        if not texts:  # as in most batches
            ends = np.zeros(n, np.int64)
            return cls(Strings(b"", ends, ends), states=np.full(n, state, np.uint8))
        index = np.full(n, -1)
        index[list(texts)] = np.arange(len(texts))
        column = cls.of(texts.values()).take(index)
        if state != MISSING:
            column.states = np.where(index < 0, np.uint8(state), np.uint8(TEXT))
        return column

    @classmethod
    def join(cls, columns: Sequence[Column]) -> Column:
        """Join columns of the same kind, one after the other."""
        columns = [column for column in columns if len(column)] or columns[:1]
        head = columns[0]
        if len(columns) == 1:
            return head
        are_plain = all(column.states is None for column in columns)
        states = None if are_plain else np.concatenate([column._states() for column in columns])
        values: Any = [column.values for column in columns]
        if isinstance(head.values, Lists):
            shifts = np.cumsum([0, *(len(lists.items) for lists in values[:-1])])
            starts = [lists.starts + shift for lists, shift in zip(values, shifts, strict=True)]
            ends = [lists.ends + shift for lists, shift in zip(values, shifts, strict=True)]
            items = cls.join([lists.items for lists in values])
            values = Lists(items, np.concatenate(starts), np.concatenate(ends))
        elif isinstance(head.values, np.ndarray):
            values = np.concatenate(values)
        else:
            strings = [column.values for column in in_one_text(*columns)]
            starts, ends = [part.starts for part in strings], [part.ends for part in strings]
            values = Strings(strings[0].text, np.concatenate(starts), np.concatenate(ends))
        return replace(head, values=values, states=states)

    def __len__(self) -> int:
        values = self.values
        return len(values.starts if isinstance(values, Strings | Cells | Lists) else values)

    def has_value(self) -> NDArray[np.bool_]:
        """Return which rows have a value: bool[n]."""
        if _is_arrow(self.values):
            return np.asarray(self.values.is_valid())
        states = self._states()
        return np.asarray((states != MISSING) & (states != ABSENT))

    def _states(self) -> NDArray[np.uint8]:
        """Return the state of each row: uint8[n]."""
        return (
            np.full(len(self), TEXT, np.uint8) if self.states is None else np.asarray(self.states, np.uint8)
        )

    def take(self, rows: NDArray[np.int64], fill: Any = None) -> Column:
        """Select rows; repeats are allowed.  A negative row has no value, or in an array the value `fill`."""
        has_value = rows >= 0
        if _is_arrow(self.values):
            return replace(self, values=self.values.take(arrow.number_array(np.maximum(rows, 0), has_value)))
        if has_value.all():
            states = None if self.states is None else self.states[rows]
            return replace(self, values=_select(self.values, rows), states=states)
        column, index = self if len(self) else self._padded(), np.maximum(rows, 0)
        values, states = _select(column.values, index), column._states()[index]
        states[~has_value] = MISSING if fill is None else TEXT
        if isinstance(values, np.ndarray):  # nothing of another row, so that outputs have the same bytes
            values[~has_value] = 0 if fill is None else fill
        elif isinstance(values, Strings | Lists):  # a value that is missing has no text
            values = values._replace(ends=np.where(has_value, values.ends, values.starts))
        return replace(column, values=values, states=states)

    def _padded(self) -> Column:
        """Return a column without rows as one with an empty row."""
        values, place = self.values, np.zeros(1, np.int64)
        if isinstance(values, Lists):
            return replace(self, values=Lists(values.items, place, place), states=None)
        if isinstance(values, Strings | Cells):
            return Column(Strings(b"", place, place))
        return replace(self, values=np.zeros((1, *values.shape[1:]), values.dtype), states=None)

    def merge(self, column: Column | None, order: NDArray[np.int64]) -> Column:
        """Interleave with another column, if any: ``k`` is row k of this one, ``~k`` row k of the other."""
        if column is None:
            return self.take(order)
        head, tail = in_one_text(self, column)
        # backwards: NumPy counts negative indices from the end, so ~0, which is -1, is row 0 of the other
        starts = np.concatenate([head.values.starts, tail.values.starts[::-1]])[order]
        ends = np.concatenate([head.values.ends, tail.values.ends[::-1]])[order]
        states = np.concatenate([head._states(), tail._states()[::-1]])[order]
        return Column(Strings(head.values.text, starts, ends), states=states)

    def fallback(self, column: Column) -> Column:
        """Fill missing values with those of another column, as text."""
        rows = np.arange(len(self))
        return self.merge(column, np.where(self.has_value(), rows, ~rows))

    def array(self) -> NDArray[Any]:
        """Return an array of values, NaN, None, False or 0 in rows without one; lists are objects."""
        if not isinstance(self.values, np.ndarray) or self.categories is not None:
            objects = self.to_list()
            return np.fromiter(objects, np.object_, len(objects))
        values: NDArray[Any] = self.values
        missing = ~self.has_value()
        empty = np.nan if values.dtype.kind == "f" else 0
        if missing.any() and (empty or values[missing].any()):
            values = values.copy()
            values[missing] = empty
        return values

    def to_list(self) -> list[Any]:
        """Return the values as Python objects; None where there is none."""
        column = self._plain()
        values, objects = column.values, list[Any]()
        if isinstance(values, Strings):
            objects = [*_decoded(values, column._states())]
        elif isinstance(values, Cells):
            text = values.gather().tobytes().decode("ascii")
            objects = [text[begin : begin + 81] for begin in range(0, len(text), 81)]
        elif isinstance(values, Lists):
            items, offsets = values.joined()
            elements = items.to_list()
            objects = [elements[begin:end] for begin, end in pairwise(offsets.tolist())]
        elif _is_arrow(values):
            objects = values.to_pylist()
        elif column.categories is not None:
            objects = [column.categories[code] for code in values.tolist()]
        else:
            objects = values.tolist()
        if column.states is None:
            return objects
        return [value if exists else None for value, exists in zip(objects, column.has_value(), strict=True)]

    def _plain(self) -> Column:
        """Return arrays of cells as `Cells`, and other arrays with several values in a row as `Lists`."""
        values = self.values
        if getattr(values, "ndim", 1) != 2:
            return self
        flat, places = (
            np.ascontiguousarray(values).reshape(-1),
            np.arange(0, values.size + 1, values.shape[1]),
        )
        if values.dtype == np.uint8 and values.shape[1] == 81:
            return Column(Cells(flat, places[:-1], 0), states=self.states)
        return Column(Lists(Column(flat), places[:-1], places[1:]), states=self.states)

    def _spelled(self) -> Column:
        """Return codes as the texts of their categories."""
        index = np.where(self.has_value(), self.values.astype(np.int64), -1)
        return Column(_strings_of(self.categories or ())).take(index)

    def as_cells(self) -> Cells:
        """Return a column of puzzles, all of them there, as `Cells`."""
        values = self._plain().values
        return Cells(values.text, values.starts) if isinstance(values, Strings) else values

    def as_strings(self) -> Column:
        """Return the values as `Strings`, which may share the memory; JSON for all that is no text."""
        column = self._plain()
        values = column.values
        if isinstance(values, Strings):
            return column._with_dots()
        if isinstance(values, Cells):
            starts = np.arange(0, 81 * len(column), 81)
            ends = starts + 81 if column.states is None else starts + 81 * column.has_value()
            return Column(Strings(values.gather(), starts, ends), states=column.states)
        if isinstance(values, Lists):
            return Column.of(column.to_list())
        if _is_arrow(values):
            return _strings_of_arrow(values)
        return (
            _strings_of_numbers(values, column._states()) if column.categories is None else column._spelled()
        )

    def _in_place(self) -> Column:
        """Return the values as `Strings`, without a copy of puzzles in text."""
        if isinstance(self.values, Cells) and self.values.empty_code == ord("0"):
            text, starts, _ = self.values
            return Column(Strings(text, starts, starts + 81), states=self.has_value() * np.uint8(PUZZLE))
        return self if isinstance(self.values, Strings) else self.as_strings()

    def _with_dots(self) -> Column:
        """Return `Strings` whose puzzles have a dot for each empty cell, in a buffer behind the text."""
        states = self._states()
        puzzle = states == PUZZLE
        if not puzzle.any():
            return self
        text, starts, ends = np.frombuffer(self.values.text, np.uint8), *map(np.array, self.values[1:])
        dots = Cells(text, starts[puzzle]).gather()
        starts[puzzle] = len(text) + np.arange(0, len(dots), 81)
        ends[puzzle] = starts[puzzle] + 81
        strings = Strings(np.concatenate([text, dots]), starts, ends)
        return Column(strings, states=np.where(puzzle, np.uint8(TEXT), states))

    def native(self) -> tuple[Any, ...]:
        """Return the column as `unidoku.native.text.render` takes it: kind, rows, buffers, states."""
        column = self._plain()
        values, n = column.values, len(column)
        states = None if column.states is None else column.states.view(np.uint8)
        if isinstance(values, Strings):
            return "texts", n, tuple(values), states
        if isinstance(values, Cells):
            return "cells", n, tuple(values), states
        if isinstance(values, Lists):
            items, offsets = values.joined()
            return "lists", n, (offsets, items.native()), states
        if _is_arrow(values) or len(column.categories or ()) > 256:
            return self.as_strings().native()
        if column.categories is not None:
            return (
                "words",
                n,
                (np.ascontiguousarray(values, np.uint8), *_strings_of(column.categories)),
                states,
            )
        if values.dtype.kind not in _NATIVE:
            return self.as_strings().native()
        kind, dtype = _NATIVE[values.dtype.kind]
        numbers: NDArray[Any] = np.ascontiguousarray(values, dtype)
        return kind, n, (numbers.view(np.uint8) if kind == "flags" else numbers,), states

    def to_arrow(self) -> Any:
        """Return an Arrow array that owns its memory."""
        column = self._plain()
        values, has_value = column.values, None if column.states is None else column.has_value()
        if isinstance(values, Strings):
            return _arrow_strings(column._with_dots().values, has_value)
        if isinstance(values, Cells):
            return arrow.grid_array(values.gather(), has_value)
        if isinstance(values, Lists):
            items, offsets = values.joined()
            width = self.values.shape[1] if isinstance(self.values, np.ndarray) else 0
            return arrow.list_array(items.to_arrow(), offsets, width, has_value)
        if _is_arrow(values):
            return values
        if column.categories is None:
            return arrow.number_array(np.array(values), has_value)
        if not column.is_dictionary:
            return column._spelled().to_arrow()
        codes = arrow.number_array(
            values.astype(np.int8 if values.dtype == np.uint8 else np.int16), has_value
        )
        return arrow.pyarrow().DictionaryArray.from_arrays(codes, _arrow_categories(column.categories))


def _is_arrow(values: object) -> bool:
    """Return whether the values of a column are an Arrow array."""
    return not isinstance(values, np.ndarray | Strings | Cells | Lists)


def _select(values: Any, rows: NDArray[np.int64]) -> Any:
    """Select rows of values that are no Arrow array."""
    if isinstance(values, np.ndarray):
        return values[rows]
    if isinstance(values, Cells):
        return values._replace(starts=values.starts[rows])
    return values._replace(starts=values.starts[rows], ends=values.ends[rows])


def in_one_text(*columns: Column) -> list[Column]:
    """Return columns as `Strings` of one buffer; puzzles in text stay there."""
    strings = [column._in_place() for column in columns]
    texts = {id(column.values.text): column.values.text for column in strings}
    if len(texts) == 1:
        return strings
    buffers = [np.frombuffer(text, np.uint8) for text in texts.values()]
    shifts = dict(zip(texts, np.cumsum([0, *map(len, buffers)]).tolist(), strict=False))
    whole = np.concatenate(buffers)
    return [
        Column(Strings(whole, starts + shifts[id(text)], ends + shifts[id(text)]), states=column.states)
        for column in strings
        for text, starts, ends in [column.values]
    ]


def _decoded(strings: Strings, states: NDArray[np.uint8]) -> Iterator[Any]:
    """Yield texts and JSON values as Python objects."""
    text = memoryview(strings.text).cast("B")
    for begin, end, state in zip(
        strings.starts.tolist(), strings.ends.tolist(), states.tolist(), strict=True
    ):
        value = bytes(text[begin:end]).decode("utf-8", "replace")
        if state in (JSON, AT_LEAST):
            yield json.loads(value)
        elif state == PUZZLE:
            yield value.translate(_DOTS)
        else:
            yield value


@lru_cache(maxsize=64)
def _strings_of(categories: tuple[str, ...]) -> Strings:
    return Strings.join([category.encode("utf-8", "backslashreplace") for category in categories])


@lru_cache(maxsize=64)
def _arrow_categories(categories: tuple[str, ...]) -> Any:
    # PyArrow imports pandas, 40 MB, for each array that it makes of Python objects or of NumPy arrays.
    return _arrow_strings(_strings_of(categories), None)


def _arrow_strings(strings: Strings, has_value: NDArray[np.bool_] | None) -> Any:
    """Return texts as an Arrow array that owns its memory; bytes that are no UTF-8 are replaced."""
    pa = arrow.pyarrow()
    text, starts, ends = strings
    n = len(starts)
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(ends - starts, out=offsets[1:])
    packed = bytearray(int(offsets[-1]))
    pack(text, starts, ends, packed)
    if not packed.isascii():  # which needs no copy
        try:
            packed.decode()
        except UnicodeDecodeError:
            values = [packed[begin:end].decode("utf-8", "replace") for begin, end in pairwise(offsets)]
            return pa.array(values, pa.string(), mask=None if has_value is None else ~has_value)
    small = offsets[-1] < 1 << 31
    places = pa.py_buffer(offsets.astype(np.int32) if small else offsets)
    kind = pa.string() if small else pa.large_string()
    return pa.Array.from_buffers(kind, n, [arrow.bits(has_value), places, pa.py_buffer(packed)])


def _strings_of_numbers(values: NDArray[Any], states: NDArray[np.uint8]) -> Column:
    """Return numbers or truth values as texts; numbers that are not finite have no value."""
    has_value = (states != MISSING) & np.isfinite(values)
    # few different numbers become text once
    distinct, codes = np.unique(np.where(has_value, values, values.dtype.type(0)), return_inverse=True)
    words = Strings.join([str(number).lower().encode() for number in distinct])  # in its own precision
    starts, ends = words.starts[codes], words.ends[codes]
    states = np.where(has_value, np.where(states == AT_LEAST, states, np.uint8(JSON)), np.uint8(MISSING))
    return Column(Strings(words.text, starts, np.where(has_value, ends, starts)), states=states)


def _strings_of_arrow(values: Any) -> Column:
    """Return an Arrow array as texts: strings, and JSON for all that it has."""
    types = arrow.pyarrow().types
    values = getattr(values, "storage", values)
    if types.is_dictionary(values.type):
        values = values.dictionary_decode()
    kind = values.type
    if types.is_nested(kind):
        return Column.of(values.to_pylist())
    if types.is_floating(kind):
        return _strings_of_numbers(
            values.to_numpy(zero_copy_only=False), np.asarray(values.is_valid()) * np.uint8(TEXT)
        )
    try:
        strings = values.cast(arrow.pyarrow().large_string())
    except arrow.pyarrow().ArrowException:  # bytes that are not UTF-8
        return Column.of(None if value is None else as_text(value) for value in values.to_pylist())
    state, states = JSON if types.is_integer(kind) or types.is_boolean(kind) else TEXT, None
    if state == JSON or strings.null_count:
        states = np.asarray(strings.is_valid()) * np.uint8(state)
    return Column(Strings(*arrow.spans(strings)), states=states)
