"""The attachments of a message as they are shown in it: pictures, and a chip for each document.

Knows nothing of how a picture is decoded. Heights come from the sizes that the parts tell, so nothing moves when a
picture arrives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPixmap

from desktop_app.core.messages import AttachedPart, DocumentPart, ImagePart
from desktop_app.ui.i18n.content_words import facts_of, name_of, spoken_name
from desktop_app.ui.theme.icons import icon_pixmap
from desktop_app.ui.theme.theme import radius, stroke
from desktop_app.ui.transcript.canvas.row import ATTACHMENT
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.item import ButtonItem, Selected, utf16_length, utf16_slice
from desktop_app.ui.widgets.picture_cache import PictureCache

ALONE, AMONG = 240, 160
"""Greatest height of a picture in pixels: of one, and of each of several."""
SMALLEST = 48
"""A picture that is narrower or lower has room around it, so that it can be seen and clicked."""
UNKNOWN = QSize(240, 160)
"""Room for a picture whose size is not known."""
CHIP, CHIP_WIDTH, GAP = 36, 320, 8
SIGN = 16
LEAST_NAME = 120


@dataclass(slots=True)
class _AttachmentRect:
    part: int
    attached: AttachedPart
    rect: QRect


class AttachmentsItem(ButtonItem):
    """All attachments of one message. The button `attachment-N` is the message's part N."""

    __slots__ = ("_attached", "_pictures", "places")

    selectable = True

    def __init__(self, style: TextStyle, pictures: PictureCache) -> None:
        super().__init__(style)
        self._pictures = pictures
        self._attached: list[tuple[int, AttachedPart]] = []
        self.places: list[_AttachmentRect] = []

    def add(self, number: int, part: AttachedPart) -> None:
        """Shows one more; `number` is its place among the message's parts."""
        self._attached.append((number, part))
        self._width = -1
        self.changed()

    # --- layout

    def _estimate(self, width: int) -> int:
        # exact and cheap: only sizes that the parts tell are looked at
        pictures = [(n, part) for n, part in self._attached if isinstance(part, ImagePart)]
        documents = [(n, part) for n, part in self._attached if isinstance(part, DocumentPart)]
        highest = ALONE if len(pictures) == 1 else AMONG
        sized = [(n, part, _room(part, width, highest)) for n, part in pictures]
        self.places = []
        bottom = self._row_layout(sized, 0, width)
        if documents:
            chips = [(n, part, QSize(min(width, self._chip_width(part)), CHIP)) for n, part in documents]
            bottom = self._row_layout(chips, bottom + GAP if pictures else 0, width)
        return bottom

    @property
    def text_width(self) -> int:
        return max((place.rect.right() + 1 for place in self.places), default=self._width)

    def _row_layout(
        self, sized: list[tuple[int, ImagePart, QSize]] | list[tuple[int, DocumentPart, QSize]], top: int, width: int
    ) -> int:
        x, y, line = 0, top, 0
        for number, part, size in sized:
            if x and x + size.width() > width:
                x, y, line = 0, y + line + GAP, 0
            self.places.append(_AttachmentRect(number, part, QRect(QPoint(x, y), size)))
            x += size.width() + GAP
            line = max(line, size.height())
        return y + line

    def _chip_width(self, part: DocumentPart) -> int:
        name = QFontMetricsF(self.style.label.font).horizontalAdvance(name_of(part))
        facts = QFontMetricsF(self.style.small.font).horizontalAdvance(facts_of(part))
        return min(
            self.style.theme.pixels(CHIP_WIDTH), math.ceil(20 + self.style.theme.pixels(SIGN) + name + 12 + facts + 14)
        )

    # --- painting

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        for place in self.places:
            if place.rect.top() >= bottom or place.rect.bottom() < top:
                continue
            if isinstance(place.attached, ImagePart):
                self._paint_picture(painter, place, place.attached)
            else:
                self._paint_chip(painter, place, place.attached, ink)
            if selected is not None and selected[0] < min(selected[1], self.length):
                veil = QColor(self.style.color("selection"))
                veil.setAlphaF(0.5)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(veil)
                painter.drawRoundedRect(place.rect, radius("control"), radius("control"))
            if self._focused == f"{ATTACHMENT}{place.part}":
                painter.setPen(QPen(self.style.color("focus"), stroke("focus")))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(place.rect).adjusted(1, 1, -1, -1), radius("control"), radius("control"))

    def _paint_picture(self, painter: QPainter, place: _AttachmentRect, image: ImagePart) -> None:
        style, rect = self.style, QRectF(place.rect)
        device = painter.device()
        scale = device.devicePixelRatioF() if device is not None else 1.0
        box = QSize(math.ceil(rect.width() * scale), math.ceil(rect.height() * scale))
        picture = self._pictures.picture(image, box, self.changed)
        outline = QPainterPath()
        outline.addRoundedRect(rect, radius("control"), radius("control"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if picture is None or picture.isNull() or picture.width() < box.width() or picture.height() < box.height():
            painter.fillPath(outline, style.color("track"))
        if picture is not None and not picture.isNull():
            painter.save()
            painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
            painter.drawImage(_within(rect, picture, scale), picture)
            painter.restore()
        elif picture is not None:
            self._paint_name(painter, rect, name_of(image))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.color("text-secondary" if self._hot == f"{ATTACHMENT}{place.part}" else "hairline"))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius("control"), radius("control"))

    def _paint_name(self, painter: QPainter, rect: QRectF, name: str) -> None:
        """Paint the name in the place of a picture that can't be shown."""
        style = self.style
        side = style.theme.pixels(SIGN)
        drawing = icon_pixmap("picture", style.theme, "text-secondary", side, 2)
        place = QRectF(rect.center().x() - side / 2, rect.center().y() - 2 - side, side, side)
        painter.drawPixmap(place, drawing, drawing.rect())
        painter.setFont(style.small.font)
        painter.setPen(style.color("text-secondary"))
        words = QFontMetricsF(style.small.font).elidedText(name, Qt.TextElideMode.ElideMiddle, rect.width() - 16)
        below = rect.adjusted(8, rect.height() / 2, -8, 0)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, words)

    def _paint_chip(self, painter: QPainter, place: _AttachmentRect, document: DocumentPart, ink: QColor) -> None:
        style, rect = self.style, QRectF(place.rect)
        hot = self._hot == f"{ATTACHMENT}{place.part}"
        painter.setPen(style.color("hairline"))
        painter.setBrush(style.color("hover" if hot else "background"))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius("control"), radius("control"))
        side = style.theme.pixels(SIGN)
        drawing: QPixmap = icon_pixmap("document", style.theme, "text-secondary", side, 2)
        where = QRectF(rect.left() + 12, rect.center().y() - side / 2, side, side)
        painter.drawPixmap(where, drawing, drawing.rect())
        facts, left, right = facts_of(document), rect.left() + 20 + side, rect.right() - 12
        middle = Qt.AlignmentFlag.AlignVCenter
        if facts:
            metrics = QFontMetricsF(style.small.font)
            named = QFontMetricsF(style.label.font).horizontalAdvance(name_of(document))
            width = max(0.0, min(metrics.horizontalAdvance(facts), right - left - min(named, LEAST_NAME) - 12))
            painter.setFont(style.small.font)
            painter.setPen(style.color("text-secondary"))
            where = QRectF(right - width - 1, rect.top(), width + 2, rect.height())
            words = metrics.elidedText(facts, Qt.TextElideMode.ElideRight, width + 1)
            painter.drawText(where, middle | Qt.AlignmentFlag.AlignRight, words)
            right -= width + 12
        painter.setFont(style.label.font)
        painter.setPen(ink)
        name = QFontMetricsF(style.label.font).elidedText(name_of(document), Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(QRectF(left, rect.top(), right - left + 2, rect.height()), middle, name)

    # --- what can be done with it

    def button_at(self, x: int, y: int) -> str:
        place = next((place for place in self.places if place.rect.contains(x, y)), None)
        return f"{ATTACHMENT}{place.part}" if place is not None else ""

    def buttons(self) -> Sequence[tuple[str, str]]:
        return tuple((f"{ATTACHMENT}{place.part}", spoken_name(place.attached)) for place in self.places)

    @property
    def hint(self) -> str:  # type: ignore[override]
        """The whole name of the attachment that the pointer is on, and its facts."""
        part = next((part for number, part in self._attached if f"{ATTACHMENT}{number}" == self._hot), None)
        return "\n".join(words for words in (name_of(part), facts_of(part)) if words) if part is not None else ""

    @property
    def names(self) -> str:
        """The names, one a line: what is copied."""
        return "\n".join(name_of(part) for _, part in self._attached)

    @property
    def reading(self) -> str:
        return self.names

    @property
    def length(self) -> int:
        return utf16_length(self.names)

    def text(self, start: int, end: int) -> str:
        return utf16_slice(self.names, start, end)

    def position_at(self, x: int, y: int) -> int:
        # chosen as a whole: half a name is nothing to copy
        return 0 if y < self.height / 2 else self.length

    def word_at(self, position: int) -> Selected:
        return 0, self.length


def _room(image: ImagePart, width: int, highest: int) -> QSize:
    """The size of a picture's place: never larger than the picture, nor too small to be seen."""
    size = QSize(image.width, image.height) if image.width > 0 and image.height > 0 else UNKNOWN
    if size.width() > width or size.height() > highest:
        size = size.scaled(QSize(width, highest), Qt.AspectRatioMode.KeepAspectRatio)
    return size.expandedTo(QSize(min(SMALLEST, width), SMALLEST))


def _within(rect: QRectF, picture: QImage, scale: float) -> QRectF:
    """Return the rectangle of a picture in its place: in the middle, at its own size where it is smaller."""
    size = picture.size().toSizeF() / scale
    if size.width() > rect.width() or size.height() > rect.height():
        size = size.scaled(rect.size(), Qt.AspectRatioMode.KeepAspectRatio)
    return QRectF(
        rect.left() + (rect.width() - size.width()) / 2,
        rect.top() + (rect.height() - size.height()) / 2,
        size.width(),
        size.height(),
    )
