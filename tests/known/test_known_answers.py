"""Puzzles with answers from the literature, or with counts by other programs."""

import pytest
from cases import in_turn
from example_puzzles import CLASH, COUNTED, EIGHT, SOLUTION, UNIQUE

import unidoku
from unidoku import Grid, Verdict

# Hard for people, or made against simple searches; each with its only solution.
HARD = """
1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..
162857493534129678789643521475312986913586742628794135356478219241935867897261354
.......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....
751846239892371465643259871238197546974562318165438927319684752527913684486725193
1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1
174385962293467158586192734451923876928674315367851249719548623635219487842736591
.......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...
839465712146782953752391486391824675564173829287659341628537194913248567475916238
8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
812753649943682175675491283154237896369845721287169534521974368438526917796318452
..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9
987654321246173985351928746128537694634892157795461832519286473472319568863745219
""".split()


@in_turn
@pytest.mark.parametrize(("puzzle", "solution"), [*zip(HARD[::2], HARD[1::2], strict=True)])
def test_hard_puzzles(puzzle, solution):
    assert unidoku.check(puzzle) is Verdict.UNIQUE
    assert unidoku.solve(puzzle) == Grid(solution)


@in_turn
@pytest.mark.parametrize(
    ("puzzle", "number"), [*COUNTED.items(), (UNIQUE, 1), (SOLUTION, 1), (CLASH, 0), (EIGHT, 8)]
)
def test_counted_puzzles(puzzle, number):
    assert unidoku.count(puzzle) == len({*unidoku.solutions(puzzle)}) == number
    assert unidoku.check(puzzle) is Verdict(min(number, 2))
    assert (unidoku.solve(puzzle) is None) == (unidoku.solve([*puzzle]) is None) == (number == 0)


def test_the_two_solutions_of_a_16_clue_puzzle():
    puzzle = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    assert {grid.line for grid in unidoku.solutions(puzzle)} == {
        "562389471849716253137425896358194627974263185216857349691542738725638914483971562",
        "562398471948716253137425986359184627874263195216957348681542739725639814493871562",
    }
