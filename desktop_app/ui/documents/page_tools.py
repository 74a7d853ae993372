"""The tools for the pages of a document: smaller, larger, as wide as the view, the number of the page."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from desktop_app.ui.documents.page_stack import LEAST_ZOOM, MOST_ZOOM, PageStack
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme

DIGITS: Final = 3
"""Figures that the field for the page has room for at least."""


class PageTools(QWidget):
    """Follows the pages it is given. Enter in the field goes to a page, Esc puts back the one that is shown."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.smaller = self._button("−", self.tr("Zoom out"), "−")
        self.larger = self._button("+", self.tr("Zoom in"), "+")
        self.fit = self._button(self.tr("Fit width"), self.tr("Fit width"), "0")
        self.field = QLineEdit(self)
        self.field.setAccessibleName(self.tr("Page"))
        self.field.setToolTip(self.tr("Go to page"))
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.installEventFilter(self)
        self._valid = QIntValidator(1, 1, self)
        self.field.setValidator(self._valid)
        self.count = QLabel(self)
        self.count.setProperty("tone", "secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        for part in (self.smaller, self.larger, self.fit, self.field, self.count):
            row.addWidget(part)
        theme.set_font("small", self.smaller, self.larger, self.fit, self.field, self.count)
        self._pages: PageStack | None = None

    def follow(self, pages: PageStack) -> None:
        """Shows and changes what these pages are at."""
        self._pages = pages
        self.smaller.clicked.connect(lambda: pages.zoom_by(-1))
        self.larger.clicked.connect(lambda: pages.zoom_by(1))
        self.fit.clicked.connect(lambda: pages.set_zoom(1.0))
        pages.zoom_changed.connect(self._show)
        pages.page_changed.connect(self._show)
        pages.counted.connect(self._show)
        self.field.returnPressed.connect(self._go)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.field.setModified(False)
            self._show()  # also where what was typed is no page
        escaped = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if not escaped or not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape or self._pages is None:
            return False
        self._pages.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _go(self) -> None:
        if self._pages is not None and self.field.hasAcceptableInput():
            self.field.setModified(False)
            self._pages.go_to(int(self.field.text()))

    def _show(self, _fact: object = None) -> None:
        pages = self._pages
        if pages is None:
            return
        self._valid.setTop(max(1, pages.count))
        self.count.setText(self.tr("of {count}").format(count=grouped(pages.count)))
        room = self.fontMetrics().horizontalAdvance("0" * max(DIGITS, len(str(pages.count))))
        self.field.setFixedWidth(room + 3 * GRID)
        if not self.field.hasFocus() or not self.field.isModified():
            self.field.setText(str(pages.page or 1))
        self.smaller.setEnabled(pages.zoom > LEAST_ZOOM)
        self.larger.setEnabled(pages.zoom < MOST_ZOOM)
        self.fit.setEnabled(pages.zoom != 1.0)

    def _button(self, words: str, name: str, keys: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setProperty("kind", "quiet")
        button.setAccessibleName(name)
        button.setToolTip(f"{name} ({keys})")
        return button
