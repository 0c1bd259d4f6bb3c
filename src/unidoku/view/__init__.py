"""Draw puzzles and results as pictures and pages; other modules compute the results."""

from __future__ import annotations

from unidoku.view.svg import svg, text

__all__ = ["svg", "text"]
