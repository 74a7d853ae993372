"""The painting of a placed row: card, rails, list marker, item."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from desktop_app.core.markdown.blocks import BULLET, TASK_DONE, TASK_OPEN
from desktop_app.core.markdown.footnotes import spoken_note
from desktop_app.ui.theme.theme import COLUMN_MARGIN, OUTDENT, flood, radius, stroke
from desktop_app.ui.transcript.canvas.row import NOTES_GAP
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.canvas.text_style import INDENT, TextStyle
from desktop_app.ui.transcript.items.item import Selected
from desktop_app.ui.transcript.message.message_layout import CARD_INSET

#: Width and height of the mark of an older step in the right margin, its distance from the widest card, and how high
#: it stands above the baseline of the message's first line.
TICK = (6, 2)
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
            QRect(x, placed.item_top + row.item.baseline - TICK_RISE, *TICK),
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
    bottom = min(row.item.height, clip.bottom() + 1 - placed.item_top)
    if bottom > top:
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
    top = placed.top if _continues(placed) else placed.item_top
    for depth, kind in enumerate(containers):
        if kind in "qt":
            x = column.left() + depth * INDENT + 2
            if placed.row.item.reads_leftwards:
                x = column.right() - depth * INDENT - 3
            flood(painter, QRect(x, top, 2, placed.item_top + placed.row.item.height - top), style.color("track"))


def _continues(placed: PlacedRow) -> bool:
    """A bar runs through the gap above a row, but for a message's first."""
    return not placed.first and placed.row.quoted_above


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
