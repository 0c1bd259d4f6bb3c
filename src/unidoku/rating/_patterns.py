"""Patterns that people look for by name: chains of two strong links of a digit, W-Wings, naked sets.

The native search for all steps has one chain for each candidate that it removes, and omits naked sets whose
hidden complement it lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from typing import TypeAlias

from unidoku.cell import HOUSES, HOUSES_OF, PEERS
from unidoku.rating._deduction import Deduction, Position
from unidoku.rating._families import candidates_seen_by_both
from unidoku.rating._step_rows import forcing_chain, naked_set_of
from unidoku.rating._texts import Candidate

_Links: TypeAlias = dict[tuple[int, int], set[int]]
"""Pairs of cells, with the kinds of houses in which they are the only places of a digit."""

NAMED_CHAINS = {"Skyscraper", "2-String Kite", "Turbot Fish", "W-Wing"}
"""The names of chains that are all found: every chain of such a name in a position."""
_TWO_LINKS = {"Skyscraper", "2-String Kite", "Turbot Fish", "Simple Colors"}
"""The names of chains of one digit with two strong links, or more."""
_LOCKED = {"pointing": "Direct Pointing", "claiming": "Direct Claiming"}
"""The names of locked candidates with the single that they leave."""
NAKED_SETS = {"Naked Pair": 2, "Naked Triple": 3, "Naked Quadruple": 4}
"""The sizes of naked sets by their names."""


def named_chains(position: Position) -> Iterator[Deduction]:
    """Yield every chain of two strong links of a digit and every W-Wing that removes a candidate."""
    strong_links: dict[int, _Links] = {digit: {} for digit in range(1, 10)}
    for (digit, links), house in product(strong_links.items(), range(27)):
        places = position.places(house, digit)
        if len(places) == 2:
            links.setdefault((places[0], places[1]), set()).add(house // 9)
    yield from _two_links(position, strong_links)
    yield from _w_wings(position, strong_links)


def repeats_locked_candidates(step: Deduction) -> bool:
    """Return whether a chain has fewer than the two strong links of its name, between candidates that stay.

    Locked candidates, or the single that they leave, then have its conclusion.
    """
    if step.name not in _TWO_LINKS:
        return False
    links = (link for link in step.links if link.kind == "strong")
    return sum({link.start, link.end}.isdisjoint(step.eliminations) for link in links) < 2


def singles_after(chains: Iterable[Deduction], listed: Sequence[Deduction]) -> Iterator[Deduction]:
    """Yield the singles that listed locked candidates leave, in place of chains that only repeat these.

    A chain that removes a cell of its own strong link places the other cell, which no easier step does yet.
    """
    locked = {gone: step for step in listed if step.technique in _LOCKED for gone in step.eliminations}
    placed = {place for step in listed if step.rating < 3 for place in step.placements}
    for link in (link for chain in chains for link in chain.links if link.kind == "strong"):
        for gone, place in permutations((link.start, link.end)):
            if gone not in locked or place in placed:
                continue
            placed.add(place)
            step = locked[gone]
            single = step.before.house_of_places((gone[0], place[0]), gone[1])
            yield replace(
                step,
                technique=f"direct {step.technique}",
                name=_LOCKED[step.technique],
                placements=(place,),
                eliminations=(),
                houses={**step.houses, "single": (single,)},
            )


def naked_sets(position: Position, size: int) -> Iterator[Deduction]:
    """Yield the cells of a house that have as many candidates, and no smaller such set among them."""
    masks = position.masks
    for house, cells in enumerate(HOUSES):
        few = [cell for cell in cells if 2 <= masks[cell].bit_count() <= size]
        for group in combinations(few, size):
            if _digits(position, group) == size and not any(
                _digits(position, part) <= less
                for less in range(2, size)
                for part in combinations(group, less)
            ):
                step = naked_set_of(position, house, tuple(sorted(group)))
                if step.eliminations:
                    yield step.whole()


def _digits(position: Position, cells: Sequence[int]) -> int:
    """Return how many different candidates cells have."""
    mask = 0
    for cell in cells:
        mask |= position.masks[cell]
    return mask.bit_count()


def _two_links(position: Position, strong_links: dict[int, _Links]) -> Iterator[Deduction]:
    """Yield the patterns of two strong links of a digit, joined at an end of each."""
    for digit, links in strong_links.items():
        for (one, kinds), (two, other_kinds) in combinations(links.items(), 2):
            if set(one) & set(two):
                continue
            for (end, near), (far, other_end) in product(permutations(one), permutations(two)):
                if far in PEERS[near]:
                    name = _name_of(kinds, other_kinds, near, far)
                    nodes = [(cell, digit) for cell in (end, near, far, other_end)]
                    yield from _chains(position, "forcing X-chain", name, 6.6, nodes)


def _name_of(kinds: set[int], other_kinds: set[int], near: int, far: int) -> str:
    """Return the name of two strong links in houses of these kinds, which are joined by two cells."""
    row, column, box = (one == two for one, two in zip(HOUSES_OF[near], HOUSES_OF[far], strict=True))
    pairs = {*product(kinds, other_kinds)}
    if column and (0, 0) in pairs:
        return "Skyscraper"
    if row and (1, 1) in pairs:
        return "Skyscraper"
    if box and not pairs.isdisjoint({(0, 1), (1, 0)}):
        return "2-String Kite"
    return "Turbot Fish"


def _w_wings(position: Position, strong_links: dict[int, _Links]) -> Iterator[Deduction]:
    """Yield two cells with the same two candidates, joined by a strong link of one of these."""
    pairs = [cell for cell, mask in enumerate(position.masks) if mask.bit_count() == 2]
    for one, two in permutations(pairs, 2):
        if position.masks[one] != position.masks[two]:
            continue
        if two in PEERS[one]:
            continue
        for link_digit, digit in permutations(position.candidates(one)):
            for near, far in strong_links[link_digit]:
                if near in PEERS[one] and far in PEERS[two] and not {near, far} & {one, two}:
                    nodes = [(one, digit), (one, link_digit), (near, link_digit)]
                    nodes += [(far, link_digit), (two, link_digit), (two, digit)]
                    yield from _chains(position, "forcing chain", "W-Wing", 7.1, nodes)


def _chains(
    position: Position, technique: str, name: str, rating: float, nodes: Sequence[Candidate]
) -> Iterator[Deduction]:
    """Yield the step of a chain with one end that holds, if it removes anything."""
    targets = [place for place in candidates_seen_by_both(nodes[:1], nodes[-1:]) if position.has(*place)]
    if targets:
        yield forcing_chain(position, (technique, name, rating), min(targets), nodes).whole()
