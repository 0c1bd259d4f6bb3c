"""The techniques of the scale."""

from __future__ import annotations

_TABLE = {
    "hidden single": ("hidden single", "摒除法"),
    "direct pointing": ("direct intersection", "直接宫区块"),
    "direct claiming": ("direct intersection", "直接行列区块"),
    "direct hidden pair": ("direct hidden", "直接隐性数对"),
    "naked single": ("naked single", "唯一余数"),
    "direct hidden triplet": ("direct hidden", "直接隐性三数组"),
    "pointing": ("intersection", "宫区块"),
    "claiming": ("intersection", "行列区块"),
    "naked pair": ("naked", "显性数对"),
    "X-wing": ("fish", "X翼"),
    "hidden pair": ("hidden", "隐性数对"),
    "naked triplet": ("naked", "显性三数组"),
    "swordfish": ("fish", "剑鱼"),
    "hidden triplet": ("hidden", "隐性三数组"),
    "XY-wing": ("XY-wing", "XY翼"),
    "XYZ-wing": ("XYZ-wing", "XYZ翼"),
    "unique rectangle": ("loop", "唯一矩形"),
    "unique loop": ("loop", "唯一环"),
    "naked quad": ("naked", "显性四数组"),
    "jellyfish": ("fish", "水母"),
    "hidden quad": ("hidden", "隐性四数组"),
    "BUG": ("BUG", "全双值格致死(BUG)"),
    "aligned pair exclusion": ("exclusion", "对位数对排除"),
    "X-cycle": ("cycle", "X环"),
    "Y-cycle": ("cycle", "Y环"),
    "forcing X-chain": ("chain", "强制X链"),
    "XY-cycle": ("cycle", "XY环"),
    "forcing chain": ("chain", "强制链"),
    "aligned triplet exclusion": ("exclusion", "对位三数排除"),
    "Nishio": ("", "单数假设(Nishio)"),
    "multiple forcing chains": ("", "多重强制链"),
    "dynamic forcing chains": ("", "动态强制链"),
    "dynamic forcing chains (+)": ("", "动态强制链(+)"),
    "dynamic forcing chains (+ forcing chains)": ("", "动态强制链(+强制链)"),
    "dynamic forcing chains (+ multiple forcing chains)": ("", "动态强制链(+多重强制链)"),
    "dynamic forcing chains (+ dynamic forcing chains)": ("", "动态强制链(+动态强制链)"),
    "dynamic forcing chains (+ dynamic forcing chains (+ forcing chains))": (
        "",
        "动态强制链(+动态强制链(+强制链))",
    ),
}
"""Each technique from the easiest on, with its family and its Chinese name."""

FAMILIES = {technique: family for technique, (family, _) in _TABLE.items()}
"""The family of each technique: one sentence tells its steps; empty where the kind of the chain decides."""

CHINESE = {technique: name for technique, (_, name) in _TABLE.items()}
"""The Chinese name of each technique."""
