"""The lines and cards that stand for something longer: thinking, tool calls, links, attachments, artifacts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPixmap

from desktop_app.core.messages import AttachedPart, DocumentPart, ImagePart
from desktop_app.ui.i18n.content_words import facts_of, name_of, spoken_name
from desktop_app.ui.theme.theme import icon_pixmap, radius, stroke
from desktop_app.ui.transcript.items.item import (
    ATTACHMENT,
    ButtonItem,
    Selected,
    TextStyle,
    paint_focus,
    utf16_length,
    utf16_slice,
)
from desktop_app.ui.transcript.items.line_items import note_height
from desktop_app.ui.widgets.picture_cache import PictureCache

BARE, CARD = 28, 36


class ExpandableItem(ButtonItem):
    """The line that stands for something folded away, with an arrow that says whether it is open."""

    __slots__ = ("_open",)

    def __init__(self, style: TextStyle) -> None:
        super().__init__(style)
        self._open = False

    def set_open(self, is_open: bool) -> None:
        """Turns the arrow."""
        if is_open != self._open:
            self._open = is_open
            self.changed()


class FoldItem(ExpandableItem):
    """A title, a muted detail, and an arrow where it unfolds. `framed` draws a hairline card around it."""

    __slots__ = ("_detail", "_foldable", "_framed", "_troubled", "title")

    def __init__(
        self,
        style: TextStyle,
        title: str,
        detail: str = "",
        *,
        framed: bool,
        foldable: bool = True,
        troubled: bool = False,
    ) -> None:
        super().__init__(style)
        self.title = title
        self._detail = " ".join(detail.split())[:300]
        self._framed = framed
        self._foldable = foldable
        self._troubled = troubled

    def buttons(self) -> Sequence[tuple[str, str]]:
        words = f"{self.title}, {folded_words(is_open=self._open)}. {self._detail}".rstrip(". ")
        return (("fold", words),) if self._foldable else ()

    def set_title(self, title: str) -> None:
        """Replaces the words."""
        if title != self.title:
            self.title = title
            self.changed()

    def _estimate(self, width: int) -> int:
        return CARD if self._framed else BARE

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        style, height = self.style, self.height
        left = 0.0
        if self._focused:
            paint_focus(painter, style, QRectF(0, 0, self._width, height).adjusted(-4, 2, 4, -2))
        if self._framed:
            painter.setPen(style.color("hairline"))
            painter.setBrush(style.color("hover") if self._hot else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(0.5, 0.5, self._width - 1, height - 1), radius("control"), radius("control"))
            left = 12.0
        quiet = style.color("text-secondary")
        if self._foldable:
            color = style.color("text") if self._hot else quiet
            paint_arrow(painter, style, color, QPointF(left + 2, height / 2), is_open=self._open)
            left += 12 + style.theme.pixels(8)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(style.label.font)
        painter.setPen(style.color("text") if self._framed or self._hot else quiet)
        if self._troubled:
            painter.setPen(style.color("danger"))
        metrics = QFontMetricsF(style.label.font)
        title = metrics.elidedText(self.title, Qt.TextElideMode.ElideMiddle, self._width - left - 12)
        painter.drawText(QRectF(left, 0, self._width - left, height), middle, title)
        left += metrics.horizontalAdvance(title) + 12
        room = self._width - left - 12
        if self._detail and room > 40:
            painter.setFont(style.small.font)
            painter.setPen(quiet)
            detail = QFontMetricsF(style.small.font).elidedText(self._detail, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room + 4, height), middle, detail)

    def button_at(self, x: int, y: int) -> str:
        return "fold" if self._foldable and 0 <= y < self.height and 0 <= x < self._width else ""


def folded_words(*, is_open: bool) -> str:
    """The state of something that unfolds, for screen readers."""
    translate = QCoreApplication.translate
    return translate("Transcript", "expanded") if is_open else translate("Transcript", "collapsed")


def paint_arrow(painter: QPainter, style: TextStyle, color: QColor, place: QPointF, *, is_open: bool) -> None:
    """The arrow of something that unfolds; `place` is the middle of its left edge."""
    painter.setPen(QPen(color, stroke("glyph")))
    corners = ((-1, -2), (3, 2), (7, -2)) if is_open else ((1, -4), (5, 0), (1, 4))
    painter.drawPolyline([place + QPointF(*corner) * style.theme.zoom for corner in corners])


ToolState: TypeAlias = Literal["running", "asking", "done", "failed", "stopped", "unrun", "unanswered", "lost"]

INSET = 12
GLYPH = 16
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class ToolItem(ExpandableItem):
    """A compact card: arrow, the tool's name, its input in one line, and how it went as a glyph with a word."""

    __slots__ = ("_detail", "_name", "_word", "state")

    def __init__(self, style: TextStyle, name: str) -> None:
        super().__init__(style)
        self._name = name
        self.state: ToolState = "running"
        self._word = self._detail = ""

    def show_state(self, state: ToolState, word: str, detail: str) -> None:
        """Show how the call went, the word for it, and its input with what came of it."""
        detail = " ".join(detail.split())[:300]
        if (state, word, detail) != (self.state, self._word, self._detail):
            self.state, self._word, self._detail = state, word, detail
            self.changed()

    def buttons(self) -> Sequence[tuple[str, str]]:
        folded = folded_words(is_open=self._open)
        return (("fold", f"{self._name}, {self._word}, {folded}. {self._detail}".rstrip(". ")),)

    def _estimate(self, width: int) -> int:
        return CARD

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        style, height, width = self.style, self.height, self._width
        painter.setPen(style.color("hairline"))
        painter.setBrush(style.color("hover") if self._hot else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, height - 1), radius("control"), radius("control"))
        if self._focused:
            paint_focus(painter, style, QRectF(0, 0, width, height))
        quiet = style.color("text-secondary")
        color = style.color("text") if self._hot else quiet
        paint_arrow(painter, style, color, QPointF(INSET + 2, height / 2), is_open=self._open)
        small, label = QFontMetricsF(style.small.font), QFontMetricsF(style.label.font)
        word_width = small.horizontalAdvance(self._word)
        right = width - INSET - word_width
        painter.setFont(style.small.font)
        tone = style.color("danger") if self.state == "failed" else quiet
        painter.setPen(tone)
        painter.drawText(QRectF(right, 0, word_width + 4, height), _MIDDLE, self._word)
        glyph = style.theme.pixels(GLYPH)
        painter.save()
        painter.translate(right - glyph, height / 2)
        painter.scale(style.theme.zoom, style.theme.zoom)
        _paint_glyph(painter, tone, self.state)
        painter.restore()
        left = INSET + 12.0 + style.theme.pixels(8)
        room = right - glyph - INSET - left
        name = label.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)
        painter.setFont(style.label.font)
        painter.setPen(ink)
        painter.drawText(QRectF(left, 0, room + 4, height), _MIDDLE, name)
        left += label.horizontalAdvance(name) + INSET
        room = right - glyph - INSET - left
        if self._detail and room > 40:
            painter.setFont(style.small.font)
            painter.setPen(quiet)
            detail = small.elidedText(self._detail, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room + 4, height), _MIDDLE, detail)

    def button_at(self, x: int, y: int) -> str:
        return "fold" if 0 <= y < self.height and 0 <= x < self._width else ""


class LinkItem(ButtonItem):
    """One line to click: words, and a muted detail behind them. It leads to an address, or is a button.

    `target`: an address that is safe to open after a click; `button`: an id; one of them is empty.
    """

    __slots__ = ("_button", "_detail", "_lead", "_target", "_words")

    def __init__(
        self, style: TextStyle, words: str, detail: str = "", *, lead: str = "", target: str = "", button: str = ""
    ) -> None:
        super().__init__(style)
        self._words = " ".join(words.split())
        self._detail = " ".join(detail.split())
        self._lead = lead
        self._target = target
        self._button = button

    def buttons(self) -> Sequence[tuple[str, str]]:
        name = f"{self._words}, {self._detail}" if self._detail else self._words
        button = self._button or (f"link:{self._target}" if self._target else "")
        return ((button, name),) if button else ()

    def _estimate(self, width: int) -> int:
        return note_height(self.style)

    def _places(self) -> tuple[float, float, str]:
        """Left edge and width of the words as they fit, and these words."""
        metrics = QFontMetricsF(self.style.small.font)
        left = metrics.horizontalAdvance(f"{self._lead}  ") if self._lead else 0.0
        room = max(40.0, self._width - left - (90 if self._detail else 0))
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        return left, metrics.horizontalAdvance(words), words

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        style = self.style
        left, width, words = self._places()
        painter.setFont(style.small.font)
        quiet = style.color("text-secondary")
        painter.setPen(quiet)
        painter.drawText(QRectF(0, 0, left + 4, note_height(self.style)), _MIDDLE, self._lead)
        if self._target or self._button:
            painter.setPen(style.color("text" if self._hot else "link"))
        painter.drawText(QRectF(left, 0, width + 4, note_height(self.style)), _MIDDLE, words)
        if self._focused:
            paint_focus(painter, style, QRectF(left - 4, 2, width + 8, note_height(self.style) - 4))
        room = self._width - left - width - INSET
        if self._detail and room > 40:
            painter.setPen(quiet)
            detail = QFontMetricsF(style.small.font).elidedText(self._detail, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left + width + INSET, 0, room + 4, note_height(self.style)), _MIDDLE, detail)

    def _on(self, x: int, y: int) -> bool:
        left, width, _ = self._places()
        return 0 <= y < note_height(self.style) and left - 4 <= x < left + width + 4

    def link_at(self, x: int, y: int) -> str:
        return self._target if self._target and self._on(x, y) else ""

    def button_at(self, x: int, y: int) -> str:
        return self._button if self._button and self._on(x, y) else ""


def _paint_glyph(painter: QPainter, color: QColor, state: ToolState) -> None:
    """The sign of a state in a square of 12 pixels, from the middle of its left edge."""
    painter.setPen(QPen(color, stroke("bold")))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    match state:
        case "done":
            painter.drawPolyline([QPointF(1, 0), QPointF(4, 3), QPointF(10, -4)])
        case "failed":
            painter.drawLine(QPointF(2, -3.5), QPointF(9, 3.5))
            painter.drawLine(QPointF(9, -3.5), QPointF(2, 3.5))
        case "stopped" | "unrun" | "unanswered" | "lost":
            painter.drawRect(QRectF(2, -3.5, 7, 7))
        case "running" | "asking":
            painter.setBrush(color)
            painter.setPen(Qt.PenStyle.NoPen)
            for step in range(3):
                painter.drawEllipse(QPointF(1.5 + 4 * step, 0), 1.4, 1.4)


HEIGHT, CARD_INSET = 52, 12


class ArtifactItem(ButtonItem):
    """Title, a muted line beneath it, and at the right the word that opens it. `button` "" where nothing opens yet."""

    __slots__ = ("_button", "_detail", "_open", "_title", "_troubled")

    def __init__(self, style: TextStyle) -> None:
        super().__init__(style)
        self._title = self._detail = self._button = self._open = ""
        self._troubled = False

    def set_artifact(
        self, title: str, detail: str, *, button: str = "", words: str = "", troubled: bool = False
    ) -> None:
        """Set the text of the card from now on; `words` of the button. `troubled`: the detail is red."""
        said = (" ".join(title.split()), detail, button, words, troubled)
        if said != (self._title, self._detail, self._button, self._open, self._troubled):
            self._title, self._detail, self._button, self._open, self._troubled = said
            self.changed()

    @property
    def said(self) -> tuple[str, str]:
        """Title and detail."""
        return self._title, self._detail

    def buttons(self) -> Sequence[tuple[str, str]]:
        return ((self._button, f"{self._title}, {self._detail}, {self._open}"),) if self._button else ()

    def _estimate(self, width: int) -> int:
        return self.style.theme.pixels(HEIGHT)

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        style, height, width = self.style, self.height, self._width
        painter.setPen(style.color("hairline"))
        painter.setBrush(style.color("hover") if self._hot else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, height - 1), radius("control"), radius("control"))
        if self._focused:
            paint_focus(painter, style, QRectF(0, 0, width, height))
        small, label = QFontMetricsF(style.small.font), QFontMetricsF(style.label.font)
        word = small.horizontalAdvance(self._open)
        room = width - 2 * CARD_INSET - (word + CARD_INSET if self._open else 0)
        half = height / 2
        painter.setFont(style.label.font)
        painter.setPen(style.color("text"))
        title = label.elidedText(self._title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(CARD_INSET, 4, room + 4, half - 2), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(style.small.font)
        painter.setPen(style.color("danger" if self._troubled else "text-secondary"))
        detail = small.elidedText(self._detail, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(CARD_INSET, half - 2, room + 4, half - 2), Qt.AlignmentFlag.AlignVCenter, detail)
        if self._open:
            painter.setPen(style.color("text" if self._hot else "link"))
            place = QRectF(width - CARD_INSET - word, 0, word + 4, height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._open)

    def button_at(self, x: int, y: int) -> str:
        return self._button if 0 <= y < self.height and 0 <= x < self._width else ""


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
