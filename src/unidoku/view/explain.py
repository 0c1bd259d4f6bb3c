"""How a person solves a puzzle, as a page or text: by the steps of the scale, or by the book's method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.method.report import Words, report, steps
from unidoku.method.rules import explain as record_of
from unidoku.method.state import UNITS
from unidoku.rating.path import steps as steps_of
from unidoku.view.pages import WORDS
from unidoku.view.player import Frame, Playback
from unidoku.view.steps import play_steps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from unidoku.grid import PuzzleLike
    from unidoku.method import Record, State
    from unidoku.method.events import Event
    from unidoku.rating.step import Language

_OVERVIEW = {"convert", "extended", "subset", "preset", "contradiction", "retract"}
_FILLS = {"convert": "green", "preset": "yellow", "contradiction": "red", "retract": "red"}


def explain(
    puzzle: PuzzleLike, *, method: Literal["steps", "book"] = "steps", lang: Language = "en"
) -> Playback:
    """Explain how a person solves a puzzle, step by step.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `Grid` accepts it.
    method : {"steps", "book"}
        By the steps of Sudoku Explainer, as `unidoku.steps` finds them, or by the numerical-analysis method,
        as `unidoku.method.explain` does.
    lang : {"en", "zh"}

    Returns
    -------
    Playback
        Printed it is the text; in a notebook it plays the steps.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle; for the steps also if it has no or several solutions.

    Examples
    --------
    >>> told = explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> print(str(told).splitlines()[1])
    Hidden single: in box 2 the digit 8 fits only in r1c6.
    """
    if method == "steps":
        return play_steps(steps_of(puzzle), lang=lang)
    if method != "book":
        raise ValueError(f"invalid method {method!r}; choose from: steps, book")
    return play_record(record_of(puzzle), lang=lang)


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
    played = Playback(record.puzzle.line, Words(lang).say("title"), lang=lang, words=WORDS["book"][lang])

    def add(events: Sequence[Event], lines: Sequence[str], heading: str) -> None:
        played.add(_frame(replay.state, events, lines, heading), replay.state.KH.tolist())

    add((), orders, orders[-1])
    for step in steps(record, lang=lang, names="tagged"):
        if size is not None and played.size > size:
            ends.append(WORDS["page"][lang]["cut"])
            break
        for _ in step.events:
            replay.forward()
        add(step.events, [step.text], step.text.partition(":")[0] if step.kind in _OVERVIEW else "")
    replay.seek(len(record.events))
    add((), ends, ends[0])
    played.note = " ".join(ends)
    return played


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
