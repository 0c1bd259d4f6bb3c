"""Difficulty classes, one by one and in batch; conversions and the solution."""

import itertools

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import CLASH, ROW_WITHOUT_9, SEVERAL
from fuzzing import examples
from hypothesis import given, strategies as st
from measures import classified, measured
from method_checker import check, positions
from moving import moved

from unidoku import generate, method, solve

# one puzzle of each class, from the list of 17-clue puzzles
OF_CLASS = {
    1: ".................1.....2.3......3.2...4....5...6.1.....3......6.7..8...952.7.....",
    2: ".................1.....2.3...2...4....3.5......41....6.5.6......7.....2..8.91....",
    3: ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
    4: ".................1.....2.34.....56....7....8..8..1.7.....8.....3..6.....9.5.....3",
}

orders = st.builds(
    method.Order,
    theorems=st.permutations((2, 3, 4)).map(tuple),
    units=st.permutations(("row", "column", "box")).map(tuple),
    sweep=st.booleans(),
)


def images(puzzles):
    """Random images of some puzzles."""
    return st.builds(moved, st.sampled_from(puzzles), st.randoms(use_true_random=False))


@in_turn
@pytest.mark.parametrize("number", OF_CLASS)
def test_a_puzzle_of_each_class(number):
    puzzle = OF_CLASS[number]
    record = method.explain(puzzle)
    assert record.book_class == number
    assert record.solution == solve(puzzle).line
    assert (record.zeroings["extended"] > 0) >= (number == 2)
    assert (record.zeroings["subset"] > 0) >= (number == 3)
    assert (record.presets > 0) == (number == 4)
    # the class says which rules are needed: without them the method gets stuck
    easier = method.Order(extended=number > 2, subsets=number > 3)
    limited_record = method.explain(puzzle, easier, presets=0)
    assert (limited_record.outcome == "solved") == (number == 1)


@examples(10)
@given(puzzle=images(list(OF_CLASS.values())), order=orders)
def test_conversions_never_leave_the_solution(puzzle, order):
    """In any order; conversions inside a retracted preset are not claims about the puzzle."""
    solution = solve(puzzle)
    record = method.explain(puzzle, order)
    assert record.solution == solution.line
    for event in record.events:
        if event.level == 0 and event.kind == "convert":
            assert solution[event.cell - 1] == event.digit
        if event.level == 0 and event.kind == "zero":
            assert solution[event.cell - 1] != event.digit
    check(puzzle, [event.as_dict() for event in record.events])


@examples(10)
@given(puzzle=images([OF_CLASS[1], OF_CLASS[2]]), order=orders)
def test_classes_1_and_2_end_equal_in_every_order(puzzle, order):
    plain = method.explain(puzzle)
    ordered = method.explain(puzzle, order)
    assert plain.solution == ordered.solution is not None
    assert plain.book_class == ordered.book_class in {1, 2}
    assert sum(plain.conversions.values()) == sum(ordered.conversions.values())
    assert (plain.state().NA == ordered.state().NA).all()
    assert (plain.state().NAK == ordered.state().NAK).all()


def test_batch_agrees_with_single_records(puzzles17, top1465):
    puzzles = [*puzzles17[::2_000], *top1465[::160]]
    batch = classified(puzzles)
    for k, puzzle in enumerate(puzzles):
        record = method.explain(puzzle)
        assert batch.book_class[k] == record.book_class
        assert batch.presets[k] == record.presets
        assert batch.rounds[k] == record.rounds
        assert batch.saved[k] == record.saved
        deepest_level = max(event.level for event in record.events)
        assert batch.deepest_level[k] == record.deepest_level == deepest_level
        assert list(batch.conversions[k]) == list(record.conversions.values())
        assert list(batch.zeroings[k]) == list(record.zeroings.values())
        kinds = [event.kind for event in record.events]
        own, *zeroings = batch.zeroings[k]
        assert kinds.count("zero") == sum(zeroings)
        assert kinds.count("convert") == batch.conversions[k].sum()
        states = positions(puzzle, record.as_dict()["events"])
        lost, saved = 0, 0
        for event in record.events:
            components = next(states).components[event.cell or 1]
            if event.kind in {"convert", "preset"}:
                saved += len(components) - 1 if event.rule == "theorem4" else 0
                lost += len(components) - 1 if event.rule != "theorem4" else 0
        assert (own, batch.saved[k]) == (lost, saved)


def test_improper_puzzles_have_no_class():
    puzzles = [OF_CLASS[1], SEVERAL, ROW_WITHOUT_9, CLASH, OF_CLASS[4]]
    assert measured(puzzles).book_class.tolist() == [1, 0, 0, 0, 4]


def test_presets_can_be_forbidden():
    batch = classified([OF_CLASS[4]], presets=0)
    assert (batch.book_class[0], batch.solved[0], batch.presets[0]) == (4, False, 0)
    assert method.explain(OF_CLASS[4], presets=0).outcome == "stuck"


@pytest.mark.slow
def test_the_table_of_classes(shared_data, puzzles17, top1465):
    """The figures of docs/method.md."""
    few, hard = classified(puzzles17), classified(top1465)
    assert np.bincount(few.book_class).tolist() == [0, 21905, 15470, 4275, 7508]
    assert np.bincount(hard.book_class).tolist() == [0, 0, 60, 248, 1157]
    new = classified(generate(20000, seed=1))
    assert np.bincount(new.book_class).tolist() == [0, 8241, 2364, 1376, 8019]
    for batch, share in ((few, 3.3), (hard, 5.3)):
        made, saved = int(batch.zeroings.sum()), int(batch.saved.sum())
        assert round(100 * saved / (made + saved), 1) == share
    for batch, share, mean, max_presets, deepest_level in ((few, 62, 1.6, 10, 11), (hard, 14, 3.5, 12, 10)):
        presets = batch.presets[batch.book_class == 4]
        assert batch.solved.all()
        assert round(100 * float((presets == 1).mean())) == share
        assert round(float(presets.mean()), 1) == mean
        assert (presets.max(), batch.deepest_level.max()) == (max_presets, deepest_level)


@pytest.mark.slow
def test_when_the_theorems_convert(shared_data, puzzles17):
    """By thirds of the conversions: the order that the book describes in 1.6.5."""
    records = [method.explain(puzzle) for puzzle in puzzles17[::800]]
    direct = [record for record in records if not record.presets_made]
    counts = dict.fromkeys(itertools.product(("theorem2", "theorem3", "theorem4"), range(3)), 0)
    for record in direct:
        rules = [event.rule for event in record.events if event.kind == "convert"]
        for place, rule in enumerate(rules):
            counts[rule, 3 * place // len(rules)] += 1
    assert (len(records), len(direct)) == (62, 52)
    assert list(counts.values()) == [140, 394, 391, 975, 395, 19, 29, 303, 682]
