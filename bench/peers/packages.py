"""The packages of PyPI that ``unidoku bench`` knows."""

from __future__ import annotations

from peers import Absent, Solver, one_by_one
from unidoku.benchmark.peers import PEERS, is_installed


def load(name: str) -> Solver:
    if not is_installed(name):
        raise Absent(f"{name} is not installed")
    return Solver(name, one_by_one(PEERS[name].load()), most=10)
