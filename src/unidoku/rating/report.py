"""Steps and mistakes in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.cell import HOUSE_NAMES, HOUSES_OF, cell_name
from unidoku.rating.catalogue import CATALOGUES
from unidoku.rating.se121 import TECHNIQUES
from unidoku.rating.step import candidate_name
from unidoku.rating.techniques import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from unidoku.rating.hints import Hint
    from unidoku.rating.step import Chain, Step


class Sentences:
    """The sentences of one language."""

    def __init__(self, lang: str = "en") -> None:
        if lang not in CATALOGUES:
            raise ValueError(f"invalid language {lang!r}; choose from: {', '.join(CATALOGUES)}")
        self._words = CATALOGUES[lang]

    def say(self, key: str, **fields: object) -> str:
        """Return a sentence with its fields filled in."""
        return self._words[key].format(**fields)

    def join(self, things: Collection[object], last: str = "and") -> str:
        """Return the items as a list."""
        *some, end = map(str, things or [""])
        return self.say(last, some=self._words["comma"].join(some), last=end) if some else end

    def cells(self, cells: Collection[int], last: str = "and") -> str:
        """Return the names of cells as a list."""
        return self.join([cell_name(cell) for cell in cells], last)

    def houses(self, houses: Sequence[int]) -> str:
        """Return the names of houses of one kind as a list."""
        kind = HOUSE_NAMES[houses[0]].split()[0]
        several = {"row": "rows", "column": "columns", "box": "boxes"}[kind]
        return self.say(
            kind if len(houses) == 1 else several, n=self.join([house % 9 + 1 for house in houses])
        )

    def technique(self, technique: str) -> str:
        """Return the name of a technique within a sentence."""
        return self._words.get(f"name {technique}", technique)

    def name(self, step: Step) -> str:
        """Return the name of the technique of a step, to begin a sentence with."""
        name = self.technique(step.technique)
        name = name[0].upper() + name[1:]
        return self.say("type", name=name, n=step.kind[5:]) if step.kind[:4] == "type" else name

    def result(self, step: Step) -> str:
        """Return what a step concludes."""
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
        return self.say("remove", some=self._words["semicolon"].join(parts))

    def sentence(self, step: Step) -> str:
        """Return a step as a sentence."""
        name = self.name(step)
        inner = {link.technique for chain in step.chains for link in chain.links} - {""}
        if inner:
            within = [self.technique(each) for each in sorted(inner, key=TECHNIQUES.index)]
            name = self.say("with inner", name=name, inner=self.join(within))
        return self.say("sentence", name=name, body=self.say(_key(step), **self._fields(step)))

    def whole(self, step: Step) -> str:
        """Return a step as a sentence, with a line for each of its chains."""
        return "\n".join([self.sentence(step), *self.chain_lines(step)])

    def hint(self, hint: Hint) -> tuple[str, str, str]:
        """Return where to look, what is to be found there, and the whole step or all mistakes."""
        if hint.wrong_digits or hint.wrong_marks:
            wrong = hint.wrong_marks
            kind, whole = "mark", self.say("wrong marks", cells=self.cells(wrong))
            if hint.wrong_digits:
                some = self.join([candidate_name(each) for each in hint.wrong_digits])
                kind, whole = "digit", self.say("wrong digits", some=some)
                wrong = hint.wrong_digits[0][:1]
            house = self.houses(HOUSES_OF[wrong[0]][2:])
            return self.say("wrong where", house=house), self.say(f"wrong {kind}", house=house), whole
        if hint.step is None:
            none = self.say("none")
            return none, none, none
        step, place = hint.step, self._place(hint.step)
        what = self.say("what", name=self.name(step), rating=step.rating, place=place)
        return self.say("where", place=place), what, self.whole(step)

    def _place(self, step: Step) -> object:
        fields = self._fields(step)
        if step.technique == "naked single":
            return self.houses(HOUSES_OF[step.placements[0][0]][2:])
        if step.kind == "house":
            return self.say("at place", **fields)
        if step.chains:
            return self.say("at start", cells=self.cells(step.cells["start"][:1]))
        if "base" in step.cells:
            return fields["base"]
        for role in ("pivot", "loop"):
            if role in step.cells:
                return self.say(f"at {role}", **fields)
        if "base" in step.houses:
            return self.say("at digit", **fields)
        return self.say("at BUG") if step.technique == "BUG" else fields["house"]

    def _fields(self, step: Step) -> dict[str, object]:
        """Return everything that a sentence about a step may name."""
        chains, candidates = step.chains, step.candidates
        fields: dict[str, object] = {"digits": self.join(step.digits), "result": self.result(step)}
        for role, cells in step.cells.items():
            fields[role] = self.cells(cells, "or" if role in {"wings", "excluders"} else "and")
        for role, houses in step.houses.items():
            fields[role] = self.houses(houses)
        fields["cells"] = fields.get("pattern") or fields.get("loop") or fields.get("start")
        if "pivot" in step.cells:
            fields["cells"] = self.cells(step.cells["pivot"] + step.cells["wings"])
        if step.placements:
            fields["cell"], fields["digit"] = cell_name(step.placements[0][0]), step.placements[0][1]
        if "loop" in step.cells or step.technique == "BUG":
            fields["pair"] = fields["digits"]
            fields["others"] = self.join(sorted({digit for _, digit in candidates["extra"]}), "or")
            free = {digit for _, digit in step.eliminations}
            locked = set(step.digits) - free
            if step.technique == "BUG":
                fields["digits"] = fields["others"]
                locked = {digit for _, digit in candidates.get("pattern", ())}
            fields["free"] = self.join(sorted(free))
            fields["locked"] = self.join(sorted(locked))
        if chains:
            first, last = chains[0], chains[-1]
            fields.update(start=first.start, end=first.end, one=first.end, two=last.end, other=last.start)
            if len(chains) == 1:
                nodes = dict.fromkeys([first.start, *(link.follows for link in first.links)])
                fields["nodes"] = " → ".join([str(node) for node in nodes][1:])
                for name, on in (("on", True), ("off", False)):  # what holds in a cycle, and what does not
                    fields[name] = self.join([candidate_name(node[:2]) for node in nodes if node.on == on])
            if step.kind == "cell":
                fields["cell"] = cell_name(first.start.cell)
        return fields

    def chain_lines(self, step: Step) -> list[str]:
        """Return what the chains of a step say, each as a line; none where the sentence says it."""
        if _key(step) == "chain":
            return []
        told: set[str] = set()
        same_start = step.kind == "contradiction"
        return [self._line(chain, told if same_start else set()) for chain in step.chains]

    def _line(self, chain: Chain, told: set[str]) -> str:
        """Return the links of a chain: runs of arrows; a reason of several assertions begins a new run.

        What was told before is left out.
        """
        reasons: dict[str, list[str]] = {}
        inner: dict[str, str] = {}
        for link in chain.links:
            reasons.setdefault(str(link.follows), []).append(str(link.holds))
            if link.technique:
                inner[str(link.follows)] = self.say("inner", name=self.technique(link.technique))
        text, last = str(chain.start), str(chain.start)
        for end, parents in reasons.items():
            if end in told:
                continue
            told.add(end)
            arrow = "⇒" if end in inner else "→"
            if parents == [last]:
                text += f" {arrow} {end}"
            else:
                text += f"{self._words['semicolon']}{self._words['comma'].join(parents)} {arrow} {end}"
            text += inner.get(end, "")
            last = end
        return text


def _key(step: Step) -> str:
    """Return which sentence tells a step."""
    if step.kind == "last cell":
        return step.kind
    family = FAMILIES[step.technique]
    return f"{family}{step.kind[4:]}" if step.kind[:4] == "type" else family or step.kind
