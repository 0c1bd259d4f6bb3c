"""Runs of slow tasks: progress and output."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import sleep
from typing import Any, ClassVar

import pytest
from example_puzzles import UNIQUE

import unidoku
from unidoku.task import ResultBatch, Task
from unidoku.tasks import Convert


@dataclass(frozen=True)
class Slow(Task):
    """Take a while for each puzzle."""

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"first": ("uint8", "the first cell")}
    seconds: float = field(default=2e-4, compare=False)

    def work(self, batch: Any, cancel: Any) -> Iterator[ResultBatch]:
        sleep(len(batch) * self.seconds)
        yield ResultBatch(batch, {"first": batch.cells[:, 0]})


ROWS = 1000


def write(path):
    if path.suffix in (".parquet", ".arrow"):
        pytest.importorskip("pyarrow")
        unidoku.run(Convert(), write(path.with_suffix(".txt")), path)
    else:
        path.write_text(f"{UNIQUE}\n" * ROWS)
    return path


@pytest.mark.parametrize("name", ["in.txt", "in.csv", "in.parquet", "in.arrow"])
def test_the_bytes_done_keep_pace_with_the_puzzles(name, tmp_path):
    path = write(tmp_path / name)
    reports: list[unidoku.Progress] = []
    unidoku.run(Slow(), [path, path], tmp_path / "out.csv", progress=reports.append)
    assert len(reports) > 2
    assert reports[-1].done == reports[-1].total == 2 * path.stat().st_size
    for report in reports:
        assert abs(report.done / report.total - report.puzzles / (2 * ROWS)) < 0.1


def test_the_size_of_a_stream_is_not_known():
    reports: list[unidoku.Progress] = []
    unidoku.run(Slow(), io.BytesIO(UNIQUE.encode()), progress=reports.append)
    assert {(report.total, report.puzzles) for report in reports} <= {(0, 0), (0, 1)}


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.arrow"])
def test_the_bytes_do_not_depend_on_the_time_that_the_work_takes(name, tmp_path):
    if not name.endswith("csv"):
        pytest.importorskip("pyarrow")
    path, contents = tmp_path / "in.txt", set()
    path.write_text(f"{UNIQUE}\n" * 30_000)
    for seconds in (0.0, 2e-5):
        unidoku.run(Slow(seconds), path, tmp_path / name)
        contents.add((tmp_path / name).read_bytes())
    assert len(contents) == 1
