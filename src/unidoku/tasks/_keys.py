"""Hash keys of puzzles, 16 bytes each, and matches of equal keys.

The keys are hashes: two different keys among n puzzles collide with a chance of n * n / 2 ** 129.
"""

from __future__ import annotations

import os
import re
from array import array
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

from unidoku import kernel
from unidoku._compat import NDArray, np
from unidoku._native.text.columns import interleave, numbers_of
from unidoku._native.text.keys import in_parts, keys as hash_cells, repeated
from unidoku._table.batch import Batch
from unidoku._table.column import buffer_of
from unidoku._threads import Cancel, call_to_end
from unidoku.kernel import starts_of

KEY_SIZE = 16
"""Bytes of a key."""

EXAMPLES = 3
"""The most examples of a kind of match."""

FEW = 1 << 16
"""About as many keys are sorted at once, which takes little memory and some 20 milliseconds."""

PARTS = 128
"""The most parts of keys that are sorted one after the other."""

_ZERO = re.compile(b"\0")

LINES = 40
"""Bits of the line in a place; the bits above them are the number of the file."""


def random_seeds() -> tuple[int, int]:
    """Return the seeds of the hashes of one run: nobody can choose puzzles with equal keys."""
    low, high = (int.from_bytes(os.urandom(8), "little") for _ in range(2))
    return low, high


def keys_of(batch: Batch, way: str, seeds: tuple[int, int], cancel: Cancel) -> bytearray:
    """Return the keys of puzzles, 16 bytes each, without arrays.

    Parameters
    ----------
    batch : Batch
    way : {"puzzle", "canonical"}
        Puzzles with equal keys are equal, or are symmetric copies of each other. Puzzles with two equal clues
        in a house are compared by their cells.
    seeds : (int, int)
        Of the hashes.
    cancel : Cancel
        If it ends the work, it is an error.
    """
    starts = buffer_of(batch.starts)
    if way == "puzzle":
        return _hashes(batch.text, starts, batch.empty_code, seeds)
    images = bytearray(81 * len(batch))
    native = kernel.isa_module(package="symmetry")
    call_to_end(native.least_images, batch.text, starts, images, zero=batch.empty_code, cancel=cancel)
    return _hashes(images, starts_of(len(batch)), 0, seeds)


def keys_by_solutions(
    batch: Batch,
    seeds: tuple[int, int],
    cancel: Cancel,
    solutions: Any,
) -> dict[str, bytearray]:
    """Return the keys ``canonical`` of `keys_of`, and ``solution``: both need the forms of the solutions.

    These are the solutions of the proper puzzles, 81 values each, and zeros for every other puzzle.  Puzzles
    have equal keys ``solution`` if their solutions are symmetric copies of each other; a puzzle without a
    solution has a key of zeros.
    """
    n = len(batch)
    images, forms = bytearray(81 * n), bytearray(81 * n)
    options: dict[str, Any] = {"forms": forms, "zero": batch.empty_code, "cancel": cancel}
    native = kernel.isa_module(package="symmetry")
    call_to_end(
        native.least_through_solutions, batch.text, buffer_of(batch.starts), solutions, images, **options
    )
    found = {"canonical": images, "solution": forms}
    result = {way: _hashes(grids, starts_of(n), 0, seeds) for way, grids in found.items()}
    # a row without a solution has its first digit 0
    others = array("q", kernel.rows_with(_ZERO, bytes(memoryview(solutions)[::81])))
    if not others:
        return result
    order = numbers_of(0, 1, n)
    for place, row in enumerate(others):
        order[row] = ~place
    keys = {"solution": bytearray(), "canonical": keys_of(batch.take(others), "canonical", seeds, cancel)}
    return {way: interleave(made, keys[way], KEY_SIZE, order) for way, made in result.items()}


def _hashes(text: Any, starts: Any, zero: int, seeds: tuple[int, int]) -> bytearray:
    keys = bytearray(KEY_SIZE * len(starts))
    hash_cells(text, starts, keys, *seeds, zero)
    return keys


Match: TypeAlias = tuple[int, list[tuple[int, int]]]
"""Number of records of a file that are equal to an earlier one or to one of another file.

Then the first place of each class, with the earlier place that it is equal to.
"""


@dataclass(slots=True, eq=False)
class Places:
    """The file and the line of each record of some files."""

    lines: bytearray = field(default_factory=bytearray)
    """The line of each record, int64."""
    ends: list[int] = field(default_factory=list)
    """Where the records of a file end that are one after the other."""
    files: list[int] = field(default_factory=list)
    """The number of this file."""

    def append(self, file: int, lines: bytes) -> None:
        """Append records of a file."""
        self.lines += lines
        if file not in self.files[-1:]:
            self.files.append(file)
            self.ends.append(0)
        self.ends[-1] = len(self.lines) // 8

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of some records: the line, and above its `LINES` bits the number of the file."""
        files = np.array(self.files, np.int64)[np.searchsorted(self.ends, rows, "right")]
        return np.frombuffer(self.lines, np.int64)[rows] + (files << LINES)


def matches(keys: bytes | bytearray, places: Places, cancel: Cancel) -> dict[tuple[int, int], Match]:
    """Return which records have equal keys, by the numbers of two files; keys of zeros are ignored.

    The places are ascending. Within a file, the records after the first of a class are counted; between two
    files, the records of the first file that are equal to one of the second. NumPy is imported only if keys
    are equal. If `cancel` ends the work, it is an error.
    """
    result: dict[tuple[int, int], Match] = {}
    rows, ends = in_parts(keys, min(1 + len(keys) // KEY_SIZE // FEW, PARTS))
    for begin, end in cancel.watch(pairwise([0, *ends])):
        order = memoryview(bytearray(8 * (end - begin))).cast("q")
        # the remaining keys, mostly all, equal none
        order = order[: repeated(keys, rows[begin:end], order)]
        if len(order):
            _match(result, np.asarray(order), places)
    return result


def _match(result: dict[tuple[int, int], Match], order: NDArray[np.int64], records: Places) -> None:
    """Add to the matches some classes, one after the other, as `repeated` writes them."""
    is_first = order < 0
    places = records.of(np.where(is_first, ~order, order))
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
