"""Links to the steps of a record: each opens the position just before its step."""

from __future__ import annotations

import pytest
from command import run
from example_puzzles import QUIZ, UNIQUE as EASY

import unidoku
from unidoku import method
from unidoku.links import SITES, is_link, puzzle_of
from unidoku.method.report import sentences
from unidoku.view.links import step_links


def position(url):
    """What the site reads from the link: clues, found digits and candidates of the 81 cells."""
    text = url.partition("?bd=S9B")[2]
    codes = [int(text[k : k + 2], 36) for k in range(0, 162, 2)]
    return [
        ("clue", code) if code <= 9 else ("found", code - 9) if code <= 18
        else {digit for digit in range(1, 10) if code - 18 >> digit - 1 & 1}
        for code in codes
    ]  # fmt: skip


@pytest.mark.parametrize("puzzle", [EASY, QUIZ])
def test_every_position(puzzle):
    record = method.explain(puzzle)
    links = list(step_links(record))
    replay = record.replay()
    expected = []
    for sentence in sentences(record, names="rc"):
        if sentence.kind in {"convert", "extended", "subset", "preset"}:
            state = replay.state
            cells = [
                ("clue", clue) if clue else ("found", value) if value else set(state.components(cell))
                for cell, (clue, value) in enumerate(zip(record.puzzle, state.NA.tolist(), strict=True), 1)
            ]
            expected.append((cells, sentence.text))
        for _ in sentence.events:
            replay.forward()
    assert [(position(url), text) for url, text in links] == expected
    assert len(expected) >= 51
    assert {puzzle_of(url) for url, _ in links} == {record.puzzle.line}


@pytest.mark.parametrize("site", SITES)
def test_sites(site):
    if site in {"sudoku.coach", "sudokuexchange"}:
        assert (
            "shows no candidates; choose from"
            in run("link", EASY, "--every-step", "--site", site, code=2).stderr
        )
        return
    links = list(step_links(method.explain(EASY), site=site))
    assert all(is_link(url) for url, _ in links)
    assert {puzzle_of(url) for url, _ in links} == {method.explain(EASY).puzzle.line}


def test_the_command():
    for options, steps in (([], unidoku.steps(EASY)), (["--method", "book"], method.explain(EASY))):
        done = run("link", EASY, "--every-step", *options, code=0)
        assert done.stdout.splitlines() == [f"{url}\t{text}" for url, text in step_links(steps)]


@pytest.mark.parametrize("name", ["steps", "book"])
def test_the_sentences_of_the_steps_have_a_language(name):
    english, chinese = (
        run("link", EASY, "--every-step", "--method", name, "--lang", lang, code=0).stdout
        for lang in ("en", "zh")
    )
    links = [line.partition("\t") for line in chinese.splitlines()]
    assert [url for url, _, _ in links] == [line.partition("\t")[0] for line in english.splitlines()]
    if name == "book":
        told = (
            each for each in sentences(method.explain(EASY), lang="zh", names="rc") if each.kind == "convert"
        )
        assert next(told).text in chinese
    else:
        assert [text for _, _, text in links] == [step.text("zh") for step in unidoku.steps(EASY)]
    assert "--every-step" in run("link", EASY, "--lang", "zh", code=2).stderr


def test_the_steps_are_those_of_explain():
    path = unidoku.steps(QUIZ)
    found = list(step_links(path))
    assert [text for _, text in found] == [str(step) for step in path]
    for (url, _), step in zip(found, path, strict=True):
        values, clues, marks = step.before.drawn_state()
        cells = position(url)
        for cell in range(81):
            if values[cell]:
                assert cells[cell] == ("clue" if clues[cell] else "found", values[cell])
            else:
                assert cells[cell] == set(marks[cell])
