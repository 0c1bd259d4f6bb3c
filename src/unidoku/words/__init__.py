"""The words of each language: a table each, ``en.json`` and ``zh.json``, with the same keys and fields."""

from __future__ import annotations

import os
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from unidoku.arguments import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

Language: TypeAlias = Literal["en", "zh"]

LANGUAGES: tuple[Language, ...] = ("en", "zh")


def language_of_environment() -> Language:
    """Return Chinese if the first of LC_ALL, LC_MESSAGES and LANG that is set begins with zh."""
    names = filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG")))
    return "zh" if next(names, "").lower().startswith("zh") else "en"


TO_ASCII = str.maketrans(
    {
        **{"≠": "<>", "→": "->", "⇒": "=>"},
        **dict(zip("⊙④·─━│┃╋", "@#.-=:|#", strict=True)),
        **dict.fromkeys("┼╂┿┏┳┓┯┗┻┛┷┠┨┣┫", "+"),
    }
)
"""The signs, marks and drawn lines of reports -> what stands for them in ASCII."""


def table(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Return the words of a language by group and key; refuse another language."""
    return _table(one_of("language", lang, LANGUAGES))


@cache
def _table(lang: str) -> Mapping[str, Mapping[str, str]]:
    import json  # not at the top: a check starts faster

    # not by importlib.resources, whose import takes 10 ms
    with open(os.path.join(os.path.dirname(__file__), f"{lang}.json"), encoding="utf-8") as file:
        words: Mapping[str, Mapping[str, str]] = json.load(file)
    return words


class Said:
    """The texts of a group in one language."""

    group = ""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The texts by key; they are read when the first is said, so that a check starts faster."""
        return table(self.lang)[self.group]

    def say(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in."""
        return self.words[key].format(**fields)
