"""Pictures and pages of puzzles and results."""

from __future__ import annotations

import sys

from unidoku._lazy import CalledModule, lazy
from unidoku.view._svg import link, svg, text

_HOMES = {
    "Playback": "unidoku.view._pages",
    "Sheets": "unidoku.view._sheets",
    "diagnose_page": "unidoku.view._diagnose",
    "picture": "unidoku.view._step",
    "play_record": "unidoku.view._explain",
    "play_trace": "unidoku.view._trace",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
__all__ += ["link", "svg", "text"]
sys.modules[__name__].__class__ = CalledModule
