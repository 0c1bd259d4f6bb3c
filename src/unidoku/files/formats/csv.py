"""CSV: a header names the columns; ``,``, ``;`` or tab between them; fields may be quoted. TSV: with tabs."""

from __future__ import annotations

from unidoku.errors import FormatError
from unidoku.files.base import PUZZLE_NAMES, ReadOptions, puzzle_column
from unidoku.files.formats.delimited import DelimitedReader, Layout
from unidoku.files.source import Source
from unidoku.files.text import BOM, HEAD, Fit, Head, is_puzzle
from unidoku.native.text import fields, scan

__all__ = ["CsvReader"]


class CsvReader(DelimitedReader):
    """CSV with a header, or without one where the first record has its puzzle in a field."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self.layout = self._layout(self.head)

    @classmethod
    def fit(cls, head: Head) -> Fit:
        """Whether the first line names a column of puzzles."""
        for separator in (b",", b";", b"\t"):
            names = [name.strip(b" \"'").lower() for name in head.first.split(separator)]
            if any(name.decode("latin-1") in PUZZLE_NAMES for name in names):
                return Fit.YES
        return Fit.NO

    def _layout(self, head: bytes) -> Layout:
        import csv

        name = self.source.name
        begin, lines = len(BOM) * head.startswith(BOM), 0
        while True:  # comments and blank lines before the header
            end = fields.record_end(head, begin, len(head), 44, last=False, final=len(head) < HEAD)
            if end == begin:
                end = len(head)
            first = head[begin:end]
            if first.strip() and not first.lstrip().startswith(b"#"):
                break
            if end == len(head):
                raise FormatError("expected a header or a record, found none", file=name, line=lines + 1)
            begin = end
            lines += 1
        text = first.decode("utf-8", "replace").rstrip("\r\n")
        try:
            options = [(separator, next(csv.reader([text], delimiter=separator), [])) for separator in ",;\t"]
        except csv.Error as error:
            raise FormatError(f"expected a CSV header: {error}", file=name, line=lines + 1) from None
        separator, names = max(options, key=lambda option: self._rating(option[1]))
        puzzles = [i for i, field in enumerate(names) if is_puzzle(field.strip().encode())]
        if puzzles:
            self._skip_head(begin, lines)
            names = [f"column{i + 1}" for i in range(len(names))]
            found = puzzles[:1]
        else:
            self._skip_head(end, lines + scan.count_lines(first, 0, len(first)))
            names = [field.strip() for field in names]
            found = [i for i, field in enumerate(names) if field.lower() in PUZZLE_NAMES]
        try:
            puzzle = puzzle_column(names, self.options.column, found)
        except FormatError as error:
            error.file, error.line = name, lines + 1
            raise
        return Layout(_unique(names), puzzle, separator, comments=False, quotes=True)

    def _rating(self, names: list[str]) -> tuple[bool, int]:
        """How well a separator splits the first record."""
        known = {self.options.column, *PUZZLE_NAMES}
        fits = any(name.strip().lower() in known or is_puzzle(name.strip().encode()) for name in names)
        return fits, len(names)


def _unique(names: list[str]) -> tuple[str, ...]:
    """Return the names, with numbers for absent and repeated ones."""
    taken: dict[str, int] = {}  # name: the last number appended to it
    result = []
    for number, name in enumerate(names, 1):
        base = choice = name or f"column{number}"
        while choice in taken:
            taken[base] += 1
            choice = f"{base}_{taken[base]}"
        taken[choice] = 1
        result.append(choice)
    return tuple(result)
