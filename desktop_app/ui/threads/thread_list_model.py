"""Owns the rows of the thread list as a Qt model: headings and threads, filtered by title. Knows no view.

A change of one thread moves, adds or removes single rows, so that a view keeps its place and its selection.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    Signal,
)

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.system_clock import local_day, utc_now
from desktop_app.ui.i18n.dates import month_of_year
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.i18n.relative_times import ago, moment
from desktop_app.ui.i18n.thread_words import listed_title, title_of
from desktop_app.ui.threads.thread_grouping import FOUND, PROJECT, found_threads, group_threads

if TYPE_CHECKING:  # loaded when few titles hold what is typed
    from desktop_app.ui.threads.mistyped_titles import MistypedTitles

THREAD_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Thread` of a row; None for a heading."""
MARK_ROLE = Qt.ItemDataRole.UserRole + 2
"""The row's `Mark`."""
GROUP_ROLE = Qt.ItemDataRole.UserRole + 3
"""The `ThreadGroupRow` of a heading; None for a thread."""
TIME_ROLE = Qt.ItemDataRole.UserRole + 4
"""How long ago the thread was changed, in few words."""

Mark: TypeAlias = Literal["", "running", "unread", "failed"]
"""What a thread is marked with: an answer is coming, one ended unseen, one failed unseen."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
HEADING = "#"
"""What the name of a heading's row begins with: no thread's id begins so."""
_ENOUGH = 20
"""Titles with every word as typed beside which nobody looks for others."""
_FEW = 60
"""Rows that come and go one by one; where more do, the list is made anew."""


@dataclass(frozen=True, slots=True)
class ThreadGroupRow:
    """A heading: `count` threads belong to it, shown or (`collapsed`) not."""

    key: str
    heading: str
    count: int
    collapsed: bool

    @property
    def folds(self) -> bool:
        """Whether its threads can be hidden."""
        return self.key != FOUND

    @property
    def project(self) -> str | None:
        """The id of the project whose threads these are; None for another group."""
        return self.key.removeprefix(PROJECT) if self.key.startswith(PROJECT) else None


class ThreadListModel(QStringListModel):
    """Rows are headings and `Thread`s. `renamed(id, title)` and `project_renamed(id, name)` are wishes; the model
    changes when they came true.

    Qt keeps the names of the rows, this class what stands for each: a view that lays out 10,000 rows asks for every
    index, which takes 20 ms where each question comes to Python, and none here.
    """

    renamed = Signal(str, str)
    project_renamed = Signal(str, str)
    about_to_arrange = Signal()
    arranged = Signal()  # rows may stand in other places now

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads: dict[str, ThreadSummary] = {}
        self._projects: dict[str, str] = {}
        self._archived_projects: frozenset[str] = frozenset()
        self._rows: dict[str, ThreadGroupRow | Thread] = {}
        self._names: list[str] = []
        self._row_of: dict[str, int] = {}
        self._closed_over: dict[str, str] = {}  # threads that a closed group hides, and its key
        self._marks: dict[Mark, set[str]] = {"running": set(), "failed": set(), "unread": set()}
        self._collapsed: set[str] = set()
        self._filter: tuple[str, ...] = ()
        self._folded: dict[str, str] = {}  # titles without letter case, while a filter is set
        self._slips: MistypedTitles | None = None  # once a word may be mistyped
        self._archived = False
        self._blank: str | None = None
        self._held = self._stale = False
        self._together = 0
        self._day = local_day()

    # --- what is in it

    def set_threads(self, summaries: Sequence[ThreadSummary]) -> None:
        """Replaces everything; what ended unseen is marked."""
        self._threads = {summary.thread.id: summary for summary in summaries}
        self._marks["failed"] = {one.thread.id for one in summaries if one.failed}
        self._marks["unread"] = {one.thread.id for one in summaries if one.unread and not one.failed}
        self._arrange()

    def set_projects(self, names: Mapping[str, str], archived: frozenset[str] = frozenset()) -> None:
        """The names of all projects by id, and which of them are archived."""
        if (self._projects, self._archived_projects) != (names, archived):
            self._projects, self._archived_projects = dict(names), frozenset(archived)
            self._arrange()

    def put_thread(self, thread: Thread) -> None:
        """Adds a thread or shows its new facts."""
        known = self._threads.get(thread.id)
        self._threads[thread.id] = ThreadSummary(thread, known.messages if known else 0)
        if known is not None and self._stays(known.thread, thread):
            self._stale = self._stale or known.thread.updated != thread.updated
            self._show_in_place(thread)
        else:
            self._arrange(thread.id)

    def set_draft(self, thread_id: str, draft: str) -> None:
        """Shows what stands in the composer of a thread that has no title yet."""
        known = self._threads.get(thread_id)
        if known is not None and not known.thread.title and known.thread.draft != draft:
            thread = replace(known.thread, draft=draft)
            self._threads[thread_id] = replace(known, thread=thread)
            if thread_id in self._row_of:
                self._show_in_place(thread)

    def remove_thread(self, thread_id: str) -> None:
        for marked in self._marks.values():
            marked.discard(thread_id)
        if self._threads.pop(thread_id, None) is not None:
            self._arrange(thread_id)

    @contextmanager
    def together(self) -> Iterator[None]:
        """What comes, changes and goes within is arranged once, at the end: each time takes as long as all rows do."""
        self._together += 1
        try:
            yield
        finally:
            self._together -= 1
            self._arrange()

    def thread_of(self, thread_id: str) -> Thread | None:
        summary = self._threads.get(thread_id)
        return summary.thread if summary else None

    def threads(self) -> Sequence[ThreadSummary]:
        """All threads, shown or filtered out, in no order."""
        return tuple(self._threads.values())

    def archived_count(self) -> int:
        return sum(1 for summary in self._threads.values() if summary.thread.archived)

    def projects(self) -> list[tuple[str, str]]:
        """Id and name of the projects that threads can be moved to, by name."""
        offered = ((one, name) for one, name in self._projects.items() if one not in self._archived_projects)
        return sorted(offered, key=lambda one: (one[1].casefold(), one))

    def project_name(self, project: str | None) -> str:
        """The name of a project; "" for none."""
        return self._projects.get(project or "", project or "")

    # --- how it is shown

    def set_filter(self, words: str) -> None:
        """Shows only threads whose title holds every word; letter case does not matter, nor a slip where few do."""
        self._filter = tuple(words.casefold().split())
        if not self._filter:
            self._folded.clear()
            self._slips = None
        self._arrange()

    def show_archived(self, archived: bool) -> None:
        """Whether the archived threads are listed, or all others."""
        self._archived = archived
        self._arrange()

    @property
    def archived(self) -> bool:
        return self._archived

    def set_collapsed(self, key: str, collapsed: bool) -> None:
        """Shows or hides the threads of a group. A filter shows them all the same."""
        (self._collapsed.add if collapsed else self._collapsed.discard)(key)
        self._arrange()

    def reveal(self, thread_id: str) -> None:
        """Opens the group that hides a thread, if one does."""
        key = self._closed_over.get(thread_id)
        if key is not None:
            self.set_collapsed(key, False)

    def close_groups(self, keys: Iterable[str]) -> None:
        """The groups that were closed when the window was used last; before there are threads."""
        self._collapsed = set(keys)

    def lasting_closed_groups(self) -> list[str]:
        """The closed groups but projects, which are often opened."""
        return [key for key in self._collapsed if not key.startswith(PROJECT)]

    def set_blank(self, thread_id: str | None) -> None:
        """The open thread, where nothing stands in it any more: it has no row until something does again."""
        before, self._blank = self._blank, thread_id
        if before != thread_id:
            self._arrange()

    def hold(self, held: bool) -> None:
        """While held, a thread that was only updated stays where it is: somebody is about to click."""
        self._held = held
        if not held and self._stale:
            self._arrange()

    def look_at_the_day(self) -> None:
        """Sorts anew where midnight has passed."""
        if local_day() != self._day:
            self._arrange()

    # --- marks

    def set_mark(self, thread_id: str, mark: Mark, on: bool) -> None:
        """Puts a mark on a thread or takes it away; it may have several, of which one is shown."""
        marked = self._marks[mark]
        if (thread_id in marked) == on:
            return
        (marked.add if on else marked.discard)(thread_id)
        index = self.index_of(thread_id)
        if index.isValid():
            self.dataChanged.emit(index, index, [MARK_ROLE, Qt.ItemDataRole.AccessibleTextRole])

    def marked(self, mark: Mark) -> Collection[str]:
        """The ids of the threads with a mark."""
        return frozenset(self._marks[mark])

    # --- rows

    def index_of(self, thread_id: str | None) -> QModelIndex:
        """The row of a thread; invalid while it is not shown."""
        row = self._row_of.get(thread_id or "")
        return _ROOT if row is None else self.index(row)

    def threads_between(self, first: int, last: int) -> list[str]:
        """The ids of the threads in these rows; nothing is asked of Qt, as all 10,000 may be selected."""
        return [name for name in self._names[first : last + 1] if not name.startswith(HEADING)]

    def group_at(self, row: int) -> ThreadGroupRow | None:
        """The heading over a row, or the row itself where it is one; None outside of the list."""
        for place in range(min(row, len(self._names) - 1), -1, -1):
            found = self._rows[self._names[place]]
            if isinstance(found, ThreadGroupRow):
                return found
        return None

    def row_of_group(self, key: str) -> int:
        """The row of a heading; -1 where there is none."""
        return self._row_of.get(_heading_name(key), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._at(index)
        if isinstance(row, ThreadGroupRow):
            return _group_data(row, role)
        if row is None or role == THREAD_ROLE:
            return row
        if role == MARK_ROLE:
            return self._mark(row.id)
        return _thread_data(row, self._mark(row.id), role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self._at(index)
        title = " ".join(str(value).split())
        if isinstance(row, ThreadGroupRow):
            if role == Qt.ItemDataRole.EditRole and row.project is not None and title and title != row.heading:
                self.project_renamed.emit(row.project, title)
                return True
            return False
        if role != Qt.ItemDataRole.EditRole or not isinstance(row, Thread) or not title or title == row.title:
            return False
        self.renamed.emit(row.id, title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self._at(index) if index.isValid() else None
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        if isinstance(row, ThreadGroupRow):
            named = row.project is not None
            return Qt.ItemFlag.ItemIsEnabled | (Qt.ItemFlag.ItemIsEditable if named else Qt.ItemFlag.NoItemFlags)
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    # --- inside

    def _mark(self, thread_id: str) -> Mark:
        return next((mark for mark, marked in self._marks.items() if thread_id in marked), "")

    def _stays(self, before: Thread, after: Thread) -> bool:
        """Whether a thread's new facts leave it in its place."""
        if after.id not in self._row_of or (self._filter and before.title != after.title):
            return False
        place = (before.pinned, before.archived, before.project) == (after.pinned, after.archived, after.project)
        return place and (self._held or before.updated == after.updated)

    def _at(self, index: Index) -> ThreadGroupRow | Thread | None:
        """What stands in a row; None for one that is just coming."""
        return self._rows.get(super().data(index, Qt.ItemDataRole.DisplayRole))

    def _folded_title(self, thread: Thread) -> str:
        title = listed_title(thread)
        folded = self._folded.get(title)
        if folded is None:
            folded = self._folded[title] = title.casefold()
        return folded

    def _mistyped(self, every: Sequence[ThreadSummary]) -> Sequence[ThreadSummary]:
        """The threads that may be meant where a word of the filter is mistyped."""
        if self._slips is None:
            from desktop_app.ui.threads.mistyped_titles import MistypedTitles

            self._slips = MistypedTitles()
        return self._slips.among(every, self._filter, self._folded.values(), self._folded_title)

    def _show_in_place(self, thread: Thread) -> None:
        self._rows[thread.id] = thread
        index = self.index(self._row_of[thread.id])
        self.dataChanged.emit(index, index)

    def _arrange(self, changed: str = "") -> None:
        """Makes the rows anew; `changed` is the one thread that may have left its place, "": any may."""
        if self._together:
            return
        self._day, self._stale = local_day(), False
        every = found = [one for one in self._threads.values() if one.thread.id != self._blank]
        for word in self._filter:
            found = [one for one in found if word in self._folded_title(one.thread)]
        rows: dict[str, ThreadGroupRow | Thread] = {}
        self._closed_over = {}
        if self._filter:
            mistyped = self._mistyped(every) if len(found) < _ENOUGH else ()
            groups = found_threads(found, mistyped, tr("Threads"), archived=self._archived)
        else:
            groups = group_threads(
                *(found, self._day, _heading, month_of_year, self._projects),
                always=self._projects.keys() - self._archived_projects,
                archived=self._archived,
            )
        for group in groups:
            is_empty = not group.threads  # a project without threads: there is nothing to open
            collapsed = (group.key in self._collapsed or is_empty) and not self._filter
            rows[_heading_name(group.key)] = ThreadGroupRow(group.key, group.heading, len(group.threads), collapsed)
            if collapsed:
                self._closed_over.update((summary.thread.id, group.key) for summary in group.threads)
            else:
                rows.update([(summary.thread.id, summary.thread) for summary in group.threads])
        self.about_to_arrange.emit()
        names = list(rows)
        if not self._moved_one_by_one(rows, names, changed):
            self._rows = rows
            self.setStringList(names)
        self._rows, self._names = rows, names
        self._row_of = dict(zip(names, range(len(names)), strict=True))
        if names:
            self.dataChanged.emit(self.index(0), self.index(len(names) - 1))
        self.arranged.emit()

    def _moved_one_by_one(self, rows: dict[str, ThreadGroupRow | Thread], names: list[str], changed: str) -> bool:
        """Brings the rows to what they are to be by few single steps; False where that takes many."""
        if abs(len(self._names) - len(names)) > _FEW:
            return False
        old = list(self._names)
        here = set(old)
        come = {name for name in names if name not in here}
        gone = {name for name in old if name not in rows}
        if len(gone) + len(come) > _FEW:
            return False
        stay = [name for name in names if name not in come]
        if _without(old, {*gone, changed}) != _without(stay, {changed}):
            return False
        self._rows = self._rows | rows
        for name in gone:
            place = old.index(name)
            del old[place]
            self.removeRows(place, 1)
        if changed in rows and changed not in come:
            start, end = old.index(changed), stay.index(changed)
            if start != end:
                self.moveRows(_ROOT, start, 1, _ROOT, end + (end > start))
        for place in sorted(names.index(name) for name in come):
            self.insertRows(place, 1)
            super().setData(self.index(place), names[place])
        return True


def _heading_name(key: str) -> str:
    return HEADING + key


def _without(names: list[str], some: set[str]) -> list[str]:
    return [name for name in names if name not in some]


def _group_data(row: ThreadGroupRow, role: int) -> object:
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
        return row.heading
    if role == GROUP_ROLE:
        return row
    if role != Qt.ItemDataRole.AccessibleTextRole:
        return None
    from desktop_app.ui.threads.thread_row_words import spoken_group  # for screen readers: no start waits for it

    return spoken_group(row.heading, row.count, collapsed=row.collapsed)


def _thread_data(thread: Thread, mark: Mark, role: int) -> object:
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


def _heading(name: str) -> str:
    return {
        "Pinned": tr("Pinned"),
        "Today": tr("Today"),
        "Yesterday": tr("Yesterday"),
        "Previous 7 days": tr("Previous 7 days"),
    }[name]
