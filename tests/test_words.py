"""Words of each language: the same keys and fields, and the choice of a language."""

from __future__ import annotations

import string

import pytest
from command import loaded

from unidoku import UnidokuError
from unidoku.cli import COMMANDS
from unidoku.rating.names import NAMES
from unidoku.rating.scale import DIFFICULTIES, TECHNIQUES
from unidoku.words import LANGUAGES, table

ENGLISH = table("en")


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_has_each_word_with_the_same_fields(lang):
    words = table(lang)
    assert words.keys() == ENGLISH.keys()
    for group, texts in words.items():
        assert texts.keys() == ENGLISH[group].keys(), group
        for key, text in texts.items():
            assert fields(text) == fields(ENGLISH[group][key]), (group, key)
            assert bool(text) == bool(ENGLISH[group][key]) or key == "space", (group, key)


def test_chinese_is_not_english():
    equal_texts = {
        (group, key)
        for group, texts in table("zh").items()
        for key, text in texts.items()
        if text == ENGLISH[group][key] and text.strip()
    }
    assert equal_texts == {("page", "holds"), ("names", "BUG+1")}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_technique_name_and_difficulty_has_a_word(lang):
    groups = (("techniques", TECHNIQUES[1:]), ("names", [*NAMES][1:]), ("difficulties", DIFFICULTIES))
    for group, keys in groups:
        assert [*table(lang)[group]] == [*keys]
        assert len(set(table(lang)[group].values())) == len(keys)


def test_another_language_is_refused():
    with pytest.raises(UnidokuError, match="invalid language 'fr'; choose from: en, zh"):
        table("fr")


def test_each_command_offers_these_languages():
    choices = {}
    for name in COMMANDS:
        for parameter in loaded(name).params:
            if "--lang" in parameter.opts:
                choices[name] = tuple(parameter.type.choices)
    assert set(choices.values()) == {LANGUAGES}
    assert choices.keys() >= {"diagnose", "explain", "hint"}
