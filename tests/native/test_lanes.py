"""The lanes kernel: every form of it gives the same, right answers."""

import array

import pytest

from unidoku import kernel
from unidoku.verdict import Verdict

FORMS = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(name not in kernel.usable(), reason=f"no {name} on this machine"),
    )
    for name in kernel.NAMES
]
pytestmark = pytest.mark.parametrize("isa", FORMS)


def answers(isa, lines, limit=2, **options):
    """Counts, verdicts, solutions and witnesses of puzzles given as lines."""
    n = len(lines)
    counts = array.array("Q", [7] * n)
    verdicts = bytearray(b"\7" * n)
    solutions, witnesses = bytearray(b"\7" * 81 * n), bytearray(b"\7" * 81 * n)
    assert kernel.form(isa).solve_cells(
        "".join(lines).encode(),
        array.array("q", range(0, 81 * n, 81)),
        limit=limit,
        counts=counts,
        verdicts=verdicts,
        solutions=solutions,
        witnesses=witnesses,
        **options,
    )
    rows = [slice(81 * k, 81 * k + 81) for k in range(n)]
    return (
        list(counts),
        [Verdict(v) for v in verdicts],
        [bytes(solutions[r]).decode().strip("\0") for r in rows],
        [bytes(witnesses[r]).decode().strip("\0") for r in rows],
    )


def test_all_17_clue_puzzles_are_unique(isa, puzzles17):
    counts, verdicts, solutions, witnesses = answers(isa, puzzles17)
    assert len(counts) == 49_158
    assert set(counts) == {1}
    assert set(verdicts) == {Verdict.UNIQUE}
    assert set(witnesses) == {""}
    for puzzle, solution in zip(puzzles17, solutions, strict=True):
        assert all(clue in (".", "0", digit) for clue, digit in zip(puzzle, solution, strict=True))


def test_top1465_is_unique(isa, top1465):
    counts, verdicts, _, _ = answers(isa, top1465)
    assert set(counts) == {1}
    assert set(verdicts) == {Verdict.UNIQUE}


def test_a_puzzle_alone_has_its_solution_too(isa, top1465):
    # with nothing else to do all lanes share its branches; any of them may find the solution
    for puzzle in top1465:
        _, _, (solution,), _ = answers(isa, [puzzle])
        assert len(solution) == 81
        assert all(clue in (".", "0", digit) for clue, digit in zip(puzzle, solution, strict=True))
        for cells in (solution[k * 9 : k * 9 + 9] for k in range(9)):
            assert sorted(cells) == list("123456789")


def test_empty_grid(isa):
    counts, verdicts, solutions, witnesses = answers(isa, ["." * 81], limit=10)
    assert counts == [10]
    assert verdicts == [Verdict.MULTIPLE]
    assert solutions != witnesses
