"""Owns how wide the card of a question is: as its text, no wider than the column."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.text_item import TextItem

#: Rows of a question that are all laid out to know how wide it is; a longer one has the whole column.
MOST_MEASURED = 16


def card_width(rows: Sequence[CanvasRow], column: int, lay_out: Callable[[CanvasRow], None]) -> int:
    """How many pixels of a column these rows take. All where a line wraps."""
    if len(rows) > MOST_MEASURED or not all(isinstance(row.item, TextItem) for row in rows):
        return column
    for row in rows:
        lay_out(row)
    return max((row.left + row.item.text_width for row in rows), default=column)
