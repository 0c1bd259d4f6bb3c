"""A column: the values of n rows, and what they are as text, in Arrow and in Python.

Nothing else converts values. A column shares the memory of what it is made of, and is not changed. NumPy and
PyArrow are imported only for what needs them, so that a check of text starts fast.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
from importlib import import_module
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from unidoku.cell import SYMBOLS
from unidoku.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MISSING, TEXT, JSON, ABSENT = range(4)
"""What a value is: missing, a text, a JSON value that is no string, or absent: an object lacks its name."""

MOST_WORDS = 128
"""The most words of a column: the number of a word is one byte, in Arrow one with a sign."""


class Type(NamedTuple):
    """What the values of a type are elsewhere."""

    numpy: str
    """The type of an array of them, of the codes of words, or of cells."""
    taken: str
    """The kinds of NumPy arrays that can become such values."""
    arrow: str
    native: str
    """How the native renderer takes an array; empty for what becomes texts or cells before."""
    empty: Any
    """What an array has in rows without a value."""


_SIZES = (8, 16, 32, 64)
_DOUBLE = Type("float64", "fiu", "double", "", float("nan"))
TYPES = {
    "bool": Type("bool", "b", "bool", "flags", False),
    **{f"int{bits}": Type(f"int{bits}", "iu", f"int{bits}", "signed", 0) for bits in _SIZES},
    **{f"uint{bits}": Type(f"uint{bits}", "iu", f"uint{bits}", "unsigned", 0) for bits in _SIZES},
    "float64": _DOUBLE,
    "double": _DOUBLE,
    "string": Type("object", "UTO", "string", "", None),
    "words": Type("uint8", "", "string", "words", None),
    "cells": Type("uint8", "iu", "string", "", 0),
}
"""The types of columns.

``words`` are few texts, given by their places in `Column.words`: in Arrow a dictionary.  ``cells`` is a grid:
uint8[n, 81], 0 for an empty cell; a row of zeros alone is no grid.  Behind a type of whole numbers and
``words``, ``[]`` says that each row has a list of them, and ``[81]`` that it has 81 of them.
"""

_NATIVE = {"signed": "int64", "unsigned": "uint64", "flags": "uint8"}
"""The numbers that the native renderer takes."""

_BUFFERS = memoryview, array, bytes, bytearray

Allocate = Callable[[int], Any] | None
"""What returns a buffer of a size."""


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
    known = whole and item in TYPES and size.endswith("]") and (size[:-1].isdecimal() or size == "]")
    return (item, int(size[:-1] or 0)) if known else (kind, None)


def given_names(names: Iterable[str], own: Iterable[str]) -> list[str]:
    """Return the names of the columns of an input: one that is an `own` one gets ``given_``.

    Examples
    --------
    >>> given_names(["id", "count", "given_count"], ["count"])
    ['id', 'given_count', 'given_given_count']
    """
    taken, found = set(own), list[str]()
    for given in names:
        name = given
        while name in taken:
            name = f"given_{name}"
        taken.add(name)
        found.append(name)
    return found


class Texts(NamedTuple):
    """Texts: value ``i`` is ``text[starts[i]:ends[i]]`` in UTF-8; the column says what each is."""

    text: Any
    starts: Any
    ends: Any
    sample: Sequence[Any] | None = None
    """Decoded values of JSON, whose Arrow type is that of all; without it all are strings."""

    def native(self) -> tuple[str, tuple[Any, ...]]:
        """Return the values as the renderer takes them, after the name of their kind."""
        return "texts", self[:3]

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

    def to_arrow(self, states: Any, allocate: Allocate) -> Any:
        """Return strings, or values of the type that they have in JSON."""
        import numpy as np

        pa = _pyarrow()
        starts, ends = np.asarray(self.starts, np.int64), np.asarray(self.ends, np.int64)
        strings = _strings(self.text, starts, ends, _valid(states))
        kind = pa.string() if self.sample is None else _json_type(self.sample)
        if pa.types.is_string(kind):
            return strings
        states = np.full(len(starts), TEXT, np.uint8) if states is None else _array_of(states)
        wrong = states == TEXT
        if pa.types.is_boolean(kind):
            wrong |= (states == JSON) & ~np.isin(_first_bytes(self.text, starts, ends), [102, 116])
        try:
            if wrong.any():
                raise FormatError(f"found a value of another type than {kind}", row=int(wrong.argmax()))
            if pa.types.is_nested(kind):
                from json import loads

                values = [None if value is None else loads(value) for value in strings.to_pylist()]
                for row, value in enumerate(values):
                    if not _fits(value, kind):
                        raise FormatError(f"found a value of another type than {kind}", row=row)
                return pa.array(values, kind)
            return strings.cast(kind)
        except (pa.ArrowException, TypeError, OverflowError) as error:
            raise FormatError(f"found a value of another type than {kind}") from error


class Cells(NamedTuple):
    """Puzzles in a text; those that are `wide`, uint8[n], have 729 characters."""

    text: Any
    starts: Any
    zero: int = 48
    wide: Any = None

    def native(self) -> tuple[str, tuple[Any, ...]]:
        """Return the values as the renderer takes them, after the name of their kind."""
        return "cells", self

    def to_list(self, states: Any) -> list[str | None]:
        """Return texts."""
        text, zero = memoryview(self.text).cast("B"), self.zero
        symbols = bytes(byte - zero + 48 if 0 < byte - zero < 10 else 46 for byte in range(256))
        sizes = (81 if self.wide is None or not self.wide[k] else 729 for k in range(len(self.starts)))
        pieces = (bytes(text[start : start + size]) for start, size in zip(self.starts, sizes, strict=True))
        return _known([piece.translate(symbols).decode("ascii") for piece in pieces], states)

    def to_arrow(self, states: Any, allocate: Allocate) -> Any:
        """Return strings, in a buffer of `allocate`."""
        import numpy as np

        from unidoku.arrow import grid_array
        from unidoku.native.text.columns import gather

        if self.wide is not None and any(self.wide):
            return _pyarrow().array(self.to_list(states), _pyarrow().string())
        rows = np.frombuffer((allocate or bytearray)(81 * len(self.starts)), np.uint8, 81 * len(self.starts))
        gather(self.text, self.starts, rows, self.zero)
        return grid_array(rows, _valid(states))


class Grids(NamedTuple):
    """Grids of 81 digits, one after the other; a row of zeros has no grid, but may have a word instead."""

    digits: Any
    zero: int = 48
    codes: Any = None
    words: tuple[str, ...] = ()

    def native(self) -> tuple[str, tuple[Any, ...]]:
        """Return the values as the renderer takes them, after the name of their kind."""
        words = () if self.codes is None else (self.codes, *_packed(self.words))
        return "grids", (self.digits, self.zero, *words)

    def to_list(self, states: Any) -> list[str | None]:
        """Return texts."""
        digits = memoryview(self.digits).cast("B")
        rows = [bytes(digits[at : at + 81]) for at in range(0, len(digits), 81)]
        found = [bytes(d - self.zero + 48 for d in row).decode() if row[0] else None for row in rows]
        if self.codes is None:
            return found
        return [value or self.words[code] for value, code in zip(found, self.codes, strict=False)]

    def to_arrow(self, states: Any, allocate: Allocate) -> Any:
        """Return strings, which share the memory of digits in text."""
        import numpy as np

        from unidoku.arrow import grid_array

        rows = np.frombuffer(self.digits, np.uint8)
        has = rows[::81] > self.zero
        return grid_array(rows if self.zero else rows | np.uint8(48), has)


_FORMS = Texts, Cells, Grids  # which know how they are rendered
_NO_ARRAY = *_FORMS, *_BUFFERS

NO_VALUE = object()
"""Stands for the value of a name that a JSON object does not have."""


@dataclass(slots=True, eq=False, repr=False)  # not frozen: to make one would take five times as long
class Column:
    """A value for each of n rows.

    A task returns one where an array alone is not enough: ``Column(values, words, valid, offsets)``.

    Attributes
    ----------
    values : array [n], or [n, 81] for cells
        Also numbers in another buffer, `Texts`, `Cells`, `Grids`, or an Arrow array.
    words : tuple of str, optional
        The texts that the values are codes of.
    valid : bool[n], optional
        Which rows have a value; by default all have one. Of texts, uint8[n]: what each is (`MISSING`,
        `TEXT`, `JSON`, `ABSENT`).
    offsets : int64[n + 1], optional
        Each row has a list: the values from ``offsets[i]`` to ``offsets[i + 1]``.
    type : str
        One of `TYPES`, that of the values of lists, or ``arrow``; by default that of the array or buffer.
        Only words of the type ``words`` are a dictionary in Arrow.
    complete : bool[n], optional
        Of numbers: those that are not complete are lower bounds, which text shows.
    optional : bool
        Whether a row without a value has no field in a JSON object.
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
    complete: Any = None
    optional: bool = False
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
                part, state = json_text(value).encode(), JSON
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
    def nothing(cls, n: int, *, optional: bool = False) -> Column:
        """Return a column without values."""
        return cls(bytes(n), ("",), bytes(n), type="string", optional=optional)

    @classmethod
    def reasons(cls, reasons: Mapping[int, str], of: Any, *, optional: bool = False) -> Column:
        """Return the reasons of some puzzles for rows that are `of` them."""
        if not reasons:
            return cls.nothing(len(of), optional=optional)
        import numpy as np

        texts = {text: code for code, text in enumerate(dict.fromkeys(["", *reasons.values()]))}
        rows = np.asarray(of, np.int64)
        if len(texts) > MOST_WORDS:
            return replace(cls.values_of(map(reasons.get, rows.tolist())), optional=optional)
        codes = np.zeros(max(rows.max(initial=-1), *reasons) + 1, np.uint8)
        for row, reason in reasons.items():
            codes[row] = texts[reason]
        return cls(codes[rows], tuple(texts), codes[rows] > 0, type="string", optional=optional)

    @property
    def size(self) -> int:
        """How many values it has of its own, before they are laid into rows."""
        values = self.values
        if self.offsets is not None:
            return len(self.offsets) - 1
        if isinstance(values, Grids):
            return memoryview(values.digits).nbytes // 81
        return len(values.starts if isinstance(values, (Texts, Cells)) else values)

    def __len__(self) -> int:
        return self.size if self.place is None else len(self.place)

    @property
    def is_array(self) -> bool:
        """Whether the values, or those of lists, are an array, and no buffer, text or Arrow array."""
        return self.type != "arrow" and not isinstance(self.values, _NO_ARRAY)

    @property
    def is_foreign(self) -> bool:
        """Whether the values are an Arrow array, or a buffer of which nothing is known."""
        is_known = self.type or self.words is not None or not isinstance(self.values, _BUFFERS)
        return self.type == "arrow" or not is_known

    def _type(self) -> str:
        """Return the type of the values."""
        if self.type or self.words is not None:
            return self.type or "string"
        import numpy as np

        values = np.asarray(memoryview(self.values) if isinstance(self.values, _BUFFERS) else self.values)
        if values.ndim == 2 and values.shape[1] == 81 and values.dtype == "uint8":
            return "cells"
        name = "float64" if values.dtype.kind == "f" else values.dtype.name
        return name if name in TYPES else "string"

    def as_array(self, kind: str) -> Column:
        """Return the values of one of the types of a task's columns as an array."""
        if self.is_array and self.place is None:
            return self if self.words is None else replace(self, type="string")
        import numpy as np

        values = self.to_list()
        valid = np.array([value is not None for value in values], np.bool_)
        known = None if valid.all() else valid
        if kind == "cells":
            rows = (value or "." * 81 for value in values)
            digits = np.frombuffer("".join(rows).replace(".", "0").encode(), np.uint8)
            return Column(digits.reshape(-1, 81) - np.uint8(48), valid=known)
        row = TYPES["string" if kind == "words" else kind]
        made = np.empty(len(values), row.numpy)
        made[:] = [row.empty if value is None else value for value in values]
        return Column(made, valid=known)

    def known(self) -> NDArray[np.bool_]:
        """Return which of its own values are there, before they are laid into rows: bool[n]."""
        import numpy as np

        if self.valid is None:
            return np.ones(self.size, np.bool_)
        known: NDArray[np.bool_] = _array_of(self.valid) > MISSING
        return known

    def there(self) -> NDArray[np.bool_]:
        """Return which rows have a value: bool[n]."""
        import numpy as np

        known = self.known()
        if self.place is None:
            return known
        place = np.asarray(self.place)
        found = (place < 0) if self.other is not None else np.zeros(len(place), np.bool_)
        found[place >= 0] = known[place[place >= 0]]
        return found

    def laid(self, places: Any, n: int) -> Column:
        """Return the values in some of n rows, in order; the others have none."""
        import numpy as np

        if not self.is_array:
            place = np.full(n, -1)
            place[places] = np.arange(len(self))
            return self.lay(place)
        valid = np.zeros(n, np.bool_)
        valid[places] = self.known()
        if self.offsets is not None:
            sizes = np.zeros(n, np.int64)
            sizes[places] = np.diff(self.offsets)
            return replace(self, valid=valid, offsets=np.concatenate([[0], np.cumsum(sizes)]))
        values = np.zeros((n, *self.values.shape[1:]), self.values.dtype)
        values[places] = self.values
        return replace(self, values=values, valid=valid)

    @classmethod
    def joined(cls, columns: Sequence[Column]) -> Column:
        """Return arrays with the same words, or all without, one after the other."""
        import numpy as np

        first = columns[0]
        if len(columns) == 1:
            return first
        same = all(column.words == first.words for column in columns)
        values = np.concatenate([column.values if same else column.array() for column in columns])
        known = np.concatenate([column.known() for column in columns])
        offsets = None
        if first.offsets is not None:
            sizes = np.concatenate([np.diff(column.offsets) for column in columns])
            offsets = np.concatenate([[0], np.cumsum(sizes)])
        words, kind = (first.words, first.type) if same else (None, "string")
        return Column(values, words, None if known.all() else known, offsets, type=kind)

    def array(self) -> NDArray[Any]:
        """Return an array: NaN, None, False or 0 in rows without a value; of lists, an array of lists."""
        import numpy as np

        if self.offsets is not None:
            lists = self.to_list()
            return np.fromiter(lists, np.object_, len(lists))
        values: NDArray[Any] = self.values
        if self.words is not None:
            values = np.array([*self.words], np.object_)[values]
        if self.valid is None or self.valid.all():
            return values
        values = values.astype(np.object_) if values.dtype.kind in "UT" else values.copy()
        values[~self.valid] = TYPES[self._type()].empty
        return values

    def value(self, row: int) -> Any:
        """Return the value of one row of an array as Python has it; None if there is none."""
        if self.valid is not None and not self.valid[row]:
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
        if self._type() != "cells":
            return value.tolist()
        return "".join(SYMBOLS[cell] for cell in value) if value.any() else None

    def _settled(self) -> Column:
        """Return an array of cells or of texts, or more words than codes, as a class method makes them."""
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
        return replace(made, optional=self.optional, place=self.place, other=self.other)

    def _spelled(self) -> Texts:
        """Return words as texts."""
        import numpy as np

        text, first, last = _packed(self.words or ())
        codes = self.values if self.is_array else _array_of(self.values)
        starts, ends = np.asarray(first)[codes], np.asarray(last)[codes]
        return Texts(text, starts, np.where(self.known(), ends, starts))

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
        """Return a column of puzzles as their text, where each starts, the empty cell, and which are wide."""
        found: Cells = self._settled().values
        return found

    def at(self, rows: Any) -> Column:
        """Return the values of some rows, given as an array of numbers."""
        import numpy as np

        if self.place is None and self.type == "arrow":
            from unidoku.arrow import number_array

            return Column(self.values.take(number_array(np.ascontiguousarray(rows))), type="arrow")
        place = rows if self.place is None else np.asarray(self.place)[rows]
        return replace(self, place=np.ascontiguousarray(place, np.int64))

    def lay(self, place: Any, other: Column | None = None) -> Column:
        """Return a column with the rows of a `place`; where it is ``~k``, that is value k of `other`."""
        if place is None:
            return self
        if self.place is not None:  # which repeats values, and misses none
            import numpy as np

            place = np.asarray(place)
            mine = np.asarray(self.place)
            place = np.where(place < 0, place, mine[place] if len(mine) else place)
        return replace(self, place=place, other=other)

    def filled(self, value: Any, n: int) -> Column:
        """Return a column of the same type with one value for each of n rows."""
        if self.words is not None and value in self.words:
            return Column(bytes([self.words.index(value)]) * n, self.words, type=self.type)
        if self.type == "bool":
            return Column(bytes([value]) * n, type="bool")
        return Column.same(value, n) if isinstance(value, str) else Column.values_of([value] * n)

    def codes(self) -> bytes:
        """Return the number of the word of each row."""
        mine = bytes(_buffer(self.values))
        if self.place is None or self.other is None:
            return mine
        others = bytes(_buffer(self.other.values))
        return bytes(mine[k] if k >= 0 else others[~k] for k in self.place)

    def native(self) -> tuple[Any, ...]:
        """Return the column as `unidoku.native.text.render` takes it, after its name."""
        column = self._in_text()
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
            complete = () if column.complete is None else (column.complete,)
            buffers = (_buffer(values, _NATIVE[kind]), *complete)
        return (
            kind,
            column.size,
            buffers,
            None if states is None else _buffer(states),
            self.optional,
            self.place,
            None if self.other is None else self.other.native(),
        )

    def _in_text(self) -> Column:
        """Return Arrow values and numbers with a fraction as texts, and all others as they are."""
        if not self.is_array and self.type != "arrow":
            return self
        column = self._settled()
        if column.type == "arrow":
            texts, states = _texts_of_arrow(column.values)
        elif column.is_array and column.words is None and TYPES[column._type()].numpy == "float64":
            import numpy as np

            every = np.asarray(column.values, np.float64)
            known = np.isfinite(every) & column.known()
            # few different numbers become text once
            different, codes = np.unique(np.where(known, every, 0.0), return_inverse=True)
            text, starts, ends, _ = Column.values_of(different.tolist()).values
            starts, ends = np.asarray(starts)[codes], np.asarray(ends)[codes]
            texts = Texts(text, starts, np.where(known, ends, starts))
            states = known * np.uint8(JSON)
        else:
            return column
        return replace(column, values=texts, valid=states, type="string")

    def escaped(self, escape: Callable[[str], str]) -> Column:
        """Return the column with the texts of `other` escaped."""
        if self.other is None or not isinstance(self.other.values, Texts):
            return self
        values = [escape(value) if isinstance(value, str) else value for value in self.other.to_list()]
        return replace(self, other=Column.values_of(values))

    def as_texts(self, sample: Sequence[Any] | None = None) -> Column:
        """Return the values as texts, which may share the memory; JSON for all that is no text."""
        column = (self if self.place is None else self._in_rows())._in_text()
        if not isinstance(column.values, Texts) or column.place is not None:
            return Column.values_of(self.to_list()).as_texts(sample)
        text, starts, ends, _ = column.values
        return Column(Texts(text, starts, ends, sample), valid=column.valid)

    def to_list(self) -> list[Any]:
        """Return the values as Python has them; None where there is none."""
        mine = self._own_values()
        if self.place is None:
            return mine
        others = None if self.other is None else self.other.to_list()
        return [mine[k] if k >= 0 else None if others is None else others[~k] for k in map(int, self.place)]

    def _own_values(self) -> list[Any]:
        column = self._settled()
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
            found = _array_of(values, TYPES[column._type()].numpy).tolist()
        return _known(found, column.valid)

    def to_arrow(self, allocate: Allocate = None) -> Any:
        """Return an Arrow array.

        It shares the memory where that is possible; with `allocate` only grids do, and puzzles are in a
        buffer of it. What has a place is copied. A `FormatError` says that a value is of another type than
        those of the sample.
        """
        if self.place is None:
            return self._own_arrow(allocate)
        column = self._in_rows()
        found = column._own_arrow(None)
        if column.place is None:
            return found
        import numpy as np

        from unidoku.arrow import number_array

        pa = _pyarrow()
        place = np.asarray(self.place)
        missing = place < 0
        if self.other is None:
            return found.take(number_array(np.where(missing, 0, place), ~missing))
        added = self.other._own_arrow(None)
        added = added if added.type == found.type else added.cast(found.type)
        return pa.concat_arrays([found, added]).take(
            number_array(np.where(missing, len(found) + ~place, place))
        )

    def _in_rows(self) -> Column:
        """Return texts, words and numbers copied into their rows, and all others as they are.

        PyArrow can take rows of all, but would load 10 MB of code for it.
        """
        import numpy as np

        mine = replace(self, place=None, other=None)._as_strings()
        is_text, kind = isinstance(mine.values, Texts), ""
        nothing: Any
        if is_text:
            nothing = Texts(b"", np.zeros(1, np.int64), np.zeros(1, np.int64))
        elif mine.type == "arrow" or isinstance(mine.values, _FORMS) or mine._lists():
            return self
        else:
            kind = TYPES[mine._type()].numpy if mine.words is None else "uint8"
            nothing = np.zeros(1, kind)
        other = Column(nothing, mine.words, bytes(1), type=mine.type)
        if self.other is not None:
            other = self.other._as_strings()
        if is_text != isinstance(other.values, Texts) or mine.words != other.words:
            return self
        if not is_text and mine._type() != other._type():
            return self
        place = np.asarray(self.place)
        rows = np.where(place < 0, mine.size + (0 if self.other is None else ~place), place)
        states = np.concatenate([mine._states(), other._states()])[rows]
        if not is_text:
            values = np.concatenate([_array_of(mine.values, kind), _array_of(other.values, kind)])[rows]
            return Column(values, mine.words, states > MISSING, type=mine.type, optional=self.optional)
        text = np.frombuffer(mine.values.text, np.uint8)
        starts = np.append(mine.values.starts, np.asarray(other.values.starts) + len(text))[rows]
        ends = np.append(mine.values.ends, np.asarray(other.values.ends) + len(text))[rows]
        if self.other is not None:
            text = np.append(text, np.frombuffer(other.values.text, np.uint8))
        found = Texts(text, starts, ends, mine.values.sample)
        return Column(found, valid=states, type=mine.type, optional=self.optional)

    def _as_strings(self) -> Column:
        """Return puzzles, grids and words that are strings as texts, and all others as they are."""
        import numpy as np

        from unidoku.native.text.columns import gather

        column = self._settled()
        values, known = column.values, column.valid
        if column.words is not None and column.type != "words" and not column._lists():
            return Column(column._spelled(), valid=known)
        if isinstance(values, Cells) and not any(values.wide or ()):
            cells = np.empty(81 * len(values.starts), np.uint8)
            gather(values.text, values.starts, cells, values.zero)
            starts = np.arange(0, cells.size, 81)
            return Column(Texts(cells, starts, starts + 81), valid=known)
        if isinstance(values, Grids) and values.codes is None:
            cells = np.frombuffer(values.digits, np.uint8)
            known = cells[::81] > values.zero
            starts = np.arange(0, cells.size, 81)
            ends = starts + 81 * known
            return Column(Texts(cells if values.zero else cells | np.uint8(48), starts, ends), valid=known)
        return column

    def _states(self) -> NDArray[np.uint8]:
        """Return what each of its own values is."""
        import numpy as np

        return np.full(self.size, TEXT, np.uint8) if self.valid is None else _array_of(self.valid)

    def _own_arrow(self, allocate: Allocate) -> Any:
        import numpy as np

        from unidoku.arrow import list_array, number_array

        column = self._settled()
        values = column.values
        if column.type == "arrow":
            return values
        if isinstance(values, _FORMS):
            return values.to_arrow(column.valid, allocate)
        valid = _valid(column.valid)
        if lists := column._lists():
            return list_array(lists[1]._items_in_arrow(), lists[0], lists[2], valid)
        if column.type == "string" and valid is not None and not valid.any():
            return _pyarrow().nulls(column.size, _pyarrow().string())
        row = TYPES[column._type()]
        if column.words is not None and column.type != "words":
            return column._spelled().to_arrow(column.valid, allocate)
        if column.words is not None:
            codes = number_array(np.array(_array_of(values)).view(np.int8), valid)
            return _pyarrow().DictionaryArray.from_arrays(codes, _arrow_words(column.words))
        values = _array_of(values, row.numpy)
        return number_array(values if allocate is None else np.array(values), valid)

    def _items_in_arrow(self) -> Any:
        """Return the values of lists: words as a dictionary."""
        import numpy as np

        if self.words is None:
            return self.to_arrow()
        from unidoku.arrow import number_array

        codes = number_array(self.values.astype(np.int16))
        return _pyarrow().DictionaryArray.from_arrays(codes, _arrow_words(self.words))


def json_text(value: Any) -> str:
    """Return a value as JSON; one that is nested too deep is cut off."""
    if isinstance(value, int):  # faster for whole numbers, true and false
        return str(value).lower()
    from json import dumps  # not at the top: a check starts faster

    try:
        return dumps(value, default=str)
    except RecursionError:
        return '"…"'


def _pyarrow() -> Any:
    from unidoku.arrow import pyarrow

    return pyarrow()


def _buffer(values: Any, kind: str = "uint8") -> Any:
    """Return numbers as a buffer: as they are if they are one, otherwise as an array of a NumPy type."""
    if isinstance(values, _BUFFERS):
        return values
    import numpy as np

    return np.ascontiguousarray(values, kind)


def _array_of(values: Any, kind: str = "uint8") -> NDArray[Any]:
    """Return numbers as an array of a NumPy type, which shares their memory."""
    import numpy as np

    return np.frombuffer(_buffer(values, kind), kind)


def _known(values: list[Any], valid: Any) -> list[Any]:
    """Return the values, with None for those that are not valid."""
    if valid is None:
        return values
    return [value if is_valid else None for value, is_valid in zip(values, valid, strict=False)]


def _valid(states: Any) -> NDArray[np.bool_] | None:
    """Return which values are there: those that are texts or JSON."""
    if states is None:
        return None
    known = _array_of(states)
    valid: NDArray[np.bool_] = (known == TEXT) | (known == JSON)
    return valid


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
    packed = np.empty(int(offsets[-1]), np.uint8)
    pack(text, starts, ends, packed)
    view: Any = packed.data
    try:
        str(view, "utf-8")
    except UnicodeDecodeError:
        values = [str(view[s:e], "utf-8", "replace") for s, e in pairwise(offsets)]
        return pa.array(values, pa.string(), mask=None if valid is None else ~valid)
    small = offsets[-1] < 1 << 31
    places = pa.py_buffer(offsets.astype(np.int32) if small else offsets)
    kind = pa.string() if small else pa.large_string()
    return pa.Array.from_buffers(kind, n, [bits(valid), places, pa.py_buffer(packed)])


def _first_bytes(text: Any, starts: Any, ends: Any) -> Any:
    import numpy as np

    codes = np.append(np.frombuffer(text, np.uint8), 0)
    return codes[np.where(ends > starts, starts, -1)]


def _json_type(sample: Sequence[Any]) -> Any:
    """Return the Arrow type of JSON values; string for those of several types, which stay JSON."""
    pa = _pyarrow()
    try:
        kind = pa.array([value for value in sample if value is not NO_VALUE]).type
    except (pa.ArrowException, TypeError, OverflowError):
        return pa.string()
    if pa.types.is_list(kind) and pa.types.is_null(kind.value_type):
        return pa.list_(pa.string())
    return pa.string() if "null" in str(kind) or "struct<>" in str(kind) else kind


def _fits(value: Any, kind: Any) -> bool:
    """Whether nothing of a value is lost in an Arrow type: PyArrow leaves out names that it does not know."""
    pa = _pyarrow()
    if isinstance(value, dict):
        return bool(pa.types.is_struct(kind)) and all(
            kind.get_field_index(name) >= 0 and _fits(each, kind.field(name).type)
            for name, each in value.items()
        )
    if isinstance(value, list):
        return bool(pa.types.is_list(kind)) and all(_fits(each, kind.value_type) for each in value)
    return value is None or not pa.types.is_nested(kind)


def _texts_of_arrow(values: Any) -> tuple[Texts, Any]:
    """Return an Arrow array as texts: strings, and JSON for all that it has; and what each is."""
    import numpy as np

    pa = _pyarrow()
    compute = import_module("pyarrow.compute")
    if isinstance(values, pa.ExtensionArray):
        values = values.storage
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
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
            parts = [None if value is None else str(value) for value in values.to_pylist()]
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
