"""Which column has the answers: its name says so, or the error lists what can be typed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cases import in_turn
from command import run
from example_puzzles import SOLUTION, UNIQUE
from matrix import FORMS

import unidoku
from unidoku._answers.columns import answer_path
from unidoku._schema import COLUMNS_OF_RECORDS
from unidoku._table.batch import Roles
from unidoku.files._column_names import WRITTEN_NAMES, declares_puzzle, role_of

SPACED = "\n".join(" ".join(SOLUTION[k : k + 9]) for k in range(0, 81, 9))
WRONG = SPACED[:-3] + SPACED[-1] + " " + SPACED[-3]
ASKED = {"role": "user", "content": f"Solve:\n{UNIQUE}"}


def by_model(text: str | None) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


@in_turn
@pytest.mark.parametrize(
    ("names", "answers"),
    [
        ("quizzes solutions", "solutions"),
        ("q a", "a"),
        ("puzzle y", "y"),
        ("puzzle answer response", "response"),
        ("puzzle Responses id", "Responses"),
        ("puzzle solution gpt4_output", None),
        ("puzzle solution sol_model", None),
        ("puzzle solution id", "solution"),
        ("puzzle line verdict count complete solution reason", "solution"),
        ("puzzle mine er", "mine"),
        ("puzzle mine level", None),
        ("puzzle mine input_solution", "mine"),
        ("puzzle er", None),
        ("puzzle output response", None),
        ("puzzle messages response", None),
        ("puzzle resps filtered_resps", "filtered_resps"),
        ("puzzle reasoning", None),
        ("puzzle input_solution", None),
        ("puzzle", None),
    ],
)
def test_the_column_of_answers_has_a_known_name_or_is_the_only_other_one(names, answers) -> None:
    first, *_ = columns = names.split()
    roles = Roles(first, names=tuple(columns))
    path = answer_path(roles)
    assert (path and str(path)) == answers


def test_the_names_that_commands_write_are_those_that_their_tasks_declare() -> None:
    tasks = [getattr(unidoku.tasks, name) for name in unidoku.tasks.__all__]
    declared = {*COLUMNS_OF_RECORDS}.union(*(task.columns for task in tasks))
    others = {name for name in declared if role_of(name) or declares_puzzle(name)}
    assert declared - others | {"id"} == WRITTEN_NAMES


def test_a_log_of_the_puzzle_may_have_the_answer_too() -> None:
    assert answer_path(Roles("talk[].content", names=("talk", "gold"))) is None
    assert answer_path(Roles("messages[].content", names=("messages", "gold"))) == ("messages",)


def test_a_name_counts_in_any_case_and_with_an_s() -> None:
    assert [*map(role_of, ("Completions", "PRED", "filtered_resps"))] == ["answer"] * 3
    assert [*map(role_of, ("Answers", "gold", "Ground_Truth"))] == ["solution"] * 3
    assert [*map(role_of, ("sample", "gpt4_output", "modelOutput", "id", "resps", "_"))] == [""] * 6


def write(path: Path, *records: dict[str, Any]) -> None:
    """Write records as a log: lists and objects are JSON in a table."""
    if path.suffix == ".csv":
        records = tuple(
            {name: one if isinstance(one, str) else json.dumps(one) for name, one in record.items()}
            for record in records
        )
    if path.suffix in (".json", ".jsonl"):
        texts = [*map(json.dumps, records)]
        path.write_text("\n".join(texts) if path.suffix == ".jsonl" else f"[{','.join(texts)}]")
        return
    if path.suffix == ".parquet":
        table = pytest.importorskip("pyarrow").Table.from_pylist([*records])
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
        return
    writer = FORMS[path.suffix].write
    assert writer
    writer(path, [*records])


LOGS = {  # a record for a text, and the path that has to be typed, if any
    "completion": (lambda text: {"prompt": [ASKED], "completion": [by_model(text)]}, ""),
    "messages": (lambda text: {"messages": [ASKED, by_model(text), {**ASKED, "content": "Thanks."}]}, ""),
    "choices": (
        lambda text: {
            "question": UNIQUE,
            "response": {"id": "a b", "choices": [{"message": by_model(text)}]},
        },
        "",
    ),
    "resps": (lambda text: {"doc": {"puzzle": UNIQUE}, "resps": [[text]], "filtered_resps": [text]}, ""),
    "parts": (
        lambda text: {
            "puzzle": UNIQUE,
            "output": [
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": SPACED}, {"type": "text", "text": text}],
                }
            ],
        },
        "",
    ),
    "a name with a dot": (
        lambda text: {"puzzle": UNIQUE, "said": {"model-4.1": {"response": text}}, "n": 1},
        "said.model-4.1",
    ),
    "an unknown member": (
        lambda text: {"puzzle": UNIQUE, "said": {"raw": text, "note": "of a model"}, "n": 1},
        "said.raw",
    ),
    "two names": (lambda text: {"puzzle": UNIQUE, "output": text, "response": text}, "output"),
    "thoughts": (
        lambda text: {
            "puzzle": UNIQUE,
            "llm": {"role": "assistant", "reasoning_content": SPACED, "content": text},
            "n": 1,
        },
        "llm",
    ),
    "a tool": (
        lambda text: {
            "prompt": [ASKED],
            "said": [
                {"role": "assistant", "content": None, "tool_calls": [{"arguments": {"grid": SPACED}}]},
                {"role": "ipython", "content": SPACED},
                by_model(text),
            ],
            "n": 1,
        },
        "said",
    ),
    "a call": (
        lambda text: {
            "prompt": [ASKED],
            "output": [
                by_model("I submit it."),
                {"type": "function_call", "name": "submit", "arguments": json.dumps({"answer": text})},
                {"type": "function_call_output", "output": SPACED},
            ],
        },
        "",
    ),
    "a talk": (
        lambda text: {
            "conversations": [{"from": "human", "value": UNIQUE}, {"from": "gpt", "value": text}],
            "n": 1,
        },
        "",
    ),
}


@in_turn
@pytest.mark.parametrize(
    ("suffix", "gold"), [(".jsonl", "answer"), (".json", "extra"), (".csv", "extra"), (".parquet", "answer")]
)
@pytest.mark.parametrize("log", LOGS)
def test_an_answer_in_a_log_is_graded_and_no_gold(log: str, suffix: str, gold: str, tmp_path: Path) -> None:
    path = tmp_path / f"log{suffix}"
    record, typed = LOGS[log]
    write(path, *(record(text) | {gold: SOLUTION} for text in (SPACED, WRONG, "I cannot solve it.")))
    if typed:
        with pytest.raises(unidoku.FormatError, match="choose one with --prediction") as error:
            unidoku.run(unidoku.tasks.Verify(), path)
        listed = re.findall(r"'([^']*)' \(", str(error.value))
        assert typed in listed
        assert listed[-1] == gold or gold == "extra"
    summary = unidoku.run(unidoku.tasks.Verify(typed or None), path)
    assert (summary.puzzles, summary.invalid) == (3, 0)
    assert (summary.right, summary.wrong, summary.no_grid) == (1, 1, 1)


def test_the_error_lists_the_texts_of_the_first_record_solutions_last(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    record = {"puzzle": UNIQUE, "about": {"truth": SOLUTION, "note": "By\thand."}, "tries": ["a b", SPACED]}
    write(path, record | {"empty": "", "number": 7})
    error = run("verify", path, code=2).stderr
    assert (
        "choose one with --prediction (or prediction): 'about.note' (By hand.), 'tries[0]' (a b), "
        f"'tries[1]' ({' '.join(SPACED.split())[:23]}…), 'empty' (''), "
        f"'about.truth' ({SOLUTION[:23]}…)\n" in error
    )
    for name, right in (("about.note", 0), ("tries[0]", 0), ("tries[1]", 1), ("about.truth", 1)):
        assert unidoku.run(unidoku.tasks.Verify(name), path).right == right


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ({"sudoku_solution": SOLUTION, "confidence": 0.9}, ["mine", "mine.sudoku_solution"]),
        ({f"row{row}": SOLUTION[9 * row - 9 : 9 * row] for row in range(1, 10)}, ["mine"]),
    ],
)
def test_an_object_that_says_a_grid_is_listed_itself(tmp_path: Path, value: Any, places: list[str]) -> None:
    """Its members have other names in later records."""
    path = tmp_path / "log.jsonl"
    record = {"puzzle": UNIQUE, "note": "x"}
    write(path, record | {"mine": value}, record | {"mine": {"final_answer": SOLUTION}})
    error = run("verify", path, code=2).stderr
    assert [place for place in re.findall(r"'([^']*)' \(", error) if place != "note"] == places
    assert unidoku.run(unidoku.tasks.Verify("mine"), path).right == 2


@pytest.mark.parametrize("empty", [None, "", [], {"role": "assistant", "content": None}])
def test_a_column_that_begins_with_nothing_is_listed(tmp_path: Path, empty: Any) -> None:
    path = tmp_path / "log.jsonl"
    record = {"puzzle": UNIQUE, "mine": empty, "gold": SOLUTION}
    write(path, record, record | {"mine": SPACED})
    assert "'mine" in run("verify", path, code=2).stderr.split("'gold'")[0]
    assert unidoku.run(unidoku.tasks.Verify("mine"), path).right == 1


@pytest.mark.parametrize("name", ["x", "input", "puzzle"])
def test_a_log_beside_its_puzzle_keeps_its_answers(tmp_path: Path, name: str) -> None:
    """Each record has its puzzle in both."""
    path = tmp_path / "log.jsonl"
    write(path, *[{"messages": [ASKED, by_model(SPACED)], name: UNIQUE}] * 3)
    assert unidoku.run(unidoku.tasks.Verify(), path).right == 3


def test_a_column_that_comes_late_is_a_question(tmp_path: Path) -> None:
    """The gold of the first records is not compared after all."""
    path = tmp_path / "log.jsonl"
    record = {"puzzle": UNIQUE, "gold": SOLUTION + " " * 300}
    write(path, *[record] * 300, record | {"response": WRONG})
    with pytest.raises(unidoku.FormatError, match=r"choose one with --prediction .* 'gold' \("):
        unidoku.run(unidoku.tasks.Verify(), path)


def test_files_with_the_same_columns_share_the_decision(tmp_path: Path) -> None:
    for number, values in enumerate([{"reply": 0.97, "x": SPACED}, {"reply": SPACED, "x": 3}]):
        write(tmp_path / f"{number}.jsonl", {"puzzle": UNIQUE} | values)
    summary = unidoku.run(unidoku.tasks.Verify(), tmp_path)
    assert (summary.right, summary.no_grid) == (1, 1)
    assert [file.columns["answers"] for file in summary.files] == [["reply"]] * 2


def test_verify_reads_what_solve_writes(tmp_path: Path) -> None:
    (tmp_path / "puzzles.txt").write_text(f"{UNIQUE}\n")
    for suffix in ("csv", "jsonl", "parquet"):
        path = tmp_path / f"solved.{suffix}"
        if suffix == "parquet":
            pytest.importorskip("pyarrow")
        run("solve", tmp_path / "puzzles.txt", "-o", path)
        assert unidoku.run(unidoku.tasks.Verify(), path).right == 1


def test_a_run_without_an_answer_ends_with_the_question(tmp_path: Path) -> None:
    path, output = tmp_path / "log.jsonl", tmp_path / "rows.csv"
    write(path, *[{"messages": [ASKED], "my_model": SPACED, "gold": SOLUTION}] * 3)
    error = run("verify", path, "-o", output, code=2).stderr
    assert re.search(r"no record has an answer at 'messages'; .*: 'my_model' \(.*\), 'gold' \(", error)
    assert not output.exists()
    assert unidoku.run(unidoku.tasks.Verify("my_model"), path).right == 3
    assert unidoku.run(unidoku.tasks.Verify("messages"), path).missing == 3
    write(path, *[{"messages": [ASKED], "my_model": SPACED}] * 3, {"messages": [ASKED, by_model("No.")]})
    summary = unidoku.run(unidoku.tasks.Verify(), path)
    assert (summary.missing, summary.no_grid) == (3, 1)


def test_rows_without_a_group_are_records_and_a_group_has_one_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unidoku.tasks.Verify, "batch_size", 500)
    path = tmp_path / "answers.jsonl"
    row = {"puzzle": UNIQUE, "response": SPACED, "task": "a"}
    write(path, row, row | {"response": "No."}, row | {"task": None}, row | {"task": "", "response": "No."})
    summary = unidoku.run(unidoku.tasks.Verify(group="task"), path)
    assert summary.groups == {"a": [1, 2]}
    assert summary.samples == [[], [1, 1]]
    assert "pass@1             0.5000 over 3 groups" in run("verify", path, "--group", "task", code=1).stdout
    for number in (1, 2000):
        write(path, *[row] * number, row | {"puzzle": SOLUTION[:80] + "."})
        with pytest.raises(unidoku.FormatError, match="are to different puzzles"):
            unidoku.run(unidoku.tasks.Verify(group="task"), path)


@pytest.mark.parametrize("value", ['"2025-11-02"', "-0.3", '"x-0"', '"at -0."', "-1e-07", "1" + "0" * 600])
@pytest.mark.parametrize(
    "form", [str, lambda cells: [[*map(int, cells[k : k + 9])] for k in range(0, 81, 9)]]
)
def test_no_value_next_to_them_turns_a_solution_into_a_puzzle(tmp_path: Path, value: str, form: Any) -> None:
    wrong = SOLUTION[1::-1] + SOLUTION[2:]
    record = {"gold": form(SOLUTION), "at": "VALUE", "prompt": UNIQUE, "output": wrong}
    log = json.dumps(record).replace('"VALUE"', value)
    (tmp_path / "log.jsonl").write_text(log + "\n" + log.replace('"output"', '"n": -0, "output"') + "\n")
    summary = unidoku.run(unidoku.tasks.Verify(), tmp_path / "log.jsonl")
    assert (summary.puzzles, summary.task_counts["wrong"]) == (2, 2)


@pytest.mark.parametrize("others", [{}, {"scores": {"match": {"value": "C", "explanation": ""}}}])
def test_a_log_with_its_question_in_two_conversations_is_one_record(tmp_path: Path, others: Any) -> None:
    question = [{"role": "user", "content": f"Solve this:\n{UNIQUE}"}]
    answered = [*question, {"role": "assistant", "content": SOLUTION}]
    record = {"id": 1, "input": question, "target": SOLUTION, "messages": answered, **others}
    (tmp_path / "log.json").write_text(json.dumps([record, record]))
    summary = unidoku.run(unidoku.tasks.Verify(prediction="messages"), tmp_path / "log.json")
    assert (summary.puzzles, summary.invalid, summary.task_counts["right"]) == (2, 0, 2)


def test_a_run_without_answers_asks_although_the_first_record_says_nothing(tmp_path: Path) -> None:
    records = [{"puzzle": UNIQUE, "output": "", "raw": {"text": said}} for said in ("", "", SOLUTION)]
    path = tmp_path / "log.jsonl"
    write(path, *records)
    with pytest.raises(unidoku.FormatError, match=r"no record has an answer at 'output'; .* 'raw' \(\d"):
        unidoku.run(unidoku.tasks.Verify(), path)


def test_a_run_without_answers_asks_although_the_longest_text_is_a_thought(tmp_path: Path) -> None:
    thought = json.dumps({"reasoning": [SOLUTION] * 3})
    records = [{"puzzle": UNIQUE, "output": "", "raw": said, "n": 1} for said in ("", thought, SOLUTION)]
    path = tmp_path / "log.jsonl"
    write(path, *records)
    with pytest.raises(unidoku.FormatError, match=r"no record has an answer at 'output'; .* 'raw' \("):
        unidoku.run(unidoku.tasks.Verify(), path)
