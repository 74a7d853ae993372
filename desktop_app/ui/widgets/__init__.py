"""Widgets that serve every room."""

from typing import Final

ZOOMS: Final = "zooms"
"""Property of a part that zooms by itself where the wheel turns over it with Ctrl."""

KEEPS_FOCUS: Final = "keeps_focus"
"""Property of a part, such as the find bar, within which a click leaves the focus where it is."""
