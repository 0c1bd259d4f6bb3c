"""SudokuSolver 2.6, step by step: the session, its events, their text, the console.

The program is by readalps; what it does was reconstructed from a published transcript. Where that is
silent, docs/console.md says what was chosen.
"""

from __future__ import annotations

from unidoku.stepper import events, report
from unidoku.stepper.controller import GuessError, Session
from unidoku.stepper.events import Cell, Event, GuessLevel, from_json

__all__ = ["Cell", "Event", "GuessError", "GuessLevel", "Session", "events", "from_json", "report"]
