"""Reads files into parts, in a process of its own."""
