"""Every part of the window in every state, for the eyes of those who build it; `plimsoll --gallery` opens it.

Its own words are for developers and not translated.
"""
