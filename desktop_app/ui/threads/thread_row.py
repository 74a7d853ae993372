"""A row of the thread list: what Qt's views ask of a heading and of a thread. Shared by model, list and delegate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt

from desktop_app.core.messages import Thread
from desktop_app.system_clock import utc_now
from desktop_app.ui.i18n.dates import ago, moment
from desktop_app.ui.i18n.language import listed_title, title_of, tr
from desktop_app.ui.threads.thread_grouping import FOUND, PROJECT

THREAD_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Thread` of a row; None for a heading."""
MARK_ROLE = Qt.ItemDataRole.UserRole + 2
"""The row's `Mark`."""
GROUP_ROLE = Qt.ItemDataRole.UserRole + 3
"""The `ThreadGroupRow` of a heading; None for a thread."""
TIME_ROLE = Qt.ItemDataRole.UserRole + 4
"""The role of the time since the thread was changed, in few words."""

Mark: TypeAlias = Literal["", "running", "unread", "failed"]
"""The mark of a thread: an answer is coming, one ended unseen, one failed unseen."""


@dataclass(frozen=True, slots=True)
class ThreadGroupRow:
    """A heading: `count` threads belong to it, shown or (`collapsed`) not."""

    key: str
    heading: str
    count: int
    collapsed: bool

    @property
    def folds(self) -> bool:
        """True where its threads can be hidden."""
        return self.key != FOUND

    @property
    def project(self) -> str | None:
        """The id of the project whose threads these are; None for another group."""
        return self.key.removeprefix(PROJECT) if self.key.startswith(PROJECT) else None


def group_data(row: ThreadGroupRow, role: int) -> object:
    """Return a heading's data for a role."""
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
        return row.heading
    if role == GROUP_ROLE:
        return row
    if role != Qt.ItemDataRole.AccessibleTextRole:
        return None
    from desktop_app.ui.threads.thread_row_words import spoken_group  # for screen readers: no start waits for it

    return spoken_group(row.heading, row.count, collapsed=row.collapsed)


def thread_data(thread: Thread, mark: Mark, role: int) -> object:
    """Return a thread row's data for a role."""
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return listed_title(thread)
        case Qt.ItemDataRole.EditRole:
            return title_of(thread)
        case Qt.ItemDataRole.ToolTipRole:
            return f"{listed_title(thread)}\n{moment(thread.updated)}"
        case Qt.ItemDataRole.AccessibleTextRole:
            from desktop_app.ui.threads.thread_row_words import spoken_thread

            return spoken_thread(thread, mark)
        case _:
            return ago(thread.updated, utc_now()) if role == TIME_ROLE else None


def heading_words(name: str) -> str:
    """The heading of a group by its English one."""
    return {
        "Pinned": tr("Pinned"),
        "Today": tr("Today"),
        "Yesterday": tr("Yesterday"),
        "Previous 7 days": tr("Previous 7 days"),
    }[name]
