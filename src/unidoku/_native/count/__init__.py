"""Count all solutions of one puzzle without a search: one module per instruction set."""
