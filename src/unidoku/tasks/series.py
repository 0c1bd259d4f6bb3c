"""The capability `series`: the puzzles of a series, by their numbers.

`unidoku.craft.series` makes a series.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.options import Option, option, shared
from unidoku.task import Need, Task
from unidoku.tasks.columns import LANG, SEED, SHEETS

if TYPE_CHECKING:
    from unidoku.batch import Batch

_PER_PAGE = SHEETS[0]._replace(default=12, absent=None)
PAPER = tuple(each._replace(needs=("--to html",)) for each in (_PER_PAGE, *SHEETS[1:]))
"""The options of a series that is printed."""


@dataclass(frozen=True)
class Numbered(Task):
    """Write a series of puzzles made from full grids.

    The series has a puzzle made from each full grid, which is its result, and 63 images of each of these
    puzzles. They are numbered by group: with 36 full grids, group g has the puzzles 36(g - 1) + 1 to 36g,
    2304 in all. Without full grids, the seed makes 36 random ones.

    HTML output is a page that is ready to print, like the page of print: every puzzle with its number, its
    group and its place in the group, and all results at the end.

    The exit code is 0, or 1 if PUZZLE is not in the series, 2 after an error.
    """

    name: ClassVar[str] = "series"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"puzzle": ("cells", "")}
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku series --seed 1 -o series.txt",
        "unidoku series --seed 1 --group 64 -o group64.html",
    )
    command_options: ClassVar[tuple[Option, ...]] = (
        Option("Print the number, the group and the place of PUZZLE.", metavar="PUZZLE", name="find"),
        LANG,
        *PAPER,
    )
    seed: int | None = shared(SEED)
    number: int | None = option(None, "Write puzzle N only.", least=1)
    group: int | None = option(None, "Write the puzzles of group G only.", least=1, most=64, metavar="G")
    series: Any = field(default=None, compare=False)
    """All puzzles, uint8[n, 81]; the input, a `range`, says which ones are written."""

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, also those that are not given."""
        return {"command": self.name, "seed": self.seed, "number": self.number, "group": self.group}

    def work(self, batch: Batch, need: Need) -> dict[str, Any]:
        """Return the puzzles whose numbers are those of the lines."""
        import numpy as np

        return {"puzzle": self.series[np.asarray(batch.lines) - 1]}
