"""Every compiled room of the house: no files, no words, no printing."""
