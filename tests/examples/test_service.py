"""The example service: answers, limits, budgets, and a graceful stop."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from example_puzzles import SOLUTION as SOLVED, UNIQUE

pytest.importorskip("starlette", reason="the service needs Starlette")
httpx = pytest.importorskip("httpx", reason="the service's tests need httpx")

SERVICE = Path(__file__).resolve().parents[2] / "examples" / "service"
TWICE = "." + UNIQUE[1:4] + "." * 77
NEVER = "55" + "." * 79


@pytest.fixture
def service() -> ModuleType:
    """Return the service, loaded anew, so that a test may change its limits."""
    if not SERVICE.is_dir():
        pytest.skip("the examples are not beside the tests")
    spec = importlib.util.spec_from_file_location("service_app", SERVICE / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def with_client(service: ModuleType, body: Callable[[Any], Awaitable[Any]]) -> Any:
    async def go() -> Any:
        transport = httpx.ASGITransport(app=service.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://service", timeout=60) as client:
            return await body(client)

    return asyncio.run(go())


def post(service: ModuleType, path: str, data: Any) -> Any:
    content = {"content": data} if isinstance(data, bytes) else {"json": data}
    return with_client(service, lambda client: client.post(path, **content))


@pytest.mark.parametrize(
    ("puzzle", "verdict", "count", "solution"),
    [(UNIQUE, "unique", 1, SOLVED), (TWICE, "multiple", 2, ...), (NEVER, "none", 0, None)],
)
def test_one_puzzle(service: ModuleType, puzzle: str, verdict: str, count: int, solution: Any) -> None:
    response = post(service, "/check", {"puzzle": puzzle, "solutions": True})
    assert response.status_code == 200
    answer = response.json()
    if solution is ...:
        solution = answer["solution"]
        assert len(solution) == 81
    assert answer == {"verdict": verdict, "count": count, "complete": True, "solution": solution}


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


@pytest.mark.parametrize(
    ("path", "data", "limits", "status"),
    [
        ("/check", b"x" * 5000, {"BODY": 4096}, 413),
        ("/check", b"{", {}, 400),
        ("/check", b"[" * 100_000, {}, 400),
        ("/check", b"[]", {}, 400),
        ("/check", {"puzzle": 7}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": 0}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": True}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": 10_001}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "budget": 101}, {"BUDGET": 100}, 400),
        ("/check/batch", {"puzzles": [UNIQUE] * 11}, {"PUZZLES": 10}, 413),
        ("/check/batch", {"puzzles": UNIQUE}, {}, 400),
        ("/check/batch", {"puzzles": [1]}, {}, 400),
    ],
)
def test_refused(
    service: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    *,
    path: str,
    data: Any,
    limits: dict[str, int],
    status: int,
) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(service, name, value)
    response = post(service, path, data)
    assert response.status_code == status
    assert response.json()["error"]


def test_the_budget_makes_unknown_the_same_every_time(service: ModuleType) -> None:
    asked = {"puzzle": "." * 81, "limit": 10_000, "budget": 500}
    answers = [post(service, "/check", asked).json() for _ in range(3)]
    assert answers[0]["verdict"] in {"unknown", "multiple"}
    assert answers[0]["count"] < 10_000
    assert not answers[0]["complete"]
    assert answers.count(answers[0]) == 3


def test_a_body_that_does_not_arrive_in_time(service: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BODY_SECONDS", 0.05)

    async def pieces() -> Any:
        for _ in range(2):
            yield b'{"puzzle": '
            await asyncio.sleep(30)

    response = with_client(service, lambda client: client.post("/check", content=pieces()))
    assert response.status_code == 408


def test_health(service: ModuleType) -> None:
    assert with_client(service, lambda client: client.get("/health")).json()["status"] == "ok"


@pytest.mark.skipif(os.name == "nt", reason="no SIGTERM there")
def test_the_server_answers_and_stops(service: ModuleType) -> None:
    pytest.importorskip("uvicorn", reason="the service needs uvicorn to run by itself")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "warning"]
    process = subprocess.Popen(command, cwd=SERVICE)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            for _ in range(600):
                try:
                    answer = client.post("/check", json={"puzzle": UNIQUE}).json()
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
        assert answer["verdict"] == "unique"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in {0, -signal.SIGTERM}
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
