"""Proof of a contradiction: the events of a record that its last event rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unidoku.method.record import Record, Replay
from unidoku.method.state import UNITS, Event


def proof_of(record: Record) -> set[int]:
    """Return the numbers, from 1, of the last event of a record and of all events that justify it."""
    events = record.events
    reasons: list[tuple[int, ...]] = [()]
    replay = record.replay()
    origin = [0] * 82  # event that gave a cell its value
    presets: list[tuple[int, list[int]]] = []
    for number, event in enumerate(events, 1):
        if event.kind == "retract":
            preset, origin = presets.pop()
            reasons.append((number - 1, preset))
        else:
            reasons.append(tuple(k for k in _reasons(event, replay, origin) if k > 0))
        if event.kind == "preset":
            presets.append((number, origin[:]))
        if event.kind in {"preset", "convert"}:
            origin[event.cell] = number
        replay.forward()
    numbers: set[int] = set()
    pending = [len(events)] if events else []
    while pending:
        number = pending.pop()
        if number not in numbers:
            numbers.add(number)
            pending.extend(reasons[number])
    return numbers


def _reasons(event: Event, replay: Replay, origin: list[int]) -> Iterator[int]:
    """Yield the numbers of the events that justify the next event; 0 or less for none."""

    def zeros(components: Iterable[tuple[int, int]]) -> Iterator[int]:
        return (int(replay.state.why[digit - 1, cell - 1]) for cell, digit in components)

    cell, digit = event.cell, event.digit
    unit = UNITS[event.unit - 1] if event.unit else ()
    match event.kind, event.rule:
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
