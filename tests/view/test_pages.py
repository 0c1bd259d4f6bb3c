"""The pages that play a record: they hold the search or the record, and load nothing."""

from __future__ import annotations

import json
import re

import pytest
from example_puzzles import QUIZ, UNIQUE as EASY

from unidoku import method
from unidoku.stepper import Session, report
from unidoku.view import explain
from unidoku.view.explain import play_record, play_trace
from unidoku.view.pages import Frame, Playback

IMPOSSIBLE = "009028700806004005003000004600000000020713450000000002300000500900400807001250300"


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def states(data):
    """The codes after each frame, as the script makes them."""
    codes, orders = [0] * 81, [0] * 81
    for frame in data["frames"]:
        for cell, code, *order in frame["s"]:
            codes[cell] = code
            orders[cell] = order[0] if order else orders[cell]
        yield list(codes), list(orders)


def masks(candidates):
    return [sum(1 << digit - 1 for digit in digits) for digits in candidates]


def test_the_frames_are_the_search():
    data = data_of(play_trace(Session(QUIZ)).page())
    assert data["puzzle"] == QUIZ.replace("0", ".")
    session = Session(QUIZ)
    for number, (frame, (codes, _)) in enumerate(zip(data["frames"], states(data), strict=True)):
        if number:
            *happened, _ = session.step()
            assert frame["l"] == [line for event in happened for line in report.lines(event)]
        candidates = session.candidates
        expected = [
            512 + value if value else masks([candidates.get(cell, ())])[0]
            for cell, value in enumerate(session.grid)
        ]
        assert codes == expected
        assert len(frame.get("v", ())) == frame.get("d", 0) == session.level
        assert (frame.get("k") == "solution") == (session.state == "fine")
    assert session.state == "invalid"
    assert data["frames"][data["start"]]["k"] == "solution"


def test_the_frames_are_the_record():
    record = method.explain(EASY)
    data = data_of(play_record(record).page())
    marks = {(cell, digit): mark for frame in data["frames"] for cell, digit, mark in marked(frame)}
    expected = {
        (event.cell - 1, event.digit): event.mark
        for event in record.events
        if event.kind == "zero" and event.rule != "own"
    }
    assert marks == expected
    *_, (codes, orders) = states(data)
    assert [code - 512 for code in codes] == list(record.solution)
    assert orders == record.state().KH.tolist()


def marked(frame):
    return [entry for entry in frame.get("x", ()) if len(entry) == 3]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("puzzle", [EASY, QUIZ, "." * 81, IMPOSSIBLE])
def test_every_kind_of_record_has_a_page(puzzle, lang):
    record = method.explain(puzzle)
    data = data_of(play_record(record, lang=lang).page())
    assert len(data["frames"]) >= 2
    assert data["frames"][-1]["l"]
    replay = record.state()
    *_, (codes, orders) = states(data)
    assert orders == replay.KH.tolist()
    assert [code - 512 if code >= 512 else 0 for code in codes] == replay.NA.tolist()


def test_the_pages_need_nothing_else():
    for page in (play_trace(Session(QUIZ), steps=20).page(), play_record(method.explain(EASY)).page()):
        rest = page.replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"https?:|<link|<img|src=|@import|\{\{|\{%", rest) == []
        assert "default-src 'none'" in page
        assert len(page) < 1 << 20


def test_a_trace_that_stops_early():
    page = play_trace(Session(QUIZ), steps=20).page()
    assert "the search continues" in page
    assert data_of(page)["start"] == len(data_of(page)["frames"]) - 1


def test_a_long_search_is_cut_off(monkeypatch):
    monkeypatch.setattr(explain, "MOST_UNITS", 10)
    page = play_trace(Session("." * 81)).page()
    assert len(data_of(page)["frames"]) == 11
    assert "the search continues" in page


def test_whatever_is_written_stays_text():
    bad = "</script><script>alert(1)</script>"
    played = Playback(bad, bad)
    played.note = bad
    played.add(Frame((bytes(81), bytes(81), {}), lines=[bad], levels=[bad], heading=bad, status=bad))
    page = played.page()
    assert page.count("<script") == 2
    assert data_of(page)["frames"][0]["l"] == [bad]
