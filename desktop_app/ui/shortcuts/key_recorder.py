"""The button that listens for keys. Judges no keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.ui.shortcuts.key_sequences import pressed

TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class KeyRecorder(QPushButton):
    """Pressed, it listens: the next keys are `heard`, Esc gives up, Backspace is the wish to remove what is there.

    While it listens no shortcut of the window is carried out. Whoever hears decides with `rest` when to stop.
    """

    heard = Signal(object)  # QKeySequence
    remove_requested = Signal()
    given_up = Signal()
    listening_changed = Signal(bool)

    def __init__(self, words: str, parent: QWidget, *, hears_tab: bool = True) -> None:
        """`hears_tab` False: Tab leads on also while it listens."""
        super().__init__(words, parent)
        self._words = words
        self._hears_tab = hears_tab
        self.listening = False
        self.clicked.connect(self.listen)

    def listen(self) -> None:
        """Begins to listen."""
        if self.listening:
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._set_listening(True)

    def rest(self) -> None:
        """Ends listening."""
        if self.listening:
            self._set_listening(False)

    def show_listening(self) -> None:
        """Looks as it does while it listens, without the keyboard."""
        self._set_listening(True)

    def _set_listening(self, listening: bool) -> None:
        self.listening = listening
        words = self.tr("Press the keys")
        self.setText(words if listening else self._words)
        # a style sheet does not look at a property that changes
        self.setProperty("kind", "listening" if listening else "")
        self.style().polish(self)
        if listening and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self.listening_changed.emit(listening)

    def event(self, event: QEvent) -> bool:
        if self.listening and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and (self._hears_tab or event.key() not in TABS):
                self._press(event)
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyRelease:
                # Space that was pressed to listen must not press the button again when it is let go
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.listening and event.reason() != Qt.FocusReason.PopupFocusReason:
            self._set_listening(False)
            self.given_up.emit()
        super().focusOutEvent(event)

    def _press(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.isAutoRepeat():
            return
        if plain and event.key() == Qt.Key.Key_Escape:
            self._set_listening(False)
            self.given_up.emit()
        elif plain and event.key() == Qt.Key.Key_Backspace:
            self._set_listening(False)
            self.remove_requested.emit()
        else:
            keys = pressed(event.key(), event.modifiers(), event.text())
            if keys is not None:
                self.heard.emit(keys)
