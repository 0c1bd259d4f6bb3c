"""From files to verdicts: source, reader, kernel, sink."""

from __future__ import annotations

from unidoku.parallel import Cancel as Cancel
from unidoku.pipeline.run import Progress as Progress, check_file as check_file
from unidoku.pipeline.summary import Summary as Summary

__all__ = ["Cancel", "Progress", "Summary", "check_file"]
