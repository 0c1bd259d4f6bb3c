"""Links to web sites: written, read back, and refused."""

import json
import random
from urllib.parse import quote

import pytest
from cases import in_turn
from command import run
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import Grid, InvalidPuzzleError, solve
from unidoku._parse.links import _HOSTS, SITES, is_link
from unidoku._parse.packed import pack, unpack

ZEROS = PUZZLE.replace(".", "0")
POSITION = (
    "S9B05030t1g0758bf7x4c062k2k010905660w640l09080o0u0s33062k0811859u062ja28c03041090080y039u8401070z878202"
    "0rbu8a067r06a72u122a02080q0o5w2g0401091i0m050p191d20081g1r0709"
)


@in_turn
@pytest.mark.parametrize(
    ("site", "address"),
    [
        ("sudokuwiki", f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}"),
        ("sudoku.coach", f"https://sudoku.coach/en/play/{ZEROS}"),
        ("sudokuexchange", f"https://sudokuexchange.com/play/?s={ZEROS}"),
    ],
)
def test_digits(site, address):
    assert unidoku.view.link(Grid(PUZZLE), site=site) == address


def test_a_position_of_sudokuwiki():
    link = f"https://www.sudokuwiki.org/sudoku.htm?bd={POSITION}"
    assert Grid(link).line == PUZZLE
    position = POSITION.replace("0t", "0d", 1)  # r1c3 holds a 4 that is not a clue
    assert Grid(f"https://www.sudokuwiki.org/sudoku.htm?bd={position}").line == PUZZLE
    assert unidoku.hint(link).marks == unidoku.hint(PUZZLE).marks


@in_turn
@pytest.mark.parametrize("host", _HOSTS)
def test_a_link_to_a_site_is_no_file(host):
    assert is_link(f" HTTPS://www.{host.upper()}/x\n")
    assert not is_link(f"ftp://{host}/x")


@in_turn
@pytest.mark.parametrize("site", SITES)
def test_a_link_is_read_back(site):
    link = unidoku.view.link(Grid(PUZZLE), site=site)
    assert Grid(f"  {link}\n").line == Grid(link.replace("?", "?lang=en&")).line == PUZZLE
    assert Grid(link.replace("www.", "").replace("https", "http")).line == PUZZLE
    rows = [[int(digit) for digit in ZEROS[k : k + 9]] for k in range(0, 81, 9)]
    for form in (PUZZLE, ZEROS, PUZZLE.encode(), Grid(PUZZLE).cells, rows, str(Grid(PUZZLE))):
        assert unidoku.view.link(form, site=site) == link


@pytest.mark.parametrize(
    "text",
    [
        f"https://example.org/{ZEROS}",
        f"https://example.org/a/b?x=1&p={ZEROS}#top",
        f"http://example.org/#{PUZZLE}",
        f"{PUZZLE} from https://example.org/puzzles/12",
        f"I am stuck on https://example.org/?p={ZEROS} since 2 days.",
    ],
)
def test_links_of_any_site_and_texts_with_links(text, tmp_path):
    assert Grid(text).line == PUZZLE
    assert run("convert", text, code=0).stdout == f"{PUZZLE}\n"
    (tmp_path / "in.txt").write_text(f"{text}\n{text}\n")
    assert run("convert", tmp_path / "in.txt", code=0).stdout == f"{PUZZLE}\n" * 2


@in_turn
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://example.org/530", "expected 81 cells, found 3"),
        ("https://[bad/530", "expected 81 cells, found 3"),
        (f"https://example.org/?p={ZEROS[:80]}", "found 80"),
        (f"https://example.org/?p={ZEROS}&q={ZEROS[::-1]}", "found 162"),
        (f"https://sudoku.coach/en/play/{ZEROS}0", "found 82"),
        (f"https://sudoku.coach/en/play/{ZEROS[:40]}O{ZEROS[41:]}", "found 80"),
        ("https://sudokuwiki.org/sudoku.htm?bd=S9B05", "expected 81 cells"),
        (f"https://sudokuwiki.org/x?bd=S9B{'zz' * 81}", "expected 81 cells"),
    ],
)
def test_values_that_are_not_puzzles(text, message):
    with pytest.raises(InvalidPuzzleError, match=message):
        Grid(text)


GRID = [
    [{"value": int(cell), "given": True} if cell != "." else {} for cell in PUZZLE[k : k + 9]]
    for k in range(0, 81, 9)
]
CELLS = (
    "["
    + ",".join(
        "[" + ",".join(f"{{v:{cell}}}" if cell != "." else "" for cell in PUZZLE[k : k + 9]) + "]"
        for k in range(0, 81, 9)
    )
    + "]"
)


BY_LZ_STRING = (
    "N4IgzglgXgpiBcBOANCALhNAbO8QEvBT0xFQCcBXHMGNBEAOQHtSBbAQywAIKqSQBzUhAAmCANpjQANw7lcAVlT8IUmADsEaCjAC"
    "+yabNwBmJSvWbteg1jkIALFZABjdWhikACuqcQsAWTZSAGswcQBGZAAmAF0yGGVGDXgwxxkbXAB2U1UkrTkrAv0C2MkQNNt4ADZs"
    "83g83SLG6wqIgTNcy30ywwQUNpyLfK7yhRqOoeBCyZLJ4Z6kMcGG5twADkW6ztntqe70hGr+2vri5FKRhHWj8eWp1PnD5QHNibu5"
    "/fgTa6WdGb2KuwbE5Ne4fK5PY5bUEVL4Qm5vFYIVpwn5/C7wLLfF63EHvCqRIFQ3GIqqE/IzaG4R7tH7E3boglY4Ek8E07GnSQI/"
    "64QFMrbcpFk5YChZ815NEWKMW6Cl0vFrIVc9GYlHs+W9RXRWIgIK+HCkJxsfi4MTRHRAA==="
)
"""Packed by LZ-String 1.5: clues, a player's digit and marks, a title é日, and no cages in ``killercage``."""


@in_turn
@pytest.mark.parametrize(
    "address",
    [
        "https://www.f-puzzles.com/?load=",
        "https://sudokupad.app/fpuz",
        "https://sudokupad.app/sudoku/fpuzzles",
        "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles",
    ],
)
def test_a_packed_puzzle(address):
    assert Grid(address + BY_LZ_STRING).line == PUZZLE
    assert Grid(address + quote(BY_LZ_STRING, safe="")).line == PUZZLE


@in_turn
@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("", None),
        (
            ",re:["
            + ",".join(str([[r, c] for r in range(k, k + 3) for c in range(3)]) for k in (0, 3))
            + "]",
            None,
        ),
        (",ca:[{v:'title: A'},{v:'author: It\\'s me'}]", None),
        (",ca:null,re:null,metadata:null,metaData:null", None),
        (",l:[{wp:[[1.5,0.5],[2.5,0.5]],c:#0,c2:ff00aa,r:t}]", "lines"),
        (",ca:[{v:10,ce:[[0,0],[0,1]]}]", "cages"),
        (",re:[[[0,0],[1,1]]]", "regions"),
        (",metadata:{title:'A',antiknight:t}", "antiknight"),
    ],
)
def test_a_packed_puzzle_of_sudokupad(more, found):
    link = "https://sudokupad.app/scl" + pack(f"{{id:'a',cs:50,ce:{CELLS}{more}}}")
    if found is None:
        assert Grid(link).line == PUZZLE
    else:
        with pytest.raises(
            InvalidPuzzleError, match=f"the puzzle has {found}; unidoku reads links to puzzles"
        ):
            Grid(link)


@in_turn
@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        ({"size": 9, "grid": GRID, "diagonal+": True}, r"has diagonal\+;"),
        ({"size": 9, "grid": GRID, "thermometer": [{"lines": [["R1C1", "R1C2"]]}]}, "has thermometer;"),
        ({"size": 9, "grid": [[{"region": 1}, *GRID[0][1:]], *GRID[1:]]}, "has regions;"),
        ({"size": 9, "grid": [[{"givenPencilMarks": [1, 2]}, *GRID[0][1:]], *GRID[1:]]}, "givenPencilMarks;"),
        ({"size": 9, "grid": [GRID[0] + GRID[1] + GRID[2]] * 3}, "has rows of other lengths;"),
        ({"size": 6, "grid": GRID}, "has rows of other lengths;"),
        ({"size": 6, "grid": [[{}] * 6] * 6}, "expected 81 cells, found 36"),
        ({"size": 9}, "the puzzle in the link is damaged"),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], "the puzzle in the link is damaged"),
        ({"size": 9, "grid": GRID, "title": "a" * (1 << 20)}, "the puzzle in the link is damaged"),
    ],
)
def test_packed_values_that_are_no_classic_puzzle(puzzle, message):
    with pytest.raises(InvalidPuzzleError, match=message):
        Grid("https://sudokupad.app/fpuz" + pack(json.dumps(puzzle)))


@in_turn
@pytest.mark.parametrize(
    "cell",
    [
        *({"value": value, "given": True} for value in (10, -5, 5.5, "A", 0, "", None, True, [5], "55")),
        *({"value": 5, "given": given} for given in ("false", "yes", 2, [True])),
        *({"given": True}, {"value": 12}, {"value": 5, "v": 3, "given": True}, [5], "5", 5),
    ],
)
def test_a_cell_that_is_no_clue_and_not_empty(cell):
    """A cell that unidoku does not understand is never an empty cell."""
    puzzle = {"size": 9, "grid": [[cell, *GRID[0][1:]], *GRID[1:]]}
    with pytest.raises(InvalidPuzzleError, match="the puzzle in the link is damaged; copy the link again"):
        Grid("https://f-puzzles.com/?load=" + pack(json.dumps(puzzle)))


def test_a_link_with_two_grids_is_damaged():
    text = json.dumps({"size": 9, "grid": GRID})[:-1] + ',"grid":' + json.dumps([[{}] * 9] * 9) + "}"
    with pytest.raises(InvalidPuzzleError, match="the puzzle in the link is damaged; copy the link again"):
        Grid("https://f-puzzles.com/?load=" + pack(text))


@in_turn
@pytest.mark.parametrize(
    ("cell", "found"),
    [
        (None, "."),
        ({}, "."),
        ({"value": 7}, "."),  # a player's digit
        ({"value": "7", "given": True, "region": 0, "c": "#fff"}, "7"),
        ({"value": None, "given": False, "cornerPencilMarks": [1, 2], "givenPencilMarks": []}, "."),
    ],
)
def test_cells_of_f_puzzles(cell, found):
    puzzle = {"size": 9, "grid": [[cell, *[{}] * 8], *[[{}] * 9] * 8]}
    assert Grid("https://f-puzzles.com/?load=" + pack(json.dumps(puzzle))).line == found + "." * 80


def test_the_bits_are_those_of_lz_string():
    assert pack(unpack(BY_LZ_STRING)) == BY_LZ_STRING


@in_turn
@pytest.mark.parametrize("site", ["f-puzzles", "sudokupad", "crackingthecryptic"])
def test_a_damaged_link_is_never_another_puzzle(site):
    """Exchange, omit, add and swap characters, and cut the link: only the padding does not matter."""
    rng, signs = random.Random(1), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    link, refused = unidoku.view.link(PUZZLE, site=site), 0
    for _ in range(150):
        place = rng.randrange(len(SITES[site]), len(link))
        before, here, after = link[:place], link[place], link[place + 1 :]
        sign = rng.choice(signs)
        kinds = (sign + after, after, sign + here + after, "", after[:1] + here + after[1:])
        damaged = before + rng.choice(kinds)
        try:
            assert Grid(damaged).line == PUZZLE
        except InvalidPuzzleError:
            refused += 1
    assert refused > 120


@pytest.mark.parametrize("suffix", ["txt", "csv", "jsonl", "parquet"])
def test_links_as_records_of_a_file(suffix, tmp_path):
    """Also a link of more characters than outputs have of a record that is not a puzzle."""
    links = [unidoku.view.link(PUZZLE, site=site) for site in SITES]
    title = random.Random(2).randbytes(4000).hex()
    long = {"size": 9, "title": title, "grid": GRID}
    links.append(SITES["f-puzzles"] + pack(json.dumps(long)))
    assert len(links[-1]) > 6000
    variant = SITES["f-puzzles"] + pack(json.dumps({"size": 9, "grid": GRID, "antiknight": True}))
    links += [links[-1][:-9], variant]
    lines = {
        "txt": links,
        "csv": ["id,link", *(f"{number},{link}" for number, link in enumerate(links))],
        "jsonl": [json.dumps({"id": number, "link": link}) for number, link in enumerate(links)],
    }
    path = tmp_path / f"in.{suffix}"
    if suffix == "parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.table({"link": links}), path)
    else:
        path.write_text("\n".join(lines[suffix]) + "\n")
    process = run("convert", path)
    assert process.stdout == f"{PUZZLE}\n" * (len(SITES) + 1)
    assert "the puzzle in the link is damaged; copy the link again" in process.stderr
    assert "the puzzle has antiknight; unidoku reads links" in process.stderr


def test_a_link_with_only_a_name():
    for link in ("https://sudokupad.app/clover/dec-7", "https://f-puzzles.com/?id=y9abcdef"):
        process = run("check", link)
        assert process.returncode == 1
        assert "the link has only the name of a puzzle; open it, and copy its digits" in process.stderr


@in_turn
@pytest.mark.parametrize("site", SITES)
def test_a_command_writes_links(site):
    result = run("print", PUZZLE, PUZZLE, "--to", "link", "--site", site, code=0)
    assert result.stdout == f"{unidoku.view.link(PUZZLE, site=site)}\n" * 2


def test_an_unknown_site():
    with pytest.raises(ValueError, match=r"invalid site 'x'; choose from: sudokuwiki, "):
        unidoku.view.link(Grid(PUZZLE), site="x")


def test_a_command_reads_a_link():
    assert run("solve", unidoku.view.link(PUZZLE)).stdout.strip() == solve(PUZZLE).line
    process = run("solve", "https://sudoku.coach/en/play/12")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "expected 81 cells, found 2\n" in process.stderr


@in_turn
@pytest.mark.parametrize("site", SITES)
def test_an_invalid_puzzle_has_no_link(site):
    for puzzle in (PUZZLE[:80], PUZZLE[:80] + "!", "." * 729, [10] * 81, ""):
        with pytest.raises(InvalidPuzzleError):
            unidoku.view.link(puzzle, site=site)


@in_turn
@pytest.mark.parametrize(("place", "sign"), [(66, "B"), (205, "j"), (232, "K")])
def test_a_changed_sign_of_a_packed_puzzle_is_no_other_puzzle(place, sign):
    """What it unpacks to is a classic puzzle with another clue, but LZ-String packs that otherwise."""
    link = unidoku.view.link(Grid(PUZZLE), site="f-puzzles")
    begin = link.index("=") + 1 + place
    assert link[begin] != sign
    with pytest.raises(InvalidPuzzleError, match="the puzzle in the link is damaged"):
        Grid(link[:begin] + sign + link[begin + 1 :])
