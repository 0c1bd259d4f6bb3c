"""Making, shrinking, moving and judging puzzles."""
