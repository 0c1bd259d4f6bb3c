"""Dask distributed as the engine of a plan; any other with a ``submit`` will do as well."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from importlib import import_module

from unidoku.errors import InputError, MissingExtraError
from unidoku.shards.executors import Engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["connect", "parse_cluster"]


def parse_cluster(text: str) -> tuple[str, int | str]:
    """``local:N`` to ``("local", N)``, ``dask://HOST:PORT`` to ``("dask", "tcp://HOST:PORT")``.

    ``tls://HOST:PORT`` is a Dask scheduler with TLS; the certificates come from Dask's configuration.

    Raises
    ------
    InputError
        When it is neither.
    """
    if found := re.fullmatch(r"local:([1-9]\d{0,3})", text):
        return "local", int(found[1])
    if found := re.fullmatch(r"dask://([^/\s]+:\d{1,5})/?", text):
        return "dask", f"tcp://{found[1]}"
    if re.fullmatch(r"tls://[^/\s]+:\d{1,5}/?", text):
        return "dask", text.rstrip("/")
    raise InputError(f"invalid cluster {text!r}; expected local:N, dask://HOST:PORT or tls://HOST:PORT")


@contextmanager
def connect(text: str, patience: float = 15.0) -> Iterator[Engine]:
    """Start ``local:N`` worker processes, or use the workers of ``dask://HOST:PORT``.

    Parameters
    ----------
    text : str
    patience : float
        Seconds to wait for the scheduler, and for a first worker.

    Raises
    ------
    InputError
        When the address is none, does not answer, has no workers, or these have another unidoku.
    MissingExtraError
        Without Dask distributed.
    """
    kind, where = parse_cluster(text)
    try:
        distributed: Any = import_module("distributed")  # much of it has no types
    except ImportError as error:
        raise MissingExtraError("--cluster needs Dask distributed: pip install 'unidoku[dask]'") from error
    from unidoku.kernel import default_threads

    if kind == "local":
        count = int(where)
        # Its own processes of this machine only: no port is open to others.
        with (
            distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=max(1, default_threads() // count),
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # None would mean port 8787 for everybody
                worker_dashboard_address="127.0.0.1:0",
                memory_limit=0,  # shards are streamed; Dask's own limits would only pause them
            ) as local,
            distributed.Client(local) as client,
        ):
            yield _ready(client, patience)
        return
    try:
        client = distributed.Client(where, timeout=patience)
    except TypeError as error:  # how Dask reports that it has no certificates
        message = "TLS needs certificates in Dask's configuration (distributed.comm.tls.ca-file, client.cert)"
        raise InputError(message, file=text) from error
    except (OSError, ValueError) as error:
        raise InputError(f"the scheduler does not answer: {error}", file=text) from error
    with client:
        yield _ready(client, patience)


def _ready(client: Any, patience: float) -> Engine:
    from unidoku import __version__

    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        raise InputError("the cluster has no workers", file=str(client.scheduler.address)) from error
    workers = client.scheduler_info(n_workers=-1)["workers"]
    for address, version in client.run(_version).items():
        if version != __version__:
            raise InputError(f"the worker has unidoku {version}, this is {__version__}", file=address)
    cores = client.run(_cores)
    busy: Counter[str] = Counter()
    for worker in workers.values():
        busy[worker["host"]] += worker["nthreads"]
    spare = [
        cores[address] // busy[worker["host"]] for address, worker in workers.items() if address in cores
    ]
    total = sum(busy.values())
    return Engine(client.get_executor(pure=False), max(1, min(spare, default=1)), 2 * total, local=False)


def _version() -> str:
    from unidoku import __version__

    return __version__


def _cores() -> int:
    from unidoku.kernel import default_threads

    return default_threads()
