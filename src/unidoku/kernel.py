"""The compiled kernels: which instruction set, loading, solving.

There is one compiled module per instruction set, all from one source and with the same results.  The first
use loads the best one that the processor and the operating system support; ``UNIDOKU_ISA`` forces another.

`search`, `verdict_of`, `solution_of` and `solution_search` take one puzzle, `solve_rows` and `are_proper`
take rows of cells; all work on the calling thread.  `unidoku.counting.solve` takes a batch.
"""

from __future__ import annotations

import os
from array import array
from collections import namedtuple
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec

from unidoku._compat import np
from unidoku._native import cpu
from unidoku._threads import Cancel, call_to_end, flag_of
from unidoku._verdict import BY_CODE, Verdict
from unidoku.errors import IsaError, Message, SearchStoppedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence
    from types import ModuleType
    from typing import Any

    from numpy.typing import NDArray

    from unidoku._native.lanes.base import SolutionSearch

__all__ = ["NAMES", "compiled_sets", "isa", "isa_module", "usable", "use"]

NAMES = ("avx512", "avx2", "base")
"""The instruction sets with a kernel, best first."""

_START = array("q", [0])
_ZERO = array("Q", [0])  # to copy, which is faster than to make one


@cache
def compiled_sets() -> tuple[str, ...]:
    """Return the instruction sets that this installation was compiled for, best first.

    Examples
    --------
    >>> "base" in compiled_sets()
    True
    """
    return tuple(name for name in NAMES if find_spec(f"unidoku._native.lanes.{name}") is not None)


def usable() -> tuple[str, ...]:
    """Return the compiled instruction sets that this machine can run, best first.

    Examples
    --------
    >>> set(usable()) <= set(compiled_sets())
    True
    """
    runs = cpu.usable()
    return tuple(name for name in compiled_sets() if name in runs)


def isa(name: str | None = None) -> str:
    """Return the name of the instruction set in use, or check that another can be used.

    Parameters
    ----------
    name : str, optional
        The name to check, such as ``"avx2"``; by default the set that ``UNIDOKU_ISA`` names, or else the best
        that this machine can run, which is also ``"native"``.

    Raises
    ------
    IsaError
        The instruction set is unknown, or cannot run here.

    Examples
    --------
    >>> isa("base")
    'base'
    """
    names = usable()
    name = name or os.environ.get("UNIDOKU_ISA") or "native"
    if name == "native":
        return names[0]
    if name not in names:
        text = "the instruction set {name} cannot be used here; choose from: {choices}"
        raise IsaError(Message(text, name=repr(name), choices=", ".join(names)))
    return name


_modules: dict[str, ModuleType] = {}  # of the instruction set in use, by package


def isa_module(name: str | None = None, package: str = "lanes") -> ModuleType:
    """Import a native module for an instruction set.

    Parameters
    ----------
    name : str, optional
        As for `isa`; by default the instruction set in use.
    package : str, optional
        The package in ``unidoku._native``, such as ``"rating"``.

    Examples
    --------
    >>> isa_module("base").__name__
    'unidoku._native.lanes.base'
    """
    if name is not None:
        return import_module(f"unidoku._native.{package}.{isa(name)}")
    if package not in _modules:
        _modules[package] = isa_module(isa(), package)
    return _modules[package]


def lanes() -> ModuleType:
    """Return the module that searches."""
    return _modules.get("lanes") or isa_module()


def use(name: str | None = None) -> ModuleType:
    """Search with another instruction set from now on, in the whole process.

    It binds `quick_check`, `quick_check_many`, `quick_count` and `quick_solve` to the module's functions:
    looking up the module in each call takes 45 ns of the 240 of a check.

    Parameters
    ----------
    name : str, optional
        As for `isa`; by default the instruction set in use.

    Examples
    --------
    >>> use("base").__name__
    'unidoku._native.lanes.base'
    >>> use(isa()).__name__ == f"unidoku._native.lanes.{isa()}"
    True
    """
    module = isa_module(name)
    names = ("quick_check", "quick_check_many", "quick_count", "quick_solve")
    globals().update({name: getattr(module, name) for name in names})
    _modules.clear()
    _modules["lanes"] = module
    return module


def quick_check(puzzle: object) -> Verdict | None:
    """Return the verdict on a puzzle of 81 characters; None for any other object."""
    verdict: Verdict | None = use().quick_check(puzzle)
    return verdict


def quick_check_many(*arguments: Any) -> Any:
    """Return arrays with the answers for a few puzzles in a usual form; None for other arguments."""
    return use().quick_check_many(*arguments)


def quick_count(puzzle: object, limit: object) -> int | None:
    """Return the number of solutions of 81 characters, if it is small; None for other arguments."""
    number: int | None = use().quick_count(puzzle, limit)
    return number


def quick_solve(puzzle: object, grid: type) -> Any:
    """Return a solution as an object of `grid`, False if there is none; None if it is not 81 characters."""
    return use().quick_solve(puzzle, grid)


class SearchOutputs(
    namedtuple(
        "SearchOutputs", "counts verdicts complete solutions witnesses", defaults=[None, None, None, None]
    )
):
    """The answers for n puzzles, in buffers of any kind that the kernel fills; all but the first may be None.

    ``counts`` is uint64[n]. ``verdicts`` has codes of `unidoku.Verdict`, uint8[n]. ``complete`` is 1 if all
    solutions are counted or the limit is reached, uint8[n]. ``solutions`` and ``witnesses`` are the first and
    the second solution, or zeros, uint8[n, 81].
    """

    __slots__ = ()


def search(
    puzzle: bytes,
    limit: int,
    budget: int = 0,
    *,
    stop: Any = None,
    grids: Sequence[bytearray] = (),
    guesses: array[int] | None = None,
) -> tuple[Verdict, int, bool]:
    """Search for the solutions of one puzzle, its 81 values; write the first solutions to `grids`.

    `guesses`, one uint64, gets their number.

    Returns the verdict, the number of solutions, and whether the search is complete: it is not if
    the flag `stop` is set before, however short it is.
    """
    if stop is not None and stop[0] not in (0, 2):  # 2: it counts looks, in tests
        return Verdict.UNKNOWN, 0, False
    counts, verdicts, complete = _ZERO[:], bytearray(1), bytearray(1)
    first, second = (*grids, None, None)[:2]
    lanes().solve_cells(
        puzzle,
        _START,
        zero=0,
        limit=limit,
        budget=budget,
        counts=counts,
        verdicts=verdicts,
        complete=complete,
        solutions=first,
        witnesses=second,
        guesses=guesses,
        stop=stop,
    )
    return BY_CODE[verdicts[0]], counts[0], complete[0] != 0


def solution_search(puzzle: bytes, budget: int = 0, masks: Sequence[int] | None = None) -> SolutionSearch:
    """Return the solutions of one puzzle, its 81 values, one after the other; perhaps within masks."""
    new: type[SolutionSearch] = lanes().SolutionSearch
    return new(puzzle, zero=0, budget=budget, masks=None if masks is None else array("H", masks))


def chunk_of(search: SolutionSearch, size: int, cancel: Cancel | None) -> bytes:
    """Return the next solutions, fewer than `size` only at the end; if `cancel` ends it, it is an error."""
    grids = search.chunk(size, stop=flag_of(cancel))
    if len(grids) < 81 * size and not search.complete:
        raise SearchStoppedError(len(grids) // 81)
    return grids


def verdict_of(puzzle: bytes, budget: int = 0, cancel: Cancel | None = None) -> Verdict:
    """Return the verdict on one puzzle; the puzzle as for `search`."""
    verdict = None if budget or cancel is not None else quick_check(puzzle)
    if verdict is None:
        return search(puzzle, 2, budget, stop=flag_of(cancel))[0]
    return verdict


def solution_of(puzzle: bytes, budget: int = 0, cancel: Cancel | None = None) -> bytes:
    """Return the first solution of one puzzle, empty if it has none; the puzzle as for `search`.

    It is a `SearchStoppedError` if the budget or `cancel` ends the search before.
    """
    solution = bytearray(81)
    _, number, complete = search(puzzle, 1, budget, stop=flag_of(cancel), grids=[solution])
    if not complete:
        raise SearchStoppedError(number)
    return bytes(solution[: 81 * number])


def solve_rows(
    rows: NDArray[np.uint8],
    limit: int = 2,
    budget: int = 0,
    *,
    grids: int = 2,
    cancel: Cancel | None = None,
) -> SearchOutputs:
    """Solve rows of cells 0 to 9 on the calling thread; return `grids` solutions of each, as arrays.

    If `cancel` ends the work, it is an error.
    """
    n = len(rows)
    outputs = SearchOutputs(
        np.zeros(n, np.uint64), *np.zeros((2, n), np.uint8), *np.zeros((grids, n, 81), np.uint8)
    )
    bounds: dict[str, Any] = {"limit": limit, "budget": budget}
    text, starts = with_starts(rows)
    call_to_end(lanes().solve_cells, text, starts, zero=0, cancel=cancel, **bounds, **outputs._asdict())
    return outputs


def first_solutions(cells: bytes | bytearray, cancel: Cancel | None = None) -> bytearray:
    """Return the first solution of puzzles, 81 values each; if `cancel` ends the work, it is an error."""
    n, solutions = len(cells) // 81, bytearray(len(cells))
    outputs: dict[str, Any] = {"counts": array("Q", bytes(8 * n)), "solutions": solutions}
    call_to_end(lanes().solve_cells, cells, starts_of(n), zero=0, limit=1, cancel=cancel, **outputs)
    return solutions


def are_proper(rows: NDArray[np.uint8], cancel: Cancel | None = None) -> NDArray[np.bool_]:
    """Test which rows of cells 0 to 9 are proper puzzles, on the calling thread: bool[n]."""
    proper: NDArray[np.bool_] = solve_rows(rows, grids=0, cancel=cancel).verdicts == int(Verdict.UNIQUE)
    return proper


def solve_proposals(proposer: Any, capacity: int, cancel: Cancel | None = None) -> None:
    """Solve the puzzles that native work proposes until there are none, on the calling thread.

    ``propose(rows)`` writes at most `capacity` puzzles and returns how many; ``learn(solutions, witnesses)``
    gets the first two solutions of each.  If `cancel` ends the work, it is an error.
    """
    rows, first, second = (memoryview(bytearray(81 * capacity)) for _ in range(3))
    counts = memoryview(array("Q", bytes(8 * capacity)))
    while count := proposer.propose(rows):
        outputs = SearchOutputs(counts[:count], None, None, first[: 81 * count], second[: 81 * count])
        starts = starts_of(count)
        call_to_end(lanes().solve_cells, rows, starts, zero=0, cancel=cancel, **outputs._asdict())
        proposer.learn(first, second)


def starts_of(count: int, first: int = 0, size: int = 81) -> memoryview:
    """Return where each of so many grids begins, in records of the same size one after the other."""
    return _starts(count.bit_length(), first, size)[:count]


@lru_cache(32)
def _starts(bits: int, first: int, size: int) -> memoryview:
    return memoryview(array("q", range(first, size << bits, size)))


def rows_with(codes: re.Pattern[bytes], values: bytes | bytearray) -> Iterator[int]:
    """Yield the rows of a column of codes, a byte each, that have one of some codes, without arrays."""
    return (match.start() for match in codes.finditer(values))


def with_starts(rows: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return rows of 81 cells one after the other, and where each begins."""
    return np.ascontiguousarray(rows).reshape(-1), np.arange(0, rows.size, 81, dtype=np.int64)
