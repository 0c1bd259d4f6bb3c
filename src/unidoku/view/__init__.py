"""Pictures and pages of puzzles and results."""

from __future__ import annotations

import sys

from unidoku.lazy import CalledModule, lazy
from unidoku.view.svg import link, svg, text

_HOMES = {
    "Playback": "unidoku.view.pages",
    "Sheets": "unidoku.view.sheets",
    "diagnose_page": "unidoku.view.diagnose",
    "picture": "unidoku.view.step",
    "play_record": "unidoku.view.explain",
    "play_trace": "unidoku.view.trace",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
__all__ += ["link", "svg", "text"]
sys.modules[__name__].__class__ = CalledModule
