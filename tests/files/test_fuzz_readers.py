"""No reader raises anything but an UnidokuError, and none hangs, whatever the bytes."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from readback import Seen, read_all

from unidoku.errors import UnidokuError
from unidoku.files.formats import FORMATS

SAMPLES = sorted((Path(__file__).parent / "samples").iterdir())
PIECES = [b"\n", b"\r", b"\r\n", b"|", b"-", b"---", b"+", b"*", b"#", b"#A", b" ", b"\t", b",", b":", b'"']
PIECES += [b"[Puzzle]", b"[State]", b"<", b">", b"&", b"u4", b"\0", b"\xef\xbb\xbf", b"\xff", b"0" * 81]
PIECES += ["│".encode(), "²".encode(), "٣".encode(), b"123456789", b".........", b"puzzle", b"<game data='"]
NAMES = [None, *FORMATS]


def survive(content: bytes, name: str | None) -> None:
    try:
        seen = read_all(content, name, target=1 << 12)
    except UnidokuError:
        return
    check(seen)


def check(seen: Seen) -> None:
    symbols = set("123456789.0*_-xX?")
    for line, cells in seen.puzzles:
        assert line >= 1
        assert symbols.issuperset(cells)
    for line, column, reason in seen.rejects:
        assert line >= 1
        assert column >= 1
        assert reason.isprintable()


@pytest.mark.parametrize("name", NAMES)
@given(content=st.binary(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join))
@settings(max_examples=60, deadline=None)
def test_random_bytes(name: str | None, content: bytes) -> None:
    survive(content, name)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_mutated_samples(path: Path) -> None:
    chance = random.Random(path.name)
    content = path.read_bytes()
    for _ in range(60):
        mutated = mutate(bytearray(content), chance)
        survive(mutated, chance.choice(NAMES))


@pytest.mark.parametrize("kind", ["parquet", "plain", "file", "views", "stream"])
def test_mutated_arrow_files(kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    puzzles = pa.array(["1" + "." * 80] * 20, pa.string_view() if kind == "views" else pa.string())
    table = pa.table({"id": range(20), "puzzle": puzzles, "solution": [None, "x"] * 10})
    buffer = io.BytesIO()
    if kind == "parquet":
        pq.write_table(table, buffer, row_group_size=7)
    elif kind == "plain":
        pq.write_table(table, buffer, compression="none", use_dictionary=False)
    else:
        new = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        with new(buffer, table.schema) as writer:
            writer.write_table(table, max_chunksize=6)
    chance = random.Random(kind)
    for _ in range(150):
        mutated = bytearray(buffer.getvalue())
        for _ in range(chance.choice((1, 1, 2, 5))):
            mutated[chance.randrange(len(mutated))] = chance.randrange(256)
        survive(bytes(mutated), "parquet" if kind in {"parquet", "plain"} else "arrow")


def mutate(content: bytearray, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        begin = chance.randrange(len(content) + 1)
        end = min(len(content), begin + chance.choice((0, 1, 1, 9, 81)))
        if chance.random() < 0.3:
            content[begin:begin] = content[begin:end]
        else:
            content[begin:end] = chance.choice(PIECES) if chance.random() < 0.7 else chance.randbytes(3)
    if chance.random() < 0.2:
        del content[chance.randrange(len(content) + 1) :]
    return bytes(content)
