"""Check: Find faults in files of puzzles, and the puzzles that they share.

Audits: faulty records of files, and the puzzles that they share.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any, ClassVar

from unidoku._answers.columns import answer_path
from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult, run_with_progress
from unidoku._columns import ColumnSpec
from unidoku._compat import np
from unidoku._options import RUNNING
from unidoku._table.batch import Batch, Roles
from unidoku._table.column import Column, Rows, buffer_of, in_rows
from unidoku._task import ResultBatch, Work
from unidoku._threads import Cancel, cancel_of, within
from unidoku._verdict import VERDICTS
from unidoku._words import language, table
from unidoku.counting import clear_improper
from unidoku.craft._verification import verify_rows
from unidoku.errors import InputError, Message, SearchStoppedError, escape
from unidoku.files._inputs import Input, Inputs
from unidoku.files._paths import Path
from unidoku.kernel import rows_with
from unidoku.runner._run import run
from unidoku.runner._summary import Counts, Summary
from unidoku.runner._writer import Writer
from unidoku.tasks._keys import (
    EXAMPLES,
    KEY_SIZE,
    LINES,
    Match,
    Places,
    keys_by_solutions,
    keys_of,
    matches,
    random_seeds,
)
from unidoku.tasks._search import Search
from unidoku.tasks._shared import aligned, figure, label
from unidoku.tasks._verify import (
    ANSWER_COUNTS,
    CELL_ERRORS,
    OUTCOME,
    OUTCOMES,
    PREDICTION,
    answers_of,
    compare_answers,
    named_or_solution,
    path_in,
    read_grids,
)

__all__ = ["Audit", "Finding", "audit_files"]

PAIRS = ("", "full_grid", "swapped", "wrong_solution")
"""The faults of a puzzle and its solution, by their codes.

The puzzle has no empty cell, or its solution has empty cells that the puzzle fills, or the solution belongs
to another puzzle.
"""

FAULTS = {
    **{kind: ("verdict", VERDICTS.index(kind)) for kind in ("invalid", "none", "multiple")},
    **{kind: ("answer", OUTCOMES.index(kind) + 1) for kind in ("wrong", "missing")},
    **{kind: ("pair", PAIRS.index(kind)) for kind in PAIRS[1:]},
}
"""Kinds of faulty records, as counts are named, and the code that these have in a column."""

WAYS = {"equal": "puzzle", "equivalent": "canonical", "same_solution": "solution"}
"""Relations of puzzles, and the keys that related puzzles share."""

_ANSWERS = ("right", "wrong", "missing")
_FILE_COUNTS = ("puzzles", "unique", "none", "multiple", "invalid", *_ANSWERS)
"""The counts of a file."""


class AuditTask(Search):
    """Find faults in files of puzzles, and the puzzles that they share.

    The table counts the faults of each file: records that are not a puzzle, and puzzles with no or several
    solutions. If a file has answers, the table counts right, wrong and missing answers. It also counts full
    grids, swapped pairs and wrong solutions in columns.

    The table also counts puzzles that are like an earlier one: equal, equivalent (symmetric copies), or with
    the same solution up to symmetry. Equal puzzles also count as equivalent, and equivalent proper puzzles
    also count as having the same solution. A row "A in B" counts the puzzles of A that are like a puzzle of
    B, such as training puzzles in a test file.

    The first records of each kind follow, with file and line.

    The exit code is 0 if nothing was found, 1 if anything was, 2 after an error, 130 after Ctrl-C.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        **Search.columns,
        **OUTCOME,
        **CELL_ERRORS,
        "answer": ColumnSpec("uint8", "the number of the outcome from 1, 0 if the file has no answers"),
        "pair": ColumnSpec("uint8", "the number of the fault of the puzzle and its solution, 0 for none"),
        **dict.fromkeys(WAYS, ColumnSpec("uint8[16]", "the key of puzzles that are alike in this way")),
    }
    summary_counts: ClassVar[tuple[str, ...]] = (*Search.summary_counts, *ANSWER_COUNTS, *PAIRS[1:])
    verifies: ClassVar[bool] = True
    prediction: str | None = PREDICTION.field()
    seeds: tuple[int, int] = field(default_factory=random_seeds, compare=False)
    """Of the hashes."""

    def _answers(self, roles: Roles) -> Path | None:
        """Return the path to the answers, None if an input has none."""
        if self.prediction is not None:
            return answer_path(roles, self.prediction)
        return named_or_solution(roles)

    def columns_taken(self, roles: Roles) -> dict[str, list[str]]:
        """Return the columns of an input that it works on, by what they are."""
        path = self._answers(roles)
        return super().columns_taken(roles) | ({"answers": [str(path)]} if path else {})

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Solve the puzzles, compare the answers, and make the keys."""
        outputs, results = self.search(batch, work, cancel, grids=True)
        solutions = bytearray(outputs.solutions)
        clear_improper(outputs.verdicts, solutions)
        answers: Any = bytes(len(batch))
        path = self._answers(batch.roles)
        if path is not None and len(batch):
            if self.prediction is not None:
                path = path_in(batch, self.prediction)
            _, _, found = answers_of(batch, path, several=False)
            answers = 1 + np.minimum(compare_answers(results, cancel, found), OUTCOMES.index("wrong"))
            results.counts["wrong"] += results.counts["no_grid"]  # faults of a data set alike
            results.counts["no_grid"] = 0
        results.columns["answer"] = Column(answers)
        faults = _pair_faults(batch, path, cancel)
        results.counts |= dict(zip(PAIRS[1:], map(faults.count, range(1, len(PAIRS))), strict=True))
        results.columns["pair"] = Column(faults)
        keys = keys_by_solutions(batch, self.seeds, cancel, solutions)
        keys["puzzle"] = keys_of(batch, "puzzle", self.seeds, cancel)
        results.columns |= {way: Column(in_rows(keys[key], KEY_SIZE)) for way, key in WAYS.items()}
        yield results


def _pair_faults(batch: Batch, path: Path | None, cancel: Cancel) -> bytes:
    """Return the code of the fault of each puzzle in a column and its solutions.

    Wrong solutions that are compared as answers count as these.
    """
    full_grid, swapped, wrong_solution = range(1, len(PAIRS))
    if not batch.roles.puzzles or not len(batch):
        return bytes(len(batch))
    faults = np.zeros(len(batch), np.uint8)
    puzzles, columns = batch.cells, batch.puzzle_columns()
    is_full = puzzles.all(axis=1)
    faults[is_full] = full_grid
    answer, solutions = (path or ())[:1], batch.roles.solutions
    for name in {*solutions, *answer}.intersection(columns):
        grids, _, is_grid = read_grids(columns[name].as_strings().texts(), puzzles)
        is_state = ((grids == 0) | (grids == puzzles)).all(axis=1) & ~grids.all(axis=1)
        faults[is_full & is_grid & is_state] = swapped
        if name not in answer:
            is_solved = verify_rows(puzzles, grids, is_known=False, cancel=cancel)["solved"]
            faults[~is_full & is_grid & ~is_solved] = wrong_solution
    return faults.tobytes()


class _Records(Writer):
    """Writer that collects the first records with each fault, and the keys of all records."""

    columns = ("line", "verdict", "answer", "pair", *WAYS)

    def __init__(self) -> None:
        self.files: dict[str, int] = {}
        """Number of each file, from 0."""
        self.faults = defaultdict[tuple[str | None, str], list[Example]](list)
        """The first records of a file with a fault."""
        self._places = Places()
        """The place of each record."""
        self._keys = {way: bytearray() for way in WAYS}
        """And its keys; they grow in place."""

    def render(self, rows: Rows) -> tuple[str, dict[str, bytes]]:
        """Return the file of some records, and their values: 0 for answers and keys of invalid records."""
        columns = zip(self.columns, rows.select(self.columns), strict=True)
        # copies: the buffer of the lines is reused
        return rows.source, {name: bytes(buffer_of(column.values)) for name, column in columns}

    def write(self, content: tuple[str, dict[str, bytes]]) -> None:
        """Append records of a file."""
        file, values = content
        number = self.files.setdefault(file, len(self.files))
        lines = memoryview(values["line"]).cast("q")
        for kind, (name, code) in FAULTS.items():
            examples = self.faults[file, kind]
            rows = rows_with(re.compile(re.escape(bytes([code]))), values[name])
            examples += (Example(lines[row]) for row in islice(rows, EXAMPLES - len(examples)))
        self._places.append(number, values["line"])
        for way, keys in self._keys.items():
            keys.extend(values[way])

    def findings(self, files: Iterable[Counts], cancel: Cancel) -> tuple[Finding, ...]:
        """Return the findings by file, related file and kind."""
        findings = [
            Finding(kind, str(counts.file), None, count, tuple(self.faults[counts.file, kind]))
            for counts in files
            for kind in FAULTS
            if (count := getattr(counts, kind))
        ]
        names = [*self.files]
        for way in WAYS:
            relations = dict[tuple[int, int], Match]()
            with suppress(SearchStoppedError):
                relations = matches(self._keys.pop(way), self._places, cancel)
            for (file, other), (count, pairs) in relations.items():
                examples = tuple(Example(*(place % (1 << LINES) for place in pair)) for pair in pairs)
                findings.append(Finding(way, names[file], names[other], count, examples))
        place_of = self.files.get
        return tuple(sorted(findings, key=lambda f: (place_of(f.file, -1), place_of(f.other or "", -1))))


@dataclass(frozen=True, slots=True)
class Example:
    """The line of a record, and the line of the first record that it is related to."""

    line: int
    other_line: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    r"""Findings of one kind in a file, or between two.

    Attributes
    ----------
    kind : str
        The kind of finding:

        - puzzles: ``invalid`` (not a puzzle), ``none`` and ``multiple`` (solutions)
        - answers: ``wrong`` and ``missing``
        - pairs in columns: ``full_grid`` (a puzzle without empty cells), ``swapped`` (its solution is its
          puzzle) and ``wrong_solution``
        - duplicates: ``equal``, ``equivalent`` and ``same_solution``
    file : str
        The name of the file.
    other : str or None
        For the last three kinds: the file of the related puzzles. If it is `file` itself, these are earlier
        puzzles of it.
    count : int
        Number of these records of `file`.
    examples : tuple of Example
        The first of them, one of each class.

    Examples
    --------
    >>> import io
    >>> puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> for finding in audit_files(io.BytesIO(puzzle + b"\n" + puzzle)).findings:
    ...     print(finding.kind, finding.count)
    equal 1
    equivalent 1
    same_solution 1
    """

    kind: str
    file: str
    other: str | None
    count: int
    examples: tuple[Example, ...]

    def places(self) -> Iterator[list[str]]:
        """Yield the file and line of each example, and of the record that it is related to."""
        for example in self.examples:
            others = [] if self.other is None else [f"{escape(self.other)}:{example.other_line}"]
            yield [f"{escape(self.file)}:{example.line}", *others]


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """The result of `audit_files`; it is false if nothing was found.

    Attributes
    ----------
    puzzles, seconds, threads : int, float, int
        Of the run.
    complete : bool
        False if the run was cancelled, or an input could not be read to its end.  After a cancelled run the
        puzzles are not compared with each other.
    files : tuple of dict
        The counts of each file by name: ``puzzles``, verdicts, answers and `WAYS`; None for the answers of a
        file without answers, and for an unknown count.
    pairs : tuple of dict
        For each two files that share puzzles, the numbers of puzzles of ``file`` related to one of ``other``.
    findings : tuple of Finding
        By file and kind.

    Examples
    --------
    >>> import io
    >>> puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> audit = audit_files(io.BytesIO(puzzle))
    >>> bool(audit), audit.puzzles
    (False, 1)
    """

    puzzles: int
    seconds: float
    threads: int
    complete: bool
    files: tuple[dict[str, Any], ...]
    pairs: tuple[dict[str, Any], ...]
    findings: tuple[Finding, ...]

    def __bool__(self) -> bool:
        """Return whether anything was found."""
        return bool(self.findings)

    def __str__(self) -> str:
        """Return a table of the files and pairs of files, and the first examples."""
        return "\n".join(self.lines())

    def lines(self, lang: str = "en") -> Iterator[str]:
        """Yield the lines of a table of the files and pairs of files, and the first examples."""
        words = table(lang)["audit"]
        pair_faults = [kind for kind in PAIRS[1:] if any(file[kind] for file in self.files)]
        columns = (*_FILE_COUNTS, *pair_faults, *WAYS, "file")
        pairs = ({**pair, "file": words["in"].format(**pair)} for pair in self.pairs)
        rows = [[figure(row.get(name)) for name in columns] for row in (*self.files, *pairs)]
        if rows:  # a run may be cancelled before there are any
            yield from aligned([[label(name, lang) for name in columns], *rows], label("file", lang))
        if self.findings:
            yield ""
        elif self.complete:
            yield words["nothing"]
        seen = set[frozenset[str]]()  # two equal puzzles are also equivalent, and in both directions
        for finding in self.findings:
            for places in finding.places():
                if len(places) == 1 or frozenset(places) not in seen:
                    kind, joined = label(finding.kind, lang), words["and"].join(places)
                    yield words["finding"].format(kind=kind, places=joined)
                seen.add(frozenset(places))


def audit_files(
    inputs: Input | Sequence[Input],
    *,
    prediction: str | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Audit:
    r"""Find faults in the records of some files, and the puzzles that they share.

    Parameters
    ----------
    inputs, **options
        As for `unidoku.run`, without options of outputs.
    prediction : str, optional
        The column of the answers; by default the first that a file has, as for `unidoku.tasks.Verify`. A file
        without one has no answers.
    cancel : Cancel, optional
        Set it to stop; the audit is then not complete.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Audit
        If nothing was found, its `findings` are empty, and it is false.

    Raises
    ------
    UnidokuError
        An input cannot be read (and there is no ``on_failure``), is named twice, or has no column
        `prediction`.

    Notes
    -----
    The memory holds 56 bytes for each puzzle, and at the end up to 66. The chance that two different puzzles
    of n are taken for the same is n * n / 2 ** 129.

    Examples
    --------
    >>> import io, unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> turned = unidoku.transform(puzzle, unidoku.Transformation.rotation())
    >>> audit = audit_files(io.BytesIO(f"{puzzle}\n{turned.line}\n".encode()))
    >>> audit.findings[0].kind, audit.findings[0].examples
    ('equivalent', (Example(line=2, other_line=1),))
    """
    cancel = within(cancel, timeout)
    return _audit(inputs, prediction, {**options, "cancel": cancel})[0]


def _audit(
    inputs: Input | Sequence[Input], prediction: str | None, options: dict[str, Any]
) -> tuple[Audit, Summary]:
    """Return an audit and the summary of its run."""
    began = time.perf_counter()
    cancel = options["cancel"] = cancel_of(options.get("cancel"))
    sources = Inputs(inputs, cancel)
    names = set[str]()  # which findings distinguish
    for source in sources:
        name = str(getattr(source, "name", source))
        if name in names:
            raise InputError(Message("named twice; an audit compares different files"), file=name)
        names.add(name)
    records = _Records()
    summary = run(AuditTask(prediction=prediction), sources, records, **options)
    findings = records.findings(summary.files, cancel) if summary.is_finished else ()
    summary.is_finished = summary.is_finished and not cancel
    relations = defaultdict[tuple[str | None, str | None], dict[str, int | None]](
        lambda: dict.fromkeys(WAYS, 0 if summary.is_finished else None)
    )
    for finding in findings:
        if finding.other is not None:
            relations[finding.file, finding.other][finding.kind] = finding.count
    pairs = [
        {"file": file, "other": other, **counts}
        for (file, other), counts in relations.items()
        if file != other
    ]
    files = []
    for file_counts in summary.files:
        row = {name: getattr(file_counts, name) for name in ("file", *_FILE_COUNTS, *PAIRS[1:])}
        if not any(row[name] for name in _ANSWERS):
            row |= dict.fromkeys(_ANSWERS)
        files.append(row | relations[file_counts.file, file_counts.file])
    summary.seconds = seconds = time.perf_counter() - began
    for counts in (summary, *summary.files):
        counts.written = 0  # the records are collected
    audit = Audit(
        summary.puzzles, seconds, summary.threads, summary.complete, tuple(files), tuple(pairs), findings
    )
    return audit, summary


def command(call: Call[AuditTask, None]) -> CommandResult:
    """Print the findings of an audit."""
    audits: list[Audit] = []

    def work(inputs: list[Any], _: None, **settings: Any) -> Summary:
        audit, summary = _audit(inputs, call.about.prediction, settings)
        audits.append(audit)
        return summary

    summary = run_with_progress(work, call.inputs, None, call.options, call.show)
    if not audits:  # an error is printed
        return CommandResult(summary)
    (audit,) = audits
    files = [
        {
            **counts.as_dict(),
            **(dict.fromkeys(ANSWER_COUNTS) if row["right"] is None else {}),
            **row,
        }
        for counts, row in zip(summary.files, audit.files, strict=True)
    ]
    findings = map(asdict, audit.findings)
    text, pairs = audit.lines(language()), audit.pairs
    return call.told(summary, text, is_right=not audit, rows=findings, files=files, pairs=pairs)


COMMAND = Command(
    AuditTask,
    examples=("unidoku audit train.csv test.csv", "unidoku audit predicted.csv --json"),
    function=command,
    options=RUNNING,
)
