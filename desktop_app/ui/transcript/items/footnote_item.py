"""The first paragraph of a footnote: its number leads back to the text, and so does the arrow at its end.

Knows nothing of where in the text it is referred to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QColor, QPainter

from desktop_app.core.markdown.footnotes import shown_note, spoken_note
from desktop_app.core.markdown.inline_text import Inline
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import MeasuredFont
from desktop_app.ui.transcript.canvas.text_style import INDENT, TextStyle
from desktop_app.ui.transcript.items.item import BACK, Selected, TextHighlight
from desktop_app.ui.transcript.items.text_item import TextItem

if TYPE_CHECKING:
    from desktop_app.ui.transcript.formulas.formula_cache import FormulaCache

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
        if on_label or self._arrow().contains(x, y):
            return BACK + self.label
        return super().button_at(x, y)

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
