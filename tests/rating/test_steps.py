"""Steps: proofs, links, sentences and pictures."""

from __future__ import annotations

import _thread
import copy
import json
import pickle
import re
from dataclasses import FrozenInstanceError, asdict, replace
from xml.etree import ElementTree

import pytest
from example_puzzles import CHAIN, SOLUTION, UNIQUE
from known_ratings import TABLE
from sample_steps import samples
from sentence_checker import cells, told_links

import unidoku
from unidoku import SearchStoppedError, steps
from unidoku._words import LANGUAGES
from unidoku.rating._deduction import Deduction
from unidoku.rating._names import FAMILIES, TECHNIQUES
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import Step, deduction_from, path_of, steps_of


def sample(technique: str) -> Deduction:
    return next(step for step in samples() if step.technique == technique)


def plain(technique: str) -> Step:
    return steps_of([sample(technique)])[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_inner_techniques_are_named(lang):
    """Above 9.0 the off candidates of inner techniques follow from earlier candidates."""
    say, techniques = Sentences(lang), set()
    for step in samples(12):
        inner = {link.technique for link in step.links if link.kind == "inner"}
        sentence, *lines = say.whole(step).splitlines()
        title = sentence.split(":")[0].removeprefix(say.name(step))
        names = [say.techniques[technique] for technique in sorted(inner, key=TECHNIQUES.index)]
        assert say.join(names) in title
        for name in names:
            assert any(say.say("inner", name=name) in line for line in lines)
        techniques |= inner
    assert techniques >= {"pointing", "claiming", "hidden pair", "forcing X-chain", "multiple forcing chains"}


def test_texts_and_lines_tell_every_link_and_no_other():
    say, kinds = Sentences(), set()
    for step in samples(12):
        whole, line = say.whole(step), say.line(step)
        runs = re.split(r"\. |; ", re.sub(r"\. Then (?!both)", " → ", line))
        text = "; ".join(run.partition(": if")[0] for run in runs if "→" in run or "⇒" in run)
        told = {(source, reason, end) for sources, reason, end in told_links(text) for source in sources}
        links = step.links
        if FAMILIES[step.technique] == "chain":
            removed = set(step.eliminations) - {(cell, digit) for cell, digit in step.placements}
            ends = () if step.placements else removed  # both ends see it
            links = [link for link in links if not {link.start, link.end} & set(ends)]
            if not told:  # the sentence says the pattern, the whole text its links
                told = {(a, reason, b) for (a,), reason, b in told_links(whole.splitlines()[1])}
        assert told == {
            (str(link.holds), link.technique if link.kind == "inner" else link.kind, str(link.follows))
            for link in links
        }
        kinds |= {step.technique, step.kind} if step.chains else set()
        assert "\n" not in line
        assert re.sub(r"[.;:]|\s+", "", whole).startswith(re.sub(r"[.;:]|\s+", "", line))
        assert line.startswith(say.sentence(step))
        assert len(say.sentence(step)) < 600, "a summary comes first"
    assert kinds >= {
        *("X-cycle", "Y-cycle", "XY-cycle", "forcing X-chain", "forcing chain", "Nishio"),
        *(
            "multiple forcing chains",
            "dynamic forcing chains",
            "X",
            "Y",
            "XY",
            "cell",
            "house",
            "contradiction",
        ),
    }


def test_both_languages_say_the_same():
    """Both name the same cells, candidates, digits and houses."""
    for step in samples():
        contents = []
        for lang, house in (("en", r"(row|column|box)\w* ([\d, and]+)"), ("zh", r"第([\d、]+)([行列宫])")):
            text = Sentences(lang).line(step)
            houses = {
                (kind if lang == "en" else {"行": "row", "列": "column", "宫": "box"}[kind], number)
                for a, b in re.findall(house, text)
                for kind, numbers in [(a, b) if lang == "en" else (b, a)]
                for number in re.findall(r"\d", numbers)
            }
            other_text = re.sub(house, "", re.sub(r"r\dc\d", "", re.split("[:：]", text, maxsplit=1)[1]))
            contents.append((houses, {*cells(text)}, set(re.findall(r"\d", other_text))))
        assert contents[0] == contents[1], Sentences().line(step)


def test_the_steps_of_a_puzzle_are_plain_values():
    solution = steps(UNIQUE)
    assert solution.solved
    assert (solution.er, solution.ep, solution.ed, solution.difficulty) == (1.2, 1.2, 1.2, "easy")
    assert len(solution) == UNIQUE.count(".")
    reason = "the other empty cells see the 8 in r3c3 or r5c4"
    assert solution[0].sentence == f"Hidden single: in box 2 the digit 8 fits only in r1c6: {reason}."
    assert (
        steps(UNIQUE, lang="zh")[0].sentence
        == "摒除法：第2宫的8只能填在r1c6，因为其余空格都看到r3c3或r5c4的8。"
    )
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert json.loads(json.dumps(asdict(solution))) == asdict(solution)
    path = path_of(UNIQUE).deductions
    assert [step.before for step in path[1:]] == [step.after for step in path[:-1]]
    assert path[-1].after.line == SOLUTION


def test_a_deduction_is_rebuilt_from_the_names_of_its_step():
    for step in samples():
        (by_names,) = steps_of([step])
        assert {link[:3] for link in step.links} == {link[:3] for link in deduction_from(by_names).links}
        core = replace(step, digits=(), chains=())
        assert replace(deduction_from(by_names), chains=()) == core


def test_the_picture_of_a_step():
    step = plain("forcing chain")
    root = ElementTree.fromstring(step._repr_svg_())
    kinds = [element.get("class") for element in root.iter()]
    assert kinds.count("link") == len(step.links) - 2  # no line to what is removed
    assert kinds.count("role") == len({*step.candidates["on"], *step.candidates["off"]}) - 1
    assert step.sentence in step._repr_html_()


def test_the_picture_of_a_single_shows_its_digit():
    step = steps(UNIQUE)[1]
    root = ElementTree.fromstring(step._repr_svg_())
    digits = [(element.get("class"), element.text) for element in root.iter()]
    assert len([text for kind, text in digits if kind == "found"]) == 2
    assert ("found", step.placements[0][-1]) in digits
    assert "role" not in {element.get("class") for element in root.iter()}
    assert [element.get("data-color") for element in root.iter()].count("green") == 1


def test_a_full_grid_has_no_steps_and_the_rating_0():
    solution = steps(SOLUTION)
    assert (len(solution), solution.er, solution.difficulty, solution.solved) == (0, 0.0, None, True)


def test_a_cancel_ends_the_search():
    hard = max(TABLE, key=TABLE.__getitem__)
    cancel = unidoku.Cancel()
    cancel.set()
    for puzzle in (hard, UNIQUE):
        with pytest.raises(SearchStoppedError, match=r"^stopped early by"):
            steps(puzzle, cancel=cancel)


def test_easy_steps_and_hints_start_no_thread(monkeypatch):
    def refuse(*_):
        raise AssertionError("a thread is started")

    path, next_step = steps(UNIQUE), unidoku.hint(UNIQUE)
    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    assert steps(UNIQUE) == path
    assert unidoku.hint(UNIQUE) == next_step


def test_sentences_are_made_when_they_are_read(monkeypatch):
    expected = steps(UNIQUE)[3].sentence
    with monkeypatch.context() as patch:
        patch.setattr(Sentences, "sentence", None)  # a call fails
        path, next_step = steps(UNIQUE), unidoku.hint(UNIQUE)
        assert (path.er, len(path), path[3].technique) == (1.2, 51, "hidden single")
        with pytest.raises(TypeError):
            print(next_step.sentence)
    assert path[3].sentence == expected
    assert next_step.sentence in str(next_step)


def test_steps_and_hints_are_dataclasses_as_if_made_at_once():
    step, next_step = steps(CHAIN)[-1], unidoku.hint(CHAIN)
    for value in (step, next_step):
        copies = [copy.copy(value), pickle.loads(pickle.dumps(value)), replace(value)]
        fields = asdict(value)
        assert all(asdict(same) == fields and same == value for same in copies)
        assert type(value)(**fields) == value
        assert repr(copies[1]) == repr(value)
        assert not hasattr(value, "missing")
    with pytest.raises(FrozenInstanceError):
        step.rating = 1.0
