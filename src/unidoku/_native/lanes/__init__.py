"""Many puzzles at once, one in each lane of a vector register: one module per instruction set."""
