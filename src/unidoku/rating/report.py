"""Steps and mistakes in words: one table of sentences per language."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Literal, TypeAlias

from unidoku.cell import HOUSE_NAMES, HOUSES, HOUSES_OF, PEERS, candidate_name, cell_name
from unidoku.errors import UnidokuError
from unidoku.rating.se121 import FAMILIES, TABLE, TECHNIQUES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from unidoku.rating.path import Hint
    from unidoku.rating.step import Chain, Step

Stage: TypeAlias = Literal["where", "what", "pattern", "whole"]

STAGES: tuple[Stage, ...] = ("where", "what", "pattern", "whole")
"""The stages of a hint, each says more."""

_EN = {
    # lists, houses, what follows
    "and": "{some} and {last}",
    "or": "{some} or {last}",
    "nor": "{some} nor {last}",
    "numbers": "{some} and {last}",
    "comma": ", ",
    "space": " ",
    "semicolon": "; ",
    "stop": ".",
    "row": "row {n}",
    "column": "column {n}",
    "box": "box {n}",
    "rows": "rows {n}",
    "columns": "columns {n}",
    "boxes": "boxes {n}",
    "type": "{name} type {n}",
    "sentence": "{name}: {body}",
    "remove": "remove {some}",
    "from": "{digits} from {cells}",
    "place": "{cell} is {digit}",
    # singles, intersections, sets, fish, wings
    "full house": "full house",
    "last cell": "in {house} only {cell} is empty, so it is {digit}.",
    "hidden single": "in {house} the digit {digit} fits only in {cell}.",
    "naked single": "{reasons}. Only {digit} is left for {cell}.",
    "has": "{house} has {digits}",
    "gone": "{digits} ruled out before",
    "direct intersection": "in {house} all places of {digit} lie in {other}. So the {digit} of {other} is in "
    "{house}, and in {single} the digit {digit} fits only in {cell}.",
    "direct hidden": "in {house} the digits {digits} fit only in {cells}. They fill these cells, so in {house} "
    "the digit {digit} fits only in {cell}.",
    "intersection": "in {house} all places of {digits} lie in {other}. So the {digits} of {other} is in "
    "{house}: {result}.",
    "naked": "in {house} the cells {cells} have only the digits {digits}. They take these digits, so {result}.",
    "hidden": "in {house} the digits {digits} fit only in {cells}. They fill these cells, so {result}.",
    "fish": "in {base} all places of {digits} lie in {cover}. So {cover} get their {digits} in {base}: "
    "{result}.",
    "case": "if {cell} is {digit}, then {other} is {value}",
    "XY-wing": "{cases}. A cell that sees both {wings} cannot be {digits}, so {result}.",
    "XYZ-wing": "{cases}; or {pivot} is {digits} itself. A cell that sees {cells} cannot be {digits}, so "
    "{result}.",
    # uniqueness
    "loop 1": "if {extra} were {either}, then {pair} could be exchanged in {cells}, so there would be two "
    "solutions. The puzzle has only one, so {result}.",
    "loop 2": "if neither {neither} were {others}, then {pair} could be exchanged in {cells}, so there would "
    "be two solutions. So one of them is {others}: {result}.",
    "loop 3": "if neither {neither} were {others}, then {pair} could be exchanged in {cells}, so there would "
    "be two solutions. So one of them is {others}. In {house} that cell together with {subset} takes the "
    "digits {set}, so {result}.",
    "loop 3 hidden": "if neither {neither} were {others}, then {pair} could be exchanged in {cells}, so there "
    "would be two solutions. So one of them is {others}. In {house} the other one together with {subset} "
    "takes the digits {set}, as they fit nowhere else, so {result}.",
    "loop 4": "in {house} the digit {locked} fits only in {extra}, so one of them is {locked}. If the other "
    "one were {free}, then {pair} could be exchanged in {cells}, so there would be two solutions. So {result}.",
    "BUG 1": "if {extra} were {not}, every empty cell would have two candidates left, and the puzzle would "
    "not have exactly one solution. So {result}.",
    "not": "not {digits}",
    "not these": "neither {digits}",
    "BUG 2": "if neither {neither} were {others}, every empty cell would have two candidates left, and the "
    "puzzle would not have exactly one solution. So one of them is {others}: {result}.",
    "BUG 3": "if none of {extras} held, every empty cell would have two candidates left, and the puzzle would "
    "not have exactly one solution. So one of them holds. In {house} its cell together with {subset} takes "
    "the digits {set}, so {result}.",
    "BUG 4": "in {house} the digit {locked} fits only in {extra}. If none of {extras} held, every empty cell "
    "would have two candidates left, and the puzzle would not have exactly one solution. So one of the two "
    "cells is {locked}, and in the other one such a candidate holds: {result}.",
    "exclusion": "try each combination of digits in {base} that has {removed}. In each of them a digit is "
    "twice in a house, or a cell has none left. So {result}.",
    "twice": "{combination}: {digit} is twice in {house}",
    "none left": "{combination}: no digit is left for {cell}",
    # chains
    "cycle": "either {on} all hold, or {off} all hold. Each of the removed candidates sees one of its digit in either "
    "group, so {result}.",
    "chain": "suppose {start}. Then {nodes}. That cannot be, so {result}.",
    "contradiction": "suppose {start}. Then both {one} and {two} follow. That cannot be, so {result}.",
    "double": "{end} follows from {start}, and from {other} too. One of the two holds, so {result}.",
    "cell": "{cell} is {each}. From each of these {end} follows, so {result}.",
    "house": "in {house} the digit {digits} is in {places}. From each of these {end} follows, so {result}.",
    "with inner": "{name}, with {inner}",
    "inner": " ({name})",
    # how to read the names of cells and the signs
    "names": "r4c2 is the cell in row 4, column 2.",
    "signs": "r4c2=7 says that it is 7, r4c2≠7 that it is not; → stands before what follows, ⇒ if a technique "
    "shows it.",
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
    "nor": "{some}、{last}",
    "numbers": "{some}、{last}",
    "comma": "、",
    "space": "",
    "semicolon": ";",
    "stop": "。",
    "row": "第{n}行",
    "column": "第{n}列",
    "box": "第{n}宫",
    "rows": "第{n}行",
    "columns": "第{n}列",
    "boxes": "第{n}宫",
    "type": "{name}类型{n}",
    "sentence": "{name}:{body}",
    "remove": "删去{some}",
    "from": "{cells}的{digits}",
    "place": "{cell}是{digit}",
    "full house": "唯一空格",
    "last cell": "{house}只剩{cell}一个空格,填{digit}。",
    "hidden single": "{house}的{digit}只能填在{cell}。",
    "naked single": "{reasons},{cell}只剩{digit}可填。",
    "has": "{house}已有{digits}",
    "gone": "{digits}此前已删去",
    "direct intersection": "{house}的{digit}都在{other},所以{other}的{digit}填在{house}内,"
    "{single}的{digit}只能填在{cell}。",
    "direct hidden": "{house}的{digits}只能填在{cells},占满了这些格,所以{house}的{digit}只能填在{cell}。",
    "intersection": "{house}的{digits}都在{other},所以{other}的{digits}填在{house}内,{result}。",
    "naked": "{house}的{cells}只有候选数{digits},这些数被它们占用,所以{result}。",
    "hidden": "{house}的{digits}只能填在{cells},占满了这些格,所以{result}。",
    "fish": "{base}的{digits}都在{cover},所以{cover}的{digits}都填在{base},{result}。",
    "case": "若{cell}是{digit},则{other}是{value}",
    "XY-wing": "{cases}。同时看到{wings}的格不能是{digits},所以{result}。",
    "XYZ-wing": "{cases};或者{pivot}本身是{digits}。同时看到{cells}的格不能是{digits},所以{result}。",
    "loop 1": "若{extra}填{either},{cells}的{pair}就可以互换,题目会有两个解。题目只有一个解,所以{result}。",
    "loop 2": "若{neither}都不是{others},{cells}的{pair}就可以互换,题目会有两个解。"
    "所以其中必有一格是{others},{result}。",
    "loop 3": "若{neither}都不是{others},{cells}的{pair}就可以互换,题目会有两个解。"
    "所以其中必有一格是{others}。{house}的{set}由这一格和{subset}占用,所以{result}。",
    "loop 3 hidden": "若{neither}都不是{others},{cells}的{pair}就可以互换,题目会有两个解。"
    "所以其中必有一格是{others}。{house}的{set}只能填在另一格和{subset},所以{result}。",
    "loop 4": "{house}的{locked}只能填在{extra},其中必有一格是{locked}。若另一格填{free},"
    "{cells}的{pair}就可以互换,题目会有两个解。所以{result}。",
    "BUG 1": "若{extra}{not},每个空格都只剩两个候选数,题目就不会恰有一个解。所以{result}。",
    "not": "不是{digits}",
    "not these": "不是{digits}中的任何一个",
    "BUG 2": "若{neither}都不是{others},每个空格都只剩两个候选数,题目就不会恰有一个解。"
    "所以其中必有一格是{others},{result}。",
    "BUG 3": "若{extras}都不成立,每个空格都只剩两个候选数,题目就不会恰有一个解。"
    "所以其中必有一个成立。{house}的{set}由它所在的格和{subset}占用,所以{result}。",
    "BUG 4": "{house}的{locked}只能填在{extra}。若{extras}都不成立,每个空格都只剩两个候选数,"
    "题目就不会恰有一个解。所以一格是{locked},另一格有这样的候选数成立,{result}。",
    "exclusion": "逐一检查{base}中含{removed}的每种组合,总有一数在同一区重复,或有一格无数可填。所以{result}。",
    "twice": "{combination}:{house}有两个{digit}",
    "none left": "{combination}:{cell}无数可填",
    "cycle": "要么{on}都成立,要么{off}都成立。要删的每个候选数都看到两组中各一个同数的候选数,所以{result}。",
    "chain": "假设{start},则{nodes},矛盾。所以{result}。",
    "contradiction": "假设{start},会同时推出{one}和{two},矛盾。所以{result}。",
    "double": "{start}可推出{end},{other}也可推出{end}。两者必居其一,所以{result}。",
    "cell": "{cell}只能是{each},每种情况都推出{end},所以{result}。",
    "house": "{house}的{digits}只能填在{places},每种情况都推出{end},所以{result}。",
    "with inner": "{name},内含{inner}",
    "inner": "({name})",
    "names": "r4c2是第4行第2列的格。",
    "signs": "r4c2=7表示它是7,r4c2≠7表示它不是7;→之后是推出的结果,⇒表示由某种技巧推出。",
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

CATALOGUES = {
    "en": {**_EN, **{f"name {name}": name.replace("(+", "plus").replace(")", "") for name in TABLE}},
    "zh": {**_ZH, **{f"name {name}": word for name, (_, word) in TABLE.items()}},
}
"""The sentences and words of each language; names of techniques have no parentheses, which sentences add."""


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
        numbers = self.join([house % 9 + 1 for house in houses], "numbers")
        return self.say(kind if len(houses) == 1 else several, n=numbers)

    def technique(self, technique: str) -> str:
        """Return the name of a technique within a sentence."""
        return self.say(f"name {technique}")

    def name(self, step: Step) -> str:
        """Return the name of the technique of a step, to begin a sentence with."""
        name = self.named(step)
        return name[0].upper() + name[1:]

    def named(self, step: Step) -> str:
        """Return the name of the technique of a step within a sentence."""
        if step.kind == "last cell":
            return self.say("full house")
        name = self.technique(step.technique)
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

    def reading(self, steps: Iterable[Step]) -> str:
        """Return how to read what the sentences of some steps call cells, and the signs of chains."""
        keys = ["names", *(["signs"] if any(step.chains for step in steps) else [])]
        return self._words["space"].join(map(self.say, keys))

    def whole(self, step: Step) -> str:
        """Return a step as a sentence, with lines for its chains or combinations."""
        return "\n".join([self.sentence(step), *self.detail_lines(step)])

    def told(self, step: Step) -> str:
        """Return a step with its chains or combinations in one line."""
        ends = self._words["semicolon"], self._words["stop"]
        details = (ends[0].join(runs) + ends[1] for runs in self._details(step))
        return self._words["space"].join([self.sentence(step), *details])

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
            fields["removed"] = self.join([candidate_name(each) for each in step.eliminations], "or")
        elif step.chains:
            fields |= self._starts(step)
        return fields

    def _reasons(self, step: Step) -> str:
        """Return the houses that hold the other digits of a naked single, each digit in one of them."""
        ((cell, digit),) = step.placements
        left = set(range(1, 10)) - {digit}
        held = {house: {step.before.values[at] for at in HOUSES[house]} for house in HOUSES_OF[cell]}
        told: dict[int, set[int]] = {}
        for _ in range(3):  # few houses are enough for most cells
            house = max(held, key=lambda each: len(held[each] & left))
            if held[house] & left:
                told[house] = held[house] & left
                left -= told[house]
        reasons = [
            self.say("has", house=self.houses([house]), digits=self.join(sorted(digits)))
            for house, digits in sorted(told.items())
        ]
        if left:
            reasons.append(self.say("gone", digits=self.join(sorted(left))))
        return self._words["semicolon"].join(reasons)

    def _cases(self, step: Step) -> str:
        """Return what each further digit of the pivot of a wing leaves for a wing."""
        ((pivot,), (value,)) = step.cells["pivot"], step.digits
        cases = []
        for digit in step.before.candidates(pivot):
            for wing in step.cells["wings"]:
                if set(step.before.candidates(wing)) == {digit, value}:
                    other = cell_name(wing)
                    cases.append(
                        self.say("case", cell=cell_name(pivot), digit=digit, other=other, value=value)
                    )
        return self._words["semicolon"].join(cases)

    def _uniqueness(self, step: Step) -> dict[str, object]:
        """Return what sentences about unique loops and BUGs name: of the further candidates one holds."""
        extra, others = step.candidates["extra"], sorted({digit for _, digit in step.candidates["extra"]})
        free = {digit for _, digit in step.eliminations}
        locked = set(step.digits) - free
        fields: dict[str, object] = {"pair": self.join(step.digits), "either": self.join(step.digits, "or")}
        if step.technique == "BUG":
            one = "not" if len(others) == 1 else "not these"
            fields["not"] = self.say(one, digits=self.join(others, "nor"))
            locked = {digit for _, digit in step.candidates.get("pattern", ())}
            if step.kind == "type 4":
                fields["house"] = self.houses([self._locked_house(step, *locked)])
        fields["neither"] = self.cells(step.cells["extra"], "nor")
        fields["extras"] = self.join([candidate_name(each) for each in extra])
        fields["others"] = self.join(others, "or")
        fields["free"], fields["locked"] = self.join(sorted(free)), self.join(sorted(locked))
        if "subset" in step.cells:
            fields["set"] = self.join(_set_of(step))
        return fields

    def _locked_house(self, step: Step, digit: int) -> int:
        """Return the house in which a digit fits only in the two cells of a BUG."""
        (first, second) = step.cells["extra"]
        common = (house for house in HOUSES_OF[first] if house in HOUSES_OF[second])
        places = {first, second}
        return next(
            house
            for house in common
            if {cell for cell in HOUSES[house] if digit in step.before.candidates(cell)} == places
        )

    def _starts(self, step: Step) -> dict[str, object]:
        """Return what sentences about chains name: starts, ends, and of one chain all assertions."""
        first, last = step.chains[0], step.chains[-1]
        fields: dict[str, object] = {
            **{
                "start": first.start,
                "end": first.end,
                "one": first.end,
                "two": last.end,
                "other": last.start,
            },
            "each": self.join(step.digits, "or"),
            "places": self.cells(step.cells["start"], "or"),
        }
        if len(step.chains) == 1:
            nodes = dict.fromkeys([first.start, *(link.follows for link in first.links)])
            fields["nodes"] = " → ".join([str(node) for node in nodes][1:])
            for name, on in (("on", True), ("off", False)):  # what holds in a cycle, and what does not
                fields[name] = self.join([candidate_name(node[:2]) for node in nodes if node.on == on])
        if step.kind == "cell":
            fields["cell"] = cell_name(first.start.cell)
        return fields

    def detail_lines(self, step: Step) -> list[str]:
        """Return the chains of a step, or the combinations that it excludes; none if the sentence has all."""
        return [
            line for first, *more in self._details(step) for line in (first, *(f"  {run}" for run in more))
        ]

    def _details(self, step: Step) -> list[list[str]]:
        """Return the runs of each chain, or each combination that is excluded."""
        if FAMILIES[step.technique] == "exclusion":
            return [[each] for each in self._combinations(step)]
        if _key(step) == "chain":
            return []
        told: set[str] = set()
        same_start = step.kind == "contradiction"
        return [self._runs(chain, told if same_start else set()) for chain in step.chains]

    def _combinations(self, step: Step) -> Iterator[str]:
        """Yield what forbids each combination of digits with one that is removed."""
        candidates, base = step.before.candidates, step.cells["base"]
        few = sorted(step.cells["excluders"], key=lambda cell: len(candidates(cell)))
        for cell, removed in step.eliminations:
            others = [at for at in base if at != cell]
            for digits in product(*(candidates(at) for at in others)):
                taken = [(cell, removed), *zip(others, digits, strict=True)]
                combination = self.join([candidate_name(each) for each in taken])
                for (one, digit), (two, same) in combinations(taken, 2):
                    if digit == same and one in PEERS[two]:
                        house = next(house for house in HOUSES_OF[one] if house in HOUSES_OF[two])
                        house_name = self.houses([house])
                        yield self.say("twice", combination=combination, digit=digit, house=house_name)
                        break
                else:
                    left = next(at for at in few if {*candidates(at)} <= {removed, *digits})
                    yield self.say("none left", combination=combination, cell=cell_name(left))

    def _runs(self, chain: Chain, told: set[str]) -> list[str]:
        """Return the links of a chain: runs of arrows; a reason of several assertions begins a new run.

        What was told before is left out.
        """
        reasons: dict[str, list[str]] = {}
        inner: dict[str, str] = {}
        for link in chain.links:
            reasons.setdefault(str(link.follows), []).append(str(link.holds))
            if link.technique:
                inner[str(link.follows)] = self.say("inner", name=self.technique(link.technique))
        runs, last = [str(chain.start)], str(chain.start)
        for end, parents in reasons.items():
            if end in told:
                continue
            told.add(end)
            if parents != [last]:
                runs.append(self._words["comma"].join(parents))
            runs[-1] += f" {'⇒' if end in inner else '→'} {end}{inner.get(end, '')}"
            last = end
        return [run for run in runs if run != str(chain.start)] or runs[:1]


def _key(step: Step) -> str:
    """Return which sentence tells a step."""
    if step.kind == "last cell":
        return step.kind
    family = FAMILIES[step.technique]
    if step.kind[:4] == "type":
        return f"{family}{step.kind[4:]}{' hidden' * _is_hidden(step)}"
    return family or step.kind


def _is_hidden(step: Step) -> bool:
    """Test whether the set of a unique loop is hidden: other digits of its further cells are removed."""
    return bool({cell for cell, _ in step.eliminations} & {*step.cells.get("subset", ())})


def _set_of(step: Step) -> list[int]:
    """Return the digits of the set of which one further candidate of a unique loop or BUG is a part."""
    subset, extra = step.cells["subset"], step.candidates["extra"]
    candidates, values = step.before.candidates, {digit for _, digit in extra}
    if not _is_hidden(step):
        return sorted(values.union(*map(candidates, subset)))
    (house,) = step.houses["house"]
    inside = {*subset, *step.cells["extra"]}
    outside = {digit for at in HOUSES[house] if at not in inside for digit in candidates(at)}
    return sorted({digit for at in inside for digit in candidates(at)} - values - outside)
