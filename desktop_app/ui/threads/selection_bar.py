"""The bar that says how many threads are selected, and what can be done with all of them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme


class SelectionBar(QWidget):
    """Wishes for the selected threads; `move_requested` with the place on the screen where projects are offered."""

    archive_requested = Signal()
    move_requested = Signal(QPoint)
    export_requested = Signal()
    delete_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Selected threads"))
        self._label = QLabel(self)
        self.archive_button = self._button(self.tr("Archive"))
        self.move_button = self._button(self.tr("Move to project"))
        self.export_button = self._button(self.tr("Export"))
        self.delete_button = self._button(self.tr("Delete"))
        self.close_button = self._button(self.tr("Clear the selection"))
        self._icons = (
            (self.archive_button, "archive"),
            (self.move_button, "folder"),
            (self.export_button, "export"),
            (self.delete_button, "trash"),
            (self.close_button, "close"),
        )
        head, acts = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self._label, 1)
        head.addWidget(self.close_button)
        for button, _ in self._icons[:-1]:
            acts.addWidget(button)
        acts.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 0, GRID, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(acts)
        self.archive_button.clicked.connect(self.archive_requested)
        self.move_button.clicked.connect(self._ask_where)
        self.export_button.clicked.connect(self.export_requested)
        self.delete_button.clicked.connect(self.delete_requested)
        self.close_button.clicked.connect(self.closed)
        self.hide()
        theme.set_font("small", self._label)
        for button, name in self._icons:
            set_icon(button, name, theme)

    def follow(self, widget: QWidget) -> None:
        """Tab comes here from this widget."""
        for button, _ in self._icons:
            QWidget.setTabOrder(widget, button)
            widget = button

    def show_count(self, count: int, *, archived: bool) -> None:
        """Says how many are selected; of archived threads it offers to bring them back."""
        words = self.tr("{n} selected").format(n=grouped(count))
        if words != self._label.text() or self.isHidden():
            self._label.setText(words)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self._name(self.archive_button, self.tr("Unarchive") if archived else self.tr("Archive"))
        self.move_button.setVisible(not archived)
        self.show()

    def _ask_where(self) -> None:
        self.move_requested.emit(self.move_button.mapToGlobal(self.move_button.rect().topLeft()))

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._name(button, name)
        return button

    def _name(self, button: QToolButton, name: str) -> None:
        button.setAccessibleName(name)
        button.setToolTip(name)
