"""Owns the composer as one piece: cold line, queued message, text, model button, Send or Stop, gauge.

Knows no controller.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.composer.cold_row import ColdRow
from desktop_app.ui.composer.editor import ComposerEdit
from desktop_app.ui.composer.model_picker import ModelPicker
from desktop_app.ui.composer.queue_row import QueueRow
from desktop_app.ui.gauge.strip import GaugeStrip
from desktop_app.ui.icons import icon
from desktop_app.ui.theme import COLUMN, GRID, Theme

SHARE_OF_WINDOW = 0.4
"""How much of the window's height the text field may take."""
SCROLL_BAR = 10
"""Pixels of the transcript's scroll bar, left free here too so that both columns stand under each other."""


class Composer(QWidget):
    """Wishes: `send_requested`, `stop_requested`; `edited` after every change of the text."""

    send_requested = Signal()
    stop_requested = Signal()
    edited = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Composer"))
        self.column = QWidget(self)
        self.column.setMaximumWidth(COLUMN)
        self.cold = ColdRow(theme, self.column)
        self.queue = QueueRow(theme, self.column)
        self.field = QFrame(self.column)
        self.field.setProperty("kind", "field")
        self.editor = ComposerEdit(self.field)
        self.picker = ModelPicker(theme, self.field)
        self.button = QPushButton(self.field)
        self.button.setProperty("kind", "round")
        self.button.setFixedSize(QSize(4 * GRID, 4 * GRID))
        self.gauge = GaugeStrip(theme, self.column)
        self._streaming = False
        self._shown: tuple[str, bool, Theme] | None = None

        writing = QHBoxLayout()
        # The words on the quiet model button begin where the text above them begins.
        writing.setContentsMargins(GRID, 0, GRID, 0)
        writing.addWidget(self.editor)
        tools = QHBoxLayout()
        tools.addWidget(self.picker)
        tools.addStretch(1)
        tools.addWidget(self.button)
        inside = QVBoxLayout(self.field)
        inside.setContentsMargins(GRID, GRID + GRID // 2, GRID, GRID)
        inside.setSpacing(GRID // 2)
        inside.addLayout(writing)
        inside.addLayout(tools)
        stack = QVBoxLayout(self.column)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(GRID // 2)
        stack.addWidget(self.cold)
        stack.addWidget(self.queue)
        stack.addWidget(self.field)
        stack.addWidget(self.gauge)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, GRID, GRID + SCROLL_BAR, GRID // 2)
        row.addStretch(1)
        row.addWidget(self.column, 1000)
        row.addStretch(1)

        self.editor.textChanged.connect(self._text_changed)
        self.editor.send_requested.connect(self.send_requested)
        self.button.clicked.connect(self._press)
        self.editor.installEventFilter(self)
        self.field.installEventFilter(self)
        self._dress(theme)

    def set_theme(self, theme: Theme) -> None:
        self.cold.set_theme(theme)
        self.queue.set_theme(theme)
        self.picker.set_theme(theme)
        self.gauge.set_theme(theme)
        self._dress(theme)

    def _dress(self, theme: Theme) -> None:
        self._theme = theme
        self.editor.set_theme(theme)
        self.picker.setFont(theme.small_font())
        self._show_button()

    def text(self) -> str:
        """The text being written."""
        return self.editor.toPlainText()

    def is_empty(self) -> bool:
        """True if there is nothing but space to send; cheap for any length."""
        document = self.editor.document()
        return document.characterCount() < 4096 and not self.text().strip()

    def set_text(self, text: str) -> None:
        """Shows another draft; the undo of the old one ends here."""
        if text != self.text():
            self.editor.setPlainText(text)
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)

    def take_sent(self, sent: str) -> None:
        """Removes what has been sent; what was typed after it in the meantime stays."""
        text = self.text()
        if text.startswith(sent):
            self.editor.replace_text(text[len(sent) :].lstrip("\n"))

    def set_streaming(self, streaming: bool) -> None:
        """While an answer streams the button stops it and the gauge rests."""
        self._streaming = streaming
        self.gauge.set_frozen(streaming)
        self._show_button()

    @property
    def streaming(self) -> bool:
        return self._streaming

    def set_window_height(self, pixels: int) -> None:
        self.editor.set_most_height(int(pixels * SHARE_OF_WINDOW))

    def focus_editor(self) -> None:
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.editor and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.field.setProperty("focused", event.type() == QEvent.Type.FocusIn)
            self.field.style().unpolish(self.field)
            self.field.style().polish(self.field)
        if watched is self.field and isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self.focus_editor()
        return False

    def _text_changed(self) -> None:
        self._show_button()
        self.edited.emit()

    def _press(self) -> None:
        (self.stop_requested if self._streaming else self.send_requested).emit()

    def _show_button(self) -> None:
        enabled = self._streaming or not self.is_empty()
        shown = ("stop" if self._streaming else "send", enabled, self._theme)
        if shown == self._shown:
            return
        self._shown = shown
        name = self.tr("Stop") if self._streaming else self.tr("Send")
        self.button.setAccessibleName(name)
        self.button.setToolTip(f"{name} (Esc)" if self._streaming else name)
        self.button.setIcon(icon(shown[0], self._theme, "on-accent" if enabled else "text-secondary"))
        self.button.setEnabled(enabled)
