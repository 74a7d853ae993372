"""The command palette: threads, actions and models found by a few letters."""
