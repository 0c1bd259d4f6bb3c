"""What the sentence of a step says about its roles, judged by the definition of the technique.

`step_checker` proves that a conclusion follows from some pattern; here the pattern that the step itself names
must be one, and give the conclusion. The steps are read by their public fields; nothing else is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product
from typing import Any

from step_checker import AROUND, DIGITS, HOUSES, PEERS, Marks, places


def role_faults(step: Any) -> list[str]:
    """What a sentence about the step would say wrongly."""
    marks = [set(step.before.candidates(cell)) for cell in range(81)]
    judge = chain if step.chains else JUDGES[step.technique]
    return [f"{step.technique} {step.kind}: not {fact}" for fact, true in judge(step, marks) if not true]


Facts = Iterator[tuple[str, bool]]


def cover(cells: Any) -> set[int]:
    """The cells of some houses."""
    return set().union(*(HOUSES[house] for house in cells))


def removed(step: Any) -> dict[int, set[int]]:
    """The cells that lose each digit."""
    found: dict[int, set[int]] = {}
    for cell, digit in step.eliminations:
        found.setdefault(digit, set()).add(cell)
    return found


# --- singles, intersections, subsets, fish, wings


def hidden_single(step: Any, marks: Marks) -> Facts:
    ((cell, digit),), (house,) = step.placements, step.houses["house"]
    yield "the only place", places(marks, HOUSES[house], digit) == {cell}
    empty = [at for at in HOUSES[house] if marks[at]]
    yield "the last cell", (step.kind == "last cell") <= (empty == [cell])


def naked_single(step: Any, marks: Marks) -> Facts:
    ((cell, digit),) = step.placements
    yield "the only candidate", marks[cell] == {digit}


def intersection(step: Any, marks: Marks) -> Facts:
    (house,), (other,), (digit,) = step.houses["house"], step.houses["other"], step.digits
    own = places(marks, HOUSES[house], digit)
    yield "all in the other house", bool(own) and own <= HOUSES[other]
    yield "the pattern", set(step.cells["pattern"]) == own
    if step.placements:
        ((cell, value),), (single,) = step.placements, step.houses["single"]
        rest = places(marks, HOUSES[single], digit) - (HOUSES[other] - HOUSES[house])
        yield "the only place left", value == digit and rest == {cell}
    else:
        yield (
            "in the rest of the other house",
            removed(step).keys() == {digit}
            and all(cell in HOUSES[other] - HOUSES[house] for cell, _ in step.eliminations),
        )


def hidden_set(step: Any, marks: Marks) -> Facts:
    (house,), cells = step.houses["house"], set(step.cells["pattern"])
    own = set().union(*(places(marks, HOUSES[house], digit) for digit in step.digits))
    yield "the only cells of the digits", own == cells and len(cells) == len(step.digits)
    if step.placements:
        ((cell, digit),) = step.placements
        yield "the only place left", places(marks, HOUSES[house], digit) - cells == {cell}
    else:
        yield (
            "other digits of the cells",
            all(cell in cells and digit not in step.digits for cell, digit in step.eliminations),
        )


def naked_set(step: Any, marks: Marks) -> Facts:
    (house,), cells = step.houses["house"], set(step.cells["pattern"])
    union = set().union(*(marks[cell] for cell in cells))
    yield "the only digits of the cells", union == set(step.digits) and len(union) == len(cells)
    yield "in one house", cells <= HOUSES[house]
    yield (
        "the digits elsewhere in the house",
        all(cell in HOUSES[house] - cells and digit in union for cell, digit in step.eliminations),
    )


def fish(step: Any, marks: Marks) -> Facts:
    base, covers, (digit,) = step.houses["base"], step.houses["cover"], step.digits
    own = set().union(*(places(marks, HOUSES[house], digit) for house in base))
    yield "all in the cover", own <= cover(covers) and len(base) == len(covers)
    yield "the pattern", set(step.cells["pattern"]) == own
    yield (
        "the digit elsewhere in the cover",
        all(cell in cover(covers) - cover(base) and value == digit for cell, value in step.eliminations),
    )


def wing(step: Any, marks: Marks) -> Facts:
    (pivot,), wings, (digit,) = step.cells["pivot"], step.cells["wings"], step.digits
    yield "a pivot that the wings see", set(wings) <= PEERS[pivot] and len(wings) == 2
    for value in marks[pivot] - {digit}:
        yield "a wing left with the digit", any(marks[cell] - {value} == {digit} for cell in wings)
    own = {(cell, digit) for cell in (pivot, *wings) if digit in marks[cell]}
    yield "where the digit may be", set(step.candidates["extra"]) == own
    ends = set(wings) | ({pivot} if digit in marks[pivot] else set())
    yield "the name", (step.technique == "XYZ-wing") == (digit in marks[pivot])
    yield (
        "seen by all that may be it",
        all(value == digit and ends <= PEERS[cell] for cell, value in step.eliminations),
    )


# --- uniqueness


def loop(step: Any, marks: Marks) -> Facts:
    cells, extra, pair = step.cells["loop"], step.cells["extra"], set(step.digits)
    yield "a loop", all(b in PEERS[a] for a, b in pairwise([*cells, cells[0]])) and len(cells) % 2 == 0
    for side in (cells[0::2], cells[1::2]):
        seen = [house for cell in side for house in AROUND[cell]]
        yield "each house once on a side", len(set(seen)) == len(seen)
    yield (
        "the same houses on both sides",
        {house for cell in cells[0::2] for house in AROUND[cell]}
        >= {house for cell in cells[1::2] for house in AROUND[cell] if len(house & set(cells)) == 2},
    )
    yield "the pair in all cells", all(pair <= marks[cell] for cell in cells)
    yield "extra cells", set(extra) == {cell for cell in cells if marks[cell] != pair}
    more = {(cell, digit) for cell in extra for digit in marks[cell] - pair}
    yield "extra candidates", set(step.candidates["extra"]) == more - set(step.eliminations)
    yield from uniqueness(step, marks, more, pair)


def bug(step: Any, marks: Marks) -> Facts:
    more = set(step.candidates["extra"])
    rest = [own - {digit for at, digit in more if at == cell} for cell, own in enumerate(marks)]
    yield "candidates of the position", all(digit in marks[cell] for cell, digit in more)
    yield "extra cells", set(step.cells["extra"]) == {cell for cell, _ in more}
    yield "two candidates in each cell", all(len(own) in (0, 2) for own in rest)
    yield (
        "two places of each digit",
        all(len(places(rest, house, digit)) in (0, 2) for house in HOUSES for digit in DIGITS),
    )
    yield from uniqueness(step, rest, more, set())


def uniqueness(step: Any, marks: Marks, more: set[tuple[int, int]], pair: set[int]) -> Facts:
    """One of some extra candidates holds; ``marks`` are the candidates, of a BUG without the extra ones."""
    extra, values = {cell for cell, _ in more}, {digit for _, digit in more}
    if step.kind == "type 1":
        (cell,) = extra
        yield (
            "all but the extra candidates",
            all(at == cell and (at, digit) not in more for at, digit in step.eliminations),
        )
    elif step.kind == "type 2":
        yield "one digit", len(values) == 1
        yield (
            "seen by all extra cells",
            all(digit in values and extra <= PEERS[cell] for cell, digit in step.eliminations),
        )
    elif step.kind == "type 3":
        (house,), subset = step.houses["house"], set(step.cells["subset"])
        full = [set(step.before.candidates(cell)) for cell in range(81)]
        united = values.union(*(full[cell] for cell in subset))
        naked = len(united) == len(subset) + 1 and all(
            digit in united and cell in HOUSES[house] - subset - extra for cell, digit in step.eliminations
        )
        outside = {digit: places(full, HOUSES[house], digit) - extra for digit in DIGITS - values}
        needed = [digit for digit, own in outside.items() if (own or digit in pair) and own <= subset]
        hidden = len(needed) >= len(subset) + 1 and all(
            digit not in needed and cell in subset for cell, digit in step.eliminations
        )
        yield "in one house", extra | subset <= HOUSES[house]
        yield "a set with the extra digits", naked or (hidden and bool(pair))
    elif step.kind == "type 4":
        free = {digit for _, digit in step.eliminations}
        yield "two extra cells", len(extra) == 2 and {cell for cell, _ in step.eliminations} <= extra
        locked = pair - free if pair else {digit for _, digit in step.candidates["pattern"]}
        houses = [HOUSES[house] for house in step.houses.get("house", range(27)) if extra <= HOUSES[house]]
        yield "one locked digit", len(locked) == 1 and not locked & free
        yield (
            "the only places of the locked digit",
            any(places(marks, house, digit) == extra for house in houses for digit in locked),
        )


# --- aligned exclusion


def exclusion(step: Any, marks: Marks) -> Facts:
    base, excluders = step.cells["base"], step.cells["excluders"]
    own = {(cell, digit) for cell in excluders for digit in marks[cell]}
    yield "what the excluders may be", set(step.candidates["extra"]) == own
    yield "seen by all base cells", all(set(base) <= PEERS[cell] for cell in excluders)
    for cell, digit in step.eliminations:
        choices = product(*(marks[at] if at != cell else {digit} for at in base))
        yield (
            "each combination excluded",
            all(
                any(
                    values[i] == values[j] and base[j] in PEERS[base[i]]
                    for i, j in combinations(range(len(base)), 2)
                )
                or any(marks[at] <= set(values) for at in excluders)
                for values in choices
            ),
        )


# --- chains: `link_checker` proves the links; here is what the sentence says about their starts


def chain(step: Any, marks: Marks) -> Facts:
    starts = [each.start for each in step.chains]
    yield "the cells of the starts", set(step.cells["start"]) == {start.cell for start in starts}
    yield "the digits of the starts", set(step.digits) == {start.digit for start in starts}
    if step.kind == "cell":
        yield "all candidates of the cell", len(step.cells["start"]) == 1 and all(s.on for s in starts)
        yield "each candidate once", sorted(s.digit for s in starts) == sorted(marks[starts[0].cell])
    if step.kind == "house":
        (house,), (digit,) = step.houses["house"], step.digits
        yield "all places in the house", places(marks, HOUSES[house], digit) == {s.cell for s in starts}
    nodes = {tuple(end) for each in step.chains for end in (each.start, each.end)}
    nodes |= {tuple(link.follows) for each in step.chains for link in each.links}
    for role, on in (("on", True), ("off", False)):
        yield f"what is {role}", set(step.candidates[role]) == {node[:2] for node in nodes if node[2] == on}


JUDGES: dict[str, Callable[[Any, Marks], Facts]] = {
    "hidden single": hidden_single,
    "naked single": naked_single,
    **dict.fromkeys(("direct pointing", "direct claiming", "pointing", "claiming"), intersection),
    **dict.fromkeys(
        ("direct hidden pair", "direct hidden triplet", "hidden pair", "hidden triplet", "hidden quad"),
        hidden_set,
    ),
    **dict.fromkeys(("naked pair", "naked triplet", "naked quad"), naked_set),
    **dict.fromkeys(("X-wing", "swordfish", "jellyfish"), fish),
    **dict.fromkeys(("XY-wing", "XYZ-wing"), wing),
    **dict.fromkeys(("unique rectangle", "unique loop"), loop),
    "BUG": bug,
    **dict.fromkeys(("aligned pair exclusion", "aligned triplet exclusion"), exclusion),
}
