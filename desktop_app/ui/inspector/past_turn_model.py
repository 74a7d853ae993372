"""The turns of the Past tab as a Qt model, and their words. Uses no view and no request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop_app.core.context.costs import PastTurn
from desktop_app.core.model_catalog import shipped_name
from desktop_app.system_clock import local_day
from desktop_app.ui.i18n.amounts import dollars, thousands
from desktop_app.ui.i18n.language import grouped, tr

TURN_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `PastTurn` of a row."""
ANCHOR_ROLE = Qt.ItemDataRole.UserRole + 2
"""True for the turn that others are compared with."""
TIME_ROLE = Qt.ItemDataRole.UserRole + 3
"""When the turn was, as short as it can be told."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class PastTurnModel(QAbstractListModel):
    """Rows are turns, the newest first. `priced` are the backends whose calls cost money."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.priced: Collection[str] = ()
        self._turns: list[PastTurn] = []
        self._anchor: str | None = None

    def show_turns(self, turns: Sequence[PastTurn]) -> None:
        """Shows these turns; rows of turns that are there already stay where they are."""
        newest_first = list(reversed(turns))
        old = self._turns
        if [turn.answer.id for turn in newest_first[-len(old) :]] == [turn.answer.id for turn in old] and old:
            more = len(newest_first) - len(old)
            if more:
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
        """The turn of an answer."""
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
                return "\n".join(line for line in (" ".join(turn.question[:300].split()), self.rewriting(turn)) if line)
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
        """`1.2K in · 62K read · 3.1K written · 540 out`; what there was none of is left out."""
        usage = turn.answer.usage
        if usage is None:
            return tr("no counts reported") if turn.answer.state != "partial" else tr("answering")
        parts = (
            (usage.input, tr("{n} in")),
            (usage.cache_read, tr("{n} read")),
            (usage.cache_write, tr("{n} written")),
            (usage.output, tr("{n} out")),
        )
        return " · ".join(words.replace("{n}", thousands(n)) for n, words in parts if n)

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

    def rewriting(self, turn: PastTurn) -> str:
        """Return a sentence on what the rewriting of the cache meant; empty where it was not rewritten."""
        if turn.cache != "rewritten":
            return ""
        words = tr("Cache rewritten: {tokens} tokens were paid for again").format(tokens=grouped(turn.rewritten))
        if turn.answer.backend not in self.priced or not turn.extra_usd:
            return f"{words}."
        return tr("{what}, {price} more than reading them.").format(what=words, price=dollars(turn.extra_usd))

    def _spoken(self, turn: PastTurn) -> str:
        told = (self.heading(turn), self.counts(turn), self.price(turn), self.cache(turn))
        question = " ".join(turn.question[:120].split())
        again, word = self.rewriting(turn), tr("Turn")
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
    return locale.toString(shown.date(), QLocale.FormatType.ShortFormat)
