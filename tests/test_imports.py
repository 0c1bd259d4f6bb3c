"""Modules that a start without need would wait for."""

import importlib
import subprocess
import sys

import pytest
from example_puzzles import UNIQUE

ALONE = "dataclasses numpy"
"""Modules that one puzzle does not need."""

TERMINAL = "import sys; sys.stdout.isatty = lambda: True;"

ONE_PUZZLE = (
    *(f"unidoku.{name}('{UNIQUE}')" for name in ("canonical", "diagnose", "explain", "minimize", "trace")),
    f"unidoku.canonical('{UNIQUE}', form='solution')",
    f"unidoku.verify('{UNIQUE}', unidoku.solve('{UNIQUE}').line)",
    f"unidoku.transform('{UNIQUE}', unidoku.Transformation.from_index(1))",
    "unidoku.generate()",
    "unidoku.generate(seed=1, clues=(24, 28), symmetry='180')",
)
"""Calls that have one puzzle."""

COMMANDS = (
    *(f"{name} {UNIQUE}" for name in ("canonical", "check", "count", "diagnose", "explain", "link")),
    *(f"{name} {UNIQUE}" for name in ("minimize", "rate", "solve", "steps", "trace")),
    *(f"{name} in.txt -o o.csv" for name in ("canonical", "check", "minimize", "rate", "solve", "steps")),
    *(f"{name} in.csv -o o.{form}" for name in ("check", "solve") for form in ("csv", "jsonl")),
    *(f"generate {words}" for words in ("-n 1", "--seed 1 --clues 24-28 --to csv", "--solutions -o o.csv")),
    "solve in.txt -o o.jsonl",
)
"""Commands that have one puzzle."""

STATEMENTS = {
    "import unidoku, unidoku.tasks": "asyncio click numpy re rich",
    f"import unidoku; unidoku.check('{UNIQUE}')": (
        f"{ALONE} unidoku.options unidoku.table unidoku.task unidoku.tasks.check unidoku.files"
    ),
    f"import unidoku; unidoku.solve('{UNIQUE}')": ALONE,
    f"import unidoku; unidoku.count('{UNIQUE}')": ALONE,
    f"import unidoku; unidoku.solutions('{UNIQUE}')": ALONE,
    f"import unidoku; unidoku.examine('{UNIQUE}')": "numpy unidoku.table.column",
    "import unidoku; unidoku.check_file('in.txt', 'o.csv')": "bz2 lzma numpy rich shutil",
    "import unidoku; unidoku.check_file('in.txt', 'o.parquet')": "pandas pyarrow.compute",
    "import unidoku; unidoku.run(unidoku.tasks.Convert(), 'in.parquet', 'o.csv')": "pandas",
    "from unidoku.cli import cli; cli(['--help'])": "numpy",
    f"from unidoku.cli import cli; cli(['solve', '{UNIQUE}'])": "numpy",
    f"from unidoku.cli import cli; cli(['hint', '{UNIQUE}'])": "numpy",
    f"{TERMINAL} from unidoku.cli import cli; cli(['hint', '{UNIQUE}'])": "numpy",
    f"{TERMINAL} from unidoku.cli import cli; cli(['rate', '{UNIQUE}'])": "numpy",
    f"import unidoku; list(map(str, unidoku.steps('{UNIQUE}')))": "numpy",
    f"import unidoku; unidoku.rate('{UNIQUE}')": "numpy",
    **{f"import unidoku; print({call})": "numpy" for call in ONE_PUZZLE},
    **{f"from unidoku.cli import cli; cli({words.split()})": "numpy" for words in COMMANDS},
    "from unidoku.cli import cli; cli(['check', '--quiet', 'in.txt'])": (
        "asyncio concurrent csv json logging numpy rich unidoku.grid unidoku.table.result"
    ),
}
"""A statement -> the modules that it must not import."""


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_imports_no_heavy_module(statement, tmp_path):
    if "parquet" in statement:
        parquet = pytest.importorskip("pyarrow.parquet")
        table = importlib.import_module("pyarrow").table({"puzzle": [UNIQUE], "level": [3]})
        parquet.write_table(table, tmp_path / "in.parquet")
    (tmp_path / "in.txt").write_text(UNIQUE)
    (tmp_path / "in.csv").write_text(f"puzzle,id\n{UNIQUE},1\n")
    lines = [
        f"import sys; sys.path[:0] = {sys.path!r}",
        f"try: {statement}",
        "except SystemExit: pass",
        f"print(*({set(STATEMENTS[statement].split())!r} & sys.modules.keys()))",
    ]
    command = [sys.executable, "-S", "-c", "\n".join(lines)]
    process = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert process.stdout.split("\n")[-2] == ""


FOR_ARRAYS = {"unidoku.learning.environments", "unidoku.tasks.check_many"}
"""The modules that import NumPy itself; they are loaded where there are arrays."""


def test_no_other_module_imports_numpy():
    code = f"""import importlib, pkgutil, sys, unidoku
names = {{module.name for module in pkgutil.walk_packages(unidoku.__path__, "unidoku.")}}
for name in sorted(names - {FOR_ARRAYS} - {{"unidoku.__main__"}}):
    if not name.startswith("unidoku.native."):
        importlib.import_module(name)
        assert "numpy" not in sys.modules, name"""
    subprocess.run([sys.executable, "-c", code], check=True)
