"""What a value says: the same for files, one answer, many answers and rewards."""

import csv
import io
import json
import warnings
from typing import Any

import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku.files.paths import answers_in
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
    if isinstance(answer, str | list | dict):
        source = io.BytesIO(json.dumps({"puzzle": UNIQUE, "response": answer}).encode())
        summary = unidoku.run(unidoku.tasks.Verify(), source) if said[:12] != "expected one" else None
        if summary:
            assert summary.right == one.solved
            assert summary.missing == (one.reason == "no answer")
    return said


@pytest.mark.parametrize(
    "text",
    [
        *("[{}, 1]", '[{"a": 1}, 5]', "[{}, null]", '{"solution": ...}', "{'solution': ...}"),
        *('{"answer": ["534…", ...]}', '[{"role": "assistant", "content": ...}]', '{"a": {{}}}'),
        *('{"solution": {{534}}}', '{"solution": {{"grid": "534"}}}', "[b'1', {'a': {1, 2}}]"),
        *("{'a': 1j}", "[{None: 'a'}]", r"['\d', {'text': '\d'}]", "['a" * 9, "{'a': 0x" + "f" * 5000 + "}"),
        *('["I cannot", "sorry"]', '{"text": ["I cannot", "sorry"]}', "[" * 2000 + "'a'" + "]" * 2000),
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
            for task in (unidoku.tasks.Verify(), unidoku.tasks.Convert(), unidoku.tasks.Transform(rotate=90)):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    summary = unidoku.run(task, io.BytesIO(content.encode()), column="puzzle")
                assert summary.invalid == (column == "puzzle")
            summary = unidoku.run(unidoku.tasks.Verify(), io.BytesIO(content.encode()), column="puzzle")
            assert summary.right == 8 + (column == "note")


def test_one_record_with_several_answers_is_a_row_with_its_reason(tmp_path) -> None:
    records = [{"puzzle": UNIQUE, "response": SOLUTION} for _ in range(8)]
    out = tmp_path / "out.csv"
    for place in (0, 8):
        several = [*records[:place], {"puzzle": UNIQUE, "response": ["no", SOLUTION]}, *records[place:]]
        source = io.BytesIO("\n".join(map(json.dumps, several)).encode())
        summary = unidoku.run(unidoku.tasks.Verify(), source, out)
        assert (summary.right, summary.no_grid, summary.missing) == (8, 1, 0)
        row = out.read_text().splitlines()[1 + place]
        assert ",no grid,false,,,,,,,,0.0," in row
        assert '"expected one answer, found 2"' in row


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


@pytest.mark.parametrize(
    "value",
    [
        *({"reasoning": SOLUTION, "answer": "I give up"}, {"solution": SOLUTION, "response": "I cannot"}),
        *({"content": "No.", "solution": SOLUTION}, {"message": {"content": "No."}, "answer": SOLUTION}),
        {"messages": [{"role": "user", "content": SOLUTION}, {"role": "assistant", "content": "No."}]},
    ],
)
def test_the_first_word_of_the_table_says_what_an_object_says(value: Any) -> None:
    assert outcome(value) == outcome(json.dumps(value)) == "no grid of 81 cells in the answer"


def test_lists_are_samples_and_in_a_text_if_they_have_objects_or_grids() -> None:
    several = "expected one answer, found 2"
    for value in ([SOLUTION, "I give up"], {"choices": ["", SOLUTION]}, [[SOLUTION], "no"]):
        assert outcome(value) == several
        assert outcome(json.dumps(value)) == "right"
    for value in ([{"text": SOLUTION}, {"text": "no"}], [ROWS, ROWS[::-1]]):
        assert outcome(value) == outcome(json.dumps(value)) == several
    nine = [ROWS[k:] + ROWS[:k] for k in range(9)]
    flat = [[digit for row in grid for digit in row] for grid in nine]
    for value in (nine, flat, nine[:2], flat[:2]):
        assert len(answers_in(value)) == len(answers_in(json.dumps(value))) == len(value)
    assert answers_in(ROWS) == answers_in([[*map(str, row)] for row in ROWS]) == [SOLUTION]


@pytest.mark.parametrize(
    "value",
    [
        *(
            [SPACED],
            LABELLED,
            {"solution": LABELLED},
            {"answer": [SPACED]},
            ["r1c1=5", SOLUTION],
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
def test_a_text_that_lists_texts_is_one_text(value: Any) -> None:
    assert outcome(json.dumps(value)) == outcome(str(value)) == "right"


@pytest.mark.parametrize("key", ["r{}", "row{}", "Row {}"])
@pytest.mark.parametrize("indent", [None, 1])
def test_nine_texts_by_name_after_a_draft_are_the_answer(key: str, indent: int | None) -> None:
    draft = f"Draft: {SOLUTION}\n"
    for form in (str, lambda row: [*map(int, row)]):
        for size, said in ((8, False), (9, True), (10, False)):
            rows = {key.format(k): form((row + "1")[:size]) for k, row in enumerate(NINE, 1)}
            assert unidoku.verify(UNIQUE, draft + json.dumps(rows, indent=indent)).solved == said
