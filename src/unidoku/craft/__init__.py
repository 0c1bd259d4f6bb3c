"""Generate, minimize, transform, compare and diagnose puzzles."""
