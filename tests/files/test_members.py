"""Members of a folder or an archive: one decision, and notes on those without puzzles or answers."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from command import run
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku._compat import zipfile_with_zstd

REFUSAL = "I cannot solve it."


def sample(number: int, text: str) -> dict[str, Any]:
    """Return a sample of a log of Inspect."""
    messages = [{"role": "user", "content": f"Solve {UNIQUE}"}, {"role": "assistant", "content": text}]
    output = {
        "model": "m/x",
        "choices": [{"message": messages[1], "stop_reason": "stop"}],
        "completion": text,
    }
    return {
        "id": number,
        "input": f"Solve {UNIQUE}",
        "target": SOLUTION,
        "messages": messages,
        "output": output,
    }


LOG = {
    "header.json": {"version": 2, "status": "success", "eval": {"task": "sudoku", "model": "m/x"}},
    "summaries.json": [{"id": k, "input": f"Solve {UNIQUE}", "target": SOLUTION} for k in range(2)],
    "reductions.json": [{"scorer": "match", "samples": [{"value": 1.0, "answer": SOLUTION}]}],
    "samples/0_epoch_1.json": sample(0, SOLUTION),
    "samples/1_epoch_1.json": sample(1, REFUSAL),
}


def archive(path: Path, members: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a zip archive of JSON."""
    module = zipfile_with_zstd() if method == 93 else zipfile
    with module.ZipFile(path, "w", method) as file:
        for name, value in members.items():
            file.writestr(name, json.dumps(value))
    return path


@pytest.mark.parametrize("prediction", ["messages", "output", "output.choices"])
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93])
def test_a_log_of_inspect(method: int, prediction: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "log.eval", LOG, method)
    assert (
        "tells which has the answers; choose one with --prediction (or prediction): 'messages' ("
        in run("verify", path, code=2).stderr
    )
    ended = run("verify", path, "--prediction", prediction, code=1)
    assert "right answers      1" in ended.stdout
    assert "no grid answers    1" in ended.stdout
    assert ended.stderr.count("skipped, because this file has no puzzles") == 2
    assert ended.stderr.count("summaries.json: skipped, because this file has no answers") == 1
    assert run("check", path, code=0).stderr.count("skipped, because this file has no puzzles") == 2


def test_a_folder_is_read_as_an_archive(tmp_path: Path) -> None:
    for name, value in LOG.items():
        path = tmp_path / "log" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    summary = unidoku.run(unidoku.tasks.Verify("output"), tmp_path / "log")
    assert (summary.puzzles, summary.right, summary.no_grid) == (2, 1, 1)
    named = [tmp_path / "log" / name for name in ("summaries.json", "samples/0_epoch_1.json")]
    assert unidoku.run(unidoku.tasks.Verify("target"), named).right == 3  # both are named


def test_without_any_puzzle_or_answer_nothing_is_skipped(tmp_path: Path) -> None:
    names = ("header.json", "reductions.json")
    path = archive(tmp_path / "a.zip", {name: LOG[name] for name in names})
    assert run("check", path, code=2).stderr.count("no puzzle in the columns") == 2
    path = archive(tmp_path / "b.zip", {"a.json": LOG["summaries.json"], "b.json": LOG["summaries.json"]})
    assert unidoku.run(unidoku.tasks.Verify("target"), path).right == 4


@pytest.mark.parametrize("kind", ["zip", "folder"])
def test_members_with_the_same_columns_share_a_decision(kind: str, tmp_path: Path) -> None:
    """The gold is not graded in some and the answer asked for in others."""
    said = ["no", 7, None, f"It is {SOLUTION}.", "no"]
    records = [{"puzzle": UNIQUE, "gold": SOLUTION, "said": one} for one in said]
    path = tmp_path / "log"
    if kind == "zip":
        archive(path, {f"{k}.json": one for k, one in enumerate(records)})
    else:
        path.mkdir()
        for k, one in enumerate(records):
            (path / f"{k}.json").write_text(json.dumps(one))
    with pytest.raises(unidoku.FormatError, match=r"no column name .*: 'said' \(no\), 'gold' \(.*\)$"):
        unidoku.run(unidoku.tasks.Verify(), path)
    summary = unidoku.run(unidoku.tasks.Verify("said"), path)
    assert (summary.right, summary.no_grid, summary.missing) == (1, 3, 1)


def test_one_member_with_several_answers_is_an_error() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for k in range(9):
            response = ["no", SOLUTION] if k == 4 else SOLUTION
            file.writestr(f"{k}.json", json.dumps({"puzzle": UNIQUE, "response": response}))
    content.seek(0)
    with pytest.raises(unidoku.FormatError, match=r"4.json:1: 2 answers are at 'response'"):
        unidoku.run(unidoku.tasks.Verify(), content)
