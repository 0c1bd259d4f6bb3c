"""Images of puzzles under the symmetry group, and canonical forms; one module per instruction set."""
