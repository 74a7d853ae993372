"""The lines and cards that stand for something longer: thinking, tool calls, links, attachments, artifacts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from desktop_app.ui.theme.theme import radius, stroke
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.item import ButtonItem, Selected, paint_focus
from desktop_app.ui.transcript.items.line_items import note_height

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

    __slots__ = ("_detail", "_foldable", "_framed", "_title", "_troubled")

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
        self._title = title
        self._detail = " ".join(detail.split())[:300]
        self._framed = framed
        self._foldable = foldable
        self._troubled = troubled

    def buttons(self) -> Sequence[tuple[str, str]]:
        words = f"{self._title}, {folded_words(is_open=self._open)}. {self._detail}".rstrip(". ")
        return (("fold", words),) if self._foldable else ()

    @property
    def title(self) -> str:
        """The words that are always shown."""
        return self._title

    def set_title(self, title: str) -> None:
        """Replaces the words."""
        if title != self._title:
            self._title = title
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
        title = metrics.elidedText(self._title, Qt.TextElideMode.ElideMiddle, self._width - left - 12)
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


ToolState: TypeAlias = Literal["running", "done", "failed", "stopped"]

INSET = 12
GLYPH = 16
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class ToolItem(ExpandableItem):
    """A compact card: arrow, the tool's name, its input in one line, and how it went as a glyph with a word."""

    __slots__ = ("_detail", "_name", "_state", "_word")

    def __init__(self, style: TextStyle, name: str, detail: str) -> None:
        super().__init__(style)
        self._name = name
        self._detail = " ".join(detail.split())[:300]
        self._state: ToolState = "running"
        self._word = ""

    def show_state(self, state: ToolState, word: str) -> None:
        """Show how the call went, and the word for it."""
        if (state, word) != (self._state, self._word):
            self._state, self._word = state, word
            self.changed()

    @property
    def state(self) -> ToolState:
        """The state of the call so far."""
        return self._state

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
        tone = style.color("danger") if self._state == "failed" else quiet
        painter.setPen(tone)
        painter.drawText(QRectF(right, 0, word_width + 4, height), _MIDDLE, self._word)
        glyph = style.theme.pixels(GLYPH)
        painter.save()
        painter.translate(right - glyph, height / 2)
        painter.scale(style.theme.zoom, style.theme.zoom)
        _paint_glyph(painter, tone, self._state)
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
        case "stopped":
            painter.drawRect(QRectF(2, -3.5, 7, 7))
        case "running":
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
