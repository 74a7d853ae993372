"""Owns the button that says what will answer, and the menu to choose another. Knows no backend, only choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

MINIMUM_WIDTH = 120
PADDING = 18
"""Pixels of the button's own border and padding, left and right together."""
DETAIL_SHOWN = 56
"""Characters of what a backend lacks that its heading in the menu shows; the rest is in the tooltip."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model on offer. `window` in tokens, 0 where it is unknown; `detail` says why an unavailable one is."""

    backend: str
    backend_title: str
    model: str
    model_name: str
    window: int = 0
    available: bool = True
    detail: str = ""


def _elided(words: str) -> str:
    return words if len(words) <= DETAIL_SHOWN else words[:DETAIL_SHOWN].rstrip() + "…"


def window_words(tokens: int) -> str:
    """A window for people: 200K, 1M; empty where it is unknown."""
    if tokens <= 0:
        return ""
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
    return f"{round(tokens / 1000)}K"


class ModelPicker(QPushButton):
    """Shows `Sonnet 5.5 · Claude program`; a click asks for the choices, which `show_choices` then opens."""

    choices_requested = Signal()
    model_chosen = Signal(str, str)  # backend, model
    connections_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "quiet")
        self.clicked.connect(self.choices_requested)
        self._menu: QMenu | None = None
        self._shown: tuple[ModelChoice, ...] = ()
        self.show_choice(None)

    def minimumSizeHint(self) -> QSize:
        """A narrow window elides the words instead of growing."""
        whole = super().minimumSizeHint()
        return QSize(min(MINIMUM_WIDTH, whole.width()), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - PADDING)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()

    @property
    def menu_shown(self) -> QMenu | None:
        """The open menu."""
        return self._menu

    def show_choice(self, choice: ModelChoice | None) -> None:
        """What will answer; None while nothing is chosen."""
        self._choice = choice
        words = self.tr("Choose a model") if choice is None else f"{choice.model_name} · {choice.backend_title}"
        self.setText(words)
        self.setAccessibleName(self.tr("Model: {words}").format(words=words))

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Opens the menu, grouped by backend, each model with its window at the right."""
        menu = self._menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(self._forget)
        self._fill(menu, choices)
        menu.popup(self._above(menu))

    def update_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Shows later facts in the open menu; what the keyboard or the pointer is on stays marked."""
        menu = self._menu
        if menu is None or self._shown == tuple(choices):
            return
        active = menu.activeAction()
        marked = active.text() if active is not None else ""
        menu.clear()
        self._fill(menu, choices)
        menu.move(self._above(menu))
        again = next((action for action in menu.actions() if marked and action.text() == marked), None)
        if again is not None:
            menu.setActiveAction(again)

    def _above(self, menu: QMenu) -> QPoint:
        return self.mapToGlobal(QPoint(0, -menu.sizeHint().height()))

    def _fill(self, menu: QMenu, choices: Sequence[ModelChoice]) -> None:
        self._shown = tuple(choices)
        group = QActionGroup(menu)
        for title, members in groupby(choices, key=lambda choice: choice.backend_title):
            self._add_group(menu, group, title, tuple(members))
            menu.addSeparator()
        connections = QAction(self.tr("Set up a connection…"), menu)
        connections.triggered.connect(self.connections_requested)
        menu.addAction(connections)

    def _add_group(self, menu: QMenu, group: QActionGroup, title: str, members: Sequence[ModelChoice]) -> None:
        heading = QAction(title, menu)
        heading.setEnabled(False)
        menu.addAction(heading)
        for choice in members:
            if not choice.available:
                heading.setText(_elided(f"{title} · {choice.detail}"))
                heading.setToolTip(choice.detail)
                break
            # What stands after the tab is set flush right by the menu.
            action = QAction(f"{choice.model_name}\t{window_words(choice.window)}", menu)
            action.setCheckable(True)
            current = self._choice
            action.setChecked(
                current is not None and (current.backend, current.model) == (choice.backend, choice.model)
            )
            action.triggered.connect(partial(self.model_chosen.emit, choice.backend, choice.model))
            group.addAction(action)
            menu.addAction(action)

    def _forget(self) -> None:
        if self._menu is not None:
            self._menu.deleteLater()
            self._menu = None
