"""The first-start pane: the ways to a model found on this computer. Knows no controller."""
