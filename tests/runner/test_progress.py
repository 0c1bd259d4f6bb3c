"""Runs of slow tasks: progress and output."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import field
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from command import run
from example_puzzles import UNIQUE

import unidoku
from unidoku._cli.run import Display
from unidoku._columns import ColumnSpec
from unidoku._task import ResultBatch, Task
from unidoku.tasks import Convert


class Slow(Task):
    """Take a while for each puzzle, by the clock of `slow`."""

    columns: ClassVar[Mapping[str, ColumnSpec]] = {"first": ColumnSpec("uint8", "the first cell")}
    now: ClassVar[float] = 0.0
    seconds: float = field(default=2e-4, compare=False)

    def work(self, batch: Any, work: Any, cancel: Any) -> Iterator[ResultBatch]:
        Slow.now += len(batch) * self.seconds
        yield ResultBatch(batch, {"first": batch.cells[:, 0]})


@pytest.fixture
def slow(monkeypatch):
    """Slow tasks, by a clock that they move, and a look at it by a nanosecond."""

    def perf_counter() -> float:
        Slow.now += 1e-9
        return Slow.now

    monkeypatch.setattr("unidoku.runner._driver.time", SimpleNamespace(perf_counter=perf_counter))
    return Slow


ROWS = 1000


def write(path):
    if path.suffix in (".parquet", ".arrow"):
        pytest.importorskip("pyarrow")
        unidoku.run(Convert(), write(path.with_suffix(".txt")), path)
    else:
        path.write_text(f"{UNIQUE}\n" * ROWS)
    return path


@pytest.mark.parametrize("name", ["in.txt", "in.csv", "in.parquet", "in.arrow"])
def test_the_bytes_done_keep_pace_with_the_puzzles(name, tmp_path, slow):
    path = write(tmp_path / name)
    reports: list[unidoku.runner.Progress] = []
    unidoku.run(slow(), [path, path], tmp_path / "out.csv", progress=reports.append)
    assert len(reports) > 2
    assert reports[-1].done == reports[-1].total == 2 * path.stat().st_size
    for report in reports:
        assert abs(report.done / report.total - report.puzzles / (2 * ROWS)) < 0.1


def test_the_size_of_a_stream_is_not_known(slow):
    reports: list[unidoku.runner.Progress] = []
    unidoku.run(slow(), io.BytesIO(UNIQUE.encode()), progress=reports.append)
    assert {(report.total, report.puzzles) for report in reports} <= {(0, 0), (0, 1)}


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.arrow"])
def test_the_bytes_do_not_depend_on_the_time_that_the_work_takes(name, tmp_path, slow):
    if not name.endswith("csv"):
        pytest.importorskip("pyarrow")
    path, contents = tmp_path / "in.txt", set()
    path.write_text(f"{UNIQUE}\n" * 30_000)
    for seconds in (0.0, 2e-5):
        unidoku.run(slow(seconds), path, tmp_path / name)
        contents.add((tmp_path / name).read_bytes())
    assert len(contents) == 1


class Clock:
    """Stands for the clock of a display: each look at it is a second later."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize(("quiet", "count"), [(False, 3), (True, 0)])
def test_a_log_gets_a_line_each_half_a_minute(quiet, count, monkeypatch, capsys):
    """The first one not at once; with a known size it has the share and the time left."""
    monkeypatch.setattr("unidoku._cli.run.time", Clock())
    with Display(quiet=quiet) as display:
        for done in range(1, 95):
            display.progress(unidoku.runner.Progress(done, 376, 100 * done, done, 0))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == count
    if not quiet:
        assert lines[0] == "progress: 3,000 puzzles, 100 per second, 8%, 0:05:46 left"


def test_a_stream_has_no_end(monkeypatch, capsys):
    monkeypatch.setattr("unidoku._cli.run.time", Clock())
    monkeypatch.setattr(Display, "LINE", 1)
    with Display() as display:
        display.progress(unidoku.runner.Progress(9, 0, 1200, 100, 200))
    assert capsys.readouterr().err == "progress: 1,200 puzzles, 10 per second\n"


@pytest.fixture
def chatty(monkeypatch):
    """Print a line of progress whenever there may be one."""
    monkeypatch.setattr(Display, "LINE", 1e-9)
    monkeypatch.setattr(Display, "PATIENCE", 1e-9)


@pytest.mark.parametrize("command", ["check", "rate -o o.csv", "convert -o o.txt", "count", "verify"])
def test_lines_of_progress_of_commands(command, tmp_path, chatty):
    """-q silences all."""
    (tmp_path / "in.csv").write_text("puzzle,solution\n" + f"{UNIQUE},{UNIQUE}\n" * 900)
    words = [*command.split(), "in.csv"]
    assert "progress: " in run(*words, cwd=tmp_path).stderr
    assert "progress: " not in run(*words, "-q", cwd=tmp_path).stderr


def test_a_short_run_has_no_progress():
    assert "progress: " not in run("check", UNIQUE, "-o", "-").stderr


def test_progress_of_generate_counts_its_puzzles(chatty):
    errors = run("generate", "-n", 300, code=0).stderr
    assert "progress: 300 puzzles" in errors
    assert "100%, 0:00:00 left" in errors
