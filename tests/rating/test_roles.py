"""Roles of a step: true in its text, and in the fields that the text does not use."""

from __future__ import annotations

import pytest
from cases import in_turn
from known_ratings import TABLE
from sample_steps import samples
from sentence_checker import step_faults
from step_checker import DIGITS, HOUSES, places

from unidoku.rating._deduction import Deduction
from unidoku.rating._names import FAMILIES, TECHNIQUES
from unidoku.rating._steps import path_of

RARE = """
..84...26.....548...5..6..94....9..............67..1.8.......35.6.34.9..2..9..... BUG, type 3
69.....83..4..2......3...7.........9..5....2.82....61.5...6...7.......3.1.8.5.4.. BUG, type 3
...96...5.....29.8...........5817..3....4.6.2.....9....34....8...8...7311.65.8... BUG, type 3
.35.1.......3.7...9.......2.....1...75...8....69...8.7..4.5..9.5.....6.....46.1.8 BUG, type 2
...87...52...51....37.6.8..3..7.......8.2...965...4........658...6..9.........1.. BUG, type 4
..38....992...58.....3..7....5.......8.5.6.1....9.1...4...9..6.5......933.6....4. BUG, type 4
6....9.....16.4.2..................5..32.84.671..4......74..8..3.8..7.6...2.5.9.. BUG, type 1
2.6....791.....3...84........3.628..6...8...3..8..7.1.....56.....9.....7....1.25. unique loop, type 2
6837...........8.....4....7..16..2...7.1..4..49....1..9....3..5..85.....3...76.18 unique loop, type 3
.6.85.9..9.....48..8..2.1.5.......9.6139..........5..4..9.3..7..326...5.......... unique rectangle, type 3
...9....7..8.1.......7...213.....8...1.6.849..5..3......1.756...6........93...2.. unique rectangle, type 3
......6....24.....684.5..7..13685........4.93...31......51.87..8..5......2......6 unique loop, type 4
..8.2....9.6..18........7..7..9.2.53..........526...4..........5...8..37.3.4....2 unique rectangle, type 4
""".strip().splitlines()
"""Puzzles, each with a technique and kind that is rare."""


def silent_roles(step: Deduction) -> dict[tuple[str, str], set]:
    """Roles that no sentence names, as the technique defines them: pictures and files show them."""
    cells, digits, family = step.cells, {*step.digits}, FAMILIES.get(step.technique)
    marks = [{*step.before.candidates(cell)} for cell in range(81)]
    candidates = {role: {*members} for role, members in step.candidates.items()}

    def own_candidates(pattern_cells, allowed_digits=DIGITS):
        """The allowed digits that the cells have and keep."""
        return {(cell, digit) for cell in pattern_cells for digit in marks[cell] & allowed_digits} - {
            *step.eliminations
        }

    roles: dict[tuple[str, str], set] = {}
    if step.chains:
        ends = {end for chain in step.chains for end in (chain.start, chain.end)}
        ends |= {link.follows for link in step.links}
        roles["cells", "start"] = {chain.start.cell for chain in step.chains}
        roles["candidates", "on"] = {end[:2] for end in ends if end.on}
        roles["candidates", "off"] = {end[:2] for end in ends if not end.on}
    elif family in {"XY-wing", "XYZ-wing"}:
        three = (*cells["pivot"], *cells["wings"])
        roles["candidates", "pattern"], roles["candidates", "extra"] = (
            own_candidates(three, DIGITS - digits),
            own_candidates(three, digits),
        )
    elif family == "loop":
        roles["candidates", "pattern"] = own_candidates(cells["loop"], digits)
        roles["candidates", "extra"] = own_candidates(cells["extra"], DIGITS - digits)
    elif family == "BUG":
        roles["cells", "extra"] = {cell for cell, _ in candidates["extra"]}
        if step.kind == "type 4":
            common_digits = set.intersection(*(marks[cell] for cell in cells["extra"]))
            roles["candidates", "pattern"] = own_candidates(cells["extra"], common_digits - digits)
    elif family == "exclusion":
        base, base_digits = {*cells["base"]}, set().union(*(marks[cell] for cell in cells["base"]))
        roles["cells", "excluders"] = {
            cell for cell in {*range(81)} - base
            if 2 <= len(marks[cell]) <= len(base) and marks[cell] <= base_digits
            and all(any({cell, base_cell} <= {*house} for house in HOUSES) for base_cell in base)
        }  # fmt: skip
        roles["candidates", "pattern"], roles["candidates", "extra"] = (
            own_candidates(cells["base"]),
            own_candidates(cells["excluders"]),
        )
    else:
        roles["candidates", "pattern"] = own_candidates(cells["pattern"], digits)
        if family in {"fish", "intersection", "direct intersection"}:
            houses = step.houses["base" if family == "fish" else "house"]
            roles["cells", "pattern"] = {
                cell for house in houses for digit in digits for cell in places(marks, HOUSES[house], digit)
            }
    if "subset" in cells:
        roles["candidates", "subset"] = own_candidates(cells["subset"])
    return roles


def faults(step: Deduction) -> list[str]:
    """Errors in the text of a step, or in the roles that it does not name."""
    false_roles = [
        key for key, members in silent_roles(step).items() if {*getattr(step, key[0])[key[1]]} != members
    ]
    return [f"{step.technique} {step.kind}: {key}" for key in false_roles] or step_faults(step)


@in_turn
@pytest.mark.parametrize("row", RARE)
def test_the_texts_of_rare_patterns_are_true(row):
    path = path_of(row[:81]).deductions
    assert [fault for step in path for fault in faults(step)] == []
    assert row[82:] in {f"{step.technique}, {step.kind}" for step in path}


def test_the_texts_of_steps_are_true():
    techniques = set()
    for puzzle in [puzzle for puzzle, row in TABLE.items() if row[0] < 90][::64]:
        for step in path_of(puzzle).deductions:
            assert faults(step) == [], str(step)
            techniques.add(step.technique)
    for step in samples(12):
        assert faults(step) == [], str(step)
        techniques.add(step.technique)
    assert techniques == {*TECHNIQUES[1:]}
