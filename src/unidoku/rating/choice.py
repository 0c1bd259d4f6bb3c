"""Chosen techniques: the words of people for the techniques that a solver may use, and groups of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from unidoku.arguments import choices_near, wrong_type
from unidoku.errors import Message, UnidokuError
from unidoku.native.rating import codes
from unidoku.rating.names import NAMES, codes_of, word_key

TechniquesLike: TypeAlias = "str | Iterable[str]"
"""Words with commas between them, or one by one."""

_CHAINS = range(codes.X_CYCLE, codes.FORCING_CHAIN + 1)
_NESTED = range(codes.DYNAMIC_FORCING_CHAINS_PLUS, codes.TECHNIQUES)
_LOOPS = (codes.UNIQUE_RECTANGLE, codes.UNIQUE_LOOP)
# A direct step is one of the technique after which a hidden single follows at once.
_ONE = {
    "hidden single, full house": (codes.HIDDEN_SINGLE,),
    "naked single": (codes.NAKED_SINGLE,),
    "pointing, pointing pair, pointing triple, locked candidates (pointing), locked candidates type 1": (
        codes.DIRECT_POINTING,
        codes.POINTING,
    ),
    "claiming, box line reduction, locked candidates (claiming), locked candidates type 2": (
        codes.DIRECT_CLAIMING,
        codes.CLAIMING,
    ),
    "naked pair": (codes.NAKED_PAIR,),
    "hidden pair": (codes.DIRECT_HIDDEN_PAIR, codes.HIDDEN_PAIR),
    "naked triple, naked triplet": (codes.NAKED_TRIPLET,),
    "hidden triple, hidden triplet": (codes.DIRECT_HIDDEN_TRIPLET, codes.HIDDEN_TRIPLET),
    "naked quad, naked quadruple": (codes.NAKED_QUAD,),
    "hidden quad, hidden quadruple": (codes.HIDDEN_QUAD,),
    "X-wing": (codes.X_WING,),
    "swordfish": (codes.SWORDFISH,),
    "jellyfish": (codes.JELLYFISH,),
    "XY-wing, Y-wing": (codes.XY_WING,),
    "XYZ-wing": (codes.XYZ_WING,),
    "unique rectangle, UR, unique loop": _LOOPS,
    "BUG, bivalue universal grave": (codes.BUG,),
    "aligned pair exclusion": (codes.ALIGNED_PAIR_EXCLUSION,),
    "aligned triplet exclusion": (codes.ALIGNED_TRIPLET_EXCLUSION,),
    "chains": (*_CHAINS,),
    "Nishio": (codes.NISHIO,),
    "multiple forcing chains": (codes.MULTIPLE_FORCING_CHAINS,),
    "dynamic forcing chains": (codes.DYNAMIC_FORCING_CHAINS, codes.DYNAMIC_PLUS),
    "nested forcing chains": (*_NESTED,),
}
"""The words for a technique, or for several that are found together."""

_GROUPS = {
    "singles": "hidden single, naked single",
    "locked candidates": "pointing, claiming",
    "pairs": "naked pair, hidden pair",
    "triples, triplets": "naked triple, hidden triple",
    "quads, quadruples": "naked quad, hidden quad",
    "subsets": "pairs, triples, quads",
    "basic": "singles, locked candidates, subsets",
    "fish": "X-wing, swordfish, jellyfish",
    "wings": "XY-wing, XYZ-wing",
    "uniqueness": "unique rectangle, BUG",
    "aligned exclusion": "aligned pair exclusion, aligned triplet exclusion",
    "forcing chains": "Nishio, multiple forcing chains, dynamic forcing chains, nested forcing chains",
    "all": "basic, fish, wings, uniqueness, aligned exclusion, chains, forcing chains",
}
"""The words for groups, and what is in them."""


@cache
def _codes() -> dict[str, frozenset[int]]:
    """Return the codes of the techniques by the keys of all words."""
    found = {
        word_key(word): frozenset(technique)
        for words, technique in _ONE.items()
        for word in words.split(", ")
    }
    for words, parts in _GROUPS.items():
        union = frozenset[int]().union(*(found[word_key(part)] for part in parts.split(", ")))
        found |= dict.fromkeys(map(word_key, words.split(", ")), union)
    return found


_DIRECT = (
    codes.DIRECT_POINTING,
    codes.DIRECT_CLAIMING,
    codes.DIRECT_HIDDEN_PAIR,
    codes.DIRECT_HIDDEN_TRIPLET,
)

_PROOFS = (codes.FORCING_X_CHAIN, codes.FORCING_CHAIN, *range(codes.NISHIO, codes.TECHNIQUES))
_FILLING = (codes.HIDDEN_SINGLE, codes.NAKED_SINGLE, *_PROOFS)
"""The techniques that fill cells by themselves: singles, and chains that prove a digit."""

WORDS = tuple(words.split(", ")[0].lower().replace(" ", "-") for words in (*_ONE, *_GROUPS))
"""The words of techniques, then those of groups, as the command line has them."""


def _words_of(name: str, techniques: TechniquesLike) -> list[str]:
    """Return the words one by one."""
    if not isinstance(techniques, str | Iterable):
        raise wrong_type(name, "a text or texts", techniques)
    words = techniques.split(",") if isinstance(techniques, str) else [*techniques]
    for word in words:
        if not isinstance(word, str):
            raise wrong_type(name, "a text or texts", word)
    return [word.strip() for word in words]


def _techniques_of(name: str, word: str) -> frozenset[int]:
    """Return the codes of the techniques that a word means."""
    if found := _codes().get(word_key(word)):
        return found
    try:
        names = [[*NAMES][code] for code in codes_of(word)]
    except UnidokuError as error:
        if "scale has no step" in str(error):
            raise UnidokuError(Message("{name}: {message}", name=name, message=error)) from None
        message = Message(
            "{name}: {word} is no technique; {choices}",
            name=name,
            word=repr(word[:40]),
            choices=choices_near(word, WORDS),
        )
        raise UnidokuError(message) from None
    group = next((group for part, group in _FOUND_WITH if names[0].startswith(part)), "chains")
    raise UnidokuError(
        Message(
            "{name}: {technique} is found together with others; choose {group}",
            name=name,
            technique=names[0],
            group=group,
        )
    )


_FOUND_WITH = (
    ("Unique", "unique-rectangle"),
    ("BUG", "bug"),
    ("Direct Pointing", "pointing"),
    ("Direct Claiming", "claiming"),
    ("Direct Hidden Pair", "hidden-pair"),
    ("Direct Hidden Triple", "hidden-triple"),
    ("Nishio", "nishio"),
    ("Cell", "multiple-forcing-chains"),
    ("House", "multiple-forcing-chains"),
    ("Dynamic", "dynamic-forcing-chains"),
    ("Nested", "nested-forcing-chains"),
)
"""What to choose for names of steps that are no techniques of their own; chains for all others."""


def barred_alone(techniques: TechniquesLike) -> int:
    """Return what `barred_by` does of techniques that alone solve a puzzle: one of them must fill cells."""
    barred = barred_by(techniques, None)
    if all(barred >> code & 1 for code in _FILLING):
        text = "no technique of techniques={words} fills a cell, so these alone solve no puzzle: {way}"
        words = ",".join(_words_of("techniques", techniques))
        way = f"techniques=singles,{words}"
        raise UnidokuError(Message(text, words=words, way=way))
    return barred


def barred_by(techniques: TechniquesLike | None, without: TechniquesLike | None) -> int:
    """Return the techniques that a choice leaves out: bit t for the technique with code t.

    A direct step fills a cell, so it is left out without hidden singles.

    Raises
    ------
    UnidokuError
        A word means no technique, or nothing is left.
    """
    if techniques is None and without is None:
        return 0
    chosen = _codes()["all"]
    if techniques is not None:
        words = _words_of("techniques", techniques)
        chosen = frozenset[int]().union(*(_techniques_of("techniques", word) for word in words))
    if without is not None:
        for word in _words_of("without", without):
            chosen -= _techniques_of("without", word)
    if codes.HIDDEN_SINGLE not in chosen:
        chosen -= {*_DIRECT}
    if not chosen:
        raise UnidokuError(Message("no technique is left; choose one at least, such as singles"))
    return sum(1 << code for code in range(1, codes.TECHNIQUES) if code not in chosen)
