"""Owns a run of text with marks: paragraphs, headings, cells. Knows nothing of blocks, lists or messages."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextLayout, QTextLine, QTextOption

from desktop_app.core.markdown.inline import LINE_BREAK, Inline
from desktop_app.core.markdown.leaves import Alignment
from desktop_app.ui.transcript.item import LINK, Item, Mark, Selected, utf16_length, utf16_slice, word_around
from desktop_app.ui.transcript.look import Face, Look

#: A word that is still growing may yet wrap to the next line: one that begins nearer to the edge than this is not shown
#: before it ends (pixels; about 22 letters, longer than nearly all words).
GROWTH = 168
#: Compiled by `re` when it is first needed, which takes 2 ms that a start need not pay.
_GROWING_WORD = r"[^\s\u2e80-\uffdc]{1,60}$"

_ALIGNMENTS = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TextItem(Item):
    """Text set in one face. `growing`: more of it is expected, and what is painted must not move when it comes.

    The source is read (its marks parsed) only when the item is laid out.
    """

    __slots__ = (
        "_alignment",
        "_face",
        "_focused",
        "_hidden",
        "_inline",
        "_layout",
        "_lines",
        "_map",
        "_read",
        "_source",
        "growing",
    )

    selectable = True

    def __init__(
        self, look: Look, face: Face, source: str, read: Callable[[str], Inline], alignment: Alignment = "left"
    ) -> None:
        super().__init__(look)
        self._face = face
        self._source = source
        self._read = read
        self._alignment = alignment
        self._focused = ""
        self._inline: Inline | None = None
        self._layout: QTextLayout | None = None
        self._lines = 1
        self._map: list[int] | None = None
        self._hidden: int | None = None
        self.growing = False

    def set_source(self, source: str, read: Callable[[str], Inline], *, growing: bool) -> None:
        """Replaces the text; the item is laid out again when it is next needed."""
        if source == self._source and growing == self.growing:
            return
        self._source, self._read = source, read
        self.growing = growing
        self._inline = None
        self.dismiss()
        self.changed()

    @property
    def inline(self) -> Inline:
        """The text and its marks."""
        if self._inline is None:
            self._inline = self._read(self._source)
        return self._inline

    def dismiss(self) -> None:
        self._layout = None
        self._map = None
        self._laid_out = False

    def _estimate(self, width: int) -> int:
        text = self._source
        lines = math.ceil(len(text) * self._face.average / max(1, width))
        if self._inline is not None:
            lines += self._inline.text.count(LINE_BREAK)
        return max(1, lines) * self._face.pitch

    def _arrange(self, width: int) -> int:
        layout = QTextLayout(self.inline.text, self._face.font)
        alignment = "right" if self._alignment == "left" and _reads_leftwards(self.inline.text) else self._alignment
        option = QTextOption(_ALIGNMENTS[alignment])
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        formats = self._formats()
        if formats:
            layout.setFormats(formats)
        pitch, baseline = self._face.pitch, self._face.baseline
        layout.beginLayout()
        count = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            # the baseline of every line lies on the grid, whatever fallback fonts stand in it
            line.setPosition(QPointF(0, count * pitch + baseline - line.ascent()))
            count += 1
        layout.endLayout()
        self._layout, self._lines = layout, max(1, count)
        self._hidden = None
        if self.growing:
            self._hide_growing_word(layout, width)
        return self._lines * pitch

    def _hide_growing_word(self, layout: QTextLayout, width: int) -> None:
        word = re.search(_GROWING_WORD, self.inline.text)
        if word is None:
            return
        start = self._to_qt(word.start())
        line = layout.lineAt(self._lines - 1)
        if line.textStart() < start and _x(line, start) > width - min(GROWTH, width // 3):
            self._hidden = start

    def _formats(self) -> list[QTextLayout.FormatRange]:
        return [
            _range(start, self._to_qt(span.end) - start, self.look.format(span.kind))
            for span in self.inline.spans
            for start in (self._to_qt(span.start),)
        ]

    def _to_qt(self, index: int) -> int:
        """A code point index as UTF-16 position."""
        text = self.inline.text
        if self._map is None:
            self._map = [] if text.isascii() else [i for i, char in enumerate(text) if char > "\uffff"]
        return index if not self._map else index + sum(1 for wide in self._map if wide < index)

    def _from_qt(self, position: int) -> int:
        text = self.inline.text
        if text.isascii():
            return position
        return len(utf16_slice(text, 0, position))

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        layout = self._layout
        if layout is None:
            return
        for span in self.inline.spans:
            if span.kind == "code":
                self._paint_box(painter, layout, self._to_qt(span.start), self._to_qt(span.end))
        shown = [*self.marks, *self._focus_marks()] if self._focused else self.marks
        marks = mark_ranges(self.look, shown, 0, self.length) if shown else []
        if selected is not None:
            start, end = max(0, selected[0]), min(selected[1], self.length)
            if start < end:
                marks.append(_range(start, end - start, self.look.selection))
        if self._hidden is not None:
            marks.append(_range(self._hidden, self.length - self._hidden, self.look.hidden))
        painter.setPen(ink)
        clip = QRectF(-4, top - 2, self._width + 8, bottom - top + 4)
        layout.draw(painter, QPointF(0, 0), marks, clip)

    def _paint_box(self, painter: QPainter, layout: QTextLayout, start: int, end: int) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("code-background"))
        pitch = self._face.pitch
        first = layout.lineForTextPosition(start).lineNumber()
        last = layout.lineForTextPosition(max(start, end - 1)).lineNumber()
        for number in range(first, last + 1):
            line = layout.lineAt(number)
            a = _x(line, max(start, line.textStart()))
            b = _x(line, min(end, line.textStart() + line.textLength()))
            rect = QRectF(min(a, b) - 2, number * pitch + 2, abs(b - a) + 4, pitch - 4)
            painter.drawRoundedRect(rect, 4, 4)

    @property
    def baseline(self) -> int:
        return self._face.baseline

    @property
    def length(self) -> int:
        return utf16_length(self.inline.text)

    def text(self, start: int, end: int) -> str:
        return utf16_slice(self.inline.text, start, end).replace(LINE_BREAK, "\n")

    @property
    def reading(self) -> str:
        return self.inline.text

    @property
    def reads_leftwards(self) -> bool:
        return _reads_leftwards(self.inline.text)

    def caret_rect(self, position: int) -> QRect:
        pitch = self._face.pitch
        if self._layout is None:
            return QRect(0, 0, 1, pitch)
        line = self._layout.lineForTextPosition(max(0, min(position, self.length)))
        if not line.isValid():
            line = self._layout.lineAt(self._lines - 1)
        x = round(_x(line, position)) if line.isValid() else 0
        return QRect(x, max(0, line.lineNumber()) * pitch, 1, pitch)

    def buttons(self) -> Sequence[tuple[str, str]]:
        text = self.inline.text
        links = {LINK + s.target: text[s.start : s.end] for s in reversed(self.inline.spans) if s.kind == "link"}
        return tuple(reversed(links.items()))

    def set_focus(self, button: str) -> bool:
        if button == self._focused:
            return False
        self._focused = button
        self.changed()
        return True

    def _focus_marks(self) -> list[Mark]:
        return [
            Mark(self._to_qt(span.start), self._to_qt(span.end), "focused")
            for span in self.inline.spans
            if span.kind == "link" and LINK + span.target == self._focused
        ]

    def position_at(self, x: int, y: int) -> int:
        if self._layout is None:
            return 0
        number = max(0, min(self._lines - 1, y // self._face.pitch))
        line = self._layout.lineAt(number)
        return int(line.xToCursor(x)) if line.isValid() else 0

    def word_at(self, position: int) -> Selected:
        start, end = word_around(self.inline.text, self._from_qt(position))
        return self._to_qt(start), self._to_qt(end)

    def link_at(self, x: int, y: int) -> str:
        links = [span for span in self.inline.spans if span.kind == "link"]
        if not links or self._layout is None or not 0 <= y < self._lines * self._face.pitch:
            return ""
        line = self._layout.lineAt(y // self._face.pitch)
        rect = line.naturalTextRect()
        if not rect.left() <= x <= rect.right():
            return ""
        on = int(line.xToCursor(x, line.CursorPosition.CursorOnCharacter))
        return next((s.target for s in links if self._to_qt(s.start) <= on < self._to_qt(s.end)), "")


def _x(line: QTextLine, position: int) -> float:
    found: Any = line.cursorToX(position)  # a pair in PySide6, whatever its stubs say
    return float(found[0])


def _reads_leftwards(text: str) -> bool:
    """True if the first letter with a direction belongs to a script that is written from right to left."""
    if text.isascii():
        return False
    directions = (unicodedata.bidirectional(character) for character in text[:200])
    return next((direction for direction in directions if direction in {"L", "R", "AL"}), "L") != "L"


def _range(start: int, length: int, form: object) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, form  # type: ignore[assignment]
    return made


def mark_ranges(look: Look, marks: Sequence[Mark], start: int, length: int) -> list[QTextLayout.FormatRange]:
    """What the marks mean for a text of that length that begins at position `start`."""
    return [
        _range(max(0, mark.start - start), min(length, mark.end - start) - max(0, mark.start - start), form)
        for mark in marks
        if mark.end > start and mark.start < start + length
        for form in (look.marks[mark.kind],)
    ]


def format_ranges(ranges: Sequence[tuple[int, int, object]]) -> list[QTextLayout.FormatRange]:
    """Qt's form of (start, length, format) triples."""
    return [_range(start, length, form) for start, length, form in ranges]
