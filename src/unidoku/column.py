"""A column: the values of n rows, and what they are as text, in Arrow and in Python.

Nothing else converts values. A column shares the memory of what it is made of, and is not changed. NumPy and
PyArrow are imported only for what needs them, so that a check of text starts fast.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
from importlib import import_module
from itertools import accumulate, pairwise
from math import isfinite
from typing import Any, NamedTuple

from unidoku.cell import SYMBOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MISSING, TEXT, JSON, ABSENT, AT_LEAST = range(5)
"""What a value is: missing, a text, a JSON value that is no string, absent (an object lacks its name), or a
number that is a lower bound, which lines of text show."""

_WITHOUT = frozenset((MISSING, ABSENT))
_KNOWN = bytes([MISSING, *[TEXT] * 255])  # what a grid is, by its first digit

MOST_WORDS = 128
"""The most words of a column: the number of a word is one byte, in Arrow one with a sign."""


class Type(NamedTuple):
    """What the values of a type are elsewhere."""

    numpy: str
    """The type of an array of them, of the codes of words, or of cells."""
    arrow: str
    native: str
    """How the native renderer takes an array; empty for what becomes texts or cells before."""
    empty: Any
    """What an array has in rows without a value."""


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

``words`` are few texts, given by their places in `Column.words`: in Arrow a dictionary.  ``cells`` is a grid:
uint8[n, 81], 0 for an empty cell; a row of zeros alone is no grid.  Behind a type of whole numbers and
``words``, ``[]`` says that each row has a list of them, and ``[81]`` that it has 81 of them.
"""

_NATIVE = {"signed": "int64", "unsigned": "uint64", "flags": "uint8"}
"""The numbers that the native renderer takes."""

BUFFERS = memoryview, array, bytes, bytearray


def type_of_items(kind: str) -> tuple[str, int | None]:
    """Return the type of the values in a row, and their number: 0 for lists, None for one value.

    Examples
    --------
    >>> type_of_items("uint16[81]"), type_of_items("words[]"), type_of_items("bool")
    (('uint16', 81), ('words', 0), ('bool', None))
    """
    item, bracket, size = kind.partition("[")
    if not bracket:
        return kind, None
    whole = item == "words" or item.strip("u").startswith("int")
    known = whole and size.endswith("]") and (size[:-1].isdecimal() or size == "]")
    return (item, int(size[:-1] or 0)) if known else (kind, None)


class Texts(NamedTuple):
    """Texts: value ``i`` is ``text[starts[i]:ends[i]]`` in UTF-8; the column says what each is."""

    text: Any
    starts: Any
    ends: Any

    def native(self) -> tuple[str, tuple[Any, ...]]:
        """Return the values as the renderer takes them, after the name of their kind."""
        return "texts", tuple(self)

    def as_texts(self, states: Any) -> tuple[Texts, Any]:
        """Return the values as texts, and what each is."""
        return self, states

    def in_rows(self, place: Any, others: Texts | None) -> Texts:
        """Return the texts, and `others`, in the rows of a place; an empty one where there is none."""
        import numpy as np

        starts, ends = np.asarray(self.starts), np.asarray(self.ends)
        if others is None:
            return self._replace(starts=_placed(place, starts), ends=_placed(place, ends))
        text, beside = (np.frombuffer(each.text, np.uint8) for each in (self, others))
        starts = _placed(place, starts, np.asarray(others.starts) + len(text))
        ends = _placed(place, ends, np.asarray(others.ends) + len(text))
        return Texts(np.append(text, beside), starts, ends)

    def to_list(self, states: Any) -> list[Any]:
        """Return strings, and what JSON has."""
        every = bytes([TEXT]) * len(self.starts) if states is None else states
        return [self._value(k, state) for k, state in zip(range(len(self.starts)), every, strict=False)]

    def _value(self, k: int, state: int) -> Any:
        value = bytes(self.text[self.starts[k] : self.ends[k]]).decode("utf-8", "replace")
        if state != JSON:
            return value if state == TEXT else None
        from json import loads

        return loads(value) if value else None

    def to_arrow(self, states: Any) -> Any:
        """Return strings: JSON as text, also numbers that it lacks."""
        import numpy as np

        starts, ends = np.asarray(self.starts, np.int64), np.asarray(self.ends, np.int64)
        return _strings(self.text, starts, ends, None if states is None else _valid(states) | (ends > starts))


class Cells(NamedTuple):
    """Puzzles in a text.

    Puzzle ``i`` is ``text[starts[i]:starts[i] + 81]``: a byte ``zero + 1`` to ``zero + 9`` is a clue, any
    other one is an empty cell.
    """

    text: Any
    starts: Any
    zero: int = 48
    """48 for text, 0 for arrays of 0..9."""

    def chosen(self, puzzles: slice | NDArray[np.integer]) -> Cells:
        """Return some puzzles, perhaps several times, in the same text."""
        import numpy as np

        return self._replace(starts=np.asarray(self.starts, np.int64)[puzzles])

    def native(self) -> tuple[str, tuple[Any, ...]]:
        """Return the values as the renderer takes them, after the name of their kind."""
        return "cells", (self.text, self.starts, self.zero)

    def as_texts(self, states: Any) -> tuple[Texts, Any]:
        """Return the values as texts, and what each is."""
        import numpy as np

        from unidoku.native.text.columns import gather

        cells = np.empty(81 * len(self.starts), np.uint8)
        gather(self.text, self.starts, cells, self.zero)
        starts = np.arange(0, cells.size, 81)
        sizes = 81 if states is None else 81 * _valid(states)
        return Texts(cells, starts, starts + sizes), states

    def to_list(self, states: Any) -> list[str | None]:
        """Return texts."""
        text, zero = memoryview(self.text).cast("B"), self.zero
        symbols = bytes(byte - zero + 48 if 0 < byte - zero < 10 else 46 for byte in range(256))
        pieces = (bytes(text[start : start + 81]) for start in self.starts)
        return _known([piece.translate(symbols).decode("ascii") for piece in pieces], states)

    def to_arrow(self, states: Any) -> Any:
        """Return strings."""
        import numpy as np

        from unidoku.arrow import grid_array
        from unidoku.native.text.columns import gather

        rows = np.empty(81 * len(self.starts), np.uint8)
        gather(self.text, self.starts, rows, self.zero)
        return grid_array(rows, None if states is None else _valid(states))


_FORMS = Texts, Cells  # which know how they are rendered
_NO_ARRAY = *_FORMS, *BUFFERS

NO_VALUE = object()
"""Stands for the value of a name that a JSON object does not have."""


@dataclass(slots=True, eq=False, repr=False)  # not frozen: to make one would take five times as long
class Column:
    """A value for each of n rows.

    A task returns one where an array alone is not enough: ``Column(values, words, valid, offsets)``.

    Attributes
    ----------
    values : array [n], or [n, 81] for cells
        Also numbers in another buffer, `Texts`, `Cells`, or an Arrow array.
    words : tuple of str, optional
        The texts that the values are codes of.
    valid : bool[n], optional
        Which rows have a value; by default all have one. It may also be uint8[n], what each value is:
        `MISSING`, `TEXT`, as are those of other types, `JSON`, `ABSENT` or `AT_LEAST`.
    offsets : int64[n + 1], optional
        Each row has a list: the values from ``offsets[i]`` to ``offsets[i + 1]``.
    type : str
        One of `TYPES`, that of the values of lists, or ``arrow``; by default that of the array or buffer.
        Only words of the type ``words`` are a dictionary in Arrow.
    place : int64[m], optional
        The value of each row, or ``~k`` for value k of `other`; by default they are in order.
    other : Column, optional
        Without it, the rows with a negative place have no value.
    """

    values: Any
    words: tuple[str, ...] | None = None
    valid: Any = None
    offsets: Any = None
    _: KW_ONLY
    type: str = ""
    place: Any = None
    other: Column | None = None

    @classmethod
    def values_of(cls, values: Iterable[Any]) -> Column:
        """Return Python values: strings, None, `NO_VALUE`, and whatever JSON has."""
        parts, states = list[bytes](), bytearray()
        for value in values:
            if isinstance(value, str):
                part, state = value.encode("utf-8", "backslashreplace"), TEXT
            elif value is None or value is NO_VALUE:
                part, state = b"", MISSING if value is None else ABSENT
            else:
                part, state = json_text(value).encode(), JSON if _is_json(value) else MISSING
            parts.append(part)
            states.append(state)
        places = array("q", accumulate(map(len, parts), initial=0))
        plain = states.count(TEXT) == len(states)
        return cls(Texts(b"".join(parts), places[:-1], places[1:]), valid=None if plain else states)

    @classmethod
    def same(cls, text: str, n: int) -> Column:
        """Return one text for all rows."""
        return cls(bytes(n), (text.encode("utf-8", "backslashreplace").decode(),), type="string")

    @classmethod
    def nothing(cls, n: int, state: int = MISSING) -> Column:
        """Return a column without values: each is `MISSING` or `ABSENT`."""
        return cls(bytes(n), ("",), bytes([state]) * n, type="string")

    @classmethod
    def grids(cls, digits: memoryview, zero: int) -> Column:
        """Return full grids, one after the other in one text; a row of zeros has none."""
        first = bytes(digits)[::81]  # faster than those of the view
        return cls(
            Cells(digits, every(len(first), 81), zero), valid=first.translate(_KNOWN) if 0 in first else None
        )

    @classmethod
    def reasons(cls, reasons: Mapping[int, str], of: Any, without: int = MISSING) -> Column:
        """Return the reasons of some puzzles for rows that are `of` them, and what rows `without` one are."""
        if not reasons:
            return cls.nothing(len(of), without)
        import numpy as np

        rows = np.asarray(of, np.int64)
        place = np.full(max(rows.max(initial=-1), *reasons) + 1, -1)
        place[list(reasons)] = np.arange(len(reasons))
        return cls.values_of(reasons.values()).lay(place[rows], cls.nothing(1, without))

    @property
    def size(self) -> int:
        """How many values it has of its own, before they are laid into rows."""
        values = self.values
        if self.offsets is not None:
            return len(self.offsets) - 1
        return len(values.starts if isinstance(values, _FORMS) else values)

    def __len__(self) -> int:
        return self.size if self.place is None else len(self.place)

    @property
    def is_array(self) -> bool:
        """Whether the values, or those of lists, are an array, and no buffer, text or Arrow array."""
        return self.type != "arrow" and not isinstance(self.values, _NO_ARRAY)

    def _type(self) -> str:
        """Return the type of the values."""
        if self.type or self.words is not None:
            return self.type or "string"
        import numpy as np

        values = np.asarray(memoryview(self.values) if isinstance(self.values, BUFFERS) else self.values)
        if values.ndim == 2 and values.shape[1] == 81 and values.dtype == "uint8":
            return "cells"
        name = "float64" if values.dtype.kind == "f" else values.dtype.name
        return name if name in TYPES else "string"

    def _states(self) -> NDArray[np.uint8]:
        """Return what each of its own values is."""
        import numpy as np

        return np.full(self.size, TEXT, np.uint8) if self.valid is None else _bytes_of(self.valid)

    def known(self) -> NDArray[np.bool_]:
        """Return which rows have a value: bool[n]."""
        states = self._states()
        if self.place is not None:
            states = _placed(self.place, states, None if self.other is None else self.other._states())
        return _valid(states)

    def array(self) -> NDArray[Any]:
        """Return an array: NaN, None, False or 0 in rows without a value; of lists, an array of lists.

        The values are an array, in their rows.
        """
        import numpy as np

        if self.offsets is not None:
            lists = self.to_list()
            return np.fromiter(lists, np.object_, len(lists))
        values: NDArray[Any] = self.values
        if self.words is not None:
            values = np.array([*self.words], np.object_)[values]
        if self.valid is None or (known := _valid(self._states())).all():
            return values
        values = values.astype(np.object_) if values.dtype.kind in "UT" else values.copy()
        values[~known] = TYPES[self._type()].empty
        return values

    def value(self, row: int) -> Any:
        """Return the value of one row of an array as Python has it; None if there is none.

        The values are an array, in their rows.
        """
        if self.valid is not None and self.valid[row] in _WITHOUT:
            return None
        if self.offsets is not None:
            items = self.values[self.offsets[row] : self.offsets[row + 1]]
            return replace(self, values=items, valid=None, offsets=None).to_list()
        value = self.values[row]
        if getattr(value, "ndim", 0) == 0:
            if self.words is not None:
                return self.words[value]
            return value.item() if hasattr(value, "item") else value
        if self.words is not None:
            return [self.words[code] for code in value]
        return "".join(SYMBOLS[cell] for cell in value) if self._type() == "cells" else value.tolist()

    def _settled(self) -> Column:
        """Return arrays of cells as `Cells`, of texts and too many words as `Texts`; all else as it is."""
        if not self.is_array or self.offsets is not None:
            return self
        import numpy as np

        values, states, kind = self.values, self.valid, self._type()
        if self.words is not None and len(self.words) > MOST_WORDS:
            made = Column(self._spelled(), valid=states)
        elif self.words is None and kind == "cells":
            whole = np.ascontiguousarray(values, np.uint8).reshape(-1)
            made = Column(Cells(whole, np.arange(0, whole.size, 81, dtype=np.int64), 0), valid=states)
        elif self.words is None and kind == "string":
            made = Column.values_of(None if each is None else str(each) for each in self.array().tolist())
        else:
            return self
        return replace(made, place=self.place, other=self.other)

    def _spelled(self) -> Texts:
        """Return words as texts."""
        import numpy as np

        text, first, last = _packed(self.words or ())
        codes = self._numbers()
        starts, ends = np.asarray(first)[codes], np.asarray(last)[codes]
        return Texts(text, starts, np.where(_valid(self._states()), ends, starts))

    def _lists(self) -> tuple[Any, Column, int] | None:
        """Return where each list begins, the values of all, and how many each has, 0 if they differ."""
        values = self.values
        if self.offsets is not None:
            return self.offsets, Column(values, self.words, type=self.type), 0
        if getattr(values, "ndim", 1) != 2:
            return None
        import numpy as np

        offsets = np.arange(0, values.size + 1, values.shape[1], dtype=np.int64)
        items = Column(np.ascontiguousarray(values).reshape(-1), self.words, type=self.type)
        return offsets, items, values.shape[1]

    def puzzles(self) -> Cells:
        """Return a column of puzzles as their text, and where each starts."""
        found: Cells = self._settled().values
        return found

    def lay(self, place: Any, other: Column | None = None) -> Column:
        """Return a column with a row for each number in a `place`, of which nothing is copied yet.

        ``k`` is row k of this column, ``~k`` value k of `other`; without `other`, that row has no value.
        Without a `place`, it is this column.
        """
        if place is None:
            return self
        if self.place is None:
            return replace(self, place=place, other=other)
        import numpy as np

        place = np.asarray(place, np.int64)
        if other is not None or (place < 0).any():
            return self.in_rows().lay(place, other)
        return replace(self, place=np.asarray(self.place, np.int64)[place])

    def in_rows(self) -> Column:
        """Return the column with its values copied into their rows; itself if they are in order."""
        if self.place is None:
            return self
        import numpy as np

        place = np.asarray(self.place, np.int64)
        mine, other = replace(self, place=None, other=None), self.other
        if self.type == "arrow" and other is None:
            from unidoku.arrow import number_array

            known = place >= 0
            return replace(mine, values=self.values.take(number_array(np.where(known, place, 0), known)))
        if not mine._is_like(other):
            mine, other = mine.as_texts(), None if other is None else other.as_texts()
        states = _placed(place, mine._states(), None if other is None else other._states())
        values, offsets = mine.values, mine.offsets
        if isinstance(values, Texts):
            values = values.in_rows(place, None if other is None else other.values)
        elif offsets is not None:
            values, offsets = _placed_lists(place, mine._numbers(), np.asarray(offsets))
        else:
            values = _placed(place, mine._numbers(), None if other is None else other._numbers())
        return replace(mine, values=values, offsets=offsets, valid=states)

    def _is_like(self, other: Column | None) -> bool:
        """Return whether the values, and those of another column, are numbers or words of one type."""
        every = (self,) if other is None else (self, other)
        if any(column.type == "arrow" or isinstance(column.values, _FORMS) for column in every):
            return False
        if other is None:
            return True
        have_lists = self.offsets is not None or other.offsets is not None
        return not have_lists and self.words == other.words and self._type() == other._type()

    def _numbers(self) -> NDArray[Any]:
        """Return numbers or the codes of words as an array."""
        import numpy as np

        kind = None if self.words is not None else TYPES[self._type()].numpy
        if isinstance(self.values, BUFFERS):
            return np.frombuffer(self.values, kind or "uint8")
        return np.ascontiguousarray(self.values, kind)

    def filled(self, value: Any, n: int) -> Column:
        """Return a column of the same type with one value for each of n rows."""
        if self.words is not None and value in self.words:
            return Column(bytes([self.words.index(value)]) * n, self.words, type=self.type)
        if self.type == "bool":
            return Column(bytes([value]) * n, type="bool")
        return Column.same(value, n) if isinstance(value, str) else Column.values_of([value] * n)

    def codes(self) -> bytes:
        """Return the number of the word of each row."""
        return bytes(_buffer(self.in_rows().values))

    def native(self) -> tuple[Any, ...]:
        """Return the column as `unidoku.native.text.render` takes it, after its name, with its place."""
        column = self._settled()
        if column.type == "arrow" or (column.is_array and not column._is_native()):
            column = column.as_texts()
        values, states = column.values, column.valid
        buffers: tuple[Any, ...]
        if isinstance(values, _FORMS):
            kind, buffers = values.native()
        elif lists := column._lists():
            kind, buffers = "lists", (lists[0], lists[1].native())
        elif column.words is not None:
            kind, buffers = "words", (_buffer(values), *_packed(column.words))
        else:
            kind = TYPES[column._type()].native
            buffers = (_buffer(values, _NATIVE[kind]),)
        return (
            kind,
            column.size,
            buffers,
            None if states is None else _buffer(states),
            column.place,
            None if column.other is None else column.other.native(),
        )

    def _is_native(self) -> bool:
        """Return whether the native renderer takes such numbers, or words."""
        return self.words is not None or TYPES[self._type()].native != ""

    def as_texts(self) -> Column:
        """Return the values as texts, which may share the memory; JSON for all that is no text."""
        column = self.in_rows()._settled()
        values, states = column.values, column.valid
        if isinstance(values, _FORMS):
            texts, states = values.as_texts(states)
        elif column.type == "arrow":
            texts, states = _texts_of_arrow(values)
        elif column.words is not None and not column._lists():
            texts = column._spelled()
        elif column.is_array and not column._is_native():
            texts, states = _texts_of_fractions(values, column.known())
        else:
            made = Column.values_of(column.to_list())
            texts, states = made.values, made.valid
        return Column(texts, valid=states)

    def to_list(self) -> list[Any]:
        """Return the values as Python has them; None where there is none."""
        column = self.in_rows()._settled()
        values, words = column.values, column.words
        if isinstance(values, _FORMS):
            return values.to_list(column.valid)
        found: list[Any]
        if column.type == "arrow":
            found = values.to_pylist()
        elif lists := column._lists():
            items = lists[1].to_list()
            found = [items[begin:end] for begin, end in pairwise(map(int, lists[0]))]
        elif words is not None:
            found = [words[code] for code in values]
        else:
            found = column._numbers().tolist()
        return _known(found, column.valid)

    def to_arrow(self, *, copy: bool = False) -> Any:
        """Return an Arrow array.

        It shares the memory of numbers, unless a `copy` is asked for or they have a place.
        """
        import numpy as np

        from unidoku.arrow import list_array, number_array

        column = self.in_rows()._settled()
        values = column.values
        if column.type == "arrow":
            return values
        if isinstance(values, _FORMS):
            return values.to_arrow(column.valid)
        valid = None if column.valid is None else _valid(column.valid)
        if lists := column._lists():
            return list_array(lists[1]._items_in_arrow(), lists[0], lists[2], valid)
        if column.type == "string" and valid is not None and not valid.any():
            return _pyarrow().nulls(column.size, _pyarrow().string())
        if column.words is not None and column.type != "words":
            return column._spelled().to_arrow(column.valid)
        if column.words is not None:
            codes = number_array(np.array(_bytes_of(values)).view(np.int8), valid)
            return _pyarrow().DictionaryArray.from_arrays(codes, _arrow_words(column.words))
        values = column._numbers()
        return number_array(np.array(values) if copy else values, valid)

    def _items_in_arrow(self) -> Any:
        """Return the values of lists: words as a dictionary."""
        import numpy as np

        if self.words is None:
            return self.to_arrow()
        from unidoku.arrow import number_array

        codes = number_array(self.values.astype(np.int16))
        return _pyarrow().DictionaryArray.from_arrays(codes, _arrow_words(self.words))


def _as_text(value: object) -> str:
    """Return what JSON has no type for as text: a date, or bytes, of which UTF-8 may not have all."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def json_text(value: Any) -> str:
    """Return a value as JSON, one that is nested too deep cut off; a number that JSON lacks by its name."""
    if isinstance(value, int):  # faster for whole numbers, true and false
        return str(value).lower()
    from json import dumps  # not at the top: a check starts faster

    try:
        try:
            return dumps(value, default=_as_text, allow_nan=not _is_json(value))
        except ValueError:  # such a number is in a list or an object
            return dumps(_with_null(value), default=_as_text)
    except RecursionError:
        return '"…"'


def _is_json(value: object) -> bool:
    """Return whether JSON has a value: not if it is NaN or infinite."""
    return not isinstance(value, float) or isfinite(value)


def _with_null(value: Any) -> Any:
    """Return a list or an object with null for the numbers that JSON lacks."""
    if isinstance(value, list | tuple):
        return [_with_null(each) for each in value]
    if isinstance(value, dict):
        return {name: _with_null(each) for name, each in value.items()}
    return value if _is_json(value) else None


def _pyarrow() -> Any:
    from unidoku.arrow import pyarrow

    return pyarrow()


def _buffer(values: Any, kind: str = "uint8") -> Any:
    """Return numbers as a buffer: as they are if they are one, otherwise as an array of a NumPy type."""
    if isinstance(values, BUFFERS):
        return values
    import numpy as np

    return np.ascontiguousarray(values, kind)


def _bytes_of(values: Any) -> NDArray[np.uint8]:
    """Return small numbers as an array of bytes, which shares their memory if they are bytes."""
    import numpy as np

    return np.frombuffer(_buffer(values), np.uint8)


def _placed(place: Any, own: NDArray[Any], others: NDArray[Any] | None = None) -> NDArray[Any]:
    """Return a row for each k in a place: value k of `own`, for ~k value k of `others`, otherwise zero."""
    import numpy as np

    place = np.asarray(place)
    rest = np.zeros((1, *own.shape[1:]), own.dtype) if others is None else others
    rows = np.where(place < 0, len(own) + (0 if others is None else ~place), place)
    return np.concatenate([own, rest])[rows]


def _placed_lists(
    place: Any, items: NDArray[Any], offsets: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the items of lists, laid into the rows of a place, and where each list begins."""
    import numpy as np

    begins, sizes = _placed(place, offsets[:-1]), _placed(place, np.diff(offsets))
    ends = np.cumsum(sizes)
    rows = np.arange(sizes.sum()) + np.repeat(begins - ends + sizes, sizes)
    return items[rows], np.append(0, ends)


def _known(values: list[Any], valid: Any) -> list[Any]:
    """Return the values, with None for those that are not valid."""
    if valid is None:
        return values
    return [None if state in _WITHOUT else value for value, state in zip(values, valid, strict=False)]


def _valid(states: Any) -> NDArray[np.bool_]:
    """Return which values are there, given what each is."""
    known = _bytes_of(states)
    valid: NDArray[np.bool_] = (known != MISSING) & (known != ABSENT)
    return valid


@lru_cache(maxsize=64)
def every(n: int, step: int = 1) -> array[int]:
    """Return 0, `step`, 2 `step` and so on, n numbers, for callers that do not change them."""
    return array("q", range(0, step * n, step))


@lru_cache(maxsize=64)
def _packed(words: tuple[str, ...]) -> tuple[bytes, array[int], array[int]]:
    """Return words as one text, and where each begins and ends in it."""
    parts = [word.encode("utf-8", "backslashreplace") for word in words]
    places = array("q", accumulate(map(len, parts), initial=0))
    return b"".join(parts), places[:-1], places[1:]


@lru_cache(maxsize=64)
def _arrow_words(words: tuple[str, ...]) -> Any:
    # PyArrow imports pandas, 40 MB, for each array that it makes of Python objects or of NumPy arrays.
    import numpy as np

    text, starts, ends = _packed(words)
    return _strings(text, np.asarray(starts), np.asarray(ends), None)


def _strings(text: Any, starts: Any, ends: Any, valid: Any) -> Any:
    """Return texts as an Arrow array that owns its memory; bytes that are no UTF-8 are replaced."""
    import numpy as np

    from unidoku.arrow import bits
    from unidoku.native.text.columns import pack

    pa = _pyarrow()
    n = len(starts)
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(ends - starts, out=offsets[1:])
    packed = bytearray(int(offsets[-1]))
    pack(text, starts, ends, packed)
    if not packed.isascii():  # which needs no copy
        try:
            packed.decode()
        except UnicodeDecodeError:
            values = [packed[s:e].decode("utf-8", "replace") for s, e in pairwise(offsets)]
            return pa.array(values, pa.string(), mask=None if valid is None else ~valid)
    small = offsets[-1] < 1 << 31
    places = pa.py_buffer(offsets.astype(np.int32) if small else offsets)
    kind = pa.string() if small else pa.large_string()
    return pa.Array.from_buffers(kind, n, [bits(valid), places, pa.py_buffer(packed)])


def _texts_of_fractions(values: Any, known: NDArray[np.bool_]) -> tuple[Texts, Any]:
    """Return numbers with a fraction as texts, and what each is; those that are not finite have no value."""
    import numpy as np

    every = np.asarray(values, np.float64)
    known = np.isfinite(every) & known
    # few different numbers become text once
    different, codes = np.unique(np.where(known, every, 0.0), return_inverse=True)
    text, starts, ends = Column.values_of(different.tolist()).values
    starts, ends = np.asarray(starts)[codes], np.asarray(ends)[codes]
    return Texts(text, starts, np.where(known, ends, starts)), known * np.uint8(JSON)


def _texts_of_arrow(values: Any) -> tuple[Texts, Any]:
    """Return an Arrow array as texts: strings, and JSON for all that it has; and what each is."""
    import numpy as np

    pa = _pyarrow()
    compute = import_module("pyarrow.compute")
    if isinstance(values, pa.ExtensionArray):
        values = values.storage
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
            parts = [None if value is None else _as_text(value) for value in values.to_pylist()]
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
    return Texts(content, starts, ends), states
