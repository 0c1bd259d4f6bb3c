"""Catalogs of languages: all texts with their fields, and the choice of a language."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path

import pytest
from cases import in_turn
from command import loaded, run
from example_puzzles import UNIQUE
from rich.cells import cell_len

from unidoku import UnidokuError
from unidoku._cli import command_names
from unidoku._cli.terminal import CODES
from unidoku._words import LANGUAGES, LOCALE, catalog, table, wrap
from unidoku.rating._names import NAMES, TECHNIQUES
from unidoku.rating._scale import DIFFICULTIES

TOOL = Path(__file__).resolve().parents[1] / "tools" / "words.py"
CATALOG = Path("LC_MESSAGES", "unidoku.po")

babel = pytest.importorskip("babel.messages")


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def parts(text) -> list[str]:
    return [text] if isinstance(text, str) else [*text]


def read(lang: str):
    """Return the entries of a catalog."""
    from babel.messages.pofile import read_po

    path = Path(LOCALE) / lang / CATALOG
    if not path.is_file():
        pytest.skip("a wheel has compiled catalogs alone")
    with path.open("rb") as file:
        return [message for message in read_po(file) if message.id]


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_a_translation_has_no_field_that_its_text_has_not(lang):
    for message in read(lang):
        known = set().union(*map(fields, parts(message.id)))
        assert set().union(*map(fields, parts(message.string))) <= known, message.id


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_a_catalog_has_each_text_of_the_code_and_no_other(lang):
    """It names those that are not: the recipe of CONTRIBUTING.md for a language."""
    spec = importlib.util.spec_from_file_location("catalogs", TOOL)
    if not TOOL.is_file():
        pytest.skip("the folder tools is not here")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    said = {(message.context, str(message.id)) for message in tool.texts() if message.id}
    translated = {(each.context, str(each.id)) for each in read(lang) if all(parts(each.string))}
    assert said - translated == set()
    assert translated - said == set()


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_each_help_is_in_the_language_and_fits_a_terminal(lang):
    for name in command_names():
        text = run("help", name, "--lang", lang, code=0).stdout
        assert (catalog(lang).gettext(CODES) in text.replace("\n  ", "")) == (CODES in loaded(name).help)
        assert max(map(cell_len, text.split("\n"))) <= 80
        assert "default:" not in text
        assert "message and exit" not in text
    text = run("help", "--lang", lang, code=0).stdout
    assert all(name in text for name in command_names())


def test_a_language_is_one_file(tmp_path):
    """A catalog beside the others is a language of the options, of the environment and of pages."""
    from babel.messages.mofile import write_mo

    package = Path(LOCALE).parent
    names = shutil.ignore_patterns("*.c", "__pycache__")
    copy = tmp_path / "unidoku"
    shutil.copytree(package / "_words", copy / "_words", ignore=names)
    folder = shutil.copytree(LOCALE, copy / "locale", ignore=shutil.ignore_patterns("fr"))  # it may be there
    french = babel.Catalog(locale="fr")
    hidden = table("en")["rating"]["hidden single"]
    french.add(hidden, "Unique caché : {house}, {digit}, {cell}", context="rating.hidden single")
    french.add("English", "français", context="language.name")
    french.add("No such file or directory", "fichier introuvable")
    path = folder / "fr" / CATALOG.with_suffix(".mo")
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, french)
    start = (
        "import importlib.util as u, sys;"
        f"spec = u.spec_from_file_location('unidoku._words', {str(copy / '_words' / '__init__.py')!r});"
        "module = sys.modules['unidoku._words'] = u.module_from_spec(spec); spec.loader.exec_module(module);"
        "from unidoku._cli import main; main()"
    )
    environment_here = {
        name: os.environ[name] for name in os.environ if name not in {"LC_ALL", "LC_MESSAGES", "LANG"}
    }

    def run_here(*words, **environment):
        command = [sys.executable, "-c", start, *words]
        variables = environment_here | {"PYTHONUTF8": "1"} | environment
        return subprocess.run(
            command, capture_output=True, env=variables, timeout=100, encoding="utf-8", check=False
        )

    page = tmp_path / "page.html"
    assert "Unique caché : box 2, 8, r1c6" in run_here("hint", UNIQUE, LANG="fr_FR.UTF-8").stdout
    assert "fichier introuvable" in run_here("hint", "gone.txt", "--lang", "fr").stderr
    run_here("explain", UNIQUE, "-o", str(page), "--lang", "fr")
    assert '<html lang="fr">' in page.read_text(encoding="utf-8")
    assert "Unique caché" in page.read_text(encoding="utf-8")
    assert run_here("hint", UNIQUE, LANG="de_DE.UTF-8").stdout.startswith("Hidden single: in box 2")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_technique_name_and_difficulty_has_a_word(lang):
    groups = (("techniques", TECHNIQUES[1:]), ("names", NAMES[1:]), ("difficulties", DIFFICULTIES))
    for group, keys in groups:
        assert table(lang)[group].keys() == {*keys}
        assert len(set(table(lang)[group].values())) == len(keys)


def test_another_language_is_refused():
    with pytest.raises(UnidokuError, match=f"invalid language 'xx'; choose from: {', '.join(LANGUAGES)}"):
        table("xx")


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
    assert others == []
    assert not [name for name in of_book if "diagnose" in name]


def texts_of(lang: str) -> list[str]:
    """Return the texts that stand in the code, in a language."""
    texts = [message.id for message in read(LANGUAGES[1]) if not message.context]
    return [catalog(lang).gettext(text) for text in texts if isinstance(text, str)]


@in_turn
@pytest.mark.parametrize("width", [20, 40, 80])
def test_lines_of_a_terminal_part_no_word(width):
    """All stays but blanks at the ends of lines; each is as full as it can be, if a word fits on a line."""
    for lang in ("en", "zh"):
        for text in texts_of(lang):
            lines = wrap(text, width)
            assert "".join("".join(lines).split()) == "".join(text.split())
            assert all(cell_len(line) <= width for line in lines)
            if max(map(cell_len, re.findall(r"[!-~]+", text)), default=0) < width // 2:
                words = re.findall(r"[A-Za-z]+", text)
                assert re.findall(r"[A-Za-z]+", " ".join(lines)) == words
                assert not any(line[:1] in "，。；：、）" for line in lines[1:] if line)
    assert wrap(UNIQUE, 40) == [UNIQUE[:40], UNIQUE[40:80], UNIQUE[80:]]
    assert wrap("a  b\n\n  c", 9) == ["a  b", "", "  c"]
