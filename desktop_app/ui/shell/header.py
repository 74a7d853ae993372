"""The bar over the transcript: the open thread's title and the window's menu. Uses no thread list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme

if TYPE_CHECKING:  # made after the first paint
    from collections.abc import Callable

    from desktop_app.ui.widgets.floating import Menu

HEIGHT = 6 * GRID
PROJECT_WIDTH = 30 * GRID
BEFORE_TITLE = 3
"""Place in the row: behind the two buttons of the list and a space."""


class Header(QWidget):
    """A quiet line: the button that brings the thread list back, the title, the menu button."""

    list_requested = Signal()
    new_thread_requested = Signal()
    project_requested = Signal()  # that of the open thread

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.list_button = QToolButton(self)
        self.list_button.setAccessibleName(self.tr("Show the thread list"))
        self.new_button = QToolButton(self)
        self.new_button.setAccessibleName(self.tr("New thread"))
        self.menu_button = QToolButton(self)
        self.menu_button.setAccessibleName(self.tr("Menu"))
        self._buttons = self.list_button, self.new_button, self.menu_button
        self._label = self._make_label()
        self.project = QPushButton(self)
        self.project.setProperty("kind", "quiet")
        self.project.setMaximumWidth(PROJECT_WIDTH)
        self.project.hide()
        self.private_mark: tuple[QWidget, ...] = ()  # made for the first private thread
        self._title = self._project_name = ""
        self._private = self._list_shown = self._over_page = False
        self.make_menu: Callable[[], Menu] | None = None
        """Makes the window's menu as it is now; None until the panes are wired."""
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(self.list_button)
        row.addWidget(self.new_button)
        row.addSpacing(GRID)
        row.addSpacing(GRID)
        row.addWidget(self.project)
        row.addWidget(self._label, 1)
        row.addWidget(self.menu_button)
        self.list_button.clicked.connect(self.list_requested)
        self.new_button.clicked.connect(self.new_thread_requested)
        self.project.clicked.connect(self.project_requested)
        self.menu_button.clicked.connect(self._show_menu)
        self.set_list_shown(True)
        self._theme = theme
        for button, name in zip(self._buttons, ("sidebar", "compose", "more"), strict=True):
            button.setToolTip(button.accessibleName())
            set_icon(button, name, theme)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        font = theme.title_font()
        font.setPointSizeF(theme.points("body"))
        self._label.setFont(font)
        self.setFixedHeight(theme.pixels(HEIGHT))
        self._elide()

    def set_title(self, title: str) -> None:
        self._title = title
        self._label.setToolTip(title)
        self._label.setAccessibleName(self.tr("Thread: {title}").format(title=title))
        self._elide()

    def set_project(self, name: str) -> None:
        """The project of the open thread, before its title; "" for none."""
        self._project_name = name
        self.project.setToolTip(self.tr("Open project {name}").format(name=name))
        self.project.setAccessibleName(self.tr("Open project {name}").format(name=name))
        self._show_parts()
        self._elide()

    def set_private(self, private: bool) -> None:
        """Set whether the thread is kept in memory only, which stands before its title."""
        self._private = private
        if private and not self.private_mark:
            self.private_mark = self._make_private_mark()
        self._show_parts()

    def _make_private_mark(self) -> tuple[QWidget, ...]:
        from desktop_app.ui.widgets.fitting import ElidedLabel

        icon, words = QLabel(self), ElidedLabel(self)
        set_icon(icon, "private", self._theme, size=14)
        words.set_words(self.tr("Private: kept in memory only"))
        words.setProperty("tone", "secondary")
        words.setToolTip(self.tr("Only its usage is saved to disk. The thread is gone when Plimsoll closes."))
        self._theme.set_font("small", words)
        for place, part in enumerate((icon, words), BEFORE_TITLE):
            self._row.insertWidget(place, part)
        return icon, words

    def set_list_shown(self, shown: bool) -> None:
        """While the thread list is hidden its buttons stand here."""
        self._list_shown = shown
        self._show_parts()

    def set_over_page(self, over: bool) -> None:
        """Set whether a page has a header of its own here: of this one only the buttons lie over it."""
        from desktop_app.ui.shell import page_margins

        self._over_page = over
        if not over:
            page_margins.stand_in_bar(self, self._row, self._buttons)
        self._show_parts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._over_page:
            self._show_parts()
        self._elide()

    def _make_label(self) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setMinimumWidth(1)
        policy = label.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the menu button stays at the right
        label.setSizePolicy(policy)
        return label

    def _show_parts(self) -> None:
        """Over a page the thread beneath is not named."""
        page = self._over_page
        self._label.setVisible(not page)
        self.project.setVisible(bool(self._project_name) and not page)
        for part in self.private_mark:
            part.setVisible(self._private and not page)
        for button in self._buttons[:2]:
            button.setVisible(not self._list_shown)
        if page:
            from desktop_app.ui.shell import page_margins

            page_margins.stand_beside_column(self, self._row, self._buttons, list_shown=self._list_shown)

    def _elide(self) -> None:
        metrics = self.project.fontMetrics()
        most = min(PROJECT_WIDTH, self.width() // 3) - 3 * GRID
        self.project.setText(metrics.elidedText(self._project_name, Qt.TextElideMode.ElideRight, most))
        room = max(0, self._label.width())
        self._label.setText(self._label.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room))

    def _show_menu(self) -> None:
        if self.make_menu is not None:
            menu = self.make_menu()
            menu.setAccessibleName(self.menu_button.accessibleName())
            menu.open_at(self.menu_button, end=True)
