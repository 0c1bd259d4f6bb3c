"""From file to verdicts beside the kernel alone on the same puzzles; reading and writing by themselves.

pytest bench/test_files.py
"""

from __future__ import annotations

import threading

import pytest
from match import Pair
from puzzle_sets import few_clues
from report import Row

from unidoku import check_file, kernel
from unidoku.native.text.scan import Scanner

LINES = 5_000_000
THREADS = 2
PIECE = 25_000  # puzzles a kernel call, as in the pipeline


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A plain file of at least five million puzzles."""
    lines = few_clues()
    block = ("\n".join(lines) + "\n").encode()
    path = tmp_path_factory.mktemp("files") / "many.txt"
    with path.open("wb") as file:
        for _ in range(-(-LINES // len(lines))):
            file.write(block)
    return path


class KernelAlone:
    """The same puzzles, in memory and found beforehand."""

    def __init__(self, path, solutions=False):
        self.solutions = solutions
        self.text = path.read_bytes()
        self.scanner = Scanner()
        self.count = self.scanner.scan(self.text, 0, len(self.text))
        self.starts = self.scanner.starts
        self.counts = memoryview(bytearray(8 * self.count)).cast("Q")
        self.verdicts = memoryview(bytearray(self.count))

    def run(self):
        pieces = iter(range(0, self.count, PIECE))
        lock = threading.Lock()

        def work():
            solutions = memoryview(bytearray(81 * PIECE)) if self.solutions else None
            while True:
                with lock:
                    begin = next(pieces, None)
                if begin is None:
                    return
                part = slice(begin, begin + PIECE)
                kernel.isa_module().solve_cells(
                    self.text,
                    self.starts[part],
                    counts=self.counts[part],
                    verdicts=self.verdicts[part],
                    solutions=solutions and solutions[: 81 * len(self.verdicts[part])],
                )

        threads = [threading.Thread(target=work) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert self.verdicts.tobytes().count(1) == self.count


def test_file_to_verdict(measure, path):
    alone = KernelAlone(path)

    def whole():
        assert check_file(path, threads=THREADS).unique == alone.count

    measure(pair("file to verdict, kernel 1", "check_file", whole, alone.run, alone.count))


@pytest.mark.parametrize("form", ["txt", "csv", "jsonl"])
def test_with_output(measure, path, tmp_path, form):
    sink = tmp_path / f"o.{form}"
    sink.symlink_to("/dev/null")

    def whole():
        check_file(path, threads=THREADS, output=sink)

    def bare():
        check_file(path, threads=THREADS)

    number = KernelAlone(path).count
    measure(pair("with output, without 1", f"check_file, .{form}", whole, bare, number))


def pair(name, solver, work, beside, number):
    """A work on the puzzles of a file beside another one, on two threads that share them."""
    row = Row(name, solver, "batch", THREADS, 0, puzzles=number // THREADS)
    return Pair(row, work, beside, number, seconds=0)


def test_scan(measure, options, path):
    """Bytes of regular lines scanned."""
    with path.open("rb") as file:
        text = file.read(82 * 25_000)
    scanner = Scanner()
    assert scanner.scan(text, 0, len(text)) == 25_000
    row = Row("scan of lines", "unidoku", "batch", limit=0, puzzles=25_000)
    measure(Pair(row, lambda: scanner.scan(text, 0, len(text)), seconds=options["seconds"]))
