"""Hash keys of puzzles, 16 bytes each, and matches of equal keys.

The keys are hashes: two different ones of n puzzles are equal with a chance of n * n / 2 ** 129.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku import kernel
from unidoku.craft.canonical import canonical_many
from unidoku.native.text.seen import keys as hash_cells
from unidoku.table.batch import Batch
from unidoku.threads import Cancel

EXAMPLES = 3
"""The most examples of a kind of match."""

LINES = 40
"""Bits of the line in a place; the bits above them are the number of the file."""


def random_seeds() -> tuple[int, int]:
    """Return the seeds of the hashes of one run: nobody can choose puzzles with equal keys."""
    one, two = (int.from_bytes(os.urandom(8), "little") for _ in range(2))
    return one, two


def keys_of(
    batch: Batch, way: str, seeds: tuple[int, int], cancel: Cancel, solutions: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Return the keys of puzzles, uint8[n, 16].

    Parameters
    ----------
    batch : Batch
    way : {"puzzle", "canonical", "solution"}
        Equal keys have: equal puzzles; images of each other; puzzles whose solutions are images of each
        other. Puzzles with two equal clues in a house are compared by their cells.
    seeds : (int, int)
        Of the hashes.
    solutions : uint8[n, 81], optional
        The solutions of the proper puzzles, and zeros for the others: ``solution`` needs them, and gives the
        others a key of zeros; ``canonical`` is faster with them.
    """
    text, starts, zero = batch.text, np.array(batch.starts, np.int64), batch.empty_code
    if way == "puzzle":
        return _hashes(text, starts, zero, seeds)
    if solutions is None:
        images = np.empty((len(starts), 81), np.uint8)
        native = kernel.form(package="symmetry")
        native.least_images(text, starts, images.reshape(-1), zero=zero, stop=cancel.flag)
        return _hashes_of(images, seeds)
    keys = np.zeros((len(starts), 16), np.uint8)
    proper = solutions[:, 0] > 0
    grids = solutions[proper]
    if way == "solution":
        forms = canonical_many(grids, threads=1, cancel=cancel).puzzle
        keys[proper] = _hashes_of(forms, seeds)
        return keys
    forms = canonical_many(
        batch.cells[proper], form="solution", solutions=grids, threads=1, cancel=cancel
    ).puzzle
    keys[proper] = _hashes_of(forms, seeds)
    keys[~proper] = keys_of(batch.take(np.flatnonzero(~proper)), way, seeds, cancel)
    return keys


def _hashes(text: Any, starts: NDArray[np.int64], zero: int, seeds: tuple[int, int]) -> NDArray[np.uint8]:
    keys = np.empty((len(starts), 16), np.uint8)
    hash_cells(text, starts, keys.reshape(-1), *seeds, zero)
    return keys


def _hashes_of(grids: NDArray[np.uint8], seeds: tuple[int, int]) -> NDArray[np.uint8]:
    return _hashes(grids.reshape(-1), np.arange(0, grids.size, 81), 0, seeds)


@dataclass(slots=True)
class Match:
    """Number of records of a file that are equal to an earlier one or to one of another file.

    `examples` are the places of the first ones, one of each class, and of the first that each is equal to.
    """

    count: int
    examples: list[tuple[int, int]]


def matches(keys: NDArray[np.uint8], places: NDArray[np.int64]) -> dict[tuple[int, int], Match]:
    """Return which records have equal keys, by the numbers of two files; keys of zeros are left out.

    The places, the number of the file and the line, are ascending. Within a file, the records after the first
    of a class are counted; between two files, the records of the first file that are equal to one of the
    second.
    """
    group, place = _classes(keys, places)
    # a run: the records of one class in one file
    file = place >> LINES
    starts = np.flatnonzero(~_equal_before(group, file))
    group, file, first, count = group[starts], file[starts], place[starts], np.diff(starts, append=len(place))
    result: dict[tuple[int, int], Match] = {}
    repeated = np.flatnonzero(count > 1)
    files = file[repeated]
    _add_runs(result, files, files, count[repeated] - 1, place[starts[repeated] + 1], first[repeated])
    for distance in range(1, len(starts)):
        one = np.flatnonzero(group[distance:] == group[:-distance])
        if not one.size:
            break
        for a, b in ((one, one + distance), (one + distance, one)):
            _add_runs(result, file[a], file[b], count[a], first[a], first[b])
    return result


def _classes(
    keys: NDArray[np.uint8], places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the records of all classes with several records: the numbers of their classes, their places."""
    words = np.ascontiguousarray(keys).view(np.uint64)
    order = np.argsort(words[:, 0], kind="stable")
    order = order[_in_runs(_equal_before(words[order, 0]))]
    order = order[words[order].any(axis=1)]
    pairs = words[order]
    if (_equal_before(pairs[:, 0]) & ~_equal_before(pairs[:, 1])).any():  # rare: their second words differ
        again = np.lexsort((pairs[:, 1], pairs[:, 0]))
        order, pairs = order[again], pairs[again]
    is_equal = _equal_before(*pairs.T)
    shared = _in_runs(is_equal)
    return np.cumsum(~is_equal, dtype=np.int64)[shared], places[order[shared]]


def _equal_before(*columns: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which rows are equal to the one before, in all columns."""
    is_equal = np.zeros(len(columns[0]), np.bool_)
    is_equal[1:] = True
    for column in columns:
        is_equal[1:] &= column[1:] == column[:-1]
    return is_equal


def _in_runs(is_equal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows are equal to the one before or to the next one."""
    in_run = is_equal.copy()
    in_run[:-1] |= is_equal[1:]
    return in_run


def _add_runs(result: dict[tuple[int, int], Match], *columns: NDArray[np.int64]) -> None:
    """Add runs to the matches: file, other file, count, place and the place in the other file of each."""
    file, other, count, place, other_place = columns
    order = np.lexsort((place, other, file))
    file, other, count, place, other_place = (column[order] for column in columns)
    bounds = [*np.flatnonzero(~_equal_before(file, other)).tolist(), len(file)]
    for begin, end in pairwise(bounds):
        match = result.setdefault((int(file[begin]), int(other[begin])), Match(0, []))
        match.count += int(count[begin:end].sum())
        rows = slice(begin, min(end, begin + EXAMPLES))
        examples = zip(place[rows].tolist(), other_place[rows].tolist(), strict=True)
        match.examples = sorted([*match.examples, *examples])[:EXAMPLES]
