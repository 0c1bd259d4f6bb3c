"""Model of the stepper: SudokuSolver 2.6's search in plain Python.

Written from the description of the program, with lists and sets, independent of unidoku.
Events are dictionaries in the JSON form.
"""

from functools import lru_cache
from itertools import combinations

from counting import BOXES, COLUMNS, NAMED_HOUSES, ROWS

HOUSES = [*NAMED_HOUSES.items()]
LINES = [house for house in HOUSES if not house[0].startswith("box")]


def cell_name(cell):
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def row_of(cell):
    return cell // 9


def column_of(cell):
    return cell % 9


def box_of(cell):
    return row_of(cell) // 3 * 3 + column_of(cell) // 3


@lru_cache(10_000)  # most houses have not changed since the last look
def naked_subsets(candidates):
    """Return each set of k cells, 2 <= k < all, with k candidates in all, as places and candidates."""
    return [
        (places, sorted(values))
        for k in range(2, len(candidates))
        for places in combinations([p for p, digits in enumerate(candidates) if len(digits) <= k], k)
        if len(values := set().union(*(candidates[place] for place in places))) == k
    ]


class Level:
    def __init__(self, grid, candidates, cell, order):
        self.grid, self.candidates, self.cell, self.order = grid, candidates, cell, order
        self.k = 1


class Model:
    """A search; ``guess(model, cell, value)`` returns the guess to make, cells being 0..80."""

    def __init__(self, puzzle, mode=0, guess=None):
        self.grid = [int(symbol) if symbol.isdigit() else 0 for symbol in puzzle]
        self.candidates = [[] for _ in range(81)]
        self.mode, self.guess = mode, guess
        self.steps = self.solutions = self.biggest = 0
        self.state = "loaded"
        self.stack = []
        self.events = []

    def run_until(self, steps):
        """Search to the end, or to the first unit that reaches this number of steps."""
        while self.state != "invalid" and self.steps < steps:
            self.unit()

    def say(self, kind, **fields):
        self.events.append({"step": self.steps, "kind": kind, "level": len(self.stack), **fields})

    def empty(self, cells):
        return [cell for cell in cells if self.grid[cell] == 0]

    # Units of work

    def unit(self):
        if self.state == "loaded":
            self.load()
        elif self.state == "fine":
            self.state = "valid"
            self.next_guess()
        else:
            foremost = min(self.empty(range(81)), key=lambda cell: (len(self.candidates[cell]), cell))
            if len(self.candidates[foremost]) == 1:
                self.singles_pass()
                return
            result = self.filter()
            if result == "wrong":
                self.next_guess()
            elif result in ("pending", "shrunken"):
                self.new_guess(foremost)

    def load(self):
        for cell in self.empty(range(81)):
            digits = {
                self.grid[peer]
                for house in (ROWS[row_of(cell)], COLUMNS[column_of(cell)], BOXES[box_of(cell)])
                for peer in house
            }
            self.candidates[cell] = [value for value in range(1, 10) if value not in digits]
        self.steps += 1
        self.state = "valid"
        self.say("started")
        if any(not self.candidates[cell] for cell in self.empty(range(81))):
            self.next_guess()
        elif not self.empty(range(81)):
            self.record_solution()

    def record_solution(self):
        self.solutions += 1
        self.state = "fine"
        self.say("solution", solution_sum=self.solutions, grid="".join(map(str, self.grid)))

    def singles_pass(self):
        placed = 0
        for cell in range(81):
            if self.grid[cell] == 0 and len(self.candidates[cell]) == 1:
                value = self.candidates[cell][0]
                self.say("single", cell=cell_name(cell), digit=value)
                placed += 1
                if not self.place(cell, value):
                    self.next_guess()
                    return
        self.steps += 1
        self.say("singles", placed=placed)
        if not self.empty(range(81)):
            self.record_solution()

    def place(self, cell, value):
        self.grid[cell] = value
        self.candidates[cell] = []
        row, column, box = row_of(cell), column_of(cell), box_of(cell)
        in_row = ROWS[row]
        in_column = COLUMNS[column]
        in_box = [peer for peer in BOXES[box] if row_of(peer) != row and column_of(peer) != column]
        scans = ((f"row {row + 1}", in_row), (f"column {column + 1}", in_column), (f"box {box + 1}", in_box))
        for house, cells in scans:
            for peer in self.empty(cells):
                if value not in self.candidates[peer]:
                    continue
                if self.candidates[peer] == [value]:
                    self.say("went_wrong", house=house, cell=cell_name(peer), digit=value)
                    return False
                self.candidates[peer].remove(value)
        return True

    # Guesses

    def new_guess(self, cell):
        value = None
        if self.guess:
            answer = self.guess(self, cell, self.candidates[cell][0])
            if answer:
                cell, value = answer
        order = list(self.candidates[cell])
        if value:
            order.remove(value)
            order.insert(0, value)
        candidates_before = [list(candidates) for candidates in self.candidates]
        self.stack.append(Level(list(self.grid), candidates_before, cell, order))
        self.steps += 1
        self.try_top("guess")

    def try_top(self, kind):
        level = self.stack[-1]
        value = level.order[level.k - 1]
        self.biggest = max(self.biggest, len(self.stack))
        self.say(kind, cell=cell_name(level.cell), digit=value, position=level.k, count=len(level.order))
        if not self.place(level.cell, value):
            self.next_guess()

    def next_guess(self):
        dropped = 0
        while self.stack and self.stack[-1].k == len(self.stack[-1].order):
            self.stack.pop()
            dropped += 1
        self.steps += 1
        if not self.stack:
            self.state = "invalid"
            self.say("no_more_solution", solution_sum=self.solutions)
            return
        level = self.stack[-1]
        self.grid = list(level.grid)
        self.candidates = [list(candidates) for candidates in level.candidates]
        level.k += 1
        self.try_top("upward_guess" if dropped else "forward_guess")

    # The filter

    def filter(self):
        self.steps += 1
        if self.mode != 2:
            for name, cells in HOUSES:
                result = self.shrink_group(name, self.empty(cells), [self.grid[cell] for cell in cells])
                if result != "pending":
                    return result
        if self.mode != 1:
            shrunken = False
            for name, cells in LINES:
                result = self.ply(name, cells)
                if result in ("ok", "wrong"):
                    return result
                shrunken = shrunken or result == "shrunken"
            if shrunken:
                self.say("filter_again")
                return self.filter()
        self.say("no_shrink")
        return "pending"

    def shrink_group(self, name, cells, digits):
        if not cells:
            return "pending"
        places = {
            value: [cell for cell in cells if value in self.candidates[cell]]
            for value in range(1, 10)
            if value not in digits
        }
        cuts = {}
        for value in sorted(places):
            if len(places[value]) == 1:
                cuts.setdefault(places[value][0], value)
        if cuts:
            for cell, value in cuts.items():
                self.candidates[cell] = [value]
            marks = [{"cell": cell_name(cell), "digit": cuts[cell]} for cell in sorted(cuts)]
            self.say("complete_shrink", house=name, cuts=marks)
            return "ok"
        for value, where in places.items():
            if not where:
                self.say("contradiction", house=name, digit=value)
                return "wrong"
        for way, subset, values, removed in self.incomplete_shrinks(cells, places):
            if removed:
                self.say("incomplete_shrink", house=name, way=way, **self.set_of(subset, values, removed))
                return self.take(removed)
        return "pending"

    def incomplete_shrinks(self, cells, places):
        """Yield every set of 1GW, 2GW and 3GW, in order, with its removals."""
        for origin in cells:
            values = self.candidates[origin]
            subset = [cell for cell in cells if self.candidates[cell] == values]
            if len(subset) == len(values) < len(cells):
                yield "1GW", subset, values, self.outside(cells, subset, values)
        for digit in sorted(places):
            subset = places[digit]
            values = [value for value in sorted(places) if places[value] == subset]
            if len(subset) == len(values) < len(cells):
                removed = [(c, v) for c in subset for v in self.candidates[c] if v not in values]
                yield "2GW", subset, values, removed
        for positions, values in naked_subsets(tuple(tuple(self.candidates[cell]) for cell in cells)):
            subset = [cells[place] for place in positions]
            yield "3GW", subset, values, self.outside(cells, subset, values)

    def outside(self, cells, subset, values):
        return [(c, v) for c in cells if c not in subset for v in self.candidates[c] if v in values]

    def set_of(self, subset, values, removed):
        return {
            "cells": [cell_name(cell) for cell in subset],
            "digits": list(values),
            "removed": [{"cell": cell_name(cell), "digit": value} for cell, value in removed],
        }

    def take(self, removed):
        for cell, value in removed:
            self.candidates[cell].remove(value)
        return "wrong" if any(not self.candidates[cell] for cell, _ in removed) else "shrunken"

    # Ply

    def ply(self, name, line):
        segments = [line[0:3], line[3:6], line[6:9]]
        in_line = {self.grid[cell] for cell in line}
        beside = [  # the other values of each box
            {self.grid[cell] for cell in BOXES[box_of(segment[0])]} - {0} - in_line for segment in segments
        ]
        shrunken = False
        policies = []
        for c in range(3):
            a, b = [k for k in range(3) if k != c]
            policies.append((1, segments[c], beside[a] & beside[b]))
        for c in range(3):
            a, b = [k for k in range(3) if k != c]
            if not self.empty(segments[a]):
                policies.append((2, segments[c], beside[b]))
            if not self.empty(segments[b]):
                policies.append((2, segments[c], beside[a]))
        for policy, segment, values in policies:
            result = self.confine(name, policy, self.empty(segment), values)
            if result in ("ok", "wrong"):
                return result
            shrunken = shrunken or result == "shrunken"
        return "shrunken" if shrunken else "pending"

    def confine(self, name, policy, cells, values):
        if len(values) > len(cells):
            self.say("contradiction", house=name, digit=None)
            return "wrong"
        removed = [(c, v) for c in cells for v in self.candidates[c] if v not in values]
        if len(values) < len(cells) or not removed:
            return "pending"
        self.say("line_shrink", house=name, policy=policy, **self.set_of(cells, sorted(values), removed))
        result = self.take(removed)
        if result == "shrunken" and any(len(self.candidates[cell]) == 1 for cell, _ in removed):
            return "ok"
        return result
