"""CSV and other delimited records cut into ranges at line ends."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import part_inputs
import pytest
from fuzzing import examples
from hypothesis import HealthCheck, given, strategies as st

from unidoku import Progress, check_file
from unidoku.errors import FormatError
from unidoku.files.formats import open_reader
from unidoku.files.source import Range, Source
from unidoku.options import Options


def records(count: int) -> list[str]:
    lines = part_inputs.text(count * 2).decode().splitlines()
    return [f"{number},{line},x{number}" for number, line in enumerate(lines) if len(line) == 81][:count]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("\n".join(["# made for a test", "id,puzzle,note", *records(3000), "7,short,"]) + "\n")
    return path


@pytest.mark.parametrize("size", [4000, 100_000])
def test_records_and_their_columns_in_order(source, tmp_path, size):
    whole = check_file(source, output=tmp_path / "whole.csv")
    parts = check_file(source, output=tmp_path / "parts.csv", part_bytes=size)
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert parts.puzzles == whole.puzzles == 3001
    assert [str(error) for error in parts.rejects] == [str(error) for error in whole.rejects]
    assert parts.rejects[0].line == 3003


def test_the_header_may_come_late(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("# comment\n" * 500 + "id,puzzle,note\n" + "\n".join(records(2000)) + "\n")
    assert check_file(path, output=tmp_path / "o.csv", part_bytes=4000).puzzles == 2000


def test_quotes_at_the_beginning_keep_it_whole(tmp_path):
    path = tmp_path / "in.csv"
    first = f'1,{part_inputs.SOLVED},"over\ntwo lines"'
    path.write_text("\n".join(["id,puzzle,note", first, *records(2000)]) + "\n")
    assert check_file(path, output=f"{tmp_path}/o/", part_bytes=1000).puzzles == 2001
    assert len(list((tmp_path / "o").iterdir())) == 1


@pytest.mark.parametrize(
    ("note", "size", "refused"),
    [
        ('"a, ""b"""', 100_000, False),
        ('"over\ntwo lines"', 100_000, True),
        ('"over\ntwo lines"', 1 << 30, False),
    ],
)
def test_quotes_later_over_line_ends_are_refused(source, tmp_path, note, size, refused):
    """In several parts; a line end in a field is known only where the reading begins before it."""
    with source.open("a") as stream:
        stream.write(f"8,{part_inputs.SOLVED},{note}\n")
    if refused:
        with pytest.raises(FormatError, match=r"in.csv: a quoted field contains a line end.*--part-bytes"):
            check_file(source, output=tmp_path / "o.csv", part_bytes=size)
    else:
        assert check_file(source, output=tmp_path / "o.csv", part_bytes=size).puzzles == 3002


def test_a_line_end_is_seen_in_a_quoted_field_longer_than_a_read(tmp_path):
    path = tmp_path / "in.csv"
    long = f"{part_inputs.SOLVED}," * 10_000
    lines = ["id,puzzle,note", *records(1000), f'8,{part_inputs.SOLVED},"{long}', f'{long}"']
    path.write_text("\n".join(lines))  # the last piece alone has no line end
    with pytest.raises(FormatError, match=r"in.csv: a quoted field contains a line end"):
        check_file(path, output=tmp_path / "o.csv", part_bytes=100_000)


quoted = st.text('a"\n\r,', max_size=6).map(lambda text: '"' + text.replace('"', '""') + '"')


@given(st.lists(st.lists(quoted | st.just("b"), min_size=1, max_size=3), max_size=4), st.integers(1, 9))
@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_quoted_line_ends_are_refused_however_it_is_read(rows, size):
    """In the view of the csv module, for any size of the reads."""
    text = "puzzle\n" + "".join(",".join(row) + "\n" for row in rows)
    fields = [field for row in csv.reader(io.StringIO(text, newline="")) for field in row]
    source = Source(io.BytesIO(text.encode()), "in.csv", part=Range(kind="bytes"))
    chunks = open_reader(source, Options()).chunks(lambda: size)
    if any("\n" in field or "\r" in field for field in fields):
        with pytest.raises(FormatError, match="a quoted field contains a line end"):
            list(chunks)
    else:
        list(chunks)


def test_other_records_by_line(tmp_path):
    path = tmp_path / "in.txt"
    puzzles = [record.split(",")[1] for record in records(3000)]
    path.write_text("".join(f"{puzzle}:1\n" for puzzle in puzzles))
    check_file(path, output=tmp_path / "parts.csv", part_bytes=50_000)
    check_file(path, output=tmp_path / "whole.csv")
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


@pytest.mark.parametrize("name", ["o.csv", "o.arrow"])
def test_joining_the_parts_is_a_phase_of_its_own(source, tmp_path, name):
    shown: list[Progress] = []
    check_file(source, output=tmp_path / name, part_bytes=100_000, progress=shown.append, threads=1)
    work = [each for each in shown if not each.phase]
    joining = shown[len(work) :]
    assert work[-1].done == work[-1].total
    assert {each.phase for each in joining} == {"joining the parts"}
    assert (joining[0].done, joining[-1].done) == (0, joining[-1].total)
    assert joining[-1].total > 1
    assert {each.puzzles for each in joining} == {3001}
