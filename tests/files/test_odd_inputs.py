"""Inputs of odd kinds: objects that can only be read, bytes as names, damaged and hostile content."""

import gzip
import io
import json
import os

import numpy as np
import pytest
from command import run_process
from example_puzzles import UNIQUE

import unidoku
from unidoku.errors import FormatError, InputError, InvalidPuzzleError, OutputError
from unidoku.files import _opensudoku as opensudoku
from unidoku.tasks import Convert


class Readable:
    """A file with nothing but `read`."""

    def __init__(self, content, kind=bytes):
        self.stream, self.kind = io.BytesIO(content), kind

    def read(self, size=-1):
        piece = self.stream.read(size)
        return piece if self.kind is bytes else piece.decode()


def test_objects_that_can_only_be_read():
    text = f"{UNIQUE}\n".encode() * 2000
    for content in (text, gzip.compress(text)):
        assert unidoku.check_file(Readable(content)).unique == 2000
    with pytest.raises(InputError, match="a bytes-like object is required, not 'str'"):
        unidoku.check_file(Readable(text, str))
    for value in (5, None, 1.5):
        with pytest.raises(InputError, match="expected a path, a URL or a binary file, found"):
            unidoku.check_file([value])


def test_paths_as_bytes(tmp_path):
    for name in (b"in.txt", b"not-\xff-utf8.txt"):
        path = os.path.join(os.fsencode(tmp_path), name)
        with open(path, "w") as file:
            file.write(f"{UNIQUE}\n")
        assert unidoku.check_file(path).unique == unidoku.check_file([path]).unique == 1
        unidoku.check_file(path, os.path.join(os.fsencode(tmp_path), b"out.csv"))
        assert (tmp_path / "out.csv").read_text().count("unique") == 1
    with pytest.raises(InputError, match=r"absent\.txt: No such file"):
        unidoku.check_file(b"absent.txt")


def test_json_names_a_file_whose_name_is_not_utf8(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"a\xe9b.txt")
    with open(path, "w") as file:
        file.write(f"{UNIQUE}\n" * 2)
    for command in ("check", "diagnose"):
        result = run_process(command, os.fsdecode(path), "--json")
        [summary] = [json.loads(line) for line in result.stdout.splitlines() if "summary" in line]
        for counts in summary["summary"].get("files", []):
            assert os.fsencode(counts["file"]) == path


@pytest.mark.parametrize("output", ["a\0b.csv", "a\0b/", "a\0"])
def test_an_output_with_nul_in_its_name(tmp_path, output):
    source = tmp_path / "in.txt"
    source.write_text(f"{UNIQUE}\n")
    with pytest.raises(OutputError, match="cannot write: the name has a NUL byte; choose another name"):
        unidoku.check_file(source, f"{tmp_path}/{output}")
    with pytest.raises(OutputError, match="cannot write: the name has a NUL byte; choose another name"):
        unidoku.learning.split_file(source, [tmp_path / "a.txt", f"{tmp_path}/{output}"], to="txt")


@pytest.mark.parametrize("order", ["<", ">"])
def test_numbers_that_are_no_characters(tmp_path, order):
    codes = np.array([[*map(ord, UNIQUE)]] * 3, np.uint32)
    codes[1, 5] = 0x110000
    texts = codes.view("<U81").reshape(-1)
    if order == ">":
        texts = codes.byteswap().view(">U81").reshape(-1)
    np.save(tmp_path / "in.npy", texts)
    message = r"damaged text: expected characters up to U\+10FFFF, found 0x110000"
    with pytest.raises(FormatError, match=rf"in\.npy: {message}"):
        unidoku.check_file(tmp_path / "in.npy")
    np.savez(tmp_path / "in.npz", puzzles=[UNIQUE] * 3, names=texts)
    with pytest.raises(FormatError, match=rf"in\.npz: {message}"):
        unidoku.run(Convert(), tmp_path / "in.npz", tmp_path / "out.csv")
    with pytest.raises(InvalidPuzzleError, match=message):
        unidoku.check_many(texts)


@pytest.mark.parametrize("end", ["-->", '"/>', "</a>"], ids=["comment", "tag", "text"])
def test_opensudoku_with_a_long_part(end, monkeypatch):
    """A part that does not end is read again with each piece: pieces grow, up to a limit."""
    game = f'<game data="{UNIQUE.replace(".", "0")}"/>'
    begin = {"-->": "<!--", '"/>': '<game data="', "</a>": "<a>"}[end]
    sizes = []

    class Stream(io.BytesIO):
        def readinto(self, buffer):
            sizes.append(super().readinto(buffer))
            return sizes[-1]

    content = f"<opensudoku>{game}{begin}{'x' * 3_000_000}{end}{game}</opensudoku>".encode()
    summary = unidoku.check_file(Stream(content), format="opensudoku")
    assert (summary.unique, summary.invalid) == (2, int(end == '"/>'))
    monkeypatch.setattr(opensudoku, "_LONGEST", 1 << 20)
    if end == "</a>":
        assert unidoku.check_file(Stream(content), format="opensudoku").unique == 2
        return
    assert len(sizes) < 20
    with pytest.raises(FormatError, match="expected tags and comments of at most 1048576 bytes"):
        unidoku.check_file(Stream(content), format="opensudoku")


def test_many_empty_lines():
    for end in (b"\n", b"\r\n", b"\r"):
        content = end * 3_000_000 + UNIQUE.encode() + end * 500_000 + b"bad" + end
        summary = unidoku.check_file(io.BytesIO(content), threads=1, format="lines")
        assert (summary.unique, summary.invalid) == (1, 1)
        assert [error.line for error in summary.rejects] == [3_500_001]
        rows = unidoku.run(Convert(), io.BytesIO(content), threads=2)
        assert (rows.line, [error.line for error in rows.rejects]) == (3_500_001, [3_500_001])


def test_short_fields_of_a_table_are_read_at_once(tmp_path):
    blanks = ",".join(["' '"] * 9)
    (tmp_path / "in.csv").write_text(f"{blanks}\n" * 8 + f"{blanks[:-1]}; a name\n")
    ended = run_process("check", tmp_path / "in.csv", timeout=60)  # a pattern of these fields took hours
    assert "no puzzle" in ended.stderr
