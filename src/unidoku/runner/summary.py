"""Counts of a run over files."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from unidoku.errors import FormatError, InvalidPuzzleError, UnidokuError, without_frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.task import ResultBatch

MAX_MESSAGES = 20
"""How many invalid records, wrong answers, omissions and failed inputs a summary describes, of each."""


@dataclass(slots=True, eq=False, repr=False)
class Counts:
    """How many puzzles of an input had each verdict, right and wrong answers, were written or left out.

    Inputs that could not be read to their end are counted too, as `failed`.
    """

    puzzles: int = 0
    unique: int = 0
    multiple: int = 0
    none: int = 0
    invalid: int = 0
    unknown: int = 0
    right: int = 0
    wrong: int = 0
    no_grid: int = 0
    """Answers that are there, but have no grid, such as refusals."""
    missing: int = 0
    cut_off: int = 0
    written: int = 0
    duplicates: int = 0
    minimal: int = 0
    without_result: int = 0
    """Puzzles with a reason in place of a result."""
    wrong_cells: int = 0
    broken_houses: int = 0
    changed_clues: int = 0
    failed: int = 0
    file: str | None = None
    """The name of the input; of a run, the input of the last record."""

    # A dataclass would compile a text of each class whenever a check starts.
    def __repr__(self) -> str:
        values = (f"{attribute.name}={getattr(self, attribute.name)!r}" for attribute in fields(self))
        return f"{type(self).__name__}({', '.join(values)})"

    @property
    def all_right(self) -> bool:
        """Whether every puzzle came with a right answer."""
        return self.right == self.puzzles

    @property
    def all_unique(self) -> bool:
        """Whether every puzzle has exactly one solution."""
        return self.unique == self.puzzles

    def add(self, counts: Counts) -> None:
        """Add the counts of further puzzles."""
        for name in COUNTS:
            if number := getattr(counts, name):
                setattr(self, name, getattr(self, name) + number)

    def counts(self, *, verified: bool, **fields: Any) -> dict[str, Any]:
        """Return the counts as a JSON object, with `fields` after those by verdict."""
        values: dict[str, Any] = {name: getattr(self, name) for name in COUNTS[:6]} | fields
        if verified:
            values["verified"] = {name: getattr(self, name) for name in ("right", "wrong", "missing")}
        return values


COUNTS = tuple(attribute.name for attribute in fields(Counts) if attribute.name != "file")
"""The attributes of `Counts` that are numbers."""


@dataclass(slots=True, eq=False, repr=False)
class Summary(Counts):
    """Counts of a run, and how it ended.

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
        Puzzles in each output, where there are several.
    earlier : int
        Puzzles in parts that earlier runs have made; they are part of the counts but not of the speed.
    verified : bool
        Whether given answers were compared.
    rejects : list of InvalidPuzzleError
        The first invalid lines, with file, line and column.
    mismatches : list of InvalidPuzzleError
        The first wrong answers.
    omissions : list of InvalidPuzzleError
        The first puzzles that an output of puzzles alone lacks, and why.
    failed : int
        Inputs that could not be read to their end.
    notes : list of FormatError
        Of the first inputs that are not UTF-8: the first line that was read as Windows-1252.
    failures : list of UnidokuError
        The first of their errors, without tracebacks.
    complete : bool
        False when the run was stopped before the end of its inputs.
    partial : list of str
        Files that have the rows of an unfinished run: its outputs are as they were.
    resume : str or None
        Where the parts of an unfinished run are, and how to resume it.
    file, line : str and int, or None
        The last record whose result has been counted and written.
    """

    seconds: float = 0.0
    isa: str = ""
    threads: int = 1
    files: list[Counts] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    earlier: int = 0
    verified: bool = False
    rejects: list[InvalidPuzzleError] = field(default_factory=list)
    mismatches: list[InvalidPuzzleError] = field(default_factory=list)
    omissions: list[InvalidPuzzleError] = field(default_factory=list)
    notes: list[FormatError] = field(default_factory=list)
    failures: list[UnidokuError] = field(default_factory=list)
    complete: bool = True
    partial: list[str] = field(default_factory=list)
    resume: str | None = None
    line: int | None = None

    def add(self, counts: Counts) -> None:
        """Add what was found in further records; of invalid ones and wrong answers, the first are kept."""
        Counts.add(self, counts)
        if isinstance(counts, Summary):
            for name in MESSAGES:
                if errors := getattr(counts, name):
                    own = getattr(self, name)
                    own += errors[: MAX_MESSAGES - len(own)]
            for note in counts.notes:  # one for each input
                if len(self.notes) < MAX_MESSAGES and all(note.file != said.file for said in self.notes):
                    self.notes.append(note)
            if counts.file is not None:
                self.file, self.line = counts.file, counts.line

    def fail(self, error: UnidokuError) -> None:
        """Count an input that could not be read to its end; of the errors, the first are kept."""
        without_frames(error)
        self.failed += 1
        if len(self.failures) < MAX_MESSAGES:
            self.failures.append(error)

    @property
    def puzzles_per_second(self) -> float:
        """Speed of this run, all threads together, without what earlier runs had done."""
        return (self.puzzles - self.earlier) / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the summary of ``unidoku check --json``.

        Its ``complete`` says that no count was cut off, not that the run came to its end.
        """
        values = self.counts(
            verified=self.verified,
            seconds=round(self.seconds, 6),
            puzzles_per_second=round(self.puzzles_per_second, 1),
            isa=self.isa,
            threads=self.threads,
            complete=self.cut_off == 0,
        )
        values["files"] = [{"file": file.file, **file.counts(verified=self.verified)} for file in self.files]
        return values


MESSAGES = ("rejects", "mismatches", "omissions", "failures")
"""The attributes of `Summary` that are lists of errors."""


def counts_of(results: ResultBatch, rows: int | None = None) -> Summary:
    """Count results, which have so many `rows`; with the last ones of a batch, count its records."""
    batch = results.batch
    numbers: dict[str, Any] = results.counts
    counts = Summary(complete=results.is_last, without_result=len(results.reasons), **numbers)
    if "unique" not in numbers:
        counts.written = len(results) if rows is None else rows
        counts.unknown = len(batch) if counts.complete else 0
    for row, why in results.mismatches.items():
        error = InvalidPuzzleError(f"the given answer is wrong: {why}")
        counts.mismatches.append(error.at(batch.source, int(batch.lines[row])))
    if counts.complete:
        counts.puzzles, counts.invalid = batch.size, len(batch.rejects)
        lines = [int(batch.lines[-1])] if len(batch) else []
        if counts.invalid:
            lines.append(batch.rejects[counts.invalid - 1].line)
        counts.file, counts.line = batch.source, max(lines)
    return counts
