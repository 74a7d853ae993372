"""The Past tab: the turns of the thread, the request of one of them, the difference of two. Reads no history."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.context.costs import PastTurn
from desktop_app.ui.inspector.past_turn_delegate import PastTurnDelegate
from desktop_app.ui.inspector.past_turn_model import TURN_ROLE, PastTurnModel
from desktop_app.ui.inspector.request_view import RequestView
from desktop_app.ui.inspector.row_table import RowTable
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.fitting import Caption

Index = QModelIndex | QPersistentModelIndex


class TurnView(RowTable):
    """The list of turns."""

    reached = Signal(object)  # PastTurn

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        turn = current.data(TURN_ROLE) if current.isValid() else None
        if isinstance(turn, PastTurn):
            self.reached.emit(turn)


class PastTab(QWidget):
    """`turn_chosen` asks for the request of a turn, `comparison_wanted(earlier, later)` for their difference."""

    turn_chosen = Signal(object)  # PastTurn
    comparison_wanted = Signal(object, object)  # PastTurn, PastTurn

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.model = PastTurnModel(self)
        self.view = TurnView(self)
        self.view.setAccessibleName(self.tr("Past turns"))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setModel(self.model)
        self._delegate = PastTurnDelegate(theme, self.model, self.view)
        self.view.setItemDelegate(self._delegate)
        self.request = RequestView(theme, self)
        self.compare = QPushButton(self.tr("Compare"), self.request)
        self.compare.setCheckable(True)
        self.compare.setProperty("kind", "quiet")
        self.compare.setAccessibleName(self.tr("Compare with another turn"))
        self.compare.setToolTip(self.tr("Compare with another turn: pick it in the list"))
        self.request.buttons.insertWidget(2, self.compare)
        self.empty = Caption(theme, self)
        self.parts = QSplitter(Qt.Orientation.Vertical, self)
        self.parts.setHandleWidth(1)
        self.parts.setChildrenCollapsible(False)
        self.parts.addWidget(self.view)
        self.parts.addWidget(self.request)
        self.parts.setStretchFactor(0, 2)
        self.parts.setStretchFactor(1, 3)
        self._anchor: PastTurn | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.empty)
        column.addStretch(0)
        column.addWidget(self.parts, 1)
        self.view.reached.connect(self._reach)
        self.compare.toggled.connect(self._set_comparing)
        theme.set_font("small", self.compare)
        theme.follow(self._apply_theme)
        self.show_turns((), ())

    def _apply_theme(self) -> None:
        self.view.set_row_height(self._delegate.height)

    def show_turns(self, turns: Sequence[PastTurn], priced: Collection[str]) -> None:
        """Shows the turns of a path, oldest first; `priced` are the backends whose calls cost money."""
        self.model.priced = priced
        self.model.show_turns(turns)
        self.empty.say("" if turns else self.tr("Nothing has been sent in this thread yet."))
        self.parts.setVisible(bool(turns))
        if self._anchor is not None and self.model.turn_of(self._anchor.answer.id) is None:
            self.compare.setChecked(False)
        if turns and not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self.model.index(0))
        elif not turns:
            self.request.say("")

    def current_turn(self) -> PastTurn | None:
        """The turn that is chosen in the list."""
        return self.model.turn(self.view.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.compare.isChecked():
            self.compare.setChecked(False)
        else:
            super().keyPressEvent(event)

    def _reach(self, turn: PastTurn) -> None:
        anchor = self._anchor
        if anchor is None:
            self.turn_chosen.emit(turn)
        elif anchor.answer.id != turn.answer.id:
            earlier, later = sorted((anchor, turn), key=lambda one: one.number)
            self.comparison_wanted.emit(earlier, later)

    def _set_comparing(self, comparing: bool) -> None:
        turn = self.current_turn()
        anchor, self._anchor = self._anchor, turn if comparing else None
        self.model.set_anchor(self._anchor.answer.id if self._anchor is not None else None)
        if comparing and turn is not None:
            other = self.model.beside(turn)
            if other is None:
                self.compare.setChecked(False)
            else:
                self.view.setCurrentIndex(self.model.index_of(other.answer.id))
        elif anchor is not None:
            index = self.model.index_of(anchor.answer.id)
            if index == self.view.currentIndex() and turn is not None:
                self.turn_chosen.emit(turn)
            elif index.isValid():
                self.view.setCurrentIndex(index)
