"""The report `draw`: a puzzle as a picture or as text.

`unidoku.view.svg` draws the pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from unidoku.declared import Report
from unidoku.grid import Grid
from unidoku.options import option, shared
from unidoku.shown import shown_by
from unidoku.tasks.columns import CANDIDATES, CELLS


@dataclass(frozen=True)
class Draw(Report):
    """Draw a puzzle: as a picture, SVG, or as text.

    Text has no labels and no size.
    """

    name: ClassVar[str] = "draw"
    formats: ClassVar[tuple[str, ...]] = ("svg", "text")
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku draw quiz.txt --candidates --to text",
        "unidoku draw quiz.txt --size 1000 -o board.svg",
    )
    candidates: bool = shared(CANDIDATES)
    names: str = shared(
        CELLS,
        help="Call the cells by the numbers of their rows and columns (rc), 1 to 81 (numbers), both, or "
        "nothing (none).",
        choices=("rc", "numbers", "both", "none"),
        default="rc",
    )
    size: int = option(400, "Make the picture N pixels wide and high.", least=1)

    def of(self, cells: str) -> Grid:
        """Return the puzzle."""
        return Grid(cells)

    def svg(self, found: Grid) -> str:
        """Return the picture."""
        drawn: str = self._drawn(found, "svg")
        return drawn

    def _drawn(self, found: Grid, how: str, **more: Any) -> Any:
        labels = None if self.names == "none" else self.names
        return shown_by(found, how)(found, candidates=self.candidates, labels=labels, size=self.size, **more)

    def text(self, found: Grid, title: str) -> Iterator[str]:
        """Yield the grid, drawn with characters."""
        if title:
            yield title
        yield shown_by(found, "text")(found, candidates=self.candidates)
