"""The engine against the independent checker, on real puzzles, in several orders."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import BOOK, ROW_WITHOUT_9, UNIQUE as CLASS1, sample, spread
from method_checker import check, positions

import unidoku
from unidoku import Grid, Verdict, method
from unidoku.cell import cell_name
from unidoku.errors import UnidokuError
from unidoku.method._record import UNITS, State

ORDERS = [
    method.Order(),
    method.Order(theorems=(2, 3, 4), units=("box", "column", "row")),
    method.Order(theorems=(3, 4, 2)),
    method.Order(theorems=(2, 4, 3), units=("column", "row", "box"), sweep=True),
    method.Order(sweep=True),
    *(method.Order(units=units) for units in [*itertools.permutations(("row", "column", "box"))][1:]),
]


@in_turn
@pytest.mark.parametrize(
    "order",
    [{"theorems": wrong} for wrong in ("234", ("2", "3", "4"), (2, 3), (2, 2, 3), (1, 2, 3), (True, 3, 4))]
    + [{"units": ("row", "row", "box")}],
)
def test_an_order_has_each_theorem_and_each_unit_once(order):
    with pytest.raises(UnidokuError, match=r"must have each of .+ once, not"):
        method.Order(**order)


@pytest.fixture(scope="module")
def puzzles500(puzzles17, top1465):
    """500 puzzles with few clues, hard ones, and some of the sample: with one, several and no solutions."""
    others = [puzzle for puzzle, _ in sample() if not Grid(puzzle).clashes()]
    return spread(puzzles17, 250)[:250] + spread(top1465, 150)[:150] + spread(others, 100)[:100]


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_records_are_justified_in_each_order(order, puzzles500):
    for puzzle in puzzles500[::80]:
        record = method.explain(puzzle, order)
        values = check(puzzle, record.as_dict()["events"])
        assert values == (record.solution or "".join(map(str, record.state().NA)).replace("0", "."))


@pytest.mark.parametrize(
    "units", [("row", "column", "box"), ("box", "row", "column"), ("column", "box", "row")]
)
def test_each_state_is_one_of_the_book(units, puzzles500):
    """Where NA is not 0, NAK has the value alone and MMK is 1 (1.4.1c and d, theorem 1)."""
    for puzzle in [*puzzles500[::60], ROW_WITHOUT_9, CONTRADICTED_PRESET]:
        for state in states(method.explain(puzzle, method.Order(units=units))):
            filled = state.NA > 0
            assert (state.NAK[:, filled].sum(axis=0) == state.NA[filled]).all()
            assert (state.MMK[filled] == 1).all()
            assert (np.count_nonzero(state.NAK, axis=0) == state.MMK).all()


def states(record: method.Record) -> Iterator[State]:
    """The state after each step of a record."""
    replay = record.replay()
    for end in record.step_ends:
        replay.seek(end)
        yield replay.state


CONTRADICTED_PRESET = "810000050070805000040320000000000100020000073003070006006500000000062010207000800"
"""Eight cells of a row with values, and the ninth digit in the column of the ninth cell."""


@pytest.mark.slow
def test_boards_without_a_solution(puzzles17):
    """Each event is justified, nothing is zeroed in a cell with a value."""
    choice, boards = random.Random(69), []
    while len(boards) < 500:
        full = list(unidoku.solve(choice.choice(puzzles17)).line)
        for cell in choice.sample(range(81), choice.randrange(20, 60)):
            full[cell] = "."
        cell = choice.choice([cell for cell in range(81) if full[cell] != "."])
        full[cell] = choice.choice("123456789")
        board = Grid("".join(full))
        if not board.clashes() and unidoku.check(board) is Verdict.NONE:
            boards.append(board.line)
    for number, board in enumerate(boards):
        record = method.explain(board, ORDERS[number % len(ORDERS)])
        check(board, record.as_dict()["events"])
        assert (record.outcome, record.verdict) == ("contradiction", "none")
        last = record.events[-1]
        if last.cell:
            assert record.state().NA[last.cell - 1] == 0


def test_theorem_4_gives_no_cell_a_value_that_its_column_has():
    """The book's 1.6.3: each conversion keeps the three constraints."""
    record = method.explain("12345678." + "." * 8 + "9" + "." * 63)
    assert {event.kind for event in record.events} == {"zero", "contradiction"}
    record = method.explain(CONTRADICTED_PRESET)
    assert [event.cell for event in record.events if event.kind == "convert"].count(67) == 1


def test_each_state_is_that_of_the_independent_program(puzzles500):
    for puzzle in puzzles500[::170]:
        record = method.explain(puzzle)
        replay = record.replay()
        for position in positions(puzzle, record.as_dict()["events"]):
            state = replay.state
            assert all({*state.components(cell)} == position.components[cell] for cell in range(1, 82))
            assert position.value == {c: v for c, v in enumerate(state.NA.tolist(), 1) if v}
            replay.forward()


REPLAY = method.explain(BOOK).after(-1)
COUNTED = {
    "mark of a cell": (lambda cell: REPLAY.mark(cell, 2), 81, "1 to 81, or r1c1 to r9c9"),
    "mark of a digit": (lambda digit: REPLAY.mark(1, digit), 9, "digit must be 1 to 9"),
    "components": (REPLAY.state.components, 81, "1 to 81, or r1c1 to r9c9"),
    "places in a unit": (lambda unit: REPLAY.state.places(unit, 1), 27, "unit must be 1 to 27"),
    "places of a digit": (lambda digit: REPLAY.state.places(1, digit), 9, "digit must be 1 to 9"),
}
"""Functions of a number from 1, the last number, and the end of the error about another."""


@in_turn
@pytest.mark.parametrize(("function", "last", "bounds"), COUNTED.values(), ids=COUNTED)
def test_a_number_from_1_is_not_an_index(function, last, bounds):
    """0 and negative numbers are refused; as indices, they would be answered from the end."""
    assert function(np.int8(last)) == function(last)
    for number in (0, -1, -5, last + 1):
        with pytest.raises(UnidokuError, match=bounds):
            function(number)
    for other in ("r0c1", 1.0, None):
        with pytest.raises((UnidokuError, TypeError), match=f"{bounds}|must be an integer"):
            function(other)


def test_a_cell_by_its_name():
    state = REPLAY.state
    for cell in range(1, 82):
        name = cell_name(cell - 1)
        assert state.components(name) == state.components(cell)
        assert REPLAY.mark(name.upper(), 5) == REPLAY.mark(cell, 5)


def test_a_step_that_is_not_there():
    record = method.explain(BOOK)
    last = len(record.step_ends) - 1
    assert record.after(last).position == record.after(-1).position == len(record.events)
    assert record.after(-1 - last).position == record.after(0).position
    for function in (record.after, record.matrices):
        for step in (last + 1, 999, -2 - last):
            with pytest.raises(UnidokuError, match=f"step must be -{last + 1} to {last}, not {step}"):
                function(step)


def test_a_subset_has_up_to_four_cells():
    puzzle = ".......4..9.567....15.8....3..7.8.6.1.9.43.............5...183.....9.....6....19."
    events = method.explain(puzzle).as_dict()["events"]
    assert check(puzzle, events)
    assert max(len(event["cause"]) for event in events if event.get("rule") == "subset") == 4


def test_a_conversion_before_the_zeroing_of_another():
    """Step 20 of a puzzle of docs/method.md: theorem 4 converts right after cell 61 has taken its value."""
    record = method.explain(BOOK)
    state = record.after(20).state
    assert (state.NA[60], state.MMK[60], state.components(61)) == (1, 1, (1,))
    event = record.events[record.step_ends[19]]
    assert (event.kind, event.cell, record.after(20).mark(61, 3)) == ("convert", 61, "*")


def test_theorems_and_units_in_the_documented_order():
    """Theorem 4 before 2 before 3, rows before columns before boxes, zeroing complete before 2 and 3."""
    record = method.explain(CLASS1)
    replay = record.replay()
    state = replay.state
    for event in record.events:
        if event.kind != "convert":
            replay.forward()
            continue
        conversions = []
        for unit in range(1, 28):
            open_cells = [cell for cell in UNITS[unit - 1] if not state.NA[cell - 1]]
            if len(open_cells) == 1:
                digit = 45 - sum(int(state.NA[cell - 1]) for cell in UNITS[unit - 1])
                conversions.append((unit, digit, open_cells[0], "theorem4"))
        if not conversions:
            assert_zeroing_is_complete(state)
        conversions += [
            (0, state.components(cell)[0], cell, "theorem2")
            for cell in range(1, 82)
            if not state.NA[cell - 1] and state.MMK[cell - 1] == 1
        ]
        for unit, digit in itertools.product(range(1, 28), range(1, 10)):
            places = state.places(unit, digit)
            if len(places) == 1 and not state.NA[places[0] - 1]:
                conversions.append((unit, digit, places[0], "theorem3"))
        assert (event.unit, event.digit, event.cell, event.rule) == conversions[0]
        replay.forward()


def assert_zeroing_is_complete(state):
    for unit in UNITS:
        for cell, peer in itertools.permutations(unit, 2):
            value = state.NA[cell - 1]
            assert not value or not state.NAK[value - 1, peer - 1]


def test_a_replay_goes_to_any_event(top1465):
    hard = next(p for p in top1465 if method.explain(p, verdict=Verdict.UNIQUE).presets_retracted > 3)
    record = method.explain(hard, verdict=Verdict.UNIQUE)
    replay = record.replay()
    pictures = []

    def picture():
        state = replay.state
        arrays = (state.NA, state.NAK, state.MMK, state.KH, state.why)
        return tuple(array.tobytes() for array in arrays), state.level

    pictures.append(picture())
    for event in replay:
        pictures.append(picture())
        is_back = event.kind == "retract"
        assert replay.state.level == event.level - is_back
        assert not is_back or all(replay.state.NA[cell - 1] for cell in replay.conversions())
    assert "".join(map(str, replay.state.NA)) == record.solution
    for number in (len(record.events) // 2, 7, 0, len(record.events)):
        replay.seek(number)
        assert replay.position == number
        assert picture() == pictures[number]
    with pytest.raises(IndexError):
        replay.seek(len(record.events) + 1)


def test_each_zero_names_its_first_cause():
    record = method.explain(CLASS1)
    replay = record.replay()
    replay.seek(len(record.events))
    for cell, digit in itertools.product(range(1, 82), range(1, 10)):
        mark = replay.mark(cell, digit)
        assert (mark == "") == (replay.state.NA[cell - 1] == digit)
    zeros = [event for event in record.events if event.kind == "zero"]
    assert len({(event.cell, event.digit) for event in zeros}) == len(zeros)
    assert all(replay.mark(event.cell, event.digit) == event.mark for event in zeros)


def test_zeroings_that_theorem_4_saves(puzzles17):
    """Eight components of each undetermined cell become 0, by a zeroing or, saved, with theorem 4."""
    saved = 0
    for puzzle in [CLASS1, *puzzles17[:: len(puzzles17) // 20]]:
        for order in ORDERS:
            record = method.explain(puzzle, order, verdict=Verdict.UNIQUE)
            if record.presets_made or record.outcome != "solved":
                continue
            assert sum(record.zeroings.values()) + record.saved == 8 * puzzle.count(".")
            assert (record.saved > 0) == (order.theorems[0] == 4)
            saved += record.saved
    assert saved


def test_no_solution_ends_with_the_contradiction():
    # cell 9 sees 1..8 in its row and 9 in its column
    record = method.explain(ROW_WITHOUT_9)
    assert (record.outcome, record.verdict, record.solution) == ("contradiction", "none", None)
    event = record.events[-1]
    assert (event.kind, event.cell) == ("contradiction", 9)
    assert record.state().MMK[8] == 0
    check(ROW_WITHOUT_9, record.as_dict()["events"])
