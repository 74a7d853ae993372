"""Owns the rows of the thread list as a Qt model: headings and threads, filtered by title. Knows no view."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.ui.threads.grouping import group_threads

THREAD_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Thread` of a row; None for a heading."""
RUNNING_ROLE = Qt.ItemDataRole.UserRole + 2
"""True while an answer streams in the row's thread."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ThreadListModel(QAbstractListModel):
    """Rows are headings (`str`) and `Thread`s. `renamed(id, title)` is a wish; the model changes when it came true."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads: dict[str, ThreadSummary] = {}
        self._rows: list[str | Thread] = []
        self._row_of: dict[str, int] = {}
        self._running: set[str] = set()
        self._filter = ""

    def set_threads(self, summaries: Sequence[ThreadSummary]) -> None:
        """Replaces everything."""
        self._threads = {summary.thread.id: summary for summary in summaries}
        self._arrange()

    def put_thread(self, thread: Thread) -> None:
        """Adds a thread or shows its new facts."""
        known = self._threads.get(thread.id)
        self._threads[thread.id] = ThreadSummary(thread, known.messages if known else 0)
        self._arrange()

    def remove_thread(self, thread_id: str) -> None:
        if self._threads.pop(thread_id, None) is not None:
            self._arrange()

    def set_filter(self, words: str) -> None:
        """Shows only threads whose title holds every word; letter case does not matter."""
        self._filter = words.casefold()
        self._arrange()

    def set_running(self, thread_id: str, running: bool) -> None:
        (self._running.add if running else self._running.discard)(thread_id)
        row = self._row_of.get(thread_id)
        if row is not None:
            index = self.index(row)
            self.dataChanged.emit(index, index, [RUNNING_ROLE, Qt.ItemDataRole.AccessibleTextRole])

    def thread_of(self, thread_id: str) -> Thread | None:
        summary = self._threads.get(thread_id)
        return summary.thread if summary else None

    def threads(self) -> Sequence[ThreadSummary]:
        """All threads, shown or filtered out, in no order."""
        return tuple(self._threads.values())

    def index_of(self, thread_id: str | None) -> QModelIndex:
        """The row of a thread; invalid while it is filtered out."""
        row = self._row_of.get(thread_id or "")
        return _ROOT if row is None else self.index(row)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if isinstance(row, str):
            return row if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) else None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole | Qt.ItemDataRole.ToolTipRole:
                return title_of(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                answering = QCoreApplication.translate("Threads", "{title}, answering")
                return answering.format(title=title_of(row)) if row.id in self._running else title_of(row)
            case _:
                return {THREAD_ROLE: row, RUNNING_ROLE: row.id in self._running}.get(role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self._rows[index.row()]
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or isinstance(row, str) or not title or title == row.title:
            return False
        self.renamed.emit(row.id, title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def _arrange(self) -> None:
        words = self._filter.split()
        found = (
            summary
            for summary in self._threads.values()
            if not words or all(word in title_of(summary.thread).casefold() for word in words)
        )
        rows: list[str | Thread] = []
        for group in group_threads(found, date.today(), _heading, _month):
            rows.append(group.heading)
            rows.extend(summary.thread for summary in group.threads)
        if [_identity(row) for row in rows] == [_identity(row) for row in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self._row_of = {row.id: place for place, row in enumerate(rows) if not isinstance(row, str)}
        self.endResetModel()


def title_of(thread: Thread) -> str:
    """What the list shows for a thread."""
    return thread.title or QCoreApplication.translate("Threads", "New thread")


def _identity(row: str | Thread) -> str:
    return f"#{row}" if isinstance(row, str) else row.id


def _heading(name: str) -> str:
    return {
        "Pinned": QCoreApplication.translate("Threads", "Pinned"),
        "Today": QCoreApplication.translate("Threads", "Today"),
        "Yesterday": QCoreApplication.translate("Threads", "Yesterday"),
        "Previous 7 days": QCoreApplication.translate("Threads", "Previous 7 days"),
    }[name]


def _month(first: date) -> str:
    return f"{QLocale().standaloneMonthName(first.month)} {first.year}"
