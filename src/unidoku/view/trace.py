"""A search of the step engine as a record to play, unit by unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.method.report import Words
from unidoku.stepper import events as kinds
from unidoku.stepper.report import lines
from unidoku.view.player import Frame, Playback

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unidoku.stepper import Session
    from unidoku.stepper.events import Event

_WORDS = Words(names="tagged")

MOST_UNITS = 10_000
"""Largest number of units of work on one page; a longer search is cut off, with a note on the page."""


def play_trace(
    session: Session, *, steps: int | None = None, most: int = MOST_UNITS, size: int | None = None
) -> Playback:
    """Run a session to the end and return its frames for a page or a terminal.

    Parameters
    ----------
    session : Session
        It runs from its current state.
    steps : int, optional
        Stop when the step counter reaches this number.
    most : int
        Largest number of units of work; a note in the playback shows that the search continues.
    size : int, optional
        Stop when a page has this many characters.

    Returns
    -------
    Playback
        It begins at the first solution, else at the end.
    """
    played = Playback(session.puzzle.line, "Search, step by step", words={"blue": "cut to a digit"})
    played.add(_frame(session, ()))
    solved = None
    while session.state != "invalid" and (steps is None or session.steps < steps):
        if len(played.frames) > most or (size is not None and played.size > size):
            break
        frame = _frame(session, session.step())
        if frame.kind == "solution" and solved is None:
            solved = len(played.frames)
        played.add(frame)
    played.start = len(played.frames) - 1 if solved is None else solved
    played.note = f"{session.steps} steps, {session.solution_sum} solution(s), "
    played.note += f"highest guess level {session.biggest_level_so_far}"
    ends = session.state == "invalid"
    played.note += "." if ends else "; the search continues after the last step of this page."
    return played


def _frame(session: Session, events: Sequence[Event]) -> Frame:
    """Return the frame of one unit of work: its events, and the state after it."""
    happened = [event for event in events if not isinstance(event, kinds.StateShown)]
    fill: dict[int, str] = {}
    placed: list[str] = []
    kind = heading = ""
    for event in happened:
        match event:
            case kinds.SinglePlaced():
                fill[event.cell] = "green"
                placed.append(f"{_WORDS.cell(event.cell + 1)} = {event.digit}")
            case kinds.GuessMade() | kinds.ForwardGuess() | kinds.UpwardGuess():
                fill[event.cell] = "yellow"
                heading = f"{_WORDS.cell(event.cell + 1)} = {event.digit}, level {event.level}"
            case kinds.WentWrong():
                fill[event.cell] = "red"
                kind = "contradiction"
            case kinds.CompleteShrink():
                fill.update((mark.cell, "blue") for mark in event.cuts)
            case kinds.SolutionFound():
                kind, heading = "solution", f"solution {session.solution_sum}"
    candidates = [0] * 81
    for cell, digits in session.candidates.items():
        candidates[cell] = sum(1 << digit - 1 for digit in digits)
    return Frame(
        session.grid.cells,
        candidates,
        lines=[line for event in happened for line in lines(event)],
        fill=fill,
        levels=[
            f"{_WORDS.cell(level.cell + 1)} = {level.digit} ({level.position} out of {level.count})"
            for level in session.levels
        ],
        depth=session.level,
        heading=heading,
        status=f": step {session.steps}, level {session.level}, solutions {session.solution_sum}, "
        f"{session.state}{'; placed ' if placed else ''}{', '.join(placed)}",
        kind=kind,
    )
