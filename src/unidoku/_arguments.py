"""Checks of the arguments that functions accept."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from operator import index
from typing import SupportsFloat, SupportsIndex, TypeVar

from unidoku.errors import ArgumentError, Message, UnidokuError, WrongTypeError

MAX_COUNT = 2**64 - 1
"""The largest limit and budget: the kernel counts in 64 bits."""

MOST_CHOICES = 12
"""So many words to choose from are all named in an error; of more, the nearest."""

SEVERAL = Message("for several puzzles, call check_many, solve_many or another _many function")
"""The advice if one puzzle is expected; `unidoku._lazy.public` replaces it by the function to call."""

_Value = TypeVar("_Value")
_Callback = TypeVar("_Callback", bound=object)


def one_of(name: str, value: _Value, choices: Iterable[object]) -> _Value:
    """Check a value that is one of a few words; None can be one of the choices."""
    choices = tuple(choices)
    if value in choices:
        return value
    if isinstance(value, str):
        raise not_one_of(name, value, choices)
    if str(value) in choices:  # a number instead of its text
        raise wrong_type(name, f"the text {str(value)!r}", value)
    raise wrong_type(name, any_of([*map(repr, choices)]), value)


def not_one_of(name: str, value: object, choices: Iterable[object]) -> UnidokuError:
    """Return the error about a value that is not one of the choices."""
    text = "invalid {name} {value}; {choices}"
    return ArgumentError(Message(text, name=name, value=repr(value), choices=choices_near(value, choices)))


def choices_near(
    value: object, choices: Iterable[object], *, few: int = MOST_CHOICES, listed: str = ""
) -> Message:
    """Return the words to choose from as the end of an error: all if they are few, otherwise the nearest.

    Words that are equally near are all named. If none is near, the error lists all words, or says where they
    are listed.
    """
    words = [*dict.fromkeys(map(str, choices))] or [Message("none")]
    if len(words) > few and (nearest := _nearest(value, words)):
        return Message("did you mean {words}?", words=any_of(nearest))
    if listed:
        return Message("see {page} for the list", page=listed)
    return Message("choose from: {words}", words=", ".join(words))


def _nearest(value: object, words: Iterable[str]) -> list[str]:
    """Return the word that a mistyped one most likely means, or several that are equally likely."""
    from difflib import SequenceMatcher  # not at the top: it is needed seldom

    likely = near(value, words)
    matcher = SequenceMatcher()
    matcher.set_seq2(_plain(value))
    ratios = []
    for word in likely:
        matcher.set_seq1(_plain(word))
        ratios.append(matcher.ratio())
    return [word for word, ratio in zip(likely, ratios, strict=True) if ratio == ratios[0]]


def near(value: object, words: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Return the words, at most three, that a mistyped one may mean, whatever its case and its hyphens."""
    from difflib import get_close_matches  # not at the top: it is needed seldom

    names = {_plain(word): word for word in words}
    return [names[name] for name in get_close_matches(_plain(value), names, cutoff=cutoff)]


def _plain(word: object) -> str:
    """Return a word for comparison."""
    return re.sub("[-_ ]", "", str(word).lower())


def no_column(name: object, columns: Iterable[object]) -> Message:
    """Return the error for a column that is not there: the nearest columns, or all."""
    others = choices_near(name, columns, few=0)
    return Message("no column {name}; {choices}", name=repr(name), choices=others)


def any_of(words: Sequence[str]) -> str:
    """Return words as a choice: a, b or c."""
    *others, last = words
    if others:
        return Message("{words} or {last}", words=", ".join(others), last=last)
    return last


def wrong_type(name: str, expected: str, value: object) -> WrongTypeError:
    """Return the error about an argument of a wrong type."""
    return WrongTypeError(f"{name} must be {expected}, not {' '.join(repr(value).split()):.60}")


def integer(name: str, value: SupportsIndex) -> int:
    """Check an integer; numbers with a point are none."""
    try:
        return index(value)
    except TypeError:
        raise wrong_type(name, "an integer", value) from None


def real(name: str, value: SupportsFloat) -> float:
    """Check a number, with a point or without."""
    if isinstance(value, str) or not isinstance(value, SupportsFloat):
        raise wrong_type(name, "a number", value)
    return float(value)


def string(name: str, value: str) -> str:
    """Check a string."""
    if not isinstance(value, str):
        raise wrong_type(name, "a text", value)
    return value


def callback(name: str, value: _Callback) -> _Callback:
    """Check a function that is called with news; accept None for no function."""
    if value is not None and not callable(value):
        raise wrong_type(name, "a function", value)
    return value


def whole_number(name: str, value: SupportsIndex, minimum: int = 0, maximum: int = MAX_COUNT) -> int:
    """Check a whole number."""
    number = value if type(value) is int else integer(name, value)
    if not minimum <= number <= maximum:
        text = "{name} must be {minimum} to {maximum}, not {number}"
        raise ArgumentError(Message(text, name=name, minimum=minimum, maximum=maximum, number=number))
    return number


def positive(name: str, value: SupportsIndex | None, maximum: int = MAX_COUNT) -> int:
    """Check an optional whole number of at least 1; None means no limit."""
    if value is None:
        return 0
    return whole_number(name, value, 1, maximum)


def seed_of(seed: int | None) -> int:
    """Check a seed; None draws a fresh one from the operating system's entropy."""
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    return whole_number("seed", seed)
