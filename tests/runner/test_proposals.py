"""What an error proposes works when it is typed: of every shape of a log, and in every format."""

import json
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command import run
from example_puzzles import SOLUTION, UNIQUE

import unidoku

PUZZLE = UNIQUE.replace(".", "0")
SPACED = "\n".join(" ".join(SOLUTION[k : k + 9]) for k in range(0, 81, 9))
WRONG = SPACED[:-3] + SPACED[-1] + " " + SPACED[-3]
SAID = ("I cannot solve it.", SPACED, WRONG)
SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet", ".arrow", ".zip")


def message(role: str, text: str | None) -> dict[str, Any]:
    return {"role": role, "content": text}


ASKED = message("user", f"Solve:\n{PUZZLE}")
SHAPES = {  # a record for a text, and what an error proposes
    "two answers": (
        lambda text: {"puzzle": PUZZLE, "chosen": text, "rejected": WRONG},
        ["chosen", "rejected"],
    ),
    "two unknown": (lambda text: {"puzzle": PUZZLE, "first": text, "then": text}, ["first", "then"]),
    "beside a solution": (
        lambda text: {"puzzle": PUZZLE, "solution": SOLUTION, "said": text},
        ["said", "solution"],
    ),
    "chat": (
        lambda text: {"messages": [ASKED, message("assistant", text)], "notes by us": "It is of a set."},
        ["messages", "notes by us"],
    ),
    "a chat of an unknown name": (
        lambda text: {"talk": [ASKED, message("assistant", text)], "notes by us": "It is of a set."},
        ["talk", "notes by us"],
    ),
    "prompt": (
        lambda text: {"prompt": [ASKED], "said": text, "gold": SOLUTION},
        ["said", "gold"],
    ),
    "messages of a user": (
        lambda text: {"messages": [ASKED], "said": text, "target": SOLUTION},
        ["said", "target"],
    ),
    "nested result": (
        lambda text: {
            "puzzle": PUZZLE,
            "result": {"raw": text, "note": "by our server", "id": "a-1", "seconds": 1.5},
        },
        ["result.raw", "result.note"],
    ),
    "response.raw": (
        lambda text: {"puzzle": PUZZLE, "response": {"raw": text, "model": "model-4.1"}},
        ["response.raw"],
    ),
    "a name with a dot": (
        lambda text: {"puzzle": PUZZLE, "said": {"model-4.1": {"response": text}}, "gold": SOLUTION},
        ["said.model-4.1", "gold"],
    ),
    "a solution in a member": (
        lambda text: {"puzzle": PUZZLE, "about": {"truth": SOLUTION, "index": 1}, "said": text},
        ["said", "about.truth"],
    ),
    "a conversation of a solution": (
        lambda text: {
            "puzzle": PUZZLE,
            "chat by experts": [ASKED, message("assistant", SOLUTION)],
            "conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": text}],
        },
        ["conversations", "chat by experts"],
    ),
    "samples": (lambda text: {"puzzle": PUZZLE, "responses": [text, "I give up."]}, ["responses[0]"]),
    "unknown samples": (
        lambda text: {"puzzle": PUZZLE, "tries": [text, "I give up."], "gold": SOLUTION},
        ["tries[0]", "gold"],
    ),
    "samples of a chat": (
        lambda text: {
            "puzzle": PUZZLE,
            "choices": [{"message": message("assistant", one)} for one in (text, WRONG + "!")],
        },
        ["choices[0]"],
    ),
    "a list of objects": (
        lambda text: {"puzzle": PUZZLE, "runs": [{"raw": text, "id": "a-1"}], "gold": SOLUTION},
        ["runs[].raw", "gold"],
    ),
    "thoughts": (
        lambda text: {"puzzle": PUZZLE, "said": {"thinking": SPACED, "raw": text}, "expected": SOLUTION},
        ["said.raw", "expected"],
    ),
    "a puzzle in an object": (
        lambda text: {"doc": {"puzzle": PUZZLE, "id": 3}, "one": text, "other": text},
        ["one", "other"],
    ),
}

TEXTS = {"responses[0]": "", "tries[0]": "tries"}
"""What is proposed instead where a list is a text."""


def write(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write records as a log: lists and objects are JSON in a table, and a zip has a file for each."""
    texts = [json.dumps(record) for record in records]
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for number, text in enumerate(texts):
                archive.writestr(f"{number}.json", text)
    elif path.suffix in (".jsonl", ".json"):
        path.write_text("\n".join(texts) if path.suffix == ".jsonl" else f"[{','.join(texts)}]")
    elif path.suffix in (".csv", ".tsv"):
        import csv

        with path.open("w", newline="") as file:
            writer = csv.writer(file, "excel" if path.suffix == ".csv" else "excel-tab")
            writer.writerow(records[0])
            for record in records:
                writer.writerow([one if isinstance(one, str) else json.dumps(one) for one in record.values()])
    else:
        table = pytest.importorskip("pyarrow").Table.from_pylist(records)
        if path.suffix == ".parquet":
            pytest.importorskip("pyarrow.parquet").write_table(table, path)
        else:
            pytest.importorskip("pyarrow.feather").write_feather(table, path, "uncompressed")


def proposed(path: Path) -> list[str]:
    """Return what the error about a log says that a user can type after ``--prediction``."""
    error = run("verify", path, code=2).stderr
    columns = re.search(r"could be the answers: (.*); choose one with --prediction", error)
    one = re.search(r"choose one with --prediction .*, such as ('[^']*')", error)
    found = columns or one
    assert found, error
    return re.findall("'([^']*)'", found[1])


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_proposal_works_when_it_is_typed(shape: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"log{suffix}"
    record, expected = SHAPES[shape]
    write(path, [*map(record, SAID)])
    if suffix in (".csv", ".tsv"):  # a list in a text has samples only if the table of words names them
        expected = [TEXTS.get(name, name) for name in expected]
    if not expected[0]:
        pytest.skip("two texts in a text are one")
    names = proposed(path)
    if shape == "a chat of an unknown name" and suffix == ".zip":  # its first member has no grid
        expected = expected[::-1]
    assert names == expected
    summaries = [unidoku.run(unidoku.tasks.Verify(name), path) for name in names]
    assert all(one.right + one.wrong + one.no_grid == 3 for one in summaries)
    assert [one.invalid for one in summaries] == [0] * len(names)
    assert (1, 1) in [(one.right, one.wrong) for one in summaries[: 1 + (suffix == ".zip")]]


def test_a_conversation_may_have_its_replies_late(tmp_path: Path) -> None:
    path, reply = tmp_path / "log.jsonl", message("assistant", SPACED)
    rows = [[ASKED]] * 400 + [[ASKED, reply]]
    write(path, [{"puzzle": PUZZLE, "talk": row, "gold": SOLUTION} for row in rows])
    assert proposed(path) == ["talk", "gold"]
    assert unidoku.run(unidoku.tasks.Verify("talk"), path).right == 1


FIRST = {  # columns, values at first, and later; the answers, and the column that a note names
    "gold note": ([SOLUTION, "OK"], [SOLUTION, f"So: {SPACED}"], "gold", ""),
    "gold said": ([SOLUTION, "OK"], [SOLUTION, f"So: {SPACED}"], "gold", "said"),
    "gold outcome": ([SOLUTION, "OK"], [SOLUTION, f"So: {SPACED}"], "gold", ""),
    "gold mask": ([SOLUTION, PUZZLE], [SOLUTION, SOLUTION], "gold", "mask"),
    "gold stars": ([SOLUTION, "OK"], [SOLUTION, "too short for a grid"], "gold", ""),
    "gold more": ([SOLUTION, {"raw": "OK"}], [SOLUTION, {"raw": SPACED}], "gold", "more"),
    "gold prompt": ([SOLUTION, [ASKED]], [SOLUTION, [ASKED, message("assistant", SPACED)]], "gold", "prompt"),
    "response pred": (["So: 5", "[INVALID]"], ["So: 5", SPACED], "response", "pred"),
    "response said": (["So: 5", "OK"], ["So: 5", SPACED], "response", ""),
    "message said": (["So: 5", "OK"], ["So: 5", SPACED], "message", "said"),
}


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize("names", FIRST)
def test_texts_that_come_late_are_noted(names: str, suffix: str, tmp_path: Path) -> None:
    """The first records decide which columns have texts, so a later text is not passed over in silence."""
    path = tmp_path / f"log{suffix}"
    first, later, answers, noted = FIRST[names]
    records = [dict(zip(names.split(), row, strict=True)) for row in [first] * 131 + [later] * 2]
    puzzles = [*[PUZZLE] * 130, "none", PUZZLE, PUZZLE]
    write(path, [{"puzzle": puzzle} | row for puzzle, row in zip(puzzles, records, strict=True)])
    summary = unidoku.run(unidoku.tasks.Verify(), path)
    assert summary.files[0].columns["answers"] == [answers]
    found = [
        re.sub(r".*:(\d+): '(\w+)' has texts from here on, but .*", r"\1 \2", str(note))
        for note in summary.notes
    ]
    assert found == ([f"{132 + (suffix == '.csv')} {noted}"] if noted else [])
    assert not unidoku.run(unidoku.tasks.Verify(answers), path).notes


def test_a_text_next_to_the_puzzle_that_comes_late_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    rows = [{"puzzle": PUZZLE, "id": 3}] * 130 + [{"puzzle": PUZZLE, "id": 3, "raw": SPACED}]
    write(path, [{"doc": row, "gold": SOLUTION} for row in rows])
    [note] = unidoku.run(unidoku.tasks.Verify(), path).notes
    assert "'doc' has texts from here on, but 'gold' was compared" in str(note)


def test_a_key_that_comes_late_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    record = {"puzzle": PUZZLE, "gold": SOLUTION, "id": "i" * 300}
    for name, noted in (("response", 1), ("said", 1), ("source", 0)):
        write(path, [record] * 300 + [record | {name: SPACED}])
        assert len(unidoku.run(unidoku.tasks.Verify(), path).notes) == noted


@pytest.mark.parametrize(("first", "expected"), [(SAID[:2], "tries[0]"), (SAID[1], "tries")])
def test_samples_are_proposed_as_most_records_have_them(first: Any, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for other in (SAID[:2], SAID[1]):
        write(path, [{"puzzle": PUZZLE, "tries": one, "gold": SOLUTION} for one in (first, first, other)])
        assert proposed(path) == [expected, "gold"]
        assert unidoku.run(unidoku.tasks.Verify(expected), path).puzzles == 3


def test_samples_that_are_all_empty_are_proposed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, [{"puzzle": PUZZLE, "tries": [None, ""], "gold": SOLUTION}])
    assert proposed(path) == ["tries", "gold"]


def test_a_record_around_the_puzzle_is_no_column_of_answers(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, [{"doc": {"puzzle": PUZZLE, "id": 3}, "said": SPACED}])
    summary = unidoku.run(unidoku.tasks.Verify(), path)
    assert (summary.right, summary.files[0].columns["answers"]) == (1, ["said"])


@pytest.mark.parametrize(
    "names", [["predicted_solution", "response"], ["llm_text", "ai_text"], ["gpt4_output", "raw_output"]]
)
def test_an_answer_that_is_right_is_not_a_solution(names: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, [{"puzzle": PUZZLE} | dict(zip(names, (SPACED, WRONG), strict=True))])
    assert proposed(path) == names


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_one_odd_object_among_texts_is_no_reason_to_ask(suffix: str, tmp_path: Path) -> None:
    odd = {"error": "The server is busy.", "code": "a b c"}
    path = tmp_path / f"log{suffix}"
    write(path, [{"puzzle": PUZZLE, "response": one} for one in (json.dumps(odd), SPACED, SPACED)])
    assert unidoku.run(unidoku.tasks.Verify(), path).right == 2


@pytest.mark.parametrize("name", ["answer", "truth grid"])
def test_a_name_of_solutions_is_proposed_last(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, [{"puzzle": PUZZLE, name: SOLUTION, "said": SPACED}])
    assert proposed(path) == ["said", name]


def test_columns_that_commands_write_are_not_proposed(tmp_path):
    """Their names say that they are not answers, even if they are empty or have words."""
    path = tmp_path / "rated.csv"
    unidoku.run(unidoku.tasks.Rate(), unidoku.cells([UNIQUE]), path)
    error = run("verify", path, code=2).stderr
    assert "expected a column prediction or solution, found er, ep, ed, technique, name" in error
