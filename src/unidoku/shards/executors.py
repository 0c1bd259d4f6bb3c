"""What does the work of a plan: threads of this process, or the workers of a cluster."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from unidoku.pipeline.buffers import BufferPool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from typing import Any, Protocol

    class Executor(Protocol):
        """As much of ``concurrent.futures.Executor`` as is used; Dask's and others' have it."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]: ...


__all__ = ["Shared", "Workers", "local_threads"]


@dataclass(frozen=True, slots=True)
class Shared:
    """What the shards done by threads of one process share.

    Attributes
    ----------
    turns : threading.Semaphore
        Held while puzzles are solved, so that no more cores are used than allowed while other threads
        wait for the disk.
    pool : BufferPool
    """

    turns: threading.Semaphore
    pool: BufferPool = field(default_factory=BufferPool)


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor that is ready, and how to use it.

    Attributes
    ----------
    executor : Executor
    threads : int
        Kernel threads of each shard: times the shards done at once they make up the cores.
    width : int
        Shards to keep under way or waiting.
    local : bool
        Whether the work is done in threads of this process, which see its objects.
    shared : Shared or None
        Handed to the work of such threads.
    """

    executor: Executor
    threads: int = 1
    width: int = 8
    local: bool = True
    shared: Shared | None = None


@contextmanager
def local_threads(threads: int, shards: int) -> Iterator[Workers]:
    """So many threads of this process: a shard each, or several for each where shards are few.

    One shard more is under way than there are threads to solve puzzles: while a part is brought to the disk,
    the next one is begun.
    """
    workers = max(1, min(threads, shards))
    with ThreadPoolExecutor(workers + 1, thread_name_prefix="shard") as pool:
        shared = Shared(threading.Semaphore(workers))
        yield Workers(pool, -(-threads // workers), 2 * workers + 1, shared=shared)
