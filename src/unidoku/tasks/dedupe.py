"""The task of `convert --unique`: puzzles without duplicates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from unidoku.craft.keys import keys_of, random_seeds
from unidoku.native.text.seen import Seen
from unidoku.options import choice, option
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task
from unidoku.threads import Cancel


@dataclass(frozen=True)
class Dedupe(Task):
    """Puzzles without duplicates: the first of puzzles that are equal, or images of each other.

    Parameters
    ----------
    by : {"puzzle", "canonical"}
        ``canonical``: puzzles are equal too if a symmetry of the grid maps one to the other. Puzzles with two
        equal clues in a house are compared cell by cell.
    """

    name: ClassVar[str] = "convert --unique"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"puzzle": ("cells", "")}
    in_order: ClassVar[bool] = True
    by: str = option(
        "puzzle",
        "Treat puzzles as duplicates if they are equal (puzzle) or images of each other (canonical).",
        choice(["puzzle", "canonical"]),
    )
    seen: Seen = field(init=False, compare=False, repr=False)
    """Keys of the puzzles so far."""
    seeds: tuple[int, int] = field(init=False, compare=False, repr=False)
    """Of the hashes."""

    def __post_init__(self) -> None:
        """Begin with an empty set."""
        super().__post_init__()
        object.__setattr__(self, "seen", Seen())
        object.__setattr__(self, "seeds", random_seeds())

    def work(self, batch: Batch, cancel: Cancel) -> Iterator[ResultBatch]:
        """Select the puzzles whose keys are not in the set, and add these."""
        is_new = np.zeros(len(batch), np.uint8)
        self.seen.add(keys_of(batch, self.by, self.seeds, cancel).reshape(-1), is_new)
        puzzles, rows, duplicates = batch.puzzles(), None, len(is_new) - int(is_new.sum())
        if duplicates:
            rows = np.flatnonzero(is_new)
            puzzles = puzzles.take(rows)
        yield ResultBatch(batch, {"puzzle": puzzles}, rows, counts={"duplicates": duplicates})
