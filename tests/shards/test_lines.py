"""Cutting at line ends: every line in exactly one shard, every number right."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzzing import examples
from hypothesis import HealthCheck, given, strategies as st

from unidoku.errors import InputError
from unidoku.files.storage import Identity
from unidoku.shards import lines


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
def test_every_line_belongs_to_the_shard_of_its_first_byte(tmp_path: Path, data: bytes, step: int) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    size = len(data)
    wanted = line_starts(data)
    for start in range(0, size, step):
        stop = min(size, start + step)
        mine = [at for at in wanted if start <= at < stop]
        assert lines.count_lines(identity(path, size), start, stop) == len(mine)
        first = next((at for at in wanted if at >= start), size)
        assert lines.line_start(identity(path, size), start) == first


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize("block", [1, 2, 3, 82])
def test_counting_over_block_borders(tmp_path: Path, end: bytes, block: int) -> None:
    path = tmp_path / "text"
    data = (b"." * 81 + end) * 10
    path.write_bytes(data)
    assert lines.count_lines(identity(path, len(data)), 0, len(data), block) == 10
    assert lines.line_start(identity(path, len(data)), 84, block) == 2 * (81 + len(end))


def test_a_file_that_shrank_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"x\n" * 10)
    with pytest.raises(InputError, match=r"text: ends after 20 of 40 bytes"):
        lines.count_lines(identity(path, 40), 0, 40)


def test_a_url_of_another_file_system(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe_file("/lines/text", b"ab\ncd\r\nef\rgh")
    assert lines.count_lines(identity("memory://lines/text", 13), 0, 13) == 4
    assert lines.line_start(identity("memory://lines/text", 13), 4) == 7
