"""The words of each language: a file each, such as ``en.json``, with the same keys and fields."""

from __future__ import annotations

import os
import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

from unidoku.arguments import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

Language: TypeAlias = str
"""The name of a file of words, without its suffix."""

_FOLDER = os.path.dirname(__file__)

LANGUAGES: tuple[Language, ...] = (
    "en",
    *sorted({name[:-5] for name in os.listdir(_FOLDER) if name.endswith(".json")} - {"en"}),
)
"""The languages that have words: English, and each other file."""


def language_of_environment() -> Language:
    """Return the language of the first of LC_ALL, LC_MESSAGES and LANG that is set, or English."""
    names = filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG")))
    name = next(names, "").lower().replace("-", "_")
    matches = (lang for lang in LANGUAGES if name.startswith(lang.lower()))
    return max(matches, key=len, default="en")  # pt_br rather than pt


def help_text(lang: Language, key: str, text: str) -> str:
    """Return a text of the helps of commands in a language; English ones stand in the code."""
    return table(lang).get("help", {}).get(key, text)


def letters(lang: Language) -> str:
    """Return the name of a language in its own letters, by which an encoding is tried."""
    return table(lang)["language"]["name"]


TO_ASCII = str.maketrans(
    {
        **{"≠": "<>", "→": "->", "⇒": "=>"},
        **dict(zip("⊙④·─━│┃╋", "@#.-=:|#", strict=True)),
        **dict.fromkeys("┼╂┿┏┳┓┯┗┻┛┷┠┨┣┫", "+"),
    }
)
"""The signs, marks and drawn lines of reports -> what stands for them in ASCII."""


_UNIT = r"\s+|[（《「【(\[]*(?:[!-\u2e7f]+|\S)[，。；：、！？）》」】)\]]*"
"""What stands on one line: a word, a Chinese character, each with the signs that close or open it; blanks.

One range, as Python compiles several ranges of Unicode for six milliseconds.
"""


def wrap(text: str, width: int) -> list[str]:
    """Return a text in lines of a width; a Chinese character takes two columns, and no word is parted."""
    from rich.cells import cell_len, chop_cells

    lines = list[str]()
    for paragraph in text.split("\n"):
        line, size = "", 0
        for unit in re.findall(_UNIT, paragraph):
            part = unit
            if size + cell_len(part) > width and not part.isspace():
                lines += [line.rstrip()] if line.strip() else []
                line, size = "", 0
                if cell_len(part) > width:  # nothing parts it, as the 81 characters of a puzzle
                    *whole, part = chop_cells(part, width)
                    lines += whole
            line, size = line + part, size + cell_len(part)
        lines.append(line.rstrip())
    return lines


def table(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Return the words of a language by group and key; refuse another language."""
    return _table(one_of("language", lang, LANGUAGES))


@cache
def _table(lang: str) -> Mapping[str, Mapping[str, str]]:
    import json  # not at the top: a check starts faster

    # not by importlib.resources, whose import takes 10 ms
    with open(os.path.join(_FOLDER, f"{lang}.json"), encoding="utf-8") as file:
        words: dict[str, dict[str, str]] = json.load(file)
    if lang != "en":  # what is not translated is English
        whole = {group: {**texts, **words.get(group, {})} for group, texts in _table("en").items()}
        words = {**words, **whole}
    return words


class Texts:
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
