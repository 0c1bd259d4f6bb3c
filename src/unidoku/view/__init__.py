"""Pictures and pages of puzzles and results."""

from __future__ import annotations

from unidoku.view.svg import svg, text

__all__ = ["svg", "text"]
