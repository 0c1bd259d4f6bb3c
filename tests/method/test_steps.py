"""The matrices after every step, big units, and the worked puzzle of the documentation."""

import json

import numpy as np
import pytest
from cases import in_turn
from command import run
from method_checker import check as check_record

from unidoku import Verdict, check, method

WORKED_PUZZLE = "..2.....9.9...7.617..6......2..1.8.53.......21.5.7..9......9..364.1...5.8.....2.."
PUZZLES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".................1.....2.34.....56....7....8..8..1.7.....8.....3..6.....9.5.....3",  # class 4
    "12345678." + "." * 9 + "........9" + "." * 54,  # no solution
]


def test_the_worked_puzzle():
    assert 81 - WORKED_PUZZLE.count(".") == 26
    assert check(WORKED_PUZZLE) is Verdict.UNIQUE
    record = method.explain(WORKED_PUZZLE)
    check_record(WORKED_PUZZLE, record.as_dict()["events"])
    assert (record.outcome, record.book_class) == ("solved", 3)
    assert min(record.conversions.values()) > 0
    assert {event.big_unit for event in record.events if event.rule == "extended"} == {"stack 3", "band 3"}


@in_turn
@pytest.mark.parametrize("puzzle", [WORKED_PUZZLE, *PUZZLES])
def test_matrices_agree_with_a_replay(puzzle):
    record = method.explain(puzzle)
    ends = record.step_ends
    assert ends[-1] == len(record.events)
    assert list(ends) == sorted(set(ends)) or len(record.events) == 0
    replay = record.replay()
    for step, end in enumerate(ends):
        replay.seek(end)
        matrices = record.matrices(step)
        assert (matrices.NA.reshape(81) == replay.state.NA).all()
        assert (matrices.KH.reshape(81) == replay.state.KH).all()
        assert (matrices.MMK.reshape(81) == replay.state.MMK).all()
        for cell in range(81):
            digits = matrices.NAK[cell // 9, cell % 9]
            assert set(digits.tolist()) - {0} == set(replay.state.components(cell + 1))
        if step and record.events[ends[step - 1]].kind == "convert":
            assert np.count_nonzero(matrices.NA) == np.count_nonzero(record.matrices(step - 1).NA) + 1
    assert (record.matrices().NA == matrices.NA).all()


def test_the_command_writes_matrices():
    def output(*options):
        return run("explain", "--method", "book", WORKED_PUZZLE, *options).stdout

    text = output("--show", "every-step,matrices")
    record = method.explain(WORKED_PUZZLE)
    assert text.count("MMK, number of components") == len(record.step_ends)
    document = json.loads(output("--to", "json", "--show", "matrices"))
    assert [step["event"] for step in document["steps"]] == list(record.step_ends)
    assert document["steps"][5]["NAK"] == record.matrices(5).NAK.tolist()
    assert "steps" not in json.loads(output("--to", "json"))
