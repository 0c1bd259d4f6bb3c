"""Play a game of the Gymnasium environment with hints alone, and print the reward of each.

python play.py
"""

from __future__ import annotations

import numpy as np

from unidoku.learning import HINT, SudokuEnv


def main() -> None:
    """Take hints until the puzzle is solved."""
    env = SudokuEnv(difficulty="easy")
    env.reset(seed=1)
    print(env.render())
    ended, total, hints = False, 0.0, 0
    while not ended:
        _, reward, ended, _, _ = env.step(np.int64(HINT))
        total, hints = total + reward, hints + 1
    print(env.render())
    print(f"{hints} hints, reward {total:.2f}")


if __name__ == "__main__":
    main()
