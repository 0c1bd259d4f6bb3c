"""Proofs of the chains of steps: each link follows from the candidates and the links before it."""

from __future__ import annotations

from typing import Any

import step_checker
from step_checker import AROUND, PEERS, Candidate, Marks, places

Assertion = tuple[int, int, bool]


def link_faults(before: Marks, step: Any) -> list[str]:
    """Return the faults of the chains of a step; its sentence tells whether the conclusion follows."""
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
    return faults


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
