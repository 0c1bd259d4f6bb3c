"""A small web service around the kernel: ``python app.py``.

Four rules keep it available for any input:

- Sizes are limited before anything is parsed.
- A request takes one of the places for work only when its body is complete. Until then it has a deadline,
  and the oldest unfinished request makes way when connections or memory run out.
- The work of a request is limited in guesses, not in seconds, so that a puzzle that is too hard for its
  budget is ``unknown`` on every machine and every time.
- A limited number of requests wait for a thread; any further one is answered 503 at once.

The deadlines of connections are kept by `connections.GuardedProtocol`, which ``python app.py`` uses; under
another server (``uvicorn app:app``, hypercorn) that server or a proxy must keep them.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import unidoku
from unidoku import kernel

__all__ = ["Limits", "Service", "app"]

SLICE = 256  # puzzles in one call of the kernel; the deadline is checked between two calls
VERDICTS = {int(verdict): str(verdict) for verdict in unidoku.Verdict}
LATE = {"verdict": "unknown", "count": 0, "complete": False, "reason": "out of time"}
DRAIN = 16  # how many times the allowed length is read before the connection is closed


@dataclass(frozen=True)
class Limits:
    """What one request may ask for, and all together.

    Each field can be set by an environment variable, ``UNIDOKU_SERVICE_BODY`` and so on.
    """

    body: int = 1 << 20  # bytes of a body
    buffer: int = 64 << 20  # bytes of all bodies that are being read
    body_seconds: float = 5.0  # for the whole body
    puzzles: int = 10_000  # per batch
    limit: int = 10_000  # solutions counted per puzzle
    budget: int = 1_000_000  # guesses per request
    least: int = 200  # guesses that each puzzle of a batch has in any case
    seconds: float = 5.0  # for the work; the rest of a batch is then unknown
    waiting: int = 32  # requests that may wait for a thread
    threads: int = 0  # 0: the cores this process may use

    @classmethod
    def from_environment(cls) -> Limits:
        """The defaults, except for what the environment sets."""
        found: dict[str, Any] = {}
        for field in fields(cls):
            text = os.environ.get(f"UNIDOKU_SERVICE_{field.name.upper()}")
            if text is not None:
                found[field.name] = float(text) if field.name.endswith("seconds") else int(text)
        return cls(**found)


class Busy(Exception):
    """Too many requests wait, or the service is stopping."""


class Service:
    """The state of one running service: its threads, its counters."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.stopping = False
        self.held = 0  # complete requests that wait or are worked on
        self.bodies: dict[asyncio.Timeout, int] = {}  # bytes of each body that is being read, oldest first
        self.buffered = 0
        self.threads = limits.threads or kernel.default_threads()
        self.pool = ThreadPoolExecutor(self.threads, thread_name_prefix="kernel")
        self.registry = CollectorRegistry()
        more: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("unidoku_requests", "Requests", ["path", "status"], **more)
        self.puzzles = Counter("unidoku_puzzles", "Puzzles answered", ["verdict"], **more)
        self.seconds = Histogram("unidoku_request_seconds", "Time to the answer", ["path"], **more)
        Gauge("unidoku_held", "Complete requests in progress", **more).set_function(lambda: self.held)
        Gauge("unidoku_bodies", "Bodies being read", **more).set_function(lambda: len(self.bodies))

    @contextlib.contextmanager
    def place(self) -> Iterator[float]:
        """Take a place for work; the value is the time by which to answer.

        Raises
        ------
        Busy
            All places are taken.
        """
        if self.stopping or self.held >= self.threads + self.limits.waiting:
            raise Busy
        self.held += 1
        try:
            yield time.monotonic() + self.limits.seconds
        finally:
            self.held -= 1

    async def work(self, task: Callable[[], Response]) -> Response:
        """Run a task in a thread of the pool."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, task)

    async def body(self, request: Request) -> bytes:
        """Read the body of a request.

        Raises
        ------
        HTTPException
            400: the connection was closed; 408: the deadline passed, or memory was needed for newer
            requests; 413: it is too long.
        """
        most = self.limits.body
        body = bytearray()
        length = 0
        try:
            async with asyncio.timeout(self.limits.body_seconds) as deadline:
                self.bodies[deadline] = 0
                try:
                    async for piece in request.stream():
                        length += len(piece)
                        if length <= most:
                            body += piece
                            self._buffer(deadline, len(piece))
                        elif length > DRAIN * most:
                            break
                finally:
                    self.buffered -= self.bodies.pop(deadline)
        except TimeoutError as error:
            raise HTTPException(408, "the body did not arrive in time") from error
        except ClientDisconnect as error:
            raise HTTPException(400, "the connection was closed before the end of the body") from error
        # A body that is a little too long is read to its end but not kept: an answer before that would be
        # lost with the connection.
        if length > most:
            raise HTTPException(413, f"more than {most} bytes")
        return bytes(body)

    def _buffer(self, deadline: asyncio.Timeout, count: int) -> None:
        """Count bytes that a body keeps; when all together keep too many, the oldest one is given up."""
        self.bodies[deadline] += count
        self.buffered += count
        if self.buffered > self.limits.buffer:
            next(iter(self.bodies)).reschedule(asyncio.get_running_loop().time())

    def check(self, puzzles: Sequence[str], ask: Ask, deadline: float) -> list[dict[str, Any]]:
        """One answer per puzzle, in order."""
        each = max(self.limits.least, ask.budget // max(1, len(puzzles)))
        answers: list[dict[str, Any]] = []
        for start in range(0, len(puzzles), SLICE):
            piece = puzzles[start : start + SLICE]
            if time.monotonic() > deadline:
                answers += [LATE] * len(piece)
            else:
                answers += check_slice(piece, ask, each)
        for verdict, count in collections.Counter(answer["verdict"] for answer in answers).items():
            self.puzzles.labels(verdict).inc(count)
        return answers


@dataclass(frozen=True)
class Ask:
    """The options of a request."""

    limit: int
    budget: int
    solutions: bool


def check_slice(puzzles: Sequence[str], ask: Ask, budget: int) -> list[dict[str, Any]]:
    """Check some puzzles in one call of the kernel; those that are no puzzle get the reason."""
    result = unidoku.check_many(
        puzzles, limit=ask.limit, threads=1, solutions=ask.solutions, budget=budget, errors="invalid"
    )
    columns = [result.verdicts.tolist(), result.counts.tolist(), result.complete.tolist()]
    answers: list[dict[str, Any]] = [
        {"verdict": VERDICTS[code], "count": count, "complete": complete}
        for code, count, complete in zip(*columns, strict=True)
    ]
    for row, reason in result.reasons.items():
        answers[row]["reason"] = reason
    if result.solutions is not None:
        for answer, found in zip(answers, result.solutions + 48, strict=True):
            answer["solution"] = found.tobytes().decode("ascii") if found[0] > 48 else None
    return answers


def fields_of(body: bytes) -> dict[str, Any]:
    """The body as a JSON object."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"not JSON: {error}") from error
    if not isinstance(data, dict):
        raise HTTPException(400, "expected a JSON object")
    return data


def whole(data: dict[str, Any], key: str, default: int, most: int) -> int:
    """A whole number from 1 to ``most`` in the request."""
    value = data.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise HTTPException(400, f"{key} must be a whole number from 1 to {most}")
    return value


def ask_of(data: dict[str, Any], limits: Limits) -> Ask:
    """The options of the request, within the limits of the service."""
    limit = whole(data, "limit", 2, limits.limit)
    budget = whole(data, "budget", limits.budget, limits.budget)
    return Ask(limit, budget, data.get("solutions") is True)


async def check_one(request: Request) -> Response:
    """``{"puzzle": …, "limit"?, "budget"?, "solutions"?}`` to one answer."""
    service: Service = request.app.state.service
    body = await service.body(request)
    with service.place() as deadline:

        def task() -> Response:
            data = fields_of(body)
            puzzle = data.get("puzzle")
            if not isinstance(puzzle, str):
                raise HTTPException(400, "puzzle must be a text of 81 cells")
            answer = service.check([puzzle], ask_of(data, service.limits), deadline)[0]
            return JSONResponse(answer, 422 if answer["verdict"] == "invalid" else 200)

        return await service.work(task)


async def check_batch(request: Request) -> Response:
    """``{"puzzles": […], …}``, or a plain text of lines, to a list of answers in the same order."""
    service: Service = request.app.state.service
    limits = service.limits
    lines = request.headers.get("content-type", "").startswith("text/plain")
    body = await service.body(request)
    with service.place() as deadline:

        def task() -> Response:
            data = {"puzzles": body.decode("utf-8", "replace").split()} if lines else fields_of(body)
            puzzles = data.get("puzzles")
            if not isinstance(puzzles, list) or not all(isinstance(puzzle, str) for puzzle in puzzles):
                raise HTTPException(400, "puzzles must be a list of texts of 81 cells")
            if len(puzzles) > limits.puzzles:
                raise HTTPException(413, f"more than {limits.puzzles} puzzles")
            return JSONResponse({"answers": service.check(puzzles, ask_of(data, limits), deadline)})

        # JSON is parsed and written there too, which keeps the event loop free for health checks.
        return await service.work(task)


async def health(request: Request) -> Response:
    """Whether it takes requests, for load balancers."""
    service: Service = request.app.state.service
    state = {
        "status": "stopping" if service.stopping else "ok",
        "version": unidoku.__version__,
        "isa": kernel.isa(),
        "threads": service.threads,
        "held": service.held,
    }
    return JSONResponse(state, 503 if service.stopping else 200)


async def metrics(request: Request) -> Response:
    """The counters, in the format of Prometheus."""
    service: Service = request.app.state.service
    return Response(generate_latest(service.registry), media_type=CONTENT_TYPE_LATEST)


class Measured:
    """Counts and times every request."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        service: Service = scope["app"].state.service
        path = scope["path"] if scope["path"] in PATHS else "other"
        begin = time.perf_counter()
        status = 500

        async def sending(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.inner(scope, receive, sending)
        finally:
            service.requests.labels(path, str(status)).inc()
            service.seconds.labels(path).observe(time.perf_counter() - begin)


def refuse(request: Request, error: Exception) -> Response:
    """An error as JSON."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code)


def busy(request: Request, error: Exception) -> Response:
    """The answer when all places are taken."""
    answer = {"verdict": "unknown", "error": "busy, try again"}
    return JSONResponse(answer, 503, headers={"Retry-After": "1"})


ROUTES = [
    Route("/check", check_one, methods=["POST"]),
    Route("/check/batch", check_batch, methods=["POST"]),
    Route("/health", health),
    Route("/metrics", metrics),
]
PATHS = {route.path for route in ROUTES}


def make(limits: Limits | None = None) -> Starlette:
    """Make a service with these limits, by default those of the environment."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service: Service = app.state.service
        yield
        # The server has stopped listening; requests in progress are finished.
        service.stopping = True
        await asyncio.to_thread(service.pool.shutdown, wait=True)

    made = Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[Middleware(Measured)],
        exception_handlers={HTTPException: refuse, Busy: busy},
    )
    made.state.service = Service(limits or Limits.from_environment())
    return made


app = make()

if __name__ == "__main__":
    import uvicorn
    from connections import GuardedProtocol

    sys.setswitchinterval(0.001)  # the event loop waits less for the threads that read and write JSON
    # SIGTERM and Ctrl-C stop it gracefully: no new connections, then wait for the answers in progress.
    uvicorn.run(
        app,
        host=os.environ.get("UNIDOKU_SERVICE_HOST", "127.0.0.1"),
        port=int(os.environ.get("UNIDOKU_SERVICE_PORT", "8000")),
        http=GuardedProtocol,
        ws="none",
        timeout_graceful_shutdown=30,
        log_level="warning",
    )
