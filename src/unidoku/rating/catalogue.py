"""The sentences and words of steps and hints: one table per language."""

from __future__ import annotations

from unidoku.rating.techniques import CHINESE

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
    "BUG 3": "if no cell of {extra} had {digits}, every empty cell would have two digits left and the "
    "puzzle several solutions; with {subset} in {house} this makes a set, so {result}",
    "BUG 4": "if no cell of {extra} had {digits}, every empty cell would have two digits left and the "
    "puzzle several solutions; one does, and the other one is {locked}, so {result}",
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
    "at digit": "the places of {digits}",
    "at pivot": "{pivot} and the cells that it sees",
    "at loop": "the cells that have both {pair}",
    "at BUG": "the cells with more than two candidates",
    "at start": "what follows from the candidates of {cells}",
    "at place": "what follows from the places of {digits} in {house}",
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
    "BUG 3": "若{extra}都不取{digits},每个空格都只剩两个候选数,题目就有多个解;"
    "它们与{house}的{subset}构成数组,所以{result}",
    "BUG 4": "若{extra}都不取{digits},每个空格都只剩两个候选数,题目就有多个解;"
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
    "at digit": "{digits}的位置",
    "at pivot": "{pivot}和它所见的格",
    "at loop": "同时有{pair}的格",
    "at BUG": "候选数多于两个的格",
    "at start": "{cells}的候选数能推出什么",
    "at place": "{house}的{digits}各位置能推出什么",
    "none": "评分表的技巧都找不到下一步。",
    "full": "全部填对。",
    "wrong where": "{house}有一处错误。",
    "wrong digit": "{house}有一个数填错了。",
    "wrong mark": "{house}有一格的候选数缺少它的解。",
    "wrong digits": "这些数填错了:{some}。",
    "wrong marks": "这些格的候选数缺少它的解:{cells}。",
}

CATALOGUES = {"en": _EN, "zh": {**_ZH, **{f"name {name}": word for name, word in CHINESE.items()}}}
"""The sentences and words of each language; the English names of techniques are those of the scale."""
