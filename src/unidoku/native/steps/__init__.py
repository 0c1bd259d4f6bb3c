"""One puzzle step by step: candidates, group shrinking, guess levels."""
