"""A task of another package: in memory, over files, and as a command with everything that ours have."""

from __future__ import annotations

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
from array import array
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner
from command import end_by, run, started
from example_puzzles import UNIQUE as PUZZLE
from readback import rows_of

import unidoku
from unidoku.cli.tasks import command_of
from unidoku.errors import InvalidPuzzleError, UnidokuError
from unidoku.tasks.canonical import Canonical

ROOT = Path(__file__).resolve().parents[2]
FEW = "." * 80 + "1"
PAGE = (ROOT / "docs" / "own-tasks.md").read_text(encoding="utf-8")
SOURCE = PAGE.partition("```python\n")[2].partition("\n\npuzzle = ")[0]

MORE = '''

@dataclass(frozen=True)
class Cells(unidoku.Task):
    """List the clues of each puzzle, a row for each."""

    name = "cells"
    columns = {"cell": ("uint8", "the cell, 0 to 80"), "digit": ("uint8", "its digit")}

    def work(self, batch, need):
        of, cells = np.nonzero(batch.cells)
        return {"of": of, "cell": cells, "digit": batch.cells[of, cells]}


@dataclass(frozen=True)
class Judge(unidoku.Task):
    """Judge each puzzle."""

    name = "judge"
    columns = {"verdict": ("string", "the verdict")}

    def work(self, batch, need):
        found = unidoku.check_many(batch.cells)
        return {"verdict": [str(unidoku.Verdict(code)) for code in found.verdicts.tolist()]}


@dataclass(frozen=True)
class Turned(unidoku.Task):
    """Turn each puzzle by a half."""

    name = "turned"
    columns = {"puzzle": ("cells", ""), "first": ("uint8", "the first cell")}

    def work(self, batch, need):
        return {"puzzle": batch.cells[:, ::-1], "first": batch.cells[:, 80]}


@dataclass(frozen=True)
class Slow(unidoku.Task):
    """Wait."""

    name = "slow"
    columns = {"n": ("int64", "a number")}
    at_once = (1, 1, 1)

    def work(self, batch, need):
        import time

        for _ in range(20):
            time.sleep(0.01)
            if need.cancel:
                return None
        return {"n": np.arange(len(batch))}


@dataclass(frozen=True)
class Beyond(Clues):
    """Have a default that is not allowed."""

    bound: int = unidoku.option(99, "A bound.", most=81)
'''


def module():
    """The package of the page, with further tasks."""
    made = sys.modules["clues_pack"] = ModuleType("clues_pack")
    exec(SOURCE + MORE, vars(made))
    return vars(made)


OURS = module()
Clues, Cells, Judge, Turned = (OURS[name] for name in ("Clues", "Cells", "Judge", "Turned"))


def path_with(folder):
    """Where a process finds the modules of a folder, and unidoku, installed or not."""
    return os.pathsep.join([str(folder), str(Path(unidoku.__file__).parents[1])])


@pytest.fixture
def installed(tmp_path_factory, monkeypatch):
    """A folder of installed packages with that of the page."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "clues_pack.py").write_text(SOURCE + MORE)
    about = folder / "clues_pack-1.0.dist-info"
    about.mkdir()
    (about / "top_level.txt").write_text("clues_pack\n")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: clues-pack\nVersion: 1.0\n")
    tasks = [
        f"{name} = clues_pack:{name.title()}"
        for name in ("clues", "cells", "judge", "turned", "slow", "beyond")
    ]
    tasks += ["check = clues_pack:Clues", "broken = no_such_module:Task"]
    (about / "entry_points.txt").write_text("\n".join(["[unidoku.tasks]", *tasks]) + "\n")
    monkeypatch.delitem(sys.modules, "clues_pack")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", path_with(folder))
    return folder


@pytest.fixture
def table(tmp_path):
    """Three records with ids; the second is not a puzzle."""
    path = tmp_path / "in.jsonl"
    rows = [{"puzzle": text, "id": name} for text, name in ((PUZZLE, "a"), (PUZZLE[:80], "b"), (FEW, "c"))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# --- in memory ---


def test_a_result_has_columns_rows_and_reasons():
    found = unidoku.run_many(Clues(), [PUZZLE, PUZZLE[:80], FEW], errors="invalid")
    assert found.clues.tolist() == [30, 0, 1]
    assert found.few.tolist() == [False, False, True]
    assert tuple(found[2]) == (1, True, None)
    assert (found[1].clues, found[1].reason) == (None, "expected 81 cells, found 80")
    assert found[-1] == found[2]
    assert [row.clues for row in found] == [30, None, 1]
    assert (len(found), found.of.tolist(), list(found.reasons)) == (3, [0, 1, 2], [1])
    assert "Result of clues: 3 rows of clues, few" in repr(found)
    assert "<td>30</td>" in found._repr_html_()
    again = unidoku.run_many(Clues(), [PUZZLE, PUZZLE[:80], FEW], errors="invalid", threads=1)
    assert found == again
    assert found != unidoku.run_many(Clues(31), [PUZZLE, PUZZLE[:80], FEW], errors="invalid")
    with pytest.raises(AttributeError, match="nothing"):
        _ = found.nothing
    with pytest.raises(IndexError):
        _ = found[3]


def test_the_rows_of_a_result_are_records_of_one_class():
    found = unidoku.run_many(Clues(), [PUZZLE, PUZZLE[:80]], errors="invalid")
    assert {type(row) for row in found} == {type(found[0])}
    for row in found:
        for again in (pickle.loads(pickle.dumps(row)), copy.copy(row), copy.deepcopy(row)):
            assert (type(again), again._asdict()) == (type(row), row._asdict())


def test_a_puzzle_without_clues_is_one_in_a_record():
    found = unidoku.run_many(Canonical(), ["." * 81, PUZZLE[:80]], errors="invalid")
    assert [row.puzzle for row in found] == ["." * 81, None]


def test_a_row_that_is_no_puzzle_is_an_error():
    with pytest.raises(InvalidPuzzleError, match="row 1: expected 81 cells, found 80"):
        unidoku.run_many(Clues(), [PUZZLE, PUZZLE[:80]])


def test_results_are_the_same_for_any_form_and_any_number_of_threads():
    rows = unidoku.generate(9000, seed=1)
    one = unidoku.run_many(Clues(), rows, threads=1)
    assert one == unidoku.run_many(Clues(), rows, threads=5)
    assert one == unidoku.run_many(Clues(), [bytes(row) for row in rows])
    assert one.clues.tolist() == np.count_nonzero(rows, axis=1).tolist()


def test_a_puzzle_may_have_several_rows_or_none():
    found = unidoku.run_many(Cells(), [FEW, "." * 81, PUZZLE[:80], "12" + "." * 79], errors="invalid")
    assert found.of.tolist() == [0, 2, 3, 3]
    assert found.digit.tolist() == [1, 0, 1, 2]
    assert found[1].reason == "expected 81 cells, found 80"


def test_a_cancelled_call_gives_reasons():
    cancel = unidoku.Cancel()
    cancel.set()
    found = unidoku.run_many(Clues(), [PUZZLE, FEW], cancel=cancel)
    assert set(found.reasons.values()) == {"cancelled"}


def wrong(returned, declared=None):
    """A task that returns something."""

    @dataclass(frozen=True)
    class Wrong(unidoku.Task):
        name = "wrong"
        columns: ClassVar = declared or {"n": ("uint8", "a number"), "s": ("string", "a text")}

        def work(self, batch, need):
            return returned(batch) if callable(returned) else returned

    return Wrong()


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ({"n": [1], "s": ["a", "b"]}, "column 'n' has 1 values for 2 puzzles"),
        ({"n": [1, 2], "s": ["a", "b"], "m": [1, 2]}, "column 'm' is not declared; these are: n, s"),
        ({"n": [1, 2]}, "column 's' is declared, but was not returned"),
        ({"n": ["1", "2"], "s": ["a", "b"]}, "column 'n' is uint8, but the values are <U1"),
        ({"n": [1.5, 2], "s": ["a", "b"]}, "column 'n' is uint8, but the values are float64"),
        ({"n": [1, 300], "s": ["a", "b"]}, "column 'n' is uint8, which cannot hold all of the values"),
        ({"n": [1, 2], "s": [1, 2]}, "column 's' is string, but the values are int64"),
        ({"n": [1, 2], "s": np.array(["a", 2], object)}, "column 's' is string, but the values are object"),
        ({"n": [[1], [2]], "s": ["a", "b"]}, "column 'n' has the shape"),
        ({"n": [1], "s": ["a"], "of": [2]}, "column 'of' must be numbers of puzzles, 0 to 1, in ascending"),
        ({"n": [1, 2], "s": ["a", "b"], "reason": ["x"]}, "column 'reason' has 1 values for 2 puzzles"),
        ({"n": [1, 2], "s": ["a", "b"], "reason": {2: "x"}}, "column 'reason' has the number of a puzzle"),
        ({"n": array("d", [1, 2]), "s": ["a", "b"]}, "column 'n' is uint8, but the values are float64"),
        ({"n": [1, 2], "s": b"ab"}, "column 's' is string, but the values are uint8"),
        ({"n": [1, 2], "s": unidoku.Column.same("a", 3)}, "column 's' has 3 values for 2 puzzles"),
        ({"n": [1, 2], "s": unidoku.Column([0.0, 1], ("a", "b"))}, "column 's' is string, but the values"),
        ({"n": [1, 2], "s": unidoku.Column(bytes([0, 2]), ("a", "b"))}, "has a code that is not 0 to 1"),
        ({"n": [1, 2], "s": unidoku.Column([0, 1], (1, 2))}, "column 's' has words that are no texts"),
        (
            {"n": unidoku.Column([1, 2], valid=[True]), "s": ["a", "b"]},
            "column 'n' has a mask or `valid` of the",
        ),
        ({"n": [1, 2], "s": np.array(["a", "b"])[:, None]}, "column 's' has the shape (2, 1), not (2,)"),
        (None, "work returned None"),
        (np.array([1, 2]), "work must return a dict of columns, not array([1, 2])"),
        (lambda batch: (each for each in "ns"), "work must return a dict of columns, not <generator"),
        ({"n": [[1], [1, 2]], "s": ["a", "b"]}, "column 'n' has other values than are expected: ValueError"),
        ({"n": [1, 2], "s": unidoku.Column([0, 1], iter("ab"))}, "column 's' has other values than are"),
        ({"n": [1, 2], "s": ["a", "b"], "reason": "no"}, "column 'reason' has the shape (), not (2,)"),
        ({"n": [1, 2], "s": ["a", "b"], "reason": [["x"], ["y"]]}, "column 'reason' has the shape (2, 1)"),
        ({"n": [1], "s": ["a"], "of": [[0], [0, 1]]}, "column 'of' has other values than are expected"),
    ],
)
def test_what_work_returns_is_checked(returned, said, tmp_path):
    assert_refused(wrong(returned), said, tmp_path)


def assert_refused(task, said, folder):
    """What the task makes of two puzzles is refused in memory and over files, and nothing is written."""
    (folder / "in.txt").write_text(f"{PUZZLE}\n{FEW}\n")
    for call in (
        lambda: unidoku.run_many(task, [PUZZLE, FEW]),
        lambda: unidoku.run_file(task, folder / "in.txt", folder / "out.jsonl"),
    ):
        with pytest.raises(UnidokuError, match=f"task {task.name}: ") as raised:
            call()
        assert said in str(raised.value)
    assert not (folder / "out.jsonl").exists()


@dataclass(frozen=True)
class Lists(unidoku.Task):
    """A task with lists: the clues of the first row, and its cells."""

    name = "lists"
    columns: ClassVar = {
        "clues": ("uint8[]", "the digits"),
        "names": ("words[]", "their names"),
        "size": ("words", "few or many"),
        "row": ("uint8[9]", "the cells"),
    }
    returned: ClassVar[dict[str, object]] = {}

    def work(self, batch, need):
        first = batch.cells[:, :9]
        digits = first[first > 0]
        offsets = np.concatenate([[0], np.cumsum((first > 0).sum(axis=1))])
        names = tuple("zero one two three four five six seven eight nine".split())
        return {
            "clues": unidoku.Column(digits, offsets=offsets),
            "names": unidoku.Column(digits, names, offsets=offsets),
            "size": unidoku.Column(((first > 0).sum(axis=1) > 2).astype(int), ("few", "many")),
            "row": first,
        } | self.returned


def test_lists_and_words(tmp_path):
    rows = [([5, 3, 7], ["five", "three", "seven"], "many"), ([], [], "few")]
    found = unidoku.run_many(Lists(), [PUZZLE, "x", FEW], errors="invalid")
    assert [row[:3] for row in found] == [rows[0], (None, None, None), rows[1]]
    assert found.clues.tolist() == [[5, 3, 7], None, []]
    assert (found.row.shape, found[0].row) == ((3, 9), [5, 3, 0, 0, 7, 0, 0, 0, 0])
    assert found == unidoku.run_many(Lists(), [PUZZLE, "x", FEW], errors="invalid", threads=1)
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\nx\n{FEW}\n")
    for suffix in ("jsonl", "parquet", "arrow"):
        if suffix != "jsonl":
            pytest.importorskip("pyarrow")
        unidoku.run_file(Lists(), tmp_path / "in.txt", tmp_path / f"o.{suffix}")
        shown = [(row["clues"], row["names"], row["size"]) for row in rows_of(tmp_path / f"o.{suffix}")]
        assert shown == [rows[0], (None, None, None), rows[1]]
    unidoku.run_file(Lists(), tmp_path / "in.txt", tmp_path / "o.csv")
    first = rows_of(tmp_path / "o.csv")[0]
    assert [*first.values()][1:5] == ["5 3 7", "five three seven", "many", "5 3 0 0 7 0 0 0 0"]


@pytest.mark.parametrize(
    ("column", "returned", "said"),
    [
        ("clues", [[1], [2]], "column 'clues' has lists: return Column(values, offsets=…)"),
        ("clues", unidoku.Column([1], offsets=[0, 1]), "column 'clues' has 1 lists for 2 puzzles"),
        ("clues", unidoku.Column([1], offsets=[0, 1, 2]), "offsets that do not ascend from 0 to 1"),
        ("clues", unidoku.Column([1, 2], offsets=[0, 3, 2]), "offsets that do not ascend from 0 to 2"),
        ("clues", unidoku.Column([1, 300], offsets=[0, 1, 2]), "column 'clues' is uint8, which cannot hold"),
        ("names", unidoku.Column([1, 2], offsets=[0, 1, 2]), "column 'names' is words"),
        ("names", unidoku.Column([0, 1], ("a", "b c"), offsets=[0, 1, 2]), "column 'names' has a word with"),
        ("names", unidoku.Column([0, 2], ("a", "b"), offsets=[0, 1, 2]), "has a code that is not 0 to 1"),
        ("size", ["a", "b"], "column 'size' is words, but the values are <U1"),
        ("clues", unidoku.Column([1], offsets=0), "column 'clues' has other values than are expected"),
        ("clues", unidoku.Column(1, offsets=[0, 1, 1]), "column 'clues' has other values than are expected"),
        ("row", [[1], [2]], "column 'row' has the shape (2, 1), not (2, 9)"),
    ],
)
def test_wrong_lists_are_errors(monkeypatch, column, returned, said, tmp_path):
    monkeypatch.setattr(Lists, "returned", {column: returned})
    assert_refused(Lists(), said, tmp_path)


@pytest.mark.parametrize(
    ("columns", "returned", "said"),
    [
        (
            {"verdict": ("words", "")},
            {"verdict": unidoku.Column([0, 0], ("Unique",))},
            "column 'verdict' has the value 'Unique'; verdicts are none, unique",
        ),
        (
            {"puzzle": ("cells", "")},
            lambda batch: {"puzzle": unidoku.Column(batch.cells, valid=[True, False])},
            "column 'puzzle' has no value in a row without a reason",
        ),
        ({"puzzle": ("cells", "")}, {"puzzle": [[10] * 81] * 2}, "has a cell 10; cells are 0 to 9"),
        (
            {"word": ("words", "")},
            {"word": unidoku.Column([0, 128], [*map(str, range(129))])},
            "column 'word' has more than 128 words",
        ),
    ],
)
def test_verdicts_puzzles_and_words_are_checked(columns, returned, said, tmp_path):
    assert_refused(wrong(returned, columns), said, tmp_path)


def test_buffers_arrow_arrays_and_empty_lists_are_values(tmp_path):
    pa = pytest.importorskip("pyarrow")
    columns = {"n": ("uint8", ""), "m": ("int64", ""), "w": ("words[2]", ""), "last": ("words", "")}
    columns["masked"] = ("uint8", "")
    words = [f"w{k}" for k in range(127)] + ["\ud800"]

    def returned(batch):
        return {
            "n": bytes([1, 2]),
            "m": unidoku.Column(pa.array([5, None]), type="arrow"),
            "w": unidoku.Column(np.array([[0, 1], [1, 0]]), ("x", "y")),
            "last": unidoku.Column([127, 0], words),
            "masked": np.ma.masked_array([1, 2], [True, False]),
        }

    found = unidoku.run_many(wrong(returned, columns), [PUZZLE, FEW])
    assert [row[:3] for row in found] == [(1, 5, ["x", "y"]), (2, None, ["y", "x"])]
    assert [row.masked for row in found] == [None, 2]
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n{FEW}\n")
    for suffix in ("csv", "jsonl", "parquet", "arrow"):
        output = tmp_path / f"out.{suffix}"
        unidoku.run_file(wrong(returned, columns), tmp_path / "in.txt", output)
        rows = [(str(row["n"]), row["m"] or None, row["last"]) for row in rows_of(output)]
        assert [(n, m and int(m), last) for n, m, last in rows] == [("1", 5, "\\ud800"), ("2", None, "w0")]
    none = wrong({"puzzle": [], "of": []}, {"puzzle": ("cells", "")})
    assert len(unidoku.run_many(none, [PUZZLE, FEW])) == 0


@pytest.mark.parametrize("value", [0, 0.5, None, "none"])
def test_records_that_are_no_puzzles_have_the_values_of_the_task(value, tmp_path):
    kind = {0: "int64", 0.5: "float64"}.get(value, "string")
    some = value if value is not None else "text"

    @dataclass(frozen=True)
    class Filled(unidoku.Task):
        name = "filled"
        columns: ClassVar = {"n": (kind, "a value")}
        for_invalid: ClassVar = {"n": value}

        def work(self, batch, need):
            is_text = isinstance(some, str)
            return {"n": unidoku.Column(bytes(len(batch)), (some,)) if is_text else [some] * len(batch)}

    (tmp_path / "in.txt").write_text(f"{PUZZLE}\nno\n")
    for suffix in ("jsonl", "parquet"):
        unidoku.run_file(Filled(), tmp_path / "in.txt", tmp_path / f"out.{suffix}")
        assert [row["n"] for row in rows_of(tmp_path / f"out.{suffix}")] == [some, value]


def test_work_cannot_change_the_puzzles_of_the_caller():
    def changes(batch):
        batch.cells[:] = 0
        return {"n": [0], "s": [""]}

    puzzles = unidoku.cells([PUZZLE])
    for given in (puzzles, [PUZZLE]):
        with pytest.raises(InvalidPuzzleError, match=r"task wrong failed: ValueError: .* read-only"):
            unidoku.run_many(wrong(changes), given)
    assert unidoku.lines(puzzles) == [PUZZLE]


def in_pieces(pieces):
    """A task that yields pieces."""
    members = {"name": "pieces", "columns": {"n": ("int64", ""), "l": ("uint8[]", "")}, "pieces": pieces}
    return dataclass(frozen=True)(type("Pieces", (unidoku.Task,), members))()


def test_records_that_are_no_puzzles_have_rows_where_there_is_no_piece(tmp_path):
    task = in_pieces(lambda self, batch, need: iter(()))
    found = unidoku.run_many(task, [PUZZLE, "no", FEW], errors="invalid")
    assert (found.of.tolist(), [*found.reasons]) == ([1], [1])
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\nno\n{FEW}\n")
    done = unidoku.run_file(task, tmp_path / "in.txt", tmp_path / "out.jsonl")
    assert (done.puzzles, done.invalid, done.written) == (3, 1, 0)
    assert [row["puzzle"] for row in rows_of(tmp_path / "out.jsonl")] == ["no"]


def test_other_records_have_one_row_where_a_puzzle_has_several_pieces(tmp_path):
    """Also where the task does not say that they are of the only puzzle."""

    class Again(unidoku.Task):
        name = "again"
        columns: ClassVar = {"puzzle": ("cells", "")}

        def pieces(self, batch, need):
            yield {"puzzle": batch.cells}
            yield {"puzzle": batch.cells}

    (tmp_path / "in.txt").write_text(f"no\n{PUZZLE}\nbad\n")
    unidoku.run_file(Again(), tmp_path / "in.txt", tmp_path / "out.jsonl")
    assert [row["puzzle"] for row in rows_of(tmp_path / "out.jsonl")] == ["no", PUZZLE, PUZZLE, "bad"]


def test_pencil_marks_have_one_row_where_some_pieces_have_none(tmp_path):
    def pieces(self, batch, need):
        for of in ([], [0], [], [1]):
            yield {"of": of, "n": of, "l": unidoku.Column([7] * len(of), offsets=range(len(of) + 1))}

    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n{'.' * 729}\n{FEW}\n")
    unidoku.run_file(in_pieces(pieces), tmp_path / "in.txt", tmp_path / "out.jsonl")
    assert [row.get("n") for row in rows_of(tmp_path / "out.jsonl")] == [0, None, 1]


def test_the_cells_of_a_puzzle_with_pencil_marks_are_zeros(tmp_path):
    """They are no clues, whatever the marks are, for a task that takes them too."""

    class Clues(unidoku.Task):
        name = "clues"
        marks = True
        columns: ClassVar = {"n": ("uint8", "")}

        def work(self, batch, need):
            return {"n": np.count_nonzero(batch.cells, axis=1)}

    rows = [PUZZLE, "1" + "." * 728, "123456789" * 81, FEW]
    expected = [sum(cell in "123456789" for cell in row) for row in (PUZZLE, "", "", FEW)]
    (tmp_path / "in.txt").write_text("\n".join(rows))
    unidoku.run_file(Clues(), tmp_path / "in.txt", tmp_path / "out.jsonl")
    assert [row["n"] for row in rows_of(tmp_path / "out.jsonl")] == expected


def test_pieces_are_in_order(tmp_path):
    def pieces(self, batch, need):
        for of in (1, 0):
            yield {"of": [of], "n": [of], "l": unidoku.Column([1], offsets=[0, 1])}

    assert_refused(in_pieces(pieces), "column 'of' goes back from puzzle 1 to 0", tmp_path)


def broken(base, **members):
    """A class of tasks with other members."""
    return type("Broken", (base,), {"name": "broken", **members})


def errors_of(kind, folder):
    """The errors of a task in memory, over files and as a command, by what was called."""
    table = folder / "in.csv"
    table.write_text(f"puzzle,id\n{PUZZLE},a\nno,b\n")

    def call_command(*arguments):
        CliRunner().invoke(command_of(kind, "broken"), arguments, catch_exceptions=False)

    calls = {
        "memory": lambda: unidoku.run_many(kind(), [PUZZLE]),
        **{
            suffix: lambda suffix=suffix: unidoku.run_file(kind(), table, folder / f"out.{suffix}")
            for suffix in ("txt", "csv", "parquet")
        },
        "parts": lambda: unidoku.run_file(kind(), table, folder / "parts.csv", resume=True),
        "command": lambda: call_command(PUZZLE),
        "help": lambda: call_command("--help"),
    }
    errors = {}
    for name, call in calls.items():
        try:
            call()
        except UnidokuError as error:
            errors[name] = str(error)
    return errors


def fails(*_, **__):
    return 1 / 0


METHODS = {
    "begin": "memory txt csv parquet parts command",
    "gives": "memory txt csv parquet parts command",
    "finish": "txt csv parquet parts",
    "shown_for": "csv parquet parts help",
    "to_json": "parquet parts",
    "counts": "txt csv parquet parts",
    "wrong": "txt csv parquet parts",
    "note": "command",
}
PROPERTIES = {
    "shown": "csv parquet parts help",
    "lines": "txt command help",
    "most_rows": "txt csv parquet parts command",
    "in_order": "memory txt csv parquet parts command",
    "verifies": "txt csv parquet parts command",
    "for_invalid": "csv parquet parts",
    "at_once": "memory txt csv parquet parts command",
    "told": "command",
}


@pytest.mark.parametrize("hook", [*METHODS, *PROPERTIES])
def test_a_failure_in_a_hook_names_the_task(hook, tmp_path):
    pytest.importorskip("pyarrow")
    errors = errors_of(broken(Clues, **{hook: fails if hook in METHODS else property(fails)}), tmp_path)
    assert {*errors.values()} == {"task broken failed: ZeroDivisionError: division by zero"}
    assert {*errors} >= {*(METHODS | PROPERTIES)[hook].split()}


def test_a_failure_in_other_hooks_names_the_task(tmp_path):
    (tmp_path / "in.txt").write_text(PUZZLE)
    with pytest.raises(UnidokuError, match="task broken failed: ZeroDivisionError"):
        unidoku.run_file(broken(Turned, carried=fails)(), tmp_path / "in.txt", tmp_path / "out.csv")
    shows = command_of(broken(Clues, show=fails, always_shown=True), "broken")
    with pytest.raises(UnidokuError, match="task broken failed: ZeroDivisionError"):
        CliRunner().invoke(shows, [PUZZLE], catch_exceptions=False)
    refuses = command_of(broken(Clues, __post_init__=lambda self: 1 / (self.bound - 26)), "broken")
    done = CliRunner().invoke(refuses, [PUZZLE, "--bound", "26"])
    assert (done.exit_code, "Task broken failed: ZeroDivisionError" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("hook", "returned", "said"),
    [
        ("begin", None, "begin must be a task, not None"),
        ("gives", ("x",), "gives must be names of its columns, not ('x',)"),
        ("gives", None, "gives must be names of its columns, not None"),
        ("shown_for", None, "shown_for must be a tuple of names, not None"),
        ("to_json", {"a": np.int64(1)}, "to_json must be a JSON object"),
        ("counts", {"right": "a"}, "task broken failed: TypeError"),
        ("counts", {"ones": 1}, "counts has 'ones'; choose from: puzzles, unique"),
        ("wrong", {7: "x"}, "task broken failed: IndexError"),
    ],
)
def test_what_a_hook_returns_is_checked(hook, returned, said, tmp_path):
    pytest.importorskip("pyarrow")
    errors = errors_of(broken(Clues, **{hook: lambda *_, **__: returned}), tmp_path)
    assert "parquet" in errors
    assert all("task broken" in error and said in error for error in errors.values())


@pytest.mark.parametrize("carried", [{"id": [1]}, {"id": unidoku.Column([1])}, None])
def test_carried_columns_have_a_value_for_each_row(carried, tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,id\n{PUZZLE},a\nno,b\n")
    task = broken(Turned, carried=lambda *_: carried)()
    with pytest.raises(UnidokuError, match="task broken: carried must be a dict of columns"):
        unidoku.run_file(task, tmp_path / "in.csv", tmp_path / "out.csv")


@dataclass(frozen=True)
class Total(Clues):
    """Print the number of all clues."""

    common_options = ("output", "threads")

    @staticmethod
    def command(inputs, *, bound, output, threads):
        done = unidoku.run_file(Clues(bound), inputs, output, threads=threads)
        print(f"{done.puzzles} puzzles, {bound}")
        return 3


def test_a_command_that_is_more_than_a_run(tmp_path):
    command = command_of(Total, "total")
    words = [PUZZLE, PUZZLE, FEW, "--bound", "30", "-o", str(tmp_path / "o.csv"), "--threads", "1"]
    done = CliRunner().invoke(command, words, standalone_mode=False, catch_exceptions=False)
    assert (done.stdout, done.return_value) == ("3 puzzles, 30\n", 3)
    assert len(rows_of(tmp_path / "o.csv")) == 3
    assert "--resume" not in CliRunner().invoke(command, ["--help"]).output


def test_a_subclass_has_the_command_of_every_task():
    """Not that of its base, which does something else."""
    kind = dataclass(frozen=True)(type("Half", (Total,), {"name": "half", "__doc__": "Count."}))
    found = CliRunner().invoke(command_of(kind, "half"), [PUZZLE, "--to", "csv"]).output
    assert found.splitlines()[1].endswith(",30,false,")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"common_options": ("outptu",)}, "task wrong: no common option is 'outptu'; choose from: format, "),
        ({"command": lambda inputs: 0}, "task wrong: command must be a static method"),
    ],
)
def test_a_wrong_command_is_an_error(members, message):
    members = {"command": staticmethod(lambda **_: 0), **members}
    with pytest.raises(TypeError, match=message):
        command_of(type("Wrong", (Clues,), members), "wrong")


def test_what_is_told_is_a_count():
    done = CliRunner().invoke(command_of(broken(Clues, told=("cluse",)), "broken"), [PUZZLE])
    assert str(done.exception).startswith("task broken: told has 'cluse'; choose from: puzzles, unique")


def test_the_object_of_a_run_has_what_the_message_tells(table):
    command = command_of(
        broken(Clues, told=("wrong",), counts=lambda task, found: {"wrong": len(found)}), "broken"
    )
    done = CliRunner().invoke(command, [str(table), "--json"], standalone_mode=False)
    about = json.loads(done.stdout)
    assert about["wrong"] == about["files"][0]["wrong"] == 2


def test_an_output_that_could_not_be_opened_is_free_again(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "in.txt").write_text(PUZZLE)
    with pytest.raises(UnidokuError, match="to_json must be") as raised:
        unidoku.run_file(
            broken(Clues, to_json=lambda self: None)(), tmp_path / "in.txt", tmp_path / "o.parquet"
        )
    assert raised.value.__traceback__ is not None  # which holds what was open
    assert unidoku.run_file(Clues(), tmp_path / "in.txt", tmp_path / "o.parquet").written == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "o.parquet"]


def test_a_value_of_another_type_for_records_that_are_no_puzzles_is_an_error(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\nno\n")
    with pytest.raises(UnidokuError, match="column 'clues': found a value of another type than int64"):
        unidoku.run_file(
            broken(Clues, for_invalid={"clues": "none"})(), tmp_path / "in.txt", tmp_path / "o.parquet"
        )


def test_a_failure_names_the_task_and_the_puzzle(tmp_path):
    def fails(batch):
        if (np.count_nonzero(batch.cells, axis=1) < 17).any():
            raise ZeroDivisionError("so few")
        return {"n": [0] * len(batch), "s": [""] * len(batch)}

    said = "task wrong failed: ZeroDivisionError: so few"
    with pytest.raises(InvalidPuzzleError, match=f"row 2: {said}") as in_memory:
        unidoku.run_many(wrong(fails), [PUZZLE, PUZZLE[:80], FEW], errors="invalid")
    with pytest.raises(InvalidPuzzleError, match=r"^expected a digit"):
        unidoku.run_many(wrong(lambda _: unidoku.Grid("no")), [PUZZLE])
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\nno\n{FEW}\n")
    with pytest.raises(InvalidPuzzleError, match=rf"in\.txt:3: {said}") as in_file:
        unidoku.run_file(wrong(fails), tmp_path / "in.txt", tmp_path / "out.csv")
    for caught in (in_memory, in_file):  # the traceback of the task
        assert isinstance(caught.value.__cause__, ZeroDivisionError)


ONE = {"n": ("int64", "")}
DECLARATIONS = [
    ({"columns": None}, "columns must be a dict by name, not None"),
    ({"columns": ["n"]}, "columns must be a dict by name, not"),
    ({"columns": {1: ("int64", "")}}, "no column can have the name 1"),
    ({"columns": {"n": "int64"}}, "column 'n' needs a type and what it is"),
    ({"columns": {"n": ("int65", "")}}, "column 'n' needs a type and what it is"),
    ({"columns": {"n": ("cells[]", "")}}, "column 'n' needs a type and what it is"),
    ({"columns": {"puzzle": ("int64", "")}}, "column 'puzzle' has the type cells, not int64"),
    ({"columns": {"verdict": ("int64", "")}}, "column 'verdict' has the type words or string, not int64"),
    *(
        ({"columns": {name: ("string", "")}}, f"no column can have the name '{name}'")
        for name in ("file", "reasons", "a b", "_n")
    ),
    ({"columns": ONE, "shown": ("puzzle", "n", "m")}, "column 'm' is shown, but not declared"),
    ({"columns": ONE, "lines": ("puzzle", "n", "m")}, "column 'm' is shown, but not declared"),
    *(
        ({"columns": {}, name: unidoku.option(1, "…")}, f"no parameter can have the name '{name}'")
        for name in ("names", "lines", "counts", "work")
    ),
    *(
        ({"columns": ONE, name: value}, f"{name} must be ")
        for name, value in (
            ("shown", "n"), ("lines", 3), ("told", "written"), ("examples", "unidoku x"), ("marks", "yes"),
            ("at_once", 3), ("at_once", (0, 0, 0)), ("most_rows", -1), ("for_invalid", 3),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("members", "said"), DECLARATIONS)
def test_a_wrong_declaration_is_an_error_of_the_class(members, said):
    with pytest.raises(TypeError, match=f"task wrong: {said}"):
        type("Wrong", (unidoku.Task,), {"name": "wrong", **members})
    with pytest.raises(TypeError, match=f"task Nameless: {said}"):
        type("Nameless", (unidoku.Task,), members)


def test_a_task_that_is_no_dataclass_or_has_no_name_or_no_work_says_so():
    class Plain(unidoku.Task):
        name = "plain"
        columns: ClassVar = {}
        bound: int = unidoku.option(1, "A bound.")

    with pytest.raises(TypeError, match="task plain needs the line @dataclass"):
        Plain()
    with pytest.raises(TypeError, match="task Nameless has no name"):
        unidoku.run_many(type("Nameless", (unidoku.Task,), {})(), [PUZZLE])
    with pytest.raises(TypeError, match="task idle has no method work"):
        unidoku.run_many(type("Idle", (unidoku.Task,), {"name": "idle", "columns": {}})(), [PUZZLE])


# --- over files ---


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "jsonl", "parquet", "arrow"])
def test_every_format_holds_the_rows(installed, table, tmp_path, suffix):
    output = tmp_path / f"out.{suffix}"
    done = run("clues", table, "-o", output, code=1)
    assert done.stderr.splitlines()[-1] == "2 puzzles, 1 invalid"
    rows = rows_of(output)
    assert [row["puzzle"] for row in rows][::2] == [PUZZLE, FEW]
    assert [str(row["clues"] or "") for row in rows] == ["30", "", "1"]
    assert [str(row["few"]).lower() for row in rows][::2] == ["false", "true"]
    assert "expected 81 cells" in rows[1]["reason"]
    if suffix != "txt":
        assert [row["id"] for row in rows] == ["a", "b", "c"]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_several_rows_stand_in_the_place_of_their_puzzle(table, tmp_path, suffix):
    unidoku.run_file(Cells(), table, tmp_path / f"out.{suffix}")
    rows = rows_of(tmp_path / f"out.{suffix}")
    assert [row["puzzle"] for row in rows[:30]] == [PUZZLE] * 30
    assert "expected 81 cells" in rows[30]["reason"]
    assert len(rows) == 32
    assert str(rows[-1]["cell"]) == "80"
    assert str(rows[-1]["id"]) == "c"


def test_new_puzzles_are_written_in_formats_of_puzzles(table, tmp_path):
    unidoku.run_file(Turned(), table, tmp_path / "out.sdm")
    puzzles = (tmp_path / "out.sdm").read_text().replace("0", ".").split()
    assert puzzles == [PUZZLE[::-1], FEW[::-1]]
    unidoku.run_file(Turned(), table, tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert [(row["puzzle"], row["first"], row["id"]) for row in rows] == [
        (PUZZLE[::-1], "9", "a"),
        (PUZZLE[:80], "", "b"),
        (FEW[::-1], "1", "c"),
    ]


def test_only_needs_verdicts(table, tmp_path):
    with pytest.raises(UnidokuError, match="task clues has no verdicts"):
        unidoku.run_file(Clues(), table, tmp_path / "out.csv", only=["unique"])


# --- as a command ---


def test_the_help_follows_from_the_declaration(installed):
    every = run("--help", code=0).stdout
    assert "Count the clues of each puzzle." in every
    assert "task broken of no_such_module:Task cannot be imported" in " ".join(every.split())
    text = " ".join(run("clues", "--help", code=0).stdout.split())
    for part in (
        "Count the clues of each puzzle.",
        "few whether there are fewer than the bound",
        "--bound N Say whether there are fewer clues than this. [default: 25]",
        "puzzle, file, line, clues, few, reason, or columns of the input",
        "unidoku clues puzzles.txt -o clues.csv",
    ):
        assert part in text
    assert "--only" not in text
    assert "--only" in run("judge", "--help", code=0).stdout


def test_ours_have_precedence_and_what_cannot_be_imported_says_so(installed):
    assert "exactly one solution" in run("check", "--help", code=0).stdout
    assert "ModuleNotFoundError" in run("broken", PUZZLE, code=2).stderr
    for words in ("--help",), (PUZZLE,), (PUZZLE, "-o", "x.csv", "--bound=3", "-n2", "-q"):
        shown = run("beyond", *words, code=None)
        assert "bound must be at most 81, not 99" in " ".join((shown.stdout + shown.stderr).split())
    assert "Did you mean clues?" in run("clue", "x", code=2).stderr


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit(5)", "SystemExit: 5"),
        ("Clues = 5", "5 is no subclass of unidoku.Task"),
        ("import unidoku; unidoku.option(1, '', flags=('n',))", "flags must begin with -, not 'n'"),
    ],
)
def test_no_package_ends_the_help_of_all_commands(installed, code, said):
    (installed / "clues_pack.py").write_text(code)
    assert "cannot be imported" in run("--help", code=0).stdout
    assert said in " ".join(run("clues", PUZZLE, code=2).stderr.split())


@pytest.mark.parametrize("value", ["16", "82", "many"])
def test_a_bound_is_a_wrong_use(installed, value):
    done = run("clues", PUZZLE, "--bound", value, code=2)
    assert "Invalid value for '--bound'" in done.stderr
    assert "from 17 to 81" in done.stderr


@dataclass(frozen=True)
class Options(unidoku.Task):
    """Print the parameters."""

    name = "options"
    columns: ClassVar = {"values": ("string", "the parameters")}
    words: tuple[str, ...] = unidoku.option(("a", "b"), "Words.")
    some: tuple[str, ...] = unidoku.option(("X",), "Some words.", choices=("X", "y"))
    mark: bool = unidoku.option(True, "Mark it.")
    ratio: float = unidoku.option(1, "A ratio.")

    def work(self, batch, need):
        return {"values": [f"{self.words} {self.some} {self.mark} {self.ratio}"] * len(batch)}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "('a', 'b') ('X',) True 1.0"),
        ("--words c,d --some Y,x --no-mark --ratio 2", "('c', 'd') ('y', 'X') False 2.0"),
        ("--some none --mark", "('a', 'b') () True 1.0"),
        ("--some z", "'z' is not none or some of X, y, separated by commas"),
        ("--ratio x", "'x' is not a number"),
        ("--ratio inf", "ratio must be a finite number, not inf"),
    ],
)
def test_parameters_of_each_kind_and_their_defaults(given, said):
    found = CliRunner().invoke(
        command_of(Options, "options"), [PUZZLE, "--columns", "values", *given.split()]
    )
    assert said in found.output


def test_the_help_shows_the_defaults():
    found = CliRunner().invoke(command_of(Options, "options"), ["--help"]).output
    for said in ("Words.  [default: a,b]", "Some words.  [default: X]", "--mark / --no-mark"):
        assert said in found


def test_an_option_may_need_another():
    @dataclass(frozen=True)
    class Needing(Clues):
        much: bool = unidoku.option(False, "Much.", needs=("--to csv", "--bound 30", "--whole"))
        whole: bool | None = unidoku.option(None, "The whole.", flags=("--whole/--part",))

    @dataclass(frozen=True)
    class WrongNeed(Clues):
        much: bool = unidoku.option(False, "Much.", needs=("--bond 30",))

    command = command_of(Needing, "needing")
    for given in ([], ["--bound", "29"], ["--to", "jsonl"], ["--part"]):
        done = CliRunner().invoke(command, [PUZZLE, "--much", *given])
        assert (done.exit_code, "--much needs --to csv or --bound 30 or --whole." in done.stderr) == (2, True)
    for given in (["--bound", "30"], ["--to", "csv"], ["--whole"]):
        assert CliRunner().invoke(command, [PUZZLE, "--much", *given]).exit_code == 0
    with pytest.raises(TypeError, match="no option of the command is --bond"):
        command_of(WrongNeed, "needing")


@pytest.mark.parametrize("about", [{"name": "inputs"}, {"name": "json"}, {"name": "n", "flags": ("-o",)}])
def test_an_option_of_every_command_is_refused(about):
    parameter = unidoku.option(1, "A number.", flags=about.get("flags", ()))
    members = {
        "name": "wrong",
        "columns": {},
        "__annotations__": {about["name"]: int},
        about["name"]: parameter,
    }
    with pytest.raises(TypeError, match="task wrong: every command has an option"):
        command_of(dataclass(frozen=True)(type("Wrong", (unidoku.Task,), members)), "wrong")


def test_flags_and_choices_are_several_and_flags_differ():
    wrong = [("flags", "--number"), ("choices", "abc"), ("needs", "--to csv"), ("flags", ("number",))]
    for name, value in wrong:
        with pytest.raises(UnidokuError, match=f"{name} must "):
            unidoku.option(1, "A number.", **{name: value})
    members = {"name": "wrong", "columns": {}, "__annotations__": {"n": int, "m": int}}
    members |= {name: unidoku.option(1, "A number.", flags=("--number",)) for name in "nm"}
    with pytest.raises(TypeError, match="task wrong: two parameters have the option --number"):
        command_of(dataclass(frozen=True)(type("Wrong", (unidoku.Task,), members)), "wrong")


def test_options_choose_columns_rows_and_the_summary(installed, table, tmp_path):
    done = run("clues", PUZZLE, "--columns", "few,clues", "--to", "csv", "--bound", "31", code=0)
    assert done.stdout == "few,clues\ntrue,30\n"
    done = run("judge", table, "--only", "unique", "--columns", "verdict,id", "--to", "jsonl", code=1)
    assert json.loads(done.stdout) == {"verdict": "unique", "id": "a"}
    assert "no column 'cluse'" in run("clues", table, "--columns", "cluse", code=2).stderr
    about = json.loads(run("clues", table, "--json", code=1).stdout)
    assert (about["puzzles"], about["invalid"], about["written"], about["complete"]) == (3, 1, 2, True)
    assert [each["file"] for each in about["files"]] == [str(table)]


def test_parts_are_resumed(installed, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("".join(f"{unidoku.Grid(row).line}\n" for row in unidoku.generate(500, seed=2)))
    run("clues", source, "-o", tmp_path / "one.csv", code=0)
    parts = ("--part-bytes", "8000", "--resume")
    run("clues", source, "-o", tmp_path / "parts.csv", *parts, code=0)
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


STOPPING = '''
import os
from dataclasses import dataclass

import unidoku


@dataclass(frozen=True)
class Stopping(unidoku.Task):
    """Fail at a puzzle with few clues."""

    name = "stopping"
    columns = {"n": ("int64", "one")}

    def work(self, batch, need):
        if "STOP" in os.environ and (batch.cells == 0).sum(axis=1).max() > 70:
            raise ValueError("stopped")
        return {"n": [1] * len(batch)}
'''


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (None, None),
        ("Version: 1.1", 'the version of stopping-pack was "1.0", now it is "1.1"'),
        ("# changed", "the version of stopping_pack was "),
    ],
)
def test_a_new_version_of_a_task_is_another_run(changed, said, tmp_path):
    """Of its distribution, or of its module where that is in none."""
    folder, source, output = tmp_path / "site", tmp_path / "in.txt", tmp_path / "out.csv"
    pack, about = folder / "stopping_pack.py", folder / "stopping_pack-1.0.dist-info"
    about.mkdir(parents=True)
    pack.write_text(STOPPING)
    if changed != "# changed":
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stopping-pack\nVersion: 1.0\n")
        (about / "top_level.txt").write_text("stopping_pack\n")
    source.write_text(f"{PUZZLE}\n" * 300 + f"{FEW}\n")
    call = (
        "import stopping_pack, unidoku; unidoku.run_file(stopping_pack.Stopping(), "
        f"{str(source)!r}, {str(output)!r}, resume=True, part_bytes=8000, threads=1)"
    )

    def resumed(**more):
        environment = {**os.environ, "PYTHONPATH": path_with(folder), **more}
        command = [sys.executable, "-c", call]
        return subprocess.run(command, check=False, env=environment, stderr=-1, text=True).stderr

    assert "task stopping failed: ValueError: stopped" in resumed(STOP="1")
    if changed == "# changed":
        pack.write_text(f"{STOPPING}\n{changed}\n")
    elif changed:
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: stopping-pack\n{changed}\n")
    errors = resumed()
    if said is None:
        assert (errors, len(output.read_text().splitlines())) == ("", 302)
    else:
        assert f"cannot resume: {said}" in errors


def test_a_cluster_does_it_too(installed, tmp_path):
    pytest.importorskip("distributed")
    source = tmp_path / "in.txt"
    source.write_text(f"{PUZZLE}\n{FEW}\n")
    run("clues", source, "-o", tmp_path / "out.csv", "--cluster", "local:1", code=0)
    assert [row["clues"] for row in rows_of(tmp_path / "out.csv")] == ["30", "1"]


def test_ctrl_c_ends_it_in_good_order(installed, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text(f"{PUZZLE}\n" * 1000)
    with started("slow", source, "--threads", 1, stdout=-1, stderr=-1) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert end_by(signal.SIGINT, process) == 130
        assert process.stderr is not None
        assert b"stopped: " in process.stderr.read()


@dataclass(frozen=True)
class Open(unidoku.Task):
    """Count the empty cells of each puzzle, with its verdict."""

    name = "open"
    columns: ClassVar = {"verdict": ("words", "the verdict"), "empty": ("uint8", "empty cells")}
    lines: ClassVar = ("empty",)

    def work(self, batch, need):
        found = unidoku.check_many(batch.cells)
        names = [str(unidoku.Verdict(4 - code)) for code in range(5)]  # in an order of its own
        return {"verdict": unidoku.Column(4 - found.verdicts, names), "empty": (batch.cells == 0).sum(1)}


@pytest.mark.parametrize(
    ("only", "expected"),
    [(None, "51\n80\n"), (("unique",), "51\n"), (("multiple",), "80\n"), (("none",), "")],
)
def test_only_chooses_among_lines_of_single_columns(tmp_path, only, expected):
    source, output = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text(f"{PUZZLE}\nno puzzle\n{FEW}\n")
    unidoku.run_file(Open(), source, output, only=only)
    assert output.read_text() == expected


@pytest.mark.parametrize("kind", ["words", "string"])
def test_a_puzzle_that_the_task_does_not_take_has_an_unknown_verdict(kind, tmp_path):
    """With pencil marks, before a record that is no puzzle, which has another verdict."""
    verdicts = tuple(map(str, unidoku.Verdict))

    def returned(batch):
        codes = bytes([unidoku.Verdict.UNIQUE] * len(batch))
        return {"verdict": unidoku.Column(codes, verdicts, type=kind)}

    marks = "".join("123456789" if c == "." else "." * (int(c) - 1) + c + "." * (9 - int(c)) for c in PUZZLE)
    (tmp_path / "in.txt").write_text(f"{marks}\nno\n{PUZZLE}\n")
    task = wrong(returned, {"verdict": (kind, "")})
    unidoku.run_file(task, tmp_path / "in.txt", tmp_path / "out.jsonl")
    shown = [row["verdict"] for row in rows_of(tmp_path / "out.jsonl")]
    assert shown == ["unknown", "invalid", "unique"]
    unidoku.run_file(task, tmp_path / "in.txt", tmp_path / "out.jsonl", only=("none", "unique"))
    assert [row["verdict"] for row in rows_of(tmp_path / "out.jsonl")] == ["unique"]


TYPED = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import unidoku

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Typed(unidoku.Task):
    """Say a number."""

    name: ClassVar[str] = "typed"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"number": ("int64", "the number")}
    number: int | None = unidoku.option(3, "The number.", most=5, unbounded="none")

    def work(self, batch, need):
        return {"number": [self.number] * len(batch)}
'''


def test_annotations_may_have_names_that_only_type_checkers_know(monkeypatch):
    made = ModuleType("typed_pack")
    monkeypatch.setitem(sys.modules, "typed_pack", made)
    exec(TYPED, vars(made))
    assert unidoku.run_many(made.Typed(), [PUZZLE]).number.tolist() == [3]
    with pytest.raises(UnidokuError, match="number must be at most 5"):
        made.Typed(6)
