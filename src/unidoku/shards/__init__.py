"""Checks too long for one sitting or one machine: frozen shards, restart, clusters.

A check has no shuffle: every part of the input gives its part of the output. So the plan is small and
knows no engine: `plan_shards` cuts the inputs into frozen shards, `process_shard` makes one part of the
output of one shard and may be called as often as you like, `run` drives it over any executor and skips
what is already there.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unidoku.shards.driver import Outcome as Outcome, run as run
    from unidoku.shards.options import Options as Options
    from unidoku.shards.plan import Plan as Plan, Shard as Shard, plan_shards as plan_shards
    from unidoku.shards.process import process_shard as process_shard

_HOME = {
    "Options": "options",
    "Outcome": "driver",
    "Plan": "plan",
    "Shard": "plan",
    "plan_shards": "plan",
    "process_shard": "process",
    "run": "driver",
}

__all__ = ["Options", "Outcome", "Plan", "Shard", "plan_shards", "process_shard", "run"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"unidoku.shards.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'unidoku.shards' has no attribute {name!r}")
