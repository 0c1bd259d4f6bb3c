"""What people call the steps of the scale: the names, other words for them, and names without a step.

Native code recognises the name of a step that was found (``native/rating/names.pxi``); no search, rating or
order depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from unidoku.arguments import choices_near, text, wrong_type
from unidoku.errors import Message, UnidokuError
from unidoku.native.rating import codes

_ANY = (6.5, 20.0)  # lengths of chains have no bound
_BUG_1 = "bug+1"  # the one name with this sign
_CHAINS_OF = ("Double", "Cell", "House", "Contradiction")  # one code after another
_NAMES = {
    codes.NO_NAME: ("", (0.0, 0.0)),
    codes.NAME_FULL_HOUSE: ("Full House", (1.0, 1.0)),
    codes.NAME_HIDDEN_SINGLE: ("Hidden Single", (1.2, 1.5)),
    codes.NAME_DIRECT_POINTING: ("Direct Pointing", (1.7, 1.7)),
    codes.NAME_DIRECT_CLAIMING: ("Direct Claiming", (1.9, 1.9)),
    codes.NAME_DIRECT_HIDDEN_PAIR: ("Direct Hidden Pair", (2.0, 2.0)),
    codes.NAME_NAKED_SINGLE: ("Naked Single", (2.3, 2.3)),
    codes.NAME_DIRECT_HIDDEN_TRIPLE: ("Direct Hidden Triple", (2.5, 2.5)),
    codes.NAME_POINTING: ("Locked Candidates (Pointing)", (2.6, 2.6)),
    codes.NAME_CLAIMING: ("Locked Candidates (Claiming)", (2.8, 2.8)),
    codes.NAME_NAKED_PAIR: ("Naked Pair", (3.0, 3.0)),
    codes.NAME_X_WING: ("X-Wing", (3.2, 3.2)),
    codes.NAME_HIDDEN_PAIR: ("Hidden Pair", (3.4, 3.4)),
    codes.NAME_NAKED_TRIPLE: ("Naked Triple", (3.6, 3.6)),
    codes.NAME_SWORDFISH: ("Swordfish", (3.8, 3.8)),
    codes.NAME_HIDDEN_TRIPLE: ("Hidden Triple", (4.0, 4.0)),
    codes.NAME_XY_WING: ("XY-Wing", (4.2, 4.2)),
    codes.NAME_XYZ_WING: ("XYZ-Wing", (4.4, 4.4)),
    **{
        codes.NAME_RECTANGLE_1 + number - 1: (f"Unique Rectangle Type {number}", (4.5, 5.0))
        for number in range(1, 5)
    },
    codes.NAME_UNIQUE_LOOP: ("Unique Loop", (4.6, 5.6)),
    codes.NAME_NAKED_QUADRUPLE: ("Naked Quadruple", (5.0, 5.0)),
    codes.NAME_JELLYFISH: ("Jellyfish", (5.2, 5.2)),
    codes.NAME_HIDDEN_QUADRUPLE: ("Hidden Quadruple", (5.4, 5.4)),
    codes.NAME_BUG_1: ("BUG+1", (5.6, 5.6)),
    **{codes.NAME_BUG_1 + number - 1: (f"BUG Type {number}", (5.7, 6.2)) for number in range(2, 5)},
    codes.NAME_ALIGNED_PAIR: ("Aligned Pair Exclusion", (6.2, 6.2)),
    codes.NAME_SKYSCRAPER: ("Skyscraper", (6.6, 6.6)),
    codes.NAME_KITE: ("2-String Kite", (6.6, 6.6)),
    codes.NAME_TURBOT_FISH: ("Turbot Fish", (6.6, 6.6)),
    codes.NAME_SIMPLE_COLORS: ("Simple Colors", _ANY),
    codes.NAME_X_CHAIN: ("X-Chain", _ANY),
    codes.NAME_X_CHAIN_LOOP: ("X-Chain Loop", _ANY),
    codes.NAME_REMOTE_PAIR: ("Remote Pair", _ANY),
    codes.NAME_XY_CHAIN: ("XY-Chain", _ANY),
    codes.NAME_XY_CHAIN_LOOP: ("XY-Chain Loop", _ANY),
    codes.NAME_W_WING: ("W-Wing", (7.1, 7.1)),
    codes.NAME_AIC: ("AIC", (7.0, 20.0)),
    codes.NAME_NICE_LOOP: ("Continuous Nice Loop", (7.0, 20.0)),
    codes.NAME_DISCONTINUOUS_LOOP: ("AIC (Discontinuous Loop)", (7.0, 20.0)),
    codes.NAME_ALIGNED_TRIPLET: ("Aligned Triplet Exclusion", (7.5, 7.5)),
    codes.NAME_NISHIO: ("Nishio Forcing Chain", (7.5, 20.0)),
    codes.NAME_CELL_CHAINS: ("Cell Forcing Chains", (8.0, 20.0)),
    codes.NAME_HOUSE_CHAINS: ("House Forcing Chains", (8.0, 20.0)),
    **{
        codes.NAME_DYNAMIC_DOUBLE + place: (f"Dynamic {kind} Forcing Chains", (8.5, 20.0))
        for place, kind in enumerate(_CHAINS_OF)
    },
    **{
        codes.NAME_NESTED_DOUBLE + place: (f"Nested {kind} Forcing Chains", (9.5, 20.0))
        for place, kind in enumerate(_CHAINS_OF)
    },
}
NAMES: Final = dict(map(_NAMES.__getitem__, range(codes.NAMES)))
"""The names by their codes, with the lowest and the highest rating of their steps; code 0 is none."""

_GROUPS = {
    "locked candidates": "Locked Candidates (Pointing), Locked Candidates (Claiming)",
    "unique rectangle, uniqueness test, UR": ", ".join(f"Unique Rectangle Type {k}" for k in range(1, 5)),
    "BUG, bivalue universal grave": "BUG+1, BUG Type 2, BUG Type 3, BUG Type 4",
    "last digit, last cell": "Full House",
    "pointing, pointing pair, pointing triple, locked candidates type 1": "Locked Candidates (Pointing)",
    "claiming, box line reduction, locked candidates type 2": "Locked Candidates (Claiming)",
    "naked triplet": "Naked Triple",
    "hidden triplet": "Hidden Triple",
    "direct hidden triplet": "Direct Hidden Triple",
    "naked quad": "Naked Quadruple",
    "hidden quad": "Hidden Quadruple",
    "Y-wing": "XY-Wing",
    **{
        f"UR {k}, UR type {k}, uniqueness test {k}, unique rectangle {k}": f"Unique Rectangle Type {k}"
        for k in range(1, 5)
    },
    "BUG type 1": "BUG+1",
    "kite, two string kite": "2-String Kite",
    "turbot": "Turbot Fish",
    "simple coloring, simple colouring, simple colours, coloring, colouring, colors": "Simple Colors",
    "X-cycle": "X-Chain Loop, Simple Colors",
    "Y-cycle": "XY-Chain Loop",
    "alternating inference chain": "AIC, AIC (Discontinuous Loop)",
    "discontinuous nice loop, discontinuous loop": "AIC (Discontinuous Loop)",
    "nice loop, XY-cycle": "Continuous Nice Loop",
    "Nishio": "Nishio Forcing Chain",
    "region forcing chains": "House Forcing Chains",
    "multiple forcing chains": "Cell Forcing Chains, House Forcing Chains",
    **{
        f"{kind} forcing chains": ", ".join(name for name in NAMES if name.startswith(kind))
        for kind in ("Dynamic", "Nested")
    },
}
"""Other words for names, and words for several of them."""

_CHAINS = "Turbot Fish, X-Chain or AIC"
_UNTAKEN = "Remote Pair"
"""Its cells have two digits, two and two in a house, so the naked pairs, which are easier, come first.

Then each digit has no other place in these houses, and the cells are a shorter X-chain. So only lists of all
steps of a position have it.
"""
_ABSENT = {
    "remote pair": (_UNTAKEN, "Naked Pair, then Skyscraper, Turbot Fish, Simple Colors or X-Chain"),
    "empty rectangle, ER": ("Empty Rectangle", _CHAINS),
    "finned X-wing, finned swordfish, finned jellyfish, finned fish": ("finned fish", _CHAINS),
    "sashimi X-wing, sashimi swordfish, sashimi jellyfish, sashimi fish": ("sashimi fish", _CHAINS),
    "Franken fish, Franken swordfish, mutant fish, mutant swordfish, squirmbag, whale, leviathan": (
        "larger, Franken and mutant fish",
        "X-Chain or Nishio Forcing Chain",
    ),
    "Sue de Coq, two sector disjoint subsets, SDC": (
        "Sue de Coq",
        "Aligned Pair Exclusion, AIC or Cell Forcing Chains",
    ),
    "ALS, almost locked set, ALS XZ, ALS XY wing, ALS chain": (
        "almost locked sets",
        "AIC, Aligned Pair Exclusion or Cell Forcing Chains",
    ),
    "death blossom": ("Death Blossom", "Cell Forcing Chains"),
    "WXYZ-wing": ("WXYZ-Wing", "Aligned Pair Exclusion or Cell Forcing Chains"),
    "hidden rectangle, avoidable rectangle, hidden unique rectangle": (
        "Hidden and Avoidable Rectangle",
        "Unique Rectangle Type 1 to 4 or AIC",
    ),
    "unique rectangle type 5, unique rectangle type 6, uniqueness test 5, uniqueness test 6, UR 5, UR 6": (
        "Unique Rectangle Type 5 and 6",
        "Unique Rectangle Type 1 to 4 or AIC",
    ),
    "multi colors, multi colours, multi coloring, multi colouring": ("Multi Colors", "X-Chain"),
    "grouped X-chain, grouped AIC, grouped chain, grouped nice loop": (
        "grouped chains",
        "House Forcing Chains",
    ),
    "Kraken fish": ("Kraken Fish", "House Forcing Chains"),
    "exocet, junior exocet, senior exocet": ("Exocet", "Nested Forcing Chains"),
    "template, pattern overlay, templates": ("templates", "Nishio Forcing Chain"),
}


def word_key(word: str) -> str:
    """Return a word without hyphens, blanks, case and plural."""
    return re.sub("[^a-z0-9]", "", word.lower()).removesuffix("s")


@cache
def _codes() -> dict[str, tuple[int, ...]]:
    """Return the codes of the names by the keys of all words."""
    return {
        **{word_key(name): (code,) for code, name in enumerate(NAMES) if name not in ("", _UNTAKEN)},
        **{
            word_key(word): tuple(map([*NAMES].index, names.split(", ")))
            for words, names in _GROUPS.items()
            for word in words.split(", ")
        },
    }


@cache
def _absent() -> dict[str, tuple[str, str]]:
    """Return what the scale has instead by the keys of all words."""
    return {word_key(word): entry for words, entry in _ABSENT.items() for word in words.split(", ")}


def codes_of(word: str, field: str = "name") -> tuple[int, ...]:
    """Return the codes of the names that a word means: ``2-string kite``, ``kite``, ``unique rectangle``.

    Raises
    ------
    TypeError
        The word, which `field` names, is no text.
    UnidokuError
        The scale has no step of this name; the error says what it has instead.
    """
    key = word_key(text(field, word))
    if codes := _codes().get(key):
        return codes
    if key in _absent():
        name, instead = _absent()[key]
        raise UnidokuError(
            Message(
                "Sudoku Explainer's scale has no step for {name}; it finds {instead} instead",
                name=name,
                instead=instead,
            )
        )
    names = (name for name in NAMES if name not in ("", _UNTAKEN))
    raise UnidokuError(
        Message(
            "name must not be {word}; {choices}",
            word=repr(word[:40]),
            choices=choices_near(word, names),
        )
    )


def words_of(uses: Any) -> list[Any]:
    """Return the words of the names that steps of a path have: a text is one."""
    if not isinstance(uses, str | Iterable):
        raise wrong_type("uses", "a text or texts", uses)
    words = [uses] if isinstance(uses, str) else [*uses]
    if any("+" in word and word.strip().lower() != _BUG_1 for word in words if isinstance(word, str)):
        several = ",".join(word.strip() for word in "+".join(words).split("+"))
        raise UnidokuError(
            Message("uses: several names are separated by commas: uses={several}", several=several)
        )
    return words


def names_of(word: str) -> tuple[str, ...]:
    """Return the names that a word means; errors as for `codes_of`."""
    return tuple([*NAMES][code] for code in codes_of(word))
