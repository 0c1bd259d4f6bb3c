"""Engines that make, change, compare and diagnose puzzles."""

from unidoku._lazy import lazy

_HOMES = {
    "AttemptsError": "unidoku.craft._generate",
    "Request": "unidoku.craft._request",
    "SYMMETRIES": "unidoku._clue_symmetry",
    "Series": "unidoku.craft._series",
    "canonical_many": "unidoku.craft._canonical",
    "minimal_puzzles": "unidoku.craft._minimize",
    "minimize_many": "unidoku.craft._minimize",
    "transform_many": "unidoku.craft._transform",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
