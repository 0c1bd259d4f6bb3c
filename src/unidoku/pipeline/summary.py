"""What a run over files found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from unidoku.errors import InvalidPuzzleError, UnidokuError

__all__ = ["Summary"]


@dataclass(slots=True)
class Summary:
    """Counts of a run; the attributes of the first block are those of ``unidoku check --json``.

    Attributes
    ----------
    puzzles : int
        Puzzle lines in all, invalid ones counted.
    unique, multiple, none, invalid, unknown : int
        How many had each verdict.
    seconds : float
        Wall time.
    isa : str
        Instruction set of the kernel.
    threads : int
    rejects : list of InvalidPuzzleError
        The first invalid lines, with file, line and column.
    wrong : int
        Answers given with the puzzles that are not right (with ``verify``).
    mismatches : list of InvalidPuzzleError
        The first of these.
    failures : list of UnidokuError
        Inputs that could not be read to their end.
    complete : bool
        False when the run was stopped before the end of its inputs.
    resume : str or None
        Where an output stands that is not written yet, and how to go on.
    file, line : str and int, or None
        How far the run came: the last record whose result has been counted and written.
    """

    puzzles: int = 0
    unique: int = 0
    multiple: int = 0
    none: int = 0
    invalid: int = 0
    unknown: int = 0
    seconds: float = 0.0
    isa: str = ""
    threads: int = 1
    rejects: list[InvalidPuzzleError] = field(default_factory=list)
    wrong: int = 0
    mismatches: list[InvalidPuzzleError] = field(default_factory=list)
    failures: list[UnidokuError] = field(default_factory=list)
    complete: bool = True
    resume: str | None = None
    file: str | None = None
    line: int | None = None

    @property
    def puzzles_per_second(self) -> float:
        """Speed of the run, all threads together."""
        return self.puzzles / self.seconds if self.seconds > 0 else 0.0

    @property
    def all_unique(self) -> bool:
        """Whether every puzzle is a proper one."""
        return self.unique == self.puzzles

    def as_dict(self) -> dict[str, Any]:
        """The object of ``unidoku check --json``."""
        return {
            "puzzles": self.puzzles,
            "unique": self.unique,
            "multiple": self.multiple,
            "none": self.none,
            "invalid": self.invalid,
            "unknown": self.unknown,
            "seconds": round(self.seconds, 6),
            "puzzles_per_second": round(self.puzzles_per_second, 1),
            "isa": self.isa,
            "threads": self.threads,
        }
