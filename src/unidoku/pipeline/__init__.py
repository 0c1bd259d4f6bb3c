"""Source, batches, kernel, sink: how files are checked."""
