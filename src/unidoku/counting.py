"""All solutions of one puzzle: how many there are.

A search counts the first few solutions.  From there on the number is a sum over the configurations of bands
and stacks, which takes as long for 10^20 solutions as for 10^10: see docs/counting.md.
"""

from __future__ import annotations

from array import array
from functools import cache
from importlib import import_module

from unidoku import kernel
from unidoku.errors import SearchStoppedError
from unidoku.parallel import Cancel, run_tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from unidoku.native.count.base import Sum

__all__ = ["MAX_LIMIT", "count_solutions"]

MAX_LIMIT = 10**22  # more than there are grids

# Up to so many solutions and guesses a search is faster than preparing the sum (75 to 120 microseconds).
_FEW = 128
_FEW_GUESSES = 256
_SEARCH = 3000  # vector operations of the sum that take as long as one solution of a search
_WORTH_THREADS = 1e7  # vector operations from which a second thread pays

_START = array("q", [0])


def count_solutions(
    cells: bytes,
    limit: int | None = None,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[float], object] | None = None,
) -> int:
    """The number of solutions of a puzzle, exactly, however many there are.

    Parameters
    ----------
    cells : bytes
        81 numbers 0 to 9 in row order, 0 for an empty cell.
    limit, threads, cancel, progress
        As for `unidoku.count`.

    Returns
    -------
    int
        The number of solutions, or `limit` if that is less.

    Raises
    ------
    SearchStoppedError
        `cancel` ended the count.
    """
    first = _FEW if limit is None else min(limit, _FEW)
    found, complete = _search(cells, first, _FEW_GUESSES)
    if complete and (found < _FEW or found == limit):
        return found
    whole = sum_of(cells)
    if limit is not None and limit < whole.cost / _SEARCH:
        found, complete = _search(cells, limit, 4 * limit)
        if complete:
            return found
    if not run(whole, threads=threads, cancel=cancel, progress=progress):
        raise SearchStoppedError(found)
    total = whole.total()
    return total if limit is None else min(total, limit)


def sum_of(cells: bytes) -> Sum:
    """The sum that counts the solutions of a puzzle, not yet worked on."""
    whole: Sum = native(kernel.isa()).Sum(cells)
    return whole


@cache
def native(isa: str) -> ModuleType:
    """The module ``unidoku.native.count`` for an instruction set."""
    return import_module(f"unidoku.native.count.{isa}")


def run(
    whole: Sum,
    *,
    threads: int | None,
    cancel: Cancel | None,
    progress: Callable[[float], object] | None,
) -> bool:
    """Complete a sum in one or several threads; false if `cancel` ended it.

    The arguments are those of `unidoku.count`.
    """
    workers = 1
    if whole.cost > _WORTH_THREADS:
        workers = min(threads or kernel.default_threads(), whole.parts)
    stop = Cancel() if cancel is None else cancel  # one that is not set is false

    def work(_: int) -> None:
        whole.work(stop=stop.flag, progress=None if progress is None else lambda: progress(whole.done))

    run_tasks(work, range(workers), workers, stop)
    return not stop


def _search(cells: bytes, limit: int, budget: int) -> tuple[int, bool]:
    """Count by a search: the number of solutions, and whether it is the smaller of all and `limit`."""
    found = array("Q", [0])
    complete = bytearray(1)
    kernel.solve_cells(cells, _START, zero=0, limit=limit, budget=budget, counts=found, complete=complete)
    return found[0], complete[0] == 1
