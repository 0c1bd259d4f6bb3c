"""Reproducible random numbers: the same on every machine, for any number of threads."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from unidoku.compat import np
from unidoku.native.clues.reduction import row_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray


_MASK = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15
_FACTORS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_FEW = 8  # numbers that are computed faster without arrays


def random_bits(seed: int, position: int, count: int, stream: int = 0) -> NDArray[np.uint64]:
    """Return random 64-bit numbers by their position in a sequence."""
    if count <= _FEW:
        numbers = [random_number(seed, position + k, stream) for k in range(count)]
        return np.array(numbers, np.uint64)
    begin = _word(seed, position, stream)
    return mix(np.uint64(begin) + np.arange(count, dtype=np.uint64) * np.uint64(_STEP))


def random_number(seed: int, position: int, stream: int = 0) -> int:
    """Return one of them."""
    return _mixed_number(_word(seed, position, stream))


def _word(seed: int, position: int, stream: int) -> int:
    """Return the number that is mixed."""
    begin = _mixed_number((seed + stream * 0xD1342543DE82EF95) & _MASK)
    return begin + (position + 1) * _STEP & _MASK


def row_bits(rows: NDArray[np.uint8], seed: int, count: int = 1, position: int = 0) -> NDArray[np.uint64]:
    """Return random numbers by the cells of puzzles, the same wherever a puzzle is, in any file and order.

    Each puzzle has a sequence of them: `count` numbers from `position` on.
    """
    keys = np.empty(len(rows), np.uint64)
    row_keys(np.ascontiguousarray(rows).reshape(-1), seed, keys)
    places = np.arange(position, position + count, dtype=np.uint64)
    return mix(keys[:, None] + places * np.uint64(_STEP))


def row_number(cells: bytes, seed: int) -> int:
    """Return the first of them for one puzzle, 81 values."""
    keys = array("Q", [0])
    row_keys(cells, seed, keys)
    return _mixed_number(keys[0])


def mix(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Apply the finalizer of SplitMix64, a hash of 64-bit numbers."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(_FACTORS[0])
    word = (word ^ (word >> np.uint64(27))) * np.uint64(_FACTORS[1])
    return word ^ (word >> np.uint64(31))


def _mixed_number(word: int) -> int:
    """Return the same for a number."""
    word = (word ^ word >> 30) * _FACTORS[0] & _MASK
    word = (word ^ word >> 27) * _FACTORS[1] & _MASK
    return word ^ word >> 31
