"""Reports of one puzzle, and tasks with their parameters, columns and work.

A function, a run over files and a command with its help are built from a `Task`.  This module imports no
NumPy, so that a check of files starts faster.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, Self

from unidoku._columns import ColumnSpec
from unidoku._options import Parameters
from unidoku._table.batch import Batch, Roles
from unidoku._threads import Cancel
from unidoku.errors import InvalidPuzzleError, Reason


class PuzzleReport:
    """The views of a puzzle: a method for each format, which gets the `subject`.

    ``html``, ``svg`` and ``pdf`` return a whole file. The remaining methods, such as ``text`` and ``json``,
    also get a title that names the puzzle, empty if there is only one puzzle. They yield texts, objects for
    lines of JSON, or `unidoku._words.Line` for a line with a style. A task that draws is also a report.
    """

    takes_positions: ClassVar[bool] = False
    """Whether the subject may be a text that draws candidates, if it is the only puzzle."""

    def subject(self, cells: str) -> Any:
        """Return the object that the report describes; by default the puzzle."""
        return cells

    def note(self, cells: str, /) -> InvalidPuzzleError | None:
        """Return a note on a puzzle that is not a failure."""
        return None

    def is_right(self, report: Any, /) -> bool:
        """Return whether a puzzle is right; otherwise the exit code is 1."""
        return True

    def on_terminal(self) -> Self:
        """Return the report for a terminal."""
        return self


class View(PuzzleReport, Parameters):
    """A report of one puzzle: a frozen dataclass with a method for each of its `formats`.

    A PNG and a PDF need no method if there is one for a picture or a page.

    Attributes
    ----------
    formats : tuple of str
        The first one is for standard output; on a terminal, the first one that is text.
    folder_formats : tuple of str
        The formats of the files of a folder, the first one if none is named; none for a single output.
    searches : bool
        Whether one puzzle may take long: its command has ``--timeout``.
    """

    formats: ClassVar[tuple[str, ...]] = ("text",)
    folder_formats: ClassVar[tuple[str, ...]] = ()
    searches: ClassVar[bool] = True


class Work(NamedTuple):
    """The requests of a run to a task for each batch."""

    columns: frozenset[str] = frozenset()
    """The columns that are written; the task can skip every other column."""
    threads: int = 1
    """How many threads it may use: more than one if batches are few."""
    for_people: bool = False
    """Whether words replace values in the rows that are written, because they are a text for people."""
    seconds: float | None = None
    """The time of the only puzzle of the batch; results found in time can be written, with a reason."""


@dataclass(slots=True, eq=False, repr=False)
class ResultBatch:
    """Results of a task for the puzzles of a batch, or for its next puzzles.

    Attributes
    ----------
    batch : Batch
    columns : dict of str to array or Column
        A value for each row, by column; where rows are written, each becomes a `Column`.
    source_rows : int64[n], optional
        The puzzle of each row, from 0 and ascending; by default each puzzle has one row.
    reasons : dict of int to str
        Why puzzles have no result, by puzzle.
    counts : dict of str to int
        Counts for the summary, by name: `Task.summary_counts`.
    mismatches : dict of int to str
        The first puzzles with a wrong answer in the input, and the faults.
    done : int, optional
        How many puzzles of the batch have all their rows, after these; by default all.
    samples, groups, group_puzzles, by, question
        As in `unidoku.runner._summary.Counts`.
    records : range
        The records that are done with these rows.  `unidoku.runner._work.iter_results` sets it.
    """

    batch: Batch
    columns: dict[str, Any] = field(default_factory=dict)
    source_rows: Any = None
    reasons: dict[int, Reason] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    mismatches: dict[int, Reason] = field(default_factory=dict)
    done: int | None = None
    samples: list[list[int]] = field(default_factory=list)
    groups: dict[str, list[int]] = field(default_factory=dict)
    group_puzzles: dict[str, str] = field(default_factory=dict)
    by: dict[str, list[int]] = field(default_factory=dict)
    question: str = ""
    records: range = field(init=False)

    def __post_init__(self) -> None:
        if self.source_rows is None:
            self.source_rows = range(len(self.batch))
        self.records = range(self.batch.size)

    @property
    def is_last(self) -> bool:
        """Whether no rows of the batch follow."""
        return self.records.stop == self.batch.size

    def refuse_reasons(self) -> None:
        """Raise the first reason as an error."""
        for row in sorted(self.reasons)[:1]:
            raise InvalidPuzzleError(self.reasons[row], index=row)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.source_rows)


class Task(Parameters):
    """A capability: a frozen dataclass whose fields are its parameters, each an `option`.

    Its docstring is the help of its command.

    Attributes
    ----------
    columns : dict of str to ColumnSpec
        Its columns by name. A column ``puzzle`` of type ``cells`` replaces the puzzle: the rows are then
        puzzles, and can be written in all formats of puzzles. With a column ``symmetry`` they are images, and
        the solutions in columns of the input move with them. A column ``verdict`` adds the option ``--only``
        to the command.
    default_columns : tuple of str or None
        The columns of a table by default, in their order; None for all.  They are ``puzzle``, its own,
        ``reason``, ``line``, and ``file``, which is written with several inputs.  A task whose rows replace
        puzzles has ``reason`` here if a puzzle may have one in place of rows, and neither line nor file.
    line_columns : tuple of str or None
        The columns of a ``.txt`` output without a header; None for a table with tabs, or for only puzzles.
        The verdict replaces a missing value there, unless the verdict is one of the columns.
    in_order : bool
        Whether it selects puzzles by those before them, as they are.  A run works with a copy of the task,
        made by `dataclasses.replace`, and gives it only records that fulfil the conditions of the run.
    verifies : bool
        Whether it compares answers in the columns of the input with the puzzles.
    summary_counts : tuple of str
        The counts that it adds to the summary of a run, in the order of JSON.
    report_counts : tuple of str or None
        Those of them that its command reports after the number of puzzles, also after output to
        standard output; None for no message then.
    rare_counts : tuple of str
        Those of them that its command reports wherever they are not 0.
    changes_solutions : bool
        Whether the solutions of its new puzzles differ from the solutions of the input and their images.
    searches : bool
        Whether one puzzle may take long: its command has ``--timeout``.
    tells_partial : bool
        Whether its results mark unfinished puzzles, with a reason, if `Work.seconds` are over.
    batch_size : int
        Largest number of puzzles in a `work` call; exact if the bytes of an output depend on it.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]]
    default_columns: ClassVar[tuple[str, ...] | None] = None
    line_columns: ClassVar[tuple[str, ...] | None] = None
    in_order: ClassVar[bool] = False
    verifies: ClassVar[bool] = False
    summary_counts: ClassVar[tuple[str, ...]] = ()
    report_counts: ClassVar[tuple[str, ...] | None] = None
    rare_counts: ClassVar[tuple[str, ...]] = ()
    changes_solutions: ClassVar[bool] = False
    batch_size: ClassVar[int] = 6400
    searches: ClassVar[bool] = True
    tells_partial: ClassVar[bool] = False

    def has_answers(self, roles: Roles) -> bool:
        """Return whether an input has answers: if other inputs have some, one without is skipped."""
        return True

    def columns_taken(self, roles: Roles) -> dict[str, list[str]]:
        """Return the columns of an input that it works on, by what they are."""
        taken: dict[str, tuple[object, ...]] = {"puzzles": (roles.puzzles,)}
        if "symmetry" in self.columns:
            taken["solutions"] = roles.solutions
        return {role: [*map(str, names)] for role, names in taken.items() if any(names)}

    def check_late(self, batch: Batch) -> None:
        """Refuse columns that a batch has and the first records of its input lack, if these matter."""

    def check_end(self, summary: Any) -> None:
        """Refuse a run that came to its end, before its output is complete."""

    def zero_counts(self) -> dict[str, int]:
        """Return the counts that it adds to a summary, at the beginning of a run."""
        return dict.fromkeys(self.summary_counts, 0)

    @property
    def replaces(self) -> bool:
        """Whether its rows are puzzles that replace the puzzles of the input."""
        return "puzzle" in self.columns

    @property
    def columns_read(self) -> Collection[str] | None:
        """The columns of the input that it looks at; None for all."""
        if self.verifies:
            return None
        return ()

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Yield the results of a batch, in pieces if memory may not hold all.

        Parameters
        ----------
        batch : Batch
            ``batch.cells`` is uint8[m, 81], read-only, 0 for an empty cell; ``len(batch)`` is m.  Its invalid
            records are not counted.
        work : Work
            The columns to compute, and how many threads the work may use.
        cancel : Cancel
            Set once the run is cancelled.  Long work polls it, and may then end at once.
        """
        raise NotImplementedError

    @property
    def name(self) -> str:
        """Name of the task, for errors and metadata of outputs: the name of its class without ``Task``."""
        return type(self).__name__.removesuffix("Task").lower()

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters that have a value as a JSON object, for the metadata of outputs.

        A parameter with several values of its own also has `to_json`.
        """
        about: dict[str, Any] = {"command": self.name}
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if hasattr(value, "to_json"):
                about |= value.to_json()
            elif parameter.compare and value is not None:
                about[parameter.name] = value
        return about


def timed_out(seconds: float) -> Reason:
    """Return the reason of a puzzle whose time is over."""
    return Reason("timeout", "not done within {seconds} seconds", seconds=f"{seconds:g}")
