"""Owns the transcript: a canvas that lays out and paints only what is in view. Knows no controller and no network.

`view.TranscriptView` is what other panes use; all other modules serve it.
"""
