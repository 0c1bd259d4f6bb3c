"""Parquet and Arrow: row groups as ranges, folders of parts, single files."""

from __future__ import annotations

from pathlib import Path

import part_inputs
import pytest

from unidoku import check_file

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
