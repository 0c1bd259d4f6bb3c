"""The stepper's session: runs, guesses, copies and traces."""

import contextlib
import copy
import pickle

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import QUIZ, TWO

from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.grid import Grid
from unidoku.stepper import GuessError, GuessLevel, Session, events
from unidoku.stepper._controller import trace


def place(session):
    """The position of a session in its search."""
    return session.steps, session.grid, session.levels, session.mode


SOLUTION = "145327698839654127672918543496185372218473956753296481367542819984761235521839764"


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_when_and_how_often_the_biggest_level_is_reached(top1465, mode):
    """The peak of a session is the peak of its events."""
    repeats = 0
    for puzzle in [QUIZ, *top1465[mode:30:4]]:
        session = Session(puzzle, mode=mode)
        for steps in (60, 61, 100, 250):
            run_events = session.run_until(steps)
            guesses = [event for event in run_events if event.kind.endswith("guess")]
            level = max((event.level for event in guesses), default=0)
            peak_guesses = [event for event in guesses if event.level == level]
            opened = [event for event in peak_guesses[1:] if event.kind == "guess"]
            peak = (level, peak_guesses[0].step, 1 + len(opened)) if peak_guesses else (0, 0, 0)
            assert session.peak == run_events[-1].peak == peak
            repeats += len(opened) > 0
        whole = Session(puzzle, mode=mode)
        list(whole.stream(until=session.steps, solutions=None))
        assert session.peak_so_far == whole.peak_so_far
    assert repeats


def test_a_run_to_a_step_that_is_past_makes_the_guess_after_a_solution():
    session = Session(QUIZ)
    session.run_until(10**18)
    assert (session.steps, session.state) == (131, "fine")
    session.run_until(100)
    assert (session.steps, session.state) == (132, "valid")


def test_two_runs_of_the_published_quiz():
    session = Session(QUIZ)
    assert (session.state, session.steps, session.candidates, session.foremost) == ("loaded", 0, {}, None)
    run_events = session.run()
    assert (session.steps, session.peak.level, session.solution_sum) == (131, 11, 1)
    assert session.grid == Grid(SOLUTION)
    assert [event.grid for event in run_events if isinstance(event, events.SolutionFound)] == [SOLUTION]
    assert isinstance(run_events[-2], events.StateShown)
    assert [event.as_dict()["foremost"] for event in Session(QUIZ).run_until(90)[-2:-1]] == ["r4c2"]
    assert isinstance(run_events[-1], events.RunEnded)
    session.run()
    assert (session.state, session.steps, session.peak.level) == ("invalid", 284, 7)
    assert session.solution_sum == 1
    assert session.peak_so_far == (11, 92, 1)
    empty_run = session.run()
    assert [event.kind for event in empty_run] == ["state", "run_ended"]
    assert session.steps == 284


def test_a_silent_session_does_the_same():
    loud, silent = Session(QUIZ), Session(QUIZ, listening=False)
    while loud.state != "invalid":
        assert silent.run() == []
        loud.run()
        assert (place(silent), silent.peak.level) == (place(loud), loud.peak.level)


def test_start_places_nothing_and_meets_empty_cells():
    session = Session("12345678.........9" + "." * 63)
    assert [event.kind for event in session.run()][:2] == ["started", "no_more_solution"]
    assert (session.steps, session.state, session.solution_sum) == (2, "invalid", 0)
    full = Session(SOLUTION)
    full.step()
    assert (full.steps, full.state, full.solution_sum) == (1, "fine", 1)
    single = Session(SOLUTION[:-1] + "0")
    single.step()
    assert (single.steps, single.candidates) == (1, {80: (4,)})
    single.step()
    assert (single.steps, single.state) == (2, "fine")


def test_equal_clues_are_refused_by_name():
    with pytest.raises(InvalidPuzzleError, match="r1c1 and r1c9 both hold 5 in row 1"):
        Session("5.......5" + "." * 72)
    with pytest.raises(InvalidPuzzleError):
        Session("12")


def test_guesses_decided_outside():
    questions = []

    def guess(session, cell, digit):
        questions.append((session.steps, cell, digit))
        return {11: ("r2c3", 9), 8: (5, 7)}.get(cell)

    session = Session(QUIZ, guess=guess)
    run_events = session.run()
    assert (session.steps, session.peak.level) == (40, 4)
    assert questions == [(6, 46, 5), (10, 29, 6), (15, 11, 1), (22, 8, 7)]
    assert sum(isinstance(event, events.GuessAsked) for event in run_events) == 4
    session.guess = None
    session.run()
    assert (session.steps, session.peak.level, session.state) == (293, 11, "invalid")


def test_a_guess_that_fails_leaves_the_session_waiting():
    answers = [KeyboardInterrupt(), ("r6c2", 4), (2, 5), (46, 9)]

    def guess(session, cell, digit):
        answer = answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    session = Session(QUIZ, guess=guess)
    with pytest.raises(KeyboardInterrupt):
        session.run()
    assert session.waiting
    assert session.steps == 6
    with pytest.raises(GuessError, match=r"4 is not a candidate of r6c2 \(candidates: 5 9\)"):
        session.step()
    with pytest.raises(GuessError):  # a filled cell
        session.step()
    assert (session.steps, session.level) == (6, 0)
    twin = session.copy()
    assert [event.kind for event in session.step()] == ["guess_asked", "guess", "state"]
    assert session.levels == (GuessLevel(1, 46, 9, 1, 2),)
    assert twin.waiting
    twin.guess = None
    twin.step()
    assert twin.levels == (GuessLevel(1, 46, 5, 1, 2),)


def other_digit(session, cell, digit):
    """A guess that is not the search's own; at the 60th step there is no answer."""
    if session.steps > 60:
        raise KeyboardInterrupt
    return cell, session.candidates[cell][-1]


@in_turn
@pytest.mark.parametrize(
    "copied", [Session.copy, copy.copy, copy.deepcopy, lambda session: pickle.loads(pickle.dumps(session))]
)
@pytest.mark.parametrize("guess", [None, other_digit])
def test_a_copy_is_independent(copied, guess):
    """Also of a session whose guesses and mode were changed, and that waits for an answer."""
    session = Session(QUIZ, guess=guess)
    session.run_until(20)
    session.mode = 1
    with contextlib.suppress(KeyboardInterrupt):
        session.run_until(90)
    twin = copied(session)
    assert (place(twin), twin.peak, twin.waiting) == (place(session), session.peak, guess is not None)
    before, session.guess, twin.guess = place(twin), None, None
    events = session.run()
    assert place(twin) == before != place(session)
    assert [event.kind for event in twin.run()] == [event.kind for event in events]
    assert (place(twin), twin.why()) == (place(session), session.why())


@in_turn
@pytest.mark.parametrize(
    "answer",
    [
        "[6,2]=9",
        "\u30106\uff0c2\u3011\uff1d9",  # typed on a Chinese keyboard
        "r6c2=9",
        " R6C2 = 9 ",
        "6,2=9",
        (46, 9),
        [np.int64(46), np.uint8(9)],
        ("r6c2", "9"),
    ],
)
def test_the_forms_of_an_answer(answer):
    session = Session(QUIZ, guess=lambda *_: answer if not session.level else None)
    session.run_until(7)
    assert session.levels == (GuessLevel(1, 46, 9, 1, 2),)


@in_turn
@pytest.mark.parametrize(
    "answer",
    [
        9,
        0,
        "",
        (),
        (46,),
        (46, 9, 1),
        {46: 9},
        "r6c2",
        (46, 10),
        (81, 9),
        (-1, 9),
        (46, None),
        (46.0, 9),
        (True, 4),
        ("r6", 9),
    ],
)
def test_what_is_not_an_answer(answer):
    session = Session(QUIZ, guess=lambda *_: answer)
    with pytest.raises(GuessError) as error:
        session.run()
    assert str(error.value) == (
        f"{answer!r} is not a guess; return (cell, digit), a text such as r6c2=9, or None"
    )
    assert session.waiting


@in_turn
@pytest.mark.parametrize("guess", [5, "default", (46, 9), False])
def test_what_cannot_be_called_is_refused_at_once(guess):
    session = Session(QUIZ)
    for use in (lambda: Session(QUIZ, guess=guess), lambda: setattr(session, "guess", guess)):
        with pytest.raises(TypeError, match="guess must be a function"):
            use()
    assert session.guess is None


def test_an_answer_at_a_filled_cell():
    session = Session(QUIZ, guess=lambda *_: "r1c3=5")
    with pytest.raises(GuessError, match=r"^r1c3 already holds 5$"):
        session.run()


def test_orders_as_methods():
    session, twin = Session(TWO), Session(TWO)
    assert [event.kind for event in session.runrun(2)] == [event.kind for event in twin.stream(solutions=2)]
    assert (session.solution_sum, session.steps) == (2, twin.steps)


NAMES = {
    "load_quiz": "use Session(puzzle)",
    "undo": "use back(session.steps - 1)",
    "run_mode": "use mode",
    "guess_mode": "use guess = function",
    "is_unique": 'use unidoku.check(puzzle) == "unique"',
    "runtill": "use runtil",
    "leveles": "use levels",
}


@in_turn
@pytest.mark.parametrize(("name", "instead"), NAMES.items())
def test_a_wrong_name_says_the_right_one(name, instead):
    with pytest.raises(AttributeError) as error:
        getattr(Session(QUIZ), name)
    assert str(error.value) == f"Session has no {name!r}; {instead}"


def last_digit(session, cell, digit):
    """A guess that depends on nothing but the state."""
    return cell, session.candidates[cell][-1]


@pytest.mark.parametrize("guess", [None, last_digit])
def test_back_is_the_search_up_to_there(guess, top1465):
    """Each state of a search whose mode changes, and the way on from it; without a step, each open guess."""
    for puzzle in [QUIZ, TWO, top1465[10]]:
        session = Session(puzzle, guess=guess)
        states, openings = [session.copy()], []
        while session.state != "invalid" and session.steps < 300:
            session.mode = len(states) % 3
            states.append(session.copy())
            session.step()
            del openings[session.level :]
            if session.level > states[-1].level:
                openings.append(states[-1])
        end = session.copy()
        states.append(end.copy())
        for opened in reversed(openings):
            session.back()
            assert place(session)[:3] == place(opened)[:3]
        for steps in range(end.steps, -1, -47):
            session = end.copy()
            before = [state for state in states if state.steps <= steps][-1]
            assert [event.kind for event in session.back(steps)] == ["state"]
            assert (place(session)[:3], session.mode) == (place(before)[:3], end.mode)
            before.mode = end.mode
            for search in (before, session):
                search.run_until(steps + 60)
            assert (place(session), session.peak) == (place(before), before.peak)
            assert (session.peak_so_far, session.why()) == (before.peak_so_far, before.why())


def test_back_beyond_the_search_or_without_a_guess():
    session = Session(QUIZ, listening=False)
    session.run_until(5)
    with pytest.raises(UnidokuError, match="no guess to go back to"):
        session.back()
    for steps in (6, -1):
        with pytest.raises(UnidokuError, match="steps must be 0 to 5"):
            session.back(steps)
    assert [event.kind for event in session.back(5)] == ["state"]
    assert session.steps == 5


def test_a_trace_ends_after_its_solutions_or_its_steps():
    def solutions(**bounds):
        return [event.grid for event in trace(TWO, **bounds) if event.kind == "solution"]

    grids = solutions()
    assert len(grids) > 1
    assert solutions(limit=1) == grids[:1]
    assert solutions(steps=1) == []
