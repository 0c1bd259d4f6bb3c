"""Memory safety of the compiled modules, with arguments that no public function passes."""

from __future__ import annotations

from importlib import import_module
from itertools import product

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE
from forms import FORMS
from rating_engine import engine, outputs_of, rated_with_states

import unidoku
from unidoku import kernel
from unidoku._native import method, steps
from unidoku._native.clues import additions, prediction, reduction
from unidoku._native.text import columns, keys, render

HARD = "......7...581.....7.294.5.....2.....9.5.8..6..8...3.......2..78.....9...6.9..14.2"
ORDER = ([2, 3, 4], [0, 1, 2], False, False, False)
CLASH = "11" + SOLUTION[2:]
N = 64
STOPPED = 4  # an outcome of ratings


def zeros(*names, n=N, dtype=np.uint8):
    return {name: np.zeros(n, dtype) for name in names}


def rating_outputs(n=N):
    return zeros("er", "ep", "ed", "techniques", "names", "outcomes", n=n)


def step_outputs(n=N):
    wide = zeros("steps", "solutions", "level_step", "first_steps", "first_level_step", n=n, dtype=np.uint64)
    return wide | zeros("biggest_level", "first_level", "outcomes", n=n)


def symmetry(isa):
    return import_module(f"unidoku._native.symmetry.{isa}")


# Of each function that reads puzzles at `starts`: its puzzles, and a call with output in the bytes `over`.
CALLS = {
    "solve_cells": (
        UNIQUE,
        lambda isa, text, starts, over: kernel.isa_module(isa).solve_cells(
            text, starts, counts=np.zeros(N, np.uint64), solutions=over[: 81 * N]
        ),
    ),
    "rating.rate_cells": (
        HARD,
        lambda isa, text, starts, over: engine(isa).rate_cells(
            text,
            starts,
            zero=48,
            rows=np.arange(N),
            below=17,
            **rating_outputs() | {"outcomes": over[7 : 7 + N]},
        ),
    ),
    "rating.rate_cells in lanes": (
        CLASH,
        lambda isa, text, starts, over: engine(isa).rate_cells(
            text, starts, zero=48, **rating_outputs() | {"outcomes": over[7 : 7 + N]}
        ),
    ),
    "find_paths": (
        CLASH,
        lambda isa, text, starts, over: engine(isa).find_paths(
            text, starts, zero=48, ends=np.zeros(N, np.int64), outcomes=over[7 : 7 + N]
        ),
    ),
    "transform": (
        UNIQUE,
        lambda isa, text, starts, over: symmetry(isa).transform(
            text, starts, np.zeros(1, np.int64), over[: 81 * N]
        ),
    ),
    "effort.efforts": (
        UNIQUE,
        lambda isa, text, starts, over: import_module(f"unidoku._native.effort.{isa}").efforts(
            text, starts, over[: 2 * N].view(np.int16), zero=48
        ),
    ),
    "least_images": (
        UNIQUE,
        lambda isa, text, starts, over: symmetry(isa).least_images(text, starts, over[: 81 * N]),
    ),
    "least_through_solutions": (
        UNIQUE,
        lambda isa, text, starts, over: symmetry(isa).least_through_solutions(
            text, starts, np.tile(np.frombuffer(SOLUTION.encode(), np.uint8) - 48, N), over[: 81 * N]
        ),
    ),
    "steps.search_cells": (
        CLASH,
        lambda _, text, starts, over: steps.search_cells(
            text, starts, **step_outputs() | {"outcomes": over[7 : 7 + N]}
        ),
    ),
    "classify": (
        UNIQUE,
        lambda _, text, starts, over: method.classify(text, starts, over[: 60 * N].view(np.int32), ORDER),
    ),
    "keys": (UNIQUE, lambda _, text, starts, over: keys.keys(text, starts, over[: 16 * N])),
    "gather": (UNIQUE, lambda _, text, starts, over: columns.gather(text, starts, over[: 81 * N])),
    "read_cells": (UNIQUE, lambda _, text, starts, over: columns.read_cells(text, starts, over[: 81 * N])),
}


@in_turn
@pytest.mark.parametrize("name", CALLS)
def test_starts_outside_the_text_are_refused_and_none_is_read_late(name):
    puzzle, call = CALLS[name]
    for isa in kernel.usable():
        for start in (-1, 1, 2**62, -(2**62)):
            with pytest.raises(ValueError, match="outside the text"):
                call(isa, puzzle.encode(), np.full(N, start, np.int64), np.zeros(81 * N, np.uint8))
        memory = np.zeros(8 + 81 * N, np.uint8)
        call(isa, puzzle.encode(), memory[: 8 * N].view(np.int64), memory[8:])  # overwrites the starts
        assert memory[8:].any()


@pytest.mark.parametrize("isa", FORMS)
def test_an_output_over_the_numbers_is_of_elements(isa):
    memory = np.zeros(8 + 81 * N, np.uint8)
    numbers = memory[: 8 * N].view(np.int64)
    symmetry(isa).transform(SOLUTION.encode(), np.zeros(N, np.int64), numbers, memory[8:])
    for image in memory[8:].reshape(N, 81):  # of full grids, whatever was read for a number
        assert sorted(image.tolist()) == sorted([*range(1, 10)] * 9)


def test_starts_that_are_only_tested_are_in_the_text():
    text = UNIQUE.encode()
    assert columns.are_puzzles(text, np.zeros(N, np.int64))
    for start in (-1, 1, 2**62, -(2**62)):
        with pytest.raises(ValueError, match="outside the text"):
            columns.are_puzzles(text, np.array([0, start]))


@in_turn
@pytest.mark.parametrize(
    ("size", "row"), [(8, 2), (8, -2), (3, 5), (8, 2**63 - 1), (1, -(2**63)), (0, 0), (-8, 0)]
)
def test_values_outside_their_column_are_refused(size, row):
    with pytest.raises(ValueError, match=r"outside its column|no bytes"):
        columns.interleave(bytes(16), bytes(8), size, np.array([0, row]))


@in_turn
@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("puzzles", [1, 3])
def test_steps_that_are_stopped_before_the_first_puzzle_have_no_rows(isa, puzzles):
    outcomes, ends = np.zeros(puzzles, np.uint8), np.ones(puzzles, np.int64)
    rows = engine(isa).find_paths(
        HARD.encode() * puzzles,
        np.arange(0, 81 * puzzles, 81),
        zero=48,
        outcomes=outcomes,
        ends=ends,
        stop=b"\1",
    )
    assert rows == (b"",) * 8
    assert outcomes.tolist() == [STOPPED] * puzzles
    assert not ends.any()


# Every function that takes the 81 values of one puzzle, and whether it refuses values above 9.
VALUES = {
    "find_step": (True, lambda isa, cells: engine(isa).find_step(cells, np.full(81, 511, np.uint16))),
    "find_steps": (True, lambda isa, cells: engine(isa).find_steps(cells, np.full(81, 511, np.uint16))),
    "rate_cells": (
        False,
        lambda isa, cells: engine(isa).rate_cells(cells, np.zeros(1, np.int64), zero=0, **rating_outputs(1)),
    ),
    "solve_cells": (
        False,
        lambda isa, cells: kernel.isa_module(isa).solve_cells(
            cells, np.zeros(1, np.int64), zero=0, counts=np.zeros(1, np.uint64)
        ),
    ),
    "SolutionSearch": (
        False,
        lambda isa, cells: (
            kernel.isa_module(isa)
            .SolutionSearch(cells, zero=0, masks=np.full(81, 0xFFFF, np.uint16))
            .chunk(1)
        ),
    ),
    "remove_clues": (
        False,
        lambda isa, cells: kernel.isa_module(isa).remove_clues(
            cells, np.arange(81, dtype=np.uint8), np.arange(81, dtype=np.uint8)
        ),
    ),
    "Sum": (True, lambda isa, cells: kernel.isa_module(isa, "count").Sum(cells)),
    "StepSearch": (False, lambda _, cells: steps.StepSearch(cells)),
    "trace": (True, lambda _, cells: method.trace(cells, ORDER)),
    "compare": (True, lambda _, cells: prediction.compare(cells, cells, np.zeros((6, 1), np.uint8))),
    "Additions": (
        True,
        lambda _, cells: additions.Additions(1, cells, np.zeros(1, np.int64), False),
    ),
    "Reduction": (
        True,
        lambda _, cells: reduction.Reduction(
            1,
            cells,
            cells,
            np.arange(81, dtype=np.uint8),
            np.ones(1, np.uint64),
            np.ones(1, np.int64),
            bytearray(81),
        ),
    ),
}


@in_turn
@pytest.mark.parametrize("name", VALUES)
def test_values_above_nine_write_no_other_memory(name):
    refused, call = VALUES[name]
    for isa, value, place in product(kernel.usable(), (10, 17, 64, 255), (0, 40, 80)):
        cells = np.frombuffer(SOLUTION.encode(), np.uint8) - 48
        cells[[5, 40, 77]] = 0
        cells[place] = value
        if refused:
            with pytest.raises(ValueError):  # noqa: PT011  # the words differ
                call(isa, cells)
        else:
            call(isa, cells)


@pytest.mark.parametrize("missing", ["text", "starts"])
def test_the_search_needs_its_buffers(missing):
    arguments = {"text": UNIQUE.encode(), "starts": np.zeros(1, np.int64)} | {missing: None}
    for isa in kernel.usable():
        with pytest.raises(ValueError, match="must be buffers"):
            kernel.isa_module(isa).solve_cells(**arguments, counts=np.zeros(1, np.uint64))


# Every function that takes a flag.
STOPS = {
    "solve_cells": lambda isa, text, starts, stop: kernel.isa_module(isa).solve_cells(
        text, starts, counts=np.zeros(1, np.uint64), stop=stop
    ),
    "chunk": lambda isa, text, _, stop: kernel.isa_module(isa).SolutionSearch(text).chunk(1, stop=stop),
    "rating.rate_cells": lambda isa, text, starts, stop: engine(isa).rate_cells(
        text, starts, zero=48, stop=stop, **rating_outputs(1)
    ),
    "rate_further": lambda isa, text, starts, stop: engine(isa).rate_further(
        rated_with_states(engine(isa), [HARD], below=50, keep=True)[1],
        np.zeros(1, np.int64),
        stop=stop,
        **rating_outputs(1),
    ),
    "find_paths": lambda isa, text, starts, stop: engine(isa).find_paths(
        text, starts, zero=48, ends=np.zeros(1, np.int64), outcomes=bytearray(1), stop=stop
    ),
    "find_step": lambda isa, text, _, stop: engine(isa).find_step(
        np.zeros(81, np.uint8), np.full(81, 511, np.uint16), stop=stop
    ),
    "least_images": lambda isa, text, starts, stop: symmetry(isa).least_images(
        text, starts, bytearray(81), stop=stop
    ),
    "least_through_solutions": lambda isa, text, starts, stop: symmetry(isa).least_through_solutions(
        text, starts, SOLUTION.encode(), bytearray(81), stop=stop
    ),
    "steps.search_cells": lambda _, text, starts, stop: steps.search_cells(
        text, starts, **step_outputs(1), stop=stop
    ),
    "trace": lambda _, text, __, stop: method.trace(bytes(c % 48 for c in text), ORDER, stop=stop),
    "classify": lambda _, text, starts, stop: method.classify(
        text, starts, np.zeros(15, np.int32), ORDER, stop=stop
    ),
    "Sum.work": lambda isa, text, _, stop: kernel.isa_module(isa, "count").Sum(bytes(81)).work(stop=stop),
    "Sum.solutions": lambda isa, text, _, stop: _whole_sum(isa).solutions([0], stop=stop),
}


def _whole_sum(isa):
    whole = kernel.isa_module(isa, "count").Sum(
        bytes(c % 48 for c in UNIQUE.replace(".", "0").encode()), keep=True
    )
    whole.work()
    return whole


@in_turn
@pytest.mark.parametrize("name", STOPS)
def test_a_flag_is_one_byte(name):
    for isa, size in product(kernel.usable(), (0, 2)):
        with pytest.raises(ValueError, match="needed"):
            STOPS[name](isa, UNIQUE.replace(".", "0").encode(), np.zeros(1, np.int64), bytearray(size))


@in_turn
@pytest.mark.parametrize("dtype", [*"bBhHiIlLqQefdg", *">h <u4 >i8 >f4 >f8 S1 U1 <U1 >U1".split()])
def test_arrays_are_read_wherever_they_begin(dtype):
    cells = np.frombuffer(UNIQUE.replace(".", "0").encode() * 2, "S1")
    values = (cells if np.dtype(dtype).kind in "SU" else cells.astype(np.uint8)).astype(dtype)
    for offset in (0, 1, 2, 4, 7, 8, 16):
        rows = np.frombuffer(bytes(offset) + values.tobytes(), dtype, 162, offset).reshape(2, 81)
        for puzzles in (rows, [*rows], [*rows.reshape(2, 9, 9)], rows[::-1]):
            assert unidoku.check_many(puzzles).verdict.tolist() == ["unique", "unique"]
        assert {unidoku.Grid(puzzle).cells for puzzle in (rows[0], rows[1].reshape(9, 9))} == {
            unidoku.Grid(UNIQUE).cells
        }


def test_a_reduction_needs_full_grids():
    row = np.frombuffer(SOLUTION.encode(), np.uint8) - 48
    clashing = row.copy()
    clashing[[0, 1]] = clashing[[1, 0]]  # two columns are wrong
    units, one = np.arange(81, dtype=np.uint8), np.ones(1, np.int64)
    for solution in (np.full(81, 5, np.uint8), clashing, np.tile(np.arange(1, 10, dtype=np.uint8), 9)):
        with pytest.raises(ValueError, match="no full grid"):
            reduction.Reduction(1, solution, solution, units, one.view(np.uint64), one, bytearray(81))


@in_turn
@pytest.mark.parametrize("spoiled", ["solutions", "clues", "units"])
def test_a_reduction_keeps_what_it_has_checked(spoiled):
    row = np.frombuffer(SOLUTION.encode(), np.uint8) - 48
    buffers = {"solutions": row.copy(), "clues": row.copy(), "units": np.arange(81, dtype=np.uint8)}
    one, results, proposal = np.ones(1, np.int64), bytearray(81), bytearray(81)
    work = reduction.Reduction(
        1, buffers["solutions"], buffers["clues"], buffers["units"], one.view(np.uint64), one, results
    )
    buffers[spoiled][:] = 255
    assert work.propose(proposal) == 1
    assert all(digit in (0, right) for digit, right in zip(proposal, row, strict=True))


@pytest.mark.parametrize("spoiled", ["rows", "first"])
def test_additions_keep_what_they_have_checked(spoiled):
    buffers = {"rows": np.zeros(81, np.uint8), "first": np.zeros(1, np.int64)}
    work = additions.Additions(1, buffers["rows"], buffers["first"], False)
    buffers[spoiled][:] = -(2**40) if spoiled == "first" else 255
    proposal = bytearray(81)
    assert work.propose(proposal) == 1
    assert max(proposal) <= 9


@in_turn
@pytest.mark.parametrize("form", ["txt", "csv", "tsv", "jsonl"])
def test_words_outside_their_text_are_refused(form):
    for begin, end in [(-200, 3), (0, 2**40), (3, 1), (7, 9), (2**40, 2**40 + 3)]:
        words = (bytes(1), b"onetwo", np.array([begin]), np.array([end]))
        with pytest.raises(ValueError, match="outside its text"):
            render.render(form, 1, [("word", ("words", 1, words, None))])


@pytest.mark.parametrize("isa", FORMS)
def test_what_is_no_state_of_a_rating_is_not_rated(isa):
    module = engine(isa)
    outputs, kept = rated_with_states(module, [HARD], keep=True, below=50)
    assert outputs["outcomes"] == [3]
    module.rate_further(kept, np.arange(1), below=200, **outputs)
    assert outputs["outcomes"] == [0]
    states, random = np.frombuffer(kept, np.uint8), np.random.default_rng(57)
    foreign = [random.integers(0, 256, states.shape, np.uint8) for _ in range(20)]  # these did not end
    for place, value in [
        (-24, 255),
        (-20, 255),
        (-16, 255),
        (-12, 38),
        (-8, 255),
    ]:  # er, ep, ed, technique, name
        foreign.append(states.copy())
        foreign[-1][place:][:1] = value
    cells = [state for state in range(162) if states[state] or states[state ^ 1]]
    for cell in cells[::16]:
        foreign.append(states.copy())
        foreign[-1][cell | 1] |= 0x40  # a bit that no cell has
    outputs = outputs_of(len(foreign))
    module.rate_further(np.concatenate(foreign), np.arange(len(foreign)), below=200, **outputs)
    assert outputs["outcomes"].tolist() == [1] * len(foreign)
    assert not outputs["er"].any()


def test_a_copy_of_a_search_has_the_levels_that_were_left():
    search = steps.StepSearch(bytes(c % 48 for c in HARD.replace(".", "0").encode()))
    for _ in range(400):
        search.advance(2**60, 1, True)
        copy = search.copy()
        for level in range(1, search.highest[0] + 1):
            assert copy.before(level) == search.before(level)
