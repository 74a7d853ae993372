"""Owns a transcript that is as high as what it shows, so that a page of the gallery scrolls and not the part.

Knows no messages; `message` makes them.
"""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Failure, Message, MessageState, Part, Role, TextPart
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.message.message_changes import FormulaUpdates
from desktop_app.ui.transcript.view import TranscriptView
from tests.gallery.page import WIDTH

HIGHEST = 6_000
"""Pixels: all of a group's messages are in view at first, so that every row is laid out and its height known."""
CREATED = "2026-01-01T00:00:00.000Z"


def message(
    number: int,
    role: Role,
    *parts: Part | str,
    state: MessageState = "complete",
    failure: Failure | None = None,
    stop_reason: str | None = None,
) -> Message:
    """Message `m<number>` that answers the one before it; strings become parts of text."""
    made = tuple(TextPart(part) if isinstance(part, str) else part for part in parts)
    parent = f"m{number - 1}" if number else None
    return Message(
        f"m{number}", "gallery", parent, role, made, CREATED, state=state, failure=failure, stop_reason=stop_reason
    )


class FittedTranscript(TranscriptView):
    """Takes its height from its rows."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setFixedSize(WIDTH, HIGHEST)

    def unfold(self, message_number: int, *parts: int) -> None:
        """Shows parts of a message whole."""
        for part in parts:
            self.row_layout.message_layout(message_number).toggle(part)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.height() == HIGHEST:
            QTimer.singleShot(0, self, self._fit)

    @cached_property
    def formula_updates(self) -> FormulaUpdates:
        made = FormulaUpdates(self, lambda: bool(self.growing))
        # what was typeset is of another height than the line that stood for it
        made.formulas.arrived.connect(lambda: self.setFixedHeight(HIGHEST))
        return made

    def _fit(self) -> None:
        self.row_layout.hold = None  # there is no room beneath an answer that is running
        self.row_layout.place_at(0)
        self.refresh()
        if self.row_layout.placed:
            self.setFixedHeight(min(HIGHEST - 1, self.row_layout.placed[-1].bottom + 1))
