"""The editor in which a text is written, and a model is asked to change a selection of it. Stores nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import Caption
from desktop_app.ui.widgets.text_lines import LinesView, TextLine


class ArtifactEditor(QWidget):
    """The text, and beneath it the wish for a selection and the ways out."""

    save_wanted = Signal()
    newer_wanted = Signal()
    change_wanted = Signal(str)
    stop_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = QPlainTextEdit(self)
        self.text.setAccessibleName(self.tr("Text of the artifact"))
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.document().setDocumentMargin(2 * GRID)
        self.newer_words = Caption(theme, self)
        self.take_newer = self._button("")
        self.newer = LinesView(theme, self)
        self.newer.setAccessibleName(self.tr("Differences"))
        self.wish = QLineEdit(self)
        self.wish.setPlaceholderText(self.tr("Select text, then say what to change"))
        self.wish.setAccessibleName(self.tr("What to change in the selection"))
        self.change = self._button(self.tr("Change only this selection"))
        self.stop = self._button(self.tr("Stop"))
        self.cancel = self._button(self.tr("Cancel"))
        self.save = self._button(self.tr("Save version"), kind="primary")
        buttons = QHBoxLayout()
        buttons.addWidget(self.change)
        buttons.addWidget(self.stop)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        below = QVBoxLayout()
        below.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        below.setSpacing(GRID)
        below.addWidget(self.wish)
        below.addLayout(buttons)
        rule = QFrame(self)
        rule.setProperty("kind", "rule")
        rule.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.text, 3)
        column.addLayout(self._told())
        column.addWidget(self.newer, 2)
        column.addWidget(rule)
        column.addLayout(below)
        self.setFocusProxy(self.text)
        self.save.clicked.connect(self.save_wanted)
        self.cancel.clicked.connect(self.left)
        self.take_newer.clicked.connect(self.newer_wanted)
        self.stop.clicked.connect(self.stop_wanted)
        self.wish.returnPressed.connect(self._want_change)
        self.change.clicked.connect(self._want_change)
        self.text.selectionChanged.connect(self._look_at_selection)
        theme.set_font("small", self.take_newer, self.wish, self.change, self.stop, self.cancel, self.save)
        theme.set_font("code", self.text)
        self.set_changing(False)

    def show_text(self, text: str) -> None:
        """Begins with a text."""
        self.show_newer(0)
        self.text.setPlainText(text)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self._look_at_selection()

    def show_newer(self, number: int, lines: Sequence[TextLine] = ()) -> None:
        """Another version came while this one is being written: what it changed, beneath the text; 0: none did."""
        words = self.tr("v{number} was made meanwhile. Save makes v{next} of your text.")
        self.newer_words.say(words.format(number=number, next=number + 1) if number else "")
        self.take_newer.setText(self.tr("Use v{number}").format(number=number))
        self.take_newer.setAccessibleName(self.take_newer.text())
        self.newer.show_lines(lines, code=True)
        for part in (self.take_newer, self.newer):
            part.setVisible(bool(number))

    def replace_text(self, text: str) -> None:
        """Another text in the place of what is written, which undo brings back."""
        self.show_newer(0)
        cursor = self.text.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def set_changing(self, changing: bool) -> None:
        """A model writes a selection's new text: it can be stopped, and no more."""
        self.text.setReadOnly(changing)
        self.wish.setReadOnly(changing)
        self.save.setDisabled(changing)
        self.cancel.setDisabled(changing)
        self.change.setVisible(not changing)
        self.stop.setVisible(changing)

    @property
    def changing(self) -> bool:
        """True while a model is changing the text."""
        return not self.stop.isHidden()

    @property
    def written(self) -> str:
        """The text in the editor. Qt's plain text would make common spaces of those that do not break."""
        return self.text.document().toRawText().replace("\u2029", "\n")

    @property
    def selected(self) -> tuple[int, int]:
        """From where to where the selection goes, in characters."""
        cursor, text = self.text.textCursor(), self.written
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        return (start, end) if text.isascii() else (_characters(text, start), _characters(text, end))

    def _told(self) -> QHBoxLayout:
        told = QHBoxLayout()
        told.addWidget(self.newer_words, 1)
        told.addWidget(self.take_newer)
        return told

    def _want_change(self) -> None:
        if not self.changing:
            self.change_wanted.emit(self.wish.text())

    def _look_at_selection(self) -> None:
        self.change.setEnabled(self.text.textCursor().hasSelection())

    def _button(self, words: str, *, kind: str = "quiet") -> QPushButton:
        button = QPushButton(words, self)
        button.setProperty("kind", kind)
        button.setAccessibleName(words)
        return button


def _characters(text: str, units: int) -> int:
    """Qt counts a sign outside the first plane as two."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))
