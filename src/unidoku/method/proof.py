"""The part of a record that proves a contradiction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from unidoku.method.state import UNITS

if TYPE_CHECKING:
    from unidoku.method.events import Event
    from unidoku.method.record import Record, Replay


def needed(record: Record) -> set[int]:
    """Numbers (from 1) of the events that justify the last event of a record, including the last event."""
    events = record.events
    rests_on: list[tuple[int, ...]] = [()]
    replay = record.replay()
    origin = [0] * 82  # event that gave a cell its value
    presets: list[tuple[int, list[int]]] = []
    for number, event in enumerate(events, 1):
        if event.kind == "retract":
            opened, origin = presets.pop()
            rests_on.append((number - 1, opened))
        else:
            rests_on.append(tuple(k for k in _reasons(event, replay, origin) if k > 0))
        if event.kind == "preset":
            presets.append((number, origin[:]))
        if event.kind in {"preset", "convert"}:
            origin[event.cell] = number
        replay.forward()
    found: set[int] = set()
    waiting = [len(events)] if events else []
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting.extend(rests_on[number])
    return found


def _reasons(event: Event, replay: Replay, origin: list[int]) -> Iterator[int]:
    """Numbers of the events that justify the next event; 0 or less for none."""

    def zeros(components: Iterable[tuple[int, int]]) -> Iterator[int]:
        return (int(replay.state.why[digit - 1, cell - 1]) for cell, digit in components)

    cell, digit = event.cell, event.digit
    unit = UNITS[event.unit - 1] if event.unit else ()
    match event.kind, event.rule:
        case "zero", "own":
            yield origin[cell]
        case "zero", "theorem1":
            yield origin[event.cause[0]]
        case "zero", "extended":
            yield from zeros((c, digit) for c in unit if c not in event.cause)
        case "zero", "subset" if cell in event.cause:
            outside = [c for c in unit if c not in event.cause]
            confined = [
                d for d in range(1, 10) if not any(c in outside for c in replay.state.places(event.unit, d))
            ]
            yield from zeros((c, d) for d in confined for c in outside)
        case "zero", "subset":
            yield from zeros((c, d) for c in event.cause for d in range(1, 10))
        case "convert", "theorem2":
            yield from zeros((cell, d) for d in range(1, 10))
        case "convert", "theorem3":
            yield from zeros((c, digit) for c in unit)
        case "convert", "theorem4":
            yield from (origin[c] for c in unit)
        case "contradiction", _:
            # a cell of the unit with another value is excluded even if its zeroing is not done yet
            yield from zeros((c, digit) for c in unit) if unit else zeros((cell, d) for d in range(1, 10))
            yield from (origin[c] for c in unit if replay.state.NAK[digit - 1, c - 1])
