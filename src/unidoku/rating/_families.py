"""The families of techniques, each in a row: roles, conclusion, fields of sentences, legend and colors.

A row is all that the steps of a family need for their sentences and pictures, besides the texts themselves
(groups ``rating`` and ``steps`` of `unidoku._words.texts`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from itertools import chain, product
from typing import TypeAlias

from unidoku.cell import HOUSES, HOUSES_OF, PEERS, cell_name, digits_of
from unidoku.rating._crosshatch import crosshatch, digits_around, exclusion_of
from unidoku.rating._deduction import Deduction, Family, Link
from unidoku.rating._names import FAMILIES, TECHNIQUES
from unidoku.rating._texts import Candidate, StepTexts

Fields: TypeAlias = dict[str, Callable[[StepTexts, Deduction], object]]


@cache
def _excluded_by(cell: int, digit: int) -> set[Candidate]:
    """Return the candidates that a digit in a cell rules out."""
    return {*product([cell], range(1, 10)), *product(PEERS[cell], [digit])} - {(cell, digit)}


def candidates_seen_by_both(one: Iterable[Candidate], two: Iterable[Candidate]) -> set[Candidate]:
    """Return what is ruled out by one of each of two groups, if either the first all hold or the second."""
    first, second = (set().union(*(_excluded_by(*place) for place in group)) for group in (one, two))
    return first & second


def _excluded_by_groups(step: Deduction) -> set[Candidate]:
    """Return the candidates that both groups of a cycle or chain rule out, or both ends of a chain."""
    if step.family == "cycle":
        return candidates_seen_by_both(step.candidates["on"], step.candidates["off"])
    nodes = [link.end for link in step.chains[0].links[:-1]]
    if step.drawn_family == "cycle":
        return candidates_seen_by_both(nodes[::2], nodes[1::2])
    return candidates_seen_by_both(nodes[:1], nodes[-1:])


def _excluded_by_set(step: Deduction) -> set[Candidate]:
    """Return the candidates with the digits of a naked set in the houses that all its cells share.

    Of a unique loop or BUG of type 3, the cell of the extra candidate that holds is one of its cells.
    """
    cells, digits = step.cells.get("pattern", ()), digits_in(step.candidates.get("pattern", ()))
    if "pattern" not in step.cells:
        if step.kind != "type 3" or not is_naked(step):
            return set()
        subset = step.cells["subset"]
        cells = step.cells["extra"] + subset
        digits = digits_in(step.candidates["extra"]).union(*map(step.before.candidates, subset))
    seen = set().union(*map(HOUSES.__getitem__, shared_houses(cells))).difference(cells)
    return {*product(seen, digits)}


def digits_in(candidates: Iterable[Candidate]) -> set[int]:
    """Return the digits of candidates."""
    return {digit for _, digit in candidates}


def cells_in(candidates: Iterable[Candidate]) -> list[int]:
    """Return the cells of candidates, in order."""
    return [cell for cell, _ in candidates]


def is_naked(step: Deduction) -> bool:
    """Test whether the set of a unique loop or BUG of type 3 is naked: its cells keep their candidates."""
    return {*cells_in(step.eliminations)}.isdisjoint(step.cells.get("subset", ()))


def shared_houses(cells: Iterable[int]) -> list[int]:
    """Return the houses that all of the cells are in."""
    first, *others = (HOUSES_OF[cell] for cell in cells)
    return [house for house in first if all(house in houses for houses in others)]


def candidates_of(
    step: Deduction, cells: Iterable[int], digits: Collection[int] = range(1, 10)
) -> tuple[Candidate, ...]:
    """Return the candidates of the cells with these digits that the step does not remove."""
    candidates = [
        (cell, digit) for cell in cells for digit in step.before.candidates(cell) if digit in digits
    ]
    return tuple(candidate for candidate in candidates if candidate not in step.eliminations)


def _roles_of_set(step: Deduction, cells: tuple[int, ...]) -> None:
    """Set the cells and digits of the pattern."""
    step.cells["pattern"] = cells
    step.candidates["pattern"] = candidates_of(step, cells, step.digits)


def _roles_of_direct_intersection(step: Deduction, cells: tuple[int, ...]) -> None:
    """Set also the house of the single that follows."""
    _roles_of_set(step, cells)
    (house,) = step.houses["house"]
    step.houses["single"] = (HOUSES_OF[step.placements[0][0]][house // 9],)


def _roles_of_fish(step: Deduction, cells: tuple[int, ...]) -> None:
    """Set rows and columns as base and cover; the base are rows if the house is row 1."""
    _roles_of_set(step, cells)
    rows, columns = range(9), range(9, 18)
    lines = (rows, columns) if step.houses.pop("house", ()) == (0,) else (columns, rows)
    for role, houses in zip(("base", "cover"), lines, strict=True):
        step.houses[role] = tuple(line for line in houses if set(HOUSES[line]) & set(cells))


def _roles_of_wing(step: Deduction, cells: tuple[int, ...]) -> None:
    """Set the pivot, which has three candidates or lacks the digit, and the wings."""
    candidates, digit = step.before.candidates, step.digits[0]
    pivot = next(cell for cell in cells if len(candidates(cell)) == 3 or digit not in candidates(cell))
    step.cells.update(pivot=(pivot,), wings=tuple(cell for cell in cells if cell != pivot))
    step.candidates["pattern"] = candidates_of(step, cells, set(range(1, 10)) - set(step.digits))
    step.candidates["extra"] = candidates_of(step, cells, step.digits)


def _roles_of_loop(step: Deduction, cells: tuple[int, ...]) -> None:
    """Set the cells around the loop, and those with more than the pair."""
    pair = set(step.digits)
    extra = tuple(cell for cell in cells if set(step.before.candidates(cell)) != pair)
    step.cells.update(loop=tuple(_around(cells)), extra=extra)
    step.candidates["pattern"] = candidates_of(step, cells, pair)
    step.candidates["extra"] = candidates_of(step, extra, set(range(1, 10)) - pair)


def _roles_of_grave(step: Deduction, cells: tuple[int, ...]) -> None:
    """Set the cells with more than two candidates, the extra cells among these, and the digit of type 4.

    A digit is extra above two in a house where only its cell has more than two candidates.
    """
    before = step.before
    many = {cell for cell in range(81) if len(before.candidates(cell)) > 2}
    step.cells["extra"] = cells
    step.candidates["extra"] = tuple(
        (cell, digit)
        for cell, digit in candidates_of(step, cells, step.digits)
        if any(
            len(places := before.places(house, digit)) != 2 and many.intersection(places) == {cell}
            for house in HOUSES_OF[cell]
        )
    )
    if step.kind == "type 4":
        common_digits = set.intersection(*(set(before.candidates(cell)) for cell in cells))
        (digit,) = common_digits - set(step.digits)
        step.candidates["pattern"] = candidates_of(step, cells, {digit})
        step.houses["house"] = (before.house_of_places(cells, digit),)


def _roles_of_exclusion(step: Deduction, cells: tuple[int, ...]) -> None:
    """Set the cells that all base cells see, with few candidates, all of them candidates of the base."""
    candidates = step.before.candidates
    common = frozenset.intersection(*(PEERS[cell] for cell in cells))
    few = [cell for cell in sorted(common) if 2 <= len(candidates(cell)) <= len(cells)]
    base_digits = set().union(*map(candidates, cells))
    excluders = tuple(cell for cell in few if set(candidates(cell)) <= base_digits)
    step.cells.update(base=cells, excluders=excluders)
    step.candidates["pattern"] = candidates_of(step, cells)
    step.candidates["extra"] = candidates_of(step, excluders)


def _around(cells: tuple[int, ...]) -> list[int]:
    """Return the cells of a loop in their order around it, from the first."""
    path = [cells[0]]

    def extend() -> bool:
        if len(path) == len(cells):
            return bool(set(HOUSES_OF[path[0]]) & set(HOUSES_OF[path[-1]]))
        for cell in cells:
            if cell not in path and cell in PEERS[path[-1]]:
                path.append(cell)
                if extend():
                    return True
                path.pop()
        return False

    extend()
    return path


def _houses_of_set(step: Deduction) -> list[int]:
    """Return the house of a naked set, and another one that its cells share if they exclude digits there."""
    (house,) = step.houses["house"]
    excluded = {*cells_in(step.eliminations + step.further_eliminations)}.difference(HOUSES[house])
    shared = shared_houses(step.cells.get("pattern") or step.cells["extra"] + step.cells["subset"])
    return [house, *(other for other in shared if other != house and excluded.intersection(HOUSES[other]))]


def extra_digits(step: Deduction) -> list[int]:
    """Return the digits of the extra candidates of a unique loop or BUG."""
    return sorted(digits_in(step.candidates["extra"]))


def _locked(step: Deduction) -> list[int]:
    """Return the digits that the cells of a unique loop or BUG of type 4 hold for certain."""
    if step.technique == "BUG":
        return sorted(digits_in(step.candidates["pattern"]))
    return sorted({*step.digits} - digits_in(step.eliminations))


def _nodes(step: Deduction, *, on: bool) -> list[Candidate]:
    """Return what holds in a single chain, or what does not."""
    (chain,) = step.chains
    nodes = dict.fromkeys([chain.start, *(link.follows for link in chain.links)])
    return [node[:2] for node in nodes if node.on == on]


def _strong(step: Deduction) -> list[tuple[Candidate, Candidate]]:
    """Return the strong links of a forcing chain."""
    return [(link.start, link.end) for link in step.chains[0].links if link.kind == "strong"]


def _walk(step: Deduction) -> list[int]:
    """Return the cells of a forcing chain from end to end."""
    return [*dict.fromkeys(cells_in(chain.from_iterable(_strong(step))))]


def _ends(step: Deduction) -> dict[Candidate, None]:
    """Return the ends of a forcing chain, one of which holds."""
    strong = _strong(step)
    return dict.fromkeys((strong[0][0], strong[-1][1]))


def _houses_of_two(step: Deduction) -> tuple[int, ...]:
    """Return the houses of two strong links of a digit, lines if possible, and the one that joins them.

    A line and the box joins the links of a kite: the name means the box.
    """
    (end, near), (far, other_end) = _strong(step)
    house_of = step.before.house_of_places
    common = shared_houses((near[0], far[0]))
    joint = common[-1] if step.name == "2-String Kite" else common[0]
    return house_of((end[0], near[0]), near[1]), house_of((far[0], other_end[0]), far[1]), joint


def _set_of(step: Deduction) -> list[int]:
    """Return the digits of the naked set with one further candidate of a unique loop or BUG."""
    subset, candidates = step.cells["subset"], step.before.candidates
    values = digits_in(step.candidates["extra"])
    if is_naked(step):
        return sorted(values.union(*map(candidates, subset)))
    (house,) = step.houses["house"]
    inside = {*subset, *step.cells["extra"]}
    outside = set().union(*map(candidates, {*HOUSES[house]} - inside))
    return sorted(set().union(*map(candidates, inside)) - values - outside)


def arrows(links: Sequence[Link]) -> str:
    """Return the assertions of successive links."""
    return " → ".join(map(str, [links[0].holds, *(link.follows for link in links)]))


def _reasons(say: StepTexts, step: Deduction) -> str:
    """Return the houses that hold the other digits of a naked single, each digit in one of them."""
    masks = digits_around(step)
    reasons = [
        say.say("has", house=say.house(house), digits=say.join(digits_of(mask >> 1)))
        for house, mask in sorted(masks.items())
    ]
    gone = 0b111_111_111 & ~(sum(masks.values()) >> 1 | 1 << step.placements[0][1] - 1)
    if gone:
        reasons.append(say.say("gone", digits=say.join(digits_of(gone))))
    return say.words["semicolon"].join(reasons)


def _exclusion(say: StepTexts, step: Deduction) -> str:
    """Return what excludes the other empty cells of the house of a hidden single."""
    excluders, others, is_whole = exclusion_of(step)
    number = " one" if others == 1 else ""
    if not excluders:
        return say.say(f"excluded before{number}")
    key = f"excluded{number}" if is_whole else "excluded in part"
    cells = say.cells(sorted({*excluders.values()}), "or")
    return say.say(key, digit=step.placements[0][1], excluders=cells)


def _cases(say: StepTexts, step: Deduction) -> str:
    """Return for each extra digit of a pivot the value that it leaves for a wing."""
    (pivot,), (value,) = step.cells["pivot"], step.digits
    cases = []
    for digit in step.before.candidates(pivot):
        for wing in step.cells["wings"]:
            if set(step.before.candidates(wing)) == {digit, value}:
                pair = say.join(sorted((digit, value)))
                cases.append(say.say("case", digit=digit, other=cell_name(wing), pair=pair, value=value))
    return say.words["semicolon"].join(cases)


def _legend(what: str, *signs: str) -> dict[str, str]:
    """Return the keys of texts for some colors and shapes."""
    return {sign: f"{sign} of {what}" for sign in signs}


_CELLS_LEFT: Fields = {
    "pivot_digits": lambda say, step: say.join(
        step.before.candidates((step.cells.get("pivot") or step.cells["extra"])[0])
    ),
}
_WING_FIELDS: Fields = _CELLS_LEFT | {"cases": _cases}
_SET: Fields = {
    "set_houses": lambda say, step: say.join(map(say.house, _houses_of_set(step))),
}
_UNIQUE: Fields = _SET | {
    "pair": lambda say, step: say.join(step.digits),
    "neither": lambda say, step: say.cells(step.cells["extra"], "nor"),
    "others": lambda say, step: say.join(extra_digits(step), "or"),
    "extras": lambda say, step: say.candidates(step.candidates["extra"]),
    "set": lambda say, step: say.join(_set_of(step)),
    "locked": lambda say, step: say.join(_locked(step)),
    "free": lambda say, step: say.join(sorted(digits_in(step.eliminations))),
}
"""Of unique loops and BUGs: at least one of the extra candidates is true."""
_BUG: Fields = (
    _UNIQUE
    | _CELLS_LEFT
    | {
        "its_houses": lambda say, step: say.join(map(say.house, HOUSES_OF[step.cells["extra"][0]])),
        "not": lambda say, step: say.say(
            "not these" if len(extra_digits(step)) > 1 else "not", digits=say.join(extra_digits(step), "nor")
        ),
    }
)
_GROUPS: Fields = {
    "on": lambda say, step: say.candidates(_nodes(step, on=True)),
    "off": lambda say, step: say.candidates(_nodes(step, on=False)),
}
_CHAINS: Fields = {
    "start": lambda _, step: step.chains[0].start,
    "end": lambda _, step: step.chains[0].end,
    "two": lambda _, step: step.chains[-1].end,
    "opposite": lambda _, step: step.chains[-1].start,
    "places": lambda say, step: say.cells(step.cells["start"], "or"),
}
_LINKS: Fields = {
    "nodes": lambda _, step: arrows(
        step.chains[0].links[slice(0, None) if step.placements else slice(1, -1)]
    ),
    "some": lambda say, step: say.candidates(_ends(step), "or"),
    "both": lambda say, step: say.cells(cells_in(_ends(step))),
    "path": lambda say, step: say.cells(_walk(step)),
    "path_house": lambda say, step: say.house(
        step.before.house_of_places(_walk(step), step.eliminations[0][1])
    ),
    "evens": lambda say, step: say.cells(_walk(step)[::2]),
    "odds": lambda say, step: say.cells(_walk(step)[1::2]),
    "bivalue": lambda say, step: say.join(sorted({_strong(step)[0][1][1], _strong(step)[-1][1][1]})),
    "first": lambda say, step: say.cells(sorted(cells_in(_strong(step)[0]))),
    "second": lambda say, step: say.cells(sorted(cells_in(_strong(step)[-1]))),
    "near": lambda say, step: say.cells((_strong(step)[0][1][0], _strong(step)[-1][0][0])),
    "first_house": lambda say, step: say.house(_houses_of_two(step)[0]),
    "second_house": lambda say, step: say.house(_houses_of_two(step)[1]),
    "joint": lambda say, step: say.house(_houses_of_two(step)[2]),
    "end_one": lambda _, step: cell_name(next(iter(_ends(step)))[0]),
    "end_two": lambda _, step: cell_name([*_ends(step)][-1][0]),
    "link_one": lambda _, step: cell_name(_strong(step)[1][0][0]),
    "link_two": lambda _, step: cell_name(_strong(step)[1][1][0]),
    "link_digit": lambda _, step: _strong(step)[1][0][1],
    "link_house": lambda say, step: say.house(
        step.before.house_of_places(cells_in(_strong(step)[1]), _strong(step)[1][0][1])
    ),
}
"""Of a forcing chain: its ends, what lies between them, and the houses of its strong links."""

_AROUND = ("gray", "yellow", "orange")
_SUBSET = _legend("a subset", "purple")
_GROUPED = _legend("groups", "pattern", "extra")
_SUPPOSED = _legend("chains", "blue")
_WING = Family(
    ("wing", "wings"),
    _roles_of_wing,
    fields=_WING_FIELDS,
    colors={"pivot": "blue", "wings": "purple"},
    legend=_legend("a wing", "blue", "purple", "pattern", "extra"),
)
FAMILY_ROWS = {
    "hidden single": Family(
        ("hidden single", ""),
        _roles_of_set,
        fields={"exclusion": _exclusion},
        around=crosshatch,
        legend=_legend("a hidden single", *_AROUND),
    ),
    "naked single": Family(
        ("naked single", ""),
        _roles_of_set,
        fields={
            "reasons": _reasons,
            "row": lambda say, step: say.house(HOUSES_OF[step.placements[0][0]][0]),
            "box": lambda say, step: say.house(HOUSES_OF[step.placements[0][0]][2]),
        },
        around=crosshatch,
        legend=_legend("a naked single", *_AROUND),
    ),
    "direct intersection": Family(("intersection", ""), _roles_of_direct_intersection),
    "direct hidden": Family(("hidden", ""), _roles_of_set),
    "intersection": Family(("intersection", ""), _roles_of_set),
    "naked": Family(("naked", ""), _roles_of_set, conclusion=_excluded_by_set, fields=_SET),
    "hidden": Family(("hidden", ""), _roles_of_set),
    "fish": Family(("fish", ""), _roles_of_fish),
    "XY-wing": _WING,
    "XYZ-wing": _WING,
    "loop": Family(
        ("loop", "loop"),
        _roles_of_loop,
        _excluded_by_set,
        _UNIQUE,
        {"loop": "blue", "extra": "yellow", "subset": "purple"},
        legend=_legend("a loop", "blue", "pattern") | _SUBSET,
    ),
    "BUG": Family(
        ("BUG", "extra"),
        _roles_of_grave,
        _excluded_by_set,
        _BUG,
        {"extra": "yellow", "subset": "purple"},
        legend=_legend("a grave", "pattern") | _SUBSET,
    ),
    "exclusion": Family(
        ("exclusion", "excluders"),
        _roles_of_exclusion,
        fields={"removed": lambda say, step: say.candidates(step.eliminations, "or")},
        colors={"base": "blue", "excluders": "purple"},
        legend=_legend("an exclusion", "blue", "purple"),
    ),
    "cycle": Family(
        ("cycle", ""),
        _roles_of_set,
        conclusion=_excluded_by_groups,
        fields=_GROUPS,
        legend=_GROUPED,
    ),
    "chain": Family(
        ("chain", ""),
        _roles_of_set,
        conclusion=_excluded_by_groups,
        fields=_LINKS,
        colors={"start": "blue"},
        legend=_legend("a chain", "pattern"),
        drawn_as={"cycle": _GROUPED, "chains": _SUPPOSED},
    ),
    "chains": Family(
        ("chain", ""), _roles_of_set, fields=_CHAINS, colors={"start": "blue"}, legend=_SUPPOSED
    ),
}
"""The families; of chains `_set_roles_of_chains` of `unidoku.rating._step_rows` sets the roles."""

PARTIAL = {
    TECHNIQUES.index(technique) for technique, family in FAMILIES.items() if FAMILY_ROWS[family].conclusion
}
"""The codes of the techniques whose steps may remove a part of what the pattern rules out."""
