"""The example service: limits, budgets, deadlines, and that neither a flood nor slow clients stop it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from example_puzzles import SOLUTION as SOLVED, UNIQUE

pytest.importorskip("starlette", reason="the service needs Starlette")
httpx = pytest.importorskip("httpx", reason="the service's tests need httpx")
pytest.importorskip("prometheus_client", reason="the service needs prometheus-client")

SERVICE = Path(__file__).resolve().parents[2] / "examples" / "service"
TWICE = "." + UNIQUE[1:4] + "." * 77
NEVER = "55" + "." * 79


def load(name: str) -> ModuleType:
    if not SERVICE.is_dir():
        pytest.skip("the examples are not beside the tests")
    spec = importlib.util.spec_from_file_location(f"service_{name}", SERVICE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def service() -> ModuleType:
    return load("app")


def with_client(app: Any, body: Callable[[Any], Awaitable[Any]]) -> Any:
    async def go() -> Any:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://service", timeout=60) as client:
            return await body(client)

    try:
        return asyncio.run(go())
    finally:
        app.state.service.pool.shutdown()


def post(service: ModuleType, path: str, data: Any, **limits: Any) -> Any:
    app = service.make(service.Limits(**limits))
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    return with_client(app, lambda client: client.post(path, content=content))


@pytest.mark.parametrize(
    ("puzzle", "verdict", "count"),
    [(UNIQUE, "unique", 1), (TWICE, "multiple", 2), (NEVER, "none", 0)],
)
def test_one_puzzle(service: ModuleType, puzzle: str, verdict: str, count: int) -> None:
    response = post(service, "/check", {"puzzle": puzzle, "solutions": True})
    assert response.status_code == 200
    answer = response.json()
    assert (answer["verdict"], answer["count"], answer["complete"]) == (verdict, count, verdict != "invalid")
    if verdict == "unique":
        assert answer["solution"] == SOLVED


def test_no_puzzle(service: ModuleType) -> None:
    response = post(service, "/check", {"puzzle": UNIQUE[:-1] + "!"})
    assert response.status_code == 422
    assert response.json()["verdict"] == "invalid"
    assert "!" in response.json()["reason"]


def test_batch_in_order_with_the_invalid_among_them(service: ModuleType) -> None:
    puzzles = [UNIQUE, "nonsense", TWICE, NEVER] * 200
    response = post(service, "/check/batch", {"puzzles": puzzles})
    answers = response.json()["answers"]
    assert [answer["verdict"] for answer in answers] == ["unique", "invalid", "multiple", "none"] * 200


def test_batch_as_text(service: ModuleType) -> None:
    app = service.make(service.Limits())

    async def ask(client: Any) -> Any:
        text = f"{UNIQUE}\n{TWICE}\n"
        return await client.post("/check/batch", content=text, headers={"content-type": "text/plain"})

    answers = with_client(app, ask).json()["answers"]
    assert [answer["verdict"] for answer in answers] == ["unique", "multiple"]


@pytest.mark.parametrize(
    ("path", "data", "limits", "status"),
    [
        ("/check", b"x" * 5000, {"body": 4096}, 413),
        ("/check", b"{", {}, 400),
        ("/check", b"[" * 100_000, {}, 400),
        ("/check", b"[]", {}, 400),
        ("/check", {"puzzle": 7}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": 0}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": True}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": 11}, {"limit": 10}, 400),
        ("/check", {"puzzle": UNIQUE, "budget": 101}, {"budget": 100}, 400),
        ("/check/batch", {"puzzles": [UNIQUE] * 11}, {"puzzles": 10}, 413),
        ("/check/batch", {"puzzles": UNIQUE}, {}, 400),
        ("/check/batch", {"puzzles": [1]}, {}, 400),
    ],
)
def test_refused(service: ModuleType, path: str, data: Any, limits: dict[str, int], status: int) -> None:
    response = post(service, path, data, **limits)
    assert response.status_code == status
    assert response.json()["error"]


def test_the_budget_makes_unknown_the_same_every_time(service: ModuleType) -> None:
    answers = [
        post(service, "/check", {"puzzle": "." * 81, "limit": 10_000, "budget": 50}).json() for _ in range(3)
    ]
    assert answers[0]["verdict"] in {"unknown", "multiple"}
    assert answers[0]["count"] < 10_000
    assert not answers[0]["complete"]
    assert answers.count(answers[0]) == 3


def in_pieces(pieces: list[bytes], pause: float) -> Any:
    async def stream() -> Any:
        for piece in pieces:
            yield piece
            await asyncio.sleep(pause)

    return stream()


def test_a_body_that_does_not_arrive_in_time(service: ModuleType) -> None:
    app = service.make(service.Limits(body_seconds=0.05))
    body = in_pieces([b'{"puzzle": '] * 2, 30)
    response = with_client(app, lambda client: client.post("/check", content=body))
    assert response.status_code == 408
    assert app.state.service.bodies == {}
    assert app.state.service.buffered == 0


def test_unfinished_bodies_do_not_occupy_a_worker(service: ModuleType) -> None:
    app = service.make(service.Limits(threads=1, waiting=0, body_seconds=30))

    async def ask(client: Any) -> Any:
        half = [
            asyncio.create_task(client.post("/check", content=in_pieces([b"{"] * 2, 30))) for _ in range(99)
        ]
        while len(app.state.service.bodies) < 99:
            await asyncio.sleep(0)
        response = await client.post("/check", json={"puzzle": UNIQUE})
        for task in half:
            task.cancel()
        await asyncio.gather(*half, return_exceptions=True)
        return response

    assert with_client(app, ask).json()["verdict"] == "unique"
    assert app.state.service.buffered == 0


def test_the_oldest_unfinished_body_is_dropped_when_memory_runs_out(service: ModuleType) -> None:
    app = service.make(service.Limits(body=1000, buffer=5000, body_seconds=30))

    async def ask(client: Any) -> tuple[list[Any], Any]:
        half = []
        for count in range(1, 9):
            half.append(asyncio.create_task(client.post("/check", content=in_pieces([bytes(900)] * 2, 30))))
            while app.state.service.buffered < min(900 * count, 4500):
                await asyncio.sleep(0)
        response = await client.post("/check", json={"puzzle": UNIQUE})
        closed: list[int] = []
        async with asyncio.timeout(60):
            while not 0 < len(closed) == len(half) - len(app.state.service.bodies):
                await asyncio.sleep(0)
                closed = [number for number, task in enumerate(half) if task.done()]
        for task in half:
            task.cancel()
        await asyncio.gather(*half, return_exceptions=True)
        return closed, response

    closed, response = with_client(app, ask)
    assert response.json()["verdict"] == "unique"
    assert closed == list(range(len(closed)))  # the oldest ones
    assert 1 <= len(closed) <= 4


def test_puzzles_after_the_deadline_are_unknown(service: ModuleType) -> None:
    response = post(service, "/check/batch", {"puzzles": [UNIQUE] * 3}, seconds=-1.0)
    assert (
        response.json()["answers"]
        == [{"verdict": "unknown", "count": 0, "complete": False, "reason": "out of time"}] * 3
    )


def test_a_full_queue_answers_at_once(service: ModuleType) -> None:
    app = service.make(service.Limits(threads=1, waiting=0))
    app.state.service.held = 1
    response = with_client(app, lambda client: client.post("/check", json={"puzzle": UNIQUE}))
    assert response.status_code == 503
    assert response.json()["verdict"] == "unknown"
    assert response.headers["retry-after"]


def test_health_and_metrics(service: ModuleType) -> None:
    app = service.make(service.Limits())

    async def ask(client: Any) -> tuple[Any, Any, Any]:
        await client.post("/check", json={"puzzle": UNIQUE})
        await client.get("/no/such/path")
        healthy, counters = await client.get("/health"), await client.get("/metrics")
        app.state.service.stopping = True
        return healthy, counters, await client.get("/health")

    healthy, counters, stopping = with_client(app, ask)
    assert healthy.status_code == 200
    assert healthy.json()["status"] == "ok"
    assert 'unidoku_puzzles_total{verdict="unique"} 1.0' in counters.text
    assert 'unidoku_requests_total{path="/check",status="200"} 1.0' in counters.text
    assert 'unidoku_requests_total{path="other",status="404"} 1.0' in counters.text
    assert stopping.status_code == 503


def test_every_request_of_a_flood_of_hard_puzzles_is_answered(service: ModuleType) -> None:
    hard = load("load").HARD
    app = service.make(service.Limits(waiting=8, budget=20_000))

    async def flood(client: Any) -> tuple[list[Any], Any]:
        asked = [
            client.post("/check", json={"puzzle": hard[index % len(hard)], "limit": 10_000})
            if index % 2
            else client.post("/check/batch", json={"puzzles": list(hard) * 100, "limit": 10_000})
            for index in range(120)
        ]
        answers = await asyncio.gather(*asked)
        return answers, await client.post("/check", json={"puzzle": UNIQUE})

    answers, after = with_client(app, flood)
    statuses = {answer.status_code for answer in answers}
    assert statuses == {200, 503}
    for answer in answers:
        data = answer.json()
        assert all(one["verdict"] != "invalid" for one in data.get("answers", [data]))
    assert after.json()["verdict"] == "unique"


async def hostile(tools: ModuleType, port: int, text: bytes, count: int) -> list[asyncio.Task[bytes]]:
    """Connections that have sent something and wait for the service to close them."""

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        try:
            return await reader.read()
        except ConnectionError:
            return b"reset"
        finally:
            writer.close()

    made = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    for _, writer in made:
        writer.write(text)
    return [asyncio.create_task(wait(*each)) for each in made]


def test_slow_clients_and_endless_bodies_do_not_block_others() -> None:
    pytest.importorskip("uvicorn", reason="the service needs uvicorn to run by itself")
    tools = load("load")
    port = tools.free_port()
    limits = {
        "connections": "30",
        "connection_seconds": "1",
        "body_seconds": "1",
        "threads": "1",
        "waiting": "0",
    }
    process: subprocess.Popen[bytes] = tools.start(port, **limits)

    async def ask() -> tuple[list[int], list[bytes]]:
        url = f"http://127.0.0.1:{port}"
        once = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False, limits=once) as client:
            await tools.ready(client)
            tasks = []
            statuses = []
            for text in (
                b"POST /check HTTP/1.1\r\nhost: a\r\ncontent-length: 900\r\n\r\n{",  # half a body
                b"POST /check HTTP/1.1\r\nhost: ",  # half of the headers
                b"",
                b"POST /check HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999999\r\n\r\n" + bytes(1 << 21),
            ):
                # more than there may be connections, and many more than there are places for work
                tasks += await hostile(tools, port, text, 40)
                statuses.append((await client.post("/check", json={"puzzle": UNIQUE})).status_code)
            return statuses, await asyncio.wait_for(asyncio.gather(*tasks), 60)

    try:
        statuses, closed = asyncio.run(ask())
    finally:
        process.kill()
        process.wait()
    assert statuses == [200] * 4
    assert len(closed) == 160  # each one was closed by the service
    assert {text.split(b" ")[1] for text in closed if text.startswith(b"HTTP")} <= {b"408", b"413", b"400"}


@pytest.mark.skipif(os.name == "nt", reason="no SIGTERM there")
def test_sigterm_finishes_what_has_begun() -> None:
    pytest.importorskip("uvicorn", reason="the service needs uvicorn to run by itself")
    tools = load("load")
    port = tools.free_port()
    process: subprocess.Popen[bytes] = tools.start(port)

    async def ask() -> Any:
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:
            await tools.ready(client)
            # the second puzzle takes long; the stop comes while it is at work
            data = {"puzzle": tools.HARD[1], "limit": 10_000}
            asked = asyncio.create_task(client.post("/check", json=data))
            while (await client.get("/health")).json()["held"] == 0 and not asked.done():
                await asyncio.sleep(0)
            process.send_signal(signal.SIGTERM)
            return await asked

    try:
        response = asyncio.run(ask())
        assert response.status_code == 200
        assert process.wait(60) in {0, -signal.SIGTERM}
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    with pytest.raises(httpx.TransportError):
        httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False, timeout=5)
