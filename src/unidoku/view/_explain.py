"""Pages that play solutions: steps of the scale, or the book's method."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from operator import attrgetter
from typing import Literal

from unidoku._arguments import one_of
from unidoku._threads import Cancel, cancel_of, within
from unidoku._words import Language, table
from unidoku.cell import cell_name, symbols_of
from unidoku.grid import PuzzleLike
from unidoku.kernel import solution_of
from unidoku.method import MethodEvent, Record, expansion_form, explain as record_of
from unidoku.method._report import Words, report_lines, sentences
from unidoku.rating._scale import DIFFICULTIES, difficulty_word, minutes_of
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import SolutionPath, path_of
from unidoku.view._pages import Frame, Playback
from unidoku.view._step import legend, look, picture
from unidoku.view._svg import LINES, arrow_of

_OVERVIEW = {"convert", "extended", "subset", "preset", "contradiction", "retract"}
_FILLS = {"convert": "green", "preset": "yellow", "contradiction": "red", "retract": "red"}

_DRAWN = DIFFICULTIES["hard"][0]
"""The rating from which a PDF has the board of a step."""


def explain(
    puzzle: PuzzleLike,
    *,
    method: Literal["steps", "book"] = "steps",
    lang: Language = "en",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Playback:
    """Explain how a person solves a puzzle, step by step.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `Grid` accepts it.
    method : {"steps", "book"}
        By the steps of Sudoku Explainer, as `unidoku.steps` finds them, or by the numerical-analysis method,
        as `unidoku.method.explain` does.
    lang : {"en", "zh"}
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Playback
        Print it for the text; in a notebook it plays the steps.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle; for the steps also if it has no or several solutions.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `method` or `lang` is not one of these.

    Examples
    --------
    >>> steps = explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> print(str(steps).splitlines()[1])
    Hidden single: in box 2 the digit 8 fits only in r1c6: the other empty cells see the 8 in r3c3 or r5c4.
    """
    cancel = within(cancel, timeout)
    is_book = one_of("method", method, ("steps", "book")) == "book"
    solved = record_of(puzzle, cancel=cancel) if is_book else path_of(puzzle, cancel=cancel)
    return play(solved, lang=lang, cancel=cancel)


def play(solved: SolutionPath | Record, *, lang: str = "en", cancel: Cancel | None = None) -> Playback:
    """Return the frames of a path or of a record of the book's method."""
    function: Callable[..., Playback] = play_record if isinstance(solved, Record) else play_steps
    return function(solved, lang=lang, cancel=cancel)


def play_record(record: Record, *, lang: str = "en", cancel: Cancel | None = None) -> Playback:
    """Return the frames of a record for a page or a terminal.

    Parameters
    ----------
    record : Record
    lang : {"en", "zh"}
    cancel : Cancel, optional
        Set it to stop; then it is a `SearchStoppedError`.

    Returns
    -------
    Playback
        It begins at the first step.
    """
    stop = cancel_of(cancel)
    text = list(stop.watch(report_lines(record, lang=lang, names="rc", show=())))
    orders, ends = ([line.text for line in text if line.kind == kind] for kind in ("order", "end"))
    words = Words(lang)
    playback = Playback(record.puzzle, words.say("title"), "book", lang)
    replay = record.replay()

    def add(
        lines: Sequence[str],
        events: Sequence[MethodEvent] = (),
        heading: str = "",
        run: str = "",
        told: tuple[str, str] | None = None,
    ) -> None:
        state = replay.state
        digits, cells = (state.why > replay.position - len(events)).nonzero()
        zeroed = zip(cells.tolist(), (digits + 1).tolist(), strict=True)
        playback.add(
            state.drawn_state(),
            Frame(
                lines=lines,
                fill=_fill_of(events),
                marks={(cell, digit): replay.mark(cell + 1, digit) for cell, digit in zeroed},
                depth=state.level,
                heading=heading,
                run=run,
                kind="contradiction" if any(event.kind == "contradiction" for event in events) else "",
                orders=state.KH.tolist(),
                step=0,
                told=told,
            ),
        )

    add(orders)
    for sentence in stop.watch(sentences(record, lang=lang)):
        for _ in sentence.events:
            replay.forward()
        heading, run, told = "", "", ("", sentence.text)
        if sentence.kind == "convert":
            (event,) = sentence.events
            heading, run = f"{words.cell(event.cell)} = {event.digit}", playback.words["run"]
        elif sentence.kind in _OVERVIEW:
            end = "[;；]" if sentence.kind == "retract" else "[:：]"  # a mark by itself says nothing
            heading = re.split(end, sentence.text)[0]
            told = heading, sentence.text.removeprefix(heading)
        add([sentence.text], sentence.events, heading, run, told)
    for caption, position in (("form.first", record.first_table()), ("form.last", record.after(-1))):
        title = words.say(caption)
        playback.figures.append((title, expansion_form(position, title=title)))
    add(ends, heading=ends[0])
    playback.note = " ".join(ends)
    return playback


def _fill_of(events: Sequence[MethodEvent]) -> dict[int, str]:
    """Return the colors of cells in the frame of a sentence: causes, then changes."""
    causes, changes = dict[int, str](), dict[int, str]()
    for event in events:
        because = event.cause or (event.unit_cells if event.kind == "convert" else ())
        causes.update((cell - 1, "blue") for cell in because)
        if event.kind in _FILLS:
            changed = (event.cell,) if event.cell else event.unit_cells
            changes.update((cell - 1, _FILLS[event.kind]) for cell in changed)
    return causes | changes


def play_steps(path: SolutionPath, *, lang: str = "en", cancel: Cancel | None = None) -> Playback:
    """Return the frames of a path, from the first step on."""
    say = Sentences(lang)
    playback = Playback(path.puzzle.line, table(lang)["steps"]["title"], "steps", lang)
    playback.has_roles = True
    playback.names = say.reading(path.deductions)
    playback.solution = symbols_of(solution_of(path.puzzle.cells))
    playback.note, playback.ratings = summary(path, lang)
    words, position = playback.words, path.first
    playback.add(position.drawn_state(), Frame(lines=[playback.note]))
    ratings = sorted(step.rating for step in path.deductions)
    peaks = (step for step in path.deductions if step.rating == ratings[-1] > ratings[len(ratings) // 2])
    hardest = next(peaks, None)  # none if at least half of the steps are as hard
    for number, step in enumerate(cancel_of(cancel).watch(path.deductions), 1):
        cells, roles, arrows = look(step, most_links=inf)  # the page shows many one by one
        stages = say.stages(step)
        fields = {"name": say.name(step), "rating": step.rating, "result": say.result(step)}
        heading, run = say.noted(words["listed"], **fields), ""
        if step.is_single:
            ((cell, digit),) = step.placements
            heading, run = f"{cell_name(cell)} = {digit}", words["run"]
        is_hardest = step is hardest
        rating = words["rating hardest"].format(rating=step.rating) if is_hardest else str(step.rating)
        title, body = say.title(step), say.body(step)
        lead = say.noted(words["listed"], name=title, rating=rating, result="")
        is_drawn = is_hardest or step.rating >= _DRAWN
        frame = Frame(
            lines=[say.say("sentence", name=title, body=body), *say.detail_lines(step)],
            fill=cells,
            heading=heading,
            run=run,
            hardest=is_hardest,
            status=words["rated"].format(rating=step.rating),
            roles=roles,
            arrows=[
                (*arrow_of(arrow, "rc"), LINES[arrow.dashed, arrow.head], f"{link.holds} → {link.follows}")
                for arrow, link in zip(arrows, step.drawn_links, strict=True)
            ],
            question=([stages[depth] for depth in ("where", "what", "pattern")], step.area, step.pattern),
            legend=step.legend(words),
            further=step.further_eliminations,
            told=(lead, body),
            picture=partial(_picture, path, number, lang) if is_drawn else None,
        )
        playback.add(step.after.drawn_state(), frame)
    playback.start = min(1, len(path.deductions))
    return playback


def summary(path: SolutionPath, lang: str = "en") -> tuple[str, str]:
    """Return a line with the difficulty, the number of steps and the hardest, and one with numbers."""
    words = table(lang)["steps"]
    if path.difficulty is None:
        return words["full" if path.solved else "unsolved"], ""
    step = max(path.deductions, key=attrgetter("rating"))
    say = Sentences(lang)
    texts, word = table(lang), difficulty_word(path.rating[0], path.puzzle.clues)
    difficulty = {**texts["sheets"], **texts["difficulties"]}[word]
    fields = {"difficulty": difficulty, "n": len(path.deductions), "rating": step.rating}
    note = say.noted(words["note"], name=say.phrase(step), **fields)
    if not path.solved:
        note += f" {words['unsolved']}"
    er, ep, ed = path.rating
    ratings = words["ratings"].format(er=er, ep=ep, ed=ed)
    if effort := path.effort:
        minutes = minutes_of(effort, er)
        key = "minutes" if minutes else "effort"
        blank = "" if lang == "zh" else " "
        ratings += blank + words[key].format(effort=effort, minutes=minutes)
    return note, ratings


def _picture(path: SolutionPath, number: int, lang: str, *, black: bool) -> tuple[str, list[tuple[str, str]]]:
    """Return the board of a step, and its legend."""
    drawn = path.step(number, lang)
    return picture(drawn, size=None, lang=lang, black=black), legend(drawn, lang, black=black)
