"""Puzzles from text, boards and links."""
