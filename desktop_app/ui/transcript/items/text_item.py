"""A run of text with marks: paragraphs, headings, cells. Uses no blocks, lists or messages.

Positions are those of the text that is read. Where formulas stand in it, what is laid out is another text; `_shown`
and `_read_at` translate.
"""

from __future__ import annotations

import math
import sys
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextLayout, QTextLine, QTextOption

from desktop_app.core.markdown.blocks import Alignment, inner_source
from desktop_app.core.markdown.footnotes import label_of, spoken_note
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline, Span, SpanKind
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.theme.theme import MeasuredFont, radius
from desktop_app.ui.transcript.items.item import (
    CITE,
    LINK,
    NOTE,
    UNSENT,
    Item,
    Selected,
    TextHighlight,
    TextStyle,
    mark_ranges,
    text_range,
    utf16_length,
    utf16_slice,
    word_around,
    x_of,
)

if TYPE_CHECKING:  # formulas are imported with the first one
    from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache, FormulaDecisions, TextWithFormulas

#: A word that is still growing may yet wrap to the next line: one that begins nearer to the edge than this is not shown
#: before it ends (pixels; about 22 letters, longer than nearly all words).
GROWTH = 168

#: So many pieces of code have a background on one line, which has room for fewer words. Spaces hang over its end
#: without limit, and to find where one of very many pieces stands takes long.
MOST_BOXES = 40

#: How much of a line's height lies behind a citation.
CHIP = 0.6

#: Characters in which the direction of a text is looked for.
DIRECTION = 200
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
        "_decisions",
        "_face",
        "_focused",
        "_formulas",
        "_hidden",
        "_in_text",
        "_inline",
        "_layout",
        "_lines",
        "_map",
        "_read",
        "_source",
        "_steady",
        "_tops",
        "growing",
    )

    selectable = True

    def __init__(
        self,
        style: TextStyle,
        face: MeasuredFont,
        source: str,
        read: Callable[[str], Inline],
        alignment: Alignment = "left",
        *,
        formulas: Callable[[], FormulaCache] | None = None,
    ) -> None:
        """Without `formulas` a line of text stands for each formula."""
        super().__init__(style)
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
        self._formulas = formulas
        self._decisions: FormulaDecisions | None = None
        self._in_text: TextWithFormulas | None = None
        self._tops: Sequence[tuple[int, int]] = ()  # of lines and of their text, where not all are of one height
        self._steady = False
        self.growing = False

    def set_source(self, source: str, read: Callable[[str], Inline], *, growing: bool) -> None:
        """Replaces the text; the item is laid out again when it is next needed."""
        if source == self._source and growing == self.growing:
            return
        self._source, self.growing = source, growing
        self.read_by(read)

    def read_by(self, read: Callable[[str], Inline]) -> None:
        """The text reads otherwise by now, maybe: it is read again when the item is next laid out."""
        self._read, self._inline = read, None
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
        self._in_text = None
        self._map = None
        self._laid_out = False

    # --- formulas

    def hold_still(self) -> None:
        self._steady = True

    @property
    def holds(self) -> bool:
        if not self._steady or self._formulas is None or not ("$" in self._source or "\\" in self._source):
            return False
        if not any(span.kind == "formula" for span in self.inline.spans):
            return False
        return self._decided().awaits(self.inline, self._formulas())

    @property
    def lacks_formulas(self) -> bool:
        return self._decisions is not None and self._decisions.incomplete

    @property
    def is_still(self) -> bool:
        return self._steady

    def let_go(self) -> None:
        if self._decisions is not None:
            self._decisions.forget()
            self._laid_out = False  # a cell may be as wide as before

    @property
    def _waits_now(self) -> bool:
        """True while a part of it is held back."""
        return self._in_text is not None and self._in_text.held is not None

    def ask_formulas(self) -> None:
        if self._formulas is not None and ("$" in self._source or "\\" in self._source):
            for span in self.inline.spans:
                if span.kind == "formula":
                    self._ask(inner_source(span.target))

    def _ask(self, source: str) -> None:
        if self._formulas is not None:
            self._formulas().find(source, display=False)

    def take_formulas(self, *, still: bool) -> bool:
        if self._decisions is None or not self.lacks_formulas or (still and not self._waits_now):
            return False
        if not still:
            self._decisions.forget()
        self._laid_out = False
        self.changed()
        return True

    def _decided(self) -> FormulaDecisions:
        if self._decisions is None:
            from desktop_app.ui.transcript.formulas.inline_formulas import FormulaDecisions

            self._decisions = FormulaDecisions()
        self._decisions.steady = self._steady
        return self._decisions

    def _set_formulas(self, width: int) -> str:
        """The text that is to be laid out."""
        self._in_text = None
        self._steady = self._steady or self.growing
        if not any(span.kind == "formula" for span in self.inline.spans):
            return self.inline.text
        from desktop_app.ui.transcript.formulas.inline_formulas import TextWithFormulas

        decisions, formulas = self._decided(), self._formulas() if self._formulas is not None else None
        decisions.incomplete = False
        self._in_text = TextWithFormulas(
            self.inline, self._to_qt, self.style, self._face, width=width, formulas=formulas, decisions=decisions
        )
        return self._in_text.text

    def _shown(self, position: int, *, end: bool = False) -> int:
        """Return the laid-out position of a position (UTF-16) in the text that is read."""
        return position if self._in_text is None else self._in_text.to_shown(position, end=end)

    def _read_at(self, position: int) -> int:
        """The position (UTF-16) of the text that is read, for one of what is laid out."""
        return position if self._in_text is None else self._in_text.to_read(position)

    def _estimate(self, width: int) -> int:
        text = self._source
        lines = math.ceil(len(text) * self._face.average / max(1, width))
        if self._inline is not None:
            lines += self._inline.text.count(LINE_BREAK)
        return max(1, lines) * self._face.pitch

    def _arrange(self, width: int) -> int:
        layout = QTextLayout(text := self._set_formulas(width), self._face.font)
        leftwards = self.reads_leftwards
        alignment = "right" if self._alignment == "left" and leftwards else self._alignment
        option = QTextOption(_ALIGNMENTS[alignment])
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        direction = Qt.LayoutDirection.RightToLeft if leftwards else Qt.LayoutDirection.LayoutDirectionAuto
        option.setTextDirection(direction)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        if formats := self._formats():
            layout.setFormats(formats)
        pitch, baseline = self._face.pitch, self._face.baseline
        layout.beginLayout()
        count = 0
        while (line := layout.createLine()).isValid():
            self._fill(line, text, width)
            # the baseline of every line lies on the grid, whatever fallback fonts stand in it
            line.setPosition(QPointF(0, count * pitch + baseline - line.ascent()))
            count += 1
        layout.endLayout()
        self._layout, self._lines = layout, max(1, count)
        self._tops, self._hidden = (), None
        if self._in_text is not None:
            self._tops, self._hidden = self._in_text.make_room(layout), self._in_text.held
        if self.growing:
            self._hide_growing_word(layout, width)
        return self._tops[-1][0] if self._tops else self._lines * pitch

    def _fill(self, line: QTextLine, text: str, width: int) -> None:
        line.setLineWidth(width)

    @property
    def text_width(self) -> int:
        if self._layout is None or self.reads_leftwards:
            return self._width
        return min(math.ceil(self._layout.maximumWidth()), self._width)

    def _top(self, number: int) -> int:
        """Return the top of a line's text; room for a high formula lies above it."""
        return self._tops[number][1] if self._tops else number * self._face.pitch

    def _line_at(self, y: int) -> int:
        """The number of the line at a height."""
        number = bisect_right(self._tops, (y, sys.maxsize)) - 1 if self._tops else y // self._face.pitch
        return max(0, min(self._lines - 1, number))

    def _hide_growing_word(self, layout: QTextLayout, width: int) -> None:
        from desktop_app.core.markdown.unclosed_marks import growing_word  # not before an answer grows

        if (word := growing_word(self.inline.text)) is None:
            return
        start = self._shown(self._to_qt(word))
        line = layout.lineAt(self._lines - 1)
        if line.textStart() < start and x_of(line, start) > width - min(GROWTH, width // 3):
            self._hidden = start if self._hidden is None else min(start, self._hidden)

    def _formats(self) -> list[QTextLayout.FormatRange]:
        formats = [
            text_range(start, self._shown(self._to_qt(span.end), end=True) - start, self.style.format(span.kind))
            for span in self.inline.spans
            if span.kind != "formula"
            for start in (self._shown(self._to_qt(span.start)),)
        ]
        return formats if self._in_text is None else [*formats, *self._in_text.formats()]

    def _to_qt(self, index: int) -> int:
        """A code point index as UTF-16 position."""
        text = self.inline.text
        if self._map is None:
            self._map = [] if text.isascii() else [i for i, char in enumerate(text) if char > "\uffff"]
        return index + bisect_left(self._map, index) if self._map else index

    def _from_qt(self, position: int) -> int:
        text = self.inline.text
        return position if text.isascii() else len(utf16_slice(text, 0, position))

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        if (layout := self._layout) is None:
            return
        self._paint_boxes(painter, layout, (self._line_at(top), self._line_at(bottom)))
        shown = [*self.marks, *self._focus_marks()] if self._focused else self.marks
        marks = self._marks(shown) if shown else []
        if selected is not None:
            start, end = max(0, selected[0]), min(selected[1], self.length)
            if start < end:
                start, end = self._shown(start), self._shown(end, end=True)
                marks.append(text_range(start, end - start, self.style.selection))
        if self._hidden is not None:
            marks.append(text_range(self._hidden, utf16_length(layout.text()) - self._hidden, self.style.hidden))
        painter.setPen(ink)
        clip = QRectF(-4, top - 2, self._width + 8, bottom - top + 4)
        layout.draw(painter, QPointF(0, 0), marks, clip)
        if self._in_text is not None:
            self._paint_formulas(painter, layout, ink, (top, bottom))

    def _marks(self, marks: Sequence[TextHighlight]) -> list[QTextLayout.FormatRange]:
        """Return the formats of the marks in the laid-out text; the letters that stand in for formulas stay unseen."""
        if self._in_text is None:
            return mark_ranges(self.style, marks, 0, self.length)
        return [
            one
            for mark in marks
            for one in self._in_text.marked(max(0, mark.start), min(mark.end, self.length), mark.kind)
        ]

    def _paint_formulas(self, painter: QPainter, layout: QTextLayout, ink: QColor, clip: tuple[int, int]) -> None:
        assert self._in_text is not None
        for place in self._in_text.drawn(self._hidden):
            line = layout.lineForTextPosition(place.shown)
            baseline = self._top(max(0, line.lineNumber())) + self._face.baseline
            up, down = place.reach
            if baseline + down < clip[0] - 2 or baseline - up > clip[1] + 2:
                continue
            left = min(x_of(line, place.shown), x_of(line, place.shown_end))
            linked = any(
                span.kind == "link" and self._to_qt(span.start) <= place.start < self._to_qt(span.end)
                for span in self.inline.spans
            )
            place.paint(painter, left, baseline, self.style.color("link") if linked else ink, self._face.font)

    def _paint_boxes(self, painter: QPainter, layout: QTextLayout, lines: tuple[int, int]) -> None:
        """Paint the boxes behind code and citations, on the first and last of these lines and all between them."""
        spans = [span for span in self.inline.spans if span.kind in ("code", "cite")]
        if not spans:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.style.color("code-background"))
        pitch, round_off = self._face.pitch, radius("small")
        painted: dict[int, int] = {}
        for span in spans:
            start, end = self._shown(self._to_qt(span.start)), self._shown(self._to_qt(span.end))
            first = layout.lineForTextPosition(start).lineNumber()
            last = layout.lineForTextPosition(max(start, end - 1)).lineNumber()
            for number in range(max(first, lines[0]), min(last, lines[1]) + 1):
                painted[number] = painted.get(number, 0) + 1
                if painted[number] > MOST_BOXES:
                    continue
                line = layout.lineAt(number)
                a = x_of(line, max(start, line.textStart()))
                b = x_of(line, min(end, line.textStart() + line.textLength()))
                rect = QRectF(min(a, b) - 2, self._top(number) + 2, abs(b - a) + 4, pitch - 4)
                if span.kind == "cite":  # around a raised number
                    rect = QRectF(min(a, b) + 1, self._top(number) + 1, abs(b - a) - 2, pitch * CHIP)
                painter.drawRoundedRect(rect, round_off, round_off)

    @property
    def baseline(self) -> int:
        return self._top(0) + self._face.baseline

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
        text = self.inline.text
        if text.isascii():
            return False
        # the names of commands in a formula are Latin in any text
        for span in self.inline.spans:
            if span.kind == "formula" and span.start < DIRECTION:
                text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
        return _reads_leftwards(text)

    def caret_rect(self, position: int) -> QRect:
        pitch = self._face.pitch
        if self._layout is None:
            return QRect(0, 0, 1, pitch)
        shown = self._shown(max(0, min(position, self.length)))
        line = self._layout.lineForTextPosition(shown)
        if not line.isValid():
            line = self._layout.lineAt(self._lines - 1)
        x = round(x_of(line, shown)) if line.isValid() else 0
        return QRect(x, self._top(max(0, line.lineNumber())), 1, pitch)

    def snapped(self, position: int, step: int) -> int:
        around = self._in_text.around(position) if self._in_text is not None else None
        if around is None or position == around[0]:
            return position
        return around[1] if step > 0 else around[0]

    def buttons(self) -> Sequence[tuple[str, str]]:
        found: dict[str, str] = {}
        for span in self.inline.spans:
            if span.kind == "link":
                found.setdefault(LINK + span.target, self.inline.text[span.start : span.end])
            elif span.kind == "note":
                shown = spoken_note(self.inline.text[span.start : span.end])
                words = tr("Note {label}").format(label=shown)
                found.setdefault(NOTE + label_of(span.target), words)
            elif span.kind == "cite":
                shown = spoken_note(self.inline.text[span.start : span.end])
                words = tr("Source {label}: {title}").format(label=shown, title=translated(span.title))
                found.setdefault(CITE + span.target, words)
            elif span.kind == "unsent":
                found.setdefault(UNSENT + span.target, tr("Unverified source"))
        return tuple(found.items())

    def button_at(self, x: int, y: int) -> str:
        around = (self._span_at(("note", "cite", "unsent"), x + by, y) for by in (0, -2, 2, -4, 4))  # one is narrow
        return next((_button_of(span) for span in around if span is not None), "")

    def place_of(self, button: str) -> int:
        return next((self._to_qt(span.start) for span in self.inline.spans if _button_of(span) == button), 0)

    def set_focus(self, button: str) -> bool:
        if button == self._focused:
            return False
        self._focused = button
        self.changed()
        return True

    def _focus_marks(self) -> list[TextHighlight]:
        return [
            TextHighlight(self._to_qt(span.start), self._to_qt(span.end), "focused")
            for span in self.inline.spans
            if _button_of(span) == self._focused
        ]

    def position_at(self, x: int, y: int) -> int:
        if self._layout is None:
            return 0
        line = self._layout.lineAt(self._line_at(y))
        return self._read_at(int(line.xToCursor(x))) if line.isValid() else 0

    def word_at(self, position: int) -> Selected:
        around = self._in_text.around(position) if self._in_text is not None else None
        if around is not None:
            return around
        start, end = word_around(self.inline.text, self._from_qt(position))
        return self._to_qt(start), self._to_qt(end)

    def link_at(self, x: int, y: int) -> str:
        span = self._span_at(("link",), x, y)
        return span.target if span is not None else ""

    def _span_at(self, kinds: tuple[SpanKind, ...], x: int, y: int) -> Span | None:
        """The span of one of these kinds under a point."""
        spans = [span for span in self.inline.spans if span.kind in kinds]
        if not spans or self._layout is None or not 0 <= y < self.height:
            return None
        line = self._layout.lineAt(self._line_at(y))
        rect = line.naturalTextRect()
        if not rect.left() <= x <= rect.right():
            return None
        on = self._read_at(int(line.xToCursor(x, line.CursorPosition.CursorOnCharacter)))
        return next((s for s in spans if self._to_qt(s.start) <= on < self._to_qt(s.end)), None)


def _button_of(span: Span) -> str:
    """The id of the button that a span is, or an empty string."""
    if span.kind == "link":
        return LINK + span.target
    if span.kind == "note":
        return NOTE + label_of(span.target)
    return {"cite": CITE, "unsent": UNSENT}[span.kind] + span.target if span.kind in ("cite", "unsent") else ""


def _reads_leftwards(text: str) -> bool:
    """True if the first letter with a direction belongs to a script that is written from right to left."""
    if text.isascii():
        return False
    directions = (unicodedata.bidirectional(character) for character in text[:DIRECTION])
    return next((direction for direction in directions if direction in {"L", "R", "AL"}), "L") != "L"
