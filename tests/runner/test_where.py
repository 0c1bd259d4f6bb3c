"""Conditions on rows: each output has the rows of the whole one that fulfil them, as Python chooses them."""

from __future__ import annotations

import json
import random
import re

import numpy as np
import pyarrow as pa
import pytest
from command import run
from example_puzzles import NONE, TWO, UNIQUE
from readback import rows_of

import unidoku
from unidoku import UnidokuError
from unidoku._conditions import conditions_of
from unidoku._schema import Schema
from unidoku.rating._names import TECHNIQUES
from unidoku.rating._scale import DIFFICULTIES
from unidoku.tasks import Check, Convert, HintTask, Minimize, Rate, StepsTask

NUMBERS = (
    "7",
    "007",
    "7.0",
    "8.25",
    "-3",
    "1e1",
    " 9 ",
    "",
    "x",
    "X-Ray",
    "x ray",
    "X_RAY",
    "9-3",
    "-",
    "a,b",
    "ü",
)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Puzzles of several difficulties, with other columns, and records that are none."""
    path = tmp_path_factory.mktemp("where") / "in.csv"
    lines = unidoku.lines(unidoku.generate(60, seed=5))
    lines += [NONE, TWO, UNIQUE, "no puzzle", lines[0][:80]]
    rows = [f'"{line}","{NUMBERS[k % len(NUMBERS)]}",{k}' for k, line in enumerate(lines)]
    path.write_text("\n".join(["puzzle,note,id", *rows]) + "\n", encoding="utf-8")
    return path


def plain(text):
    """Return a text without case, and without blanks and hyphens, which count in a number."""
    is_number = re.fullmatch(r"-?[0-9.]+(-[0-9.]*)?", text)
    return re.sub("[-_ ]", " " if is_number else "", text).lower()


def is_between(low, high):
    def test(value):
        if isinstance(value, str):
            value = value.strip(" ")
            number = re.fullmatch(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?", value, re.ASCII)
            value = float(value) if number else None
        return value is not None and low <= value <= high

    return test


def is_one_of(*words):
    return lambda value: value is not None and plain(str(value)) in {*map(plain, words)}


PAIR = {"technique": is_one_of("naked pair", "pointing")}
CASES = [
    (Rate(), "er=2-3.4", {"er": is_between(2, 3.4)}),
    (Rate(), "er=2.6-", {"er": is_between(2.6, 99)}),
    (Rate(), "er<2.3", {"er": lambda value: value is not None and value < 2.3}),
    (Rate(), "er>2.3,clues<=24", {"er": is_between(2.4, 99), "clues": is_between(0, 24)}),
    (Rate(), "er==2.3,>=7", {"er": lambda value: value is not None and (value == 2.3 or value >= 7)}),
    (Rate(), "technique=naked-pair,pointing,clues => 25", {"clues": is_between(25, 81), **PAIR}),
    (Check(), "note<8", {"note": is_between(-9, 7)}),
    (Check(), "note≥8.25", {"note": is_between(8.25, 99)}),
    (
        Rate(),
        "difficulty=MEDIUM,hard,ed=1.2",
        {"difficulty": is_one_of("medium", "hard"), "ed": is_between(1.2, 1.2)},
    ),
    (Rate(), "technique=naked-pair,Pointing", {"technique": is_one_of("naked pair", "pointing")}),
    (Rate(), "reason=several solutions", {"reason": is_one_of("several solutions")}),
    (Check(), "verdict=none,multiple", {"verdict": is_one_of("none", "multiple")}),
    (Check(), "verdict=invalid,id=64", {"id": is_one_of("64")}),
    (Check(), "count=2-,complete=true", {"count": is_between(2, 9)}),
    (Check(), "note=7", {"note": is_between(7, 7)}),
    (Check(), "note=7-9", {"note": is_between(7, 9)}),
    (Check(), "note=x-ray", {"note": is_one_of("xray")}),
    (Check(), "note=XRay", {"note": is_one_of("xray")}),
    (Check(), "note=-", {"note": lambda value: value == "-"}),
    (Check(), '"note=a,b",id=0-40', {"note": is_one_of("a,b"), "id": is_between(0, 40)}),
    (Check(), "note=ü", {"note": is_one_of("ü")}),
    (Check(), "line=3-9", {"line": is_between(3, 9)}),
    (
        StepsTask(),
        "technique=pointing,step=1-20",
        {"technique": is_one_of("pointing"), "step": is_between(1, 20)},
    ),
    (
        StepsTask(),
        "kind=full-house,rating=1.0",
        {"kind": is_one_of("full house"), "rating": is_between(1, 1)},
    ),
    (HintTask(), "rating=1.5-", {"rating": is_between(1.5, 99)}),
    (Minimize(seed=1), "difficulty=easy,removed=0", {"difficulty": is_one_of("easy")}),
]


@pytest.mark.parametrize(("task", "where", "tests"), CASES, ids=[case[1] for case in CASES])
def test_the_rows_are_those_of_the_whole_output(task, where, tests, table, tmp_path):
    source = table
    if task.replaces:
        source = tmp_path / "proper.csv"
        lines = table.read_text(encoding="utf-8").splitlines()
        source.write_text("\n".join(lines[:61]) + "\n", encoding="utf-8")
    whole, some = tmp_path / "whole.jsonl", tmp_path / "some.jsonl"
    columns = dict.fromkeys((*Schema(task).default_columns, *tests, "note", "id"))
    complete = unidoku.run(task, source, whole, columns=columns)
    summary = unidoku.run(task, source, some, columns=columns, where=where)
    rows = [json.loads(line) for line in whole.read_text(encoding="utf-8").splitlines()]
    fitting = [row for row in rows if all(test(row.get(name)) for name, test in tests.items())]
    assert [json.loads(line) for line in some.read_text(encoding="utf-8").splitlines()] == fitting
    assert 0 < len(fitting) < len(rows)
    assert (summary.puzzles, summary.invalid, summary.task_counts) == (
        complete.puzzles,
        complete.invalid,
        complete.task_counts,
    )
    name, equals, value = where.partition("=")
    if equals and not {*",<>"} & {*where}:
        same = tmp_path / "same.jsonl"
        unidoku.run(task, source, same, columns=columns, where={name: value})
        assert same.read_bytes() == some.read_bytes()


def test_types_of_the_input_count(tmp_path):
    """Numbers and texts of Parquet, Arrow and JSON lines, of each type."""
    from damaged_arrow import write_table

    values = {
        "int": pa.array([1, 2, None], pa.int16()),
        "float": pa.array([7.2, 7.3, None], pa.float32()),
        "bool": pa.array([True, False, None]),
        "word": pa.array(["Hard", "easy", None]).dictionary_encode(),
        "view": pa.array(["Hard", "easy", None]),
    }
    table = pa.table({"puzzle": [UNIQUE] * 3, **values})
    write_table(tmp_path / "in.parquet", table)
    # not in Parquet, where an old PyArrow has no views
    views = table.set_column(5, "view", table["view"].cast(pa.string_view()))
    write_table(tmp_path / "in.arrow", views)
    unidoku.run(Convert(), tmp_path / "in.parquet", tmp_path / "in.jsonl")
    for name in ("in.parquet", "in.arrow", "in.jsonl"):
        for where, result in {
            "int=1": [1],
            "int=2-5": [2],
            "int=3": [],
            "float=7.2": [1],
            "float=7.25-8": [2],
            "bool=true": [1],
            "word=hard": [1],
            "word=hard,EASY": [1, 2],
            "view=easy": [2],
        }.items():
            unidoku.run(Convert(), tmp_path / name, tmp_path / "out.csv", columns=["int"], where=where)
            assert (tmp_path / "out.csv").read_text().split() == ["int", *map(str, result)], where


def test_conditions_of_python():
    where = {
        "er": (7, 9),
        "ep": (2.5, None),
        "verdict": ("none", "multiple"),
        "complete": True,
        "clues": [17, (20, 22)],
        "ed": "<3",
    }
    texts = ["er=7-9", "ep=2.5-", "verdict=none,multiple", "complete=true", "clues=17,20-22", "ed<3"]
    assert [*map(str, conditions_of(where))] == texts
    assert conditions_of(",".join(texts)) == conditions_of(where)


def test_generate_has_the_same_conditions():
    """Its puzzles are those that rate would choose, in the same words."""
    for where in ("er=2.0-2.6", "difficulty=medium,clues=24-26", "technique=Naked_Single", "er>2.5,clues<25"):
        lines = run("generate", "-n", 12, "--seed", 3, "--where", where, code=0).stdout
        chosen = run("rate", "--where", where, "--columns", "puzzle", "-", stdin=lines, code=0).stdout
        assert chosen == f"puzzle\n{lines}"
    assert {*DIFFICULTIES} == {*Rate.columns["difficulty"].words}
    for technique in TECHNIQUES[1:]:
        assert Rate.columns["technique"].words(technique.replace(" ", "_").upper()) == (technique,)


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("kite", {"2-String Kite"}),
        ("x-wing,XY_Wing", {"X-Wing", "XY-Wing"}),
        ("unique-rectangle", {f"Unique Rectangle Type {number}" for number in range(1, 5)}),
    ],
)
def test_names_of_steps_are_taken_as_generate_takes_them(word, names, tmp_path):
    lines = unidoku.lines(unidoku.generate(300, seed=7))
    (tmp_path / "in.txt").write_text("\n".join(lines))
    unidoku.run(StepsTask(), tmp_path / "in.txt", tmp_path / "all.csv", columns=["name"])
    words = ("--where", f"name={word}", "--columns", "name", "-o", "some.csv")
    run("steps", "in.txt", *words, cwd=tmp_path, code=0)
    rows = [row["name"] for row in rows_of(tmp_path / "all.csv")]
    expected = [name for name in rows if name in names]
    assert {*expected} == names
    assert [row["name"] for row in rows_of(tmp_path / "some.csv")] == expected


CONDITIONS = ("7-", "7", "0-7", "9007199254740993-", "-3")
TYPES = ("float64", "float32", "float16", "int64", "uint64", "int8", "dictionary")
PAIRS = [
    (kind, condition)
    for number, kind in enumerate(TYPES)
    for place, condition in enumerate(CONDITIONS)
    if (number + place) % 3 == 0
]
"""One or two conditions on each type, and two or three types with each condition."""


@pytest.mark.parametrize(("kind", "condition"), PAIRS)
def test_numbers_are_the_same_in_each_form_of_table(tmp_path, kind, condition):
    """An infinity is more than any bound, an integer is exact, a null and NaN are in no range."""
    from pyarrow import feather, parquet

    numbers = {"i": [7, -3, 0, 9, 100], "u": [7, 0, 9, 2**53 + 1, 2**53], "f": [7.0, float("inf"), -3, 6.5]}
    values = numbers[kind[0] if kind != "dictionary" else "f"]
    if kind[0] == "f":
        values = [*values, float("-inf"), float("nan")]
    low, dash, high = re.fullmatch(r"(-?\d+)(-?)(\d*)", condition).groups()
    low, high = int(low), (int(high) if high else float("inf")) if dash else int(low)
    expected = [number for number, value in enumerate(values) if low <= value <= high]
    array = pa.array(np.array(values, "float64" if kind == "dictionary" else kind))
    if kind == "dictionary":
        array = array.dictionary_encode()
    else:
        cells = np.array([[int(cell) for cell in UNIQUE.replace(".", "0")]] * len(values), np.uint8)
        np.savez(tmp_path / "in.npz", puzzles=cells, v=np.array(values, kind), id=np.arange(len(values)))
    array = pa.concat_arrays([array, pa.nulls(1, array.type)])
    columns = {"puzzle": [UNIQUE] * len(array), "v": array, "id": [*range(len(array))]}
    parquet.write_table(pa.table(columns), tmp_path / "in.parquet")
    feather.write_feather(pa.table(columns), tmp_path / "in.arrow", "uncompressed")
    for path in tmp_path.glob("in.*"):
        unidoku.run(Convert(), path, tmp_path / "out.jsonl", where=f"v={condition}")
        assert [row["id"] for row in rows_of(tmp_path / "out.jsonl")] == expected, path.suffix


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("unique", ["text", "canonical"])
def test_the_first_of_equal_puzzles_is_one_that_fulfils_the_conditions(form, unique, table, tmp_path):
    """As if the other records were not there; all records are counted."""
    lines = table.read_text(encoding="utf-8").splitlines()
    rows = [f"{line},{src}" for line in lines[1:] for src in ("a", "b", "b")]
    random.Random(1).shuffle(rows)
    (tmp_path / "in.csv").write_text("\n".join([f"{lines[0]},src", *rows]) + "\n", encoding="utf-8")
    source = tmp_path / f"in.{form}"
    if form != "csv":
        unidoku.run(Convert(), tmp_path / "in.csv", source)
    unidoku.run(Convert(), source, tmp_path / "some.jsonl", where="src=b,clues=20-26,id=0-50")
    whole = unidoku.run(Convert(unique=unique), tmp_path / "some.jsonl", tmp_path / "whole.jsonl")
    summary = unidoku.run(
        Convert(unique=unique), source, tmp_path / "out.jsonl", where="src=b,clues=20-26,id=0-50"
    )
    assert rows_of(tmp_path / "out.jsonl") == rows_of(tmp_path / "whole.jsonl")
    assert summary.written == whole.written > 5
    assert (summary.duplicates, summary.puzzles) == (whole.duplicates, len(rows))


def test_strata_are_those_of_the_puzzles_that_are_written(tmp_path):
    lines = unidoku.lines(unidoku.generate(200, seed=4))
    rows = [f"{line},{'ab'[k % 2]},{k // 2 % 2}" for k, line in enumerate(lines)]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle,src,k", *rows]) + "\n")
    outputs = [tmp_path / "o.csv", tmp_path / "p.csv"]
    options = {"fractions": [0.9, 0.1], "stratify": "k", "seed": 1, "where": "src=b"}
    assert unidoku.learning.split_file(tmp_path / "in.csv", outputs, **options).outputs == [90, 10]


@pytest.mark.parametrize("stratify", [None, "part"])
def test_split_takes_a_column_of_the_input_by_any_name(stratify, tmp_path):
    """`part` was the name of its own column, which no output has."""
    lines = unidoku.lines(unidoku.generate(40, seed=4))
    rows = [f"{line},{k % 2 + 1}" for k, line in enumerate(lines)]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle,part", *rows]) + "\n")
    outputs = [tmp_path / "o.csv", tmp_path / "p.csv"]
    unidoku.learning.split_file(tmp_path / "in.csv", outputs, stratify=stratify, seed=1, where="part=2")
    written = [row for path in outputs for row in rows_of(path)]
    assert sorted(row["puzzle"] for row in written) == sorted(lines[1::2])
    assert {row["part"] for row in written} == {"2"}
    (tmp_path / "plain.txt").write_text("\n".join(lines))
    with pytest.raises(UnidokuError, match="no column 'part'; choose from: puzzle, clues"):
        unidoku.learning.split_file(tmp_path / "plain.txt", outputs, where="part=1")


def test_a_condition_names_the_input_column_beside_a_column_of_the_record(tmp_path):
    """`clues` is the number of clues; a column of the input with this name is `input_clues`."""
    source = tmp_path / "in.csv"
    source.write_text(f"puzzle,clues\n{UNIQUE},98\n{UNIQUE},99\n")
    output = tmp_path / "out.csv"
    assert unidoku.run(Convert(), source, output, where="input_clues=99").written == 1
    assert rows_of(output) == [{"puzzle": UNIQUE, "input_clues": "99"}]


def test_a_reversed_range_is_a_word_or_an_error(tmp_path):
    """A month is a text; any other range was meant the other way round, whatever a column has."""
    source = tmp_path / "in.csv"
    source.write_text(f"puzzle,month,er\n{UNIQUE},2026-11,7\n{UNIQUE},2026-12,8\n")
    outputs = tmp_path / "in.csv", tmp_path / "in.parquet"
    run("convert", source, "-o", outputs[1], code=0)
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    pa.parquet.write_table(pa.table({"puzzle": [UNIQUE], "er": [7]}), tmp_path / "typed.parquet")
    for path in outputs:
        assert run("convert", path, "--where", "month=2026-11", code=0).stdout == f"{UNIQUE}\n"
    for path in (*outputs, tmp_path / "typed.parquet"):
        assert run("convert", path, "--where", "er=7-9", code=0).stdout
        result = run("convert", path, "--where", "er=9-7", code=2)
        assert "er: the range 9 to 7 ends before it begins; write the lower number first" in result.stderr
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text("".join(f'{{"puzzle": "{UNIQUE}", "id": {value}}}\n' for value in ('"9-7"', 8, '"x"')))
    assert run("convert", mixed, "--where", "id=9-7", code=2).stdout == ""


def test_conditions_that_are_given_several_times_must_all_hold(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text(f"puzzle,level\n{UNIQUE},a\n{UNIQUE},b\n")
    rows = run("check", str(source), "-q", "--to", "csv", "--where", "level=a", "--where", "line=2").stdout
    assert rows.count("unique") == 1
    rows = run("check", str(source), "-q", "--to", "csv", "--where", "level=b", "--where", "line=2").stdout
    assert rows.count("unique") == 0
    twice = run("check", str(source), "--where", "level=a", "--where", "level=b")
    assert twice.returncode == 2
    assert "names a column twice" in twice.stderr
