"""From file to verdicts beside the kernel alone on the same puzzles; reading and writing by themselves.

    pytest bench/test_files.py -s

Both sides run in turn, on user CPU time of all threads, best of several, so that other work on the
machine hardly matters.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import few_clues

from unidoku import check_file, kernel
from unidoku.native.text.scan import Scanner
from unidoku.tasks.speed import alternate

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


def best(works, rounds=5):
    """The least CPU time of each work, taken in turn."""
    return alternate(works, 0, least=rounds)[:, :, 0].min(axis=0).tolist()


def test_file_to_verdict(path):
    alone = KernelAlone(path)

    def whole():
        assert check_file(path, threads=THREADS).unique == alone.count

    ours, theirs = best([whole, alone.run])
    each = 1e9 / alone.count
    print(
        f"\nfile to verdict / kernel alone, {alone.count:,} lines, {THREADS} threads: {ours / theirs:.3f}"
        f"   ({ours * each:.1f} and {theirs * each:.1f} ns a puzzle, CPU time of all threads)"
    )


@pytest.mark.parametrize("form", ["txt", "csv", "jsonl"])
def test_with_output(path, tmp_path, form):
    sink = tmp_path / f"o.{form}"
    sink.symlink_to("/dev/null")

    def whole():
        check_file(path, threads=THREADS, output=sink)

    def bare():
        check_file(path, threads=THREADS)

    ours, theirs = best([whole, bare], rounds=3)
    print(f"\nwith .{form} output / without: {ours / theirs:.2f}")


def test_scan(benchmark, path):
    """Bytes of regular lines scanned."""
    with path.open("rb") as file:
        text = file.read(82 * 25_000)
    scanner = Scanner()
    assert benchmark(lambda: scanner.scan(text, 0, len(text))) == 25_000
