"""The page on training: its data set, and the examples."""

import contextlib
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import run

import unidoku

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "learning"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the examples are not beside the tests")


def test_the_data_set_of_the_page_is_the_same_for_any_number_of_threads(tmp_path, monkeypatch):
    """Every file of its commands is equal byte for byte."""
    pytest.importorskip("pyarrow")
    page = (FOLDER.parents[1] / "docs" / "learning.md").read_text()
    block = page.partition("## Data sets")[2].partition("```console")[2].partition("```")[0]
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    folders = []
    for threads in (1, 3):
        place = tmp_path / str(threads)
        place.mkdir()
        for command in commands:
            name, *arguments = shlex.split(command.replace("1000", "24"))
            if name == "unidoku":
                run(*arguments, "--threads", threads, "-q", cwd=place, code=0)
            else:
                script = FOLDER / Path(arguments[0]).name  # tests/docs runs it as a program
                monkeypatch.setattr(sys, "argv", [str(script), *arguments[1:]])
                with contextlib.chdir(place):
                    runpy.run_path(str(script), run_name="__main__")
        folders.append({path.relative_to(place): path.read_bytes() for path in place.rglob("*.*")})
    assert len(folders[0]) > 15
    assert folders[0] == folders[1]
    [header, *rows] = (tmp_path / "1" / "train.csv").read_text().splitlines()
    assert header == "source,question,answer,rating"
    for row in rows:
        source, question, answer, rating = row.split(",")
        assert (source, answer) == ("unidoku", unidoku.solve(question).line)
        assert float(rating) == unidoku.rate(question).er
    folder = tmp_path / "1" / "data" / "images"
    inputs, labels = (np.load(folder / f"all__{name}.npy") for name in ("inputs", "labels"))
    assert unidoku.verify_many(inputs - 1, labels - 1).solved.all()
    assert len(inputs) == 4 * len(rows)


def test_a_game_with_hints():
    pytest.importorskip("gymnasium")
    script = [sys.executable, FOLDER / "play.py"]
    result = subprocess.run(script, capture_output=True, text=True, check=True)
    [line] = [line for line in result.stdout.splitlines() if "hints" in line]
    hints, _, _, reward = line.replace(",", "").split()
    assert float(reward) == pytest.approx(1 - 0.05 * int(hints), abs=0.01)


def test_a_loader_of_torch():
    pytest.importorskip("torch")
    lines = set()
    for arguments in (["--workers", "0"], ["--start", "fork"], ["--start", "spawn", "--workers", "3"]):
        script = [sys.executable, FOLDER / "loader.py", "--size", "60", *arguments]
        lines.add(subprocess.run(script, capture_output=True, text=True, check=True).stdout)
    assert len(lines) == 1
    assert "60 different puzzles" in lines.pop()
