"""What the English text of a step says, read from the text alone and judged by the position.

Each technique has a pattern; what it finds is compared with the candidates. Nothing is taken from the step
but its text and the position before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations, product

from link_checker import holds
from step_checker import AROUND, DIGITS, HOUSES, PEERS, Marks, places

from unidoku.rating.deduction import Deduction
from unidoku.rating.scale import TECHNIQUES
from unidoku.rating.sentences import Sentences

Facts = Iterator[tuple[str, bool]]
Candidate = tuple[int, int]

CELL = re.compile(r"r([1-9])c([1-9])")
FIRST = {"row": 0, "column": 9, "box": 18}


def cells(text: str) -> list[int]:
    return [9 * int(row) + int(column) - 10 for row, column in CELL.findall(text)]


def cell(text: str) -> int:
    (found,) = cells(text)
    return found


def digits(text: str) -> set[int]:
    return set(map(int, re.findall(r"\d", text)))


def houses(text: str) -> list[set[int]]:
    kind, numbers = re.fullmatch(r"(row|column|box)(?:e?s)? ([\d, and]+)", text).groups()
    return [HOUSES[FIRST[kind] + number - 1] for number in sorted(digits(numbers))]


def house(text: str) -> set[int]:
    (found,) = houses(text)
    return found


def candidates(text: str, sign: str = "=") -> list[Candidate]:
    found = re.findall(rf"(r\dc\d){sign}(\d)", text)
    return [(cell(name), int(digit)) for name, digit in found]


def fitting(marks: Marks, where: set[int], some: set[int]) -> set[int]:
    """The cells of a house that have one of some digits, each of which must have one."""
    found = [places(marks, where, digit) for digit in some]
    return set().union(*found) if all(found) else set()


class Conclusion:
    """What a text concludes: candidates that are removed, or the one that is placed."""

    def __init__(self, text: str) -> None:
        self.removed: set[Candidate] = set()
        self.listed: list[Candidate] = []
        self.placed: set[Candidate] = set()
        if found := re.search(r"remove (.*?)\.", text):
            for part in found[1].split("; "):
                some, _, where = part.partition(" from ")
                self.listed += product(cells(where), map(int, re.findall(r"\d", some)))
            self.removed = set(self.listed)
        for name, digit in re.findall(r"(r\dc\d) is (\d)\.", text):
            self.placed |= {(cell(name), int(digit))}


# --- singles, intersections, sets, fish, wings


def full_house(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, at, digit = found
    yield "the last cell", {each for each in house(where) if not values[each]} == {cell(at)}
    yield "the last digit", {values[each] for each in house(where)} | digits(digit) == DIGITS | {0}


def hidden_single(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, at = found
    yield "the only place", places(marks, house(where), int(digit)) == {cell(at)}


def naked_single(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    reasons, digit, at = found
    told: list[int] = []
    for reason in reasons.split("; "):
        if gone := re.fullmatch(r"([\d, and]+) ruled out before", reason):
            told += digits(gone[1])
            seen = {values[peer] for peer in PEERS[cell(at)]}
            yield "ruled out", not digits(gone[1]) & (marks[cell(at)] | seen)
        else:
            where, _, some = reason.partition(" has ")
            told += digits(some)
            yield "in the house", digits(some) <= {values[each] for each in house(where)}
            yield "a house of the cell", cell(at) in house(where)
    yield "the other eight, once", sorted([*told, int(digit)]) == sorted(DIGITS)
    yield "the only candidate", marks[cell(at)] == {int(digit)}


def direct_intersection(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, other, same, again, first, single, value, at = found
    yield "one digit", digit == same == value
    yield "the same houses", (again, first) == (other, where)
    yield "all in the other house", places(marks, house(where), int(digit)) <= house(other)
    left = places(marks, house(single), int(digit)) - (house(other) - house(where))
    yield "the only place left", left == {cell(at)}


def direct_hidden(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, some, at, again, digit, last = found
    yield "as many cells as digits", len(digits(some)) == len(cells(at))
    yield "the only cells of the digits", fitting(marks, house(where), digits(some)) == set(cells(at))
    left = places(marks, house(again), int(digit)) - set(cells(at))
    yield "the only place left", where == again and left == {cell(last)}


def intersection(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, other, same, again, first = found
    yield "one digit", digit == same and (again, first) == (other, where)
    own = places(marks, house(where), int(digit))
    yield "all in the other house", bool(own) and own <= house(other)
    yield "elsewhere", ends.removed <= set(product(house(other) - house(where), digits(digit)))


def naked_set(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, at, some = found
    own = set(cells(at))
    yield "as many cells as digits", len(own) == len(digits(some)) and all(marks[each] for each in own)
    yield "only these digits", set().union(*(marks[each] for each in own)) == digits(some)
    yield "in the house", own <= house(where)
    yield "elsewhere", ends.removed <= set(product(house(where) - own, digits(some)))


def hidden_set(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, some, at = found
    yield "as many cells as digits", len(digits(some)) == len(cells(at))
    yield "the only cells of the digits", fitting(marks, house(where), digits(some)) == set(cells(at))
    yield "other digits", ends.removed <= set(product(cells(at), DIGITS - digits(some)))


def fish(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    base, digit, cover, again, same, first = found
    yield "the same houses", (again, first, digit) == (cover, base, same)
    inside, over = set().union(*houses(base)), set().union(*houses(cover))
    yield "as many houses", len(houses(base)) == len(houses(cover))
    yield "all in the cover", places(marks, inside, int(digit)) <= over
    yield "elsewhere", ends.removed <= set(product(over - inside, digits(digit)))


def wing(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    cases, *own, sees, digit = found
    value, told = int(digit), set()
    pivots = set()
    for pivot, one, other, last in re.findall(r"if (r\dc\d) is (\d), then (r\dc\d) is (\d)", cases):
        pivots.add(cell(pivot))
        told.add(int(one))
        yield "the case", marks[cell(other)] == {int(one), value} and last == digit
        yield "seen by the pivot", cell(other) in PEERS[cell(pivot)] and cell(other) in cells(sees)
    (pivot,) = pivots
    if own:
        yield "the pivot itself", (cell(own[0]), own[1]) == (pivot, digit) and pivot in cells(sees)
        told.add(value)
    yield "each case", told == marks[pivot]
    yield "two or three cells", len(cells(sees)) == len(marks[pivot])
    yield (
        "seen by all",
        all(at not in cells(sees) and set(cells(sees)) <= PEERS[at] for at, _ in ends.removed),
    )
    yield "its digit", {each for _, each in ends.removed} == {value}


# --- uniqueness


def exchange(pair: set[int], loop: list[int], marks: Marks) -> Facts:
    """Two digits can be exchanged in a loop."""
    yield "a pair", len(pair) == 2 and all(pair <= marks[each] for each in loop)
    yield "a loop", all(b in PEERS[a] for a, b in zip(loop, [*loop[1:], loop[0]], strict=True))
    sides = [[where for each in loop[side::2] for where in AROUND[each]] for side in (0, 1)]
    yield "each house once on a side", all(len(set(map(frozenset, side))) == len(side) for side in sides)


def further(marks: Marks, loop: list[int], pair: set[int]) -> set[Candidate]:
    return {(at, digit) for at in loop for digit in marks[at] - pair}


def loop_1(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, either, pair, loop = found
    yield from exchange(digits(pair), cells(loop), marks)
    yield (
        "the only further cell",
        {at for at, _ in further(marks, cells(loop), digits(pair))} == {cell(extra)},
    )
    yield "the pair", digits(either) == digits(pair)
    yield "the pair is removed", ends.removed == set(product([cell(extra)], digits(pair)))


def loop_2(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, digit, pair, loop, same = found
    yield from exchange(digits(pair), cells(loop), marks)
    yield (
        "what is further",
        further(marks, cells(loop), digits(pair)) == set(product(cells(extra), digits(digit))),
    )
    yield "seen by all", digit == same and all(set(cells(extra)) <= PEERS[at] for at, _ in ends.removed)
    yield "its digit", {each for _, each in ends.removed} == digits(digit)


def type_3(named: list[str], more: set[Candidate], marks: Marks) -> Facts:
    """What both kinds of type 3 say about the loop and its further candidates."""
    extra, others, pair, loop, same = named
    yield from exchange(digits(pair), cells(loop), marks)
    yield "the further cells", {at for at, _ in more} == set(cells(extra))
    yield "the further digits", {digit for _, digit in more} == digits(others) == digits(same)


def loop_3(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    _, _, pair, loop, _, where, subset, united = found
    more = further(marks, cells(loop), digits(pair))
    yield from type_3(found[:5], more, marks)
    yield from naked_part(more, (where, subset, united), marks, ends)


def naked_part(more: set[Candidate], named: tuple[str, str, str], marks: Marks, ends: Conclusion) -> Facts:
    """One cell has one of some candidates; with further cells of a house it takes as many digits."""
    (where, subset, united), others = named, {digit for _, digit in more}
    extra = [at for at, _ in more]
    inside = {*cells(subset), *extra}
    every = others.union(*(marks[each] for each in cells(subset)))
    yield "the digits of the set", every == digits(united) and len(every) == len(cells(subset)) + 1
    yield "in the house", inside <= house(where)
    yield "elsewhere", ends.removed <= set(product(house(where) - inside, digits(united)))


def loop_3_hidden(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, others, pair, loop, _, where, subset, united = found
    more = further(marks, cells(loop), digits(pair))
    yield from type_3(found[:5], more, marks)
    inside = {*cells(subset), *cells(extra)}
    yield "in the house", inside <= house(where)
    yield "only there", fitting(marks, house(where), digits(united)) <= inside
    yield "as many digits as cells", len(digits(united)) == len(cells(subset)) + 1
    yield "other digits", not digits(united) & digits(others)
    yield "of the further cells", ends.removed <= set(product(cells(subset), DIGITS - digits(united)))


def loop_4(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, locked, extra, same, free, pair, loop = found
    yield from exchange(digits(pair), cells(loop), marks)
    yield (
        "the further cells",
        {at for at, _ in further(marks, cells(loop), digits(pair))} == set(cells(extra)),
    )
    yield "the only places", locked == same and places(marks, house(where), int(locked)) == set(cells(extra))
    yield "the other of the pair", digits(free) | digits(locked) == digits(pair) and free != locked
    yield "the other is removed", ends.removed == set(product(cells(extra), digits(free)))


def grave(more: set[Candidate], marks: Marks) -> Facts:
    """Without some candidates each cell has two, and each digit two places in a house."""
    rest = [own - {digit for at, digit in more if at == each} for each, own in enumerate(marks)]
    yield "candidates", all(digit in marks[at] for at, digit in more)
    yield "two in each cell", all(len(own) in (0, 2) for own in rest)
    yield (
        "two places of each digit",
        all(len(places(rest, where, digit)) in (0, 2) for where in HOUSES for digit in DIGITS),
    )


def bug_1(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, some = found
    yield from grave(set(product([cell(extra)], digits(some))), marks)
    yield "all but it", ends.removed == set(product([cell(extra)], marks[cell(extra)] - digits(some)))


def bug_2(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extra, digit, same = found
    yield from grave(set(product(cells(extra), digits(digit))), marks)
    yield "seen by all", digit == same and all(set(cells(extra)) <= PEERS[at] for at, _ in ends.removed)
    yield "its digit", {each for _, each in ends.removed} == digits(digit)


def bug_3(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    extras, where, subset, united = found
    more = set(candidates(extras))
    yield from grave(more, marks)
    yield from naked_part(more, (where, subset, united), marks, ends)


def bug_4(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, locked, extra, extras, same = found
    more = set(candidates(extras))
    yield from grave(more, marks)
    yield "the cells", {at for at, _ in more} == set(cells(extra)) and len(cells(extra)) == 2
    yield "the only places", locked == same and places(marks, house(where), int(locked)) == set(cells(extra))
    left = {(at, digit) for at in cells(extra) for digit in marks[at]} - more
    yield "what is left", ends.removed <= left - set(product(cells(extra), digits(locked)))


# --- aligned exclusion


def exclusion(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    base, removed, rest = found
    yield "what is removed", set(candidates(removed)) == ends.removed
    told = []
    for line in re.findall(r"(r\dc\d=.*?)(?:\.|$)", rest):
        combination, _, reason = line.partition(": ")
        some = dict(candidates(combination))
        told.append(frozenset(some.items()))
        yield "of the base", some.keys() == set(cells(base))
        if twice := re.fullmatch(r"(\d) is twice in (.*)", reason):
            own = [at for at, digit in some.items() if digit == int(twice[1])]
            yield "twice", any({a, b} <= house(twice[2]) for a, b in combinations(own, 2))
        else:
            at = cell(reason.removeprefix("no digit is left for "))
            yield (
                "seen by the base",
                at not in some and marks[at] <= {v for b, v in some.items() if b in PEERS[at]},
            )
    every = {
        frozenset(zip(cells(base), choice, strict=True))
        for choice in product(*(marks[at] for at in cells(base)))
    }
    yield "each combination once", len(set(told)) == len(told) or len(ends.removed) > 1
    yield "each combination", set(told) == {each for each in every if each & ends.removed}


# --- chains: `link_checker` proves the links; here is what the sentence says about starts, ends and groups


def cycle(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    groups = [set(candidates(some)) for some in found[:2]]
    told = nodes(found[2])
    yield "a ring", told[0] == told[-1] and not links(found[2], marks)
    for group, sign in zip(groups, "=≠", strict=True):
        yield "the groups", group == set(candidates(found[2], sign))
    for at, digit in ends.removed:
        for group in groups:
            yield "one in either group", any(value == digit and near in PEERS[at] for near, value in group)


def nodes(text: str) -> list[str]:
    return re.findall(r"r\dc\d[=≠]\d", text)


def links(text: str, marks: Marks) -> list[str]:
    """The links of a chain that are false; its first node is given."""
    known = {nodes(text)[0]}
    false = []
    for run in text.rstrip(".").split("; "):
        parts = re.split(r" ([→⇒]) ", run)
        given = nodes(parts[0])
        for arrow, part in zip(parts[1::2], parts[2::2], strict=True):
            (end,) = nodes(part)
            reason = "weak" if "≠" in end else "strong"
            if arrow == "⇒":
                reason = next(name for name in TECHNIQUES if part == f"{end} ({spoken(name)})")
            signs = {"=" in node for node in given}
            parents = [(cell(node), int(node[-1])) for node in given]
            follows = (cell(end), int(end[-1]), "=" in end)
            right = known.issuperset(given) and signs == {reason == "weak"}
            if not right or not holds(marks, reason, parents, follows):
                false.append(run)
            known.add(end)
            given = [end]
    return false


def spoken(technique: str) -> str:
    """The name of a technique in sentences."""
    return technique.replace("(+", "plus").replace(")", "")


def opposite(node: str) -> str:
    return node.translate(str.maketrans("=≠", "≠="))


def concluded(node: str, ends: Conclusion) -> bool:
    """Whether an assertion is what a text concludes."""
    place = (cell(node), int(node[-1]))
    return {place} == (ends.placed if "=" in node else ends.removed)


def chain(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    start, rest = found
    yield "the opposite follows", nodes(rest)[-1] == opposite(start)
    yield "each link", not links(f"{start} → {rest}", marks)
    yield "the conclusion", concluded(opposite(start), ends)


def contradiction(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    start, one, two, rest = found
    yield "a contradiction", two == opposite(one)
    yield "both are shown", {one, two} <= set(nodes(rest)) and nodes(rest)[0] == start
    yield "each link", not links(rest.replace(". ", "; "), marks)
    yield "the conclusion", concluded(opposite(start), ends)


def double(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    end, start, other, rest = found
    yield "one of two", other == opposite(start)
    yield from all_lead([start, other], end, rest, marks)
    yield "the conclusion", concluded(end, ends)


def of_cell(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    at, some, end, rest = found
    yield "each candidate", digits(some) == marks[cell(at)]
    yield from all_lead([f"{at}={digit}" for digit in sorted(digits(some))], end, rest, marks)
    yield "the conclusion", concluded(end, ends)


def of_house(found: list[str], marks: Marks, values: bytes, ends: Conclusion) -> Facts:
    where, digit, at, end, rest = found
    yield "each place", places(marks, house(where), int(digit)) == set(cells(at))
    yield from all_lead([f"{name}={digit}" for name in re.findall(r"r\dc\d", at)], end, rest, marks)
    yield "the conclusion", concluded(end, ends)


def all_lead(starts: list[str], end: str, rest: str, marks: Marks) -> Facts:
    """There is a chain from each start to the end."""
    told = [nodes(line) for line in rest.rstrip(".").split(". ")]
    yield "a chain of each start", sorted(line[0] for line in told) == sorted(starts)
    yield "each ends at the end", all(line[-1] == end for line in told)
    yield "each link", not any(links(line, marks) for line in rest.rstrip(".").split(". "))


H, C, D, S = r"((?:row|column|box) \d)", r"(r\dc\d)", r"(\d)", r"(\d[\d, andor]*?)"
HS, CS = r"((?:rows|columns|boxes) [\d, and]+)", r"(r\dc\d(?:, r\dc\d)*(?: (?:and|or|nor) r\dc\d)?)"
N = r"(r\dc\d[=≠]\d)"
NS = r"(r\dc\d=\d(?:, r\dc\d=\d)*(?: (?:and|or) r\dc\d=\d)?)"
TWO = r"could be exchanged in {CS}, so there would be two solutions\. ".replace("{CS}", CS)
GRAVE = (
    r"every empty cell would have two candidates left, and the puzzle would not have exactly one solution\. "
)

Judge = Callable[[list[str], Marks, bytes, Conclusion], Facts]
PATTERNS: list[tuple[str, Judge]] = [
    (f"in {H} only {C} is empty, so it is {D}\\.", full_house),
    (f"in {H} the digit {D} fits only in {C}\\.", hidden_single),
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
        f"in {H} the cells {CS} have only the digits {S}\\. They take these digits, so remove .*\\.",
        naked_set,
    ),
    (f"in {H} the digits {S} fit only in {CS}\\. They fill these cells, so remove .*\\.", hidden_set),
    (f"in {HS} all places of {D} lie in {HS}\\. So {HS} get their {D} in {HS}: remove .*\\.", fish),
    (f"(if [^.]*)\\. A cell that sees both {CS} cannot be {D}, so remove .*\\.", wing),
    (f"(if [^.]*); or {C} is {D} itself\\. A cell that sees {CS} cannot be {D}, so remove .*\\.", wing),
    (f"if {C} were {S}, then {S} {TWO}The puzzle has only one, so remove .*\\.", loop_1),
    (f"if neither {CS} were {D}, then {S} {TWO}So one of them is {D}: remove .*\\.", loop_2),
    (
        f"if neither {CS} were {S}, then {S} {TWO}So one of them is {S}\\. In {H} that cell together with "
        f"{CS} takes the digits {S}, so remove .*\\.",
        loop_3,
    ),
    (
        f"if neither {CS} were {S}, then {S} {TWO}So one of them is {S}\\. In {H} the other one together "
        f"with {CS} takes the digits {S}, as they fit nowhere else, so remove .*\\.",
        loop_3_hidden,
    ),
    (
        f"in {H} the digit {D} fits only in {CS}, so one of them is {D}\\. If the other one were {D}, "
        f"then {S} {TWO}So remove .*\\.",
        loop_4,
    ),
    (f"if {C} were (not \\d|neither [^.]*), {GRAVE}So remove .*\\.", bug_1),
    (f"if neither {CS} were {D}, {GRAVE}So one of them is {D}: remove .*\\.", bug_2),
    (
        f"if none of {NS} held, {GRAVE}So one of them holds\\. In {H} its cell together with {CS} takes the "
        f"digits {S}, so remove .*\\.",
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
        f"either {NS} all hold, or {NS} all hold\\. Each of the removed candidates sees one of its digit in "
        f"either group, so remove [^.]*\\. (.*)",
        cycle,
    ),
    (f"suppose {N}\\. Then ([^.]*)\\. That cannot be, so [^.]*\\.", chain),
    (f"suppose {N}\\. Then both {N} and {N} follow\\. That cannot be, so [^.]*\\. (.*)", contradiction),
    (f"{N} follows from {N}, and from {N} too\\. One of the two holds, so [^.]*\\. (.*)", double),
    (f"{C} is {S}\\. From each of these {N} follows, so [^.]*\\. (.*)", of_cell),
    (f"in {H} the digit {D} is in {CS}\\. From each of these {N} follows, so [^.]*\\. (.*)", of_house),
]


def text_faults(text: str, before: object) -> list[str]:
    """What is false in the English text of a step, given the position before it."""
    body = text.partition(": ")[2]
    marks = [set(before.candidates(at)) for at in range(81)]
    for pattern, judge in PATTERNS:
        if found := re.fullmatch(pattern, body):
            try:
                ends = Conclusion(body)
                facts = list(judge(list(found.groups()), marks, before.values, ends))
                own = all(digit in marks[at] for at, digit in ends.listed)
                facts.append(("candidates, each once", own and len(ends.removed) == len(ends.listed)))
            except (ValueError, KeyError, IndexError, StopIteration) as error:
                return [f"{judge.__name__}: {error!r}"]
            return [f"{judge.__name__}: not {fact}" for fact, true in facts if not true]
    return [f"no pattern for {body}"]


def step_faults(step: Deduction) -> list[str]:
    """What is false in the English text of a step, or that it concludes something else than the step does."""
    text = Sentences().line(step)
    ends = Conclusion(text.partition(": ")[2])
    placed = {at for at, _ in ends.placed} or {cells(text)[-1]}  # the cell of a single comes last
    if step.placements and placed != {at for at, _ in step.placements}:
        return [f"another cell: {text}"]
    if ends.removed != {*step.eliminations}:
        return [f"other candidates: {text}"]
    return text_faults(text, step.before)
