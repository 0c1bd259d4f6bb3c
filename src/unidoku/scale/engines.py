"""What does the work of a plan: threads of this process, or the workers of a cluster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from typing import Any, Protocol

    class Executor(Protocol):
        """As much of ``concurrent.futures.Executor`` as is used; Dask's and others' have it."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]: ...


__all__ = ["Engine", "threads_here"]


@dataclass(frozen=True, slots=True)
class Engine:
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
    """

    executor: Executor
    threads: int = 1
    width: int = 8
    local: bool = True


@contextmanager
def threads_here(threads: int, shards: int) -> Iterator[Engine]:
    """So many threads of this process: a shard each, or several for each where shards are few."""
    workers = max(1, min(threads, shards))
    with ThreadPoolExecutor(workers, thread_name_prefix="shard") as pool:
        yield Engine(pool, -(-threads // workers), 2 * workers)
