"""The paragraphs that stand apart: a formula in a line of its own, the first paragraph of a footnote."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextFormat

from desktop_app.core.markdown.blocks import inner_source
from desktop_app.core.markdown.footnotes import shown_note, spoken_note
from desktop_app.core.markdown.inline_text import Inline
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import MeasuredFont
from desktop_app.ui.transcript.formulas import EM
from desktop_app.ui.transcript.formulas.inline_formulas import (
    FormulaCache,
    FormulaDecisions,
    FormulaDrawing,
    TextWithFormulas,
    formula_size,
)
from desktop_app.ui.transcript.items.item import (
    BACK,
    BAR,
    INDENT,
    HorizontallyScrolledItem,
    Selected,
    TextHighlight,
    TextStyle,
)
from desktop_app.ui.transcript.items.text_item import TextItem

ARROW: Final = "↑"
#: Empty pixels between the note's last word and the arrow, and how wide the arrow is to hit.
ARROW_GAP: Final = 6
ARROW_WIDTH: Final = 16


class FootnoteItem(TextItem):
    """A note with a label and a number, 0 while nothing refers to it; `back:LABEL` is the id of its button."""

    __slots__ = ("_hot", "_number", "label")

    def __init__(
        self,
        style: TextStyle,
        face: MeasuredFont,
        source: str,
        read: Callable[[str], Inline],
        *,
        label: str,
        number: int = 0,
        formulas: Callable[[], FormulaCache] | None = None,
    ) -> None:
        super().__init__(style, face, source, read, formulas=formulas)
        self.label = label
        self._number = number
        self._hot = False

    @property
    def sign(self) -> str:  # type: ignore[override]
        """The text of the references to it."""
        return shown_note(self.label, self._number)

    def set_number(self, number: int) -> None:
        """The text refers to it now; what it shows has a room of its own, so nothing moves."""
        if number != self._number:
            self._number = number
            self.changed()

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        super().paint(painter, ink, top, bottom, selected)
        arrow = self._arrow()
        painter.setFont(self._face.font)
        painter.setPen(self.style.color("link"))
        painter.drawText(QPointF(arrow.left() + 2, arrow.top() + self._face.baseline), ARROW)
        if self._hot:
            painter.fillRect(
                arrow.left() + 1, arrow.top() + self._face.baseline + 3, ARROW_WIDTH - 6, 1, painter.pen().color()
            )

    def _arrow(self) -> QRect:
        """Return the place of the arrow: behind the last word, in the margin if need be."""
        end = self.caret_rect(self.length)
        left = end.left() - ARROW_GAP - ARROW_WIDTH if self.reads_leftwards else end.left() + ARROW_GAP
        return QRect(min(left, self._width), end.top(), ARROW_WIDTH, end.height())

    def button_at(self, x: int, y: int) -> str:
        on_label = -INDENT - 8 <= x < 0 and 0 <= y < self._face.pitch and not self.reads_leftwards
        return BACK + self.label if on_label or self._arrow().contains(x, y) else super().button_at(x, y)

    def buttons(self) -> Sequence[tuple[str, str]]:
        words = tr("Back to the text from note {label}").format(label=spoken_note(self.sign))
        return (*super().buttons(), (BACK + self.label, words))

    def set_hot(self, button: str) -> bool:
        if self._hot == (button == BACK + self.label):
            return False
        self._hot = not self._hot
        self.changed()
        return True

    def _focus_marks(self) -> list[TextHighlight]:
        if self._focused == BACK + self.label:
            return [TextHighlight(0, self.length, "focused")]
        return super()._focus_marks()


#: Empty pixels above and below, beside those between paragraphs.
PAD_Y: Final = 4
#: What an estimate takes for a line of a formula, in lines of text.
LINE: Final = 1.8


class DisplayFormulaItem(HorizontallyScrolledItem, TextItem):
    """One formula with its delimiters as source. To select it is to select all of it."""

    __slots__ = ("_drawing", "_hot", "_offset", "_size", "_waits")

    def __init__(
        self,
        style: TextStyle,
        source: str,
        read: Callable[[str], Inline],
        formulas: Callable[[], FormulaCache] | None,
    ) -> None:
        super().__init__(style, style.body, source, read, formulas=formulas)
        self._drawing: FormulaDrawing | None = None
        self._size = formula_size(style.body.font)
        self._offset, self._hot, self._waits = 0, False, False

    def _decide(self) -> tuple[FormulaDrawing | None, bool]:
        source = inner_source(self._source)
        if self._formulas is None or not self.inline.spans or self.inline.spans[0].kind != "formula" or not source:
            return None, False
        return self._decided().decide(self._formulas(), source, display=True)

    @property
    def holds(self) -> bool:
        return self._steady and self._decide()[1]

    @property
    def _waits_now(self) -> bool:
        return self._waits

    def _ask(self, source: str) -> None:
        if self._formulas is not None:
            self._formulas().find(source, display=True)

    def _estimate(self, width: int) -> int:
        lines = self._source.count("\\\\") + 1
        return round(lines * LINE * self.style.body.pitch) + 2 * PAD_Y

    def _arrange(self, width: int) -> int:
        self._steady = self._steady or self.growing
        self._decided().incomplete = False
        self._drawing, self._waits = self._decide()
        if self._drawing is None:
            return super()._arrange(width)
        self._offset = min(self._offset, self.overflow)
        return self._baseline + math.ceil(self._drawing.down * self._scale) + PAD_Y + (2 * BAR if self.overflow else 0)

    def _set_formulas(self, width: int) -> str:
        # the text that stands for it is no formula
        self._in_text = None
        if self.inline.spans and self.inline.spans[0].kind == "formula":
            self._in_text = TextWithFormulas(
                self.inline,
                self._to_qt,
                self.style,
                self._face,
                width=width,
                formulas=None,
                decisions=FormulaDecisions(),
            )
        return self._in_text.text if self._in_text is not None else self.inline.text

    @property
    def _scale(self) -> float:
        return self._size / EM

    @property
    def _baseline(self) -> int:
        return PAD_Y + math.ceil(self._drawing.up * self._scale) if self._drawing is not None else 0

    @property
    def _left(self) -> int:
        """The left edge of the formula."""
        width = self._drawing.width * self._scale if self._drawing is not None else 0.0
        return max(0, round((self._width - width) / 2)) - self._offset

    @property
    def overflow(self) -> int:
        width = self._drawing.width * self._scale if self._drawing is not None else 0.0
        return max(0, math.ceil(width) - self._width)

    @property
    def baseline(self) -> int:
        return self._baseline if self._drawing is not None else super().baseline

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        if self._drawing is None:
            if not self._waits:
                super().paint(painter, ink, top, bottom, selected)
            return
        painter.save()
        if self.overflow:
            painter.setClipRect(QRectF(0, 0, self._width, self.height), Qt.ClipOperation.IntersectClip)
        place = self._place()
        for mark in self.marks:
            form = self.style.marks[mark.kind]
            painter.setPen(form.penProperty(int(QTextFormat.Property.OutlinePen)))
            painter.setBrush(form.background())
            painter.drawRect(place)
        if selected is not None and selected[0] < self.length and selected[1] > 0:
            painter.fillRect(place, self.style.color("selection"))
        at = QPointF(self._left, self._baseline)
        self._drawing.paint(painter, at, self._size, ink, self.style.body.font)
        painter.restore()
        self.paint_side_bar(painter)

    def _place(self) -> QRect:
        """Return the rectangle that the formula covers."""
        width = math.ceil(self._drawing.width * self._scale) if self._drawing is not None else 0
        return QRect(self._left - 2, 1, width + 4, self.height - 2 - (2 * BAR if self.overflow else 0))

    # --- positions: before it and behind it

    def caret_rect(self, position: int) -> QRect:
        if self._drawing is None:
            return super().caret_rect(position)
        place = self._place()
        return QRect(place.left() if position < self.length else place.right(), place.top(), 1, place.height())

    def position_at(self, x: int, y: int) -> int:
        if self._drawing is None:
            return super().position_at(x, y)
        return self.length if x > self._place().center().x() else 0

    def snapped(self, position: int, step: int) -> int:
        if self._drawing is None:
            return super().snapped(position, step)
        return position if position in {0, self.length} else self.length if step > 0 else 0

    def word_at(self, position: int) -> Selected:
        return (0, self.length) if self._drawing is not None else super().word_at(position)

    def link_at(self, x: int, y: int) -> str:
        return ""

    def reveal(self, position: int) -> bool:
        return False
