"""Inputs and outputs in another file system."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import fsspec
import pytest
from example_puzzles import UNIQUE
from readback import contents

import unidoku
from unidoku.errors import MissingExtraError, OutputError, UnidokuError


@pytest.fixture
def memory() -> Any:
    """Return an empty file system in memory."""
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    return filesystem


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text(f"{UNIQUE}\n" * 100)
    return path


def test_a_folder_of_parts_is_on_a_disk_or_in_a_store(memory: Any, source: Path, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    for resume in (False, True):
        summary = unidoku.check_file(source, (tmp_path / "here").as_uri(), to="csv", resume=resume)
        assert (summary.puzzles, summary.earlier) == (100, 100 * resume)
        summary = unidoku.check_file(source, "memory://there/deep/", to="csv", resume=resume)
        assert (summary.puzzles, summary.earlier) == (100, 100 * resume)
    assert len(contents(tmp_path / "here")) == 3
    part = "part-0000-000000.csv"
    assert memory.cat_file(f"/there/deep/{part}") == (tmp_path / "here" / part).read_bytes()
    assert len(memory.find("/")) == 3


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nosuchscheme://a/b", "nosuchscheme"),
        ("ftp://localhost:1/a.txt", "Connection refused"),
        ("zip://a.txt::/nothere.zip", "No such file or directory"),
    ],
)
def test_a_store_that_cannot_be_opened_is_named(url: str, message: str, source: Path) -> None:
    for names in ([url], [source, url]):
        with pytest.raises(UnidokuError, match=f"^{url}: .*{message}"):
            unidoku.check_file(*names, to="csv")


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtraError, match=r"^memory://a/b: URLs need .*unidoku\[remote\]"):
        unidoku.check_file("memory://a/b")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RuntimeError("refused"), "refused"),  # as botocore's own errors
        (PermissionError("Access Denied"), "Access Denied"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (NotImplementedError(), "this kind of storage is read-only"),  # of web servers
    ],
)
def test_errors_of_a_store_have_the_url(
    memory: Any, source: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(type(memory), "open", refuse)
    with pytest.raises(OutputError, match=f"^memory://store/o.csv: cannot write: {message}"):
        unidoku.check_file(source, "memory://store/o.csv")


def test_no_unfinished_file_is_proposed_for_one_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "verdicts.csv.0123abcd.partial").touch()
    (tmp_path / "verdict.csv").touch()
    with pytest.raises(UnidokuError, match=r"did you mean \S*verdict\.csv\?$"):
        unidoku.check_file(tmp_path / "verdicts")
