"""Owns how message text becomes blocks and spans that can be drawn. Knows nothing of fonts, colours or Qt.

No HTML is ever read or written here and no address is followed: the result is plain values (`leaves`, `inline`).
"""
