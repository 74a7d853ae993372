"""Formulas: laid out by a process of its own, drawn in lines of text and in lines of their own."""
