"""A capability as one declaration.

A `Task` says what a capability takes (its fields, each an `option`), what it gives (its columns), and how
(`Task.work`).  A function, a run over files and a command with its help follow from it.  This module imports
neither NumPy nor what is compiled: the help starts faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from unidoku.declared import Declared
from unidoku.errors import SearchStoppedError, UnidokuError
from unidoku.options import options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.column import Column
    from unidoku.threads import Cancel

_FIRST = {"puzzle": "string", "file": "string", "line": "int64"}  # what a table can have before its columns


class Need(NamedTuple):
    """What is asked of the work on a batch.

    Attributes
    ----------
    columns : frozenset of str
        The columns that are written; others need not be made.
    cancel : Cancel
        Set once the run is cancelled.  Work that takes long tests it, and may then return None.
    threads : callable
        Returns how many threads the work may use now: more than one where there are not enough batches.
    """

    columns: frozenset[str]
    cancel: Cancel
    threads: Callable[[], int]


@dataclass(frozen=True, eq=False, repr=False)  # its classes have their own
class Task(Declared):
    """A capability: subclass it as a frozen dataclass, and declare what it takes, gives and does.

    The docstring is the help of its command.  Its fields are its parameters, each an `option`.

    Attributes
    ----------
    name : str
        The name of the command.
    columns : dict of str to (str, str)
        The columns that it gives: name, type (``bool``, ``int64``, ``uint8``, ``float64``, ``string``,
        ``cells``, …) and what it is, for the help.  A column ``puzzle`` of type ``cells`` replaces the
        puzzle: the rows are then puzzles, and are written in all formats of puzzles.  A column ``verdict``
        gives the command the option ``--only``.
    examples : tuple of str
        Commands, for the help.
    default_columns : tuple of str or None
        The columns that are written by default, all if it is None.  A table also has ``puzzle``, ``file`` (if
        there are several inputs) and ``reason``, unless `default_columns` says where these and ``line`` are.
    for_invalid : dict
        The values of records of files that are no puzzles, by column; in other columns they have no value.
    lines : tuple of str or None
        The columns of a ``.txt`` output of lines without a header; None for a table with tabs.
    in_order : bool
        Whether the rows of a puzzle depend on the puzzles before it; a run then works with a copy of the
        task, made by `dataclasses.replace`.
    max_rows : int or None
        The number of rows after which a run over files ends.
    report_counts : tuple of str or None
        The counts of the summary that its command names beside the number of puzzles written, also where
        these go to standard output; None for no message there.
    command : callable
        A static method: what its command does, where that is more than a run.  `common_options` are its
        options that other commands have too.
    always_shown : bool
        Whether one PUZZLE on the command line gets what `show` returns wherever it is printed; otherwise only
        on a terminal.
    batch_size : int
        The most puzzles that `work` gets; the number, where the bytes of an output depend on it.
    """

    columns: ClassVar[Mapping[str, tuple[str, str]]]
    default_columns: ClassVar[tuple[str, ...] | None] = None
    for_invalid: ClassVar[Mapping[str, Any]] = {"verdict": "invalid"}
    lines: ClassVar[tuple[str, ...] | None] = None
    in_order: ClassVar[bool] = False
    max_rows: ClassVar[int | None] = None
    report_counts: ClassVar[tuple[str, ...] | None] = None
    always_shown: ClassVar[bool] = False
    batch_size: ClassVar[int] = 6400

    @property
    def column_types(self) -> dict[str, str]:
        """The columns that its rows can have, and their types, in the order in which they are written."""
        own = {name: self.columns[name][0] for name in self.output_columns()}
        if self.replaces:
            return own
        every = {**_FIRST, **own, "reason": "string"}
        first = self.default_columns if self._is_whole else ()
        return {name: every[name] for name in dict.fromkeys((*(first or ()), *every))}

    def table_columns(self, *, several: bool) -> tuple[str, ...]:
        """Return the columns of a table that are written by default, for one input or for several."""
        own = tuple(self.columns) if self.default_columns is None else self.default_columns
        names = own if self._is_whole else ("puzzle", "file", *own, "reason")
        return tuple(name for name in names if several or name != "file")

    @property
    def _is_whole(self) -> bool:
        return self.default_columns is not None and "puzzle" in self.default_columns

    @property
    def replaces(self) -> bool:
        """Whether its rows are puzzles, in place of those that it gets."""
        return "puzzle" in self.columns

    @property
    def verifies(self) -> bool:
        """Whether it compares answers in the columns of the input with the puzzles."""
        return "solved" in self.columns

    def work(self, batch: Batch, need: Need) -> Mapping[str, Any] | None:
        """Work on some puzzles.

        Parameters
        ----------
        batch : Batch
            ``batch.cells`` is uint8[m, 81], 0 for an empty cell, and cannot be changed; ``len(batch)`` is m.
            Records that are no puzzles are not among them.
        need : Need
            What is asked for.

        Returns
        -------
        dict of str to array or Column, or None
            A value for each of the m puzzles, by column.  Also ``reason``, texts: why a puzzle has no result,
            None or empty where it has one; and ``of``, integers from 0 in ascending order: the puzzle of each
            row, where a puzzle may have several rows or none.  None if `need.cancel` ended the work.
        """
        raise NotImplementedError

    def passthrough(self, columns: dict[str, Column], results: dict[str, Column]) -> dict[str, Column]:
        """Return the columns of the input that new puzzles get, over files; by default all of them.

        `results` are the task's; both have a value for each row.
        """
        return columns

    def iter_work(self, batch: Batch, need: Need) -> Iterator[Mapping[str, Any] | None]:
        """Work in pieces; override this instead of `work` if memory cannot hold the rows of a batch."""
        yield self.work(batch, need)

    def output_columns(self) -> tuple[str, ...]:
        """Return the columns that the task gives with its parameters; by default all that are declared."""
        return tuple(self.columns)

    def counts(self, results: ResultBatch) -> dict[str, int]:
        """Return what the rows that `work` made of a batch add to the counts of the summary."""
        return {}

    def wrong_answers(self, results: ResultBatch) -> Mapping[int, str]:
        """Return the first puzzles of a batch whose given answer is wrong, and what is wrong with it."""
        return {}

    def show(self, puzzle: bytes) -> str | None:
        """Return what is printed of one puzzle on the command line in place of its row, or None."""
        return None

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters as a JSON object, for the metadata of outputs."""
        values = {each.name: getattr(self, each.name) for each in options_of(type(self))}
        given = {name: value for name, value in values.items() if value is not None}
        return {"command": self.name, **given}


@dataclass(slots=True, eq=False, repr=False)
class ResultBatch:
    """Results of a task for the puzzles of a batch.

    Attributes
    ----------
    batch : Batch
    source_rows : sequence of int
        The puzzle of each row, ascending.
    columns : dict of str to Column
        A value for each row, as `Task.work` returned it, where rows are written as a `Column`.
    reasons : dict of int to str
        Why puzzles have no result, by puzzle.
    """

    batch: Batch
    source_rows: Sequence[int] | NDArray[np.int64]
    columns: dict[str, Any]
    reasons: dict[int, str]

    @classmethod
    def of(cls, batch: Batch, returned: Mapping[str, Any]) -> ResultBatch:
        """Gather what `Task.work` returned for a batch."""
        columns = dict(returned)
        reasons, rows = _reasons(columns.pop("reason", None)), columns.pop("of", None)
        return cls(batch, range(len(batch)) if rows is None else rows, columns, reasons)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.source_rows)


def _reasons(given: Any) -> dict[int, str]:
    """Return reasons by puzzle, which are given so or as texts of all puzzles."""
    if given is None:
        return {}
    if isinstance(given, dict):
        return {int(row): str(text) for row, text in given.items() if text}
    return {row: str(text) for row, text in enumerate(given) if text}


def iter_results(task: Task, batch: Batch, need: Need) -> Iterator[ResultBatch | None]:
    """Let a task work on a batch; None if it was cancelled.

    An error that is not ours gets a note that says where it happened.
    """
    try:
        for returned in task.iter_work(batch, need):
            if returned is None or need.cancel:
                yield None
                return
            yield ResultBatch.of(batch, returned)
    except SearchStoppedError:
        if not need.cancel:
            raise
        yield None
    except (UnidokuError, MemoryError):
        raise
    except Exception as error:
        lines = f"lines {batch.lines[0]} to {batch.lines[-1]}" if len(batch) else "no puzzles"
        lines += "" if batch.line_count is None else " of a batch"
        error.add_note(", ".join(filter(None, (f"in task {task.name}", batch.source, lines))))
        raise
