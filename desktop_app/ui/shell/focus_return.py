"""The place that the keyboard focus returns to: the composer, unless the keyboard led elsewhere.

A click or something that closes gives the composer the focus itself, so that input methods work there at once. The
transcript and the lists have it only where Tab, F6 or an arrow led, the list of threads also while threads are picked
with Ctrl or Shift; fields and what `KEEPS_FOCUS` have it by a click, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_app.ui.transcript.view import BY_KEYBOARD
from desktop_app.ui.widgets import KEEPS_FOCUS

if TYPE_CHECKING:
    from desktop_app.ui.shell.main_window import MainWindow

_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PICKING: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_TURNING: Final = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class FocusReturn(QObject):
    """Gives the composer of a shown window the focus back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._places: list[QWidget] = []
        self._reached: QWidget | None = None  # the place to which the keyboard led
        self._owed = False  # the focus was lost while a page hid the composer
        self._pressed: tuple[QWidget | None, QWidget | None] = (None, None)  # what had the focus; what was clicked
        self._picking = False  # Ctrl or Shift was down with the click
        self.add_place(window.stage.transcript)
        self.add_place(window.threads.view)
        window.threads.results_made.connect(lambda results: self.add_place(results.view))
        window.take_lost_focus = self._take_lost
        # of all clicks and keys only those of this window, and no paint events
        frame = window.windowHandle()
        for watched in (frame, window, window.composer):
            if watched is not None:
                watched.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_changed)

    def add_place(self, place: QWidget) -> None:
        """Takes in a part of the window that has the focus only where the keyboard led to it."""
        place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        place.installEventFilter(self)
        self._places.append(place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return (watched is self._window or watched in self._places) and self._take_key(watched, event)
        if kind == QEvent.Type.FocusIn and isinstance(event, QFocusEvent) and watched in self._places:
            self._look_how_it_came(watched, event.reason())
        elif isinstance(event, QMouseEvent) and watched is self._window.windowHandle():
            if kind in _PRESSES:
                self._reached, self._picking = None, bool(event.modifiers() & _PICKING)
                self._pressed = self._window.focusWidget(), self._window.childAt(event.position().toPoint())
            elif kind == QEvent.Type.MouseButtonRelease:
                # after what the click does: it may open a menu, a page or a field
                QTimer.singleShot(0, self, self._after_click)
        elif kind == QEvent.Type.Show and watched is self._window.composer and self._owed:
            self._give_back()
        return False

    # --- where the focus is

    def _give_back(self) -> bool:
        """Gives the composer the focus: now, or where a page hides it as soon as it is there again (False)."""
        composer = self._window.composer
        self._owed = not composer.isVisible()
        if not self._owed:
            composer.focus_editor()
        return not self._owed

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        window = self._window
        if now is window.composer.editor:
            self._reached = None
        elif now is None:
            QTimer.singleShot(0, self, self._look_whether_gone)
        elif now in self._places and now is not self._reached:
            self._give_back()

    def _take_lost(self) -> bool:
        """Return True if the composer has the focus now, since the widget that had it was hidden or disabled."""
        here = self._window.focusWidget()
        if here is None or (here.isVisible() and here.isEnabled()) or not self._window.isVisible():
            return False
        return self._give_back()

    def _look_whether_gone(self) -> None:
        """Nothing has the focus: what had it was destroyed, or another window is active."""
        window = self._window
        if window.isActiveWindow() and QApplication.focusWidget() is None and not _is_interrupted():
            self._give_back()

    def _look_how_it_came(self, place: QObject, reason: Qt.FocusReason) -> None:
        if reason in BY_KEYBOARD and isinstance(place, QWidget):
            self._reached = place
        elif reason == Qt.FocusReason.PopupFocusReason and place is not self._reached:
            QTimer.singleShot(0, self, self._give_back)

    # --- clicks

    def _after_click(self) -> None:
        before, clicked = self._pressed
        window = self._window
        if _is_interrupted() or not window.composer.isVisible() or clicked is None or not isValid(clicked):
            return
        if self._picking and window.threads.view.isAncestorOf(clicked):
            self._reached = window.threads.view
            self._reached.setFocus(Qt.FocusReason.ShortcutFocusReason)  # Del is about what was picked
            return
        here, composer = window.focusWidget(), window.composer
        # a chip takes the focus with the pointer only until the click is over
        in_composer = here is not None and composer.isAncestorOf(here) and composer.isAncestorOf(clicked)
        if in_composer or (here is before and self._returns_from(clicked)):
            composer.focus_editor()
        transcript = window.stage.transcript
        if transcript.isAncestorOf(clicked) and transcript.selection.range is not None:
            # one selection at a time: what was selected last is copied
            cursor = composer.editor.textCursor()
            cursor.clearSelection()
            composer.editor.setTextCursor(cursor)

    def _returns_from(self, clicked: QWidget) -> bool:
        """Return True if a click there gives the composer the focus: in a pane, and not in a part that keeps it."""
        here: QWidget | None = clicked
        while here is not None and here not in self._places:
            if here.property(KEEPS_FOCUS) or here is self._window.focusWidget():
                return False
            here = here.parentWidget()
        return self._window.splitter.isAncestorOf(clicked)

    # --- keys

    def _take_key(self, watched: QObject, event: QKeyEvent) -> bool:
        """A key that means nothing where the focus is: letters are written, what is about reading is read."""
        window = self._window
        if not window.composer.isVisible() or self._is_covered:
            return False
        if _is_letter(event):
            window.composer.focus_editor()
            QCoreApplication.sendEvent(window.composer.editor, event)
            return True
        if watched is window and window.composer.editor.hasFocus() and _is_for_reading(event):
            window.stage.transcript.keyPressEvent(event)
            return True
        return False

    @property
    def _is_covered(self) -> bool:
        """True where the widget with the focus lies over the panes, as an image shown large does."""
        here = self._window.focusWidget()
        return here is not None and here is not self._window and not self._window.splitter.isAncestorOf(here)


def _is_interrupted() -> bool:
    """Return True if a menu, a popover or a dialog is open, and has the keyboard."""
    return QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None


def _is_letter(event: QKeyEvent) -> bool:
    """Return True if the key writes something by itself; AltGr and Shift belong to that."""
    modifiers, text = event.modifiers(), event.text()
    control = bool(modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier))
    return bool(text.strip()) and text.isprintable() and control == bool(modifiers & Qt.KeyboardModifier.AltModifier)


def _is_for_reading(event: QKeyEvent) -> bool:
    """Copying and turning pages: the composer passes these on where it has nothing to copy or to turn."""
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    as_markdown = event.key() == Qt.Key.Key_C and event.modifiers() == both
    return event.matches(QKeySequence.StandardKey.Copy) or as_markdown or event.key() in _TURNING
