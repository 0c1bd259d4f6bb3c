"""A column: the values of n rows, and what they are as text, in Arrow and in Python.

Nothing else converts values. A column shares the memory of what it is made of, and is not changed. NumPy and
PyArrow are imported only for what needs them, so that a check of text starts fast.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
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

MOST_WORDS = 256
"""The most words of a column: the number of a word is one byte."""

_WHOLE = ("signed", "unsigned", "flags", "floats")


class Texts(NamedTuple):
    """Texts: value ``i`` is ``text[starts[i]:ends[i]]`` in UTF-8; `states`, if not None, says what it is."""

    text: Any
    starts: Any
    ends: Any
    states: Any = None


NO_VALUE = object()
"""Stands for the value of a name that a JSON object does not have."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Column:
    """A value for each of n rows.

    A task returns one where an array alone is not enough: ``Column(values, words, valid, offsets)``. All
    others are made by the class methods.

    Attributes
    ----------
    values : array [n], or [n, 81] for cells
    words : tuple of str, optional
        The texts that the values are codes of.
    valid : bool[n], optional
        Which rows have a value; by default all have one. Of texts, uint8[n]: what each is (`MISSING`,
        `TEXT`, `JSON`, `ABSENT`).
    offsets : int64[n + 1], optional
        Each row has a list: the values from ``offsets[i]`` to ``offsets[i + 1]``.
    kind : str
        ``array``, or how `buffers` have the values: numbers (``signed``, ``unsigned``, ``floats``), truth
        values (``flags``), the numbers of ``words``, ``texts``, puzzles in a text (``cells``), 81 digits a
        row (``grids``), ``lists`` of another column's values, the ``same`` text for all, ``nothing``, or an
        ``arrow`` array.
    length : int
        How many values there are.
    type : str
        The Arrow type; ``words`` for a dictionary, ``json`` for that of the values.
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
    kind: str = "array"
    buffers: tuple[Any, ...] = ()
    length: int = -1
    type: str = "string"
    optional: bool = False
    place: Any = None
    other: Column | None = None

    def __post_init__(self) -> None:
        if self.length < 0:
            length = len(self.values) if self.offsets is None else len(self.offsets) - 1
            object.__setattr__(self, "length", length)

    @classmethod
    def _made(cls, kind: str, buffers: tuple[Any, ...], length: int, **more: Any) -> Column:
        return cls(None, kind=kind, buffers=buffers, length=length, **more)

    @classmethod
    def numbers(cls, values: Any, type: str, known: Any = None, complete: Any = None) -> Column:
        """Return numbers or truth values of an Arrow type; rows that are not `known` have no value.

        Numbers that are not `complete` are lower bounds, which text shows.
        """
        kind = {"b": "flags", "u": "unsigned", "f": "floats", "d": "floats"}.get(type[0], "signed")
        more = () if complete is None else (complete,)
        name = {"float64": "double", "float32": "float"}.get(type, type)
        return cls._made(kind, (values, *more), len(values), type=name, valid=known)

    @classmethod
    def coded(cls, codes: Any, words: Sequence[str], known: Any = None, type: str = "words") -> Column:
        """Return words by their numbers, uint8[n]; rows that are not `known` have no value."""
        return cls._made("words", (codes, tuple(words)), len(codes), type=type, valid=known)

    @classmethod
    def texts(cls, text: Any, starts: Any, ends: Any, states: Any = None, type: str = "string") -> Column:
        """Return UTF-8 texts in one buffer; for other types than ``string``, an empty text is no value."""
        return cls._made("texts", (text, starts, ends), len(starts), type=type, valid=states)

    @classmethod
    def values_of(cls, values: Iterable[Any], *, optional: bool = False) -> Column:
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
        type = "json" if states.count(JSON) else "string"
        buffers = b"".join(parts), places[:-1], places[1:]
        return cls._made(
            "texts", buffers, len(parts), type=type, valid=None if plain else states, optional=optional
        )

    @classmethod
    def json(cls, texts: Texts, sample: Sequence[Any]) -> Column:
        """Return values of JSON; their Arrow type is that of the `sample`, which Python has decoded."""
        text, starts, ends, states = texts
        return cls._made("texts", (text, starts, ends, sample), len(starts), type="json", valid=states)

    @classmethod
    def cells(cls, text: Any, starts: Any, zero: int = 48, wide: Any = None) -> Column:
        """Return puzzles in a text; those that are `wide`, uint8[n], have 729 characters."""
        return cls._made("cells", (text, starts, zero, wide), len(starts))

    @classmethod
    def cells_of(cls, cells: Any, known: Any = None) -> Column:
        """Return puzzles of an array of cells 0 to 9: uint8[n, 81]."""
        import numpy as np

        whole = np.ascontiguousarray(cells, np.uint8).reshape(-1)
        starts = np.arange(0, whole.size, 81, dtype=np.int64)
        return cls._made("cells", (whole, starts, 0, None), len(starts), valid=known)

    @classmethod
    def grids(
        cls, digits: Any, n: int, zero: int = 48, words: tuple[Any, Sequence[str]] | None = None
    ) -> Column:
        """Return n grids of 81 digits; a row of zeros has no grid, but may have a word in its place."""
        more = () if words is None else (words[0], tuple(words[1]))
        return cls._made("grids", (digits, zero, *more), n)

    @classmethod
    def same(cls, text: str, n: int) -> Column:
        """Return one text for all rows."""
        return cls._made("same", (text.encode("utf-8", "backslashreplace"),), n)

    @classmethod
    def nothing(cls, n: int, *, optional: bool = False) -> Column:
        """Return a column without values."""
        return cls._made("nothing", (), n, optional=optional)

    @classmethod
    def reasons(cls, reasons: Mapping[int, str], n: int) -> Column:
        """Return the reasons of some of n rows."""
        if not reasons:
            return cls.nothing(n)
        import numpy as np

        place = np.full(n, -1)
        place[list(reasons)] = np.arange(len(reasons))
        return cls.values_of(reasons.values()).lay(place)

    @classmethod
    def arrow(cls, values: Any) -> Column:
        """Return an Arrow array as a column."""
        return cls._made("arrow", (values,), len(values), type=str(values.type))

    def __len__(self) -> int:
        return self.length if self.place is None else len(self.place)

    def as_array(self, kind: str) -> Column:
        """Return the values of one of the types of a task's columns as an array."""
        if self.kind == "array" and self.place is None:
            return self
        import numpy as np

        values = self.to_list()
        valid = np.array([value is not None for value in values], np.bool_)
        known = None if valid.all() else valid
        if kind == "cells":
            rows = (value or "." * 81 for value in values)
            digits = np.frombuffer("".join(rows).replace(".", "0").encode(), np.uint8)
            return Column(digits.reshape(-1, 81) - np.uint8(48), valid=known)
        if kind in ("string", "words"):
            texts = np.empty(len(values), np.object_)
            texts[:] = values
            return Column(texts, valid=known)
        numbers = [0 if value is None else value for value in values]
        return Column(np.array(numbers, {"double": "float64"}.get(kind, kind)), valid=known)

    def known(self) -> NDArray[np.bool_]:
        """Return which of its own values are there, before they are laid into rows: bool[n]."""
        import numpy as np

        return np.ones(self.length, np.bool_) if self.valid is None else self.valid

    def there(self) -> NDArray[np.bool_]:
        """Return which rows have a value: bool[n]."""
        import numpy as np

        known = np.asarray(self.known(), np.bool_)
        if self.place is None:
            return known
        place = np.asarray(self.place)
        found = (place < 0) if self.other is not None else np.zeros(len(place), np.bool_)
        found[place >= 0] = known[place[place >= 0]]
        return found

    def laid(self, places: Any, n: int) -> Column:
        """Return the values in some of n rows, in order; the others have none."""
        import numpy as np

        if self.kind != "array":
            place = np.full(n, -1)
            place[places] = np.arange(len(self))
            return self.lay(place)
        valid = np.zeros(n, np.bool_)
        valid[places] = self.known()
        if self.offsets is not None:
            sizes = np.zeros(n, np.int64)
            sizes[places] = np.diff(self.offsets)
            return Column(self.values, self.words, valid, np.concatenate([[0], np.cumsum(sizes)]))
        values = np.zeros((n, *self.values.shape[1:]), self.values.dtype)
        values[places] = self.values
        return Column(values, self.words, valid)

    @classmethod
    def joined(cls, columns: Sequence[Column]) -> Column:
        """Return arrays with the same words, or all without, one after the other."""
        import numpy as np

        if len(columns) == 1:
            return columns[0]
        words = columns[0].words
        same = all(column.words == words for column in columns)
        values = np.concatenate([column.values if same else column.array() for column in columns])
        known = np.concatenate([column.known() for column in columns])
        offsets = None
        if columns[0].offsets is not None:
            sizes = np.concatenate([np.diff(column.offsets) for column in columns])
            offsets = np.concatenate([[0], np.cumsum(sizes)])
        return Column(values, words if same else None, None if known.all() else known, offsets)

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
        kind = values.dtype.kind
        empty = np.nan if kind == "f" else None if kind in "OUT" else 0
        values = values.astype(np.object_) if kind in "UT" else values.copy()
        values[~self.valid] = empty
        return values

    def value(self, row: int) -> Any:
        """Return the value of one row of an array as Python has it; None if there is none."""
        if self.valid is not None and not self.valid[row]:
            return None
        if self.offsets is not None:
            return Column(self.values[self.offsets[row] : self.offsets[row + 1]], self.words).to_list()
        value = self.values[row]
        if self.words is not None:
            return self.words[value]
        if getattr(value, "ndim", 0) and value.dtype.itemsize > 1:
            return value.tolist()
        if getattr(value, "ndim", 0):
            return "".join(SYMBOLS[cell] for cell in value) if value.any() else None
        return value.item() if hasattr(value, "item") else value

    def _settled(self) -> Column:
        """Return an array in the kind that its values have."""
        if self.kind != "array":
            return self
        import numpy as np

        values, known = self.values, self.valid
        if self.offsets is not None:
            items = Column(values, self.words)
            made = Column._made("lists", (self.offsets, items, 0), self.length, valid=known)
        elif self.words is not None and len(self.words) <= MOST_WORDS:
            made = Column.coded(values.astype(np.uint8), self.words, known, type=self.type)
        elif self.words is not None:
            text, starts, ends = _packed(self.words)
            starts, ends = (np.asarray(each)[values] for each in (starts, ends))
            made = Column.texts(text, starts, ends, None if known is None else known * np.uint8(TEXT))
        elif values.ndim == 2 and values.dtype.itemsize > 1:
            width = values.shape[1]
            offsets = np.arange(0, values.size + 1, width, dtype=np.int64)
            items = Column(np.ascontiguousarray(values).reshape(-1))
            made = Column._made("lists", (offsets, items, width), self.length, valid=known)
        elif values.ndim == 2:
            made = Column.cells_of(values, known)
        elif values.dtype.kind in "biuf":
            made = Column.numbers(values, str(values.dtype), known)
        else:
            made = Column.values_of(None if each is None else str(each) for each in self.array().tolist())
        return replace(made, optional=self.optional, place=self.place, other=self.other)

    def puzzles(self) -> tuple[Any, Any, int, Any]:
        """Return a column of puzzles as their text, where each starts, the empty cell, and which are wide."""
        found: tuple[Any, Any, int, Any] = self._settled().buffers
        return found

    def at(self, rows: Any) -> Column:
        """Return the values of some rows, given as an array of numbers."""
        import numpy as np

        if self.place is None and self.kind == "arrow":
            from unidoku.arrow import number_array

            return Column.arrow(self.buffers[0].take(number_array(np.ascontiguousarray(rows))))
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
        """Return a column of the same kind with one value for each of n rows."""
        if self.kind == "words":
            code = self.buffers[1].index(value)
            return Column.coded(bytes([code]) * n, self.buffers[1], type=self.type)
        if self.kind == "flags":
            return Column.numbers(bytes([value]) * n, "bool")
        return Column.same(value, n)

    def codes(self) -> bytes:
        """Return the number of the word of each row."""
        mine = bytes(memoryview(self.buffers[0])[: self.length])
        if self.place is None or self.other is None:
            return mine
        others = bytes(memoryview(self.other.buffers[0])[: self.other.length])
        return bytes(mine[k] if k >= 0 else others[~k] for k in self.place)

    def native(self) -> tuple[Any, ...]:
        """Return the column as `unidoku.native.text.render` takes it, after its name."""
        column = self._in_text()
        kind = column.kind
        buffers: Any = column.buffers
        if kind == "words":
            buffers = (buffers[0], *_packed(buffers[1]))
        elif kind == "grids" and len(buffers) > 2:
            buffers = (*buffers[:3], *_packed(buffers[3]))
        elif kind in _WHOLE:
            buffers = (_whole(kind, buffers[0]), *buffers[1:])
        elif kind == "lists":
            buffers = (buffers[0], buffers[1].native())
        raw = kind in ("texts", "words") and column.type not in ("string", "words", "json")
        states = column.valid
        if raw and kind == "texts" and states is None:
            states = bytes(map(int.__ne__, buffers[1], buffers[2]))
        return (
            kind,
            column.length,
            buffers[:3] if kind == "texts" else buffers,
            None if states is None else _bytes(states),
            raw,
            self.optional,
            self.place,
            None if self.other is None else self.other.native(),
        )

    def escaped(self, escape: Callable[[str], str]) -> Column:
        """Return the column with the texts of `other` escaped."""
        if self.other is None or self.other.kind != "texts":
            return self
        values = [escape(value) if isinstance(value, str) else value for value in self.other.to_list()]
        return replace(self, other=Column.values_of(values))

    def as_texts(self) -> Texts:
        """Return the values as texts, which may share the memory; JSON for all that is no text."""
        column = self._in_text()
        if column.kind != "texts" or (self.other is not None and self.place is not None):
            return Column.values_of(self.to_list()).as_texts()
        text, starts, ends = column.buffers[:3]
        states = column.valid
        if self.place is not None:
            import numpy as np

            rows = np.maximum(np.asarray(self.place), -1)
            starts, ends = (np.where(rows < 0, 0, np.append(each, 0)[rows]) for each in (starts, ends))
            states = np.ones(column.length, np.uint8) if states is None else np.frombuffer(states, np.uint8)
            states = np.where(rows < 0, MISSING, np.append(states, 0)[rows])
        return Texts(text, starts, ends, states)

    def to_list(self) -> list[Any]:
        """Return the values as Python has them; None where there is none."""
        if self.place is not None:
            mine, others = self._own_values(), self.other.to_list() if self.other is not None else None
            return [
                mine[k] if k >= 0 else None if others is None else others[~k] for k in map(int, self.place)
            ]
        return self._own_values()

    def _own_values(self) -> list[Any]:
        if self.kind == "array":
            return self._settled()._own_values()
        if self.kind == "arrow":
            found = self.buffers[0].to_pylist()
        elif self.kind == "nothing":
            found = [None] * self.length
        elif self.kind == "same":
            found = [self.buffers[0].decode()] * self.length
        elif self.kind == "words":
            codes, words = self.buffers
            found = [words[code] for code in codes[: self.length]]
            if self.type not in ("string", "words"):
                from json import loads

                found = [loads(word) if word else None for word in found]
        elif self.kind == "grids":
            digits, zero = memoryview(self.buffers[0]).cast("B"), self.buffers[1]
            rows = (bytes(digits[at : at + 81]) for at in range(0, 81 * self.length, 81))
            found = [bytes(d - zero + 48 for d in row).decode() if row[0] else None for row in rows]
            if len(self.buffers) > 2:
                codes, words = self.buffers[2:]
                found = [value or words[code] for value, code in zip(found, codes, strict=False)]
        elif self.kind == "cells":
            found = list(self._puzzles())
        elif self.kind == "lists":
            items = self.buffers[1].to_list()
            found = [items[begin:end] for begin, end in pairwise(map(int, self.buffers[0]))]
        elif self.kind == "texts":
            found = [self._text(k) for k in range(self.length)]
        else:
            whole = _whole(self.kind, self.buffers[0])[: self.length]
            found = whole.tolist() if hasattr(whole, "tolist") else list(whole)
            found = [bool(value) for value in found] if self.kind == "flags" else found
        if self.valid is not None and self.kind != "texts":
            found = [value if state else None for value, state in zip(found, self.valid, strict=False)]
        return list(found)

    def _puzzles(self) -> Iterable[str]:
        text, starts, zero, wide = self.buffers
        text = memoryview(text).cast("B")
        symbols = bytes(byte - zero + 48 if 0 < byte - zero < 10 else 46 for byte in range(256))
        for k in range(self.length):
            width = 729 if wide is not None and wide[k] else 81
            yield bytes(text[starts[k] : starts[k] + width]).translate(symbols).decode("ascii")

    def _text(self, k: int) -> Any:
        state = TEXT if self.valid is None else self.valid[k]
        text, starts, ends = self.buffers[:3]
        value = bytes(text[starts[k] : ends[k]]).decode("utf-8", "replace")
        if self.type in ("string", "json") and state != JSON:
            return value if state == TEXT else None
        from json import loads

        return loads(value) if value and state else None

    def _in_text(self) -> Column:
        """Return Arrow values and numbers with a fraction as texts, and all others as they are."""
        if self.kind == "array":
            return self._settled()._in_text()
        if self.kind == "arrow":
            texts = _texts_of_arrow(self.buffers[0])
        elif self.kind == "floats":
            import numpy as np

            every = np.asarray(self.buffers[0], np.float64)
            known = np.isfinite(every)
            if self.valid is not None:
                known &= np.asarray(self.valid) > 0
            # few different numbers become text once
            different, codes = np.unique(np.where(known, every, 0.0), return_inverse=True)
            text, starts, ends, _ = Column.values_of(different.tolist()).as_texts()
            starts, ends = np.asarray(starts)[codes], np.asarray(ends)[codes]
            texts = Texts(text, starts, np.where(known, ends, starts), known * np.uint8(JSON))
        else:
            return self
        return replace(self, kind="texts", buffers=texts[:3], valid=texts.states, type="json")

    def to_arrow(self, allocate: Callable[[int], Any] | None = None) -> Any:
        """Return an Arrow array.

        It shares the memory where that is possible; with `allocate` only grids do, and puzzles are in a
        buffer of it. A `FormatError` says that a value is of another type than those of the sample.
        """
        found = self._own_arrow(allocate)
        if self.place is None:
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

    def _own_arrow(self, allocate: Callable[[int], Any] | None) -> Any:
        import numpy as np

        from unidoku.arrow import grid_array, list_array, number_array
        from unidoku.native.text.columns import gather

        pa = _pyarrow()
        n, kind, buffers = self.length, self.kind, self.buffers
        if kind == "array":
            return self._settled()._own_arrow(allocate)
        if kind == "arrow":
            return buffers[0]
        if kind == "nothing":
            return pa.nulls(n, pa.string() if self.type in ("words", "json") else self.type)
        if kind == "same":
            return pa.repeat(buffers[0].decode(), n)
        valid = None
        if self.valid is not None:
            states = np.frombuffer(_bytes(self.valid), np.uint8, n)
            valid = (states == TEXT) | (states == JSON)
        if kind == "texts":
            return self._arrow_of_texts(valid)
        if kind == "lists":
            offsets, items, width = buffers
            return list_array(items._items_in_arrow(), offsets, width, valid)
        if kind == "words":
            codes = np.array(np.frombuffer(_bytes(buffers[0]), np.uint8, n))
            words = _arrow_words(buffers[1])
            if self.type != "words":
                words = words if self.type == "string" else _not_empty(words).cast(self.type)
                return words.take(number_array(codes, valid))
            return pa.DictionaryArray.from_arrays(number_array(codes.view(np.int8), valid), words)
        if kind == "cells":
            text, starts, zero, wide = buffers
            if wide is not None and any(wide):
                return pa.array(list(self._puzzles()), pa.string())
            rows = np.frombuffer((allocate or bytearray)(81 * n), np.uint8, 81 * n)
            gather(text, starts, rows, zero)
            return grid_array(rows, valid)
        if kind == "grids":
            rows = np.frombuffer(buffers[0], np.uint8, 81 * n)
            has = rows[::81] > buffers[1]
            return grid_array(rows if buffers[1] else rows | np.uint8(48), has)
        values = buffers[0] if isinstance(buffers[0], np.ndarray) else _whole(kind, buffers[0])
        values = (
            np.frombuffer(values, np.uint8) if isinstance(values, bytes) else np.ascontiguousarray(values)
        )
        values = values[:n]
        values = values.view(np.bool_) if kind == "flags" else values
        found = number_array(values if allocate is None else np.array(values), valid)
        return found if found.type == self.type else found.cast(self.type)

    def _items_in_arrow(self) -> Any:
        """Return the values of lists: words as a dictionary."""
        import numpy as np

        if self.words is None:
            return self.to_arrow()
        from unidoku.arrow import number_array

        codes = number_array(self.values.astype(np.int16))
        return _pyarrow().DictionaryArray.from_arrays(codes, _arrow_words(self.words))

    def _arrow_of_texts(self, valid: Any) -> Any:
        """Return texts as strings, or as the type that they have in JSON."""
        import numpy as np

        pa = _pyarrow()
        text, starts, ends = self.buffers[:3]
        starts, ends = np.asarray(starts, np.int64)[: self.length], np.asarray(ends, np.int64)[: self.length]
        if self.type not in ("string", "json") and valid is None:
            valid = ends > starts
        strings = _strings(text, starts, ends, valid)
        if self.type == "string":
            return strings
        if self.type != "json":
            return strings.cast(self.type)
        kind = _json_type(self.buffers[3]) if len(self.buffers) > 3 else pa.string()
        if pa.types.is_string(kind):
            return strings
        states = np.frombuffer(_bytes(self.valid), np.uint8, self.length)
        wrong = states == TEXT
        if pa.types.is_boolean(kind):
            wrong |= (states == JSON) & ~np.isin(_first_bytes(text, starts, ends), [102, 116])
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


def _compute() -> Any:
    """PyArrow's functions on columns, which have no types."""
    from pyarrow import compute  # type: ignore[import-untyped, import-not-found, unused-ignore]

    return compute


def _bytes(values: Any) -> Any:
    """Return truth values or small numbers as bytes."""
    if isinstance(values, bytes | bytearray | memoryview):
        return values
    import numpy as np

    return np.ascontiguousarray(values, np.uint8)


def _whole(kind: str, values: Any) -> Any:
    """Return numbers with as many bytes as native code takes."""
    if isinstance(values, memoryview | array | bytes | bytearray):
        return values
    import numpy as np

    types = {"signed": np.int64, "unsigned": np.uint64, "flags": np.uint8, "floats": np.float64}
    return np.ascontiguousarray(values, types[kind])


@lru_cache(maxsize=64)
def _packed(words: tuple[str, ...]) -> tuple[bytes, array[int], array[int]]:
    """Return words as one text, and where each begins and ends in it."""
    parts = [word.encode() for word in words]
    places = array("q", accumulate(map(len, parts), initial=0))
    return b"".join(parts), places[:-1], places[1:]


@lru_cache(maxsize=64)
def _arrow_words(words: tuple[str, ...]) -> Any:
    # PyArrow imports pandas, 40 MB, for each array that it makes of Python objects or of NumPy arrays.
    import numpy as np

    text, starts, ends = _packed(words)
    return _strings(text, np.asarray(starts), np.asarray(ends), None)


def _not_empty(strings: Any) -> Any:
    """Return strings with null in place of empty ones."""
    compute = _compute()
    return compute.if_else(compute.equal(strings, ""), None, strings)


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


def _texts_of_arrow(values: Any) -> Texts:
    """Return an Arrow array as texts: strings, and JSON for all that it has."""
    import numpy as np

    pa = _pyarrow()
    compute = _compute()
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
    return Texts(content, starts, ends, states)
