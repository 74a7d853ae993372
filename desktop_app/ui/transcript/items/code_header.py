"""The head and the foot of a card of code: language, words to click, the sign beside Copy. Uses no code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import flood, radius, stroke
from desktop_app.ui.transcript.canvas.text_style import TextStyle

HEADER = 32
FOOT = 32
PAD = 12
#: The sign's room before the word, and its height, at the usual text size.
SIGN, DRAWN = 19, 12
#: What the language keeps at the left (pixels).
NAME = 80
#: Around the words that can be clicked (pixels).
REACH = 12


@dataclass(frozen=True, slots=True)
class HeaderButton:
    """Words to click: where they stand, and whether a sign stands before them."""

    button: str
    text: str
    left: float
    width: float

    def covers(self, x: int) -> bool:
        """True for a point on the words or close to them."""
        return self.left - REACH <= x < self.left + self.width + REACH


def header_words(
    style: TextStyle, width: int, *, copied: bool, wrap: bool | None, keeps: bool = False
) -> Sequence[HeaderButton]:
    """Copy at the right; before it the switch for wrapping, or with None no switch; first Keep.

    Where there is no room for all of them they say it shorter; then the switch goes, which a key has as well.
    """
    copy = ("copy", tr("Copied") if copied else tr("Copy"))
    switch = () if wrap is None else (("wrap", tr("Don't wrap") if wrap else tr("Wrap lines")),)
    keep = (("keep", tr("Keep as artifact")),) if keeps else ()
    short_switch = () if wrap is None else (("wrap", tr("Unwrap") if wrap else tr("Wrap")),)
    short_keep = (("keep", tr("Keep")),) if keeps else ()
    words: list[HeaderButton] = []
    for said in ((*keep, *switch), (*short_keep, *short_switch), short_keep or short_switch, ()):
        words = _placed(style, width, (*said, copy))
        if words[0].left >= NAME:
            break
    return words


def _placed(style: TextStyle, width: int, said: Sequence[tuple[str, str]]) -> list[HeaderButton]:
    """Words from the right, the last of them with its sign."""
    metrics = QFontMetricsF(style.label.font)
    words: list[HeaderButton] = []
    right = width - PAD - 4.0
    for button, text in reversed(said):
        wide = metrics.horizontalAdvance(text) + (style.theme.pixels(SIGN) if button == "copy" else 0)
        words.insert(0, HeaderButton(button, text, right - wide, wide))
        right -= wide + 2 * REACH
    return words


def foot_word(style: TextStyle, lines: int, *, is_open: bool) -> HeaderButton:
    """Return the button that unfolds long code, and folds it again."""
    text = tr("Show fewer lines") if is_open else tr("Show all {lines} lines").format(lines=lines)
    return HeaderButton("lines", text, PAD + 4, QFontMetricsF(style.label.font).horizontalAdvance(text))


def paint_header(
    painter: QPainter, style: TextStyle, language: str, words: Sequence[HeaderButton], *, hot: str, copied: bool
) -> None:
    """The language at the left, the words to click at the right."""
    painter.setFont(style.label.font)
    painter.setPen(style.color("text-secondary"))
    middle = Qt.AlignmentFlag.AlignVCenter
    room = max(0.0, words[0].left - PAD - 16)
    metrics = QFontMetricsF(style.label.font)
    name = metrics.elidedText((language or "text")[:40], Qt.TextElideMode.ElideRight, room)
    painter.drawText(QRectF(PAD + 4, 0, room, HEADER), middle, name)
    for word in words:
        lit = word.button == hot or (copied and word.button == "copy")
        painter.setPen(style.color("text" if lit else "text-secondary"))
        sign = style.theme.pixels(SIGN) if word.button == "copy" else 0
        painter.drawText(QRectF(word.left + sign, 0, word.width + 2, HEADER), middle, word.text)
        if sign:
            painter.save()
            painter.translate(word.left, (HEADER - DRAWN * style.theme.zoom) / 2)
            painter.scale(style.theme.zoom, style.theme.zoom)
            _paint_sign(painter, copied=copied)
            painter.restore()


def paint_foot(painter: QPainter, style: TextStyle, width: int, top: int, word: HeaderButton, *, hot: bool) -> None:
    """A hairline, and beneath it the words that unfold."""
    flood(painter, QRect(1, top, width - 2, 1), style.color("hairline"))
    painter.setFont(style.label.font)
    painter.setPen(style.color("text" if hot else "link"))
    painter.drawText(QRectF(word.left, top, word.width + 4, FOOT), Qt.AlignmentFlag.AlignVCenter, word.text)


def _paint_sign(painter: QPainter, *, copied: bool) -> None:
    pen = painter.pen()
    pen.setWidthF(stroke("stroke"))
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if copied:
        painter.drawPolyline([QPointF(1, 6.5), QPointF(4.5, 10), QPointF(11, 2.5)])
        return
    painter.drawRoundedRect(QRectF(3.5, 3.5, 8, 8), radius("swatch"), radius("swatch"))
    back = QPainterPath(QPointF(1.5, 8.5))
    back.quadTo(QPointF(0.5, 8.5), QPointF(0.5, 7))
    back.lineTo(QPointF(0.5, 2))
    back.quadTo(QPointF(0.5, 0.5), QPointF(2, 0.5))
    back.lineTo(QPointF(7, 0.5))
    back.quadTo(QPointF(8.5, 0.5), QPointF(8.5, 1.5))
    painter.drawPath(back)
