"""Outputs that are inputs, under any name, are refused before anything is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from example_puzzles import UNIQUE

from unidoku import check_file, split_file
from unidoku.errors import OutputError
from unidoku.files.output import refuse_outputs

TEXT = f"{UNIQUE}\n" * 3


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "t.txt"
    path.write_text(TEXT)
    return path


def other_names(source: Path) -> list[str]:
    """Other names of one file: relative, through links, as URLs."""
    folder = source.parent
    (folder / "sub").mkdir()
    (folder / "symbolic.txt").symlink_to(source)
    (folder / "around").symlink_to(folder, target_is_directory=True)
    os.link(source, folder / "hard.txt")
    return [
        str(source),
        str(folder / "sub" / ".." / "t.txt"),
        str(folder / "symbolic.txt"),
        str(folder / "around" / "t.txt"),
        str(folder / "hard.txt"),
        source.as_uri(),
        source.as_uri().replace("file:///", "FILE://localhost/"),
        source.as_uri().replace("file:", "local:"),
    ]


def test_an_input_given_by_another_name(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    for name in other_names(source):
        with pytest.raises(OutputError, match="is an input; this run would overwrite it"):
            check_file(source, output=name)
        with pytest.raises(OutputError, match="is an input; this run would overwrite it"):
            check_file(name, output=source)
        assert source.read_text() == TEXT


def test_urls_are_compared_normalised() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(OutputError, match="is an input"):
        refuse_outputs(["memory://a/b/../t.txt"], ["memory://a/t.txt"])
    refuse_outputs(["memory://a/bc/t.txt"], ["memory://a/t.txt"])


def test_an_input_in_a_folder_that_the_run_writes(source: Path) -> None:
    with pytest.raises(OutputError, match=r"the input .*/t\.txt lies in this folder"):
        refuse_outputs([source], folder=str(source.parent / "sub" / ".."))


def test_two_outputs_in_one_file(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to(tmp_path / "s.txt")
    for name in ("s.txt", "./s.txt", "link.txt"):
        with pytest.raises(OutputError, match="is written twice"):
            split_file(source, [tmp_path / "s.txt", f"{tmp_path}/{name}"])
        assert not (tmp_path / "s.txt").exists()


def test_names_that_end_alike_after_colons_are_different_files(source: Path, tmp_path: Path) -> None:
    source.rename(tmp_path / "a::t.txt")
    check_file(tmp_path / "a::t.txt", tmp_path / "b::t.txt")
    assert (tmp_path / "b::t.txt").read_text().count("unique") == 3
    assert (tmp_path / "a::t.txt").read_text() == TEXT
    split_file(tmp_path / "a::t.txt", [tmp_path / "c::s.txt", tmp_path / "d::s.txt"])


def test_devices_and_pipes_may_be_both(source: Path) -> None:
    refuse_outputs(["/dev/null"], ["/dev/null"])


@pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell")
def test_standard_streams_that_are_files(source: Path) -> None:
    python = f"{sys.executable} -m unidoku"
    for command in (f"{python} convert - -o t.txt < t.txt", f"{python} convert t.txt >> t.txt"):
        done = subprocess.run(
            command, shell=True, check=False, capture_output=True, text=True, cwd=source.parent
        )
        assert done.returncode == 2, command
        assert "is an input" in done.stderr
        assert source.read_text() == TEXT
