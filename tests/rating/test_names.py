"""Names of steps, against another recognition from the links, and their sentences."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from known_ratings import TABLE
from name_model import UNARY, links_hold, name_of
from sample_steps import samples
from sentence_checker import step_faults

import unidoku
from unidoku import UnidokuError
from unidoku._native.rating import codes
from unidoku.rating._names import NAMES, TECHNIQUES, codes_of, step_ranges
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import deductions_in, path_of, steps_of

SKYSCRAPER = "697.....2..1972.63..3..679.912...6.737426.95.8657.9.241486932757.9.24..6..68.7..9"
KITE = ".28.1..4...1.........53..8.59......7...6..1....2...3...79..2...28...75..........9"
W_WING = "6..1....5..725.....4...6.981..........5..2....7..9..8.9.2........8..5.7..5....4.3"
COLORS = ".......85258.....3....3.4...7..9....36.7..2..........4.23.78.6....6.....84..53..."
REMOTE_PAIR = ".45..3.....2.....1.8.6.9.....1...2....9.....4.3.957.16......34.4.68...57...5....."
REMOTE_PAIR_AND_NAKED_PAIR = (
    ".....5...1.4.3.......7.91.86.315....5.......12..3.7..4...57....7.1.9.2.6......98."
)
RANGES = {(TECHNIQUES[row[0]], NAMES[row[1]]): row[2:] for row in step_ranges()}
SPECIAL = {"Skyscraper", "2-String Kite", "Turbot Fish", "Simple Colors", "X-Chain", "XY-Chain", "W-Wing"}


def test_the_tables_have_the_order_of_the_native_codes():
    """Each row whose words are those of a code; so no row is missing before another one."""
    for rows, prefix, size in ((TECHNIQUES, "", codes.TECHNIQUES), (NAMES, "NAME_", codes.NAMES)):
        words = {re.sub("[^A-Z0-9]+", "_", prefix + row.upper()): row for row in rows if "(" not in row}
        known = {word: row for word, row in words.items() if hasattr(codes, word)}
        assert len(known) >= 30
        assert {word: rows.index(row) for word, row in known.items()} == {
            word: getattr(codes, word) for word in known
        }
        assert len(rows) == size


def check_steps(puzzle: str) -> Counter[str]:
    """Check the names and sentences of the steps of a puzzle and the name of its rating; count names."""
    path = path_of(puzzle).deductions
    steps = steps_of(path)
    hardest = max(steps, key=lambda step: step.rating)
    rating = unidoku.rate(puzzle)
    assert (rating.er, rating.technique, rating.name) == (hardest.rating, hardest.technique, hardest.name)
    for step, deduction in zip(steps, path, strict=True):
        lowest, highest = RANGES[step.technique, step.name]
        assert lowest <= step.rating <= highest, step
        assert step_faults(deduction) == [], step
        if step.technique in UNARY:
            assert links_hold(step), step
            assert name_of(step) == step.name, step
    return Counter(step.name for step in steps)


def test_names_and_sentences_of_rated_puzzles():
    puzzles = [puzzle for puzzle, row in TABLE.items() if row[0] < 90]
    names = sum(map(check_steps, {*puzzles[::3], *puzzles[-2:]}), Counter())
    assert names.keys() >= SPECIAL | {"XY-Chain Loop", "Continuous Nice Loop", "AIC", "BUG+1"}
    assert names.keys() >= {"AIC (Discontinuous Loop)", "Dynamic Contradiction Forcing Chains"}


@pytest.mark.slow
@pytest.mark.weekly
def test_names_and_sentences_of_200_puzzles(top1465):
    puzzles = [*unidoku.lines(unidoku.generate(160, seed=59)), *top1465[::36]]
    names: Counter[str] = Counter()
    for puzzle in puzzles:
        if not unidoku.rate(puzzle, below=9.0).at_least:
            names += check_steps(puzzle)
    assert names.keys() >= SPECIAL | {"X-Chain Loop", "House Forcing Chains"}
    assert "Remote Pair" not in names


def test_all_possible_steps_have_true_names_and_sentences():
    """Among them are chains that Sudoku Explainer would not take, such as those with one end."""
    names = set()
    for puzzle in (SKYSCRAPER, KITE, W_WING, COLORS):
        for position in {step.before for step in path_of(puzzle).deductions if step.rating > 4}:
            deductions = deductions_in(position)
            for deduction, step in zip(deductions, steps_of(deductions), strict=True):
                names.add(step.name)
                assert step_faults(deduction) == [], step
                assert step.technique not in UNARY or name_of(step) == step.name, step
    assert names >= SPECIAL


def remote_pairs(position):
    """Steps that are possible in a position and are called Remote Pair, with true sentences."""
    deductions = deductions_in(position)
    steps = [*zip(deductions, steps_of(deductions), strict=True)]
    found = [(deduction, step) for deduction, step in steps if step.name == "Remote Pair"]
    for deduction, step in found:
        assert step_faults(deduction) == []
        assert name_of(step) == "Remote Pair"
    return [step for _, step in found]


@pytest.mark.parametrize("puzzle", [REMOTE_PAIR, REMOTE_PAIR_AND_NAKED_PAIR])
def test_a_remote_pair_is_possible_only_where_an_easier_step_comes_first(puzzle):
    """Two of its cells in a house are a naked pair; after that its digits alone are an X-chain."""
    path = path_of(puzzle).deductions
    assert any(remote_pairs(deduction.before) for deduction in path if deduction.rating <= 3.0)
    for deduction in path:
        if deduction.rating > 3.0:
            assert remote_pairs(deduction.before) == []
    assert "Remote Pair" not in {*map(str, unidoku.steps_many([puzzle]).name)}
    with pytest.raises(UnidokuError, match="no step for Remote Pair; it finds Naked Pair, then Skyscraper"):
        codes_of("remote-pair")


def test_every_name_that_has_a_step_is_known():
    names = {step.name for step in samples()}
    assert names <= {*NAMES} - {""}
    assert {step.name for step in samples() if step.technique == "unique rectangle"} > {
        "Unique Rectangle Type 1",
        "Unique Rectangle Type 4",
    }
    for step in samples():
        if step.technique.startswith("dynamic"):
            is_nested = "(+ " in step.technique
            assert step.name.startswith("Nested " if is_nested else "Dynamic "), step


def test_the_stages_of_a_pattern_do_not_conclude():
    for step in samples():
        if step.technique == "forcing X-chain" and step.eliminations:
            stages = Sentences().stages(step)
            for cell, _ in step.whole().eliminations:
                assert f"r{cell // 9 + 1}c{cell % 9 + 1}" not in stages["pattern"], stages
            assert stages["what"].startswith(f"{step.name} (rated ")


def test_every_output_has_the_name():
    """One puzzle and many; tests/cli/rate.txt has the commands."""
    puzzles = [SKYSCRAPER, KITE, W_WING, *list(TABLE)[:30:3]]
    paths = unidoku.steps_many(puzzles)
    assert list(paths.name) == [step.name for puzzle in puzzles for step in unidoku.steps(puzzle)]
    assert list(unidoku.rate_many(puzzles).name) == [unidoku.rate(puzzle).name for puzzle in puzzles]
    assert unidoku.hint(SKYSCRAPER).name == "Skyscraper"


def test_the_words_for_a_name():
    for word, names in [
        ("skyscraper", ["Skyscraper"]),
        ("2-String Kite", ["2-String Kite"]),
        ("kite", ["2-String Kite"]),
        ("two_string_kites", ["2-String Kite"]),
        ("xwing", ["X-Wing"]),
        ("W WING", ["W-Wing"]),
        ("naked-triplet", ["Naked Triple"]),
        ("bug+1", ["BUG+1"]),
        ("UR 2", ["Unique Rectangle Type 2"]),
        ("locked candidates", ["Locked Candidates (Pointing)", "Locked Candidates (Claiming)"]),
    ]:
        assert [NAMES[code] for code in codes_of(word)] == names
