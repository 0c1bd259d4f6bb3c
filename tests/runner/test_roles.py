"""Columns of an input: solutions move with their puzzles, and nothing is lost or has two meanings."""

import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from cases import in_turn
from command import loaded, run
from example_puzzles import CLASH, EIGHT, SOLUTION, TEN, UNIQUE
from matrix import FORMS
from readback import rows_of

import unidoku
from unidoku._cli import command_names
from unidoku.files._paths import is_in_words, puzzle_in
from unidoku.files._roles import columns_with_puzzles, puzzle_column

PUZZLE = UNIQUE.replace(".", "0")
SPACED = "\n".join(" ".join(SOLUTION[k : k + 9]) for k in range(0, 81, 9))
NAMES = (  # of solutions
    *("solutions", "solution", "sol", "solved", "expected", "gold", "target", "label", "solution_grid"),
    *("response", "completion", "output", "prediction", "answer", "generated_text", "Answers"),
)
UNKNOWN = ("column2", "my notes", "x", "grid2")
"""Names that the user has to say."""
WRITES = {
    "check": ["", "--limit 3"],
    "count": ["", "--limit 3"],
    "verify": [""],
    "rate": [""],
    "solve": ["", "--all"],
    "hint": [""],
    "steps": [""],
    "minimize": ["--seed 1", "--all -n 2"],
    "transform": ["-n 2 --seed 3", "--rotate 90 --digits 912345678"],
    "canonical": [""],
    "neighbours": [""],
    "convert": ["", "--unique canonical"],
    "split": ["--seed 1"],
}
"""The commands that write the records of inputs as rows, with options."""
MOVES = [name for name in WRITES if "puzzle" in loaded(name).about.columns]


def drawn(form: str, rng: random.Random) -> list[tuple[str, str | list[list[int]]]]:
    """Draw puzzles with their solutions in a form."""
    rows = []
    for number in rng.sample(range(10**9), 4):
        image = unidoku.Transformation.from_index(number)
        grid = image(SOLUTION).line
        nine = [grid[k : k + 9] for k in range(0, 81, 9)]
        solution = {
            "cells": grid,
            "lines": "\n".join(nine),
            "lists": [[*map(int, row)] for row in nine],
        }[form]
        rows.append((image(PUZZLE).line, solution))
    return rows


FORMATS = {
    name: name for name, form in FORMS.items() if form.write and form.kind != "puzzles" and name[0] == "."
}
FORMATS |= {".csv.gz": ".csv", ".jsonl.gz": ".jsonl", ".ndjson": ".jsonl", ".pq": ".parquet"}


def write(path: Path, names: Sequence[str], rows: list[Any]) -> None:
    """Write rows by another library."""
    suffix = FORMATS["".join(path.suffixes)]
    plain = path.with_name(f"plain{suffix}")
    writer = FORMS[suffix].write
    assert writer
    writer(plain, [dict(zip(names, row, strict=True)) for row in rows])
    content = plain.read_bytes()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def outputs_of(folder: Path, command: str, source: Path, suffix: str, *options: str) -> list[Path]:
    """Write the rows of a command to a file, of `split` to two; return those."""
    outputs = [folder / f"out{number}{suffix}" for number in range(1 + (command == "split"))]
    for path in outputs:
        path.unlink(missing_ok=True)
    run(command, source, *options, *(f"-o{path}" for path in outputs))
    return outputs


def test_the_commands_are_all_that_write_rows() -> None:
    options = {name: {o.name for o in loaded(name).options} for name in command_names()}
    writes = [name for name, has in options.items() if "rejects" in has and has & {"columns", "keep"}]
    assert sorted(writes) == sorted(WRITES)


@pytest.mark.parametrize("suffix", FORMATS)
def test_solutions_move(suffix: str, tmp_path: Path) -> None:
    rng = random.Random(suffix)
    name, command = rng.choice(NAMES + UNKNOWN), rng.choice(MOVES)
    form, prediction = (
        rng.choice(["cells", "lines", "lists"]),
        ["--prediction", name],
    )
    puzzles = rng.choice(["puzzle", "quizzes", "question", "my board"])
    options = rng.choice(WRITES[command]).split()
    source = tmp_path / f"in{suffix}"
    write(source, (puzzles, name), drawn(form, rng))
    run("verify", source, *prediction, code=0)
    outputs = outputs_of(tmp_path, command, source, ".jsonl" if suffix == ".json" else suffix, *options)
    code = 0
    if command == "neighbours":  # the answers are of another puzzle
        code = 1 if name in UNKNOWN else 2
    assert run("verify", *outputs, *prediction).returncode == code, (name, form, command, options)


def by_model(text: str | None) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def by_user(text: str) -> dict[str, Any]:
    return {"role": "User", "content": text}


@in_turn
@pytest.mark.parametrize(
    ("value", "cells"),
    [
        (f"Solve {UNIQUE}", UNIQUE),
        ([by_user(TEN), by_model("No."), by_user(UNIQUE)], UNIQUE),
        ([by_user(UNIQUE), by_model("Go on."), by_user(UNIQUE.replace(".", "4", 1))], UNIQUE),
        ([by_user(UNIQUE.replace(".", "4", 1)), by_user(UNIQUE)], UNIQUE),
        ([by_user("Solve it."), by_model(UNIQUE)], ""),
        ([UNIQUE, TEN], ""),
        ({"a": UNIQUE, "b": UNIQUE.replace(".", "4", 1)}, UNIQUE),
        ({"a": UNIQUE.replace(".", "4", 1), "b": UNIQUE}, UNIQUE),
        (json.dumps([by_user(UNIQUE)]), UNIQUE),
        (SOLUTION, ""),
    ],
)
def test_the_puzzle_of_a_value(value: Any, cells: str) -> None:
    assert puzzle_in(value).cells == cells


@in_turn
@pytest.mark.parametrize(
    ("row", "columns"),
    [
        (["7", UNIQUE, SOLUTION], [1]),
        ([UNIQUE.replace(".", "4", 1), UNIQUE], [1]),
        ([UNIQUE, TEN], [0, 1]),
        (["no. 7", UNIQUE[:-1]], []),
        (["Easy7", SOLUTION], []),
        (["It may be a puzzle.", SOLUTION], []),
    ],
)
def test_the_columns_with_puzzles(row: list[str], columns: list[int]) -> None:
    assert columns_with_puzzles(range(len(row)), row) == columns


def test_the_column_of_puzzles() -> None:
    """A name decides, whatever the first record has there; without one, its only puzzle with empty cells."""

    def column(names: list[str], row: list[str]) -> int:
        return puzzle_column(names, None, row=lambda: row)

    assert column(["id", "puzzle"], ["7", UNIQUE]) == 1
    assert column(["puzzle", "mine"], ["", UNIQUE]) == 0
    assert column(["id", "mine"], ["7", UNIQUE]) == 1
    assert column(["puzzle", "quiz"], ["", UNIQUE]) == 1
    for full in ("", SOLUTION):
        with pytest.raises(unidoku.FormatError, match="no puzzle in the columns 'mine'"):
            column(["mine"], [full])


def test_empty_cells_in_words_are_not_words() -> None:
    assert not is_in_words(" ".join(UNIQUE).replace(".", "null"))
    assert is_in_words(f"Solve {UNIQUE}, please.")


def test_a_typed_path_is_the_one_that_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"prompt": [by_user(UNIQUE)], "response": SOLUTION}))
    for typed, reported in ((None, "prompt[].content"), ("prompt[0].content", "prompt[0].content")):
        summary = unidoku.run(unidoku.tasks.Verify(), path, column=typed)
        assert summary.files[0].columns["puzzles"] == [reported]


def test_a_reply_that_repeats_the_puzzle_is_no_prompt(tmp_path: Path) -> None:
    path, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    path.write_text(json.dumps({"puzzle": UNIQUE, "response": f"I cannot solve {UNIQUE} today."}))
    unidoku.run(unidoku.tasks.Transform(rotate=90), path, out)
    assert "response" in rows_of(out)[0]


OWN = ("line", "file", "reason", "clues", "er", "rating", "name", "title", "id", "note")


@pytest.mark.parametrize("command", WRITES)
def test_a_column_of_the_input_is_written_with_one_meaning(command: str, tmp_path: Path) -> None:
    rng = random.Random(command)
    flags = {option.name for option in loaded(command).options}
    for suffix in rng.sample([".csv", ".jsonl", ".parquet", ".arrow"], 1):
        about, options = loaded(command).about, rng.choice(WRITES[command]).split()
        own = OWN[4:] if command in ("convert", "split") else OWN
        names = rng.sample([*{*own, *about.columns, "solution", "input_clues"} - {"puzzle", "prediction"}], 5)
        values = [f"value {number}" for number in range(5)]
        source = tmp_path / f"in{suffix}"
        write(source, ("puzzle", "prediction", *names), [(PUZZLE, SOLUTION, *values)])

        def first_row(*further: str) -> dict[str, str]:
            outputs = outputs_of(tmp_path, command, source, suffix, *options, *further)  # noqa: B023
            return next(iter(chain.from_iterable(map(rows_of, outputs))))

        written = first_row()
        found = [name for value in values for name in written if written[name] == value]
        assert sorted(written[name] for name in found) == values
        if "columns" in flags:
            assert first_row("--columns", ",".join(written)) == written, names
            name = rng.choice(found)
            assert first_row("--columns", name) == {name: written[name]}
        if "keep" in flags:
            assert first_row("--keep", names[0]).keys() & {*found} == {found[0]}


@pytest.mark.parametrize("command", WRITES)
def test_rejects(command: str, tmp_path: Path) -> None:
    """They are the invalid records that a check finds, in any format; older ones stay after an error."""
    rng = random.Random(command)
    texts = [rng.choice([PUZZLE, "no", "", PUZZLE[:-1]]) for _ in range(40)]
    rows = [[text, SOLUTION, f"n{k}"] for k, text in enumerate(texts)]
    rejects = tmp_path / "rejects.jsonl"
    suffix = rng.choice([*FORMATS])
    source = tmp_path / f"in{suffix}"
    write(source, ("puzzle", "gold", "id"), rows)
    options = [*WRITES[command][0].split(), *["--prediction", "gold"][: 2 * (command == "verify")]]
    outputs_of(tmp_path, command, source, ".csv", *options, "--rejects", f"{rejects}")
    (checked,) = outputs_of(tmp_path, "check", source, ".jsonl", "--only", "invalid")
    found = rows_of(rejects)
    assert [row["id"] for row in found] == [f"n{k}" for k, text in enumerate(texts) if text != PUZZLE]
    assert {row.pop("reason_code") for row in found} <= {"no_puzzle", "wrong_length"}
    assert {row.pop("file") for row in found} == {str(source)}
    assert found == [{name: row[name] for name in found[0]} for row in rows_of(checked)]
    before = rejects.read_bytes()
    run(command, source, tmp_path / "none.csv", "-o", tmp_path / "out.csv", "--rejects", rejects, code=2)
    assert rejects.read_bytes() == before


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_columns_of_csv_are_texts(suffix: str, tmp_path: Path) -> None:
    source, out, back = tmp_path / "in.csv", tmp_path / f"out{suffix}", tmp_path / "back.csv"
    values = [(PUZZLE, "" if k == 7 else "A7" if k == 900 else str(k)) for k in range(901)]  # beyond 64 KiB
    write(source, ("puzzle", "id"), values)
    unidoku.run(unidoku.tasks.Convert(), source, out)
    assert [row["id"] for row in rows_of(out)] == [number for _, number in values]
    unidoku.run(unidoku.tasks.Convert(), out, back)
    assert back.read_text() == source.read_text().replace(PUZZLE, PUZZLE.replace("0", "."))


GRID = SPACED
WRONG = GRID[:-3] + GRID[-1] + " " + GRID[-3]
USER = {"role": "user", "content": f"Solve:\n{PUZZLE}"}


@pytest.mark.parametrize("prediction", ["said.model-4.1.response", "said.model-4.1"])
def test_a_name_on_a_path_may_have_dots(prediction: str | None, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"puzzle": PUZZLE, "said": {"model-4.1": {"response": GRID}}}))
    assert unidoku.run(unidoku.tasks.Verify(prediction), path).all_right


def test_a_path_begins_with_the_longest_name(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"puzzle": PUZZLE, "said": {"b": WRONG}, "said.b": GRID}))
    assert unidoku.run(unidoku.tasks.Verify("said.b"), path).all_right


def test_several_answers_to_a_puzzle_are_an_error_that_names_one(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"puzzle": PUZZLE, "responses": [WRONG, GRID], "answer": SOLUTION}))
    with pytest.raises(unidoku.FormatError, match=r"2 answers are at 'responses': 'responses\[0\]'"):
        unidoku.run(unidoku.tasks.Verify(), path)
    assert [unidoku.run(unidoku.tasks.Verify(f"responses[{k}]"), path).right for k in range(2)] == [0, 1]
    assert unidoku.run(unidoku.tasks.Verify("responses[7]"), path).missing == 1
    out = tmp_path / "out.jsonl"
    summary = unidoku.run(unidoku.tasks.Verify(samples=True), path, out)
    assert (summary.puzzles, summary.right, summary.wrong) == (2, 1, 1)
    assert [(row["sample"], row["outcome"]) for row in rows_of(out)] == [(1, "wrong"), (2, "right")]
    unidoku.run(unidoku.tasks.Verify(samples=True), path, out, where="outcome=wrong")
    assert [row["sample"] for row in rows_of(out)] == [1]


def test_empty_samples_count(tmp_path: Path) -> None:
    """Ids, reasons of the end and thoughts beside them are not answers, whatever the first records have."""
    path = tmp_path / "log.jsonl"
    sample = {
        "message": {"role": "assistant", "reasoning_content": GRID, "content": None},
        "finish_reason": "a b",
    }
    full = {
        "message": {"role": "assistant", "reasoning_content": WRONG, "content": GRID},
        "finish_reason": "a b",
    }
    records = [{"id": "a b", "puzzle": PUZZLE, "choices": [sample] * 2} for _ in range(20)]
    records[-1]["choices"] = [sample, full]
    path.write_text("\n".join(map(json.dumps, records)))
    summary = unidoku.run(unidoku.tasks.Verify(samples=True), path)
    assert (summary.right, summary.wrong, summary.no_grid, summary.missing) == (1, 0, 0, 39)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_a_list_of_grids_has_samples(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"log{suffix}"
    grids = [[[*map(int, row.split())] for row in grid.splitlines()] for grid in (WRONG, GRID)]
    write(path, ("puzzle", "predictions"), [(PUZZLE, json.dumps(grids) if suffix == ".csv" else grids)])
    summary = unidoku.run(unidoku.tasks.Verify(samples=True), path)
    assert (summary.right, summary.wrong) == (1, 1)
    assert [unidoku.run(unidoku.tasks.Verify(f"predictions[{k}]"), path).right for k in range(2)] == [0, 1]


def test_a_plain_text_beside_messages_in_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    message = json.dumps({"role": "assistant", "content": GRID})
    write(path, ("puzzle", "response"), [(PUZZLE, text) for text in (message, "I cannot", message)])
    summary = unidoku.run(unidoku.tasks.Verify(), path)
    assert (summary.right, summary.no_grid) == (2, 1)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_a_prompt_in_words_stays_a_column(suffix: str, tmp_path: Path) -> None:
    path, out = tmp_path / f"in{suffix}", tmp_path / "out.jsonl"
    write(path, ("id", "prompt"), [("a", f"Solve {PUZZLE}, please.")])
    for task, name in (
        (unidoku.tasks.Rate(), "prompt"),
        (unidoku.tasks.Transform(rotate=90), "input_prompt"),
    ):
        unidoku.run(task, path, out)
        assert rows_of(out)[0][name] == f"Solve {PUZZLE}, please."


def test_a_first_row_that_is_longer_than_the_header_is_invalid(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"id,comment,puzzle\n0,fine, ok,{PUZZLE}\n1,fine,{PUZZLE}\n")
    summary = unidoku.run(unidoku.tasks.Check(), path)
    assert (summary.unique, summary.invalid) == (1, 1)


def test_a_prompt_is_that_of_the_former_puzzle(tmp_path: Path) -> None:
    path, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    path.write_text(json.dumps({"puzzle": PUZZLE, "prompt": f"Solve {PUZZLE}, please.", "response": GRID}))
    unidoku.run(unidoku.tasks.Transform(rotate=90), path, out)
    (row,) = rows_of(out)
    assert row["input_prompt"] == f"Solve {PUZZLE}, please."
    assert "prompt" not in row
    assert unidoku.run(unidoku.tasks.Verify(), out).all_right


@pytest.mark.parametrize("rows", [[0, 1, 2], [1, 2, 0]])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json", ".parquet"])
def test_a_full_grid_is_a_puzzle_like_any_other(suffix: str, rows: list[int], tmp_path: Path) -> None:
    path, out = tmp_path / f"in{suffix}", tmp_path / "out.csv"
    records = [("1", PUZZLE, SOLUTION), ("2", SOLUTION, ""), ("3", SOLUTION, SOLUTION)]
    write(path, ("id", "puzzle", "solution"), [records[row] for row in rows])
    for output in (None, out):
        summary = unidoku.run(unidoku.tasks.Check(), path, output)
        assert (summary.unique, summary.invalid) == (3, 0)


ANSWERS = (
    *(str, lambda line: "\n".join(line[k : k + 9] for k in range(0, 81, 9))),
    *(lambda line: f"It is {line}.", lambda line: json.dumps([*map(int, line.replace(".", "0"))])),
    *(lambda line: f"{PUZZLE} <answer>{line}</answer>", lambda line: f"<answer>no</answer> {line}"),
    *(lambda line: f"<think>{line[::-1]}</think>{line}", lambda line: f"<think>{line}"),
)


def answer_to(puzzle: str, rng: random.Random) -> str:
    """Draw an answer, in some form: right, wrong, in part, a copy of the puzzle, a refusal, none."""
    cells = [*(SOLUTION if puzzle == CLASH else unidoku.solve(puzzle).line)]
    for digits, most in rng.sample([("123456789", 5), (".", 60), ("1", 0)], 2):
        for cell in rng.sample(range(81), rng.randint(0, most)):
            cells[cell] = rng.choice(digits)
    answer = rng.choice(["".join(cells)] * 6 + [puzzle, "I cannot.", "42", "<answer></answer>", ""])
    return rng.choice(ANSWERS)(answer) if len(answer) == 81 else answer


@pytest.mark.parametrize("answer", ["text", "tag"])
def test_one_judge(answer: str, tmp_path: Path) -> None:
    """Of files, of many answers, of one, and of rewards; in a file nothing is said of no grid."""
    rng = random.Random(answer)
    for suffix in rng.sample([*FORMATS], 2):
        puzzles = [rng.choice([PUZZLE, TEN, EIGHT, CLASH]) for _ in range(30)]
        answers = [answer_to(puzzle, rng) for puzzle in puzzles]
        source = tmp_path / f"in{suffix}"
        write(source, ("puzzle", "response"), [*zip(puzzles, answers, strict=True)])
        (out,) = outputs_of(tmp_path, "verify", source, ".jsonl", "--answer", answer)
        many = unidoku.verify_many(puzzles, answers, answer=answer)
        rewards = unidoku.learning.reward_function()([], answers, puzzle=puzzles)
        for k, row in enumerate(rows_of(out)):
            message = {"role": "assistant", "content": answers[k]}
            one, *others = (
                asdict(unidoku.verify(puzzles[k], said, answer=answer))
                for said in (answers[k], message, [message], {"choices": [{"message": message}]})
            )
            assert tuple(one.values()) == many[k]
            assert others == [one] * 3
            reason = one.pop("reason")
            said = one if reason is None else dict.fromkeys(one) | {"solved": False, "score": 0}
            assert said.items() <= row.items()
            assert reason is None or row["reason"] == reason
            assert answer == "text" or rewards[k] == one["score"]
        messages = [[{"role": "assistant", "content": said}] for said in answers]
        assert [*unidoku.verify_many(puzzles, messages, answer=answer)] == [*many]
