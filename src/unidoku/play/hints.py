"""Hints: the next step of the numerical-analysis method in a game, with its reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from unidoku.grid import Grid
from unidoku.method.report import Words, steps
from unidoku.method.rules import explain
from unidoku.method.state import UNITS
from unidoku.play.game import mask_of
from unidoku.verdict import Verdict
from unidoku.view.player import VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unidoku.method import State
    from unidoku.method.events import Event
    from unidoku.method.report import Step
    from unidoku.play.game import Game

__all__ = ["Hint", "next_step"]

_NUMBER = re.compile(r"^[0-9]+\. ")


class Hint(NamedTuple):
    """A hint: the next step and its reason.

    Attributes
    ----------
    kind : str
        ``wrong`` (a wrong digit or wrong pencil marks), or the kind of a step of the method: ``convert``,
        ``extended``, ``subset``, ``preset``.
    text : str
        What to do and why; cells are tagged, see `unidoku.method.report.untag`.
    changes : mapping of cell 0 to 80 to int
        The codes that apply the step, see `Game.codes`.
    causes : frozenset of int
        Cells 0 to 80 that are the reason.
    """

    kind: str
    text: str
    changes: Mapping[int, int]
    causes: frozenset[int] = frozenset()


def next_step(game: Game) -> Hint | None:
    """Return the next step of the method for the current state of a game.

    A correct digit of the player counts as a clue; for a wrong one, the hint is to remove it. There are no
    hints for zeroing by values. Extended zeroing and subsets remove candidates; they are skipped if the
    pencil marks already lack these. The hint of a preset includes its result, so that no hint is a guess.

    Parameters
    ----------
    game : Game

    Returns
    -------
    Hint or None
        None if the game is solved.
    """
    if game.solved:
        return None
    mistake = _mistake(game)
    if mistake is not None:
        return mistake
    record = explain(Grid(game.values), verdict=Verdict.UNIQUE)
    replay = record.replay()
    refuted = 0  # position up to which events belong to a preset that was refuted
    for step in steps(record, names="tagged"):
        if replay.position >= refuted:
            hint = _hint(game, step, replay.state)
            if hint is None and step.kind == "preset":
                hint, refuted = _preset(game, step, replay.state, record.events[replay.position + 1 :])
                refuted += replay.position + 1
            if hint is not None:
                return hint
        for _ in step.events:
            replay.forward()
    return None


def _mistake(game: Game) -> Hint | None:
    """Return a hint for the first wrong digit, or for pencil marks without the correct digit."""
    words = Words(names="tagged")
    for cell in game.wrong():
        text = f"Cell {words.cell(cell + 1)} is wrong: {game.values[cell]} is not its digit. Clear it."
        return Hint("wrong", text, {cell: 0})
    for cell, code in enumerate(game.codes):
        if 0 < code < VALUE and not code >> game.solution[cell] - 1 & 1:
            text = f"The pencil marks of cell {words.cell(cell + 1)} lack its digit. Write them again."
            return Hint("wrong", text, {cell: mask_of(Grid(game.values).candidates(cell))})
    return None


def _hint(game: Game, step: Step, state: State) -> Hint | None:
    """Return the hint of a step, or None if it changes nothing."""
    event = step.events[0]
    text = _NUMBER.sub("", step.text)
    if step.kind == "convert":
        causes = UNITS[event.unit - 1] if event.unit else ()
        cells = frozenset(cell - 1 for cell in causes if cell != event.cell)
        return Hint(step.kind, text, game.placement(event.cell - 1, event.digit), cells)
    if step.kind in {"extended", "subset"}:
        changes = _without(game, step.events, state)
        cells = frozenset(cell - 1 for cell in event.cause)
        return Hint(step.kind, text, changes, cells) if changes else None
    return None


def _preset(game: Game, step: Step, state: State, later: tuple[Event, ...]) -> tuple[Hint | None, int]:
    """Return the hint of a preset with its result, and the number of later events inside it."""
    event = step.events[0]
    for number, after in enumerate(later, 1):
        if after.kind == "retract" and after.level == event.level:
            text = f"{step.text} It leads to a contradiction, so {event.digit} is not possible there."
            changes = _without(game, [event], state)
            return (Hint("preset", text, changes) if changes else None), number
    changes = game.placement(event.cell - 1, event.digit)
    return Hint("preset", f"{step.text} It leads to the solution.", changes), 0


def _without(game: Game, events: list[Event], state: State) -> dict[int, int]:
    """Return the changed pencil marks of cells after events that zero components."""
    changes: dict[int, int] = {}
    for event in events:
        cell, bit = event.cell - 1, 1 << event.digit - 1
        marks = changes.get(cell, game.codes[cell]) or mask_of(state.components(event.cell))
        if marks & bit:
            changes[cell] = marks & ~bit
    return changes
