"""A small web service around the kernel: ``python app.py``; see README.md beside it.

Sizes are limited before anything is parsed, and the work of a request in guesses, not in seconds, so that a
puzzle that is too hard for its budget is ``unknown`` on every machine and every time.  Requests in
progress are counted, not connections; work ends when its client has left.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import unidoku

unidoku.check_many(["." * 81])  # before requests, and before a fork of workers: it imports NumPy

REQUESTS = 64  # in progress
IDLE_SECONDS = 5  # until a connection without a further request is closed
BODY = 1 << 20  # bytes
BODY_SECONDS = 5.0  # to receive a body
BUDGET = 1_000_000  # guesses of a request
PUZZLES = 10_000  # of a batch
LEAST = 200  # guesses that each puzzle of a batch has in any case
WORK_SECONDS = 10.0  # of a request: a count without a limit may take longer than any client waits
THREADS = 16  # that work
COUNTS = 2  # at a time, in threads of their own: each may take 16 MB, which a thread keeps
EXACT = 2**53  # up to here a number is exact for every reader of JSON


T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """The options of a request."""

    limit: int = 2
    budget: int = BUDGET
    solutions: bool = False

    @classmethod
    def of(cls, data: dict[str, Any]) -> Options:
        """Take the options from the body of a request."""
        options = cls(**{name: data[name] for name in cls.__annotations__ if name in data})
        for name, most in (("limit", 10_000), ("budget", BUDGET)):
            value = getattr(options, name)
            if type(value) is not int or not 1 <= value <= most:
                raise HTTPException(400, f"{name} must be an integer from 1 to {most}")
        if type(options.solutions) is not bool:
            raise HTTPException(400, "solutions must be true or false")
        return options


in_progress: set[Request] = set()
pool = ThreadPoolExecutor(THREADS - COUNTS)
counters = ThreadPoolExecutor(COUNTS)
counting = asyncio.Semaphore(COUNTS)


@contextmanager
def counted(request: Request) -> Iterator[None]:
    """Count a request while it is in progress; refuse it if there are too many."""
    if len(in_progress) >= REQUESTS:
        raise HTTPException(503, f"{REQUESTS} requests are in progress", {"Retry-After": "1"})
    in_progress.add(request)
    try:
        yield
    finally:
        in_progress.remove(request)


def answers(puzzles: list[str], options: Options, cancel: unidoku.Cancel) -> list[dict[str, Any]]:
    """Check puzzles in one call of the kernel; one that is no puzzle gets the reason."""
    result = unidoku.check_many(
        puzzles,
        limit=options.limit,
        budget=max(LEAST, options.budget // max(1, len(puzzles))),
        solutions=options.solutions,
        threads=1,
        errors="invalid",
        cancel=cancel,
    )
    codes = {number: reason.code for number, reason in result.reasons.items()}
    return [{**row._asdict(), "code": codes.get(number)} for number, row in enumerate(result)]


async def body_of(request: Request) -> bytes:
    """Receive the body of a request, within bounds of size and time."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > BODY:
                    raise HTTPException(413, f"more than {BODY} bytes")
    except TimeoutError as error:
        raise HTTPException(408, "the body did not arrive in time") from error
    return bytes(body)


def parsed(body: bytes) -> dict[str, Any]:
    """Parse a JSON object."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"not JSON: {error}") from error
    if not isinstance(data, dict):
        raise HTTPException(400, "expected a JSON object")
    return data


def seconds_of(data: dict[str, Any]) -> float:
    """Return how long the work of a request may take."""
    seconds = data.get("seconds", WORK_SECONDS)
    if type(seconds) not in (int, float) or not 0 < seconds <= WORK_SECONDS:
        raise HTTPException(400, f"seconds must be a number above 0 and at most {WORK_SECONDS:g}")
    return float(seconds)


async def in_thread(
    request: Request,
    data: dict[str, Any],
    work: Callable[[unidoku.Cancel], T],
    threads: ThreadPoolExecutor = pool,
) -> T:
    """Work in a thread, beside other requests, until the time is over or the client leaves."""
    seconds, cancel = seconds_of(data), unidoku.Cancel()

    async def cancel_on_disconnect() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        cancel.set()

    watch = asyncio.create_task(cancel_on_disconnect())
    timer = asyncio.get_running_loop().call_later(seconds, cancel.set)
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, work, cancel)
    finally:
        timer.cancel()
        watch.cancel()
        cancel.set()  # the server may end this request before the thread ends


def puzzle_of(data: dict[str, Any]) -> str:
    """Return the puzzle of a request."""
    puzzle = data.get("puzzle")
    if not isinstance(puzzle, str):
        raise HTTPException(400, "puzzle must be a text of 81 cells")
    return puzzle


async def check_one(request: Request) -> Response:
    """Check one puzzle."""
    with counted(request):
        data = parsed(await body_of(request))
        puzzle = puzzle_of(data)
        [answer] = await in_thread(request, data, partial(answers, [puzzle], Options.of(data)))
        return JSONResponse(answer, 422 if answer["verdict"] == "invalid" else 200)


async def check_batch(request: Request) -> Response:
    """Check many puzzles; the answers have the same order."""
    with counted(request):
        data = parsed(await body_of(request))
        puzzles = data.get("puzzles")
        if not isinstance(puzzles, list) or not all(isinstance(puzzle, str) for puzzle in puzzles):
            raise HTTPException(400, "puzzles must be a list of texts of 81 cells")
        if len(puzzles) > PUZZLES:
            raise HTTPException(413, f"more than {PUZZLES} puzzles")
        return JSONResponse(
            {"answers": await in_thread(request, data, partial(answers, puzzles, Options.of(data)))}
        )


async def count(request: Request) -> Response:
    """Count all solutions of a puzzle: a text beyond 2**53, where readers of JSON would round a number."""
    with counted(request):
        data = parsed(await body_of(request))
        puzzle = puzzle_of(data)
        async with counting:
            number = await in_thread(
                request, data, lambda cancel: unidoku.count(puzzle, threads=1, cancel=cancel), counters
            )
        return JSONResponse({"count": number if number <= EXACT else str(number)})


async def hint(request: Request) -> Response:
    """Return the next step of a puzzle, null if it is solved; 422 if it has not exactly one solution."""
    with counted(request):
        data = parsed(await body_of(request))
        puzzle = puzzle_of(data)
        step = await in_thread(request, data, lambda cancel: unidoku.hint(puzzle, cancel=cancel))
        return JSONResponse(step and asdict(step))


async def health(_: Request) -> Response:
    """Say that the service takes requests, for load balancers."""
    return JSONResponse({"status": "ok", "version": unidoku.__version__})


def refused(_: Request, error: Exception) -> Response:
    """Return an error as JSON."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


STATUSES: dict[type[Exception], int] = {
    unidoku.InvalidPuzzleError: 422,  # also an ImproperPuzzleError
    unidoku.SearchStoppedError: 504,  # nobody receives it if the client has left
    unidoku.UnidokuError: 400,
    ClientDisconnect: 400,  # before the body arrived: nobody receives it
    MemoryError: 503,
}
"""The status of each kind of error; the first kind counts. A search that stopped is also an `OSError`."""


def failed(_: Request, error: Exception) -> Response:
    """Return the kind of an error as a status, and its code and reason as JSON."""
    status = next(status for kind, status in STATUSES.items() if isinstance(error, kind))
    content = {"code": getattr(error, "code", "error"), "reason": str(getattr(error, "reason", error))}
    if isinstance(error, unidoku.InvalidPuzzleError):
        content["verdict"] = str(getattr(error, "verdict", "invalid"))
    return JSONResponse(content, status)


app = Starlette(
    routes=[
        Route("/check", check_one, methods=["POST"]),
        Route("/check/batch", check_batch, methods=["POST"]),
        Route("/count", count, methods=["POST"]),
        Route("/hint", hint, methods=["POST"]),
        Route("/health", health),
    ],
    exception_handlers={HTTPException: refused, **dict.fromkeys(STATUSES, failed)},
)


def server(host: str, port: int) -> uvicorn.Server:
    """Create the server; `run` starts it."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            http="h11",
            ws="none",
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=30,
        )
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A web service that checks puzzles.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    server(arguments.host, arguments.port).run()
