"""The parts that lists have in common: painted rows, rows of two lines, a scroll bar, and the empty state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QListView,
    QScrollBar,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.ui.theme.theme import GRID, Radius, Theme, radius, space
from desktop_app.ui.widgets.parts import ElidedButton, in_column, label_in, say_in


def utf16_place(text: str, place: int) -> int:
    """A place among code points as one among Qt's UTF-16 units."""
    return place if text.isascii() else len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def match_format(theme: Theme) -> QTextCharFormat:
    """Return the format of letters that were typed: not by color alone."""
    made = QTextCharFormat()
    made.setForeground(theme.color("accent"))
    made.setFontWeight(QFont.Weight.Bold)
    return made


def format_range(text: str, start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    """A span of the text, in code points, in another look."""
    part = QTextLayout.FormatRange()
    part.start = utf16_place(text, start)
    part.length = utf16_place(text, end) - part.start
    part.format = look
    return part


def marked_line(text: str, font: QFont, spans: Iterable[tuple[int, int]], look: QTextCharFormat) -> QTextLayout:
    """One line with some spans of it, in code points, in another look."""
    layout = QTextLayout(text, font)
    layout.setFormats([format_range(text, start, end, look) for start, end in spans])
    layout.beginLayout()
    layout.createLine().setLineWidth(1_000_000)
    layout.endLayout()
    return layout


ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The value of a row."""

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class TwoLineRow:
    """Something in words: its title, and what is to be known of it; `item` is what it stands for."""

    item: Any
    title: str
    facts: str


class ListRows(QAbstractListModel, Generic[Row]):
    """Rows in their order, each as a value (`ROW_ROLE`), as its words, and as a sentence for screen readers."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()

    def show(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def at(self, index: Index) -> Row | None:
        """The row of an index; None where it has none, as where nothing is chosen."""
        return self.rows[index.row()] if index.isValid() else None

    def words(self, row: Row) -> str:
        """The words of a row that are looked for when letters are typed into the list."""
        raise NotImplementedError

    def sentence(self, row: Row) -> str:
        """The row for screen readers."""
        return self.words(row)

    def tip(self, row: Row) -> str | None:
        """The words that are shown on hovering; None: none."""
        return None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.words(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.sentence(row)
            case Qt.ItemDataRole.ToolTipRole:
                return self.tip(row)
        return row if role == ROW_ROLE else None


class RowDelegate(QStyledItemDelegate):
    """Paints rows of one height; what is current or pointed at has a ground, what has the keyboard a frame."""

    LINES = 1
    """2: of body text, and beneath it a small one."""
    GROUND = (GRID // 2, 1, -GRID // 2, -1)
    """Pixels from the edges of a row to its ground: left, top, right and bottom."""
    CORNER: Radius = "control"

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        theme.follow(self._take_theme)

    def _take_theme(self) -> None:
        self.font, self.small = self.theme.body_font(), self.theme.small_font()
        self.metrics, self.small_metrics = QFontMetricsF(self.font), QFontMetricsF(self.small)
        self.height = self.measured_height()
        self.take_theme()
        if isinstance(view := self.parent(), QListView):
            view.scheduleDelayedItemsLayout()  # it keeps the height of its rows

    def measured_height(self) -> int:
        """Pixels of every row."""
        lines = self.metrics.height() + (self.small_metrics.height() if self.LINES == 2 else 0)
        return round(lines) + 2 * GRID + (GRID // 2 if self.LINES == 2 else 0)

    def take_theme(self) -> None:
        """Other colours, other fonts: what a delegate made of them is made again."""

    def standing(self, option: QStyleOptionViewItem, index: Index) -> tuple[bool, bool]:
        """True for a row that is chosen, and for one that shows that it has the keyboard."""
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        return current, current and bool(option.state & QStyle.StateFlag.State_HasFocus)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, corner = QRectF(option.rect), radius(self.CORNER)
        place = rect.adjusted(*self.GROUND)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current, focused = self.standing(option, index)
        if current or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.color("track" if current else "hover"))
            painter.drawRoundedRect(place, corner, corner)
        self.paint_beneath_frame(painter, place, index)
        if focused:
            painter.setPen(self.theme.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
        self.paint_row(painter, rect, index)
        painter.restore()

    def paint_beneath_frame(self, painter: QPainter, place: QRectF, index: Index) -> None:
        """Paints on the row's ground what its frame goes over."""

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        raise NotImplementedError


def set_up_list(view: QListView, rows: QAbstractItemModel, delegate: QStyledItemDelegate, name: str) -> None:
    """Gives a list its rows of one height, which nothing edits and the wheel moves by pixels, and its name."""
    view.setAccessibleName(name)
    view.setModel(rows)
    view.setItemDelegate(delegate)
    view.setUniformItemSizes(True)
    view.setMouseTracking(True)
    view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class TwoLineRows(ListRows[TwoLineRow]):
    """The rows in their order."""

    def words(self, row: TwoLineRow) -> str:
        return row.title

    def sentence(self, row: TwoLineRow) -> str:
        return f"{row.title}, {row.facts}"

    tip = sentence


class TwoLineDelegate(RowDelegate):
    """Two lines: the title, and beneath it the facts."""

    LINES = 2

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        row = cast("TwoLineRow", index.data(ROW_ROLE))
        box = rect.adjusted(2 * GRID, GRID, -2 * GRID, -GRID)
        for words, font, metrics, color, side in (
            (row.title, self.font, self.metrics, "text", Qt.AlignmentFlag.AlignTop),
            (row.facts, self.small, self.small_metrics, "text-secondary", Qt.AlignmentFlag.AlignBottom),
        ):
            painter.setFont(font)
            painter.setPen(self.theme.color(color))
            painter.drawText(box, side, metrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width()))


MOVES = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


class MarginBar(QScrollBar):
    """Stands for the vertical bar of `area`, to the right of it; there only while there is something to scroll.

    `column` is the page's, in which the area stands at any depth, with room beside it. `within`: it lies over the
    area's own edge, where its rows leave room.
    """

    def __init__(self, area: QAbstractScrollArea, column: QWidget, *, within: bool = False) -> None:
        beside = column.parentWidget() or column
        super().__init__(Qt.Orientation.Vertical, beside)
        self._area, self._own, self._beside, self._within = area, area.verticalScrollBar(), beside, within
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._own.rangeChanged.connect(self._follow)
        self._own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._own.setValue)
        part: QWidget | None = area.viewport()
        while part is not None and part is not beside:
            part.installEventFilter(self)
            part = part.parentWidget()
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVES:
            self._follow()
        return False

    def _follow(self) -> None:
        """The range, the steps and the height of the area's own bar."""
        own, view, beside = self._own, self._area.viewport(), self._beside
        self.setRange(own.minimum(), own.maximum())
        self.setPageStep(own.pageStep())
        self.setSingleStep(own.singleStep())
        self.setValue(own.value())
        corner = view.mapTo(beside, QPoint(view.width(), 0))
        left = corner.x() - space("scroll") if self._within else corner.x()
        self.setGeometry(left, corner.y(), space("scroll"), view.height())
        self.setVisible(own.maximum() > own.minimum() and self._area.isVisibleTo(beside))
        self.raise_()


class EmptyState(QWidget):
    """`wanted`: the button was pressed."""

    wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = label_in(self, tone="secondary", wrap=True)
        self.button = ElidedButton(theme, self)
        self.button.setMinimumWidth(1)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        in_column(self.line, (self.button, 0, Qt.AlignmentFlag.AlignLeft), of=self, spacing=GRID, margins=0)
        self.button.clicked.connect(self.wanted)
        theme.set_font("small", self.line, self.button)

    def say(self, line: str, action: str = "") -> None:
        """Shows the line, and the button where there is something to do."""
        self.line.setText(line)
        say_in(self.button, action)
