"""Which records are equal, within files and between them: sorted keys, in bounded memory.

The key of a record has `SIZE` bytes. What is equal in one way is equal in the first of them (`WAYS`); the
last ones are the place: the number of the file, and the line. The keys are sorted in blocks, and compared
in windows that are merged from all blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.threads import Cancel

WAYS = {"equal": 33, "equivalent": 27, "same_solution": 16}
"""The ways in which two puzzles can be equal, and how many first bytes of their keys are then equal."""

SIZE = 41
"""Bytes of a key: the hash of the solution, 16; the pattern of the form, 11; the element, 6; the place, 8."""

EXAMPLES = 3
"""How many examples of each kind are kept: the first ones."""

_PROPER = 26  # the byte whose last bit says whether the puzzle has one solution
_LINES = 40  # bits of the line in a place
_SAMPLES = 64  # of a block; they say where windows end
_KEYS = np.dtype(f"S{SIZE}")


class Example(NamedTuple):
    """A record, by its line, and the line of the first one that it is equal to."""

    line: int
    other_line: int | None = None


@dataclass(slots=True)
class Match:
    """How many records of a file are equal to an earlier one or to one of another file, and the first."""

    count: int = 0
    places: list[tuple[int, int]] = field(default_factory=list)

    @property
    def examples(self) -> tuple[Example, ...]:
        """The first records, one of each class of equal ones."""
        return tuple(Example(_line(one), _line(two)) for one, two in self.places)


class Keys:
    """The keys of all records, in blocks of `block` that are sorted."""

    def __init__(self, block: int = 1 << 18) -> None:
        self._block = block
        self._sorted: list[NDArray[np.bytes_]] = []
        self._latest: list[NDArray[np.bytes_]] = []  # not yet a block
        self._waiting = 0

    def add(self, keys: NDArray[np.uint8], file: int, lines: NDArray[np.int64]) -> None:
        """Add the keys of puzzles, uint8[n, 33], without their places."""
        whole = np.empty((len(keys), SIZE), np.uint8)
        whole[:, : keys.shape[1]] = keys
        whole[:, keys.shape[1] :] = (lines + (file << _LINES)).astype(">i8")[:, None].view(np.uint8)
        self._latest.append(whole.reshape(-1).view(_KEYS))
        self._waiting += len(keys)
        if self._waiting >= self._block:
            self._seal()

    def _seal(self) -> None:
        if self._latest:
            self._sorted.append(np.sort(np.concatenate(self._latest)))
            self._latest, self._waiting = [], 0

    def _windows(self) -> Iterator[NDArray[np.bytes_]]:
        """Yield all keys in order, in pieces of about the size of a block."""
        self._seal()
        every = max(1, self._block // _SAMPLES)
        samples = np.sort(np.concatenate([np.empty(0, _KEYS), *(block[::every] for block in self._sorted)]))
        step = self._block // every
        bounds = samples[step::step]
        ends = [[0, *np.searchsorted(block, bounds).tolist(), len(block)] for block in self._sorted]
        for k in range(len(bounds) + 1):
            parts = [block[end[k] : end[k + 1]] for block, end in zip(self._sorted, ends, strict=True)]
            yield np.sort(np.concatenate([np.empty(0, _KEYS), *parts]), kind="stable")

    def matches(self, cancel: Cancel) -> dict[tuple[str, int, int], Match] | None:
        """Return what is equal, by the way and the numbers of the files; None if it was cancelled.

        Within a file, the records after the first of a class are counted; between two files, the records of
        the first file that are equal to one of the second.
        """
        found: dict[tuple[str, int, int], Match] = {}
        ways = [_Way(name, width, found) for name, width in WAYS.items()]
        for window in self._windows():
            for way in ways:
                if cancel:
                    return None
                way.take(window)
        for way in ways:
            way.end()
        return found


@dataclass(frozen=True, slots=True)
class _Runs:
    """The records of one class in one file, for each class and file."""

    group: NDArray[np.int64]
    file: NDArray[np.int64]
    count: NDArray[np.int64]
    first: NDArray[np.int64]
    """The number of the first record."""
    second: NDArray[np.int64]
    """That of the second one, or -1."""


class _Way:
    """Counts what is equal in the first bytes of the keys, window by window.

    A class may continue in the next window: of the last one, two records of each file are kept, with the
    number of records that they stand for.
    """

    def __init__(self, name: str, width: int, found: dict[tuple[str, int, int], Match]) -> None:
        self._name = name
        self._width = width
        self._found = found
        self._rest, self._numbers = np.empty(0, _KEYS), np.empty(0, np.int64)

    def take(self, window: NDArray[np.bytes_]) -> None:
        """Count the classes that end in a window."""
        keys = np.concatenate([self._rest, window])
        if not len(keys):
            return
        numbers = np.concatenate([self._numbers, np.ones(len(window), np.int64)])
        begins = _begins(_bytes_of(keys)[:, : self._width])
        last = int(np.flatnonzero(begins)[-1])
        self._count(keys[:last], numbers[:last], begins[:last])
        runs = _runs(keys[last:], numbers[last:], begins[last:], np.arange(len(keys) - last))
        several = runs.second >= 0
        kept = np.concatenate([runs.first, runs.second[several]])
        self._rest = keys[last:][kept]
        self._numbers = np.concatenate([runs.count - several, several[several]]).astype(np.int64)

    def end(self) -> None:
        """Count the last class."""
        self._count(self._rest, self._numbers, np.arange(len(self._rest)) == 0)

    def _count(self, keys: NDArray[np.bytes_], numbers: NDArray[np.int64], begins: NDArray[np.bool_]) -> None:
        in_class = ~begins
        in_class[:-1] |= in_class[1:]
        if self._name == "same_solution":
            in_class &= _bytes_of(keys)[:, _PROPER] % 2 == 1
        chosen = np.flatnonzero(in_class)
        if not chosen.size:
            return
        runs = _runs(keys, numbers, begins, chosen)
        places = _places(keys)
        more = np.flatnonzero(runs.second >= 0)
        file = runs.file[more]
        self._note(file, file, runs.count[more] - 1, places[runs.second[more]], places[runs.first[more]])
        for distance in range(1, len(runs.group)):
            one = np.flatnonzero(runs.group[distance:] == runs.group[:-distance])
            if not one.size:
                break
            for a, b in ((one, one + distance), (one + distance, one)):
                here, there = places[runs.first[a]], places[runs.first[b]]
                self._note(runs.file[a], runs.file[b], runs.count[a], here, there)

    def _note(
        self,
        file: NDArray[np.int64],
        other: NDArray[np.int64],
        count: NDArray[np.int64],
        place: NDArray[np.int64],
        other_place: NDArray[np.int64],
    ) -> None:
        """Add the records of some classes to what was found."""
        order = np.lexsort((place, other, file))
        pairs = np.stack([file, other], axis=1)[order]
        starts = np.flatnonzero(_begins(pairs))
        totals = np.add.reduceat(count[order], starts) if starts.size else count[:0]
        for (one, two), start, total in zip(
            pairs[starts].tolist(), starts.tolist(), totals.tolist(), strict=True
        ):
            match = self._found.setdefault((self._name, one, two), Match())
            match.count += total
            some = order[start : start + EXAMPLES]
            some = some[(file[some] == one) & (other[some] == two)]
            new = zip(place[some].tolist(), other_place[some].tolist(), strict=True)
            match.places = sorted([*match.places, *new])[:EXAMPLES]


def _runs(
    keys: NDArray[np.bytes_], numbers: NDArray[np.int64], begins: NDArray[np.bool_], chosen: NDArray[np.int64]
) -> _Runs:
    """Return the runs of the `chosen` records of some classes, which stand for these `numbers` of records."""
    group, place = np.cumsum(begins, dtype=np.int64)[chosen], _places(keys[chosen])
    order = np.lexsort((place, group))
    group, file, at = group[order], place[order] >> _LINES, chosen[order]
    starts = np.flatnonzero(_begins(np.stack([group, file], axis=1)))
    several = np.diff(starts, append=len(at)) > 1
    second = np.where(several, at[np.minimum(starts + 1, len(at) - 1)], -1)
    counts = np.add.reduceat(numbers[at], starts)
    return _Runs(group[starts], file[starts], counts, at[starts], second.astype(np.int64))


def _begins(rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which rows differ from the one before."""
    begins = np.ones(len(rows), np.bool_)
    begins[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return begins


def _bytes_of(keys: NDArray[np.bytes_]) -> NDArray[np.uint8]:
    return keys.view(np.uint8).reshape(-1, SIZE)


def _places(keys: NDArray[np.bytes_]) -> NDArray[np.int64]:
    """Return the places of records: the number of the file, and the line."""
    return np.ascontiguousarray(_bytes_of(keys)[:, -8:]).view(">i8")[:, 0].astype(np.int64)


def _line(place: int) -> int:
    return place & ((1 << _LINES) - 1)
