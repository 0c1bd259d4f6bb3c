"""Columns: one value for each of n rows, as an array, as text in a buffer, or as an Arrow array.

Nothing else converts values to text, to Arrow and to Python.  A column shares memory and is not changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unidoku.cell import EMPTY_SYMBOLS, symbols_of
from unidoku.native.text.columns import gather, pack
from unidoku.table import arrow
from unidoku.table.json_values import NO_VALUE, as_text, is_json, json_text

MISSING, TEXT, JSON, ABSENT, AT_LEAST, PUZZLE = range(6)
"""States of a value: missing; a text, as are values that are no texts; JSON that is no string; absent, where
an object lacks the name; a number that is a lower bound; 81 cells as text, to write with dots."""

MOST_CATEGORIES = 128
"""Categories of a column that are stored as codes: a code is one byte, in Arrow one with a sign."""


class Type(NamedTuple):
    """What the values of a type are elsewhere."""

    numpy: str
    """The type of an array of them, of codes, or of cells."""
    arrow: str
    native: str
    """The kind of an array in the native renderer; empty for what becomes text or cells before."""
    empty: Any
    """The value of an array in rows without a value."""


_SIZES = (8, 16, 32, 64)
TYPES = {
    "bool": Type("bool", "bool", "flags", False),
    **{f"int{bits}": Type(f"int{bits}", f"int{bits}", "signed", 0) for bits in _SIZES},
    **{f"uint{bits}": Type(f"uint{bits}", f"uint{bits}", "unsigned", 0) for bits in _SIZES},
    "float64": Type("float64", "double", "", float("nan")),
    "string": Type("object", "string", "", None),
    "words": Type("uint8", "string", "words", None),
    "cells": Type("uint8", "string", "", 0),
}
"""The types of columns.

``words`` are few texts, as codes of `Column.categories`: a dictionary in Arrow.  ``cells`` is a grid:
uint8[n, 81], 0 for an empty cell.  Behind a type of whole numbers and ``words``, ``[]`` says that each row
has a list of them, and ``[81]`` that it has 81 of them.
"""

_NATIVE = {"signed": np.int64, "unsigned": np.uint64, "flags": np.bool_}
"""The numbers that the native renderer takes."""


def type_of_items(kind: str) -> tuple[str, int | None]:
    """Return the type of the values in a row, and their number: 0 for lists, None for one value.

    Examples
    --------
    >>> type_of_items("uint16[81]"), type_of_items("words[]"), type_of_items("bool")
    (('uint16', 81), ('words', 0), ('bool', None))
    """
    item, bracket, size = kind.partition("[")
    return item, int(size[:-1] or 0) if bracket else None


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


_DOTS = {ord(symbol): "." for symbol in EMPTY_SYMBOLS}


@dataclass(slots=True, eq=False, repr=False)  # not frozen: to make one would take five times as long
class Column:
    """A value for each of n rows.

    Attributes
    ----------
    values : array [n], or [n, 81] for cells
        Or `Strings`, `Cells`, or an Arrow array.
    categories : tuple of str, optional
        The texts that the values are codes of.
    states : bool[n], optional
        Whether a row has a value; by default all have one.  Or uint8[n], the state of each: `MISSING`,
        `TEXT`, `JSON`, `ABSENT`, `AT_LEAST` or `PUZZLE`.
    offsets : int64[n + 1], optional
        Each row has a list: the values from ``offsets[i]`` to ``offsets[i + 1]``.
    type : str
        One of `TYPES`, that of the values of lists; by default that of the array.  Only categories of the
        type ``words`` are a dictionary in Arrow.
    """

    values: Any
    categories: tuple[str, ...] | None = None
    states: Any = None
    offsets: Any = None
    type: str = ""

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
    def constant(cls, text: str, n: int) -> Column:
        """Repeat a text n times."""
        category = text.encode("utf-8", "backslashreplace").decode()
        return cls(np.zeros(n, np.uint8), (category,), type="string")

    @classmethod
    def sparse(cls, texts: Mapping[int, str], n: int, state: int = MISSING) -> Column:
        """Lay texts, by row, into n rows; the other rows are in a state without a value."""
        words = Strings.join([text.encode("utf-8", "backslashreplace") for text in texts.values()])
        rows = np.fromiter(texts, np.int64, len(texts))
        starts, ends, states = np.zeros(n, np.int64), np.zeros(n, np.int64), np.full(n, state, np.uint8)
        starts[rows], ends[rows], states[rows] = words.starts, words.ends, TEXT
        return cls(Strings(words.text, starts, ends), states=states)

    @classmethod
    def join(cls, columns: Sequence[Column]) -> Column:
        """Join arrays of the same type, one after the other."""
        head = columns[0]
        if len(columns) == 1:
            return head
        has_value = np.concatenate([column.has_value() for column in columns])
        states = None if has_value.all() else has_value
        if any(column.categories != head.categories for column in columns):
            return cls(np.concatenate([column.array() for column in columns]), states=states, type="string")
        offsets = None
        if head.offsets is not None:
            sizes = np.concatenate([np.diff(column.offsets) for column in columns])
            offsets = np.append(0, np.cumsum(sizes))
        values = np.concatenate([column.values for column in columns])
        return replace(head, values=values, states=states, offsets=offsets)

    def __len__(self) -> int:
        values = self.values
        if self.offsets is not None:
            return len(self.offsets) - 1
        return len(values.starts if isinstance(values, Strings | Cells) else values)

    @property
    def is_array(self) -> bool:
        """Whether the values, or those of lists, are a NumPy array."""
        return isinstance(self.values, np.ndarray)

    def kind(self) -> str:
        """Return the type of an array."""
        if self.type or self.categories is not None:
            return self.type or "string"
        values = self.values
        if values.ndim == 2 and values.shape[1] == 81 and values.dtype == "uint8":
            return "cells"
        name = "float64" if values.dtype.kind == "f" else values.dtype.name
        return name if name in TYPES else "string"

    def has_value(self) -> NDArray[np.bool_]:
        """Return which rows have a value: bool[n]."""
        if isinstance(self.values, np.ndarray | Strings | Cells):
            return np.ones(len(self), np.bool_) if self.states is None else has_value_of(self.states)
        return np.asarray(self.values.is_valid())

    def take(self, rows: NDArray[np.int64], fill: Any = None) -> Column:
        """Select rows; repeats are allowed.  A negative row has no value, or in an array the value `fill`."""
        has_value = rows >= 0
        has_gaps = not has_value.all()
        index = np.maximum(rows, 0) if has_gaps else rows
        if not isinstance(self.values, np.ndarray | Strings | Cells):
            numbers = arrow.number_array(index, has_value if has_gaps else None)
            return replace(self, values=self.values.take(numbers))
        column = self._padded() if has_gaps and not len(self) else self
        values, offsets = column.values, column.offsets
        states: Any = None if column.states is None else np.asarray(column.states, np.uint8)[index]
        if offsets is not None:
            values, offsets = _take_lists(values, offsets, index, ~has_value)
        elif isinstance(values, Strings):
            starts, ends = values.starts[index], values.ends[index]
            if has_gaps:  # a value that is missing has no text
                ends = np.where(has_value, ends, starts)
            values = Strings(values.text, starts, ends)
        elif isinstance(values, Cells):
            values = Cells(values.text, values.starts[index], values.empty_code)
        else:
            values = values[index]
            if has_gaps and fill is not None:
                values[~has_value] = fill
        if has_gaps and states is not None:
            states[~has_value] = MISSING if fill is None else TEXT
        elif has_gaps and fill is None:
            states = has_value
        return Column(values, column.categories, states, offsets, column.type)

    def _padded(self) -> Column:
        """Return a column without rows as one with an empty row."""
        if isinstance(self.values, Strings | Cells):
            return Column(Strings(b"", *np.zeros((2, 1), np.int64)), states=np.zeros(1, np.uint8))
        if self.offsets is not None:
            return replace(self, offsets=np.zeros(2, np.int64), states=None)
        return replace(self, values=np.zeros((1, *self.values.shape[1:]), self.values.dtype), states=None)

    def merge(self, other: Column | None, order: NDArray[np.int64]) -> Column:
        """Interleave with another column, if any: ``k`` is row k of this one, ``~k`` row k of the other."""
        if other is None:
            return self.take(order)
        one, two = in_one_text(self, other)
        # backwards: NumPy counts negative indices from the end, so ~0, which is -1, is row 0 of the other
        starts = np.concatenate([one.values.starts, two.values.starts[::-1]])[order]
        ends = np.concatenate([one.values.ends, two.values.ends[::-1]])[order]
        states = None
        if one.states is not None or two.states is not None:
            states = np.concatenate([one._states(), two._states()[::-1]])[order]
        return Column(Strings(one.values.text, starts, ends), states=states)

    @classmethod
    def of_text(cls, text: Any, starts: Any, ends: Any, states: Any = None) -> Column:
        """Return texts given by buffers of their beginnings, ends and states."""
        strings = Strings(text, np.asarray(starts, np.int64), np.asarray(ends, np.int64))
        return cls(strings, states=None if states is None else np.asarray(states, np.uint8))

    def fallback(self, other: Column) -> Column:
        """Fill missing values with those of another column, as text."""
        one, two = in_one_text(self, other)
        has_value = one.has_value()
        starts = np.where(has_value, one.values.starts, two.values.starts)
        ends = np.where(has_value, one.values.ends, two.values.ends)
        states = np.where(has_value, one._states(), two._states())
        return Column(Strings(one.values.text, starts, ends), states=states)

    def _states(self) -> NDArray[np.uint8]:
        """Return the state of each row: uint8[n]."""
        return (
            np.full(len(self), TEXT, np.uint8) if self.states is None else np.asarray(self.states, np.uint8)
        )

    def array(self) -> NDArray[Any]:
        """Return an array of values, NaN, None, False or 0 in rows without one; lists are objects."""
        if self.offsets is not None:
            lists = self.to_list()
            return np.fromiter(lists, np.object_, len(lists))
        values: NDArray[Any] = self.values
        if self.categories is not None:
            values = np.array([*self.categories], np.object_)[values]
        if self.states is None or (has_value := self.has_value()).all():
            return values
        if values.dtype.kind in "bui" and not values[~has_value].any():
            return values
        values = values.astype(np.object_) if values.dtype.kind in "UT" else values.copy()
        values[~has_value] = TYPES[self.kind()].empty
        return values

    def value(self, row: int) -> Any:
        """Return the value of one row of an array as a Python object; None if there is none."""
        if self.states is not None and self.states[row] in (MISSING, ABSENT):
            return None
        if self.offsets is not None:
            items = self.values[self.offsets[row] : self.offsets[row + 1]]
            return Column(items, self.categories, type=self.type).to_list()
        value = self.values[row]
        if getattr(value, "ndim", 0) == 0:
            if self.categories is not None:
                return self.categories[value]
            return value.item() if hasattr(value, "item") else value
        if self.categories is not None:
            return [self.categories[code] for code in value]
        return symbols_of(value.tobytes()) if self.kind() == "cells" else value.tolist()

    def to_list(self) -> list[Any]:
        """Return the values as Python objects; None where there is none."""
        column = self._plain()
        values, items = column.values, column._items()
        objects: list[Any]
        if isinstance(values, Strings):
            objects = [*_decoded(values, column._states())]
        elif isinstance(values, Cells):
            text = values.gather().tobytes().decode("ascii")
            objects = [text[begin : begin + 81] for begin in range(0, len(text), 81)]
        elif not isinstance(values, np.ndarray):
            objects = values.to_pylist()
        elif items is not None:
            elements = items.column.to_list()
            objects = [elements[begin:end] for begin, end in pairwise(items.offsets.tolist())]
        elif column.categories is not None:
            objects = [column.categories[code] for code in values.tolist()]
        else:
            objects = values.tolist()
        if column.states is None:
            return objects
        return [value if exists else None for value, exists in zip(objects, column.has_value(), strict=True)]

    def _plain(self) -> Column:
        """Return arrays of cells as `Cells`, of texts and many categories as `Strings`."""
        if not self.is_array or self.offsets is not None:
            return self
        kind = self.kind()
        if self.categories is not None and len(self.categories) > MOST_CATEGORIES:
            return Column(self._spelled(), states=self.states)
        if self.categories is None and kind == "cells":
            text = np.ascontiguousarray(self.values, np.uint8).reshape(-1)
            return Column(Cells(text, np.arange(0, text.size, 81), 0), states=self.states)
        if self.categories is None and kind == "string":
            return Column.of(None if value is None else str(value) for value in self.array().tolist())
        return self

    def _spelled(self) -> Strings:
        """Return codes as the texts of their categories."""
        words = _strings_of(self.categories or ())
        starts, ends = words.starts[self.values], words.ends[self.values]
        return Strings(
            words.text, starts, ends if self.states is None else np.where(self.has_value(), ends, starts)
        )

    def _items(self) -> _Items | None:
        """Return the values of lists, and where each list begins."""
        if self.offsets is not None:
            return _Items(Column(self.values, self.categories, type=self.type), self.offsets, 0)
        if getattr(self.values, "ndim", 1) != 2:
            return None
        width = self.values.shape[1]
        elements = np.ascontiguousarray(self.values).reshape(-1)
        return _Items(
            Column(elements, self.categories, type=self.type), np.arange(0, elements.size + 1, width), width
        )

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
        if not isinstance(values, np.ndarray):
            return _strings_of_arrow(values)
        if column._items() is None and column.categories is not None:
            return Column(column._spelled(), states=column.states)
        if column._items() is None:
            return _strings_of_numbers(values, column._states())
        return Column.of(column.to_list())

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
        is_number = column.is_array and column._items() is None and column.categories is None
        if not isinstance(column.values, np.ndarray | Strings | Cells) or (
            is_number and not TYPES[column.kind()].native
        ):
            column = column.as_strings()
        values = column.values
        states = None if column.states is None else column.states.view(np.uint8)
        if isinstance(values, Strings):
            return "texts", len(column), tuple(values), states
        if isinstance(values, Cells):
            return "cells", len(column), tuple(values), states
        items = column._items()
        if items is not None:
            return "lists", len(column), (items.offsets, items.column.native()), states
        if column.categories is not None:
            codes = np.ascontiguousarray(values, np.uint8)
            return "words", len(column), (codes, *_strings_of(column.categories)), states
        kind = TYPES[column.kind()].native
        numbers: NDArray[Any] = np.ascontiguousarray(values, _NATIVE[kind])
        return kind, len(column), (numbers.view(np.uint8) if kind == "flags" else numbers,), states

    def to_arrow(self, *, copy: bool = False) -> Any:
        """Return an Arrow array; it shares the memory of numbers, unless a `copy` is asked for."""
        column = self._plain()
        values = column.values
        if isinstance(values, Strings):
            values = column._with_dots().values
            has_value = None if column.states is None else column.has_value() | (values.ends > values.starts)
            return _arrow_strings(values, has_value)
        has_value = None if column.states is None else column.has_value()
        if isinstance(values, Cells):
            return arrow.grid_array(values.gather(), has_value)
        if not isinstance(values, np.ndarray):
            return values
        items = column._items()
        if items is not None:
            return arrow.list_array(items.in_arrow(), items.offsets, items.width, has_value)
        if column.type == "string" and has_value is not None and not has_value.any():
            return arrow.pyarrow().nulls(len(column), arrow.pyarrow().string())
        if column.categories is not None and column.type != "words":
            return _arrow_strings(column._spelled(), has_value)
        if column.categories is not None:
            codes = arrow.number_array(np.array(values, np.uint8).view(np.int8), has_value)
            return arrow.pyarrow().DictionaryArray.from_arrays(codes, _arrow_categories(column.categories))
        values = np.ascontiguousarray(values, TYPES[column.kind()].numpy)
        return arrow.number_array(np.array(values) if copy else values, has_value)


class _Items(NamedTuple):
    """The values of lists, where each list begins, and how many values each has, 0 if they differ."""

    column: Column
    offsets: NDArray[np.int64]
    width: int

    def in_arrow(self) -> Any:
        """Return the values as an Arrow array: categories as a dictionary."""
        if self.column.categories is None:
            return self.column.to_arrow()
        codes = arrow.number_array(self.column.values.astype(np.int16))
        return arrow.pyarrow().DictionaryArray.from_arrays(codes, _arrow_categories(self.column.categories))


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


def has_value_of(states: Any) -> NDArray[np.bool_]:
    """Return which states have a value: bool[n]."""
    if states.dtype == np.bool_:
        return np.asarray(states)
    return np.asarray((states != MISSING) & (states != ABSENT))


def _take_lists(
    items: NDArray[Any], offsets: NDArray[np.int64], rows: NDArray[np.int64], empty: NDArray[np.bool_]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Select lists; those marked `empty` have no values."""
    begins, sizes = offsets[:-1][rows], np.where(empty, 0, np.diff(offsets)[rows])
    ends = np.cumsum(sizes)
    index = np.arange(sizes.sum()) + np.repeat(begins - ends + sizes, sizes)
    return items[index], np.append(0, ends)


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
    words = Strings.join([json_text(number).encode() for number in distinct.tolist()])
    starts, ends = words.starts[codes], words.ends[codes]
    states = np.where(has_value, np.where(states == AT_LEAST, states, np.uint8(JSON)), np.uint8(MISSING))
    return Column(Strings(words.text, starts, np.where(has_value, ends, starts)), states=states)


def _strings_of_arrow(values: Any) -> Column:
    """Return an Arrow array as texts: strings, and JSON for all that it has."""
    pa = arrow.pyarrow()
    compute = import_module("pyarrow.compute")
    values = values.storage if isinstance(values, pa.ExtensionArray) else values
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    elif pa.types.is_run_end_encoded(values.type):
        values = compute.run_end_decode(values)
    kind = values.type
    state = JSON if pa.types.is_integer(kind) or pa.types.is_boolean(kind) else TEXT
    missing = np.zeros(len(values), bool) if not values.null_count else np.asarray(values.is_null())
    if pa.types.is_nested(kind):
        parts = [None if value is None else json_text(value) for value in values.to_pylist()]
        strings, state = pa.array(parts, pa.large_string()), JSON
    else:
        try:
            strings = values.cast(pa.large_string())
        except pa.ArrowException:  # bytes that are not UTF-8
            parts = [None if value is None else as_text(value) for value in values.to_pylist()]
            strings = pa.array(parts, pa.large_string())
    if pa.types.is_floating(kind):
        state = JSON
        whole = compute.match_substring_regex(strings, "^-?[0-9]+$")
        point, nothing = (pa.scalar(text, pa.large_string()) for text in (".0", ""))
        strings = compute.if_else(whole, compute.binary_join_element_wise(strings, point, nothing), strings)
        missing |= ~np.asarray(compute.fill_null(compute.is_finite(values), False))
    _, offsets, text = strings.buffers()
    places = np.zeros(len(strings) + 1, np.int64)
    if len(strings) and offsets is not None:
        places = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    starts, ends = places[:-1], places[1:]
    if strings.null_count:  # there may be anything
        ends = np.where(np.asarray(strings.is_null()), starts, ends)
    content = b"" if text is None else memoryview(text).cast("B")
    states = np.where(missing, MISSING, state).astype(np.uint8) if state == JSON or missing.any() else None
    return Column(Strings(content, starts, ends), states=states)
