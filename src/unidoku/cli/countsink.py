"""The output of ``unidoku count``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import unidoku
from unidoku.files.output import OutputFile
from unidoku.kernel import MAX_COUNT
from unidoku.run.sink import Sink

if TYPE_CHECKING:
    from unidoku.files.base import Batch
    from unidoku.run.results import Results

__all__ = ["CountSink"]


class CountSink(Sink):
    """Writes the number of solutions of each puzzle to an output, one per line."""

    file: OutputFile

    def __init__(self, output: str) -> None:
        self.file = OutputFile(output).open()  # pyright: ignore[reportIncompatibleVariableOverride]

    def render(self, batch: Batch, results: Results) -> bytes:
        """Return the lines of one batch; ``invalid`` for a record that is not a puzzle."""
        n = len(batch.starts)
        pairs = zip(results.counts[:n], results.complete[:n], strict=True)
        lines = [str(count) if complete else f"{count}+" for count, complete in pairs]
        for k, count in enumerate(results.counts[:n]):
            if count == MAX_COUNT:  # all that fits in 64 bits: or more
                lines[k] = str(unidoku.count(bytes(batch.text[batch.starts[k] : batch.starts[k] + 81])))
        for reject in reversed(batch.rejects):
            lines.insert(reject.before, "invalid")
        return "".join(f"{line}\n" for line in lines).encode()

    def write(self, piece: bytes) -> None:
        """Write the lines of the next batch."""
        self.file.write(piece)

    def close(self) -> None:
        """Finish the output."""
        self.file.close()
