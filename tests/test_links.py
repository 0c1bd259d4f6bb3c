"""Links to web sites: out, in again, and what is no link."""

from contextlib import suppress

import numpy as np
import pytest
from command import run
from example_puzzles import UNIQUE as PUZZLE
from hypothesis import given, strategies as st

import unidoku
from unidoku import FormatError, Grid, InvalidPuzzleError, links, solve
from unidoku.links import SITES
from unidoku.tasks.link import compressed

ZEROS = PUZZLE.replace(".", "0")
MARKS = {cell: Grid(PUZZLE).candidates(cell) for cell in range(81)}
POSITION = (
    "S9B05030t1g0758bf7x4c062k2k010905660w640l09080o0u0s33062k0811859u062ja28c03041090080y039u8401070z878202"
    "0rbu8a067r06a72u122a02080q0o5w2g0401091i0m050p191d20081g1r0709"
)


@pytest.mark.parametrize(
    ("site", "expected"),
    [
        ("sudokuwiki", f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}"),
        ("sudoku.coach", f"https://sudoku.coach/en/play/{ZEROS}"),
        ("sudokuexchange", f"https://sudokuexchange.com/play/?s={ZEROS}"),
    ],
)
def test_digits(site, expected):
    assert unidoku.link(Grid(PUZZLE), site=site) == expected


def test_a_position_of_sudokuwiki():
    assert unidoku.link(Grid(PUZZLE), site="sudokuwiki", candidates=MARKS).endswith(f"?bd={POSITION}")
    # r1c3: candidates 1, 2, 4 are bits 0, 1, 3: 11 + 18 = 29 = 0t in base 36
    assert POSITION[3 + 2 * 2 :][:2] == "0t"
    found = unidoku.link(solve(PUZZLE), site="sudokuwiki", givens=Grid(PUZZLE), candidates={})
    assert [int(found[-162:][k : k + 2], 36) for k in range(0, 162, 2)] == [
        digit if clue else digit + 9 for digit, clue in zip(solve(PUZZLE), Grid(PUZZLE), strict=True)
    ]
    assert links.puzzle_of(found) == PUZZLE


@pytest.mark.parametrize("site", ["sudokuwiki", "fpuzzles", "sudokupad"])
def test_candidates_are_a_set_of_digits(site):
    once = unidoku.link(PUZZLE, site=site, candidates={"r1c3": [1, 2]})
    assert unidoku.link(PUZZLE, site=site, candidates={2: np.array([2, 1, 2])}) == once
    for digits in ([0], [10], [-1], [10**30]):
        with pytest.raises(InvalidPuzzleError, match="expected digits 1 to 9"):
            unidoku.link(PUZZLE, site=site, candidates={2: digits})


@pytest.mark.parametrize("candidates", [None, {}, MARKS])
@pytest.mark.parametrize("site", SITES)
def test_a_link_is_read_back(site, candidates):
    link = unidoku.link(Grid(PUZZLE), site=site, candidates=candidates)
    assert links.is_link(link)
    assert links.puzzle_of(link) == PUZZLE
    assert Grid(link).line == PUZZLE
    assert Grid(link.replace("www.", "").replace("https", "http")).line == PUZZLE
    rows = [[int(digit) for digit in ZEROS[k : k + 9]] for k in range(0, 81, 9)]
    for form in (PUZZLE, ZEROS, PUZZLE.encode(), Grid(PUZZLE).cells, rows, str(Grid(PUZZLE))):
        assert unidoku.link(form, site=site, candidates=candidates) == link
    found = unidoku.link(solve(PUZZLE).line, site=site, givens=PUZZLE, candidates=candidates)
    assert links.puzzle_of(found) == PUZZLE, "found digits are not clues"


def test_old_forms_of_sudokupad():
    packed = unidoku.link(Grid(PUZZLE), site="sudokupad").partition("fpuz")[2]
    for start in (
        "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles",
        "https://sudokupad.app/?puzzleid=fpuz",
        "https://sudokupad.app/fpuzzles",
    ):
        assert links.puzzle_of(start + packed) == PUZZLE


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("https://example.org/530", FormatError, "no puzzle in the link"),
        ("https://[bad/530", FormatError, "no puzzle in the link"),
        ("https://sudokupad.app/scl12345", FormatError, "no puzzle in the link"),
        ("https://sudoku.coach/en/play/530", InvalidPuzzleError, "has '530' where 81 digits are expected"),
        ("https://sudokuwiki.org/sudoku.htm?bd=S9B05", InvalidPuzzleError, "two characters for each of 81"),
        (f"https://sudokuwiki.org/x?bd=S9B{'zz' * 81}", InvalidPuzzleError, "is invalid"),
        ("https://f-puzzles.com/?load=N4Ig", InvalidPuzzleError, "not a puzzle of f-puzzles"),
        ("https://f-puzzles.com/?load=%00", InvalidPuzzleError, "not a puzzle of f-puzzles"),
        (
            "https://f-puzzles.com/?load=" + compressed('{"grid":[[5]]}'),
            InvalidPuzzleError,
            "not a puzzle of",
        ),
    ],
)
def test_values_that_are_not_puzzles(text, error, message):
    with pytest.raises(error, match=message):
        links.puzzle_of(text)


def test_other_sizes_are_refused():
    packed = compressed('{"size":6,"grid":[[{}]]}')
    with pytest.raises(InvalidPuzzleError, match="1 cells; only 9 x 9 is supported"):
        links.puzzle_of(f"https://f-puzzles.com/?load={packed}")


def test_an_unknown_site():
    with pytest.raises(ValueError, match=r"invalid site 'x'; choose from: sudokuwiki, "):
        unidoku.link(Grid(PUZZLE), site="x")


def test_lz_string_has_the_same_bytes_as_the_original():
    # made with lz-string 1.5's compressToBase64
    assert compressed("hello hello hello") == "BYUwNmD2AEoTcpA="
    assert compressed('{"size":9,"grid":[]}') == "N4IgzglgXgpiBcBOANCA5gJwgEwQbQF0BfIA"


@given(st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), min_size=1))
def test_lz_string_round_trip(text):
    assert links.decompressed(compressed(text)) == text


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= %", max_size=400))
def test_any_data_give_a_puzzle_or_an_error(packed):
    with suppress(InvalidPuzzleError, FormatError):
        assert len(links.puzzle_of(f"https://f-puzzles.com/?load={packed}")) == 81


def test_a_short_link_cannot_grow_without_end():
    bomb = compressed("a" * 1_100_000)
    assert len(bomb) < 10_000
    with pytest.raises(ValueError, match="the text is too long"):
        links.decompressed(bomb)


def test_the_command(tmp_path):
    (tmp_path / "two.txt").write_text(f"{PUZZLE}\n{solve(PUZZLE).line}\n")
    done = run("link", tmp_path / "two.txt", "--site", "sudoku.coach")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2)
    link = run("link", PUZZLE, "--candidates").stdout.strip()
    assert link.endswith(POSITION)
    assert run("solve", link).stdout.strip() == solve(PUZZLE).line
    done = run("solve", "https://sudoku.coach/en/play/12")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "81 digits are expected" in done.stderr


@pytest.mark.parametrize("site", SITES)
def test_what_is_no_puzzle_has_no_link(site):
    for wrong in (PUZZLE[:80], PUZZLE[:80] + "!", "." * 729, [10] * 81, ""):
        with pytest.raises(InvalidPuzzleError):
            unidoku.link(wrong, site=site)
    with pytest.raises(InvalidPuzzleError, match="r1c1 holds 1, but its clue is 5"):
        unidoku.link("1" + PUZZLE[1:], site=site, givens=PUZZLE)
