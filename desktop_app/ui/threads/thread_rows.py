"""A row of the thread list: its group, what Qt's views ask of it, its painting and editing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from operator import attrgetter
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.language import ago, listed_title, title_of, tr
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, radius, stroke

PINNED: Final = "pinned"
FOUND: Final = "found"
"""The one group of the titles that a search found; it does not fold."""
PROJECT: Final = "project:"
"""The prefix of the key of a project's group; its id follows."""


@dataclass(frozen=True, slots=True)
class ThreadGroup:
    """A heading and the threads below it, last updated first. `key` names the group in every language."""

    key: str
    heading: str
    threads: tuple[ThreadSummary, ...]


def start_of(day: date) -> str:
    """The first moment of a local day as the ISO 8601 UTC text that threads carry, to compare as text."""
    # by its timestamp: where clocks are put forward at midnight, `astimezone` takes the day before for it
    return datetime.fromtimestamp(datetime.combine(day, time()).timestamp(), UTC).isoformat()[:19]


def group_threads(
    summaries: Iterable[ThreadSummary],
    today: date,
    heading: Callable[[str], str] = str,
    month: Callable[[date], str] = lambda first: f"{first:%B %Y}",
    projects: Mapping[str, str] = MappingProxyType({}),
    *,
    always: Collection[str] = (),
    archived: bool = False,
) -> Sequence[ThreadGroup]:
    """Pinned, projects by name, Today, Yesterday, Previous 7 days, then by month. Empty groups are left out but those
    of the projects `always`.

    `archived`: only archived threads, by time alone; otherwise only the others. `heading` translates the four fixed
    headings, `month` names a month by its first day, `projects` has the names by id. 10,000 threads take a
    few milliseconds: days are compared as text, and only the first thread of a month is parsed.
    """
    shown = sorted(
        [summary for summary in summaries if summary.thread.archived == archived],
        key=attrgetter("thread.updated"),
        reverse=True,
    )
    if archived:
        return _by_time(shown, today, heading, month)
    pinned: list[ThreadSummary] = []
    of_project: dict[str, list[ThreadSummary]] = {}
    rest: list[ThreadSummary] = []
    for summary in shown:
        if (thread := summary.thread).pinned:
            pinned.append(summary)
        elif thread.project:
            of_project.setdefault(thread.project, []).append(summary)
        else:
            rest.append(summary)
    groups = [ThreadGroup(PINNED, heading("Pinned"), tuple(pinned))] if pinned else []
    # where nothing is known of projects yet, the file may be one in which they have but names
    named = sorted((projects.get(one, one).casefold(), projects.get(one, one), one) for one in {*of_project, *always})
    for _, name, project in named:
        groups.append(ThreadGroup(PROJECT + project, name, tuple(of_project.get(project, ()))))
    return [*groups, *_by_time(rest, today, heading, month)]


def group_key(thread: Thread, today: date, *, archived: bool = False) -> str | None:
    """The key of the group that `group_threads` puts a thread into; None: it is not shown."""
    if thread.archived != archived:
        return None
    if not archived and (thread.pinned or thread.project):
        return PINNED if thread.pinned else f"{PROJECT}{thread.project}"
    groups = _by_time([ThreadSummary(thread, 0)], today, str, lambda first: "")
    return groups[0].key


def _by_time(
    newest_first: Sequence[ThreadSummary],
    today: date,
    heading: Callable[[str], str],
    month: Callable[[date], str],
) -> list[ThreadGroup]:
    groups: list[ThreadGroup] = []
    rising = [summary.thread.updated for summary in reversed(newest_first)]
    count = taken = 0

    def take(key: str, name: str, bound: str) -> None:
        """The threads not taken yet that are no older than `bound`."""
        nonlocal taken
        if (end := count - bisect_left(rising, bound, 0, count - taken)) > taken:
            groups.append(ThreadGroup(key, name, tuple(newest_first[taken:end])))
            taken = end

    count = len(rising)
    take("today", heading("Today"), start_of(today))
    take("yesterday", heading("Yesterday"), start_of(today - timedelta(days=1)))
    take("week", heading("Previous 7 days"), start_of(today - timedelta(days=7)))
    while taken < count:
        updated = newest_first[taken].thread.updated
        before = taken
        take(*_month_of(updated, month))
        if taken == before:  # a time in another form than ours: the rest stands together
            take("", "", "")
    return groups


def _month_of(updated: str, month: Callable[[date], str]) -> tuple[str, str, str]:
    """Key, heading and first moment of the local month of a time; damaged times fall into one last group."""
    try:
        first = datetime.fromisoformat(updated).astimezone().date().replace(day=1)
    except (ValueError, OverflowError):
        return "", "", ""
    return first.isoformat()[:7], month(first), start_of(first)


THREAD_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Thread` of a row; None for a heading."""
MARK_ROLE = Qt.ItemDataRole.UserRole + 2
"""The row's `Mark`."""
GROUP_ROLE = Qt.ItemDataRole.UserRole + 3
"""The `ThreadGroupRow` of a heading; None for a thread."""
TIME_ROLE = Qt.ItemDataRole.UserRole + 4
"""The role of the time since the thread was changed, in few words."""
PREVIEW_ROLE = Qt.ItemDataRole.UserRole + 5
"""The role of a thread's second line: the beginning of its draft or of its last answer."""

Mark: TypeAlias = Literal["", "running", "unread", "failed", "unsynced"]
"""The mark of a thread: an answer is coming, one ended unseen, one failed unseen; other devices don't have it all."""


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
        case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
            from desktop_app.ui.threads.thread_row_words import spoken_thread, tip_of

            return tip_of(thread, mark) if role == Qt.ItemDataRole.ToolTipRole else spoken_thread(thread, mark)
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


ROW_HEIGHT = 4 * GRID
"""Pixels at the default text size; headings have the same height, so that 10,000 rows need no measuring."""

ICON: Final = 12
DOT: Final = 7
"""Pixels across the mark of an unseen answer."""
SIDE: Final = 3 * GRID
"""Pixels of the width and height of a row's button."""
ROOM_FOR_TIME: Final = 26 * GRID
"""Pixels of a row's width from which on it also says when the thread was changed."""
STEPS: Final = 12
"""Steps of one turn of the mark of a running answer."""
_SMOOTH: Final = QPainter.RenderHint.Antialiasing
_CUT: Final = Qt.TextElideMode.ElideRight
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class RowInput(NamedTuple):
    """The handling of mouse and keyboard in a row."""

    selected: bool = False
    pointed: bool = False
    focused: bool = False
    buttoned: bool = False


class ThreadDelegate(QStyledItemDelegate):
    """Paints headings and threads straight from the theme, without a style.

    `open_id`: the thread that the window shows, or where it is `covered` by a page, comes back to. `step` turns the
    mark of running answers. `target`: the group that what is being dragged would fall into. `pointed`: the row
    under the pointer. `buttoned`: rows that show a button.
    """

    def __init__(self, theme: Theme, parent: QAbstractItemView) -> None:
        super().__init__(parent)
        self._list = parent
        self.open_id: str | None = None
        self.covered = False
        self.step = 0
        self.target: str | None = None
        self.pointed = -1
        self.buttoned: set[int] = set()
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._font = theme.body_font()
        self._font.setPointSizeF(theme.points("row"))
        self._small = theme.small_font()
        self._metrics = QFontMetricsF(self._font)
        self._small_metrics = QFontMetricsF(self._small)
        self.icon = theme.pixels(ICON)
        self._pictures: dict[tuple[str, str, float], QPixmap] = {}
        self.line = max(theme.pixels(ROW_HEIGHT), round(self._metrics.height()) + GRID + GRID // 2)
        """Pixels of the height of a heading, and of a row with one line."""
        self._below = round(self._small_metrics.height()) if theme.list_previews else 0
        self.height = self.line + self._below

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self.height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        thread = cast("Thread | None", index.data(THREAD_ROLE))
        standing = self._standing(option, index)
        painter.save()
        painter.setRenderHint(_SMOOTH)
        if thread is None:
            group = cast("ThreadGroupRow", index.data(GROUP_ROLE))
            self.paint_heading(painter, self.heading_rect(option.rect), group, standing)
        else:
            self._paint_row(painter, option.rect, thread, index, standing)
        painter.restore()

    def _standing(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> RowInput:
        selected = self._list.selectionModel().isSelected(index)
        pointed, buttoned = index.row() == self.pointed, index.row() in self.buttoned
        if not self._list.hasFocus():
            return RowInput(selected, pointed, buttoned=buttoned)
        # only now: what Qt tells of a row comes with 6 ms of tables in Python, which the first paint can do without
        from PySide6.QtWidgets import QStyle

        state, flag = option.state, QStyle.StateFlag
        by_keyboard = state & flag.State_HasFocus and state & flag.State_KeyboardFocusChange
        return RowInput(selected, pointed, bool(by_keyboard), buttoned)

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent)
        heading = index.data(GROUP_ROLE) is not None
        editor.setAccessibleName(self.tr("Name of the project") if heading else self.tr("Title of the thread"))
        editor.setFont(self._font)
        return editor

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        """Leave the text being written alone, whatever becomes of its thread meanwhile."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = option.rect
        if index.data(GROUP_ROLE) is not None:
            rect = self.heading_rect(rect)
        editor.setGeometry(rect.adjusted(GRID, 1, -GRID, -1))

    def paint_heading(
        self, painter: QPainter, rect: QRect, group: ThreadGroupRow, standing: RowInput | None = None
    ) -> None:
        """A heading; one that is closed says how many threads it hides. A project's has a folder."""
        if self.target == group.key:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selection"))
            painter.drawRoundedRect(QRectF(rect.adjusted(GRID, 2, -GRID, -2)), radius("control"), radius("control"))
        painter.setFont(self._small)
        color = self._theme.color("text-secondary")
        painter.setPen(color)
        box = QRectF(rect.adjusted(2 * GRID, GRID // 2, -2 * GRID, 0))
        middle = Qt.AlignmentFlag.AlignVCenter
        standing = standing or RowInput()
        is_project = group.project is not None
        if (
            group.collapsed
            or is_project
            or (group.folds and (standing.pointed or standing.focused or standing.buttoned))
        ):
            if group.collapsed:
                taken = 2 * GRID + (SIDE if standing.buttoned else 0)
                painter.drawText(box.adjusted(0, 0, -taken, 0), Qt.AlignmentFlag.AlignRight | middle, str(group.count))
            centre = QRectF(self.arrow_rect(rect)).center()
            self._paint_arrow(painter, QPointF(centre.x(), box.center().y()), closed=group.collapsed)
        if is_project:
            place = QPointF(box.left(), box.center().y() - self.icon / 2)
            painter.drawPixmap(place, self._picture("folder", "text-secondary", painter))
        taken = 5 * GRID if group.collapsed or is_project or standing.pointed else 0
        if is_project:
            box.setLeft(box.left() + self.icon + GRID // 2 + 2)
        room = box.width() - taken - (SIDE if standing.buttoned else 0)
        words = self._small_metrics.elidedText(group.heading, Qt.TextElideMode.ElideRight, room)
        painter.setPen(color)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | middle, words)
        self._paint_focus(painter, QRectF(rect.adjusted(GRID, 2, -GRID, -2)), standing)

    def heading_rect(self, row: QRect) -> QRect:
        """Return the part of a heading's row that it is painted in: the lower one, next to its threads."""
        return row.adjusted(0, self._below, 0, 0)

    def arrow_rect(self, heading: QRect) -> QRect:
        """Return the place in a heading's rectangle of the arrow that folds its group."""
        return QRect(heading.right() + 1 - 4 * GRID, heading.top(), 3 * GRID, heading.height())

    def button_rect(self, row: QRect, *, heading: bool) -> QRect:
        """Return the place in a row's rectangle of its button: at the end, or before the arrow of a heading."""
        end = self.arrow_rect(row).left() if heading else row.right() + 1 - GRID - 2
        return QRect(end - SIDE, row.center().y() - SIDE // 2 + 1, SIDE, SIDE)

    def _paint_arrow(self, painter: QPainter, centre: QPointF, *, closed: bool) -> None:
        pen = QPen(self._theme.color("text-secondary"), stroke("glyph"))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        turned = (
            [QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)]
            if closed
            else [QPointF(-4, -2), QPointF(0, 2), QPointF(4, -2)]
        )
        painter.drawPolyline([centre + point for point in turned])

    def _paint_row(
        self,
        painter: QPainter,
        rect: QRect,
        thread: Thread,
        index: QModelIndex | QPersistentModelIndex,
        standing: RowInput,
    ) -> None:
        mark = cast("Mark", index.data(MARK_ROLE))
        is_open = thread.id == self.open_id
        self._paint_ground(painter, rect, standing, is_open=is_open)
        room = QRectF(rect.adjusted(2 * GRID, 1, -2 * GRID, -1))
        if standing.buttoned:
            room.setRight(self.button_rect(rect, heading=False).left() - GRID // 2)
        if mark:
            self._paint_mark(painter, room, mark)
            room.setRight(room.right() - self.icon - GRID + 2)
        if self._below:
            below = QRectF(room)
            below.setTop(room.bottom() - self._below - GRID)
            room.setBottom(below.top() + GRID // 2)
            self._paint_time(painter, below, index)
            painter.drawText(
                below, _LEFT, self._small_metrics.elidedText(str(index.data(PREVIEW_ROLE)), _CUT, below.width())
            )
        elif standing.pointed and rect.width() >= ROOM_FOR_TIME:
            self._paint_time(painter, room, index)
        if thread.private:
            picture = self._picture("private", "text-secondary", painter)
            painter.drawPixmap(int(room.left()), int(room.center().y()) - self.icon // 2, picture)
            room.setLeft(room.left() + self.icon + GRID // 2 + 2)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text" if thread.title else "text-secondary"))
        shown = self._metrics.elidedText(listed_title(thread), _CUT, room.width())
        painter.drawText(room, _LEFT, shown)

    def _paint_time(self, painter: QPainter, room: QRectF, index: QModelIndex | QPersistentModelIndex) -> None:
        """Paint when the thread was changed at the end of a room, which is narrower then."""
        painter.setFont(self._small)
        painter.setPen(self._theme.color("text-secondary"))
        words = str(index.data(TIME_ROLE) or "")
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        room.setRight(room.right() - self._small_metrics.horizontalAdvance(words) - GRID)

    def _paint_ground(self, painter: QPainter, rect: QRect, standing: RowInput, *, is_open: bool) -> None:
        box = QRectF(rect.adjusted(GRID, 1, -GRID, -1))
        muted = is_open and self.covered
        chosen = (standing.selected or is_open) and not muted
        if chosen or muted or standing.pointed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("track" if chosen else "hover"))
            painter.drawRoundedRect(box, radius("control"), radius("control"))
        if is_open and not muted:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            strip, corner = QRectF(box.left(), box.top() + 7, 3, box.height() - 14), radius("strip")
            painter.drawRoundedRect(strip, corner, corner)
        self._paint_focus(painter, box, standing)

    def _paint_focus(self, painter: QPainter, box: QRectF, standing: RowInput) -> None:
        if standing.focused:
            painter.setPen(self._theme.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius("control"), radius("control"))

    def _paint_mark(self, painter: QPainter, room: QRectF, mark: Mark) -> None:
        """A turning arc, a dot, a ring, or a sign: they differ in form, not in colour alone."""
        centre = QPointF(room.right() - self.icon / 2, room.center().y())
        if mark == "failed":
            picture = self._picture("alert", "danger", painter)
            painter.drawPixmap(int(centre.x()) - self.icon // 2, int(centre.y()) - self.icon // 2, picture)
            return
        ring = mark == "unsynced"
        accent = self._theme.color("text-secondary" if ring else "accent")
        if mark == "unread" or ring:
            painter.setPen(QPen(accent, stroke("hair")) if ring else QPen(Qt.PenStyle.NoPen))
            painter.setBrush(QBrush() if ring else QBrush(accent))
            painter.drawEllipse(centre, self._theme.pixels(DOT) / 2, self._theme.pixels(DOT) / 2)
            return
        box = QRectF(centre.x() - 4.5, centre.y() - 4.5, 9, 9)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("hairline"), stroke("focus")))
        painter.drawEllipse(box)
        painter.setPen(QPen(accent, stroke("focus")))
        painter.drawArc(box, -self.step * 360 * 16 // STEPS + 90 * 16, -110 * 16)

    def _picture(self, name: str, role: str, painter: QPainter) -> QPixmap:
        key = (name, role, painter.device().devicePixelRatioF())
        if key not in self._pictures:
            self._pictures[key] = icon_pixmap(name, self._theme, role, self.icon, key[2])
        return self._pictures[key]
