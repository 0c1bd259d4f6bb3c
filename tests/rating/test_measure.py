"""Measures of the step engine and classes against the step engine, the method and the kernel one by one."""

import pytest
from example_puzzles import CLASH, QUIZ, ROW_WITHOUT_9, SEVERAL

import unidoku
from unidoku import method
from unidoku.rating import measure_many
from unidoku.stepper import Session


def test_measures_agree_with_single_answers(top1465, puzzles17):
    puzzles = [*top1465[:15], *puzzles17[:15], SEVERAL, QUIZ, ROW_WITHOUT_9]
    found = measure_many([*puzzles, CLASH], threads=2)
    assert len(found) == len(puzzles) + 1
    for k, puzzle in enumerate(puzzles):
        first = Session(puzzle)
        first.run()
        assert (found.first_steps[k], found.first_level[k]) == (first.steps, first.peak.level)
        assert found.first_level_step[k] == first.peak_so_far.step
        session = Session(puzzle)
        biggest = max(
            (getattr(event, "level", 0) or 0 for event in session.stream(solutions=None)), default=0
        )
        assert (found.steps[k], found.solutions[k]) == (session.steps, session.solution_sum)
        assert (found.level[k], found.level_step[k]) == (biggest, session.peak_so_far.step)
        assert found.solutions[k] == unidoku.count(puzzle)
        assert found.classes[k] == (method.explain(puzzle).difficulty if found.solutions[k] == 1 else 0)
    assert found.complete.all()
    assert [getattr(found, name)[-1] for name in ("steps", "solutions", "level", "classes")] == [0] * 4


@pytest.mark.parametrize("stride", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_every_17_clue_puzzle_has_one_solution(puzzles17, stride):
    found = measure_many(puzzles17[::stride])
    assert set(found.solutions) == {1}
    assert found.complete.all()


def test_a_puzzle_whose_search_ends_after_one_solution_has_no_class():
    found = measure_many([QUIZ], step_limit=200)
    assert (found.solutions.tolist(), found.classes.tolist()) == ([1], [0])


def test_a_search_that_the_limit_ends_has_as_many_steps():
    """A unit of work is never split, so that the search takes a few more steps."""
    for limit in range(95, 106):
        found = measure_many(["." * 81], step_limit=limit)
        assert (found.steps.tolist(), found.complete.tolist(), found.classes.tolist()) == (
            [limit],
            [False],
            [0],
        )
        # the first solution of the quiz needs 131 steps
        assert measure_many([QUIZ], step_limit=limit).first_steps.tolist() == [limit]
