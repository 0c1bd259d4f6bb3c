"""Pictures and pages: they compute nothing, they draw what other modules found out."""

from __future__ import annotations

from unidoku.view.svg import png, svg

__all__ = ["png", "svg"]
