"""The top of a wrong word's menu: the words that may have been meant, also where they are known only later."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.spelling.speller import Speller


class Suggestions(QObject):
    """Lives with its menu, at whose top it stands. `chosen(suggestion)`."""

    chosen = Signal(str)

    def __init__(self, menu: QMenu, speller: Speller, word: str) -> None:
        super().__init__(menu)
        self._menu = menu
        self._speller = speller
        self._word = word
        self._shown: list[QAction] = []
        known = speller.suggestions(word)
        if known is None:
            self._show([self._told(tr("Looking for suggestions…"))])
            speller.suggested.connect(self._come)
            speller.suggest(word)
        else:
            self._show(self._known(known))

    def _come(self, word: str) -> None:
        """Show the words that came in the open menu; all entries below keep their place under the pointer."""
        if word != self._word:
            return
        self._speller.suggested.disconnect(self._come)
        known = self._speller.suggestions(word)
        before = self._menu.sizeHint()
        self._show(
            self._known(known)
            if known is not None
            else [self._told(tr("Suggestions could not be looked up"))]  # its process ended over them
        )
        if self._menu.isVisible():
            size, area = self._menu.sizeHint(), self._menu.screen().availableGeometry()
            place = self._menu.pos()
            top = max(area.top(), place.y() + before.height() - size.height())
            left = max(area.left(), min(place.x(), area.right() + 1 - size.width()))
            self._menu.setGeometry(left, top, size.width(), size.height())

    def _known(self, suggestions: tuple[str, ...]) -> list[QAction]:
        actions = []
        for suggestion in suggestions:
            action = QAction(suggestion.replace("&", "&&"), self._menu)
            font = action.font()
            font.setBold(True)
            action.setFont(font)
            action.triggered.connect(lambda _down=False, text=suggestion: self.chosen.emit(text))
            actions.append(action)
        return actions or [self._told(tr("No suggestions"))]

    def _told(self, words: str) -> QAction:
        action = QAction(words, self._menu)
        action.setEnabled(False)
        return action

    def _show(self, actions: list[QAction]) -> None:
        below = self._menu.actions()
        first = next((action for action in below if action not in self._shown), None)
        if first is None:
            self._menu.addActions(actions)
        else:
            self._menu.insertActions(first, actions)
        for action in self._shown:
            self._menu.removeAction(action)
            action.deleteLater()
        self._shown = actions
