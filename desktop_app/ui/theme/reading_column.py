"""The place of the reading column, on whose edges the transcript and every page stand. Uses no widget."""

from __future__ import annotations

from desktop_app.ui.theme.theme import COLUMN, GRID

OUTDENT = 16
"""The distance by which the card around a question reaches out of the column, so that its text stands on its edge."""
MARGIN = 32
"""Pixels left free on both sides of the column."""
ROOMY = 96 * GRID
"""Pixels of the viewport from which on there is room for these margins."""
LEAST = 120
"""Pixels of the column, however narrow the viewport."""


WIDEST = COLUMN - 2 * OUTDENT
"""Pixels of the column, however wide the viewport."""


def column(viewport_width: int, widest: int = WIDEST) -> tuple[int, int]:
    """Left edge and width of the reading column in a viewport of that width, in pixels."""
    margin = MARGIN if viewport_width >= ROOMY else OUTDENT + GRID
    width = max(LEAST, min(widest, viewport_width - 2 * margin))
    return (viewport_width - width) // 2, width
