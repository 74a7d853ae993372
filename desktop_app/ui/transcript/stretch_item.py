"""Owns the place of a part of a long text that has not been read yet. It is never painted: rows stand there first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.ui.transcript.item import Item
from desktop_app.ui.transcript.look import Look

if TYPE_CHECKING:
    from desktop_app.core.markdown.sections import Section


class StretchItem(Item):
    """Takes about the room that the rows of its text will take."""

    __slots__ = ("section",)

    def __init__(self, look: Look, section: Section) -> None:
        super().__init__(look)
        self.section = section

    def _estimate(self, width: int) -> int:
        return self.look.body.pitch * (1 + int(len(self.section.text) * self.look.lines_per_character(width)))
