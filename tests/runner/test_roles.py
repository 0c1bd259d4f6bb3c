"""Columns of an input: solutions move with their puzzles, and nothing is lost or has two meanings."""

import gzip
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from command import loaded, run
from example_puzzles import CLASH, EIGHT, SOLUTION, TEN, UNIQUE
from matrix import FORMS
from readback import rows_of

import unidoku
from unidoku.cli import GROUPS
from unidoku.files.column_names import is_known, role_of
from unidoku.files.paths import answers_in, is_in_words, puzzle_in
from unidoku.files.roles import columns_with_puzzles, puzzle_column

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
    "verify": [""],
    "rate": [""],
    "solve": ["", "--all"],
    "hint": [""],
    "steps": [""],
    "minimize": ["--seed 1", "--all -n 2"],
    "transform": ["-n 2 --seed 3", "--rotate 90 --digits 912345678"],
    "canonical": ["", "--form solution"],
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
    options = {name: {o.name for o in loaded(name).options} for group in GROUPS.values() for name in group}
    writes = [name for name, has in options.items() if "rejects" in has and has & {"columns", "keep"}]
    assert sorted(writes) == sorted(WRITES)


@pytest.mark.parametrize("suffix", FORMATS)
def test_solutions_move(suffix: str, tmp_path: Path) -> None:
    rng = random.Random(suffix)
    for _ in range(17):
        name, command = rng.choice(NAMES + UNKNOWN), rng.choice(MOVES)
        form, prediction = (
            rng.choice(["cells", "lines", "lists"]),
            ["--prediction", name][: 2 * (name in UNKNOWN)],
        )
        puzzles = rng.choice(["puzzle", "quizzes", "question", "my board"])
        options = rng.choice(WRITES[command]).split()
        source = tmp_path / f"in{suffix}"
        write(source, (puzzles, name), drawn(form, rng))
        run("verify", source, *prediction, code=0)
        outputs = outputs_of(tmp_path, command, source, ".jsonl" if suffix == ".json" else suffix, *options)
        code = (1 if prediction else 2) if command == "neighbours" else 0  # the answers are of another puzzle
        assert run("verify", *outputs, *prediction).returncode == code, (name, form, command, options)


@pytest.mark.parametrize(
    ("names", "values", "taken"),
    [
        (["quizzes", "solutions"], [PUZZLE, SOLUTION], {"puzzles": ["quizzes"], "answers": ["solutions"]}),
        (["a", "q"], [SOLUTION, PUZZLE], {"puzzles": ["q"], "answers": ["a"]}),
        (["grid", "y"], [PUZZLE, f"So: {SOLUTION}"], {"answers": ["y"]}),
        (["start", "end"], [PUZZLE, SOLUTION], {"puzzles": ["start"], "answers": ["end"]}),
        (["puzzle", "answer"], ["", f"<think>{PUZZLE}</think> {SOLUTION}"], {"puzzles": ["puzzle"]}),
        (["question", "answer", "response"], [PUZZLE, SOLUTION, "no"], {"answers": ["response"]}),
        (["puzzle", "answer", "text"], [PUZZLE, SOLUTION, "I do not know. " * 6], ["'text', 'answer'"]),
        (["puzzle", "answer", "said"], [PUZZLE, SOLUTION, "I don't know"], ["'said', 'answer'"]),
        (["puzzle", "answer", "said"], [PUZZLE, SOLUTION, "7"], {"answers": ["answer"]}),
        (["puzzle", "answer", "set"], [PUZZLE, SOLUTION, "17_clue"], {"answers": ["answer"]}),
        (["puzzle", "answer", "Title"], [PUZZLE, SOLUTION, "Easy, no. 7"], {"answers": ["answer"]}),
        (["puzzle", "answer", "task_id"], [PUZZLE, SOLUTION, "no. 7"], {"answers": ["answer"]}),
        (["puzzle", "output", "response"], [PUZZLE, SOLUTION, SOLUTION], ["'response', 'output'"]),
        (["puzzle", "output", "pred"], [PUZZLE, "a b", "[INVALID]"], {"answers": ["output"]}),
        (["puzzle", "student", "answer"], [PUZZLE, "Anna Lee", "no idea"], ["'answer', 'student'"]),
        (["puzzle", "student", "answer"], [PUZZLE, "Anna Lee", SOLUTION[::-1]], ["'answer', 'student'"]),
        (["puzzle", "tale", "said"], [PUZZLE, "It is hard.", SOLUTION[::-1]], ["'said', 'tale'"]),
        (["puzzle", "chosen", "rejected"], [PUZZLE, SOLUTION, SOLUTION[::-1]], ["'chosen', 'rejected'"]),
        (["puzzle", "gold", "guess"], [PUZZLE, SOLUTION, SOLUTION[::-1]], ["'guess', 'gold'"]),
        (
            ["puzzle", "resps", "filtered_resps"],
            [PUZZLE, f"No: {PUZZLE}", SOLUTION],
            {"answers": ["filtered_resps"]},
        ),
        (["puzzle", "messages", "response"], [PUZZLE, "no", SOLUTION], {"answers": ["response"]}),
        (["puzzle", "solution", "gpt4_output"], [PUZZLE, SOLUTION, "a b"], {"answers": ["gpt4_output"]}),
        (["puzzle", "goldAnswer", "Model Text"], [PUZZLE, SOLUTION, "a b"], {"answers": ["Model Text"]}),
        (["puzzle", "gold_board", "my_answer"], [PUZZLE, SOLUTION, "a b"], ["'my_answer', 'gold_board'"]),
        (["puzzle", "model_target", "said"], [PUZZLE, SOLUTION, "a b"], ["'said', 'model_target'"]),
        (["puzzle", "correct_grid", "solved_by"], [PUZZLE, SOLUTION, "a b"], {"answers": ["correct_grid"]}),
        (["puzzle", "gold", "user_reply"], [PUZZLE, SOLUTION, "a b"], ["'user_reply', 'gold'"]),
        (["puzzle", "gold", "input_output"], [PUZZLE, SOLUTION, "a b"], ["'input_output', 'gold'"]),
        (["puzzle", "llm_text", "raw_output"], [PUZZLE, SOLUTION, "a b"], {"answers": ["llm_text"]}),
        (["puzzle", "solver_output", "said"], [PUZZLE, SOLUTION, "a b"], ["'solver_output', 'said'"]),
        (["puzzle", "reply_text", "raw_output"], [PUZZLE, SOLUTION, "a b"], {"answers": ["reply_text"]}),
        (["puzzle", "solution", "second_solution"], [PUZZLE, SOLUTION, SOLUTION], {"answers": ["solution"]}),
        (["puzzle", "output", "gpt4_output"], [PUZZLE, SOLUTION, "a b"], {"answers": ["output"]}),
        (["input", "llm_text", "output"], [PUZZLE, SOLUTION, "a b"], {"answers": ["llm_text"]}),
        (["input", "output", "gold", "said"], [PUZZLE, "a b", SOLUTION, "c d"], {"answers": ["output"]}),
        (["puzzle", "gold", "input_outcome"], [PUZZLE, SOLUTION, "no grid"], {"answers": ["gold"]}),
        (["puzzle", "prediction", "reply"], [PUZZLE, SOLUTION, "0.97"], {"answers": ["prediction"]}),
        (["puzzle", "gold", "attempt"], [PUZZLE, SOLUTION, "3"], {"answers": ["gold"]}),
        (["puzzle", "gold", "attempt", "tries"], [PUZZLE, SOLUTION, "3", "a b"], ["'tries', 'gold'"]),
        (["puzzle", "attempt", "gold"], [PUZZLE, SOLUTION, SOLUTION], {"answers": ["attempt"]}),
        (["puzzle", "sol", "correct_answer"], [PUZZLE, SOLUTION, "7"], {"answers": ["sol"]}),
        (["puzzle", "messages_gold", "messages"], [PUZZLE, SOLUTION, "no"], {"answers": ["messages"]}),
        (["input", "gpt4_output", "output"], [PUZZLE, SOLUTION, "It is hard."], {"answers": ["gpt4_output"]}),
        (["input", "output", "model"], [PUZZLE, SOLUTION, "a b"], {"answers": ["output"]}),
        (["input", "output", "gpt4"], [PUZZLE, SOLUTION, "It is hard."], ["'gpt4', 'output'"]),
        (
            ["puzzle", "gold", "technique"],
            [PUZZLE, SOLUTION, "dynamic forcing chains"],
            {"answers": ["gold"]},
        ),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".npz"])
def test_the_columns_that_are_compared(names, values, taken, suffix, tmp_path) -> None:
    path = tmp_path / f"in{suffix}"
    write(path, names, [values])
    if isinstance(taken, list):
        with pytest.raises(unidoku.FormatError, match=f"could be the answers: {taken[0]}; choose one"):
            unidoku.run(unidoku.tasks.Verify(), path)
        for column in (names[1], "2"):
            if SOLUTION not in values[1]:
                continue
            summary = unidoku.run(unidoku.tasks.Verify(column), path)
            assert summary.all_right
            assert summary.files[0].columns["answers"] == [names[1]]
        return
    columns = unidoku.run(unidoku.tasks.Verify(), path).files[0].columns
    assert columns == columns | taken


def by_model(text: str | None) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def by_user(text: str) -> dict[str, Any]:
    return {"role": "User", "content": text}


ROWS = [[*map(int, SOLUTION[k : k + 9])] for k in range(0, 81, 9)]
BY_ROW = {f"row{k}": SOLUTION[9 * k - 9 : 9 * k] for k in range(1, 10)}
VALUES: list[tuple[Any, list[str]]] = [  # and what each says
    (None, []),
    (" \n", []),
    (7, ["7"]),
    ("I give up.", ["I give up."]),
    ({"text": "One.", "content": "Two."}, ["Two."]),
    ({"content": None, "text": "One."}, []),
    ({"raw": "One."}, []),
    ({"role": "assistant", "raw": "One."}, []),
    ({"thinking": "One.", "raw": "Two."}, []),
    (by_user("One."), []),
    ({"from": "model-4.1", "value": "One."}, ["One."]),
    ([by_model("One."), by_user("Thanks."), by_model("Two."), by_user("Bye.")], ["Two."]),
    ([by_model("One."), by_user(f"Solve {UNIQUE}")], []),
    ([by_user("One."), {"from": "gpt", "value": "Two."}], ["Two."]),
    ([by_user("One."), {"from": "model-4.1", "value": "Two."}], ["Two."]),
    (
        {"content": [{"type": "thinking", "text": "One."}, {"type": "text", "text": "Two."}, "Six."]},
        ["Two.\nSix."],
    ),
    ({"content": [{"text": "One.", "thought": True}, {"text": "Two."}]}, ["Two."]),
    (["One.", None, "Two."], ["One.", "", "Two."]),
    ([None, ""], ["", ""]),
    ([], []),
    ({"choices": [{"message": by_model("One.")}, {"message": by_model(None)}]}, ["One.", ""]),
    ([{"raw": "One."}, {"text": "Two."}], ["", "Two."]),
    (BY_ROW, [json.dumps(BY_ROW)]),
    (ROWS, [SOLUTION]),
    ([ROWS, ROWS], [SOLUTION, SOLUTION]),
    (json.dumps([ROWS, ROWS]), [SOLUTION, SOLUTION]),
    (json.dumps(by_model("One.")), ["One."]),
    (str(by_model("One.")), ["One."]),
    (json.dumps({"role": "assistant", "raw": "One."}), []),
    ('["One.", "Two."]', ["One.\nTwo."]),
    ('[["One."], ["Two."]]', ["One.\nTwo."]),
    ('[{"text": "One."}, {"text": "Two."}]', ["One.", "Two."]),
    ('{"error": "Busy.", "note": "Wait."}', ["Busy.\nWait."]),
    ('{"reasoning": "One.", "raw": "Two."}', ["Two."]),
    ('{"code": 7}', ['{"code": 7}']),
    ("[]", []),
    ("[{}]", []),
]


@pytest.mark.parametrize(("value", "said"), VALUES, ids=range(len(VALUES)))
def test_what_a_value_says(value: Any, said: list[str]) -> None:
    assert answers_in(value) == said
    assert unidoku.verify(PUZZLE, value).solved == (value is BY_ROW or {*said} == {SOLUTION})


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


MEANINGS = {  # of names of columns
    "solution": "Answers goldAnswer answer_2 solution_str messages_gold correct-grid Ground.Truth",
    "answer": "modelOutput response_1 Response rollouts completion_text response_raw response_body out",
    "model text": "llm_text predicted_board Assistant.Message model_out",
    "output": "gpt4_output gpt-4.1_responses rawCompletion attributes.output.value",
    "choice": "candidates message attempt_1",
    "conversation": "messages conversations",
    "": "final_answer gold_length model_target llm_2 user_reply input_output gpt4 said input_said _ 答案",
    "remark": "run_id problem_source finishReason created_at input_er input_run_id modelInput Tags puzzle "
    "metricsData error_message outer_title",
}


@pytest.mark.parametrize("meaning", MEANINGS)
def test_what_a_name_means(meaning: str) -> None:
    names = MEANINGS[meaning].split()
    assert [role_of(name) for name in names] == [meaning.replace("remark", "")] * len(names)
    assert [is_known(name) for name in names] == [meaning == "remark"] * len(names)


def test_files_whose_answers_are_in_different_columns_are_asked_about(tmp_path: Path) -> None:
    for number, values in enumerate([{"prediction": 0.97, "reply": GRID}, {"prediction": GRID, "reply": 3}]):
        (tmp_path / f"{number}.jsonl").write_text(json.dumps({"puzzle": PUZZLE} | values))
    with pytest.raises(unidoku.FormatError, match="'reply', 'prediction'; choose one with"):
        unidoku.run(unidoku.tasks.Verify(), tmp_path)


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        (["7", UNIQUE, SOLUTION], [1]),
        ([UNIQUE.replace(".", "4", 1), UNIQUE], [1]),
        ([UNIQUE, TEN], [0, 1]),
        (["no. 7", UNIQUE[:-1]], [1]),
        (["Easy7", SOLUTION], [1]),
        (["It may be a puzzle.", SOLUTION], []),
    ],
)
def test_the_columns_with_puzzles(row: list[str], columns: list[int]) -> None:
    assert columns_with_puzzles(range(len(row)), row) == columns


def test_the_column_of_puzzles() -> None:
    """A name counts if its column has puzzles; otherwise another one has, except solutions and answers."""

    def column(names: list[str], row: list[str], *, lone: bool = False) -> int:
        return puzzle_column(names, None, lone=lone, row=lambda: row, has_puzzles=lambda k: row[k] != "")

    assert column(["id", "puzzle"], ["7", UNIQUE]) == 1
    assert column(["puzzle", "mine"], ["", UNIQUE]) == 1
    assert column(["puzzle", "mine", "response"], ["", UNIQUE, UNIQUE]) == 1
    assert column(["puzzle", "response"], ["", UNIQUE]) == 0
    assert column(["mine"], [""], lone=True) == 0
    with pytest.raises(unidoku.FormatError, match="no puzzle in the columns 'mine'"):
        column(["mine"], [""])


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


def test_a_prompt_in_messages_is_no_reason_to_ask(tmp_path: Path) -> None:
    """By its name it has no answers; a column of another name with the same messages may have some."""
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"prompt": [by_user(UNIQUE)], "gold": SOLUTION}))
    assert unidoku.run(unidoku.tasks.Verify(), path).files[0].columns["answers"] == ["gold"]
    path.write_text(json.dumps({"talk": [by_user(UNIQUE), by_model(SOLUTION)], "gold": SOLUTION}))
    with pytest.raises(unidoku.FormatError, match=asked("talk", "gold")):
        unidoku.run(unidoku.tasks.Verify(), path)


def asked(*names: str) -> str:
    """Return a pattern of the question for these columns or paths; one path is no question."""
    listed = re.escape(", ".join(map(repr, names)))
    if len(names) > 1:
        return f"could be the answers: {listed}; choose one"
    return f"no column name tells .*, such as {listed}$"


NO_TEXTS = {
    **{"stars": 3, "se": 7.2, "valid": True, "seconds": 0.25, "numbers": 123456789012, "none": None},
    **{"when": "2026-01-02T10:00:00Z", "share": "12.5%", "level2": "very-hard", "mask": "01" * 40 + "1"},
    **{"state": PUZZLE.replace("0", SOLUTION[2], 1)},
}


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("name", [name for name in NO_TEXTS if name != "none"])
def test_a_column_of_numbers_or_words_is_no_answer_and_no_reason_to_ask(
    name: str, suffix: str, tmp_path: Path
) -> None:
    path, messages = tmp_path / f"in{suffix}", [{"role": "assistant", "content": SOLUTION}]
    said = json.dumps(messages) if suffix == ".csv" else messages
    for other, value in (("solution", SOLUTION), ("full", SOLUTION), ("messages", said)):
        write(path, ("puzzle", name, other), [(PUZZLE, NO_TEXTS[name], value)] * 2)
        assert unidoku.run(unidoku.tasks.Verify(), path).files[0].columns["answers"] == [other]
    if not isinstance(NO_TEXTS[name], str):
        write(path, ("puzzle", name), [(PUZZLE, NO_TEXTS[name])] * 2)
        with pytest.raises(unidoku.FormatError, match="expected a column prediction or solution"):
            unidoku.run(unidoku.tasks.Verify(), path)


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize(
    "row", [(PUZZLE, SOLUTION), (SOLUTION, PUZZLE), ("7", PUZZLE, SOLUTION), (UNIQUE, SOLUTION)]
)
def test_a_table_without_a_header_has_one_column_left(
    row: tuple[str, ...], sign: str, tmp_path: Path
) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"{sign.join(row)}\n" * 3)
    summary = unidoku.run(unidoku.tasks.Verify(), path)
    assert summary.right == 3
    assert summary.files[0].columns["answers"] == [f"column{1 + row.index(SOLUTION)}"]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_column_of_thoughts_is_never_the_answer(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"in{suffix}"
    write(path, ("puzzle", "reasoning"), [(PUZZLE, f"So it is {SOLUTION}.")])
    with pytest.raises(unidoku.FormatError, match="expected a column prediction or solution"):
        unidoku.run(unidoku.tasks.Verify(), path)
    write(path, ("puzzle", "reasoning", "said"), [(PUZZLE, SOLUTION, "I give up.")])
    assert unidoku.run(unidoku.tasks.Verify(), path).files[0].columns["answers"] == ["said"]


def test_an_object_without_a_word_of_the_table_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    for value, said in (
        ({"raw": SPACED, "id": "a-1"}, ["response.raw"]),
        ({"raw": SOLUTION}, ["response.raw"]),
        ({"note": "of a model", "raw": SOLUTION}, ["response.raw", "response.note"]),
        ([{"raw": SOLUTION}], ["response[].raw"]),
        ({"thinking": SPACED, "raw": SPACED}, ["response.raw"]),
    ):
        records = [{"puzzle": PUZZLE, "response": one} for one in [None] * 20 + [value]]
        path.write_text("\n".join(map(json.dumps, records)))
        with pytest.raises(unidoku.FormatError, match=asked(*said)):
            unidoku.run(unidoku.tasks.Verify(), path)
        assert unidoku.run(unidoku.tasks.Verify(said[0]), path).right == 1


@pytest.mark.parametrize("write_text", [json.dumps, str])
def test_an_object_in_a_text_has_the_same_answer_in_every_format(
    write_text: Callable[[Any], str], tmp_path: Path
) -> None:
    """With one member it is the text, as a model answers (law 10); with several the user is asked."""
    for value, is_asked in (({"raw": SPACED}, False), ({"raw": SPACED, "id": "a-1"}, True)):
        for suffix in (".csv", ".jsonl", ".parquet"):
            path = tmp_path / f"in{suffix}"
            write(path, ("puzzle", "response"), [(PUZZLE, write_text(value))] * 2)
            assert unidoku.verify(PUZZLE, write_text(value)).solved
            assert unidoku.run(unidoku.tasks.Verify("response.raw"), path).right == 2
            if is_asked:
                with pytest.raises(unidoku.FormatError, match=asked("response.raw")):
                    unidoku.run(unidoku.tasks.Verify(), path)
            else:
                assert unidoku.run(unidoku.tasks.Verify(), path).right == 2


@pytest.mark.parametrize(
    ("names", "values", "expected"),
    [
        ("prompt gold", [[by_user(UNIQUE), by_model("No idea.")], SOLUTION], ["prompt", "gold"]),
        ("prompt gold", [[by_user(UNIQUE)], SOLUTION], "gold"),
        ("prompt gold", [[by_model(SOLUTION), by_user(f"And {UNIQUE}")], SOLUTION], "gold"),
        ("reasoning gold", [[by_model(SOLUTION)], SOLUTION], "gold"),
        (
            "sample gold",
            [{"input": [by_user(UNIQUE)], "output": [by_model("No idea.")]}, SOLUTION],
            ["sample", "gold"],
        ),
        ("sample gold", ["2 of 3", SOLUTION], "gold"),
        (
            "result gold",
            [{"raw": None, "error": "It took too long."}, SOLUTION],
            ["result.raw", "result.error", "gold"],
        ),
        ("result gold", [{"seconds": 3, "error": "It took too long."}, SOLUTION], "gold"),
        ("metrics2 gold", [[{"name": "equal", "reason": "It is so."}], SOLUTION], "gold"),
        ("said gold", [{"model 2": {"text": "No idea."}}, SOLUTION], ["said.model 2", "gold"]),
        ("source prompt", ["by hand, from a book", None], "such as 'source'"),
    ],
)
def test_what_is_asked_about_is_decided_by_names(
    names: str, values: Any, expected: Any, tmp_path: Path
) -> None:
    """Members with the names of remarks, and prompts without a reply, are no reason to ask."""
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(dict(zip(["puzzle", *names.split()], [PUZZLE, *values], strict=True))))
    if expected == "gold":
        assert unidoku.run(unidoku.tasks.Verify(), path).files[0].columns["answers"] == ["gold"]
        return
    pattern = expected if isinstance(expected, str) else asked(*expected)
    with pytest.raises(unidoku.FormatError, match=f"{pattern}"):
        unidoku.run(unidoku.tasks.Verify(), path)


def test_what_commands_write_is_known(tmp_path: Path) -> None:
    """None of their columns is taken for an answer, or asked about."""
    abouts = (loaded(name).about for names in GROUPS.values() for name in names)
    names = {name for about in abouts for name in getattr(about, "columns", {})} - {"puzzle", "candidates"}
    path = tmp_path / "in.csv"
    others = sorted(names - {"solution", "answer"})
    assert len(others) > 50
    write(path, ("puzzle", "solution", *others), [(PUZZLE, SOLUTION, *["I do not"] * len(others))])
    summary = unidoku.run(unidoku.tasks.Verify(), path)
    assert summary.files[0].columns["answers"] == ["solution"]


OWN = ("line", "file", "reason", "clues", "er", "rating", "name", "title", "id", "note")


@pytest.mark.parametrize("command", WRITES)
def test_a_column_of_the_input_is_written_with_one_meaning(command: str, tmp_path: Path) -> None:
    rng = random.Random(command)
    flags = {option.name for option in loaded(command).options}
    for suffix in (".csv", ".jsonl", ".parquet", ".arrow"):
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
    outputs_of(tmp_path, command, source, ".csv", *WRITES[command][0].split(), "--rejects", f"{rejects}")
    (checked,) = outputs_of(tmp_path, "check", source, ".jsonl", "--only", "invalid")
    found = rows_of(rejects)
    assert [row["id"] for row in found] == [f"n{k}" for k, text in enumerate(texts) if text != PUZZLE]
    assert found == [{name: row[name] for name in found[0]} for row in rows_of(checked)]
    before = rejects.read_bytes()
    run(command, source, tmp_path / "none.csv", "-o", tmp_path / "out.csv", "--rejects", rejects, code=2)
    assert rejects.read_bytes() == before


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_columns_of_csv_are_texts(suffix: str, tmp_path: Path) -> None:
    source, out, back = tmp_path / "in.csv", tmp_path / f"out{suffix}", tmp_path / "back.csv"
    values = [(PUZZLE, "" if k == 7 else "A7" if k == 3000 else str(k)) for k in range(3001)]
    write(source, ("puzzle", "id"), values)
    unidoku.run(unidoku.tasks.Convert(), source, out)
    assert [row["id"] for row in rows_of(out)] == [number for _, number in values]
    unidoku.run(unidoku.tasks.Convert(), out, back)
    assert back.read_text() == source.read_text().replace(PUZZLE, PUZZLE.replace("0", "."))


GRID = SPACED
WRONG = GRID[:-3] + GRID[-1] + " " + GRID[-3]
USER = {"role": "user", "content": f"Solve:\n{PUZZLE}"}
LOGS = {  # a record for an answer
    "completion": lambda text: {"prompt": [USER], "completion": [{"role": "assistant", "content": text}]},
    "messages": lambda text: {
        "messages": [USER, {"role": "assistant", "content": text}, {**USER, "content": "Thanks."}]
    },
    "choices": lambda text: {
        "question": PUZZLE,
        "response": {"id": "a b", "choices": [{"message": {"content": text}}]},
    },
    "responses": lambda text: {"puzzle": PUZZLE, "responses": [text]},
    "resps": lambda text: {"doc": {"puzzle": PUZZLE}, "resps": [[text]], "filtered_resps": [text]},
    "parts": lambda text: {
        "puzzle": PUZZLE,
        "output": [
            {
                "role": "assistant",
                "content": [{"type": "thinking", "thinking": GRID}, {"type": "text", "text": text}],
            }
        ],
    },
    "models": lambda text: {"puzzle": PUZZLE, "said": {"model-4.1": {"response": text}}},
    "unknown": lambda text: {"puzzle": PUZZLE, "said": {"raw": text, "note": "of a model"}},
    "both": lambda text: {"prompt": [USER], "messages": [USER, {"role": "assistant", "content": text}]},
    "thoughts": lambda text: {
        "puzzle": PUZZLE,
        "llm": {"role": "assistant", "reasoning_content": GRID, "content": text},
    },
    "text": lambda text: {
        "puzzle": PUZZLE,
        "response": json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}),
    },
    "tool": lambda text: {
        "prompt": [{"role": "system", "content": "Be brief."}, USER],
        "said": [
            {"role": "assistant", "content": None, "tool_calls": [{"arguments": {"grid": GRID}}]},
            {"role": "tool", "content": GRID},
            {"role": "assistant", "content": text},
        ],
    },
    "talk": lambda text: {
        "conversations": [{"from": "human", "value": PUZZLE}, {"from": "gpt", "value": text}]
    },
}


UNNAMED = {"models": "said.model-4.1", "unknown": "said.raw", "thoughts": "llm", "tool": "said"}
"""The paths that an error proposes where no name says which column has the answers."""


@pytest.mark.parametrize("gold", ["answer", "ground_truth", "extra", None])
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
@pytest.mark.parametrize("log", LOGS)
def test_an_answer_in_a_log_is_graded_and_no_gold(
    log: str, suffix: str, gold: str | None, tmp_path: Path
) -> None:
    path = tmp_path / f"log{suffix}"
    records = [
        LOGS[log](text) | ({gold: SOLUTION} if gold else {}) for text in (GRID, WRONG, "I cannot solve it.")
    ]
    if suffix == ".csv":
        rows = [
            [json.dumps(value) if isinstance(value, list | dict) else value for value in one.values()]
            for one in records
        ]
        write(path, [*records[0]], rows)
    elif suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pytest.importorskip("pyarrow").Table.from_pylist(records), path)
    else:
        text = json.dumps(records) if suffix == ".json" else "\n".join(map(json.dumps, records))
        path.write_text(text)
    prediction = UNNAMED.get(log, log if gold == "extra" and log in ("messages", "both", "talk") else None)
    prediction = {"both": "messages", "talk": "conversations"}.get(prediction or "", prediction)
    is_left = gold is None and log in ("thoughts", "tool")
    is_text = gold is None and log == "models" and suffix == ".csv"
    if is_left or is_text:  # the only column next to the puzzle; in CSV an object of one member is a text
        assert unidoku.run(unidoku.tasks.Verify(), path).right == 1
    elif prediction is not None:
        with pytest.raises(unidoku.FormatError, match="choose one with --prediction") as error:
            unidoku.run(unidoku.tasks.Verify(), path)
        assert repr(prediction) in str(error.value)
    summary = unidoku.run(unidoku.tasks.Verify(prediction), path)
    assert (summary.puzzles, summary.invalid) == (3, 0)
    assert (summary.right, summary.wrong, summary.no_grid) == (1, 1, 1)
    image = tmp_path / f"image{'.jsonl' if suffix == '.json' else suffix}"
    unidoku.run(unidoku.tasks.Transform(rotate=90), path, image)
    if log in ("messages", "both", "talk"):  # the answer stays beside the puzzle before
        with pytest.raises(unidoku.FormatError, match="choose one with --prediction") as error:
            unidoku.run(unidoku.tasks.Verify(), image)
        assert "'input_" in str(error.value)
        return
    summary = unidoku.run(unidoku.tasks.Verify(prediction), image)
    assert (summary.right, summary.wrong, summary.no_grid) == (1, 1, 1)


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
    with pytest.raises(unidoku.FormatError, match=r"2 answers are at 'responses'; .* 'responses\[0\]'"):
        unidoku.run(unidoku.tasks.Verify(), path)
    assert [unidoku.run(unidoku.tasks.Verify(f"responses[{k}]"), path).right for k in range(2)] == [0, 1]
    note = "note: no record has an answer at 'responses[7]'"
    assert note in run("verify", path, "--prediction", "responses[7]", code=1).stderr
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


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_replies_that_are_missing_at_first_are_asked_for(suffix: str, tmp_path: Path) -> None:
    """Their name is not known, and the gold beside them is not graded."""
    path = tmp_path / f"log{suffix}"
    rows = [(PUZZLE, None, SOLUTION)] * 117 + [(PUZZLE, GRID, SOLUTION)] * 3
    write(path, ("puzzle", "said", "gold"), rows)
    with pytest.raises(unidoku.FormatError, match="could be the answers: 'said', 'gold'; choose one"):
        unidoku.run(unidoku.tasks.Verify(), path)
    assert unidoku.run(unidoku.tasks.Verify("said"), path).missing == 117


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
    for suffix in rng.sample([*FORMATS], 4):
        puzzles = [rng.choice([PUZZLE, TEN, EIGHT, CLASH]) for _ in range(60)]
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
