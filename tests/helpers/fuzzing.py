"""Number and seed of the examples of properties: the same each time by default."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("UNIDOKU_FUZZ", "1"))
SEED = int(os.environ.get("UNIDOKU_FUZZ_SEED", "0"))


def examples(number: int, **options: Any) -> settings:
    """Return settings for this number of examples, times UNIDOKU_FUZZ, without a deadline."""
    health_checks = {HealthCheck.too_slow, *options.pop("suppress_health_check", ())}
    arguments = {"derandomize": SEED == 0} | options
    return settings(
        max_examples=number * FACTOR, deadline=None, suppress_health_check=list(health_checks), **arguments
    )
