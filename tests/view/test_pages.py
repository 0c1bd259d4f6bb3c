"""Pages that play a search or a record: their frames, lines, notes and lists of steps."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from cases import in_turn
from example_puzzles import CHAINS, EIGHT, NOTHING, QUIZ, UNIQUE as EASY

from unidoku import method, solve, steps
from unidoku.cell import cell_name
from unidoku.stepper import Session, report
from unidoku.view import _explain as explain
from unidoku.view._explain import play_record
from unidoku.view._pages import Frame, Playback
from unidoku.view._trace import play_trace


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def step_lines(page):
    """The lines of each step: its item in the list of the page."""
    items = re.findall(r'<li value="(\d+)" class="[^"]*">(.*?)</li>', page, re.S)
    assert [int(number) for number, _ in items] == list(range(len(items)))
    texts = [re.search(r'<span class="sentence">(.*?)</span>', item, re.S) for _, item in items]
    return [unescape(re.sub("</?(i|small)>", "", text[1])).split("\n") if text else [] for text in texts]


def states(data):
    """The codes after each frame, as the script makes them."""
    codes, orders = [0] * 81, [0] * 81
    for frame in data["frames"]:
        for cell, code, *order in frame["s"]:
            codes[cell] = code
            orders[cell] = order[0] if order else orders[cell]
        yield list(codes), list(orders)


def test_the_frames_are_the_search():
    page = play_trace(Session(QUIZ)).page()
    data, texts = data_of(page), step_lines(page)
    assert data["puzzle"] == QUIZ.replace("0", ".")
    session = Session(QUIZ)
    for number, (frame, (codes, _)) in enumerate(zip(data["frames"], states(data), strict=True)):
        if number:
            *events, _ = session.step()
            lines = [line for event in events for line in report.lines(event, cell=cell_name)]
            assert texts[number] == lines
        candidates = session.candidates
        masks = [
            512 + value if value else sum(1 << digit - 1 for digit in candidates.get(cell, ()))
            for cell, value in enumerate(session.grid)
        ]
        assert codes == masks
        assert len(frame.get("v", ())) == frame.get("d", 0) == session.level
        assert (frame.get("k") == "solution") == (session.state == "fine")
    assert session.state == "invalid"
    assert data["frames"][data["start"]]["k"] == "solution"


def test_a_search_opens_at_its_first_solution():
    data = data_of(play_trace(Session(EIGHT)).page())
    kinds = [frame.get("k") for frame in data["frames"]]
    assert kinds.count("solution") == 8
    assert data["start"] == kinds.index("solution")


def test_arrows_have_the_kinds_of_their_links():
    """Chains with two ends and rings have lines without heads, none of them to what is removed."""
    data = data_of(explain.explain(CHAINS).page())
    arrows = [[kind for _, _, kind, _ in frame.get("a", ())] for frame in data["frames"][1:]]
    kinds = set()
    for step, drawn in zip(steps(CHAINS), arrows, strict=True):
        one_chain = step.technique.endswith("cycle") or "forcing" in step.technique.split()[0]
        is_joined = one_chain and not step.placements
        links = step.links if not is_joined or step.technique.endswith("cycle") else step.links[1:-1]
        strong, weak = ("bond", "clash") if is_joined else ("strong", "weak")
        assert drawn == [strong if link[2] == "strong" else weak for link in links], step
        kinds |= {*drawn}
    assert kinds >= {"bond", "clash"}


def test_the_frames_are_the_record():
    record = method.explain(EASY)
    data = data_of(play_record(record).page())
    marks = {(cell, digit): mark for frame in data["frames"] for cell, digit, mark in named_marks(frame)}
    record_marks = {
        (event.cell - 1, event.digit): event.mark for event in record.events if event.kind == "zero"
    }
    assert {place: mark for place, mark in marks.items() if mark != "*"} == record_marks
    own = record.zeroings["own"] + record.saved
    assert (list(marks.values()).count("*"), own > 0) == (own, True)
    *_, (codes, orders) = states(data)
    assert [code - 512 for code in codes] == list(map(int, record.solution))
    assert orders == record.state().KH.tolist()


def named_marks(frame):
    return [entry for entry in frame.get("x", ()) if len(entry) == 3]


@in_turn
@pytest.mark.parametrize("puzzle", [EASY, QUIZ, "." * 81, NOTHING])
def test_every_kind_of_record_has_a_page(puzzle):
    record = method.explain(puzzle)
    page = play_record(record).page()
    data = data_of(page)
    assert len(data["frames"]) == len(step_lines(page)) >= 2
    assert step_lines(page)[-1]
    replay = record.state()
    *_, (codes, orders) = states(data)
    assert orders == replay.KH.tolist()
    assert [code - 512 if code >= 512 else 0 for code in codes] == replay.NA.tolist()


def test_texts_of_a_page_are_escaped():
    bad = "</script><script>alert(1)</script>"
    playback = Playback("." * 81, bad, "steps")
    playback.words["board"] = bad
    playback.note = bad
    playback.ratings = bad
    texts = {"heading": bad, "run": bad, "status": bad, "kind": bad}
    playback.add((bytes(81), bytes(81), {}), Frame(lines=[bad], levels=[bad], **texts))
    page = playback.page()
    assert page.count("<script") == 2
    assert data_of(page)["frames"][0]["t"] == bad
    assert step_lines(page) == [[bad]]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_note_of_a_path(lang):
    playback = explain.explain(EASY, lang=lang)
    notes = {
        "en": "Beginner: 51 steps; the hardest: hidden single (1.2).",
        "zh": "入门：共51步，最难的是摒除法（1.2）。",
    }
    assert playback.note == notes[lang]
    assert "ER" not in playback.note
    assert all(f"{name} 1.2" in playback.ratings for name in ("ER", "EP", "ED"))
    full_grid = explain.explain(solve(EASY), lang=lang)
    assert full_grid.note == {"en": "The grid is full.", "zh": "全部填完。"}[lang]


def test_the_list_of_steps_names_cells_and_conclusions():
    """Runs of singles, by cell and digit; other steps with their conclusions; the hardest one is marked."""
    path, page = steps(CHAINS), explain.explain(CHAINS).page()
    items = dict(re.findall(r'<li value="(\d+)" class="(.*?)"><b', page))
    headings = dict(re.findall(r'<b data-number="(\d+)">(.*?)(?:<em>hardest</em>)?</b>', page))
    assert items.keys() == headings.keys() == {str(number) for number in range(1, len(path) + 1)}
    for number, step in enumerate(path, 1):
        single = step.technique in {"hidden single", "naked single"}
        assert items[str(number)].split()[0] == ("run" if single else "step")
        if single:
            (candidate,) = step.placements
            assert headings[str(number)] == candidate.replace("=", " = ")
        else:
            assert f"{step.rating}): " in headings[str(number)]
    (hardest,) = (int(number) for number, kind in items.items() if "hardest" in kind)
    assert path[hardest - 1].rating == path.er
    runs = [items[str(number)][:3] == "run" for number in range(1, len(path) + 1)]
    run_count = sum(now and not before for before, now in zip([False, *runs], runs, strict=False))
    assert page.count('<li class="title">Singles</li>') == run_count > 3
    assert "hardest" not in str(re.findall("<li.*?>", explain.explain(EASY).page()))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_document_says_each_step_once_and_draws_the_hard_ones(lang, monkeypatch):
    documents = []
    monkeypatch.setattr(
        "unidoku.view._pdf.document", lambda _, blocks, __, black: documents.append(blocks) or b"%PDF"
    )
    path = steps(CHAINS, lang=lang)
    explain.explain(CHAINS, lang=lang).pdf()
    (told,) = (block["steps"] for block in documents[0] if isinstance(block, dict))
    assert len(told) == len(path)
    peak = max(path, key=lambda step: step.rating)
    for step, text in zip(path, told, strict=True):
        assert not text["heading"]
        assert str(step.rating) in text["lead"]
        assert text["lines"][0] == step.sentence[-len(text["lines"][0]) :]
        assert (text["picture"] is not None) == (step.rating >= 4.2 or step is peak)
    assert sum(text["picture"] is not None for text in told) > 3


def test_a_frame_has_what_its_reason_rules_out_and_later_steps_remove():
    puzzle = "697.....2..1972.63..3..679.912...6.737426.95.8657.9.241486932757.9.24..6..68.7..9"
    path, playback = steps(puzzle), explain.explain(puzzle)
    assert any(step.further_eliminations for step in path)
    for step, frame in zip(path, playback.frames[1:], strict=True):
        assert [f"r{cell // 9 + 1}c{cell % 9 + 1}={digit}" for cell, digit in frame.further] == (
            step.further_eliminations
        )
