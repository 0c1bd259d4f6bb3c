"""Worker threads, and the flag that cancels their work.

`map_batches` processes a stream of items and yields the results in the order of the items.  The calling
thread reads the items and yields the results; the workers do the rest.  At most ``threads + max_pending``
items are in progress, and `max_pending` results of each wait, so memory use does not grow with the stream.
`map_parts` works on a sequence of parts, and `run_in_worker` makes a single call.

Python handles Ctrl-C in the main thread, and not before native code returns to it.  So native work that may
take longer than some 50 milliseconds polls the flag of a `Cancel`, and is never called in the main thread.

The main thread starts workers and waits in native code only (`_thread`, `SimpleQueue`): Ctrl-C in the midst
of `Thread`, `Condition`, `Semaphore` or an executor, which are Python code, may leave a lock held for ever.
"""

from __future__ import annotations

import _thread
import os
import sys
import threading
from collections import deque
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from heapq import heappop, heappush
from itertools import count, takewhile
from queue import Empty, SimpleQueue
from time import monotonic

from unidoku._arguments import positive, real, wrong_type
from unidoku.errors import ArgumentError, Message, Reason, SearchStoppedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from typing import Any, Literal, Never, TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")


MAX_THREADS = 4096
"""The largest number of threads."""

TICK = 0.05  # seconds between two calls of the tick callback while waiting; Ctrl-C waits so long on Windows
MAX_PENDING = 3  # items queued beyond one per worker, and results of an item, so that workers do not wait


def default_threads() -> int:
    """Return the number of processor cores that this process may use.

    Examples
    --------
    >>> default_threads() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parts_of(count: int, size: int) -> list[slice]:
    """Return slices of so many rows, `size` of them in each, the last one perhaps shorter."""
    return [slice(begin, min(begin + size, count)) for begin in range(0, count, size)]


def thread_count(threads: int | None) -> int:
    """Check the number of threads that a caller requests; by default one per available core."""
    return positive("threads", threads, MAX_THREADS) or default_threads()


CANCELLED = Reason("cancelled", "cancelled")
"""Why a puzzle has no result after a `Cancel`."""


class Cancel:
    """A flag that ends a call from outside, within some milliseconds.

    Pass it to a function as ``cancel``, and call `set` in another thread, a signal handler or an event loop.
    The flag stays set, so use a new one for the next call.

    Parameters
    ----------
    timeout : float, optional
        Set the flag by itself after this number of seconds. A stall of the whole process does not count.

    Attributes
    ----------
    flag : bytearray
        One byte, which is not zero once the flag is set.
    reading : bool
        True while the calling thread waits for input.  If so, a signal handler must set the flag and raise
        KeyboardInterrupt to end the wait.

    Examples
    --------
    >>> import threading, unidoku
    >>> cancel = unidoku.Cancel()
    >>> threading.Timer(0.05, cancel.set).start()
    >>> bool(unidoku.check_many(["." * 81] * 1000, limit=None, cancel=cancel).complete.any())
    False
    """

    __module__ = "unidoku"

    def __init__(self, timeout: float | None = None, **unknown: Never) -> None:
        if unknown:
            from unidoku._guesses import unknown_argument  # not at the top: it is needed seldom

            raise unknown_argument("Cancel", unknown, ["timeout"])
        self.flag: bytearray = bytearray(1)
        self.reading: bool = False
        self._limited: list[Cancel] = []
        if timeout == 0:
            self.set()
        elif timeout is not None:
            _CLOCK.set_after(self, seconds_of(timeout))

    def set(self) -> None:
        """Cancel the work that uses this flag."""
        self.flag[0] = 1
        for part in [*self._limited]:
            part.set()

    @contextmanager
    def limited(self, seconds: float | None) -> Iterator[Cancel]:
        """Give a flag for a part of the work: it is set with this one, or after this number of seconds."""
        part = Cancel(seconds)
        self._limited.append(part)
        if self:
            part.set()
        try:
            yield part
        finally:
            self._limited.remove(part)

    def raise_if_set(self) -> None:
        """Raise a `SearchStoppedError` if the flag is set."""
        if self:
            raise SearchStoppedError(0, "results")

    def watch(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items of work in Python, each of them short; raise if the flag is set.

        The flag is also checked after the last item, because it may have ended the items.
        """
        for item in items:
            self.raise_if_set()
            yield item
        self.raise_if_set()

    def __bool__(self) -> bool:
        return self.flag[0] != 0

    def __repr__(self) -> str:
        return f"<Cancel: {'set' if self else 'not set'}>"


class _Clock:
    """One thread that sets flags when their time has come: a thread for each call would outlive it.

    The time of a flag passes in steps.  A step that ends late, because other work has the processors or the
    GIL, counts as long as it should be: the work with the flag had to wait as well.
    """

    def __init__(self) -> None:
        self._flags: SimpleQueue[tuple[float, int, float, int, Cancel]] = SimpleQueue()
        self._numbers = count()

    def set_after(self, flag: Cancel, seconds: float) -> None:
        """Set a flag after this number of seconds."""
        number, step = next(self._numbers), seconds / _STEPS
        self._flags.put((monotonic() + step, number, step, _STEPS - 1, flag))
        if number == 0:
            _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        waiting: list[tuple[float, int, float, int, Cancel]] = []
        while True:
            wait = max(0, waiting[0][0] - monotonic()) if waiting else _LONGEST_WAIT
            with suppress(Empty):
                heappush(waiting, self._flags.get(timeout=min(wait, _LONGEST_WAIT)))
            while waiting and waiting[0][0] <= monotonic():
                _, number, step, left, flag = heappop(waiting)
                if left:
                    heappush(waiting, (monotonic() + step, number, step, left - 1, flag))
                else:
                    flag.set()


_STEPS = 10
_LONGEST_WAIT = 1000.0  # seconds; a system has a largest one
_CLOCK = _Clock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_CLOCK.__init__)  # type: ignore[misc]  # without a thread


def seconds_of(timeout: float) -> float:
    """Check a timeout."""
    seconds = real("timeout", timeout)
    if not seconds >= 0:
        raise ArgumentError(Message("timeout must be at least 0 seconds, not {timeout}", timeout=timeout))
    return seconds


def within(cancel: Cancel | None, timeout: float | None) -> Cancel | None:
    """Return the flag of a call: the one that a caller gives, or a new one that is set in time.

    A call with neither has the timeout of `call_timeout`.
    """
    if timeout is None and cancel is None:
        timeout = _CALL_TIMEOUT.get()
    if timeout is None:
        return cancel
    if cancel is not None:
        raise ArgumentError(Message("cancel and timeout cannot be combined; pass cancel=Cancel(timeout=...)"))
    return Cancel(timeout)


_CALL_TIMEOUT: ContextVar[float | None] = ContextVar("call_timeout", default=None)


@contextmanager
def call_timeout(seconds: float | None) -> Iterator[None]:
    """Limit each call in this context and thread that has no limit of its own."""
    token = _CALL_TIMEOUT.set(seconds)
    try:
        yield
    finally:
        _CALL_TIMEOUT.reset(token)


def begun(cancel: Cancel | None, timeout: float | None) -> Cancel | None:
    """Return the flag of a call, as `within` does; raise if it is set, before anything is prepared."""
    flag = within(cancel, timeout)
    raise_if_set(flag)
    return flag


def cancel_of(cancel: Cancel | None) -> Cancel:
    """Return the flag that a caller gives; without one, it is a new one."""
    if isinstance(cancel, Cancel):
        return cancel
    if cancel is not None:
        raise wrong_type("cancel", "a Cancel", cancel)
    return Cancel()


def flag_of(cancel: Cancel | None) -> bytearray | None:
    """Return the byte, for native code, of the flag that a caller gives."""
    if cancel is None:
        return None
    return cancel_of(cancel).flag


def raise_if_set(cancel: Cancel | None) -> None:
    """Raise a `SearchStoppedError` if the flag that a caller gives is set."""
    if cancel is not None:
        cancel_of(cancel).raise_if_set()


def call_to_end(
    native: Callable[..., Result | Literal[False]], *args: Any, cancel: Cancel | None, **options: Any
) -> Result:
    """Call native work that polls a flag, and return its result; raise an error if the flag ends it.

    Native work that its flag has ended returns False. This is the one place that decides whether a result may
    be used, except for work that says for each row whether it is complete. Work that came to its end is
    returned, even if the flag is set by then: a look after it would drop a result that is there.
    """
    raise_if_set(cancel)
    result = native(*args, stop=flag_of(cancel), **options)
    if result is False:
        raise SearchStoppedError(0, "results")
    return result


class _Job:
    """The work on one item: a worker puts its results while there is room, the calling thread takes them."""

    def __init__(self, item: Any, max_pending: int) -> None:
        self.item = item
        self.results: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self.room: SimpleQueue[None] = SimpleQueue()  # a None for each result that may be put
        for _ in range(max_pending):
            self.room.put(None)
        self.is_abandoned = False

    def run(self, work: Callable[[Any, Cancel], Iterable[Any]], stop: Cancel) -> None:
        """Put each result of the work; at the end an error."""
        end: BaseException = _END
        try:
            for result in work(self.item, stop):
                self.room.get()
                if self.is_abandoned:
                    break
                self.results.put((result, None))
        except BaseException as error:
            end = error
        self.results.put((None, end))

    def abandon(self) -> None:
        """Let the worker end: no result is taken any more."""
        self.is_abandoned = True
        self.room.put(None)


_END = StopIteration()


class _Workers:
    """The worker threads of a call, and its jobs in progress, in order."""

    def __init__(self, work: Callable[[Any, Cancel], Iterable[Any]], threads: int, max_pending: int) -> None:
        self.stop = Cancel()  # the caller's flag stays as it is
        self.jobs = deque[_Job]()
        self._work, self._count, self._max_pending = work, threads, max_pending
        self._todo: SimpleQueue[_Job | None] = SimpleQueue()
        self._started = 0
        self._ended: SimpleQueue[None] = SimpleQueue()  # a None of each worker

    def has_room(self) -> bool:
        """Return whether another item may be in progress."""
        return len(self.jobs) < self._count + self._max_pending

    def begin(self, item: Any) -> None:
        """Put an item into the queue; start a worker if there may be another one."""
        self.jobs.append(_Job(item, self._max_pending))
        self._todo.put(self.jobs[-1])
        if self._started < self._count:
            try:
                _thread.start_new_thread(_serve, ([(self._todo, self._work, self.stop)], self._ended))
            except RuntimeError as error:  # too little memory, or too many threads
                self._count = self._started
                if not self._count:
                    raise MemoryError("no thread can be started") from error
            else:
                self._started += 1

    def fail(self, error: Exception) -> None:
        """Put an error of the items in the place of the next results."""
        self.jobs.append(_Job(None, 0))
        self.jobs[-1].results.put((None, error))

    def end(self, *, wait: bool) -> None:
        """Let the workers end, in the midst of their jobs if there are some."""
        if self.jobs:  # left early: by an error, or because the caller stopped iterating
            self.stop.set()
        for job in self.jobs:
            job.abandon()
        self._todo.put(None)
        for _ in range(self._started if wait else 0):
            self._ended.get()


def _serve(
    call: list[tuple[SimpleQueue[_Job | None], Callable[[Any, Cancel], Iterable[Any]], Cancel]],
    ended: SimpleQueue[None],
) -> None:
    """Run a worker thread; say that it has ended when it refers to nothing of the work any more.

    Objects of PyArrow that it destroyed later would be destroyed while the process ends, and crash it.
    """
    try:
        _run_jobs(*call.pop())
    finally:
        ended.put(None)


def _run_jobs(
    todo: SimpleQueue[_Job | None], work: Callable[[Any, Cancel], Iterable[Any]], stop: Cancel
) -> None:
    """Run the jobs of a queue up to its end, which stays there for the other workers."""
    sys.setprofile(threading.getprofile())  # as `Thread` does, for profilers, debuggers and coverage
    sys.settrace(threading.gettrace())
    while (job := todo.get()) is not None:
        if not job.is_abandoned:
            job.run(work, stop)
    todo.put(None)


def map_batches(
    items: Iterator[Item],
    work: Callable[[Item, Cancel], Iterable[Result]],
    threads: int,
    *,
    cancel: Cancel,
    tick: Callable[[], None] | None = None,
    max_pending: int = MAX_PENDING,
) -> Generator[Result]:
    """Yield each result of ``work(item, stop)`` for every item, in order, as soon as it is there.

    `stop` is set after `cancel`, and if the caller stops reading early: the caller's flag stays as it is.
    """
    if threads == 1 and threading.get_ident() != threading.main_thread().ident:
        for item in takewhile(lambda _: not cancel, items):
            yield from work(item, cancel)
        return
    workers = _Workers(work, threads, max_pending)
    wait = True
    try:
        # Not a loop here: Python leaves out `finally` if Ctrl-C comes where some loops begin again.
        yield from _results(workers, items, cancel, tick)
    except KeyboardInterrupt:
        wait = not cancel  # the second one ends at once
        raise
    finally:
        try:
            workers.end(wait=wait)
        except KeyboardInterrupt:
            workers.end(wait=False)  # the whole of it, so that no worker waits for ever
            raise


def _results(
    workers: _Workers, items: Iterator[Any], cancel: Cancel, tick: Callable[[], None] | None
) -> Generator[Any]:
    """Read the items, and yield the results of the first job in progress as they come."""
    is_open = True  # whether there may be another item
    while True:
        if cancel:
            workers.stop.set()
        is_open = is_open and _read(workers, items, cancel)
        if not workers.jobs:
            break
        job = workers.jobs[0]
        try:
            result, end = job.results.get(timeout=TICK)
        except Empty:
            if tick is not None:
                tick()
            continue
        if end is None:
            job.room.put(None)
            yield result
            continue
        workers.jobs.popleft()
        if end is not _END:
            raise end


def _read(workers: _Workers, items: Iterator[Any], cancel: Cancel) -> bool:
    """Begin items while there is room; return whether there may be another one."""
    while not cancel and workers.has_room():
        try:
            cancel.reading = True
            item = next(items)
        except StopIteration:
            return False
        except KeyboardInterrupt:
            if not cancel:
                raise
            return False
        except Exception as error:
            workers.fail(error)
            return False
        finally:
            cancel.reading = False
        workers.begin(item)
    return True


def map_parts(
    work: Callable[[Item, Cancel], Result],
    parts: Sequence[Item],
    threads: int,
    cancel: Cancel,
    *,
    cancellable: bool = False,
) -> list[tuple[Item, Result]]:
    """Call ``work(part, stop)`` for every part; return the parts that were done, in order, with their values.

    With ``cancellable`` a part may take long, and its work polls `stop`; any other is short, or looks for
    Ctrl-C itself.  None begins once `stop` is set: native code works for milliseconds before it looks.
    """
    if len(parts) <= 1:
        threads = 1
    if threads == 1 and not cancellable:
        return [(part, work(part, cancel)) for part in takewhile(lambda _: not cancel, parts)]

    def value(part: Item, stop: Cancel) -> list[tuple[Item, Result]]:
        if stop:
            return []
        return [(part, work(part, stop))]

    # closed here: Ctrl-C is lost while a generator is closed because nothing refers to it any more
    with closing(map_batches(iter(parts), value, threads, cancel=cancel)) as batches:
        return list(batches)


def map_whole(
    work: Callable[[Item, Cancel], Result],
    parts: Sequence[Item],
    threads: int,
    cancel: Cancel,
    *,
    cancellable: bool = False,
) -> list[Result]:
    """Call ``work(part, stop)`` for every part, as `map_parts` does; if `cancel` ends it before, raise."""
    results = map_parts(work, parts, threads, cancel, cancellable=cancellable)
    if len(results) < len(parts):
        raise SearchStoppedError(0, "results")
    return [result for _, result in results]


def run_in_worker(work: Callable[[Cancel], Result], cancel: Cancel) -> Result:
    """Call native work that polls a flag; in the main thread by way of a worker, so that Ctrl-C ends it."""
    results = map_parts(lambda _, stop: work(stop), [None], 1, cancel, cancellable=True)
    if results:
        return results[0][1]
    return work(cancel)  # cancelled before, so it ends at once
