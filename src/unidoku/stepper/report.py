"""The text of SudokuSolver 2.6: `lines` returns what the program prints for an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unidoku.stepper import events
from unidoku.stepper.events import cell_text
from unidoku.words import Said

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
bye: quit"""


class Search(Said):
    """Sentences about the search, in English as the program prints them."""

    group = "search"

    def house(self, house: str | None) -> str:
        """Return the name of a house, which events call ``row 3``."""
        kind, _, number = (house or "").partition(" ")
        return self.say(kind, n=number)


def grid_lines(grid: str) -> list[str]:
    """Return the nine rows of a grid of 81 characters in groups of three, 0 for an empty cell."""
    digits = grid.replace(".", "0")
    return [f"{digits[i : i + 3]} {digits[i + 3 : i + 6]} {digits[i + 6 : i + 9]}" for i in range(0, 81, 9)]


def solution_lines(event: events.SolutionFound, *, lang: str = "en") -> list[str]:
    """Return a solution as the console prints it at the end of a run: the grid and the ``Fine`` line."""
    return [*grid_lines(event.grid), _fine(event, lang)]


def lines(
    event: events.Event,
    *,
    time: bool = True,
    filters: bool = False,
    level_step: bool = False,
    cell: Callable[[int], str] = cell_text,
    lang: str = "en",
) -> list[str]:
    """Return the lines that the program prints for an event; none for a silent one.

    Without `time` the line with the run time is left out. SudokuSolver 2.6 does not print the lines of
    `filters` and `level_step`: for a filter that removed nothing, without which the step counter jumps; and
    after a run and after the levels, for the step at which the biggest level was reached. `cell` names a
    cell 0 to 80. Only the events of the search have Chinese lines.
    """
    words = Search(lang)
    say = words.say
    match event:
        case events.NoShrink():
            return [say("no shrink", step=event.step)] if filters else []
        case events.CompleteShrink():
            return [say("complete", step=event.step, house=words.house(event.house))]
        case events.IncompleteShrink():
            removed = event.removed
            return [
                *(say("removed", way=event.way, digit=mark.digit, cell=cell(mark.cell)) for mark in removed),
                say("cells", cells=_words(map(cell, event.cells))),
                say("digits", digits=_words(event.digits)),
                say("incomplete", step=event.step, house=words.house(event.house)),
            ]
        case events.FilterAgain():
            return [say("again")]
        case events.WentWrong():
            box = say("in box") if event.house.startswith("box") else ""
            return [say("wrong", step=event.step, digit=event.digit, box=box, cell=cell(event.cell))]
        case events.GuessAsked():
            return [f"Take a guess please, by default it will be {cell(event.cell)}={event.digit}:"]
        case events.GuessMade() | events.ForwardGuess() | events.UpwardGuess():
            place = {"level": event.level, "position": event.position, "count": event.count}
            return [say(event.kind, step=event.step, cell=cell(event.cell), **place)]
        case events.NoMoreSolution():
            return [say("no more", step=event.step, solutions=event.solution_sum)]
        case events.StateShown():
            return [*grid_lines(event.grid), *_state(event, cell)]
        case events.LevelsShown():
            return [
                f"At guess level {event.level}:",
                *(
                    f"Level {guess.level} {cell(guess.cell)}={guess.digit} "
                    f"({guess.position} out of {guess.count})"
                    for guess in reversed(event.levels)
                ),
                *([_peak("Biggest level so far", event.peak)] if level_step else []),
            ]
        case events.RunEnded():
            took = f"Run time: {event.milliseconds} milliseconds"
            return [
                *([f"{took}; steps: {event.step}, solution sum: {event.solution_sum}."] if time else []),
                f"Biggest level on this run(til): {event.biggest_level}",
                *([_peak("Level", event.peak)] if level_step else []),
            ]
        case events.WhyShown():
            return _why(event, cell)
        case events.QuizLoaded():
            return ["Quiz loaded."]
    return []


def _peak(name: str, peak: events.Peak) -> str:
    if not peak.level:
        return f"{name}: no guess"
    times = "once" if peak.times == 1 else f"{peak.times} times"
    return f"{name} {peak.level} at step [{peak.step}], reached {times}"


def _words(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def _state(event: events.StateShown, name: Callable[[int], str]) -> list[str]:
    """Return the lines below the grid."""
    if event.state == "fine":
        return [_fine(event)]
    if event.state == "invalid":
        total = f"no more solution (solution sum is {event.solution_sum})"
        return [f"Invalid quiz [steps:{event.step}] - {total}"]
    text = [f"Steps:{event.step}"]
    if event.candidates:
        text.append("Candidates:")
        text += [f"{name(cell)}: {_words(digits)}" for cell, digits in event.candidates]
    if event.foremost is not None:
        fewest = min(len(digits) for _, digits in event.candidates)
        text.append(f"The foremost cell with {fewest} candidate(s) at {name(event.foremost)}")
    if event.guess is not None:
        text.append(f"At guess level {event.level} {name(event.guess.cell)} {event.guess.position}")
    return text


def _fine(event: events.SolutionFound | events.StateShown, lang: str = "en") -> str:
    return Search(lang).say("fine", step=event.step, solutions=event.solution_sum)


def _why(event: events.WhyShown, name: Callable[[int], str]) -> list[str]:
    """Return the lines of a chain: the guess, a line for each link, the contradiction."""
    guess, digit, house = event.guess, event.digit, Search().house
    fills = [(guess.cell, guess.digit) if guess else None]  # of the guess and the links, by number
    for link in event.links:
        is_fill = link.kind in {"single", "complete_shrink"}
        fills.append((link.cells[0], link.digits[0]) if is_fill else None)

    def because(losses: Iterable[events.Loss], own: int | None = None) -> str:
        """Return why a house or set, or the cell `own`, has lost what it has lost."""
        reasons = []
        for loss in losses:
            filled = fills[loss.by]
            if filled and filled[0] == loss.cell:
                reasons.append(f"{name(loss.cell)} is {filled[1]}")
            else:
                what = f"not {loss.digit}" if loss.cell == own else f"{name(loss.cell)} not {loss.digit}"
                source = name(filled[0]) if filled else house(event.links[loss.by - 1].house)
                reasons.append(f"{what} because of {source}")
        return f": {', '.join(dict.fromkeys(reasons))}" if reasons else ""

    text = [f"Guess {name(guess.cell)}={guess.digit} level {guess.level}"] if guess else []
    for link in event.links:
        cells = link.cells
        if link.kind == "single":
            what = f"{name(cells[0])}={link.digits[0]}{because(link.losses, cells[0])}"
        elif link.kind == "complete_shrink":
            only = f"its only place in {house(link.house)}"
            what = f"{name(cells[0])}={link.digits[0]}, {only}{because(link.losses)}"
        else:
            belong = f"{_words(link.digits)} belong to {_words(map(name, cells))}"
            what = f"{house(link.house)}: {belong}{because(link.losses)}"
        text.append(f"{link.round}) {what}")
    if len(event.cells) == 2:
        first, last = map(name, event.cells)
        text.append(f"{last} has only {digit}{because(event.losses, event.cells[1])}")
        end = f"{first} and {last} cannot both be {digit} in {house(event.house)}"
    elif event.cells:
        end = f"{name(event.cells[0])} has no candidate{because(event.losses, event.cells[0])}"
    else:
        lack = f"no place for {digit}" if digit else "more digits than places"
        end = f"{lack} in {house(event.house)}{because(event.losses)}"
    return [*text, f"{event.step}) went wrong: {end}"]
