"""The viewport: painting of placed rows, moving painted pixels, the scroll bar with its ticks, resizing.

Scrolling moves pixels and paints only the strip that came into view. That is exact because all places are whole pixels
and every row paints its whole cell: a cell is painted again whenever anything it is painted from has changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QWidget

from desktop_app.core.markdown.blocks import BULLET, TASK_DONE, TASK_OPEN
from desktop_app.core.markdown.footnotes import spoken_note
from desktop_app.ui.theme.theme import COLUMN_MARGIN, OUTDENT, column, flood, radius, stroke
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow, RowLayout, ViewPosition
from desktop_app.ui.transcript.items.item import INDENT, NOTES_GAP, CanvasRow, Selected, TextHighlight, TextStyle
from desktop_app.ui.transcript.message.message_layout import CARD_INSET
from desktop_app.ui.widgets.parts import single_shot

TICK = 2


class TickedScrollBar(QScrollBar):
    """A vertical scroll bar with ticks at lines of its pixels, from 0 to `room`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ticks: frozenset[int] = frozenset()
        """The lines of pixels where ticks stand."""
        self._color = QColor()

    @property
    def room(self) -> int:
        """The line of pixels at which the last tick can stand."""
        return max(1, self.height() - TICK)

    def set_ticks(self, lines: Iterable[int], color: QColor) -> None:
        if (ticks := frozenset(lines)) != self.ticks or color != self._color:
            self.ticks, self._color = ticks, QColor(color)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.ticks:
            painter = QPainter(self)
            for line in self.ticks:
                painter.fillRect(1, line, self.width() - 2, TICK, self._color)
            painter.end()


#: Width and height of the mark of an older step in the right margin, its distance from the widest card, and how high
#: it stands above the baseline of the message's first line.
LIST_TICK = (6, 2)
TICK_GAP = 2
TICK_RISE = 6
#: How long the hairline above the first note is.
NOTES_RULE = 96
#: How far before the text the rail of what is left out lies where there is no room outside of the cards.
RAIL_INSIDE = 12
#: The side of a check box, at the usual text size.
TASK = 13


def paint_row(
    painter: QPainter,
    style: TextStyle,
    placed: PlacedRow,
    *,
    column: QRect,
    clip: QRect,
    selected: Selected | None,
) -> None:
    """Paints the cell of a row. `column` is the reading column, `clip` what is to be painted, in viewport pixels."""
    row = placed.row
    if placed.card:
        _paint_card(painter, style, placed, column)
    ink = style.color("text-secondary" if placed.faded else "text")
    if placed.faded:
        _paint_rail(painter, style, placed, column)
    if placed.tick:
        x = column.right() + 1 + OUTDENT + TICK_GAP
        flood(
            painter,
            QRect(x, placed.item_top + row.item.baseline - TICK_RISE, *LIST_TICK),
            style.color("text-secondary"),
        )
    if placed.focused:
        flood(painter, QRect(column.left() - OUTDENT - 4, placed.top, 2, placed.height), style.color("focus"))
    _paint_bars(painter, style, placed, column)
    if "n" in row.containers and not row.quoted_above and not placed.first:
        painter.fillRect(column.left(), placed.top + NOTES_GAP // 2, NOTES_RULE, 1, style.color("hairline"))
    if "q" in row.containers or "t" in row.containers:
        ink = style.color("text-secondary")
    painter.save()
    painter.translate(column.left() + row.left, placed.item_top)
    if row.marker:
        _paint_marker(painter, style, placed, ink)
    top = max(0, clip.top() - placed.item_top)
    if (bottom := min(row.item.height, clip.bottom() + 1 - placed.item_top)) > top:
        row.item.paint(painter, ink, top, bottom, selected)
    painter.restore()


def _paint_card(painter: QPainter, style: TextStyle, placed: PlacedRow, column: QRect) -> None:
    # the card of a whole message, of which this cell shows its stretch
    top = placed.top + CARD_INSET if placed.first else placed.top - 4 * round(radius("card"))
    bottom = placed.bottom - CARD_INSET if placed.last else placed.bottom + 4 * round(radius("card"))
    painter.save()
    painter.setClipRect(QRect(0, placed.top, 2 * column.right(), placed.height), Qt.ClipOperation.IntersectClip)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.color("question"))
    card = QRectF(column.left() - OUTDENT, top, placed.card + 2 * OUTDENT, bottom - top)
    painter.drawRoundedRect(card, radius("card"), radius("card"))
    painter.restore()


def _paint_rail(painter: QPainter, style: TextStyle, placed: PlacedRow, column: QRect) -> None:
    color = style.color("text-secondary")
    # in a narrow view it would lie on the edge: it goes into the space at the text's left
    x = column.left() - (OUTDENT + 8 if column.left() >= COLUMN_MARGIN else RAIL_INSIDE)
    # the dots hang on the cell, so that moving the cell moves them, and fill it evenly, so that the rail runs on
    count = max(1, round(placed.height / 6))
    for number in range(count):
        flood(painter, QRect(x, placed.top + (2 * number + 1) * placed.height // (2 * count), 2, 2), color)


def _paint_bars(painter: QPainter, style: TextStyle, placed: PlacedRow, column: QRect) -> None:
    containers = placed.row.containers
    # A bar runs through the gap above a row, but for a message's first.
    top = placed.top if not placed.first and placed.row.quoted_above else placed.item_top
    for depth, kind in enumerate(containers):
        if kind in "qt":
            x = column.left() + depth * INDENT + 2
            if placed.row.item.reads_leftwards:
                x = column.right() - depth * INDENT - 3
            flood(painter, QRect(x, top, 2, placed.item_top + placed.row.item.height - top), style.color("track"))


def _paint_marker(painter: QPainter, style: TextStyle, placed: PlacedRow, ink: QColor) -> None:
    marker, baseline = placed.row.marker, placed.row.item.baseline
    middle = baseline - style.body.average * 0.62
    # where the text runs leftwards the marker stands at its right
    mirrored = placed.row.item.width if placed.row.item.reads_leftwards else None
    if marker == BULLET:
        painter.setPen(Qt.PenStyle.NoPen)
        quiet = QColor(ink)
        depth, zoom = placed.row.containers.count("u"), style.theme.zoom
        center = QPointF(-13 if mirrored is None else mirrored + 13, middle)
        if depth % 2:
            painter.setBrush(quiet)
            painter.drawEllipse(center, 2.4 * zoom, 2.4 * zoom)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(quiet, stroke("thin")))
            painter.drawEllipse(center, 2.2 * zoom, 2.2 * zoom)
    elif marker in {TASK_OPEN, TASK_DONE}:
        side = TASK * style.theme.zoom
        left = -7 - side if mirrored is None else mirrored + 7
        _paint_task(painter, style, QPointF(left, round(middle) - side / 2), done=marker == TASK_DONE)
    else:
        sign = placed.row.item.sign
        face = style.small if sign else style.body
        painter.setFont(face.font)
        painter.setPen(style.color("link" if sign else "text-secondary"))
        if sign:
            words = sign if sign.startswith("[") else spoken_note(sign)
            marker = QFontMetricsF(face.font).elidedText(words, Qt.TextElideMode.ElideRight, INDENT + OUTDENT)
        left = -INDENT - 40 if mirrored is None else mirrored + 8
        side = Qt.AlignmentFlag.AlignRight if mirrored is None else Qt.AlignmentFlag.AlignLeft
        box = QRectF(left, baseline - face.baseline, INDENT + 32, face.pitch)
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, marker)


def _paint_task(painter: QPainter, style: TextStyle, place: QPointF, *, done: bool) -> None:
    painter.save()
    painter.translate(place)
    painter.scale(style.theme.zoom, style.theme.zoom)
    painter.setPen(QPen(style.color("accent" if done else "text-secondary"), stroke("stroke")))
    painter.setBrush(style.color("accent") if done else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(0, 0, TASK, TASK), radius("box"), radius("box"))
    if done:
        painter.setPen(QPen(style.color("on-accent"), stroke("tick")))
        painter.drawPolyline([QPointF(3, 6.8), QPointF(5.4, 9.2), QPointF(10, 3.8)])
    painter.restore()


#: How long scrolling must rest before rows outside the view are prepared, and how long that may take at a time.
REST_MS = 100
SLICE_S = 0.004
#: So many pixels of a message next to the view are prepared.
AHEAD = 1_200
WHEEL_STEP = 60


class Canvas(QAbstractScrollArea):
    """Shows a `RowLayout`. `scrolled_by_user` comes after each scroll of the user, `rested` when all is prepared."""

    scrolled_by_user = Signal()
    rested = Signal()
    rows_shown = Signal()  # rows were placed: for what stands among them or reads them
    style_changed = Signal()

    def __init__(self, row_layout: RowLayout, text_style: TextStyle, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row_layout = row_layout
        self.text_style = text_style
        #: the selected range of a row's text, and what stands out in it
        self.selected_in: Callable[[PlacedRow], Selected | None] = lambda _placed: None
        self.highlights_in: Callable[[PlacedRow], Sequence[TextHighlight]] = lambda _placed: ()
        #: widgets that lie over the upper and the lower edge
        self.top_overlay: QWidget | None = None
        self.bottom_overlay: QWidget | None = None
        self.carried: QWidget | None = None
        """A child of the viewport that follows the rows (`rows_shown`): their pixels can be moved beneath it."""
        self._painted: dict[int, tuple[PlacedRow, int]] = {}
        self._adjusting = False
        self._view_position: ViewPosition | None = None  # what was shown before the view changed its size
        self._fitted: tuple[int, tuple[int, int] | None] = (0, None)  # where that came to be since
        self._wheel_rest = QPoint()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A viewport made here has its Python object already. For one made by Qt, PySide would load every kind of widget
        # there is, to find out which kind it is: 8 ms at start.
        self.setViewport(QWidget())
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setMouseTracking(True)
        self.ticked_bar = TickedScrollBar(self)
        self.setVerticalScrollBar(self.ticked_bar)
        self.ticked_bar.valueChanged.connect(self._on_bar)
        self._top_bar: QWidget | None = None
        self._above_scroll_bar: QWidget | None = None
        self._rest = single_shot(self, self._prefetch)
        self._unread = single_shot(self, self._read_on, 0)

    # --- geometry

    @property
    def column(self) -> QRect:
        """The reading column in viewport pixels."""
        left, width = column(self.viewport().width())
        return QRect(left, 0, width, self.viewport().height())

    def placed_at(self, y: int) -> PlacedRow | None:
        """The row whose cell covers a viewport line, else the nearest one."""
        if not (rows := self.row_layout.placed):
            return None
        for placed in rows:
            if y < placed.bottom:
                return placed
        return rows[-1]

    def placed_row(self, row: CanvasRow) -> PlacedRow | None:
        """Return the place of a row in view; None: it is not."""
        return next((placed for placed in self.row_layout.placed if placed.row is row), None)

    def message_rect(self, index: int) -> QRect:
        """Return the place of a message in view, in this widget's pixels; empty if it is not."""
        rows = [placed for placed in self.row_layout.placed if placed.message == index]
        if not rows:
            return QRect()
        reading = self.column
        return QRect(reading.left(), rows[0].top, reading.width(), rows[-1].bottom - rows[0].top)

    def button_hint(self, button: str) -> str:
        """Return the words on a button beside its name; "" for most."""
        return ""

    def message_corner(self, index: int) -> QPoint:
        """Return the point on the screen where a menu or hint of a message opens that the keyboard asked for."""
        rows = [placed for placed in self.row_layout.placed if placed.message == index]
        corner = QPoint(self.column.left(), max(0, rows[0].item_top) if rows else 0)
        return self.viewport().mapToGlobal(corner)

    def is_control_at(self, point: QPoint) -> bool:
        """Return True if something to click is painted at a point of the viewport."""
        placed = self.placed_at(point.y())
        if placed is None or not 0 <= point.y() - placed.item_top < placed.row.item.height:
            return False
        x = point.x() - self.column.left() - placed.row.left
        return bool(placed.row.item.button_at(x, point.y() - placed.item_top))

    def message_index_at(self, y: int) -> int:
        """The message at a line of this widget, -1 if there is none."""
        placed = self.placed_at(y)
        return -1 if placed is None or placed.message >= len(self.row_layout.messages) else placed.message

    # --- showing

    def repaint_all(self) -> None:
        """Everything is painted again."""
        self._painted.clear()
        self.sync_scroll_bar()
        self._remember()
        self.viewport().update()
        self.rows_shown.emit()

    def refresh(self) -> None:
        """Shows the rows as they are placed now: moves what only moved and paints what is new or changed."""
        self.sync_scroll_bar()
        before = self._painted
        shift = self._common_shift(before)
        view = self.viewport().rect()
        whole = shift is None or abs(shift) >= view.height() or not self._can_move(shift)
        if whole:
            self.viewport().update()
        else:
            self._move(shift or 0, before)
        self._remember()
        self.rows_shown.emit()

    def _common_shift(self, before: dict[int, tuple[PlacedRow, int]]) -> int | None:
        for placed in self.row_layout.placed:
            if (old := before.get(id(placed.row))) is not None and placed.paints_like(old[0], old[1]):
                return placed.top - old[0].top
        return None

    def _can_move(self, shift: int | None) -> bool:
        scaled = (shift or 0) * self.devicePixelRatioF()
        return not scaled or (scaled == int(scaled) and not self._has_widgets_in_flow())

    def _has_widgets_in_flow(self) -> bool:
        widgets = (child for child in self.viewport().children() if isinstance(child, QWidget))
        return any(widget.isVisible() and widget is not self.carried for widget in widgets)

    def _move(self, shift: int, before: dict[int, tuple[PlacedRow, int]]) -> None:
        view = self.viewport().rect()
        if shift:
            # pixels under a widget that lies on top cannot be moved: that band is painted again
            overlay, header = self.bottom_overlay, self.top_overlay
            ceiling, floor = 0, view.height()
            if overlay is not None and overlay.isVisible():
                floor = max(0, overlay.geometry().top() - 8)
                self.viewport().update(0, floor, view.width(), view.height() - floor)
            if header is not None and header.isVisible():
                ceiling = max(0, header.geometry().bottom() + 1 - self.viewport().y())
                self.viewport().update(0, 0, view.width(), ceiling)
            self.viewport().scroll(0, shift, QRect(0, ceiling, view.width(), max(0, floor - ceiling)))
            if self.carried is not None and self.carried.isVisible():
                # its pixels were moved, too, wherever it goes now
                place = self.carried.geometry()
                self.viewport().update(place)
                self.viewport().update(place.translated(0, shift))
        covered: list[tuple[int, int]] = []
        for placed in self.row_layout.placed:
            old = before.get(id(placed.row))
            covered.append((placed.top, placed.bottom))
            if old is None or placed.top - old[0].top != shift or not placed.paints_like(old[0], old[1]):
                self.viewport().update(0, placed.top, view.width(), placed.height)
        # below the last row and above the first there is only background
        if covered:
            top, bottom = covered[0][0], covered[-1][1]
            if top > 0:
                self.viewport().update(0, 0, view.width(), top)
            if bottom < view.height():
                self.viewport().update(0, bottom, view.width(), view.height() - bottom)

    def _remember(self) -> None:
        self._painted = {id(placed.row): (placed, placed.row.item.version) for placed in self.row_layout.placed}
        if self.row_layout.unread:
            self.viewport().update()  # reading goes on behind the next painting

    def _read_on(self) -> None:
        """Reads more of what is in view; in between the window paints and listens."""
        self.row_layout.place_again()
        self.refresh()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        background = self.text_style.color("background")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        reading = self.column
        whole_scale = self.devicePixelRatioF().is_integer()
        region: Any = event.region()  # iterable in PySide6, whatever its stubs say
        for clip in region:
            painter.setClipRect(clip)
            # One more pixel all round: at a fractional scale the edge cuts through a row of the screen's pixels, which
            # would else be mixed with what stood there before. The clip keeps the rest as it is.
            flood(painter, clip.adjusted(-1, -1, 1, 1), background)
            # what lies next to the clip has a share in that row of pixels, too
            reach = clip if whole_scale else clip.adjusted(0, -1, 0, 1)
            for placed in self.row_layout.placed:
                if placed.top <= reach.bottom() and placed.bottom > reach.top():
                    placed.row.item.marks = self.highlights_in(placed)
                    paint_row(
                        painter,
                        self.text_style,
                        placed,
                        column=reading,
                        clip=reach,
                        selected=self.selected_in(placed),
                    )
        painter.end()
        if self.row_layout.unread:
            self._unread.start()

    # --- scrolling

    def scroll_by(self, pixels: int) -> None:
        """The user scrolls by so many pixels."""
        before = self.row_layout.y
        self.row_layout.place_at(before + pixels)
        self.refresh()
        self.start_rest()
        self.scrolled_by_user.emit()

    def reveal(self, message: int, row: CanvasRow, position: int, share: float | None = None) -> None:
        """Brings a UTF-16 position of a row into view, moving no more than needed.

        With a share the line comes to stand there in the view, if it is out of view.
        """
        layout, view = self.row_layout.row_list(message), self.row_layout.view
        layout.lay_out(row)
        if row.item.reveal(position):
            layout.lay_out(row)
            row.item.reveal(position)  # what was folded may be scrolled away, too
            self.row_layout.place_again()
        line = row.item.caret_rect(position)
        placed = self.placed_row(row)
        top, least = placed.item_top + line.top() if placed is not None else None, row.item.held_header
        if top is not None and top >= least and top + line.height() <= view:
            self.refresh()
            return
        above = (top < least) if top is not None else self._is_above(message, row)
        wanted = int(view * share) if share is not None else least if above else view - line.height()
        self.row_layout.place_row(message, row, wanted - line.top() - row.gap)
        self.refresh()
        self.start_rest()
        self.scrolled_by_user.emit()

    def _is_above(self, message: int, row: CanvasRow) -> bool:
        """True for a row out of view that stands before what is in view."""
        if not self.row_layout.placed:
            return False
        first = self.row_layout.placed[0]
        if message != first.message:
            return message < first.message
        rows = self.row_layout.row_list(message).rows
        return next(i for i, each in enumerate(rows) if each is row) < next(
            (i for i, each in enumerate(rows) if each is first.row), 0
        )

    def scroll_row_sideways(self, placed: PlacedRow, pixels: int) -> None:
        """Moves a row that is wider than the column; the pieces of one table move together."""
        row = placed.row
        moved = row.item.scroll_sideways(pixels)
        for other in self.row_layout.placed if row.leaf is not None and row.leaf.table is not None else ():
            same = other.message == placed.message and other.row.part == row.part and other.row.leaf is not None
            if same and other.row is not row and other.row.leaf.first_line == row.leaf.first_line:  # type: ignore[union-attr]
                moved = other.row.item.scroll_sideways(pixels) or moved
        if moved:
            self.refresh()

    def start_rest(self) -> None:
        """Prepares what is near once scrolling rests."""
        self._rest.start(REST_MS)

    def sync_scroll_bar(self) -> None:
        """Takes the height of the content and the place in it into the scroll bar."""
        bar = self.verticalScrollBar()
        self._adjusting = True
        bar.setPageStep(self.row_layout.view)
        bar.setSingleStep(WHEEL_STEP)
        bar.setRange(0, self.row_layout.bottom)
        bar.setValue(self.row_layout.y)
        self._adjusting = False

    def _on_bar(self, value: int) -> None:
        if not self._adjusting:
            self.scroll_by(value - self.row_layout.y)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Qt's own scrolling is not used."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        pixels = event.pixelDelta()
        if pixels.isNull():
            angle = event.angleDelta() + self._wheel_rest
            step = WHEEL_STEP * 2 / 120
            pixels = QPoint(int(angle.x() * step), int(angle.y() * step))
            self._wheel_rest = angle - QPoint(round(pixels.x() / step), round(pixels.y() / step))
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not pixels.x():
            pixels = QPoint(pixels.y(), 0)
        event.accept()
        if abs(pixels.x()) > abs(pixels.y()):
            if (placed := self.placed_at(int(event.position().y()))) is not None:
                self.scroll_row_sideways(placed, -pixels.x())
            return
        if pixels.y():
            self.scroll_by(-pixels.y())

    # --- size

    def set_top_bar(self, bar: QWidget | None) -> None:
        """Shows a bar over the text, or with None takes it away; what is read stays where it is on the screen."""
        before = self._top_bar.height() if self._top_bar is not None else 0
        height = bar.height() if bar is not None else 0
        if self._top_bar is not None and self._top_bar is not bar:
            self._top_bar.hide()
        self._top_bar = bar
        y, held = self.row_layout.y, self.row_layout.hold
        self.setViewportMargins(0, height, 0, 0)
        # The bar over the text is as wide as the view: the scroll bar begins beneath it.
        if self._above_scroll_bar is None and height:
            self._above_scroll_bar = QWidget(self)
            self.addScrollBarWidget(self._above_scroll_bar, Qt.AlignmentFlag.AlignTop)
        if self._above_scroll_bar is not None:
            self._above_scroll_bar.setFixedHeight(height)
            self._above_scroll_bar.setVisible(height > 0)
        self._place_top_bar()
        if height != before:
            self.row_layout.hold = held
            self.row_layout.place_at(y + height - before)
            self.repaint_all()

    def _place_top_bar(self) -> None:
        if self._top_bar is not None:
            self._top_bar.setGeometry(0, 0, self.width(), self._top_bar.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_top_bar()
        self.fit()

    def fit(self) -> None:
        """Takes the viewport's size into the row layout and shows what then is in view."""
        row_layout, view_position = self.row_layout, self._view_position
        # after a small view, where the end of the content came lower, a big one shows again what it showed before
        moved = self._fitted != (row_layout.y, row_layout.hold)
        if view_position is None or moved or not row_layout.is_shown(view_position.anchor):
            view_position = row_layout.view_position()
        row_layout.set_width(column(self.viewport().width())[1])
        row_layout.view = max(1, self.viewport().height())
        if view_position is not None:
            row_layout.restore(view_position)
        self._view_position, self._fitted = view_position, (row_layout.y, row_layout.hold)
        self.repaint_all()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.repaint_all()

    # --- ahead of the reader

    def _prefetch(self) -> None:
        """Lays out the messages next to the view, a slice at a time."""
        deadline = time.perf_counter() + SLICE_S
        while self.row_layout.cast_off:
            self.row_layout.cast_off.pop()
            if time.perf_counter() > deadline:
                self._rest.start(0)
                return
        if not (rows := self.row_layout.placed):
            return
        first, last = rows[0].message, rows[-1].message
        for index in (first - 1, last + 1, first - 2, last + 2):
            if not 0 <= index < len(self.row_layout.messages):
                continue
            layout = self.row_layout.row_list(index)
            upward = index < first
            position, height = len(layout.rows) - 1 if upward else 0, 0
            while 0 <= position < len(layout.rows) and height <= AHEAD:
                made = layout.open_at(position)
                position += made - 1 if made and upward else 0
                row = layout.rows[position]
                if made or not row.item.laid_out:
                    layout.lay_out(row)
                    if time.perf_counter() > deadline:
                        self._rest.start(0)
                        return
                height += row.height
                position += -1 if upward else 1
        self.rested.emit()
