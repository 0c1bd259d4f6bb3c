"""The puzzles that occur first, found by an index on disk: exact, in memory that hardly grows."""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any, BinaryIO, Self

    from numpy.typing import NDArray

__all__ = ["DiskIndex"]

_PARTS = 256
_WORDS = 6  # of 64 bits, which hold 81 cells of four bits
_RECORD = 8 * (_WORDS + 1)  # bytes: the cells and the number of the puzzle
WAITING = 1 << 16
_FACTORS = np.array([0x9E3779B97F4A7C15 * (2 * k + 1) % 2**64 for k in range(_WORDS)], np.uint64)


class DiskIndex:
    """The cells of many puzzles in temporary files, in parts by a hash, so that equal ones meet in one part.

    A context manager, which removes the files.  Disk: 56 bytes per puzzle; memory: the largest of 256 parts,
    and a bit per puzzle.

    Parameters
    ----------
    waiting : int, optional
        Bytes of a part kept in memory before they are written.

    Attributes
    ----------
    count : int
        Puzzles added.
    """

    def __init__(self, waiting: int = WAITING) -> None:
        self.count = 0
        self._most = waiting
        self._folder = TemporaryDirectory(prefix="unidoku-")
        self._files: list[BinaryIO | None] = [None] * _PARTS
        self._waiting: list[list[bytes]] = [[] for _ in range(_PARTS)]
        self._sizes = [0] * _PARTS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            if file is not None:
                file.close()
        self._folder.cleanup()

    def add(self, cells: NDArray[np.uint8]) -> None:
        """Add puzzles after those added before.

        Parameters
        ----------
        cells : uint8[n, 81]
            Cells 0 to 9.
        """
        records = np.empty((len(cells), _WORDS + 1), np.uint64)
        padded = np.pad(cells, ((0, 0), (0, 16 * _WORDS - 81)))
        records[:, :_WORDS] = (padded[:, ::2] << np.uint8(4) | padded[:, 1::2]).view(np.uint64)
        records[:, _WORDS] = np.arange(self.count, self.count + len(cells), dtype=np.uint64)
        self.count += len(cells)
        parts = ((records[:, :_WORDS] * _FACTORS).sum(axis=1, dtype=np.uint64) >> np.uint64(56)).astype(int)
        order = np.argsort(parts, kind="stable")
        bounds = np.searchsorted(parts[order], np.arange(_PARTS + 1))
        for part in np.flatnonzero(np.diff(bounds)).tolist():
            piece = records[order[bounds[part] : bounds[part + 1]]].tobytes()
            self._waiting[part].append(piece)
            self._sizes[part] += len(piece)
            if self._sizes[part] >= self._most:
                self._flush(part)

    def first(self) -> NDArray[np.uint8]:
        """Return a bit for each puzzle added, 1 for the first of equal ones, packed in bytes."""
        bits = np.zeros(-(-self.count // 8), np.uint8)
        for part in range(_PARTS):
            records = self._read(part)
            keys, numbers = records[:, :_WORDS], records[:, _WORDS]
            order = np.lexsort(keys.T)  # stable: equal puzzles stay in input order
            found = keys[order]
            new = np.ones(len(found), np.bool_)
            new[1:] = (found[1:] != found[:-1]).any(axis=1)
            chosen = numbers[order][new]
            np.bitwise_or.at(bits, (chosen >> np.uint64(3)).astype(np.int64), _bit(chosen))
        return bits

    def _read(self, part: int) -> NDArray[np.uint64]:
        file = self._files[part]
        if file is None:
            data = b"".join(self._waiting[part])
        else:
            self._flush(part)
            file.seek(0)
            data = file.read()
        return np.frombuffer(data, np.uint64).reshape(-1, _WORDS + 1)

    def _flush(self, part: int) -> None:
        file = self._files[part]
        if file is None:
            file = self._files[part] = open(f"{self._folder.name}/{part:03d}", "w+b", buffering=0)  # noqa: SIM115
        file.write(b"".join(self._waiting[part]))
        self._waiting[part].clear()
        self._sizes[part] = 0


def _bit(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the bit of each puzzle in its byte."""
    return np.left_shift(1, (numbers & np.uint64(7)).astype(np.uint8)).astype(np.uint8)
