"""Every part of the window in every state, for the eyes of those who build it; `plimsoll --gallery` opens it.

Its own words are for developers and not translated. A new group is a module here with `fill(page)`, which calls
`page.add(caption, part, ...)`; `groups` names it, and so does `tests/ui/golden/pictures`, which keeps a picture of it.
What moves, tells the time or is decoded late has to be at rest by itself.
"""
