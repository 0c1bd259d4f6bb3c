"""Unreadable inputs: light errors, of which the first are kept."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from typing import ClassVar

import pyarrow as pa
import pytest
from example_puzzles import SOLUTION, UNIQUE
from packing import zip_of
from pyarrow import parquet

import unidoku
from unidoku._columns import ColumnSpec
from unidoku._task import Task
from unidoku.errors import InputError, UnidokuError
from unidoku.runner._summary import MAX_MESSAGES

BINARY = b"\0\1\2" * 20_000


def archive(count: int, content: bytes = BINARY) -> bytes:
    """Return a zip archive with this many members of this content and one puzzle."""
    members = dict.fromkeys([f"{number}.txt" for number in range(count)], content)
    return zip_of({**members, "last.txt": UNIQUE}, compression=zipfile.ZIP_DEFLATED)


def test_the_first_errors_are_kept_and_all_are_counted():
    failures: list[UnidokuError] = []
    summary = unidoku.check_file(io.BytesIO(archive(25, BINARY[:3_000])), on_failure=failures.append)
    assert (summary.unique, summary.failed, len(failures)) == (1, 25, 25)
    assert summary.failures == failures[:MAX_MESSAGES]


def test_a_file_after_one_that_fails_at_its_end_has_its_own_counts(tmp_path):
    """The last records of a file and its end are one job."""
    record = json.dumps({"puzzle": UNIQUE}) + "\n"
    wide = json.dumps({"puzzle": UNIQUE, **dict.fromkeys(map(str, range(2000)), 1)})
    tmp_path.joinpath("a.jsonl").write_text(700 * record + wide)
    tmp_path.joinpath("b.jsonl").write_text(record)
    failures: list[UnidokuError] = []
    output = tmp_path / "out.csv"
    inputs = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    summary = unidoku.run(unidoku.tasks.Convert(), inputs, output, on_failure=failures.append)
    assert len(failures) == 1
    assert [counts.puzzles for counts in summary.files[1:]] == [1]


def test_the_first_wrong_answers_are_kept():
    rows = f"{UNIQUE},{SOLUTION[::-1]}\n" * (MAX_MESSAGES - 1)
    inputs = [io.BytesIO(f"puzzle,solution\n{rows}".encode()) for _ in range(2)]
    summary = unidoku.run(unidoku.tasks.Verify(), inputs)
    assert (len(summary.mismatches), summary.wrong) == (MAX_MESSAGES, 2 * MAX_MESSAGES - 2)


def test_memory_of_failing_inputs():
    """A kept traceback holds the buffers of its functions, 200 KB and more for each input."""
    content = archive(8)
    unidoku.check_file(io.BytesIO(archive(2)), on_failure=lambda _: None)  # imports and caches
    failures: list[UnidokuError] = []
    tracemalloc.start()
    summary = unidoku.check_file(io.BytesIO(content), on_failure=failures.append)
    size, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (summary.failed, len(failures)) == (8, 8)
    assert size < 2500 * 8 + (1 << 20)
    assert peak < size + (2 << 20)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("damage_first", [True, False])
def test_a_damaged_row_group_ends_its_file_and_not_the_run(tmp_path, threads, damage_first):
    """Row groups before it count, later ones do not and give no second error; other files are read."""
    path = tmp_path / "in.parquet"
    table = pa.table({"puzzle": [UNIQUE] * 5000})
    parquet.write_table(table, path, row_group_size=1000, use_dictionary=False)
    column = parquet.ParquetFile(path).metadata.row_group(2).column(0)
    data = bytearray(path.read_bytes())
    begin, size = column.data_page_offset, column.total_compressed_size
    data[begin + 2 : begin + size] = b"\xff" * (size - 2)
    path.write_bytes(data)
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n" * 3)
    inputs = [path, tmp_path / "in.txt"][:: 1 if damage_first else -1]
    errors: list[UnidokuError] = []
    output = tmp_path / "out.csv"
    summary = unidoku.check_file(inputs, output, threads=threads, on_failure=errors.append)
    assert {file.file: file.unique for file in summary.files} == {
        str(path): 2000,
        str(tmp_path / "in.txt"): 3,
    }
    assert [error.file for error in errors] == [str(path)]
    assert (summary.failed, output.exists()) == (1, False)
    assert len((tmp_path / "out.csv.partial").read_text().splitlines()) == 2004
    with pytest.raises(InputError, match=r"in\.parquet"):
        unidoku.check_file(inputs, threads=threads)


@pytest.mark.parametrize("output", [None, "out.csv", "out/"])
def test_damaged_files_without_a_suffix_in_a_folder_are_named_and_the_run_goes_on(tmp_path, output):
    """They begin as files of a format do."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.txt", "z.txt"):
        (folder / name).write_text(f"{UNIQUE}\n")
    heads = [b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\x93NUMPY", b"\x1f\x8b"]
    damaged = [head + rest for head in heads for rest in (b"", b"x" * 100, b"x" * 100 + b"PAR1")]
    for number, content in enumerate(damaged):
        (folder / f"m{number}").write_bytes(content)
    errors: list[UnidokuError] = []
    written = None if output is None else f"{tmp_path}/{output}"
    summary = unidoku.check_file(folder, written, to=output and "csv", on_failure=errors.append)
    assert (summary.unique, summary.failed) == (2, len(damaged))
    assert [error.file for error in errors] == [f"{folder}/m{number}" for number in range(len(damaged))]


class Failing(Task):
    """Fail."""

    columns: ClassVar[dict[str, ColumnSpec]] = {"clues": ColumnSpec("uint8", "")}

    def work(self, batch, work, cancel):
        raise ZeroDivisionError("no")


def test_an_error_in_work_says_where_it_happened(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"# a comment\n{UNIQUE}\nx\n{UNIQUE}\n")
    with pytest.raises(ZeroDivisionError) as error:
        unidoku.run(Failing(), path)
    assert error.value.__notes__ == [f"in task failing, {path}, lines 2 to 4"]
    with pytest.raises(ZeroDivisionError) as error:
        unidoku.run_many(Failing(), [UNIQUE] * 3)
    assert error.value.__notes__ == ["in task failing, lines 1 to 3"]


def test_a_run_is_logged(tmp_path, caplog, capfd):
    """Under one name, without a word where nobody listens."""
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n?\n")
    with caplog.at_level("INFO", "unidoku"):
        unidoku.check_file(tmp_path / "in.txt", f"{tmp_path}/out/", to="csv")
    said = [
        (record.name, record.levelname, record.getMessage().partition(", 0 inputs")[0])
        for record in caplog.records
    ]
    assert said == [
        ("unidoku", "INFO", "check: began"),
        ("unidoku", "INFO", "part-0000-000000: 2 puzzles"),
        ("unidoku", "INFO", "check: ended after 2 puzzles, 1 invalid"),
    ]
    caplog.clear()
    cancel = unidoku.Cancel()
    cancel.set()
    unidoku.check_file(tmp_path / "in.txt", cancel=cancel)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert capfd.readouterr() == ("", "")
