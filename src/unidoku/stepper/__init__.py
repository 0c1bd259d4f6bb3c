"""SudokuSolver 2.6, step by step: the session, its events, their text, the console.

The program is by readalps; its behaviour is reconstructed from a published transcript.  docs/console.md
lists the choices made where the transcript shows nothing.
"""

from __future__ import annotations

from unidoku.stepper import events, report
from unidoku.stepper.controller import GuessError, Session, trace
from unidoku.stepper.events import Event, GuessLevel, Peak

__all__ = [
    "Event",
    "GuessError",
    "GuessLevel",
    "Peak",
    "Session",
    "events",
    "report",
    "trace",
]
