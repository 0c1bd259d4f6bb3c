"""Reduce clues, find unavoidable sets, and compare predictions with puzzles."""
