"""The fields of a prompt's form, one for each kind of variable.

Enter and Esc are left to the form, but not while an input method composes.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.core.prompts import Variable
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow

LINES: Final = 4
"""Lines of a field for many lines."""


class LineField(QLineEdit):
    """A value on one line."""

    changed = Signal()

    def __init__(self, theme: Theme, variable: Variable, value: str, parent: QWidget) -> None:
        super().__init__(value, parent)
        self.setAccessibleName(variable.name)
        self._composing = False
        self.textChanged.connect(self.changed)
        theme.set_font("body", self)

    def value(self) -> str:
        return self.text()

    def take(self, value: str) -> None:
        self.setText(value)

    def parts(self) -> list[QWidget]:
        return [self]

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.setAccepted(self._composing)
        else:
            super().keyPressEvent(event)


class LongField(QFrame):
    """A value on many lines, in which Enter begins a new one."""

    changed = Signal()

    def __init__(self, theme: Theme, variable: Variable, value: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.edit = _LongEdit(value, self)
        self.edit.setAccessibleName(variable.name)
        self.edit.textChanged.connect(self.changed)
        self.edit.installEventFilter(self)
        box = QVBoxLayout(self)
        # text begins where it does in a field of one line
        box.setContentsMargins(GRID + 2, GRID, GRID, GRID)
        box.addWidget(self.edit)
        theme.set_font("body", self.edit)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self.edit.setFixedHeight(LINES * self.edit.fontMetrics().lineSpacing() + GRID // 2)

    def value(self) -> str:
        return self.edit.toPlainText()

    def take(self, value: str) -> None:
        self.edit.setPlainText(value)

    def parts(self) -> list[QWidget]:
        return [self.edit]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() == QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        return False


class _LongEdit(QPlainTextEdit):
    def __init__(self, value: str, parent: QWidget) -> None:
        super().__init__(value, parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self._composing = False

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape or (enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            event.setAccepted(self._composing)
        else:
            super().keyPressEvent(event)


class _Choice(QPushButton):
    """Enter is left to the form, which it settles; Space chooses."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)


class ChoiceField(QWidget):
    """One of some values, all in sight; arrow keys move between them."""

    changed = Signal()

    def __init__(self, theme: Theme, variable: Variable, value: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(variable.name)
        self.buttons: list[QPushButton] = []
        row = FlowRow(across=GRID // 2, down=GRID // 2)
        for choice in variable.choices:
            button = _Choice(choice.replace("&", "&&"), self)
            button.setProperty("kind", "choice")
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.setChecked(choice == value)
            button.setAccessibleName(f"{variable.name}: {choice}")
            button.toggled.connect(self._told)
            row.addWidget(button)
            self.buttons.append(button)
        self._choices = variable.choices
        self.setLayout(row)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        # the chosen one is bolder, for which Qt leaves no room
        font = self._theme.body_font()
        font.setWeight(QFont.Weight.DemiBold)
        for button in self.buttons:
            button.setMinimumWidth(QFontMetrics(font).horizontalAdvance(button.text()) + 3 * GRID)

    def value(self) -> str:
        down = (choice for choice, button in zip(self._choices, self.buttons, strict=True) if button.isChecked())
        return next(down, "")

    def take(self, value: str) -> None:
        for choice, button in zip(self._choices, self.buttons, strict=True):
            button.setChecked(choice == value)

    def parts(self) -> list[QWidget]:
        return [next((button for button in self.buttons if button.isChecked()), self.buttons[0])]

    def _told(self, down: bool) -> None:
        if down:
            self.changed.emit()
