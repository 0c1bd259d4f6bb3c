"""Mixtures of difficulties: words with their shares, and the requests that they are."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, TypeAlias

from unidoku.compat import np
from unidoku.craft.request import Request, RequestFields
from unidoku.errors import Message, UnidokuError

Shares: TypeAlias = tuple[tuple[str, int], ...]
"""Words with whole numbers."""

_MOST = 10_000  # of a cycle


def shares_of(mixture: Mapping[str, float]) -> Shares:
    """Return the words of a mixture with whole numbers in the ratio of their shares."""
    shares = dict[str, Fraction]()
    with suppress(ValueError, ZeroDivisionError):  # NaN, infinity, a text that is no number
        shares = {word: Fraction(str(share)) for word, share in mixture.items()}
    if not shares or min(shares.values()) <= 0:
        raise UnidokuError(
            Message("a mixture needs words with shares above 0, not {given}", given=dict(mixture))
        )
    total = sum(shares.values())
    parts = {word: share / total for word, share in shares.items()}
    size = lcm(*(part.denominator for part in parts.values()))
    if size > _MOST:
        raise UnidokuError(
            Message(
                "the shares of a mixture must be simple, such as 40% or 1:2, not {given}",
                given=dict(mixture),
            )
        )
    return tuple((word, int(part * size)) for word, part in parts.items())


def word_at(shares: Shares, index: int, seed: int) -> str:
    """Return the word of one of infinitely many items: in each cycle in turn, every word has its share."""
    words = _cycle(shares, seed)
    return words[index % len(words)]


@lru_cache(maxsize=64)
def _cycle(shares: Shares, seed: int) -> tuple[str, ...]:
    """Return the words of a cycle in a random order of the seed."""
    words = [word for word, count in shares for _ in range(count)]
    order = np.random.default_rng(seed).permutation(len(words))
    return tuple(words[place] for place in order)


def counts_of(shares: Shares, count: int) -> dict[str, int]:
    """Return how many of `count` puzzles each word has: the largest remainders get one more."""
    total = sum(share for _, share in shares)
    counts = {word: count * share // total for word, share in shares}
    rest = sorted(shares, key=lambda item: -(count * item[1] % total))
    for word, _ in rest[: count - sum(counts.values())]:
        counts[word] += 1
    return counts


def requests_of(fields: RequestFields, count: int) -> list[tuple[Request, int]]:
    """Return the request of the fields with its number of puzzles; of a mixture one for each word."""
    mixture = fields.get("difficulty")
    if isinstance(mixture, Mapping):
        numbers = counts_of(shares_of(mixture), count)
        wanted: dict[str, Any] = {word: {**fields, "difficulty": word} for word in numbers}
        return [(Request(**wanted[word]), number) for word, number in numbers.items()]
    return [(Request(**fields), count)]
