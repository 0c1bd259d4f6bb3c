"""The declaration of `info`; `unidoku.kernel.facts` has what it prints."""

from __future__ import annotations

from typing import ClassVar

from unidoku.task import Declared


class Info(Declared):
    """Show version, processor, instruction sets, compiler and threads."""

    name: ClassVar[str] = "info"
    examples: ClassVar[tuple[str, ...]] = ("unidoku info", "unidoku info --json")
