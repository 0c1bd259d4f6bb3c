"""Check large inputs in parts: shards, restart, clusters.

Each part of the input becomes a part of the output.  `plan_shards` cuts the inputs into shards,
`process_shard` checks one shard and writes its part, with the same bytes on every attempt, and `run`
processes the unfinished shards of a plan with any executor.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unidoku.shards.driver import Outcome as Outcome, run as run
    from unidoku.shards.executors import Workers as Workers
    from unidoku.shards.plan import (
        PartFormat as PartFormat,
        Plan as Plan,
        Shard as Shard,
        plan_shards as plan_shards,
    )
    from unidoku.shards.process import process_shard as process_shard

_HOME = {
    "Outcome": "driver",
    "PartFormat": "plan",
    "Plan": "plan",
    "Shard": "plan",
    "Workers": "executors",
    "plan_shards": "plan",
    "process_shard": "process",
    "run": "driver",
}

__all__ = ["Outcome", "PartFormat", "Plan", "Shard", "Workers", "plan_shards", "process_shard", "run"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"unidoku.shards.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'unidoku.shards' has no attribute {name!r}")
