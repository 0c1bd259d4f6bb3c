"""Puzzles without a solution: the record ends with the contradiction, and the events it needs prove it."""

import random

from example_puzzles import spread
from measures import classified
from method_checker import check

import unidoku
from unidoku import Grid, method
from unidoku.method._report import proof, proof_of


def test_unsolvable_puzzles_end_with_a_proof(top1465):
    draw = random.Random(9)
    with_presets = 0
    classes = classified(top1465).book_class
    hard = [puzzle for puzzle, number in zip(top1465, classes, strict=True) if number == 4]
    for puzzle in spread(hard, 20):
        cell = draw.choice([k for k in range(81) if puzzle[k] == "."])
        wrong = [d for d in Grid(puzzle).candidates(cell) if d != unidoku.solve(puzzle)[cell]]
        if not wrong:
            continue
        changed = puzzle[:cell] + str(draw.choice(wrong)) + puzzle[cell + 1 :]
        record = method.explain(changed)
        assert (record.verdict, record.outcome) == ("none", "contradiction")
        assert (record.solution, record.book_class) == (None, None)
        assert (record.events[-1].kind, record.events[-1].level) == ("contradiction", 0)
        check(changed, [event.as_dict() for event in record.events])
        numbers = proof_of(record)
        part = [event.as_dict() for number, event in enumerate(record.events, 1) if number in numbers]
        check(changed, part)
        assert part[-1]["kind"] == "contradiction"
        assert list(proof(record))[-1].kind == "contradiction"
        with_presets += record.presets_made > 0
    assert with_presets > 1


def test_steps_after_a_preset_are_in_a_proof_with_its_retraction():
    record = method.explain(
        "1.3..7.89.....93.7.8....5.......34....4..5......6..2.834.....6.....9....8..7....4"
    )
    numbers, presets = proof_of(record), []
    for number, event in enumerate(record.events, 1):
        if event.kind == "preset":
            presets.append(number)
        elif event.kind == "retract":
            branch = range(presets.pop(), number)
            assert number in numbers or numbers.isdisjoint(branch)
    assert len(numbers) < len(record.events)
