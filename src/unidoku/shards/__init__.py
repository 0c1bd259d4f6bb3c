"""Check large inputs in parts: shards, restart, clusters.

Each part of the input becomes a part of the output.  `plan_shards` cuts the inputs into shards,
`process_shard` checks one shard and writes its part, with the same bytes on every attempt, and `run`
processes the unfinished shards of a plan with any executor.
"""

from __future__ import annotations

from unidoku.shards.driver import Outcome, run
from unidoku.shards.executors import Workers
from unidoku.shards.plan import PartFormat, Plan, Shard, plan_shards
from unidoku.shards.process import process_shard

__all__ = ["Outcome", "PartFormat", "Plan", "Shard", "Workers", "plan_shards", "process_shard", "run"]
