"""Compare the kernel with every installed solver, as one table of ratios.

    python -m bench [SET …]

Puzzles are replaced by random images, and answers are checked in the warm-up.  Each solver runs in turn with
our kernel, on one thread, in user CPU time, best of several; the ratio is our speed divided by theirs, so
that other load on the machine has little effect.
"""

from __future__ import annotations

from collections.abc import Sequence

from peers import NAMES, Absent, Solver, Work, load
from puzzle_sets import named_set

from unidoku import kernel
from unidoku.tasks.speed import alternate

CHECKED = 2000  # answers checked in the warm-up


def main(wanted: Sequence[str]) -> None:
    """Print a row for each set and solver."""
    isa = kernel.isa()
    print(f"kernel {isa}, 1 thread, limit 2; thousand puzzles a second of user CPU time\n")
    print(f"{'set':9} {'puzzles':>7}  {'solver':18} {'k/s':>10} {'guesses':>8}   ours / theirs")
    for name in wanted:
        lines = named_set(name, 20_000)
        if lines is None:
            print(f"{name:9} not there (../shared/data)")
            continue
        for other in NAMES:
            try:
                solver = load(other)
            except Absent as reason:
                print(f"{name:9} {'':7}  {other:18} skipped: {reason}")
                continue
            if solver.most and name != "easy":
                continue
            row(name, lines, solver, own_form(other, isa))


def own_form(other: str, isa: str) -> Solver:
    """Return the form of our kernel to compare with: that of the other solver, otherwise the best."""
    return load(f"kernel_{other.partition('_')[2] or isa}")


def row(name: str, lines: list[str], solver: Solver, ours: Solver) -> None:
    few = lines[: solver.most]
    theirs = warmed_up(solver, few)
    mine = warmed_up(ours, lines)
    best_theirs, best_mine = side_by_side(theirs, mine)
    speed, own = len(few) / best_theirs / 1e3, len(lines) / best_mine / 1e3
    guesses = theirs.guesses()
    guessed = f"{guesses / len(few):8.2f}" if guesses is not None else " " * 8
    print(
        f"{name:9} {len(few):7}  {solver.name:18} {speed:10.2f} {guessed}   {own / speed:10.2f}", flush=True
    )


def warmed_up(solver: Solver, lines: list[str], limit: int = 2) -> Work:
    work = solver.prepare(lines, limit)
    work.run()
    for puzzle, answer in zip(lines[:CHECKED], work.answers(), strict=False):
        if not solver.is_right(puzzle, answer):
            raise SystemExit(f"{solver.name}: wrong answer to the puzzle {puzzle}")
    return work


def side_by_side(theirs: Work, mine: Work, seconds: float = 3.0) -> tuple[float, float]:
    """Return the best processor times of the two, run in turn until the time is up, at least three times."""
    one, other = alternate([theirs.run, mine.run], seconds, least=3)[:, :, 0].min(axis=0).tolist()
    return one, other
