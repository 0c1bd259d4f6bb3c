"""The kernel for one puzzle: the tree of the lanes kernel on every instruction set; native calls."""

import array
import inspect
import pickle
from importlib.resources import files
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from example_puzzles import UNIQUE
from forms import FORMS
from judging import SHARED
from moving import moved

import unidoku
from unidoku import Grid, InvalidPuzzleError, Verdict, kernel
from unidoku.cell import EMPTY_SYMBOLS

TEN = "590000048608000307000201000000040000075306980000090000000803000206000709340000065"
# Hundreds of guesses: no solution, and no rule of propagation shows it.
LONG = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


def searched(isa, lines, *, alone, limit=2, budget=0):
    """All outputs for some puzzles; `alone`: from the kernel for one puzzle, with the rounds it made."""
    n = len(lines)
    counts, guesses, rounds = (array.array("Q", bytes(8 * n)) for _ in range(3))
    verdicts, complete, solutions, witnesses = (bytearray(size * n) for size in (1, 1, 81, 81))
    assert kernel.form(isa).solve_cells(
        "".join(lines).encode(),
        array.array("q", range(0, 81 * n, 81)),
        limit=limit,
        budget=budget,
        counts=counts,
        verdicts=verdicts,
        complete=complete,
        solutions=solutions,
        witnesses=witnesses,
        guesses=guesses,
        rounds=rounds if alone else None,
    )
    rows = [slice(81 * k, 81 * k + 81) for k in range(n)]
    answers = [
        (counts[k], verdicts[k], complete[k], guesses[k], solutions[row], witnesses[row])
        for k, row in enumerate(rows)
    ]
    return answers, rounds


def sample():
    text = files("unidoku").joinpath("data/sample.txt").read_text(encoding="ascii")
    return [line[:81] for line in text.splitlines()[2:]]


def varied(lines, number, seed):
    """Puzzles with clues removed (many solutions) or changed (mostly none)."""
    random = Random(seed)
    found = []
    for line in random.sample(lines, number):
        cells = list(line)
        clues = [k for k in range(81) if cells[k] in "123456789"]
        if random.random() < 0.5:
            for k in random.sample(clues, random.randrange(1, 5)):
                cells[k] = "."
        else:
            cells[random.choice(clues)] = random.choice("123456789")
        found.append("".join(cells))
    return found


def assert_same_tree(isa, lines, **options):
    many, _ = searched(isa, lines, alone=False, **options)
    one, _ = searched(isa, lines, alone=True, **options)
    for line, expected, answer in zip(lines, many, one, strict=True):
        assert answer == expected, line


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize(("limit", "budget"), [(1, 0), (2, 0), (2, 1), (2, 6), (50, 0), (50, 20)])
def test_same_tree_as_the_lanes(isa, limit, budget):
    lines = sample()
    lines = [*lines[::4], *varied(lines, 500, seed=limit + budget)]
    assert_same_tree(isa, lines, limit=limit, budget=budget)


@pytest.mark.parametrize("isa", FORMS)
def test_same_tree_where_guesses_are_many(isa):
    lines = ["." * 81, "12345678.........9".ljust(81, "."), LONG, TEN, *varied(sample(), 30, seed=9)]
    assert_same_tree(isa, lines * 2, limit=2000, budget=3000)


@pytest.mark.parametrize("isa", FORMS)
def test_same_tree_on_real_puzzles(isa, puzzles17, top1465):
    assert_same_tree(isa, [*puzzles17[::25], *top1465])
    assert_same_tree(isa, varied(puzzles17, 500, seed=1), limit=100)


@pytest.mark.parametrize("isa", FORMS)
def test_same_answers_for_starting_candidates(isa):
    random = Random(3)
    masks = array.array("H")
    lines = sample()[:200]
    for line in lines:
        masks.extend(
            random.getrandbits(16) | 0x1F0 if c not in "123456789" else 1 << int(c) - 1 for c in line
        )
    answers = []
    for rounds in (None, bytearray(8 * 200)):
        counts, solutions = bytearray(8 * 200), bytearray(81 * 200)
        kernel.form(isa).solve_masks(masks, limit=5, counts=counts, solutions=solutions, rounds=rounds)
        answers.append((counts, solutions))
    assert answers[0] == answers[1]


# Exact and the same on every machine: a change here is a change of the search, for better or worse.
STEPS = {
    "sample": (9543, 59157),
    "several": (19492, 85406),
}
STEPS_OF_FILES = {
    "puzzles17": (29754, 848007),
    "top1465": (11534, 102885),
}


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("name", STEPS)
def test_guesses_and_rounds(isa, name):
    lines = sample()
    if name == "several":  # a clue less, so that most have several solutions
        lines = [line.replace(max(line.strip(".")), ".", 1) for line in lines]
    answers, rounds = searched(isa, lines, alone=True)
    assert (sum(answer[3] for answer in answers), sum(rounds)) == STEPS[name]


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("name", STEPS_OF_FILES)
def test_guesses_and_rounds_of_the_files(shared_data, isa, name, request):
    answers, rounds = searched(isa, request.getfixturevalue(name), alone=True)
    assert (sum(answer[3] for answer in answers), sum(rounds)) == STEPS_OF_FILES[name]


@pytest.mark.parametrize("isa", FORMS)
def test_rounds_are_those_of_each_puzzle_alone(isa):
    lines = sample()[:100]
    _, together = searched(isa, lines, alone=True)
    assert list(together) == [searched(isa, [line], alone=True)[1][0] for line in lines]
    assert searched(isa, ["." * 81], alone=True, limit=1)[1][0] > 80


# --- calls at native speed --------------------------------------------------------------------------------


@pytest.fixture(params=FORMS)
def calls(request):
    """`check`, `count` and `solve` of one form, over functions that only say that they were called."""
    form = kernel.form(request.param)

    def left(*arguments, **options):
        return ("left", arguments, options)

    return (
        form.native_check(left),
        form.native_count(left),
        form.native_solve(Grid)(left),
    )


@pytest.mark.parametrize("kind", [str, str.encode])
def test_native_calls(calls, kind):
    check, count, solve = calls
    assert check(kind(UNIQUE)) is Verdict.UNIQUE
    assert check(kind(TEN)) is Verdict.MULTIPLE
    assert check(kind("11".ljust(81, "."))) is Verdict.NONE
    assert count(kind(TEN)) == 10
    assert count(kind(TEN), limit=3) == 3
    assert solve(kind(UNIQUE)).line.startswith("534678912")
    assert solve(kind("11".ljust(81, "."))) is None
    assert solve(kind(UNIQUE)) == solve(kind(UNIQUE))


def test_native_calls_agree_with_the_search(calls):
    check, count, solve = calls
    for line in sample()[:300]:
        search = kernel.SolutionSearch(line.encode())
        grids = search.chunk(3)
        assert check(line) == min(len(grids) // 81, 2)
        assert count(line, limit=3) == len(grids) // 81
        assert (solution := solve(line)) is None or solution.line.encode() == grids[:81]


@pytest.mark.parametrize(
    "puzzle",
    [
        *(UNIQUE[:80], UNIQUE + ".", UNIQUE[:80] + "/", UNIQUE[:80] + "\xe9", UNIQUE[:80] + "€"),
        *(Grid(UNIQUE), bytearray(81), list(UNIQUE), 81, None, bytes(81), "", b""),
    ],
)
def test_other_arguments_go_to_the_python_function(calls, puzzle):
    check, count, solve = calls
    assert check(puzzle) == solve(puzzle) == ("left", (puzzle,), {})
    assert count(puzzle, limit=7) == ("left", (puzzle,), {"limit": 7})


def test_options_and_long_searches_are_left(calls):
    check, count, solve = calls
    assert check(UNIQUE, budget=3) == solve(UNIQUE, budget=3) == ("left", (UNIQUE,), {"budget": 3})
    for limit in (0, -1, True, 2.5, "3", 2**64):
        assert count(UNIQUE, limit=limit) == ("left", (UNIQUE,), {"limit": limit})
    assert count("." * 81) == ("left", ("." * 81,), {"limit": None})
    assert count("." * 81, limit=2000) == ("left", ("." * 81,), {"limit": 2000})
    assert count("." * 81, limit=1000) == 1000


def test_every_code_of_a_cell(calls):
    """The quick test of a puzzle's characters accepts what `Grid` accepts."""
    check = calls[0]
    for code in range(256):
        for place in (0, 31, 48, 63, 64, 80):
            text = UNIQUE[:place].encode() + bytes([code]) + UNIQUE[place + 1 :].encode()
            accepted = 49 <= code <= 57 or chr(code) in EMPTY_SYMBOLS
            assert (type(check(text)) is Verdict) == accepted, (code, place)
            assert (type(check(text.decode("latin-1"))) is Verdict) == accepted, (code, place)


@pytest.mark.parametrize("name", ["check", "count", "solve"])
def test_public_functions_keep_their_signature(name):
    function = getattr(unidoku, name)
    assert function.__name__ == name
    assert "Parameters" in function.__doc__
    assert next(iter(inspect.signature(function).parameters)) == "puzzle"
    assert pickle.loads(pickle.dumps(function)) is function
    with pytest.raises(InvalidPuzzleError):
        function("no puzzle")
    with pytest.raises(TypeError):
        function()
    with pytest.raises(TypeError):
        function(UNIQUE, no_such_option=1)


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("number", [1, 5, 20, 21, 40])
def test_hard_puzzles_in_a_small_batch(isa, number):
    """A few puzzles: easy ones are solved one by one, hard ones with all lanes."""
    lines = ([LONG, UNIQUE, TEN, "." * 81] * 10)[:number]
    counts, verdicts = array.array("Q", bytes(8 * number)), bytearray(number)
    form = kernel.form(isa)
    starts = array.array("q", range(0, 81 * number, 81))
    assert form.solve_cells("".join(lines).encode(), starts, limit=5000, counts=counts, verdicts=verdicts)
    assert list(counts) == ([0, 1, 10, 5000] * 10)[:number]
    expected = [Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.MULTIPLE]
    assert [Verdict(v) for v in verdicts] == (expected * 10)[:number]
    if number >= 4:  # the empty grid is counted until the flag is seen
        stopped, complete = array.array("Q", bytes(8 * number)), bytearray(number)
        assert not form.solve_cells(
            "".join(lines).encode(), starts, limit=0, counts=stopped, complete=complete, stop=b"\1"
        )
        assert complete[3] == 0 < stopped[3] or number > 20


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("lines", [[UNIQUE, "." * 81, LONG], [LONG, LONG, "." * 81], [TEN, "." * 81] * 20])
def test_a_stop_leaves_no_hard_puzzle_as_if_it_were_done(isa, lines):
    """What the lanes had not finished has a count so far, no grids, and is not complete."""
    n = len(lines)
    counts, verdicts, complete = array.array("Q", [7] * n), bytearray(b"\7" * n), bytearray(b"\7" * n)
    solutions, witnesses = bytearray(b"\7" * 81 * n), bytearray(b"\7" * 81 * n)
    assert not kernel.form(isa).solve_cells(
        "".join(lines).encode(),
        array.array("q", range(0, 81 * n, 81)),
        limit=0,
        counts=counts,
        verdicts=verdicts,
        complete=complete,
        solutions=solutions,
        witnesses=witnesses,
        stop=b"\1",
    )
    whole = {UNIQUE: 1, TEN: 10, LONG: 0}
    for k, line in enumerate(lines):
        first, second = solutions[81 * k : 81 * k + 81], witnesses[81 * k : 81 * k + 81]
        if complete[k]:
            assert counts[k] == whole[line]
            assert verdicts[k] == (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(counts[k], 2)]
            assert (any(first), any(second)) == (counts[k] > 0, counts[k] > 1)
        else:
            assert complete[k] == 0
            assert counts[k] <= whole.get(line, counts[k])
            assert verdicts[k] == (Verdict.MULTIPLE if counts[k] > 1 else Verdict.UNKNOWN)
            assert not any(first)
            assert not any(second)
    assert not any(complete[k] for k in range(n) if lines[k] == "." * 81)
    assert complete[0] or lines[0] != UNIQUE


# Searched by several lanes for long.  They show a branch that takes over wrong grids or a wrong level, and a
# test for hopeless states that is too strict.
SEARCHED_BY_MANY = [
    "9....4.....561........5...14......2...6.....372.....4.......2.......7.9....3....5",
    ".9....1.2....2...9..4....6.7.3..6....1..8......6..7........4.3....7......5..9.8..",
    "..6.......3.56....7....9.1.9.....8...4......5......17.2....87.....45...3...6.....",
    "......65..9.......1...3.4.......6.......54....2....7.3..4..............97.6......",
    ".........39..8.......26.....62..7.....8...........9..1......26.1....4.........7..",
    ".6.2..7.............8.1....71....3...9............5...4.5..7.........1.....3.....",
    ".....6..........31...5.9.....21...9.......56....8......9...............7.63......",
    "...2.4......5.............7.1..7.....3.....5.......62..65.............43..2......",
]


@pytest.mark.parametrize("isa", FORMS)
def test_branches_of_several_lanes_are_put_in_order(isa):
    """The first two solutions of a shared search are those of a search that no lane shares."""
    form, random = kernel.form(isa), Random(5)
    for k in range(3000):
        line = (SEARCHED_BY_MANY * 2)[k] if k < 16 else moved(random.choice(SHARED), random)
        clues = [cell for cell in range(81) if line[cell] != "."]
        for cell in random.sample(clues, 0 if k < 16 else random.randrange(3)):
            line = f"{line[:cell]}.{line[cell + 1 :]}"
        counts, solution, witness = bytearray(8), bytearray(81), bytearray(81)
        limit = 2 if k < 8 else 30 if k < 16 else random.choice((2, 3, 30))
        form.solve_cells(
            line.encode(), bytes(8), limit=limit, counts=counts, solutions=solution, witnesses=witness
        )
        assert (solution + witness).rstrip(b"\0") == form.SolutionSearch(line.encode()).chunk(2)


@pytest.mark.parametrize("isa", FORMS)
def test_puzzles_that_a_stop_leaves_unsearched_have_no_solutions(isa):
    n = 9000
    counts, verdicts, complete = array.array("Q", [7] * n), bytearray(b"\7" * n), bytearray(b"\7" * n)
    rounds = array.array("Q", [7] * n)
    assert not kernel.form(isa).solve_cells(
        UNIQUE.encode(),
        array.array("q", [0] * n),
        counts=counts,
        verdicts=verdicts,
        complete=complete,
        rounds=rounds,
        stop=b"\1",
    )
    done = sum(complete)
    assert 0 < done < n
    assert list(counts) == [1] * done + [0] * (n - done)
    assert verdicts == bytes([Verdict.UNIQUE] * done + [Verdict.UNKNOWN] * (n - done))
    assert complete == bytes([1] * done + [0] * (n - done))
    assert not any(rounds[done:])


# --- check_many at native speed ---------------------------------------------------------------------------


@pytest.fixture(params=FORMS)
def native_many(request):
    def left(*arguments, **options):
        return ("left", arguments, options)

    def allocate(n, solutions, witnesses):
        return SimpleNamespace(
            counts=np.empty(n, np.uint64),
            verdicts=np.empty(n, np.uint8),
            complete=np.empty(n, np.bool_),
            solutions=np.empty((n, 81), np.uint8) if solutions else None,
            witnesses=np.empty((n, 81), np.uint8) if witnesses else None,
        )

    return kernel.form(request.param).native_check_many(allocate)(left)


def rows_as(kind, lines):
    if kind == "lines":
        return "\n".join(lines).encode()
    if kind == "lines, ended":
        return "".join(line + "\n" for line in lines).encode()
    codes = np.frombuffer("".join(lines).encode(), np.uint8).reshape(-1, 81)
    if kind == "codes":
        return codes
    if kind == "numbers":
        return np.where(codes > ord("0"), codes - ord("0"), 0).astype(np.uint8)
    return [line.encode() for line in lines] if kind == "bytes" else lines


KINDS = ["strings", "bytes", "lines", "lines, ended", "codes", "numbers"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [1, 3, 40])
def test_native_check_many(native_many, kind, number):
    lines = [line.replace(".", "0") for line in sample()[:number]]
    found = native_many(rows_as(kind, lines), limit=3, witnesses=True)
    expected = unidoku.check_many([Grid(line) for line in lines], limit=3, witnesses=True)
    for name in ("counts", "verdicts", "complete", "solutions", "witnesses"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert unidoku.check_many(rows_as(kind, lines), limit=3, witnesses=True) == expected
    assert native_many(rows_as(kind, lines), threads=1, solutions=False).solutions is None


@pytest.mark.parametrize(
    "rows",
    [
        [],
        b"",
        [UNIQUE, UNIQUE[:80]],
        [UNIQUE, UNIQUE[:80] + "/"],
        [UNIQUE, None],
        [Grid(UNIQUE)],
        (UNIQUE,),
        UNIQUE,
        UNIQUE.encode() + b"\r\n",
        UNIQUE.encode() + b"," + UNIQUE.encode(),
        UNIQUE.encode() + b"\n" + UNIQUE[:80].encode(),
        np.zeros((1, 9, 9), np.uint8),
        np.zeros((0, 81), np.uint8),
        np.zeros((2, 81), np.int64),
        np.zeros((2, 162), np.uint8)[:, ::2],
        np.full((1, 81), 10, np.uint8),
        np.array([[9] * 81, [10] * 81], np.uint8),
        np.array([[48] * 81, [0] * 81], np.uint8),
        np.full((1, 81), 138, np.uint8),
        [UNIQUE] * 5000,
    ],
)
def test_other_rows_are_left(native_many, rows):
    assert native_many(rows)[0] == "left"


@pytest.mark.parametrize(
    "options",
    [{"limit": 0}, {"limit": 2.5}, {"limit": 2**64}, {"threads": 0}, {"budget": 1}, {"errors": "invalid"}],
)
def test_other_options_are_left(native_many, options):
    assert native_many([UNIQUE], **options)[0] == "left"
