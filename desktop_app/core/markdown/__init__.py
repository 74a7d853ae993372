"""Turns message text into blocks and spans that can be drawn.

No HTML is ever read or written here and no address is followed: the result is plain values (`leaves`, `inline`).
"""
