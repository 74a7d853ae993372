"""Every part of the window in every state, in both themes: `python -m tests.gallery`. Reads and writes no data."""
