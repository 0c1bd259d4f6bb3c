"""Steps and mistakes in words: one table of sentences per language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from unidoku.cell import HOUSE_NAMES, HOUSES_OF, candidate_name, cell_name
from unidoku.errors import UnidokuError
from unidoku.rating.se121 import FAMILIES, TABLE, TECHNIQUES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from unidoku.rating.path import Hint
    from unidoku.rating.step import Chain, Step

Stage: TypeAlias = Literal["where", "what", "pattern", "whole"]

STAGES: tuple[Stage, ...] = ("where", "what", "pattern", "whole")
"""The stages of a hint, each says more."""

_EN = {
    # lists, houses, what follows
    "and": "{some} and {last}",
    "or": "{some} or {last}",
    "comma": ", ",
    "semicolon": "; ",
    "row": "row {n}",
    "column": "column {n}",
    "box": "box {n}",
    "rows": "rows {n}",
    "columns": "columns {n}",
    "boxes": "boxes {n}",
    "type": "{name} (type {n})",
    "sentence": "{name}: {body}.",
    "remove": "remove {some}",
    "from": "{digits} from {cells}",
    "place": "{cell} is {digit}",
    # singles, intersections, sets, fish, wings
    "last cell": "in {house} only {cell} is empty, so it is {digit}",
    "hidden single": "in {house} the digit {digit} fits only in {cell}",
    "naked single": "{cell} can only be {digit}",
    "direct intersection": "in {house} the places of {digit} all lie in {other}, so in {single} the digit "
    "{digit} fits only in {cell}",
    "direct hidden": "in {house} the digits {digits} fit only in {cells}, so {digit} fits only in {cell}",
    "intersection": "in {house} the places of {digits} all lie in {other}, so {result}",
    "naked": "in {house} the cells {cells} have only the digits {digits}, so {result}",
    "hidden": "in {house} the digits {digits} fit only in {cells}, so {result}",
    "fish": "in {base} the places of {digits} all lie in {cover}, so {result}",
    "XY-wing": "whichever digit {pivot} has, {wings} is {digits}, so {result}",
    "XYZ-wing": "whichever digit {pivot} has, one of {cells} is {digits}, so {result}",
    # uniqueness
    "loop 1": "if {extra} had no other digit, {pair} could be exchanged in {cells}, so {result}",
    "loop 2": "if no cell of {extra} were {others}, {pair} could be exchanged in {cells}, so {result}",
    "loop 3": "if no cell of {extra} had {others}, {pair} could be exchanged in {cells}; with {subset} "
    "in {house} this makes a set, so {result}",
    "loop 4": "in {house} the digit {locked} fits only in {extra}; with {free} there too, {pair} could be "
    "exchanged in {cells}, so {result}",
    "BUG 1": "if {extra} were not {digits}, every empty cell would have two digits left and the puzzle "
    "several solutions, so {result}",
    "BUG 2": "if no cell of {extra} were {digits}, every empty cell would have two digits left and the "
    "puzzle several solutions, so {result}",
    "BUG 3": "if none of {extras} held, every empty cell would have two digits left and the "
    "puzzle several solutions; with {subset} in {house} this makes a set, so {result}",
    "BUG 4": "if none of {extras} held, every empty cell would have two digits left and the "
    "puzzle several solutions; one of them does, and the other cell is {locked}, so {result}",
    "exclusion": "with the removed digits, whatever the rest of {base} is, a digit is twice in a house or "
    "none is left for {excluders}, so {result}",
    # chains
    "cycle": "either {on} hold or {off} hold, so {result}",
    "chain": "if {start}, then {nodes}; that cannot be, so {result}",
    "contradiction": "if {start}, then both {one} and {two} follow; that cannot be, so {result}",
    "double": "if {start}, and also if {other}, {end} follows, so {result}",
    "cell": "whichever of {digits} {cell} is, {end} follows, so {result}",
    "house": "wherever in {house} the digit {digits} is, in {cells}, {end} follows, so {result}",
    "with inner": "{name} with {inner}",
    "inner": " ({name})",
    # hints
    "where": "Look at {place}.",
    "what": "{name} (rated {rating}): look at {place}.",
    "pattern": "{name} (rated {rating}): {body}",
    "pattern last cell": "only one cell of {house} is empty.",
    "pattern hidden single": "where does {digit} fit in {house}?",
    "pattern naked single": "which cell has one digit left, where {row} meets {box}?",
    "pattern intersection": "in {house} the places of {digits} all lie in {other}: {cells}.",
    "pattern hidden": "in {house} the digits {digits} fit only in {cells}.",
    "pattern naked": "in {house} the cells {cells} have only the digits {digits}.",
    "pattern fish": "in {base} the places of {digits} all lie in {cover}: {cells}.",
    "pattern wing": "look at {pivot}, with {cells}.",
    "pattern loop": "{cells} all have {pair}.",
    "pattern BUG": "more than two candidates are only in {cells}.",
    "pattern exclusion": "which digits can {base} have together? The cells that see all of them: {cells}.",
    "pattern cycle": "a ring of candidates passes through {cells}.",
    "pattern cell": "what follows from each candidate of {cells}?",
    "pattern house": "what follows from each place of {digits} in {house}?",
    "pattern chain": "what follows from a candidate in {area} for {cells}?",
    "none": "No technique of the scale finds a step.",
    "full": "The grid is full and right.",
    "wrong where": "There is a mistake in {house}.",
    "wrong digit": "A digit in {house} is wrong.",
    "wrong mark": "The pencil marks of a cell in {house} lack its digit.",
    "wrong digits": "These digits are wrong: {some}.",
    "wrong marks": "These cells lack the pencil mark of their digit: {cells}.",
}

_ZH = {
    "and": "{some}和{last}",
    "or": "{some}或{last}",
    "comma": "、",
    "semicolon": ";",
    "row": "第{n}行",
    "column": "第{n}列",
    "box": "第{n}宫",
    "rows": "第{n}行",
    "columns": "第{n}列",
    "boxes": "第{n}宫",
    "type": "{name}(类型{n})",
    "sentence": "{name}:{body}。",
    "remove": "删去{some}",
    "from": "{cells}的{digits}",
    "place": "{cell}是{digit}",
    "last cell": "{house}只剩{cell}为空,填{digit}",
    "hidden single": "{house}的{digit}只能填在{cell}",
    "naked single": "{cell}只能填{digit}",
    "direct intersection": "{house}的{digit}都在{other},所以{single}的{digit}只能填在{cell}",
    "direct hidden": "{house}的{digits}只能填在{cells},所以{digit}只能填在{cell}",
    "intersection": "{house}的{digits}都在{other},所以{result}",
    "naked": "{house}的{cells}只有候选数{digits},所以{result}",
    "hidden": "{house}的{digits}只能填在{cells},所以{result}",
    "fish": "{base}的{digits}都在{cover},所以{result}",
    "XY-wing": "无论{pivot}填什么,{wings}是{digits},所以{result}",
    "XYZ-wing": "无论{pivot}填什么,{cells}中有一格是{digits},所以{result}",
    "loop 1": "若{extra}没有其他候选数,{cells}的{pair}可以互换,所以{result}",
    "loop 2": "若{extra}都不是{others},{cells}的{pair}可以互换,所以{result}",
    "loop 3": "若{extra}都不取{others},{cells}的{pair}可以互换;它们与{house}的{subset}构成数组,所以{result}",
    "loop 4": "{house}的{locked}只能填在{extra};若那里还有{free},{cells}的{pair}可以互换,所以{result}",
    "BUG 1": "若{extra}不取{digits},每个空格都只剩两个候选数,题目就有多个解,所以{result}",
    "BUG 2": "若{extra}都不是{digits},每个空格都只剩两个候选数,题目就有多个解,所以{result}",
    "BUG 3": "若{extras}都不成立,每个空格都只剩两个候选数,题目就有多个解;"
    "它们与{house}的{subset}构成数组,所以{result}",
    "BUG 4": "若{extras}都不成立,每个空格都只剩两个候选数,题目就有多个解;"
    "所以一格取它们,另一格是{locked},{result}",
    "exclusion": "若取这些数,无论{base}的其余各格取什么,"
    "都有一数在同一区重复,或{excluders}无数可填,所以{result}",
    "cycle": "或{on}都成立,或{off}都成立,所以{result}",
    "chain": "若{start},则{nodes},矛盾,所以{result}",
    "contradiction": "若{start},则{one}且{two},矛盾,所以{result}",
    "double": "若{start},或若{other},都有{end},所以{result}",
    "cell": "{cell}无论是{digits}中的哪一个,都有{end},所以{result}",
    "house": "{house}的{digits}无论在{cells}中的哪一格,都有{end},所以{result}",
    "with inner": "{name},内含{inner}",
    "inner": "({name})",
    "where": "看{place}。",
    "what": "{name}(评分{rating}):看{place}。",
    "pattern": "{name}(评分{rating}):{body}",
    "pattern last cell": "{house}只剩一个空格。",
    "pattern hidden single": "{house}的{digit}能填在哪里?",
    "pattern naked single": "{row}与{box}相交处,哪一格只剩一个候选数?",
    "pattern intersection": "{house}的{digits}都在{other}:{cells}。",
    "pattern hidden": "{house}的{digits}只能填在{cells}。",
    "pattern naked": "{house}的{cells}只有候选数{digits}。",
    "pattern fish": "{base}的{digits}都在{cover}:{cells}。",
    "pattern wing": "看{pivot}以及{cells}。",
    "pattern loop": "{cells}都有候选数{pair}。",
    "pattern BUG": "候选数多于两个的只有{cells}。",
    "pattern exclusion": "{base}能同时填哪些数?同时看到它们的格:{cells}。",
    "pattern cycle": "有一个环经过{cells}。",
    "pattern cell": "{cells}的每个候选数各能推出什么?",
    "pattern house": "{house}的{digits}填在每个位置各能推出什么?",
    "pattern chain": "从{area}的一个候选数出发,能对{cells}推出什么?",
    "none": "评分表的技巧都找不到下一步。",
    "full": "全部填对。",
    "wrong where": "{house}有一处错误。",
    "wrong digit": "{house}有一个数填错了。",
    "wrong mark": "{house}有一格的候选数缺少它的解。",
    "wrong digits": "这些数填错了:{some}。",
    "wrong marks": "这些格的候选数缺少它的解:{cells}。",
}

CATALOGUES = {"en": _EN, "zh": {**_ZH, **{f"name {name}": word for name, (_, word) in TABLE.items()}}}
"""The sentences and words of each language; the English names of techniques are those of the scale."""


class Sentences:
    """The sentences of one language."""

    def __init__(self, lang: str = "en") -> None:
        if lang not in CATALOGUES:
            raise UnidokuError(f"invalid language {lang!r}; choose from: {', '.join(CATALOGUES)}")
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

    def hint(self, hint: Hint) -> dict[Stage, str]:
        """Return the text of each stage of a hint."""
        if hint.wrong_digits or hint.wrong_marks:
            wrong = hint.wrong_marks
            kind, whole = "mark", self.say("wrong marks", cells=self.cells(wrong))
            if hint.wrong_digits:
                some = self.join([candidate_name(each) for each in hint.wrong_digits])
                kind, whole = "digit", self.say("wrong digits", some=some)
            house = self.houses([hint.area])
            what = self.say(f"wrong {kind}", house=house)
            texts = self.say("wrong where", house=house), what, what, whole
        elif hint.step is None:
            texts = (self.say("none"),) * 4
        else:
            step, place = hint.step, self.houses([hint.area])
            named = {"name": self.name(step), "rating": step.rating}
            what = self.say("what", **named, place=place)
            pattern = self.say("pattern", **named, body=self._pattern(step))
            texts = self.say("where", place=place), what, pattern, self.whole(step)
        return dict(zip(STAGES, texts, strict=True))

    def _pattern(self, step: Step) -> str:
        """Return which cells and digits make the pattern, without what follows from it."""
        family, cells = FAMILIES[step.technique], step.pattern
        key = family.removeprefix("direct ")
        if step.chains and key != "cycle":
            key = step.kind if step.kind in {"cell", "house"} else "chain"
            if key == "cell" and set(cells) != set(step.cells["start"]):
                key = "chain"
        elif step.kind == "last cell":
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
            fields["extras"] = self.join([candidate_name(each) for each in candidates["extra"]])
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
