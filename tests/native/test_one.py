"""The kernel for one puzzle: the tree of the lanes kernel on every instruction set; single calls."""

import sys
from random import Random

import pytest
from example_puzzles import LONG, SHARED, TEN, UNIQUE, sample
from forms import FORMS, searched
from moving import moved

import unidoku
from unidoku import InvalidPuzzleError, Verdict, kernel
from unidoku.cell import EMPTY_SYMBOLS

SAMPLE = [line for line, _ in sample()]


def varied(lines, number, seed):
    """Puzzles with clues removed (many solutions) or changed (mostly none)."""
    random = Random(seed)
    puzzles = []
    for line in random.sample(lines, number):
        cells = list(line)
        clues = [k for k in range(81) if cells[k] in "123456789"]
        if random.random() < 0.5:
            for k in random.sample(clues, random.randrange(1, 5)):
                cells[k] = "."
        else:
            cells[random.choice(clues)] = random.choice("123456789")
        puzzles.append("".join(cells))
    return puzzles


def assert_same_tree(isa, lines, **options):
    lanes_outputs, alone_outputs = (searched(isa, lines, alone=alone, **options) for alone in (False, True))
    assert lanes_outputs == alone_outputs._replace(rounds=[])


@pytest.mark.parametrize("isa", FORMS)
def test_same_tree_as_the_lanes(isa):
    for limit, budget in [(1, 0), (2, 0), (2, 1), (2, 6), (50, 0), (50, 20)]:
        lines = [*SAMPLE[::8], *varied(SAMPLE, 250, seed=limit + budget)]
        assert_same_tree(isa, lines, limit=limit, budget=budget)


@pytest.mark.parametrize("isa", FORMS)
def test_same_tree_where_guesses_are_many(isa):
    lines = ["." * 81, "12345678.........9".ljust(81, "."), LONG, TEN, *varied(SAMPLE, 30, seed=9)]
    assert_same_tree(isa, lines * 2, limit=2000, budget=3000)


@pytest.mark.parametrize("isa", FORMS)
def test_same_tree_on_real_puzzles(isa, puzzles17, top1465):
    assert_same_tree(isa, [*puzzles17[::50], *top1465[::2]])
    assert_same_tree(isa, varied(puzzles17, 250, seed=1), limit=100)


def without_its_first_clue(line):
    return line.replace(line.strip(".0")[0], ".", 1)


# Sums over the puzzles of each set: guesses, rounds of the kernel for one puzzle, solutions up to the limit.
# Another order of guesses, or a rule more or less in a round, changes them.
@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize(
    ("name", "limit", "sums"),
    [
        ("sample", 2, (9_810, 59_200, 4_400)),
        ("several solutions", 50, (102_916, 583_702, 91_713)),
        ("top1465", 2, (12_357, 106_727, 1_465)),
    ],
)
def test_guesses_and_rounds_are_these(request, isa, name, limit, sums):
    if name == "top1465":
        request.getfixturevalue("shared_data")
        lines = request.getfixturevalue("top1465")
    else:
        lines = SAMPLE if name == "sample" else [without_its_first_clue(line) for line in SAMPLE]
    alone, lanes = (searched(isa, lines, alone=alone, limit=limit) for alone in (True, False))
    assert (sum(alone.guesses), sum(alone.rounds), sum(alone.counts)) == sums
    assert (sum(lanes.guesses), sum(lanes.counts)) == (sums[0], sums[2])


@pytest.mark.parametrize("kind", [bytes, lambda text: text.decode("latin-1")])
def test_every_code_of_a_cell(kind):
    """The quick test of a puzzle's characters accepts the same codes as `Grid`."""
    for code in range(256):
        for place in (0, 80):
            sign = b"-" if code in {0x96, 0x97} else b"."  # dashes, which are no dots
            sign = bytes([code]) if chr(code) in EMPTY_SYMBOLS else sign  # a puzzle has one
            signs = UNIQUE.encode().replace(b".", sign)
            text = kind(signs[:place] + bytes([code]) + signs[place + 1 :])
            dots = "·" if kind is not bytes else "·•–—".encode("cp1252").decode("latin-1")  # of drawings
            if 49 <= code <= 57 or chr(code) in EMPTY_SYMBOLS + dots:
                unidoku.check(text)
            else:
                with pytest.raises(InvalidPuzzleError):
                    unidoku.check(text)


@pytest.mark.parametrize("isa", FORMS)
def test_hard_puzzles_in_a_small_batch(isa):
    """In a small batch, easy puzzles are solved one by one, hard puzzles by all lanes."""
    for number in [1, 5, 20, 21, 40]:
        lines = ([LONG, UNIQUE, TEN, "." * 81] * 10)[:number]
        outputs = searched(isa, lines, limit=5000)
        assert outputs.counts == ([0, 1, 10, 5000] * 10)[:number]
        verdicts = [Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.MULTIPLE]
        assert outputs.verdicts == (verdicts * 10)[:number]


@pytest.mark.parametrize("isa", FORMS)
def test_a_stop_leaves_no_hard_puzzle_as_if_it_were_done(isa):
    """A puzzle that the lanes had not finished has the count so far, no grids, and is not complete."""
    for lines in [[UNIQUE, "." * 81, LONG], [LONG, LONG, "." * 81], [TEN, "." * 81] * 20, ["." * 81] * 99]:
        outputs = searched(isa, lines, limit=0, stop=b"\1")
        assert not outputs.finished
        whole = {UNIQUE: 1, TEN: 10, LONG: 0}
        for k, line in enumerate(lines):
            count, grids = outputs.counts[k], (bool(outputs.solutions[k]), bool(outputs.witnesses[k]))
            if outputs.complete[k]:
                assert count == whole[line]
                assert outputs.verdicts[k] == (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(count, 2)]
                assert grids == (count > 0, count > 1)
            else:
                assert count <= whole.get(line, count)
                assert outputs.verdicts[k] == (Verdict.MULTIPLE if count > 1 else Verdict.UNKNOWN)
                assert grids == (False, False)
        assert not any(outputs.complete[k] for k, line in enumerate(lines) if line == "." * 81)
        assert outputs.complete[0] or lines[0] != UNIQUE
        assert max(outputs.counts) > 1  # found so far
        assert outputs.counts[-1] == 0 or len(lines) < 99  # more than any form has lanes: some are not begun
        # the solver that was in use is as good as new
        assert searched(isa, [UNIQUE]).verdicts == [Verdict.UNIQUE]


# Several lanes search these for long. They reveal a branch that takes over wrong grids or a wrong level, and
# too strict a test for hopeless states.
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
    """A shared search counts the same solutions, and has the same first two, as a search by one lane."""
    native, random = kernel.isa_module(isa), Random(5)
    for k in range(1000):
        line = (SEARCHED_BY_MANY * 2)[k] if k < 16 else moved(random.choice(SHARED), random)
        clues = [cell for cell in range(81) if line[cell] != "."]
        for cell in random.sample(clues, 0 if k < 16 else random.randrange(3)):
            line = f"{line[:cell]}.{line[cell + 1 :]}"
        counts, solution, witness = bytearray(8), bytearray(81), bytearray(81)
        limit = 2 if k < 8 else 30 if k < 16 else random.choice((1, 2, 3, 30))
        native.solve_cells(
            line.encode(), bytes(8), limit=limit, counts=counts, solutions=solution, witnesses=witness
        )
        grids = native.SolutionSearch(line.encode()).chunk(limit)
        assert int.from_bytes(counts, sys.byteorder) == len(grids) // 81
        assert (solution + witness).rstrip(b"\0") == grids[:162]


@pytest.mark.parametrize("isa", FORMS)
def test_puzzles_that_a_stop_leaves_unsearched_have_no_solutions(isa):
    n = 9000
    outputs = searched(isa, [UNIQUE] * n, alone=True, stop=b"\1")
    count = sum(outputs.complete)
    assert 0 < count < n
    assert outputs.counts == [1] * count + [0] * (n - count)
    assert outputs.verdicts == [Verdict.UNIQUE] * count + [Verdict.UNKNOWN] * (n - count)
    assert outputs.complete == [True] * count + [False] * (n - count)
    assert not any(outputs.rounds[count:] + outputs.solutions[count:])
