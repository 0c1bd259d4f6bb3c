"""The words for the difficulty: what a puzzle needs, in any order of the steps."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
import rating_model
from counting import BOXES, HOUSES, PEERS, ROWS
from known_ratings import ONE_OF_EACH, TABLE
from rating_engine import engine, rated
from rating_model import Board

import unidoku
from unidoku import generate, kernel, lines, rate, rate_many, steps
from unidoku.craft.transform import random_numbers, transform_many
from unidoku.method import classify_many
from unidoku.rating.se121 import DIFFICULTIES

SINGLES = [rating_model.hidden_singles, rating_model.naked_singles]
SUBSETS = [
    *SINGLES,
    rating_model.intersections,
    *(find("", 0, size) for size in (2, 3) for find in (rating_model.naked_sets, rating_model.hidden_sets)),
]
# what the steps of easy and medium puzzles are; direct steps are these with a hidden single
BASIC = ("single", "pointing", "claiming", "pair", "triplet")
WORDS = [*DIFFICULTIES]
# rated 7.1 and 7.2, but no more than W-wings, hidden rectangles, patterns of one digit and BUG are needed
NAMED = [
    ".........6...2....9.346......8..4..346...7..2.....28..38..915...........5..3...74",
    "....2...3.5.38.4.6..75..............29....1.4.3.1.8..997.4......4..3...5..2.6....",
    "..91.8..........4.6.....5.7..4..3.78.92...6.......4..98.57.2......8...6..2.4.....",
    "..4............652...6...4..7....82...18....52....4.7.98...7...5..4.9...1.63...8.",
    "3..4..9.2.21.5....9...3.5...872...5....96.2....9..4.........3.........21...1.5.7.",
    "...25.8...1..3...7..91....43..5...6.2......35.8..23...8..4...92....9.....7....4..",
    "..8..3.9.43..1...........2.2...75..1....6.2...6.9..38...3..2....5.8.7..6....96...",
    ".685.........8.....41...5.3......9.773...96...1..38........7..2...4....5..4.9.1..",
    ".9....254.....3...2.764....48.1....2....8..1....43...5...3...2..7..21....5.7..3.1",
    "..9.6......6...49.........1.4.1.25..38........1.6.3...4..3.9...2......7....4...38",
    "....6..4.7...4.3.6..6...9..4.7....15.6.5....7.91...6..1.37..4.....4.3..2....5....",
    "..87.21...31....79....4..8.2834..7..5....9.2..7.......3...86.4.....9...2.4......6",
    ".35.18.978.9...1...7....5.8.2.1.......4.7....9..6.2.5.7..24....4..38..7.......6..",
    "27.8..9....1......3.8....579....8.2.....17......2..7.9...4.......2...56..45.2...1",
    "7..1.........2..9..9....45381.4......5..7.821.....5........437.98.7....6.........",
    "53.2..6.78..9.....72.8.3...3.24.65.....5...2..5...............221.3.7..4.9.68...3",
]
# the level of the hardest step that HoDoKu takes, and our word: each word is at most two neighbouring levels
LEVELS = {
    ("Easy", "easy"): [
        "..8....95.4.7.....2...5..8.4........87..9.....9..673........7.....5.194..6.4.....",
        "....26.....5..94..93...1......5...7.291........4.9.6..1.....23...7.6..8..8...2..7",
    ],
    ("Medium", "medium"): [
        "..7.2...18.....6..1..74.8..76....9..3...9...8.....6.2...1.53.9....1.4...5.....4..",
        "..5.1....73.6.........53.2...1..4.8........5..4...2..6..8..1.7.6...2....59.3.....",
    ],
    ("Hard", "hard"): [
        ".783......1...7..56...4....9.....15.8.4..2.7.....3...4..789...156.........96.....",
        ".1..4.5..93..76.....8..21.....9..68.....1.....2.....4.5........84.......2...87..9",
        "....7.6....7.36..9..21.....7.1.4..6.35.7.94.1....6.5...2.........3.....4..4...1.7",
    ],
    ("Unfair", "hard"): [
        ".84.9.......12...3.3...4....5.6.3........2...6.1....5.7..9....6.1..862..4.5..18..",
        ".2..4......1..86....7..65....4.....9........25..6.381...6..4..8.1.587.9.4........",
    ],
    ("Hard", "expert"): [".......32..9..6....5....6...68.1.5..9....2...3..8...9..7.2..8....3...1......4..65"],
    ("Unfair", "expert"): [
        ".....3...17..9....3...4.6......18.2.........34.5....8....96.4...6...5....2..7.9.6",
        "..8.2.53..2......6.....91...47...3..29...7.81......2......429..6..5.3..8...87....",
    ],
    ("Unfair", "extreme"): [
        "2.......779......1.5............23.9....75....491.....31...7.854..81.9....8....6.",
        "94.5.87.1..2.........4...962.....9..5.......8...93.1.....74....6...1...2.7....3..",
    ],
    ("Extreme", "extreme"): [
        "...72...8.....1.2.95.....6...8....96....4.23....36.....63..9....2.17....4....3...",
        "......7.5.1........62........6..8...9..4.1..22...56.783.5..2......56...9....3..2.",
    ],
}


def fill(puzzle: str, producers: list[rating_model.Producer]) -> bool:
    """Whether the techniques fill the puzzle."""
    board = Board(puzzle)
    while step := next((step for find in producers for step in find(board)), None):
        board.apply(step)
    return board.filled


def fill_by_patterns(puzzle: str) -> bool:
    """Whether the techniques up to 4.4, BUG and the named patterns fill the puzzle, by sets of places."""
    board = Board(puzzle)
    while True:
        while step := next((step for find in rating_model.PRODUCERS for step in find(board)), None):
            board.apply(step)
        if board.filled:
            return True
        removed = {*two_houses(board), *w_wings(board), *hidden_rectangles(board)} or {*bug(board)}
        if not removed:
            return False
        for cell, digit in removed:
            board.candidates[cell].discard(digit)


def lacks(board: Board, digit: int, cells: list[int]) -> bool:
    """Whether the digit in these cells leaves it no place in a house."""
    gone = {peer for cell in cells for peer in PEERS[cell]}
    return any(places and gone.issuperset(places) for places in (board.places(h, digit) for h in HOUSES))


def two_houses(board: Board):
    for house, digit in product(HOUSES, range(1, 10)):
        pair = board.places(house, digit)
        for one, other in permutations(pair) if len(pair) == 2 else ():
            for cell in PEERS[one]:
                if cell != other and digit in board.candidates[cell] and lacks(board, digit, [other, cell]):
                    yield cell, digit


def w_wings(board: Board):
    cells = [cell for cell in range(81) if len(board.candidates[cell]) == 2]
    for one, other in combinations(cells, 2):
        if board.candidates[one] == board.candidates[other] and other not in PEERS[one]:
            for x, y in permutations(board.candidates[one]):
                if lacks(board, x, [one, other]):
                    yield from ((c, y) for c in {*PEERS[one]} & {*PEERS[other]} if y in board.candidates[c])


def hidden_rectangles(board: Board):
    for cell in range(81):
        row, column = divmod(cell, 9)
        for r, c in product(range(9), range(9)):
            rectangle = [cell, 9 * row + c, 9 * r + column, 9 * r + c]
            if r == row or c == column or len({(k // 27, k % 9 // 3) for k in rectangle}) != 2:
                continue
            pair = board.candidates[cell]
            if len(pair) == 2 and all(pair <= board.candidates[k] for k in rectangle):
                for x, y in permutations(pair):
                    lines = [k for k in range(81) if x in board.candidates[k] and (k // 9 == r or k % 9 == c)]
                    if {*lines} == {*rectangle[1:]}:
                        yield rectangle[3], y


def bug(board: Board):
    """All cells have two candidates but one, which has three: the digit with three places goes there."""
    more = [cell for cell in range(81) if len(board.candidates[cell]) > 2]
    if len(more) == 1 and len(board.candidates[more[0]]) == 3:
        own = {d for d in board.candidates[more[0]] if len(board.places(ROWS[more[0] // 9], d)) == 3}
        if len(own) == 1:
            yield from ((more[0], digit) for digit in board.candidates[more[0]] - own)


@pytest.fixture(scope="module")
def known() -> dict[str, list[str]]:
    """Some puzzles for each word."""
    puzzles = [*dict.fromkeys([*ONE_OF_EACH, *TABLE, *lines(generate(400, seed=3)), *near(), *NAMED])]
    words: dict[str, list[str]] = {word: [] for word in DIFFICULTIES}
    for puzzle, word in zip(puzzles, rate_many(puzzles, below=9.0).difficulty, strict=True):
        words[word].append(puzzle)
    assert all(len(some) > 15 for some in words.values())
    return {word: some[:: max(1, len(some) // 20)] for word, some in words.items()}


def near() -> list[str]:
    """Puzzles for which the rating does not decide: X-wings, hidden pairs and triplets."""
    return lines(generate(30, seed=4, rating=(3.2, 4.0)))


def test_easy_puzzles_need_singles_alone(known):
    assert all(fill(puzzle, SINGLES) for puzzle in known["easy"])


def test_medium_puzzles_need_locked_candidates_pairs_or_triplets(known):
    for puzzle in known["medium"]:
        assert not fill(puzzle, SINGLES)
        assert fill(puzzle, SUBSETS)


def test_hard_puzzles_need_a_fish_a_wing_a_rectangle_or_such(known):
    for puzzle in known["hard"]:
        assert not fill(puzzle, SUBSETS)
        path = steps(puzzle)
        if max(step.rating for step in path) > 6.9:
            assert fill_by_patterns(puzzle)
            continue
        assert any(not step.technique.endswith(BASIC) for step in path)
        assert not any(step.technique in ("forcing chain", "XY-cycle") for step in path)


def test_chains_that_players_call_wings_are_hard():
    """The scale rates them as forcing chains, wherever they are on the board."""
    found = rate_many(NAMED)
    assert {*found.difficulty} == {"hard"}
    assert {*found.technique} == {"forcing chain"}
    assert found.er.min() >= 7.0
    assert [steps(puzzle).difficulty for puzzle in NAMED] == found.difficulty
    images = transform_many(NAMED, random_numbers(len(NAMED), 3))
    assert rate_many(images).difficulty == found.difficulty
    assert set(rate_many(NAMED, below=7.0).difficulty) == {"hard"}


def test_the_images_of_the_docs_have_one_word():
    """HoDoKu calls one Hard and the other one Extreme: its level depends on the order of its steps."""
    page = Path(__file__).parents[2] / "docs" / "rating.md"
    images = re.findall(r"^[.1-9]{81}$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(images) == 2
    assert len({form.line for form in map(unidoku.canonical, images)}) == 1
    assert rate_many(images).difficulty == ["hard", "hard"]


def test_words_by_the_levels_of_hodoku():
    """The levels are those of its hardest step; the sum of the scores of all steps does not count."""
    for (_, word), puzzles in LEVELS.items():
        images = transform_many(puzzles * 3, random_numbers(3 * len(puzzles), 9))
        assert set(rate_many(images).difficulty) == {word}


@pytest.mark.parametrize("seed", [31, 41])
def test_the_docs_count_the_words(seed):
    page = (Path(__file__).parents[2] / "docs" / "rating.md").read_text(encoding="utf-8")
    rows = re.findall(rf"^\|[^|]*\| {seed} \|(.*)\|(.*)\|(.*)\|$", page, re.MULTILINE)
    made = [*lines(generate(575, seed=seed)), *lines(generate(575, seed=seed + 1, clues=(22, 30)))]
    counts = Counter(rate_many(made, below=8.0).difficulty)
    for word, row in zip(DIFFICULTIES, rows, strict=True):
        for cell in row:
            assert sum(map(int, re.findall(r"\d+", cell))) == counts[word]


def test_expert_puzzles_need_chains(known):
    for puzzle in known["expert"][::2]:
        hardest = max(steps(puzzle), key=lambda step: step.rating)
        assert 7.0 <= hardest.rating <= 7.9
        assert hardest.rating > 7.4 or not fill_by_patterns(puzzle)
        assert hardest.links or hardest.technique == "aligned triplet exclusion"


def test_the_ratings_of_each_word(known):
    for word, (lowest, highest) in DIFFICULTIES.items():
        found = rate_many(known[word], below=9.0)
        assert set(found.difficulty) == {word}
        assert lowest <= found.er.min() <= found.er.max() <= highest
        assert [rating.difficulty for rating in found] == found.difficulty


def test_the_classes_of_the_book_agree():
    """Theorems 1 to 4 are the singles, extended zeroing locked candidates; its subsets go up to four."""
    puzzles = generate(3000, seed=6)
    words, classes = rate_many(puzzles).difficulty_codes, classify_many(puzzles).classes
    assert ((words == 1) == (classes == 1)).all()
    assert set(classes[words == 2].tolist()) == {2, 3}
    assert set(classes[words > 2].tolist()) <= {3, 4}


def groups(isa: str, puzzles: np.ndarray, **options: bool) -> list[int]:
    """The groups of techniques that are enough for some puzzles on an instruction set."""
    outputs = rated(engine(isa), lines(puzzles), below=75, **options)
    found, er = outputs["groups"], outputs["er"]
    found[(found == 4) & (er < 70)] = 3  # the rating is enough for the word
    found[er > 74] = 4
    return found.tolist()


@pytest.mark.parametrize("isa", kernel.usable())
@pytest.mark.parametrize("count", [0, 1, 9, 31, 70, 1500])
def test_every_instruction_set_gives_the_same_words_one_by_one_and_together(isa, count):
    puzzles = generate(count, seed=count)
    words = rate_many(puzzles).difficulty_codes.tolist()
    assert groups(isa, puzzles) == [min(word, 4) for word in words]
    assert groups(isa, puzzles[::-1].copy(), lanes=False)[::-1] == [min(word, 4) for word in words]
    assert [WORDS.index(str(rate(row).difficulty)) + 1 for row in puzzles[:9]] == words[:9]


def test_images_have_the_same_word():
    """Up to 7.4 the order of the steps does not matter, or hardly ever."""
    puzzles = generate(2000, seed=7, clues=(24, 28))
    images = transform_many(puzzles, random_numbers(len(puzzles), 8))
    assert rate_many(images).difficulty == rate_many(puzzles).difficulty


@pytest.mark.parametrize("below", [1.2, 2.0, 2.6, 3.2, 4.4, 7.0, 7.9])
def test_easy_and_medium_are_known_below_any_rating(known, below):
    for word in ("easy", "medium"):
        assert set(rate_many(known[word], below=below).difficulty) == {word}
    for word in ("hard", "expert", "extreme"):
        found = rate_many(known[word], below=below)
        words = {"hard"} if below < 7.0 or word == "hard" else {"hard", "expert"}
        assert set(np.array(found.difficulty)[found.at_least].tolist()) <= words


def test_steps_have_the_same_word(known):
    for word, puzzles in known.items():
        assert {steps(puzzle).difficulty for puzzle in puzzles[:10]} == {word}
    assert steps(unidoku.solve(known["easy"][0])).difficulty is None


def test_beginners_need_box_singles_and_last_cells():
    puzzles = generate(40, seed=1, difficulty="beginner")
    assert 30 <= np.count_nonzero(puzzles, axis=1).min() <= np.count_nonzero(puzzles, axis=1).max() <= 36
    for puzzle in lines(puzzles):
        board = Board(puzzle)
        while not board.filled:
            board.place(*next(last_cell_or_box_single(board)))
    assert set(rate_many(puzzles).difficulty) == {"easy"}


def last_cell_or_box_single(board: Board):
    for step in rating_model.hidden_singles(board):
        cell, digit = step.place
        if step.technique == "last cell" or any(board.places(box, digit) == [cell] for box in BOXES):
            yield step.place


def test_beginners_may_have_more_clues():
    more = generate(5, seed=1, difficulty="Beginner", clues=(28, 45), symmetry="180")
    assert np.count_nonzero(more, axis=1).min() >= 30
    pattern = np.flatnonzero(more[0])
    same = generate(2, seed=1, difficulty="beginner", pattern=pattern)
    assert all((np.flatnonzero(row) == pattern).all() for row in same)
