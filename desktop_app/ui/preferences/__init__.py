"""The page of preferences: rows of settings, their controls and words. Reads and writes no file."""
