"""Minimal puzzles: no redundant clue remains, and a seed determines the result."""

import random
from itertools import combinations, islice

import numpy as np
import pytest
from cases import in_turn
from command import run
from example_puzzles import UNIQUE as PUZZLE, changed
from forms import FORMS, force

import unidoku
from unidoku import Cancel, ImproperPuzzleError, SearchStoppedError, kernel
from unidoku._native.clues.reduction import keep_clues, order_of
from unidoku.craft import minimal_puzzles
from unidoku.craft._generate import random_grids
from unidoku.craft._minimize import are_minimal, minimize, minimize_many, reduce_clues
from unidoku.craft._request import Request
from unidoku.tasks import Minimize, _minimize as minimize_task


def test_minimize_one():
    small = minimize(PUZZLE, seed=7)
    assert unidoku.solve(small) == unidoku.solve(PUZZLE)
    assert all(clue in (0, whole) for clue, whole in zip(small, unidoku.Grid(PUZZLE), strict=True))
    assert are_minimal(np.frombuffer(small.cells, np.uint8)[None]).all()
    clues = [cell for cell in range(81) if small[cell]]
    assert not any(unidoku.check(changed(small.line, {cell: "."})) for cell in clues)
    assert not are_minimal(np.frombuffer(unidoku.Grid(PUZZLE).cells, np.uint8)[None]).any()
    assert minimize(PUZZLE, seed=7) == small
    assert len({minimize(PUZZLE, seed=seed) for seed in range(10)}) > 1
    assert minimize(small, seed=1) == small


@pytest.mark.parametrize("isa", FORMS)
def test_minimize_many(isa, monkeypatch):
    rows = random_grids(1000, 8)
    rows[:, :5] = 0
    rows = rows[unidoku.check_many(rows).verdict == "unique"]
    puzzles = minimize_many(rows, seed=3, threads=1).puzzle
    force(monkeypatch, isa)
    assert (minimize_many(rows, seed=3, threads=3).puzzle == puzzles).all()
    assert unidoku.check_many(puzzles).unique == len(rows)
    assert are_minimal(puzzles[:500]).all()


@in_turn
@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("symmetry", ["none", "180", "full"])
def test_clues_removed_one_by_one_and_together(isa, symmetry):
    """Few puzzles and many: also in sets of cells, and with a least number of clues."""
    units = Request(symmetry=symmetry).units
    grids = random_grids(20, 5)
    seeds = np.arange(20, dtype=np.uint64)
    for least in (0, 30, 78):
        fewest = np.full(20, least)
        together = reduce_clues(grids.reshape(-1), seeds, fewest, units)
        alone = [reduce_clues(grids[k], seeds[[k]], fewest[[k]], units) for k in range(20)]
        assert together == b"".join(alone)
        assert min(81 - puzzle.count(0) for puzzle in alone) >= least
    kernel_of = kernel.isa_module(isa)
    for k in range(5):
        puzzle, grid = bytearray(grids[k]), grids[k].tobytes()
        assert kernel_of.remove_clues(puzzle, order_of(grid, units, k), units)
        expected = reduce_clues(grids.reshape(-1), seeds, None, units)
        assert puzzle == expected[81 * k : 81 * k + 81]


def test_one_by_one_a_cancel_ends_the_work():
    cancel = Cancel()
    cancel.set()
    with pytest.raises(SearchStoppedError):
        reduce_clues(random_grids(1, 5)[0], np.zeros(1, np.uint64), cancel=cancel)


def test_buffers_of_another_size_are_refused():
    native, right = kernel.lanes(), bytearray(81)
    for cells, units in ((bytearray(80), right), (right, bytes(82))):
        with pytest.raises(ValueError, match="81 bytes"):
            native.remove_clues(cells, b"", units)
        with pytest.raises(ValueError, match="81 bytes"):
            order_of(cells, units, 0)
    with pytest.raises(ValueError, match="range"):
        order_of(right, bytes([81] * 81), 0)
    with pytest.raises(ValueError, match="81 bytes"):
        keep_clues(bytearray(80), 0, 81)


def near_minimal(more, seed):
    """Return a minimal puzzle with some more clues, as a line."""
    line = unidoku.generate(seed=seed).line
    solution = unidoku.solve(line).line
    cells = random.Random(seed).sample([cell for cell in range(81) if line[cell] == "."], more)
    return changed(line, {cell: solution[cell] for cell in cells})


def every_minimal(line):
    """Every minimal puzzle within a puzzle, from the verdict on each set of the clues that can go alone."""
    free = [cell for cell in range(81) if line[cell] != "." and unidoku.check(changed(line, {cell: "."}))]
    sets = [removed for size in range(len(free) + 1) for removed in combinations(free, size)]
    lines = [changed(line, dict.fromkeys(removed, ".")) for removed in sets]
    proper = unidoku.check_many(lines).verdict == "unique"
    good = {frozenset(removed) for removed, unique in zip(sets, proper, strict=True) if unique}
    largest = {removed for removed in good if not any(removed | {cell} in good for cell in {*free} - removed)}
    return sorted(changed(line, dict.fromkeys(removed, ".")) for removed in largest)


@in_turn
@pytest.mark.parametrize(("more", "seed"), [(0, 1), (1, 2), (3, 3), (5, 4), (6, 7)])
def test_all_minimal_puzzles_are_those_of_every_set_of_clues(more, seed):
    line = near_minimal(more, seed)
    expected = every_minimal(line)
    assert [grid.line for grid in minimal_puzzles(line)] == expected
    assert more == 0 or len(expected) > 1


def test_the_first_minimal_puzzles_of_a_full_grid():
    rows = np.array([list(grid.cells) for grid in islice(minimal_puzzles(unidoku.solve(PUZZLE)), 100)])
    assert are_minimal(rows.astype(np.uint8)).all()
    assert unidoku.check_many(rows).unique == 100
    lines = unidoku.lines(rows)
    assert lines == sorted({*lines})


def test_a_puzzle_that_is_not_proper_has_no_minimal_ones():
    for line in ("." * 81, "11" + "." * 79):
        with pytest.raises(ImproperPuzzleError, match="cannot be minimized"):
            minimal_puzzles(line)
        assert minimize_many([line], errors="invalid")[0].puzzle is None


def test_rows_of_all_minimal_puzzles(tmp_path):
    """In pieces, beside puzzles without rows, with the columns of the input; the first N of each puzzle."""
    lines = [*[near_minimal(5, 13), "." * 81, near_minimal(3, 3)] * 9, "." * 81]
    (tmp_path / "in.csv").write_text("".join(f"{k},{line}\n" for k, line in enumerate(["puzzle", *lines])))
    answers = [*[every_minimal(lines[0]), [], every_minimal(lines[2])] * 9, []]
    assert sum(map(len, answers)) > 512  # of which 64 make a piece
    rows = "".join(
        f"{small},{small.count('.') - line.count('.') if small else ''},{k}\n"
        for k, (line, puzzles) in enumerate(zip(lines, answers, strict=True), 1)
        for small in puzzles or [""]
    )
    words = ("minimize", "--all", "in.csv", "--columns", "puzzle,removed,0", "-o", "out.csv")
    run(*words, cwd=tmp_path, code=1)
    assert (tmp_path / "out.csv").read_text() == f"puzzle,removed,0\n{rows}"
    result = run("minimize", "--all", "-n", "2", "in.csv", "--column", "puzzle", cwd=tmp_path, code=1)
    assert result.stdout.split() == [small for puzzles in answers for small in puzzles[:2]]
    many = unidoku.run_many(Minimize(all=True), [lines[0], lines[2]])
    assert unidoku.lines(many.puzzle) == answers[0] + answers[2]


def test_pieces_of_all_minimal_puzzles_keep_the_order_of_records(tmp_path, monkeypatch):
    grid = unidoku.solve(PUZZLE).line
    several = PUZZLE[:40] + grid[40:44] + PUZZLE[44:]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle", several, "bad", "." * 81, several, "worse", ""]))
    texts = set()
    for size in (1000, 3, 1):
        monkeypatch.setattr(minimize_task, "_PIECE", size)
        run("minimize", "--all", "-n", "7", "in.csv", "-o", f"{size}.csv", cwd=tmp_path, code=1)
        texts.add((tmp_path / f"{size}.csv").read_text())
    (text,) = texts
    assert len(text.splitlines()) > 8


def test_an_error_names_the_row_among_all():
    rows = [PUZZLE] * 3000 + ["." * 81]
    with pytest.raises(unidoku.InvalidPuzzleError) as caught:
        minimize_many(rows, seed=1)
    assert caught.value.index == 3000
