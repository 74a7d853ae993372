"""Owns the lines that are not part of any message: load line, marks, trim line, what became of a broken answer.

Knows nothing of layout; it only makes rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from desktop_app.core.messages import Message
from desktop_app.ui.transcript.line_item import LoadLineItem, NoteItem
from desktop_app.ui.transcript.look import Look
from desktop_app.ui.transcript.row import Row
from desktop_app.ui.transcript.typesetter import tr

#: Reasons that mean: left whole although it stands above the load line.
PINNED, ALWAYS_SENT = "Pinned", "Always sent"


@dataclass(slots=True)
class Decorations:
    """What is to be shown beside the messages. `reasons` are by message id, in words for the user."""

    load_line: str | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
    trim: tuple[str, str, tuple[tuple[str, str], ...]] | None = None

    def head(self, message: Message, look: Look) -> list[Row]:
        """The lines above a message."""
        rows = []
        if message.id == self.load_line:
            row = Row(LoadLineItem(look, tr("The model reads from here")), 8, 0, decoration="load-line")
            rows.append(row)
        if self.keeps(message.id):
            rows.append(Row(NoteItem(look, tr(self.reasons[message.id])), 8, -12, decoration="mark"))
        return rows

    def foot(self, message: Message, look: Look, *, quiet: bool) -> list[Row]:
        """The lines beneath a message; `quiet` leaves out what became of it."""
        rows = []
        state = None if quiet else _state(message)
        if state is not None:
            rows.append(Row(NoteItem(look, state, (("retry", tr("Try again")),)), 0, 8, decoration="state"))
        if self.trim is not None and self.trim[0] == message.id:
            rows.append(Row(NoteItem(look, self.trim[1], self.trim[2]), 0, 4, decoration="trim"))
        return rows

    def keeps(self, message_id: str) -> bool:
        """True for a message above the load line that is sent all the same."""
        return self.reasons.get(message_id) in {PINNED, ALWAYS_SENT}


def _state(message: Message) -> str | None:
    if message.role != "assistant" or message.state == "complete":
        return None
    if message.failure is not None and message.failure.code != "interrupted":
        return message.failure.message
    return tr("Stopped. The text so far is saved.") if message.parts else tr("Stopped before an answer came.")
