"""Plans: frozen, the same every time, complete."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from example_puzzles import UNIQUE as LINE

from unidoku import CheckOptions
from unidoku.errors import InputError
from unidoku.files.storage import identify
from unidoku.shards.plan import plan_shards, target_for


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "p.txt"
    path.write_text(f"{LINE}\n" * 1000)
    return path


def test_shards_cover_every_byte_once(text: Path) -> None:
    plan = plan_shards([str(text)], 1000)
    assert [shard.start for shard in plan.shards] == list(range(0, 82_000, 1000))
    assert [shard.stop for shard in plan.shards] == [*range(1000, 82_000, 1000), 82_000]
    assert {shard.kind for shard in plan.shards} == {"bytes"}
    assert len({shard.id for shard in plan.shards}) == 82
    assert [shard.id for shard in plan.shards] == sorted(shard.id for shard in plan.shards)


def test_the_same_plan_every_time(text: Path) -> None:
    assert plan_shards([str(text)], 1000) == plan_shards([str(text)], 1000)


@pytest.mark.parametrize("change", ["content", "time", "options", "target"])
def test_another_plan_has_other_ids(text: Path, change: str) -> None:
    before = {shard.id for shard in plan_shards([str(text)], 1000).shards}
    options, target = CheckOptions(), 1000
    if change == "content":
        stamp = text.stat().st_mtime_ns
        data = bytearray(text.read_bytes())
        data[0] = ord(".")
        text.write_bytes(data)
        os.utime(text, ns=(stamp, stamp))
    elif change == "time":
        os.utime(text, ns=(1, 1))
    elif change == "options":
        options = CheckOptions(limit=3)
    else:
        target = 999
    after = {shard.id for shard in plan_shards([str(text)], target, options).shards}
    assert not before & after


def test_compressed_and_empty_files_are_whole(tmp_path: Path) -> None:
    (tmp_path / "p.txt.gz").write_bytes(gzip.compress(f"{LINE}\n".encode() * 1000))
    (tmp_path / "none.txt").write_bytes(b"")
    plan = plan_shards([str(tmp_path / "p.txt.gz"), str(tmp_path / "none.txt")], 100)
    assert [shard.kind for shard in plan.shards] == ["whole", "whole"]


def test_standard_input_and_absent_files_are_refused(text: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="standard input cannot be cut"):
        plan_shards([str(text), "-"])
    with pytest.raises(InputError, match="nothere"):
        plan_shards([str(tmp_path / "nothere")])
    with pytest.raises(InputError, match="not a plain file"):
        plan_shards([str(tmp_path)])
    with pytest.raises(ValueError, match="target_bytes"):
        plan_shards([str(text)], 0)


def test_the_shard_size_follows_the_inputs_within_bounds() -> None:
    assert target_for(0) == target_for(1 << 20) == 1 << 22
    assert target_for(1 << 30) == 1 << 25
    assert target_for(1 << 50) == 1 << 26


def test_a_file_url_is_the_file(text: Path) -> None:
    assert identify(text.as_uri()) == identify(str(text))


def test_a_url_of_another_file_system() -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/plan/p.txt", f"{LINE}\n".encode() * 10)
    first = plan_shards(["memory://plan/p.txt"], 100)
    assert [shard.start for shard in first.shards] == list(range(0, 820, 100))
    assert first == plan_shards(["memory://plan/p.txt"], 100)
    memory.pipe_file("/plan/p.txt", f"{LINE}\n".encode() * 10)
    assert first != plan_shards(["memory://plan/p.txt"], 100)  # written again later
    with pytest.raises(InputError, match="memory://plan/other"):
        plan_shards(["memory://plan/other"])
