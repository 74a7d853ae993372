"""Owns how a test goes through the window with the keyboard alone, and what it looks at on the way."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from shiboken6 import isValid

MOST_STEPS = 400


def focused() -> QWidget:
    """What has the keyboard; there is always something."""
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the keyboard"
    return widget


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key where the keyboard is."""
    QTest.keyClick(focused(), key, modifiers)


def name_of(widget: QWidget) -> str:
    """How a failure names a control."""
    return f"{type(widget).__name__} “{widget.accessibleName() or widget.objectName()}”"


def controls(root: QWidget) -> set[QWidget]:
    """What a pointer could work with: enabled, in view, made to take the keyboard with Tab."""
    found = {root, *root.findChildren(QWidget)}
    return {
        widget
        for widget in found
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisible()
        and widget.window() is root.window()
        and widget.focusProxy() is None
        and not widget.size().isEmpty()
    }


class Walk:
    """One round with Tab, or with Shift+Tab: what was reached, and what did not show that it was."""

    def __init__(self, *, back: bool = False, look: bool = True) -> None:
        self.reached: list[QWidget] = []
        self.unseen: list[str] = []
        self.came_round = False
        shift = Qt.KeyboardModifier.ShiftModifier if back else Qt.KeyboardModifier.NoModifier
        there_are = controls(focused().window())
        if focused() not in there_are and there_are:
            press(Qt.Key.Key_Tab, shift)
        start = here = focused()
        for _ in range(MOST_STEPS):
            if here not in self.reached:
                self.reached.append(here)
            shown = _showing(here)
            out_of_view = here.visibleRegion().isEmpty()
            with_keyboard = shown.grab().toImage() if look else None
            press(Qt.Key.Key_Tab, shift)
            there = focused()
            left = there is not here and isValid(shown) and shown.isVisible()
            if look and left and (out_of_view or shown.grab().toImage() == with_keyboard):
                self.unseen.append(name_of(here))
            here = there
            if here is start:
                self.came_round = True
                # a control may have stops of its own, such as the links of a message
                if len(self.reached) > 1 or len(there_are) < 2:
                    return


def _showing(widget: QWidget) -> QWidget:
    """The widget that shows that the keyboard is here: of a field of several lines the frame around it."""
    around = widget.parentWidget()
    return around if isinstance(widget, QPlainTextEdit) and around is not None and not around.isWindow() else widget


def missed(root: QWidget, reached: Iterable[QWidget], besides: Iterable[QWidget] = ()) -> list[str]:
    """The controls that the walk did not come to."""
    seen = {*reached, *besides}
    return sorted(name_of(widget) for widget in controls(root) - seen)
