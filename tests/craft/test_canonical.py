"""Canonical forms: known classes, images, and agreement with a plain model and between instruction sets."""

from itertools import islice
from math import factorial

import numpy as np
import pytest
from example_puzzles import SOLUTION, SYMMETRIC
from forms import FORMS, force
from symmetry_model import minlex

import unidoku
from unidoku import canonical, kernel
from unidoku.craft import canonical_many
from unidoku.craft._generate import random_grids
from unidoku.craft._transform import Transformation, random_numbers, transform_many

AUTOMORPHISMS = {
    "." * 81: 2 * 6**8 * factorial(9),
    "1" + "." * 80: 2 * 6**8 * factorial(9) // 729,
    SYMMETRIC: 648,
    "123456789456789123789123456231564978564897312897231645312978564645312897978645231": 72,
    "174385962293467158586192734451923876928674315367851249719548623635219487842736591": 1,
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...": 1,
}


@pytest.fixture(params=FORMS)
def isa(request, monkeypatch):
    force(monkeypatch, request.param)
    return request.param


def test_automorphisms_of_known_grids(isa):
    for line, count in AUTOMORPHISMS.items():
        assert automorphism_count(line) == count
        assert automorphism_count(Transformation.random(count)(line)) == count
    assert canonical(SYMMETRIC).line == SYMMETRIC


def automorphism_count(puzzle):
    return symmetries_of([puzzle]).automorphisms[0]


def symmetries_of(rows):
    return canonical_many(rows, symmetries=True)


def check_images(rows, seeds):
    """Images have the form and the automorphisms of their puzzles; the transformations lead to the form."""
    details = symmetries_of(rows)
    assert (transform_many(rows, details.symmetry).puzzle == details.puzzle).all()
    for seed in seeds:
        images = transform_many(rows, random_numbers(len(rows), seed)).puzzle
        again = symmetries_of(images)
        assert (again.puzzle == details.puzzle).all()
        assert (again.automorphisms == details.automorphisms).all()
        assert (transform_many(images, again.symmetry).puzzle == again.puzzle).all()
    return details


def test_images_of_grids_have_one_form(isa):
    check_images(np.concatenate([random_grids(300, 0), unidoku.cells([SYMMETRIC])]), range(5))


def test_images_of_nearly_symmetric_grids_have_one_form(isa):
    """Many bands of one class, but different images: grids near the most symmetric one."""
    open_rows = [0, 1, 3, 4, 6, 7]
    line = "".join("." if k // 9 in open_rows else digit for k, digit in enumerate(SYMMETRIC))
    grids = [grid.line for grid in islice(unidoku.solutions(line), 400)]
    assert check_images(unidoku.cells(grids), range(3)).automorphisms.max() > 1


def test_one_puzzle_has_the_form_that_it_has_among_many(isa):
    puzzles = unidoku.generate(50, seed=3, clues=(24, 40))
    forms = unidoku.craft.canonical_many(puzzles).puzzle
    assert [unidoku.canonical(puzzle) for puzzle in puzzles] == [*map(unidoku.Grid, forms)]


def test_forms_by_solutions_have_the_same_automorphisms(isa):
    """The audit's way: the automorphisms of a proper puzzle, also if its solution has many more."""
    random = np.random.default_rng(4)
    full = np.array([int(digit) for digit in SYMMETRIC], np.uint8)
    rows = np.array([full * (random.permutation(81) < clues) for clues in range(40, 81) for _ in range(3)])
    rows = rows[unidoku.check_many(rows).verdict == "unique"].astype(np.uint8)
    assert len(rows) > 50
    counts = np.zeros(len(rows), np.int64)
    solutions, images = np.tile(full, (len(rows), 1)), np.zeros(rows.size, np.uint8)
    kernel.isa_module(package="symmetry").least_through_solutions(
        *kernel.with_starts(rows), solutions.reshape(-1), images, automorphisms=counts, zero=0
    )
    assert (counts == symmetries_of(rows).automorphisms).all()
    assert (canonical_many(images.reshape(-1, 81)).puzzle == canonical_many(rows).puzzle).all()


def test_images_of_puzzles_have_one_form(isa, top1465):
    details = check_images(top1465, [9])
    assert (canonical_many(details.puzzle).puzzle == details.puzzle).all()


def test_top1465_has_two_equivalent_puzzles(shared_data, isa, top1465):
    forms = canonical_many(top1465).puzzle
    assert len(np.unique(forms, axis=0)) == 1464
    assert (forms[299] == forms[306]).all()


@pytest.mark.slow
def test_all_17_clue_puzzles_differ(shared_data, isa, puzzles17):
    solutions = unidoku.check_many(puzzles17).solution
    assert len(np.unique(canonical_many(puzzles17).puzzle, axis=0)) == 49_158
    grids = symmetries_of(solutions)
    assert len(np.unique(grids.puzzle, axis=0)) == 46_301
    assert np.bincount(grids.automorphisms).tolist() == [0, 49_152, 6]


def geometric(line):
    """Automorphisms that differ in more than the labels of digits that do not occur."""
    absent = 9 - len(set(unidoku.Grid(line).cells) - {0})
    return automorphism_count(line) // factorial(absent)


@pytest.mark.parametrize("clues", [81, 40, 17, 9, 5])
def test_model_of_fragments(isa, clues):
    random = np.random.default_rng(clues)
    for row in random_grids(1, clues):
        fragment = row.copy()
        fragment[random.permutation(81)[clues:]] = 0
        image, ways = minlex(tuple(fragment.tolist()))
        assert list(canonical(fragment)) == image
        assert geometric(fragment) == ways


@pytest.mark.parametrize(
    "line",
    [
        "." * 81,
        "." * 40 + "5" + "." * 40,
        pytest.param("123456789" + "." * 72, marks=[pytest.mark.slow, pytest.mark.weekly]),
        "".join(c if c == "1" else "." for c in SOLUTION),
        "".join(str(k // 10 + 1) if k % 10 == 0 else "." for k in range(81)),
        pytest.param(SOLUTION[:27] + "." * 54, marks=[pytest.mark.slow, pytest.mark.weekly]),
        "".join(c if c in "12" else "." for c in SYMMETRIC),
    ],
)
def test_model_of_symmetric_fragments(isa, line):
    cells = tuple(unidoku.Grid(line))
    if sum(map(bool, cells)) > 8:  # the model is slow for nearly empty puzzles
        image, ways = minlex(cells)
        assert list(canonical(line)) == image
        assert geometric(line) == ways
    for seed in range(3):
        image = Transformation.random(seed)(line)
        assert canonical(image) == canonical(line)
        assert automorphism_count(image) == automorphism_count(line)


def test_clues_that_clash_have_no_form(isa):
    with pytest.raises(ValueError, match=r"row 0: .* clash"):
        canonical_many([SOLUTION[:-1] + "8"])
