"""The bundled sample: puzzles with none, one and several solutions, each followed by its verdict."""

from __future__ import annotations

import os

from unidoku.errors import InputError
from unidoku.run.sink import Sink, Table
from unidoku.verdict import Verdict

SAMPLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "sample.txt")
"""Path of the sample file."""


def recorded_verdicts() -> bytes:
    """Return the verdict recorded for each puzzle of the sample, as codes of `Verdict`."""
    try:
        with open(SAMPLE, encoding="ascii") as file:
            words = [line.split("\t")[1].strip() for line in file if not line.startswith("#")]
    except OSError as error:
        raise InputError(
            f"the sample is not part of this installation ({error.strerror})", file=SAMPLE
        ) from error
    return bytes(Verdict[word.upper()] for word in words)


class SampleSink(Sink):
    """Compares each verdict with the one recorded in the sample."""

    columns = ("verdict",)

    def __init__(self) -> None:
        self._found = bytearray()
        self._recorded = recorded_verdicts()

    def render(self, table: Table) -> bytes:
        """Return the verdicts of one batch."""
        return bytes(table.columns[0].buffers[0])

    def write(self, piece: bytes) -> None:
        """Add the verdicts of the next batch."""
        self._found += piece

    @property
    def wrong(self) -> list[int]:
        """Numbers of the puzzles, from 1, with a different verdict or none."""
        found = self._found.ljust(len(self._recorded), b"\xff")
        return [
            k + 1 for k, (one, other) in enumerate(zip(found, self._recorded, strict=True)) if one != other
        ]
