"""Counts of a run over files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import starmap, zip_longest
from math import comb
from typing import Any

from unidoku.errors import (
    FormatError,
    InputError,
    InvalidPuzzleError,
    Message,
    Reason,
    UnidokuError,
    without_frames,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku._table.batch import Batch
    from unidoku._task import ResultBatch

MAX_MESSAGES = 20
"""How many invalid records, wrong answers, omissions and failed inputs a summary describes, of each."""


@dataclass(slots=True, eq=False, repr=False)
class Counts:
    """Counts of an input, or of a run.

    The counts that a task names in `Task.summary_counts` are also attributes: for `unidoku.tasks.Check` the
    puzzles by verdict, such as ``unique``.

    Attributes
    ----------
    puzzles : int
        All records.
    invalid : int
        Records that are not puzzles.
    without_result : int
        Puzzles with a reason: why they have no result, or what is wrong with their answer.
    written : int
        Rows of puzzles in the output. After a full disk: in the partial file, and 0 if it lacks its end.
    failed : int
        Of a run: inputs that could not be read to their end.
    file : str or None
        The name of the input; of a run, the input of the last record.
    task_counts : dict of str to int
    reasons : dict of str to int
        How many records have a reason of each code: see the table of codes in docs/python.md.
    columns : dict of str to list of str
        The columns of an input that were taken as ``puzzles``, ``solutions``, ``answers``; empty for texts.
    samples : list of list of int
        Of `unidoku.tasks.Verify` with several answers a record: ``samples[n][r]`` records have n answers, and
        r of the answers are right.
    groups : dict of str to list of int
        Of the same with groups: how many answers of each group are right, and how many there are.
    group_puzzles : dict of str to str
        Of the same: the puzzle of each group; another puzzle in a group is an error.
    by : dict of str to list of int
        Of the same by a column: for each of its values how many answers are right, wrong, without a grid, and
        missing.
    question : str
        Of the same: what to ask if no record of the run has an answer; empty for nothing.
    """

    puzzles: int = 0
    invalid: int = 0
    without_result: int = 0
    written: int = 0
    failed: int = 0
    file: str | None = None
    task_counts: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)
    samples: list[list[int]] = field(default_factory=list)
    groups: dict[str, list[int]] = field(default_factory=dict)
    group_puzzles: dict[str, str] = field(default_factory=dict)
    by: dict[str, list[int]] = field(default_factory=dict)
    question: str = ""

    # A dataclass would compile a text of each class whenever a check starts.
    def __repr__(self) -> str:
        values = (f"{attribute.name}={getattr(self, attribute.name)!r}" for attribute in fields(self))
        return f"{type(self).__name__}({', '.join(values)})"

    def __getattr__(self, name: str) -> int:
        """Return a count of the task."""
        if name == "task_counts":  # while pickle has not set it
            raise AttributeError(name)
        if name in self.task_counts:
            return self.task_counts[name]
        from unidoku._guesses import no_attribute  # not at the top: it is needed seldom

        raise no_attribute(self, name)

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self.task_counts]

    @property
    def all_right(self) -> bool:
        """Whether every puzzle came with a right answer."""
        return self.task_counts.get("right") == self.puzzles

    @property
    def pass_at(self) -> list[float]:
        """pass@1, pass@2 and so on of `verify` with samples or a group, each over `pass_at_records`."""
        return [chance for chance, _ in self._means_of_pass_at()]

    @property
    def pass_at_records(self) -> list[int]:
        """Over how many records, or groups, each of `pass_at` is the mean."""
        return [number for _, number in self._means_of_pass_at()]

    def _means_of_pass_at(self) -> list[tuple[float, int]]:
        """Return the means of pass@k over records or groups with so many answers, and their numbers."""
        found = [(right, count, 1) for right, count in self.groups.values()]
        found += [(r, n, count) for n, row in enumerate(self.samples) for r, count in enumerate(row)]
        sums, numbers = defaultdict[int, float](float), Counter[int]()
        for right, count, number in found:
            for k, chance in enumerate(chances_of_pass(right, count)):
                sums[k] += number * chance
                numbers[k] += number
        return [(sums[k] / number, number) for k, number in sorted(numbers.items())]

    @property
    def all_unique(self) -> bool:
        """Whether every puzzle has exactly one solution."""
        return self.task_counts.get("unique") == self.puzzles

    def add(self, counts: Counts) -> None:
        """Add the counts of further puzzles."""
        for name in COUNT_FIELDS:
            setattr(self, name, getattr(self, name) + getattr(counts, name))
        for total, further in ((self.task_counts, counts.task_counts), (self.reasons, counts.reasons)):
            for name, number in further.items():
                total[name] = total.get(name, 0) + number
        self.samples = [*starmap(_sum, zip_longest(self.samples, counts.samples, fillvalue=()))]
        for own, others in ((self.groups, counts.groups), (self.by, counts.by)):
            for name, numbers in others.items():
                own[name] = _sum(own.get(name, ()), numbers)
        for name, puzzle in counts.group_puzzles.items():
            if self.group_puzzles.setdefault(name, puzzle) != puzzle:
                raise different_puzzles(name, counts.file)
        self.columns = self.columns or counts.columns
        self.question = self.question or counts.question

    def as_dict(self) -> dict[str, Any]:
        """Return the counts of an input as a JSON object."""
        return {"file": self.file, "columns": self.columns, **self._numbers()}

    def _numbers(self) -> dict[str, int]:
        """Return the counts by name, the task's own counts last."""
        return {name: getattr(self, name) for name in _OF_FILES} | self.task_counts


def chances_of_pass(right: int, count: int) -> list[float]:
    """Return pass@1 to pass@count for so many answers, some of them right.

    pass@k is the chance that one of k answers, drawn without repeats, is right: the unbiased estimator of
    Chen et al., Evaluating Large Language Models Trained on Code (2021), 1 - C(n - c, k) / C(n, k).
    """
    return [1 - comb(count - right, k) / comb(count, k) for k in range(1, count + 1)]


def different_puzzles(group: str, file: str | None) -> FormatError:
    """Return the error about a group of answers to more than one puzzle."""
    text = "the answers of the group {name} are to different puzzles"
    return FormatError(Message(text, name=repr(group)), file=file)


def _sum(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the sums of numbers at the same places."""
    return [*map(sum, zip_longest(one, other, fillvalue=0))]


_OF_FILES = ("puzzles", "invalid", "without_result", "written")
"""The counts that every file has."""

COUNT_FIELDS = (*_OF_FILES, "failed")
"""The attributes of `Counts` that are numbers."""


@dataclass(slots=True, eq=False, repr=False)
class Summary(Counts):
    """The result of a run over files: its counts, and how it ended.

    Attributes
    ----------
    seconds : float
        Wall time of this run.
    isa : str
        Instruction set of the kernel.
    threads : int
    files : list of Counts
        The same counts for each input, in input order.
    outputs : list of int
        Puzzles in each output, if the run has several.
    earlier : int
        Puzzles in parts that earlier runs have made; they are part of the counts but not of the speed.
    rejects : list of InvalidPuzzleError
        The first invalid lines, with file, line and column.
    mismatches : list of InvalidPuzzleError
        The first wrong answers.
    omissions : list of InvalidPuzzleError
        The first puzzles that an output of only puzzles lacks, and why.
    notes : list of FormatError
        Notes on inputs: for the first inputs that are not UTF-8, the first line that was read as
        Windows-1252. Archives that were skipped are listed, and keys of JSON that the output lacks because
        they first appear after 64 KiB.
    failures : list of UnidokuError
        The first of their errors, without tracebacks.
    is_finished : bool
        Whether the run came to the end of its inputs and was not stopped.
    complete : bool
        Whether the run is finished, and every input was read to its end.
    partial : list of str
        Files that have the rows of an unfinished run: its outputs are as they were.
    resume : str or None
        Where the parts of an unfinished run are, and how to resume it.
    file, line : str and int, or None
        The last record whose result has been counted and written.

    Examples
    --------
    >>> import io, unidoku
    >>> puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> summary = unidoku.check_file(io.BytesIO(puzzle))
    >>> summary.puzzles, summary.all_unique, summary.complete
    (1, True, True)
    """

    seconds: float = 0.0
    isa: str = ""
    threads: int = 1
    files: list[Counts] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    earlier: int = 0
    rejects: list[InvalidPuzzleError] = field(default_factory=list)
    mismatches: list[InvalidPuzzleError] = field(default_factory=list)
    omissions: list[InvalidPuzzleError] = field(default_factory=list)
    notes: list[FormatError] = field(default_factory=list)
    failures: list[UnidokuError] = field(default_factory=list)
    is_finished: bool = True
    partial: list[str] = field(default_factory=list)
    resume: str | None = None
    line: int | None = None

    def add(self, counts: Counts) -> None:
        """Add the counts of further records; keep the first invalid records and the first wrong answers."""
        Counts.add(self, counts)
        if isinstance(counts, Summary):
            for name in MESSAGES:
                own = getattr(self, name)
                own += getattr(counts, name)[: MAX_MESSAGES - len(own)]
            kinds = {(said.file, type(said)): place for place, said in enumerate(self.notes)}
            for note in counts.notes:
                place = kinds.setdefault((note.file, type(note)), len(self.notes))
                if place < len(self.notes):
                    self.notes[place] = self.notes[place].joined(note)
                elif place < MAX_MESSAGES:
                    self.notes.append(note)
            if counts.file is not None:
                self.file: str | None = counts.file
                self.line = counts.line

    def fail(self, error: UnidokuError) -> None:
        """Count an input that could not be read to its end; of the errors, the first are kept."""
        without_frames(error)
        self.failed: int = self.failed + 1
        if len(self.failures) < MAX_MESSAGES:
            self.failures.append(error)

    @property
    def complete(self) -> bool:
        """Whether the run came to its end, and every input was read to its end."""
        return self.is_finished and not self.failures

    @property
    def puzzles_per_second(self) -> float:
        """Speed of this run, all threads together, without the work of earlier runs."""
        return (self.puzzles - self.earlier) / max(self.seconds, 1e-9)

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as every command prints it with ``--json``, without the command's own fields."""
        return {
            **self._numbers(),
            "seconds": round(self.seconds, 6),
            "puzzles_per_second": round(self.puzzles_per_second, 1),
            "threads": self.threads,
            "isa": self.isa,
            "complete": self.complete,
            "files": [file.as_dict() for file in self.files],
            **({"reasons": self.reasons} if self.reasons else {}),
            **{name: [error.to_json() for error in said] for name in _SAID if (said := getattr(self, name))},
        }


_SAID = ("notes", "failures")
"""The lists that JSON has if they are not empty."""

MESSAGES = ("rejects", "mismatches", "omissions", "failures")
"""The attributes of `Summary` that are lists of errors."""


def failure_summary(reason: str | UnidokuError, name: str) -> Summary:
    """Return the summary of an input that is not done."""
    summary = Summary()
    summary.fail(reason if isinstance(reason, UnidokuError) else InputError(reason, file=name))
    return summary


def count_results(results: ResultBatch, batch: Batch, written: int = 0) -> Summary:
    """Count results and how many are `written`; with the last results of a batch, count its records.

    The task may have worked on some records of the batch only.
    """
    reasons = [*results.reasons.values()]
    if results.is_last:
        reasons += (reject.reason for reject in batch.rejects)
    counts = Summary(
        is_finished=results.is_last,
        without_result=len(results.reasons),
        written=written,
        task_counts=results.counts,
        # a text of an own task has no code
        reasons=dict(Counter(getattr(reason, "code", "other") for reason in reasons)),
        samples=results.samples,
        groups=results.groups,
        group_puzzles=results.group_puzzles,
        question=results.question,
        by=results.by,
    )
    for row, why in results.mismatches.items():
        error = InvalidPuzzleError(Reason(why.code, "the given answer is wrong: {why}", why=why))
        counts.mismatches.append(error.at(batch.source, int(results.batch.lines[row])))
    if counts.is_finished:
        counts.puzzles, counts.invalid = batch.size, len(batch.rejects)
        rejected = [reject.line for reject in batch.rejects[-1:]]
        counts.file, counts.line = batch.source, max([*map(int, batch.lines[-1:]), *rejected])
    return counts
