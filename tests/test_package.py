"""The top of the house: lazy names, version, nothing heavy at import."""

import copy
import pickle
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import unidoku


def test_version_is_the_distribution_s():
    assert unidoku.__version__ == version("unidoku")


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("CITATION.cff", r"^version: (.*)$"),
        ("conda/recipe.yaml", r'^  version: "(.*)"$'),
        ("CHANGELOG.md", r"^## (\d.*)$"),
    ],
)
def test_other_files_name_the_same_version(name, pattern):
    text = (Path(__file__).resolve().parents[1] / name).read_text(encoding="utf-8")
    assert re.search(pattern, text, re.MULTILINE)[1] == unidoku.__version__


@pytest.mark.parametrize("name", unidoku.__all__)
def test_every_public_name_exists(name):
    assert getattr(unidoku, name) is not None
    assert name in dir(unidoku)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = unidoku.nonsense


def test_import_loads_nothing_heavy():
    code = (
        "import sys, unidoku; print(*sorted({'numpy', 'rich', 'click', 'asyncio', 're'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


def test_errors_of_files_are_errors_of_the_system_too(tmp_path):
    with pytest.raises(OSError, match=r"none\.txt"):
        unidoku.check_file(tmp_path / "none.txt")
    error = unidoku.OutputError("cannot write", file="a.txt")
    assert isinstance(error, OSError)
    assert isinstance(error, ValueError)
    assert (str(error), error.file, error.message) == ("a.txt: cannot write", "a.txt", "cannot write")
    assert str(pickle.loads(pickle.dumps(error))) == str(copy.copy(error)) == str(error)
    assert isinstance(unidoku.InputError.__new__(unidoku.InputError), OSError)


def test_a_verdict_is_true_for_a_proper_puzzle_only():
    assert [verdict for verdict in unidoku.Verdict if verdict] == [unidoku.Verdict.UNIQUE]
