"""A search that is stopped is never an answer: wherever it is stopped, each row is right or has a reason.

The place is a number of looks at the flag, not a time: see `stop_counter`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from example_puzzles import EIGHT, MULTIPLE, UNIQUE
from forms import FORMS, force
from known_ratings import TABLE
from stop_counter import NEVER, StopAt, looks_of, stopped_at

import unidoku
from unidoku import Cancel, kernel
from unidoku.craft.keys import keys_of
from unidoku.rating.measure import measure_many
from unidoku.table.puzzles import Puzzles
from unidoku.task import Work
from unidoku.tasks.solve import Solutions

CHAINS = "...675.9..59......21..4..3.5........1.....8.6.3.....4....5..2.....2..98348......."
"""ER 7.2: with the search for its chain left out, 7.5."""
POOL = sorted(puzzle for puzzle, (er, _, _) in TABLE.items() if 40 <= er <= 88)
FORTY, FEW, TWENTY = (random.Random(seed).sample(POOL, n) for seed, n in ((1, 40), (2, 8), (3, 20)))
NESTED = next(puzzle for puzzle, (er, _, _) in TABLE.items() if er >= 83)
SPARSE = ".....5.8....6.1.4...........1.5........1.6...3.......5.3.....61........4........."
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
    return [[np.asarray(piece.columns["last"]).tolist() for piece in Solutions(40).work(batch, Work(), stop)]]


def keys_of_images(stop: Cancel) -> list[Any]:
    batch = Puzzles.of(FORTY).batch
    return [bytes(key) for key in keys_of(batch, "canonical", (1, 2), stop)]


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
    "canonical_many": lambda stop: [unidoku.canonical_many(FORTY, threads=1, cancel=stop).puzzle.tolist()],
    "minimize_many": lambda stop: [
        unidoku.minimize_many(FORTY, seed=1, threads=1, cancel=stop).puzzle.tolist()
    ],
    "measure_many": lambda stop: [measure_many(FORTY, threads=1, cancel=stop).steps.tolist()],
    "count": lambda stop: [unidoku.count(SPARSE, threads=1, cancel=stop)],
}


@pytest.mark.parametrize("isa", FORMS)
@pytest.mark.parametrize("places", [25, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CALLS)
def test_a_row_is_right_or_has_a_reason_wherever_a_call_is_stopped(name, places, isa, monkeypatch):
    force(monkeypatch, isa)
    call = CALLS[name]
    right, looks = stopped_at(NEVER, call), looks_of(call)
    assert looks
    assert None not in right
    stops = 0
    for place in sorted({looks * k // places for k in range(places)}):
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
