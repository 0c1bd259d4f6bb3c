"""Draw puzzles and results as pictures and pages; other modules compute the results."""

from __future__ import annotations

from unidoku.view.svg import png, svg, text

__all__ = ["png", "svg", "text"]
