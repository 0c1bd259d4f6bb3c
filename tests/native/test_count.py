"""The counting kernel: the same, right numbers on every instruction set."""

from concurrent.futures import ThreadPoolExecutor
from math import factorial
from random import Random

import pytest
from counting import clues_of, is_solution_of
from example_puzzles import COUNTED, GRIDS, MANY, SOLUTION, clashing
from forms import FORMS, searched
from moving import moved, with_clues

from unidoku import kernel

pytestmark = pytest.mark.parametrize("isa", FORMS)


def new_sum(isa, line, **options):
    return kernel.isa_module(isa, "count").Sum(bytes(clues_of(line)), **options)


def complete_sum(isa, line, **options):
    whole = new_sum(isa, line, **options)
    assert whole.work()
    return whole


def count(isa, line, **options):
    return complete_sum(isa, line, **options).total()


def search(isa, line, limit):
    return searched(isa, [line], limit=limit).counts[0]


def test_known_numbers(isa):
    for line, number in [
        # Felgenhauer and Jarvis: all grids, and grids of a band and a first column in order, of 72 orders
        ("." * 81, factorial(9) * 72**2 * 2**7 * 27_704_267_971),
        ("123456789456789123789123456" + "." * 54, 108_374_976 * 72),
        ("1" + "." * 80, GRIDS // 9),
        ("123456789" + "." * 72, GRIDS // factorial(9)),
        ("123......456......789......" + "." * 54, GRIDS // factorial(9)),
        (MANY, 148_357_268),
        (SOLUTION, 1),
        ("." + SOLUTION[1:], 1),
        *COUNTED.items(),
    ]:
        assert count(isa, line) == number


def test_the_roles_have_one_order_on_every_instruction_set(isa):
    """Their costs are sums of doubles: a product and a sum in one instruction would round otherwise."""
    random = Random(68)
    for size in range(4, 17, 2):
        for _ in range(2):
            line = with_clues(SOLUTION, size, random)
            assert new_sum(isa, line).roles() == new_sum("base", line).roles()


def test_contradictory_clues(isa):
    for cells in [(0, 8), (0, 72), (0, 20), (0, 1), (0, 9), (40, 44)]:
        assert [count(isa, line) for line in clashing(*cells)] == [0, 0]


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_a_search(isa, seed):
    random = Random(seed)
    line = with_clues(moved(SOLUTION, random), random.randrange(18, 30), random)
    if seed % 5 == 0:  # sometimes impossible
        cell = random.randrange(81)
        line = line[:cell] + random.choice("123456789") + line[cell + 1 :]
    number = count(isa, line)
    assert search(isa, line, 20_000) == min(number, 20_000)
    assert count(isa, line, role=random.randrange(36), exchanges=False) == number


def test_every_role(isa):
    random = Random(3)
    line = with_clues(SOLUTION, 19, random)
    assert len({count(isa, line, role=role) for role in range(36)}) == 1


@pytest.mark.parametrize("number", [14])
def test_the_digits_of_a_cell_make_up_the_whole_and_images_have_as_many(isa, number):
    """For a few clues the sum uses many exchanges."""
    random = Random(number)
    line = with_clues(moved(SOLUTION, random), number, random)
    cell = random.choice([k for k in range(81) if line[k] == "."])
    whole = count(isa, line)
    assert sum(count(isa, line[:cell] + digit + line[cell + 1 :]) for digit in "123456789") == whole
    assert [count(isa, moved(line, random)) for _ in range(2)] == [whole] * 2


SYMMETRIC = [
    "1.........2.........3.........4.........5.........6.........7.........8..........",
    "1...........1...........1......2.........4...........6....3.........5............",
]
"""Clues that exchanges of rows, columns, bands, stacks and digits leave unchanged."""


def test_threads_share_one_sum(isa):
    total = new_sum(isa, "123456789" + "." * 72)
    assert total.parts > 1
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(total.work) for _ in range(4)]:
            future.result()
    assert total.total() == GRIDS // factorial(9)
    assert total.done == 1


def test_a_stopped_sum_has_no_total(isa):
    whole = new_sum(isa, "123456789" + "." * 72)
    stop = bytearray(1)
    shares = []

    def progress():
        shares.append(whole.done)
        stop[0] = 1

    assert not whole.work(stop=stop, progress=progress)
    assert shares
    assert shares[0] < 1
    with pytest.raises(RuntimeError, match="not complete"):
        whole.total()


def few_solutions(seed, min_solutions, max_solutions):
    """A puzzle with so many solutions and two digits without clues, which exchanges change."""
    random = Random(seed)
    while True:
        line = moved(SOLUTION, random).replace("8", ".").replace("9", ".")
        clues = [k for k in range(81) if line[k] != "."]
        for k in random.sample(clues, random.randrange(25, 45)):
            line = line[:k] + "." + line[k + 1 :]
        if min_solutions <= search("base", line, max_solutions) < max_solutions:
            return line


def is_solution(cells, line):
    return is_solution_of("".join(map(str, cells)), line)


@pytest.mark.parametrize("exchanges", [False, True])
def test_every_rank_is_another_solution(isa, exchanges):
    line = few_solutions(0, 100, 3000)
    whole = complete_sum(isa, line, exchanges=exchanges, keep=True)
    cells = whole.solutions(range(whole.total()))
    grids = {cells[k : k + 81] for k in range(0, len(cells), 81)}
    assert len(grids) == whole.total() == search(isa, line, 3000)
    assert all(is_solution(grid, line) for grid in grids)


@pytest.mark.parametrize("number", [0, 14, pytest.param(10, marks=pytest.mark.slow)])
def test_ranks_are_the_same_in_every_form(isa, number):
    random = Random(number)
    line = with_clues(moved(SOLUTION, random), number, random)
    cells_by_form = []
    for form in {isa, "base"}:
        whole = complete_sum(form, line, keep=True)
        ranks = [random.randrange(whole.total()) for random in map(Random, range(40))]
        cells = whole.solutions(ranks)
        assert all(is_solution(cells[k : k + 81], line) for k in range(0, len(cells), 81))
        assert cells[:81] == whole.solutions(ranks[:1])
        cells_by_form.append(cells)
    assert cells_by_form[0] == cells_by_form[-1]


def test_wrong_ranks(isa):
    whole = new_sum(isa, MANY, keep=True)
    with pytest.raises(RuntimeError, match="not complete"):
        whole.solutions([0])
    whole.work()
    for rank in (-1, whole.total()):
        with pytest.raises(IndexError, match="rank"):
            whole.solutions([rank])
    assert whole.solutions([]) == b""
    with pytest.raises(RuntimeError, match="keep"):
        complete_sum(isa, MANY).solutions([0])


def test_memory_is_bounded(isa):
    lines = ["." * 81, "1" + "." * 80, *SYMMETRIC]
    assert all(new_sum(isa, line).memory < 16 << 20 for line in lines)
