"""A card of code: head, foot and colored lines, folded where there are many, wrapped or scrolled sideways."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QTextLayout, QTextOption

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import flood, radius, stroke
from desktop_app.ui.transcript.items.item import (
    BAR,
    ButtonItem,
    HorizontalScrollBar,
    Selected,
    TextStyle,
    format_ranges,
    mark_ranges,
    paint_bar,
    paint_focus,
    utf16_length,
    utf16_slice,
    word_around,
)

if TYPE_CHECKING:
    from pygments.lexer import Lexer

    from desktop_app.ui.transcript.items.highlighting import Highlighter


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
        if (words := _placed(style, width, (*said, copy)))[0].left >= NAME:
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


LONGEST_TITLE = 200
"""Characters: more have room in no header."""


def paint_header(
    painter: QPainter, style: TextStyle, title: str, words: Sequence[HeaderButton], *, hot: str, copied: bool
) -> None:
    """The code's title at the left, the words to click at the right."""
    painter.setFont(style.label.font)
    painter.setPen(style.color("text-secondary"))
    middle = Qt.AlignmentFlag.AlignVCenter
    room = max(0.0, words[0].left - PAD - 16)
    metrics = QFontMetricsF(style.label.font)
    name = metrics.elidedText((title or "text")[:LONGEST_TITLE], Qt.TextElideMode.ElideRight, room)
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


#: The bar beneath wide code can be caught this far from it (pixels).
BAR_REACH = 12
TAB = 4
#: A line longer than this is drawn in several rows (code points): one layout per row stays cheap.
LONGEST_ROW = 4_000
#: Laid-out rows kept per card.
KEPT_ROWS = 240


#: Code of more lines than this is folded to its first `FOLDED` lines until the reader asks for all.
LONG_CODE = 40
FOLDED = 25


@dataclass(slots=True)
class CodeOptions:
    """`wrap`: lines that are wider than the card go on below. `opened` remembers the code that was unfolded by hash.

    `keeps`: True for a card whose code can be kept as an artifact.
    """

    wrap: bool = False
    keeps: Callable[[CodeItem], bool] = lambda _code: False
    opened: set[int] = field(default_factory=set)

    def is_open(self, key: int) -> bool:
        """True for code that the reader unfolded."""
        return key in self.opened

    def toggle(self, key: int) -> None:
        """Unfolds, or folds again."""
        self.opened ^= {key}


class CodeItem(ButtonItem):
    """Code by visible rows: the height is known without laying anything out, and only rows in view are laid out.

    Code that was shown while it grew is never folded afterwards: nothing that was read may move.
    """

    __slots__ = (
        "__weakref__",
        "_columns",
        "_copied",
        "_grew",
        "_highlighter",
        "_layouts",
        "_lexer",
        "_offset",
        "_rows",
        "_title",
        "_tokens",
        "_wide",
        "_widest",
        "code",
        "growing",
        "language",
        "options",
    )  # fmt: skip

    selectable = True
    held_header = HEADER

    def __init__(
        self,
        style: TextStyle,
        code: str,
        language: str,
        highlighter: Highlighter | None,
        options: CodeOptions | None = None,
        *,
        info: str = "",
    ) -> None:
        """`info`: the language with what is said behind it, such as `python title="x"`."""
        super().__init__(style)
        self.language = language
        self._title = info or language
        self.growing = False
        self._grew = False
        self.options = options or CodeOptions()
        self._columns = 0
        self._highlighter = highlighter if language else None
        self._layouts: dict[int, QTextLayout] = {}
        self._lexer: object = None
        self._tokens: list[list[tuple[int, int, str]]] | None = None
        self._offset = 0
        self._copied = False
        self.code = ""
        """The code as copied: without the final line break."""
        #: start of each row in the code, in code points, and the line it belongs to
        self._rows: list[tuple[int, int]] = []
        self._widest = 0
        self._wide = not code.isascii()
        self._set_rows(code.removesuffix("\n"), 0)

    def set_code(self, code: str, *, growing: bool) -> None:
        """Replaces the code; what stays at the beginning keeps its layouts and colors."""
        self._grew = self._grew or self.growing or growing
        self.growing = growing
        if (code := code.removesuffix("\n")) == self.code:
            return
        if code.startswith(self.code):
            self._set_rows(code, len(self._rows) - 1)
        else:
            self._layouts.clear()
            self._tokens = self._lexer = None
            self._set_rows(code, 0)
        self._wide = self._wide or not code.isascii()
        self._laid_out = False
        self.changed()
        if self._tokens is not None and self._highlighter is not None:
            self._highlighter.highlight_now(self)

    def _set_rows(self, code: str, keep: int) -> None:
        start, line = self._rows[keep] if keep else (0, 0)
        del self._rows[keep:]
        self._layouts.pop(keep, None)
        short = min(LONGEST_ROW, self._columns // 2 or LONGEST_ROW)
        for text in code[start:].split("\n"):
            if (length := len(text)) <= short:  # one row: no more is done for it, there may be very many
                self._rows.append((start, line))
                self._widest = max(self._widest, length)
            else:
                for cut in self._cuts(text):
                    self._rows.append((start + cut, line))
                    self._widest = max(self._widest, min(LONGEST_ROW, length - cut))
            start += length + 1
            line += 1
        self.code = code

    def _cuts(self, text: str) -> Sequence[int]:
        """Return the positions in a line where its rows begin."""
        if not self._columns or len(text) * 2 <= self._columns:
            return range(0, max(1, len(text)), LONGEST_ROW)
        if text.isascii() and "\t" not in text:
            return range(0, max(1, len(text)), min(LONGEST_ROW, self._columns))
        cuts, used = [0], 0
        for index, character in enumerate(text):
            columns = TAB if character == "\t" else 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if used + columns > self._columns and not unicodedata.combining(character):
                cuts.append(index)
                used = 0
            used += columns
        return cuts

    def dismiss(self) -> None:
        self._layouts.clear()

    def _estimate(self, width: int) -> int:
        columns = max(8, int((width - 2 * (PAD + 4)) / self.style.code.average)) if self.options.wrap else 0
        if columns != self._columns:
            self._columns = columns
            self._layouts.clear()
            self._offset = self._widest = 0
            self._set_rows(self.code, 0)
        return HEADER + 2 * PAD + self.style.code.pitch * self._shown_rows + (FOOT if self.foldable else 0)

    # --- folding

    @property
    def lines(self) -> int:
        return self._rows[-1][1] + 1

    @property
    def foldable(self) -> bool:
        """True for long code, unless it grew before the reader's eyes."""
        return self.lines > LONG_CODE and not self.growing and not self._grew

    @property
    def folded(self) -> bool:
        """True while only the first lines are shown."""
        return self.foldable and not self.options.is_open(self._key)

    @property
    def _key(self) -> int:
        return hash((self.language, self.code))

    @property
    def _shown_rows(self) -> int:
        return bisect_right(self._rows, FOLDED - 1, key=lambda row: row[1]) if self.folded else len(self._rows)

    def toggle(self) -> None:
        """Unfolds long code, or folds it again."""
        self.options.toggle(self._key)
        self._width, self._laid_out = -1, False
        self.changed()

    def reveal(self, position: int) -> bool:
        row, index = self._place(position)
        changed = row >= self._shown_rows
        if changed:
            self.toggle()
        found: Any = self._row(row).lineAt(0).cursorToX(utf16_length(self._row_text(row)[:index]))
        x = found[0]
        left, right = self._offset, self._offset + max(0, self.width) - 2 * (PAD + 4)
        beyond = x - right + 3 * PAD if x > right else x - left - 3 * PAD if x < left else 0
        return (self.width > 0 and bool(beyond) and self.scroll_sideways(int(beyond))) or changed

    # --- colors

    def highlight(self, lexer: Lexer) -> Iterator[object]:
        """Lexes what is new; rows that were laid out without colors are dropped."""
        from desktop_app.core.code_lexing import LineLexer  # loaded by now

        line_lexer = self._lexer if isinstance(self._lexer, LineLexer) else LineLexer(lexer)
        self._lexer = line_lexer
        self._tokens = line_lexer.lines
        first = max(0, len(line_lexer.lines) - 1)
        for last in line_lexer.run(self.code):
            self._drop_lines(first, last)
            first = last
            yield None

    def give_up_highlighting(self) -> None:
        """No more of this code is colored; what is stays so."""
        self._highlighter = None

    def _drop_lines(self, first: int, last: int) -> None:
        dropped = [row for row in self._layouts if first <= self._rows[row][1] <= last]
        for row in dropped:
            del self._layouts[row]
        if dropped:
            self.changed()

    # --- rows

    def _row_text(self, row: int) -> str:
        start = self._rows[row][0]
        end = self._rows[row + 1][0] if row + 1 < len(self._rows) else len(self.code)
        return self.code[start:end].removesuffix("\n")

    def _row(self, row: int) -> QTextLayout:
        if (layout := self._layouts.get(row)) is not None:
            return layout
        if self._tokens is None and self._highlighter is not None:
            self._tokens = []
            self._highlighter.highlight_now(self)
        if len(self._layouts) > KEPT_ROWS:
            self._layouts.clear()
        text = self._row_text(row)
        layout = QTextLayout(text, self.style.code.font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)  # whatever letters it begins with
        option.setTabStopDistance(self.style.code.average * 4)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        layout.setFormats(format_ranges(self._formats(row, text)))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(1e7)
        line.setPosition(QPointF(0, self.style.code.baseline - line.ascent()))
        layout.endLayout()
        self._layouts[row] = layout
        return layout

    def _formats(self, row: int, text: str) -> list[tuple[int, int, object]]:
        start, line = self._rows[row]
        if not self._tokens or line >= len(self._tokens):
            return []
        shift = start - (self.code.rfind("\n", 0, start) + 1)
        plain = text.isascii()
        ranges: list[tuple[int, int, object]] = []
        for column, length, role in self._tokens[line]:
            a, b = max(0, column - shift), min(len(text), column + length - shift)
            if a >= b:
                continue
            if not plain:
                a, b = utf16_length(text[:a]), utf16_length(text[:b])
            ranges.append((a, b - a, self.style.syntax[role]))
        return ranges

    # --- painting

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        style, width, height = self.style, self._width, self.height
        card = QPainterPath()
        card.addRoundedRect(QRectF(0.5, 0.5, width - 1, height - 1), radius("control"), radius("control"))
        painter.fillPath(card, style.color("code-background"))
        if top < HEADER:
            painter.save()
            painter.setClipRect(QRectF(0, 0, width, HEADER), Qt.ClipOperation.IntersectClip)
            painter.fillPath(card, style.color("code-header"))
            painter.restore()
            self.paint_header(painter)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.color("hairline"))
        painter.drawPath(card)
        painter.save()
        foot = FOOT if self.foldable else 1
        painter.setClipRect(QRectF(1, HEADER, width - 2, height - HEADER - foot), Qt.ClipOperation.IntersectClip)
        pitch = style.code.pitch
        first = max(0, (top - HEADER - PAD) // pitch)
        for row in range(first, min(self._shown_rows, (bottom - HEADER - PAD) // pitch + 1)):
            layout = self._row(row)
            marks = self._marks(row, selected) if selected or self.marks else []
            painter.setPen(ink)
            layout.draw(painter, QPointF(PAD + 4 - self._offset, HEADER + PAD + row * pitch), marks)
        painter.restore()
        if self.foldable:
            hot = self._hot == "lines"
            paint_foot(painter, style, width, height - FOOT, self._foot_word(), hot=hot)
        place = HorizontalScrollBar(self._width, self._bar_top, self.overflow, self._offset)
        paint_bar(painter, self.style, place, hot=self._hot == "bar")
        self._paint_focus(painter)

    def paint_header(self, painter: QPainter) -> None:
        """Paints the language and the words to click."""
        paint_header(painter, self.style, self._title, self._words(), hot=self._hot, copied=self._copied)

    def _marks(self, row: int, selected: Selected | None) -> list[QTextLayout.FormatRange]:
        start = self._to_qt(self._rows[row][0])
        length = utf16_length(self._row_text(row))
        ranges = mark_ranges(self.style, self.marks, start, length)
        if selected is not None:
            a, b = max(0, selected[0] - start), min(length, selected[1] - start)
            ranges += format_ranges([(a, b - a, self.style.selection)]) if a < b else []
        return ranges

    def _words(self) -> Sequence[HeaderButton]:
        wrap = self.options.wrap if self._columns or self.overflow > 0 else None
        keeps = self.options.keeps(self)
        return header_words(self.style, self._width, copied=self._copied, wrap=wrap, keeps=keeps)

    def _foot_word(self) -> HeaderButton:
        return foot_word(self.style, self.lines, is_open=not self.folded)

    def _paint_focus(self, painter: QPainter) -> None:
        """Around the words that the keyboard is on."""
        if not self._focused:
            return
        words = [*self._words(), *([self._foot_word()] if self.foldable else [])]
        if (word := next((word for word in words if word.button == self._focused), None)) is not None:
            top = self.height - FOOT if word.button == "lines" else 0
            paint_focus(painter, self.style, QRectF(word.left - 6, top + 4, word.width + 12, HEADER - 8))

    @property
    def _bar_top(self) -> int:
        return self.height - BAR - 3 - (FOOT if self.foldable else 0)

    # --- sideways

    @property
    def overflow(self) -> int:
        """The pixels of the widest row that lie outside; wide glyphs count twice."""
        if self._columns:
            return 0
        content = self._widest * self.style.code.average * (1.7 if self._wide else 1.0) + 2 * (PAD + 4)
        return max(0, int(content) - self._width)

    def scroll_sideways(self, pixels: int) -> bool:
        if (offset := max(0, min(self.overflow, self._offset + pixels))) == self._offset:
            return False
        self._offset = offset
        self.changed()
        return True

    def drag_bar(self, pixels: int) -> bool:
        return self.scroll_sideways(HorizontalScrollBar(self._width, 0, self.overflow, 0).dragged(pixels))

    # --- text

    def _to_qt(self, index: int) -> int:
        return utf16_length(self.code[:index]) if self._wide else index

    @property
    def baseline(self) -> int:
        return (HEADER + self.style.label.baseline) // 2

    @property
    def length(self) -> int:
        return utf16_length(self.code) if self._wide else len(self.code)

    def text(self, start: int, end: int) -> str:
        return utf16_slice(self.code, start, end) if self._wide else self.code[start:end]

    @property
    def reading(self) -> str:
        return self.code

    def _place(self, position: int) -> tuple[int, int]:
        """The row of a position and the code points before it in that row."""
        index = len(utf16_slice(self.code, 0, position)) if self._wide else min(position, len(self.code))
        row = max(0, bisect_right(self._rows, (index, len(self.code))) - 1)
        return row, index - self._rows[row][0]

    def caret_rect(self, position: int) -> QRect:
        row, index = self._place(position)
        row = min(row, self._shown_rows - 1)
        x: Any = self._row(row).lineAt(0).cursorToX(utf16_length(self._row_text(row)[:index]))
        pitch = self.style.code.pitch
        return QRect(round(x[0]) + PAD + 4 - self._offset, HEADER + PAD + row * pitch, 1, pitch)

    def position_at(self, x: int, y: int) -> int:
        if (row := (y - HEADER - PAD) // self.style.code.pitch) < 0:
            return 0
        if row >= self._shown_rows:
            return self.length if self._shown_rows == len(self._rows) else self._to_qt(self._rows[self._shown_rows][0])
        column = self._row(row).lineAt(0).xToCursor(x - PAD - 4 + self._offset)
        return self._to_qt(self._rows[row][0]) + int(column)

    def word_at(self, position: int) -> Selected:
        row, index = self._place(position)
        base = self._rows[row][0]
        start, end = word_around(self._row_text(row), index)
        return self._to_qt(base + start), self._to_qt(base + end)

    # --- buttons

    def button_at(self, x: int, y: int) -> str:
        if not 0 <= x < self._width or not 0 <= y < self.height:
            return ""
        if y < HEADER:
            return next((word.button for word in self._words() if word.covers(x)), "")
        if self.foldable and y >= self.height - FOOT:
            return "lines" if self._foot_word().covers(x) else ""
        return "bar" if self.overflow > 0 and self._bar_top - BAR_REACH < y < self._bar_top + BAR_REACH else ""

    def buttons(self) -> Sequence[tuple[str, str]]:
        words = [*self._words(), *([self._foot_word()] if self.foldable else [])]
        return tuple((word.button, word.text) for word in words)

    def set_copied(self, copied: bool) -> None:
        """Shows for a while that the code is in the clipboard."""
        self._copied = copied
        self.changed()
