"""Cases of a test that are run in turn, as one test."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def in_turn(test: Callable[..., None]) -> Callable[..., None]:
    """Make the parametrized cases of a test one test: to set up a case would take longer than its work.

    All cases are run with the same fixtures. Those that fail are one error, each with its values.
    """
    marks = vars(test).pop("pytestmark")
    tables = []
    for mark in marks:
        names, values = mark.args
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        rows = [ParameterSet.extract_from(value, force_tuple=len(names) == 1).values for value in values]
        tables.append([dict(zip(names, row, strict=True)) for row in rows])

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        errors = []
        for parts in itertools.product(*tables):
            case = dict(itertools.chain.from_iterable(map(dict.items, parts)))
            try:
                test(**fixtures, **case)
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"in the case {case!r:.1000}")
                errors.append(error)
        if errors:
            raise BaseExceptionGroup(f"{len(errors)} cases of {test.__name__}", errors)

    own = {name for table in tables for name in table[0]}
    parameters = inspect.signature(test).parameters.values()
    run.__signature__ = inspect.Signature([each for each in parameters if each.name not in own])  # type: ignore[attr-defined]
    return run
