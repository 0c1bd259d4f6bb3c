"""Checker of the English texts of steps against the position.

Each technique has a pattern, whose groups are compared with the candidates. Only the text of the step and the
position before it are used. The grammar is the table `PATTERNS`; a sentence that it does not know is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise, product

from step_checker import AROUND, DIGITS, HOUSES, PEERS, PROOFS, Candidate, Marks, places

from unidoku.rating._deduction import Deduction
from unidoku.rating._names import TECHNIQUES
from unidoku.rating._sentences import Sentences

Facts = Iterator[tuple[str, bool]]

CELL = re.compile(r"r([1-9])c([1-9])")
FIRST = {"row": 0, "column": 9, "box": 18}


def cells(text: str) -> list[int]:
    return [9 * int(row) + int(column) - 10 for row, column in CELL.findall(text)]


def cell(text: str) -> int:
    (number,) = cells(text)
    return number


def digits(text: str) -> set[int]:
    return set(map(int, re.findall(r"\d", text)))


def houses(text: str) -> list[set[int]]:
    kind, numbers = re.fullmatch(r"(row|column|box)(?:e?s)? ([\d, and]+)", text).groups()
    return [HOUSES[FIRST[kind] + number - 1] for number in sorted(digits(numbers))]


def house(text: str) -> set[int]:
    (unit,) = houses(text)
    return unit


def candidates(text: str, sign: str = "=") -> list[Candidate]:
    pairs = re.findall(rf"(r\dc\d){sign}(\d)", text)
    return [(cell(name), int(digit)) for name, digit in pairs]


def fitting(marks: Marks, where: set[int], values: set[int]) -> set[int]:
    """Return the cells of a house with any of these digits; none if a digit has no place."""
    cell_sets = [places(marks, where, digit) for digit in values]
    return set().union(*cell_sets) if all(cell_sets) else set()


def are_only_places(at: str, digit: str, where: str, marks: Marks) -> bool:
    """Return whether these cells are the places of a digit in a house."""
    return places(marks, house(where), int(digit)) == set(cells(at))


class Conclusion:
    """Conclusion of a text: the candidates that the step removes and the further ones, or the placed one."""

    def __init__(self, text: str) -> None:
        self.listed: list[Candidate] = []
        self.placed: set[Candidate] = set()
        self.further: set[Candidate] = set()
        if match := re.search(r"remove (.*?)\.", text):
            own, _, further = match[1].partition("; that also rules out ")
            self.listed += listed(own, "from")
            self.further.update(listed(further, "in"))
            self.listed += self.further
        self.removed = set(self.listed)
        for name, digit in re.findall(r"(r\dc\d) is (\d)\.", text):
            self.placed |= {(cell(name), int(digit))}


def listed(text: str, word: str) -> list[Candidate]:
    """Return the candidates of a list of digits and cells with a word between them."""
    parts = (part.partition(f" {word} ") for part in text.split("; ") if part)
    return [
        pair for own, _, where in parts for pair in product(cells(where), map(int, re.findall(r"\d", own)))
    ]


# --- singles, intersections, sets, fish, wings


def full_house(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, at, digit = groups
    yield "the last cell", {index for index in house(where) if not values[index]} == {cell(at)}
    yield "the last digit", {values[index] for index in house(where)} | digits(digit) == DIGITS | {0}


def hidden_single(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, at, excluders, before = groups
    yield "the only place", are_only_places(at, digit, where, marks)
    near = cells(excluders or "")
    yield "its digit", all(values[index] == int(digit) for index in near)
    rivals = {index for index in house(where) if not values[index]} - {cell(at)}
    seen = {index for index in rivals if PEERS[index] & {*near}}
    yield "each sees another cell", all(PEERS[index] & rivals for index in near)
    yield "the rest before", (seen == rivals) == (not before)


def naked_single(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    reasons, digit, at = groups
    rivals: list[int] = []
    for reason in reasons.split("; "):
        if match := re.fullmatch(r"([\d, and]+) ruled out before", reason):
            rivals += digits(match[1])
            peer_values = {values[peer] for peer in PEERS[cell(at)]}
            yield "ruled out", not digits(match[1]) & (marks[cell(at)] | peer_values)
        else:
            where, _, digits_text = reason.partition(" has ")
            rivals += digits(digits_text)
            yield "in the house", digits(digits_text) <= {values[index] for index in house(where)}
            yield "a house of the cell", cell(at) in house(where)
    yield "the other eight, once", sorted([*rivals, int(digit)]) == sorted(DIGITS)
    yield "the only candidate", marks[cell(at)] == {int(digit)}


def direct_intersection(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, cover, repeat, cover_again, where_again, single, value, at = groups
    yield "one digit", digit == repeat == value
    yield "the same houses", (cover_again, where_again) == (cover, where)
    yield "all in the other house", places(marks, house(where), int(digit)) <= house(cover)
    spots = places(marks, house(single), int(digit)) - (house(cover) - house(where))
    yield "the only place left", spots == {cell(at)}


def direct_hidden(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digits_text, at, where_again, digit, place = groups
    yield "as many cells as digits", len(digits(digits_text)) == len(cells(at))
    yield "the only cells of the digits", fitting(marks, house(where), digits(digits_text)) == set(cells(at))
    spots = places(marks, house(where_again), int(digit)) - set(cells(at))
    yield "the only place left", where == where_again and spots == {cell(place)}


def intersection(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, cover, repeat, cover_again, where_again = groups
    yield "one digit", digit == repeat and (cover_again, where_again) == (cover, where)
    own = places(marks, house(where), int(digit))
    yield "all in the other house", bool(own) and own <= house(cover)
    yield "elsewhere", ends.removed <= set(product(house(cover) - house(where), digits(digit)))


def naked_set(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, at, digits_text = groups
    own, wheres = set(cells(at)), list(map(house, where.split(" and ")))
    yield "as many cells as digits", len(own) == len(digits(digits_text))
    yield "empty cells", all(marks[index] for index in own)
    yield "only these digits", set().union(*(marks[index] for index in own)) == digits(digits_text)
    yield "in the houses", all(own <= unit for unit in wheres)
    for unit in wheres:
        yield "excludes in each", any(index in unit for index, _ in ends.removed)
    yield "elsewhere", ends.removed <= set(product(set().union(*wheres) - own, digits(digits_text)))


def hidden_set(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digits_text, at = groups
    yield "as many cells as digits", len(digits(digits_text)) == len(cells(at))
    yield "the only cells of the digits", fitting(marks, house(where), digits(digits_text)) == set(cells(at))
    yield "other digits", ends.removed <= set(product(cells(at), DIGITS - digits(digits_text)))


def fish(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    base, digit, cover, cover_again, repeat, base_again = groups
    yield "the same houses", (cover_again, base_again, digit) == (cover, base, repeat)
    inside, over = set().union(*houses(base)), set().union(*houses(cover))
    yield "as many houses", len(houses(base)) == len(houses(cover))
    yield "all in the cover", places(marks, inside, int(digit)) <= over
    yield "elsewhere", ends.removed <= set(product(over - inside, digits(digit)))


def wing(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    pivot_name, pivot_digits, cases, *own, wings, digit = groups
    pivot, value, told = cell(pivot_name), int(digit), {int(digit)} if own else set()
    pincers = cells(wings)
    yield "the pivot", marks[pivot] == digits(pivot_digits) and all(own_digit == digit for own_digit in own)
    for pivot_digit, pincer, pair, pincer_digit in re.findall(
        r"if it is (\d), then (r\dc\d), which sees it and has only (\d and \d), is (\d)", cases
    ):
        told.add(int(pivot_digit))
        yield "the case", marks[cell(pincer)] == digits(pair) == {int(pivot_digit), value}
        yield "the pincer", pincer_digit == digit and cell(pincer) in PEERS[pivot] and cell(pincer) in pincers
    yield "each case", told == marks[pivot] and len(pincers) == 2
    for at in [*pincers, *([pivot] if own else [])]:
        yield "seen by all", all(at in PEERS[target] for target, _ in ends.removed)
    yield "its digit", {target for _, target in ends.removed} == {value}


# --- uniqueness


def exchange(pair: set[int], loop: list[int], marks: Marks) -> Facts:
    """Judge whether two digits can be exchanged in a loop."""
    yield "a pair", len(pair) == 2 and all(pair <= marks[index] for index in loop)
    yield "a loop", all(b in PEERS[a] for a, b in zip(loop, [*loop[1:], loop[0]], strict=True))
    sides = [[where for index in loop[side::2] for where in AROUND[index]] for side in (0, 1)]
    yield "each house once on a side", all(len(set(map(frozenset, side))) == len(side) for side in sides)


def further(marks: Marks, loop: list[int], pair: set[int]) -> set[Candidate]:
    return {(at, digit) for at in loop for digit in marks[at] - pair}


def loop_1(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, either, pair, loop = groups
    surplus = further(marks, cells(loop), digits(pair))
    yield from exchange(digits(pair), cells(loop), marks)
    yield "the only further cell", {at for at, _ in surplus} == {cell(extra)}
    yield "the pair", digits(either) == digits(pair)
    yield "the pair is removed", ends.removed == set(product([cell(extra)], digits(pair)))


def loop_2(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, digit, pair, loop, repeat = groups
    surplus = further(marks, cells(loop), digits(pair))
    yield from exchange(digits(pair), cells(loop), marks)
    yield "what is further", surplus == set(product(cells(extra), digits(digit)))
    yield "seen by all", digit == repeat and all(set(cells(extra)) <= PEERS[at] for at, _ in ends.removed)
    yield "its digit", {target for _, target in ends.removed} == digits(digit)


def type_3(groups: list[str], surplus: set[Candidate], marks: Marks) -> Facts:
    """Judge the loop and its further candidates, in both kinds of type 3."""
    extra, surplus_digits, pair, loop, repeat = groups
    yield from exchange(digits(pair), cells(loop), marks)
    yield "the further cells", {at for at, _ in surplus} == set(cells(extra))
    yield "the further digits", {digit for _, digit in surplus} == digits(surplus_digits) == digits(repeat)


def loop_3(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    _, _, pair, loop, _, where, subset, union = groups
    surplus = further(marks, cells(loop), digits(pair))
    yield from type_3(groups[:5], surplus, marks)
    yield from naked_part(surplus, (where, subset, union), marks, ends)


def naked_part(surplus: set[Candidate], parts: tuple[str, str, str], marks: Marks, ends: Conclusion) -> Facts:
    """Judge a naked set of further cells of a house and one cell with a surplus candidate."""
    (where, subset, union), surplus_digits = parts, {digit for _, digit in surplus}
    extra = [at for at, _ in surplus]
    inside = {*cells(subset), *extra}
    every = surplus_digits.union(*(marks[index] for index in cells(subset)))
    yield "the digits of the set", every == digits(union) and len(every) == len(cells(subset)) + 1
    where_told = [house(name) for name in where.split(" and ")]
    yield "in the house", all(inside <= place for place in where_told)
    outside = set().union(*where_told) - inside
    removable = {(at, digit) for at, digit in product(outside, digits(union)) if digit in marks[at]}
    yield "elsewhere", ends.removed == removable


def loop_3_hidden(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, surplus_digits, pair, loop, _, where, subset, union = groups
    surplus = further(marks, cells(loop), digits(pair))
    yield from type_3(groups[:5], surplus, marks)
    inside = {*cells(subset), *cells(extra)}
    yield "in the house", inside <= house(where)
    yield "only there", fitting(marks, house(where), digits(union)) <= inside
    yield "as many digits as cells", len(digits(union)) == len(cells(subset)) + 1
    yield "other digits", not digits(union) & digits(surplus_digits)
    yield "of the further cells", ends.removed <= set(product(cells(subset), DIGITS - digits(union)))


def loop_4(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, locked, extra, repeat, free, pair, loop = groups
    surplus = further(marks, cells(loop), digits(pair))
    yield from exchange(digits(pair), cells(loop), marks)
    yield "the further cells", {at for at, _ in surplus} == set(cells(extra))
    yield "the only places", locked == repeat and are_only_places(extra, locked, where, marks)
    yield "the other of the pair", digits(free) | digits(locked) == digits(pair) and free != locked
    yield "the other is removed", ends.removed == set(product(cells(extra), digits(free)))


def grave(surplus: set[Candidate], marks: Marks) -> Facts:
    """Judge whether without the surplus each cell has two candidates and each digit two places in a house."""
    residue = [own - {digit for at, digit in surplus if at == index} for index, own in enumerate(marks)]
    yield "candidates", all(digit in marks[at] for at, digit in surplus)
    yield "two in each cell", all(len(own) in (0, 2) for own in residue)
    yield (
        "two places of each digit",
        all(len(places(residue, where, digit)) in (0, 2) for where in HOUSES for digit in DIGITS),
    )


def bug_1(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, digits_text = groups
    yield from grave(set(product([cell(extra)], digits(digits_text))), marks)
    yield "all but it", ends.removed == set(product([cell(extra)], marks[cell(extra)] - digits(digits_text)))


def bug_of_one(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, every, digit, *wheres, again, value, end, last = groups
    yield "one cell, one digit", extra == again == end and digit == value == last
    yield "its candidates", marks[cell(extra)] == digits(every)
    yield "its houses", all(cell(extra) in house(where) for where in wheres)
    for candidate in digits(every):
        counts = {len(places(marks, house(where), candidate)) for where in wheres}
        yield "three times", (counts == {3}) == (candidate == int(digit))
    yield from bug_1([extra, digit], marks, values, ends)


def bug_2(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, digit, repeat = groups
    yield from grave(set(product(cells(extra), digits(digit))), marks)
    yield "seen by all", digit == repeat and all(set(cells(extra)) <= PEERS[at] for at, _ in ends.removed)
    yield "its digit", {target for _, target in ends.removed} == digits(digit)


def bug_3(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extras, where, subset, union = groups
    surplus = set(candidates(extras))
    yield from grave(surplus, marks)
    yield from naked_part(surplus, (where, subset, union), marks, ends)


def bug_4(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, locked, extra, extras, repeat = groups
    surplus = set(candidates(extras))
    yield from grave(surplus, marks)
    yield "the cells", {at for at, _ in surplus} == set(cells(extra)) and len(cells(extra)) == 2
    yield "the only places", locked == repeat and are_only_places(extra, locked, where, marks)
    partners = {(at, digit) for at in cells(extra) for digit in marks[at]} - surplus
    yield "what is left", ends.removed <= partners - set(product(cells(extra), digits(locked)))


# --- aligned exclusion


def exclusion(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    base, removed, reasons = groups
    yield "what is removed", set(candidates(removed)) == ends.removed
    tries = []
    for line in re.findall(r"(r\dc\d=.*?)(?:\.|$)", reasons):
        combination, _, reason = line.partition(": ")
        digit_of = dict(candidates(combination))
        tries.append(frozenset(digit_of.items()))
        yield "of the base", digit_of.keys() == set(cells(base))
        if twice := re.fullmatch(r"(\d) is twice in (.*)", reason):
            own = [at for at, digit in digit_of.items() if digit == int(twice[1])]
            yield "twice", any({a, b} <= house(twice[2]) for a, b in combinations(own, 2))
        else:
            at = cell(reason.removeprefix("no digit is left for "))
            yield (
                "seen by the base",
                at not in digit_of and marks[at] <= {v for b, v in digit_of.items() if b in PEERS[at]},
            )
    every = {
        frozenset(zip(cells(base), choice, strict=True))
        for choice in product(*(marks[at] for at in cells(base)))
    }
    yield "each combination once", len(set(tries)) == len(tries) or len(ends.removed) > 1
    yield "each combination", set(tries) == {pairs for pairs in every if pairs & ends.removed}


# --- chains


def cycle(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    sides = [set(candidates(text)) for text in groups[:2]]
    ring = nodes(groups[2])
    yield "a ring", ring[0] == ring[-1] and not links(groups[2], marks)
    for side, sign in zip(sides, "=≠", strict=True):
        yield "the groups", side == set(candidates(groups[2], sign))
    yield from seen_by_both(*sides, ends)


def nodes(text: str) -> list[str]:
    return re.findall(r"r\dc\d[=≠]\d", text)


def told_links(text: str) -> Iterator[tuple[list[str], str, str]]:
    """Yield the links of chains: the assertions before, the kind or inner technique, the assertion after."""
    for run in text.rstrip(".").split("; "):
        parts = re.split(r" ([→⇒]) ", run)
        sources = nodes(parts[0])
        for arrow, part in zip(parts[1::2], parts[2::2], strict=True):
            (end,) = nodes(part)
            reason = "weak" if "≠" in end else "strong"
            if arrow == "⇒":
                reason = next(name for name in TECHNIQUES if part == f"{end} ({spoken(name)})")
            yield sources, reason, end
            sources = [end]


def links(text: str, marks: Marks) -> list[str]:
    """Return the ends of the false links of a chain; its first node is assumed."""
    facts = {nodes(text)[0]}
    false = []
    for sources, reason, end in told_links(text):
        signs = {"=" in node for node in sources}
        parents = [(cell(node), int(node[-1])) for node in sources]
        follows = (cell(end), int(end[-1]), "=" in end)
        right = facts.issuperset(sources) and signs == {reason == "weak"}
        if not right or not holds(marks, reason, parents, follows):
            false.append(end)
        facts.add(end)
    return false


def holds(before: Marks, reason: str, parents: list[Candidate], follows: tuple[int, int, bool]) -> bool:
    """Return whether an assertion follows from candidates: on for a weak link, off for others."""
    cell, digit, _ = follows
    if digit not in before[cell]:
        return False
    if reason == "weak":
        return all(
            (at == cell) != (value == digit) and (at == cell or at in PEERS[cell]) for at, value in parents
        )
    marks = [set(own) for own in before]
    for at, value in parents:
        marks[at].discard(value)
    if reason == "strong":
        in_cell = all(at == cell for at, _ in parents)
        in_house = any(
            places(marks, house, digit) == {cell}
            and all(at in house and value == digit for at, value in parents)
            for house in AROUND[cell]
        )
        return (in_cell and marks[cell] == {digit}) or in_house
    proof = PROOFS[reason]
    placed = (rival for rival in marks[cell] - {digit} if proof(marks, cell, rival, True))
    return proof(marks, cell, digit, False) or any(placed)  # a placement removes the other candidates


def spoken(technique: str) -> str:
    """Return the name of a technique in sentences."""
    return technique.replace("(+", "plus").replace(")", "")


def opposite(node: str) -> str:
    return node.translate(str.maketrans("=≠", "≠="))


def is_conclusion(node: str, ends: Conclusion) -> bool:
    """Return whether an assertion is the conclusion of a text."""
    place = (cell(node), int(node[-1]))
    return {place} == (ends.placed if "=" in node else ends.removed)


def excludes(one: Candidate, other: Candidate) -> bool:
    """Return whether two candidates cannot hold both."""
    return (one[0] == other[0]) != (one[1] == other[1] and one[0] in PEERS[other[0]])


def seen_by_both(first: Iterable[Candidate], second: Iterable[Candidate], ends: Conclusion) -> Facts:
    """Judge whether one of either group excludes what is removed."""
    groups = set(first), set(second)
    yield "two groups", all(groups) and groups[0] != groups[1]
    for place in ends.removed:
        yield "seen by both", all(any(excludes(place, near) for near in group) for group in groups)


def seen_by_ends(both: str, digit: str, ends: Conclusion) -> Facts:
    """Judge whether what is removed sees two cells, of which one has the digit."""
    one, two = cells(both)
    yield "its digit", {target for _, target in ends.removed} == {int(digit)}
    yield from seen_by_both([(one, int(digit))], [(two, int(digit))], ends)


def two_links(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    house_1, digit, pair_1, house_2, pair_2, near, joint, both, repeat, again = groups
    yield "one digit", digit == repeat == again
    yield "the only places", are_only_places(pair_1, digit, house_1, marks)
    yield "the only places", are_only_places(pair_2, digit, house_2, marks)
    one, two = cells(near)
    yield "one of either pair", one in cells(pair_1) and two in cells(pair_2) and one != two
    yield "in a house", {one, two} <= house(joint)
    rest = [set(cells(pair_1)) - {one}, set(cells(pair_2)) - {two}]
    yield "the other ones", set.union(*rest) == set(cells(both))
    yield from seen_by_ends(both, digit, ends)


def are_conjugate(a: int, b: int, digit: int, marks: Marks) -> bool:
    """Return whether two cells are the only ones of a house for a digit."""
    return any(places(marks, where, digit) == {a, b} for where in HOUSES)


def colors(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    path, digit, evens, repeat, odds, again = groups
    walk, value = cells(path), int(digit)
    yield "one digit", digit == repeat == again
    yield "pairs", all(are_conjugate(a, b, value, marks) for a, b in pairwise(walk))
    yield "every other one", (cells(evens), cells(odds)) == (walk[::2], walk[1::2])
    yield "its digit", {target for _, target in ends.removed} == {value}
    yield from seen_by_both(product(walk[::2], [value]), product(walk[1::2], [value]), ends)


def colors_of_two(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, both, repeat = groups
    yield "a pair", digit == repeat and are_only_places(both, digit, where, marks)
    yield from seen_by_ends(both, digit, ends)


def remote_pair(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    path, pair, evens, odds = groups
    walk = cells(path)
    yield "a pair each", all(marks[at] == digits(pair) for at in walk)
    yield "each sees the next", all(a in PEERS[b] for a, b in pairwise(walk))
    yield "every other one", (cells(evens), cells(odds)) == (walk[::2], walk[1::2])
    yield "its digits", {target for _, target in ends.removed} <= digits(pair)
    yield from seen_by_both(product(walk[::2], digits(pair)), product(walk[1::2], digits(pair)), ends)


def w_wing(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    pair_cells, pair, where, digit, one, first, two, second, both, value = groups
    yield "one pair", all(marks[at] == digits(pair) for at in cells(pair_cells))
    yield "its two digits", digits(pair) == digits(digit) | digits(value) and digit != value
    yield "the only places", are_only_places(f"{one} {two}", digit, where, marks)
    yield "each sees its own", cell(one) in PEERS[cell(first)] and cell(two) in PEERS[cell(second)]
    yield "the same cells", set(cells(pair_cells)) == set(cells(both)) == {cell(first), cell(second)}
    yield from seen_by_ends(both, value, ends)


def end_to_end(path: str, marks: Marks) -> Facts:
    """Judge the links from an end that is off to an end that is on."""
    yield "from off to on", "≠" in nodes(path)[0] and "=" in nodes(path)[-1]
    yield "each link", not links(path, marks)


def linked_ends(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    path, both, digit = groups
    yield from end_to_end(path, marks)
    outer = {nodes(path)[0].replace("≠", "="), nodes(path)[-1]}
    yield "the ends", outer == {f"r{at // 9 + 1}c{at % 9 + 1}={digit}" for at in cells(both)}
    yield from seen_by_ends(both, digit, ends)


def excluding_ends(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    path, some = groups
    yield from end_to_end(path, marks)
    yield "the ends", {nodes(path)[0].replace("≠", "="), nodes(path)[-1]} == set(nodes(some))
    for place in ends.removed:
        yield "seen by both", all(excludes(place, end) for end in candidates(some))


def leads_to_opposite(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    path, at, digit = groups
    yield from end_to_end(path, marks)
    yield "the opposite", nodes(path)[0] == opposite(nodes(path)[-1]) == f"{at}≠{digit}"
    yield "the conclusion", is_conclusion(nodes(path)[-1], ends)


def contradiction(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    start, assertion, negation, paths = groups
    yield "a contradiction", negation == opposite(assertion)
    yield "both are shown", {assertion, negation} <= set(nodes(paths)) and nodes(paths)[0] == start
    yield "each link", not links(paths.replace(". ", "; "), marks)
    yield "the conclusion", is_conclusion(opposite(start), ends)


def double(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    end, start, alternative, paths = groups
    yield "one of two", alternative == opposite(start)
    yield from all_lead([start, alternative], end, paths, marks)
    yield "the conclusion", is_conclusion(end, ends)


def of_cell(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    at, digits_text, end, paths = groups
    yield "each candidate", digits(digits_text) == marks[cell(at)]
    yield from all_lead([f"{at}={digit}" for digit in sorted(digits(digits_text))], end, paths, marks)
    yield "the conclusion", is_conclusion(end, ends)


def of_house(groups: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, at, end, paths = groups
    yield "each place", are_only_places(at, digit, where, marks)
    yield from all_lead([f"{name}={digit}" for name in re.findall(r"r\dc\d", at)], end, paths, marks)
    yield "the conclusion", is_conclusion(end, ends)


def all_lead(starts: list[str], end: str, paths: str, marks: Marks) -> Facts:
    """Judge the chains from each start to the end."""
    walks = [nodes(line) for line in paths.rstrip(".").split(". ")]
    yield "a chain of each start", sorted(line[0] for line in walks) == sorted(starts)
    yield "each ends at the end", all(line[-1] == end for line in walks)
    yield "each link", not any(links(line, marks) for line in paths.rstrip(".").split(". "))


H, C, D, S = r"((?:row|column|box) \d)", r"(r\dc\d)", r"(\d)", r"(\d[\d, andor]*?)"
SHARED = f"({H[1:-1]}(?: and {H[1:-1]})?)"  # by all cells of a set
HS, CS = r"((?:rows|columns|boxes) [\d, and]+)", r"(r\dc\d(?:, r\dc\d)*(?: (?:and|or|nor) r\dc\d)?)"
N = r"(r\dc\d[=≠]\d)"
NS = r"(r\dc\d=\d(?:, r\dc\d=\d)*(?: (?:and|or) r\dc\d=\d)?)"
TWO = r"could be exchanged in {CS}, so there would be two solutions\. ".replace("{CS}", CS)
ENDS = f"at least one of {CS} is {D}"
REMOVED = r"remove [^.]*\."
GRAVE = (
    r"every empty cell would have two candidates left, and the puzzle would not have exactly one solution\. "
)

Judge = Callable[[list[str], Marks, bytes, Conclusion], Facts]
PATTERNS: list[tuple[str, Judge]] = [
    (f"in {H} only {C} is empty, so it is {D}\\.", full_house),
    (
        f"in {H} the digit {D} fits only in {C}: the other empty cells?"
        f"(?: sees? the \\d in {CS})?(?:,? ?o?r? (lost it before))?\\.",
        hidden_single,
    ),
    (f"(.* has .*)\\. Only {D} is left for {C}\\.", naked_single),
    (
        f"in {H} all places of {D} lie in {H}\\. So the {D} of {H} is in {H}, and in {H} the digit {D} "
        f"fits only in {C}\\.",
        direct_intersection,
    ),
    (
        f"in {H} the digits {S} fit only in {CS}\\. They fill these cells, so in {H} the digit {D} "
        f"fits only in {C}\\.",
        direct_hidden,
    ),
    (f"in {H} all places of {D} lie in {H}\\. So the {D} of {H} is in {H}: remove .*\\.", intersection),
    (
        f"in {SHARED} the cells {CS} have only the digits {S}\\. They take these digits, so {REMOVED}",
        naked_set,
    ),
    (f"in {H} the digits {S} fit only in {CS}\\. They fill these cells, so remove .*\\.", hidden_set),
    (f"in {HS} all places of {D} lie in {HS}\\. So {HS} get their {D} in {HS}: remove .*\\.", fish),
    (
        f"the pivot {C} has only {S}: (if [^.]*)\\. So at least one of the pincers {CS} is {D}, and no cell "
        f"that sees both can be: {REMOVED}",
        wing,
    ),
    (
        f"the pivot {C} has only {S}: (if [^.]*); or it is {D} itself\\. So at least one of the pivot and "
        f"the pincers {CS} is {D}, and no cell that sees all three can be: {REMOVED}",
        wing,
    ),
    (f"if {C} were {S}, then {S} {TWO}The puzzle has only one, so remove .*\\.", loop_1),
    (f"if neither {CS} were {D}, then {S} {TWO}So at least one of them is {D}: remove .*\\.", loop_2),
    (
        f"if neither {CS} were {S}, then {S} {TWO}So at least one of them is {S}\\. In {SHARED} that cell "
        f"together with {CS} takes the digits {S}, so remove .*\\.",
        loop_3,
    ),
    (
        f"if neither {CS} were {S}, then {S} {TWO}So at least one of them is {S}\\. In {H} the other "
        f"one together with {CS} takes the digits {S}, as they fit nowhere else, so remove .*\\.",
        loop_3_hidden,
    ),
    (
        f"in {H} the digit {D} fits only in {CS}, so one of them is {D}\\. If the other one were {D}, "
        f"then {S} {TWO}So remove .*\\.",
        loop_4,
    ),
    (f"if {C} were (neither [^.]*), {GRAVE}So remove .*\\.", bug_1),
    (
        f"every empty cell has two candidates, except {C} with {S}\\. Of these, only {D} is there three "
        f"times in each of {H}, {H} and {H}\\. If {C} were not {D}, each digit would be there twice in each "
        f"house, and the puzzle would not have exactly one solution\\. So {C} is {D}: {REMOVED}",
        bug_of_one,
    ),
    (f"if neither {CS} were {D}, {GRAVE}So at least one of them is {D}: remove .*\\.", bug_2),
    (
        f"if none of {NS} held, {GRAVE}So at least one of them holds\\. In {SHARED} its cell together "
        f"with {CS} takes the digits {S}, so remove .*\\.",
        bug_3,
    ),
    (
        f"in {H} the digit {D} fits only in {CS}\\. If none of {NS} held, {GRAVE}So one of the two cells is "
        f"{D}, and in the other one such a candidate holds: remove .*\\.",
        bug_4,
    ),
    (
        f"try each combination of digits in {CS} that has {NS}\\. In each of them a digit is twice in a "
        f"house, or a cell has none left\\. So remove [^.]*\\. (.*)",
        exclusion,
    ),
    (
        f"either {NS} all hold, or {NS} all hold\\. A candidate that both groups exclude is false, so "
        f"{REMOVED} (.*)",
        cycle,
    ),
    (
        f"in {H} the digit {D} fits only in {CS}, in {H} only in {CS}; {CS} share {H}, so {ENDS}\\. "
        f"No cell that sees both can be {D}: {REMOVED}",
        two_links,
    ),
    (
        f"along {CS} each cell and the next are the only two of a house for {D}, so either {CS} are {D} or "
        f"{CS} are\\. No cell that sees one of each group can be {D}: {REMOVED}",
        colors,
    ),
    (
        f"in {H} the digit {D} fits only in {CS}\\. No cell that sees both can be {D}: {REMOVED}",
        colors_of_two,
    ),
    (
        f"the cells {CS} have only {S}, and each of them sees the next, so the two digits alternate: "
        f"{CS} have one, {CS} the other\\. No cell that sees one of each group can have either: {REMOVED}",
        remote_pair,
    ),
    (
        f"{CS} have only {S}\\. In {H} the digit {D} fits only in {C}, which sees {C}, and {C}, which sees "
        f"{C}\\. So {ENDS}, and no cell that sees both can be: {REMOVED}",
        w_wing,
    ),
    (f"({N[1:-1]} → [^.]*)\\. So {ENDS}, and no cell that sees both can be: {REMOVED}", linked_ends),
    (f"({N[1:-1]} → [^.]*)\\. So {NS} holds(?:\\. Either way,|, and) {REMOVED}", excluding_ends),
    (f"({N[1:-1]} → [^:]*): if {C} were not {D}, it would be\\. So [^.]*\\.", leads_to_opposite),
    (f"suppose {N}\\. Then both {N} and {N} follow\\. That cannot be, so [^.]*\\. (.*)", contradiction),
    (f"{N} follows from {N}, and also from {N}\\. One of the two holds, so [^.]*\\. (.*)", double),
    (f"{C} is {S}\\. In each case {N} follows, so [^.]*\\. (.*)", of_cell),
    (f"in {H} the digit {D} is in {CS}\\. In each case {N} follows, so [^.]*\\. (.*)", of_house),
]


@lru_cache(64)  # many steps have one position before them
def marks_of(before: object) -> list[frozenset[int]]:
    """Return the candidates of each cell of a position."""
    return [frozenset(before.candidates(at)) for at in range(81)]


def text_faults(text: str, before: object) -> list[str]:
    """Return the false statements of the English text of a step, given the position before it."""
    body = text.partition(": ")[2]
    marks = marks_of(before)
    for pattern, judge in PATTERNS:
        if match := re.fullmatch(pattern, body):
            try:
                ends = Conclusion(body)
                facts = list(judge(list(match.groups()), marks, before.values, ends))
                own = all(digit in marks[at] for at, digit in ends.listed)
                facts.append(("candidates, each once", own and len(ends.removed) == len(ends.listed)))
            except (ValueError, KeyError, IndexError, StopIteration) as error:
                return [f"{judge.__name__}: {error!r}"]
            return [f"{judge.__name__}: not {fact}" for fact, true in facts if not true]
    return [
        f"no pattern for {body!r}: the grammar is PATTERNS in tests/helpers/sentence_checker.py; "
        "add the sentence there, with a function that proves what it says"
    ]


def step_faults(step: Deduction) -> list[str]:
    """Return the false statements of the English text of a step, or its wrong conclusion."""
    text = Sentences().line(step)
    ends = Conclusion(text.partition(": ")[2])
    end = text.partition(": the other empty cell")[0]  # the cell of a single comes last
    placed = {at for at, _ in ends.placed} or {cells(end)[-1]}
    if step.placements and placed != {at for at, _ in step.placements}:
        return [f"another cell: {text}"]
    if (ends.removed - ends.further, ends.further) != ({*step.eliminations}, {*step.further_eliminations}):
        return [f"other candidates: {text}"]
    return text_faults(text, step.before)
