"""Pages that play a search, one unit of work after another."""

from __future__ import annotations

from collections.abc import Sequence

from unidoku._arguments import MAX_COUNT
from unidoku._words import Texts
from unidoku.cell import cell_name
from unidoku.stepper import Session, events
from unidoku.stepper.report import lines
from unidoku.view._pages import Frame, Playback

_MOST_UNITS = 10_000  # of work on one page


def play_trace(session: Session, *, steps: int | None = None, lang: str = "en") -> Playback:
    """Run a session to the end and return its frames for a page or a terminal.

    Parameters
    ----------
    session : Session
        It runs from its current state.
    steps : int, optional
        Stop when the step counter reaches this number.
    lang : {"en", "zh"}

    Returns
    -------
    Playback
        It begins at the first solution, or at the end if there is none. A search of more than 10,000 units of
        work is cut off, with a note.
    """
    words = Texts("search", lang)
    playback = Playback(session.puzzle.line, words.say("title"), "trace", lang)
    run = playback.words["run"]
    playback.add(session.drawn_state(), _frame_of_unit(session, (), words, run))
    last_step = MAX_COUNT if steps is None else steps
    while session.state != "invalid" and session.steps < last_step and len(playback.frames) <= _MOST_UNITS:
        frame = _frame_of_unit(session, session.step(), words, run)
        playback.add(session.drawn_state(), frame)
    kinds = [frame.kind for frame in playback.frames]
    playback.start = len(kinds) - 1
    if "solution" in kinds:
        playback.start = kinds.index("solution")
    solutions, peak = session.solution_sum, session.peak_so_far
    key = "note one" if solutions == 1 else "note"
    playback.note = words.say(key, steps=session.steps, solutions=solutions, level=peak.level)
    if peak.level:
        playback.note += words.say("reached", step=peak.step)
    playback.note += words.say("ends" if session.state == "invalid" else "continues")
    return playback


def _frame_of_unit(session: Session, unit: Sequence[events.Event], words: Texts, title: str) -> Frame:
    """Return the frame of one unit of work: its events, and the state after it."""
    unit = [event for event in unit if not isinstance(event, events.StateShown)]
    fill: dict[int, str] = {}
    placements: list[str] = []
    say, state = words.say, "found" if session.state == "fine" else session.state
    status = say("status", level=session.level, solutions=session.solution_sum, state=say(state))
    kind = heading = run = ""
    for event in unit:
        match event:
            case events.SinglePlaced():
                fill[event.cell] = "green"
                placements.append(
                    f"{cell_name(event.cell)}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{event.digit}"
                )
            case events.GuessMade() | events.ForwardGuess() | events.UpwardGuess():
                fill[event.cell] = "yellow"
                heading = say("guessed", cell=cell_name(event.cell), digit=event.digit, level=event.level)
            case events.WentWrong():
                fill[event.cell] = "red"
                kind, heading = "contradiction", say("contradiction", cell=cell_name(event.cell))
            case events.CompleteShrink():
                fill.update((mark.cell, "blue") for mark in event.cuts)
            case events.SolutionFound():
                kind, heading = "solution", say("solution", n=session.solution_sum)
    listed = words.words["list"].join(placements)
    if placements and not heading:
        heading, run = listed, title
    return Frame(
        lines=[line for event in unit for line in lines(event, cell=cell_name, lang=words.lang)],
        fill=fill,
        levels=[
            say(
                "level",
                cell=cell_name(guess.cell),
                digit=guess.digit,
                position=guess.position,
                count=guess.count,
            )
            for guess in session.levels
        ],
        depth=session.level,
        heading=heading,
        run=run,
        status=status + (say("placed", some=listed) if placements else ""),
        kind=kind,
        step=session.steps,
    )
