"""The techniques of the scale, the usual names of their steps, and the words of people for both.

The tables are in `unidoku._words.steps`.
Native code recognises the name of a step that was found (``_native/rating/names.pxi``); no search, rating or
order depends on a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple, TypeAlias

from unidoku._arguments import choices_near, near, string, wrong_type
from unidoku._native.rating import codes
from unidoku._words import steps
from unidoku.errors import ArgumentError, Message, UnidokuError

FAMILIES = {technique.name: technique.family for technique in steps.TECHNIQUES}
"""Each technique from the easiest on, with its family."""

TECHNIQUES = ("", *FAMILIES)
"""The techniques by their codes, from the easiest on; code 0 is none."""

NAMES = ("", *(name.title for name in steps.NAMES))
"""The names by their codes; code 0 is none."""


class StepRange(NamedTuple):
    """A technique and a name of some of its steps, by their codes, and the ratings of these steps."""

    technique: int
    name: int
    lowest: float
    highest: float


@cache
def step_ranges() -> tuple[StepRange, ...]:
    """Return all techniques with their names and ratings."""
    return tuple(
        StepRange(code, number, max(technique.lowest, name.lowest), name.highest)
        for number, name in enumerate(steps.NAMES, 1)
        for code, technique in enumerate(steps.TECHNIQUES, 1)
        if technique.name in name.techniques
    )


_UNTAKEN = "Remote Pair"
"""Its cells have two digits, two and two in a house, so the naked pairs, which are easier, come first.

Then each digit has no other place in these houses, and the cells are a shorter X-chain. So only lists of all
steps of a position have it.
"""


_PAGE = "docs/rating.md"
"""The page that lists all names and techniques."""


def word_key(word: str) -> str:
    """Return a word without hyphens, blanks, case and plural."""
    return re.sub("[^a-z0-9]", "", word.lower()).removesuffix("s")


@cache
def _names_by_word() -> dict[str, tuple[int, ...]]:
    """Return the codes of the names by the keys of all words."""
    found = dict[str, tuple[int, ...]]()
    for code, name in enumerate(steps.NAMES, 1):
        for word in (name.title, *name.words) if name.title != _UNTAKEN else ():
            found[word_key(word)] = (*found.get(word_key(word), ()), code)
    return found


@cache
def _absent_names() -> dict[str, tuple[str, str]]:
    """Return what the scale has instead by the keys of all words."""
    return {word_key(word): (name, instead) for words, name, instead in steps.ABSENT for word in words}


def codes_of(word: str, field: str = "name") -> tuple[int, ...]:
    """Return the codes of the names that a word means: ``2-string kite``, ``kite``, ``unique rectangle``.

    Raises
    ------
    TypeError
        The word, which `field` names, is not a text.
    UnidokuError
        The scale has no step of this name; the error says what it has instead.
    """
    key = word_key(string(field, word))
    if codes := _names_by_word().get(key):
        return codes
    if key in _absent_names():
        name, instead = _absent_names()[key]
        raise ArgumentError(
            Message(
                "Sudoku Explainer's scale has no step for {name}; it finds {instead} instead",
                name=name,
                instead=instead,
            )
        )
    raise ArgumentError(
        Message(
            "{column}: unknown {word}; {choices}",
            column=field,
            word=repr(word[:40]),
            choices=choices_near(word, _names(), listed=_PAGE),
        )
    )


def _names() -> list[str]:
    """Return the names of steps."""
    return [name for name in NAMES if name not in ("", _UNTAKEN)]


def _choices(word: str, techniques: Iterable[str], before: str = "") -> Message:
    """Return the end of an error about an unknown technique: near techniques, or else the nearest name."""
    techniques = [*techniques]
    names = near(word, _names())
    if names and not near(word, techniques):
        return Message("did you mean {words}?", words=f"{before}{names[0]}")
    return choices_near(word, techniques, listed=_PAGE)


def words_of(field: str, words: TechniquesLike) -> list[str]:
    """Return words one by one: of a text, those with commas between them."""
    several = words.split(",") if isinstance(words, str) else words
    if not isinstance(several, Iterable):
        raise wrong_type(field, "a text or texts", words)
    return [string(field, word).strip() for word in several]


def names_of(word: str, field: str = "name") -> tuple[str, ...]:
    """Return the names that a word means; errors as for `codes_of`."""
    return tuple(NAMES[code] for code in codes_of(word, field))


def is_technique_alone(word: str) -> bool:
    """Return whether a word is a technique and no name, such as ``forcing X-chain``."""
    if word_key(word) in _names_by_word():
        return False
    return _key(word) in map(_key, FAMILIES)


def words_for(field: str, word: str) -> frozenset[str]:
    """Return the names that a word means, or its technique: a person can have read it in either column."""
    return frozenset(technique_of(word) if is_technique_alone(word) else names_of(word, field))


def technique_of(word: str) -> tuple[str]:
    """Return the technique that a word means; the error about a name says how names are asked for."""
    techniques = dict(zip(map(_key, FAMILIES), FAMILIES, strict=True))
    if technique := techniques.get(_key(string("technique", word))):
        return (technique,)
    try:
        codes_of(word)
    except UnidokuError:
        message = Message(
            "{column}: unknown {word}; {choices}",
            column="technique",
            word=repr(word[:40]),
            choices=_choices(word, FAMILIES, "name="),
        )
        raise ArgumentError(message) from None
    raise ArgumentError(Message("{word} is a name, not a technique; write name={word}", word=word))


def _key(word: str) -> str:
    """Return a word as `word_key` has it; the names of nested chains differ by their signs."""
    return word_key(word.replace("+", "plus"))


TechniquesLike: TypeAlias = "str | Iterable[str]"
"""Words with commas between them, or one by one."""

# A direct step is one of the technique after which a hidden single follows at once.
_ONE = {
    "hidden single, full house": "hidden single",
    "naked single": "naked single",
    "pointing, pointing pair, pointing triple, locked candidates (pointing), locked candidates type 1": (
        "direct pointing, pointing"
    ),
    "claiming, box line reduction, locked candidates (claiming), locked candidates type 2": (
        "direct claiming, claiming"
    ),
    "naked pair": "naked pair",
    "hidden pair": "direct hidden pair, hidden pair",
    "naked triple, naked triplet": "naked triplet",
    "hidden triple, hidden triplet": "direct hidden triplet, hidden triplet",
    "naked quad, naked quadruple": "naked quad",
    "hidden quad, hidden quadruple": "hidden quad",
    "X-wing": "X-wing",
    "swordfish": "swordfish",
    "jellyfish": "jellyfish",
    "XY-wing, Y-wing": "XY-wing",
    "XYZ-wing": "XYZ-wing",
    "unique rectangle, UR, unique loop": "unique rectangle, unique loop",
    "BUG, bivalue universal grave": "BUG",
    "aligned pair exclusion": "aligned pair exclusion",
    "aligned triplet exclusion": "aligned triplet exclusion",
    "chains": "X-cycle, Y-cycle, forcing X-chain, XY-cycle, forcing chain",
    "Nishio": "Nishio",
    "multiple forcing chains": "multiple forcing chains",
    "dynamic forcing chains": "dynamic forcing chains, dynamic forcing chains (+)",
    "nested forcing chains": ", ".join(TECHNIQUES[-4:]),
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
"""The words for groups, and their techniques."""


@cache
def _techniques_by_word() -> dict[str, frozenset[int]]:
    """Return the codes of the techniques by the keys of all words."""
    found = {
        word_key(word): frozenset(map(TECHNIQUES.index, techniques.split(", ")))
        for words, techniques in _ONE.items()
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
"""The words of techniques, then of groups, as the command line has them."""


def _techniques_of(field: str, word: str) -> frozenset[int]:
    """Return the codes of the techniques that a word means."""
    if found := _techniques_by_word().get(word_key(word)):
        return found
    try:
        code, *_ = codes_of(word)
    except UnidokuError as error:
        message = Message("{name}: {message}", name=field, message=error)
        if "scale has no step" not in str(error):
            choices, shown = _choices(word, WORDS), repr(word[:40])
            message = Message(
                "{name}: unknown technique {word}; {choices}", name=field, word=shown, choices=choices
            )
        raise ArgumentError(message) from None
    own = {step.technique for step in step_ranges() if step.name == code}
    group = next(word for word in WORDS if own & _techniques_by_word()[word_key(word)])
    text = "{name}: {technique} is only found with other techniques; choose {group}"
    raise ArgumentError(Message(text, name=field, technique=NAMES[code], group=group))


def barred_alone(techniques: TechniquesLike) -> int:
    """Return the result of `barred_by` for techniques that must solve a puzzle: one of them fills cells."""
    barred = barred_by(techniques, None)
    if all(barred >> code & 1 for code in _FILLING):
        text = "techniques={words} cannot solve a puzzle, because none of them fills a cell; write {way}"
        words = ",".join(words_of("techniques", techniques))
        way = f"techniques=singles,{words}"
        raise ArgumentError(Message(text, words=words, way=way))
    return barred


def barred_by(techniques: TechniquesLike | None, without: TechniquesLike | None) -> int:
    """Return the techniques that a choice excludes: bit t for the technique with code t.

    A direct step fills a cell, so it is excluded without hidden singles.

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
        raise ArgumentError(Message("no technique is left; choose at least one, such as singles"))
    return sum(1 << code for code in range(1, codes.TECHNIQUES) if code not in chosen)
