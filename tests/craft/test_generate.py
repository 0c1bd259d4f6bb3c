"""Generated puzzles: the request, the seed, and errors for impossible requests."""

import _thread

import numpy as np
import pytest
from cases import in_turn
from command import run
from example_puzzles import SOLUTION

import unidoku
from unidoku._clue_symmetry import SYMMETRIES
from unidoku.craft._generate import AttemptsError, generate, generate_each, random_grids
from unidoku.craft._minimize import are_minimal
from unidoku.craft._request import Request
from unidoku.craft._transform import Transformation
from unidoku.errors import InvalidPuzzleError

MOVES = {
    "none": [],
    "180": [Transformation.rotation(180)],
    "90": [Transformation.rotation(90)],
    "horizontal": [Transformation.reflection("horizontal")],
    "vertical": [Transformation.reflection("vertical")],
    "diagonal": [Transformation.reflection("diagonal")],
    "antidiagonal": [Transformation.reflection("antidiagonal")],
    "full": [Transformation.rotation(90), Transformation.reflection("diagonal")],
}


PATTERN = np.flatnonzero(generate(1, seed=5, clues=34)[0]).tolist()


def counts(rows):
    return np.count_nonzero(rows, axis=1)


GRID = unidoku.cells([SOLUTION])[0]
REQUESTS = {  # number of puzzles, options of the request, and a check of the rows
    "minimal": (300, {}, lambda rows: are_minimal(rows).all()),
    "clues": (30, {"clues": 40}, lambda rows: (counts(rows) == 40).all()),
    "a range": (200, {"clues": (25, 30)}, lambda rows: {*counts(rows)} == {25, 26, 27, 28, 29, 30}),
    "few clues": (
        30,
        {"clues": (22, 23), "minimal": True},
        lambda rows: are_minimal(rows).all() and {*counts(rows)} <= {22, 23},
    ),
    "symmetry": (20, {"clues": (30, 32), "symmetry": "90"}, lambda rows: {*counts(rows)} <= {30, 31, 32}),
    "both": (10, {"symmetry": "diagonal", "minimal": True}, lambda rows: are_minimal(rows).all()),
    "a solution": (20, {"solution": SOLUTION}, lambda rows: ((rows == 0) | (rows == GRID)).all()),
    "a pattern": (10, {"pattern": PATTERN}, lambda rows: all(k in PATTERN for k in np.nonzero(rows)[1])),
    "uniform": (30, {"solution": "uniform"}, lambda rows: (generate(30, seed=4) != rows).any()),
}


@in_turn
@pytest.mark.parametrize(("count", "options", "fits"), REQUESTS.values(), ids=REQUESTS)
def test_proper_puzzles_as_asked(count, options, fits):
    rows = generate(count, seed=4, **options)
    assert rows.shape == (count, 81)
    assert unidoku.check_many(rows).unique == len(np.unique(rows, axis=0)) == count
    assert fits(rows)
    assert (generate(count, seed=4, threads=3, **options) == rows).all()
    assert (generate(10, seed=4, **options) == rows[:10]).all()


@in_turn
@pytest.mark.parametrize(
    ("count", "needed", "attempts"), [(None, 1, 1), (1, 1, 1), (3, 1, 3), (1, 4, 9), (1, 40, 9 + 64)]
)
def test_no_attempts_are_made_in_advance(count, needed, attempts):
    """One puzzle is one attempt; where this is none, the next waves are larger."""
    batches = []

    def accept(rows):
        batches.extend(rows.tolist())
        return np.arange(len(batches) - len(rows), len(batches)) >= needed - 1

    assert len(np.atleast_2d(list(generate(count, seed=1, accept=accept)))) == (count or 1)
    assert len(batches) == attempts


def test_one_puzzle_starts_no_thread(monkeypatch):
    def refuse(*_):
        raise AssertionError("a thread is started")

    puzzle = generate(seed=3)
    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    assert generate(seed=3) == puzzle
    assert unidoku.minimize(puzzle, seed=1) == puzzle


@in_turn
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetric_patterns(symmetry):
    rows = generate(20, seed=3, symmetry=symmetry)
    assert unidoku.check_many(rows).unique == 20
    for t in MOVES[symmetry]:
        for row in rows:
            pattern = (row > 0).astype(np.uint8)
            assert (np.asarray(t(pattern)) == pattern.reshape(9, 9)).all()


def test_a_given_pattern():
    puzzle, text = generate(1, seed=5, clues=34)[0], "".join("x" if k in PATTERN else "." for k in range(81))
    assert (generate(10, seed=6, pattern=text) == generate(10, seed=6, pattern=PATTERN)).all()
    solution = unidoku.solve(puzzle)
    assert (generate(1, pattern=PATTERN, solution=solution)[0] == puzzle).all()
    with pytest.raises(AttemptsError, match="only 1 of 2 puzzles found in 1 attempts"):
        generate(2, pattern=PATTERN, solution=solution)
    with pytest.raises(InvalidPuzzleError, match="full grid"):
        generate(1, solution="." * 81)


RATING_REQUESTS = {
    "a range": ({"er": (3.0, 4.4)}, lambda rating: 3.0 <= rating.er <= 4.4),
    "one rating": ({"er": 7.1}, lambda rating: rating.er == 7.1),
    "medium": ({"difficulty": "medium"}, lambda rating: rating.difficulty == "medium"),
    "extreme": ({"difficulty": "extreme"}, lambda rating: rating.er >= 8.0),
    "both": (
        {"difficulty": "easy", "er": (2.0, 3.0)},
        lambda rating: rating.er >= 2.0 and rating.difficulty == "easy",
    ),
    "x-wing": ({"technique": "x-wing"}, lambda rating: rating.technique == "X-wing"),
    "unique rectangle": (
        {"technique": "Unique-Rectangle"},
        lambda rating: rating.technique == "unique rectangle",
    ),
    "forcing chain": ({"technique": "forcing chain"}, lambda rating: rating.technique == "forcing chain"),
    "a name": ({"name": "sky_scraper"}, lambda rating: rating.name == "Skyscraper"),
    "a group of names": (
        {"name": "Locked Candidates"},
        lambda rating: rating.name in {"Locked Candidates (Pointing)", "Locked Candidates (Claiming)"},
    ),
    "at least": ({"er": (7.0, 20.0)}, lambda rating: rating.er >= 7.0),
}


@pytest.fixture(scope="module")
def candidates():
    """What the seed gives without a request, and the ratings."""
    rows = generate(600, seed=9)
    return rows, [*unidoku.rate_many(rows)]


@pytest.fixture(scope="module")
def names(candidates):
    """The names of the steps of the first 400 of them."""
    steps = unidoku.steps_many(candidates[0][:400])
    found = [set() for _ in range(400)]
    for row, name in zip(steps.source_rows.tolist(), steps.name, strict=True):
        found[row].add(name)
    return found


@pytest.mark.parametrize(("options", "fits"), RATING_REQUESTS.values(), ids=RATING_REQUESTS)
def test_a_requested_rating(options, fits, candidates):
    """A request selects from the puzzles that the seed gives without it."""
    rows, ratings = candidates
    puzzles = rows[[fits(rating) for rating in ratings]]
    assert len(puzzles)
    assert (generate(len(puzzles), seed=9, threads=2, **options) == puzzles).all()


@in_turn
@pytest.mark.parametrize("effort", [(130, 180), (300, 329), (15, 25), 77, (1, 2)])
@pytest.mark.parametrize("symmetry", ["none", "full"])
def test_a_requested_effort_takes_few_attempts(effort, symmetry):
    puzzles = generate(20, seed=1, attempts=4000, effort=effort, symmetry=symmetry)
    efforts = unidoku.rate_many(puzzles).effort
    assert {*efforts.tolist()} <= {*range(np.min(effort), np.max(effort) + 1)}
    assert (generate_each([1], effort=effort, symmetry=symmetry) == puzzles[:1]).all()


def test_a_requested_step_anywhere_in_the_path(candidates, names):
    candidates = candidates[0][:300]
    uses = ["X-Wing" in found for found in names[:300]]
    puzzles = candidates[uses]
    assert 1 < len(puzzles) < 30
    assert (generate(len(puzzles), seed=9, uses="x-wings") == puzzles).all()
    medium = candidates[np.array(uses) & (unidoku.rate_many(candidates).er <= 4.0)]
    assert (generate(len(medium), seed=9, uses="x-wing", difficulty="medium") == medium).all()
    assert Request(uses="X-Wing", name="kite").to_json() == {"name": ["2-String Kite"], "uses": ["X-Wing"]}


def test_a_predicate_chooses_among_fitting_puzzles():
    batches = []

    def accept(batch):
        batches.append(batch)
        return batch[:, 40] == 5

    candidates = generate(600, seed=9, difficulty="hard")
    puzzles = candidates[candidates[:, 40] == 5]
    assert 0 < len(puzzles) < len(candidates)
    assert (generate(len(puzzles), seed=9, difficulty="hard", accept=accept) == puzzles).all()
    assert {rating.difficulty for batch in batches for rating in unidoku.rate_many(batch)} == {"hard"}
    assert Request(accept=accept).to_json()["accept"].endswith("accept")


def test_requested_steps_are_those_of_the_path():
    rows = generate(8, seed=4, steps=(50, 52), clues=(30, 33))
    assert {len(unidoku.steps(row).steps) for row in rows} <= {50, 51, 52}


def test_without_a_number_there_is_one_puzzle():
    assert generate(0).shape == (0, 81)
    for request in ({}, {"clues": 27}, {"clues": (22, 23)}, {"symmetry": "180", "clues": (28, 30)}):
        for seed in range(9, 19):
            (puzzle,) = generate(1, seed=seed, **request)
            assert generate(seed=seed, **request) == unidoku.Grid(puzzle)


def test_ends_beyond_what_there_is_stand_for_it():
    for beyond, whole in [
        ({"clues": (70, 10**30)}, {"clues": (70, None)}),
        ({"clues": (-9, 24), "er": (8, float("inf"))}, {"clues": (0, 24), "er": (8, None)}),
    ]:
        assert Request(**beyond) == Request(**whole)
        assert (generate(3, seed=1, **beyond) == generate(3, seed=1, **whole)).all()


def test_what_an_iterator_has_counts_for_each_word_and_in_the_error():
    mixture = {"medium": 1, "hard": 1}
    rows = generate(10, seed=1, difficulty=mixture, uses=iter(["naked pair"]))
    assert (rows == generate(10, seed=1, difficulty=mixture, uses="naked pair")).all()
    assert Request(techniques=iter(["singles"])) == Request(techniques=["singles"])
    with pytest.raises(AttemptsError, match="of the first 1 puzzles, 0 have the uses"):
        generate(seed=1, attempts=1, uses=iter(["swordfish"]))


def test_the_error_has_the_puzzles_of_too_few_attempts():
    with pytest.raises(AttemptsError, match=r"only \d+ of 100 puzzles found in 500 attempts") as caught:
        generate(100, seed=1, clues=20, minimal=True, attempts=500)
    assert len(caught.value.puzzles) < 100
    easy = pytest.raises(AttemptsError, match=r"only 64 of 65 puzzles found in 64 attempts")
    with easy as caught:
        generate(65, seed=1, attempts=64)
    assert (caught.value.puzzles == generate(64, seed=1)).all()


def test_random_grids():
    grids = random_grids(200, 1)
    assert all(unidoku.Grid(row).is_solved() for row in grids)
    assert (random_grids(50, 1, begin=30) == grids[30:80]).all()
    assert (random_grids(50, 1, begin=30, images=16) == random_grids(100, 1, images=16)[30:80]).all()


def test_a_share_that_is_no_positive_number_is_refused():
    for share in [float("nan"), float("inf"), 0, -1, None, "x", "1/0"]:
        with pytest.raises(unidoku.UnidokuError, match="a mixture needs words with shares above 0"):
            unidoku.generate(1, seed=1, difficulty={"easy": share, "hard": 1})


def test_a_mixture_has_the_puzzles_of_its_words():
    mixture = {"easy": 4, "medium": 4, "hard": 2}
    rows = unidoku.generate(27, seed=7, difficulty=mixture)
    assert (rows == unidoku.generate(27, seed=7, difficulty=mixture, threads=1)).all()
    words = [unidoku.rate(row).difficulty for row in rows]
    assert {word: words.count(word) for word in mixture} == {"easy": 11, "medium": 11, "hard": 5}
    assert words != sorted(words, key=[*mixture].index)
    alone = unidoku.lines(unidoku.generate(11, seed=7, difficulty="easy"))
    pairs = zip(unidoku.lines(rows), words, strict=True)
    assert {line for line, word in pairs if word == "easy"} == {*alone}
    assert isinstance(unidoku.generate(difficulty=mixture, seed=1), unidoku.Grid)
    counted = [
        len(unidoku.generate(count, seed=1, difficulty={"easy": 1, "medium": 2})) for count in range(5)
    ]
    assert counted == [0, 1, 2, 3, 4]


@pytest.mark.slow
def test_what_to_relax():
    """A request that nothing meets says how far it came; for 18 and 19 clues it ends soon."""
    for request_, advice in [
        (
            {"clues": 19},
            "2[01]-[23][0-9] clues, and only one attempt in 3,000,000 leaves 19; allow other numbers",
        ),
        ({"clues": 18}, "one attempt in 1,000,000,000 leaves 18"),
        (
            {"minimal": True, "symmetry": "180", "clues": 60},
            "clues; allow other numbers of clues, or more attempts",
        ),
        ({"pattern": "1" * 17 + "." * 64}, "no such puzzle with this pattern in the first 400 grids; add"),
        (
            {"er": (10.0, 11.0)},
            "first 256 puzzles, 0 have the er; relax.*; unidoku.learning.hard_puzzles_near",
        ),
        (
            {"effort": (1, 2000), "technique": "jellyfish"},
            "[0-9]+ have the effort, 0 have the technique",
        ),
        ({"accept": lambda rows: np.zeros(len(rows), np.bool_)}, "0 have the accept"),
    ]:
        limits = {} if request_.get("clues") in {18, 19} else {"attempts": 400}
        with pytest.raises(AttemptsError, match=advice) as caught:
            unidoku.generate(seed=1, **limits, **request_)
        assert f"only 0 of 1 puzzles found in {limits.get('attempts', 50_000):,} attempts" in str(
            caught.value
        )


def test_several_names_that_a_path_uses(candidates, names):
    puzzles = candidates[0][:400][[{"X-Wing", "Naked Pair"} <= found for found in names]]
    assert len(puzzles) > 2
    assert (generate(len(puzzles), seed=9, uses=["x-wing", "naked pair"]) == puzzles).all()
    command = run("generate", "-n", len(puzzles), "--seed", 9, "--where", "uses=x-wing,naked-pair", code=0)
    assert command.stdout.split() == unidoku.lines(puzzles)


@pytest.mark.slow
@pytest.mark.parametrize("vain", [70, 5000])
def test_a_request_that_no_attempt_meets_is_given_up(monkeypatch, vain):
    """After the same number of attempts in Python and in the command; one with a puzzle goes on."""
    monkeypatch.setattr("unidoku.craft._generate.VAIN_ATTEMPTS", vain)
    monkeypatch.setattr("unidoku.craft._generate._RARE_ATTEMPTS", vain)
    monkeypatch.setattr("unidoku.tasks._generate.VAIN_ATTEMPTS", vain)
    message = f"only 0 of 1 puzzles found in {vain:,} attempts"
    with pytest.raises(AttemptsError, match=f"{message}.*hard_puzzles_near searches near known hard puzzles"):
        generate(er=20.0)
    assert message in run("generate", "--where", "er=20-", "--seed", 3, code=1).stderr
    attempts = run("generate", "--where", "er=20-", "--attempts", vain + 9, code=1).stderr
    assert f"in {vain + 9:,} attempts" in attempts
    assert len(generate(20, seed=1, difficulty="hard")) == 20


def test_a_stop_counts_the_puzzles_that_it_keeps():
    with pytest.raises(unidoku.SearchStoppedError) as caught:
        generate(10**7, seed=1, timeout=0.2)
    found = len(caught.value.puzzles)
    assert caught.value.count == found
    assert (f"{found} puzzles were found so far" in str(caught.value)) == (found > 0)
