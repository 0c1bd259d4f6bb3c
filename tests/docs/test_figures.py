"""The figures of the pages are those of the stored reports: bench/results, ``python -m bench --pages``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cases import in_turn

pytest.importorskip("pages", reason="the folder bench is not here")
import effort
import levels
import pages

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
REPORTS = sorted(path.stem for path in (BENCH / "results").glob("*.json") if path.stem != "others")


@in_turn
@pytest.mark.parametrize("page", pages.PAGES)
def test_the_blocks_of_a_page_are_made_from_the_stored_reports(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "<!-- figures: " in text
    assert pages.page_text(page) == text, "python -m bench --pages"


def test_a_picture_is_made_from_its_figures():
    assert (ROOT / pages.PICTURE).read_text(encoding="utf-8") == pages.picture()
    assert effort.IMAGE.read_text(encoding="utf-8") == effort.picture()


@pytest.mark.slow  # rates ten thousand puzzles
def test_the_figures_of_levels_are_those_of_the_page(tmp_path, monkeypatch, capsys):
    drawn = levels.IMAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(levels, "IMAGE", tmp_path / "levels.svg")
    levels.main()
    assert levels.IMAGE.read_text(encoding="utf-8") == drawn
    text = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8").partition("## Do level and steps")[2]
    shown = {*re.findall(r"\d+(?:[.,]\d+)*", text)}
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 17
    for line in printed:
        assert shown.issuperset(re.findall(r"\d+(?:[.,]\d+)*", line)), line


def test_each_stored_report_is_shown_and_names_what_made_it():
    assert sorted(pages.MACHINES) == REPORTS
    for name in REPORTS:
        report = pages.report(name)
        assert re.fullmatch("[0-9a-f]{8}", report.commit)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", report.date)
        assert report.command
        assert {row.set for row in report.rows} == {*report.sources}
        for row in report.rows:
            assert row.seconds is not None or row.remark, row


def test_each_other_table_is_shown_and_names_what_made_it():
    text = (ROOT / "bench" / "figures.md").read_text(encoding="utf-8")
    for name, table in json.loads((BENCH / "results" / "others.json").read_text(encoding="utf-8")).items():
        assert f"<!-- figures: {name} -->" in text
        assert table["command"]
        assert re.fullmatch("[0-9a-f]{8}", table["commit"])
