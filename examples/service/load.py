"""A bounded load test of the service on this machine: ``python load.py``.

Starts the service on a free loopback port and measures how many puzzles a second it answers in batches and
how many single requests. Then it sends the most expensive requests there are (empty grids, hard puzzles, the
highest limits, bodies that are too long) and checks that each one is answered. Last it keeps hundreds of
hostile connections open (half bodies, half headers, silence, endless bodies, answers that are not read) and
checks that every honest request is answered meanwhile. Prints one JSON object; the exit code is 1 if a
request was not answered.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = (
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "." * 81,
    "1" + "." * 80,
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
)
HERE = Path(__file__).resolve().parent


def free_port() -> int:
    """A port that is not in use."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(port: int, **limits: str) -> subprocess.Popen[bytes]:
    """Start the service as a process of its own, with these ``UNIDOKU_SERVICE_…`` variables."""
    variables = {f"UNIDOKU_SERVICE_{name.upper()}": value for name, value in limits.items()}
    environment = {**os.environ, **variables, "UNIDOKU_SERVICE_PORT": str(port)}
    return subprocess.Popen([sys.executable, str(HERE / "app.py")], env=environment)


async def ready(client: httpx.AsyncClient) -> None:
    """Wait until the service answers."""
    for _ in range(300):
        try:
            if (await client.get("/health")).status_code == 200:
                return
        except httpx.TransportError:
            await asyncio.sleep(0.1)
    raise SystemExit("the service did not start")


async def spread(jobs: list[Any], width: int) -> list[tuple[Any, float]]:
    """Run jobs, at most ``width`` at a time; the result and the seconds of each."""
    free = asyncio.Semaphore(width)

    async def one(job: Any) -> tuple[Any, float]:
        async with free:
            begin = time.perf_counter()
            result = await job()
            return result, time.perf_counter() - begin

    return list(await asyncio.gather(*(one(job) for job in jobs)))


def statistics(results: list[tuple[httpx.Response, float]]) -> dict[str, Any]:
    """Statuses, verdicts and times of answers."""
    verdicts: Counter[str] = Counter()
    for response, _ in results:
        data = response.json()
        for answer in data.get("answers", [data]):
            verdicts[answer.get("verdict", "refused")] += 1
    times = sorted(seconds for _, seconds in results)
    return {
        "requests": len(results),
        "statuses": dict(Counter(response.status_code for response, _ in results)),
        "verdicts": dict(verdicts),
        "median_seconds": round(times[len(times) // 2], 4),
        "longest_seconds": round(times[-1], 4),
    }


async def load(client: httpx.AsyncClient, requests: int) -> dict[str, Any]:
    """Batches, single requests, and a flood of expensive ones."""
    report: dict[str, Any] = {}

    batch = json.dumps({"puzzles": [EASY] * 5000}).encode()
    begin = time.perf_counter()
    results = await spread([lambda: client.post("/check/batch", content=batch)] * 20, 4)
    report["batches"] = statistics(results)
    report["batches"]["puzzles_per_second"] = round(20 * 5000 / (time.perf_counter() - begin))

    one = {"puzzle": EASY}
    begin = time.perf_counter()
    results = await spread([lambda: client.post("/check", json=one)] * requests, 16)
    report["singles"] = statistics(results)
    report["singles"]["requests_per_second"] = round(requests / (time.perf_counter() - begin))

    worst = []
    for index in range(requests):
        puzzle = HARD[index % len(HARD)]
        if index % 50 == 0:
            worst.append(lambda: client.post("/check", content=b"x" * (1 << 21)))
        elif index % 3 == 0:
            many = json.dumps({"puzzles": [puzzle] * 2000, "limit": 10_000}).encode()
            worst.append(lambda many=many: client.post("/check/batch", content=many))
        else:
            one = {"puzzle": puzzle, "limit": 10_000}
            worst.append(lambda one=one: client.post("/check", json=one))
    honest = Probe(str(client.base_url))
    try:
        report["flood"] = statistics(await spread(worst, 200))
    finally:
        report["beside_the_flood"] = await honest.stop()
    report["seconds_in_the_service"] = within((await client.get("/metrics")).text)
    return report


def within(metrics: str) -> dict[str, int]:
    """Number of requests that the service answered within a time in seconds, by its own clock."""
    found: Counter[str] = Counter()
    for line in metrics.splitlines():
        match = re.match(r'unidoku_request_seconds_bucket\{le="([^"]+)",path="/check.*"\} (\S+)', line)
        if match:
            found[match[1]] += int(float(match[2]))
    return {edge: found[edge] for edge in ("0.1", "1.0", "2.5", "5.0", "7.5", "10.0", "+Inf")}


class Probe:
    """Honest requests from a process of its own, because this one is busy: `probe` until it is stopped."""

    def __init__(self, url: str) -> None:
        command = [sys.executable, __file__, "--probe", url]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    async def stop(self) -> dict[str, Any]:
        """Stop it; how the requests were answered."""
        printed, _ = await asyncio.to_thread(self.process.communicate)
        report: dict[str, Any] = json.loads(printed)
        return report


def probe(url: str) -> None:
    """Check a puzzle and request the health check until standard input is closed, then print how it went.

    Each request has a connection of its own.
    """
    done = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
    report: dict[str, Any] = {"health": [], "check": []}
    with httpx.Client(
        base_url=url, timeout=60, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
    ) as client:
        while not done.wait(0.05):
            for name, results in report.items():
                begin = time.perf_counter()
                try:
                    path = "/health" if name == "health" else "/check"
                    one = None if name == "health" else {"puzzle": EASY}
                    status: Any = client.request("POST" if one else "GET", path, json=one).status_code
                except httpx.TransportError as error:
                    status = type(error).__name__
                results.append((status, time.perf_counter() - begin))
    for name, results in report.items():
        times = sorted(seconds for _, seconds in results)
        report[name] = {
            "statuses": dict(Counter(status for status, _ in results)),
            "median_seconds": round(times[len(times) // 2], 4),
            "longest_seconds": round(times[-1], 4),
        }
    print(json.dumps(report))


def _head(path: str, length: int) -> bytes:
    """The headers of a request."""
    return f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n".encode()


async def _half_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(_head("/check", 1000) + b'{"puzzle": "')
    await reader.read()


async def _half_headers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    for byte in _head("/check", 1000)[:60]:
        writer.write(bytes([byte]))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await reader.read()  # ends when the service closes the connection
                return


async def _silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def _endless_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(_head("/check", 1 << 40))
    for _ in range(1 << 10):  # at most 64 MiB
        writer.write(bytes(1 << 16))
        await writer.drain()
        await asyncio.sleep(0.01)


async def _no_reading(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    body = json.dumps({"puzzles": [EASY] * 10_000, "solutions": True}).encode()
    writer.write(_head("/check/batch", len(body)) + body)
    await writer.drain()
    await asyncio.sleep(60)


HOSTILE = {
    "half bodies": (_half_body, 300),
    "half headers": (_half_headers, 300),
    "silence": (_silence, 100),
    "endless bodies": (_endless_body, 8),
    "answers not read": (_no_reading, 8),
}


def _connected(port: int) -> socket.socket:
    """A connection with a small buffer, so that an answer that is not read soon stops the service."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
    connection.connect(("127.0.0.1", port))
    connection.setblocking(False)
    return connection


async def _keep_hostile(port: int, client: Any, end: float) -> int:
    """Keep one hostile connection open until the end, a new one whenever the service closes it."""
    closed = 0
    while time.monotonic() < end:
        try:
            async with asyncio.timeout(max(0.01, end - time.monotonic())):
                reader, writer = await asyncio.open_connection(sock=_connected(port), limit=1 << 12)
                try:
                    await client(reader, writer)
                finally:
                    writer.transport.abort()
        except TimeoutError:
            break
        except OSError:
            await asyncio.sleep(0.05)
        closed += 1
    return closed


async def hostile(port: int, seconds: float) -> dict[str, Any]:
    """Honest requests beside hundreds of hostile connections."""
    end = time.monotonic() + seconds
    kinds = {
        name: [asyncio.create_task(_keep_hostile(port, kind, end)) for _ in range(count)]
        for name, (kind, count) in HOSTILE.items()
    }
    await asyncio.sleep(min(2.0, seconds / 4))
    honest = Probe(f"http://127.0.0.1:{port}")
    await asyncio.sleep(end - time.monotonic() - 0.5)
    report = {"connections": {name: count for name, (_, count) in HOSTILE.items()}, **await honest.stop()}
    report["closed_by_the_service"] = {
        name: sum(await asyncio.gather(*tasks)) for name, tasks in kinds.items()
    }
    return report


async def main() -> int:
    """Start, load, stop."""
    parser = argparse.ArgumentParser(description="bounded load test of the service, on loopback")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=15, help="duration of the hostile connections")
    parser.add_argument("--probe", metavar="URL", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.probe:
        probe(arguments.probe)
        return 0
    port = free_port()
    service = start(port)
    url = f"http://127.0.0.1:{port}"
    try:
        # an idle connection is closed here before the server closes it (after 5 s) during a request
        limits = httpx.Limits(max_connections=250, keepalive_expiry=1)
        async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits, trust_env=False) as client:
            await ready(client)
            report = await load(client, arguments.requests)
        report["hostile"] = await hostile(port, arguments.seconds)
    finally:
        service.send_signal(signal.SIGTERM)
        code = service.wait(60)
    report["exit_code_after_sigterm"] = code
    print(json.dumps(report, indent=1))
    answered = set(report["flood"]["statuses"]) <= {200, 413, 503}
    answered &= set(report["beside_the_flood"]["health"]["statuses"]) == {"200"}
    answered &= set(report["hostile"]["health"]["statuses"]) == {"200"}
    answered &= set(report["hostile"]["check"]["statuses"]) <= {"200", "503"}
    return 0 if answered else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
