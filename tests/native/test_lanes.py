"""The lanes kernel: the same, right answers on every instruction set."""

import array
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from counting import count_by_masks, is_solution_of
from example_puzzles import SOLUTION as SOLVED, TEN, clashing
from forms import FORMS, searched

from unidoku import Grid, kernel
from unidoku._verdict import Verdict
from unidoku.craft._minimize import are_minimal

pytestmark = pytest.mark.parametrize("isa", FORMS)


def test_puzzles_with_few_clues_are_unique(isa, puzzles17):
    puzzles17 = puzzles17[::4]
    outputs = searched(isa, puzzles17)
    assert (set(outputs.counts), set(outputs.verdicts), set(outputs.witnesses)) == (
        {1},
        {Verdict.UNIQUE},
        {b""},
    )
    clues, digits = (np.array(lines, "S81").view("S1") for lines in (puzzles17, outputs.solutions))
    assert ((clues == digits) | (clues == b".") | (clues == b"0")).all()


def test_top1465_is_unique(isa, top1465):
    outputs = searched(isa, top1465)
    assert (set(outputs.counts), set(outputs.verdicts)) == ({1}, {Verdict.UNIQUE})


def test_a_puzzle_alone_has_its_solution_too(isa, top1465):
    # with nothing else to do all lanes share its branches; any of them may find the solution
    for puzzle in top1465:
        assert is_solution_of(searched(isa, [puzzle]).solutions[0].decode(), puzzle)


def test_full_and_nearly_full_grids(isa):
    for filled in [81, 80, 79]:
        outputs = searched(isa, [SOLVED[:filled].ljust(81, ".")])
        assert (outputs.counts, outputs.verdicts) == ([1], [Verdict.UNIQUE])
        assert (outputs.solutions, outputs.witnesses) == ([SOLVED.encode()], [b""])


def test_contradictory_clues(isa):
    """Two equal digits in a row, a column, a box."""
    for cells in [(0, 8), (0, 72), (0, 20), (40, 44)]:
        outputs = searched(isa, clashing(*cells))
        assert (outputs.counts, outputs.verdicts) == ([0, 0], [Verdict.NONE] * 2)
        assert outputs.solutions == outputs.witnesses == [b""] * 2


def test_a_full_grid_with_a_wrong_column_is_no_solution(isa):
    # each search fills a grid in which all boxes and rows are right, and two columns are not
    for puzzle in (
        "5...9..........8929..6...416....5.....5..9736...4.692.35.8.267..695.3218......45.",
        "....86....462.......2....46..364..17........3714..86...8.....3.1.....7.4.3..74.2.",
    ):
        outputs = searched(isa, [puzzle] * 40, limit=50)
        assert set(outputs.counts) == {count_by_masks(puzzle, 50)}


def test_batch_sizes(isa, puzzles17):
    """Each size with unique, many-solution and contradictory puzzles, against the search one by one."""
    rows = np.array([list(Grid(line).cells) for line in puzzles17[:1200]], np.uint8)
    minimal = [line for line, good in zip(puzzles17, are_minimal(rows), strict=False) if good]
    for number in [0, 1, 7, 8, 31, 32, 33, 800]:
        lines = []
        for k, puzzle in enumerate(minimal[:number]):
            clues = [cell for cell in range(81) if puzzle[cell] in "123456789"]
            clue = clues[k % 17]
            lines.append([puzzle, puzzle[:clue] + "." + puzzle[clue + 1 :], "7......7." + puzzle[9:]][k % 3])
        outputs = searched(isa, lines)
        assert outputs.verdicts == [
            [Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.NONE][k % 3] for k in range(number)
        ]
        assert outputs.counts == [[1, 2, 0][k % 3] for k in range(number)]
        for k, line in enumerate(lines[:99]):
            two = kernel.isa_module(isa).SolutionSearch(line.encode()).chunk(2)
            assert (outputs.solutions[k], outputs.witnesses[k]) == (two[:81], two[81:])


def test_all_forms_agree_on_everything(isa, puzzles17, top1465):
    lines = [*top1465[:300], *(puzzle.replace("1", ".") for puzzle in puzzles17[:300]), "." * 81, TEN]
    for limit in (1, 2, 100):
        assert searched(isa, lines, limit=limit) == searched("base", lines, limit=limit)


def test_budget_is_exact(isa, top1465):
    """With as many guesses as a puzzle needs its verdict is known, with one less it is unknown."""
    lines = top1465[:60]

    def within(line, budget):
        outputs = searched(isa, [line], budget=budget)
        return outputs.guesses[0], outputs.verdicts[0]

    for line, number in zip(lines, searched(isa, lines).guesses, strict=True):
        assert within(line, number or 1) == (number, Verdict.UNIQUE)
        assert number < 2 or within(line, number - 1) == (number - 1, Verdict.UNKNOWN)
    assert within("." * 81, 3) == (3, Verdict.UNKNOWN)


def test_a_count_that_the_budget_cuts_off_is_not_complete(isa):
    """Complete: all solutions are found, or the limit is reached."""

    def complete(lines, **options):
        outputs = searched(isa, lines, **options)
        return list(zip(outputs.counts, outputs.verdicts, outputs.complete, strict=True))

    lines = [SOLVED, TEN, "11" + "." * 79, "." * 81]
    for limit in (1, 2, 5):
        assert [flag for *_, flag in complete(lines, limit=limit)] == [1] * 4
    assert complete(lines[:3], limit=0) == [
        (1, Verdict.UNIQUE, 1),
        (10, Verdict.MULTIPLE, 1),
        (0, Verdict.NONE, 1),
    ]
    (needed,) = searched(isa, [TEN], limit=0).guesses
    assert complete([TEN], limit=0, budget=needed + 1) == [(10, Verdict.MULTIPLE, 1)]
    outcomes = [complete([TEN], limit=0, budget=budget)[0] for budget in range(1, needed)]
    assert all(flag == 0 for _, _, flag in outcomes)
    assert {verdict for _, verdict, _ in outcomes} == {Verdict.UNKNOWN, Verdict.MULTIPLE}
    ((count, verdict, flag),) = complete(["." * 81], limit=0, budget=1000)
    assert (verdict, flag) == (Verdict.MULTIPLE, 0)
    assert count > 2


def test_codes_of_cells(isa):
    for zero, empty in [(48, "."), (48, "0"), (48, "x"), (0, "\0"), (0, "\xff"), (64, "@"), (246, "\0")]:
        text = "".join(chr(zero + int(c)) if c in "123456789" else empty for c in TEN).encode("latin-1")
        counts = array.array("Q", [0])
        solutions = bytearray(81)
        kernel.isa_module(isa).solve_cells(
            text, bytes(8), zero=zero, limit=0, counts=counts, solutions=solutions
        )
        assert list(counts) == [10]
        assert bytes(code - zero + 48 for code in solutions) == searched(isa, [TEN]).solutions[0]


@pytest.mark.parametrize("puzzles", [[TEN], [TEN, SOLVED] * 40])
def test_solutions_of_text_as_numbers(isa, puzzles):
    """For one puzzle and for many: two kernels write them."""
    text = "".join(puzzles).encode()
    starts, counts = array.array("q", range(0, len(text), 81)), array.array("Q", [0] * len(puzzles))
    grids, second_grids = bytearray(len(text)), bytearray(len(text))
    outputs = {"counts": counts, "solutions": grids, "witnesses": second_grids}
    kernel.isa_module(isa).solve_cells(text, starts, limit=2, zero_out=0, **outputs)
    expected = searched(isa, puzzles, limit=2)
    assert "".join(map(str, grids)) == b"".join(expected.solutions).decode()
    assert (
        "".join(map(str, second_grids)) == b"".join(grid or b"0" * 81 for grid in expected.witnesses).decode()
    )


def test_puzzles_are_read_in_place(isa):
    text = b"# " + TEN.encode() + b"\r\n\n" + SOLVED.encode()
    counts = array.array("Q", [0, 0, 0])
    starts = array.array("q", [len(text) - 81, 2, 2])
    kernel.isa_module(isa).solve_cells(text, starts, limit=0, counts=counts)
    assert list(counts) == [1, 10, 10]


def test_wrong_buffers_are_refused(isa):
    for change, message in [
        ({"starts": array.array("q", [1])}, "outside"),
        ({"starts": array.array("q", [-1])}, "outside"),
        ({"starts": bytes(7)}, "8-byte"),
        ({"counts": None}, "counts"),
        ({"counts": bytearray(4)}, "counts has 4 bytes, 8 are needed"),
        ({"verdicts": bytearray(2)}, "verdicts"),
        ({"complete": bytearray(2)}, "complete"),
        ({"solutions": bytearray(80)}, "solutions"),
        ({"witnesses": bytearray(82)}, "witnesses"),
        ({"guesses": bytearray(1)}, "guesses"),
        ({"stop": b""}, "stop"),
        ({"zero": -1}, "zero"),
        ({"zero": 247}, "zero"),
        ({"zero_out": -1}, "zero"),
        ({"zero_out": 247}, "zero"),
    ]:
        arguments = {"text": SOLVED.encode(), "starts": bytes(8), "counts": bytearray(8), **change}
        with pytest.raises(ValueError, match=message):
            kernel.isa_module(isa).solve_cells(**arguments)


def test_search_gives_chunks_of_any_size(isa):
    search = kernel.isa_module(isa).SolutionSearch
    whole = search(TEN.encode()).chunk(1000)
    assert len(whole) == 810
    iterator = search(TEN.encode())
    assert b"".join(iterator.chunk(size) for size in (1, 2, 3, 3, 1, 1)) == whole
    assert iterator.chunk(5) == b""
    assert search(b"\1" * 81, zero=0).chunk(1) == b""
    with pytest.raises(ValueError, match="81"):
        search(b"." * 80)
    for size in (-1, 0, 2**24 + 1, 2**57, 10**30):
        with pytest.raises(ValueError, match="a chunk has from 1 to"):
            search(TEN.encode()).chunk(size)


def test_a_search_says_whether_all_solutions_are_found(isa):
    search = kernel.isa_module(isa).SolutionSearch
    whole = search(TEN.encode())
    assert not whole.complete
    assert len(whole.chunk(11)) == 810
    assert whole.complete
    stopped = search(TEN.encode())
    assert stopped.chunk(11, stop=b"\1") == b""
    assert not stopped.complete
    assert stopped.chunk(11, stop=b"\0") == search(TEN.encode()).chunk(11)
    assert stopped.complete
    (needed,) = searched(isa, [TEN], limit=0).guesses
    searches = [search(TEN.encode(), budget=budget) for budget in range(1, needed + 2)]
    sizes = [len(iterator.chunk(11)) // 81 for iterator in searches]
    assert sizes == sorted(sizes)
    assert sizes[0] < 10
    assert [iterator.complete for iterator in searches[:-2]] == [False] * (needed - 1)
    assert (sizes[-1], searches[-1].complete) == (10, True)


def test_many_threads_at_once(isa, top1465):
    """Threads that all call the kernel and share searches get the answers one thread gets."""
    lines = top1465[:100]
    outputs = searched(isa, lines)
    shared = kernel.isa_module(isa).SolutionSearch(b"." * 81)
    grids = []

    def hammer(_):
        grids.append(shared.chunk(50))
        return [searched(isa, lines) for _ in range(2)] + [searched(isa, [TEN], limit=10)]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(hammer, range(16)))
    assert all(result[:2] == [outputs] * 2 for result in results)
    assert all(result[2] == results[0][2] for result in results)
    one_thread = kernel.isa_module(isa).SolutionSearch(b"." * 81).chunk(800)
    assert sorted(grids) == sorted(one_thread[k : k + 4050] for k in range(0, len(one_thread), 4050))


# Few clues, no solution, and no digit that alone has a conflict: four digits confined to three cells, or a
# house with too few cells for some of its digits.
ENDLESS = [
    "..............................67.5..4...........5..76............................",
    "............8..............4.....681.....3...............1........4........6.....",
    "................3........2.................1........4................8..13.24....",
    ".................6........................51.8.26.............8........2.........",
    "....................8............8.2....75...........6..26.......68........2.....",
    "..................................31..578...................8........7........5..",
]


def test_the_search_ends_if_a_house_lacks_cells(isa):
    for line in ENDLESS:
        counts, verdicts = array.array("Q", [0]), bytearray(1)
        native = kernel.isa_module(isa)
        native.solve_cells(
            line.encode(), array.array("q", [0]), counts=counts, verdicts=verdicts, budget=5000
        )
        assert (counts[0], Verdict(verdicts[0])) == (0, Verdict.NONE)
        counts[0] = 7
        native.solve_cells(
            line.encode(), array.array("q", [0]), counts=counts
        )  # without a budget lanes share the work
        assert counts[0] == 0
