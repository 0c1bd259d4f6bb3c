"""What verify says besides right and wrong: filled, correct, kept clues, and a score."""

import random

import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku.craft.answers import read_answer

OPEN = [cell for cell, symbol in enumerate(UNIQUE) if symbol == "."]


def changed(line, **cells):
    """A line with some cells replaced: ``c7="5"``."""
    symbols = list(line)
    for name, symbol in cells.items():
        symbols[int(name[1:])] = symbol
    return "".join(symbols)


def both(puzzle, answer):
    """The verification by both functions, which agree."""
    one = unidoku.verify(puzzle, answer)
    assert unidoku.verify_many([puzzle, UNIQUE, puzzle], [answer, SOLUTION, answer])[2] == one
    return one


def test_a_right_answer():
    found = both(UNIQUE, SOLUTION)
    assert (found.filled, found.correct, found.kept_clues, found.score) == (51, 51, 30, 1.0)


def test_shares_of_cells_and_clues():
    wrong_digit = "1" if SOLUTION[OPEN[0]] != "1" else "2"
    found = both(UNIQUE, changed(SOLUTION, **{f"c{OPEN[0]}": wrong_digit}))
    assert (found.filled, found.correct, found.kept_clues) == (51, 50, 30)
    assert found.score == pytest.approx(50 / 51)
    found = both(UNIQUE, changed(SOLUTION, **{f"c{OPEN[0]}": ".", f"c{OPEN[1]}": "."}))
    assert (found.filled, found.correct, found.score) == (49, 49, pytest.approx(49 / 51))
    clue = next(cell for cell in range(81) if cell not in OPEN)
    found = both(UNIQUE, changed(SOLUTION, **{f"c{clue}": "."}))
    assert (found.filled, found.kept_clues, found.score) == (51, 29, pytest.approx(29 / 30))


def test_an_answer_that_copies_the_puzzle_has_no_score():
    found = both(UNIQUE, UNIQUE)
    assert (found.filled, found.correct, found.kept_clues, found.score) == (0, 0, 30, 0.0)


def test_any_completion_of_several_is_right():
    empty = "." * 81
    assert both(empty, SOLUTION).score == 1.0
    assert both(changed(empty, c0="5"), SOLUTION).score == 1.0


def test_several_solutions_are_compared_with_the_best_one():
    for cells in ({30, 31, 39, 40}, set(OPEN[::3]), set(range(9))):
        puzzle = "".join("." if cell in cells else symbol for cell, symbol in enumerate(SOLUTION))
        solutions = [grid.line for grid in unidoku.solutions(puzzle)]
        rng = random.Random(len(cells))
        for _ in range(20):
            answer = changed(
                SOLUTION, **{f"c{cell}": rng.choice("123456789.") for cell in rng.sample([*cells], 3)}
            )
            best = max(sum(answer[cell] == line[cell] for cell in cells) for line in solutions)
            found = both(puzzle, answer)
            assert found.correct == best
            assert found.score == pytest.approx(best / len(cells))
            assert (found.score == 1) == found.solved == (answer in solutions)


def test_too_many_solutions_to_compare_with():
    """Digits that one solution has are all correct; otherwise it is not known, and the score is 0."""
    some = changed("." * 81, c0="5", c1="3")
    assert both("." * 81, some).correct == 2
    found = both("." * 81, changed("." * 81, c0="5", c1="5"))
    assert (found.correct, found.score) == (-1, 0.0)


def test_a_puzzle_without_a_solution():
    found = both("11" + "." * 79, SOLUTION)
    assert (found.correct, found.wrong_cells, found.score) == (-1, -1, 0.0)


def test_a_full_grid_as_the_puzzle():
    assert both(SOLUTION, SOLUTION).score == 1.0
    wrong = changed(SOLUTION, c0="1" if SOLUTION[0] != "1" else "2")
    assert both(SOLUTION, wrong).score == pytest.approx(80 / 81)


def test_the_score_is_one_for_solutions_only():
    rng = random.Random(4)
    for _ in range(300):
        cells = {f"c{rng.randrange(81)}": rng.choice("123456789.") for _ in range(rng.randrange(4))}
        found = both(UNIQUE, changed(SOLUTION, **cells))
        assert 0 <= found.score <= 1
        assert (found.score == 1) == found.solved == (changed(SOLUTION, **cells) == SOLUTION)


PIECES = [
    *(
        "<answer>",
        "</answer>",
        " ",
        "\n",
        "Answer: ",
        "x",
        "12 3",
        ". ",
        "5.",
        "|",
        "[",
        "]",
        "row 1:",
        "a",
        "=",
    ),
    *("the grid is\n", UNIQUE, SOLUTION, SOLUTION[:80], SOLUTION + "1"),
]


def test_the_short_way_reads_what_the_long_way_reads():
    """A grid in one line that is the last one is found at once; digits after it take the long way."""
    rng = random.Random(9)
    same = 0
    for _ in range(3000):
        before, after = ("".join(rng.choices(PIECES, k=rng.randrange(most))) for most in (6, 4))
        text = f"{before}{SOLUTION}{after}"
        short, long = read_answer(text), read_answer(f"{text}\nx 123456789 x")
        assert short == long
        same += short[1] == ""
    assert same > 500
