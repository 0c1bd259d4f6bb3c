"""The trace page: a search that can be followed unit by unit in a browser."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from unidoku.stepper.events import StateShown
from unidoku.stepper.report import lines

if TYPE_CHECKING:
    from unidoku.stepper import Session

__all__ = ["MOST_UNITS", "trace_page"]

MOST_UNITS = 5000
"""Units of work on one page; a longer search is cut off, and the page says so."""


def trace_page(session: Session, *, steps: int | None = None) -> str:
    """Run a session to the end and return it as one HTML page that needs nothing else.

    Parameters
    ----------
    session : Session
        It is run from where it stands.
    steps : int, optional
        Stop when so many steps are counted.

    Returns
    -------
    str
    """
    frames = [_frame(session, [session.show()])]
    while session.state != "invalid" and (steps is None or session.steps < steps):
        if len(frames) > MOST_UNITS:
            break
        frames.append(_frame(session, session.step()))
    note = f"{session.steps} steps, {session.solution_sum} solution(s), "
    note += f"biggest guess level {session.biggest_level_so_far}"
    note += "." if session.state == "invalid" else "; the search goes on after what is shown here."
    puzzle = session.puzzle.line
    data = json.dumps({"puzzle": puzzle, "frames": frames}, separators=(",", ":"))
    page = files("unidoku.view").joinpath("trace.html").read_text(encoding="utf-8")
    page = page.replace("@PUZZLE@", escape(puzzle)).replace("@NOTE@", escape(note))
    return page.replace("@DATA@", data.replace("<", "\\u003c"))


def _frame(session: Session, events: list[Any]) -> dict[str, Any]:
    """What happened in one unit, and the state after it."""
    happened = [event for event in events if not isinstance(event, StateShown)]
    return {
        "lines": [line for event in happened for line in lines(event)],
        "events": [event.to_json() for event in happened],
        "state": events[-1].to_json(),
        "levels": session.show_levels().to_json()["levels"],
    }
