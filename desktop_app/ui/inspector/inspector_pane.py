"""The layout of the inspector's three tabs. No logic: presenters feed them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from desktop_app.ui.inspector.messages_tab import MessagesTab
from desktop_app.ui.inspector.past_tab import PastTab
from desktop_app.ui.inspector.request_view import RequestView
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets import KEEPS_FOCUS

TabName: TypeAlias = Literal["messages", "request", "past"]
TABS: Final[tuple[TabName, ...]] = ("messages", "request", "past")


class TabStrip(QTabBar):
    """Tabs that are all in view: where there is no room for their words these are elided, with a tip."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)

    def tabLayoutChange(self) -> None:
        for place in range(self.count()):
            whole = self.tabRect(place).width() >= self.tabSizeHint(place).width()
            self.setTabToolTip(place, "" if whole else self.tabText(place))


class InspectorPane(QWidget):
    """Messages, Request, Past. `tab_shown` comes when another one is looked at."""

    tab_shown = Signal(str)
    close_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(KEEPS_FOCUS, True)
        self.tabs = TabStrip(self)
        self.tabs.setAccessibleName(self.tr("Inspector sections"))
        for words in (self.tr("Messages"), self.tr("Request"), self.tr("Past")):
            self.tabs.addTab(words)
        self.close_button = QToolButton(self)
        self.close_button.setAccessibleName(self.tr("Close the inspector"))
        self.close_button.setToolTip(self.tr("Close the inspector"))
        self.messages = MessagesTab(theme, self)
        self.request = RequestView(theme, self)
        self.past = PastTab(theme, self)
        self._stack = QStackedWidget(self)
        for tab in (self.messages, self.request, self.past):
            self._stack.addWidget(tab)
        top = QHBoxLayout()
        top.setContentsMargins(GRID, 0, GRID, 0)
        top.addWidget(self.tabs)
        top.addStretch(1)
        top.addWidget(self.close_button)
        self._head = head = QWidget(self)
        head.setLayout(top)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        rule = QFrame(self)
        rule.setProperty("kind", "rule")
        rule.setFixedHeight(1)
        column.addWidget(rule)
        column.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._show_tab)
        self.close_button.clicked.connect(self.close_requested)
        self._theme = theme
        theme.set_font("small", self.tabs)
        set_icon(self.close_button, "close", theme)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._head.setFixedHeight(self._theme.pixels(6 * GRID))

    @property
    def tab(self) -> TabName:
        """Which tab is looked at."""
        return TABS[self.tabs.currentIndex()]

    def show_tab(self, name: TabName) -> None:
        """Looks at a tab."""
        self.tabs.setCurrentIndex(TABS.index(name))

    def focus_inside(self) -> None:
        """Gives the keyboard to what the tab is about."""
        if self.tab == "messages":
            self.messages.view.focus_rows()
        elif self.tab == "request":
            self.request.text.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.past.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_tab(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        self.tab_shown.emit(TABS[place])
