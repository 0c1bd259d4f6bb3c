"""The techniques of the scale, what people call their steps, and the words of people for both.

Native code recognises the name of a step that was found (``native/rating/names.pxi``); no search, rating or
order depends on a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple, TypeAlias

from unidoku.arguments import choices_near, text, wrong_type
from unidoku.errors import Message, UnidokuError
from unidoku.native.rating import codes

_ANY = (6.5, 20.0)  # lengths of chains have no bound
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
NAMES: tuple[str, ...]
NAMES, _RANGES = zip(*map(_NAMES.__getitem__, range(codes.NAMES)), strict=True)
"""The names by their codes, and the lowest and the highest rating of their steps; code 0 is none."""

_TECHNIQUES = {
    codes.HIDDEN_SINGLE: ("hidden single", "hidden single"),
    codes.DIRECT_POINTING: ("direct pointing", "direct intersection"),
    codes.DIRECT_CLAIMING: ("direct claiming", "direct intersection"),
    codes.DIRECT_HIDDEN_PAIR: ("direct hidden pair", "direct hidden"),
    codes.NAKED_SINGLE: ("naked single", "naked single"),
    codes.DIRECT_HIDDEN_TRIPLET: ("direct hidden triplet", "direct hidden"),
    codes.POINTING: ("pointing", "intersection"),
    codes.CLAIMING: ("claiming", "intersection"),
    codes.NAKED_PAIR: ("naked pair", "naked"),
    codes.X_WING: ("X-wing", "fish"),
    codes.HIDDEN_PAIR: ("hidden pair", "hidden"),
    codes.NAKED_TRIPLET: ("naked triplet", "naked"),
    codes.SWORDFISH: ("swordfish", "fish"),
    codes.HIDDEN_TRIPLET: ("hidden triplet", "hidden"),
    codes.XY_WING: ("XY-wing", "XY-wing"),
    codes.XYZ_WING: ("XYZ-wing", "XYZ-wing"),
    codes.UNIQUE_RECTANGLE: ("unique rectangle", "loop"),
    codes.UNIQUE_LOOP: ("unique loop", "loop"),
    codes.NAKED_QUAD: ("naked quad", "naked"),
    codes.JELLYFISH: ("jellyfish", "fish"),
    codes.HIDDEN_QUAD: ("hidden quad", "hidden"),
    codes.BUG: ("BUG", "BUG"),
    codes.ALIGNED_PAIR_EXCLUSION: ("aligned pair exclusion", "exclusion"),
    codes.X_CYCLE: ("X-cycle", "cycle"),
    codes.Y_CYCLE: ("Y-cycle", "cycle"),
    codes.FORCING_X_CHAIN: ("forcing X-chain", "chain"),
    codes.XY_CYCLE: ("XY-cycle", "cycle"),
    codes.FORCING_CHAIN: ("forcing chain", "chain"),
    codes.ALIGNED_TRIPLET_EXCLUSION: ("aligned triplet exclusion", "exclusion"),
    codes.NISHIO: ("Nishio", "chains"),
    codes.MULTIPLE_FORCING_CHAINS: ("multiple forcing chains", "chains"),
    codes.DYNAMIC_FORCING_CHAINS: ("dynamic forcing chains", "chains"),
    codes.DYNAMIC_PLUS: ("dynamic forcing chains (+)", "chains"),
    codes.DYNAMIC_FORCING_CHAINS_PLUS: ("dynamic forcing chains (+ forcing chains)", "chains"),
    codes.DYNAMIC_MULTIPLE_PLUS: ("dynamic forcing chains (+ multiple forcing chains)", "chains"),
    codes.DYNAMIC_DYNAMIC_PLUS: ("dynamic forcing chains (+ dynamic forcing chains)", "chains"),
    codes.DYNAMIC_DYNAMIC_FORCING_CHAINS_PLUS: (
        "dynamic forcing chains (+ dynamic forcing chains (+ forcing chains))",
        "chains",
    ),
}
"""The techniques by their codes, with their families."""

FAMILIES = dict(map(_TECHNIQUES.__getitem__, range(1, codes.TECHNIQUES)))
"""Each technique from the easiest on, with its family.

The steps of a family have one sentence, those of ``chains``, which have several, one for each kind of chain.
"""

TECHNIQUES = ("", *FAMILIES)
"""The techniques by their codes, from the easiest on; code 0 is none."""

_CYCLES = (codes.NAME_XY_CHAIN_LOOP, codes.NAME_REMOTE_PAIR, codes.NAME_NICE_LOOP)
_NAMES_OF = {
    codes.HIDDEN_SINGLE: (codes.NAME_FULL_HOUSE, codes.NAME_HIDDEN_SINGLE),
    **{code: (code + 1,) for code in range(codes.DIRECT_POINTING, codes.XYZ_WING + 1)},  # in the same order
    codes.UNIQUE_RECTANGLE: range(codes.NAME_RECTANGLE_1, codes.NAME_RECTANGLE_4 + 1),
    **{code: (code + 4,) for code in range(codes.UNIQUE_LOOP, codes.HIDDEN_QUAD + 1)},
    codes.BUG: range(codes.NAME_BUG_1, codes.NAME_BUG_4 + 1),
    codes.ALIGNED_PAIR_EXCLUSION: (codes.NAME_ALIGNED_PAIR,),
    codes.X_CYCLE: (codes.NAME_SIMPLE_COLORS, codes.NAME_X_CHAIN_LOOP),
    codes.Y_CYCLE: _CYCLES,
    codes.FORCING_X_CHAIN: range(codes.NAME_SKYSCRAPER, codes.NAME_X_CHAIN + 1),
    codes.XY_CYCLE: _CYCLES,
    codes.FORCING_CHAIN: (
        *(codes.NAME_REMOTE_PAIR, codes.NAME_XY_CHAIN, codes.NAME_DISCONTINUOUS_LOOP),
        *(codes.NAME_W_WING, codes.NAME_AIC),
    ),
    codes.ALIGNED_TRIPLET_EXCLUSION: (codes.NAME_ALIGNED_TRIPLET,),
    codes.NISHIO: (codes.NAME_NISHIO,),
    codes.MULTIPLE_FORCING_CHAINS: (codes.NAME_CELL_CHAINS, codes.NAME_HOUSE_CHAINS),
    **dict.fromkeys(
        (codes.DYNAMIC_FORCING_CHAINS, codes.DYNAMIC_PLUS),
        range(codes.NAME_DYNAMIC_DOUBLE, codes.NAME_DYNAMIC_DOUBLE + 4),
    ),
    **dict.fromkeys(
        range(codes.DYNAMIC_FORCING_CHAINS_PLUS, codes.TECHNIQUES),
        range(codes.NAME_NESTED_DOUBLE, codes.NAME_NESTED_DOUBLE + 4),
    ),
}
"""The names that steps of a technique may have, by their codes, as native code gives them."""
_LOWEST_OF = {
    codes.FORCING_X_CHAIN: 66,
    codes.XY_CYCLE: 70,
    codes.FORCING_CHAIN: 70,
    codes.DYNAMIC_PLUS: 90,
    codes.DYNAMIC_MULTIPLE_PLUS: 100,
    codes.DYNAMIC_DYNAMIC_PLUS: 105,
    codes.DYNAMIC_DYNAMIC_FORCING_CHAINS_PLUS: 110,
}
"""The lowest rating in tenths of techniques whose names have lower ones."""


class StepRange(NamedTuple):
    """A technique and a name that its steps may have, by their codes, and the ratings of these, in tenths."""

    technique: int
    name: int
    lowest: int
    highest: int


@cache
def step_ranges() -> tuple[StepRange, ...]:
    """Return all techniques with their names and ratings."""
    return tuple(
        StepRange(technique, name, max(round(10 * low), _LOWEST_OF.get(technique, 0)), round(10 * high))
        for technique, names in _NAMES_OF.items()
        for name in names
        for low, high in [_RANGES[name]]
    )


_NAME_WORDS = {
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

_OTHER_CHAINS = "Turbot Fish, X-Chain or AIC"
_UNTAKEN = "Remote Pair"
"""Its cells have two digits, two and two in a house, so the naked pairs, which are easier, come first.

Then each digit has no other place in these houses, and the cells are a shorter X-chain. So only lists of all
steps of a position have it.
"""
_ABSENT = {
    "remote pair": (_UNTAKEN, "Naked Pair, then Skyscraper, Turbot Fish, Simple Colors or X-Chain"),
    "empty rectangle, ER": ("Empty Rectangle", _OTHER_CHAINS),
    "finned X-wing, finned swordfish, finned jellyfish, finned fish": ("finned fish", _OTHER_CHAINS),
    "sashimi X-wing, sashimi swordfish, sashimi jellyfish, sashimi fish": ("sashimi fish", _OTHER_CHAINS),
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
def _names_by_word() -> dict[str, tuple[int, ...]]:
    """Return the codes of the names by the keys of all words."""
    return {
        **{word_key(name): (code,) for code, name in enumerate(NAMES) if name not in ("", _UNTAKEN)},
        **{
            word_key(word): tuple(map(NAMES.index, names.split(", ")))
            for words, names in _NAME_WORDS.items()
            for word in words.split(", ")
        },
    }


@cache
def _absent_names() -> dict[str, tuple[str, str]]:
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
    if codes := _names_by_word().get(key):
        return codes
    if key in _absent_names():
        name, instead = _absent_names()[key]
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


def words_of(field: str, words: TechniquesLike) -> list[str]:
    """Return words one by one: of a text, those with commas between them."""
    several = words.split(",") if isinstance(words, str) else words
    if not isinstance(several, Iterable):
        raise wrong_type(field, "a text or texts", words)
    return [text(field, word).strip() for word in several]


def names_of(word: str) -> tuple[str, ...]:
    """Return the names that a word means; errors as for `codes_of`."""
    return tuple(NAMES[code] for code in codes_of(word))


def technique_of(word: str) -> tuple[str]:
    """Return the technique that a word means; the error about a name says how names are asked for."""
    key = _key(text("technique", word))
    for technique in FAMILIES:
        if _key(technique) == key:
            return (technique,)
    try:
        codes_of(word)
    except UnidokuError:
        message = Message(
            "{column}: there is no {word}; {choices}",
            column="technique",
            word=repr(word[:40]),
            choices=choices_near(word, FAMILIES),
        )
        raise UnidokuError(message) from None
    raise UnidokuError(Message("{word} is a name, not a technique: name={word}", word=word))


def _key(word: str) -> str:
    """Return a word as `word_key` has it; the names of nested chains differ by their signs."""
    return word_key(word.replace("+", "plus"))


TechniquesLike: TypeAlias = "str | Iterable[str]"
"""Words with commas between them, or one by one."""

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
    "unique rectangle, UR, unique loop": (codes.UNIQUE_RECTANGLE, codes.UNIQUE_LOOP),
    "BUG, bivalue universal grave": (codes.BUG,),
    "aligned pair exclusion": (codes.ALIGNED_PAIR_EXCLUSION,),
    "aligned triplet exclusion": (codes.ALIGNED_TRIPLET_EXCLUSION,),
    "chains": (*range(codes.X_CYCLE, codes.FORCING_CHAIN + 1),),
    "Nishio": (codes.NISHIO,),
    "multiple forcing chains": (codes.MULTIPLE_FORCING_CHAINS,),
    "dynamic forcing chains": (codes.DYNAMIC_FORCING_CHAINS, codes.DYNAMIC_PLUS),
    "nested forcing chains": (*range(codes.DYNAMIC_FORCING_CHAINS_PLUS, codes.TECHNIQUES),),
}
"""The words for a technique, or for several that are found together."""

_TECHNIQUE_GROUPS = {
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
def _techniques_by_word() -> dict[str, frozenset[int]]:
    """Return the codes of the techniques by the keys of all words."""
    found = {
        word_key(word): frozenset(technique)
        for words, technique in _ONE.items()
        for word in words.split(", ")
    }
    for words, parts in _TECHNIQUE_GROUPS.items():
        union = frozenset[int]().union(*(found[word_key(part)] for part in parts.split(", ")))
        found |= dict.fromkeys(map(word_key, words.split(", ")), union)
    return found


_DIRECT = {code for code in range(1, codes.TECHNIQUES) if FAMILIES[TECHNIQUES[code]].startswith("direct")}
_PROOFS = (codes.FORCING_X_CHAIN, codes.FORCING_CHAIN, *range(codes.NISHIO, codes.TECHNIQUES))
_FILLING = (codes.HIDDEN_SINGLE, codes.NAKED_SINGLE, *_PROOFS)
"""The techniques that fill cells by themselves: singles, and chains that prove a digit."""

WORDS = tuple(words.split(", ")[0].lower().replace(" ", "-") for words in (*_ONE, *_TECHNIQUE_GROUPS))
"""The words of techniques, then those of groups, as the command line has them."""


def _techniques_of(field: str, word: str) -> frozenset[int]:
    """Return the codes of the techniques that a word means."""
    if found := _techniques_by_word().get(word_key(word)):
        return found
    try:
        code, *_ = codes_of(word)
    except UnidokuError as error:
        message = Message("{name}: {message}", name=field, message=error)
        if "scale has no step" not in str(error):
            choices, shown = choices_near(word, WORDS), repr(word[:40])
            message = Message(
                "{name}: {word} is no technique; {choices}", name=field, word=shown, choices=choices
            )
        raise UnidokuError(message) from None
    own = {step.technique for step in step_ranges() if step.name == code}
    group = next(word for word, techniques in zip(WORDS, _ONE.values(), strict=False) if own & {*techniques})
    text = "{name}: {technique} is found together with others; choose {group}"
    raise UnidokuError(Message(text, name=field, technique=NAMES[code], group=group))


def barred_alone(techniques: TechniquesLike) -> int:
    """Return what `barred_by` does of techniques that alone solve a puzzle: one of them must fill cells."""
    barred = barred_by(techniques, None)
    if all(barred >> code & 1 for code in _FILLING):
        text = "no technique of techniques={words} fills a cell, so these alone solve no puzzle: {way}"
        words = ",".join(words_of("techniques", techniques))
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
    chosen = _techniques_by_word()["all"]
    if techniques is not None:
        words = words_of("techniques", techniques)
        chosen = frozenset[int]().union(*(_techniques_of("techniques", word) for word in words))
    if without is not None:
        for word in words_of("without", without):
            chosen -= _techniques_of("without", word)
    if codes.HIDDEN_SINGLE not in chosen:
        chosen -= _DIRECT
    if not chosen:
        raise UnidokuError(Message("no technique is left; choose one at least, such as singles"))
    return sum(1 << code for code in range(1, codes.TECHNIQUES) if code not in chosen)
