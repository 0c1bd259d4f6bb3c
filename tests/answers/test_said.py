"""What a value says: the same for files, one answer, many answers and rewards."""

import csv
import io
import json
import random
import re
import warnings
from typing import Any

import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku._answers import grid
from unidoku._answers.values import answers_in
from unidoku.learning import reward

NINE = [SOLUTION[k : k + 9] for k in range(0, 81, 9)]
SPACED = "\n".join(map(" ".join, NINE))
LABELLED = [f"Row {k}: {row}" for k, row in enumerate(NINE, 1)]
ROWS = [[*map(int, row)] for row in NINE]


def outcome(answer: Any) -> str:
    """Return what all of the functions say of an answer; they must say the same."""
    one = unidoku.verify(UNIQUE, answer)
    many = unidoku.verify_many([UNIQUE], [answer])
    assert (bool(many.solved[0]), many.reasons.get(0)) == (one.solved, one.reason)
    assert reward(UNIQUE, answer)["solved"] == one.solved
    said = "right" if one.solved else one.reason or "wrong"
    if isinstance(answer, str | list | dict | int):
        source = io.BytesIO(json.dumps({"puzzle": UNIQUE, "response": answer}).encode())
        summary = unidoku.run(unidoku.tasks.Verify(), source) if said[:12] != "expected one" else None
        if summary:
            assert summary.right == one.solved
            assert summary.missing == (one.reason == "no answer")
            assert summary.wrong == (said == "wrong")
    return said


@in_turn
@pytest.mark.parametrize(
    "text",
    [
        *("[{}, null]", '{"solution": ...}', "{'solution': ...}"),
        *('{"answer": ["534…", ...]}', '[{"role": "assistant", "content": ...}]', '{"a": {{}}}'),
        *('{"solution": {{534}}}', '{"solution": {{"grid": "534"}}}', "[b'1', {'a': {1, 2}}]"),
        *("{'a': 1j}", "[{None: 'a'}]", r"['\d', {'text': '\d'}]", "['a" * 9, "{'a': 0x" + "f" * 5000 + "}"),
        *('["sorry", "sorry"]', '{"error": "Busy.", "note": "Wait."}', "[" * 2000 + "'a'" + "]" * 2000),
    ],
)
@pytest.mark.parametrize("column", ["response", "note", "puzzle"])
def test_an_odd_text_is_a_row_with_its_reason(text: str, column: str) -> None:
    rows = [{"puzzle": UNIQUE, "response": SOLUTION, "note": "a b"} for _ in range(8)]
    for place in (0, 5):
        records = [*rows[:place], rows[0] | {column: text}, *rows[place:]]
        table = io.StringIO()
        writer = csv.DictWriter(table, [*rows[0]])
        writer.writeheader()
        writer.writerows(records)
        for content in ("\n".join(map(json.dumps, records)), table.getvalue()):
            task = unidoku.tasks.Transform(rotate=90)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                summary = unidoku.run(task, io.BytesIO(content.encode()), column="puzzle")
            assert summary.invalid == (column == "puzzle")
            summary = unidoku.run(unidoku.tasks.Verify(), io.BytesIO(content.encode()), column="puzzle")
            assert summary.right == 8 + (column == "note")


def test_a_record_with_several_answers_is_an_error_wherever_it_is() -> None:
    records = [{"puzzle": UNIQUE, "response": SOLUTION} for _ in range(8)]
    for place in (0, 8):
        for said in (["no", SOLUTION], json.dumps(["no", SOLUTION])):
            several = [*records[:place], {"puzzle": UNIQUE, "response": said}, *records[place:]]
            content = "\n".join(map(json.dumps, several)).encode()
            with pytest.raises(unidoku.FormatError, match=r"2 answers are at 'response'.* 'response\[0\]'"):
                unidoku.run(unidoku.tasks.Verify(), io.BytesIO(content))
            summary = unidoku.run(unidoku.tasks.Verify(samples=True), io.BytesIO(content))
            assert (summary.right, summary.no_grid) == (9, 1)


def test_a_list_in_a_fence_has_samples_whatever_the_other_texts_are() -> None:
    said = f"```json\n{json.dumps(['no', SOLUTION])}\n```"
    rows = [{"puzzle": UNIQUE, "response": one} for one in (SOLUTION, said)]
    summary = unidoku.run(
        unidoku.tasks.Verify(samples=True), io.BytesIO("\n".join(map(json.dumps, rows)).encode())
    )
    assert (summary.right, summary.no_grid) == (2, 1)


@in_turn
@pytest.mark.parametrize(
    ("said", "right"),
    [
        (["no", SOLUTION], "response[1]"),
        ([{"thinking": SOLUTION}, "no", SOLUTION], "response[2]"),
        (
            {"choices": [{"message": {"role": "assistant", "content": one}} for one in (SOLUTION, "no")]},
            "response[0]",
        ),
        ([{"source": "user", "content": UNIQUE}, {"source": "a", "content": SOLUTION}], "response[1]"),
    ],
)
def test_the_error_about_several_answers_lists_each_as_it_can_be_typed(said: Any, right: str) -> None:
    content = json.dumps({"puzzle": UNIQUE, "response": said}).encode()
    with pytest.raises(unidoku.FormatError, match=re.escape(f"'{right}' ({SOLUTION[:23]}…)")):
        unidoku.run(unidoku.tasks.Verify(), io.BytesIO(content))
    assert unidoku.run(unidoku.tasks.Verify(prediction=right), io.BytesIO(content)).right == 1


@in_turn
@pytest.mark.parametrize(
    "value",
    [
        *({name: SOLUTION} for name in ("reasoning", "reasoning_content", "thinking", "thought", "thoughts")),
        *({"content": empty, "reasoning_content": SOLUTION} for empty in ("", None, [], {})),
        *(
            [{"role": "assistant", "reasoning": SOLUTION}],
            [{"thinking": SOLUTION}],
            [[{"thought": SOLUTION}]],
        ),
        {"choices": [{"message": {"role": "assistant", "reasoning": [SOLUTION]}}]},
        {"content": [{"type": "thinking", "thinking": SOLUTION}, {"type": "reasoning", "text": SOLUTION}]},
        {"content": [{"thought": True, "text": SOLUTION}]},
    ],
)
def test_a_thought_is_missing(value: Any) -> None:
    assert outcome(value) == "no answer"
    assert outcome(json.dumps(value)) == "no answer"
    assert outcome(str(value)) == "no answer"


def test_a_mark_of_byte_order_before_an_answer_is_no_part_of_it() -> None:
    """A file has lost it."""
    assert outcome("\ufeff") == "no answer"
    assert outcome("\ufeff" + SPACED) == outcome("\ufeff" + json.dumps({"answer": SPACED})) == outcome(SPACED)


@in_turn
@pytest.mark.parametrize(
    "value",
    [
        *({"reasoning": SOLUTION, "answer": "I give up"}, {"solution": "I cannot", "response": SOLUTION}),
        *({"content": SOLUTION, "solution": "No."}, {"message": {"content": SOLUTION}, "answer": "No."}),
        {"messages": [{"role": "user", "content": SOLUTION}, {"role": "assistant", "content": "No."}]},
        *({"raw": "I give up", "expected": SOLUTION}, {"said": {"raw": "No.", "gold": SOLUTION}}),
    ],
)
def test_the_first_word_of_the_table_says_what_an_object_says(value: Any) -> None:
    assert outcome(value) == outcome(json.dumps(value)) == "no grid of 81 cells in the answer"


@in_turn
@pytest.mark.parametrize(
    "value",
    [
        *({"sudoku_solution": SOLUTION, "confidence": 0.9}, {"result": "solved", "grid": SOLUTION}),
        *({"status": "ok", "data": {"solved_board": ROWS, "seconds": 1}}, {"puzzle": UNIQUE, "mine": ROWS}),
        {f"row{k}": row for k, row in enumerate(NINE, 1)} | {"reasoning": "Row 1 first."},
        {"reasoning": SOLUTION[::-1]} | {f"r{k}": " ".join(row) for k, row in enumerate(NINE, 1)},
    ],
)
def test_an_object_without_a_word_says_its_only_grid(value: Any) -> None:
    assert outcome(value) == outcome(json.dumps(value)) == "right"
    for around in ("Here: {}", "```json\n{}\n```", "<think>{{}}</think>{}", "<answer>{}</answer>"):
        assert outcome(around.format(json.dumps(value))) == "right"
        assert outcome(around.format(json.dumps(value, indent=1))) == "right"


def test_lists_are_samples_and_among_words_if_they_have_objects_or_grids() -> None:
    several = "expected one answer, found 2"
    for value in ([SOLUTION, "I give up"], {"choices": ["", SOLUTION]}, [[SOLUTION], "no"]):
        assert outcome(value) == outcome(json.dumps(value)) == several
    for value in ([{"text": SOLUTION}, {"text": "no"}], [ROWS, ROWS[::-1]]):
        assert outcome(value) == outcome(json.dumps(value)) == several
    assert outcome(f"So: {json.dumps({'answer': ['It is', SOLUTION]})}") == "right"
    nine = [ROWS[k:] + ROWS[:k] for k in range(9)]
    flat = [[digit for row in grid for digit in row] for grid in nine]
    for value in (nine, flat, nine[:2], flat[:2]):
        assert len(answers_in(value)) == len(answers_in(json.dumps(value))) == len(value)
    assert answers_in(ROWS) == answers_in([[*map(str, row)] for row in ROWS]) == [SOLUTION]


@in_turn
@pytest.mark.parametrize(
    "value",
    [
        *(
            [SPACED],
            LABELLED,
            {"solution": LABELLED},
            {"answer": [SPACED]},
            {"grid": ROWS},
        ),
        *(
            [[SOLUTION]],
            {"thinking": "no", "final": SOLUTION},
            {"solution": {"grid": NINE}},
            [{"text": SPACED}],
        ),
    ],
)
def test_rows_and_single_texts_in_a_text_are_the_answer(value: Any) -> None:
    assert outcome(json.dumps(value)) == outcome(str(value)) == "right"


@in_turn
@pytest.mark.parametrize("key", ["r{}", "row{}", "Row {}"])
@pytest.mark.parametrize("indent", [None, 1])
def test_nine_texts_by_name_after_a_draft_are_the_answer(key: str, indent: int | None) -> None:
    draft = f"Draft: {SOLUTION}\n"
    for form in (str, lambda row: [*map(int, row)]):
        for size, said in ((8, False), (9, True), (10, False)):
            rows = {key.format(k): form((row + "1")[:size]) for k, row in enumerate(NINE, 1)}
            assert unidoku.verify(UNIQUE, draft + json.dumps(rows, indent=indent)).solved == said


def by_model(text: str | None) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def by_user(text: str) -> dict[str, Any]:
    return {"role": "User", "content": text}


BY_ROW = {f"row{k}": row for k, row in enumerate(NINE, 1)}
MODEL_SAYS = {"role": "assistant", "content": SOLUTION}
VALUES: list[tuple[Any, list[str]]] = [  # and what each says
    (None, []),
    (" \n", []),
    (7, ["7"]),
    ("I give up.", ["I give up."]),
    ({"text": "One.", "content": "Two."}, ["Two."]),
    ({"content": None, "text": "One."}, []),
    ({"raw": "One."}, ["One."]),
    ({"Final Answer": "One.", "output": "Two."}, ["One."]),
    ({"role": "assistant", "raw": "One."}, ["One."]),
    ({"thinking": "One.", "raw": "Two."}, ["Two."]),
    (by_user("One."), []),
    ({"from": "gpt", "value": "One."}, ["One."]),
    ([{"type": ["a"], "role": "assistant", "content": "One."}], ["One."]),
    ([{"type": {}, "text": "One."}], ["One."]),
    ([by_model("One."), by_user("Thanks."), by_model("Two."), by_user("Bye.")], ["Two."]),
    ([by_model("One."), by_user(f"Solve {UNIQUE}")], []),
    ([by_user("One."), {"from": "gpt", "value": "Two."}], ["Two."]),
    ([by_user("One."), {"from": "grader", "value": "Two."}], []),
    (
        {"content": [{"type": "thinking", "text": "One."}, {"type": "text", "text": "Two."}, "Six."]},
        ["Two.\nSix."],
    ),
    ({"content": [{"text": "One.", "thought": True}, {"text": "Two."}]}, ["Two."]),
    (["One.", None, "Two."], ["One.", "", "Two."]),
    ([None, ""], ["", ""]),
    ([], []),
    ({"choices": [{"message": by_model("One.")}, {"message": by_model(None)}]}, ["One.", ""]),
    ([{"raw": "One."}, {"text": "Two."}], ["One.", "Two."]),
    (BY_ROW, ["\n".join(NINE)]),
    (dict(reversed(BY_ROW.items())), ["\n".join(NINE)]),
    ({f"r{k // 9}c{k % 9}": int(SOLUTION[k]) for k in reversed(range(81))}, [SOLUTION]),
    (dict(sorted((str(k), cell) for k, cell in enumerate(SOLUTION))), [SOLUTION]),
    ({f"{'ABCDEFGHI'[k // 9]}{k % 9 + 1}": SOLUTION[k] for k in range(81)}, [SOLUTION]),
    ({f"{'ABCDEFGHI'[k % 9]}{k // 9 + 1}": SOLUTION[k] for k in range(81)}, [SOLUTION]),
    (ROWS, [SOLUTION]),
    ([*map(int, NINE)], [json.dumps([*map(int, NINE)])]),
    ([ROWS, ROWS], [SOLUTION, SOLUTION]),
    (json.dumps([ROWS, ROWS]), [SOLUTION, SOLUTION]),
    (json.dumps(by_model("One.")), ["One."]),
    (str(by_model("One.")), ["One."]),
    ('["One.", "Two."]', ["One.", "Two."]),
    ('[{"text": "One."}, {"text": "Two."}]', ["One.", "Two."]),
    ('{"reasoning": "One.", "raw": "Two."}', ["Two."]),
    ('{"code": 7}', ["7"]),
    ("[]", []),
    ("[{}]", [""]),
    ([{}], [""]),
    ('[null, ""]', ["", ""]),
    ([[0.9], ROWS], ["[0.9]", SOLUTION]),
    (json.dumps([[0.9], ROWS]), ["[0.9]", SOLUTION]),
    ([[5, 3], [4]], ["[[5, 3], [4]]"]),
    ({"content": [MODEL_SAYS, {"role": "user", "content": UNIQUE[::-1]}]}, []),
]


@in_turn
@pytest.mark.parametrize(("value", "said"), VALUES, ids=range(len(VALUES)))
def test_what_a_value_says(value: Any, said: list[str]) -> None:
    assert answers_in(value) == said
    has_solution = "".join(re.findall("[1-9]", "".join(said[:1]))) == SOLUTION
    assert unidoku.verify(UNIQUE, value).solved == has_solution


COLUMNS = [*map("".join, zip(*NINE, strict=True))]


@in_turn
@pytest.mark.parametrize("key", ["col{}", "Column {}", "c{}", "box_{}"])
def test_columns_and_boxes_by_name_are_no_rows(key: str) -> None:
    value = {key.format(k): column for k, column in enumerate(COLUMNS, 1)}
    assert "several members" in outcome(value)
    assert "no grid" in outcome(f"So: {json.dumps(value)}")


@pytest.mark.parametrize("name", ["columns", "boxes", "Cols"])
def test_a_member_of_columns_or_boxes_says_nothing(name: str) -> None:
    assert outcome({name: COLUMNS}) == "no answer"
    assert outcome({name: COLUMNS, "rows": NINE}) == "right"


def test_cells_whose_names_have_the_column_first_are_no_rows() -> None:
    value = {f"c{k % 9}r{k // 9}": SOLUTION[k] for k in range(81)}
    assert "several members" in outcome(value)


CALLS = [  # of a tool, with an answer
    lambda grid: {**by_model(None), "tool_calls": [{"function": {"arguments": json.dumps({"grid": grid})}}]},
    lambda grid: {**by_model(""), "tool_calls": [{"function": {"arguments": {"grid": grid}}}]},
    lambda grid: {"role": "assistant", "function_call": {"name": "submit", "arguments": json.dumps([grid])}},
    lambda grid: {"role": "assistant", "content": [{"type": "tool_use", "input": {"grid": grid}}]},
    lambda grid: {"role": "model", "parts": [{"functionCall": {"args": {"grid": grid}}}]},
    lambda grid: {
        "output": [{"type": "function_call", "name": "f", "arguments": json.dumps({"grid": grid})}]
    },
]


@in_turn
@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_the_arguments_of_a_call_are_the_answer_of_a_message_without_content(call: Any) -> None:
    for value in (call(ROWS), [by_user(f"Solve {UNIQUE}"), call(ROWS), {"role": "tool", "content": "ok"}]):
        if "role" in call(ROWS) or isinstance(value, dict):
            assert outcome(value) == outcome(json.dumps(value)) == "right"
    said = call(ROWS) | {} if "parts" in call(ROWS) else {"content": "I submit it."} | call(ROWS)
    assert outcome(said) == "right"
    refused = by_model("I give up.") | {"tool_calls": [{"function": {"arguments": {"puzzle": UNIQUE}}}]}
    assert outcome(refused) == "no grid of 81 cells in the answer"


NAMES = ("reasoning", "thinking", "thoughts", "analysis", "chain_of_thought", "explanation", "steps", "plan")
AROUND = [  # the text of an object
    "{}",
    "```json\n{}\n```",
    "Here it is: {} I hope it helps.",
    "<answer>{}</answer>",
    "<think>So.</think>{}",
    "<tool_call>{}</tool_call>",
]


@in_turn
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", NAMES)
def test_a_thought_in_json_is_never_graded_whatever_surrounds_it(name: str, around: str) -> None:
    wrong = SOLUTION[:-2] + SOLUTION[:-3:-1]
    keys = ("answer", "solution", "final_answer", "answer")
    for answer, key in zip(("I give up", "", None, []), keys, strict=True):
        text = json.dumps({name: SPACED, key: answer})
        assert not unidoku.verify(UNIQUE, around.format(text)).solved
        assert reward(UNIQUE, around.format(text))["solved"] == 0
        assert not unidoku.verify(UNIQUE, around.format(text[:-1])).solved
    for said, thought, solved in ((SOLUTION, wrong, True), (wrong, SOLUTION, False)):
        for value in ({"answer": said, name: f"I first tried {thought}"}, {name: thought, "solution": said}):
            assert unidoku.verify(UNIQUE, around.format(json.dumps(value))).solved == solved


@in_turn
@pytest.mark.parametrize(
    "value",
    [
        {"output": [{"type": "reasoning", "content": [{"type": "reasoning_text", "text": SOLUTION}]}]},
        {"output": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": SOLUTION}]}]},
        {"type": "reasoning", "text": SOLUTION},
        {"content": [{"type": "reasoning_text", "text": SOLUTION}]},
        [{"thought": True, "text": SOLUTION}],
        [{"role": "assistant", "channel": "analysis", "content": SOLUTION}],
        *(
            [by_user("Solve it."), {"role": role, "content": SOLUTION}]
            for role in ("ipython", "observation", "tool_response", "environment", "grader", "critic")
        ),
    ],
    ids=range(12),
)
def test_marked_thoughts_and_other_speakers_say_nothing(value: Any) -> None:
    assert outcome(value) == outcome(json.dumps(value)) == "no answer"


@in_turn
@pytest.mark.parametrize(
    "tag", ["<think>", "</think>", "<!--", "[TOOL_RESULTS]", "<|im_start|>user\n", "\nUser: "]
)
def test_a_tag_in_a_text_of_an_object_is_not_around_the_object(tag: str) -> None:
    """What a user writes is no answer, whatever is in it."""
    for value in (
        {"text": f"{tag} no", "answer": SOLUTION},
        [by_user(f"{tag}\n{SOLUTION}"), {"role": "assistant", "content": "I give up."}],
    ):
        for text in (json.dumps(value), repr(value), f"```json\n{json.dumps(value, indent=1)}\n```"):
            assert outcome(text) == outcome(value)


@in_turn
@pytest.mark.parametrize(
    "text",
    [
        *("<think >{}</think > no", "<cot>{}</cot> no", "<reason>{}</reason> no", "<mythink>{}</mythink> no"),
        *(
            "Thinking...\n{}",
            "<|thinking|>{}",
            "<unused94>thought {}<unused95> no",
            "no<|im_end|>\n<|im_start|>user\n{}",
        ),
    ],
)
def test_a_thought_in_tags_and_a_turn_of_a_user_are_no_answer(text: str) -> None:
    assert not unidoku.verify(UNIQUE, text.format(SOLUTION)).solved


RESULTS = [  # of tools, in a text
    *(
        "<tool_response>\n{}\n</tool_response>",
        "[TOOL_RESULTS]{}[/TOOL_RESULTS]",
        "<interpreter>{}</interpreter>",
    ),
    "<|im_end|>\n<|im_start|>tool\n{}<|im_end|>\n<|im_start|>assistant\n",
    "\nAction: solve\nAction Input: x\nObservation: {}\nThought: ok\nFinal Answer: ",
    *("```python\nsolve()\n```\n```output\n{}\n```\n", "<function_results>\n{}\n</function_results>"),
    "<|start|>f to=assistant<|channel|>commentary<|message|>{}<|start|>assistant<|channel|>final<|message|>",
    *("\nTool: {}\nAssistant: ", "<|observation|>\n{}<|assistant|>\n"),
    "<code>solve()</code>\n<output>\n{}\n</output>\n",
    "<tool_call>solve</tool_call><result>{}</result>",
]
TURNS = [  # of users, which a model runs on to write
    *("<|im_end|>\n<|im_start|>user\n{}", "\n\nHuman: {}", "</s>[INST] {} [/INST]", "\n### Instruction:\n{}"),
    *(
        "<|start_header_id|>user<|end_header_id|>\n\n{}",
        "<start_of_turn>user\n{}",
        "<｜User｜>{}",
        "\nuser\n{}",
    ),
    *(
        "<|header_start|>user<|header_end|>\n\n{}",
        "<reserved_106>{}",
        "[e~[\n]~b]user\n{}",
        "<｜hy_User｜>{}",
    ),
    *("\n<extra_id_1>User\n{}", "<seed:eos><seed:bos>user\n{}"),
    *("<|end_of_turn|>GPT4 Correct User: {}", "[|Human|]{}", "<|USER_TOKEN|>{}", "\n**User:** {}"),
    *("\nQuestion: {}", "\nQ: {}", "\n## User\n{}"),
]
CLOSED = [
    *(
        "<think>{}</think>",
        "[THINK]{}[/THINK]",
        "<plan>{}</plan>",
        "<seed:think>{}</seed:think>",
        "<!-- {} -->",
    ),
    *("◁think▷{}◁/think▷", "<|START_THINKING|>{}<|END_THINKING|>", "<unused94>thought\n{}<unused95>"),
]
OPEN = [
    "<|im_start|>think\n{}",
    "<|channel|>analysis<|message|>{}",
    "<reasoning>\n{}",
    "[THINK]{}",
    "<!-- {}",
]


@in_turn
@pytest.mark.parametrize("form", [*RESULTS, *TURNS, *CLOSED, *OPEN])
def test_a_grid_of_a_tool_a_user_or_a_thought_in_a_text_is_no_answer(form: str) -> None:
    assert outcome(f"I begin. {form.format(SPACED)} I give up.") != "right"
    assert outcome(f"I give up. {form.format(SOLUTION)}") != "right"


@in_turn
@pytest.mark.parametrize("form", [*RESULTS, *TURNS, *CLOSED, *OPEN])
def test_the_grid_of_a_model_around_them_is_the_answer(form: str) -> None:
    wrong = form.format(SPACED[::-1])
    for said in (SOLUTION, SPACED):
        if form in RESULTS:
            assert outcome(f"I call it.{wrong}\nThe answer:\n{said}") == "right"
            continue
        assert outcome(f"The answer:\n{said}\n{wrong}") == "right"
        if form in CLOSED:
            assert outcome(f"{wrong}The answer:\n{said}") == "right"
        elif form in TURNS:
            asked = form.format(f"Solve\n{UNIQUE}").lstrip()
            assert outcome(f"{asked}\nAssistant: {said}") == "right"
            assert outcome(f"{said}{form.format(UNIQUE[::-1])}\nAssistant: {SOLUTION[::-1]}") == "right"


def test_a_question_that_begins_a_text_is_of_the_model() -> None:
    for begin in ("Question: What is left?", "**Question:** It asks:\n\n**Solution:**", "Q: 5?\nA: 5."):
        assert outcome(f"{begin}\n{SPACED}") == "right"


@in_turn
@pytest.mark.parametrize("tag", ["output", "result", "response"])
def test_a_tag_that_models_and_tools_write_is_of_a_tool_after_a_call(tag: str) -> None:
    assert outcome(f"I solve it.\n<{tag}>\n{SPACED}\n</{tag}>") == "right"
    assert outcome(f"<python>solve()</python>\n<{tag}>\n{SPACED}\n</{tag}>\nI give up.") != "right"


def test_a_tag_may_have_attributes() -> None:
    assert unidoku.verify(UNIQUE, f"{SOLUTION} <answer id=1>no</answer>", answer="tag").reason
    assert unidoku.verify(UNIQUE, f"no <answer >{SOLUTION}</answer>", answer="tag").solved


def test_several_unknown_members_are_named() -> None:
    reason = "several members could be the answer: 'a', 'b'"
    for value in ({"a": SOLUTION, "b": SOLUTION}, {"a": "x", "b": 7}):
        assert outcome(value) == outcome(json.dumps(value)) == reason
        source = io.BytesIO(json.dumps({"puzzle": UNIQUE, "response": value}).encode())
        assert unidoku.run(unidoku.tasks.Verify(samples=True), source).no_grid == 1


@in_turn
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "value",
    [
        *({"row": 9, "col": 7, "value": 1}, {"confidence": 0.9}, {"text": "Done.", "data": [1, 2, 3]}),
        *({"role": "tool", "content": SOLUTION[::-1]}, {"reasoning": SOLUTION[::-1]}, {"puzzle": UNIQUE}),
        {"seconds": [0.123456789] * 20},
    ],
)
def test_an_object_without_a_grid_or_a_word_hides_nothing(value: dict[str, Any], indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    for around in ("{}\n{}", "{}\n\nThe last move was {}.", "{}\n```json\n{}\n```"):
        assert outcome(around.format(SPACED, text)) == "right"
    assert outcome(f"{text}\n{SPACED}") == "right"
    assert outcome(f'{SPACED}\n{text}\n{{"answer": "I give up"}}') != "right"


@in_turn
@pytest.mark.parametrize("name", ["a", "tool_calls", "function_call"])
@pytest.mark.parametrize("others", [{}, {"b": 1}])
def test_an_object_in_many_others_is_read_once(name: str, others: dict[str, int]) -> None:
    for text, solved in ((SOLUTION, True), ("No.", False)):
        said: Any = text
        for _ in range(35):  # to read each level twice would never end
            said = {name: said, **others}
        for value in (said, {"tool_calls": [said]}):
            assert unidoku.verify(UNIQUE, value).solved == solved


def test_a_number_says_its_digits() -> None:
    assert outcome(int(SOLUTION)) == "right"
    assert outcome(int(SOLUTION[1:])).startswith("the last grid of the answer is damaged")
    assert outcome(5) == "no grid of 81 cells in the answer"


@in_turn
@pytest.mark.parametrize("cell", ["0", ".", "x", "_", "", None, 0, 0.0, -1])
def test_an_unfinished_grid_says_the_same_as_its_text(cell: Any) -> None:
    """Each form is a grid with an empty cell, alone and in an object."""
    cells = [*SOLUTION[:-1], cell]
    rows = [cells[k : k + 9] for k in range(0, 81, 9)]
    for value in (cells, rows, {f"r{k}": row for k, row in enumerate(rows)}, {"grid": rows}):
        assert outcome(value) == outcome(json.dumps(value)) == outcome(repr(value)) == "wrong"
    for around in ("```json\n{}\n```", "<answer>{}</answer>", "<think>So.</think>{}"):
        assert outcome(around.format(json.dumps(rows))) == "wrong"


def test_an_object_among_words_has_one_answer() -> None:
    """Its texts are one, and the last of all grids is the answer, as in any text."""
    for said in ([SPACED, "It is solved."], [{"text": SPACED}], SPACED.split("\n")):
        assert outcome(f"Here: {json.dumps({'answer': said})} ok") == "right"
    said = {"choices": [{"text": SPACED[::-1]}, {"text": SPACED}]}
    assert outcome(f"Here: {json.dumps(said)} ok") == "right"


def test_a_grid_after_an_object_is_the_answer() -> None:
    draft = json.dumps({"answer": SOLUTION[::-1]})
    assert unidoku.verify(UNIQUE, f"Draft: {draft}\nFinal:\n{SPACED}").solved
    assert unidoku.verify(UNIQUE, f"d = {{'a': 1}}\n{SPACED}\nso {{'b': 2}}").solved


def test_a_full_puzzle_is_its_own_answer() -> None:
    assert unidoku.verify(SOLUTION, SOLUTION).solved
    assert unidoku.verify(SOLUTION, f"ok {SOLUTION}").solved


PROSE = (
    *("The answer is this grid:", "Let me look at row 1 first, where 5 and 3 are.", "So the final solution:"),
    *("Then r3c4 is 5 and row 7 gets 2.", "Box 3 has 1, 2 and 9 left.", "Row 5:", "So 5 3 4 6 now"),
    *("columns:", "Column 1: 5 6 1 8 4 7 9 2 3", "", "Row 4: 8 5 9 7 6 1 4 2 3", "I changed r1c3 to 4."),
    *("5 6 1 8 4 7 9 2 3", "Done, I think.", "---", "Sum of each row is 45.", SOLUTION[:9]),
)


def drawn_text(rng: random.Random) -> str:
    """Draw a text with grids in several forms, right, wrong, damaged or unfinished, and prose between."""
    parts = list[str]()
    for _ in range(rng.randint(1, 4)):
        cells = [*rng.choice([SOLUTION, SOLUTION, UNIQUE])]
        for one, other in [rng.sample(range(81), 2)] * rng.randint(0, 1):
            cells[one], cells[other] = cells[other], cells[one]
        rows = ["".join(cells[k : k + 9]) for k in range(0, 81, 9)]
        rows = rng.choice(
            [rows, rows, rows[: rng.randint(5, 9)], [*rows, rows[0]], [*rows[:4], "12345", *rows[5:]]]
        )
        parts += rng.choices(PROSE, k=rng.randint(0, 4))
        parts += rng.choice(
            [
                rows,
                [*map(" ".join, rows)],
                ["".join(rows)],
                [f"Row {k}: {row}" for k, row in enumerate(rows, 1)],
                ["| " + " | ".join(row) + " |" for row in rows],
                [" ".join(f"\x1b[1m{cell}\x1b[0m" for cell in row) for row in rows],
                [json.dumps([*map(list, rows)])],
                [*rows[:3], "", *rows[3:6], "", *rows[6:]],
            ]
        )
    return "\n".join([*parts, *rng.choices(PROSE, k=rng.randint(0, 3))])


def test_a_text_is_graded_by_the_lines_near_cells_as_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    words = ["Let me think about the corners of each box first."] * 6
    texts = ["\n".join([*words, drawn_text(rng), *words, drawn_text(rng), *words]) for _ in range(60)]
    assert all(len(grid._near_cells(text)[0]) < len(text) for text in texts)
    found = [unidoku.verify(UNIQUE, text) for text in texts]
    assert 5 < sum(map(bool, found)) < 55
    monkeypatch.setattr(grid, "_near_cells", lambda text: (text, ""))
    assert [unidoku.verify(UNIQUE, text) for text in texts] == found


@pytest.mark.parametrize("label", ["Row {}: ", "R{}: ", "{}. ", "{}) ", "第{}行："])
def test_labelled_rows_with_sentences_between_are_a_grid(label: str) -> None:
    rows = [label.format(k) + " ".join(row) for k, row in enumerate(NINE, 1)]
    between = [f"{row}\nThis row follows from box {k}." for k, row in enumerate(rows, 1)]
    steps = [f"**Step {k}.** I solve row {k}.\n{row}\n" for k, row in enumerate(rows, 1)]
    for said in (between, steps, [*rows[:7], "", *rows[7:]]):
        assert outcome("\n".join(["I solve it.", "", *said, "", "Done."])) == "right"


MARKS = [
    *("[b]{}[/b]", "[color=red]{}[/color]", "<b>{}</b>", r"\textcolor{{red}}{{{}}}", "**{}**", "`{}`"),
    *("~~{}~~", "=={}==", "({})", "[{}]", "{}*", "\x1b[1m{}\x1b[0m"),
]


@in_turn
@pytest.mark.parametrize("mark", MARKS, ids=range(len(MARKS)))
@pytest.mark.parametrize("between", [" ", " | "])
def test_a_grid_with_marks_around_digits_is_the_answer_after_a_draft(mark: str, between: str) -> None:
    for marked in (SOLUTION, "1357"):
        rows = "\n".join(
            between.join(mark.format(digit) if digit in marked else digit for digit in row) for row in NINE
        )
        draft = SPACED.replace("3 4", "4 3")
        assert outcome(f"First:\n{draft}\n\nThat is wrong. So:\n{rows}\nDone.") == "right"


@in_turn
@pytest.mark.parametrize(
    "line",
    [
        *("**Step 3:** (7,5) -> 3", "- **r1c5**: candidates 2, 4, 7 → **4**", "So [3, 7] is left in box 4."),
        *("32. **6** goes to (3, 6) & `cell[4][6] = 3`.", "R1C1 ≠ 6 | 9, as 3 > 2", "候选数：3、6、9"),
        "None of these is null.",
    ],
)
def test_a_line_of_words_with_marks_and_digits_has_no_cells(line: str) -> None:
    assert grid._near_cells(f"{line}\n{line}") == ("", "")


LIST = json.dumps(ROWS)
TYPED = re.sub("([1-9])", r"np.int64(\1)", LIST)


@pytest.mark.parametrize(
    ("before", "last", "after"),
    [
        ("Now transposed:", LIST, ""),
        ("The rows are sorted, as in numpy.reshape(", LIST, ""),
        ("Here it is:", LIST, ") and then transposed"),
        *(("Here:", TYPED, ""), ("Row 1: **5** _ _ 6 _ 8 9 _ 2", TYPED.replace("], [", "],\n ["), "")),
        ("I wrote matrix(c( first.", SPACED, "It is c(1, 2, 3, 4, 5, 6, 7) there."),
        ("shape: (9, 9)\nnames", "\n".join(f"|{row}|" for row in NINE), "Done."),
        ("If a <b so", SPACED, "c > d"),
        ("* * * then\n*", "\n".join(f"*{row[0]}*{row[1:]}" for row in NINE), "Look."),
        (f"Draft:\n{SPACED[2:]}\nSolution:", f"{SPACED}.", "Done."),
        ("1 2 3 4 5 6 7 8 9\nA B C D E F G H I", SPACED, ""),
    ],
)
def test_what_is_around_rows_of_a_known_form_still_counts(
    monkeypatch: pytest.MonkeyPatch, before: str, last: str, after: str
) -> None:
    text = f"{before}\n{last}\n{after}"
    for words in ("Solution:", "Answer:", "It follows that"):
        unidoku.verify(UNIQUE, f"{words}\n{last}\nGood.")
    found = unidoku.verify(UNIQUE, text)
    monkeypatch.setattr(grid, "_near_cells", lambda text: (text, ""))
    assert unidoku.verify(UNIQUE, text) == found
