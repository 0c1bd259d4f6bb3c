"""`check_file`: counts, order, options, errors."""

import io
import random
import threading
from pathlib import Path

import living
import pytest
from counting import is_solution_of
from example_puzzles import EIGHT as MULTIPLE, NONE, UNIQUE
from line_model import Puzzle, entries
from packing import zip_of
from readback import rows_of

import unidoku
from unidoku import Cancel, Verdict, check_file
from unidoku._options import Options
from unidoku.errors import InputError
from unidoku.files._inputs import Inputs
from unidoku.runner._driver import Run
from unidoku.runner._writer import Writer, open_writer
from unidoku.tasks._check import Check


@pytest.fixture(scope="module")
def mixture():
    """Return lines of every kind and the verdict of each puzzle or bad line."""
    rng = random.Random(3)
    lines, verdicts = [], []
    for _ in range(600):
        text, verdict = rng.choice(
            [
                (UNIQUE, "unique"),
                (UNIQUE.replace(".", "0") + " # x", "unique"),
                ("  " + MULTIPLE, "multiple"),
                (NONE, "none"),
                ("bad line", "invalid"),
                ("# comment", None),
                ("", None),
            ]
        )
        lines.append(text)
        if verdict:
            verdicts.append(verdict)
    return "\n".join(lines).encode(), verdicts


def in_chunks(size, paths, output, threads):
    """Check files in chunks of one size."""

    class InChunks(Check):
        batch_size = max(1, size // 82)

    task, options = InChunks(), Options(threads=threads)
    writer = Writer() if output is None else open_writer(str(output), task, options)
    driver = Run(task, options, writer)
    return driver.process(Inputs(paths).chunks(driver.reading, lambda: driver.target), Inputs(paths).size())


def numbers(summary):
    return {str(verdict): getattr(summary, str(verdict)) for verdict in Verdict}


def test_counts_and_order(tmp_path, mixture):
    text, verdicts = mixture
    path = tmp_path / "in.txt"
    path.write_bytes(text)
    out = tmp_path / "out.txt"
    summary = in_chunks(5000, [path], out, 2)
    assert numbers(summary) == {str(verdict): verdicts.count(str(verdict)) for verdict in Verdict}
    assert (summary.puzzles, summary.threads, summary.isa) == (len(verdicts), 2, unidoku.kernel.isa())
    assert (summary.complete, summary.all_unique) == (True, False)
    assert (summary.file, summary.line) == (str(path), max(entry.line for entry in entries(text)))
    assert summary.puzzles_per_second > 0
    rows = [line.split("\t") for line in out.read_text().splitlines()]
    assert [row[1] for row in rows] == verdicts
    for puzzle, verdict, count, solution, *reasons in rows:
        assert count == {"unique": "1", "multiple": "2", "none": "0", "invalid": ""}[verdict]
        if verdict in {"unique", "multiple"}:
            assert is_solution_of(solution, puzzle)
        else:
            assert solution == ""
        if verdict == "invalid":
            assert puzzle == "bad line"
            assert reasons[0].startswith("expected a digit")


def test_output_does_not_depend_on_threads_or_cuts(tmp_path, mixture):
    path = tmp_path / "in.txt"
    path.write_bytes(mixture[0])
    outputs, forms = set(), ("csv", "jsonl", "arrow")
    for threads, size in [(1, 90), (3, 777), (2, 1 << 14), (1, 1 << 21)]:
        for form in forms:
            in_chunks(size, [path], tmp_path / f"o.{form}", threads)
        outputs.add(tuple((tmp_path / f"o.{form}").read_bytes() for form in forms))
    assert len(outputs) == 1


def test_several_inputs_one_of_them_missing(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(UNIQUE + "\n" + NONE)
    paths = [
        tmp_path / "a.txt",
        tmp_path / "gone.txt",
        tmp_path / "b.txt",
        io.BytesIO(b"oops"),
        tmp_path / "c.txt",
    ]
    with pytest.raises(InputError, match="No such file") as caught:
        check_file(paths)
    assert caught.value.summary.puzzles == 2
    paths[3] = io.BytesIO(b"oops")  # the other has been read
    failures = []
    summary = check_file(paths, on_failure=failures.append)
    assert summary.is_finished
    assert not summary.complete
    assert summary.failures == failures
    assert [error.file for error in failures] == [str(tmp_path / "gone.txt")]
    assert (summary.unique, summary.none, summary.invalid) == (3, 3, 1)
    assert summary.rejects[0].file == "<stream>"


class Collect(Writer):
    """A writer that keeps the verdicts; its action may fail or cancel."""

    columns = ("verdict",)

    def __init__(self, action=None):
        self.pieces = []
        self.action = action
        self.closed = False

    def render(self, rows):
        return bytes(rows.columns["verdict"].values), threading.get_ident()

    def write(self, piece):
        assert piece[1] != threading.get_ident()
        if self.action is not None:
            self.action(self)
        self.pieces.append(piece[0])

    def close(self):
        self.closed = True


def test_an_error_in_the_writer_ends_the_run(mixture):
    def fail(writer):
        if len(writer.pieces) == 2:
            raise InputError("No space left on device", file="o.txt")

    writer = Collect(fail)
    before = living.threads()
    with pytest.raises(InputError, match="No space left") as caught:
        check_file(io.BytesIO(mixture[0] * 20), output=writer)
    assert writer.closed
    assert living.ends(before)
    assert 0 < caught.value.summary.puzzles < 20 * len(mixture[1])


def test_cancel_leaves_a_usable_part(tmp_path, mixture):
    cancel = Cancel()
    text = mixture[0] + b"\n"

    def stop(writer):
        if len(writer.pieces) == 3:
            cancel.set()

    writer = Collect(stop)
    summary = check_file(io.BytesIO(text * 50), output=writer, cancel=cancel)
    assert not summary.complete
    count = sum(map(len, writer.pieces))
    assert count == summary.puzzles
    assert 0 < summary.puzzles < 50 * len(mixture[1])
    lines = (text * 50).splitlines(keepends=True)[: summary.line]
    records = entries(b"".join(lines))
    assert sum(isinstance(entry, Puzzle) for entry in records) == count - summary.invalid
    assert len(records) == summary.puzzles


def test_no_inputs(tmp_path):
    check_file([], tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text().startswith("line,puzzle,verdict,")
    assert len(list(tmp_path.iterdir())) == 1


def test_lines_are_numbered_across_chunks_and_inputs(tmp_path):
    """Without an output, where the reading thread does not count lines; one chunk has no record."""
    paths, places = [], []
    for name, every in (("one.txt", 7), ("two.txt", 5)):
        path = tmp_path / name
        lines = [UNIQUE if k % every else "bad" for k in range(1, 60)]
        path.write_text("# first\n" * 60 + "\n" + "\r\n".join(lines), newline="")
        paths.append(str(path))
        places += [(str(path), k + 61) for k in range(1, 60) if k % every == 0]
    summary = in_chunks(300, paths, None, 3)
    assert [(error.file, error.line) for error in summary.rejects] == places[:20]
    assert (summary.file, summary.line) == (paths[1], 120)
    assert summary.invalid == len(places)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("several", ["files", "archive", "stream"])
def test_rows_of_several_inputs_name_their_file(suffix, several, tmp_path):
    text = f"{UNIQUE}\nno\n"
    places = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    for place in places:
        Path(place).write_text(text)
    inputs, names = places, places
    if several == "archive":
        inputs = [tmp_path / "in.zip"]
        inputs[0].write_bytes(zip_of(dict.fromkeys(["a.txt", "b.txt"], text)))
        names = [f"{inputs[0]}!{name}" for name in ("a.txt", "b.txt")]
    elif several == "stream":
        inputs, names = [places[0], io.BytesIO(text.encode())], [places[0], "<stream>"]
    output, single = tmp_path / f"out.{suffix}", tmp_path / f"one.{suffix}"
    check_file(inputs, output=output)
    assert check_file(places[0], output=single).line == 2
    file_rows = [(row["file"], int(row["line"]), row["verdict"]) for row in rows_of(output)]
    kinds = [(1, "unique"), (2, "invalid")]
    assert file_rows == [(name, *kind) for name in names for kind in kinds]
    assert all("file" not in row for row in rows_of(single))
