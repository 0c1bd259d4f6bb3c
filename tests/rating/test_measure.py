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
    assert len(measures.search_first_steps) == len(puzzles) + 1
    for k, puzzle in enumerate(puzzles):
        first_run = Session(puzzle)
        first_run.run()
        assert (measures.search_first_steps[k], measures.search_first_level[k]) == (
            first_run.steps,
            first_run.peak.level,
        )
        is_proper = unidoku.count(puzzle) == 1
        assert measures.book_class[k] == (method.explain(puzzle).book_class if is_proper else 0)
    assert measures.search_complete.all()
    assert [
        getattr(measures, name)[-1] for name in ("search_first_steps", "search_first_level", "book_class")
    ] == [0] * 3


@pytest.mark.parametrize("stride", [20, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.weekly])])
def test_the_search_of_every_17_clue_puzzle_ends(puzzles17, stride):
    measures = measured(puzzles17[::stride])
    assert measures.search_complete.all()
    assert measures.book_class.all()  # so each has one solution


def test_a_puzzle_whose_search_ends_after_one_solution_has_no_class():
    measures = measured([QUIZ], step_limit=200)
    assert (measures.search_first_steps.tolist(), measures.book_class.tolist()) == ([131], [0])


def test_a_search_that_the_limit_ends_has_as_many_steps():
    """A unit of work is never split, so that the search takes a few more steps."""
    for limit in range(95, 106):
        measures = measured(["." * 81], step_limit=limit)
        assert measures.search_complete.tolist() == [False]
        assert measures.book_class.tolist() == [0]
        # the first solution of the quiz needs 131 steps
        assert measured([QUIZ], step_limit=limit).search_first_steps.tolist() == [limit]
