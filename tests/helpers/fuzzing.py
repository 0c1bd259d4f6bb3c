"""How many examples a property is tested with: few in the test suite, the same each time."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("UNIDOKU_FUZZ", "1"))


def examples(number: int, **more: Any) -> settings:
    """Settings for this number of examples, times UNIDOKU_FUZZ; examples may take any time, also to make."""
    allowed = {HealthCheck.too_slow, *more.pop("suppress_health_check", ())}
    same = {"derandomize": FACTOR == 1} | more
    return settings(max_examples=number * FACTOR, deadline=None, suppress_health_check=list(allowed), **same)
