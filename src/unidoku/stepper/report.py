"""The text of SudokuSolver 2.6: `lines` returns the lines that the program prints for an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unidoku._words import Texts, renamed
from unidoku.cell import cell_name, rows_of, thirds_of
from unidoku.stepper import events
from unidoku.stepper.events import cell_text

__all__ = ["grid_lines", "lines", "solution_lines"]

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

FURTHER_ORDERS = """
Not in the original:
load-quiz sample: load the quiz of the author's transcript
back [<steps>]: go back to a step, or to the state before the last guess
why: show how the last wrong guess led to a contradiction
filters [1|0]: query or change the printing of filters that find nothing
level-step [1|0]: query or change the printing of the step of the biggest level"""


def grid_lines(grid: str) -> list[str]:
    """Return the rows of a grid of 81 characters as the program prints them, 0 for an empty cell."""
    return [" ".join(thirds_of(row)) for row in rows_of(grid.replace(".", "0"))]


def solution_lines(event: events.SolutionFound, *, lang: str = "en") -> list[str]:
    """Return a solution as the console prints it at the end of a run: its rows, and the ``Fine`` line."""
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
    """Return the lines that the program prints for an event.

    Parameters
    ----------
    event : Event
    time : bool
        Whether to print the line with the run time.
    filters : bool
        Whether to print a line, which SudokuSolver 2.6 does not, for a filter that removed nothing; without
        it the step counter jumps.
    level_step : bool
        Whether to print after a run and after the levels, which SudokuSolver 2.6 does not, at which step the
        biggest level was reached.
    cell : callable
        Names a cell 0 to 80; by default as the program does, ``[1,1]`` to ``[9,9]``.
    lang : {"en", "zh"}
        Only the events of the search, and `WhyShown`, have Chinese lines.

    Returns
    -------
    list of str
        Empty for an event that is not printed.
    """
    found = _lines(event, Texts("search", lang), time=time, filters=filters, level_step=level_step)
    return [renamed(line, cell) for line in found]


def _lines(event: events.Event, words: Texts, *, time: bool, filters: bool, level_step: bool) -> list[str]:
    """Return the lines for an event, with the usual names of cells."""
    say = words.say
    match event:
        case events.NoShrink():
            if filters:
                return [say("no shrink", step=event.step)]
            return []
        case events.CompleteShrink():
            return [say("complete", step=event.step, house=words.house(event.house))]
        case events.IncompleteShrink():
            return [
                *(
                    say("removed", way=event.way, digit=mark.digit, cell=cell_name(mark.cell))
                    for mark in event.removed
                ),
                say("cells", cells=_words(map(cell_name, event.cells))),
                say("digits", digits=_words(event.digits)),
                say("incomplete", step=event.step, house=words.house(event.house)),
            ]
        case events.FilterAgain():
            return [say("again")]
        case events.WentWrong():
            box = ""
            if event.house.startswith("box"):
                box = say("in box")
            return [say("wrong", step=event.step, digit=event.digit, box=box, cell=cell_name(event.cell))]
        case events.GuessAsked():
            return [f"Take a guess please, by default it will be {cell_name(event.cell)}={event.digit}:"]
        case events.GuessMade() | events.ForwardGuess() | events.UpwardGuess():
            place = {"level": event.level, "position": event.position, "count": event.count}
            return [say(event.kind, step=event.step, cell=cell_name(event.cell), **place)]
        case events.NoMoreSolution():
            return [say("no more", step=event.step, solutions=event.solution_sum)]
        case events.StateShown():
            return [*grid_lines(event.grid), *_state(event)]
        case events.LevelsShown():
            stack = [
                f"Level {guess.level} {cell_name(guess.cell)}={guess.digit} "
                f"({guess.position} out of {guess.count})"
                for guess in reversed(event.levels)
            ]
            peak = [_peak("Biggest level so far", event.peak)]
            return [f"At guess level {event.level}:", *stack, *(peak if level_step else ())]
        case events.RunEnded():
            took = f"Run time: {event.milliseconds} milliseconds"
            totals = [f"{took}; steps: {event.step}, solution sum: {event.solution_sum}."]
            biggest = f"Biggest level on this run(til): {event.biggest_level}"
            peak = [_peak("Level", event.peak)]
            return [*(totals if time else ()), biggest, *(peak if level_step else ())]
        case events.WhyShown():
            return _why(event, words)
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


def _state(event: events.StateShown) -> list[str]:
    """Return the lines below the grid."""
    if event.state == "fine":
        return [_fine(event)]
    if event.state == "invalid":
        total = f"no more solution (solution sum is {event.solution_sum})"
        return [f"Invalid quiz [steps:{event.step}] - {total}"]
    text = [f"Steps:{event.step}"]
    if event.candidates:
        text.append("Candidates:")
        text += [f"{cell_name(cell)}: {_words(digits)}" for cell, digits in event.candidates]
    if event.foremost:  # the original prints no line for [1,1], which is its cell 0
        fewest = min(len(digits) for _, digits in event.candidates)
        text.append(f"The foremost cell with {fewest} candidate(s) at {cell_name(event.foremost)}")
    if event.guess is not None:
        text.append(f"At guess level {event.level} {cell_name(event.guess.cell)} {event.guess.position}")
    return text


def _fine(event: events.SolutionFound | events.StateShown, lang: str = "en") -> str:
    return Texts("search", lang).say("fine", step=event.step, solutions=event.solution_sum)


def _why(event: events.WhyShown, words: Texts) -> list[str]:
    """Return the lines of a chain: the guess, a line for each link, the contradiction."""
    guess, say, chain = event.guess, words.say, _ChainInWords(event, words)
    text = []
    if guess:
        text = [say("why guess", cell=cell_name(guess.cell), digit=guess.digit, level=guess.level)]
    text += [say("why link", round=link.round, link=chain.link(link)) for link in event.links]
    house = words.house(event.house) if event.house else ""
    if len(event.cells) == 2:
        filled, empty = map(cell_name, event.cells)
        reasons = chain.because(event.losses, event.cells[1])
        text.append(say("why only", cell=empty, digit=event.digit, reasons=reasons))
        end = say("why both", filled=filled, empty=empty, digit=event.digit, house=house)
    elif event.cells:
        reasons = chain.because(event.losses, event.cells[0])
        end = say("why empty", cell=cell_name(event.cells[0]), reasons=reasons)
    else:
        key = "why no place" if event.digit else "why more"
        end = say(key, digit=event.digit, house=house, reasons=chain.because(event.losses))
    return [*text, say("why wrong", step=event.step, end=end)]


class _ChainInWords:
    """The links of a chain in words."""

    def __init__(self, event: events.WhyShown, words: Texts) -> None:
        self._links = event.links
        self._words = words
        # the fills of the guess and the links, by number
        self._fills = [(event.guess.cell, event.guess.digit) if event.guess else None]
        for link in event.links:
            is_fill = link.kind in {"single", "complete_shrink"}
            self._fills.append((link.cells[0], link.digits[0]) if is_fill else None)

    def link(self, link: events.Consequence) -> str:
        """Return a link, without its number."""
        is_single = link.kind == "single"
        return self._words.say(
            f"why {link.kind}",
            cells=_words(map(cell_name, link.cells)),
            digits=_words(link.digits),
            house=self._words.house(link.house) if link.house else "",
            reasons=self.because(link.losses, link.cells[0] if is_single else None),
        )

    def because(self, losses: Iterable[events.Loss], cell: int | None = None) -> str:
        """Return why a house or set, or a cell, has lost what it has lost."""
        say, reasons = self._words.say, []
        for loss in losses:
            fill = self._fills[loss.by]
            name = cell_name(loss.cell)
            if fill and fill[0] == loss.cell:
                reasons.append(say("why is", cell=name, digit=fill[1]))
                continue
            source = cell_name(fill[0]) if fill else self._words.house(self._links[loss.by - 1].house)
            key = "why not" if loss.cell == cell else "why not in"
            reasons.append(say(key, cell=name, digit=loss.digit, source=source))
        if reasons:
            return say("why because", reasons=self._words.join(dict.fromkeys(reasons)))
        return ""
