"""Make the parts on a Dask cluster."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from unidoku.errors import InputError, UnidokuError, needs_extra
from unidoku.run.part import Part, Task, make_part
from unidoku.threads import TICK, Cancel, default_threads

_RETRIES = 2
PATIENCE = 15.0  # seconds until a scheduler and a worker must have answered


class Cluster:
    """A Dask cluster: ``local:N`` starts N processes here, else the address is one of Dask's Client."""

    def __init__(self, address: str) -> None:
        local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
        if local is None and not re.match(r"[a-z]+://.", address):
            raise InputError(
                f"invalid cluster {address!r}; expected local:N, tcp://HOST:PORT or tls://HOST:PORT"
            )
        with needs_extra("dask", "--cluster needs Dask distributed"):
            self._dask: Any = import_module("distributed")  # much of it has no types
        self._stack = ExitStack()
        where: Any = address
        if local is not None:
            # Processes of this machine only: no port is open to other machines.
            where = self._stack.enter_context(
                self._dask.LocalCluster(
                    n_workers=int(local[1]),
                    threads_per_worker=max(1, default_threads() // int(local[1])),
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # None would open port 8787 to all
                    worker_dashboard_address="127.0.0.1:0",
                    memory_limit=0,  # inputs are streamed; Dask's limits would only pause the workers
                )
            )
        try:
            self._client = self._stack.enter_context(self._dask.Client(where, timeout=PATIENCE))
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TypeError) as error:  # TypeError: TLS without certificates
            self._stack.close()
            raise InputError(f"no Dask cluster: {error}", file=address) from error
        self.threads = sum(self._client.nthreads().values())

    def results(
        self,
        numbered: Callable[[Callable[..., Any]], Iterator[tuple[Task, Any]]],
        stop: Cancel,
        report: Callable[[], None],
    ) -> Generator[tuple[Task, Part | InputError | None]]:
        """Yield each range of `numbered` when its part is made, in any order."""

        def call(function: Callable[..., Any], *arguments: Any) -> Any:
            # an argument may be the future of an earlier call
            return self._client.submit(function, *arguments, pure=False, retries=_RETRIES)

        futures = {call(make_part, task, line): task for task, line in numbered(call)}
        try:
            waiting = self._dask.as_completed(futures)
            while not waiting.is_empty() and not stop:
                for future in waiting.next_batch(block=False):
                    yield futures[future], _result(future)
                report()
                time.sleep(TICK)
        finally:
            self._client.cancel(list(futures))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _result(future: Any) -> Part | InputError | None:
    """Return what was made, or why an input cannot be read; raise an error that all parts would have."""
    error = future.exception()
    if error is None:
        part: Part | None = future.result()
        return part
    if isinstance(error, InputError):
        return error
    if isinstance(error, UnidokuError):
        raise error
    return InputError(f"{type(error).__name__}: {error}")  # a worker was lost too often
