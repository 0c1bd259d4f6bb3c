"""Text and columns: find puzzles in them, render result rows."""
