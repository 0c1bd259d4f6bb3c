"""Sentences about steps and mistakes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import combinations, product

from unidoku._words import Texts, table
from unidoku.cell import HOUSES, HOUSES_OF, PEERS, candidate_name, cell_name, digits_of
from unidoku.rating._crosshatch import digits_around, exclusion_of
from unidoku.rating._deduction import (
    FAMILY_ROWS,
    Candidate,
    Chain,
    Deduction,
    Link,
    is_naked,
    shared_houses,
)
from unidoku.rating._names import TECHNIQUES


class Sentences(Texts):
    """The sentences of one language."""

    def __init__(self, lang: str = "en") -> None:
        super().__init__("rating", lang)
        self.techniques: Mapping[str, str] = table(lang)["techniques"]
        self.names: Mapping[str, str] = table(lang)["names"]

    def join(self, items: Iterable[object], conjunction: str = "and") -> str:
        """Return the items as a list."""
        *items, end = [*map(str, items)] or [""]
        return self.say(conjunction, some=self.words["comma"].join(items), last=end) if items else end

    def cells(self, cells: Collection[int], conjunction: str = "and") -> str:
        """Return the names of cells as a list."""
        return self.join(map(cell_name, cells), conjunction)

    def candidates(self, candidates: Iterable[Candidate], conjunction: str = "and") -> str:
        """Return the names of candidates as a list."""
        return self.join(map(candidate_name, candidates), conjunction)

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
        links = [_arrows(step.chains[0].links[1:-1])] if _key(step) in _UNLINKED else []
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
        return in_one_note(text) if key in {"which", "what", "pattern"} else text

    def stages(self, step: Deduction) -> dict[str, str]:
        """Return where to look for a step, its technique, this there, and the pattern without conclusion."""
        place = self.house(step.area)
        labels = {"name": self.name(step), "rating": step.rating}
        key, role = FAMILY_ROWS[step.family].pattern
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

    def _reasons(self, step: Deduction) -> str:
        """Return the houses that hold the other digits of a naked single, each digit in one of them."""
        masks = digits_around(step)
        reasons = [
            self.say("has", house=self.house(house), digits=self.join(digits_of(mask >> 1)))
            for house, mask in sorted(masks.items())
        ]
        gone = 0b111_111_111 & ~(sum(masks.values()) >> 1 | 1 << step.placements[0][1] - 1)
        if gone:
            reasons.append(self.say("gone", digits=self.join(digits_of(gone))))
        return self.words["semicolon"].join(reasons)

    def _exclusion(self, step: Deduction) -> str:
        """Return what excludes the other empty cells of the house of a hidden single."""
        excluders, others, is_whole = exclusion_of(step)
        number = " one" if others == 1 else ""
        if not excluders:
            return self.say(f"excluded before{number}")
        key = f"excluded{number}" if is_whole else "excluded in part"
        cells = self.cells(sorted({*excluders.values()}), "or")
        return self.say(key, digit=step.placements[0][1], excluders=cells)

    def _cases(self, step: Deduction) -> str:
        """Return for each extra digit of a pivot the value that it leaves for a wing."""
        (pivot,), (value,) = step.cells["pivot"], step.digits
        cases = []
        for digit in step.before.candidates(pivot):
            for wing in step.cells["wings"]:
                if set(step.before.candidates(wing)) == {digit, value}:
                    pair = self.join(sorted((digit, value)))
                    cases.append(self.say("case", digit=digit, other=cell_name(wing), pair=pair, value=value))
        return self.words["semicolon"].join(cases)

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
        """Return a field of the table, or else the houses or cells of a role."""
        say, step = self.say, self.step
        if name in _FIELDS:
            return str(_FIELDS[name](say, step))
        return say.houses(step.houses[name]) if name in step.houses else say.cells(step.cells[name])


_FIELDS: dict[str, Callable[[Sentences, Deduction], object]] = {
    "result": lambda say, step: say.result(step),
    "conclusion": lambda say, step: say.conclusion(step),
    "cell": lambda _, step: cell_name(step.placements[0][0]),
    "digit": lambda _, step: (*step.placements, *step.eliminations)[0][1],
    "digits": lambda say, step: say.join(step.digits),
    "either": lambda say, step: say.join(step.digits, "or"),
    "cells": lambda say, step: say.cells(_cells(step)),
    "reasons": lambda say, step: say._reasons(step),
    "exclusion": lambda say, step: say._exclusion(step),
    "pivot_digits": lambda say, step: say.join(
        step.before.candidates((step.cells.get("pivot") or step.cells["extra"])[0])
    ),
    "row": lambda say, step: say.house(HOUSES_OF[step.placements[0][0]][0]),
    "box": lambda say, step: say.house(HOUSES_OF[step.placements[0][0]][2]),
    "its_houses": lambda say, step: say.join(map(say.house, HOUSES_OF[step.cells["extra"][0]])),
    "set_houses": lambda say, step: say.join(map(say.house, _houses_of_set(step))),
    "cases": lambda say, step: say._cases(step),
    "removed": lambda say, step: say.candidates(step.eliminations, "or"),
    # unique loops and BUGs: at least one of the extra candidates is true
    "pair": lambda say, step: say.join(step.digits),
    "not": lambda say, step: say.say(
        "not these" if len(_extra_digits(step)) > 1 else "not", digits=say.join(_extra_digits(step), "nor")
    ),
    "neither": lambda say, step: say.cells(step.cells["extra"], "nor"),
    "extras": lambda say, step: say.candidates(step.candidates["extra"]),
    "others": lambda say, step: say.join(_extra_digits(step), "or"),
    "free": lambda say, step: say.join(_free(step)),
    "locked": lambda say, step: say.join(_locked(step)),
    "set": lambda say, step: say.join(_set_of(step)),
    # chains
    "start": lambda _, step: step.chains[0].start,
    "end": lambda _, step: step.chains[0].end,
    "two": lambda _, step: step.chains[-1].end,
    "opposite": lambda _, step: step.chains[-1].start,
    "places": lambda say, step: say.cells(step.cells["start"], "or"),
    "on": lambda say, step: say.candidates(_nodes(step, on=True)),
    "off": lambda say, step: say.candidates(_nodes(step, on=False)),
    # a forcing chain: its outer strong links, its ends, what lies between them
    "nodes": lambda _, step: _arrows(
        step.chains[0].links[slice(0, None) if step.placements else slice(1, -1)]
    ),
    "some": lambda say, step: say.candidates(_ends(step), "or"),
    "both": lambda say, step: say.cells([cell for cell, _ in _ends(step)]),
    "path": lambda say, step: say.cells(_walk(step)),
    "path_house": lambda say, step: say.house(
        step.before.house_of_places(_walk(step), step.eliminations[0][1])
    ),
    "evens": lambda say, step: say.cells(_walk(step)[::2]),
    "odds": lambda say, step: say.cells(_walk(step)[1::2]),
    "bivalue": lambda say, step: say.join(sorted({_strong(step)[0][1][1], _strong(step)[-1][1][1]})),
    # two strong links of a digit
    "first": lambda say, step: say.cells(sorted(cell for cell, _ in _strong(step)[0])),
    "second": lambda say, step: say.cells(sorted(cell for cell, _ in _strong(step)[-1])),
    "near": lambda say, step: say.cells((_strong(step)[0][1][0], _strong(step)[-1][0][0])),
    "first_house": lambda say, step: say.house(_houses_of_two(step)[0]),
    "second_house": lambda say, step: say.house(_houses_of_two(step)[1]),
    "joint": lambda say, step: say.house(_houses_of_two(step)[2]),
    # a W-Wing: the strong link between its ends
    "end_one": lambda _, step: cell_name(next(iter(_ends(step)))[0]),
    "end_two": lambda _, step: cell_name([*_ends(step)][-1][0]),
    "link_one": lambda _, step: cell_name(_strong(step)[1][0][0]),
    "link_two": lambda _, step: cell_name(_strong(step)[1][1][0]),
    "link_digit": lambda _, step: _strong(step)[1][0][1],
    "link_house": lambda say, step: say.house(
        step.before.house_of_places([cell for cell, _ in _strong(step)[1]], _strong(step)[1][0][1])
    ),
}
"""How the fields of texts about a step are made; any other is a role of its cells or houses."""

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


def in_one_note(text: str) -> str:
    """Return a text in which a name with this end and the parentheses after it become one note."""
    return text.replace(") (", ", ", 1).replace("）（", "，", 1)


def _arrows(links: Sequence[Link]) -> str:
    """Return the assertions of successive links."""
    return " → ".join(map(str, [links[0].holds, *(link.follows for link in links)]))


def _cells(step: Deduction) -> tuple[int, ...]:
    """Return the cells that a text names as cells of the pattern."""
    cells = step.cells
    return cells.get("pattern") or cells.get("loop") or cells["pivot"] + cells["wings"]


def _houses_of_set(step: Deduction) -> list[int]:
    """Return the house of a naked set, and another one that its cells share if they exclude digits there."""
    (house,) = step.houses["house"]
    excluded = {cell for cell, _ in step.eliminations + step.further_eliminations}.difference(HOUSES[house])
    shared = shared_houses(step.cells.get("pattern") or step.cells["extra"] + step.cells["subset"])
    return [house, *(other for other in shared if other != house and excluded.intersection(HOUSES[other]))]


def _extra_digits(step: Deduction) -> list[int]:
    return sorted({digit for _, digit in step.candidates["extra"]})


def _free(step: Deduction) -> list[int]:
    return sorted({digit for _, digit in step.eliminations})


def _locked(step: Deduction) -> list[int]:
    """Return the digits that the cells of a unique loop or BUG of type 4 hold for certain."""
    if step.technique == "BUG":
        return sorted({digit for _, digit in step.candidates["pattern"]})
    return sorted({*step.digits}.difference(_free(step)))


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
    return [*dict.fromkeys(cell for pair in _strong(step) for cell, _ in pair)]


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
    if step.name == "BUG+1" and len(_extra_digits(step)) > 1:
        return "BUG 1 several"
    if step.kind[:4] == "type":
        return f"{step.family}{step.kind[4:]}{'' if is_naked(step) else ' hidden'}"
    return step.kind if step.family == "chains" else step.family


def _set_of(step: Deduction) -> list[int]:
    """Return the digits of the naked set with one further candidate of a unique loop or BUG."""
    subset, extra = step.cells["subset"], step.candidates["extra"]
    candidates, values = step.before.candidates, {digit for _, digit in extra}
    if is_naked(step):
        return sorted(values.union(*map(candidates, subset)))
    (house,) = step.houses["house"]
    inside = {*subset, *step.cells["extra"]}
    outside = {digit for at in HOUSES[house] if at not in inside for digit in candidates(at)}
    return sorted({digit for at in inside for digit in candidates(at)} - values - outside)
