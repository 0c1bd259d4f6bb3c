"""Folders, patterns and archives as inputs."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest
from example_puzzles import UNIQUE as A
from packing import tar_of, zip_of

import unidoku
from unidoku.errors import InputError
from unidoku.files._inputs import Inputs, is_archive
from unidoku.tasks import Convert

B = "54.263...7.1...4....2.......9..2..6.31.4.8.92.5..7..1.......8....4...2.3...794.51"
READABLE = ("a.txt", "c.jsonl.gz", "e.json", "deep/b.csv")  # in the order of a folder
FILES = {
    "a.txt": f"{A}\n".encode(),
    "deep/b.csv": f"id,puzzle\n7,{B}\n".encode(),
    "c.jsonl.gz": gzip.compress(f'{{"puzzle": "{A}"}}\n'.encode()),
    "README.md": b"words\n",
    ".hidden.txt": f"{A}\n".encode(),
    "_temporary/d.txt": f"{A}\n".encode(),
    "e.json": json.dumps([{"puzzle": B}], indent=1).encode(),
    "plan.json": b"{}\n",
}
MEMBERS = ("a.txt", "deep/b.csv", "c.jsonl.gz", "e.json")  # in the order of an archive


def folder(path: Path) -> Path:
    for name, content in FILES.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def zipped(**options: object) -> bytes:
    return zip_of({"deep/": b"", **FILES}, **options)


def tarred(mode: str = "w", kind: int = tarfile.PAX_FORMAT) -> bytes:
    return tar_of({f"./{name}": content for name, content in FILES.items()}, mode, kind, "link.txt")


def puzzle_counts(names: Any, **options: Any) -> list[tuple[str, int]]:
    """Check inputs; return the name of each file with its number of puzzles."""
    return [
        (file.file.replace("!./", "!"), file.puzzles) for file in unidoku.check_file(names, **options).files
    ]


def check_inputs(path: Path) -> tuple[unidoku.Summary, list[str]]:
    """Check inputs; return the summary and the messages of failures."""
    failures: list[unidoku.UnidokuError] = []
    summary = unidoku.check_file(path, on_failure=failures.append)
    return summary, [str(error) for error in failures]


def test_folder(tmp_path: Path) -> None:
    counts = [(str(tmp_path / name), 1) for name in READABLE]
    assert puzzle_counts(folder(tmp_path)) == puzzle_counts(tmp_path.as_uri()) == counts


def test_numbers_in_the_names_of_a_folder_count_by_value(tmp_path: Path) -> None:
    for number in (10, 9):
        (tmp_path / f"n{number}").write_text(A)
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}" / "a").write_text(A)
    assert [*Inputs(tmp_path)] == [f"{tmp_path}/{name}" for name in ("n9", "n10", "d9/a", "d10/a")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_a_folder_or_of_a_pattern_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(A)
    os.mkfifo(tmp_path / "b.txt")
    assert puzzle_counts(tmp_path) == [(str(tmp_path / "a.txt"), 1)]
    assert [*Inputs(f"{tmp_path}/*.txt")] == [str(tmp_path / "a.txt")]


def test_patterns(tmp_path: Path) -> None:
    path = folder(tmp_path)
    assert [*Inputs([f"{path}/d??p", f"{path}/[a]*"])] == [f"{path}/deep/b.csv", f"{path}/a.txt"]
    assert [*Inputs(f"{path}/**/*.csv")] == [f"{path}/deep/b.csv"]
    assert [*Inputs(f"{path}/README.*")] == [f"{path}/README.md"], "whatever its suffix"
    (path / "odd[1].txt").write_text(A)
    assert [*Inputs(f"{path}/odd[1].txt")] == [f"{path}/odd[1].txt"], "a file of that name comes first"
    for number in (10, 9):
        (path / "deep" / f"n{number}").write_text(A)
    names = [f"{path}/deep/n9", f"{path}/deep/n10"]
    assert [*Inputs(f"{path}/deep/n*")] == names, "numbers by value"
    assert [*Inputs(f"{path}/deep")] == [f"{path}/deep/b.csv", *names]


def test_urls() -> None:
    fs = fsspec.filesystem("memory")
    fs.pipe({f"/bucket/{name}": content for name, content in FILES.items()})
    names = [f"memory:///bucket/{name}" for name in READABLE]
    try:
        assert [*Inputs("memory://bucket/*.txt")] == names[:1]
        assert puzzle_counts("memory://bucket/") == [(name, 1) for name in names]
        fs.pipe_file("/bucket/all.zip", zipped())
        assert puzzle_counts("memory://bucket/all.zip")[0] == ("memory://bucket/all.zip!a.txt", 1)
    finally:
        fs.rm("/bucket", recursive=True)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no*.txt", "no file matches this pattern"),
        ("empty", "has no file in a known format"),
        ("no.zip", "the zip archive has no file in a known format"),
    ],
)
def test_inputs_that_match_no_file(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "no.zip").write_bytes(zip_of({"a.pdf": A}))
    path = str(tmp_path / name)
    assert [*Inputs(path)] == [path]
    with pytest.raises(InputError, match=message) as caught:
        unidoku.check_file(path)
    assert caught.value.file == path


ARCHIVES = {
    "stored.zip": zipped,
    "deflated.zip": lambda: zipped(compression=zipfile.ZIP_DEFLATED),
    "bz2.zip": lambda: zipped(compression=zipfile.ZIP_BZIP2),
    "lzma.zip": lambda: zipped(compression=zipfile.ZIP_LZMA),
    "plain.tar": tarred,
    "gnu.tar.gz": lambda: tarred("w:gz", tarfile.GNU_FORMAT),
    "ustar.tar.bz2": lambda: tarred("w:bz2", tarfile.USTAR_FORMAT),
    "pax.tar.xz": lambda: tarred("w:xz"),
    "by content": lambda: tarred("w:gz"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(ARCHIVES[name]())
    assert is_archive(path)
    members = [(f"{path}!{member}", 1) for member in MEMBERS]
    assert puzzle_counts([path, path]) == members * 2
    unidoku.run(Convert(), path, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == f"{A}\n{B}\n{A}\n{B}\n"
    if "zip" not in name:
        assert puzzle_counts(Stream(path.read_bytes())) == [(f"<stream>!{member}", 1) for member in MEMBERS]


class Stream(io.BytesIO):
    """A pipe."""

    def seekable(self) -> bool:
        return False


def test_zip_from_a_stream() -> None:
    with pytest.raises(InputError, match="from a stream"):
        puzzle_counts(Stream(zipped()))


def test_damaged_member_and_the_ones_after_it(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    data = bytearray(zipped())
    place = data.index(A.encode())
    data[place] ^= 1
    path.write_bytes(data)
    summary, failures = check_inputs(path)
    assert failures == [f"{path}!a.txt: zip: Bad CRC-32 for file 'a.txt'"]
    assert [file.puzzles for file in summary.files] == [0, 1, 1, 1]
    unidoku.run(Convert(), path, tmp_path / "out.txt", on_failure=print)
    assert (tmp_path / "out.txt.partial").read_text() == f"{B}\n{A}\n{B}\n"


@pytest.mark.parametrize("cut", [300, 600, 1200, 2000])
def test_tar_that_ends_early(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(tarred(kind=tarfile.USTAR_FORMAT)[:cut])
    with pytest.raises(InputError, match=r"ends early|damaged|expected") as caught:
        puzzle_counts(path)
    assert str(path) in str(caught.value)


def test_damaged_tar_header_is_not_the_end(tmp_path: Path) -> None:
    data = bytearray(tarred(kind=tarfile.USTAR_FORMAT))
    data[1024 + 20] ^= 1  # of the second member
    (tmp_path / "a.tar").write_bytes(data)
    with pytest.raises(InputError, match=r"a\.tar: damaged tar archive \(bad checksum\)"):
        puzzle_counts(tmp_path / "a.tar")


def test_text_before_damage_in_a_compressed_tar_is_read(tmp_path: Path) -> None:
    whole = tar_of({"a.txt": f"{A}\n".encode() * 1000})
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(whole, 0)[:70_000])
    summary, failures = check_inputs(tmp_path / "a.tar.gz")
    assert 500 < summary.puzzles < 850
    assert failures


@pytest.mark.parametrize("output", [None, "out.csv", "out/"])
@pytest.mark.parametrize("place", ["folder/", "outer.zip!", "outer.tar!"])
def test_an_archive_in_a_folder_or_an_archive_is_skipped_with_a_note(
    tmp_path: Path, place: str, output: str | None
) -> None:
    inner = {"inner.tar.gz": tarred("w:gz"), "inner.zip": zipped(), "no-suffix": tarred()}
    content = {"1.txt": A.encode(), **inner, "z.txt": A.encode()}
    (tmp_path / "outer.zip").write_bytes(zip_of(content))
    (tmp_path / "outer.tar").write_bytes(tar_of(content))
    (tmp_path / "folder").mkdir()
    for name, data in content.items():
        (tmp_path / "folder" / name).write_bytes(data)
    path, target = f"{tmp_path}/{place}", output and f"{tmp_path}/{output}"
    summary = unidoku.check_file(path.removesuffix("!"), target, to=output and "csv")
    assert (summary.unique, summary.complete) == (2, True)
    assert [file.file for file in summary.files] == [f"{path}1.txt", f"{path}z.txt"]
    note = "an archive inside a folder or an archive is skipped; unpack it, or name it as an input"
    assert [*map(str, summary.notes)] == [f"{path}{name}: {note}" for name in inner]
    if place == "folder/":
        named = unidoku.check_file([f"{path}{name}" for name in inner])
        assert (named.unique, named.notes) == (3 * len(MEMBERS), [])


@pytest.mark.parametrize(("suffix", "pack"), [("zip", zip_of), ("tar", tar_of)])
def test_a_member_outside_its_archive_is_skipped_with_a_note(
    tmp_path: Path, suffix: str, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(pack({"../1.txt": A.encode(), "a..b/2.txt": A.encode(), "b/../../3.txt": A.encode()}))
    summary = unidoku.check_file(path)
    note = "a member with .. in its path is skipped; unpack the archive to read it"
    assert [*map(str, summary.notes)] == [f"{path}!{name}: {note}" for name in ("../1.txt", "b/../../3.txt")]
    assert [file.file for file in summary.files] == [f"{path}!a..b/2.txt"]


def test_archives_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members = {f"{number}.txt.gz": gzip.compress(b"\n" * (1 << 18)) for number in range(20)}
    for path, data in ((tmp_path / "a.zip", zip_of(members)), (tmp_path / "a.tar", tar_of(members))):
        path.write_bytes(data)
        assert len(puzzle_counts(path, empty=True)) == 20
        with monkeypatch.context() as patch:
            patch.setattr("unidoku.files._source.FREE", 10 << 18)
            patch.setattr("unidoku.files._source.RATIO", 100)
            with pytest.raises(InputError, match="100 times its size"):
                puzzle_counts(path)


def test_a_text_stream_is_refused() -> None:
    with pytest.raises(InputError, match="<stream>: expected a file opened in binary mode, found text"):
        unidoku.check_file(io.StringIO(A))  # type: ignore[arg-type]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="this system has no names for open pipes")
@pytest.mark.parametrize(
    "name", ["a.csv", "a.csv.gz", "a.tar", "a.tar.gz", "a.arrow", "a.arrows", "a.parquet"]
)
def test_a_pipe_with_a_name_is_read_once(tmp_path, name):
    """As from `<(…)` of a shell or `mkfifo`: a second opening would lose the bytes already read."""
    table, path, output = f"puzzle,id\n{A},1\n{B},2\n".encode(), tmp_path / name, tmp_path / "out.csv"
    if ".tar" in name:
        path.write_bytes(tar_of({"a.csv": table}, "w:gz" if name.endswith("gz") else "w"))
    else:
        unidoku.run(Convert(), io.BytesIO(table), path)
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb"):
        with os.fdopen(writing, "wb") as file:
            file.write(path.read_bytes())
        unidoku.check_file(f"/dev/fd/{reading}", output, columns=["id", "verdict"])
    assert output.read_text() == "id,verdict\n1,unique\n2,unique\n"


def test_a_file_of_a_folder_that_nothing_names_has_its_first_puzzle_at_once(tmp_path):
    """Other files without a suffix are not read on, and those without a size, as in /proc, not at all."""
    (tmp_path / "a.txt").write_text(f"{A}\nno puzzle\n")
    (tmp_path / "puzzles").write_text(f"{A}\nno puzzle\n")
    (tmp_path / "text").write_text("no puzzle\n" * 10_000 + f"{A}\n")
    (tmp_path / "program").write_bytes(b"\x7fELF" + b"\0\1\2" * 2000)
    (tmp_path / "empty").write_text("")
    for link, target in (("nothing", "nowhere"), ("itself", "itself"), ("zeros", "/dev/zero")):
        (tmp_path / link).symlink_to(target)
    summary = unidoku.check_file(tmp_path)
    assert (summary.puzzles, summary.invalid) == (4, 2)
    assert [note.file for note in summary.notes] == [str(tmp_path / name) for name in ("program", "text")]
    assert [file.file for file in summary.files] == [str(tmp_path / "a.txt"), str(tmp_path / "puzzles")]
    assert unidoku.check_file(tmp_path / "text").invalid == 10_000
    (tmp_path / "program").unlink()
    assert unidoku.check_file(tmp_path, format="lines").puzzles == 10_005
    (tmp_path / "itself.txt").symlink_to("itself.txt")
    with pytest.raises(unidoku.InputError, match="itself"):
        unidoku.check_file(tmp_path)
