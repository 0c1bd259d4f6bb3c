"""Adapters for the solvers that unidoku is compared with.

``load()`` of an adapter returns a `Solver`, or raises `Absent` with the reason.

To compare a solver of your own, save this as *mine.py* in this folder, with your functions in place of
unidoku's, and add ``"mine": "mine"`` to `OWN`.  ``limits=(1,)`` says that it only finds a solution.
``pytest bench/test_solvers.py -k mine`` measures it::

    import unidoku
    from solvers import Solver, one_by_one


    def find(line):  # 81 characters with dots
        return unidoku.solve(line).line  # the solution, 81 digits


    def tell(line, limit):
        return unidoku.count(line, limit=limit)  # the number of solutions, at most the limit


    def load():
        return Solver("mine", one_by_one(find, tell))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from solvers import NAIVE, Solver


class Absent(Exception):
    """A solver is not there; the message says what it needs."""


PACKAGES = {
    "py-sudoku": "py_sudoku",
    "dokusan": "dokusan",
    "sudokum": "sudokum",
    "sudokutools": "sudokutools",
    "pencilmark": "pencilmark",
    "lib_sudoku": "lib_sudoku",
    "OR-tools CP-SAT": "ortools",
    "Z3": "z3",
    "python-sat": "pysat",
}
"""The packages of PyPI: the name in tables -> the adapter."""

OWN = {"Norvig": "norvig", "DLX": "dlx"}
"""What people write themselves, in Python."""

NATIVE = {
    "tdoku": "UNIDOKU_TDOKU",
    "tdoku avx2": "UNIDOKU_TDOKU_AVX2",
    "Schoku": "UNIDOKU_SCHOKU",
    "sudoku (Rust)": "UNIDOKU_RUST_SUDOKU",
    "QQWing": "UNIDOKU_QQWING",
}
"""Shared libraries: the name in tables -> the variable of the environment with the path."""

LOADERS: dict[str, Callable[[], Solver]] = {
    **{
        name: partial(
            lambda name, variable: import_module("peers.native").load(name, variable), name, variable
        )
        for name, variable in NATIVE.items()
    },
    **{
        name: partial(lambda module: import_module(f"peers.{module}").load(), module)
        for name, module in (PACKAGES | OWN).items()
    },
    "naive": lambda: NAIVE,
}
"""All of them: the name in tables -> what loads it."""


def load(name: str) -> Solver:
    """Return the solver with a name; `Absent` if it is not there."""
    try:
        return LOADERS[name]()
    except ImportError as error:
        raise Absent(f"not installed; run pip install 'unidoku[peers]' ({error})") from None
