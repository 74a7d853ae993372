"""The transcript: a canvas that lays out and paints only the part in view. Never imports a controller or the network.

`view.TranscriptView` is what other panes use; all other modules serve it.
"""
