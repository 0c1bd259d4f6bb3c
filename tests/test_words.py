"""Words of each language: the same keys and fields, and the choice of a language."""

from __future__ import annotations

import string

import pytest
from command import loaded, run
from example_puzzles import MULTIPLE, NONE, UNIQUE

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


BOOK = ("作业", "题给", "格值", "归0", "归 0", "分量", "行单元", "列单元", "小宫", "预设置", "九宫格")
"""Words of the book, for which the field has others: docs/zh.md."""


def test_only_the_method_of_the_book_has_its_words():
    of_book = {
        f"{group} {key}"
        for group, words in table("zh").items()
        for key, text in words.items()
        if any(word in text for word in BOOK)
    }
    others = [name for name in of_book if not name.startswith(("method ", "book "))]
    assert others == ["sheets results"]  # of a series, as in its chapter 4
    assert not [name for name in of_book if "diagnose" in name]


def test_a_diagnosis_says_what_check_says():
    names = table("zh")["counts"]
    for puzzle, word in ((UNIQUE, "unique"), (MULTIPLE, "multiple"), (NONE, "none")):
        title = run("diagnose", puzzle, "--lang", "zh").stdout.splitlines()[0]
        assert run("check", puzzle, "--lang", "zh").stdout.strip() == names[word]
        assert set(names[word]) <= set(title)
    assert "第1行中同为 1" in run("diagnose", "11" + "." * 79, "--lang", "zh").stdout
