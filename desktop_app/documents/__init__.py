"""Owns the reading of files into parts, in a process of its own. Knows nothing of threads, models and windows."""
