"""A small web service around the kernel: ``uvicorn app:app``, or ``python app.py``.

Three things keep it up whatever it is sent. Sizes are limited before anything is parsed. The work of a
request is limited in guesses, not in seconds, so that a puzzle too hard for its budget is ``unknown`` on
every machine and every time. And only so many requests wait: the rest are told at once to come back.
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
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import unidoku
from unidoku import kernel

__all__ = ["Limits", "Service", "app"]

SLICE = 256  # puzzles of one call of the kernel; between two calls the deadline is looked at
VERDICTS = {int(verdict): str(verdict) for verdict in unidoku.Verdict}
DRAIN = 16  # times the allowed length that is read before the connection is dropped


@dataclass(frozen=True)
class Limits:
    """What one request, and all together, may ask for.

    Each field can be set by an environment variable, ``UNIDOKU_SERVICE_BODY`` and so on.
    """

    body: int = 1 << 20  # bytes
    puzzles: int = 10_000  # per batch
    limit: int = 10_000  # solutions counted per puzzle
    budget: int = 1_000_000  # guesses per request
    least: int = 200  # guesses a puzzle of a batch may always make
    seconds: float = 5.0  # after which what is left of a batch is unknown
    waiting: int = 32  # requests that may wait for a thread
    threads: int = 0  # 0: the cores this process may use

    @classmethod
    def from_environment(cls) -> Limits:
        """The defaults, but for what the environment says."""
        found: dict[str, Any] = {}
        for field in fields(cls):
            text = os.environ.get(f"UNIDOKU_SERVICE_{field.name.upper()}")
            if text is not None:
                found[field.name] = float(text) if field.name == "seconds" else int(text)
        return cls(**found)


class Busy(Exception):
    """Too many requests wait already, or the service is stopping."""


class Service:
    """The state of one running service: its threads, its counters."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.stopping = False
        self.held = 0  # requests waiting or at work
        self.threads = limits.threads or kernel.default_threads()
        self.pool = ThreadPoolExecutor(self.threads, thread_name_prefix="kernel")
        self.registry = CollectorRegistry()
        more: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("unidoku_requests", "Requests", ["path", "status"], **more)
        self.puzzles = Counter("unidoku_puzzles", "Puzzles answered", ["verdict"], **more)
        self.seconds = Histogram("unidoku_request_seconds", "Time to the answer", ["path"], **more)
        Gauge("unidoku_held", "Requests waiting or at work", **more).set_function(lambda: self.held)

    @contextlib.contextmanager
    def place(self) -> Iterator[float]:
        """A place among the requests that are waited for, and the time by which to answer.

        Raises
        ------
        Busy
            At once, when all places are taken.
        """
        if self.stopping or self.held >= self.threads + self.limits.waiting:
            raise Busy
        self.held += 1
        try:
            yield time.monotonic() + self.limits.seconds
        finally:
            self.held -= 1

    async def work(self, task: Callable[[], Response]) -> Response:
        """Do something in a thread of the pool, when one is free."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, task)

    def check(self, puzzles: Sequence[str], ask: Ask, deadline: float) -> list[dict[str, Any]]:
        """One answer per puzzle, in order."""
        each = max(self.limits.least, ask.budget // max(1, len(puzzles)))
        answers: list[dict[str, Any]] = []
        for start in range(0, len(puzzles), SLICE):
            piece = puzzles[start : start + SLICE]
            if time.monotonic() > deadline:
                answers += [{"verdict": "unknown", "count": 0, "reason": "out of time"}] * len(piece)
            else:
                answers += check_slice(piece, ask, each)
        for verdict, count in collections.Counter(answer["verdict"] for answer in answers).items():
            self.puzzles.labels(verdict).inc(count)
        return answers


@dataclass(frozen=True)
class Ask:
    """What a request wants to know of its puzzles."""

    limit: int
    budget: int
    solutions: bool


def check_slice(puzzles: Sequence[str], ask: Ask, budget: int) -> list[dict[str, Any]]:
    """Check some puzzles in one call of the kernel; those that are no puzzles get their reason."""
    try:
        result = unidoku.check_many(
            puzzles, limit=ask.limit, threads=1, solutions=ask.solutions, budget=budget
        )
    except unidoku.InvalidPuzzleError as error:
        if len(puzzles) == 1:
            return [{"verdict": "invalid", "count": 0, "reason": error.message}]
        middle = len(puzzles) // 2  # the bad ones are soon alone
        return check_slice(puzzles[:middle], ask, budget) + check_slice(puzzles[middle:], ask, budget)
    verdicts = [VERDICTS[code] for code in result.verdicts.tolist()]
    pairs = zip(verdicts, result.counts.tolist(), strict=True)
    answers: list[dict[str, Any]] = [{"verdict": verdict, "count": count} for verdict, count in pairs]
    if result.solutions is not None:
        for answer, found in zip(answers, result.solutions + 48, strict=True):
            answer["solution"] = found.tobytes().decode("ascii") if found[0] > 48 else None
    return answers


async def body_of(request: Request, most: int) -> bytes:
    """The body, refused when it is too long."""
    body = bytearray()
    length = 0
    try:
        async for piece in request.stream():
            length += len(piece)
            if length <= most:
                body += piece
            elif length > DRAIN * most:
                break
    except ClientDisconnect as error:
        raise HTTPException(400, "the connection was closed in the body") from error
    # Somewhat too long a body is read to its end, though not kept: an answer before that would be lost
    # with the connection.
    if length > most:
        raise HTTPException(413, f"more than {most} bytes")
    return bytes(body)


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
    """A number from 1 to ``most`` of the request."""
    value = data.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise HTTPException(400, f"{key} must be a whole number from 1 to {most}")
    return value


def ask_of(data: dict[str, Any], limits: Limits) -> Ask:
    """The request's own limit and budget, within those of the service."""
    limit = whole(data, "limit", 2, limits.limit)
    budget = whole(data, "budget", limits.budget, limits.budget)
    return Ask(limit, budget, data.get("solutions") is True)


async def check_one(request: Request) -> Response:
    """``{"puzzle": …, "limit"?, "budget"?, "solutions"?}`` to one answer."""
    service: Service = request.app.state.service
    with service.place() as deadline:
        body = await body_of(request, service.limits.body)

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
    with service.place() as deadline:
        body = await body_of(request, limits.body)

        def task() -> Response:
            data = {"puzzles": body.decode("utf-8", "replace").split()} if lines else fields_of(body)
            puzzles = data.get("puzzles")
            if not isinstance(puzzles, list) or not all(isinstance(puzzle, str) for puzzle in puzzles):
                raise HTTPException(400, "puzzles must be a list of texts of 81 cells")
            if len(puzzles) > limits.puzzles:
                raise HTTPException(413, f"more than {limits.puzzles} puzzles")
            return JSONResponse({"answers": service.check(puzzles, ask_of(data, limits), deadline)})

        # Reading the JSON and writing it are done there too: the event loop stays free for health checks.
        return await service.work(task)


async def health(request: Request) -> Response:
    """Whether it takes requests; load balancers ask this."""
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
    """The counters, as Prometheus reads them."""
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
    """What cannot be worked on in time is not known."""
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
    """A service with limits of its own."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service: Service = app.state.service
        yield
        # The server has stopped listening; what it has begun is finished.
        service.stopping = True
        await asyncio.to_thread(service.pool.shutdown, wait=True)

    from starlette.middleware import Middleware

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

    sys.setswitchinterval(0.001)  # the event loop waits less for the threads that read and write JSON
    # SIGTERM and Ctrl-C stop it gracefully: no new connections, then wait for the answers under way.
    uvicorn.run(
        app,
        host=os.environ.get("UNIDOKU_SERVICE_HOST", "127.0.0.1"),
        port=int(os.environ.get("UNIDOKU_SERVICE_PORT", "8000")),
        timeout_graceful_shutdown=30,
        log_level="warning",
    )
