"""The fields that open among the messages: a question written again, a note. Sends and keeps nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import GRID, OUTDENT, Theme, stroke
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.message_field import MessageField


class InlineEditor(QFrame):
    """A field with a line above it, a line beneath it and two buttons. `done`, `cancelled`: what was wished."""

    done = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget, *, yes: str) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.setProperty(KEEPS_FOCUS, True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.editor = MessageField(theme, self)
        self._above = self._label("secondary")
        self._below = self._label("danger")
        self.cancel = QPushButton(tr("Cancel"), self)
        self.cancel.setProperty("kind", "quiet")
        self.yes = QPushButton(yes, self)
        self.yes.setProperty("kind", "primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(OUTDENT - round(stroke("hair")), GRID + GRID // 2, GRID, GRID)
        column.setSpacing(GRID)
        for widget in (self._above, self.editor, self._below):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.yes)
        column.addLayout(row)
        self.editor.installEventFilter(self)
        self.cancel.clicked.connect(self.cancelled)
        self.yes.clicked.connect(self._finish)
        self.editor.send_requested.connect(self._finish)
        self.editor.textChanged.connect(self._show_state)
        self.set_theme(theme)

    def _label(self, tone: str) -> QLabel:
        label = QLabel(self)
        label.setProperty("tone", tone)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label

    def set_theme(self, theme: Theme) -> None:
        for label in (self._above, self._below):
            label.setFont(theme.small_font())

    def fill(self, text: str, above: str) -> None:
        """Shows the text to be changed, and a line above it."""
        self._above.setText(above)
        self._above.setVisible(bool(above))
        self.tell("")
        self.editor.setPlainText(text)
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)
        self._show_state()

    @property
    def text(self) -> str:
        """The text that was written, without the empty lines around it."""
        return self.editor.toPlainText().strip("\n").rstrip()

    def tell(self, words: str) -> None:
        """Says why it could not be done; no words: nothing."""
        self._below.setText(words)
        self._below.setVisible(bool(words))

    @property
    def words(self) -> str:
        """The words beneath the field."""
        return self._below.text()

    @property
    def _ready(self) -> bool:
        return True

    def _show_state(self) -> None:
        self.yes.setEnabled(self._ready)

    def _finish(self) -> None:
        if self.yes.isEnabled():
            self.done.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() == QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves everything as it was; other keys stay here, the transcript has no part in them."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        event.accept()


class InlineQuestionEditor(InlineEditor):
    """A question written again: empty it can be sent only with the attachments that stay."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self._has_more = False
        super().__init__(theme, parent, yes=tr("Send"))
        self.setAccessibleName(tr("Edit an earlier message"))
        self.editor.setAccessibleName(tr("Edited message"))

    def begin(self, text: str, names: Sequence[str]) -> None:
        """Shows the text to be changed and the names of what stays attached."""
        self._has_more = bool(names)
        self.set_sending(False)
        self.fill(text, tr("Stays attached: {names}").format(names=", ".join(names)) if names else "")

    def set_sending(self, sending: bool) -> None:
        """While it is on its way nothing can be changed."""
        self.editor.setReadOnly(sending)
        self.setProperty("sending", sending)
        self._show_state()

    @property
    def sending(self) -> bool:
        return bool(self.property("sending"))

    @property
    def _ready(self) -> bool:
        return not self.sending and (bool(self.text) or self._has_more)


class InlineNoteEditor(InlineEditor):
    """A note on a message: Ctrl+Enter keeps it; empty it takes the note away."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, yes=tr("Save note"))
        self.setAccessibleName(tr("Note on a message"))
        self.editor.setAccessibleName(tr("Note"))
        self.editor.setPlaceholderText(tr("A note for yourself"))
        self.editor.enter_sends = False
        self.editor.attached.connect(lambda _: self.tell(tr("A note is only text.")))

    def begin(self, text: str) -> None:
        """Shows the note that is there."""
        self.fill(text, tr("Your note is kept on this computer and never sent."))
