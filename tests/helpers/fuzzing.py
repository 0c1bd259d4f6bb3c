"""Number and seed of the examples of properties: the same each time by default."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("UNIDOKU_FUZZ", "1"))
SEED = int(os.environ.get("UNIDOKU_FUZZ_SEED", "0"))


def load_profile() -> None:
    """Set what holds for all properties: a machine may be slow, or run them under a sanitizer."""
    settings.register_profile(
        "unidoku",
        max_examples=50 * FACTOR,
        deadline=None,
        derandomize=SEED == 0,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("unidoku")


def examples(number: int, **options: Any) -> settings:
    """Return settings for this number of examples, times UNIDOKU_FUZZ."""
    return settings(max_examples=number * FACTOR, **options)
