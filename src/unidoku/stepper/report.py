"""The text of SudokuSolver 2.6: `lines` returns what the program prints for an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from unidoku.stepper.events import (
    CompleteShrink,
    Event,
    FilterAgain,
    ForwardGuess,
    GuessAsked,
    GuessMade,
    GuessModeShown,
    IncompleteShrink,
    LevelsShown,
    NoMoreSolution,
    OrdersShown,
    QuizLoaded,
    QuizRefused,
    RunEnded,
    RunModeShown,
    SolutionFound,
    StateShown,
    UpwardGuess,
    WentWrong,
)

__all__ = ["ORDERS", "PROMPT", "grid_lines", "lines", "solution_lines"]

PROMPT = "Order please:"

ORDERS = """\
Sudoku Solver 2.6 2021/10/30 by readalps

Order List:
load-quiz <file>: load quiz from file
show: show quiz info
levels: show info about guess levels
run-mode [1|2|0]: query or change working mode
guess-mode [1|0]: query or change guessing mode
step: step forward
run: run till the end or a new solution met
runtil <steps>: run till certain steps run
runrun <sum>: run till the end or certain new solutions met
bye: quit
Beyond the original:
load-quiz <81 cells>: load quiz from the order itself
unload: forget the quiz, so that another can be loaded
undo [<steps>]: take back the last step or run, or go back to certain steps
trace <path>: save the events so far (JSON lines; text if the path ends in .txt)"""


def grid_lines(grid: str) -> list[str]:
    """Nine rows of three groups of three, 0 for an empty cell."""
    digits = grid.replace(".", "0")
    return [f"{digits[i : i + 3]} {digits[i + 3 : i + 6]} {digits[i + 6 : i + 9]}" for i in range(0, 81, 9)]


def _house(house: str) -> str:
    kind, number = house.split()
    return f"{ {'row': 'row', 'column': 'col', 'box': 'blk'}[kind] } {number}"


def _words(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def _complete(event: CompleteShrink) -> list[str]:
    return [f"{event.step}) {_house(event.house)} complete shrunken by group"]


def _incomplete(event: IncompleteShrink) -> list[str]:
    return [
        *(f"{event.way}: {mark.digit} shrunken out of {mark.cell}" for mark in event.removed),
        f"CelSet: {_words(event.cells)}",
        f"ValSet: {_words(event.digits)}",
        f"{event.step}) {_house(event.house)} incomplete shrunken by group",
    ]


def _again(_: FilterAgain) -> list[str]:
    return ["incomplete shrink met, filter again"]


def _wrong(event: WentWrong) -> list[str]:
    box = "blk" if event.house.startswith("box") else ""
    return [f"{event.step}) shrinking {event.digit} from {box}{event.cell} went wrong"]


def _asked(event: GuessAsked) -> list[str]:
    return [f"Take a guess please, by default it will be {event.cell}={event.digit}:"]


def _guess(event: GuessMade | ForwardGuess | UpwardGuess) -> list[str]:
    word = {"guess": "Guess", "forward_guess": "Forward guess", "upward_guess": "Upward guess"}[event.kind]
    return [f"{event.step}) {word} {event.cell} level {event.level} at {event.position} out of {event.count}"]


def _exhausted(event: NoMoreSolution) -> list[str]:
    return [f"{event.step}) No more solution (solution sum is {event.solution_sum})."]


def _fine(event: SolutionFound | StateShown) -> str:
    return f"Fine [steps:{event.step}, solution sum:{event.solution_sum}]."


def solution_lines(event: SolutionFound) -> list[str]:
    """Return a solution as the console prints it at the end of a run: the grid and the ``Fine`` line."""
    return [*grid_lines(event.grid), _fine(event)]


def _state(event: StateShown) -> list[str]:
    text = grid_lines(event.grid)
    if event.state == "fine":
        return [*text, _fine(event)]
    if event.state == "invalid":
        total = f"no more solution (solution sum is {event.solution_sum})"
        return [*text, f"Invalid quiz [steps:{event.step}] - {total}"]
    text.append(f"Steps:{event.step}")
    if event.candidates:
        text.append("Candidates:")
        text += [f"{cell}: {_words(digits)}" for cell, digits in event.candidates]
    if event.foremost is not None:
        fewest = min(len(digits) for _, digits in event.candidates)
        text.append(f"The foremost cell with {fewest} candidate(s) at {event.foremost}")
    if event.guess is not None:
        text.append(f"At guess level {event.level} {event.guess.cell} {event.guess.position}")
    return text


def _levels(event: LevelsShown) -> list[str]:
    return [
        f"At guess level {event.level}:",
        *(
            f"Level {guess.level} {guess.cell}={guess.digit} ({guess.position} out of {guess.count})"
            for guess in reversed(event.levels)
        ),
    ]


def _run_ended(event: RunEnded) -> list[str]:
    took = f"Run time: {event.milliseconds} milliseconds"
    return [
        f"{took}; steps: {event.step}, solution sum: {event.solution_sum}.",
        f"Biggest level on this run(til): {event.biggest_level}",
    ]


def _quiz_refused(event: QuizRefused) -> list[str]:
    if event.reason == "loaded_before":
        return ["A quiz loaded before."]
    if event.reason == "no_file":
        return ["No quiz file specified."]
    if event.reason == "invalid_line":
        return [f"Invalid line {event.number}: {event.text}."]
    return [f"Fail to open quiz file {event.name} with err {event.number}:{event.text}."]


def _run_mode(event: RunModeShown) -> list[str]:
    return [f"Working mode:{event.mode} (1:grp-only; 2:ply-only; other:both grp and ply)"]


def _guess_mode(event: GuessModeShown) -> list[str]:
    return [f"In interactive guessing mode:{event.mode} (0:no; other:yes)"]


_LINES: dict[str, Callable[[Any], list[str]]] = {
    CompleteShrink.kind: _complete,
    IncompleteShrink.kind: _incomplete,
    FilterAgain.kind: _again,
    WentWrong.kind: _wrong,
    GuessAsked.kind: _asked,
    GuessMade.kind: _guess,
    ForwardGuess.kind: _guess,
    UpwardGuess.kind: _guess,
    NoMoreSolution.kind: _exhausted,
    StateShown.kind: _state,
    LevelsShown.kind: _levels,
    RunEnded.kind: _run_ended,
    OrdersShown.kind: lambda _: [*ORDERS.splitlines()],
    QuizLoaded.kind: lambda _: ["Quiz loaded."],
    QuizRefused.kind: _quiz_refused,
    RunModeShown.kind: _run_mode,
    GuessModeShown.kind: _guess_mode,
}


def lines(event: Event, *, time: bool = True) -> list[str]:
    """Return the lines that the program prints for an event; none for a silent one.

    Parameters
    ----------
    event : Event
    time : bool, default True
        False omits the line with the run time.
    """
    make = _LINES.get(event.kind)
    text = make(event) if make else []
    return text if time or not isinstance(event, RunEnded) else text[1:]
