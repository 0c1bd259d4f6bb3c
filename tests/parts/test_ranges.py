"""Ranges: every line in exactly one, every number right; the same ranges every time."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import part_inputs
import pytest
from fuzzing import examples
from hypothesis import HealthCheck, given, strategies as st

from unidoku.errors import InputError
from unidoku.files.source import PUZZLE_BYTES
from unidoku.files.storage import Identity
from unidoku.options import Options
from unidoku.run.part import count_lines, default_size, line_start, ranges_of


def plan_of(source: Path | list[Path], output: Path, **options: Any) -> dict[str, Any]:
    """The plan that a stopped run left."""
    part_inputs.stopped(source, output, 1, **options)
    found = json.loads(Path(f"{output}.parts", part_inputs.PLAN).read_text())
    assert isinstance(found, dict)
    return found


def test_ranges_cover_every_byte_once(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text((f"{part_inputs.SOLVED}\n") * 1000)
    plan = plan_of(path, tmp_path / "o.csv", part_bytes=1000)
    assert plan["part_bytes"] == 1000
    assert [cut[1:4] for cut in plan["ranges"]] == [
        ["bytes", start, min(start + 1000, 82_000)] for start in range(0, 82_000, 1000)
    ]
    assert plan == plan_of(path, tmp_path / "p.csv", part_bytes=1000)


def test_row_groups_are_ranges(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"puzzle": [part_inputs.SOLVED] * 2050}), path, row_group_size=100)
    cuts = [cut[1:] for cut in plan_of(path, tmp_path / "o.csv", part_bytes=500)["ranges"]]
    assert len(cuts) > 5
    assert [cut[0] for cut in cuts] == ["rows"] * len(cuts)
    assert [cut[1] for cut in cuts] == [0, *(cut[2] for cut in cuts[:-1])]
    assert cuts[-1][2] == 21
    assert [cut[6] for cut in cuts] == [1 + 100 * cut[1] for cut in cuts]


def test_compressed_files_are_whole(tmp_path):
    path = tmp_path / "in.txt.gz"
    path.write_bytes(gzip.compress(f"{part_inputs.SOLVED}\n".encode() * 1000))
    more = tmp_path / "more.txt"  # made after it, so that the run is not complete
    more.write_text(part_inputs.SOLVED)
    ranges = plan_of([path, more], tmp_path / "o.csv", part_bytes=100)["ranges"]
    assert [cut[1:4] for cut in ranges] == [["whole", 0, path.stat().st_size], ["bytes", 0, 81]]


@pytest.mark.parametrize(
    ("size", "wanted"), [(82, 1 << 22), (1 << 27, 1 << 22), (1 << 30, 1 << 25), (1 << 36, 1 << 26)]
)
def test_the_size_of_parts_follows_the_inputs_within_bounds(size, wanted):
    inputs = [range(size // 82)]
    part_bytes = default_size(inputs)
    assert wanted - 82 <= part_bytes <= wanted
    assert ranges_of(inputs, part_bytes, Options(), list.append)[-1].stop == size // 82


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (0, 1000), (50, 1050), (7, 7)])
@pytest.mark.parametrize("part_bytes", [1, 82, 1000, 82 * 999, 1 << 30])
def test_every_attempt_is_in_one_range(start, stop, part_bytes):
    ranges = ranges_of([range(start, stop)], part_bytes, Options(), list.append)
    numbers = [number for cut in ranges for number in range(cut.start, cut.stop)]
    assert numbers == list(range(start, stop))
    most = max(1, part_bytes // PUZZLE_BYTES)
    assert [cut.stop - cut.start for cut in ranges[:-1]] == [most] * (len(ranges) - 1)
    assert [cut.size for cut in ranges] == [82 * (cut.stop - cut.start) for cut in ranges]


def identity(path: object, size: int) -> Identity:
    return Identity(str(path), str(path), size, "", "")


def line_starts(data: bytes) -> list[int]:
    """Positions of the lines, by Python's rules for LF, CR LF and CR."""
    found, at = [], 0
    for line in data.splitlines(keepends=True):
        found.append(at)
        at += len(line)
    return found


pieces = st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"a", b"bc", b"def" * 5]), max_size=30).map(
    b"".join
)


@given(pieces, st.integers(1, 12))
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_line_belongs_to_the_range_of_its_first_byte(tmp_path, data, step):
    path = tmp_path / "text"
    path.write_bytes(data)
    size = len(data)
    wanted = line_starts(data)
    for start in range(0, size, step):
        stop = min(size, start + step)
        mine = [at for at in wanted if start <= at < stop]
        assert count_lines(identity(path, size), start, stop) == len(mine)
        first = next((at for at in wanted if at >= start), size)
        assert line_start(identity(path, size), start) == first


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize("block", [1, 2, 3, 82])
def test_counting_over_block_borders(tmp_path, end, block):
    path = tmp_path / "text"
    data = (b"." * 81 + end) * 10
    path.write_bytes(data)
    assert count_lines(identity(path, len(data)), 0, len(data), block) == 10
    assert line_start(identity(path, len(data)), 84, block) == 2 * (81 + len(end))


def test_a_file_that_shrank_is_named(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"x\n" * 10)
    with pytest.raises(InputError, match=r"text: ends after 20 of 40 bytes"):
        count_lines(identity(path, 40), 0, 40)


def test_a_url_of_another_file_system(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe_file("/lines/text", b"ab\ncd\r\nef\rgh")
    assert count_lines(identity("memory://lines/text", 12), 0, 12) == 4
    assert line_start(identity("memory://lines/text", 12), 4) == 7
