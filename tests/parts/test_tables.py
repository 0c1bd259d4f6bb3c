"""Parquet and Arrow: row groups as ranges, folders of parts, single files."""

from __future__ import annotations

from pathlib import Path

import part_inputs
import pytest

from unidoku import UnidokuError, check_file

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def puzzles() -> list[str]:
    lines = part_inputs.text(2000).decode().splitlines()
    return [line for line in lines if len(line) == 81]


@pytest.fixture
def source(puzzles: list[str], tmp_path: Path) -> Path:
    path = tmp_path / "in.parquet"
    table = pa.table({"id": range(len(puzzles)), "puzzle": puzzles})
    pq.write_table(table, path, row_group_size=100)
    return path


@pytest.mark.parametrize("remote", [False, True])
def test_a_parquet_output_is_a_folder_of_parts(source, puzzles, tmp_path, remote):
    name = str(source)
    if remote:
        memory = pytest.importorskip("fsspec").filesystem("memory")
        memory.pipe_file("/tables/in.parquet", source.read_bytes())
        name = "memory://tables/in.parquet"
    output = tmp_path / "out.parquet"
    summary = check_file(name, output=output, part_bytes=20_000)
    assert summary.puzzles == len(puzzles)
    parts = sorted(output.iterdir())
    assert len(parts) > 5
    assert {part.suffix for part in parts} == {".parquet"}
    found = pq.read_table(output).to_pydict()
    assert found["puzzle"] == puzzles
    assert found["line"] == list(range(1, len(puzzles) + 1))
    assert found["id"] == list(range(len(puzzles)))
    check_file(source, output=tmp_path / "one.csv")
    verdicts = [line.split(",")[2] for line in (tmp_path / "one.csv").read_text().splitlines()[1:]]
    assert found["verdict"] == verdicts


def test_polars_and_duckdb_read_the_folder(source, puzzles, tmp_path):
    output = tmp_path / "out.parquet"
    check_file(source, output=output, part_bytes=20_000)
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(output)["puzzle"].to_list() == puzzles
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql(f"select count(*), sum(id) from '{output}/*.parquet'").fetchall()
    assert found == [(len(puzzles), sum(range(len(puzzles))))]


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_the_same_bytes_from_a_store(puzzles, tmp_path, suffix):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    source = tmp_path / "in.parquet"
    many = (puzzles * 60)[:30_000]
    pq.write_table(pa.table({"puzzle": many}), source, row_group_size=20_000, data_page_size=100_000)
    memory.pipe_file("/same/in.parquet", source.read_bytes())
    outputs = [tmp_path / f"{name}{suffix}" for name in ("here", "there")]
    for url, output in zip((source, "memory://same/in.parquet"), outputs, strict=True):
        assert check_file(url, output=output, resume=True).puzzles == 30_000
    files = [[output] if suffix == ".arrow" else sorted(output.glob("part-*.parquet")) for output in outputs]
    assert len(files[0]) == len(files[1]) > 0
    assert all(one.read_bytes() == two.read_bytes() for one, two in zip(*files, strict=True))


def test_the_progress_of_a_table_counts_its_bytes_once(source, tmp_path):
    seen = []
    check_file(source, output=tmp_path / "o.csv", part_bytes=5000, progress=seen.append)
    checked = [progress for progress in seen if not progress.phase]  # the parts are joined after that
    assert {progress.total for progress in checked} == {checked[-1].done}
    assert checked[-1].done == source.stat().st_size
    assert [progress.done for progress in checked] == sorted(progress.done for progress in checked)


@pytest.mark.parametrize("empty", ["id,puzzle\n", "id,puzzle\n\n\n"])
def test_a_folder_has_the_columns_of_the_inputs_after_one_without_records(puzzles, tmp_path, empty):
    """Readers of data sets take the columns of the first file for all."""
    for name, text in [("a", empty), ("b", f"id,puzzle\n7,{puzzles[0]}\n"), ("c", empty)]:
        (tmp_path / f"{name}.csv").write_text(text)
    inputs, output = sorted(tmp_path.glob("*.csv")), tmp_path / "out.parquet"
    for _ in range(2):  # the second run replaces the first one's parts
        check_file(inputs, output=output, part_bytes=1)
        assert pq.read_table(output)["id"].to_pylist() == ["7"]
    check_file([inputs[0], inputs[2]], output=tmp_path / "none.parquet", part_bytes=1, empty=True)
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows", ".csv", ".jsonl"])
@pytest.mark.parametrize("bad", ["a", "c"])
def test_an_input_that_fails_before_its_first_row_leaves_no_broken_file(puzzles, tmp_path, suffix, bad):
    """Of an unfinished output, what is kept is valid for its format."""
    (tmp_path / "b.csv").write_text(f"id,puzzle\n7,{puzzles[0]}\n")
    (tmp_path / f"{bad}.csv").write_text("id,other\n1,2\n")
    inputs, output = sorted(tmp_path.glob("*.csv")), tmp_path / f"out{suffix}"
    for resume in (False, True):
        with pytest.raises(UnidokuError, match=rf"{bad}\.csv"):
            check_file(inputs, output=output, part_bytes=1, resume=resume)
        kept = [*output.glob("*.parquet")] if suffix == ".parquet" else [tmp_path / f"out{suffix}.partial"]
        assert len(kept) == 1
        if suffix == ".parquet":
            assert pq.ParquetFile(kept[0]).read()["id"].to_pylist() == ["7"]
        elif suffix.startswith(".arrow"):
            opened = pa.ipc.open_stream if suffix == ".arrows" else pa.ipc.open_file
            assert opened(kept[0].read_bytes()).read_all()["id"].to_pylist() == ["7"]
        else:
            assert puzzles[0] in kept[0].read_text()
