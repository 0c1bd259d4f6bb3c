"""Links to web sites: written, read back, and refused."""

import pytest
from command import run
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import FormatError, Grid, InvalidPuzzleError, solve
from unidoku.parse import links
from unidoku.parse.links import SITES

ZEROS = PUZZLE.replace(".", "0")
POSITION = (
    "S9B05030t1g0758bf7x4c062k2k010905660w640l09080o0u0s33062k0811859u062ja28c03041090080y039u8401070z878202"
    "0rbu8a067r06a72u122a02080q0o5w2g0401091i0m050p191d20081g1r0709"
)


@pytest.mark.parametrize(
    ("site", "address"),
    [
        ("sudokuwiki", f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}"),
        ("sudoku.coach", f"https://sudoku.coach/en/play/{ZEROS}"),
        ("sudokuexchange", f"https://sudokuexchange.com/play/?s={ZEROS}"),
    ],
)
def test_digits(site, address):
    assert unidoku.link(Grid(PUZZLE), site=site) == address


def test_a_position_of_sudokuwiki():
    assert links.puzzle_of(f"https://www.sudokuwiki.org/sudoku.htm?bd={POSITION}") == PUZZLE
    position = POSITION.replace("0t", "0d", 1)  # r1c3 holds a 4 that is not a clue
    assert links.puzzle_of(f"https://www.sudokuwiki.org/sudoku.htm?bd={position}") == PUZZLE


@pytest.mark.parametrize("site", SITES)
def test_a_link_is_read_back(site):
    link = unidoku.link(Grid(PUZZLE), site=site)
    assert links.is_link(link)
    assert links.puzzle_of(link) == PUZZLE
    assert Grid(link).line == Grid(link.replace("?", "?lang=en&")).line == PUZZLE
    assert Grid(link.replace("www.", "").replace("https", "http")).line == PUZZLE
    rows = [[int(digit) for digit in ZEROS[k : k + 9]] for k in range(0, 81, 9)]
    for form in (PUZZLE, ZEROS, PUZZLE.encode(), Grid(PUZZLE).cells, rows, str(Grid(PUZZLE))):
        assert unidoku.link(form, site=site) == link


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("https://example.org/530", FormatError, "no puzzle in the link"),
        ("https://[bad/530", FormatError, "no puzzle in the link"),
        ("https://sudoku.example/scl12345", FormatError, "no puzzle in the link"),
        ("https://sudoku.coach/en/play/530", InvalidPuzzleError, "has '530' where 81 digits are expected"),
        ("https://sudokuwiki.org/sudoku.htm?bd=S9B05", InvalidPuzzleError, "two characters for each of 81"),
        (f"https://sudokuwiki.org/x?bd=S9B{'zz' * 81}", InvalidPuzzleError, "is invalid"),
    ],
)
def test_values_that_are_not_puzzles(text, error, message):
    with pytest.raises(error, match=message):
        links.puzzle_of(text)


def test_a_position_in_which_cells_have_all_candidates():
    assert links.puzzle_of(f"https://sudokuwiki.org/sudoku.htm?bd=S9B{'ep' * 81}") == "." * 81


def test_an_unknown_site():
    with pytest.raises(ValueError, match=r"invalid site 'x'; choose from: sudokuwiki, "):
        unidoku.link(Grid(PUZZLE), site="x")


def test_the_command(tmp_path):
    (tmp_path / "two.txt").write_text(f"{PUZZLE}\n{solve(PUZZLE).line}\n")
    process = run("link", tmp_path / "two.txt", "--site", "sudoku.coach")
    assert (process.returncode, len(process.stdout.splitlines())) == (0, 2)
    link = run("link", PUZZLE).stdout.strip()
    assert run("solve", link).stdout.strip() == solve(PUZZLE).line
    process = run("solve", "https://sudoku.coach/en/play/12")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "81 digits are expected" in process.stderr


@pytest.mark.parametrize("site", SITES)
def test_an_invalid_puzzle_has_no_link(site):
    for puzzle in (PUZZLE[:80], PUZZLE[:80] + "!", "." * 729, [10] * 81, ""):
        with pytest.raises(InvalidPuzzleError):
            unidoku.link(puzzle, site=site)
