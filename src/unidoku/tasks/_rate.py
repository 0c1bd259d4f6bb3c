"""Check: Rate the difficulty of each puzzle.

The capability `rate`: how hard puzzles are.

`unidoku.rating._ratings` makes the ratings of many puzzles, `unidoku.rating._scale` the rating of one puzzle,
and `unidoku.rating._measure` the columns of the step engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult
from unidoku._cli.terminal import in_words
from unidoku._columns import REASON, ColumnSpec
from unidoku._options import Real, option
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku._verdict import ImproperPuzzleError
from unidoku._words import language, table
from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.grid import Grid
from unidoku.rating._columns import EFFORT, RATINGS, SEARCH, STEPS
from unidoku.rating._scale import SCALE, card_of, difficulty_word, rate

if TYPE_CHECKING:
    from unidoku._table.column import Column


def rating_columns(puzzles: Batch, work: Work, cancel: Cancel) -> dict[str, Column]:
    """Rate new puzzles; return the columns of `RATINGS`, none if none is written."""
    if work.columns.isdisjoint(RATINGS):
        return {}
    from unidoku.rating._ratings import rate_columns  # not at the top: it is needed seldom

    columns, _ = rate_columns(puzzles, threads=work.threads, cancel=cancel)
    return {name: columns[name] for name in RATINGS}


_SCALE = {**RATINGS, "at_least": ColumnSpec("bool", "whether the ratings are lower bounds")}
_CARD = {"card": ColumnSpec("string", "er/ep/ed as forums write them, such as 9.0/1.2/1.2")}


class Rate(Task):
    """Rate the difficulty of each puzzle.

    Each puzzle gets a row with the ratings of Sudoku Explainer (scale se121, docs/rating.md). A puzzle with
    several or no solutions has a reason instead. On a terminal, the rating of one PUZZLE is a sentence.

    Parameters
    ----------
    below : float, optional
        Do not look for steps with this rating or a higher one.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {**_SCALE, **_CARD, **EFFORT, **STEPS, **SEARCH}
    # one puzzle may take seconds, so its row waits for no other, but lanes need thousands of easy puzzles
    batch_size: ClassVar[int] = 799
    below: float | None = option(
        None,
        "Do not look for steps of this rating or above (column at_least).",
        Real(1.1, 20),
        show_default="rate completely",
        metavar="ER",
    )
    scale: str = field(default=SCALE, init=False)

    @property
    def default_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns of the scale; with `below`, also ``at_least``."""
        return ("puzzle", "file", *(_SCALE if self.below else RATINGS), *REASON)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Rate the puzzles; find efforts, paths and the console's steps if these columns are written."""
        from unidoku._table.column import Column
        from unidoku.rating._ratings import (  # not at the top: one puzzle needs none
            effort_column,
            rate_columns,
        )

        columns = dict[str, Any]()
        reasons: dict[int, Reason] = {}
        wanted = work.columns or {"reason"}  # a run without an output counts the puzzles that have one
        if not wanted.isdisjoint({*_SCALE, *_CARD, "reason"}):
            ratings, reasons = rate_columns(batch, below=self.below, threads=1, cancel=cancel)
            columns |= ratings
            if "card" in work.columns:
                numbers = [ratings[name].to_list() for name in ("er", "ep", "ed", "at_least")]
                columns["card"] = Column.of(
                    None if er is None else card_of(er, ep, ed, at_least=at_least)
                    for er, ep, ed, at_least in zip(*numbers, strict=True)
                )
        if "effort" in work.columns:
            columns["effort"] = effort_column(batch, cancel=cancel)
        if "steps" in work.columns:
            from unidoku.rating._paths import path_lengths

            columns["steps"] = path_lengths(batch, cancel=cancel)
        if not work.columns.isdisjoint(SEARCH):
            from unidoku.rating._measure import measure

            measures = measure(batch.cells, cancel=cancel)
            columns |= {name: Column(values) for name, values in measures.items()}
            columns["book_class"] = Column(measures["book_class"], states=measures["book_class"] > 0)
        yield ResultBatch(batch, columns, reasons=reasons)


def as_json(call: Call[Rate, None], puzzle: bytes | str) -> CommandResult:
    """Return the rating of one puzzle as an object."""
    return CommandResult(rows=[rate(puzzle, below=call.about.below).to_json()])


def show(call: Call[Rate, None], puzzle: bytes | str) -> CommandResult:
    """Return the rating of one puzzle in words, or raise an error that says why it has none."""
    lang = language()
    texts = table(lang)
    words = texts["rate"]
    try:
        rating = rate(puzzle, below=call.about.below)
    except ImproperPuzzleError as error:
        text = words["none"].format(reason=in_words(error.message)) + words["why"]
        raise InvalidPuzzleError(Reason(error.code, text)) from None
    word = words["at least" if rating.at_least else "hardest"]
    difficulty = difficulty_word(rating.er, Grid(puzzle).clues, at_least=rating.at_least)
    if lang != "en":
        difficulty = {**texts["sheets"], **texts["difficulties"]}.get(difficulty, difficulty)
    text = word.format(name=texts["names"].get(str(rating.name)), difficulty=difficulty)
    shown = words["shown"].format(card=rating.card, word=text)
    if rating.effort:
        shown += words["effort"].format(effort=rating.effort)
    return CommandResult(text=[shown])


COMMAND = Command(
    Rate,
    examples=(
        "unidoku rate puzzles.txt -o rated.csv",
        "unidoku rate puzzles.txt --below 9.0 --columns er,difficulty --to jsonl",
    ),
    shows={"json": as_json, "terminal": show},
)
