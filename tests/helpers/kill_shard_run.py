"""Kills a job at random moments again and again, until it is done; run as a program of its own.

It forks, so that a killed child costs milliseconds, and so must not have threads of its own.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from importlib import import_module

from unidoku.shards.executors import local_threads
from unidoku.shards.job import Job
from unidoku.shards.options import Options


def make(inputs: list[str], output: str, options: dict[str, object], target: int, resume: bool) -> bool:
    job = Job(inputs, output, Options(**options), target)  # type: ignore[arg-type]
    return job.run(lambda: local_threads(2, 9), resume=resume).complete


def main() -> None:
    """Arguments as JSON: inputs, output, options, target, longest (seconds), seed. Prints the kills."""
    task = json.loads(sys.argv[1])
    rng = random.Random(task["seed"])
    if task["options"]["suffix"] == ".parquet":
        for name in ("pyarrow.parquet", "unidoku.pipeline.arrowsink"):
            import_module(name)  # once, not in every child
    kills = 0
    for _ in range(3000):
        child = os.fork()
        if child == 0:
            done = False
            try:
                done = make(task["inputs"], task["output"], task["options"], task["target"], resume=True)
            finally:
                os._exit(0 if done else 1)
        time.sleep(rng.uniform(0, task["longest"]))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            kills += 1
        elif os.WEXITSTATUS(status) == 0:
            break
        else:
            sys.exit("the job failed by itself")
    else:
        sys.exit("the job never came to its end")
    print(kills)


if __name__ == "__main__":
    main()
