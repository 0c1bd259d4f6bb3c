"""The driver with a thread pool: skips what is done, tries failed shards again, then reports them."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from example_puzzles import UNIQUE as LINE

from unidoku import CheckOptions
from unidoku.errors import InputError
from unidoku.files.atomic import open_folder
from unidoku.shards import lines
from unidoku.shards.driver import TRIES, Outcome, run
from unidoku.shards.executors import Workers
from unidoku.shards.manifest import COUNTS, Commit, commit_name, committed, part_name
from unidoku.shards.plan import PartFormat, Plan, Shard, plan_shards
from unidoku.shards.process import Failure


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    for name, count in (("a.txt", 100), ("b.txt", 57)):
        (tmp_path / name).write_text(f"{LINE}\n" * count)
    return plan_shards([str(tmp_path / "a.txt"), str(tmp_path / "b.txt")], 1000, format=PartFormat(".csv"))


class Work:
    """Takes the place of solving: writes parts and commit records of its own."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.first: dict[str, int | None] = {}
        self.fail: dict[str, list[Failure]] = {}
        self.delays: dict[str, list[float]] = {}
        self.lock = threading.Lock()

    def __call__(
        self, shard: Shard, options: CheckOptions, format: PartFormat, out: str, *, threads: int, delay: float
    ) -> Commit | Failure:
        with self.lock:
            self.calls[shard.id] += 1
            self.first[shard.id] = shard.first_line
            self.delays.setdefault(shard.id, []).append(delay)
            pending = self.fail.get(shard.id, [])
            failure = pending.pop(0) if pending else None
        if failure is not None:
            return failure
        name = part_name(shard.id, format.suffix)
        count = lines.count_lines(shard.source, shard.start, shard.stop)
        folder = open_folder(out)
        with folder.write(name) as stream:
            stream.write(shard.id.encode())
        counts = dict.fromkeys(COUNTS, 0) | {"puzzles": count, "unique": count}
        commit = Commit(shard.id, name, len(shard.id), count, counts)
        with folder.write(commit_name(shard.id)) as stream:
            stream.write(commit.dump())
        return commit


def drive(plan: Plan, out: Path, work: Work, workers: int = 3, width: int = 8, **more: Any) -> Outcome:
    with ThreadPoolExecutor(workers) as pool:
        return run(plan, Workers(pool, width=width, pause=0), str(out), work=work, **more)


def test_every_shard_once_with_its_line_number(plan: Plan, tmp_path: Path) -> None:
    work = Work()
    outcome = drive(plan, tmp_path / "out", work)
    assert len(outcome.commits) == len(plan.shards) == 9 + 5
    assert set(work.calls.values()) == {1}
    assert outcome.counts["puzzles"] == 157
    assert not outcome.failed
    for shard in plan.shards:
        before = lines.count_lines(shard.source, 0, shard.start) if shard.start else 0
        assert work.first[shard.id] == before + 1


def test_what_is_committed_is_skipped_and_its_lines_are_known(plan: Plan, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = Work()
    drive(plan, out, first)
    for number in (0, 4, 13):
        (out / commit_name(plan.shards[number].id)).unlink()
    (out / part_name(plan.shards[6].id, ".csv")).write_bytes(b"another size")
    again = Work()
    outcome = drive(plan, out, again)
    redone = {plan.shards[number].id for number in (0, 4, 6, 13)}
    assert set(again.calls) == redone
    assert len(outcome.earlier) == 10
    assert {key: first.first[key] for key in redone} == {key: again.first[key] for key in redone}
    assert committed(plan, open_folder(str(out))) == outcome.commits


def test_a_shard_is_tried_three_times_then_reported(plan: Plan, tmp_path: Path) -> None:
    work = Work()
    once, never, wrong = (plan.shards[number].id for number in (2, 5, 11))
    work.fail = {
        once: [Failure(InputError("lost"))],
        never: [Failure(InputError("gone"))] * 5,
        wrong: [Failure(InputError("damaged"), permanent=True)] * 5,
    }
    outcome = drive(plan, tmp_path / "out", work)
    assert work.calls[once] == 2
    assert work.calls[never] == TRIES == 3
    assert work.calls[wrong] == 1
    assert {(shard.id, failure.error.message) for shard, failure in outcome.failed} == {
        (never, "gone"),
        (wrong, "damaged"),
    }
    assert len(outcome.commits) == 12
    assert outcome.fatal is None


def test_the_pause_before_each_try(plan: Plan, tmp_path: Path) -> None:
    work = Work()
    never = plan.shards[5].id
    work.fail = {never: [Failure(InputError("gone"))] * 5}
    with ThreadPoolExecutor(1) as pool:
        run(plan, Workers(pool, pause=0.01), str(tmp_path / "out"), work=work)
    assert work.delays.pop(never) == [0, 0.01, 0.05]
    assert {each for delays in work.delays.values() for each in delays} == {0}


def test_a_full_disk_ends_the_run(plan: Plan, tmp_path: Path) -> None:
    work = Work()
    work.fail = {plan.shards[3].id: [Failure(InputError("No space left on device"), fatal=True)]}
    outcome = drive(plan, tmp_path / "out", work, workers=1, width=2)
    assert outcome.fatal is not None
    assert outcome.fatal.error.message == "No space left on device"
    assert len(work.calls) <= 6


def test_work_in_flight_is_bounded(plan: Plan, tmp_path: Path) -> None:
    class Counting(ThreadPoolExecutor):
        lock = threading.Lock()
        flying = 0
        most = 0

        def submit(self, fn: Any, /, *args: Any, **more: Any) -> Future[Any]:
            with self.lock:
                self.flying += 1
                self.most = max(self.most, self.flying)
            return super().submit(self.landing, fn, *args, **more)

        def landing(self, fn: Any, *args: Any, **more: Any) -> Any:
            try:
                return fn(*args, **more)
            finally:
                with self.lock:
                    self.flying -= 1

    with Counting(2) as pool:
        run(plan, Workers(pool, width=3), str(tmp_path / "out"), work=Work())
    assert 1 <= pool.most <= 3


def test_an_executor_that_loses_its_worker(plan: Plan, tmp_path: Path) -> None:
    class Losing(ThreadPoolExecutor):
        lost = 0

        def submit(self, fn: Any, /, *args: Any, **more: Any) -> Future[Any]:
            if Losing.lost < 4:
                Losing.lost += 1
                future: Future[Any] = Future()
                future.set_exception(RuntimeError("worker died"))
                return future
            return super().submit(fn, *args, **more)

    work = Work()
    with Losing(2) as pool:
        outcome = run(plan, pool, str(tmp_path / "out"), work=work)
    assert Losing.lost == 4
    assert not outcome.failed
    assert len(outcome.commits) == 14


def test_an_input_that_cannot_be_counted_fails_alone(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "a.txt").unlink()
    work = Work()
    outcome = drive(plan, tmp_path / "out", work)
    # its first shard needs no counting; this work counts for itself and raises
    assert len(outcome.commits) == 5
    assert len(outcome.failed) == 9
    assert all("a.txt" in str(failure.error) for _, failure in outcome.failed)


def test_interrupted_work_is_cancelled(plan: Plan, tmp_path: Path) -> None:
    def progress(outcome: Outcome) -> None:
        raise KeyboardInterrupt

    work = Work()
    with ThreadPoolExecutor(1) as pool, pytest.raises(KeyboardInterrupt):
        run(plan, pool, str(tmp_path / "out"), work=work, progress=progress)
    assert len(work.calls) < 14
