"""Engines that make, change, compare and diagnose puzzles."""

from unidoku.lazy import lazy

_HOMES = {
    "AttemptsError": "unidoku.craft.generate",
    "Request": "unidoku.craft.request",
    "SYMMETRIES": "unidoku.clue_symmetry",
    "Series": "unidoku.craft.series",
    "canonical_many": "unidoku.craft.canonical",
    "minimal_puzzles": "unidoku.craft.minimize",
    "minimize_many": "unidoku.craft.minimize",
    "transform_many": "unidoku.craft.transform",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
