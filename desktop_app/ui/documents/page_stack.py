"""The pages of a PDF one under the other, with a marked text, and the tools for their size and number."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QIntValidator,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QHBoxLayout, QLineEdit, QPushButton, QWidget

from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme, frame, tokens
from desktop_app.ui.widgets import ZOOMS
from desktop_app.ui.widgets.parts import button_in, label_in, single_shot

KEPT = 12
MOST_BYTES = 160_000_000
"""Pictures of pages that are kept, and what they take at most: a page of a large screen has some 10 MB."""

ZOOMS_BY = 1.25
LEAST_ZOOM, MOST_ZOOM = ZOOMS_BY**-4, ZOOMS_BY**7
"""Of the width of the view."""
NOTCH = 120
"""Eighths of a degree that a wheel turns by one notch."""
SHARPEST = 4_000
"""Pixels across for which a picture is asked: what is shown wider is drawn larger."""

BESIDE = 1
"""Pages before and after those in view whose pictures are asked for too."""

GAP = 2 * GRID
LEAST_WIDTH = 20 * GRID
REST_MS = 60
"""Milliseconds without a movement after which pictures are asked for: a thrown page is not rendered."""

Box = tuple[float, float, float, float]


class PageStack(QAbstractScrollArea):
    """`picture_wanted(page, width)`: of a page (from 1), in pixels of the screen. `page_changed(page)`: at the top.

    `counted`: there are other pages than before. `zoom_changed`: they are of another width; the wheel with Ctrl does
    that, and plus, minus and 0.
    """

    picture_wanted = Signal(int, int)
    page_changed = Signal(int)
    counted = Signal()
    zoom_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sizes: Sequence[tuple[float, float]] = ()
        self._tops: list[int] = []
        self._width = LEAST_WIDTH
        self.zoom = 1.0
        """The width of the pages as a multiple of the view's."""
        self.pictures: OrderedDict[int, QImage] = OrderedDict()
        self._asked: dict[int, int] = {}
        self._failed: dict[int, str] = {}
        self.marked = 0
        self._boxes: Sequence[Box] = ()
        self._shown = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty(ZOOMS, True)
        self.verticalScrollBar().valueChanged.connect(self._moved)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        self._rest = single_shot(self, self._ask, REST_MS)
        theme.changed.connect(self.viewport().update)

    @property
    def page(self) -> int:
        """The page (from 1) that takes the middle of the view; 0: there are none."""
        middle = self.verticalScrollBar().value() + self.viewport().height() // 2
        return bisect_right(self._tops, middle) if self._tops else 0

    @property
    def count(self) -> int:
        return len(self._sizes)

    def set_zoom(self, zoom: float, at: QPoint | None = None) -> None:
        """Shows the pages larger or smaller; what lies at a point of the view stays there (none: its middle)."""
        wanted = min(max(zoom, LEAST_ZOOM), MOST_ZOOM)
        wanted = 1.0 if abs(wanted - 1.0) < 0.01 else wanted  # steps there and back end where they began
        if not self._tops or wanted == self.zoom:
            return
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        at = at if at is not None else self.viewport().rect().center()
        number = max(1, bisect_right(self._tops, down.value() + at.y()))
        before = self._place_of(number)
        x, y = (at.x() - before.left()) / before.width(), (at.y() - before.top()) / before.height()
        self.zoom = wanted
        self._place()
        across.setValue(round(self._left + x * self._width) - at.x())
        down.setValue(round(self._tops[number - 1] + y * self._height(number)) - at.y())
        self._rest.start()
        self.zoom_changed.emit()

    def zoom_by(self, steps: float, at: QPoint | None = None) -> None:
        """So many steps larger, or smaller."""
        self.set_zoom(self.zoom * ZOOMS_BY**steps, at)

    def show_pages(self, sizes: Sequence[tuple[float, float]]) -> None:
        """The pages there are, by width and height; they are as wide as the view."""
        self._sizes, self.zoom = sizes, 1.0
        self.pictures.clear()
        self._asked.clear()
        self._failed.clear()
        self._place()
        self._rest.start()
        self.counted.emit()

    def show_picture(self, page: int, picture: QImage) -> None:
        self._asked.pop(page, None)
        self.pictures[page] = picture
        self.pictures.move_to_end(page)
        taken, in_view = sum(one.sizeInBytes() for one in self.pictures.values()), self._in_view()
        for oldest in [one for one in self.pictures if one not in in_view]:
            if len(self.pictures) > KEPT or taken > MOST_BYTES:
                taken -= self.pictures.pop(oldest).sizeInBytes()
        self.viewport().update()

    def show_failure(self, page: int, words: str) -> None:
        """Why there is no picture of a page."""
        self._asked.pop(page, None)
        self._failed[page] = words
        self.viewport().update()

    def mark(self, page: int, boxes: Sequence[Box] = ()) -> None:
        """Marks a text on a page, or the page as a whole where it is not known at which place; 0: nothing."""
        self.marked, self._boxes = page, boxes
        self.viewport().update()

    def go_to(self, page: int) -> None:
        """Brings a page to the top of the view, or what is marked on it to its upper part."""
        if not 1 <= page <= len(self._tops):
            return
        top = self._tops[page - 1] - GAP
        if page == self.marked and self._boxes:
            place = self._tops[page - 1] + round(self._boxes[0][1] * self._height(page))
            if place > top + self.viewport().height() * 3 // 4:
                top = place - self.viewport().height() // 5
            left, right = (self._left + round(self._boxes[0][side] * self._width) for side in (0, 2))
            across = self.horizontalScrollBar()
            if left < across.value() or right > across.value() + self.viewport().width():
                across.setValue(left - GAP)
        self.verticalScrollBar().setValue(top)
        self._rest.start()

    def sizeHint(self) -> QSize:
        return QSize(80 * GRID, 60 * GRID)

    def resizeEvent(self, event: QResizeEvent) -> None:
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        middle = across.value() + self.viewport().width() // 2
        x = (middle - self._left) / self._width
        top = max(1, bisect_right(self._tops, bar.value()))
        share = (bar.value() - self._tops[top - 1]) / self._width if self._tops else 0.0
        super().resizeEvent(event)
        self._place()
        if self._tops:
            bar.setValue(self._tops[top - 1] + round(share * self._width))  # what is read stays where it is
            across.setValue(round(self._left + x * self._width) - self.viewport().width() // 2)
        self._rest.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(event.angleDelta().y() / NOTCH, event.position().toPoint())
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar, step = self.verticalScrollBar(), self.viewport().height() - 4 * GRID
        across = self.horizontalScrollBar()
        match event.key():
            case Qt.Key.Key_Down:
                bar.setValue(bar.value() + 5 * GRID)
            case Qt.Key.Key_Up:
                bar.setValue(bar.value() - 5 * GRID)
            case Qt.Key.Key_Left | Qt.Key.Key_Right if across.maximum():
                forward = event.key() == Qt.Key.Key_Right
                across.setValue(across.value() + (5 if forward else -5) * GRID)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_by(1)
            case Qt.Key.Key_Minus:
                self.zoom_by(-1)
            case Qt.Key.Key_0:
                self.set_zoom(1.0)
            case Qt.Key.Key_Space | Qt.Key.Key_PageDown:
                bar.setValue(bar.value() + step)
            case Qt.Key.Key_PageUp:
                bar.setValue(bar.value() - step)
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self._theme.color("background"))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            for page in self._in_view():
                self._paint_page(painter, page)
            if self.hasFocus():
                frame(painter, self.viewport().rect(), self._theme.color("focus"))

    def _paint_page(self, painter: QPainter, page: int) -> None:
        place = self._place_of(page)
        if (picture := self.pictures.get(page)) is not None:
            painter.drawImage(place, picture)
        else:
            painter.fillRect(place, QColor("white"))  # paper, whatever the theme
            painter.setPen(QColor("#606060"))
            words = self._failed.get(page) or self.tr("Page {page}").format(page=page)
            painter.drawText(place.adjusted(GRID, GRID, -GRID, -GRID), _CENTERED, words)
        painter.setPen(self._theme.color("hairline"))
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        if page == self.marked:
            self._paint_mark(painter, place)

    def _paint_mark(self, painter: QPainter, place: QRect) -> None:
        accent = self._theme.color("accent")
        if not self._boxes:
            frame(painter, place, accent)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.setBrush(QColor(tokens()["light"]["found"]))  # the paper is white in both themes
        marked = QPainterPath()
        marked.setFillRule(Qt.FillRule.WindingFill)  # where two overlap, the color counts once
        for left, top, right, bottom in self._boxes:
            box = QRectF(left * place.width(), top * place.height(), (right - left) * place.width(), 0)
            box.setHeight((bottom - top) * place.height())
            marked.addRect(box.translated(place.x(), place.y()).adjusted(-2, -2, 2, 2))
        painter.drawPath(marked)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        first, last = self._boxes[0], self._boxes[-1]
        top = place.y() + round(first[1] * place.height()) - 2
        bottom = place.y() + round(max(last[3], first[3]) * place.height()) + 2
        painter.fillRect(QRect(place.x(), top, GRID // 2, bottom - top), accent)

    def _place(self) -> None:
        """Place each page at the present width."""
        self._width = round(max(LEAST_WIDTH, self.viewport().width() - 2 * GAP) * self.zoom)
        self._tops, at = [], GAP
        for page in range(1, len(self._sizes) + 1):
            self._tops.append(at)
            at += self._height(page) + GAP
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, at - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(5 * GRID)
        across = self.horizontalScrollBar()
        across.setRange(0, max(0, self._width + 2 * GAP - self.viewport().width()) if self.zoom > 1 else 0)
        across.setPageStep(self.viewport().width())
        across.setSingleStep(5 * GRID)
        self.viewport().update()

    def _height(self, page: int) -> int:
        wide, high = self._sizes[page - 1]
        return max(GRID, round(self._width * high / wide)) if wide > 0 else self._width

    def _place_of(self, page: int) -> QRect:
        top = self._tops[page - 1] - self.verticalScrollBar().value()
        left = self._left - self.horizontalScrollBar().value()
        return QRect(left, top, self._width, self._height(page))

    @property
    def _left(self) -> int:
        """The place where the pages begin, in pixels from the left edge of all that can be scrolled to."""
        return max(GAP, (self.viewport().width() - self._width) // 2)

    def _in_view(self, beside: int = 0) -> range:
        if not self._tops:
            return range(0)
        top = self.verticalScrollBar().value()
        first = max(1, bisect_right(self._tops, top) - beside)
        last = min(len(self._tops), bisect_right(self._tops, top + self.viewport().height()) + beside)
        return range(first, last + 1)

    def _moved(self) -> None:
        self.viewport().update()
        self._rest.start()
        if self.page != self._shown:
            self._shown = self.page
            self.page_changed.emit(self._shown)

    def _ask(self) -> None:
        """Asks for the pictures around the view that are not there in this width, those in view first."""
        wanted = min(SHARPEST, round(self._width * self.devicePixelRatioF()))
        in_view = self._in_view()
        for page in [*in_view, *(page for page in self._in_view(BESIDE) if page not in in_view)]:
            picture = self.pictures.get(page)
            there = picture is not None and picture.width() == wanted
            if not there and self._asked.get(page) != wanted and page not in self._failed:
                self._asked[page] = wanted
                self.picture_wanted.emit(page, wanted)


_CENTERED = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)


DIGITS: Final = 3
"""Figures that the field for the page has room for at least."""


class PageTools(QWidget):
    """Follows the pages it is given. Enter in the field goes to a page, Esc puts back the one that is shown."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.smaller = self._button("−", self.tr("Zoom out"), "−")
        self.larger = self._button("+", self.tr("Zoom in"), "+")
        self.fit = self._button(self.tr("Fit width"), self.tr("Fit width"), "0")
        self.field = QLineEdit(self, alignment=Qt.AlignmentFlag.AlignRight)
        self.field.setAccessibleName(self.tr("Page"))
        self.field.setToolTip(self.tr("Go to page"))
        self.field.installEventFilter(self)
        self._valid = QIntValidator(1, 1, self)
        self.field.setValidator(self._valid)
        self.count = label_in(self, tone="secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        for part in (self.smaller, self.larger, self.fit, self.field, self.count):
            row.addWidget(part)
        theme.set_font("small", self.smaller, self.larger, self.fit, self.field, self.count)
        self._pages: PageStack | None = None

    def follow(self, pages: PageStack) -> None:
        """Shows and changes what these pages are at."""
        self._pages = pages
        self.smaller.clicked.connect(lambda: pages.zoom_by(-1))
        self.larger.clicked.connect(lambda: pages.zoom_by(1))
        self.fit.clicked.connect(lambda: pages.set_zoom(1.0))
        pages.zoom_changed.connect(self._show)
        pages.page_changed.connect(self._show)
        pages.counted.connect(self._show)
        self.field.returnPressed.connect(self._go)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.field.setModified(False)
            self._show()  # also where what was typed is no page
        escaped = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if not escaped or not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape or self._pages is None:
            return False
        self._pages.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _go(self) -> None:
        if self._pages is not None and self.field.hasAcceptableInput():
            self.field.setModified(False)
            self._pages.go_to(int(self.field.text()))

    def _show(self, _fact: object = None) -> None:
        if (pages := self._pages) is None:
            return
        self._valid.setTop(max(1, pages.count))
        self.count.setText(self.tr("of {count}").format(count=grouped(pages.count)))
        room = self.fontMetrics().horizontalAdvance("0" * max(DIGITS, len(str(pages.count))))
        self.field.setFixedWidth(room + 3 * GRID)
        if not self.field.hasFocus() or not self.field.isModified():
            self.field.setText(str(pages.page or 1))
        self.smaller.setEnabled(pages.zoom > LEAST_ZOOM)
        self.larger.setEnabled(pages.zoom < MOST_ZOOM)
        self.fit.setEnabled(pages.zoom != 1.0)

    def _button(self, words: str, name: str, keys: str) -> QPushButton:
        return button_in(self, words, kind="quiet", name=name, tip=f"{name} ({keys})")
