"""Pictures and pages of puzzles and results."""

from __future__ import annotations

import sys

from unidoku.lazy import CalledModule
from unidoku.view.svg import svg, text

__all__ = ["svg", "text"]
sys.modules[__name__].__class__ = CalledModule
