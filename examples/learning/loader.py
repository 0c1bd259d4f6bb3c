"""Batches of tasks from a PyTorch DataLoader: the same for a seed, for fork and spawn, and none twice.

python loader.py --start spawn --workers 2
"""

from __future__ import annotations

import argparse
import hashlib
from typing import Any

from unidoku.learning import SudokuTasks


def main() -> None:
    """Print the number of different puzzles, and a digest of all in their order."""
    from torch.utils.data import DataLoader  # type: ignore[import-not-found, unused-ignore]

    parser = argparse.ArgumentParser(description="Load tasks in worker processes.")
    parser.add_argument("--start", choices=["fork", "spawn"], default="spawn")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=int, default=200)
    asked = parser.parse_args()
    tasks: Any = SudokuTasks(asked.size, seed=7, difficulty={"easy": 3, "medium": 1})
    start = asked.start if asked.workers else None
    loader = DataLoader(
        tasks, batch_size=16, num_workers=asked.workers, multiprocessing_context=start, collate_fn=list
    )
    puzzles = [item["metadata"]["puzzle"] for items in loader for item in items]
    digest = hashlib.sha256("".join(puzzles).encode()).hexdigest()[:16]
    print(f"{len({*puzzles})} different puzzles, {digest}")


if __name__ == "__main__":
    main()
