"""Dask clusters: the connection to one, and inputs that its workers work on."""

from __future__ import annotations

import gc
import logging
import re
import signal
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from math import inf
from multiprocessing import resource_tracker
from secrets import token_hex
from typing import Any, TypeVar

from unidoku._compat import distributed, log
from unidoku._threads import TICK, Cancel
from unidoku.errors import InputError, LostClusterError, Message, UnidokuError, without_frames

PATIENCE = 15.0  # seconds until a scheduler and a worker must have answered
ANSWER = 1.0  # seconds to fetch the result of a worker
LOSS = 60.0  # seconds without a worker after which none is expected any more


T = TypeVar("T")


def map_calls(
    client: Any,
    work: Callable[..., T],
    calls: Sequence[Any],
    cancel: Cancel,
    failed: Callable[[UnidokuError | str, Any], T],
) -> Generator[T]:
    """Call ``work(call, cancel)`` on a worker for each call; yield the results in order.

    ``failed(reason, call)`` is the result of a call that cannot be made. After a `cancel` the workers have a
    second to answer, so that what they have done counts.
    """
    run, contact_time, deadline = token_hex(8), time.monotonic(), inf
    known: dict[str, Any] = {}  # the workers
    futures = [client.submit(_work_on_worker, run, work, call, pure=False) for call in calls]
    try:
        for future, call in zip(futures, calls, strict=True):
            result: Any = None
            while result is None:
                if cancel and deadline == inf:
                    deadline = time.monotonic() + ANSWER
                    with suppress(Exception):  # a worker is lost
                        client.run(_stop, run)
                if time.monotonic() > deadline:
                    return
                workers = client.scheduler_info(n_workers=-1).get("workers") or {}
                for lost in known.keys() - workers:
                    log("warning", "the worker %s was lost; another one does its work again", lost)
                known = workers
                if workers:
                    contact_time = time.monotonic()
                elif time.monotonic() - contact_time > LOSS:
                    result = [failed("no worker is left", call)]
                if future.done():
                    with suppress(TimeoutError):  # its worker is lost: another one does it again
                        error = future.exception(timeout=ANSWER)
                        reason = f"its worker was lost ({type(error).__name__})"
                        if error:
                            result = [failed(reason, call)]
                        else:
                            result = future.result(timeout=ANSWER)
                else:
                    time.sleep(TICK)
            if isinstance(result[0], UnidokuError):
                result = [failed(without_frames(result[0]), call)]
            yield result[0]
    except (CancelledError, OSError) as error:  # as Dask has it where the scheduler has gone
        if isinstance(error, UnidokuError):
            raise
        raise LostClusterError(Message("the connection to the cluster was lost")) from error
    finally:
        with suppress(Exception):
            client.cancel(futures)
        with suppress(Exception):
            client.run(_stop, run)


_CANCELS = dict[str, Cancel]()  # on a worker: of the runs that use it


def _work_on_worker(run: str, work: Callable[..., T], call: Any) -> list[T | UnidokuError]:
    """Make a call; an error, which Dask would print if it were raised, is its result."""
    try:
        return [work(call, _CANCELS.setdefault(run, Cancel()))]
    except UnidokuError as error:
        return [without_frames(error)]
    except Exception as error:
        return [InputError(f"{type(error).__name__}: {error}")]


def _stop(run: str) -> None:
    """Cancel the work of a run on this worker."""
    _CANCELS.setdefault(run, Cancel()).set()


@contextmanager
def connection(address: str) -> Iterator[Any]:
    """Connect to a Dask cluster: ``local:N`` starts N processes here, otherwise as Dask's Client has it."""
    local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
    if local is None and not re.match(r"[a-z]+://.", address):
        text = "invalid cluster {address}; expected local:N, tcp://HOST:PORT or tls://HOST:PORT"
        raise InputError(Message(text, address=repr(address)))
    dask = distributed()
    with ExitStack() as stack:  # which leaves Dask as it was
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            stack.callback(setattr, logger, "handlers", [*logger.handlers])
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL)  # errors come back as results
        try:
            if local is None:
                target = address
            else:
                config = import_module("dask").config
                routes = [*config.get(_ROUTES)]  # a copy, because Dask may add one
                stack.enter_context(config.set(_SETTINGS | {_ROUTES: routes}))
                target = stack.enter_context(_processes(dask, int(local[1])))
            client = stack.enter_context(dask.Client(target, timeout=PATIENCE))
            client.wait_for_workers(1, timeout=PATIENCE)
        except Exception as error:  # a worker ended at once, TLS without certificates, no time left, …
            reason = str(error) or type(error).__name__
            # A client that did not start closes itself when it is collected. If that happened while another
            # one starts, it would wait for ever for a lock of Dask that the other one holds.
            without_frames(error)
            gc.collect()
            raise InputError(
                Message("cannot connect to the Dask cluster: {reason}", reason=reason), file=address
            ) from error
        yield client


_LOGGERS = (
    "distributed",
    "distributed.client",
    "distributed.nanny",
    "distributed.scheduler",
    "distributed.worker",
)
"""Dask's loggers that have a level of their own, or get a handler that Dask leaves there."""
_ROUTES = "distributed.scheduler.http.routes"
_SETTINGS = {
    # A worker gets one input at a time, so no other is lost with it; it prints nothing.
    "distributed.scheduler.worker-saturation": 1.0,
    # A worker that is killed is started again by its nanny, which the cluster would close 15 s after the
    # loss if the worker is not back then, also while it starts.
    "distributed.deploy.lost-worker-timeout": "1 day",
    "logging.distributed": "critical",
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",  # until it has these
}
"""Settings of Dask for the processes of this machine."""


def _processes(dask: Any, count: int) -> Any:
    """Start worker processes on this machine, without Ctrl-C and without a port for other machines."""
    resource_tracker.ensure_running()  # which would let Ctrl-C through again
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return dask.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # None would open port 8787 to all
            worker_dashboard_address="127.0.0.1:0",
            memory_limit=0,  # inputs are streamed; Dask's limits would only pause the workers
            silence_logs=logging.CRITICAL,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
