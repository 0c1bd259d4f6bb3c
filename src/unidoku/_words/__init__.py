"""The languages of unidoku: its texts are English, and the catalogs of gettext translate them.

A language is a file ``locale/LANG/LC_MESSAGES/unidoku.po``, which the build compiles; untranslated texts are
English. A text is written where it is used, or in the tables of `unidoku._words.texts`.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from unidoku._arguments import one_of
from unidoku._compat import cached_property
from unidoku.cell import HOUSE_NAMES, cell_name
from unidoku.errors import UnidokuError

Language: TypeAlias = str
"""The name of a folder of ``locale``, or en."""

DOMAIN, LOCALE = "unidoku", os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")
"""The name of the catalogs, and their folder."""

LANGUAGES: tuple[Language, ...] = (
    "en",
    *sorted(name for name in os.listdir(LOCALE) if os.path.isdir(os.path.join(LOCALE, name))),
)
"""The languages: English, and the languages of the catalogs."""


@cache
def catalog(lang: Language) -> gettext.NullTranslations:
    """Return the translations of a language; refuse another one, and one that the build has not compiled."""
    one_of("language", lang, LANGUAGES)
    try:
        return gettext.translation(DOMAIN, LOCALE, [lang], fallback=lang == "en")
    except FileNotFoundError:
        reason = f"the texts of {lang} are not compiled: run python setup.py build_ext --inplace"
        raise UnidokuError(reason) from None


@contextmanager
def speaking(lang: Language) -> Iterator[None]:
    """Say everything in a language, including click's own texts, for which gettext reads the environment."""
    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    os.environ["LANGUAGE"] = lang
    gettext.bindtextdomain(DOMAIN, LOCALE)
    gettext.textdomain(DOMAIN)
    try:
        yield
    finally:
        gettext.textdomain(domain)
        del os.environ["LANGUAGE"]
        if before is not None:
            os.environ["LANGUAGE"] = before


def language() -> Language:
    """Return the language of the command that runs, English without one."""
    if gettext.textdomain() == DOMAIN:
        return os.environ["LANGUAGE"]
    return "en"


def say(text: str, /, **fields: object) -> str:
    """Return a text in the language of the command that runs, with its fields filled in."""
    # the catalog's header is the translation of ""
    if text:
        text = catalog(language()).gettext(text)
    if fields:
        return text.format(**fields)
    return text


@cache
def table(lang: Language) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of the tables in a language, by group and key."""
    from unidoku._words.texts import TEXTS  # not at the top: a check needs none

    def translated(context: str, text: str) -> str:
        # the translation of "" is the catalog's header
        if text:
            return catalog(lang).pgettext(context, text)
        return text

    return {
        group: {key: translated(f"{group}.{key}", text) for key, text in texts.items()}
        for group, texts in TEXTS.items()
    }


_UNIT = r"\s+|[（《「【(\[]*(?:[!-\u2e7f]+|\S)[，。；：、！？）》」】)\]]*"
"""A unit of a line: a word or a Chinese character, each with its opening and closing marks; or blanks.

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


_CELL = re.compile("r[1-9]c[1-9]")


def renamed(text: str, name: Callable[[int], str]) -> str:
    """Return a text with the names that a function gives to cells 0 to 80, which texts call ``r4c2``."""
    names = _names_by(name)
    return _CELL.sub(lambda match: names[match[0]], text)


@lru_cache(maxsize=8)
def _names_by(name: Callable[[int], str]) -> dict[str, str]:
    return {cell_name(cell): name(cell) for cell in range(81)}


def translatable(text: str) -> str:
    """Return a text that is said later: catalogs find it by this call."""
    return text


class Texts:
    """The texts of a group in one language."""

    group: str
    lang: str

    def __init__(self, group: str, lang: str = "en") -> None:
        self.group, self.lang = group, lang

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The texts by key; they are read when the first is said, so that a check starts faster."""
        return table(self.lang)[self.group]

    def say(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in."""
        return self.words[key].format(**fields)

    def join(self, items: Iterable[object]) -> str:
        """Return the items as a list in the language."""
        return self.words["list"].join(map(str, items))

    def house(self, house: int | str | None) -> str:
        """Return the name of a house 0 to 26, band or stack, which is ``row 3`` in English."""
        if isinstance(house, int):
            return self._houses[house]
        kind, number = str(house).split()
        return self.say(kind, n=number)

    @cached_property
    def _houses(self) -> list[str]:
        """The names of the houses 0 to 26."""
        return [*map(self.house, HOUSE_NAMES)]


class Line(NamedTuple):
    """One line of a report, and its style if there is color.

    In a picture, places are emphasized, and spans (from a place, to a place) have a style of their own.
    """

    kind: str
    text: str
    emphasis: tuple[int, ...] = ()
    style: str = ""
    spans: tuple[tuple[int, int, str], ...] = ()
