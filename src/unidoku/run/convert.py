"""The stages that write the puzzles as they are: all of them, or each only where it occurs first."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, ClassVar

from unidoku import kernel
from unidoku.files.base import Batch, Need
from unidoku.native.text.seen import Seen
from unidoku.run.stage import PuzzleStage, Rows


@dataclass(frozen=True, slots=True)
class Convert(PuzzleStage):
    """The puzzles themselves."""

    name: ClassVar[str] = "convert"


def _seen() -> Seen:
    return Seen(*(int.from_bytes(os.urandom(8), "little") for _ in range(2)))


@dataclass(frozen=True, slots=True)
class Dedupe(PuzzleStage):
    """The puzzles that no puzzle before is equal to.

    With `symmetry`, images of each other are equal too.
    """

    name: ClassVar[str] = "dedupe"
    in_order = True
    symmetry: bool = False
    seen: Seen = field(default_factory=_seen, compare=False, repr=False)

    def _work(self, batch: Batch, scratch: dict[str, Any], need: Need) -> Rows:
        rows = self.rows(batch, self._unseen(batch))
        rows.counts["duplicates"] = len(batch.starts) - rows.counts["written"]
        return rows

    def _unseen(self, batch: Batch) -> Batch:
        """Return the puzzles of a batch that are not in the set, and add them to it."""
        import numpy as np

        starts = np.array(batch.starts, np.int64)
        new = np.zeros(len(starts), np.uint8)
        marked = list(batch.marked)
        text, zero, at = batch.text, batch.zero, starts
        if self.symmetry and not marked:  # the smallest image of each, or itself if clues clash
            at = np.arange(0, 81 * len(starts), 81)
            text, zero = np.empty(81 * len(starts), np.uint8), 0
            kernel.form(package="symmetry").least_images(batch.text, starts, text, zero=batch.zero)
        # In input order also where the widths differ: runs of one width.
        begin = 0
        for mark in [*marked, len(starts)]:
            self.seen.add(text, at[begin:mark], new[begin:mark], 81, zero)
            if mark < len(starts):
                self.seen.add(batch.text, starts[mark : mark + 1], new[mark : mark + 1], 729, batch.zero)
            begin = mark + 1
        return batch if new.all() else batch.at(np.flatnonzero(new))
