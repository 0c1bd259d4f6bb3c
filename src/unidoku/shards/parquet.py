"""The row groups of a Parquet file."""

from __future__ import annotations

from unidoku.errors import FormatError
from unidoku.files.storage import ByteRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unidoku.files.storage import Identity

__all__ = ["as_arrow_file", "row_groups"]


def row_groups(source: Identity) -> list[tuple[int, int]]:
    """Rows and stored bytes of each row group, from the end of the file only."""
    from unidoku.arrow import pyarrow
    from unidoku.files.formats.parquet import import_parquet

    parquet, pa = import_parquet(), pyarrow()
    with ByteRange(source.url, 0, source.size, source.name) as content:
        try:
            data = parquet.ParquetFile(as_arrow_file(content)).metadata
        except (pa.ArrowException, OSError) as error:
            raise FormatError(
                f"not a Parquet file: {str(error).splitlines()[0]}", file=source.name
            ) from error
        groups = [data.row_group(number) for number in range(data.num_row_groups)]
        return [
            (group.num_rows, sum(group.column(k).total_compressed_size for k in range(group.num_columns)))
            for group in groups
        ]


def as_arrow_file(content: ByteRange) -> Any:
    """Return a byte range as a file of PyArrow."""
    from unidoku.arrow import pyarrow

    return pyarrow().PythonFile(content, "r")
