"""OpenSudoku's files as they are written: an independent reader of XML finds the puzzles."""

from __future__ import annotations

from xml.etree import ElementTree

from command import run
from example_puzzles import UNIQUE

from unidoku import generate


def games(content: bytes) -> list[str]:
    """Return the puzzles of a document, as its app reads them: 81 digits, 0 for an empty cell."""
    root = ElementTree.fromstring(content)
    assert root.tag == "opensudoku"
    assert {element.tag for element in root} <= {"game"}
    return [element.attrib["data"] for element in root]


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
