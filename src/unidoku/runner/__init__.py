"""Runs over files: a driver, results in rows, writers of formats, parts."""
