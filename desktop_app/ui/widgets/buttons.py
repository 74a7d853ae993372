"""The buttons whose words are elided where there is no room, and the one that empties a field."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QToolTip, QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import Theme

MINIMUM_WIDTH = 120


class ElidedButton(QPushButton):
    """Wide as its words where it can be; a narrow place elides them instead of growing."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def minimumSizeHint(self) -> QSize:
        """A narrow window elides the words instead of growing."""
        whole = super().minimumSizeHint()
        return QSize(min(MINIMUM_WIDTH, whole.width()), whole.height())

    @property
    def _room(self) -> int:
        """Pixels for the words: what the button's icon, border and padding leave, whatever its kind."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        return self.width() - (self.sizeHint().width() - words)

    @property
    def _is_elided(self) -> bool:
        return self.sizeHint().width() > self.width()

    def event(self, event: QEvent) -> bool:
        """The tooltip of a button without one of its own says the words that have no room."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            QToolTip.showText(event.globalPos(), self.text() if self._is_elided else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_elided:
            super().paintEvent(event)
            return
        # 6 ms of tables in Python, which the first paint can do without
        from PySide6.QtWidgets import QStyle, QStyleOptionButton, QStylePainter

        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self._room)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()


def make_clearable(field: QLineEdit) -> None:
    """Gives a field a button that empties it, shown while there is something to empty.

    It is made with the first text: Qt looks through all icons of the desktop for it.
    """
    field.textChanged.connect(partial(_give_button, field), Qt.ConnectionType.SingleShotConnection)


def _give_button(field: QLineEdit, _text: str) -> None:
    before = set(field.findChildren(QToolButton))
    field.setClearButtonEnabled(True)
    for button in set(field.findChildren(QToolButton)) - before:
        button.setAccessibleName(tr("Clear the field"))
