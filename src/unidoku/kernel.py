"""The compiled kernels: which instruction set, loading, solving; worker threads, cancellation, arguments.

There is one compiled module per instruction set, all from one source and with the same results.  The first
use loads the best one that the processor and the operating system support; ``UNIDOKU_ISA`` forces another.

`ordered` processes a stream of items and yields the results in the order of the items.  The calling thread
reads the items and yields the results; the workers do the rest.  At most ``threads + AHEAD`` items are in
progress, so memory use does not grow with the stream.  `run_tasks` runs a list of tasks without results.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from operator import index

from unidoku.errors import IsaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from queue import SimpleQueue
    from threading import Lock
    from types import ModuleType
    from typing import Any, Protocol, TypeVar

    from unidoku.native.lanes.base import (
        SolutionSearch,
        native_check,
        native_check_many,
        native_count,
        native_solve,
        solve_cells,
        solve_masks,
    )

    Item = TypeVar("Item")
    Result = TypeVar("Result")

    class Scratches(Protocol):
        """Keeps the dictionaries of workers for later workers."""

        def scratch(self) -> dict[str, Any]: ...
        def leave(self, scratch: dict[str, Any], /) -> None: ...


__all__ = [
    "MAX_COUNT",
    "MAX_LISTED",
    "MAX_THREADS",
    "TICK",
    "Cancel",
    "SolutionSearch",
    "Solved",
    "compiled",
    "default_threads",
    "facts",
    "form",
    "isa",
    "native_check",
    "native_check_many",
    "native_count",
    "native_solve",
    "ordered",
    "positive",
    "positive_ratio",
    "processor_name",
    "run_tasks",
    "solve",
    "solve_cells",
    "solve_masks",
    "solver_options",
    "usable",
    "whole",
]

NAMES = ("avx512", "avx2", "base")
"""The instruction sets with a kernel, best first."""

MAX_COUNT = 2**64 - 1
"""The largest limit and budget: the kernel counts in 64 bits."""

MAX_LISTED = (1 << 24) - 1
"""The largest number of solutions of one puzzle that are listed in a table or an array."""

MAX_THREADS = 4096
"""The largest number of threads."""

TICK = 0.1  # seconds between two calls of the tick callback while waiting
AHEAD = 4  # items queued beyond one per worker, so that workers do not wait for the calling thread

_FROM_FORM = (
    "SolutionSearch",
    "native_check",
    "native_check_many",
    "native_count",
    "native_solve",
    "solve_cells",
    "solve_masks",
)


@cache
def compiled() -> tuple[str, ...]:
    """Return the instruction sets that this installation was compiled for, best first."""
    return tuple(name for name in NAMES if find_spec(f"unidoku.native.lanes.{name}") is not None)


def usable() -> tuple[str, ...]:
    """Return the compiled instruction sets that this machine can run, best first."""
    from unidoku.native import cpu  # not at the top: the manual is made before anything is compiled

    runs = cpu.usable()
    return tuple(name for name in compiled() if name in runs)


def isa() -> str:
    """Return the name of the instruction set in use; it raises an `IsaError` if it cannot be used."""
    forced = os.environ.get("UNIDOKU_ISA", "")
    if not forced:
        return usable()[0]
    _check(forced, "UNIDOKU_ISA")
    return forced


def form(name: str | None = None, package: str = "lanes") -> ModuleType:
    """Import a package's module for an instruction set, by default the one in use."""
    if name is None:
        name = isa()
    else:
        _check(name, "instruction set")
    return import_module(f"unidoku.native.{package}.{name}")


def default_threads() -> int:
    """Return the number of processor cores that this process may use."""
    count = getattr(os, "process_cpu_count", None)  # Python 3.13
    if count is not None:
        return count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check(name: str, source: str) -> None:
    if name not in NAMES:
        raise IsaError(f"invalid {source} {name!r}; choose from: {', '.join(NAMES)}")
    if name not in compiled():
        raise IsaError(f"{source} {name!r} was not compiled into this installation")
    if name not in usable():
        raise IsaError(f"{source} {name!r} cannot run on this processor or operating system")


def __getattr__(name: str) -> Any:
    if name in _FROM_FORM:
        chosen = form()
        for each in _FROM_FORM:
            globals()[each] = getattr(chosen, each)
        return globals()[name]
    raise AttributeError(f"module 'unidoku.kernel' has no attribute {name!r}")


class Solved:
    """The answers for n puzzles, in buffers of any kind that the kernel fills.

    Attributes
    ----------
    counts : buffer of uint64[n]
        Solutions found, at most the limit.
    verdicts : buffer of uint8[n] or None
        Codes of `unidoku.Verdict`.
    complete : buffer of uint8[n] or None
        1 where all solutions are counted or the limit is reached.
    solutions, witnesses : buffer of uint8[n, 81] or None
        The first solution and the second one, or zeros.
    """

    __slots__ = ("complete", "counts", "solutions", "verdicts", "witnesses")

    def __init__(
        self,
        counts: Any,
        verdicts: Any = None,
        complete: Any = None,
        solutions: Any = None,
        witnesses: Any = None,
    ) -> None:
        self.counts = counts
        self.verdicts = verdicts
        self.complete = complete
        self.solutions = solutions
        self.witnesses = witnesses

    @classmethod
    def buffers(cls, n: int, grids: int = 0) -> Solved:
        """Allocate memory without NumPy, with `grids` solutions per puzzle: 0, 1 or 2."""
        counts = memoryview(bytearray(8 * n)).cast("Q")
        rows = (memoryview(bytearray(81 * n)) for _ in range(grids))
        return cls(counts, memoryview(bytearray(n)), memoryview(bytearray(n)), *rows)

    @classmethod
    def arrays(cls, n: int, grids: int = 0) -> Solved:
        """Allocate NumPy arrays, with `grids` solutions per puzzle: 0, 1 or 2."""
        import numpy as np

        rows = np.zeros((grids, n, 81), np.uint8)
        return cls(np.zeros(n, np.uint64), *np.zeros((2, n), np.uint8), *rows)


def solve(
    text: Any,
    starts: Any,
    out: Solved,
    *,
    marked: Sequence[int] = (),
    zero: int = 0,
    limit: int = 2,
    budget: int = 0,
    stop: Any = None,
) -> bool:
    """Search for the solutions of puzzles in a text; false if the flag `stop` ended the call.

    ``starts`` (int64[n]) is the offset of each puzzle: of its 81 cells, where ``zero`` is the code of digit
    0, or of 729 pencil marks for those in ``marked``, ascending.  A `limit` or `budget` of 0 is none.
    """
    lanes = _lanes()
    if not len(marked):
        return lanes.solve_cells(  # type: ignore[no-any-return]
            text,
            starts,
            zero=zero,
            limit=limit,
            budget=budget,
            counts=out.counts,
            verdicts=out.verdicts,
            complete=out.complete,
            solutions=out.solutions,
            witnesses=out.witnesses,
            stop=stop,
        )
    # The two kinds are solved separately, and the answers are copied to the rows of the puzzles.
    from unidoku.native.text.render import candidates

    is_marked = set(marked)
    places = [k for k in range(len(starts)) if k not in is_marked]
    begins = memoryview(bytearray(8 * len(places))).cast("q")
    for at, k in enumerate(places):
        begins[at] = starts[k]
    some = Solved.buffers(len(places), 2)
    done = solve(text, begins, some, zero=zero, limit=limit, budget=budget, stop=stop)
    _copy(some, out, places)
    some = Solved.buffers(len(marked), 2)
    outputs = {name: getattr(some, name) for name in Solved.__slots__}
    masks = candidates(text, starts, marked, zero=zero)
    finished: bool = lanes.solve_masks(masks, zero=zero, limit=limit, budget=budget, stop=stop, **outputs)
    _copy(some, out, marked)
    return done and finished


@cache
def _lanes() -> ModuleType:
    """Return the module that searches, for the instruction set in use."""
    return form()


def _copy(some: Solved, out: Solved, places: Sequence[int]) -> None:
    """Copy the answers for some puzzles to their places among others."""
    for name, width in (
        ("counts", 1),
        ("verdicts", 1),
        ("complete", 1),
        ("solutions", 81),
        ("witnesses", 81),
    ):
        target = getattr(out, name)
        if target is None:
            continue
        if width > 1:
            target = memoryview(target).cast("B")
        for at, k in enumerate(places):
            target[width * k : width * (k + 1)] = getattr(some, name)[width * at : width * (at + 1)]


class Cancel:
    """A flag that stops work in other threads; native code polls it every few milliseconds.

    Pass one to a function that takes ``cancel`` and call `set` from another thread, a signal handler or an
    event loop.  A flag stays set; use a new one for the next call.

    Attributes
    ----------
    flag : bytearray
        One byte, not zero once the flag is set.
    reading : bool
        Whether the calling thread waits for input.  If so, a signal handler must raise an exception to end
        the wait.

    Examples
    --------
    >>> import threading, unidoku
    >>> cancel = unidoku.Cancel()
    >>> threading.Timer(0.05, cancel.set).start()
    >>> bool(unidoku.check_many(["." * 81] * 1000, limit=None, cancel=cancel).complete.any())
    False
    """

    def __init__(self) -> None:
        self.flag = bytearray(1)
        self.reading = False
        self._children: list[Cancel] = []

    def set(self) -> None:
        """Cancel the work that uses this flag."""
        self.flag[0] = 1
        for child in tuple(self._children):
            child.set()

    def __bool__(self) -> bool:
        return self.flag[0] != 0

    def __repr__(self) -> str:
        return f"<Cancel: {'set' if self else 'not set'}>"

    @contextmanager
    def child(self) -> Iterator[Cancel]:
        """Create, as a context, a flag that is set with this one; setting the child does not set this one."""
        child = Cancel()
        self._children.append(child)
        if self:
            child.set()
        try:
            yield child
        finally:
            self._children.remove(child)


class _Task:
    __slots__ = ("done", "error", "item", "result")

    def __init__(self, item: Any, done: Lock) -> None:
        self.item = item
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = done
        self.done.acquire()


def ordered(
    items: Iterator[Item],
    work: Callable[[Item, dict[str, Any]], Result],
    threads: int,
    *,
    cancel: Cancel,
    tick: Callable[[], None] | None = None,
    pool: Scratches | None = None,
) -> Iterator[Result]:
    """Yield ``work(item, scratch)`` for every item, in order."""
    import threading
    from collections import deque
    from queue import SimpleQueue

    if threads == 1 and threading.current_thread() is not threading.main_thread():
        yield from _in_this_thread(items, work, cancel, pool)
        return
    queue: SimpleQueue[_Task | None] = SimpleQueue()
    in_progress: deque[_Task] = deque()
    workers: list[threading.Thread] = []
    failure: BaseException | None = None
    more = True
    try:
        while True:
            while more and not cancel and len(in_progress) < threads + AHEAD:
                try:
                    cancel.reading = True
                    try:
                        if cancel:  # since the test above
                            break
                        item = next(items)
                    finally:
                        cancel.reading = False
                except StopIteration:
                    more = False
                except KeyboardInterrupt:
                    cancel.set()
                except Exception as error:
                    failure = error
                    more = False
                else:
                    task = _Task(item, threading.Lock())
                    in_progress.append(task)
                    queue.put(task)
                    if len(workers) < threads:
                        workers.append(threading.Thread(target=_serve, args=(queue, work, pool), daemon=True))
                        workers[-1].start()
            if not in_progress:
                break
            task = in_progress.popleft()
            while not task.done.acquire(timeout=TICK):
                if tick is not None:
                    tick()
            if task.error is not None:
                raise task.error
            yield task.result
        if failure is not None:
            raise failure
    finally:
        if in_progress:
            # ended early: by an error, or because the caller stopped iterating
            cancel.set()
        for _ in workers:
            queue.put(None)
        for worker in workers:
            worker.join()


def run_tasks(work: Callable[[Item], None], tasks: Sequence[Item], threads: int, cancel: Cancel) -> None:
    """Call `work` for every task; the first failure cancels the others."""
    if threads == 1 or len(tasks) <= 1:
        for task in tasks:
            work(task)
        return
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    with ThreadPoolExecutor(min(threads, len(tasks)), thread_name_prefix="unidoku") as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            if not all(future.done() for future in futures):
                cancel.set()
            pool.shutdown(cancel_futures=True)
    for future in futures:
        if not future.cancelled():
            future.result()


def _in_this_thread(
    items: Iterator[Item],
    work: Callable[[Item, dict[str, Any]], Result],
    cancel: Cancel,
    pool: Scratches | None,
) -> Iterator[Result]:
    scratch = {} if pool is None else pool.scratch()
    try:
        while not cancel:
            try:
                item = next(items)
            except StopIteration:
                break
            yield work(item, scratch)
    finally:
        if pool is not None:
            pool.leave(scratch)


def _serve(
    queue: SimpleQueue[_Task | None],
    work: Callable[[Any, dict[str, Any]], Any],
    pool: Scratches | None,
) -> None:
    """Run the loop of a worker thread."""
    scratch = {} if pool is None else pool.scratch()
    while (task := queue.get()) is not None:
        try:
            task.result = work(task.item, scratch)
        except BaseException as error:
            task.error = error
        task.done.release()
    if pool is not None:
        pool.leave(scratch)


def whole(name: str, value: object, least: int = 0, most: int = MAX_COUNT) -> int:
    """Check a whole number."""
    try:
        number = least - 1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{name} must be an integer and at least {least}, not {value!r}")
    if number > most:
        raise ValueError(f"{name} must be at most {most}, not {value!r}")
    return number


def positive(name: str, value: object, most: int = MAX_COUNT) -> int:
    """Check an optional whole number of at least 1; None means no limit."""
    return 0 if value is None else whole(name, value, 1, most)


def positive_ratio(name: str, value: object) -> float | None:
    """Check an optional ratio; None means no limit."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value <= 0:
        raise ValueError(f"{name} must be a finite number above 0, not {value!r}")
    return float(value)


def solver_options(limit: object, budget: object, threads: object = None) -> tuple[int, int, int]:
    """Check the numbers that most functions accept."""
    return positive("limit", limit), positive("budget", budget), positive("threads", threads, MAX_THREADS)


def facts() -> dict[str, Any]:
    """Return facts about this installation and machine: those of ``unidoku info --json``."""
    import platform

    from unidoku import __version__
    from unidoku.native import cpu

    return {
        "version": __version__,
        "processor": processor_name(),
        "isa": isa(),
        "usable": list(usable()),
        "compiled": list(compiled()),
        "compiler": cpu.compiler(),
        "threads": default_threads(),
        "python": platform.python_version(),
        "gil": bool(getattr(sys, "_is_gil_enabled", lambda: True)()),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def processor_name() -> str:
    """Return the product name of the processor, or its architecture if the name is unknown."""
    import platform
    from contextlib import suppress

    name = ""
    if sys.platform == "linux":
        with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            name = next((line.partition(":")[2] for line in file if line.startswith("model name")), "")
    elif sys.platform == "darwin":
        import subprocess

        command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
        with suppress(OSError, subprocess.SubprocessError):
            name = subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout
    return " ".join(name.split()) or platform.processor() or platform.machine() or "unknown"
