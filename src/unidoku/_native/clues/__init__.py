"""Reduce and add clues, and compare predictions with puzzles."""
