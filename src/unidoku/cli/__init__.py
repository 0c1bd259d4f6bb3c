"""The command line; it calls the public API and knows no algorithm."""
