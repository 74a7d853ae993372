"""The painting and editing of a row of the thread list. Uses the model's roles, not its rows."""

from __future__ import annotations

from typing import Final, NamedTuple, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.messages import Thread
from desktop_app.ui.theme.icons import icon_pixmap
from desktop_app.ui.theme.theme import GRID, Theme, radius, stroke
from desktop_app.ui.threads.thread_row import GROUP_ROLE, MARK_ROLE, THREAD_ROLE, TIME_ROLE, Mark, ThreadGroupRow

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


class RowInput(NamedTuple):
    """The handling of mouse and keyboard in a row."""

    selected: bool = False
    pointed: bool = False
    focused: bool = False
    buttoned: bool = False


class ThreadDelegate(QStyledItemDelegate):
    """Paints headings and threads straight from the theme, without a style.

    `open_id`: the thread that the window shows. `step` turns the mark of running answers. `target`: the group that
    what is being dragged would fall into. `pointed`: the row under the pointer. `buttoned`: rows that show a button.
    """

    def __init__(self, theme: Theme, parent: QAbstractItemView) -> None:
        super().__init__(parent)
        self._list = parent
        self.open_id: str | None = None
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
        self.height = max(theme.pixels(ROW_HEIGHT), round(self._metrics.height()) + GRID + GRID // 2)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self.height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        group = cast("ThreadGroupRow | None", index.data(GROUP_ROLE))
        standing = self._standing(option, index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if group is not None:
            self.paint_heading(painter, option.rect, group, standing)
        else:
            self._paint_row(painter, option, index, standing)
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
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        standing: RowInput,
    ) -> None:
        rect = option.rect
        thread = cast("Thread", index.data(THREAD_ROLE))
        mark = cast("Mark", index.data(MARK_ROLE))
        is_open = thread.id == self.open_id
        self._paint_ground(painter, rect, standing, is_open=is_open)
        room = QRectF(rect.adjusted(2 * GRID, 1, -2 * GRID, -1))
        if standing.buttoned:
            room.setRight(self.button_rect(rect, heading=False).left() - GRID // 2)
        if mark:
            self._paint_mark(painter, room, mark)
            room.setRight(room.right() - self.icon - GRID + 2)
        if standing.pointed and rect.width() >= ROOM_FOR_TIME:
            painter.setFont(self._small)
            painter.setPen(self._theme.color("text-secondary"))
            words = str(index.data(TIME_ROLE) or "")
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
            room.setRight(room.right() - self._small_metrics.horizontalAdvance(words) - GRID)
        if thread.private:
            picture = self._picture("private", "text-secondary", painter)
            painter.drawPixmap(int(room.left()), int(room.center().y()) - self.icon // 2, picture)
            room.setLeft(room.left() + self.icon + GRID // 2 + 2)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text" if thread.title else "text-secondary"))
        title = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        shown = self._metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_ground(self, painter: QPainter, rect: QRect, standing: RowInput, *, is_open: bool) -> None:
        box = QRectF(rect.adjusted(GRID, 1, -GRID, -1))
        chosen = standing.selected or is_open
        if chosen or standing.pointed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("track" if chosen else "hover"))
            painter.drawRoundedRect(box, radius("control"), radius("control"))
        if is_open:
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
        """A turning arc, a dot, or a sign: they differ in form, not in colour alone."""
        centre = QPointF(room.right() - self.icon / 2, room.center().y())
        if mark == "failed":
            picture = self._picture("alert", "danger", painter)
            painter.drawPixmap(int(centre.x()) - self.icon // 2, int(centre.y()) - self.icon // 2, picture)
            return
        accent = self._theme.color("accent")
        if mark == "unread":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
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
