"""Measures of many puzzles, against the stepper, the method and the kernel puzzle by puzzle."""

import pytest
from example_puzzles import CLASH, QUIZ, ROW_WITHOUT_9, SEVERAL
from measures import measured

import unidoku
from unidoku import method
from unidoku.stepper import Session


def test_measures_agree_with_single_answers(top1465, puzzles17):
    puzzles = [*top1465[:15], *puzzles17[:15], SEVERAL, QUIZ, ROW_WITHOUT_9]
    measures = measured([*puzzles, CLASH])
    assert len(measures.steps) == len(puzzles) + 1
    for k, puzzle in enumerate(puzzles):
        first_run = Session(puzzle)
        first_run.run()
        assert (measures.first_steps[k], measures.first_level[k]) == (first_run.steps, first_run.peak.level)
        assert measures.first_level_step[k] == first_run.peak_so_far.step
        session = Session(puzzle)
        biggest = max(
            (getattr(event, "level", 0) or 0 for event in session.stream(solutions=None)), default=0
        )
        assert (measures.steps[k], measures.solutions[k]) == (session.steps, session.solution_sum)
        assert (measures.level[k], measures.level_step[k]) == (biggest, session.peak_so_far.step)
        assert measures.solutions[k] == unidoku.count(puzzle)
        assert measures.classes[k] == (method.explain(puzzle).difficulty if measures.solutions[k] == 1 else 0)
    assert measures.complete.all()
    assert [getattr(measures, name)[-1] for name in ("steps", "solutions", "level", "classes")] == [0] * 4


@pytest.mark.parametrize("stride", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_every_17_clue_puzzle_has_one_solution(puzzles17, stride):
    measures = measured(puzzles17[::stride])
    assert set(measures.solutions) == {1}
    assert measures.complete.all()


def test_a_puzzle_whose_search_ends_after_one_solution_has_no_class():
    measures = measured([QUIZ], step_limit=200)
    assert (measures.solutions.tolist(), measures.classes.tolist()) == ([1], [0])


def test_a_search_that_the_limit_ends_has_as_many_steps():
    """A unit of work is never split, so that the search takes a few more steps."""
    for limit in range(95, 106):
        measures = measured(["." * 81], step_limit=limit)
        assert (measures.steps.tolist(), measures.complete.tolist(), measures.classes.tolist()) == (
            [limit],
            [False],
            [0],
        )
        # the first solution of the quiz needs 131 steps
        assert measured([QUIZ], step_limit=limit).first_steps.tolist() == [limit]
