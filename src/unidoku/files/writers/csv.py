"""CSV, and TSV: the same with tabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from unidoku.files.base import Batch, Column
from unidoku.files.writers.base import Writer, records

__all__ = ["CsvWriter", "csv_record", "separator_of"]


def separator_of(suffix: str) -> str:
    """Return the separator of the fields in a file with this suffix."""
    return "\t" if suffix == ".tsv" else ","


def csv_record(fields: Iterable[str], separator: str = ",") -> str:
    """One record; a field is quoted where it must be."""
    special = re.compile(f'[{separator}"\r\n]').search
    quoted = ['"' + field.replace('"', '""') + '"' if special(field) else field for field in fields]
    return separator.join(quoted) + "\n"


class CsvWriter(Writer):
    """A header, then a record per puzzle: ``puzzle`` and the carried columns."""

    one_header = True

    def begin(self, names: tuple[str, ...]) -> bytes:
        """Return the header."""
        return csv_record(["puzzle", *names], separator_of(self.suffix)).encode(errors="replace")

    def puzzles(self, batch: Batch, columns: Sequence[Column]) -> bytes:
        """Return the records."""
        names = [column.name for column in columns]
        separator = separator_of(self.suffix)
        return "".join(
            csv_record([record.cells, *(record.extra.get(name, "") for name in names)], separator)
            for record in records(batch, columns)
        ).encode(errors="replace")
