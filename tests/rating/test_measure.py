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
    assert len(measures.search_steps) == len(puzzles) + 1
    for k, puzzle in enumerate(puzzles):
        first_run = Session(puzzle)
        first_run.run()
        assert (measures.search_first_steps[k], measures.search_first_level[k]) == (
            first_run.steps,
            first_run.peak.level,
        )
        assert measures.search_first_level_step[k] == first_run.peak_so_far.step
        session = Session(puzzle)
        biggest = max(
            (getattr(event, "level", 0) or 0 for event in session.stream(solutions=None)), default=0
        )
        assert (measures.search_steps[k], measures.search_solutions[k]) == (
            session.steps,
            session.solution_sum,
        )
        assert (measures.search_level[k], measures.search_level_step[k]) == (
            biggest,
            session.peak_so_far.step,
        )
        assert measures.search_solutions[k] == unidoku.count(puzzle)
        assert measures.book_class[k] == (
            method.explain(puzzle).book_class if measures.search_solutions[k] == 1 else 0
        )
    assert measures.search_complete.all()
    assert [
        getattr(measures, name)[-1]
        for name in ("search_steps", "search_solutions", "search_level", "book_class")
    ] == [0] * 4


@pytest.mark.parametrize("stride", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_every_17_clue_puzzle_has_one_solution(puzzles17, stride):
    measures = measured(puzzles17[::stride])
    assert set(measures.search_solutions) == {1}
    assert measures.search_complete.all()


def test_a_puzzle_whose_search_ends_after_one_solution_has_no_class():
    measures = measured([QUIZ], step_limit=200)
    assert (measures.search_solutions.tolist(), measures.book_class.tolist()) == ([1], [0])


def test_a_search_that_the_limit_ends_has_as_many_steps():
    """A unit of work is never split, so that the search takes a few more steps."""
    for limit in range(95, 106):
        measures = measured(["." * 81], step_limit=limit)
        assert measures.search_steps.tolist() == [limit]
        assert measures.search_complete.tolist() == [False]
        assert measures.book_class.tolist() == [0]
        # the first solution of the quiz needs 131 steps
        assert measured([QUIZ], step_limit=limit).search_first_steps.tolist() == [limit]
