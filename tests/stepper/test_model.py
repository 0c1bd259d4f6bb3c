"""The native engine against the plain model: equal streams of events."""

import random

import pytest
from example_puzzles import COUNTED, ROW_WITHOUT_9, changed, spread
from step_model import Model

from unidoku.errors import InvalidPuzzleError
from unidoku.stepper import Session

ODD = [
    *COUNTED,
    ".....6....59.....82....8....45........3........6..3.54...325..6..................",
    ROW_WITHOUT_9,
    "." * 81,
]
"""Puzzles with no, two, ten and very many solutions."""


def compare(puzzle, mode, steps, guesses=None):
    """Run the engine and the model up to ``steps``; ``guesses`` is a seed for random answers."""

    def choose(candidates):
        pick = random.Random(f"{guesses} {sorted(candidates)}")
        if pick.random() < 0.3:
            return None
        cell = pick.choice(sorted(candidates))
        return cell, pick.choice(candidates[cell])

    def ask_model(model, cell, value):
        return choose({cell: digits for cell, digits in enumerate(model.candidates) if digits})

    def ask_session(session, cell, digit):
        return choose(session.candidates)

    interactive = guesses is not None
    model = Model(puzzle, mode, ask_model if interactive else None)
    model.run_until(steps)
    session = Session(puzzle, mode=mode, guess=ask_session if interactive else None)
    events = [event.as_dict() for event in session.stream(until=steps, solutions=None, display=False)]
    events = [event for event in events if event["kind"] != "guess_asked"]
    assert events == model.events, puzzle
    assert list(session.grid) == model.grid
    assert session.peak.level == model.biggest
    assert [(level.cell, level.position) for level in session.levels] == [
        (level.cell, level.k) for level in model.stack
    ]
    if model.state != "loaded":
        session_candidates = {cell: list(digits) for cell, digits in session.candidates.items()}
        assert session_candidates == {cell: digits for cell, digits in enumerate(model.candidates) if digits}
    return model


def clues_of(puzzle):
    return [cell for cell, symbol in enumerate(puzzle) if symbol not in ".0"]


def kinds_of(models):
    return {event["kind"] for model in models for event in model.events}


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_beginnings_of_many_puzzles(puzzles17, mode):
    kinds = kinds_of(
        compare(puzzle, mode, 25)
        for puzzle in puzzles17[mode :: len(puzzles17) // (100 if mode == 1 else 50)]
    )
    assert {"single", "singles", "guess", "no_shrink", "went_wrong"} <= kinds
    if mode != 2:
        assert {"complete_shrink", "incomplete_shrink"} <= kinds


@pytest.mark.parametrize("mode", [0, 1])
def test_whole_searches(puzzles17, mode):
    models = [compare(puzzle, mode, 10**6) for puzzle in spread(puzzles17[mode:], 8)]
    assert {model.state for model in models} == {"invalid"}
    assert {model.solutions for model in models} == {1}
    assert {"forward_guess", "upward_guess", "contradiction", "solution"} <= kinds_of(models)


def test_odd_puzzles():
    for mode in [0, 1, 2]:
        for puzzle in ODD:
            compare(puzzle, mode, 250)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_no_and_several_solutions(top1465, mode):
    models, refused = [], 0
    for seed, puzzle in enumerate(top1465[mode::75]):
        pick = random.Random(seed)
        wrong = changed(puzzle, {pick.choice(clues_of(puzzle)): pick.choice("123456789")})
        try:
            models.append(compare(wrong, mode, 300))
        except InvalidPuzzleError:
            refused += 1
        fewer = changed(puzzle, dict.fromkeys(pick.sample(clues_of(puzzle), 3), "."))
        models.append(compare(fewer, mode, 300))
    assert refused < len(models) // 2
    ended = [model.solutions for model in models if model.state == "invalid"]
    assert 0 in ended
    assert any(model.solutions > 1 for model in models)
    if mode == 2:
        assert {"line_shrink", "filter_again", "contradiction"} <= kinds_of(models)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_guesses_from_outside(top1465, mode):
    models = [compare(puzzle, mode, 150, guesses=seed) for seed, puzzle in enumerate(top1465[mode::200])]
    counts = {event["count"] for model in models for event in model.events if event["kind"] == "guess"}
    assert max(counts) > 3


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_long_searches(puzzles17, top1465, mode):
    for puzzle in [*puzzles17[mode::2400], *top1465[mode::300]]:
        compare(puzzle, mode, 600 if mode == 2 else 2000)
