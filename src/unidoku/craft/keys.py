"""Hash keys of puzzles, 16 bytes each, and matches of equal keys.

The keys are hashes: two different keys among n puzzles collide with a chance of n * n / 2 ** 129.
"""

from __future__ import annotations

import os
from collections.abc import Container
from typing import TYPE_CHECKING, Any, TypeAlias

from unidoku import kernel
from unidoku.compat import np
from unidoku.kernel import flat
from unidoku.native.text.keys import keys as hash_cells, repeated
from unidoku.table.batch import Batch
from unidoku.threads import Cancel, call_to_end

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXAMPLES = 3
"""The most examples of a kind of match."""

FEW = 1 << 16
"""About as many keys are sorted at once, which takes little memory and some 20 milliseconds."""

PARTS = 128
"""The most parts of keys that are sorted one after the other."""

LINES = 40
"""Bits of the line in a place; the bits above them are the number of the file."""


def random_seeds() -> tuple[int, int]:
    """Return the seeds of the hashes of one run: nobody can choose puzzles with equal keys."""
    low, high = (int.from_bytes(os.urandom(8), "little") for _ in range(2))
    return low, high


def keys_of(
    batch: Batch, way: str, seeds: tuple[int, int], cancel: Cancel, solutions: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Return the keys of puzzles, uint8[n, 16].

    Parameters
    ----------
    batch : Batch
    way : {"puzzle", "canonical", "solution"}
        Puzzles with equal keys are equal, are symmetric copies of each other, or have solutions that are
        symmetric copies of each other. Puzzles with two equal clues in a house are compared by their cells.
    seeds : (int, int)
        Of the hashes.
    solutions : uint8[n, 81], optional
        The solutions of the proper puzzles, and zeros for every other puzzle. ``solution`` needs them, and
        gives a puzzle without a solution a key of zeros; ``canonical`` is faster with them.
    cancel : Cancel
        If it ends the work, it is an error.
    """
    if way != "puzzle" and solutions is not None:
        return keys_by_solutions(batch, seeds, cancel, solutions, (way,))[way]
    text, starts, zero = batch.text, np.array(batch.starts, np.int64), batch.empty_code
    if way == "puzzle":
        return _hashes(text, starts, zero, seeds)
    images = np.empty((len(starts), 81), np.uint8)
    native = kernel.isa_module(package="symmetry")
    call_to_end(native.least_images, text, starts, images.reshape(-1), zero=zero, cancel=cancel)
    return _hashes(*flat(images), 0, seeds)


def keys_by_solutions(
    batch: Batch,
    seeds: tuple[int, int],
    cancel: Cancel,
    solutions: NDArray[np.uint8],
    ways: Container[str] = ("canonical", "solution"),
) -> dict[str, NDArray[np.uint8]]:
    """Return the keys of `keys_of` for two ways at once: both need the minlex forms of the solutions."""
    others = np.flatnonzero(solutions[:, 0] == 0)
    images, forms = np.empty((2, len(solutions), 81), np.uint8)
    rows = (np.ascontiguousarray(array).reshape(-1) for array in (solutions, images))
    options: dict[str, Any] = {"forms": forms.reshape(-1), "zero": batch.empty_code, "cancel": cancel}
    starts = np.asarray(batch.starts, np.int64)
    native = kernel.isa_module(package="symmetry")
    call_to_end(native.least_through_solutions, batch.text, starts, *rows, **options)
    result = {}
    for way, found in (("canonical", images), ("solution", forms)):
        if way in ways:
            result[way] = _hashes(*flat(found), 0, seeds)
            result[way][others] = 0
    if "canonical" in result and others.size:
        result["canonical"][others] = keys_of(batch.take(others), "canonical", seeds, cancel)
    return result


def _hashes(text: Any, starts: NDArray[np.int64], zero: int, seeds: tuple[int, int]) -> NDArray[np.uint8]:
    keys = np.empty((len(starts), 16), np.uint8)
    hash_cells(text, starts, keys.reshape(-1), *seeds, zero)
    return keys


Match: TypeAlias = tuple[int, list[tuple[int, int]]]
"""Number of records of a file that are equal to an earlier one or to one of another file.

Then the first place of each class, with the earlier place that it is equal to.
"""


def matches(
    keys: NDArray[np.uint8], places: NDArray[np.int64], cancel: Cancel
) -> dict[tuple[int, int], Match]:
    """Return which records have equal keys, by the numbers of two files; keys of zeros are ignored.

    The places, the number of the file and the line, are ascending. Within a file, the records after the first
    of a class are counted; between two files, the records of the first file that are equal to one of the
    second.  If `cancel` ends the work, it is an error.
    """
    result: dict[tuple[int, int], Match] = {}
    count = min(1 + len(keys) // FEW, PARTS)
    parts = keys[:, 0] % count  # equal keys are in the same part
    rows = np.argsort(parts, kind="stable")
    ends = np.cumsum(np.bincount(parts, minlength=count)).tolist()
    for begin, end in cancel.watch(zip([0, *ends], ends, strict=False)):
        order = np.empty(end - begin, np.int64)
        # the remaining keys, mostly all, equal none
        order = order[: repeated(keys.reshape(-1), rows[begin:end], order)]
        is_first = order < 0
        _match(result, is_first, places[np.where(is_first, ~order, order)])
    return result


def _match(result: dict[tuple[int, int], Match], is_first: NDArray[Any], places: NDArray[np.int64]) -> None:
    """Add to the matches the places of some classes, one after the other."""
    # a run: the records of one class in one file
    file = places >> LINES
    starts = np.flatnonzero(is_first | (np.diff(file, prepend=-1) != 0))
    group = np.cumsum(is_first)[starts]
    file, first_place, count = file[starts], places[starts], np.diff(starts, append=len(places))
    several = np.flatnonzero(count > 1)
    files, second = file[several], places[starts[several] + 1]
    _add(result, files, files, count[several] - 1, second, first_place[several])
    for distance in range(1, len(starts)):
        index = np.flatnonzero(group[distance:] == group[:-distance])
        if not index.size:
            break
        for a, b in ((index, index + distance), (index + distance, index)):
            _add(result, file[a], file[b], count[a], first_place[a], first_place[b])


def _add(result: dict[tuple[int, int], Match], *columns: NDArray[np.int64]) -> None:
    """Add runs to the matches: file, other file, count, place and the place in the other file of each."""
    file, other_file, count, place, other_place = (
        column[np.lexsort((columns[3], columns[1], columns[0]))] for column in columns
    )
    begins = np.unique((file << LINES) + other_file, return_index=True)[1].tolist()
    for begin, end in zip(begins, [*begins[1:], len(file)], strict=False):
        pair = int(file[begin]), int(other_file[begin])
        total, examples = result.get(pair, (0, []))
        rows = slice(begin, min(end, begin + EXAMPLES))
        examples = sorted([*examples, *zip(place[rows].tolist(), other_place[rows].tolist(), strict=True)])
        result[pair] = total + int(count[begin:end].sum()), examples[:EXAMPLES]
