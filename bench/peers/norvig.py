"""Constraint propagation and search, in plain Python, as many write it.

Peter Norvig, Solving Every Sudoku Puzzle, https://norvig.com/sudoku.html, describes the method; the program
is our own: a set of digits for each cell, two rules, and a guess in a cell with the fewest digits.
"""

from __future__ import annotations

from solvers import Solver, one_by_one

from unidoku.cell import HOUSES

UNITS = [[house for house in HOUSES if cell in house] for cell in range(81)]
PEERS = [{other for house in UNITS[cell] for other in house} - {cell} for cell in range(81)]
Digits = list[str]


def assign(digits: Digits, cell: int, digit: str) -> bool:
    """Leave a cell one digit; return whether that contradicts nothing."""
    return all(eliminate(digits, cell, other) for other in digits[cell] if other != digit)


def eliminate(digits: Digits, cell: int, digit: str) -> bool:
    if digit not in digits[cell]:
        return True
    digits[cell] = digits[cell].replace(digit, "")
    if not digits[cell]:
        return False
    if len(digits[cell]) == 1 and not all(eliminate(digits, peer, digits[cell]) for peer in PEERS[cell]):
        return False
    for house in UNITS[cell]:
        places = [place for place in house if digit in digits[place]]
        if not places or (len(places) == 1 and not assign(digits, places[0], digit)):
            return False
    return True


def search(digits: Digits, limit: int, found: list[str]) -> None:
    """Add the solutions to a list, up to the limit."""
    if all(len(each) == 1 for each in digits):
        found.append("".join(digits))
        return
    _, cell = min((len(each), cell) for cell, each in enumerate(digits) if len(each) > 1)
    for digit in digits[cell]:
        copy = digits.copy()
        if assign(copy, cell, digit):
            search(copy, limit, found)
            if len(found) == limit:
                return


def solutions(line: str, limit: int) -> list[str]:
    digits, found = ["123456789"] * 81, list[str]()
    if all(assign(digits, cell, clue) for cell, clue in enumerate(line) if clue != "."):
        search(digits, limit, found)
    return found


def load() -> Solver:
    find = one_by_one(
        lambda line: "".join(solutions(line, 1)), lambda line, limit: len(solutions(line, limit))
    )
    return Solver("Norvig", find)
