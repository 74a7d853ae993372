"""Owns the place of a part of a long text that has not been read yet. In view it is empty until rows stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPainter

from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.item import Item, Selected

if TYPE_CHECKING:
    from desktop_app.core.markdown.sections import Section

#: What a line costs to be read besides its characters, in characters.
LINE = 30


class PlaceholderItem(Item):
    """Takes about the room that the rows of its text will take."""

    __slots__ = ("section",)

    def __init__(self, style: TextStyle, section: Section) -> None:
        super().__init__(style)
        self.section = section

    @property
    def weight(self) -> int:
        """About what it costs to read it: a character counts one."""
        return len(self.section.text) + LINE * self.section.text.count("\n")

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        """Nothing yet."""

    def _estimate(self, width: int) -> int:
        return self.style.body.pitch * (1 + int(len(self.section.text) * self.style.lines_per_character(width)))
