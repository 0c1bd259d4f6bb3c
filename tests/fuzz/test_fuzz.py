"""A fuzz target for each reader, each compression and each kind of archive.

For any bytes, only `UnidokuError` is raised. The corpus has small files of our own making:
``corpus/FORMAT/NAME-COUNT.txt`` holds COUNT puzzles; Parquet, Arrow, compressed files and archives are made
when the tests run. UNIDOKU_FUZZ multiplies the number of examples (``.ci/fuzz``).
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from cases import in_turn
from fuzzing import examples
from hypothesis import HealthCheck, example, given, strategies as st
from packing import PACK, tar_of, zip_of

from unidoku._table.batch import Batch
from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import UnidokuError
from unidoku.files._chunks import NeededColumns, Reading
from unidoku.files._formats import FORMATS
from unidoku.files._inputs import read_batches

CORPUS = Path(__file__).parent / "corpus"
CELLS = set("123456789" + EMPTY_SYMBOLS)
PIECES = (
    '| - --- + * # #A , : " [ ] [Puzzle] [State] < > & u4 { │ ² ٣ 123456789 ......... puzzle'.encode().split()
)
PIECES += [b" ", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"0" * 81, b"<game data='"]
NUMBERS = [0, 1, 2, 80, 81, 82, 255, 256, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 5, (1 << 32) - 1]


def read_content(content: bytes, name: str | None) -> tuple[int, list[UnidokuError]]:
    """Read bytes, of archives every member; return the number of puzzles, and the errors."""
    puzzles, errors = 0, list[UnidokuError]()
    for batch in read_batches(
        io.BytesIO(content), Reading(format=name, needed=NeededColumns(has_rest=True)), size=1 << 12
    ):
        if isinstance(batch, UnidokuError):
            errors.append(batch)
        else:
            check(batch)
            puzzles += len(batch)
    assert all(str(error).isprintable() and str(error).startswith("<stream>") for error in errors)
    return puzzles, errors


def check(batch: Batch) -> None:
    """Check every field of a batch."""
    texts = batch.puzzles().to_list()
    assert all(len(cells) == 81 and CELLS.issuperset(cells) for cells in texts)
    assert len(batch) == 0 or min(batch.lines) >= 1
    for column in batch.columns.values():
        assert len(column) == batch.size
        content, starts, ends = column.as_strings().values
        assert all(0 <= begin <= end <= len(content) for begin, end in zip(starts, ends, strict=True))
    for reject in batch.rejects:
        assert min(reject.line, reject.column or 1) >= 1
        assert reject.reason.isprintable()


@cache
def seeds(target: str) -> list[tuple[bytes, int]]:
    """Return the corpus of a target: contents, each with its number of puzzles."""
    if target in MADE:
        return [MADE[target]()]
    paths = sorted((CORPUS / target).iterdir())
    return [(path.read_bytes(), int(path.stem.rpartition("-")[2])) for path in paths]


def columnar(suffix: str) -> tuple[bytes, int]:
    """Return a Parquet file, or an Arrow file or stream."""
    from damaged_arrow import write_table

    puzzles = pa.array(["1" + "." * 80] * 20, pa.string_view() if suffix == ".arrow" else pa.string())
    columns = {"id": range(20), "puzzle": puzzles, "solution": [None, "x"] * 10}
    columns |= {"word": pa.array(["a", None] * 10).dictionary_encode(), "list": [["b"], []] * 10}
    if suffix != ".parquet":
        columns["run"] = pa.RunEndEncodedArray.from_arrays(pa.array([5, 20], pa.int32()), ["x", None])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"in{suffix}"
        write_table(path, pa.table(columns), 6)
        return path.read_bytes(), 20


def arrays(save: Callable[..., None], name: str) -> tuple[bytes, int]:
    """Return puzzles in a file of NumPy."""
    buffer = io.BytesIO()
    save(buffer, **{name: np.ones((20, 81), np.uint8)})
    return buffer.getvalue(), 20


def packed(compress: Callable[[bytes], bytes]) -> tuple[bytes, int]:
    content, count = seeds("lines")[1]
    return compress(content) + compress(b"") + compress(content), 2 * count


def archive(pack: Callable[[dict[str, bytes]], bytes]) -> tuple[bytes, int]:
    """Return an archive of the lines and the CSV, with long names."""
    contents = [*seeds("lines"), *seeds("csv")]
    names = {"x" * 120 + f"/{number}.txt": content for number, (content, _) in enumerate(contents)}
    return pack(names), sum(count for _, count in contents)


MADE: dict[str, Callable[[], tuple[bytes, int]]] = {
    "parquet": lambda: columnar(".parquet"),
    "arrow": lambda: columnar(".arrow"),
    "arrow, stream": lambda: columnar(".arrows"),
    **{name: partial(packed, compress) for name, compress in PACK.items()},
    "npz": lambda: arrays(np.savez, "puzzles"),
    "npy": lambda: arrays(np.save, "arr"),
    "zip": lambda: archive(partial(zip_of, compression=zipfile.ZIP_DEFLATED)),
    "tar": lambda: archive(tar_of),
}
TARGETS = [*(name for name in FORMATS if name not in MADE), *MADE]


def format_of(target: str) -> str | None:
    name = target.partition(",")[0]
    return name if name in FORMATS else None


@st.composite
def mutations(draw: st.DrawFn, target: str) -> bytes:
    """Draw a file of the corpus with a few changed, doubled, removed or special bytes."""
    content, _ = draw(st.sampled_from(seeds(target)))
    data = bytearray(content)
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 5]))):
        # spread over the file: small numbers are drawn more often than others
        begin = draw(st.integers(0, 1 << 32)) * 2654435761 % (1 << 32) % (len(data) + 1)
        end = min(len(data), begin + draw(st.sampled_from([0, 1, 1, 2, 9, 81])))
        how = draw(st.integers(0, 6))
        if how == 0:
            data[begin:begin] = data[begin:end] * draw(st.integers(1, 3))
        elif how == 1:
            del data[begin:end]
        elif how == 2:
            data[begin:end] = draw(st.binary(max_size=4))
        elif how == 3:  # a number, where one of a binary format is likely to be
            begin -= begin % 4
            data[begin : begin + 4] = draw(st.sampled_from(NUMBERS)).to_bytes(4, "little")
        elif how == 4 and end > begin:
            data[begin] ^= 1 << draw(st.integers(0, 7))
        else:
            data[begin:end] = draw(st.sampled_from(PIECES))
    if draw(st.integers(0, 9)) == 0:
        del data[draw(st.integers(0, len(data))) :]
    return bytes(data)


@in_turn
@pytest.mark.parametrize("target", TARGETS)
def test_corpus(target: str) -> None:
    """Every file is read without an error, with and without the format's name."""
    for content, count in seeds(target):
        assert read_content(content, format_of(target)) == (count, [])
        assert read_content(content, None)[0] == count


@in_turn
@pytest.mark.parametrize("target", TARGETS)
def test_mutations(target: str) -> None:
    attempts = readable = 0

    @given(content=mutations(target))
    @examples(8, suppress_health_check=list(HealthCheck))
    def fuzz(content: bytes) -> None:
        nonlocal attempts, readable
        attempts += 1
        readable += read_content(content, format_of(target))[0] > 0

    fuzz()
    # a reader that refuses everything has no fault either
    assert target in MADE or readable >= attempts // 40


@in_turn
@pytest.mark.parametrize("name", [None, *FORMATS])
def test_any_bytes(name: str | None) -> None:
    @given(content=st.binary(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join))
    @example(content=b"\xc2")  # the beginning of a character
    @examples(12)
    def fuzz(content: bytes) -> None:
        read_content(content, name)

    fuzz()
