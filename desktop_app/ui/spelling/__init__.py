"""Marks words that are in no dictionary. The dictionaries are looked into by a process of their own."""
