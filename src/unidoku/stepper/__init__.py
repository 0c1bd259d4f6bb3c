"""SudokuSolver 2.6, step by step: the session, its events, their text, the console.

The program is by readalps; its behaviour is reconstructed from a published transcript.  docs/console.md
lists the choices made where the transcript shows nothing.
"""

from __future__ import annotations

from unidoku.stepper import events, report
from unidoku.stepper.controller import GuessError, Session
from unidoku.stepper.events import Event, GuessLevel, Peak, from_json
from unidoku.stepper.guess import LevelBounds, LevelRange, guess_solution, guess_wrong, level_range

__all__ = [
    "Event",
    "GuessError",
    "GuessLevel",
    "LevelBounds",
    "LevelRange",
    "Peak",
    "Session",
    "events",
    "from_json",
    "guess_solution",
    "guess_wrong",
    "level_range",
    "report",
]
