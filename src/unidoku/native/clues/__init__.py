"""Which clues a puzzle needs, and what is wrong in a prediction."""
