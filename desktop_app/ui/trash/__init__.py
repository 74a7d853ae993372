"""The page of what was deleted."""
