"""The report `link`: links that open a puzzle, or the positions before its steps, on a web site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.arguments import SITES
from unidoku.options import CANDIDATES, option, shared
from unidoku.shown import shown_by
from unidoku.task import Report
from unidoku.tasks.columns import METHOD

if TYPE_CHECKING:
    from unidoku.grid import Grid


@dataclass(frozen=True)
class Link(Report):
    """Print a link for each puzzle that opens it on a web site.

    sudokuwiki, fpuzzles and sudokupad show candidates. Nothing is sent anywhere. Links of these sites can
    also be given wherever a puzzle is expected.
    """

    name: ClassVar[str] = "link"
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku link puzzles.txt --site fpuzzles",
        "unidoku link puzzles.txt --every-step -o steps.txt",
    )
    site: str = option(SITES[0], "Print links to this site.", choices=SITES)
    candidates: bool = shared(CANDIDATES)
    every_step: bool = option(
        False,
        "Print a link to the position before each step of explain, with its candidates, and a sentence.",
    )
    method: str = shared(METHOD)

    def of(self, cells: str) -> Any:
        """Return the puzzle, or its steps."""
        if not self.every_step:
            from unidoku.grid import Grid

            return Grid(cells)
        from unidoku.tasks.explain import Explain

        return Explain(self.method).of(cells)

    def text(self, found: Any, title: str) -> Iterator[str]:
        """Yield a link, or one for each step with its sentence."""
        if self.every_step:
            for url, text in shown_by(found, "links")(found, site=self.site):
                yield f"{url}\t{text}"
            return
        from unidoku.links import site_link

        grid: Grid = found
        marks = {cell: grid.candidates(cell) for cell in range(81)} if self.candidates else None
        yield site_link(grid.cells, grid.cells, self.site, marks)
