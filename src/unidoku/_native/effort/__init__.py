"""How much looking a puzzle asks of a person; one module per instruction set."""
