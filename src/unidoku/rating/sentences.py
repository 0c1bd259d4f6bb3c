"""Sentences about steps and mistakes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, product

from unidoku.cell import HOUSES, HOUSES_OF, PEERS, candidate_name, cell_name
from unidoku.rating.deduction import Candidate, Chain, Deduction, Link
from unidoku.rating.names import FAMILIES, TECHNIQUES
from unidoku.words import Texts, table


class Sentences(Texts):
    """The sentences of one language."""

    def __init__(self, lang: str = "en") -> None:
        super().__init__("rating", lang)
        self.techniques = table(lang)["techniques"]
        self.names = table(lang)["names"]

    def join(self, items: Iterable[object], conjunction: str = "and") -> str:
        """Return the items as a list."""
        *items, end = [*map(str, items)] or [""]
        return self.say(conjunction, some=self.words["comma"].join(items), last=end) if items else end

    def cells(self, cells: Collection[int], conjunction: str = "and") -> str:
        """Return the names of cells as a list."""
        return self.join([cell_name(cell) for cell in cells], conjunction)

    def houses(self, houses: Sequence[int]) -> str:
        """Return the names of houses of one kind as a list."""
        if len(houses) == 1:
            return self.house(houses[0])
        numbers = self.join([house % 9 + 1 for house in houses], "numbers")
        return self.say(("rows", "columns", "boxes")[houses[0] // 9], n=numbers)

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
        cells_of: dict[int, list[int]] = {}
        for cell, digit in step.eliminations:
            cells_of.setdefault(digit, []).append(cell)
        digits_of: dict[tuple[int, ...], list[int]] = {}
        for digit, cells in sorted(cells_of.items()):
            digits_of.setdefault(tuple(cells), []).append(digit)
        parts = [
            self.say("from", digits=self.join(digits), cells=self.cells(cells))
            for cells, digits in digits_of.items()
        ]
        return self.say("remove", some=self.words["semicolon"].join(parts))

    def sentence(self, step: Deduction) -> str:
        """Return a step as a sentence."""
        name = self.name(step)
        inner = {link.technique for chain in step.chains for link in chain.links} - {""}
        if inner:
            names = [self.techniques[technique] for technique in sorted(inner, key=TECHNIQUES.index)]
            name = self.say("with inner", name=name, inner=self.join(names))
        return self.say("sentence", name=name, body=self.say(_key(step), **self._fields(step)))

    def reading(self, steps: Iterable[Deduction]) -> str:
        """Return how to read the names of cells and the signs of chains in the sentences of some steps."""
        keys = ["names", *(["signs"] if any(step.chains for step in steps) else [])]
        return self._in_turn(map(self.say, keys))

    def whole(self, step: Deduction) -> str:
        """Return a step as a sentence, with lines for its chains or combinations."""
        links = self._runs(step.chains[0], set()) if _key(step) in _UNLINKED else []
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
        return in_one_note(text) if key in {"what", "pattern"} else text

    def stages(self, step: Deduction) -> dict[str, str]:
        """Return where to look for a step, its technique there, and its pattern without the conclusion."""
        place = self.houses([step.area])
        labels = {"name": self.name(step), "rating": step.rating}
        return {
            "where": self.say("where", place=place),
            "what": self.say("what", **labels, place=place),
            "pattern": self.say("pattern", **labels, body=self._pattern(step)),
        }

    def mistakes(self, house: int, digits: Sequence[str], marks: Sequence[str]) -> dict[str, str]:
        """Return the same texts for wrong digits or marks, the first of them in a house, and the sentence."""
        place = self.houses([house])
        what = self.say("wrong digit" if digits else "wrong mark", house=place)
        names = self.join(digits or marks)
        sentence = self.say("wrong digits", some=names) if digits else self.say("wrong marks", cells=names)
        where = self.say("wrong where", house=place)
        return {"where": where, "what": what, "pattern": what, "sentence": sentence}

    def _pattern(self, step: Deduction) -> str:
        """Return the cells and digits of the pattern, without the conclusion."""
        family, cells = FAMILIES[step.technique], step.pattern
        key = family.removeprefix("direct ")
        if _key(step) in _PATTERNS:
            key = _key(step)
        elif step.chains and key != "cycle":
            key = step.kind if step.kind in {"cell", "house"} else "chain"
            if key == "cell" and set(cells) != set(step.cells["start"]):
                key = "chain"
        elif step.kind == "full house":
            key = step.kind
        elif "pivot" in step.cells:
            key, cells = "wing", step.cells["wings"]
        elif "excluders" in step.cells:
            cells = step.cells["excluders"]
        elif "loop" in step.cells:
            cells = step.cells["loop"]
        elif family == "BUG":
            cells = step.cells["extra"]
        elif key == "naked single":
            row, _, box = HOUSES_OF[step.placements[0][0]]
            return self.say(f"pattern {key}", row=self.houses([row]), box=self.houses([box]))
        fields = self._fields(step) | {"area": self.houses([step.area]), "cells": self.cells(cells)}
        return self.say(f"pattern {key}", **fields)

    def _fields(self, step: Deduction) -> dict[str, object]:
        """Return the fields of the sentence about a step."""
        family = FAMILIES[step.technique]
        fields: dict[str, object] = {"digits": self.join(step.digits), "result": self.result(step)}
        for role, cells in step.cells.items():
            fields[role] = self.cells(cells)
        for role, houses in step.houses.items():
            fields[role] = self.houses(houses)
        fields["cells"] = fields.get("pattern") or fields.get("loop") or fields.get("start")
        if step.placements:
            fields["cell"], fields["digit"] = cell_name(step.placements[0][0]), step.placements[0][1]
        if family == "naked single":
            fields["reasons"] = self._reasons(step)
        elif "pivot" in step.cells:
            fields["cases"] = self._cases(step)
            fields["cells"] = self.cells(step.cells["pivot"] + step.cells["wings"])
        elif family in {"loop", "BUG"}:
            fields |= self._uniqueness(step)
        elif family == "exclusion":
            fields["removed"] = self.join(list(map(candidate_name, step.eliminations)), "or")
        elif step.chains:
            fields |= self._starts(step)
        return fields

    def _reasons(self, step: Deduction) -> str:
        """Return the houses that hold the other digits of a naked single, each digit in one of them."""
        ((cell, digit),) = step.placements
        open_digits = set(range(1, 10)) - {digit}
        house_digits = {house: {step.before.values[at] for at in HOUSES[house]} for house in HOUSES_OF[cell]}
        covers: dict[int, set[int]] = {}
        for _ in range(3):  # few houses are enough for most cells
            house = max(house_digits, key=lambda house: len(house_digits[house] & open_digits))
            if house_digits[house] & open_digits:
                covers[house] = house_digits[house] & open_digits
                open_digits -= covers[house]
        reasons = [
            self.say("has", house=self.houses([house]), digits=self.join(sorted(digits)))
            for house, digits in sorted(covers.items())
        ]
        if open_digits:
            reasons.append(self.say("gone", digits=self.join(sorted(open_digits))))
        return self.words["semicolon"].join(reasons)

    def _cases(self, step: Deduction) -> str:
        """Return for each extra digit of a pivot the value that it leaves for a wing."""
        ((pivot,), (value,)) = step.cells["pivot"], step.digits
        cases = []
        for digit in step.before.candidates(pivot):
            for wing in step.cells["wings"]:
                if set(step.before.candidates(wing)) == {digit, value}:
                    wing_name = cell_name(wing)
                    cases.append(
                        self.say("case", cell=cell_name(pivot), digit=digit, other=wing_name, value=value)
                    )
        return self.words["semicolon"].join(cases)

    def _uniqueness(self, step: Deduction) -> dict[str, object]:
        """Return the fields of unique loops and BUGs: extra candidates, at least one of them true."""
        extra = step.candidates["extra"]
        extra_digits = sorted({digit for _, digit in extra})
        free = {digit for _, digit in step.eliminations}
        locked = set(step.digits) - free
        fields: dict[str, object] = {"pair": self.join(step.digits), "either": self.join(step.digits, "or")}
        if step.technique == "BUG":
            key = "not" if len(extra_digits) == 1 else "not these"
            fields["not"] = self.say(key, digits=self.join(extra_digits, "nor"))
            locked = {digit for _, digit in step.candidates.get("pattern", ())}
        fields["neither"] = self.cells(step.cells["extra"], "nor")
        fields["extras"] = self.join(list(map(candidate_name, extra)))
        fields["others"] = self.join(extra_digits, "or")
        fields["free"], fields["locked"] = self.join(sorted(free)), self.join(sorted(locked))
        if "subset" in step.cells:
            fields["set"] = self.join(_set_of(step))
        return fields

    def _starts(self, step: Deduction) -> dict[str, object]:
        """Return the starts and ends of chains, and the assertions of a single chain."""
        first_chain, last_chain = step.chains[0], step.chains[-1]
        fields: dict[str, object] = {
            "start": first_chain.start,
            "end": first_chain.end,
            "one": first_chain.end,
            "two": last_chain.end,
            "other": last_chain.start,
            "each": self.join(step.digits, "or"),
            "places": self.cells(step.cells["start"], "or"),
        }
        if len(step.chains) == 1:
            nodes = dict.fromkeys([first_chain.start, *(link.follows for link in first_chain.links)])
            for name, on in (("on", True), ("off", False)):  # what holds in a cycle, and what does not
                fields[name] = self.join([candidate_name(node[:2]) for node in nodes if node.on == on])
        if FAMILIES[step.technique] == "chain":
            fields |= self._ends(step)
        if step.kind == "cell":
            fields["cell"] = cell_name(first_chain.start.cell)
        return fields

    def _ends(self, step: Deduction) -> dict[str, object]:
        """Return the fields of a forcing chain: its outer strong links, its ends, what lies between them."""
        links = step.chains[0].links
        if step.placements:
            return {"nodes": _arrows(links)}
        (candidate,) = step.eliminations
        strong = [(link.start, link.end) for link in links if link.kind == "strong"]
        (first, near), (far, last) = strong[0], strong[-1]
        ends = dict.fromkeys((first, last))
        names_of_ends = [cell_name(cell) for cell, _ in ends]
        path = list(dict.fromkeys(cell for pair in strong for cell, _ in pair))
        fields: dict[str, object] = {
            "nodes": _arrows(links[1:-1]),
            "some": self.join(list(map(candidate_name, ends)), "or"),
            "candidate": candidate_name(candidate),
            "target": cell_name(candidate[0]),
            "ends": self.join(names_of_ends, "or"),
            "both": self.join(names_of_ends),
            "digit": candidate[1],
            "digits": self.join(sorted({near[1], last[1]})),
            "path": self.cells(path),
        }
        key = _key(step)
        if key == "two links":
            houses = _houses_of_two(step, strong)
            names = ("first_house", "second_house", "joint")
            fields |= {name: self.houses([house]) for name, house in zip(names, houses, strict=True)}
            fields["first"] = self.cells(sorted((first[0], near[0])))
            fields["second"] = self.cells(sorted((far[0], last[0])))
            fields["near"] = self.cells((near[0], far[0]))
        elif key == "W-Wing":
            one, two = strong[1]
            fields["house"] = self.houses([step.before.house_of_places((one[0], two[0]), one[1])])
            fields |= {"other": one[1], "one": cell_name(one[0]), "two": cell_name(two[0])}
            fields |= {"first": names_of_ends[0], "second": names_of_ends[1]}
        return fields

    def detail_lines(self, step: Deduction) -> list[str]:
        """Return the chains of a step, or the combinations that it excludes; none if the sentence has all."""
        return [
            line for begin, *runs in self._details(step) for line in (begin, *(f"  {run}" for run in runs))
        ]

    def _details(self, step: Deduction) -> list[list[str]]:
        """Return the runs of each chain, or each combination that is excluded."""
        if FAMILIES[step.technique] == "exclusion":
            return [[combination] for combination in self._combinations(step)]
        if FAMILIES[step.technique] == "chain":
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
            for digits in product(*(candidates(at) for at in other_cells)):
                assignment = [(cell, removed), *zip(other_cells, digits, strict=True)]
                combination = self.join(list(map(candidate_name, assignment)))
                for (first_cell, digit), (second_cell, second_digit) in combinations(assignment, 2):
                    if digit == second_digit and first_cell in PEERS[second_cell]:
                        house = next(
                            house for house in HOUSES_OF[first_cell] if house in HOUSES_OF[second_cell]
                        )
                        house_name = self.houses([house])
                        yield self.say("twice", combination=combination, digit=digit, house=house_name)
                        break
                else:
                    empty_cell = next(at for at in few if {*candidates(at)} <= {removed, *digits})
                    yield self.say("none left", combination=combination, cell=cell_name(empty_cell))

    def _runs(self, chain: Chain, ends: set[str]) -> list[str]:
        """Return the links of a chain: runs of arrows; a reason of several assertions begins a new run.

        Links to ends of earlier links are left out.
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


_TOLD = {
    **dict.fromkeys(("Skyscraper", "2-String Kite", "Turbot Fish"), "two links"),
    "Simple Colors": "colors",
    "Remote Pair": "remote pair",
    "W-Wing": "W-Wing",
}
"""The keys of the sentences about forcing chains that say a pattern, by the name of the step."""
_UNLINKED = set(_TOLD.values())
_PATTERNS = _UNLINKED - {"colors"}


def in_one_note(text: str) -> str:
    """Return a text in which what stands in parentheses behind a name with such an end is in these."""
    return text.replace(") (", ", ", 1).replace("）（", "，", 1)


def _arrows(links: Sequence[Link]) -> str:
    """Return the assertions of successive links."""
    return " → ".join(map(str, [links[0].holds, *(link.follows for link in links)]))


def _houses_of_two(step: Deduction, strong: list[tuple[Candidate, Candidate]]) -> tuple[int, ...]:
    """Return the houses of two strong links of a digit and the one that joins them, as the name says."""
    digit = strong[0][0][1]
    options = []
    for pair in strong:
        cells = tuple(sorted(cell for cell, _ in pair))
        houses = [house for house in HOUSES_OF[cells[0]] if step.before.places(house, digit) == cells]
        options.append(houses)
    common = [house for house in HOUSES_OF[strong[0][1][0]] if house in HOUSES_OF[strong[1][0][0]]]
    kinds = {"Skyscraper": ((0, 0, 1), (1, 1, 0)), "2-String Kite": ((0, 1, 2), (1, 0, 2))}.get(step.name, ())
    choices = list(product(*options, common))
    for choice in choices:
        if tuple(house // 9 for house in choice) in kinds:
            return choice
    return choices[0]


def _key(step: Deduction) -> str:
    """Return the key of the sentence for a step."""
    if step.kind == "full house":
        return step.kind
    family = FAMILIES[step.technique]
    if family == "chain":
        if step.placements:
            return "links placed"
        links = step.chains[0].links
        ends = {links[0].end, links[-1].start}
        if len(ends) == 1 or any(digit != step.eliminations[0][1] for _, digit in ends):
            return "links excluded"
        return _TOLD.get(step.name, "links")
    if step.kind[:4] == "type":
        return f"{family}{step.kind[4:]}{' hidden' if _is_hidden(step) else ''}"
    return step.kind if family == "chains" else family


def _is_hidden(step: Deduction) -> bool:
    """Test whether the set of a unique loop is hidden: other digits of its further cells are removed."""
    return bool({cell for cell, _ in step.eliminations} & {*step.cells.get("subset", ())})


def _set_of(step: Deduction) -> list[int]:
    """Return the digits of the naked set with one further candidate of a unique loop or BUG."""
    subset, extra = step.cells["subset"], step.candidates["extra"]
    candidates, values = step.before.candidates, {digit for _, digit in extra}
    if not _is_hidden(step):
        return sorted(values.union(*map(candidates, subset)))
    (house,) = step.houses["house"]
    inside = {*subset, *step.cells["extra"]}
    outside = {digit for at in HOUSES[house] if at not in inside for digit in candidates(at)}
    return sorted({digit for at in inside for digit in candidates(at)} - values - outside)
