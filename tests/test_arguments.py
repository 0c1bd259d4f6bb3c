"""Numbers that no function accepts are ValueErrors everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import method
from unidoku.arguments import MAX_COUNT, positive, positive_ratio
from unidoku.stepper import Session
from unidoku.threads import MAX_THREADS, thread_count

ABSURD = [0, -1, 2.5, 2.0, float("nan"), float("inf"), True, "2", 2**64, 10**30, b"1", [1]]


@pytest.mark.parametrize("value", ABSURD)
def test_absurd_numbers_are_refused(value):
    with pytest.raises(ValueError, match="limit must be"):
        positive("limit", value)


def test_what_is_allowed():
    assert positive("limit", None) == 0
    assert [positive("limit", value) for value in (1, np.int8(2), np.uint64(MAX_COUNT))] == [1, 2, MAX_COUNT]
    assert thread_count(MAX_THREADS) == MAX_THREADS
    with pytest.raises(ValueError, match="threads must be at most"):
        thread_count(MAX_THREADS + 1)


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), True, "3"])
def test_absurd_ratios_are_refused(value):
    with pytest.raises(ValueError, match="max_ratio must be"):
        positive_ratio("max_ratio", value)
    assert positive_ratio("max_ratio", 0.5) == 0.5
    assert positive_ratio("max_ratio", None) is None


@pytest.mark.parametrize("value", ABSURD)
@pytest.mark.parametrize("name", ["limit", "budget", "threads", "max_size", "part_bytes"])
def test_check_file_refuses_them_before_it_reads(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        unidoku.check_file("there is no such file", **{name: value})


def test_check_file_refuses_absurd_ratios():
    with pytest.raises(ValueError, match="max_ratio must be"):
        unidoku.check_file("there is no such file", max_ratio=float("nan"))


@pytest.mark.parametrize("value", [-1, 2.5, float("nan"), True, "2", None, 2**64, 10**30])
def test_steps_modes_and_presets(value):
    session = Session(PUZZLE)
    calls = {
        "steps": lambda: session.run_until(value),
        "solutions": lambda: list(session.stream(solutions=value)),
        "units": lambda: list(session.stream(units=value)),
        "mode": lambda: Session(PUZZLE, mode=value),
        "presets": lambda: (
            method.explain(PUZZLE, presets=value),
            method.classify_many([PUZZLE], presets=value),
        ),
    }
    for name, call in calls.items():
        if value is None and name in {"units", "steps", "solutions"}:
            continue
        with pytest.raises(ValueError, match=f"{name} must be"):
            call()
    if value is not None:
        with pytest.raises(ValueError, match="steps must be"):
            session.back_to(value)
