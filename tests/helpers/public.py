"""The public functions about puzzles and files, in whichever public module they are."""

from __future__ import annotations

from inspect import isroutine
from typing import Any

import unidoku
from unidoku import craft, files, learning, stepper, view

FUNCTIONS: dict[str, Any] = {
    "audit_files": learning.audit_files,
    "link": view.link,
    "split_file": learning.split_file,
    **{
        name: getattr(home, name)
        for home in (stepper, files, craft, unidoku)
        for name in home.__all__
        if isroutine(getattr(home, name))
    },
}
"""By their names, which are different."""
