"""What sentences say about the roles of a step is true by the definition of its technique."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known_ratings import TABLE
from role_checker import JUDGES, role_faults

from unidoku.rating.path import steps
from unidoku.rating.se121 import FAMILIES, TECHNIQUES

# Each with a step of a technique and kind that is rare.
RARE = {
    "..84...26.....548...5..6..94....9..............67..1.8.......35.6.34.9..2..9.....": ("BUG", "type 3"),
    "69.....83..4..2......3...7.........9..5....2.82....61.5...6...7.......3.1.8.5.4..": ("BUG", "type 3"),
    "...96...5.....29.8...........5817..3....4.6.2.....9....34....8...8...7311.65.8...": ("BUG", "type 3"),
    ".35.1.......3.7...9.......2.....1...75...8....69...8.7..4.5..9.5.....6.....46.1.8": ("BUG", "type 2"),
    "...87...52...51....37.6.8..3..7.......8.2...965...4........658...6..9.........1..": ("BUG", "type 4"),
    "..38....992...58.....3..7....5.......8.5.6.1....9.1...4...9..6.5......933.6....4.": ("BUG", "type 4"),
    "6....9.....16.4.2..................5..32.84.671..4......74..8..3.8..7.6...2.5.9..": ("BUG", "type 1"),
    "2.6....791.....3...84........3.628..6...8...3..8..7.1.....56.....9.....7....1.25.": (
        "unique loop",
        "type 2",
    ),
    "6837...........8.....4....7..16..2...7.1..4..49....1..9....3..5..85.....3...76.18": (
        "unique loop",
        "type 3",
    ),
    ".6.85.9..9.....48..8..2.1.5.......9.6139..........5..4..9.3..7..326...5..........": (
        "unique rectangle",
        "type 3",
    ),
    "...9....7..8.1.......7...213.....8...1.6.849..5..3......1.756...6........93...2..": (
        "unique rectangle",
        "type 3",
    ),
    "......6....24.....684.5..7..13685........4.93...31......51.87..8..5......2......6": (
        "unique loop",
        "type 4",
    ),
    "..8.2....9.6..18........7..7..9.2.53..........526...4..........5...8..37.3.4....2": (
        "unique rectangle",
        "type 4",
    ),
}


@pytest.mark.parametrize(("puzzle", "kind"), RARE.items())
def test_rare_patterns_are_what_they_are_said_to_be(puzzle, kind):
    path = steps(puzzle)
    assert [fault for step in path for fault in role_faults(step)] == []
    assert kind in {(step.technique, step.kind) for step in path}


def test_every_sentence_is_true():
    seen = set()
    for puzzle in [puzzle for puzzle, row in TABLE.items() if row[0] < 80][::2]:
        for step in steps(puzzle):
            assert role_faults(step) == [], repr(step)
            seen.add(step.technique)
    assert len(seen) > 24
    chains = {name for name in TECHNIQUES if FAMILIES.get(name) in {"", "cycle", "chain"}}
    assert JUDGES.keys() | chains >= set(TECHNIQUES[1:])


def test_false_roles_are_found():
    """Every role of a step that is emptied or changed is a fault for the sentence."""
    missed = set()
    tried = 0
    for puzzle in [*RARE, *TABLE]:
        if TABLE.get(puzzle, (0,))[0] > 65:
            continue
        for step in steps(puzzle):
            if step.chains or step.technique in {"naked single", "hidden single"}:
                continue
            for roles in ("cells", "houses", "candidates"):
                for role, own in getattr(step, roles).items():
                    if (roles, role) in {("candidates", "pattern"), ("candidates", "subset")}:
                        continue  # what the sentence says is in the cells and digits
                    wrong = replace(step, **{roles: {**getattr(step, roles), role: own[1:]}})
                    tried += 1
                    try:
                        found = role_faults(wrong)
                    except (ValueError, IndexError):
                        continue
                    if not found:
                        missed.add((step.technique, step.kind, role))
    assert tried > 500
    assert not missed
