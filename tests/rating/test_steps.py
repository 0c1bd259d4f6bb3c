"""Steps: every one is proved, its links are true, and its sentence names what it is about."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from xml.etree import ElementTree

import link_checker
import pytest
from example_puzzles import SOLUTION, UNIQUE
from known_ratings import TABLE
from sample_steps import samples
from sentence_checker import cells, text_faults

import unidoku
from unidoku import SearchStoppedError
from unidoku.rating.sentences import Sentences
from unidoku.rating.step import Link, Step
from unidoku.rating.steps import Hint, Steps, steps
from unidoku.view.explain import explain
from unidoku.words import LANGUAGES, table


@pytest.fixture(scope="module")
def paths() -> list[Steps]:
    """A few paths of every rating below 9.0."""
    chosen: dict[int, list[str]] = {}
    for puzzle, (er, _, _) in TABLE.items():
        chosen.setdefault(er, []).append(puzzle)
    return [steps(puzzle) for er, some in chosen.items() if er < 90 for puzzle in some[:2]]


def marks_of(position) -> list[set[int]]:
    return [set(position.candidates(cell)) for cell in range(81)]


def test_every_link_is_true():
    seen = set()
    for step in samples(12):
        if step.chains:
            assert link_checker.link_faults(marks_of(step.before), step) == [], repr(step)
            seen |= {step.technique, step.kind} | {link.kind for link in step.links}
    assert seen >= {
        *("X-cycle", "Y-cycle", "XY-cycle", "forcing X-chain", "forcing chain", "Nishio"),
        *("multiple forcing chains", "dynamic forcing chains"),
        *("X", "Y", "XY", "cell", "house", "contradiction", "inner"),
    }


def test_a_false_link_is_found(paths):
    """A missing link, a link to another candidate and a link of the other kind are faults."""
    tried = 0
    for path in paths:
        for step in path:
            if not step.chains or not step.chains[-1].links:
                continue
            before, chain = marks_of(step.before), step.chains[-1]
            *some, last = chain.links
            other = Link(last.start, ((last.end[0] + 1) % 81, last.end[1]), last.kind)
            turned = last._replace(kind="weak" if last.kind == "strong" else "strong")
            for links in (some, [*some, other], [*some, turned]):
                wrong = replace(step, chains=(*step.chains[:-1], chain._replace(links=links)))
                assert link_checker.link_faults(before, wrong) != [], repr(step)
            tried += 1
    assert tried > 50


@pytest.mark.parametrize("lang", LANGUAGES)
def test_inner_techniques_are_named(lang):
    """Above 9.0 the off candidates of inner techniques follow from those before them."""
    say, seen = Sentences(lang), set()
    for step in samples(12):
        inner = {link.technique for link in step.links if link.kind == "inner"}
        sentence, *lines = say.whole(step).splitlines()
        title = sentence.split(":")[0].removeprefix(say.name(step))
        for technique in inner:
            name = say.technique(technique)
            assert name in title
            assert any(say.say("inner", name=name) in line for line in lines)
        seen |= inner
    assert seen >= {"pointing", "claiming", "hidden pair", "forcing X-chain", "multiple forcing chains"}


def test_texts_and_lines_tell_every_link():
    for step in samples():
        whole = Sentences().whole(step)
        for chain in step.chains:
            for link in chain.links:
                assert str(link.follows) in whole
        assert "\n" not in str(step)
        assert re.sub(r"[.;:]|\s+", "", str(step)) == re.sub(r"[.;:]|\s+", "", whole)
        assert str(step).startswith(Sentences().sentence(step))
        assert len(Sentences().sentence(step)) < 600, "a summary comes first"
        assert repr(step) == f"<Step {step.rating} {Sentences().sentence(step)}>"


def test_a_hidden_single_in_words():
    step = steps(UNIQUE)[0]
    assert str(step) == "Hidden single: in box 2 the digit 8 fits only in r1c6."
    assert step.text("zh") == "摒除法：第2宫的8只能填在r1c6。"
    assert (step.technique, step.rating) == ("hidden single", 1.2)
    assert (step.placements, step.eliminations) == (((5, 8),), ())


def test_a_false_text_is_found():
    """Each digit of a sentence matters: with another one it says what is not so."""
    missed = []
    tried = 0
    for step in samples(1):
        sentence, text = Sentences().sentence(step), str(step)
        begin = text.index(": ")
        for place in range(begin, len(sentence)):
            if text[place].isdigit():
                wrong = f"{text[:place]}{int(text[place]) % 9 + 1}{text[place + 1 :]}"
                tried += 1
                if not text_faults(wrong, step.before):
                    missed.append(wrong)
    assert tried > 700
    assert len(missed) < tried // 50, missed[:20]


def test_both_languages_say_the_same():
    """The same cells, candidates, digits and houses."""
    for step in samples():
        found = []
        for lang, house in (("en", r"(row|column|box)\w* ([\d, and]+)"), ("zh", r"第([\d、]+)([行列宫])")):
            text = step.text(lang)
            houses = {
                (kind if lang == "en" else {"行": "row", "列": "column", "宫": "box"}[kind], number)
                for a, b in re.findall(house, text)
                for kind, numbers in [(a, b) if lang == "en" else (b, a)]
                for number in re.findall(r"\d", numbers)
            }
            rest = re.sub(house, "", re.sub(r"r\dc\d", "", re.split("[:：]", text, maxsplit=1)[1]))
            found.append((houses, {*cells(text)}, set(re.findall(r"\d", rest))))
        assert found[0] == found[1], (step.text(), step.text("zh"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_parentheses_follow_each_other_or_nest(lang):
    say = Sentences(lang)
    for step in samples():
        for text in (say.whole(step), *say.hint(Hint(step.before, step)).values(), _listed(step, lang)):
            assert not re.search(r"[)）]\s*[(（]|[(（][^)）]*[(（]", text), text


def _listed(step: Step, lang: str) -> str:
    fields = {"name": Sentences(lang).name(step), "rating": step.rating, "result": ""}
    return table(lang)["steps"]["listed"].format(**fields)


def test_the_last_empty_cell_is_a_full_house():
    step = next(step for step in samples() if step.kind == "last cell")
    assert (step.technique, step.rating) == ("hidden single", 1.0)
    assert str(step).startswith("Full house: in ")
    assert step.text("zh").startswith("唯一空格：")
    assert Hint(step.before, step).what.startswith("Full house (rated 1.0): look at ")


def test_a_naked_single_names_the_houses_of_the_other_digits():
    puzzle = "..84...26.....548...5..6..94....9..............67..1.8.......35.6.34.9..2..9....."
    text = next(str(step) for step in steps(puzzle) if step.technique == "naked single")
    assert text == (
        "Naked single: row 2 has 4, 5, 6 and 8; column 4 has 3, 7 and 9; 2 ruled out before. "
        "Only 1 is left for r2c4."
    )


def test_an_aligned_exclusion_lists_the_combinations():
    step = next(step for step in samples() if step.technique == "aligned pair exclusion")
    first, *lines = Sentences().whole(step).splitlines()
    assert first.startswith("Aligned pair exclusion: try each combination of digits in ")
    other = next(cell for cell in step.cells["base"] if cell != step.eliminations[0][0])
    assert len(lines) == len(step.before.candidates(other)) * len(step.eliminations)
    assert all(re.search("no digit is left for|is twice in", line) for line in lines)


def test_how_to_read_the_names_is_said_once():
    say = Sentences()
    easy = steps(UNIQUE)
    assert say.reading(easy) == "r4c2 is the cell in row 4, column 2."
    chained = [step for step in samples() if step.chains]
    assert say.reading(chained).startswith(say.reading(easy) + " r4c2=7 says that it is 7, r4c2≠7")
    assert explain(UNIQUE).page().count(f">{say.reading(easy)}<") == 1


def test_a_path_is_a_sequence_to_the_solution():
    path = steps(UNIQUE)
    assert path.solved
    assert len(path) == UNIQUE.count(".")
    assert path[-1].after.line == unidoku.solve(UNIQUE).line
    assert [step.before for step in path[1:]] == [step.after for step in path[:-1]]
    assert str(path).splitlines() == [step.text() for step in path]
    assert repr(path) == f"<Steps: {len(path)} of {UNIQUE}>"
    assert pickle.loads(pickle.dumps(path)) == path


def test_a_step_as_values_for_json(paths):
    step = next(step for path in paths for step in path if step.technique == "XY-wing")
    values = step.as_dict()
    assert values["technique"] == "XY-wing"
    assert len(values["cells"]["wings"]) == 2
    assert len(values["before"]) == 81
    assert len(values["marks"]) == 729
    assert values["marks"][::9] == "".join(
        "1" if value == 1 or 1 in step.before.candidates(cell) else "."
        for cell, value in enumerate(step.before.values)
    )
    assert values["eliminations"] == [f"r{c // 9 + 1}c{c % 9 + 1}={d}" for c, d in step.eliminations]


def test_the_picture_of_a_step(paths):
    step = next(step for path in paths for step in path if step.technique == "forcing chain")
    root = ElementTree.fromstring(step._repr_svg_())
    kinds = [element.get("class") for element in root.iter()]
    assert kinds.count("link") == len(step.links)
    assert kinds.count("role") == len({*step.candidates["on"], *step.candidates["off"]})
    assert step.text() in step._repr_html_()


def test_the_picture_of_a_single_shows_its_digit(paths):
    step = next(step for path in paths for step in path if step.technique == "hidden single")
    ((_, digit),) = step.placements
    root = ElementTree.fromstring(step._repr_svg_())
    digits = [(element.get("class"), element.text) for element in root.iter()]
    found = sum(1 for value, clue in zip(step.before.values, step.before.clues, strict=True) if value > clue)
    assert len([text for kind, text in digits if kind == "found"]) == found + 1
    assert ("found", str(digit)) in digits
    assert "role" not in {element.get("class") for element in root.iter()}
    assert [element.get("data-color") for element in root.iter()].count("green") == 1


def test_a_full_grid_has_no_steps_and_the_rating_0():
    assert (len(steps(SOLUTION)), steps(SOLUTION).rating) == (0, (0.0, 0.0, 0.0))


def test_a_budget_and_a_cancel_end_the_search():
    hard = max(TABLE, key=TABLE.__getitem__)
    with pytest.raises(SearchStoppedError, match="0 steps were found"):
        steps(hard, budget=3)
    cancel = unidoku.Cancel()
    cancel.set()
    for puzzle in (hard, UNIQUE):
        with pytest.raises(SearchStoppedError):
            steps(puzzle, cancel=cancel)
