"""Steps: what a person can conclude next, with the pattern that it follows from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from unidoku.cell import cell_name

if TYPE_CHECKING:
    from unidoku.rating.position import Position

Candidate: TypeAlias = tuple[int, int]
Language: TypeAlias = Literal["en", "zh"]


class Assertion(NamedTuple):
    """A cell has a digit, or does not have it."""

    cell: int
    digit: int
    on: bool

    def __str__(self) -> str:
        return f"{cell_name(self.cell)}{'=' if self.on else '≠'}{self.digit}"


class Link(NamedTuple):
    """What one assertion of a chain says about another; the candidates are pairs (cell, digit).

    ``weak``: the first is on, so the second is off. ``strong``: the first is off, so the second is on, as the
    last candidate of its cell or the last place in a house; all strong links to it together are the reason.
    ``inner``: the first are off, so a technique of a lower rating, ``technique``, removes the second.
    """

    start: Candidate
    end: Candidate
    kind: Literal["weak", "strong", "inner"]
    technique: str = ""

    @property
    def holds(self) -> Assertion:
        """What is given."""
        return Assertion(*self.start, self.kind == "weak")

    @property
    def follows(self) -> Assertion:
        """What follows from it."""
        return Assertion(*self.end, self.kind == "strong")


class Chain(NamedTuple):
    """What follows from an assertion, link by link; a cycle ends where it starts."""

    start: Assertion
    end: Assertion
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """One step of the path of a puzzle.

    Cells are numbers 0 to 80, houses 0 to 26 (rows, columns, boxes), candidates pairs (cell, digit).

    Attributes
    ----------
    technique : str
        One of `unidoku.rating.se121.TECHNIQUES`.
    rating : float
    kind : str
        ``last cell``; ``type 1`` to ``type 4`` of a unique rectangle or BUG; of chains ``double``, ``X``,
        ``Y``, ``XY``, ``cell``, ``house`` or ``contradiction``; else empty.
    placements, eliminations : tuple of tuple of int
        The candidates that are placed and those that are removed.
    before : Position
        The position that the step is found in.
    cells : dict of str to tuple of int
        The cells by their role: ``pattern``, ``pivot``, ``wings``, ``loop``, ``extra``, ``subset``, ``base``,
        ``excluders``, ``start``.
    candidates : dict of str to tuple of tuple of int
        The candidates by their role: ``pattern``, ``extra``, of chains ``on`` and ``off``.
    houses : dict of str to tuple of int
        The houses by their role: ``house``, ``other``, ``single``, of fish ``base`` and ``cover``.
    digits : tuple of int
        The digits of the pattern.
    chains : tuple of Chain
        Of one start, of both states of a candidate, of all candidates of a cell or of all places in a house;
        of a contradiction two from the same start.
    """

    technique: str
    rating: float
    kind: str
    placements: tuple[Candidate, ...]
    eliminations: tuple[Candidate, ...]
    before: Position
    cells: dict[str, tuple[int, ...]] = field(default_factory=dict)
    candidates: dict[str, tuple[Candidate, ...]] = field(default_factory=dict)
    houses: dict[str, tuple[int, ...]] = field(default_factory=dict)
    digits: tuple[int, ...] = ()
    chains: tuple[Chain, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """The links of all chains, each once."""
        return tuple({link[:3]: link for chain in self.chains for link in chain.links}.values())

    @property
    def after(self) -> Position:
        """The position after the step."""
        return self.before.after(self.placements, self.eliminations)

    def text(self, lang: Language = "en") -> str:
        """Return the step as a sentence, such as ``Naked single: r4c2 can only be 7.``"""
        from unidoku.rating.report import Sentences

        return Sentences(lang).sentence(self)

    def as_dict(self, lang: Language = "en") -> dict[str, Any]:
        """Return the step as values for JSON: cells and candidates by their names."""
        return {
            "technique": self.technique,
            "rating": self.rating,
            "kind": self.kind,
            "placements": [candidate_name(each) for each in self.placements],
            "eliminations": [candidate_name(each) for each in self.eliminations],
            "before": self.before.line,
            "marks": self.before.marks,
            "cells": {role: [cell_name(cell) for cell in cells] for role, cells in self.cells.items()},
            "candidates": {
                role: [candidate_name(each) for each in some] for role, some in self.candidates.items()
            },
            "links": [
                [candidate_name(link.start), candidate_name(link.end), link.kind] for link in self.links
            ],
            "text": self.text(lang),
        }

    def drawn_state(self) -> tuple[bytes, bytes, dict[int, tuple[int, ...]]]:
        """Return what `unidoku.view.svg` draws: values, clues, candidates."""
        return self.before.drawn_state()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Step {self.rating} {self.text()}>"

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook."""
        from unidoku.view.steps import picture

        return picture(self)

    def _repr_html_(self) -> str:
        """Return the picture with the sentence for a notebook."""
        from html import escape

        return f"<figure>{self._repr_svg_()}<figcaption>{escape(self.text())}</figcaption></figure>"


def candidate_name(candidate: Candidate) -> str:
    """Return the name of a candidate, such as ``r4c2=7``."""
    return f"{cell_name(candidate[0])}={candidate[1]}"
