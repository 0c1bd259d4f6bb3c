"""The codes and rows of the native engine are those that Python reads, on every instruction set."""

from __future__ import annotations

import pytest

from unidoku import kernel
from unidoku.rating import rows
from unidoku.rating.deduction import KINDS
from unidoku.rating.names import NAMES
from unidoku.rating.scale import TECHNIQUES, Outcome


@pytest.mark.parametrize("isa", kernel.usable())
def test_codes_and_rows(isa: str) -> None:
    native = kernel.isa_module(isa, "rating")
    numbers = {
        "techniques": len(TECHNIQUES),
        "names": len(NAMES),
        "kinds": len(KINDS),
        "outcomes": Outcome.STOPPED + 1,
    }
    assert numbers == native.CODES
    places = {name: place for name, (_, place) in rows._FIELDS.items()}
    assert {"before": rows._BEFORE, "size": rows._SIZE, **places} == native.ROW_LAYOUT
