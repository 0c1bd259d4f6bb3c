"""What a plan must know of a Parquet file."""

from __future__ import annotations

from unidoku.errors import FormatError
from unidoku.files.storage import ByteRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["as_arrow_file", "row_groups"]


def row_groups(url: str, size: int) -> list[tuple[int, int]]:
    """Rows and stored bytes of each row group, from the file's end alone.

    Raises
    ------
    FormatError
        When the file is not Parquet.
    MissingExtraError
        Without PyArrow.
    """
    from unidoku.arrow import pyarrow
    from unidoku.files.readers.parquet import import_parquet

    parquet, pa = import_parquet(), pyarrow()
    with ByteRange(url, 0, size) as stretch:
        try:
            data = parquet.ParquetFile(as_arrow_file(stretch)).metadata
        except (pa.ArrowException, OSError) as error:
            raise FormatError(f"no Parquet file: {str(error).splitlines()[0]}", file=url) from error
        groups = [data.row_group(number) for number in range(data.num_row_groups)]
        return [
            (group.num_rows, sum(group.column(k).total_compressed_size for k in range(group.num_columns)))
            for group in groups
        ]


def as_arrow_file(stretch: ByteRange) -> Any:
    """A stretch as PyArrow wants it."""
    from unidoku.arrow import pyarrow

    return pyarrow().PythonFile(stretch, "r")
