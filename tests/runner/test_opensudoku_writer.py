"""OpenSudoku's files as they are written: an independent reader of XML finds the puzzles."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree

import pytest
from command import run
from example_puzzles import MULTIPLE, QUIZ, UNIQUE

from unidoku import Grid, generate


def games(content: bytes) -> list[str]:
    """Return the puzzles of a document, as its app reads them: 81 digits, 0 for an empty cell."""
    root = ElementTree.fromstring(content)
    assert root.tag == "opensudoku"
    assert {element.tag for element in root} <= {"game"}
    return [element.attrib["data"] for element in root]


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_each_puzzle_is_a_game(tmp_path, suffix):
    puzzles = [UNIQUE, QUIZ, MULTIPLE.replace(".", "0")]
    (tmp_path / "in.txt").write_text("\n".join([*puzzles, "no puzzle"]) + "\n")
    output = tmp_path / f"out.opensudoku{suffix}"
    run("convert", tmp_path / "in.txt", "-o", output, code=1)
    content = gzip.decompress(output.read_bytes()) if suffix else output.read_bytes()
    assert games(content) == [puzzle.replace(".", "0") for puzzle in puzzles]
    assert run("convert", output, "--to", "txt", code=0).stdout.split() == [Grid(p).line for p in puzzles]


def test_new_puzzles_in_many_pieces(tmp_path):
    output = tmp_path / "new.opensudoku"
    run("generate", "-n", 3000, "--seed", 1, "-o", output, code=0)
    new = [
        bytes(cells).translate(bytes(range(48, 58)) + bytes(246)).decode() for cells in generate(3000, seed=1)
    ]
    assert games(output.read_bytes()) == new


def test_without_a_puzzle_the_document_is_whole(tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n")
    output = tmp_path / "none.opensudoku"
    run("convert", tmp_path / "in.txt", "--where", "clues=80", "-o", output, code=0)
    assert games(output.read_bytes()) == []


def test_on_standard_output():
    content = run("convert", UNIQUE, "--to", "opensudoku", code=0).stdout
    assert games(content.encode()) == [UNIQUE.replace(".", "0")]
    assert content.endswith("</opensudoku>\n")
