"""The capability `check`: the verdicts of puzzles in memory and in files; one examined; the bundled sample.

`unidoku.check`, for one puzzle, is in `unidoku.single`; `unidoku.tasks.table` adds the verdicts to an Arrow
table.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from unidoku import kernel
from unidoku.arguments import MAX_COUNT, positive
from unidoku.column import AT_LEAST, TEXT, Column, Grids
from unidoku.grid import Grid, puzzle_cells
from unidoku.kernel import Solved
from unidoku.options import Option, option
from unidoku.result import Result
from unidoku.task import Need, Rows, Task
from unidoku.tasks.columns import ANSWER_GRIDS, CELL_ERRORS, NUMBERS
from unidoku.threads import Cancel, flag_of
from unidoku.verdict import VERDICTS, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    import numpy as np
    import numpy.typing as npt

    from unidoku.batch import Batch
    from unidoku.files.inputs import Input
    from unidoku.grid import PuzzleLike
    from unidoku.options import OptionFields
    from unidoku.parse_many import Places, PuzzlesLike
    from unidoku.run.sink import Sink
    from unidoku.run.summary import Summary

_SLICE = 8192  # rows a thread takes at a time: their text and answers stay in its cache

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the bundled sample: puzzles with none, one and several solutions, each followed by their number."""

_STATES = bytes.maketrans(b"\0\1", bytes([AT_LEAST, TEXT]))  # of numbers that are not complete, and are
_ANSWER = {
    "verdict": ("string", f"{', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}"),
    "count": ("uint64", "the number of solutions that were found"),
    "complete": ("bool", "whether these are all, or as many as the limit"),
    "solution": ("cells", "the first solution"),
}


class Search(Task):
    """What the tasks that search for solutions have in common."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = _ANSWER
    shown: ClassVar[tuple[str, ...]] = ("line", "puzzle", *_ANSWER, "reason", "file")
    marks: ClassVar[bool] = True
    for_invalid: ClassVar[Mapping[str, Any]] = {"verdict": str(Verdict.INVALID), "solved": False}
    numbered: ClassVar[bool] = False

    def counts(self, found: Rows) -> dict[str, int]:
        """Count the puzzles by verdict, and by the answers."""
        from unidoku.native.text.render import tally

        verdicts, complete = found.columns["verdict"].values, found.columns["complete"].values
        none, unique, multiple, unknown = tally(verdicts, len(verdicts))
        counts = {"unique": unique, "multiple": multiple, "none": none, "unknown": unknown}
        counts["cut_off"] = bytes(complete).count(0)
        if "solved" in found.columns:
            from unidoku.tasks.answers import answer_counts

            counts |= answer_counts(found)
        return counts

    def wrong(self, found: Rows) -> Mapping[int, str]:
        """Return the first puzzles whose given answer is wrong."""
        if "solved" not in found.columns:
            return {}
        from unidoku.tasks.answers import wrong_answers

        return wrong_answers(found)


@dataclass(frozen=True, eq=False, repr=False)  # a check starts faster without unused methods
class Check(Search):
    """Check which puzzles have exactly one solution.

    Each puzzle gets a verdict: none, unique (one solution), multiple, invalid (not a puzzle), or unknown
    (the budget ended the search). For one PUZZLE, the verdict is printed.

    --output gets a row per puzzle: .txt, .csv, .jsonl (also with .gz .bz2 .xz .zst), .parquet, .arrow; a
    folder gets a file per part. With --verify it also has the columns from solved on.

    The exit code is 0 if every puzzle is unique (and, with --verify, has a right answer), 1 if not, 2 after
    an error, 130 after Ctrl-C.
    """

    name: ClassVar[str] = "check"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {**_ANSWER, **CELL_ERRORS}
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku check puzzles.txt",
        "unidoku check puzzles.txt -o verdicts.csv --only none,multiple,invalid",
    )
    command_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "Check the sample that is part of unidoku, with --verify; the exit code is 0 if all is right.",
            name="sample",
            kind=bool,
            default=False,
        ),
    )
    limit: int | None = option(
        2, "Stop at N solutions of a puzzle; all: count them all.", least=1, unbounded="all"
    )
    budget: int | None = option(
        None,
        "End the search of a puzzle after this many guesses; its verdict may then be unknown.",
        least=1,
        metavar="GUESSES",
        absent="no bound",
    )
    verify: bool = option(
        False,
        f"Compare with the answers of the input: grids in the first of the columns {ANSWER_GRIDS}; numbers "
        f"of solutions in {', '.join(NUMBERS)}.",
    )

    @property
    def verifies(self) -> bool:  # type: ignore[override]
        """Whether answers are compared."""
        return self.verify

    @property
    def numbered(self) -> bool:  # type: ignore[override]
        """Whether wrong answers are reported, with their lines."""
        return self.verify

    def gives(self) -> tuple[str, ...]:
        """Return its columns: those of given answers only if they are compared."""
        return tuple(self.columns if self.verify else _ANSWER)

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns that are written by default."""
        return ("line", "puzzle", *self.gives(), "reason", "file")

    @property
    def lines(self) -> tuple[str, ...]:  # type: ignore[override]
        """The columns of lines of text, which have the reason of an invalid record after its verdict."""
        left_out = ("line", "complete", *(() if self.verify else ("reason",)))
        return tuple(name for name in self.shown if name not in left_out)

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, also those that are not given."""
        return {"command": self.name, "limit": self.limit, "budget": self.budget, "verify": self.verify}

    def work(self, batch: Batch, need: Need) -> dict[str, Any] | None:
        """Count the solutions; compare given answers."""
        grids = self.verify or "solution" in need.columns
        found = solved(batch, need, limit=self.limit, budget=self.budget, grids=grids)
        if found is None:
            return None
        columns = answer_columns(found, batch)
        if self.verify:
            from unidoku.tasks.answers import compared, given

            columns |= compared(batch, need, given(batch), found, self.limit or 0)
        return columns


def solved(batch: Batch, need: Need, *, limit: int | None, budget: int | None, grids: bool) -> Solved | None:
    """Count the solutions of a batch's puzzles; None if the run was cancelled.

    The answers are valid until the same thread solves its next batch.
    """
    from unidoku.counting import solve

    n = len(batch.starts)
    each = need.buffer("answers", 10 * n)
    grid = need.buffer("solutions", 81 * n) if grids else None
    out = Solved(each[: 8 * n].cast("Q"), each[8 * n : 9 * n], each[9 * n :], grid)
    bounds: dict[str, Any] = {"limit": limit or 0, "budget": budget or 0, "stop": need.cancel.flag}
    return out if solve(batch, out, **bounds) else None


def answer_columns(found: Solved, batch: Batch) -> dict[str, Any]:
    """Return verdicts, numbers of solutions and solutions, if there are any, as columns."""
    complete = bytes(found.complete)
    states = complete.translate(_STATES) if 0 in complete else None
    columns = {
        "verdict": Column(found.verdicts, VERDICTS, type="words"),
        "count": Column(found.counts, valid=states, type="uint64"),
        "complete": Column(found.complete, type="bool"),
    }
    if found.solutions is not None:
        columns["solution"] = Column(Grids(found.solutions, batch.zero))
    return columns


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a search for the solutions of one puzzle.

    Attributes
    ----------
    verdict : Verdict
    count : int
        Solutions found, at most the limit.
    complete : bool
        True if all solutions were counted or the limit was reached: `count` is exact up to the limit.  False
        if the budget or a `Cancel` ended the search: `count` is a lower bound.
    solution : Grid or None
        The first solution in the order of the search.
    witness : Grid or None
        The second solution, which proves that the puzzle is not unique.
    reason : str or None
        Why a row is not a puzzle (verdict INVALID).
    """

    verdict: Verdict
    count: int
    complete: bool
    solution: Grid | None = None
    witness: Grid | None = None
    reason: str | None = None

    def __str__(self) -> str:
        """Draw the first solution under the verdict."""
        several = f", {self.count_text} solutions" if self.count > 1 else ""
        head = f"{self.verdict}{several}{f': {self.reason}' if self.reason else ''}"
        return f"{head}\n{self.solution}" if self.solution else head

    @property
    def count_text(self) -> str:
        """The count as text outputs show it: ``960``, or ``960+`` if it is a lower bound."""
        return f"{self.count}" if self.complete else f"{self.count}+"


def examine(
    puzzle: PuzzleLike,
    *,
    limit: int | None = 2,
    budget: int | None = None,
    cancel: Cancel | None = None,
) -> Answer:
    """Determine verdict, number of solutions and up to two solutions of a puzzle.

    Parameters
    ----------
    puzzle, budget, cancel
        As for `check`.
    limit : int or None, optional
        Largest number of solutions to count; None counts all.  With 1 the search ends at the first solution:
        the answer is complete, and the verdict of a puzzle that has a solution is UNKNOWN.

    Returns
    -------
    Answer
        Its ``complete`` tells whether the count is exact up to the limit.

    Raises
    ------
    InvalidPuzzleError, ValueError
        As for `count`.

    Examples
    --------
    >>> answer = examine("." * 81, limit=None, budget=1000)
    >>> answer.verdict, answer.complete
    (Verdict.MULTIPLE, False)
    """
    from unidoku.counting import MAX_LIMIT, count_solutions

    most = positive("limit", limit, MAX_LIMIT)
    by_search = budget is not None or 0 < most <= 2
    cells, grids = puzzle_cells(puzzle), (bytearray(81), bytearray(81))
    at_first = min(most, MAX_COUNT) if by_search else 2
    verdict, found, complete = kernel.search(
        cells, at_first, positive("budget", budget), flag_of(cancel), *grids
    )
    if found > 1 and not by_search:
        more, complete = count_solutions(cells, limit, cancel=cancel)
        found = max(found, more)
    solution, witness = (Grid(bytes(grid)) if grid[0] else None for grid in grids)
    return Answer(Verdict(verdict), found, complete, solution, witness)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheckResult(Result[Answer]):
    """The answers for many puzzles, in the order of the puzzles.

    ``len(result)`` is the number of puzzles and ``result[i]`` the `Answer` for one of them.  Iteration yields
    an `Answer` for each puzzle, and ``==`` compares all arrays.

    Attributes
    ----------
    counts : uint64[n]
        Solutions found, at most the limit; 2**64 - 1 and not complete if there are more.
    verdicts : uint8[n]
        Codes of `unidoku.Verdict`.
    complete : bool[n]
        Whether all solutions were counted, or the limit was reached.  If false, the budget or a `Cancel`
        ended the search, or there are more than 2**64 - 1 solutions; the count is a lower bound.
    solutions : uint8[n, 81] or None
        The first solution of each puzzle in the order of the search, cells 1 to 9; zeros for a puzzle without
        solution.  None if not requested.
    witnesses : uint8[n, 81] or None
        The second solution of each puzzle with several; zeros for others.  None if not requested.
    reasons : dict of int to str
        The rows, from 0, that are not puzzles (verdict INVALID), and why.
    """

    counts: npt.NDArray[np.uint64]
    verdicts: npt.NDArray[np.uint8]
    complete: npt.NDArray[np.bool_]
    solutions: npt.NDArray[np.uint8] | None = None
    witnesses: npt.NDArray[np.uint8] | None = None
    reasons: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.verdicts)

    def _record(self, row: int) -> Answer:
        return Answer(
            Verdict(int(self.verdicts[row])),
            int(self.counts[row]),
            bool(self.complete[row]),
            _grid(self.solutions, row),
            _grid(self.witnesses, row),
            self.reasons.get(row),
        )

    def __repr__(self) -> str:
        numbers = [f"{getattr(self, name)} {name}" for name in ("unique", "multiple", "none", "unknown")]
        if self.invalid:
            numbers.append(f"{self.invalid} invalid")
        import numpy as np

        cut_off = int(np.count_nonzero(~self.complete)) - self.invalid
        if cut_off:
            numbers.append(f"{cut_off} not complete")
        return f"<CheckResult of {len(self)} puzzles: {', '.join(numbers)}>"

    def _table(self) -> dict[str, Column]:
        """Return the attributes of `Answer`; without values where the grids were not requested."""
        valid = self.verdicts != int(Verdict.INVALID)
        columns = {
            "verdict": Column(self.verdicts, VERDICTS, type="words"),
            "count": Column(self.counts, valid=valid),
            "complete": Column(self.complete, valid=valid),
        }
        for name, grids in (("solution", self.solutions), ("witness", self.witnesses)):
            columns[name] = (
                Column.nothing(len(self)) if grids is None else Column(grids, valid=grids[:, 0] > 0)
            )
        return columns

    @property
    def unique(self) -> int:
        """Number of puzzles with exactly one solution."""
        return self._number_of(Verdict.UNIQUE)

    @property
    def multiple(self) -> int:
        """Number of puzzles with several solutions."""
        return self._number_of(Verdict.MULTIPLE)

    @property
    def none(self) -> int:
        """Number of puzzles without a solution."""
        return self._number_of(Verdict.NONE)

    @property
    def unknown(self) -> int:
        """Number of puzzles without a known verdict, because their search was ended."""
        return self._number_of(Verdict.UNKNOWN)

    @property
    def invalid(self) -> int:
        """Number of rows that are not puzzles."""
        return self._number_of(Verdict.INVALID)

    def _number_of(self, verdict: Verdict) -> int:
        import numpy as np

        return int(np.count_nonzero(self.verdicts == int(verdict)))


def _grid(rows: npt.NDArray[np.uint8] | None, row: int) -> Grid | None:
    return Grid(rows[row].tobytes()) if rows is not None and rows[row, 0] else None


def _answers(n: int, solutions: bool, witnesses: bool) -> tuple[Any, ...]:
    """Allocate the answers for `n` puzzles, in the order of `Solved` and of `CheckResult`."""
    import numpy as np

    return (
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint8),
        np.zeros(n, np.bool_),
        np.zeros((n, 81), np.uint8) if solutions else None,
        np.zeros((n, 81), np.uint8) if witnesses else None,
    )


@kernel.with_native("check_many", lambda *asked: CheckResult(*_answers(*asked)))
def check_many(
    puzzles: PuzzlesLike,
    *,
    limit: int | None = 2,
    threads: int | None = None,
    solutions: bool = True,
    witnesses: bool = False,
    budget: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
) -> CheckResult:
    """Count the solutions of many puzzles, each up to a limit.

    Parameters
    ----------
    puzzles : array, bytes, sequence or Arrow column
        In any of these forms:

        - an array of integers, shape (n, 81) or (n, 9, 9): numbers 0 to 9 (0: empty), or ASCII codes;
        - an array of n strings (``U81``, ``S81``, ``StringDType``, objects), or of single characters with
          shape (n, 81) or (n, 9, 9);
        - ``bytes`` of lines with 81 characters each;
        - a sequence of puzzles, each of them anything that `Grid` takes: strings, ``bytes``, `Grid`, nested
          lists (with None for empty cells), arrays;
        - a column of strings with the Arrow PyCapsule interface (PyArrow, Polars, pandas, DuckDB), which is
          read in place.

        Empty cells in text are any of ``. 0 * _ - x X ?``.  A string, a line or a value of a column may also
        have 729 pencil marks.
    limit : int or None, optional
        Largest number of solutions to count for each puzzle; None counts all.
    threads : int, optional
        Worker threads; by default one per available core.
    solutions, witnesses : bool, optional
        Whether to return the first solution of each puzzle, and the second.
    budget : int, optional
        Largest number of guesses for each puzzle.  A puzzle that needs more is not complete, and its verdict
        is UNKNOWN unless two solutions have been found.
    errors : {"raise", "invalid"}, optional
        What to do with a row that is not a puzzle: raise an error, or set its verdict to INVALID and report
        the reason.
    cancel : Cancel, optional
        Set it to end the call.  Unfinished puzzles are not complete; puzzles not begun have count 0 and
        verdict UNKNOWN.

    Returns
    -------
    CheckResult
        The same for any number of threads, on any machine, unless it is cancelled.

    Raises
    ------
    InvalidPuzzleError
        `puzzles` has a wrong shape or type; or a row is not a puzzle and `errors` is ``"raise"``: the
        attribute ``row`` is its number, from 0, and ``reason`` what is wrong.
    MissingExtraError
        `puzzles` is an Arrow column and PyArrow is not installed.
    ValueError
        `limit`, `threads` or `budget` is not an integer, below 1 or too large; `errors` is not one of these.

    Notes
    -----
    With ``limit=1`` the search ends at the first solution: a puzzle that has a solution is complete, and its
    verdict is UNKNOWN because a second solution was not searched for.

    The search is the lanes kernel: see docs/kernel.md.  Without a limit or with one above 1,024, and without
    a budget, puzzles with many solutions are counted as a sum: see docs/counting.md.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> result = check_many([puzzle, puzzle[:80] + "!"], errors="invalid")
    >>> result
    <CheckResult of 2 puzzles: 1 unique, 0 multiple, 0 none, 0 unknown, 1 invalid>
    >>> result[0].solution.line[:9], result.reasons[1]
    ('534678912', "expected a digit or an empty cell (. 0 * _ - x X ?), found '!' in r9c9")
    """
    import numpy as np

    from unidoku import counting
    from unidoku.parse_many import batches_of, each_part, rows_in

    most, guesses = positive("limit", limit), positive("budget", budget)
    batches = batches_of(puzzles, cancel)
    answers = Solved(*_answers(rows_in(batches), solutions, witnesses))
    answers.verdicts.fill(Verdict.INVALID)

    def work(part: Batch, rows: Places, stop: Cancel) -> None:
        found = Solved(*(each if each is None else each[rows] for each in answers))
        counting.solve(part, found, limit=most, budget=guesses, stop=stop.flag)
        for grids in (found.solutions, found.witnesses):
            if grids is not None and part.zero:
                np.bitwise_and(grids, 15, out=grids)
        if not isinstance(rows, slice):  # copies
            for each, some in zip(answers, found, strict=True):
                if each is not None:
                    each[rows] = some

    limits: dict[str, Any] = {"errors": errors, "threads": threads, "cancel": cancel}
    reasons = each_part(batches, work, size=_SLICE, marks=True, whole=False, **limits)
    if cancel:
        left = answers.verdicts == int(Verdict.INVALID)
        left[list(reasons)] = False
        answers.verdicts[left] = Verdict.UNKNOWN
    return CheckResult(*answers, reasons=reasons)


def check_file(
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
    *,
    limit: int | None = 2,
    budget: int | None = None,
    verify: bool = False,
    **options: Unpack[OptionFields],
) -> Summary:
    """Determine the verdict of every puzzle in some files.

    Parameters
    ----------
    inputs : path, binary file, or an iterable of these
        ``-`` is standard input; URLs (``s3://…``) are opened by fsspec.  A folder stands for the files in it,
        a pattern for what it matches, an archive for its members.  gzip, bz2, xz and zstd are recognised by
        content.
    output : path or Sink, optional
        Where to write one row per puzzle, in input order.  The suffix sets the format: ``.txt``, ``.csv``,
        ``.jsonl``, each also with ``.gz``, ``.bz2``, ``.xz``, ``.zst``; ``.arrow``, ``.parquet``.  It appears
        when it is complete; until then, an older file of that name stays as it is.  If an error or `cancel`
        ends the run, what has been done is kept in a file with ``.partial`` after the name.  A name that ends
        with ``/`` is a folder, with a file for each part.
    limit : int or None
        Largest number of solutions to count for each puzzle; None counts all.
    budget : int or None
        Largest number of guesses for each puzzle, after which its verdict is ``unknown``; None sets no bound.
    verify : bool
        Compare the answers that the input gives, as `verify_file` does, and numbers of solutions in a column
        ``expected`` or ``expected_count``; the output then has the columns of `verify_file` too.

    Other Parameters
    ----------------
    to : str, optional
        Name of the format of the output, instead of its suffix: ``txt``, ``csv``, ``tsv``, ``jsonl``,
        ``parquet``, ``arrow``.
    columns : iterable of str, optional
        The columns to write, also those of the input; by default all columns of the check.
    only : iterable of Verdict or str, optional
        The verdicts whose rows are written; all puzzles are counted.  By default all rows are written.
    keep : {"columns", "all", "none"}
        What is written of the input besides the puzzles: its columns that have names, but not to ``.txt``;
        everything, also the rest of each line; or nothing.
    comment : bool
        Begin an output of lines or CSV with a comment that has the version and the options, as JSON.  Arrow
        and Parquet outputs always have them in their metadata.
    invalid : path, optional
        Where to write a message for each invalid line.
    threads : int, optional
        Worker threads; by default one per available core.
    resume : bool
        Make the output in parts, and keep those of an interrupted run with the same inputs and options; a
        ``.parquet`` output is then a folder.  See docs/scaling.md.
    cluster : str, optional
        Make the output in parts on a Dask cluster: ``local:N`` for N processes of this machine, otherwise the
        address of its scheduler, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``.
    part_bytes : int, optional
        Make the output in parts of about this many bytes of the inputs; by default, parts have 4 to 64 MiB,
        depending on the size of the inputs.
    progress : callable, optional
        Called with a :class:`Progress` about ten times a second, and at the end.
    on_failure : callable, optional
        Called with the error of an input that cannot be read to its end; the run then continues with the next
        input.  Without it, the error is raised.  In both cases the output is not complete.
    cancel : Cancel, optional
        Set it to stop the run; the results so far are counted and kept.
    empty : bool
        Whether the output appears even if the inputs have no records.
    format : str, optional
        Name of the format of the inputs, instead of recognising it by suffix and content.
    column : str or int, optional
        The field that holds the puzzle: a number from 1, or a name.
    strict : bool
        Whether only one symbol for empty cells may occur in a puzzle.
    max_size : int or None
        Reading a compressed input ends with an error when its content exceeds this many bytes; by default
        when it exceeds 1000 times the compressed size, and 1 GiB.
    options : Options, optional
        All these as one value; arguments that are also given replace its attributes.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        An input cannot be read and there is no ``on_failure``, or an output cannot be written.  The attribute
        ``summary`` holds the counts up to the error.
    ValueError
        A number is not allowed: `limit`, `budget`, `threads`, `part_bytes` and `max_size` are integers of at
        least 1.
    """
    from unidoku.run.task import run_file

    return run_file(Check(limit, budget, bool(verify)), inputs, output, **options)
