"""Owns a list of rows that is laid out at one width: the common part of messages and of the foot. Knows no message."""

from __future__ import annotations

from desktop_app.ui.transcript.canvas.row import CanvasRow


class RowList:
    """Rows one beneath the other. `head` and `foot` are how many decoration rows stand before and behind the body."""

    def __init__(self) -> None:
        self.rows: list[CanvasRow] = []
        self.head: list[CanvasRow] = []
        self.foot: list[CanvasRow] = []
        self._width = -1

    @property
    def height(self) -> int:
        """The height of all rows, with estimates for those that are not laid out."""
        return sum(row.gap + row.item.height + row.tail for row in self.rows)

    def measure(self, width: int) -> int:
        """Estimates all rows for a width; returns the height."""
        self._width = width
        for row in self.rows:
            row.item.measure(max(40, width - row.indent))
        return self.height

    def lay_out(self, row: CanvasRow) -> None:
        """Lays out one row at its width."""
        row.item.lay_out(max(40, self._width - row.indent))

    def open_at(self, position: int) -> int:
        """Makes rows where the row at `position` only keeps room for them; returns how many, 0 if it is a row."""
        return 0

    def set_rows(self, rows: list[CanvasRow]) -> None:
        """Replaces the rows."""
        self.rows = rows
        if self._width > 0:
            self.measure(self._width)
