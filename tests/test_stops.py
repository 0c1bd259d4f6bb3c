"""A search that is stopped is never an answer: wherever it is stopped, each row is right or has a reason.

The place is a number of looks at the flag, not a time: see `stop_counter`.
"""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from example_puzzles import EIGHT, MULTIPLE, NOTHING, SOLUTION, UNIQUE
from forms import BEST, force
from known_ratings import TABLE
from stop_counter import NEVER, StopAt, looks_of, stopped_at

import unidoku
from unidoku import Cancel, aio, counting, kernel, method
from unidoku._table.puzzles import Puzzles
from unidoku._task import Task, Work
from unidoku.craft._generate import generate_each
from unidoku.craft._neighbours import hard_puzzles_near
from unidoku.method._rules import run_classify
from unidoku.rating._measure import measure
from unidoku.tasks._check import Check
from unidoku.tasks._keys import KEY_SIZE, keys_by_solutions, keys_of
from unidoku.tasks._minimize import Minimize
from unidoku.tasks._neighbours import Neighbours
from unidoku.tasks._rate import Rate
from unidoku.tasks._solve import SolutionsTask
from unidoku.tasks._steps import StepsTask

CHAINS = "...675.9..59......21..4..3.5........1.....8.6.3.....4....5..2.....2..98348......."
"""ER 7.2: with the search for its chain left out, 7.5."""
POOL = sorted(puzzle for puzzle, (er, _, _) in TABLE.items() if 40 <= er <= 88)
FORTY, FEW, TWENTY = (random.Random(seed).sample(POOL, n) for seed, n in ((1, 40), (2, 8), (3, 20)))
NESTED = next(puzzle for puzzle, (er, _, _) in TABLE.items() if er >= 83)
SPARSE = ".....5.8....6.1.4...........1.5........1.6...3.......5.3.....61........4........."
ROWS = [UNIQUE[k : k + 9] for k in range(0, 81, 9)]
TEXTS = [UNIQUE, f"{UNIQUE}\n", "\n".join(ROWS), " ".join(ROWS)]
LARGE = np.tile(np.frombuffer(UNIQUE.replace(".", "0").encode(), np.uint8) - 48, (40_000, 1)).astype(np.int32)
EVERY = counting.Solutions(SPARSE)
HARD_SEARCH = [".......6..4.3....51.......2.5....4...........7.....8...6.1..3......2..5.4........"] * 12


def rows_of(result: Any, names: list[str]) -> list[Any]:
    """Return the values of each row; None for a row that has a reason, which must have no values."""
    rows: list[Any] = []
    columns = [getattr(result, name).tolist() for name in names]
    for row, values in enumerate(zip(*columns, strict=True)):
        if row in result.reasons:
            assert result.reasons[row] == "cancelled"
            assert all(value in (None, False) or np.isnan(value) for value in values), values
        rows.append(None if row in result.reasons else values)
    return rows


RATING = ["er", "ep", "ed", "technique", "name", "difficulty", "at_least"]


def rating_of(puzzle: str) -> Callable[[Cancel], Any]:
    return lambda stop: [unidoku.rate(puzzle, cancel=stop)]


def ratings_of(puzzles: list[str], **options: Any) -> Callable[[Cancel], Any]:
    return lambda stop: rows_of(unidoku.rate_many(puzzles, threads=1, cancel=stop, **options), RATING)


def paths_of(stop: Cancel) -> list[Any]:
    """Return the steps of twenty puzzles, each with its rating, technique and conclusions."""
    result = unidoku.steps_many(TWENTY, threads=1, cancel=stop)
    paths: list[list[Any]] = [[] for _ in TWENTY]
    for step, row in zip(result, result.source_rows.tolist(), strict=True):
        paths[row].append((step.rating, step.technique, step.placements, step.eliminations))
    assert all(result.reasons[row] == "cancelled" for row, path in enumerate(paths) if not path)
    assert all(row not in result.reasons for row, path in enumerate(paths) if path)
    return [path or None for path in paths]


def checks_of(stop: Cancel) -> list[Any]:
    """Return verdict and number of solutions; what is not complete is a lower bound, and has a reason."""
    result = unidoku.check_many([UNIQUE, MULTIPLE, *HARD_SEARCH], limit=3, threads=1, cancel=stop)
    assert all(done or row in result.reasons for row, done in enumerate(result.complete.tolist()))
    rows = zip(result.verdict.tolist(), result.count.tolist(), strict=True)
    return [None if row in result.reasons else values for row, values in enumerate(rows)]


def solutions_of(stop: Cancel) -> list[Any]:
    return [[grid.line for grid in unidoku.solutions(EIGHT, cancel=stop)]]


def pieces_of(stop: Cancel) -> list[Any]:
    """Return the solutions as the task has them; a puzzle has its last one once there is no other."""
    batch = Puzzles.of([MULTIPLE, EIGHT]).batch
    return [
        [np.asarray(piece.columns["last"]).tolist() for piece in SolutionsTask(40).work(batch, Work(), stop)]
    ]


def _keys(keys: bytes | bytearray) -> Iterator[bytes]:
    """Yield each of some keys."""
    return (bytes(keys[begin : begin + KEY_SIZE]) for begin in range(0, len(keys), KEY_SIZE))


def keys_of_images(stop: Cancel) -> list[Any]:
    batch = Puzzles.of(FORTY).batch
    return [*_keys(keys_of(batch, "canonical", (1, 2), stop))]


def answer_of(stop: Cancel) -> list[Any]:
    """Return the whole answer to a puzzle; one that is not complete has lower bounds."""
    answer = unidoku.examine(MULTIPLE, limit=20_000, budget=10**7, cancel=stop)
    assert answer.complete or answer.count < 20_000
    return [answer if answer.complete else None]


def keys_of_solutions(stop: Cancel) -> list[Any]:
    batch = Puzzles.of(FORTY).batch
    solutions = kernel.solve_rows(batch.cells, grids=1).solutions.reshape(-1)
    keys = keys_by_solutions(batch, (1, 2), stop, solutions)
    return [key for name in sorted(keys) for key in _keys(keys[name])]


def texts_of(stop: Cancel) -> list[Any]:
    """Return the cells of texts in forms that are read one by one."""
    texts = [TEXTS[row % len(TEXTS)] for row in range(400)]
    return [unidoku.cells(texts, cancel=stop).tolist()]


def batches_of(stop: Cancel) -> list[Any]:
    """Return the puzzles of files, which are read in turn."""
    files = [io.BytesIO("\n".join(FORTY[k : k + 8]).encode()) for k in range(0, 40, 8)]
    return [[batch.cells.tolist() for batch in unidoku.read(files, cancel=stop)]]


def run_of(task: Task, puzzles: list[str]) -> Callable[[Cancel], Any]:
    """Return the results of a task for each puzzle; the rest is cancelled."""

    def call(stop: Cancel) -> list[Any]:
        result = unidoku.run_many(task, puzzles, threads=1, cancel=stop)
        names = [name for name in task.columns if hasattr(result, name)]
        rows: list[list[Any]] = [[] for _ in puzzles]
        for place, row in enumerate(result.source_rows.tolist()):
            rows[row].append([np.asarray(getattr(result, name)[place]).tolist() for name in names])
        assert all(result.reasons.get(row) == "cancelled" or rows[row] for row in range(len(puzzles)))
        return [None if result.reasons.get(row) == "cancelled" else own for row, own in enumerate(rows)]

    return call


def written_by(stop: Cancel) -> list[Any]:
    """Return what a run over files writes; it is whole, or its summary says that it is not."""
    source = io.BytesIO("\n".join(FORTY).encode())
    with TemporaryDirectory() as folder:
        output = Path(folder, "rated.csv")
        options: Any = {"columns": ["puzzle", "er"], "threads": 1, "cancel": stop}
        summary = unidoku.run(Rate(), source, str(output), **options)
        assert output.exists() == summary.complete
        return [output.read_bytes() if summary.complete else None]


def waited_for(stop: Cancel) -> list[Any]:
    """Return a rating that an event loop waits for, which `aio.call` would end by a flag of its own."""

    def rate(cancel: Cancel) -> Any:
        assert not cancel
        return unidoku.rate(CHAINS, cancel=stop)

    return [asyncio.run(aio.call(rate))]


CALLS: dict[str, Callable[[Cancel], Any]] = {
    "rate": rating_of(CHAINS),
    "rate, nested chains": rating_of(NESTED),
    "rate_many of 40": ratings_of(FORTY),
    "rate_many of 8": ratings_of(FEW),
    "rate_many of 300": ratings_of([CHAINS] * 300),
    "rate_many below 7": ratings_of(FORTY, below=7),
    "steps": lambda stop: [[*unidoku.steps(NESTED, cancel=stop)]],
    "hint": lambda stop: [unidoku.hint(NESTED, cancel=stop)],
    "all_steps": lambda stop: [unidoku.all_steps(NESTED, cancel=stop)],
    "steps_many": paths_of,
    "check_many": checks_of,
    "solutions": solutions_of,
    "the task Solutions": pieces_of,
    "keys": keys_of_images,
    "canonical_many": lambda stop: [
        unidoku.craft.canonical_many(FORTY, threads=1, cancel=stop).puzzle.tolist()
    ],
    "minimize_many": lambda stop: [
        unidoku.craft.minimize_many(FORTY, seed=1, threads=1, cancel=stop).puzzle.tolist()
    ],
    "measure": lambda stop: [measure(unidoku.cells(FORTY), cancel=stop)["search_first_steps"].tolist()],
    "count": lambda stop: [unidoku.count(SPARSE, threads=1, cancel=stop)],
    "count, a limit": lambda stop: [unidoku.count(SPARSE, limit=3000, threads=1, cancel=stop)],
    "count, a budget": lambda stop: [unidoku.count(MULTIPLE, limit=20_000, budget=10**7, cancel=stop)],
    "examine": answer_of,
    "Solutions.take": lambda stop: [EVERY.take(range(0, 8 * 3000, 3000), cancel=stop).tolist()],
    "method.explain": lambda stop: [method.explain(NESTED, cancel=stop)],
    "run_classify": lambda stop: [run_classify(unidoku.cells(FORTY), presets=1000, cancel=stop).tolist()],
    "diagnose, proper": lambda stop: [unidoku.diagnose(NESTED, cancel=stop)],
    "diagnose, several solutions": lambda stop: [unidoku.diagnose(EIGHT, cancel=stop)],
    "diagnose, none": lambda stop: [unidoku.diagnose(NOTHING, cancel=stop)],
    "generate one": lambda stop: [unidoku.generate(seed=1, cancel=stop)],
    "generate twenty": lambda stop: [unidoku.generate(20, seed=1, threads=1, cancel=stop).tolist()],
    "generate rated": lambda stop: [unidoku.generate(3, seed=1, er=(3, 7), threads=1, cancel=stop).tolist()],
    "generate a pattern": lambda stop: [
        unidoku.generate(2, seed=1, symmetry="180", minimal=True, threads=1, cancel=stop).tolist()
    ],
    "generate_each": lambda stop: [generate_each(range(3), er=(2, 7), cancel=stop).tolist()],
    "minimize": lambda stop: [unidoku.minimize(SOLUTION, seed=1, cancel=stop)],
    "minimal_puzzles": lambda stop: [[*islice(unidoku.craft.minimal_puzzles(UNIQUE, cancel=stop), 30)]],
    "neighbours": lambda stop: [[*unidoku.neighbours(NESTED, cancel=stop)]],
    "hunt": lambda stop: [[*islice(hard_puzzles_near([NESTED], 7.0, threads=1, cancel=stop), 2)]],
    "canonical": lambda stop: [unidoku.canonical(NESTED, cancel=stop)],
    "keys by solutions": lambda stop: [bytes(row) for row in keys_of_solutions(stop)],
    "verify": lambda stop: [unidoku.verify(EIGHT, "1" * 81, cancel=stop)],
    "verify_many": lambda stop: [
        unidoku.verify_many(FORTY, ["1" * 81] * 40, threads=1, cancel=stop).correct.tolist()
    ],
    "cells": texts_of,
    "cells of an array": lambda stop: [unidoku.cells(LARGE, cancel=stop).tobytes()],
    "lines": lambda stop: [unidoku.lines(LARGE, cancel=stop)],
    "read": batches_of,
    "the task Rate": run_of(Rate(), FEW),
    "the task Minimize": run_of(Minimize(seed=1), FEW),
    "the task Neighbours": run_of(Neighbours(), FEW[:2]),
    "the task Check": run_of(Check(), HARD_SEARCH),
    "the task Steps": run_of(StepsTask(), FEW),
    "run": written_by,
    "aio": waited_for,
}


@pytest.mark.parametrize("isa", BEST)
@pytest.mark.parametrize("name", CALLS)
def test_a_row_is_right_or_has_a_reason_wherever_a_call_is_stopped(name, isa, monkeypatch):
    force(monkeypatch, isa)
    call = CALLS[name]
    right, looks = stopped_at(NEVER, call), looks_of(call)
    assert looks
    assert None not in right
    stops = 0
    for place in sorted({looks * k // 3 for k in range(3)}):
        found = stopped_at(place, call)
        stops += found is None or None in found
        for row, (value, whole) in enumerate(zip(found or (), right, strict=found is not None)):
            assert value is None or value == whole, (place, row)
    assert stops


def test_the_flag_of_a_test_has_nine_bytes_and_another_one():
    """Anything else but 0 in the one byte of a flag is a stop."""
    text = CHAINS.encode()
    outputs = {name: bytearray(1) for name in ("er", "ep", "ed", "techniques", "names", "outcomes")}
    starts = np.zeros(1, np.int64)
    engine = kernel.isa_module(package="rating")
    for flag, outcome in ((bytes(1), 0), (b"\1", 1), (b"\2", 1), (b"\2" + bytes(8), 1)):
        engine.rate_cells(text, starts, zero=48, rows=starts, **outputs, stop=bytearray(flag))
        assert (outputs["er"][0] == 0) == outcome, flag
    with pytest.raises(ValueError, match="stop has 2 bytes"):
        engine.rate_cells(text, starts, zero=48, rows=starts, **outputs, stop=bytearray(2))
    assert StopAt(3).looks == 0
