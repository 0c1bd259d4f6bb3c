"""Compiled modules without file I/O, printing or Python objects in hot loops."""
