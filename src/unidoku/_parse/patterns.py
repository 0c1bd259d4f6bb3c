"""Regular expressions that are compiled when they are used first: one puzzle needs few of them."""

from __future__ import annotations

import re
from typing import Any


class _Pattern:
    """A pattern that is compiled when one of its methods is asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(*self._source), name)
        setattr(self, name, method)  # so that it is found at once
        return method


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression, which is compiled when it is used first."""
    return _Pattern(text, flags)  # type: ignore[return-value]
