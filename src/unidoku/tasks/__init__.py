"""The capabilities of unidoku: a module each, with its declaration, its work and its functions.

A function in memory that engines need too is in its engine, as the docstring of the module says.  A command
that does more than run its task has a function `command` in its declaration.
"""
