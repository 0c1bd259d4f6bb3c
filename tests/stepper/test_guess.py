"""Guesses that are right or wrong on purpose, and the lowest and the highest level over all choices."""

import json

import pytest
from command import answers, run
from example_puzzles import NAMED as HARD, QUIZ, TWO, UNIQUE

import unidoku
from unidoku import Grid, solve
from unidoku.options import options_of
from unidoku.stepper import Session, guess_solution, guess_wrong, level_range
from unidoku.stepper.guess import GUESSERS
from unidoku.tasks.trace import Trace

SOLUTION = Grid("145327698839654127672918543496185372218473956753296481367542819984761235521839764")

# Puzzles that all sequences of guesses can be tried on, with the working mode in which they need a guess.
SMALL = [
    ("5...8..71...6.3.2..9451..3.94.3.8.176..1.....1.3..6..8.6.83279..8.971.6..2946.183", 2),
    ("...37..5..27.........8..39.....8..65.162...4.8934.....64..31..8.52..8........65..", 2),
    ("..13......6..5..2.34.79....4..9..7....946...52..1..8..7..6.3..1.3...8.5.6.8...4..", 2),
    (".4..........4512....568..7..578.4..3.985........2.9.65.6..42.8.......7..4731...5.", 1),
    ("......9.....345..2514...8..2...3..5..65..1.7.7.......4...5.......69...1.1.94.35..", 1),
    ("16.....7.87.3..59.9354..2....9.564.7...92..8.2.78.3...7....4..2..8...71.........9", 0),
    (".9..2....63.1.....2.....3.536.91..2.1758...4...24..15.71.....6.85.3...7..2.587...", 0),
    pytest.param(
        "...85......5..6.1..6.....5..3......147.9...8.91.....26.916.38..68..71.9...3..9...", 0,
        marks=pytest.mark.slow,
    ),
]  # fmt: skip


class AskedError(Exception):
    """All given guesses are made, and another one is due."""


def to_solution(puzzle, guesses, mode=0):
    """The session at its first solution, or where a guess is due that is not given."""
    given = iter(guesses)

    def guess(session, cell, digit):
        for answer in given:
            return answer
        raise AskedError

    session = Session(puzzle, mode=mode, guess=guess)
    try:
        session.run()
    except AskedError:
        assert session.waiting
    return session


def levels_of_all(puzzle, mode):
    """The level of each run to the solution, for all sequences of answers, also those after a wrong guess."""
    levels, waiting = set(), [()]
    while waiting:
        guesses = waiting.pop()
        session = to_solution(puzzle, guesses, mode)
        if session.waiting:
            choices = session.candidates.items()
            waiting += [(*guesses, (cell, digit)) for cell, digits in choices for digit in digits]
        else:
            assert session.state == "fine"
            levels.add(session.biggest_level_so_far)
    return levels


def check_guesses(puzzle, found, mode=0):
    """The guesses lead to the claimed level."""
    least, most = found
    session = to_solution(puzzle, least.guesses, mode)
    assert (session.state, session.biggest_level_so_far) == ("fine", least.at_most)
    assert to_solution(puzzle, most.guesses, mode).biggest_level_so_far >= len(most.guesses) == most.at_least
    assert least.at_least <= least.at_most <= most.at_least <= most.at_most


@pytest.mark.parametrize(("puzzle", "mode"), SMALL)
def test_every_sequence_of_guesses(puzzle, mode):
    levels = levels_of_all(puzzle, mode)
    found = level_range(puzzle, mode=mode)
    assert found.least.exact
    assert found.most.exact
    assert (found.least.at_most, found.most.at_least) == (min(levels), max(levels))
    check_guesses(puzzle, found, mode)


def test_the_report_takes_the_modes_of_the_console():
    (mode,) = (each for each in options_of(Trace) if each.name == "guess_mode")
    assert mode.choices == ("first", *GUESSERS)


def test_the_published_quiz():
    """The author guesses right and picks one cell himself: level 4. Two guesses are enough, one is not."""
    found = level_range(QUIZ)
    check_guesses(QUIZ, found)
    assert found.least[:2] == (2, 2)
    assert found.most.at_least >= 17
    assert not found.most.exact
    due = to_solution(QUIZ, ())
    for cell in due.candidates:
        assert to_solution(QUIZ, [(cell, SOLUTION[cell])]).waiting


@pytest.mark.slow
def test_two_right_guesses_are_not_enough():
    solution, found = solve(HARD), level_range(HARD, budget=20_000)
    assert found.least[:2] == (3, 3)
    check_guesses(HARD, found)
    for first in to_solution(HARD, ()).candidates:
        for second in to_solution(HARD, [(first, solution[first])]).candidates:
            assert to_solution(HARD, [(cell, solution[cell]) for cell in (first, second)]).waiting


def test_a_budget_that_is_too_small_gives_bounds():
    """The bounds contain the exact levels, and each claimed level was found."""
    exact, seen = {}, set()
    for puzzle, mode in [SMALL[1], SMALL[4]]:
        exact[puzzle] = level_range(puzzle, mode=mode)
        for budget in (1, 5, 40, 100, 300, 1000):
            found = level_range(puzzle, mode=mode, budget=budget)
            for bounds, known in zip(found, exact[puzzle], strict=True):
                assert bounds.at_least <= known.at_least <= bounds.at_most
                seen.add(bounds.exact)
            assert len(found.most.guesses) == found.most.at_least
    assert seen == {False, True}
    least = level_range(HARD, budget=2000).least
    assert least[:2] == (3, 3) or not least.exact


def test_no_guess_is_needed():
    assert level_range(UNIQUE) == ((0, 0, ()), (0, 0, ()))


@pytest.mark.parametrize("puzzle", [TWO, "." * 81, "9" + HARD[1:]])
def test_a_puzzle_without_exactly_one_solution_is_refused(puzzle):
    with pytest.raises(unidoku.InvalidPuzzleError, match="exactly one solution"):
        level_range(puzzle)


def test_wrong_arguments_and_the_flag():
    with pytest.raises(ValueError, match="budget"):
        level_range(QUIZ, budget=0)
    with pytest.raises(ValueError, match="mode"):
        level_range(QUIZ, mode=3)
    cancel = unidoku.Cancel()
    cancel.set()
    with pytest.raises(unidoku.SearchStoppedError):
        level_range(QUIZ, cancel=cancel)


def test_guesses_that_are_right():
    session = Session(QUIZ, guess=guess_solution)
    session.run()
    assert session.grid == SOLUTION
    assert all(level.digit == SOLUTION[level.cell] for level in session.levels)
    assert {level.position for level in session.levels} == {1}
    assert (session.steps, session.biggest_level) == (33, 6)
    session.run()  # no solution is left, so guesses are made as usual
    assert session.state == "invalid"


@pytest.mark.parametrize("puzzle", [QUIZ, HARD])
def test_guesses_that_are_wrong(puzzle):
    solution = solve(puzzle)
    wrong = 0
    for event in unidoku.trace(puzzle, guess=guess_wrong, limit=1):
        if event.kind == "guess" and event.level == 1:
            assert event.digit != solution[event.cell]
            wrong += 1
    assert wrong
    session = Session(puzzle, guess=guess_wrong)
    session.run()
    assert session.grid == solution
    assert all(level.position > 1 for level in session.levels)


def test_a_puzzle_with_several_solutions_can_be_guessed():
    for guess in (guess_solution, guess_wrong):
        session = Session(TWO, guess=guess)
        session.run_solutions(5)
        assert (session.state, session.solution_sum) == ("invalid", 2)


def test_the_console():
    got = answers(
        f"load-quiz {QUIZ}", "guess-mode solution", "run", "guess-mode", "level-range 100000", "guess-mode 0"
    )
    assert got[1] == got[3] == ["In guessing mode:solution"]
    assert got[2][-2:] == ["Fine [steps:33, solution sum:1].", "Biggest level on this run(til): 6"]
    assert not [line for line in got[2] if line.startswith("Take a guess")]
    assert got[4][0].startswith("Least level: 2 [")
    assert got[4][1].startswith("Most level: at least ")
    assert got[5] == ["In interactive guessing mode:0 (0:no; other:yes)"]
    got = answers(
        "guess-mode wrong", f"load-quiz {QUIZ}", "run", "level-range x", "level-range 0", "level-range 1"
    )
    assert got[2][-1] == "Biggest level on this run(til): 11"
    assert got[3] == ["Not a number: x."]
    assert got[4][0].startswith("budget must be")
    assert got[5][0] == "Least level: 1 to 81"
    assert answers("level-range", "guess-mode right") == [["No quiz loaded."], ["Not a number: right."]]
    assert answers(f"load-quiz {TWO}", "level-range")[1][0].startswith("the puzzle does not have exactly one")


def test_the_command():
    text = run("trace", QUIZ, "--guess-mode", "solution", code=0).stdout
    assert "29) Guess [1,5] level 6 at 1 out of 2" in text
    assert "Take a guess" not in text
    rows = run(
        "trace", QUIZ, "--guess-mode", "wrong", "--budget", "10", "--to", "jsonl", code=0
    ).stdout.splitlines()
    guesses = [row for row in map(json.loads, rows) if row["kind"] == "guess"]
    assert (guesses[0]["cell"], guesses[0]["digit"]) == ("r6c2", 9)
    assert run("trace", QUIZ, "--guess-mode", "first", code=0).stdout == run("trace", QUIZ, code=0).stdout
