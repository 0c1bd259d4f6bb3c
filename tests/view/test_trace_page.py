"""The trace page: what is embedded in it is the search."""

from __future__ import annotations

import json
import re

import unidoku.view.trace
from unidoku.stepper import Session, from_json, report
from unidoku.view.trace import trace_page

QUIZ = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def test_the_frames_are_the_search():
    page = trace_page(Session(QUIZ))
    data = data_of(page)
    assert data["puzzle"] == QUIZ.replace("0", ".")
    session = Session(QUIZ)
    assert from_json(data["frames"][0]["state"]) == session.show()
    for frame in data["frames"][1:]:
        *happened, state = session.step()
        assert [from_json(event) for event in frame["events"]] == happened
        assert from_json(frame["state"]) == state
        assert frame["lines"] == [line for event in happened for line in report.lines(event)]
        assert len(frame["levels"]) == session.level
    assert session.state == "invalid"
    assert "284 steps, 1 solution(s), biggest guess level 11." in page


def test_the_page_needs_nothing_else():
    page = trace_page(Session(QUIZ), steps=20)
    assert re.findall(r"@[A-Z]+@|https?:|<link|<img|src=|@import", page) == []
    assert "the search goes on" in page
    assert data_of(page)["frames"][-1]["state"]["step"] >= 20


def test_a_long_search_is_cut_off(monkeypatch):
    monkeypatch.setattr(unidoku.view.trace, "MOST_UNITS", 10)
    page = trace_page(Session("." * 81))
    assert len(data_of(page)["frames"]) == 11
    assert "the search goes on" in page
