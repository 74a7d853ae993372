"""The text for a screen reader on each message of a view, and the text of the one that the keyboard is on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent

from desktop_app.ui.i18n.content_words import spoken_of
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.item import utf16_length
from desktop_app.ui.transcript.message.action_bar import branch_words
from desktop_app.ui.transcript.message.answer_stream import AnswerStream
from desktop_app.ui.transcript.message.decorations import Decorations
from desktop_app.ui.transcript.message.tool_rows import spoken_text
from desktop_app.ui.transcript.reading.accessible_transcript import AccessibleMessage
from desktop_app.ui.transcript.reading.clipboard_copy import SelectionReader
from desktop_app.ui.transcript.reading.selection import END, Selection, Spot, whole_messages


class ButtonStops(Protocol):
    """Goes through the links and buttons of a message."""

    def stops(self, message: int) -> list[tuple[int, CanvasRow, str, str]]: ...
    def press_stop(self, message: int, place: int) -> None: ...


class AccessibleMessages(QObject):
    """A `ReadableTranscript`: what the messages on a canvas say about themselves."""

    def __init__(
        self,
        canvas: Canvas,
        decorations: Decorations,
        stream: AnswerStream,
        *,
        selection: Selection,
        reader: SelectionReader,
        buttons: ButtonStops,
    ) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self._decorations = decorations
        self._stream = stream
        self._selection = selection
        self._reader = reader
        self._buttons = buttons
        self._spoken: AccessibleMessage | None = None
        selection.changed.connect(self._on_selection_changed)

    def count(self) -> int:
        """Return how many messages there are to read."""
        return len(self._row_layout.messages)

    def name(self, index: int) -> str:
        """Who speaks in a message, and what is to be said of it."""
        message, decorations = self._row_layout.messages[index], self._decorations
        speaker = tr("You") if message.role == "user" else tr("Assistant")
        state, mark = decorations.said_of(message), decorations.annotations.get(message.id)
        branch = decorations.branches.get(message.id)
        name = f"{speaker}: {state}" if state else speaker
        shown = branch_words(*branch, question=message.role == "user") if branch is not None else ""
        return ", ".join(words for words in (name, mark.spoken if mark is not None else "", shown) if words)

    def created(self, index: int) -> str:
        """When a message was said (ISO 8601, UTC)."""
        return self._row_layout.messages[index].created

    def text(self, index: int) -> str:
        """Return the text of a message; of a growing answer, the text that has come so far."""
        message = self._row_layout.messages[index]
        if self._stream.is_growing(index):
            from desktop_app.ui.transcript.message.status_lines import awaited_words  # not before an answer grows

            layout = self._row_layout.message_layout(index)
            return spoken_text(layout.parts, ended=False) or awaited_words(layout.rows)
        text = message.text if message.role == "user" else spoken_text(message.parts, ended=True)
        return f"{spoken_of(message)}\n{text}".strip()

    def actions(self, index: int) -> Sequence[str]:
        """Return the names of the links and buttons of a message, in order."""
        return [words for _, _, _, words in self._buttons.stops(index)]

    def act(self, index: int, place: int) -> None:
        """Presses one of `actions`."""
        self._buttons.press_stop(index, place)

    def rect(self, index: int) -> QRect:
        """Return the place of a message in view, in the view's pixels; empty if it is not."""
        return self._canvas.message_rect(index)

    def index_at(self, y: int) -> int:
        """The message at a line of the view, -1 if there is none."""
        return self._canvas.message_index_at(y)

    # --- the message that the keyboard is on

    def spoken(self) -> AccessibleMessage | None:
        """The text of the message that the keyboard is on, for a running screen reader."""
        return self._spoken if self._spoken is not None and self._spoken.index >= 0 else None

    def speak_of(self, index: int) -> None:
        """Lets a running screen reader go through the text of a message, -1: none; its caret is the selection's."""
        if not 0 <= index < self.count():
            if self._spoken is not None:
                self._spoken.be_quiet()
            return
        if self._spoken is None:
            self._spoken = AccessibleMessage(self._canvas)
        place = self.rect(index).translated(self._canvas.viewport().pos())
        self._spoken.speak_of(index, self.name(index), self._reader.text(whole_messages(index, index)), place)
        QAccessible.updateAccessibility(QAccessibleEvent(self._spoken, QAccessible.Event.Focus))

    def _on_selection_changed(self) -> None:
        spoken, anchor, caret = self.spoken(), self._selection.anchor, self._selection.caret
        if spoken is not None and anchor is not None and caret is not None:
            spoken.select(self._position(spoken.index, anchor), self._position(spoken.index, caret))

    def _position(self, index: int, spot: Spot) -> int:
        """A spot as a position in what is spoken of a message: before it, in it or at its end."""
        start = (index, 0, 0)
        if spot <= start:
            return 0
        return utf16_length(self._reader.text((start, min(spot, (index, END, END)))))
