"""Owns what the monkey does to a window: keys, clicks, wheel, drags, shortcuts by chance. Judges nothing.

All goes the way of a real mouse and keyboard, over the windows of the screen, so that popups and dialogs take what is
theirs. What a drag still has to do comes by timers: dragging text is a loop of its own in Qt.
"""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

if TYPE_CHECKING:
    from desktop_app.ui.shell.session import WindowSession

KEYS: Final = (
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Delete),
    *(Qt.Key.Key_Backspace, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home),
    *(Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_Menu, Qt.Key.Key_F2),
    *(Qt.Key.Key_F3, Qt.Key.Key_F6, Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X, Qt.Key.Key_Z),
    *(Qt.Key.Key_Slash, Qt.Key.Key_F, Qt.Key.Key_K, Qt.Key.Key_N, Qt.Key.Key_1),
)
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
MODIFIERS: Final = (NONE, NONE, NONE, SHIFT, CONTROL, CONTROL, CONTROL | SHIFT, ALT)
LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
ENDING: Final = frozenset({"quit", "close", "close_window", "open_in_new_window"})
"""Actions that end the window, which is for whoever started it, or make another, where these hands are not."""


class Hands:
    """One act a call. Each tells in a word what it did."""

    def __init__(self, session: WindowSession, chance: random.Random) -> None:
        self._session = session
        self._window = session.window
        self._chance = chance

    def keys(self) -> str:
        """Some keys to whatever has the keyboard."""
        pressed = []
        for _ in range(self._chance.randint(1, 6)):
            key, modifiers = self._chance.choice(KEYS), self._chance.choice(MODIFIERS)
            if (key, modifiers) == (Qt.Key.Key_Q, CONTROL):
                continue
            QTest.keyClick(self._window_at_hand(), key, modifiers)
            pressed.append(f"{key.name[4:]}{'+' if modifiers != NONE else ''}")
        return f"keys {' '.join(pressed)}"

    def click(self) -> str:
        window = self._any_window()
        at = self._place(window)
        button = self._chance.choice((LEFT, LEFT, LEFT, RIGHT, MIDDLE))
        if self._chance.random() < 0.2:
            QTest.mouseDClick(window, button, NONE, at)
        else:
            QTest.mouseClick(window, button, self._chance.choice((NONE, NONE, SHIFT, CONTROL)), at)
        return f"click {at.x()},{at.y()} {button.name}"

    def wheel(self) -> str:
        window = self._any_window()
        at = self._place(window)
        for _ in range(self._chance.randint(1, 8)):
            turned = QPoint(0, self._chance.choice((-960, -120, -40, 40, 120, 960)))
            QTest.wheelEvent(window, at, turned, turned, self._chance.choice((NONE, NONE, NONE, CONTROL)))
        return f"wheel {at.x()},{at.y()}"

    def drag(self) -> str:
        window = self._any_window()
        start, end = self._place(window), self._place(window)
        QTest.mousePress(window, LEFT, NONE, start)
        for step in range(1, 5):
            at = start + (end - start) * step / 4
            QTimer.singleShot(15 * step, window, partial(QTest.mouseMove, window, at))
        QTimer.singleShot(90, window, partial(QTest.mouseRelease, window, LEFT, NONE, end))
        return f"drag {start.x()},{start.y()} to {end.x()},{end.y()}"

    def shortcut(self) -> str:
        """Any action that is on."""
        actions = {name: one for name, one in self._window.actions_by_id.items() if name not in ENDING}
        name = self._chance.choice(sorted(actions))
        if actions[name].isEnabled():
            actions[name].trigger()
        return f"action {name}"

    def thread(self) -> str:
        """Another thread, out of the list."""
        model = self._window.threads.model
        index = model.index(self._chance.randrange(max(model.rowCount(), 1)), 0)
        rect = self._window.threads.view.visualRect(index)
        if index.isValid() and rect.isValid():
            QTest.mouseClick(self._window.threads.view.viewport(), LEFT, NONE, rect.center())
        return "thread"

    def new_thread(self) -> str:
        self._window.actions_by_id["new_thread"].trigger()
        return "new thread"

    def size(self) -> str:
        self._window.resize(self._chance.randint(640, 1500), self._chance.randint(480, 1000))
        return "size"

    def page(self) -> str:
        """A page and soon afterwards something else."""
        pages = self._session.presenters.pages
        name = self._chance.choice(("preferences", "usage", "shortcuts", "prompts", ""))
        if name:
            pages.show(name)
        else:
            pages.show("system_prompt")
        if self._chance.random() < 0.4:
            self._window.show_welcome(False)
        return "page"

    def send(self) -> str:
        """Return in the message's field."""
        self._window.composer.focus_editor()
        QTest.keyClick(self._window.composer.editor, Qt.Key.Key_Return)
        return "send"

    def write(self, words: str) -> str:
        """Types words at the end of the message."""
        editor = self._window.composer.editor
        self._window.composer.focus_editor()
        QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
        QTest.keyClicks(editor, words)
        return f"write {words.strip()}"

    def put_away_popups(self) -> str:
        """Closes what lies over the window, as nobody waits for a popup for ever."""
        while popup := QApplication.activePopupWidget():
            popup.close()
            if popup is QApplication.activePopupWidget():
                break
        for dialog in self._window.findChildren(QFileDialog):
            dialog.reject()  # files of this computer are none of the monkey's
        return "popups"

    def _window_at_hand(self) -> QWindow:
        focused = QGuiApplication.focusWindow()
        return focused if focused is not None and focused.isVisible() else self._window.windowHandle()

    def _any_window(self) -> QWindow:
        shown = [one for one in QGuiApplication.topLevelWindows() if one.isVisible() and one.width() and one.height()]
        return self._chance.choice(shown) if shown else self._window.windowHandle()

    def _place(self, window: QWindow) -> QPoint:
        return QPoint(self._chance.randrange(max(window.width(), 1)), self._chance.randrange(max(window.height(), 1)))
