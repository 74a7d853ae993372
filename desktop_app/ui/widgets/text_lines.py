"""A long text as lines for the eye, and the view that fills with them in slices between which the window lives."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from PySide6.QtCore import QMimeData, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop_app.ui.theme.theme import GRID, Theme, frame

LineKind: TypeAlias = Literal["text", "heading", "title", "note", "mark", "fold", "added", "removed"]

LONGEST: Final = 8_000
"""Characters of a line, which is laid out as a whole; what is longer goes on in the next one, which says so."""


class TextLine(NamedTuple):
    """One line. `goes_on`: it continues the one before without a line break. `fold`: what unfolding it shows.

    `marked`: the ranges of its characters that stand out, from and to before; an empty range: its line is changed, but
    not in this piece.

    A tuple, as tens of thousands of them are compared at a time.
    """

    kind: LineKind
    text: str
    goes_on: bool = False
    fold: int | None = None
    marked: tuple[tuple[int, int], ...] = ()


def text_lines(text: str, kind: LineKind = "text") -> Iterator[TextLine]:
    """The lines of a text, long ones in pieces."""
    # the text edit would take these for the end of a line, or of a paragraph
    for line in text.replace("\r", "").replace("\u2029", " ").replace("\u2028", " ").split("\n"):
        start, end = 0, _cut(line, 0)
        yield TextLine(kind, line[:end])
        while end < len(line):
            start, end = end, _cut(line, end)
            yield TextLine(kind, line[start:end], goes_on=True)


def _cut(line: str, start: int) -> int:
    """Return the end of a piece of a long line that begins at `start`: behind a sentence or a space nearby."""
    if (end := start + LONGEST) >= len(line):
        return len(line)
    nearby = line[end - LONGEST // 4 : end]
    sentences = re.search(r"(?s).*(?:[.!?…] |[。！？])", nearby)
    return end - len(nearby) + sentences.end() if sentences else line.rfind(" ", end - len(nearby), end) + 1 or end


def plain_text(lines: Sequence[TextLine]) -> str:
    """The lines as one text, long ones whole again."""
    return "".join(line.text if not place or line.goes_on else f"\n{line.text}" for place, line in enumerate(lines))


SLICE_S = 0.003
"""Seconds of the GUI thread that one slice of filling may take."""
AT_ONCE = 24
AT_ONCE_LONG = 3 * LONGEST
"""Lines, and their characters, that are put in by one call."""
OUT_AT_ONCE = 500
"""Lines that are taken out by one call."""


class LinesView(QPlainTextEdit):
    """Read only, selectable with mouse and keyboard. `filled` comes when all lines are there."""

    unfold_requested = Signal(int)
    filled = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(self.wordWrapMode().WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(2 * GRID)
        self.viewport().setMouseTracking(True)
        self._lines: list[TextLine] = []
        self._waiting: Sequence[TextLine] = ()
        self._place = self._old_end = 0
        self.shown_lines: Sequence[TextLine] = ()
        """Every line, also those that are still to be put in."""
        self._in_code = False
        self._filling = QTimer(self, interval=0)
        self._filling.timeout.connect(self._fill)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._formats = {
            kind: _format(theme, kind)
            for kind in ("text", "heading", "title", "note", "mark", "fold", "added", "removed")
        }
        self._dress()
        whole, self.shown_lines = self.shown_lines, ()
        self._lines = []
        self.clear()
        self.show_lines(whole, code=self._in_code)

    @property
    def filling(self) -> bool:
        """True while lines are still to be put in."""
        return self._filling.isActive()

    def show_lines(self, lines: Sequence[TextLine], *, code: bool = False) -> None:
        """Shows these lines from now on; `code`: in the type of code."""
        self._finish_interrupted()
        if code != self._in_code:
            self._in_code = code
            self._dress()
        self.shown_lines = lines
        before = self._lines
        start, end, shorter = 0, 0, min(len(before), len(lines))
        while start < shorter and before[start] == lines[start]:
            start += 1
        while end < shorter - start and before[-1 - end] == lines[-1 - end]:
            end += 1
        self._waiting, self._place, self._old_end = lines[start : len(lines) - end], start, len(before) - end
        self._fill()

    def show_line(self, number: int) -> None:
        """Brings a line into the middle of the view, and the keyboard's place there."""
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(number)))
        self.centerCursor()

    def createMimeDataFromSelection(self) -> QMimeData:
        """A line that was cut for the eye is whole again in the clipboard."""
        cursor = self.textCursor()
        document = self.document()
        first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
        pieces: list[str] = []
        block = first
        while block.isValid() and block.blockNumber() <= last.blockNumber():
            text = block.text()
            if block == last:
                text = text[: cursor.selectionEnd() - block.position()]
            if block == first:
                text = text[cursor.selectionStart() - block.position() :]
            goes_on = self._line_of(block).goes_on if block != first else True
            pieces.append(text if goes_on else f"\n{text}")
            block = block.next()
        data = QMimeData()
        data.setText("".join(pieces))
        return data

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        line = self._line_of(self.cursorForPosition(event.position().toPoint()).block())
        if event.button() == Qt.MouseButton.LeftButton and line.fold is not None and not self._has_selection():
            self.unfold_requested.emit(line.fold)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        line = self._line_of(self.cursorForPosition(event.position().toPoint()).block())
        shape = Qt.CursorShape.IBeamCursor if line.fold is None else Qt.CursorShape.PointingHandCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        line = self._line_of(self.textCursor().block())
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and line.fold is not None:
            self.unfold_requested.emit(line.fold)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        block, offset, bottom = self.firstVisibleBlock(), self.contentOffset(), self.viewport().height()
        color = self._theme.color("hairline")
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(offset)
            if box.top() > bottom:
                break
            if (kind := self._line_of(block).kind) == "mark":
                self._paint_mark(painter, box, block, color)
            elif kind in ("added", "removed"):
                painter.fillRect(
                    QRectF(0, box.top(), 3, box.height()),
                    self._theme.color("success" if kind == "added" else "danger"),
                )
            block = block.next()
        painter.end()
        if self.hasFocus():
            painter = QPainter(self.viewport())
            frame(painter, self.viewport().rect(), self._theme.color("focus"))
            painter.end()

    def _paint_mark(self, painter: QPainter, box: QRectF, block: QTextBlock, color: QColor) -> None:
        layout = block.layout()
        if not layout.lineCount():
            return
        first = layout.lineAt(0)
        words, middle = first.naturalTextWidth(), round(box.top() + first.height() / 2)
        left = box.left() + 2 * GRID + words + GRID
        if (right := self.viewport().width() - 2 * GRID) > left:
            painter.fillRect(QRectF(left, middle, right - left, 1), color)

    def _has_selection(self) -> bool:
        return self.textCursor().hasSelection()

    def _line_of(self, block: QTextBlock) -> TextLine:
        number = block.blockNumber()
        return self._lines[number] if 0 <= number < len(self._lines) else _NONE

    def _dress(self) -> None:
        self.setFont(self._theme.code_font() if self._in_code else self._theme.small_font())

    def _finish_interrupted(self) -> None:
        """Lines were still to go or to come: what is shown now counts."""
        self._filling.stop()
        self._waiting = ()

    def _take_out(self, start: int, end: int) -> None:
        if end <= start:
            return
        document, cursor = self.document(), QTextCursor(self.document())
        first, last = document.findBlockByNumber(start), document.findBlockByNumber(end - 1)
        # a text has always one line: the break before the first of them goes with it, or the one behind the last
        if start:
            cursor.setPosition(first.position() - 1)
            cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.setPosition(0)
            behind = last.next()
            stop = behind.position() if behind.isValid() else last.position() + last.length() - 1
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self._lines[start:end]

    def _fill(self) -> None:
        deadline = time.perf_counter() + SLICE_S
        while self._old_end > self._place:
            first = max(self._place, self._old_end - OUT_AT_ONCE)
            self._take_out(first, self._old_end)
            self._old_end = first
            if time.perf_counter() > deadline:
                self._filling.start()
                return
        waiting, done = self._waiting, 0
        while done < len(waiting) and (not done or time.perf_counter() < deadline):
            kind, stop, size = waiting[done].kind, done, 0
            while stop < min(len(waiting), done + AT_ONCE) and waiting[stop].kind == kind and size < AT_ONCE_LONG:
                size += len(waiting[stop].text)
                stop += 1
            self._put_in(waiting[done:stop])
            done = stop
        self._waiting = waiting[done:]
        if self._waiting:
            self._filling.start()
        else:
            self._filling.stop()
            self.filled.emit()

    def _put_in(self, lines: Sequence[TextLine]) -> None:
        """Puts lines of one kind in at the place that is being filled."""
        document, cursor = self.document(), QTextCursor(self.document())
        text = "\n".join(line.text for line in lines)
        look = self._formats[lines[0].kind]
        if not self._lines:
            cursor.insertText(text, look)
        elif self._place:
            before = document.findBlockByNumber(self._place - 1)
            cursor.setPosition(before.position() + before.length() - 1)
            cursor.insertText(f"\n{text}", look)
        else:
            cursor.setPosition(0)
            cursor.insertText(f"{text}\n", look)
        self._lines[self._place : self._place] = lines
        for number, line in enumerate(lines, self._place):
            self._mark(document.findBlockByNumber(number).position(), line)
        self._place += len(lines)
        self._old_end = self._place

    def _mark(self, start: int, line: TextLine) -> None:
        """Has ranges of a line stand out, by weight and a line beneath: colour alone would not do.

        A changed line has its color on these ranges only: what it shares with the other reads as common text.
        """
        strong = QTextCharFormat(self._formats[line.kind])
        strong.setFontWeight(QFont.Weight.DemiBold)
        strong.setFontUnderline(True)
        if line.kind == "text":
            strong.setBackground(self._theme.color("selection"))
        common = [(0, len(line.text), self._formats["text"])] if line.kind in ("added", "removed") else []
        for first, end, look in (*common, *((*span, strong) for span in line.marked)) if line.marked else ():
            cursor = QTextCursor(self.document())
            cursor.setPosition(start + _units(line.text[:first]))
            cursor.setPosition(start + _units(line.text[:end]), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)


def _units(text: str) -> int:
    """Return how many characters Qt counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


_NONE = TextLine("text", "")


def _format(theme: Theme, kind: str) -> QTextCharFormat:
    role = {
        "heading": "text",
        "title": "text-secondary",
        "note": "text-secondary",
        "mark": "text-secondary",
        "fold": "link",
        "added": "success",
        "removed": "danger",
    }.get(kind, "text")
    look = QTextCharFormat()
    look.setForeground(theme.color(role))
    if kind == "heading":
        look.setFontWeight(QFont.Weight.DemiBold)
    elif kind == "title":
        look.setFontWeight(QFont.Weight.Medium)
    return look


def whole_text(view: LinesView) -> str:
    """Everything a view shows or is about to show."""
    return plain_text(view.shown_lines)
