"""Rows of slow tasks are written as they are made, whatever was easy before."""

import time
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest
from example_puzzles import HARD, UNIQUE as EASY

import unidoku
from unidoku.runner.sink import Sink
from unidoku.task import Task
from unidoku.tasks.transform import Transform

LINES = [EASY] * 1000 + [HARD] * 60 + ["no puzzle"] + [EASY] * 100 + [HARD]
DEADLINE = 300


@dataclass(frozen=True)
class Clues(Task):
    """Count the clues; those of hard puzzles take long."""

    name = "clues"
    columns: ClassVar[dict[str, tuple[str, str]]] = {"clues": ("int64", "number of clues")}
    batch_size = 5000
    count_hard: object = field(default=lambda line: time.sleep(0.03), compare=False)

    def work(self, batch, need):
        """Count the clues of one puzzle after the other."""
        counts = np.count_nonzero(batch.cells, axis=1)
        for number, line in enumerate(batch.lines):
            if need.cancel:  # rows wait for it: it is asked again for fewer
                return None
            if counts[number] < 25:
                self.count_hard(int(line))
        return {"clues": counts}


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{line}\n" for line in LINES))
    return path


def expected():
    """The rows of LINES."""
    return [
        (str(number), "" if line == "no puzzle" else "30" if line == EASY else "21")
        for number, line in enumerate(LINES, 1)
    ]


def rows(path):
    """Line and clues of the rows of a file."""
    return [tuple(line.split(",")[:2]) for line in path.read_text().splitlines()[1:]]


class Rows(Sink):
    """Keeps the rows, and calls a function after each piece."""

    columns = ("line", "clues")

    def __init__(self, then=lambda sink: None):
        self.rows = []
        self.then = then

    def render(self, rows):
        """Return the rows."""
        values = zip(*(column.to_list() for column in rows.named(self.columns)), strict=True)
        return [tuple("" if value is None else str(value) for value in row) for row in values]

    def write(self, piece):
        """Keep the rows."""
        self.rows += piece
        self.then(self)


def test_batches_double_until_one_takes_long(tmp_path, monkeypatch):
    """The first ones have few puzzles; the clock goes on only while the task works."""
    now, made = [0.0], []

    class Timed(Clues):
        """Take a millisecond for a puzzle, and ten for the later ones."""

        batch_size = 500

        def work(self, batch, need):
            now[0] += len(batch) * (0.001 if sum(made) < 1000 else 0.01)
            made.append(len(batch))
            return {"clues": np.zeros(len(batch), np.int64)}

    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY}\n" * 3000)
    sink = Rows()
    with monkeypatch.context() as patch:
        patch.setattr(time, "perf_counter", lambda: now[0])
        unidoku.run(Timed(), path, sink, threads=1)
    assert made[0] == 5
    assert max(made) == 80  # the first that takes more than 50 ms
    assert made[-2] in (10, 20)  # at most 0.2 seconds
    assert len(sink.rows) == 3000


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.parquet"])
def test_the_bytes_are_those_of_a_quick_task(puzzles, tmp_path, name):
    outputs = [tmp_path / each / name for each in ("slow", "quick")]
    for output, seconds in zip(outputs, (0.015, 0.0), strict=True):
        output.parent.mkdir()
        count = Clues(lambda line, seconds=seconds: time.sleep(seconds))
        unidoku.run(count, puzzles, output, columns=["line", "clues"])
    slow, quick = (output.read_bytes() for output in outputs)
    assert slow == quick


def test_images_are_written_in_pieces(tmp_path):
    """Many images of one puzzle, in memory that their number does not change."""
    (tmp_path / "one.txt").write_text(f"{EASY}\n{HARD}\n")
    sizes = []

    class Images(Sink):
        columns = ("puzzle",)

        def render(self, rows):
            return len(rows)

        def write(self, piece):
            sizes.append(piece)

    done = unidoku.run(Transform(count=50_000, seed=1), tmp_path / "one.txt", Images())
    assert sum(sizes) == done.written == 100_000
    assert max(sizes) < 40_000
