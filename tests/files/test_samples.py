"""The samples, one or two of every format, written by hand from the formats' descriptions."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_puzzles import SOLUTION as SA, UNIQUE as A
from readback import read_all

from unidoku.files.formats import FORMATS, choose_format
from unidoku.files.source import open_source

SAMPLES = Path(__file__).parent / "samples"
B = "54.263...7.1...4....2.......9..2..6.31.4.8.92.5..7..1.......8....4...2.3...794.51"
STATE = A[:2] + "4" + A[3:]
SB = "549263187731589426682147935497321568316458792258976314175632849964815273823794651"
# a bare digit of .sdx is a clue, also where it may have been the last candidate
SDX = "53..7....6..195....98....6.8...6...34..853..17...2...6.6...7284...419.35....8..79"

# file -> (format, [(line, cells)], {puzzle: what must come with it})
EXPECTED: dict[str, tuple[str, list[tuple[int, str]], dict[int, dict[str, str]]]] = {
    "nine.txt": ("grid", [(1, A), (11, B)], {}),
    "pretty.txt": ("grid", [(1, A), (14, B)], {1: {"title": "Second one"}}),
    "boxed.txt": ("grid", [(2, A)], {}),
    "blanks.txt": ("grid", [(1, A)], {}),
    "hyphens.txt": ("grid", [(1, "." * 9 + A[9:])], {}),
    "euler.txt": ("grid", [(2, A), (12, B)], {0: {"title": "Grid 01"}, 1: {"title": "Grid 02"}}),
    "candidates.txt": ("grid", [(2, A)], {}),
    "header.sdk": ("sdk", [(2, A)], {0: {"state": STATE}}),
    "sudocue.sdk": (
        "sdk",
        [(9, A), (19, B)],
        {
            0: {
                "author": "Jane Doe",
                "description": "A small example",
                "comment": "First line\nSecond line",
                "created": "2024-02-29",
                "source": "Written by hand",
                "level": "Easy",
                "url": "https://example.org/",
            },
            1: {"author": "John Doe"},
        },
    ),
    "simple.ss": ("ss", [(2, A)], {}),
    "crosses.ss": ("ss", [(2, A)], {}),
    "collection.opensudoku": (
        "opensudoku",
        [(11, A), (12, B)],
        {1: {"title": "By hand & eye", "author": "Jane Doe", "url": "https://example.org/"}},
    ),
    "folders.opensudoku": (
        "opensudoku",
        [(4, A), (5, A), (8, A), (9, A)],
        {
            0: {"folder": "First", "note": "plain", "game_state": "1"},
            1: {"state": STATE, "time": "61000"},
            2: {"state": STATE, "folder": "Second"},
            3: {"state": STATE},
        },
    ),
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
    "counts.txt": (
        "tdoku",
        [(1, A), (2, B), (3, "." * 81)],
        {0: {"expected_count": "1", "solution": SA}, 2: {"expected_count": "100000"}},
    ),
    "answers.txt": (
        "stevehjohn",
        [(1, A), (2, "11" + A[2:]), (3, "." * 81)],
        {0: {"expected": SA}, 1: {"expected": "0", "reason": "unsolvable"}},
    ),
    "bank.txt": (
        "exchange",
        [(1, A), (2, B)],
        {0: {"hash": "000e5c0a1b2f", "rating": "1.2"}, 1: {"rating": "11.5"}},
    ),
    "gsf.txt": (
        "gsf",
        [(1, A), (3, B)],
        {0: {"q2": "10", "name": "Easter", "path": "C20.m/F"}, 1: {"name": "Other one", "time": "5"}},
    ),
    "objects.jsonl": (
        "jsonl",
        [(1, A), (3, B)],
        {0: {"id": "1", "rating": "1.5", "tags": '["a", "b"]'}, 1: {"id": "2", "tags": "[]"}},
    ),
    "two.sdm": ("lines", [(2, A), (3, B)], {}),
    "game.sdx": ("sdx", [(1, SDX)], {0: {"state": SDX[:2] + "4" + SDX[3:]}}),
    "steps.txt": (
        "library",
        [(2, A), (3, A), (4, A)],
        {
            0: {"technique": "0003", "digits": "5", "placements": "555", "state": A},
            1: {"technique": "0002-1", "deleted": "612 613", "placements": "414", "state": STATE},
            2: {"technique": "0100-x", "eliminations": "113 223", "extra": "r1c3 box"},
        },
    ),
}


def plain(puzzles: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The puzzles with one symbol for an empty cell."""
    return [(line, cells.replace("0", ".")) for line, cells in puzzles]


@pytest.mark.parametrize("name", EXPECTED)
def test_sample(name: str) -> None:
    """The content alone determines the format too, for all line ends and sizes of pieces."""
    kind, puzzles, extra = EXPECTED[name]
    with open_source(str(SAMPLES / name)) as source:
        assert choose_format(source).name == kind
    seen = read_all(SAMPLES / name)
    assert seen.rejects == []
    assert plain(seen.puzzles) == puzzles
    for index, pairs in extra.items():
        assert pairs.items() <= seen.extra[index].items()
    content = (SAMPLES / name).read_bytes().replace(b"\r\n", b"\n")
    for end in (b"\n", b"\r\n", b"\r"):
        seen = read_all(content.replace(b"\n", end), target=82)
        assert (plain(seen.puzzles), seen.rejects) == (puzzles, [])


def test_sample_of_every_format() -> None:
    assert {kind for kind, _, _ in EXPECTED.values()} >= set(FORMATS) - {"parquet", "arrow"}


def test_pasted_grids_are_one_puzzle() -> None:
    seen = read_all(SAMPLES / "paste.txt")
    assert seen.puzzles == [(2, A)]
    assert seen.extra[0]["state"] == STATE
    assert len(seen.extra[0]["candidates"]) == 729


def test_eliminated_candidates_are_the_puzzle() -> None:
    seen = read_all(SAMPLES / "eliminated.txt")
    ((line, marks),) = seen.puzzles
    assert line == 2
    assert marks == (SAMPLES / "marks.txt").read_text().strip()
    assert seen.extra == [{"comment": "Some remark on the step: r1c3<>6"}]


def test_candidates_of_sdx() -> None:
    (extra,) = read_all(SAMPLES / "game.sdx").extra
    assert extra["candidates"][18:36] == "...4....." + ".2...6..."
