"""The symmetry group: its laws, its numbers, and images by the native kernel."""

import importlib

import numpy as np
import pytest
from example_puzzles import SOLUTION, UNIQUE as PUZZLE
from fuzzing import examples
from hypothesis import given, strategies as st

import unidoku
from unidoku import kernel
from unidoku.craft import transform_many
from unidoku.craft._transform import (
    GROUP_ORDER,
    Transformation,
    random_numbers,
)

elements = st.integers(0, GROUP_ORDER - 1).map(Transformation.from_index)
grids = st.lists(st.integers(0, 9), min_size=81, max_size=81).map(bytes)


@given(elements, elements, elements)
def test_group_laws(t, u, v):
    identity = Transformation()
    assert t @ identity == identity @ t == t
    assert t @ t.inverse() == t.inverse() @ t == identity
    assert (t @ u) @ v == t @ (u @ v)
    assert (t @ u).inverse() == u.inverse() @ t.inverse()


@given(elements, elements, grids)
def test_composition_is_application_in_turn(t, u, cells):
    assert (t @ u)(cells) == t(u(cells))
    assert t.inverse()(t(cells)).cells == cells


@given(st.integers(0, GROUP_ORDER - 1))
def test_numbers_name_elements(number):
    assert Transformation.from_index(number).index == number


SQUARE = np.arange(81, dtype=np.uint8).reshape(9, 9) % 10
TURNED = [
    *((Transformation.rotation(90 * quarters), np.rot90(SQUARE, -quarters)) for quarters in range(-3, 6)),
    (Transformation.reflection("horizontal"), np.flipud(SQUARE)),
    (Transformation.reflection("vertical"), np.fliplr(SQUARE)),
    (Transformation.reflection("diagonal"), SQUARE.T),
    (Transformation.reflection("antidiagonal"), np.rot90(SQUARE, 2).T),
    (Transformation.bands((2, 0, 1)), np.concatenate([SQUARE[6:], SQUARE[:6]])),
    (Transformation.stacks((2, 0, 1)), np.concatenate([SQUARE[:, 6:], SQUARE[:, :6]], axis=1)),
    (Transformation(transposed=True), SQUARE.T),
    (Transformation(digits=(2, 1, *range(3, 10))), np.choose(SQUARE, [0, 2, 1, *range(3, 10)])),
]


def test_transformations_agree_with_numpy():
    for transformation, image in TURNED:
        assert (transformation(SQUARE).to_array() == image).all()


def test_errors():
    for work, message in [
        (lambda: Transformation(rows=[0, 1, 3, 2, 4, 5, 6, 7, 8]), "together"),
        (lambda: Transformation(columns=range(8)), "columns"),
        (lambda: Transformation(digits=[0, 1, 2, 3, 4, 5, 6, 7, 8]), "digits"),
        (lambda: Transformation.bands([0, 0, 1]), "rows"),
        (lambda: Transformation.from_index(-1), "number"),
        (lambda: Transformation.from_index(GROUP_ORDER), "number"),
        (lambda: transform_many([PUZZLE], np.array([GROUP_ORDER])), "number"),
        (lambda: Transformation.reflection("sideways"), "axis"),
        (lambda: Transformation.rotation(45), "multiple of 90 degrees, not 45"),
    ]:
        with pytest.raises(ValueError, match=message):
            work()


@examples(25)
@given(st.lists(st.tuples(elements, grids), min_size=1, max_size=40))
def test_native_images(pairs):
    rows = np.array([list(cells) for _, cells in pairs], np.uint8)
    starts = np.arange(0, rows.size, 81)
    numbers = np.array([t.index for t, _ in pairs])
    expected_images = [t(cells).cells for t, cells in pairs]
    for isa in kernel.usable():
        native = importlib.import_module(f"unidoku._native.symmetry.{isa}")
        images = np.empty_like(rows)
        native.transform(rows.reshape(-1), starts, numbers, images.reshape(-1), zero=0)
        assert [bytes(image) for image in images] == expected_images
        text = (rows + 48).tobytes().replace(b"0", b".")
        native.transform(text, starts, numbers, images.reshape(-1))
        assert [bytes(image) for image in images] == expected_images


def test_many_by_one_and_by_each():
    t = Transformation.random(3)
    lines = [PUZZLE, SOLUTION, "." * 81] * 5000
    images = transform_many(lines, t, threads=2).puzzle
    assert [bytes(row) for row in images[:3]] == [t(line).cells for line in lines[:3]]
    assert (images.reshape(5000, 3, 81) == images[:3]).all()
    transformations = [Transformation.random(k) for k in range(3)]
    assert [bytes(row) for row in transform_many(lines[:3], transformations).puzzle] == [
        u(line).cells for u, line in zip(transformations, lines, strict=False)
    ]
    with pytest.raises(ValueError, match="3 puzzles need 3 transformations, not 2"):
        transform_many(lines[:3], transformations[:2])


def test_random_elements_depend_on_seed_and_position_only():
    assert (random_numbers(10, 7)[4:] == random_numbers(6, 7, position=4)).all()
    assert Transformation.random(7).index == random_numbers(1, 7)[0]
    assert (random_numbers(10, 7) != random_numbers(10, 8)).any()


def test_all_images_of_a_puzzle_are_different(monkeypatch):
    """Also those of later pieces of a run."""
    monkeypatch.setattr(importlib.import_module("unidoku.tasks._transform"), "_IMAGES", 100)
    rows = unidoku.run_many(unidoku.tasks.Transform(count=5000, seed=1), [PUZZLE])
    assert len({*unidoku.lines(rows.puzzle)}) == 5000
