"""Ratings of files: columns on request, the card, and a run that is cancelled."""

import pytest
from example_puzzles import NONE, QUIZ, SEVERAL, SOLUTION, UNIQUE
from measures import measured
from readback import rows_of

import unidoku
from unidoku import Cancel
from unidoku.rating._columns import SEARCH
from unidoku.tasks import Rate


@pytest.fixture
def rows(top1465):
    return [*top1465[:20], UNIQUE, SEVERAL, NONE, SOLUTION, *top1465[20:40]]


@pytest.fixture
def source(rows, tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("id,puzzle\n" + "".join(f"n{k},{puzzle}\n" for k, puzzle in enumerate(rows)))
    return path


def test_other_columns_on_request(rows, source, tmp_path):
    names = ["line", *SEARCH, "steps", "id"]
    output = tmp_path / "r.csv"
    unidoku.run(Rate(), source, output, columns=names)
    lines = output.read_text().splitlines()
    assert lines[0] == ",".join(names)
    measures = measured(rows)
    for k, line in enumerate(lines[1:]):
        *numbers, is_complete, book_class = (getattr(measures, name)[k] for name in SEARCH)
        path = unidoku.steps(rows[k]) if unidoku.check(rows[k]) else None
        assert line.split(",") == [
            str(k + 2),
            *map(str, numbers),
            str(bool(is_complete)).lower(),
            str(book_class or ""),
            str(len(path.steps)) if path is not None and path.solved else "",
            f"n{k}",
        ]


def test_a_cancelled_run_has_no_half_rated_rows(tmp_path):
    cancel = Cancel()
    path = tmp_path / "in.txt"
    path.write_text("\n".join([UNIQUE] * 200 + [QUIZ] * 200))  # the last 200 take a minute
    hooks = {"cancel": cancel, "progress": lambda now: now.puzzles and cancel.set()}
    summary = unidoku.run(Rate(), path, tmp_path / "r.csv", threads=1, **hooks)
    assert not summary.complete
    partial = tmp_path / "r.csv.partial"
    lines = partial.read_text().splitlines()[1:] if partial.exists() else []
    assert len(lines) == summary.written < 400
    assert all(line.endswith(",") and "cancelled" not in line for line in lines)


def test_the_card_has_the_three_ratings(tmp_path):
    """As text, with a plus where it is a lower bound; a puzzle without a rating has none."""
    lines = [*unidoku.lines(unidoku.generate(40, seed=11)), NONE, "no puzzle"]
    (tmp_path / "in.txt").write_text("\n".join(lines) + "\n")
    for below in (None, 2.0):
        unidoku.run(Rate(below=below), tmp_path / "in.txt", tmp_path / "o.csv", columns=["line", "card"])
        cards = [row["card"] for row in rows_of(tmp_path / "o.csv")]
        ratings = [unidoku.rate(line, below=below) for line in lines[:40]]
        numbers = [(rating.er, rating.ep, rating.ed) for rating in ratings]
        expected = ["/".join(f"{value}{'+' * (value == below)}" for value in row) for row in numbers]
        assert cards == [*expected, "", ""]
        assert [rating.card for rating in ratings] == expected
    assert 0 < sum("+" in card for card in cards) < 40
