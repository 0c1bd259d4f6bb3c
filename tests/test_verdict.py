"""The verdict: codes, words, JSON and truth."""

import json
import pickle

import pytest

from unidoku import Verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_is_found_by_its_code_and_by_its_word(verdict):
    assert Verdict(int(verdict)) is Verdict(str(verdict)) is Verdict(verdict.value) is verdict
    assert pickle.loads(pickle.dumps(verdict)) is verdict
    assert verdict == int(verdict)


@pytest.mark.parametrize("value", [-1, 5, "", "UNIQUE", None])
def test_other_values_are_no_verdict(value):
    with pytest.raises(ValueError, match="choose from: none, unique, multiple, unknown, invalid"):
        Verdict(value)


def test_json_of_a_verdict_is_its_number_and_its_text_the_word():
    assert json.dumps(Verdict.UNIQUE) == "1"
    assert json.dumps(str(Verdict.UNIQUE)) == '"unique"'


def test_a_verdict_is_true_for_a_proper_puzzle_only():
    assert [verdict for verdict in Verdict if verdict] == [Verdict.UNIQUE]
