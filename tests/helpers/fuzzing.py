"""How many examples a property is tested with: few in the test suite, many in ``.ci/fuzz``."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

FACTOR = int(os.environ.get("UNIDOKU_FUZZ", "1"))


def examples(number: int, **more: Any) -> settings:
    """Settings for this number of examples, times UNIDOKU_FUZZ; examples may take any time."""
    return settings(max_examples=number * FACTOR, deadline=None, **more)
