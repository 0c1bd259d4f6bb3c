"""The example service: answers, limits, budgets, clients that wait or leave, and a graceful stop."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from example_puzzles import NONE as NEVER, UNIQUE

import unidoku

pytest.importorskip("starlette", reason="the service needs Starlette")
pytest.importorskip("uvicorn", reason="the service needs uvicorn")
httpx = pytest.importorskip("httpx", reason="the service's tests need httpx")

SERVICE = Path(__file__).resolve().parents[2] / "examples" / "service"
TWICE = "." + UNIQUE[1:4] + "." * 77


@pytest.fixture
def service() -> Iterator[ModuleType]:
    """Return the service, loaded anew, so that a test may change its limits."""
    if not SERVICE.is_dir():
        pytest.skip("the examples are not beside the tests")
    spec = importlib.util.spec_from_file_location("service_app", SERVICE / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    for pool in (module.pool, module.counters):  # the last test keeps its module to the end
        pool.shutdown()
    del sys.modules[spec.name]


def with_client(service: ModuleType, body: Callable[[Any], Awaitable[Any]]) -> Any:
    async def go() -> Any:
        transport = httpx.ASGITransport(app=service.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://service", timeout=300) as client:
            return await body(client)

    return asyncio.run(go())


def post(service: ModuleType, path: str, data: Any) -> Any:
    content = {"content": data} if isinstance(data, bytes) else {"json": data}
    return with_client(service, lambda client: client.post(path, **content))


def test_one_puzzle(service):
    for puzzle, verdict, count in ((UNIQUE, "unique", 1), (TWICE, "multiple", 2), (NEVER, "none", 0)):
        response = post(service, "/check", {"puzzle": puzzle, "solutions": True})
        answer = response.json()
        assert response.status_code == 200
        assert (answer["verdict"], answer["count"], answer["complete"]) == (verdict, count, True)
        solution = unidoku.solve(puzzle)
        assert answer["solution"] == (solution and solution.line)
    response = post(service, "/check", {"puzzle": UNIQUE[:-1] + "!"})
    assert (response.status_code, response.json()["verdict"]) == (422, "invalid")
    assert "!" in response.json()["reason"]


def test_batch_in_order_with_the_invalid_among_them(service):
    puzzles = [UNIQUE, "nonsense", TWICE, NEVER] * 200
    response = post(service, "/check/batch", {"puzzles": puzzles})
    answers = response.json()["answers"]
    assert [answer["verdict"] for answer in answers] == ["unique", "invalid", "multiple", "none"] * 200


def test_refused(service):
    for path, data, limits, status in [
        ("/check", b"x" * 5000, {"BODY": 4096}, 413),
        ("/check", b"{", {}, 400),
        ("/check", b"[" * 100_000, {}, 400),
        ("/check", {"puzzle": 7}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": 0}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "solutions": "yes"}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "limit": 10_001}, {}, 400),
        ("/check", {"puzzle": UNIQUE, "budget": 101}, {"BUDGET": 100}, 400),
        ("/check/batch", {"puzzles": [UNIQUE] * 11}, {"PUZZLES": 10}, 413),
        ("/check/batch", {"puzzles": [1]}, {}, 400),
        ("/count", {"puzzle": UNIQUE, "seconds": 0}, {}, 400),
        ("/hint", {"puzzle": UNIQUE, "seconds": 11}, {}, 400),
        ("/hint", {}, {}, 400),
        ("/count", {"puzzle": [UNIQUE]}, {}, 400),
    ]:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in limits.items():
                patch.setattr(service, name, value)
            response = post(service, path, data)
        assert response.status_code == status
        assert response.json()["error"]


def test_a_body_that_does_not_arrive_in_time(service, monkeypatch):
    monkeypatch.setattr(service, "BODY_SECONDS", 0.05)

    async def pieces() -> Any:
        for _ in range(2):
            yield b'{"puzzle": '
            await asyncio.sleep(30)

    response = with_client(service, lambda client: client.post("/check", content=pieces()))
    assert response.status_code == 408


def test_a_hint(service):
    step = post(service, "/hint", {"puzzle": UNIQUE})
    assert step.status_code == 200
    assert {"technique", "rating", "sentence", "placements", "eliminations"} <= step.json().keys()
    solution = unidoku.solve(UNIQUE)
    assert solution is not None
    solved = post(service, "/hint", {"puzzle": solution.line})
    assert (solved.status_code, solved.json()) == (200, None)
    improper = post(service, "/hint", {"puzzle": "." * 81})
    assert (improper.status_code, improper.json()["verdict"]) == (422, "multiple")
    no_puzzle = post(service, "/hint", {"puzzle": "hello"})
    assert (no_puzzle.status_code, no_puzzle.json()["verdict"]) == (422, "invalid")


PATIENCE = 300.0  # seconds after which a test that waits for an event fails; no test measures a time


@contextmanager
def serving(service: ModuleType) -> Iterator[Callable[[], socket.socket]]:
    """Run the server in a thread; return a function that connects to it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        server = service.server(*address)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield lambda: socket.create_connection(address, PATIENCE)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
        assert not thread.is_alive()


BODY = json.dumps({"puzzle": UNIQUE}).encode()


def test_requests_in_progress_count(service, monkeypatch):
    monkeypatch.setattr(service, "REQUESTS", 1)
    monkeypatch.setattr(service, "BODY_SECONDS", PATIENCE)

    async def go(client: Any) -> None:
        begun, finish = asyncio.Event(), asyncio.Event()

        async def pieces() -> Any:
            begun.set()
            await finish.wait()
            yield BODY

        task = asyncio.create_task(client.post("/check", content=pieces()))
        await begun.wait()
        for path, data in (("/check", {"puzzle": UNIQUE}), ("/check/batch", {"puzzles": [UNIQUE]})):
            response = await client.post(path, json=data)
            assert response.status_code == 503
            assert response.headers["Retry-After"]
        assert (await client.get("/health")).json()["status"] == "ok"
        finish.set()
        assert (await task).status_code == 200
        assert (await client.post("/check", json={"puzzle": 7})).status_code == 400
        assert (await client.post("/check", json={"puzzle": UNIQUE})).status_code == 200

    with_client(service, go)


@pytest.mark.parametrize("path", ["/check", "/check/batch"])
def test_work_ends_when_the_client_leaves(service, monkeypatch, path):
    begun, ended = threading.Event(), threading.Event()

    def answers(puzzles: list[str], options: Any, cancel: unidoku.Cancel) -> list[dict[str, Any]]:
        begun.set()
        end = time.monotonic() + PATIENCE
        while not cancel and time.monotonic() < end:
            time.sleep(0.01)
        if cancel:
            ended.set()
        return [{"verdict": "unknown"}]

    monkeypatch.setattr(service, "answers", answers)
    body = json.dumps({"puzzles": [UNIQUE]} if path == "/check/batch" else {"puzzle": UNIQUE}).encode()
    with serving(service) as connect:
        with connect() as connection:
            connection.sendall(b"POST %s HTTP/1.1\r\nHost: service\r\n" % path.encode())
            connection.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            assert begun.wait(PATIENCE)
        assert ended.wait(PATIENCE)


@pytest.mark.skipif(os.name == "nt", reason="no SIGTERM there")
def test_the_server_answers_and_stops(service):
    command = [sys.executable, "app.py", "--port", "0"]
    process = subprocess.Popen(command, cwd=SERVICE, stderr=subprocess.PIPE, text=True)
    try:
        url = next(found[0] for line in process.stderr if (found := re.search(r"http://[\d.:]+", line)))
        answer = httpx.post(f"{url}/check", json={"puzzle": UNIQUE}, timeout=PATIENCE, trust_env=False)
        assert answer.json()["verdict"] == "unique"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) in {0, -signal.SIGTERM}
    finally:
        process.kill()
        process.communicate()


def test_counts_beyond_what_json_keeps_are_texts(service):
    assert post(service, "/count", {"puzzle": UNIQUE}).json() == {"count": 1}
    assert post(service, "/count", {"puzzle": "." * 81}).json() == {"count": "6670903752021072936960"}
    assert post(service, "/count", {"puzzle": "x"}).status_code == 422
    assert post(service, "/count", {"puzzle": 7}).status_code == 400


LONG = "........1..............2..........7.7.4.....8......5.6..............3............"  # 0.8 s


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read as on Linux")
def test_under_load(service):
    """16 clients at once; of ten requests one takes too long. All answers are right, in little memory."""
    total = 50
    puzzles = unidoku.lines(unidoku.generate(50, seed=4))
    solutions = {puzzle: unidoku.solve(puzzle).line for puzzle in puzzles}
    hints = {puzzle: unidoku.hint(puzzle).sentence for puzzle in puzzles}
    listener = socket.create_server(("127.0.0.1", 0))
    number = listener.fileno()
    run = (
        f"import app, socket; app.BODY_SECONDS = app.WORK_SECONDS = {PATIENCE};"
        f"app.server('127.0.0.1', 0).run([socket.socket(fileno={number})])"
    )
    command = [sys.executable, "-c", run]
    process = subprocess.Popen(command, cwd=SERVICE, stdout=subprocess.DEVNULL, pass_fds=[number])

    async def ask(client: Any, number: int) -> bool:
        puzzle = puzzles[number % len(puzzles)]
        kind = number % 10
        if kind == 0:
            body = {"puzzle": LONG, "seconds": 0.001}
            return (await client.post("/count", json=body)).status_code == 504
        if kind == 1:
            return (await client.post("/count", json={"puzzle": puzzle})).json() == {"count": 1}
        if kind == 2:
            response = await client.post("/check", json={"puzzle": puzzle[:40]})
            return response.status_code == 422
        if kind == 3:
            return (await client.post("/hint", json={"puzzle": puzzle})).json()["sentence"] == hints[puzzle]
        if kind < 6:
            answers = (await client.post("/check/batch", json={"puzzles": puzzles, "solutions": True})).json()
            return [answer["solution"] for answer in answers["answers"]] == [*solutions.values()]
        answer = (await client.post("/check", json={"puzzle": puzzle, "solutions": True})).json()
        return answer["solution"] == solutions[puzzle]

    async def go() -> list[bool]:
        numbers, results = iter(range(total)), list[bool]()
        url = "http://{}:{}".format(*listener.getsockname())
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as client:

            async def work() -> None:
                for number in numbers:
                    results.append(await ask(client, number))

            await asyncio.gather(*(work() for _ in range(16)))
        return results

    try:
        results = asyncio.run(go())
        status = Path(f"/proc/{process.pid}/status").read_text()
    finally:
        listener.close()
        process.kill()
        process.wait()
    assert results.count(True) == len(results) == total
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    assert peak < 80_000  # KB; 65,000, and 85,000 to 95,000 where each thread has counted


def test_each_kind_of_error_has_its_status_and_code(service):
    """Of 200 requests at once, each is stopped by its own time, refused or answered."""
    kinds = {
        "hard": ("/count", {"puzzle": LONG, "seconds": 0.01}, 504, "stopped"),
        "short": ("/count", {"puzzle": "53..7"}, 422, "wrong_length"),
        "improper": ("/hint", {"puzzle": TWICE}, 422, "several_solutions"),
        "easy": ("/count", {"puzzle": UNIQUE}, 200, None),
    }

    async def all_of_them(client: Any) -> list[Any]:
        requests = [client.post(path, json=body) for path, body, *_ in kinds.values()]
        requests += [client.post("/check", json={"puzzle": UNIQUE}) for _ in range(196)]
        return await asyncio.gather(*requests)

    service.REQUESTS = 200
    responses = with_client(service, all_of_them)
    for (_, _, status, code), response in zip(kinds.values(), responses, strict=False):
        assert (response.status_code, response.json().get("code")) == (status, code)
    assert {response.status_code for response in responses[len(kinds) :]} == {200}
