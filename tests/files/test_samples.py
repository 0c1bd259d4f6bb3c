"""Samples of every format, written by hand from the formats' descriptions."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import in_turn
from example_puzzles import SOLUTION as SA, UNIQUE as A
from readback import read_all

from unidoku.files._chunks import Reading
from unidoku.files._formats import FORMATS
from unidoku.files._recognition import choose_format
from unidoku.files._source import open_source

SAMPLES = Path(__file__).parent / "samples"
B = "54.263...7.1...4....2.......9..2..6.31.4.8.92.5..7..1.......8....4...2.3...794.51"
SB = "549263187731589426682147935497321568316458792258976314175632849964815273823794651"

# file -> (format, [(line, cells)], {puzzle: its other columns})
EXPECTED: dict[str, tuple[str, list[tuple[int, str]], dict[int, dict[str, str]]]] = {
    "nine.txt": ("grid", [(1, A), (11, B)], {}),
    "pretty.txt": ("grid", [(1, A), (14, B)], {}),
    "boxed.txt": ("grid", [(2, A)], {}),
    "blanks.txt": ("grid", [(1, A)], {}),
    "hyphens.txt": ("grid", [(1, "." * 9 + A[9:])], {}),
    "euler.txt": ("grid", [(2, A), (12, B)], {}),
    "candidates.txt": ("grid", [(2, A)], {}),
    "header.sdk": ("sdk", [(2, A)], {}),
    "sudocue.sdk": ("sdk", [(9, A), (19, B)], {}),
    "simple.ss": ("ss", [(2, A)], {}),
    "crosses.ss": ("ss", [(2, A)], {}),
    "collection.opensudoku": ("opensudoku", [(11, A), (12, B)], {}),
    "folders.opensudoku": ("opensudoku", [(4, A), (5, A), (8, A), (9, A)], {}),
    "kaggle.csv": ("csv", [(2, A), (3, B)], {0: {"solutions": SA}, 1: {"solutions": SB}}),
    "kaggle9m.csv": ("csv", [(2, A), (3, B)], {0: {"solution": SA}}),
    "kaggle3m.csv": (
        "csv",
        [(2, A), (3, B)],
        {1: {"id": "2", "solution": SB, "clues": "30", "difficulty": "2.2"}},
    ),
    "extreme.csv": ("csv", [(2, A), (3, B)], {1: {"source": "hand", "answer": SB, "rating": "12"}}),
    "quoted.csv": (
        "csv",
        [(2, A), (3, B)],
        {0: {"id": "a, b", "remark": 'said "hello"'}, 1: {"id": "7", "remark": "two\nlines"}},
    ),
    "counts.txt": ("lines", [(1, A), (2, B), (3, "." * 81)], {}),  # of tdoku
    "answers.txt": ("csv", [(1, A), (2, "11" + A[2:]), (3, "." * 81)], {}),  # of a solver's tests
    "bank.txt": ("lines", [(1, A), (2, B)], {}),  # Sudoku Exchange
    "gsf.txt": ("lines", [(1, A), (3, B)], {}),
    "objects.jsonl": (
        "jsonl",
        [(1, A), (3, B)],
        {0: {"id": "1", "rating": "1.5", "tags": '["a", "b"]'}, 1: {"id": "2", "tags": "[]"}},
    ),
    "paste.txt": ("ss", [(2, A)], {}),
    "eliminated.txt": ("grid", [(2, A[:59] + "7" + A[60:])], {}),  # the 7 of row 7 has been placed
    "two.sdm": ("lines", [(2, A), (3, B)], {}),
}


def plain(puzzles: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return puzzles with `.` for an empty cell."""
    return [(line, cells.replace("0", ".")) for line, cells in puzzles]


@in_turn
@pytest.mark.parametrize("name", EXPECTED)
def test_sample(name: str) -> None:
    """Also without the suffix, for all line ends and sizes of pieces."""
    kind, puzzles, extra = EXPECTED[name]
    with open_source(str(SAMPLES / name)) as source:
        assert choose_format(source, Reading()).name == kind
    records = read_all(SAMPLES / name)
    assert records.rejects == []
    assert plain(records.puzzles) == puzzles
    for index, pairs in extra.items():
        assert pairs.items() <= records.extra[index].items()
    content = (SAMPLES / name).read_bytes().replace(b"\r\n", b"\n")
    for end in (b"\n", b"\r\n", b"\r"):
        records = read_all(content.replace(b"\n", end), target=82)
        assert (plain(records.puzzles), records.rejects) == (puzzles, [])


def test_sample_of_every_format() -> None:
    assert {kind for kind, _, _ in EXPECTED.values()} >= set(FORMATS) - {"parquet", "arrow", "npz", "npy"}
