"""How many examples a property is tested with, and which: the same each time unless a seed is given."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("UNIDOKU_FUZZ", "1"))
SEED = int(os.environ.get("UNIDOKU_FUZZ_SEED", "0"))


def examples(number: int, **more: Any) -> settings:
    """Settings for this number of examples, times UNIDOKU_FUZZ; examples may take any time."""
    allowed = {HealthCheck.too_slow, *more.pop("suppress_health_check", ())}
    same = {"derandomize": SEED == 0} | more
    return settings(max_examples=number * FACTOR, deadline=None, suppress_health_check=list(allowed), **same)
