"""The words of each language: a table each, ``en.json`` and ``zh.json``, with the same keys and fields."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, TypeAlias

from unidoku.errors import UnidokuError

if TYPE_CHECKING:
    from collections.abc import Mapping

Language: TypeAlias = Literal["en", "zh"]

LANGUAGES: tuple[Language, ...] = ("en", "zh")

LANG_HELP = "Print English (en) or Chinese (zh)."
"""The help of the option ``--lang``."""


@cache
def table(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Return the words of a language by group and key; refuse another language."""
    if lang not in LANGUAGES:
        raise UnidokuError(f"invalid language {lang!r}; choose from: {', '.join(LANGUAGES)}")
    import json  # not at the top: a check starts faster

    words: Mapping[str, Mapping[str, str]] = json.loads(
        files("unidoku.words").joinpath(f"{lang}.json").read_text(encoding="utf-8")
    )
    return words


class Said:
    """The texts of a group in one language."""

    group = ""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang
        self.words = table(lang)[self.group]

    def say(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in."""
        return self.words[key].format(**fields)
