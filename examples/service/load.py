"""A bounded load test of the service on this machine: ``python load.py``.

Starts the service on a free loopback port, measures how many puzzles a second it answers in batches and
how many single requests, then floods it with the worst there is (empty grids, hard puzzles, the highest
limits, bodies too long) and looks whether every request is answered, the health check too. Prints one
JSON object; exit status 1 when something went unanswered.
"""

from __future__ import annotations

import argparse
import asyncio
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
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(port: int) -> subprocess.Popen[bytes]:
    """The service as a process of its own."""
    environment = {**os.environ, "UNIDOKU_SERVICE_PORT": str(port)}
    return subprocess.Popen([sys.executable, str(HERE / "app.py")], env=environment)


async def ready(client: httpx.AsyncClient) -> None:
    """Wait until it answers."""
    for _ in range(300):
        try:
            if (await client.get("/health")).status_code == 200:
                return
        except httpx.TransportError:
            await asyncio.sleep(0.1)
    raise SystemExit("the service did not start")


async def spread(jobs: list[Any], width: int) -> list[tuple[Any, float]]:
    """Do jobs, so many at a time; their results and seconds."""
    room = asyncio.Semaphore(width)

    async def one(job: Any) -> tuple[Any, float]:
        async with room:
            begin = time.perf_counter()
            result = await job()
            return result, time.perf_counter() - begin

    return list(await asyncio.gather(*(one(job) for job in jobs)))


def tell(results: list[tuple[httpx.Response, float]]) -> dict[str, Any]:
    """Statuses, verdicts and times of some answers."""
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
    """The three phases."""
    report: dict[str, Any] = {}

    batch = json.dumps({"puzzles": [EASY] * 5000}).encode()
    begin = time.perf_counter()
    results = await spread([lambda: client.post("/check/batch", content=batch)] * 20, 4)
    report["batches"] = tell(results)
    report["batches"]["puzzles_per_second"] = round(20 * 5000 / (time.perf_counter() - begin))

    one = {"puzzle": EASY}
    begin = time.perf_counter()
    results = await spread([lambda: client.post("/check", json=one)] * requests, 16)
    report["singles"] = tell(results)
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
    # The health check is asked from a process of its own: this one is busy with the flood.
    probe = subprocess.Popen(
        [sys.executable, __file__, "--probe", str(client.base_url)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        report["flood"] = tell(await spread(worst, 200))
    finally:
        told, _ = await asyncio.to_thread(probe.communicate)
    report["health_in_flood"] = json.loads(told)
    report["seconds_in_the_service"] = within((await client.get("/metrics")).text)
    return report


def within(metrics: str) -> dict[str, int]:
    """How many requests the service answered within how many seconds, by its own clock."""
    found: Counter[str] = Counter()
    for line in metrics.splitlines():
        match = re.match(r'unidoku_request_seconds_bucket\{le="([^"]+)",path="/check.*"\} (\S+)', line)
        if match:
            found[match[1]] += int(float(match[2]))
    return {edge: found[edge] for edge in ("0.1", "1.0", "2.5", "5.0", "7.5", "10.0", "+Inf")}


def probe(url: str) -> None:
    """Ask for the service's health every tenth of a second until standard input is closed."""
    done = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
    statuses: Counter[int] = Counter()
    times = []
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
        while not done.wait(0.1):
            begin = time.perf_counter()
            statuses[client.get("/health").status_code] += 1
            times.append(time.perf_counter() - begin)
    times.sort()
    report = {
        "statuses": statuses,
        "median_seconds": round(times[len(times) // 2], 4),
        "longest_seconds": round(times[-1], 4),
    }
    print(json.dumps(report))


async def main() -> int:
    """Start, load, stop."""
    parser = argparse.ArgumentParser(description="bounded load test of the service, on loopback")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--probe", metavar="URL", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.probe:
        probe(arguments.probe)
        return 0
    requests = arguments.requests
    port = free_port()
    service = start(port)
    try:
        # an idle connection is given up before the server (after 5 s) closes it under a request
        limits = httpx.Limits(max_connections=250, keepalive_expiry=1)
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=60, limits=limits, trust_env=False
        ) as client:
            await ready(client)
            report = await load(client, requests)
    finally:
        service.send_signal(signal.SIGTERM)
        code = service.wait(60)
    report["exit_status_after_sigterm"] = code
    print(json.dumps(report, indent=1))
    answered = set(report["flood"]["statuses"]) <= {200, 413, 503}
    return 0 if answered and set(report["health_in_flood"]["statuses"]) == {"200"} else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
