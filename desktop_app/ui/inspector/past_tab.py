"""The Past tab: the thread's turns as a Qt model and how one is painted, the request of one, the difference of two.

Reads no history."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSplitter,
    QWidget,
)

from desktop_app.core.context.costs import PastTurn
from desktop_app.core.model_catalog import shipped_name
from desktop_app.system.system_clock import local_day
from desktop_app.ui.i18n.content_words import cut_words, dollars, thousands
from desktop_app.ui.i18n.language import day, grouped, tr, translated
from desktop_app.ui.inspector.messages_tab import InspectorDelegate, RowTable
from desktop_app.ui.inspector.request_view import RequestView
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import Caption
from desktop_app.ui.widgets.parts import Stretch, button_in, in_column

TURN_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `PastTurn` of a row."""
ANCHOR_ROLE = Qt.ItemDataRole.UserRole + 2
"""True for the turn that others are compared with."""
TIME_ROLE = Qt.ItemDataRole.UserRole + 3
"""When the turn was, as short as it can be told."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class PastTurnModel(QAbstractListModel):
    """Rows are turns, the newest first. `priced` are the backends whose calls cost money.

    `reasons`: by answer's id, why it cost much more than the one before.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.priced: Collection[str] = ()
        self.reasons: Mapping[str, str] = {}
        self._turns: list[PastTurn] = []
        self._anchor: str | None = None

    def show_turns(self, turns: Sequence[PastTurn]) -> None:
        """Shows these turns; rows of turns that are there already stay where they are."""
        newest_first = list(reversed(turns))
        old = self._turns
        if [turn.answer.id for turn in newest_first[-len(old) :]] == [turn.answer.id for turn in old] and old:
            if more := len(newest_first) - len(old):
                self.beginInsertRows(_ROOT, 0, more - 1)
                self._turns = newest_first
                self.endInsertRows()
            self._turns = newest_first
            for place, before in enumerate(old, more):
                if before != newest_first[place]:
                    self.dataChanged.emit(self.index(place), self.index(place))
            return
        self.beginResetModel()
        self._turns = newest_first
        self.endResetModel()

    def turn(self, index: Index) -> PastTurn | None:
        return self._turns[index.row()] if index.isValid() and index.row() < len(self._turns) else None

    def turn_of(self, answer_id: str | None) -> PastTurn | None:
        return next((turn for turn in self._turns if turn.answer.id == answer_id), None)

    def index_of(self, answer_id: str | None) -> QModelIndex:
        for place, turn in enumerate(self._turns):
            if turn.answer.id == answer_id:
                return self.index(place)
        return _ROOT

    def beside(self, turn: PastTurn) -> PastTurn | None:
        """The turn before this one, or for the first one the turn after it."""
        numbers = {other.number: other for other in self._turns}
        return numbers.get(turn.number - 1) or numbers.get(turn.number + 1)

    def set_anchor(self, answer_id: str | None) -> None:
        """Marks the turn that others are compared with."""
        changed = [self.index_of(one) for one in (self._anchor, answer_id) if one is not None]
        self._anchor = answer_id
        for index in changed:
            if index.isValid():
                self.dataChanged.emit(index, index, [ANCHOR_ROLE])

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._turns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        turn = self._turns[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(turn)
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join(line for line in (" ".join(turn.question[:300].split()), self.remark(turn)) if line)
            case _ if role == TURN_ROLE:
                return turn
            case _ if role == ANCHOR_ROLE:
                return turn.answer.id == self._anchor
            case _ if role == TIME_ROLE:
                return told_time(turn.answer.created)
        return None

    def heading(self, turn: PastTurn) -> str:
        """`12 · 14:03 · Claude Opus 4.5`."""
        answer = turn.answer
        who = shipped_name(answer.model, answer.backend or "") if answer.model else answer.backend or ""
        return f"{turn.number} · {told_time(answer.created)} · {who}"

    def counts(self, turn: PastTurn) -> str:
        """`1.2K in · 62K read · 3.1K written · 540 out · stopped`; what there was none of is left out."""
        if (usage := turn.answer.usage) is None or not usage.is_counted:
            return cut_words(turn.answer) or tr("no counts reported")
        parts = (
            (usage.input, tr("{n} in")),
            (usage.cache_read, tr("{n} read")),
            (usage.cache_write, tr("{n} written")),
            (usage.output, tr("{n} out")),
        )
        counts = [words.replace("{n}", thousands(n)) for n, words in parts if n]
        return " · ".join(filter(None, [*counts, cut_words(turn.answer)]))

    def price(self, turn: PastTurn) -> str:
        """Return the cost of the call, where calls of its backend cost money."""
        usage = turn.answer.usage
        if usage is None or usage.cost_usd is None or turn.answer.backend not in self.priced:
            return ""
        return dollars(usage.cost_usd)

    def cache(self, turn: PastTurn) -> str:
        """Return the words on what became of the cache."""
        match turn.cache:
            case "kept":
                return tr("cache kept")
            case "written":
                return tr("cache written")
            case "rewritten":
                return tr("cache rewritten")
            case _:
                return ""

    def remark(self, turn: PastTurn) -> str:
        """Return a sentence on why a turn cost more; else on what the rewriting of the cache meant, if it was."""
        if why := self.reasons.get(turn.answer.id):
            return translated(why)
        if turn.cache != "rewritten":
            return ""
        words = tr("Cache rewritten: {tokens} tokens were paid for again").format(tokens=grouped(turn.rewritten))
        if turn.answer.backend not in self.priced or not turn.extra_usd:
            return f"{words}."
        return tr("{what}, {price} more than reading them.").format(what=words, price=dollars(turn.extra_usd))

    def _spoken(self, turn: PastTurn) -> str:
        told = (self.heading(turn), self.counts(turn), self.price(turn), self.cache(turn))
        question = " ".join(turn.question[:120].split())
        again, word = self.remark(turn), tr("Turn")
        return f"{word} {', '.join(one for one in told if one)}: {question}{f'. {again}' if again else ''}"


def told_time(created: str) -> str:
    """Local time of today's turns, the date of older ones."""
    try:
        moment = datetime.fromisoformat(created).astimezone()
    except ValueError:
        return ""
    locale = QLocale()
    shown = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    if moment.date() == local_day():
        return locale.toString(shown.time(), QLocale.FormatType.ShortFormat)
    return day(created)


ROW_HEIGHT = 44
"""Pixels at the default text size: two lines."""


class PastTurnDelegate(InspectorDelegate):
    """Two lines: number, time and model with the cache's fate; the counts with the price."""

    def __init__(self, theme: Theme, model: PastTurnModel, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._model = model

    def measured_height(self) -> int:
        self._line = max(18, round(self.small_metrics.height()) + 2)
        return max(ROW_HEIGHT, 2 * self._line + GRID)

    def paint_beneath_frame(self, painter: QPainter, place: QRectF, index: Index) -> None:
        if index.data(ANCHOR_ROLE):
            strip = QRectF(place.left(), place.top() + 4, 3, place.height() - 8)
            painter.fillRect(strip, self.theme.color("accent"))

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        turn = cast("PastTurn", index.data(TURN_ROLE))
        room = rect.adjusted(2 * GRID, 0, -2 * GRID, 0)
        top = room.center().y() - self._line
        role = "warning" if turn.cache == "rewritten" else "text-secondary"
        first = QRectF(room.left(), top, room.width(), self._line)
        self._paint_line(painter, first, (self._model.heading(turn), "text"), (self._model.cache(turn), role))
        second = first.translated(0, self._line)
        quiet = "text-secondary"
        self._paint_line(painter, second, (self._model.counts(turn), quiet), (self._model.price(turn), quiet))

    def _paint_line(self, painter: QPainter, box: QRectF, left: tuple[str, str], right: tuple[str, str]) -> None:
        """Each side is words and the role of their colour; the left one gives way."""
        painter.setFont(self.small)
        painter.setPen(self.theme.color(right[1]))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right[0])
        room = box.adjusted(0, 0, -(self.small_metrics.horizontalAdvance(right[0]) + GRID) if right[0] else 0, 0)
        painter.setPen(self.theme.color(left[1]))
        shown = self.small_metrics.elidedText(left[0], Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class TurnView(RowTable):
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
        self.compare = button_in(
            self.request,
            self.tr("Compare"),
            kind="quiet",
            name=self.tr("Compare with another turn"),
            tip=self.tr("Compare with another turn: pick it in the list"),
        )
        self.compare.setCheckable(True)
        self.request.buttons.insertWidget(2, self.compare)
        self.empty = Caption(theme, self)
        self.parts = QSplitter(Qt.Orientation.Vertical, self, handleWidth=1, childrenCollapsible=False)
        self.parts.addWidget(self.view)
        self.parts.addWidget(self.request)
        self.parts.setStretchFactor(0, 2)
        self.parts.setStretchFactor(1, 3)
        self._anchor: PastTurn | None = None
        in_column(self.empty, Stretch(0), (self.parts, 1), of=self, spacing=0, margins=0)
        self.view.reached.connect(self._reach)
        self.compare.toggled.connect(self._set_comparing)
        theme.set_font("small", self.compare)
        theme.follow(self._apply_theme)
        self.show_turns((), ())

    def _apply_theme(self) -> None:
        self.view.set_row_height(self._delegate.height)

    def show_turns(
        self, turns: Sequence[PastTurn], priced: Collection[str], reasons: Mapping[str, str] | None = None
    ) -> None:
        """Shows the turns of a path, oldest first; see `PastTurnModel`."""
        self.model.priced, self.model.reasons = priced, reasons or {}
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
        if (anchor := self._anchor) is None:
            self.turn_chosen.emit(turn)
        elif anchor.answer.id != turn.answer.id:
            earlier, later = sorted((anchor, turn), key=lambda one: one.number)
            self.comparison_wanted.emit(earlier, later)

    def _set_comparing(self, comparing: bool) -> None:
        turn = self.current_turn()
        anchor, self._anchor = self._anchor, turn if comparing else None
        self.model.set_anchor(self._anchor.answer.id if self._anchor is not None else None)
        if comparing and turn is not None:
            if (other := self.model.beside(turn)) is None:
                self.compare.setChecked(False)
            else:
                self.view.setCurrentIndex(self.model.index_of(other.answer.id))
        elif anchor is not None:
            index = self.model.index_of(anchor.answer.id)
            if index == self.view.currentIndex() and turn is not None:
                self.turn_chosen.emit(turn)
            elif index.isValid():
                self.view.setCurrentIndex(index)
