"""One stream of puzzles: source, reader, kernel, sink."""
