"""Many puzzles in lanes, one puzzle by the ordered engine: both ways agree, on every instruction set."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import rating_model

from unidoku import kernel

KNOWN = Path(__file__).parents[1] / "known" / "se121.txt"
NAMES = ("er", "ep", "ed", "techniques", "outcomes")
RATED, AT_LEAST, STOPPED = 0, 3, 4
ALONE = 8  # so many puzzles or fewer are rated one at a time


def engine(isa: str):
    return import_module(f"unidoku.native.rating.{isa}")


def rated(module, puzzles: list[str], call: int, **limits) -> dict[str, np.ndarray]:
    """The outputs for puzzles, given to the engine so many at a time."""
    text = np.frombuffer("".join(puzzles).encode(), np.uint8)
    starts = 81 * np.arange(len(puzzles), dtype=np.int64)
    outputs = {name: np.full(len(puzzles), 77, np.int16 if len(name) == 2 else np.uint8) for name in NAMES}
    for k in range(0, len(puzzles), call):
        part = {name: output[k : k + call] for name, output in outputs.items()}
        module.rate_cells(text, starts[k : k + call], zero=48, **part, **limits)
    return outputs


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in NAMES)


def known() -> dict[str, tuple[int, ...]]:
    lines = [line.split() for line in KNOWN.read_text().splitlines() if not line.startswith("#")]
    return {p: tuple(round(10 * float(part)) for part in rating.split("/")) for p, rating in lines}


@pytest.mark.parametrize("isa", kernel.usable())
@pytest.mark.parametrize("below", [45, 62])
def test_lanes_and_the_ordered_engine_agree(isa, below, top1465, puzzles17):
    puzzles = top1465[::3] + puzzles17[:1500]
    together = rated(engine(isa), puzzles, len(puzzles), below=below)
    alone = rated(engine(isa), puzzles, ALONE, below=below)
    assert same(together, alone)
    assert set(together["outcomes"].tolist()) == {RATED, AT_LEAST}
    assert len(set(together["er"].tolist())) > 8


@pytest.mark.parametrize("isa", kernel.usable())
def test_lanes_give_the_known_ratings(isa):
    puzzles = known()
    outputs = rated(engine(isa), list(puzzles), len(puzzles))
    assert [tuple(outputs[name].tolist()[k] for name in NAMES[:3]) for k in range(len(puzzles))] == [
        *puzzles.values()
    ]


@pytest.mark.parametrize("count", [9, 31, 32, 33, 200, 700])
def test_a_rating_does_not_depend_on_the_other_puzzles(count, puzzles17):
    module = engine(kernel.isa())
    alone = rated(module, puzzles17[:count], 1, below=45)
    assert same(rated(module, puzzles17[:count], count, below=45), alone)
    backwards = rated(module, puzzles17[count - 1 :: -1], count, below=45)
    assert same({name: output[::-1] for name, output in backwards.items()}, alone)


def test_last_cells():
    """Rating 1.0: some cells of a full grid are empty, or a house of a puzzle is filled but for one."""
    puzzles = []
    for puzzle, rating in known().items():
        if rating[0] > 30:
            continue
        board, _ = rating_model.path(puzzle)
        full = "".join(map(str, board.value))
        gap = puzzle[:9].index(".")
        puzzles.append(full[:gap] + "." + full[gap + 1 : 9] + puzzle[9:])
        puzzles.append(full[:gap] + "." + full[gap + 1 :])
        puzzles.append(full[:9] + 9 * "." + full[18:])
        puzzles.append(full[:gap] + ".." + full[gap + 2 : 60] + "." + full[61:])
    outputs = rated(engine(kernel.isa()), puzzles, len(puzzles))
    ratings = [rating_model.ratings(puzzle) for puzzle in puzzles]
    assert [tuple(outputs[name].tolist()[k] for name in NAMES[:3]) for k in range(len(puzzles))] == ratings
    assert {rating[2] for rating in ratings} == {10}
    assert max(rating[0] for rating in ratings) > 10


def test_the_model_agrees(puzzles17):
    puzzles = puzzles17[:: len(puzzles17) // 60]
    outputs = rated(engine(kernel.isa()), puzzles, len(puzzles), below=45)
    for k, puzzle in enumerate(puzzles):
        if outputs["outcomes"][k] == RATED:
            assert tuple(outputs[name].tolist()[k] for name in NAMES[:3]) == rating_model.ratings(puzzle)


def test_improper_puzzles_end():
    """They have no rating, but the lanes must come to rest."""
    empty = 81 * "."
    twice = "11" + 79 * "."
    broken = [puzzle[:k] + "5" + puzzle[k + 1 :] for k, puzzle in enumerate(known())]
    rated(engine(kernel.isa()), [empty, twice, *broken] * 3, 1000, below=45)


def test_the_stop_flag(puzzles17):
    outputs = rated(engine(kernel.isa()), puzzles17[:100], 100, stop=np.ones(1, np.uint8))
    assert set(outputs["outcomes"].tolist()) == {STOPPED}
    assert not outputs["er"].any()
