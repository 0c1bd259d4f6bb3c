"""Work on a stream of items with several threads, results in the order of the items.

The calling thread takes the items and hands out the results; the workers do everything between. At most
``threads + AHEAD`` items are under way, so memory does not grow with the stream.

Waking a thread takes tens of microseconds and more, much of it while no other Python code can run, so a
thread that has no part in the rest of the program does the work of a single worker itself.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from unidoku.pipeline.memory import Memory

__all__ = ["TICK", "Cancel", "ordered"]

Item = TypeVar("Item")
Result = TypeVar("Result")

TICK = 0.1  # seconds between two looks at the outside world while waiting
AHEAD = 4  # items waiting for a worker, so that none waits for the one who takes them


class Cancel:
    """A wish to stop, told to the native code through a byte it looks at.

    Attributes
    ----------
    flag : bytearray
        One byte, not zero when the work is to stop.
    reading : bool
        Whether the calling thread is waiting for input; a signal handler must raise then, because the
        wait would go on otherwise.
    """

    def __init__(self) -> None:
        self.flag = bytearray(1)
        self.reading = False

    def set(self) -> None:
        """Ask to stop."""
        self.flag[0] = 1

    def __bool__(self) -> bool:
        return self.flag[0] != 0


class _Task(Generic[Item, Result]):
    __slots__ = ("done", "error", "item", "result")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.result: Result | None = None
        self.error: BaseException | None = None
        self.done = threading.Lock()
        self.done.acquire()


def ordered(
    items: Iterator[Item],
    work: Callable[[Item, dict[str, Any]], Result],
    threads: int,
    *,
    cancel: Cancel,
    tick: Callable[[], None] | None = None,
    memory: Memory | None = None,
) -> Iterator[Result]:
    """Yield ``work(item, scratch)`` for every item, in order.

    Parameters
    ----------
    items : iterator
        Advanced by the calling thread alone. What it raises is raised here after the results of all
        items before it.
    work : callable
        Runs in a worker thread; ``scratch`` is a dictionary of that thread's own.
    threads : int
        Number of workers; each starts when there is work for it. With one, any calling thread but the main
        one, which must hear signals meanwhile, does the work itself.
    cancel : Cancel
        When set, no more items are taken; results go on until the items under way are done (``work``
        sees to it that they end soon). A KeyboardInterrupt while reading sets it.
    tick : callable, optional
        Called about every tenth of a second while waiting.
    memory : Memory, optional
        Where the workers' scratches come from, and where they are left.
    """
    memory = Memory() if memory is None else memory
    if threads == 1 and threading.current_thread() is not threading.main_thread():
        yield from _alone(items, work, cancel, memory)
        return
    queue: SimpleQueue[_Task[Item, Result] | None] = SimpleQueue()
    flight: deque[_Task[Item, Result]] = deque()
    workers: list[threading.Thread] = []
    failure: BaseException | None = None
    more = True
    try:
        while True:
            while more and not cancel and len(flight) < threads + AHEAD:
                try:
                    cancel.reading = True
                    try:
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
                    task = _Task[Item, Result](item)
                    flight.append(task)
                    queue.put(task)
                    if len(workers) < threads:
                        workers.append(
                            threading.Thread(target=_serve, args=(queue, work, memory), daemon=True)
                        )
                        workers[-1].start()
            if not flight:
                break
            task = flight.popleft()
            while not task.done.acquire(timeout=TICK):
                if tick is not None:
                    tick()
            if task.error is not None:
                raise task.error
            yield task.result  # type: ignore[misc]
        if failure is not None:
            raise failure
    finally:
        if flight:
            # Left early: by an error, or because the caller has enough.
            cancel.set()
        for _ in workers:
            queue.put(None)
        for worker in workers:
            worker.join()


def _alone(
    items: Iterator[Item], work: Callable[[Item, dict[str, Any]], Result], cancel: Cancel, memory: Memory
) -> Iterator[Result]:
    """Work in the calling thread."""
    scratch = memory.scratch()
    try:
        while not cancel:
            item = next(items, _END)
            if item is _END:
                break
            yield work(item, scratch)
    finally:
        memory.leave(scratch)


_END: Any = object()


def _serve(
    queue: SimpleQueue[_Task[Item, Result] | None],
    work: Callable[[Item, dict[str, Any]], Result],
    memory: Memory,
) -> None:
    """What a worker does."""
    scratch = memory.scratch()
    while (task := queue.get()) is not None:
        try:
            task.result = work(task.item, scratch)
        except BaseException as error:
            task.error = error
        task.done.release()
    memory.leave(scratch)
