"""Reports of a record as text; the sentences in each language, the Chinese ones in the terms of the book."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from unidoku.cell import HOUSE_NAMES, cell_name
from unidoku.errors import UnidokuError
from unidoku.method.state import (
    UNITS,
    UNITS_OF,
    box_of,
    column_of,
    components_matrix,
    group_of,
    groups,
    marks_picture,
    matrix,
    numbers_picture,
    pencil_picture,
    row_of,
)
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from unidoku.method.record import Record
    from unidoku.method.state import Event, State

NAMES = ("numbers", "rc")
"""How a report can call cells: by the book's numbers 1 to 81, or by row and column."""
_TAGS = "\ue000\ue001"  # of the private use area: no sentence has them
_TAGGED = re.compile(f"{_TAGS[0]}([0-9]+){_TAGS[1]}")

ENGLISH = {
    "title": "Numerical-analysis method",
    "list": ", ",
    "row": "row {n}",
    "column": "column {n}",
    "box": "box {n}",
    "band": "band {n}",
    "stack": "stack {n}",
    "rows": "rows",
    "columns": "columns",
    "boxes": "boxes",
    "order": "Order of work: theorems {theorems}; {units}; {zeroing}; {again}. Further rules: {rules}.",
    "order.complete": "zeroing is completed after each conversion, before the next search",
    "order.first4": "zeroing is completed after each conversion, before the next search; theorem 4 comes "
    "before the zeroing by each value and saves that of the ninth cell",
    "order.restart": "after each conversion the search restarts from the beginning",
    "order.sweep": "after each conversion the search continues from that place",
    "rules.extended": "extended zeroing",
    "rules.subsets": "subsets",
    "rules.presets": "presets",
    "expand": "Expansion: {cells} undetermined cells get nine components each.",
    "givens": "Zeroing by the {n} givens, in KH order:",
    "zero": "cell {cell} = {digit} zeroes {parts}",
    "zero.own": "its own components {digits} ({mark})",
    "zero.other": "{digit} in {cells} ({mark})",
    "convert.theorem2": "{n}. Cell {cell} (II={row} JJ={column} KG={box}) takes {digit} {mark} by theorem 2, "
    "self-cell conversion: its other components are zero: {reasons}",
    "convert.theorem3": "{n}. Cell {cell} (II={row} JJ={column} KG={box}) takes {digit} {mark} by theorem 3, "
    "unit-cell conversion: in {unit} component {digit} is zero in the other cells: {reasons}",
    "convert.theorem4": "{n}. Cell {cell} (II={row} JJ={column} KG={box}) takes {digit} {mark} by theorem 4: "
    "the eight other cells of {unit} have values; only {digit} remains.",
    "dry": "No further conversion (end of round {n}).",
    "extended": "Extended zeroing {mark} in {big}: in {unit}, {digit} remains only in cells {cells}, "
    "all in {other}; zeroed in {out}.",
    "subset.naked": "Subset {mark}: cells {cells} of {unit} have only {digits}; zeroed elsewhere "
    "in {unit}: {out}.",
    "subset.hidden": "Subset {mark}: in {unit} the digits {digits} remain only in cells {cells}; zeroed "
    "there: {out}.",
    "component": "{digit} in {cell}",
    "preset": "Preset {mark}, level {level}: cell {cell} has the fewest components ({components}) and is set "
    "to {digit}.",
    "contradiction.cell": "Contradiction at level {level}: cell {cell} has no component left: {reasons}",
    "contradiction.unit": "Contradiction at level {level}: {unit} has no place for {digit}: {reasons}",
    "retract": "{mark}: the preset of level {level} is retracted; component {digit} of cell {cell} is zero.",
    "value": "holds {value}",
    "end.solved": "Result reached. Difficulty class {difficulty}: {meaning}.",
    "class.1": "theorems 1 to 4 are enough",
    "class.2": "extended zeroing is needed",
    "class.3": "subsets are needed",
    "class.4": "presets are needed",
    "end.none": "The puzzle has no solution: the contradiction does not depend on a preset.",
    "end.multiple": "The puzzle has several solutions; the explanation ends here, because the next step "
    "would be a preset.",
    "end.presets": "The limit of presets is reached; the puzzle is not solved.",
    "totals": "Conversions: theorem 2 {theorem2}, theorem 3 {theorem3}, theorem 4 {theorem4}. Zeroings: own "
    "{own}, theorem 1 {theorem1}, extended {extended}, subsets {subset}; saved by theorem 4: {saved}. "
    "Rounds: {rounds}.",
    "totals.presets": "Presets: {presets} on the way to the result, {made} made in total, {back} retracted, "
    "deepest level {deepest}.",
    "matrix.NA": "NA, values",
    "matrix.KH": "KH, order of the values",
    "matrix.MMK": "MMK, number of components",
    "matrix.NAK": "NAK, components of the cells of {unit}",
    "picture": "Components, conversions so far: {n}",
    "numbering": "Numbers of the cells: I above, II, JJ and KG below",
    "short.theorem2": "{n}. cell {cell} = {digit} {mark}: its other components are zero",
    "short.theorem3": "{n}. cell {cell} = {digit} {mark}: the only place for {digit} in {unit}",
    "short.theorem4": "{n}. cell {cell} = {digit} {mark}: the last open cell of {unit}",
    "short.cell": "Contradiction at level {level}: cell {cell} has no component left",
    "short.unit": "Contradiction at level {level}: {unit} has no place for {digit}",
    "form.wrong": "cell {cell}, component {digit}: {mark} is wrong, because {reason}; right: {expected}",
    "form.right": "All marks are right.",
    "form.place": "this small cell belongs to component {digit}",
    "form.second": "the cell has the value {value}",
    "form.own": "the cell has no value",
    "form.unit": "cell {other} is not another cell of {unit}",
    "form.empty": "cell {other} has no value",
    "form.value": "cell {other} has the value {value}",
    "form.extended": "{unit} does not confine {digit} to another unit of the cell",
    "form.subset": "no subset takes {digit} from the cell",
    "form.refuted": "there is a solution with {digit} in the cell",
    "form.self": "its components {digits} are not zero",
    "form.only": "component {digit} is not zero in cells {cells} of {unit}",
    "form.last": "cells {cells} of {unit} have no value",
    "form.circle": "its reasons rest on the mark itself",
    "form.twice": "cell {other} of {unit} has this value too",
    "diagnose.unique": "Exactly one solution.",
    "diagnose.minimal": "No clue can be removed: the puzzle is minimal.",
    "diagnose.redundant": "Any one of these clues can be removed (not all together): cells {cells}.",
    "diagnose.multiple": "Several solutions: {count}.",
    "diagnose.more": "{count} or more",
    "diagnose.two": "Two of them; they differ in {n} cells: {cells}.",
    "diagnose.unhit": "No clue is in this unavoidable set of {n} cells, whose digits in the first solution "
    "can be exchanged: {cells}.",
    "diagnose.deciding": "With these additional clues there is exactly one solution: {clues}.",
    "diagnose.clue": "cell {cell} = {digit}",
    "diagnose.none": "No solution.",
    "diagnose.conflict": "These {n} clues contradict each other; without any one of them there is a "
    "solution: {clues}.",
    "diagnose.givens": "Cells {first} and {second} both hold {digit} in {unit}.",
    "diagnose.chain": "Proof, from these clues alone:",
    "diagnose.title": "Diagnosis",
    "diagnose.puzzle": "Puzzle",
    "diagnose.removable": "Puzzle; each yellow clue can be removed",
    "diagnose.solution": "Solution",
    "diagnose.first": "One solution; cells that differ are yellow, those of the unavoidable set "
    "have a dashed outline",
    "diagnose.second": "Another solution",
    "diagnose.added": "Puzzle with the further clues, green",
    "diagnose.marked": "Puzzle; the clues that contradict each other are red",
    "diagnose.last": "The contradiction, red, with these clues alone",
}

CHINESE = {
    "title": "九宫格数独游戏的数值分析解法",
    "list": "、",
    "row": "行单元 {n}",
    "column": "列单元 {n}",
    "box": "小宫单元 {n}",
    "band": "横向大单元 {n}",
    "stack": "竖向大单元 {n}",
    "rows": "行单元",
    "columns": "列单元",
    "boxes": "小宫单元",
    "order": "作业顺序:定理 {theorems};{units};{zeroing};{again}。定理之外:{rules}。",
    "order.complete": "每次格值转化后先作完归0处置,再找下一个转化",
    "order.first4": "每次格值转化后先作完归0处置,再找下一个转化;每个格值的归0处置之前先应用定理 4,"
    "省略对第九格的归0处置",
    "order.restart": "每次转化后从头再找",
    "order.sweep": "每次转化后从该处继续找",
    "rules.extended": "扩充的单元约束归0处置",
    "rules.subsets": "数组归0处置",
    "rules.presets": "预设置格值",
    "expand": "扩展:{cells} 个格值未定的格各派生 9 个分量。",
    "givens": "用 {n} 个题给格值按 KH 顺序作归0处置:",
    "zero": "格 {cell} = {digit} 归0处置:{parts}",
    "zero.own": "本格其余分量 {digits}({mark})",
    "zero.other": "格 {cells} 的分量 {digit}({mark})",
    "convert.theorem2": "{n}. 格 {cell}(II={row} JJ={column} KG={box})取 {digit} {mark},据定理 2 自格转化:"
    "其它八个分量已被归 0:{reasons}",
    "convert.theorem3": "{n}. 格 {cell}(II={row} JJ={column} KG={box})取 {digit} {mark},据定理 3 单元格转化:"
    "在{unit} 中其它八格的分量 {digit} 已被归 0:{reasons}",
    "convert.theorem4": "{n}. 格 {cell}(II={row} JJ={column} KG={box})取 {digit} {mark},据定理 4:"
    "{unit} 中其它八格都已有格值,只剩 {digit}。",
    "dry": "已无格值转化(第 {n} 轮结束)。",
    "extended": "扩充的归0处置 {mark},{big}:{unit} 中分量 {digit} 只在格 {cells},都属于{other};归 0:{out}。",
    "subset.naked": "数组归0处置 {mark}:{unit} 的格 {cells} 只有分量 {digits};本单元其它格归 0:{out}。",
    "subset.hidden": "数组归0处置 {mark}:{unit} 中分量 {digits} 只在格 {cells};这些格中归 0:{out}。",
    "component": "格 {cell} 的 {digit}",
    "preset": "预设置格值 {mark},第 {level} 层:格 {cell} 的分量最少({components}),预设置为 {digit}。",
    "contradiction.cell": "第 {level} 层矛盾:格 {cell} 的分量都已归 0:{reasons}",
    "contradiction.unit": "第 {level} 层矛盾:{unit} 中没有可取 {digit} 的格:{reasons}",
    "retract": "{mark}:取消第 {level} 层的预设置;格 {cell} 的分量 {digit} 归 0。",
    "value": "格值 {value}",
    "end.solved": "得到作业结果。难度第 {difficulty} 类:{meaning}。",
    "class.1": "用定理 1 至 4 即可",
    "class.2": "需要扩充的单元约束归0处置",
    "class.3": "需要数组归0处置",
    "class.4": "需要预设置格值",
    "end.none": "此作业题目无解:矛盾不依赖任何预设置。",
    "end.multiple": "此作业题目有多个作业结果;解说到此为止,下一步将是预设置格值。",
    "end.presets": "允许的预设置次数已用完,未得到作业结果。",
    "totals": "格值转化:定理 2 {theorem2} 次,定理 3 {theorem3} 次,定理 4 {theorem4} 次。归0处置:本格 {own},"
    "定理 1 {theorem1},扩充 {extended},数组 {subset};定理 4 省略 {saved}。轮数:{rounds}。",
    "totals.presets": "预设置:到达作业结果途中 {presets} 次,共 {made} 次,取消 {back} 次,最深 {deepest} 层。",
    "matrix.NA": "NA 格值",
    "matrix.KH": "KH 格值生成顺序",
    "matrix.MMK": "MMK 分量个数",
    "matrix.NAK": "NAK {unit}各格的派生分量",
    "picture": "派生分量(已作格值转化 {n} 次)",
    "numbering": "格号 I(上)与行号 II、列号 JJ、小宫号 KG(下)",
    "short.theorem2": "{n}. 格 {cell} = {digit} {mark}:其余分量都已归 0",
    "short.theorem3": "{n}. 格 {cell} = {digit} {mark}:{unit} 中只有此格可取 {digit}",
    "short.theorem4": "{n}. 格 {cell} = {digit} {mark}:{unit} 的最后一个待定格",
    "short.cell": "第 {level} 层矛盾:格 {cell} 的分量都已归 0",
    "short.unit": "第 {level} 层矛盾:{unit} 中没有可取 {digit} 的格",
    "form.wrong": "格 {cell} 的分量 {digit}:{mark} 有误,因为{reason};应为 {expected}",
    "form.right": "所有标记都正确。",
    "form.place": "此小格属于分量 {digit}",
    "form.second": "本格已有格值 {value}",
    "form.own": "本格尚无格值",
    "form.unit": "格 {other} 不是{unit} 的另一格",
    "form.empty": "格 {other} 尚无格值",
    "form.value": "格 {other} 的格值是 {value}",
    "form.extended": "{unit} 中分量 {digit} 并不只在本格的另一单元内",
    "form.subset": "没有数组使本格的分量 {digit} 归 0",
    "form.refuted": "本格取 {digit} 时有作业结果",
    "form.self": "本格的分量 {digits} 尚未归 0",
    "form.only": "{unit} 的格 {cells} 中分量 {digit} 尚未归 0",
    "form.last": "{unit} 的格 {cells} 尚无格值",
    "form.circle": "其依据又回到此标记自身",
    "form.twice": "{unit} 的格 {other} 也取此格值",
    "diagnose.unique": "只有一个作业结果。",
    "diagnose.minimal": "题目给出的格值一个也不能少:题目是最小的。",
    "diagnose.redundant": "下列每一格的题给格值可以单独省去(不能同时省去):格 {cells}。",
    "diagnose.multiple": "有多个作业结果:{count} 个。",
    "diagnose.more": "至少 {count}",
    "diagnose.two": "其中两个,有 {n} 格不同:{cells}。",
    "diagnose.unhit": "下列 {n} 格构成不可避免集,第一个作业结果在其中的格值可以互换,"
    "而题目在其中没有给出格值:{cells}。",
    "diagnose.deciding": "再给出下列格值,就只有一个作业结果:{clues}。",
    "diagnose.clue": "格 {cell} = {digit}",
    "diagnose.none": "没有作业结果。",
    "diagnose.conflict": "下列 {n} 个题给格值互相矛盾;去掉其中任何一个就有作业结果:{clues}。",
    "diagnose.givens": "格 {first} 与格 {second} 在{unit} 中同为 {digit}。",
    "diagnose.chain": "仅由这些格值得到矛盾的过程:",
    "diagnose.title": "诊断",
    "diagnose.puzzle": "题目",
    "diagnose.removable": "题目;黄色的题给格值可以单独省去",
    "diagnose.solution": "作业结果",
    "diagnose.first": "一个作业结果;不同的格为黄色,不可避免集的格有虚线框",
    "diagnose.second": "另一个作业结果",
    "diagnose.added": "题目加上绿色的格值",
    "diagnose.marked": "题目;互相矛盾的题给格值为红色",
    "diagnose.last": "仅由这些格值得到的矛盾(红色)",
}

#: Language -> its sentences; every catalogue has the same keys and fields.
CATALOGUES = {"en": ENGLISH, "zh": CHINESE}


class Line(NamedTuple):
    """One line of a report."""

    kind: str
    text: str
    emphasis: tuple[int, ...] = ()


class Sentence(NamedTuple):
    """One sentence of a report and its events; the state before them is valid until the next sentence."""

    kind: str
    text: str
    events: list[Event]
    state: State


class Words:
    """Sentences of one language."""

    def __init__(self, lang: str = "en", *, names: str = "numbers") -> None:
        if names not in (*NAMES, "tagged"):
            raise UnidokuError(f"invalid names {names!r}; choose from: {', '.join(NAMES)}")
        self._sentences = CATALOGUES[lang]
        self.names = names

    def say(self, key: str, **fields: object) -> str:
        """Return the sentence with its fields filled in."""
        return self._sentences[key].format(**fields)

    def join(self, things: Iterable[object]) -> str:
        """Return the items as a list in the language."""
        return self._sentences["list"].join(map(str, things))

    def cell(self, cell: int) -> str:
        """Return the name of a cell 1..81."""
        if self.names == "tagged":
            return f"{_TAGS[0]}{cell}{_TAGS[1]}"
        return cell_name(cell - 1) if self.names == "rc" else str(cell)

    def cells(self, cells: Iterable[int]) -> str:
        """Return the names of cells as a list in the language."""
        return self.join(map(self.cell, cells))

    def unit(self, unit: int | str) -> str:
        """Return the name of a unit 1..27, or of a house, band or stack, which is ``row 3`` in English."""
        kind, number = (HOUSE_NAMES[unit - 1] if isinstance(unit, int) else unit).split()
        return self.say(kind, n=number)


def untag(text: str, name: Callable[[int], str]) -> str:
    """Replace the tagged cells of a text."""
    return _TAGGED.sub(lambda match: name(int(match[1])), text)


def report(
    record: Record,
    *,
    lang: str = "en",
    names: str = "numbers",
    needed: set[int] | None = None,
    **shown: bool,
) -> Iterator[Line]:
    """Yield the lines of a report on a whole run, or on the events with the needed numbers.

    ``shown`` are `matrices`, `every_step`, `marks`, `numbering`, `pictures` (the default) and `short`.
    """
    whole = _Report(record, Words(lang, names=names), needed, **shown)
    left_out = {"order", "zero", "dry"} if whole.short else ()
    return (line for line in whole.lines() if line.kind not in left_out)


def sentences(record: Record, *, lang: str = "en", names: str = "numbers") -> Iterator[Sentence]:
    """Return the sentences of a run, each with its events."""
    return _Report(record, Words(lang, names=names)).sentences()


@dataclass
class _Report:
    record: Record
    words: Words
    needed: set[int] | None = None
    matrices: bool = False
    every_step: bool = False
    marks: bool = False
    numbering: bool = False
    pictures: bool = True
    short: bool = False

    def __post_init__(self) -> None:
        self.replay = self.record.replay()
        self.conversions = 0
        if self.short:
            self.matrices = self.every_step = self.pictures = False

    def lines(self) -> Iterator[Line]:
        say = self.words.say
        yield Line("title", say("title"))
        if self.numbering:
            yield Line("matrix", say("numbering"))
            yield from (Line("picture", line) for line in numbers_picture())
        yield Line("order", self._order())
        empty = self.record.puzzle.cells.count(0)
        yield Line("order", say("expand", cells=empty))
        if self.needed is None:
            yield Line("order", say("givens", n=81 - empty))
        first, moved, rounds = True, False, 0  # moved: something converted since the last picture
        for kind, group in self._groups():
            if (first or self.every_step) and kind != "zero" and self.needed is None:
                yield from self._pictures()
            first = first and kind == "zero"
            if kind in {"extended", "subset", "preset"}:
                rounds += 1
                if self.needed is None and moved:
                    moved = False
                    yield self._line("dry", say("dry", n=rounds), group[0])
                    outside = group[0].level == 0 or (kind == "preset" and group[0].level == 1)
                    if outside and not self.every_step:
                        yield from self._pictures()
            numbers = enumerate(group, self.replay.position + 1)
            shown = [event for number, event in numbers if self.needed is None or number in self.needed]
            if shown:
                yield self._line(kind, self._sentence(kind, shown), group[0])
            moved = moved or kind == "convert"
        if self.needed is None:
            yield from self._end()

    def sentences(self) -> Iterator[Sentence]:
        for kind, group in self._groups():
            yield Sentence(kind, self._sentence(kind, group), group, self.replay.state)

    def _groups(self) -> Iterator[tuple[str, list[Event]]]:
        """Yield the kind and the events of each sentence, while the replay is before them."""
        for group in groups(self.record.events):
            kind = group[0].sentence
            yield kind, group
            for _ in group:
                self.replay.forward()
            self.conversions += kind == "convert"

    def _line(self, kind: str, text: str, event: Event) -> Line:
        depth = event.level - (event.kind in {"preset", "retract"})
        return Line(kind, "  " * depth + ("   " if kind == "zero" else "") + text)

    def _sentence(self, kind: str, group: list[Event]) -> str:
        event, words, state = group[0], self.words, self.replay.state
        say = partial(
            words.say,
            mark=event.mark,
            level=event.level,
            digit=event.digit,
            cell=words.cell(event.cell),
            unit=words.unit(event.unit) if event.unit else "",
        )
        match kind:
            case "zero":
                return self._zeroing(group)
            case "convert":
                return say(
                    f"{'short' if self.short else 'convert'}.{event.rule}",
                    n=self.conversions + 1,
                    row=row_of(event.cell),
                    column=column_of(event.cell),
                    box=box_of(event.cell),
                    reasons=self._reasons(event),
                )
            case "extended":
                others = set(UNITS_OF[event.cell]).intersection(*(UNITS_OF[cell] for cell in event.cause))
                return say(
                    "extended",
                    big=words.unit(event.big_unit),
                    cells=words.cells(event.cause),
                    other=words.join(map(words.unit, sorted(others))),
                    out=words.cells(e.cell for e in group),
                )
            case "subset":
                naked = event.cell not in event.cause
                if naked:
                    digits = sorted(set().union(*map(state.components, event.cause)))
                else:
                    digits = [d for d in range(1, 10) if {*state.places(event.unit, d)} <= {*event.cause}]
                components = (say("component", digit=e.digit, cell=words.cell(e.cell)) for e in group)
                return say(
                    "subset.naked" if naked else "subset.hidden",
                    cells=words.cells(event.cause),
                    digits=words.join(digits),
                    out=words.join(components),
                )
            case "preset":
                return say("preset", components=words.join(state.components(event.cell)))
            case "retract":
                return say("retract")
        where = "cell" if event.cell else "unit"
        return say(f"{'short' if self.short else 'contradiction'}.{where}", reasons=self._reasons(event))

    def _zeroing(self, group: list[Event]) -> str:
        say, words = self.words.say, self.words
        own = [event.digit for event in group if event.rule == "own"]
        source = group_of(group[0])[1]
        parts = [say("zero.own", digits=words.join(own), mark="*")] if own else []
        by_mark: dict[str, list[int]] = {}
        for event in group:
            if event.rule == "theorem1":
                by_mark.setdefault(event.mark, []).append(event.cell)
        value = int(self.replay.state.NA[source - 1])
        parts += [
            say("zero.other", digit=value, cells=words.cells(cells), mark=mark)
            for mark, cells in by_mark.items()
        ]
        return say("zero", cell=words.cell(source), digit=value, parts=words.join(parts))

    def _reasons(self, event: Event) -> str:
        """Return why other components of the cell, or in the unit, are zero, as ``number:mark``."""
        if self.short or event.rule == "theorem4":
            return ""  # the sentence has no reasons
        words, parts = self.words, []
        if event.unit:
            for cell in UNITS[event.unit - 1]:
                value = int(self.replay.state.NA[cell - 1])
                if value not in {0, event.digit}:
                    parts.append(f"{words.cell(cell)}:{words.say('value', value=value)}")
                elif cell != event.cell:
                    parts.append(f"{words.cell(cell)}:{self.replay.mark(cell, event.digit)}")
        else:
            others = (digit for digit in range(1, 10) if digit != event.digit)
            parts = [f"{digit}:{self.replay.mark(event.cell, digit)}" for digit in others]
        return words.join(parts)

    def _order(self) -> str:
        order, say = self.record.order, self.words.say
        rules = [name for name in ("extended", "subsets") if getattr(order, name)]
        plural = {"row": "rows", "column": "columns", "box": "boxes"}
        return say(
            "order",
            theorems=self.words.join(order.theorems),
            units=self.words.join(say(plural[unit]) for unit in order.units),
            zeroing=say("order.first4" if order.theorems[0] == 4 else "order.complete"),
            again=say("order.sweep" if order.sweep else "order.restart"),
            rules=self.words.join(say(f"rules.{name}") for name in (*rules, "presets")),
        )

    def _pictures(self) -> Iterator[Line]:
        state, say = self.replay.state, self.words.say
        if self.pictures:
            yield Line("matrix", say("picture", n=self.conversions))
            drawn = marks_picture(self.replay) if self.marks else pencil_picture(state)
            yield from (Line("picture", line) for line in drawn)
        if self.matrices:
            for name, array in (("NA", state.NA), ("KH", state.KH), ("MMK", state.MMK)):
                yield Line("matrix", say(f"matrix.{name}"))
                yield from (Line("picture", line) for line in matrix(array))
            for row in range(1, 10):
                yield Line("matrix", say("matrix.NAK", unit=self.words.unit(row)))
                yield from (Line("picture", line) for line in components_matrix(state, row))

    def _end(self) -> Iterator[Line]:
        record, say = self.record, self.words.say
        yield from self._pictures()
        if record.outcome == "solved":
            meaning = say(f"class.{record.difficulty}")
            text = say("end.solved", difficulty=record.difficulty, meaning=meaning)
        elif record.outcome == "contradiction":
            text = say("end.none")
        else:
            text = say("end.multiple" if record.verdict is Verdict.MULTIPLE else "end.presets")
        yield Line("end", text)
        yield Line(
            "end",
            say("totals", **record.conversions, **record.zeroings, saved=record.saved, rounds=record.rounds),
        )
        if record.presets_made:
            text = say(
                "totals.presets",
                presets=record.presets,
                made=record.presets_made,
                back=record.presets_taken_back,
                deepest=record.deepest_level,
            )
            yield Line("end", text)
