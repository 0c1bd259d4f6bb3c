"""Minimal puzzles are drawn with the probabilities of random orders of removal: all orders are listed."""

import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "bench" / "distribution.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("distribution", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_draws_have_the_probabilities_of_all_orders(bench):
    deviations = []
    for number, puzzle in enumerate(bench.small_puzzles(2, loose=7)):
        exact = bench.exact_probabilities(puzzle)
        assert abs(sum(exact.values()) - 1) < 1e-12
        counts = bench.drawn(puzzle, 8_000, number)
        statistic, freedom = bench.chi_square(exact, counts)
        assert statistic < freedom + 5 * (2 * freedom) ** 0.5
        flat = dict.fromkeys(exact, 1 / len(exact))
        statistic, freedom = bench.chi_square(flat, counts)
        deviations.append((statistic - freedom) / (2 * freedom) ** 0.5)
    assert max(deviations) > 20  # they are not uniform
