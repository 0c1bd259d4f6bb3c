"""Proofs of the chains of steps: each link follows from the candidates and the links before it."""

from __future__ import annotations

from typing import Any

import step_checker
from step_checker import AROUND, HOUSES, PEERS, Candidate, Marks, places

Assertion = tuple[int, int, bool]


def link_faults(before: Marks, step: Any) -> list[str]:
    """Return the faults of the chains of a step and of its conclusion."""
    faults = []
    for chain in step.chains:
        facts = {tuple(chain.start)}
        reasons: dict[Assertion, list[tuple[Assertion, str]]] = {}
        for link in chain.links:
            follows = (*link.end, link.kind == "strong")
            reason = link.technique if link.kind == "inner" else link.kind
            reasons.setdefault(follows, []).append(((*link.start, link.kind == "weak"), reason))
        for follows, parents in reasons.items():
            for parent, _ in parents:
                if parent not in facts:
                    faults.append(f"{parent} is not proved before {follows}")
            names = {reason for _, reason in parents}
            if len(names) != 1 or not holds(
                before, names.pop(), [parent[:2] for parent, _ in parents], follows
            ):
                faults.append(f"{follows} does not follow from {parents}")
            facts.add(follows)
        if tuple(chain.end) not in facts:
            faults.append(f"the end {chain.end} is not reached")
    return faults + conclusion_faults(before, step)


def holds(before: Marks, reason: str, parents: list[Candidate], follows: Assertion) -> bool:
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
    proof = step_checker.PROOFS[reason]
    placed = (rival for rival in marks[cell] - {digit} if proof(marks, cell, rival, True))
    return proof(marks, cell, digit, False) or any(placed)  # a placement removes the other candidates


def conclusion_faults(before: Marks, step: Any) -> list[str]:
    """Return the faults of the conclusion from all chains together."""
    conclusions = {(*candidate, False) for candidate in step.eliminations} | {
        (*candidate, True) for candidate in step.placements
    }
    starts = [tuple(chain.start) for chain in step.chains]
    ends = [tuple(chain.end) for chain in step.chains]
    if "cycle" in step.technique:
        return cycle_faults(step)
    if step.kind == "contradiction":
        good = (
            starts[0] == starts[1] and opposite(ends[0]) == ends[1] and conclusions == {opposite(starts[0])}
        )
    elif step.kind in {"X", "XY"}:
        good = ends == [opposite(starts[0])] and conclusions == set(ends)
    else:
        good = len(set(ends)) == 1 and (conclusions == set(ends) or step.placements == (ends[0][:2],))
        good = good and all_cases(before, step.kind, starts)
    return [] if good else [f"{conclusions} does not follow from {starts} to {ends}"]


def all_cases(before: Marks, kind: str, starts: list[Assertion]) -> bool:
    """Return whether one of the starts must hold."""
    if kind == "double":
        return starts[0] == opposite(starts[1])
    if not all(on for _, _, on in starts):
        return False
    cell, digit, _ = starts[0]
    cases = {start[:2] for start in starts}
    if kind == "cell":
        return cases == {(cell, value) for value in before[cell]}
    return any(cases == {(at, digit) for at in places(before, house, digit)} for house in HOUSES)


def cycle_faults(step: Any) -> list[str]:
    """Return the faults of a cycle: each removed candidate sees one of its digit on and one off."""
    (chain,) = step.chains
    nodes = {tuple(chain.start)} | {(*link.end, link.kind == "strong") for link in chain.links}
    faults = [] if chain.start == chain.end and tuple(link.end for link in chain.links) else ["no cycle"]
    if len(nodes) != len(chain.links):
        faults.append("the cycle does not pass each assertion once")
    for cell, digit in step.eliminations:
        near = {on for at, value, on in nodes if value == digit and at in PEERS[cell]}
        if near != {True, False}:
            faults.append(f"{(cell, digit)} does not see both sides of the cycle")
    return faults


def opposite(assertion: Assertion) -> Assertion:
    return (*assertion[:2], not assertion[2])
