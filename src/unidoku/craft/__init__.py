"""Engines that make, change, compare and diagnose puzzles."""
