"""Hostile texts of any length, and the readers of foreign text that have to take them."""
