"""Dask distributed as the workers of a plan."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack, contextmanager
from importlib import import_module

from unidoku.errors import InputError, needs_extra
from unidoku.kernel import default_threads
from unidoku.shards.executors import Workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["connect", "parse_cluster"]


def parse_cluster(text: str) -> tuple[str, int | str]:
    """Parse ``local:N``, ``dask://HOST:PORT`` or ``tls://HOST:PORT``."""
    if found := re.fullmatch(r"local:([1-9]\d{0,3})", text):
        return "local", int(found[1])
    if found := re.fullmatch(r"(dask|tls)://([^/\s]+:\d{1,5})/?", text):
        return "dask", f"{'tcp' if found[1] == 'dask' else 'tls'}://{found[2]}"
    raise InputError(f"invalid cluster {text!r}; expected local:N, dask://HOST:PORT or tls://HOST:PORT")


@contextmanager
def connect(text: str, patience: float = 15.0) -> Iterator[Workers]:
    """Start ``local:N`` worker processes, or use the workers of ``dask://HOST:PORT`` or ``tls://HOST:PORT``."""
    kind, where = parse_cluster(text)
    with needs_extra("dask", "--cluster needs Dask distributed"):
        distributed: Any = import_module("distributed")  # much of it has no types
    with ExitStack() as stack:
        if kind == "local":
            count = int(where)
            # Processes of this machine only: no port is open to other machines.
            where = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=max(1, default_threads() // count),
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # None would open port 8787 to all
                    worker_dashboard_address="127.0.0.1:0",
                    memory_limit=0,  # shards are streamed; Dask's own limits would only pause the workers
                )
            )
        try:
            client = stack.enter_context(distributed.Client(where, timeout=patience))
        except TypeError as error:  # how Dask reports that it has no certificates
            message = (
                "TLS needs certificates in Dask's configuration (distributed.comm.tls.ca-file, client.cert)"
            )
            raise InputError(message, file=text) from error
        except (OSError, ValueError) as error:
            raise InputError(f"the scheduler does not answer: {error}", file=text) from error
        yield _ready(client, patience)


def _ready(client: Any, patience: float) -> Workers:
    from unidoku import __version__

    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        raise InputError("the cluster has no workers", file=str(client.scheduler.address)) from error
    workers = client.scheduler_info(n_workers=-1)["workers"]
    for address, version in client.run(_version).items():
        if version != __version__:
            raise InputError(f"the worker has unidoku {version}, this is {__version__}", file=address)
    cores = client.run(default_threads)
    busy: Counter[str] = Counter()
    for worker in workers.values():
        busy[worker["host"]] += worker["nthreads"]
    cores_per_thread = [
        cores[address] // busy[worker["host"]] for address, worker in workers.items() if address in cores
    ]
    total = sum(busy.values())
    threads = max(1, min(cores_per_thread, default=1))
    return Workers(client.get_executor(pure=False), threads, 2 * total, local=False)


def _version() -> str:
    from unidoku import __version__

    return __version__
