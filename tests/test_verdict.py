"""The verdict: codes, words, JSON, truth, arrays and models."""

import dataclasses
import json
import pickle
import re

import numpy as np
import pytest
from cases import in_turn

import unidoku
from unidoku import Verdict

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@in_turn
@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_is_found_by_its_code_and_by_its_word(verdict):
    assert Verdict(int(verdict)) is Verdict(str(verdict)) is Verdict(verdict.value) is verdict
    assert pickle.loads(pickle.dumps(verdict)) is verdict
    assert json.loads(json.dumps([verdict])) == [str(verdict)] == [verdict]


@in_turn
@pytest.mark.parametrize("value", [-1, 5, "", "UNIQUE", None])
def test_other_values_are_no_verdict(value):
    with pytest.raises(unidoku.UnidokuError, match="choose from: none, unique, multiple, unknown, invalid"):
        Verdict(value)


def test_arrays_of_codes_are_compared_with_a_verdict():
    codes = np.arange(5, dtype=np.uint8)
    assert [(codes == verdict).nonzero()[0].tolist() for verdict in Verdict] == [[0], [1], [2], [3], [4]]
    assert (codes != Verdict.UNIQUE).tolist() == [True, False, True, True, True]


def test_a_verdict_is_a_word_among_words():
    words = [*map(str, Verdict)]
    for array in (np.array(words), np.array(words, object), np.array(words, np.dtypes.StringDType())):
        assert [(array == verdict).nonzero()[0].tolist() for verdict in Verdict] == [[0], [1], [2], [3], [4]]


def test_each_verdict_has_a_docstring():
    texts = [verdict.__doc__ for verdict in Verdict]
    assert len({*texts, Verdict.__doc__}) == 6
    assert Verdict.UNIQUE.__doc__ == "Exactly one solution."


def test_a_verdict_is_true_for_a_proper_puzzle_only():
    assert [verdict for verdict in Verdict if verdict] == [Verdict.UNIQUE]


def test_what_functions_return_are_fields_of_models():
    pydantic = pytest.importorskip("pydantic")
    values = unidoku.check(PUZZLE), unidoku.examine(PUZZLE), unidoku.rate(PUZZLE), unidoku.solve(PUZZLE)
    for value in values:
        model = pydantic.TypeAdapter(type(value))
        fields = dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value
        assert model.dump_python(value) == fields
        assert json.loads(model.dump_json(value)) == getattr(fields, "line", fields)
        assert model.validate_json(model.dump_json(value)) == value
        assert not {"`", "---"} & {*re.findall("`|---", json.dumps(model.json_schema()))}


def test_a_verdict_equals_its_word_and_nothing_else():
    for verdict in Verdict:
        assert (verdict == str(verdict), verdict != str(verdict), str(verdict) == verdict) == (1, 0, 1)
        assert {verdict} == {str(verdict)} == {verdict, str(verdict)}
        assert hash(verdict) == hash(str(verdict))
        assert verdict not in (1, 0, None, "x", int(verdict))
    codes = np.arange(5, dtype=np.uint8)
    assert (codes == Verdict.UNIQUE).tolist() == [False, True, False, False, False]
    assert (codes != Verdict.UNIQUE).tolist() == [True, False, True, True, True]


COMPARED = {
    "==": lambda verdict: verdict == True,  # noqa: E712
    "!=": lambda verdict: verdict != False,  # noqa: E712
    "reversed": lambda verdict: True == verdict,  # noqa: E712, SIM300
    "in": lambda verdict: verdict in [True, False],
    "index": [False, True].index,
    "objects": lambda verdict: [verdict] == [True],
    "a bool of NumPy": lambda verdict: verdict == np.True_,
    "an array of bools": lambda verdict: np.array([True]) == verdict,
    "an array of verdicts": lambda verdict: np.array([verdict], np.object_) == True,  # noqa: E712
    "isin": lambda verdict: np.isin(np.array([verdict], np.object_), [True]),
    "a column": lambda verdict: pytest.importorskip("pandas").Series([verdict], dtype=object) == True,  # noqa: E712
    "replace": lambda verdict: (
        pytest.importorskip("pandas").Series([verdict], dtype=object).replace({True: 1})
    ),
}
"""Ways to compare a verdict with True. Dictionaries and sets look at hashes first, so that they never ask."""


@in_turn
@pytest.mark.parametrize("way", COMPARED)
def test_a_comparison_with_true_says_what_to_type(way):
    for verdict in Verdict:
        with pytest.raises(unidoku.ArgumentError) as caught:
            COMPARED[way](verdict)
        assert str(caught.value).endswith("use check(puzzle) is Verdict.UNIQUE, or bool(check(puzzle))")
    assert {True: 1, False: 0}.get(Verdict.UNIQUE) is None


def test_verdicts_in_a_data_frame_are_words():
    pandas = pytest.importorskip("pandas")
    for column in (
        pandas.Series([PUZZLE, "." * 81]).map(unidoku.check),
        pandas.Series([*Verdict], dtype=object),
    ):
        words = column.tolist()
        assert (
            (column == "unique").tolist()
            == column.isin(["unique"]).tolist()
            == column.isin([Verdict.UNIQUE]).tolist()
        )
        assert column.map({"unique": 1}).notna().tolist() == [word == "unique" for word in words]
        assert column.value_counts()["unique"] == 1
        assert len(pandas.DataFrame({"v": column}).merge(pandas.DataFrame({"v": ["unique"]}))) == 1
