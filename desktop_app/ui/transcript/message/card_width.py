"""The width of the card of a question: as its text, no wider than the column."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_app.ui.transcript.canvas.row import CanvasRow

#: Rows and characters of a question that are all laid out to know how wide it is; a longer one has the whole column.
MOST_ROWS, MOST_CHARACTERS = 16, 4_000


def card_width(rows: Sequence[CanvasRow], column: int, lay_out: Callable[[CanvasRow], None]) -> int:
    """Return how many pixels of a column these rows take. All where a line wraps."""
    if not rows or len(rows) > MOST_ROWS or sum(len(row.leaf.text) for row in rows if row.leaf) > MOST_CHARACTERS:
        return column
    for row in rows:
        lay_out(row)
    return max(row.left + row.item.text_width for row in rows)
