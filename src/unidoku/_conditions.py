"""Conditions on rows, by columns: how they are written, and which values fulfil them.

``er=7-9,technique=x-wing`` has two, which must both hold.  A value is a word, a number, a range of numbers
(``9.5-`` has no end) or a comparison (``er<7``); several values of a column are separated by commas, as in
``verdict=none,multiple``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from math import ceil, floor, inf
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

from unidoku._arguments import choices_near, wrong_type
from unidoku._compat import cached_property, np
from unidoku.errors import ArgumentError, Message, UnidokuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._columns import ColumnSpec

_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?"
_MONTH = r"[0-9]{4}-[0-9]{2}\Z"  # a word: as a range it has no number
_RANGE = re.compile(rf"(?!{_MONTH})(?:([<>]=?) *({_NUMBER})|({_NUMBER})(?:(-)({_NUMBER})?)?)")
_ITEM = re.compile(rf"([^=<>!≤≥≠]+?) *(?:(<=|>=|=<|=>|[<>≤≥]) *({_NUMBER})|==?(.*))", re.DOTALL)
_SIGNS = {"=<": "<=", "≤": "<=", "=>": ">=", "≥": ">="}  # others as they are
_READS_AS_NUMBER = re.compile(rb" *([-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?) *")

_PLAIN = bytes(range(256)).lower().translate(bytes.maketrans(b"-_", b"  "))
_BLANK = 32
_MOST_BLANKS = 8  # blanks and hyphens in a text that is compared with a word

ConditionsLike: TypeAlias = "str | Mapping[str, Any] | Iterable[Condition]"
"""A text, as for ``--where``; or a dict of columns with a value, a (low, high) tuple, or a list of values."""


class Range(NamedTuple):
    """The lowest and the highest number, perhaps infinite, and whether finite ends are excluded."""

    low: float
    high: float
    is_open: bool = False

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"

    def has(self, value: Any) -> Any:
        """Return whether a number, or which of an array, is in the range."""
        if not self.is_open:
            return (self.low <= value) & (value <= self.high)
        if self.high == inf:
            return value > self.low
        return value < self.high

    def refuse_reversed(self, name: str, numbers: str) -> None:
        """Refuse a range whose first number is the higher one."""
        if self.low > self.high:
            text = "{name}: the range {numbers} ends before it begins; write the lower number first"
            raise ArgumentError(Message(text, name=name, numbers=numbers))


@dataclass(frozen=True)
class Condition:
    """A column, and the values that select a row.

    Letter case does not matter, nor whether a word has hyphens or blanks.  A text that reads as a number
    fulfils a number and a range as the number does.  A row without a value fulfils nothing.
    """

    column: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        has_sign = any(word[:1] in {"<", ">"} and _RANGE.fullmatch(word) for word in self.words[:1])
        return f"{self.column}{self.value}" if has_sign else f"{self.column}={self.value}"

    @property
    def value(self) -> str:
        """The values as text."""
        return ",".join(self.words)

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """The numbers of each value that is a number, a range or a comparison."""
        return tuple(map(_range_of, filter(None, map(_RANGE.fullmatch, self.words))))

    def number_range(self, unit: float) -> tuple[float, float | None]:
        """Return the ends of the only range in steps of a unit, the upper one None if it has none."""
        if len(self.words) > 1 or not self.ranges:
            raise self._no_range()
        self.refuse_negative()
        low, high, is_open = self.ranges[0]
        if is_open:
            if low > -inf:
                low = round((floor(round(low / unit, 6)) + 1) * unit, 6)
            if high < inf:
                high = round((ceil(round(high / unit, 6)) - 1) * unit, 6)
        return max(low, 0), None if high == inf else high

    def _no_range(self) -> UnidokuError:
        """Return the error about a value that is neither a number nor a range."""
        text = "{column}: {value} is not a number; write a number, or a range such as 7-9 or <=9"
        return ArgumentError(Message(text, column=self.column, value=repr(self.value)))

    def refuse_negative(self) -> None:
        """Refuse a condition that only numbers below 0 meet: ``-25`` may be meant as at most 25."""
        if any(low <= high < 0 for low, high, _ in self.ranges):
            raise self._no_range()

    def check(self, column: ColumnSpec) -> Condition:
        """Check the values for a column of a task; return the condition with the words that it has."""
        kind, words = column.type, column.words
        if "[" in kind:
            raise ArgumentError(
                Message("{column} contains lists; choose rows by another column", column=self.column)
            )
        if callable(words):
            return Condition(self.column, (*dict.fromkeys(chain.from_iterable(map(words, self.words))),))
        if words:
            return Condition(self.column, tuple(_word_of(word, self.column, words) for word in self.words))
        if kind == "bool" and not {word.lower() for word in self.words} <= {"true", "false"}:
            text = "{column}: {value} is neither true nor false; write one of them"
            raise ArgumentError(Message(text, column=self.column, value=repr(self.value)))
        if kind not in {"bool", "string", "words", "cells"}:
            if len(self.ranges) < len(self.words):
                raise self._no_range()
            if not column.is_signed:
                self.refuse_negative()
        return self

    def refuse_reversed(self) -> None:
        """Refuse reversed ranges, whatever the rows have; a month is a word."""
        for each in self.ranges:
            each.refuse_reversed(self.column, Message("{low} to {high}", low=each.low, high=each.high))

    def has(self, value: object) -> bool:
        """Return whether a value fulfils it; None does not."""
        if isinstance(value, str):
            return value in self.words
        return value is not None and any(each.has(value) for each in self.ranges)

    def of_numbers(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which numbers or truth values fulfil it: bool[n]."""
        if values.dtype == np.bool_:
            accepted = [word.lower() == "true" for word in self.words]
            return np.isin(values, accepted)
        fits = np.zeros(len(values), np.bool_)
        with np.errstate(over="ignore"):  # a bound beyond the largest number of a type is infinite
            for each in self.ranges:
                fits |= each.has(values)
        return fits

    def of_texts(self, text: Any, starts: NDArray[Any], ends: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which texts ``text[starts[i]:ends[i]]`` fulfil it: bool[n]."""
        buffer, plain = np.frombuffer(text, np.uint8), np.frombuffer(_PLAIN, np.uint8)
        fits, sizes = np.zeros(len(starts), np.bool_), ends - starts
        for word in self.words:
            letters = np.frombuffer(_plain(word), np.uint8)
            has_blanks = _BLANK in letters
            for size in range(letters.size, letters.size + _MOST_BLANKS + 1):
                rows = np.flatnonzero(sizes == size)
                texts = plain[buffer[starts[rows, None] + np.arange(size)]]
                signs = (texts != _BLANK) | has_blanks
                same = signs.sum(axis=1) == letters.size
                found = texts[same][signs[same]].reshape(-1, letters.size)
                fits[rows[same]] |= (found == letters).all(axis=1)
        if self.ranges:
            content = memoryview(text).cast("B")
            for row in np.flatnonzero(~fits & (sizes > 0) & (sizes < 32)).tolist():
                number = _READS_AS_NUMBER.fullmatch(content[starts[row] : ends[row]])
                if number is not None:
                    value = _number(number[1].decode())
                    fits[row] = any(each.has(value) for each in self.ranges)
        return fits


def conditions_of(value: ConditionsLike) -> tuple[Condition, ...]:
    """Return the conditions of a text or a dict.

    Examples
    --------
    >>> [str(condition) for condition in conditions_of({"er": (7, 9), "verdict": ["none", "multiple"]})]
    ['er=7-9', 'verdict=none,multiple']
    """
    if isinstance(value, str):
        conditions = _parse(value)
    elif isinstance(value, Mapping):
        conditions = [Condition(str(name), (*_words_of(values),)) for name, values in value.items()]
    else:
        conditions = [*value]
        if not all(isinstance(condition, Condition) for condition in conditions):
            raise wrong_type("conditions", "a text or a dict", value)
    for condition in conditions:
        if "" in (condition.column, *condition.words) or not condition.words:
            raise _not_a_condition(str(condition))
        condition.refuse_reversed()
    if len({condition.column for condition in conditions}) < len(conditions):
        raise ArgumentError(
            Message(
                "{text} names a column twice; write all its values after one =", text=repr(str(value)[:40])
            )
        )
    return tuple(conditions)


def spelled_out(conditions: Iterable[Condition], columns: Mapping[str, ColumnSpec]) -> tuple[Condition, ...]:
    """Return conditions in which a word is replaced by the conditions in `columns`."""
    spelled: list[Condition] = []
    for condition in conditions:
        if condition.column in columns:
            known = columns[condition.column].conditions
        else:
            known = {}
        found = next(filter(known.__contains__, map(str.lower, condition.words)), None)
        if found is None:
            spelled.append(condition)
        elif len(condition.words) > 1:
            text = "{word} cannot be combined with other words; it means {conditions}"
            raise ArgumentError(Message(text, word=f"{condition.column}={found}", conditions=known[found]))
        else:
            spelled += conditions_of(known[found])
    return tuple(spelled)


def _parse(text: str) -> list[Condition]:
    """Return the conditions of a text; one with commas in a value is quoted as in CSV."""
    import csv  # not at the top: it is needed seldom

    items: list[list[str]] = []
    for item in next(csv.reader([text], skipinitialspace=True), []):
        match = _ITEM.fullmatch(item.strip())
        if match:
            name, sign, number, word = match.groups()
            value = word.strip() if sign is None else _SIGNS.get(sign, sign) + number
            items.append([name.strip(), value])
        elif not items or "!=" in item or "≠" in item:
            raise _not_a_condition(item)
        else:
            items[-1].append(item.strip())
    if not items:
        raise _not_a_condition(text)
    return [Condition(name, tuple(words)) for name, *words in items]


def _range_of(match: re.Match[str]) -> Range:
    """Return the range of a value."""
    sign, end, low, dash, high = match.groups()
    if sign is None:
        if dash and not high:
            return Range(_number(low), inf)
        return Range(_number(low), _number(high or low))
    number = _number(end)
    ends = (-inf, number) if sign[0] == "<" else (number, inf)
    return Range(*ends, is_open=len(sign) == 1)


def _not_a_condition(text: str) -> UnidokuError:
    """Return the error for a text that is not a condition."""
    message = (
        "{text} is not a condition; write a column, =, < or > and values, such as er=7-9 or "
        "difficulty=medium,hard"
    )
    return ArgumentError(Message(message, text=repr(text[:40])))


def _words_of(values: Any) -> Iterable[str]:
    """Yield the values of a condition from Python as words."""
    if isinstance(values, bool):
        yield str(values).lower()
    elif isinstance(values, tuple) and len(values) == 2 and all(map(_is_bound, values)):
        low, high = values
        end = "" if high in (None, inf) else _text_of(high)
        yield f"{_text_of(low)}-{end}"
    elif isinstance(values, bytes | slice | Mapping):
        raise wrong_type("a value of a condition", "a text, a number, a (low, high) tuple or a list", values)
    elif isinstance(values, Iterable) and not isinstance(values, str):
        for value in values:
            yield from _words_of(value)
    else:
        yield _text_of(values)


def _text_of(value: Any) -> str:
    """Return a value as it is typed: a number without an exponent."""
    if value is None or not _is_bound(value):
        return str(value)
    from decimal import Decimal  # not at the top: it is needed seldom

    return f"{Decimal(str(value)):f}"


def _is_bound(value: Any) -> bool:
    """Return whether a value is a number, of Python or of NumPy, or None for no bound; no truth value is."""
    if type(value) in {int, float, NoneType}:
        return True
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return kind in ("i", "u", "f") and value.ndim == 0


def _word_of(word: str, column: str, words: Mapping[str, str]) -> str:
    """Return the word of a column that is meant."""
    name = {_plain(key): name for key, name in words.items()}.get(_plain(word))
    if name is None:
        text, choices = "{column}: unknown {word}; {choices}", choices_near(word, words.values())
        raise ArgumentError(Message(text, column=column, word=repr(word[:40]), choices=choices))
    return name


def _number(text: str) -> float:
    if text.lstrip("-").isdigit():
        return int(text)
    return float(text)


def _plain(word: str) -> bytes:
    """Return a word for comparison: in lower case, without blanks and hyphens, or with them in a number."""
    text = word.encode().translate(_PLAIN)
    if _RANGE.fullmatch(word):
        return text
    return text.replace(b" ", b"") or text
