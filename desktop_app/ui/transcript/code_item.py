"""Owns a card of code: header with language and copy button, coloured lines, sideways scrolling. Knows no lexer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QTextLayout, QTextOption

from desktop_app.ui.transcript.highlighting import Highlighter
from desktop_app.ui.transcript.item import Item, Selected, utf16_length, utf16_slice, word_around
from desktop_app.ui.transcript.look import CORNER, Look
from desktop_app.ui.transcript.text_item import format_ranges

if TYPE_CHECKING:
    from pygments.lexer import Lexer

HEADER = 32
PAD = 12
BAR = 4
#: A line longer than this is drawn in several rows (code points): one layout per row stays cheap.
LONGEST_ROW = 1_000
#: Laid-out rows kept per card.
KEPT_ROWS = 240

COPY, COPIED = "Copy", "Copied"


class CodeItem(Item):
    """Code by visible rows: the height is known without laying anything out, and only rows in view are laid out."""

    __slots__ = (
        "__weakref__", "_code", "_copied", "_highlighter", "_hot", "_layouts", "_lexer", "_offset", "_rows", "_tokens",
        "_wide", "_widest", "growing", "language",
    )  # fmt: skip

    selectable = True

    def __init__(self, look: Look, code: str, language: str, highlighter: Highlighter | None) -> None:
        super().__init__(look)
        self.language = language
        self.growing = False
        self._highlighter = highlighter if language else None
        self._layouts: dict[int, QTextLayout] = {}
        self._lexer: object = None
        self._tokens: list[list[tuple[int, int, str]]] | None = None
        self._offset = 0
        self._hot = False
        self._copied = False
        self._code = ""
        #: start of each row in the code, in code points, and the line it belongs to
        self._rows: list[tuple[int, int]] = []
        self._widest = 0
        self._wide = not code.isascii()
        self._set_rows(code, 0)

    @property
    def code(self) -> str:
        """The code as copied: without the final line break."""
        return self._code

    def set_code(self, code: str, *, growing: bool) -> None:
        """Replaces the code; what stays at the beginning keeps its layouts and colours."""
        self.growing = growing
        code = code.removesuffix("\n")
        if code == self._code:
            return
        if code.startswith(self._code):
            self._set_rows(code, len(self._rows) - 1)
        else:
            self._layouts.clear()
            self._tokens = self._lexer = None
            self._set_rows(code, 0)
        self._wide = self._wide or not code.isascii()
        self._laid_out = False
        self.changed()
        if self._tokens is not None and self._highlighter is not None:
            self._highlighter.colour_now(self)

    def _set_rows(self, code: str, keep: int) -> None:
        code = code.removesuffix("\n")
        start, line = self._rows[keep] if keep else (0, 0)
        del self._rows[keep:]
        self._layouts.pop(keep, None)
        for text in code[start:].split("\n"):
            for cut in range(0, max(1, len(text)), LONGEST_ROW):
                self._rows.append((start + cut, line))
                self._widest = max(self._widest, min(LONGEST_ROW, len(text) - cut))
            start += len(text) + 1
            line += 1
        self._code = code

    def dismiss(self) -> None:
        self._layouts.clear()

    def _estimate(self, width: int) -> int:
        return HEADER + 2 * PAD + self.look.code.pitch * len(self._rows)

    # --- colours

    def colour(self, lexer: Lexer) -> Iterator[object]:
        """Lexes what is new; rows that were laid out without colours are dropped."""
        from desktop_app.ui.transcript.lexing import LineLexer  # loaded by now

        line_lexer = self._lexer if isinstance(self._lexer, LineLexer) else LineLexer(lexer)
        self._lexer = line_lexer
        self._tokens = line_lexer.lines
        first = max(0, len(line_lexer.lines) - 1)
        for last in line_lexer.run(self._code):
            self._drop_lines(first, last)
            first = last
            yield None

    def _drop_lines(self, first: int, last: int) -> None:
        dropped = [row for row in self._layouts if first <= self._rows[row][1] <= last]
        for row in dropped:
            del self._layouts[row]
        if dropped:
            self.changed()

    # --- rows

    def _row_text(self, row: int) -> str:
        start = self._rows[row][0]
        end = self._rows[row + 1][0] if row + 1 < len(self._rows) else len(self._code)
        return self._code[start:end].removesuffix("\n")

    def _row(self, row: int) -> QTextLayout:
        layout = self._layouts.get(row)
        if layout is not None:
            return layout
        if self._tokens is None and self._highlighter is not None:
            self._tokens = []
            self._highlighter.colour_now(self)
        if len(self._layouts) > KEPT_ROWS:
            self._layouts.clear()
        text = self._row_text(row)
        layout = QTextLayout(text, self.look.code.font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTabStopDistance(self.look.code.average * 4)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        layout.setFormats(format_ranges(self._formats(row, text)))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(1e7)
        line.setPosition(QPointF(0, self.look.code.baseline - line.ascent()))
        layout.endLayout()
        self._layouts[row] = layout
        return layout

    def _formats(self, row: int, text: str) -> list[tuple[int, int, object]]:
        start, line = self._rows[row]
        if not self._tokens or line >= len(self._tokens):
            return []
        shift = start - (self._code.rfind("\n", 0, start) + 1)
        plain = text.isascii()
        ranges: list[tuple[int, int, object]] = []
        for column, length, role in self._tokens[line]:
            a, b = max(0, column - shift), min(len(text), column + length - shift)
            if a >= b:
                continue
            if not plain:
                a, b = utf16_length(text[:a]), utf16_length(text[:b])
            ranges.append((a, b - a, self.look.syntax[role]))
        return ranges

    # --- painting

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        look, width, height = self.look, self._width, self.height
        card = QPainterPath()
        card.addRoundedRect(QRectF(0.5, 0.5, width - 1, height - 1), CORNER, CORNER)
        painter.fillPath(card, look.color("code-background"))
        if top < HEADER:
            painter.save()
            painter.setClipRect(QRectF(0, 0, width, HEADER), Qt.ClipOperation.IntersectClip)
            painter.fillPath(card, look.color("code-header"))
            painter.restore()
            self._paint_header(painter)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(look.color("hairline"))
        painter.drawPath(card)
        painter.save()
        painter.setClipRect(QRectF(1, HEADER, width - 2, height - HEADER - 1), Qt.ClipOperation.IntersectClip)
        pitch = look.code.pitch
        first = max(0, (top - HEADER - PAD) // pitch)
        last = min(len(self._rows), (bottom - HEADER - PAD) // pitch + 1)
        for row in range(first, last):
            layout = self._row(row)
            marks = self._marks(row, selected) if selected else []
            painter.setPen(ink)
            layout.draw(painter, QPointF(PAD + 4 - self._offset, HEADER + PAD + row * pitch), marks)
        painter.restore()
        self._paint_bar(painter)

    def _marks(self, row: int, selected: Selected) -> list[QTextLayout.FormatRange]:
        start = self._to_qt(self._rows[row][0])
        length = utf16_length(self._row_text(row))
        a, b = max(0, selected[0] - start), min(length, selected[1] - start)
        return format_ranges([(a, b - a, self.look.selection)]) if a < b else []

    def _paint_header(self, painter: QPainter) -> None:
        look, width = self.look, self._width
        painter.setFont(look.label.font)
        painter.setPen(look.color("text-secondary"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(PAD + 4, 0, width - 160, HEADER), middle, (self.language or "text")[:40])
        if self._hot or self._copied:
            painter.setPen(look.color("text"))
        label = COPIED if self._copied else COPY
        text_width = QFontMetricsF(look.label.font).horizontalAdvance(label)
        right = width - PAD - 4
        painter.drawText(QRectF(right - text_width, 0, text_width + 2, HEADER), middle, label)
        self._paint_sign(painter, right - text_width - 19, (HEADER - 12) / 2)

    def _paint_sign(self, painter: QPainter, x: float, y: float) -> None:
        pen = painter.pen()
        pen.setWidthF(1.2)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._copied:
            painter.drawPolyline([QPointF(x + 1, y + 6.5), QPointF(x + 4.5, y + 10), QPointF(x + 11, y + 2.5)])
            return
        painter.drawRoundedRect(QRectF(x + 3.5, y + 3.5, 8, 8), 2, 2)
        back = QPainterPath(QPointF(x + 1.5, y + 8.5))
        back.quadTo(QPointF(x + 0.5, y + 8.5), QPointF(x + 0.5, y + 7))
        back.lineTo(QPointF(x + 0.5, y + 2))
        back.quadTo(QPointF(x + 0.5, y + 0.5), QPointF(x + 2, y + 0.5))
        back.lineTo(QPointF(x + 7, y + 0.5))
        back.quadTo(QPointF(x + 8.5, y + 0.5), QPointF(x + 8.5, y + 1.5))
        painter.drawPath(back)

    def _paint_bar(self, painter: QPainter) -> None:
        span = self._overflow
        if span <= 0:
            return
        room = self._width - 2 * CORNER
        length = max(24.0, room * room / (room + span))
        left = CORNER + (room - length) * self._offset / span
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("track"))
        painter.drawRoundedRect(QRectF(left, self.height - BAR - 3, length, BAR), BAR / 2, BAR / 2)

    # --- sideways

    @property
    def _overflow(self) -> int:
        """How many pixels of the widest row lie outside; wide glyphs count twice."""
        content = self._widest * self.look.code.average * (1.7 if self._wide else 1.0) + 2 * (PAD + 4)
        return max(0, int(content) - self._width)

    def scroll_sideways(self, pixels: int) -> bool:
        offset = max(0, min(self._overflow, self._offset + pixels))
        if offset == self._offset:
            return False
        self._offset = offset
        self.changed()
        return True

    # --- text

    def _to_qt(self, index: int) -> int:
        return utf16_length(self._code[:index]) if self._wide else index

    @property
    def baseline(self) -> int:
        return (HEADER + self.look.label.baseline) // 2

    @property
    def length(self) -> int:
        return utf16_length(self._code) if self._wide else len(self._code)

    def text(self, start: int, end: int) -> str:
        return utf16_slice(self._code, start, end) if self._wide else self._code[start:end]

    def position_at(self, x: int, y: int) -> int:
        row = (y - HEADER - PAD) // self.look.code.pitch
        if row < 0:
            return 0
        if row >= len(self._rows):
            return self.length
        column = self._row(row).lineAt(0).xToCursor(x - PAD - 4 + self._offset)
        return self._to_qt(self._rows[row][0]) + int(column)

    def word_at(self, position: int) -> Selected:
        index = len(utf16_slice(self._code, 0, position)) if self._wide else position
        row = max(0, bisect_right(self._rows, (index, len(self._code))) - 1)
        base = self._rows[row][0]
        start, end = word_around(self._row_text(row), index - base)
        return self._to_qt(base + start), self._to_qt(base + end)

    # --- the copy button

    def button_at(self, x: int, y: int) -> str:
        return "copy" if 0 <= y < HEADER and self._width - 96 <= x < self._width else ""

    def set_hot(self, button: str) -> bool:
        hot = button == "copy"
        if hot == self._hot:
            return False
        self._hot = hot
        self.changed()
        return True

    def set_copied(self, copied: bool) -> None:
        """Shows for a while that the code is in the clipboard."""
        self._copied = copied
        self.changed()
