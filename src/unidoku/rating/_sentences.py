"""Sentences about steps and mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import combinations, product

from unidoku._words import table
from unidoku.cell import PEERS, cell_name
from unidoku.rating._deduction import Chain, Deduction
from unidoku.rating._families import arrows, extra_digits, is_naked, shared_houses
from unidoku.rating._names import TECHNIQUES
from unidoku.rating._texts import Candidate, StepTexts


class Sentences(StepTexts):
    """The sentences of one language."""

    def __init__(self, lang: str = "en") -> None:
        super().__init__(lang)
        self.techniques: Mapping[str, str] = table(lang)["techniques"]
        self.names: Mapping[str, str] = table(lang)["names"]

    def name(self, step: Deduction) -> str:
        """Return the name of a step, to begin a sentence with."""
        name = self.phrase(step)
        return name[0].upper() + name[1:]

    def phrase(self, step: Deduction) -> str:
        """Return the name of a step within a sentence."""
        return self.names[step.name]

    def result(self, step: Deduction) -> str:
        """Return the conclusion of a step."""
        if step.placements:
            (cell, digit) = step.placements[0]
            return self.say("place", cell=cell_name(cell), digit=digit)
        return self.say("remove", some=self.grouped("from", step.eliminations))

    def conclusion(self, step: Deduction) -> str:
        """Return the conclusion of a step, and what its reason rules out besides."""
        further = step.further_eliminations
        if not further:
            return self.result(step)
        return self.say("further", text=self.result(step), some=self.grouped("in", further))

    def grouped(self, key: str, candidates: Iterable[Candidate]) -> str:
        """Return candidates as a list of digits in cells, by a text for each group of cells."""
        cells_of: dict[int, list[int]] = {}
        for cell, digit in candidates:
            cells_of.setdefault(digit, []).append(cell)
        digits_of: dict[tuple[int, ...], list[int]] = {}
        for digit, cells in sorted(cells_of.items()):
            digits_of.setdefault(tuple(cells), []).append(digit)
        parts = [
            self.say(key, digits=self.join(digits), cells=self.cells(cells))
            for cells, digits in digits_of.items()
        ]
        return self.words["semicolon"].join(parts)

    def sentence(self, step: Deduction) -> str:
        """Return what a step does and why, under the names of its techniques."""
        return self.say("sentence", name=self.title(step), body=self.body(step))

    def title(self, step: Deduction) -> str:
        """Return the name of a step, with the techniques that its chains use."""
        name = self.name(step)
        inner = {link.technique for chain in step.chains for link in chain.links} - {""}
        if inner:
            names = [self.techniques[technique] for technique in sorted(inner, key=TECHNIQUES.index)]
            return self.say("with inner", name=name, inner=self.join(names))
        return name

    def body(self, step: Deduction) -> str:
        """Return the reason and the conclusion of a step, without its name."""
        return self._body(_key(step), step)

    def _body(self, key: str, step: Deduction, **fields: str) -> str:
        """Return a text about a step, with fields of `_FIELDS`."""
        return self.words[key].format_map(_Fields(self, step, fields))

    def reading(self, steps: Iterable[Deduction]) -> str:
        """Return how to read the names of cells and the signs of chains in the sentences of some steps."""
        keys = ["names", *(["signs"] if any(step.chains for step in steps) else [])]
        return self._in_turn(map(self.say, keys))

    def whole(self, step: Deduction) -> str:
        """Return a step as a sentence, with lines for its chains or combinations."""
        links = [arrows(step.chains[0].links[1:-1])] if _key(step) in _UNLINKED else []
        return "\n".join([self.sentence(step), *self.detail_lines(step), *links])

    def line(self, step: Deduction) -> str:
        """Return a step in one line, its chains or combinations after the sentence."""
        ends = self.words["semicolon"], self.words["stop"]
        details = (ends[0].join(runs) + ends[1] for runs in self._details(step))
        return self._in_turn([self.sentence(step), *details])

    def _in_turn(self, texts: Iterable[str]) -> str:
        """Return sentences one after the other."""
        return reduce(lambda text, other: self.say("after", text=text, next=other), texts)

    def say(self, key: str, **fields: object) -> str:
        """Return a text of the group of ratings; the rating of a step is in the parentheses of its name."""
        text = super().say(key, **fields)
        return _in_one_note(text) if key in {"which", "what", "pattern"} else text

    def noted(self, template: str, **fields: object) -> str:
        """Return a text whose fields are a name and a note in parentheses after it."""
        return _in_one_note(template.format(**fields))

    def stages(self, step: Deduction) -> dict[str, str]:
        """Return where to look for a step, its technique, this there, and the pattern without conclusion."""
        place = self.house(step.area)
        labels = {"name": self.name(step), "rating": step.rating}
        key, role = step.row.pattern
        cells = step.cells[role] if role else step.pattern
        is_of_start = step.kind != "cell" or set(cells) == set(step.cells["start"])
        for own in (_key(step), step.kind):
            if own in _PATTERNS and is_of_start:
                key = own
        body = self._body(f"pattern {key}", step, area=place, cells=self.cells(cells))
        return {
            "where": self.say("where", place=place),
            "which": self.say("which", **labels),
            "what": self.say("what", **labels, place=place),
            "pattern": self.say("pattern", **labels, body=body),
        }

    def mistakes(self, house: int, digits: Sequence[str], marks: Sequence[str]) -> dict[str, str]:
        """Return the same texts for wrong digits or marks, the first of them in a house, and the sentence."""
        place = self.house(house)
        what, sentence = self.say("wrong mark", house=place), self.say("wrong marks", cells=self.join(marks))
        if digits:
            what = self.say("wrong digit", house=place)
            sentence = self.say("wrong digits", some=self.join(digits))
        where = self.say("wrong where", house=place)
        return {"where": where, "which": where, "what": what, "pattern": what, "sentence": sentence}

    def detail_lines(self, step: Deduction) -> list[str]:
        """Return the chains of a step, or the combinations that it excludes; none if the sentence has all."""
        return [
            line for begin, *runs in self._details(step) for line in (begin, *(f"  {run}" for run in runs))
        ]

    def _details(self, step: Deduction) -> list[list[str]]:
        """Return the runs of each chain, or each combination that is excluded."""
        if step.family == "exclusion":
            return [[combination] for combination in self._combinations(step)]
        if step.family == "chain":
            return []
        ends: set[str] = set()
        same_start = step.kind == "contradiction"
        return [self._runs(chain, ends if same_start else set()) for chain in step.chains]

    def _combinations(self, step: Deduction) -> Iterator[str]:
        """Yield why each combination that contains a removed digit is impossible."""
        candidates, base = step.before.candidates, step.cells["base"]
        few = sorted(step.cells["excluders"], key=lambda cell: len(candidates(cell)))
        for cell, removed in step.eliminations:
            other_cells = [at for at in base if at != cell]
            for digits in product(*map(candidates, other_cells)):
                assignment = [(cell, removed), *zip(other_cells, digits, strict=True)]
                combination = self.candidates(assignment)
                for (first_cell, digit), (second_cell, second_digit) in combinations(assignment, 2):
                    if digit == second_digit and first_cell in PEERS[second_cell]:
                        house = self.house(shared_houses((first_cell, second_cell))[0])
                        yield self.say("twice", combination=combination, digit=digit, house=house)
                        break
                else:
                    empty_cell = next(at for at in few if {*candidates(at)} <= {removed, *digits})
                    yield self.say("none left", combination=combination, cell=cell_name(empty_cell))

    def _runs(self, chain: Chain, ends: set[str]) -> list[str]:
        """Return the links of a chain: runs of arrows; a reason of several assertions begins a new run.

        Links to ends of earlier links are omitted.
        """
        reasons: dict[str, list[str]] = {}
        inner: dict[str, str] = {}
        for link in chain.links:
            follows = str(link.follows)
            reasons.setdefault(follows, []).append(str(link.holds))
            if link.technique:
                inner[follows] = self.say("inner", name=self.techniques[link.technique])
        runs, tail = [str(chain.start)], str(chain.start)
        for end, parents in reasons.items():
            if end in ends:
                continue
            ends.add(end)
            if parents != [tail]:
                runs.append(self.words["comma"].join(parents))
            runs[-1] += f" {'⇒' if end in inner else '→'} {end}{inner.get(end, '')}"
            tail = end
        return [run for run in runs if run != str(chain.start)] or runs[:1]


@cache
def sentences_in(lang: str) -> Sentences:
    """Return the sentences of a language, made once: a hint takes less time than to make them."""
    return Sentences(lang)


class _Fields(dict[str, str]):
    """The fields of the texts about a step: each is made when a text has it."""

    def __init__(self, say: Sentences, step: Deduction, fields: dict[str, str]) -> None:
        super().__init__(fields)
        self.say, self.step = say, step

    def __missing__(self, name: str) -> str:
        """Return a field of the family or of any step, or else the houses or cells of a role."""
        say, step = self.say, self.step
        if make := step.row.fields.get(name) or _FIELDS.get(name):
            return str(make(say, step))
        return say.houses(step.houses[name]) if name in step.houses else say.cells(step.cells[name])


_FIELDS: dict[str, Callable[[Sentences, Deduction], object]] = {
    "result": lambda say, step: say.result(step),
    "conclusion": lambda say, step: say.conclusion(step),
    "cell": lambda _, step: cell_name(step.placements[0][0]),
    "digit": lambda _, step: (*step.placements, *step.eliminations)[0][1],
    "digits": lambda say, step: say.join(step.digits),
    "either": lambda say, step: say.join(step.digits, "or"),
    "cells": lambda say, step: say.cells(_cells(step)),
}
"""How the fields of any text are made; the row of a family has further fields, and roles are fields."""

_TOLD = {
    **dict.fromkeys(("Skyscraper", "2-String Kite", "Turbot Fish"), "two links"),
    "Simple Colors": "colors",
    "Remote Pair": "remote pair",
    "W-Wing": "W-Wing",
}
"""The keys of the sentences about forcing chains that say a pattern, by the name of the step."""
_UNLINKED = {*_TOLD.values(), "colors of two"}
_PATTERNS = {*_TOLD.values(), "cell", "house", "full house"} - {"colors"}
"""The keys and kinds of steps with a pattern of their own."""


def _in_one_note(text: str) -> str:
    """Return a text in which a name with this end and the parentheses after it become one note."""
    return text.replace(") (", ", ", 1).replace("）（", "，", 1)


def _cells(step: Deduction) -> tuple[int, ...]:
    """Return the cells that a text names as cells of the pattern."""
    cells = step.cells
    return cells.get("pattern") or cells.get("loop") or cells["pivot"] + cells["wings"]


def _key(step: Deduction) -> str:
    """Return the key of the sentence for a step."""
    if step.kind == "full house":
        return step.kind
    if step.family == "chain":
        if step.placements:
            return "links placed"
        links = step.chains[0].links
        ends = {links[0].end, links[-1].start}
        if len(ends) == 1:
            return "links one end"
        if any(digit != step.eliminations[0][1] for _, digit in ends):
            return "links excluded"
        is_pair = step.name == "Simple Colors" and len(links) == 3
        return "colors of two" if is_pair else _TOLD.get(step.name, "links")
    if step.name == "BUG+1" and len(extra_digits(step)) > 1:
        return "BUG 1 several"
    if step.kind[:4] == "type":
        return f"{step.family}{step.kind[4:]}{'' if is_naked(step) else ' hidden'}"
    return step.kind if step.family == "chains" else step.family
