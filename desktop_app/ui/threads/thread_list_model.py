"""The rows of the thread list as a Qt model: headings and threads, filtered by title. Uses no view.

A change of one thread moves, adds or removes single rows, so that a view keeps its place and its selection.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QStringListModel, Qt, Signal

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.system.system_clock import local_day
from desktop_app.ui.i18n.language import month_of_year, tr
from desktop_app.ui.threads.thread_rows import (
    FOUND,
    MARK_ROLE,
    PREVIEW_ROLE,
    PROJECT,
    THREAD_ROLE,
    Mark,
    ThreadGroup,
    ThreadGroupRow,
    group_data,
    group_key,
    group_threads,
    heading_words,
    thread_data,
)
from desktop_app.ui.widgets.parts import single_shot

if TYPE_CHECKING:  # loaded when somebody searches, or wants second lines
    from desktop_app.ui.threads.thread_row_words import ThreadPreviews
    from desktop_app.ui.threads.title_search import TitleSearch

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
HEADING = "#"
"""The prefix of the name of a heading's row: no thread's id begins so."""
PAGE = 200
"""Titles found that get rows at once; more get theirs when somebody scrolls to them."""
TITLES_AT_ONCE = 4_000
"""Titles that are looked at without a pause."""
_BY_TIME = attrgetter("thread.updated")
_NAMED = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable  # once: each painted row is asked thirty times
_THREAD = _NAMED | Qt.ItemFlag.ItemIsSelectable
_FEW = 60
"""The number of rows that come and go one by one; where more do, the list is made again."""


_Arranged: TypeAlias = "tuple[dict[str, ThreadGroupRow | Thread], list[str], dict[str, int], dict[str, str]]"
"""The arguments that `_show` takes."""


class ThreadListModel(QStringListModel):
    """Rows are headings and `Thread`s. `renamed(id, title)`, `project_renamed(id, name)` and `last_words_wanted` are
    wishes; the model changes when they came true.

    Qt keeps the names of the rows, this class what stands for each: a view that lays out 10,000 rows asks for every
    index, which takes 20 ms where each question comes to Python, and none here.
    """

    renamed = Signal(str, str)
    project_renamed = Signal(str, str)
    last_words_wanted = Signal(object)  # ids of the threads whose previews were looked at and are not known
    about_to_arrange = Signal()
    arranged = Signal()  # rows may stand in other places now

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads: dict[str, ThreadSummary] = {}
        self._projects: dict[str, str] = {}
        self._archived_projects: frozenset[str] = frozenset()
        self._rows: dict[str, ThreadGroupRow | Thread] = {}
        self._names: list[str] = []
        self._headings: list[str] = []
        self._row_of: dict[str, int] = {}  # counted from the end, -1: the last: what comes at the top moves none below
        self._closed_over: dict[str, str] = {}  # threads that a closed group hides, and its key
        self.previews: ThreadPreviews | None = None  # where rows have a second line
        self._marks: dict[Mark, set[str]] = {"running": set(), "failed": set(), "unread": set(), "unsynced": set()}
        self._collapsed: set[str] = set()
        self._filter: tuple[str, ...] = ()
        self._oldest: list[ThreadSummary] | None = None  # all, the oldest first; None: to be sorted
        self._archived_count = 0
        self._titles: TitleSearch | None = None  # while a filter is set
        self._looking: Iterator[None] | None = None  # goes on when others had their turn
        self._coming: list[ThreadSummary] = []  # what it finds
        self._found = self._coming  # of what the rows show a part
        self._unfiltered: _Arranged | None = None  # the rows to return to when the filter goes
        self._next_slice = single_shot(self, self._look_on)
        self.archived = False
        self._blank: str | None = None
        self._held = self._stale = False
        self._together = 0
        self._day = local_day()

    # --- what is in it

    def set_threads(self, summaries: Sequence[ThreadSummary]) -> None:
        """Replaces everything; what ended unseen is marked."""
        self._threads = {summary.thread.id: summary for summary in summaries}
        self._oldest, self._archived_count = None, sum([one.thread.archived for one in summaries])
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
        self._keep(thread.id, ThreadSummary(thread, known.messages if known else 0))
        if known is not None and self._stays(known.thread, thread):
            self._stale = self._stale or known.thread.updated != thread.updated
            self._show_in_place(thread)
        else:
            self._arrange(thread.id)

    def set_draft(self, thread_id: str, draft: str) -> None:
        """Shows what stands in the composer of a thread, where its row does."""
        known = self._threads.get(thread_id)
        seen = known is not None and (self.previews is not None or not known.thread.title)
        if known is not None and seen and known.thread.draft != draft:
            thread = replace(known.thread, draft=draft)
            self._keep(thread_id, replace(known, thread=thread))
            if thread_id in self._row_of:
                self._show_in_place(thread)

    def remove_thread(self, thread_id: str) -> None:
        for marked in self._marks.values():
            marked.discard(thread_id)
        if thread_id in self._threads:
            self._keep(thread_id, None)
            self._arrange(thread_id)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Arrange the rows that come, change and go within once, at the end: each time takes as long as all rows do."""
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
        return self._archived_count

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
        before, self._filter = self._filter, tuple(words.casefold().split())
        if self._filter == before:
            return
        if self._filter:
            if not before and not self._stale:
                self._unfiltered = (self._rows, self._names, self._row_of, self._closed_over)
            self._look_for_titles()
            return
        self._titles = self._looking = None
        if self._unfiltered is None or self._day != local_day():
            self._arrange()
        else:
            self._show(*self._unfiltered)

    def finish_search(self) -> None:
        """Looks at the titles that are left at once: somebody wants the first one that is found."""
        while self._looking is not None:
            self._look_at_slice()

    def fetch_all(self) -> None:
        """A row for each title that is found: somebody selects all of them."""
        self.finish_search()
        self.fetchMore(_ROOT, len(self._found))

    def canFetchMore(self, parent: Index) -> bool:
        return bool(self._filter) and 0 < len(self._names) <= len(self._found)

    def fetchMore(self, parent: Index, count: int = PAGE) -> None:
        """Rows for more of the titles that were found."""
        if not self.canFetchMore(parent):
            return
        start = len(self._names)
        more = {one.thread.id: one.thread for one in self._found[start - 1 : start - 1 + count]}
        self._rows.update(more)
        self._names += more
        self._row_of = _places(self._names)
        self.insertRows(start, len(more))
        self.blockSignals(True)
        for row, name in enumerate(more, start):
            super().setData(self.index(row), name)
        self.blockSignals(False)
        self.dataChanged.emit(self.index(start), self.index(start + len(more) - 1))

    def show_archived(self, archived: bool) -> None:
        """Set whether the archived threads are listed, or all others."""
        self.archived = archived
        self._arrange()

    def set_collapsed(self, key: str, collapsed: bool) -> None:
        """Shows or hides the threads of a group. A filter shows them all the same."""
        (self._collapsed.add if collapsed else self._collapsed.discard)(key)
        self._arrange()

    def reveal(self, thread_id: str) -> None:
        """Opens the group that hides a thread, if one does."""
        if (key := self._closed_over.get(thread_id)) is not None:
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
        for changed in filter(None, (before, thread_id) if before != thread_id else ()):
            self._arrange(changed)

    def hold(self, held: bool) -> None:
        """While held, a thread that was only updated stays where it is: somebody is about to click."""
        self._held = held
        if not held and self._stale:
            self._arrange()

    def look_at_the_day(self) -> None:
        """Sort again where midnight has passed."""
        if local_day() != self._day:
            self._arrange()

    # --- marks

    def set_mark(self, thread_id: str, mark: Mark, on: bool) -> None:
        """Puts a mark on a thread or takes it away; it may have several, of which one is shown."""
        marked = self._marks[mark]
        if (thread_id in marked) == on:
            return
        (marked.add if on else marked.discard)(thread_id)
        self.repaint(thread_id, MARK_ROLE)

    def set_marked(self, mark: Mark, ids: Iterable[str]) -> None:
        """Puts a mark on these threads and takes it from all others: of thousands, too, told once."""
        before, self._marks[mark] = self._marks[mark], set(ids)
        if self._names and before != self._marks[mark]:
            roles = [MARK_ROLE, Qt.ItemDataRole.AccessibleTextRole]
            self.dataChanged.emit(self.index(0), self.index(len(self._names) - 1), roles)

    def repaint(self, thread_id: str, role: int) -> None:
        """Tells that a role of a thread's row is another."""
        index = self.index_of(thread_id)
        if index.isValid():
            self.dataChanged.emit(index, index, [role, Qt.ItemDataRole.AccessibleTextRole])

    def marked(self, mark: Mark) -> frozenset[str]:
        """The ids of the threads with a mark."""
        return frozenset(self._marks[mark])

    # --- rows

    def index_of(self, thread_id: str | None) -> QModelIndex:
        """The row of a thread; invalid while it is not shown."""
        return _ROOT if (row := self._row(thread_id or "")) is None else self.index(row)

    def threads_between(self, first: int, last: int) -> list[str]:
        """The ids of the threads in these rows; nothing is asked of Qt, as all 10,000 may be selected."""
        return [name for name in self._names[first : last + 1] if not name.startswith(HEADING)]

    def group_at(self, row: int) -> ThreadGroupRow | None:
        """The heading over a row, or the row itself where it is one; None outside of the list."""
        found = self._rows[self._headings[place - 1]] if (place := self._headings_up_to(row)) else None
        return found if isinstance(found, ThreadGroupRow) else None

    def row_of_group(self, key: str) -> int:
        """The row of a heading; -1 where there is none."""
        return -1 if (row := self._row(_heading_name(key))) is None else row

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if isinstance(row := self._at(index), ThreadGroupRow):
            return group_data(row, role)
        if row is None or role == THREAD_ROLE:
            return row
        if role == MARK_ROLE:
            return self._mark(row.id)
        if role == PREVIEW_ROLE:
            return "" if self.previews is None else self.previews.of(row)
        said = thread_data(row, self._mark(row.id), role)
        if role == Qt.ItemDataRole.AccessibleTextRole and self.previews is not None:
            return ", ".join(filter(None, (str(said), self.previews.of(row))))
        return said

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
            return Qt.ItemFlag.ItemIsEnabled if row.project is None else _NAMED
        return _THREAD

    # --- inside

    def _mark(self, thread_id: str) -> Mark:
        return next((mark for mark, marked in self._marks.items() if thread_id in marked), "")

    def _stays(self, before: Thread, after: Thread) -> bool:
        """Return True if a thread's new facts leave it in its place."""
        if after.id not in self._row_of or (self._filter and before.title != after.title):
            return False
        place = (before.pinned, before.archived, before.project) == (after.pinned, after.archived, after.project)
        return place and (self._held or before.updated == after.updated)

    def _at(self, index: Index) -> ThreadGroupRow | Thread | None:
        """Return the content of a row; None for one that is just coming."""
        return self._rows.get(super().data(index, Qt.ItemDataRole.DisplayRole))

    def _keep(self, thread_id: str, summary: ThreadSummary | None) -> None:
        """Takes in a thread's facts, None: it is gone; all stay sorted by time."""
        before = self._threads.get(thread_id)
        self._archived_count += (summary is not None and summary.thread.archived) - (
            before is not None and before.thread.archived
        )
        if self._together:
            self._oldest = None  # many come: they are sorted once
        if self._oldest is not None and before is not None:
            place = bisect_left(self._oldest, before.thread.updated, key=_BY_TIME)
            place = self._oldest.index(before, place)
            if summary is not None and summary.thread.updated == before.thread.updated:
                self._oldest[place] = summary
            else:
                del self._oldest[place]
        if summary is None:
            self._threads.pop(thread_id, None)
            return
        if self._oldest is not None and (before is None or before.thread.updated != summary.thread.updated):
            insort(self._oldest, summary, key=_BY_TIME)
        self._threads[thread_id] = summary

    def _newest(self) -> Sequence[ThreadSummary]:
        """All threads, the one that was updated last first."""
        if self._oldest is None:
            self._oldest = sorted(self._threads.values(), key=_BY_TIME, reverse=True)[::-1]
        return self._oldest[::-1]

    def _headings_up_to(self, row: int) -> int:
        """Return how many headings stand in the rows up to this one."""
        return bisect_right(self._headings, row - len(self._names), key=self._row_of.__getitem__)

    def _row(self, name: str) -> int | None:
        return None if (place := self._row_of.get(name)) is None else place + len(self._names)

    # --- titles that hold what is typed

    def _look_for_titles(self) -> None:
        if self._titles is None:
            from desktop_app.ui.threads.title_search import TitleSearch

            self._titles = TitleSearch()
        archived, blank = self.archived, self._blank
        self._coming = []
        self._looking = self._titles.look(
            *(self._newest(), self._filter),
            is_shown=lambda thread: thread.archived == archived and thread.id != blank,
            found=self._coming,
        )
        if len(self._threads) <= TITLES_AT_ONCE:
            self.finish_search()
        else:
            self._look_on()

    def _look_on(self) -> None:
        self._look_at_slice()
        if self._looking is not None:
            self._next_slice.start(0)

    def _look_at_slice(self) -> None:
        """Rows come once there is a page of them, or all titles were looked at."""
        if self._looking is None or next(self._looking, True):
            self._looking = None
        if self._found is self._coming:
            self._rows[_heading_name(FOUND)] = ThreadGroupRow(FOUND, tr("Threads"), len(self._found), False)
            self.dataChanged.emit(self.index(0), self.index(0))
        elif self._looking is None or len(self._coming) >= PAGE:
            self._found = self._coming
            self._day, self._stale = local_day(), False
            self._show_groups([ThreadGroup(FOUND, tr("Threads"), tuple(self._found))] if self._found else [])

    def _show_in_place(self, thread: Thread) -> None:
        self._rows[thread.id], self._unfiltered = thread, None
        index = self.index_of(thread.id)
        self.dataChanged.emit(index, index)

    def _arrange(self, changed: str = "") -> None:
        """Make the rows again; `changed` is the one thread that may have left its place, "": any may."""
        if self._together:
            return
        self._unfiltered = None
        if self._filter:
            self._look_for_titles()
        elif not (changed and not self._stale and self._day == local_day() and self._placed_alone(changed)):
            self._day, self._stale = local_day(), False
            groups = group_threads(
                *([one for one in self._newest() if one.thread.id != self._blank], self._day, heading_words),
                *(month_of_year, self._projects),
                always=self._projects.keys() - self._archived_projects,
                archived=self.archived,
            )
            self._show_groups(groups, changed)

    def _show_groups(self, groups: Sequence[ThreadGroup], changed: str = "") -> None:
        rows: dict[str, ThreadGroupRow | Thread] = {}
        closed_over: dict[str, str] = {}
        for group in groups:
            is_empty = not group.threads  # a project without threads: there is nothing to open
            collapsed = (group.key in self._collapsed or is_empty) and not self._filter
            rows[_heading_name(group.key)] = ThreadGroupRow(group.key, group.heading, len(group.threads), collapsed)
            if collapsed:
                closed_over.update((summary.thread.id, group.key) for summary in group.threads)
            else:
                shown = group.threads[:PAGE] if self._filter else group.threads
                rows.update([(summary.thread.id, summary.thread) for summary in shown])
        names = list(rows)
        self._show(rows, names, _places(names), closed_over, changed)

    def _show(
        self,
        rows: dict[str, ThreadGroupRow | Thread],
        names: list[str],
        row_of: dict[str, int],
        closed_over: dict[str, str],
        changed: str = "",
    ) -> None:
        self._closed_over = closed_over
        self.about_to_arrange.emit()
        if not self._moved_one_by_one(rows, names, changed):
            self._rows = rows
            self.setStringList(names)
        self._rows, self._names, self._row_of = rows, names, row_of
        self._headings = [name for name in names if name.startswith(HEADING)]
        self._tell_arranged()

    def _tell_arranged(self) -> None:
        if self._names:
            self.dataChanged.emit(self.index(0), self.index(len(self._names) - 1))
        self.arranged.emit()

    def _placed_alone(self, thread_id: str) -> bool:
        """Puts the one thread that changed where it belongs now; False where groups come or go with that."""
        summary, old = self._threads.get(thread_id), self._row(thread_id)
        thread = summary.thread if summary is not None and thread_id != self._blank else None
        key = group_key(thread, self._day, archived=self.archived) if thread is not None else None
        left = self.group_at(old) if old is not None else self._heading_of(self._closed_over.get(thread_id))
        joined = self._heading_of(key)
        if key is not None and (joined is None or joined.count == 0):
            return False
        if left is not None and left is not joined and left.count == 1:
            return False
        new = self._place_for(thread, joined, old) if thread is not None and joined is not None else None
        self.about_to_arrange.emit()
        self._closed_over.pop(thread_id, None)
        for group, more in ((left, -1), (joined, 1)) if left is not joined else ():
            if group is not None:
                self._rows[_heading_name(group.key)] = replace(group, count=group.count + more)
        if thread is not None:
            self._rows[thread_id] = thread
            if new is None and key is not None:
                self._closed_over[thread_id] = key
        self._step(thread_id, old, new)
        if old is not None:
            del self._names[old], self._row_of[thread_id]
        if new is not None:
            self._names.insert(new, thread_id)
        else:
            self._rows.pop(thread_id, None)
        if old is not None or new is not None:
            first = 0 if old is None or new is None else min(old, new)
            end = max(-1 if row is None else row for row in (old, new)) + 1
            places = range(first - len(self._names), 0)
            self._row_of.update(zip(self._names[first:end], places, strict=False))
        self._tell_arranged()
        return True

    def _heading_of(self, key: str | None) -> ThreadGroupRow | None:
        row = self._rows.get(_heading_name(key)) if key is not None else None
        return row if isinstance(row, ThreadGroupRow) else None

    def _place_for(self, thread: Thread, group: ThreadGroupRow, old: int | None) -> int | None:
        """The row of a thread in a group once it has left row `old`; None: the group is closed."""
        if group.collapsed:
            return None
        first = self.row_of_group(group.key) + 1
        count = group.count
        if old is not None:
            count -= first <= old < first + count
            first -= old < first

        def is_older(row: int) -> bool:
            other = self._rows[self._names[row + (old is not None and row >= old)]]
            return isinstance(other, Thread) and other.updated <= thread.updated

        return first + bisect_left(range(first, first + count), True, key=is_older)

    def _step(self, name: str, old: int | None, new: int | None) -> None:
        """Tells views of one row that comes, goes or moves."""
        if old is None and new is not None:
            self.insertRows(new, 1)
            super().setData(self.index(new), name)
        elif old is not None and new is None:
            self.removeRows(old, 1)
        elif old is not None and new is not None and old != new:
            self.moveRows(_ROOT, old, 1, _ROOT, new + (new > old))

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
            self._step(name, place, None)
        if changed in rows and changed not in come:
            self._step(changed, old.index(changed), stay.index(changed))
        for place in sorted(names.index(name) for name in come):
            self._step(names[place], None, place)
        return True


def _heading_name(key: str) -> str:
    return HEADING + key


def _places(names: list[str]) -> dict[str, int]:
    return dict(zip(names, range(-len(names), 0), strict=True))


def _without(names: list[str], some: set[str]) -> list[str]:
    return [name for name in names if name not in some]
