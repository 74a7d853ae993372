"""Widgets that serve every room."""

from typing import Final

KEEPS_FOCUS: Final = "keeps_focus"
"""Property of a part, such as the find bar, within which a click leaves the focus where it is."""
