"""The guesses of tdoku's search: known answers of the program itself (limit 1), a budget, the stop flag."""

import array

import pytest

from unidoku.native.guesses import count_guesses

KNOWN = {
    "." * 81: 36,
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79": 0,
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..": 57,
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9": 0,
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....": 48,
    "11" + "." * 79: 0,
    "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..": 12,
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179": 0,
    "..3.5.7..4....9....8.2.....2......4..9.8.......1.6.5.....5.16......7...3..6....57": 29,
    "........1.....2.......3..45.16.23...27.8.61..3.871.6...32.68..718..7....6.7......": 12,
    "2..6.34..17.....9............64....59...................53..6...8..7..1.....1....": 172,
    "........1.......23..4..5........46......78...12..........3...1...7......6....98..": 289,
}


def counted(lines, **options):
    cells = bytes("123456789".find(symbol) + 1 for line in lines for symbol in line)
    guesses, complete = array.array("Q", bytes(8 * len(lines))), bytearray(len(lines))
    count_guesses(cells, guesses, complete, **options)
    return guesses.tolist(), list(complete)


def test_the_numbers_of_the_program_in_any_order():
    lines = [*KNOWN, *reversed(KNOWN), *KNOWN]
    assert counted(lines) == ([KNOWN[line] for line in lines], [1] * len(lines))


@pytest.mark.parametrize("budget", [1, 12, 35, 36, 57, 58])
def test_a_budget_ends_the_search(budget):
    guesses, complete = counted(list(KNOWN), budget=budget)
    assert guesses == [min(budget, number) for number in KNOWN.values()]
    assert complete == [int(number <= budget) for number in KNOWN.values()]


def test_a_stop_flag_ends_the_search():
    guesses, complete = counted(list(KNOWN), stop=bytes([1]))
    assert complete == guesses == [0] * len(KNOWN)


def test_wrong_sizes_and_cells_are_refused():
    with pytest.raises(ValueError, match="81 bytes"):
        count_guesses(bytes(80), array.array("Q", [0]), bytearray(1))
    with pytest.raises(ValueError, match="0 to 9"):
        count_guesses(bytes([10] * 81), array.array("Q", [0]), bytearray(1))
