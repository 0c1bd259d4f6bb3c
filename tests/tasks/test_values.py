"""Tasks, reports, requests and summaries as values: repr, equality, pickle, copies, counts."""

from __future__ import annotations

import copy
import io
import pickle

import pytest
from cases import in_turn
from example_puzzles import UNIQUE

import unidoku
from unidoku import tasks
from unidoku._task import Work
from unidoku.craft._request import Request
from unidoku.files._chunks import Reading
from unidoku.files._inputs import read_batches
from unidoku.tasks._audit import AuditTask
from unidoku.tasks._diagnose import Diagnose
from unidoku.tasks._explain import Explain
from unidoku.tasks._print import BoardView
from unidoku.tasks._split import Split
from unidoku.tasks._trace import Trace

ARGUMENTS = {
    "Convert": {"unique": "text"},
    "Generate": {"request": Request(clues=(25, 30), difficulty="easy"), "seed": 1},
    "Minimize": {"seed": 1},
    "Transform": {"count": 2, "seed": 1},
}
KINDS = [
    *(getattr(tasks, name) for name in tasks.__all__),
    *(AuditTask, Diagnose, Explain, BoardView, Split, Trace),
]
OTHER = {
    **{"Check": {"budget": 3}, "Count": {"limit": 3}, "Rate": {"below": 3.0}, "Verify": {"prediction": "a"}},
    **{"Convert": {"unique": "canonical"}, "Generate": {"request": Request(clues=26)}},
}
"""Further parameters, with which a task is another one."""


def made(kind):
    return kind(**ARGUMENTS.get(kind.__name__, {}))


@in_turn
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_equal_and_shows_the_same_parameters(kind):
    value = made(kind)
    for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert twin == value
        assert hash(twin) == hash(value)
        assert repr(twin) == repr(value)
        assert repr(value).startswith(f"{kind.__name__}(")
    assert made(kind) == value
    assert value != made(Explain if kind is not Explain else Trace)


@in_turn
@pytest.mark.parametrize("name", OTHER)
def test_a_task_with_another_parameter_is_another(name):
    kind = getattr(tasks, name)
    other = kind(**{**ARGUMENTS.get(name, {}), **OTHER[name]})
    assert other != made(kind)
    assert repr(other) != repr(made(kind))


def test_a_copy_of_a_task_has_seen_nothing():
    task = tasks.Convert(unique="text")
    for twin in (task, copy.copy(task)):
        [batch] = read_batches([io.BytesIO(f"{UNIQUE}\n".encode())], Reading())
        [results] = twin.work(batch, Work(), unidoku.Cancel())
        assert results.counts == {"duplicates": 0}


def test_a_request_is_a_value():
    assert Request(clues=25) == Request(clues=(25, 25)) != Request(clues=26)
    assert repr(Request(clues=25, symmetry="180")) == "Request(clues=[25, 25], symmetry='180')"
    accepted = Request(accept=len)
    assert accepted == Request(accept=len) != Request(accept=abs)


@pytest.mark.parametrize("name", [name for name in tasks.__all__ if name not in {"Generate", "Transform"}])
def test_a_run_without_output_counts_the_same(name, tmp_path):
    lines = ["puzzle,answer", *(f"{line},1" for line in (UNIQUE, "." * 81, "55" + "." * 79, "?", UNIQUE))]
    source = "\n".join(lines).encode()
    options = {"Neighbours": {"remove": 0, "add": 0}, "SolutionsTask": {"count": 2}, **ARGUMENTS}
    task = getattr(tasks, name)(**options.get(name, {}))
    nothing = unidoku.run(task, io.BytesIO(source))
    rows = unidoku.run(task, io.BytesIO(source), tmp_path / "o.csv")
    for count in ("puzzles", "invalid", "without_result", "reasons", "task_counts"):
        assert getattr(nothing, count) == getattr(rows, count), count


def test_a_summary_lists_the_counts_of_its_task():
    summary = unidoku.run(tasks.Check(), io.BytesIO(f"{UNIQUE}\n".encode()))
    for counts in (summary, *summary.files):
        assert {"unique", "multiple", "puzzles", "as_dict"} <= {*dir(counts)}
        assert all(hasattr(counts, name) for name in dir(counts) if name[0] != "_")
