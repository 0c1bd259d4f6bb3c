"""The page of a record: the zeroings and conversions of the method, step by step in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.method.report import Words, report, steps
from unidoku.method.state import UNITS
from unidoku.view.player import WORDS, Frame, Frames, Playback, player_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unidoku.method import Record, State
    from unidoku.method.events import Event

__all__ = ["explain_page", "play_record"]

_OVERVIEW = {"convert", "extended", "subset", "preset", "contradiction", "retract"}
_FILLS = {"convert": "green", "preset": "yellow", "contradiction": "red", "retract": "red"}


def explain_page(record: Record, *, lang: str = "en") -> str:
    """Write a record as one self-contained HTML page.

    Parameters
    ----------
    record : Record
    lang : {"en", "zh"}

    Returns
    -------
    str
        The page opens at the first step. Each expansion, zeroing, conversion and preset is a step with its
        grid, its cells and causes, its sentence, and the matrices NA, KH, MMK and NAK on request.
    """
    return player_page(play_record(record, lang=lang))


def play_record(record: Record, *, lang: str = "en", size: int | None = None) -> Playback:
    """Return the frames of a record for a page or a terminal.

    Parameters
    ----------
    record : Record
    lang : {"en", "zh"}
    size : int, optional
        Stop when a page has this many characters, and add the end of the record.

    Returns
    -------
    Playback
        It begins at the first step.
    """
    text = list(report(record, lang=lang, names="tagged", pictures=False))
    orders = [line.text for line in text if line.kind == "order"]
    ends = [line.text for line in text if line.kind == "end"]
    replay = record.replay()
    frames = Frames()

    def add(events: Sequence[Event], lines: Sequence[str], heading: str) -> None:
        frames.add(_frame(replay.state, events, lines, heading), replay.state.KH.tolist())

    add((), orders, orders[-1])
    for step in steps(record, lang=lang, names="tagged"):
        if size is not None and frames.size > size:
            ends.append(WORDS[lang]["cut"])
            break
        for _ in step.events:
            replay.forward()
        add(step.events, [step.text], step.text.partition(":")[0] if step.kind in _OVERVIEW else "")
    replay.seek(len(record.events))
    add((), ends, ends[0])
    return Playback(
        frames,
        puzzle=record.puzzle.line,
        title=Words(lang).say("title"),
        note=" ".join(ends),
        lang=lang,
        matrices=True,
    )


def _frame(state: State, events: Sequence[Event], lines: Sequence[str], heading: str) -> Frame:
    """Return the frame of a step: the state after it, with colors for causes and changes."""
    fill: dict[int, str] = {}
    for event in events:
        causes = event.cause or (UNITS[event.unit - 1] if event.unit and event.kind == "convert" else ())
        fill.update((cell - 1, "blue") for cell in causes)
        if event.rule == "own":
            fill[event.cell - 1] = "blue"
    for event in events:
        if event.cell and event.kind in _FILLS:
            fill[event.cell - 1] = _FILLS[event.kind]
        elif event.kind == "contradiction" and event.unit:
            fill.update((cell - 1, "red") for cell in UNITS[event.unit - 1])
    masks = [sum(1 << digit - 1 for digit in state.components(cell)) for cell in range(1, 82)]
    return Frame(
        state.NA.tolist(),
        masks,
        lines=lines,
        fill=fill,
        marks={(event.cell - 1, event.digit): event.mark for event in events if event.kind == "zero"},
        depth=state.level,
        heading=heading,
        kind="contradiction" if any(event.kind == "contradiction" for event in events) else "",
    )
