"""The full view of an attachment: a picture as large as the window allows, a document on a page, its text."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from functools import partial
from typing import assert_never

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.core.attachment_facts import attachments_of, note_of
from desktop_app.core.messages import (
    AttachedPart,
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.search_terms import FindPattern
from desktop_app.ui.i18n.content_words import characters, facts_of, kind_of, name_of, spoken_name
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme, motion, radius, scale, set_icon, stroke
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.live_page import LivePage
from desktop_app.ui.widgets.parts import button_in, single_shot, tool_in
from desktop_app.ui.widgets.picture_cache import PictureCache
from desktop_app.ui.widgets.text_lines import LinesView, TextLine, text_lines


class AttachmentViewer(QObject):
    """Opens what was clicked in the transcript or among the chips."""

    document_wanted = Signal(object, str)  # DocumentPart, words of a search that stand out there

    def __init__(self, window: QWidget, view: TranscriptView, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._view = view
        self._theme = theme
        self.zoom: ImageViewer | None = None

    def open_of_message(self, message_id: str, number: int) -> None:
        """Shows the part of that number of a message; the arrows lead through all images of the thread."""
        messages = self._view.row_layout.messages
        message = next((message for message in messages if message.id == message_id), None)
        if message is None or not 0 <= number < len(message.parts):
            return
        images = [part for other in messages for part in other.parts if isinstance(part, ImagePart)]
        self._open(message.parts[number], images)

    async def open_found(self, message_id: str, words: str) -> None:
        """A search led to a message: where only a document of it has the words, that is shown, at the words."""
        message = next((one for one in self._view.row_layout.messages if one.id == message_id), None)
        needle = FindPattern(words, any_word=True)
        documents = [part for part in message.parts if isinstance(part, DocumentPart)] if message else []
        if message is None or not needle or needle.spans(message.text):
            return
        found = await asyncio.to_thread(lambda: [_different(needle, part.text) for part in documents])
        if (best := max(found, default=0)) and message in self._view.row_layout.messages:
            self.document_wanted.emit(documents[found.index(best)], words)

    def show_images(self, images: Sequence[ImagePart], first: ImagePart) -> None:
        """Shows an image as large as there is room."""
        if self.zoom is None:
            self.zoom = ImageViewer(self._theme, self._window)
        self.zoom.show_images(images, first)

    def leave(self, _fact: object = None) -> None:
        """Something else is looked at."""
        if self.zoom is not None:
            self.zoom.leave()

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message is about to open: what is attached to it is opened there with the keyboard, too."""
        menu = self._view.menu
        message = next((message for message in self._view.row_layout.messages if message.id == message_id), None)
        if menu is None or message is None or not attachments_of(message.parts):
            return
        menu.more.addSeparator()
        for number, part in enumerate(message.parts):
            if isinstance(part, AttachedPart):
                words = self.tr("Open {name}").format(name=name_of(part).replace("&", "&&"))
                menu.add_more(words, partial(self.open_of_message, message_id, number))

    def _open(self, part: Part, images: Sequence[ImagePart]) -> None:
        match part:
            case ImagePart():
                self.show_images(images, part)
            case DocumentPart():
                self.document_wanted.emit(part, "")
            case TextPart() | ThinkingPart() | ToolCallPart() | ToolResultPart() | UnknownPart():
                pass
            case _:
                assert_never(part)


def _different(needle: FindPattern, text: str) -> int:
    """Return how many of the words looked for stand in a text."""
    return len({text[start:end].casefold() for start, end in needle.spans(text)})


VEIL = 0.94
EDGE = 7 * GRID
"""Room around the picture: for the buttons, and to click beside it."""
STEP = 1.25
STRIDE = 8 * GRID
"""Pixels that an arrow key moves a picture by which is larger than the room."""
WAYS = {
    Qt.Key.Key_Left: QPoint(1, 0),
    Qt.Key.Key_Right: QPoint(-1, 0),
    Qt.Key.Key_Up: QPoint(0, 1),
    Qt.Key.Key_Down: QPoint(0, -1),
}
LARGEST = 8.0
"""Screen pixels that one pixel of a picture may take."""
DETAIL = QSize(8_192, 8_192)
"""The most of a picture that is decoded."""


class ImageViewer(QWidget):
    """Esc or a click beside the picture closes; arrows go on; plus, minus and the wheel zoom.

    A picture that was made larger is moved by a drag or the arrows; with Page Up and Page Down, one goes on from there.
    """

    closed = Signal()

    def __init__(self, theme: Theme, room: QWidget) -> None:
        super().__init__(room)
        self._room = room
        self._theme = theme
        self._pictures = PictureCache(self)
        self._images: tuple[ImagePart, ...] = ()
        self._index = 0
        self._scale = 0.0  # 0: as large as there is room
        self._middle = QPoint()
        self._drag: QPoint | None = None
        self._moved = False
        self._before: QWidget | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.close_button = self._button(self.tr("Close"), self.leave)
        self.previous_button = self._button(self.tr("Previous image"), lambda: self.step(-1))
        self.next_button = self._button(self.tr("Next image"), lambda: self.step(1))
        self.setAccessibleName(self.tr("Image"))
        self._pictures.arrived.connect(self.update)
        room.installEventFilter(self)
        set_icon(self.close_button, "close", theme, "text")
        theme.follow(self._apply_theme)
        self.hide()

    def _button(self, words: str, act: object) -> QToolButton:
        button = tool_in(self, name=words)
        button.setProperty("kind", "cross")
        button.setFixedSize(QSize(5 * GRID, 5 * GRID))
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.clicked.connect(act)
        return button

    def _apply_theme(self) -> None:
        theme = self._theme
        font = theme.title_font()
        font.setPointSizeF(scale("sign") * theme.text_size)
        for button, sign in ((self.previous_button, "‹"), (self.next_button, "›")):
            button.setText(sign)
            button.setFont(font)

    # --- what is shown

    def show_images(self, images: Sequence[ImagePart], first: ImagePart) -> None:
        """Shows `first`; the arrows go through all of them."""
        self._images = tuple(images)
        self._index = next((n for n, image in enumerate(self._images) if image is first), 0)
        self._before = self.window().focusWidget()
        self._fit()
        self.setGeometry(self._room.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell()

    @property
    def image(self) -> ImagePart | None:
        return self._images[self._index] if self._images else None

    def step(self, by: int) -> None:
        """Shows another of the images; it ends at both ends."""
        if (index := max(0, min(len(self._images) - 1, self._index + by))) != self._index:
            self._index = index
            self._fit()
            self._tell()

    def leave(self) -> None:
        """Closes; the keyboard goes back to where it was."""
        if self.isVisible():
            self.hide()
            self._images = ()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus(Qt.FocusReason.OtherFocusReason)
            self._before = None
            self.closed.emit()

    def copy(self) -> None:
        """Puts the picture into the clipboard, as far as it is decoded."""
        if (picture := self.picture()) is not None and not picture.isNull():
            QGuiApplication.clipboard().setImage(picture)

    def _tell(self) -> None:
        if (image := self.image) is None:
            return
        self.setAccessibleName(spoken_name(image))
        self.setAccessibleDescription(self._caption(image))
        self.previous_button.setVisible(len(self._images) > 1)
        self.next_button.setVisible(len(self._images) > 1)
        self.previous_button.setEnabled(self._index > 0)
        self.next_button.setEnabled(self._index < len(self._images) - 1)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, spoken_name(image)))
        self.update()

    def _caption(self, image: ImagePart) -> str:
        place = ""
        if len(self._images) > 1:
            place = self.tr("{number} of {count}").format(number=self._index + 1, count=len(self._images))
        return " · ".join(words for words in (name_of(image), facts_of(image), place) if words)

    # --- geometry

    def _fit(self) -> None:
        self._scale, self._middle = 0.0, QPoint()
        self.update()

    def picture(self) -> QImage | None:
        """The picture that is shown, as far as it is decoded (null: it can't be); None while it is not."""
        image = self.image
        return self._pictures.picture(image, DETAIL, self.update) if image is not None else None

    def _natural(self, picture: QImage) -> tuple[float, float]:
        """Its size where a pixel of it is one of the screen's."""
        ratio = self.devicePixelRatioF()
        return picture.width() / ratio, picture.height() / ratio

    def _fitting(self, picture: QImage) -> float:
        width, height = self._natural(picture)
        room = (max(1, self.width() - 2 * EDGE), max(1, self.height() - 2 * EDGE))
        return min(1.0, room[0] / max(1.0, width), room[1] / max(1.0, height))

    def place_of(self, picture: QImage) -> QRectF:
        """Return the rectangle where the picture is painted, which may reach beyond the viewer."""
        scale = self._scale or self._fitting(picture)
        width, height = (side * scale for side in self._natural(picture))
        middle = QRectF(self.rect()).center() + self._middle.toPointF()
        return QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)

    def zoom(self, factor: float) -> None:
        """Larger or smaller by a factor, between what fits and `LARGEST`."""
        if (picture := self.picture()) is None or picture.isNull():
            return
        fitting = self._fitting(picture)
        scale = max(fitting, min(LARGEST, (self._scale or fitting) * factor))
        if math.isclose(scale, fitting):
            self._fit()
        else:
            before = self._scale or fitting
            self._middle = QPoint(round(self._middle.x() * scale / before), round(self._middle.y() * scale / before))
            self._scale = scale
            self._keep_in_view(picture)
        self.update()

    def _move(self, pixels: QPoint) -> None:
        if (picture := self.picture()) is not None:
            self._middle += pixels
            self._keep_in_view(picture)
            self.update()

    def _keep_in_view(self, picture: QImage) -> None:
        place = self.place_of(picture)
        across, down = max(0.0, place.width() / 2 - GRID), max(0.0, place.height() / 2 - GRID)
        self._middle = QPoint(
            round(max(-across, min(across, self._middle.x()))), round(max(-down, min(down, self._middle.y())))
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.close_button.move(self.width() - self.close_button.width() - GRID, GRID)
        height = (self.height() - self.previous_button.height()) // 2
        self.previous_button.move(GRID, height)
        self.next_button.move(self.width() - self.next_button.width() - GRID, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._room and event.type() == QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self._room.rect())
        return False

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, image = QPainter(self), self._theme, self.image
        veil = QColor(theme.color("background"))
        veil.setAlphaF(VEIL)
        painter.fillRect(self.rect(), veil)
        picture = self.picture()
        words = ""
        if picture is not None and not picture.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.place_of(picture), picture)
        elif picture is not None:
            words = self.tr("This image can't be shown.")
        painter.setPen(theme.color("text-secondary"))
        painter.setFont(theme.small_font())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words)
        for button in (self.close_button, self.previous_button, self.next_button):
            if button.isVisible():
                self._paint_plate(painter, button.geometry())
        if image is not None:
            band = QRect(EDGE, self.height() - 5 * GRID, max(1, self.width() - 2 * EDGE), 5 * GRID)
            told = painter.fontMetrics().elidedText(self._caption(image), Qt.TextElideMode.ElideMiddle, band.width())
            width = painter.fontMetrics().horizontalAdvance(told) + 3 * GRID
            plate = QRect(0, 0, width, painter.fontMetrics().height() + GRID)
            plate.moveCenter(band.center())
            self._paint_plate(painter, plate)
            painter.setPen(theme.color("text-secondary"))
            painter.drawText(band, Qt.AlignmentFlag.AlignCenter, told)
        painter.end()

    def _paint_plate(self, painter: QPainter, place: QRect) -> None:
        """A ground of the theme's own: a picture may be of any colour."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("hairline"), stroke("hair")))
        painter.setBrush(self._theme.color("raised"))
        inset = stroke("hair") / 2
        corner = radius("cross")
        painter.drawRoundedRect(QRectF(place).adjusted(inset, inset, -inset, -inset), corner, corner)

    # --- acting

    def keyPressEvent(self, event: QKeyEvent) -> None:
        forward = Qt.Key.Key_Left if self.isRightToLeft() else Qt.Key.Key_Right
        if (key := Qt.Key(event.key())) == Qt.Key.Key_Escape:
            self.leave()
        elif self._scale and key in WAYS:
            self._move(WAYS[key] * STRIDE)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.step(1 if key == Qt.Key.Key_PageDown else -1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.step(1 if key == forward else -1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.step(len(self._images) * (1 if key == Qt.Key.Key_End else -1))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / STEP)
        elif key == Qt.Key.Key_0:
            self._fit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """The keyboard stays here while it is shown."""
        stops: list[QWidget] = [self, self.previous_button, self.next_button, self.close_button]
        stops = [stop for stop in stops if stop is self or (stop.isVisible() and stop.isEnabled())]
        here = self.window().focusWidget()
        index = next((n for n, stop in enumerate(stops) if stop is here), 0)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[(index + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return True

    def wheelEvent(self, event: QWheelEvent) -> None:
        if turned := event.angleDelta().y():
            self.zoom(STEP ** (turned / 120))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._drag, self._moved = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, picture = event.position().toPoint(), self.picture()
        if self._drag is not None and event.buttons() and picture is not None and self._scale:
            self._moved = self._moved or (point - self._drag).manhattanLength() > 0
            self._move(point - self._drag)
            self._drag = point

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point, picture = event.position().toPoint(), self.picture()
        dragged, self._drag = self._moved, None
        beside = picture is None or picture.isNull() or not self.place_of(picture).contains(point.toPointF())
        if beside and not dragged:
            # after the release is over, so that nothing beneath gets it
            QTimer.singleShot(0, self, self.leave)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if (picture := self.picture()) is not None and not picture.isNull():
            if self._scale:
                self._fit()
            else:
                self.zoom(max(STEP, 1.0 / self._fitting(picture)))


LOWEST = 30 * GRID


class DocumentPage(LivePage):
    """The name, what is known of the document, and its whole text to read, select and copy; it does not change.

    `words` of a search stand out in it, the first of them in view.
    """

    def __init__(
        self, theme: Theme, app_state: AppState, document: DocumentPart, parent: QWidget, words: str = ""
    ) -> None:
        super().__init__(theme, name_of(document), parent)
        self._text, self._needle = document.text, FindPattern(words, any_word=True)
        told = [kind_of(document), facts_of(document), characters(len(document.text))]
        self.facts = self.small(" · ".join(dict.fromkeys(words for words in told if words)))
        self.copy = button_in(self.top, self.tr("Copy"), self._copy, name=self.tr("Copy the text of the document"))
        self.header_row.addWidget(self.copy)
        self.inside.addWidget(self.facts)
        if note := note_of(document):
            self.inside.addWidget(self.small(translated(note)))
        self.view = LinesView(theme, self.column)
        self.view.setAccessibleName(self.tr("Text of the document"))
        self.view.setMinimumHeight(LOWEST)
        self.inside.addWidget(self.view, 1)
        self._said = single_shot(self, lambda: self.copy.setText(self.tr("Copy")), motion("said"))
        app_state.start(self.read_again())

    async def read_again(self) -> None:
        def marked() -> list[TextLine]:
            return [one._replace(marked=tuple(self._needle.spans(one.text))) for one in text_lines(self._text)]

        lines = await asyncio.to_thread(marked)
        if not self.ended:
            first = next((number for number, line in enumerate(lines) if line.marked), 0)
            self.view.filled.connect(lambda: self.view.show_line(first), Qt.ConnectionType.SingleShotConnection)
            self.view.show_lines(lines)

    def focus_first(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.copy.setText(self.tr("Copied"))
        self._said.start()
