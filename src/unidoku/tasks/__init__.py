"""The capabilities of unidoku: a module each, with its declaration, its work and its functions."""
