"""The workers of a plan: threads of this process, or a cluster."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from unidoku.run.buffers import BufferPool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from typing import Any, Protocol

    class Executor(Protocol):
        """The part of ``concurrent.futures.Executor`` that is used; Dask and others have it."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]: ...


__all__ = ["Shared", "Workers", "local_threads"]


@dataclass(frozen=True, slots=True)
class Shared:
    """What the shards of one process share."""

    turns: threading.Semaphore
    pool: BufferPool = field(default_factory=BufferPool)


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor, and how to use it.

    Attributes
    ----------
    executor : Executor
    threads : int
        Kernel threads of each shard; times the shards in progress, they make up the cores.
    width : int
        Shards in progress or submitted.
    local : bool
        Whether the workers are threads of this process, which share its objects.
    shared : Shared or None
        Passed to the work of such threads.
    pause : float
        Seconds before the second try of a shard that failed; five times as long before the third.
    """

    executor: Executor
    threads: int = 1
    width: int = 8
    local: bool = True
    shared: Shared | None = None
    pause: float = 0.2


@contextmanager
def local_threads(threads: int, shards: int) -> Iterator[Workers]:
    """Threads of this process: one for each shard, or several for each if there are fewer shards.

    One shard more is in progress than there are threads to solve puzzles: while one part is synced to disk,
    the next one begins.
    """
    workers = max(1, min(threads, shards))
    with ThreadPoolExecutor(workers + 1, thread_name_prefix="shard") as pool:
        shared = Shared(threading.Semaphore(workers))
        yield Workers(pool, -(-threads // workers), 2 * workers + 1, shared=shared)
