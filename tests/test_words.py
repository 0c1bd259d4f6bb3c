"""Words of each language: the same keys and fields, and the choice of a language."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path

import pytest
from command import loaded, run
from example_puzzles import UNIQUE
from rich.cells import cell_len

import unidoku.errors
import unidoku.words
from unidoku import UnidokuError
from unidoku.cli import COMMANDS
from unidoku.cli.language_help import CODES
from unidoku.rating.names import NAMES
from unidoku.rating.scale import DIFFICULTIES, TECHNIQUES
from unidoku.words import LANGUAGES, table, wrap

ENGLISH = table("en")
FOLDER = Path(unidoku.words.__file__).parent


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_has_each_word_with_the_same_fields(lang):
    words = {group: texts for group, texts in table(lang).items() if group != "help"}
    assert words.keys() == ENGLISH.keys()
    for group, texts in words.items():
        assert texts.keys() == ENGLISH[group].keys(), group
        for key, text in texts.items():
            assert fields(text) == fields(ENGLISH[group][key]), (group, key)
            assert bool(text) == bool(ENGLISH[group][key]) or key == "space", (group, key)


SAME = {("page", "holds"), ("names", "BUG+1")}
"""Texts that may be as in English in any language."""


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_every_text_is_translated(lang):
    """It names those that are not: the recipe of CONTRIBUTING.md for a language."""
    texts = json.loads((FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    missing = {
        (group, key)
        for group, entries in ENGLISH.items()
        for key, text in entries.items()
        if texts.get(group, {}).get(key) in {None, text} and text.strip()
    }
    assert missing - SAME == set()


def helps_wanted() -> set[str]:
    """Return the keys of all that the helps of commands say in English."""
    wanted = {"command ", "codes", *(f"command {name}" for name in COMMANDS)}
    for command in map(loaded, COMMANDS):
        wanted |= {f"option {option.name}" for option in command.options}
        wanted |= {f"column {column}" for column in command.columns}
        shown = (option.show_default for option in command.options)
        wanted |= {f"default {text}" for text in shown if isinstance(text, str) and not names_alone(text)}
    return wanted


def names_alone(text: str) -> bool:
    """Return whether a default is a list of columns."""
    return set(text.split(", ")) <= {column for name in COMMANDS for column in loaded(name).columns}


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_each_text_of_a_help_is_translated(lang, monkeypatch):
    """The test names those that have none in a language; the English ones are in the code."""
    helps = table(lang)["help"]
    assert helps_wanted() - helps.keys() == set()
    monkeypatch.setattr(sys, "argv", ["unidoku", "--lang", lang])
    for name in COMMANDS:
        english, codes, _ = loaded(name).help.partition(CODES)
        assert len(helps[f"command {name}"].split("\n\n")) == len(english.strip().split("\n\n")), name
        text = run("help", name, code=0).stdout
        assert helps[f"command {name}"][:8] in text
        assert (helps["codes"] in text.replace("\n  ", "")) == bool(codes)
        assert max(map(cell_len, text.split("\n"))) <= 80
        assert "default" not in text.partition(":\n  unidoku")[0].replace("--", "")
        assert "message and exit" not in text
    text = run("help", "--lang", lang, code=0).stdout
    assert all(name in text for name in COMMANDS)


@pytest.mark.slow
def test_a_language_is_one_file(tmp_path):
    """A file beside the others is a language of the options, of the environment and of pages."""
    folder = shutil.copytree(FOLDER, tmp_path / "words")
    french = json.loads((folder / "en.json").read_text(encoding="utf-8"))
    del french["rating"]["stop"]  # what is not translated is English
    french["language"]["name"] = "français"
    french["rating"]["hidden single"] = "Unique caché : {house}, {digit}, {cell}"
    french["errors"]["no file"] = "fichier introuvable"
    (folder / "fr.json").write_text(json.dumps(french), encoding="utf-8")
    start = (
        "import importlib.util as u, sys;"
        f"spec = u.spec_from_file_location('unidoku.words', {str(folder / '__init__.py')!r});"
        "module = sys.modules['unidoku.words'] = u.module_from_spec(spec); spec.loader.exec_module(module);"
        "from unidoku.cli import main; main()"
    )
    names = {name: os.environ[name] for name in os.environ if name not in {"LC_ALL", "LC_MESSAGES", "LANG"}}

    def run_here(*words, **environment):
        command = [sys.executable, "-c", start, *words]
        variables = names | {"PYTHONUTF8": "1"} | environment
        return subprocess.run(
            command, capture_output=True, env=variables, timeout=100, encoding="utf-8", check=False
        )

    page = tmp_path / "page.html"
    for words, environment in ((["--lang", "fr"], {}), ([], {"LANG": "fr_FR.UTF-8"})):
        assert "Unique caché : box 2, 8, r1c6" in run_here("hint", UNIQUE, *words, **environment).stdout
        assert "fichier introuvable" in run_here("hint", "gone.txt", *words, **environment).stderr
        run_here("explain", UNIQUE, "-o", str(page), *words, **environment)
        assert '<html lang="fr">' in page.read_text(encoding="utf-8")
        assert "Unique caché" in page.read_text(encoding="utf-8")
    assert "en|fr|zh" in run_here("hint", "--help").stdout
    assert run_here("hint", UNIQUE, LANG="de_DE.UTF-8").stdout.startswith("Hidden single: in box 2")


def messages():
    """Yield the calls of `Message` in the sources, each as a node of its syntax."""
    for path in FOLDER.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message":
                yield node


def test_the_messages_of_errors_are_in_the_words():
    """Each has its key, and the English text that programs get."""
    found: dict[str, set[str]] = {}
    for node in messages():
        key, text = node.args
        if isinstance(key, ast.Constant):
            found.setdefault(key.value, set()).add(getattr(text, "value", None))
            given = {field.arg for field in node.keywords}
            assert None in given or given >= fields(ENGLISH["errors"][key.value])
    assert found.keys() | {"row", "column", "box"} == ENGLISH["errors"].keys()
    for key, texts in found.items():
        assert texts - {None} <= {ENGLISH["errors"][key]}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_technique_name_and_difficulty_has_a_word(lang):
    groups = (("techniques", TECHNIQUES[1:]), ("names", [*NAMES][1:]), ("difficulties", DIFFICULTIES))
    for group, keys in groups:
        assert [*table(lang)[group]] == [*keys]
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
    assert others == ["sheets results"]  # of a series, as in its chapter 4
    assert not [name for name in of_book if "diagnose" in name]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_lines_of_a_terminal_part_no_word(width):
    """All stays but blanks at the ends of lines; each is as full as it can be, if a word fits on a line."""
    for lang in ("en", "zh"):
        for text in table(lang)["errors"].values():
            lines = wrap(text, width)
            assert "".join("".join(lines).split()) == "".join(text.split())
            assert all(cell_len(line) <= width for line in lines)
            if max(map(cell_len, re.findall(r"[!-~]+", text)), default=0) < width // 2:
                words = re.findall(r"[A-Za-z]+", text)
                assert re.findall(r"[A-Za-z]+", " ".join(lines)) == words
                assert not any(line[:1] in "，。；：、）" for line in lines[1:] if line)
    assert wrap(UNIQUE, 40) == [UNIQUE[:40], UNIQUE[40:80], UNIQUE[80:]]
    assert wrap("a  b\n\n  c", 9) == ["a  b", "", "  c"]
