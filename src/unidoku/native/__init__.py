"""Compiled modules: no file I/O, no printing, no Python objects in hot loops."""
