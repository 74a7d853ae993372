"""Lays documents out on pages and writes them as PDF, in a process of its own."""
