"""Every Skyscraper, 2-String Kite and W-Wing of a position is listed under its name.

They are enumerated here from the pencil marks: two lines, a row and a column, two cells with the same marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from known_ratings import TABLE

from unidoku import all_steps, steps
from unidoku.rating._patterns import named_chains, repeats_locked_candidates
from unidoku.rating._steps import deductions_in, path_of

CELLS = [(row, column) for row in range(9) for column in range(9)]
ROWS = [[(row, column) for column in range(9)] for row in range(9)]
COLUMNS = [[(row, column) for row in range(9)] for column in range(9)]
BOXES = [[cell for cell in CELLS if (cell[0] // 3, cell[1] // 3) == (k // 3, k % 3)] for k in range(9)]


def sees(one, two) -> bool:
    same_box = (one[0] // 3, one[1] // 3) == (two[0] // 3, two[1] // 3)
    return one != two and (one[0] == two[0] or one[1] == two[1] or same_box)


def candidates(digit, cells) -> frozenset[str]:
    return frozenset(f"r{row + 1}c{column + 1}={digit}" for row, column in cells)


def removed(marks, digit, one, two) -> frozenset[str]:
    """The candidates that see both ends, of which one has the digit."""
    cells = (cell for cell in CELLS if digit in marks[cell] and sees(cell, one) and sees(cell, two))
    return candidates(digit, cells)


def links(marks, digit, houses) -> list[list]:
    places = ([cell for cell in house if digit in marks[cell]] for house in houses)
    return [cells for cells in places if len(cells) == 2]


def two_links(marks) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    for digit in range(1, 10):
        rows, columns = links(marks, digit, ROWS), links(marks, digit, COLUMNS)
        for lines, across in ((rows, 1), (columns, 0)):
            for one, two in combinations(lines, 2):
                for (near, end), (far, other) in (
                    (a, b) for a in permutations(one) for b in permutations(two)
                ):
                    if near[across] == far[across]:
                        own = candidates(digit, (near, end, far, other))
                        yield "Skyscraper", removed(marks, digit, end, other), own
        for row in rows:
            for column in columns:
                for (near, end), (far, other) in (
                    (a, b) for a in permutations(row) for b in permutations(column)
                ):
                    if not {near, end} & {far, other} and near in next(box for box in BOXES if far in box):
                        own = candidates(digit, (near, end, far, other))
                        yield "2-String Kite", removed(marks, digit, end, other), own


def w_wings(marks) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    pairs = [cell for cell in CELLS if len(marks[cell]) == 2]
    for one, two in combinations(pairs, 2):
        if marks[one] != marks[two] or sees(one, two):
            continue
        for joint, digit in permutations(marks[one]):
            for near, far in links(marks, joint, ROWS + COLUMNS + BOXES):
                joined = (sees(near, one) and sees(far, two)) or (sees(near, two) and sees(far, one))
                if joined and not {near, far} & {one, two}:
                    yield "W-Wing", removed(marks, digit, one, two), frozenset()


def test_each_is_listed_under_its_name():
    """A kite that is a Skyscraper too has this name; one that removes a cell of its own is none."""
    seen = dict.fromkeys(("Skyscraper", "2-String Kite", "W-Wing"), 0)
    puzzles = [puzzle for puzzle, row in TABLE.items() if 66 <= row[0] <= 75][:40]
    for puzzle in puzzles:
        step = next(step for step in steps(puzzle) if step.rating >= 4.2)
        numbers = [step.marks[9 * cell : 9 * cell + 9].replace(".", "") for cell in range(81)]
        empty = [digit == "." for digit in step.before]
        marks = {
            place: frozenset(map(int, digits)) if is_empty else frozenset()
            for place, digits, is_empty in zip(CELLS, numbers, empty, strict=True)
        }
        listed = {(found.name, frozenset(found.eliminations)) for found in all_steps(step.before, step.marks)}
        for name, gone, own in {*two_links(marks), *w_wings(marks)}:
            if gone and not gone & own:
                seen[name] += 1
                assert listed & {(name, gone), ("Skyscraper", gone)}, (puzzle, name, gone)
    assert min(seen.values()) >= 10, seen


def test_locked_candidates_and_their_single_are_listed_for_the_chains_that_they_are():
    """A chain that removes an end of its own link: locked candidates remove it, and place the other end."""
    singles, puzzles = 0, [puzzle for puzzle, row in TABLE.items() if 66 <= row[0] <= 75][:13]
    for position in (step.before for puzzle in puzzles for step in path_of(puzzle).deductions[:13:4]):
        listed = deductions_in(position)
        locked = {
            gone
            for step in listed
            if step.technique in ("pointing", "claiming")
            for gone in step.eliminations
        }
        placed = {place for step in listed if step.rating < 3 for place in step.placements}
        for chain in filter(repeats_locked_candidates, named_chains(position)):
            strong = [{link.start, link.end} for link in chain.links if link.kind == "strong"]
            own = [(link & {*chain.eliminations}, link - {*chain.eliminations}) for link in strong]
            assert any(gone and gone <= locked and place and place <= placed for gone, place in own), chain
            singles += 1
    assert singles > 5


def test_locked_candidates_are_no_chains():
    """An X-chain has two strong links or more between candidates that stay."""
    puzzles = [".62.........28....7...9123.4......2...5..7496....3.5.....4.8..3341.......9.....1.", *TABLE][
        :60
    ]
    counts = dict.fromkeys(("Skyscraper", "2-String Kite", "Turbot Fish", "Simple Colors"), 0)
    for puzzle in puzzles:
        for step in all_steps(puzzle):
            if step.name in counts:
                strong = [{start, end} for start, end, kind in step.links if kind == "strong"]
                assert sum(link.isdisjoint(step.eliminations) for link in strong) >= 2, str(step)
                counts[step.name] += 1
    assert min(counts.values()) > 5, counts
