"""Count all solutions of a puzzle exactly, and draw random solutions.

A search counts up to a few solutions.  A larger number is computed as a sum over the configurations of bands
and stacks; the time does not depend on the number of solutions: see docs/kernel.md.
"""

from __future__ import annotations

import re
from array import array
from heapq import merge
from itertools import islice

from unidoku import kernel
from unidoku._arguments import MAX_COUNT, callback, integer, positive, whole_number
from unidoku._compat import np
from unidoku._lazy import public
from unidoku._table.column import buffer_of
from unidoku._threads import (
    Cancel,
    begun,
    call_to_end,
    cancel_of,
    flag_of,
    map_parts,
    parts_of,
    thread_count,
    within,
)
from unidoku._verdict import Verdict
from unidoku.errors import ArgumentError, Message, SearchStoppedError
from unidoku.kernel import SearchOutputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any

    import numpy.typing as npt

    from unidoku._native.count.base import Sum
    from unidoku._table.batch import Batch
    from unidoku.grid import PuzzleLike

__all__ = ["MAX_LIMIT", "Solutions"]

MAX_LIMIT = 10**22  # more than the number of full grids

# up to these numbers of solutions and guesses, a search is faster than preparing the sum (75 to 320 µs)
_FEW = 512
_FEW_GUESSES = 1024
_SEARCH = 3000  # vector operations of the sum in the time of one solution of a search
_WORTH_THREADS = 1e7  # vector operations from which one more thread is faster

_TAKEN = 1 << 14  # solutions taken at a time: 50 milliseconds

# in a batch the search solves many puzzles in parallel and is faster up to a larger number of solutions
_FEW_OF_MANY = 1024

_PART = 2048  # puzzles that a thread checks at a time

# from this number of vector operations on, the costs of so many roles are compared by a sample
_WORTH_SAMPLE = 1e8
_ROLES = 8

IMPROPER = re.compile(b"[^%s]" % re.escape(bytes([int(Verdict.UNIQUE)])))
"""The verdicts of puzzles that are not proper, in a column of codes."""


def count_solutions(
    puzzle: bytes,
    limit: int | None = None,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[float], object] | None = None,
) -> tuple[int, bool]:
    """Count the solutions of a puzzle, its 81 values; false if `cancel` ended the count."""
    limit = positive("limit", limit, MAX_LIMIT) or MAX_LIMIT
    _, number, complete = kernel.search(puzzle, min(limit, _FEW), _FEW_GUESSES, stop=flag_of(cancel))
    if complete and (number < _FEW or number == limit):
        return number, True
    if cancel:  # the sum takes 26 ms to prepare
        return number, False
    whole = sum_of(puzzle, threads=threads, stop=flag_of(cancel))
    if limit < whole.cost / _SEARCH:
        _, number, complete = kernel.search(puzzle, limit, 4 * limit, stop=flag_of(cancel))
        if complete:
            return number, True
    if not finish(whole, threads=threads, cancel=cancel, progress=progress):
        return number, False
    return min(whole.total(), limit), True


def solve(
    batch: Batch,
    out: SearchOutputs,
    *,
    limit: int = 2,
    budget: int = 0,
    stop: Any = None,
    zero_out: int | None = None,
) -> bool:
    """Search for the solutions of a batch's puzzles, with the sum instead of long searches.

    With a budget, only the search is used.  A count above 2^64 - 1 becomes 2^64 - 1 and
    is not complete.  False if the flag `stop` ended the call.  Solutions are written like the
    puzzles, or with the code `zero_out` of digit 0.
    """
    few = limit if budget or 0 < limit <= _FEW_OF_MANY else _FEW_OF_MANY
    text, starts, zero = batch.text, buffer_of(batch.starts), batch.empty_code
    is_done: bool = kernel.lanes().solve_cells(
        text, starts, zero=zero, limit=few, budget=budget, stop=stop, zero_out=zero_out, **out._asdict()
    )
    if few == limit:
        return is_done
    counts, complete = out.counts, out.complete
    unfinished = [k for k, number in enumerate(memoryview(counts).tolist()) if number == _FEW_OF_MANY]
    for k in unfinished:
        complete[k] = 0
    while is_done and unfinished:
        (cells,) = batch.part(slice(unfinished[0], unfinished[0] + 1)).grids()
        whole = sum_of(cells, stop=stop)
        is_done = whole.work(stop=stop)
        if is_done:
            total, k = whole.total(), unfinished.pop(0)
            counts[k] = min(total, limit or MAX_COUNT)
            complete[k] = limit > 0 or total <= MAX_COUNT
    for k in unfinished:  # they have no solutions
        for grids in (out.solutions, out.witnesses):
            if grids is not None:
                memoryview(grids).cast("B")[81 * k : 81 * k + 81] = bytes(81)
    return is_done


def unique_solutions(batch: Batch, stop: Cancel) -> bytearray:
    """Return the solution of each proper puzzle of a batch, 81 values each; 0 for every other puzzle.

    If `stop` ends the work, it is an error: puzzles without a verdict are not improper.
    """
    n = len(batch)
    verdicts, solutions = bytearray(n), bytearray(81 * n)
    outputs = SearchOutputs(array("Q", bytes(8 * n)), verdicts, bytearray(n), solutions)
    call_to_end(solve, batch, outputs, zero_out=0, cancel=stop)
    clear_improper(verdicts, solutions)
    return solutions


def clear_improper(verdicts: bytes | bytearray, solutions: bytearray | memoryview) -> None:
    """Replace the solutions of puzzles that are not proper, 81 values each, by zeros."""
    for row in kernel.rows_with(IMPROPER, verdicts):
        solutions[81 * row : 81 * row + 81] = bytes(81)


def verdicts_of(batch: Batch, threads: int, cancel: Cancel) -> bytearray:
    """Return the code of the verdict on each puzzle; UNKNOWN for cancelled puzzles."""
    n, starts = len(batch), buffer_of(batch.starts)
    counts, verdicts = array("Q", bytes(8 * n)), bytearray([int(Verdict.UNKNOWN)]) * n

    def work(part: slice, stop: Cancel) -> None:
        own = {"counts": memoryview(counts)[part], "verdicts": memoryview(verdicts)[part], "stop": stop.flag}
        kernel.lanes().solve_cells(batch.text, starts[part], zero=batch.empty_code, **own)

    map_parts(work, parts_of(n, _PART), threads, cancel)
    return verdicts


class Solutions:
    """All solutions of a puzzle in a fixed order, with access by number.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As `Grid` accepts it.
    threads, cancel, progress
        As for `unidoku.count`; the constructor counts the solutions.

    Attributes
    ----------
    puzzle : Grid
    count : int
        The number of solutions.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    SearchStoppedError
        `cancel` ended the count.

    Notes
    -----
    The order differs from `unidoku.solutions`.  It is the same on every machine, but may change with the
    version of unidoku.  Several threads may use one object.

    Examples
    --------
    >>> every = Solutions("." * 81)
    >>> every.count
    6670903752021072936960
    >>> every.take([0, 10**21]).shape
    (2, 81)
    """

    @public
    def __init__(
        self,
        puzzle: PuzzleLike,
        *,
        threads: int | None = None,
        cancel: Cancel | None = None,
        timeout: float | None = None,
        progress: Callable[[float], object] | None = None,
    ) -> None:
        cancel = begun(cancel, timeout)
        from unidoku.grid import Grid  # not at the top: a check of files starts faster

        self.puzzle: Grid = Grid(puzzle)
        callback("progress", progress)
        self._sum = sum_of(self.puzzle.cells, threads=threads, stop=flag_of(cancel), keep=True)
        if not finish(self._sum, threads=threads, cancel=cancel, progress=progress):
            raise SearchStoppedError(0)
        self.count: int = self._sum.total()

    def __repr__(self) -> str:
        return f"<Solutions: {self.count}>"

    def take(
        self, numbers: Sequence[int], *, cancel: Cancel | None = None, timeout: float | None = None
    ) -> npt.NDArray[np.uint8]:
        """Return the solutions with some numbers.

        Parameters
        ----------
        numbers : sequence of int
            Each from 0 to ``count - 1``, in any order.  One call with many numbers is faster than many calls.
        cancel, timeout
            As for `unidoku.check`.

        Returns
        -------
        uint8[n, 81]
            A row for each number, cells 1 to 9.

        Raises
        ------
        IndexError
            A number is out of range.
        TypeError
            A number is not an integer.
        SearchStoppedError
            `cancel` ended the work.
        """
        cancel = within(cancel, timeout)

        flag = cancel_of(cancel)
        ranks = [integer("a number of take", number) for number in flag.watch(numbers)]
        rows = np.empty((len(ranks), 81), np.uint8)
        parts = [range(begin, min(begin + _TAKEN, len(ranks))) for begin in range(0, len(ranks), _TAKEN)]
        # One after the other in their order, so that a state of the sum is found once.
        runs = [sorted(part, key=ranks.__getitem__) for part in flag.watch(parts)]
        order = merge(*runs, key=ranks.__getitem__)
        while places := [*islice(order, _TAKEN)]:
            own = [ranks[place] for place in places]
            cells = call_to_end(self._sum.solutions, own, cancel=flag)
            rows[places] = np.frombuffer(cells, np.uint8).reshape(-1, 81)
        return rows

    def sample(
        self,
        *,
        count: int,
        seed: int | None = None,
        cancel: Cancel | None = None,
        timeout: float | None = None,
    ) -> npt.NDArray[np.uint8]:
        """Draw random solutions, independently and uniformly from all of them.

        Parameters
        ----------
        count : int
            Number of solutions to draw, at least 1.
        seed : int, optional
            0 to 2**64 - 1: the same seed gives the same solutions on every machine. By default they differ
            from call to call.
        cancel, timeout
            As for `unidoku.check`.

        Returns
        -------
        uint8[n, 81]

        Raises
        ------
        SearchStoppedError
            `cancel` ended the work.
        ValueError
            The puzzle has no solution, `count` is below 1, or `seed` is out of range.
        """
        cancel = within(cancel, timeout)
        from random import Random

        random = Random(None if seed is None else whole_number("seed", seed))
        if self.count == 0:
            raise ArgumentError(Message("the puzzle has no solution"))
        draws = cancel_of(cancel).watch(range(whole_number("count", count, 1)))
        return self.take([random.randrange(self.count) for _ in draws], cancel=cancel)


def sum_of(
    cells: bytes, *, isa: str | None = None, threads: int | None = 1, stop: Any = None, **options: Any
) -> Sum:
    """Return the sum that counts the solutions of a puzzle, not yet worked on.

    If the sum takes long, the best few roles by the cost model are compared by a sample. The result does not
    depend on the number of threads. If the flag `stop` is set, nothing is compared any more.
    """
    native = kernel.isa_module(isa, "count")
    whole: Sum = native.Sum(cells, **options)
    if whole.cost < _WORTH_SAMPLE or _is_set(stop):
        return whole
    return _sample(native, whole, cells, thread_count(threads), options, stop=stop)


def _is_set(stop: Any) -> bool:
    return stop is not None and stop[0] != 0


def _sample(
    native: ModuleType, whole: Sum, cells: bytes, threads: int, options: dict[str, Any], *, stop: Any
) -> Sum:
    """Return the best of the sum with the cheapest role and those with other roles."""
    different: dict[int, int] = {}
    for role in whole.roles()[:_ROLES]:
        # the last bit is the order of stacks 1 and 2, on which the sample does not depend
        different.setdefault(role // 2, role)
    roles = list(different.values())

    def sample(role: int, _: Cancel) -> tuple[float, Sum]:
        candidate: Sum = native.Sum(cells, **options | {"role": role})
        return candidate.estimate(), candidate

    cost, best = whole.estimate(), whole
    for begin in range(1, len(roles), threads):
        if cost < _WORTH_SAMPLE or _is_set(stop):
            break
        samples = map_parts(sample, roles[begin : begin + threads], threads, Cancel())
        for _, (estimate, candidate) in samples:
            if estimate < cost and cost >= _WORTH_SAMPLE:  # with one thread, the samples would end before
                cost, best = estimate, candidate
    return best


def finish(
    whole: Sum,
    *,
    threads: int | None,
    cancel: Cancel | None,
    progress: Callable[[float], object] | None,
) -> bool:
    """Complete a sum in one or several threads; false if `cancel` ended it.

    The arguments are the same as for `unidoku.count`.
    """
    workers = min(thread_count(threads), 1 + int(whole.cost / _WORTH_THREADS))
    flag = cancel_of(cancel)

    report = None if progress is None else lambda call=progress: call(whole.done)

    def work(_: int, stop: Cancel) -> bool:
        return whole.work(stop=stop.flag, progress=report)

    are_done = [is_done for _, is_done in map_parts(work, range(workers), workers, flag)]
    return sum(are_done) == len(are_done) > 0
