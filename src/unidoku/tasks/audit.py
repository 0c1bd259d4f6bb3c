"""The capability `audit`: what is wrong with the records of some files, and what they share."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from unidoku.column import Column, Strings
from unidoku.errors import InputError, escape
from unidoku.options import RUNNING, Option, shared
from unidoku.runner.sink import Sink
from unidoku.tasks.check import Search, answer_columns, solved
from unidoku.tasks.columns import CELL_ERRORS, PREDICTION, aligned, figure
from unidoku.threads import cancel_of
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from unidoku.batch import Batch
    from unidoku.files.inputs import Input, Inputs
    from unidoku.options import OptionFields
    from unidoku.rows import Rows
    from unidoku.runner.summary import Counts, Summary
    from unidoku.task import Need

__all__ = ["Audit", "Finding", "audit_files"]

WAYS = {"equal": "puzzle", "equivalent": "canonical", "same_solution": "solution"}
"""How two puzzles can be alike, and the keys that they then have in common."""

FAULTS = ("invalid", "none", "multiple", "wrong", "missing")
"""What can be wrong with one record."""


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Search):
    """Find what is wrong with files of puzzles, and which puzzles they share.

    The table counts for each file: the records that are not a puzzle, or have no or several solutions; the
    answers that are right, wrong or missing, if the file has any; and the puzzles that are like an earlier
    one: equal, equivalent (a symmetry maps one to the other), or with the same solution up to symmetry. Equal
    puzzles count as equivalent too, and equivalent puzzles with one solution as puzzles with the same
    solution. A row "A in B" counts the puzzles of A that are like one of B: for example, those of a training
    file in a test file.

    The first records of each kind follow, by file and line.

    The exit code is 0 if nothing was found, 1 if anything was, 2 after an error, 130 after Ctrl-C.
    """

    name: ClassVar[str] = "audit"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {
        **Search.columns,
        **CELL_ERRORS,
        "answer": ("string", "missing, right or wrong, if the file has answers"),
        "key": ("string", "what equal puzzles have in common"),
    }
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku audit train.csv test.csv",
        "unidoku audit predicted.csv --json",
    )
    verifies: ClassVar[bool] = True
    common_options: ClassVar[tuple[str | Option, ...]] = (*RUNNING, "as_json")
    prediction: str | None = shared(PREDICTION)
    seeds: tuple[int, int] = field(default=(0, 0), compare=False)
    """Of the hashes."""

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Solve the puzzles, compare the answers, and make the keys."""
        import numpy as np

        from unidoku.craft.keys import keys_of
        from unidoku.tasks.answers import OUTCOMES, answer_column, compared, given, outcomes_of

        found = solved(batch, need, limit=2, budget=None, grids=True)
        if found is None:
            return None
        columns, n = answer_columns(found, batch), len(batch)
        outcomes, has_answers = np.zeros(n, np.uint8), False
        if self.prediction is not None or answer_column(batch) is not None:
            columns |= compared(batch, need, given(batch, self.prediction), found, 2)
            outcomes, has_answers = outcomes_of(columns), True
        proper = np.frombuffer(found.verdicts, np.uint8) == int(Verdict.UNIQUE)
        solutions = np.frombuffer(found.solutions, np.uint8).reshape(-1, 81) - batch.empty_code
        solutions[~proper] = 0
        ways = [keys_of(batch, way, self.seeds, need.cancel, solutions) for way in WAYS.values()]
        keys = np.concatenate(ways, axis=1)
        starts = np.arange(0, keys.size, keys.shape[1])
        columns["answer"] = Column(outcomes, OUTCOMES, np.full(n, has_answers))
        columns["key"] = Column(Strings(keys, starts, starts + keys.shape[1]))
        return None if need.cancel else columns

    @staticmethod
    def command(
        inputs: list[Any], *, prediction: str | None, as_json: bool, quiet: bool, **options: Any
    ) -> int:
        """Print what is wrong with files, and what they share."""
        from unidoku.cli.run import exit_code, print_found, run_all

        found: Audit | None = None

        def work(inputs: list[Any], _: None, **settings: Any) -> Summary:
            nonlocal found
            found = audit_files(inputs, **settings)
            return found.summary

        done = run_all(work, inputs, None, quiet=quiet, prediction=prediction, **options)
        if found is None:  # an error is printed
            return exit_code(done)
        print_found(done, found.as_dict(), [str(found)], None, as_json=as_json, quiet=quiet)
        return exit_code(done) or int(bool(found))


class _Records(Sink):
    """Collects the keys of all records, and what is wrong with single ones."""

    columns = ("line", "verdict", "answer", "key")

    def __init__(self) -> None:
        self.keys: list[NDArray[np.uint8]] = []
        self.places: list[NDArray[np.int64]] = []
        self.numbers: dict[str, int] = {}
        """The number of each file, from 0."""
        self._faults: dict[tuple[str, str], tuple[int, list[int]]] = {}

    def render(self, rows: Rows) -> tuple[str, Any, Any, dict[str, list[int]]]:
        """Return the file, the keys, the lines, and the lines with each fault."""
        from unidoku.tasks.answers import OUTCOMES

        line, verdict, answer, key = rows.named(self.columns)
        codes, lines = verdict.values, line.values
        puzzles = codes != int(Verdict.INVALID)
        faults = {
            str(each): lines[codes == each].tolist()
            for each in (Verdict.INVALID, Verdict.NONE, Verdict.MULTIPLE)
        }
        for name in ("wrong", "missing"):
            faults[name] = lines[answer.known() & (answer.values == OUTCOMES.index(name))].tolist()
        return rows.source, key.values.text, lines[puzzles], faults

    def write(self, piece: tuple[str, Any, Any, dict[str, list[int]]]) -> None:
        """Take the next records of a file."""
        from unidoku.craft.keys import EXAMPLES, LINES

        file, keys, lines, faults = piece
        number = self.numbers.setdefault(file, len(self.numbers))
        if len(lines):
            self.keys.append(keys)
            self.places.append(lines + (number << LINES))
        for name, places in faults.items():
            if places:
                count, first = self._faults.get((file, name), (0, []))
                self._faults[file, name] = count + len(places), (first + places)[:EXAMPLES]

    def faults(self) -> Iterator[Finding]:
        """Yield what is wrong with single records."""
        for (file, kind), (count, lines) in self._faults.items():
            yield Finding(kind, file, None, count, tuple(map(Example, lines)))

    def shared(self) -> Iterator[Finding]:
        """Yield which puzzles of a file are like an earlier one or one of another file, way by way."""
        import numpy as np

        from unidoku.craft.keys import LINES, matches

        names = [*self.numbers]
        places = np.concatenate([np.empty(0, np.int64), *self.places])
        for number, way in enumerate(WAYS):
            some = slice(16 * number, 16 * number + 16)
            keys = np.concatenate([np.empty((0, 16), np.uint8), *(each[:, some] for each in self.keys)])
            for (one, other), match in matches(keys, places).items():
                lines = (tuple(place % (1 << LINES) for place in pair) for pair in match.examples)
                examples = tuple(Example(line, other_line) for line, other_line in lines)
                yield Finding(way, names[one], names[other], match.count, examples)


class Example(NamedTuple):
    """A record, by its line, and the line of the first one that it is equal to."""

    line: int
    other_line: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What an audit found of one kind, in one file or between two.

    Attributes
    ----------
    kind : str
        ``invalid`` (not a puzzle), ``none`` and ``multiple`` (solutions), ``wrong`` and ``missing``
        (answers); ``equal``, ``equivalent`` and ``same_solution`` (puzzles).
    file : str
        The name of the file.
    other : str or None
        For the last three kinds: the file with the puzzles that those of `file` are like. If it is `file`
        itself, they are like puzzles before them.
    count : int
        How many records of `file` these are.
    examples : tuple of Example
        The first of them, one of each class of equal ones.
    """

    kind: str
    file: str
    other: str | None
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """What `audit_files` found.

    Attributes
    ----------
    summary : Summary
        The counts of each file by verdict and answer.
    findings : tuple of Finding
        By file and kind, only those that were found.
    compared : bool
        Whether the puzzles were compared with each other; false if the run was cancelled.
    """

    summary: Summary
    findings: tuple[Finding, ...]
    compared: bool

    def __bool__(self) -> bool:
        """Return whether anything was found."""
        return bool(self.findings)

    def __str__(self) -> str:
        """Return a table with a row for each file and each pair of files, and the first examples."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        rows: list[dict[str, Any]] = self.files()
        for pair in self.pairs():
            name = f"{pair.pop('file')} in {pair.pop('other')}"
            rows.append({**dict.fromkeys(rows[0]), **pair, "file": name})
        for row in rows:
            row["file"] = row.pop("file")  # the last column
        if rows:  # a run may be cancelled before there are any
            heads = [name.replace("_", " ") for name in rows[0]]
            figures = ([figure(each) for each in row.values()] for row in rows)
            yield from aligned([heads, *figures], "file")
        if self.compared:
            yield "" if self else "nothing found"
        shown = set()  # two equal puzzles are equivalent too, and in both directions
        for found in self.findings:
            for example in found.examples:
                places = [f"{escape(found.file)}:{example.line}"]
                if example.other_line is not None:
                    places.append(f"{escape(found.other or '')}:{example.other_line}")
                if frozenset(places) not in shown or len(places) == 1:
                    yield f"{found.kind.replace('_', ' ')}: {' and '.join(places)}"
                shown.add(frozenset(places))

    def files(self) -> list[dict[str, Any]]:
        """Return the counts of each file; None for a count that it does not have, or that is not known."""
        return [self._file(each) for each in self.summary.files]

    def _file(self, counts: Counts) -> dict[str, Any]:
        answered = counts.right or counts.wrong or counts.missing
        found = {name: getattr(counts, name) for name in ("puzzles", "unique", "none", "multiple", "invalid")}
        answers = {
            name: getattr(counts, name) if answered else None for name in ("right", "wrong", "missing")
        }
        return {"file": counts.file, **found, **answers, **self._shared(counts.file, counts.file)}

    def pairs(self) -> list[dict[str, Any]]:
        """Return for each two files that share puzzles how many puzzles of the first are in the second."""
        two = [(each.file, each.other) for each in self.findings if each.other not in (None, each.file)]
        return [
            {"file": one, "other": other, **self._shared(one, other)} for one, other in dict.fromkeys(two)
        ]

    def _shared(self, one: str | None, other: str | None) -> dict[str, int | None]:
        found = {each.kind: each.count for each in self.findings if (each.file, each.other) == (one, other)}
        return {way: found.get(way, 0) if self.compared else None for way in WAYS}

    def as_dict(self) -> dict[str, Any]:
        """Return the object of ``unidoku audit --json``."""
        done = self.summary
        return {
            "found": bool(self),
            "puzzles": done.puzzles,
            "seconds": round(done.seconds, 6),
            "puzzles_per_second": round(done.puzzles_per_second, 1),
            "threads": done.threads,
            "complete": done.complete,
            "files": self.files(),
            "pairs": self.pairs(),
            "findings": [
                {**asdict(each), "examples": [example._asdict() for example in each.examples]}
                for each in self.findings
            ],
        }


def audit_files(
    inputs: Input | Sequence[Input], *, prediction: str | None = None, **options: Unpack[OptionFields]
) -> Audit:
    r"""Find what is wrong with the records of some files, and which puzzles they share.

    Parameters
    ----------
    inputs, **options
        As for `unidoku.run`, without those of an output.
    prediction : str, optional
        The column of the answers; by default the first that a file has, as for `unidoku.tasks.Verify`. A file
        without one has no answers.

    Returns
    -------
    Audit
        If nothing was found, its `findings` are empty, and it is false. After `cancel`, its summary is not
        ``complete``.

    Raises
    ------
    UnidokuError
        An input cannot be read (and there is no ``on_failure``), is named twice, or has no column
        `prediction`.

    Notes
    -----
    The memory holds 56 bytes for each puzzle, and at the end up to 128. The chance that two different puzzles
    of n are taken for the same is n * n / 2 ** 129.

    Examples
    --------
    >>> import io, unidoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> turned = unidoku.transform(puzzle, unidoku.Transformation.rotation())
    >>> found = audit_files(io.BytesIO(f"{puzzle}\n{turned.line}\n".encode()))
    >>> found.findings[0].kind, found.findings[0].examples
    ('equivalent', (Example(line=2, other_line=1),))
    """
    from unidoku.craft.keys import random_seeds
    from unidoku.files.inputs import Inputs
    from unidoku.runner.task import run

    began = time.perf_counter()
    cancel = options["cancel"] = cancel_of(options.get("cancel"))
    sources = Inputs(inputs)
    _refuse_same(sources)
    sink = _Records()
    task = Compared(prediction=prediction, seeds=random_seeds())
    summary = run(task, sources, sink, **options)
    found = [*sink.faults(), *(takewhile(lambda _: not cancel, sink.shared()) if summary.complete else ())]
    summary.complete = summary.complete and not cancel
    summary.seconds = time.perf_counter() - began
    order = {kind: place for place, kind in enumerate((*FAULTS, *WAYS))}
    found.sort(
        key=lambda each: (sink.numbers[each.file], sink.numbers.get(each.other or "", -1), order[each.kind])
    )
    return Audit(summary, tuple(found), summary.complete)


def _refuse_same(inputs: Inputs) -> None:
    """Refuse inputs with equal names: they could not be told apart."""
    names = [
        str(os.fspath(each) if isinstance(each, str | os.PathLike) else getattr(each, "name", "<stream>"))
        for each in inputs
    ]
    for name, number in Counter(names).items():
        if number > 1:
            raise InputError("is named twice; an audit compares different files", file=name)
