"""The solvers in Python that ``unidoku bench`` knows: the textbook backtracker, and packages of PyPI."""

from __future__ import annotations

from puzzle_sets import fits

from peers import Absent, Solver, one_by_one
from unidoku import count
from unidoku.benchmark.peers import PEERS, is_installed


def load(name: str) -> Solver:
    if not is_installed(name):
        raise Absent(f"{name} is not installed")
    peer = PEERS[name]
    is_right = fits if peer.task == "solve" else counts_right
    return Solver(name, one_by_one(peer.load()), most=10, is_right=is_right)


def counts_right(puzzle: str, answer: str) -> bool:
    """Test whether an answer is the number of solutions, up to 2."""
    return answer == str(count(puzzle, limit=2))
