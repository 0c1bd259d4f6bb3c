"""The sentences of the method's reports, in each language; the Chinese ones use the terms of the book."""

from __future__ import annotations

__all__ = ["CATALOGUES", "LANGUAGES"]

ENGLISH = {
    "title": "Numerical-analysis method",
    "list": ", ",
    "row": "row {n}",
    "column": "column {n}",
    "box": "box {n}",
    "rows": "rows",
    "columns": "columns",
    "boxes": "boxes",
    "order": "Order of work: theorems {theorems}; {units}; {zeroing}; {again}. Further rules: {rules}.",
    "order.complete": "zeroing is completed after each conversion, before the next search",
    "order.early": "theorem 4 is tried before the zeroing of a conversion",
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
    "extended": "Extended zeroing {mark}: in {unit}, {digit} remains only in cells {cells}, all in {other}; "
    "zeroed in {out}.",
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
    "{own}, theorem 1 {theorem1}, extended {extended}, subsets {subset}. Rounds: {rounds}.",
    "totals.presets": "Presets: {presets} on the way to the result, {made} made in total, {back} retracted, "
    "deepest level {deepest}.",
    "matrix.NA": "NA, values",
    "matrix.KH": "KH, order of the values",
    "matrix.MMK": "MMK, number of components",
    "matrix.NAK": "NAK, components of the cells of {unit}",
    "picture": "Components, conversions so far: {n}",
    "diagnose.unique": "Exactly one solution.",
    "diagnose.minimal": "No clue can be removed: the puzzle is minimal.",
    "diagnose.redundant": "Any one of these clues can be removed (not all together): cells {cells}.",
    "diagnose.multiple": "Several solutions: {count}.",
    "diagnose.more": "{count} or more",
    "diagnose.two": "Two of them; they differ in {n} cells: {cells}.",
    "diagnose.deciding": "With these additional clues there is exactly one solution: {clues}.",
    "diagnose.clue": "cell {cell} = {digit}",
    "diagnose.none": "No solution.",
    "diagnose.conflict": "These {n} clues contradict each other; without any one of them there is a "
    "solution: {clues}.",
    "diagnose.givens": "Cells {first} and {second} both hold {digit} in {unit}.",
    "diagnose.chain": "Proof, from these clues alone:",
}

CHINESE = {
    "title": "九宫格数独游戏的数值分析解法",
    "list": "、",
    "row": "行单元 {n}",
    "column": "列单元 {n}",
    "box": "小宫单元 {n}",
    "rows": "行单元",
    "columns": "列单元",
    "boxes": "小宫单元",
    "order": "作业顺序:定理 {theorems};{units};{zeroing};{again}。定理之外:{rules}。",
    "order.complete": "每次格值转化后先作完归0处置,再找下一个转化",
    "order.early": "归0处置之前先应用定理 4",
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
    "extended": "扩充的归0处置 {mark}:{unit} 中分量 {digit} 只在格 {cells},都属于{other};归 0:{out}。",
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
    "定理 1 {theorem1},扩充 {extended},数组 {subset}。轮数:{rounds}。",
    "totals.presets": "预设置:到达作业结果途中 {presets} 次,共 {made} 次,取消 {back} 次,最深 {deepest} 层。",
    "matrix.NA": "NA 格值",
    "matrix.KH": "KH 格值生成顺序",
    "matrix.MMK": "MMK 分量个数",
    "matrix.NAK": "NAK {unit}各格的派生分量",
    "picture": "派生分量(已作格值转化 {n} 次)",
    "diagnose.unique": "只有一个作业结果。",
    "diagnose.minimal": "题目给出的格值一个也不能少:题目是最小的。",
    "diagnose.redundant": "下列每一格的题给格值可以单独省去(不能同时省去):格 {cells}。",
    "diagnose.multiple": "有多个作业结果:{count} 个。",
    "diagnose.more": "至少 {count}",
    "diagnose.two": "其中两个,有 {n} 格不同:{cells}。",
    "diagnose.deciding": "再给出下列格值,就只有一个作业结果:{clues}。",
    "diagnose.clue": "格 {cell} = {digit}",
    "diagnose.none": "没有作业结果。",
    "diagnose.conflict": "下列 {n} 个题给格值互相矛盾;去掉其中任何一个就有作业结果:{clues}。",
    "diagnose.givens": "格 {first} 与格 {second} 在{unit} 中同为 {digit}。",
    "diagnose.chain": "仅由这些格值得到矛盾的过程:",
}

#: Language -> its sentences; every catalogue has the same keys and fields.
CATALOGUES = {"en": ENGLISH, "zh": CHINESE}
LANGUAGES = tuple(CATALOGUES)
