"""The package pencilmark of PyPI: it finds the one solution of a proper puzzle, and refuses others."""

from __future__ import annotations

from peers import Absent, Solver, one_by_one


def load() -> Solver:
    try:
        import pencilmark
    except ImportError:
        raise Absent("pencilmark is not installed") from None

    def solve(line: str) -> str:
        try:
            return "".join(map(str, pencilmark.solve(pencilmark.from_string(line))))
        except (pencilmark.NotUnique, pencilmark.NoSolution):
            return ""

    return Solver("pencilmark", one_by_one(solve), most=10)
