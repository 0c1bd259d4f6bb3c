"""The capability `series`: the puzzles of a series, by their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.files.base import Need
    from unidoku.puzzles import Batch


@dataclass(frozen=True)
class Numbered(Task):
    """Puzzles of a series, by the numbers of an input of class `unidoku.files.base.Attempts`."""

    name: ClassVar[str] = "series"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"puzzle": ("cells", "the puzzle")}
    seed: int
    number: int | None
    group: int | None
    series: NDArray[Any] = field(compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, also those that are not given."""
        return {"command": self.name, "seed": self.seed, "number": self.number, "group": self.group}

    def work(self, batch: Batch, need: Need) -> dict[str, Any]:
        """Return the puzzles whose numbers are those of the lines."""
        import numpy as np

        return {"puzzle": self.series[np.asarray(batch.lines) - 1]}
