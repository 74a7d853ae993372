"""The line that says which of several versions of a message is shown, with the arrows. Uses no conversation."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import stroke
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.focus_ring import paint_focus
from desktop_app.ui.transcript.items.item import ButtonItem, Selected
from desktop_app.ui.transcript.items.line_items import NoteItem, note_height

PREVIOUS, NEXT, TREE = "previous", "next", "branches"
#: Width of an arrow's place to click, and by how much the first stands left of the text above.
ARROW = 24
HANG = 8


class BranchItem(ButtonItem):
    """`‹ 2 / 3 ›`, whose number opens the tree of branches; behind it whose version it is, where that is told.

    `frozen`: an answer is coming, and the arrows lead nowhere until it is there.
    """

    __slots__ = ("_author", "_count", "_frozen", "_number", "_question")

    def __init__(
        self, style: TextStyle, number: int, count: int, *, question: bool, frozen: bool, author: str = ""
    ) -> None:
        """`number` of `count`, from 1; `author`: the model that wrote it."""
        super().__init__(style)
        self._number = number
        self._count = count
        self._question = question
        self._frozen = frozen
        self._author = author

    @property
    def end(self) -> int:
        """The end of the line, in pixels from its left edge."""
        return round(self._places()[NEXT].right() + self._author_width)

    @property
    def _author_width(self) -> float:
        return QFontMetricsF(self.style.small.font).horizontalAdvance(self._author) + HANG if self._author else 0.0

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Why the arrows lead nowhere for now."""
        return tr("An answer is still coming. Stop it or wait until it is complete.") if self._frozen else ""

    def buttons(self) -> Sequence[tuple[str, str]]:
        words = {PREVIOUS: tr("previous version"), TREE: tr("show all branches"), NEXT: tr("next version")}
        told = branch_words(self._number, self._count, question=self._question)
        return tuple((button, f"{told}, {words[button]}") for button in words if self._leads(button))

    def _leads(self, button: str) -> bool:
        if button == TREE:
            return True
        return not self._frozen and (self._number > 1 if button == PREVIOUS else self._number < self._count)

    def _estimate(self, width: int) -> int:
        return note_height(self.style)

    @property
    def _words(self) -> str:
        return f"{self._number} / {self._count}"

    def _places(self) -> dict[str, QRectF]:
        # as wide as the widest number, so that nothing moves under the pointer
        widest = QFontMetricsF(self.style.small.font).horizontalAdvance(f"{self._count} / {self._count}")
        first = QRectF(-HANG, 0, ARROW, note_height(self.style))
        middle = QRectF(first.right(), 0, widest, note_height(self.style))
        return {PREVIOUS: first, TREE: middle, NEXT: QRectF(middle.right(), 0, ARROW, note_height(self.style))}

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        places = self._places()
        painter.setFont(self.style.small.font)
        painter.setPen(self.style.color("text" if self._hot == TREE else "text-secondary"))
        painter.drawText(places[TREE], Qt.AlignmentFlag.AlignCenter, self._words)
        if self._focused == TREE:
            paint_focus(painter, self.style, places[TREE].adjusted(-3, 2, 3, -2))
        if self._author:
            painter.setPen(self.style.color("text-secondary"))
            named = QRectF(places[NEXT].right(), 0, self._author_width, note_height(self.style))
            painter.drawText(named, Qt.AlignmentFlag.AlignVCenter, self._author)
        for button, side in ((PREVIOUS, -1), (NEXT, 1)):
            place = places[button]
            color = QColor(self.style.color("text" if self._hot == button else "text-secondary"))
            if not self._leads(button):
                color.setAlphaF(0.4)
            painter.setPen(QPen(color, stroke("glyph")))
            zoom = self.style.theme.zoom
            tip = place.center() + QPointF(2 * side, 0) * zoom
            back = [QPointF(-4 * side, end) * zoom for end in (-4, 4)]
            painter.drawPolyline([tip + back[0], tip, tip + back[1]])
            if self._focused == button:
                paint_focus(painter, self.style, place.adjusted(1, 2, -1, -2))

    def button_at(self, x: int, y: int) -> str:
        if not 0 <= y < note_height(self.style):
            return ""
        places = self._places()
        return next(
            (b for b in (PREVIOUS, TREE, NEXT) if places[b].left() <= x < places[b].right() and self._leads(b)), ""
        )


class AuthorItem(NoteItem):
    """The model of an answer that has no other version; the answer's buttons stand behind it, as behind the arrows."""

    __slots__ = ()

    @property
    def end(self) -> int:
        """The end of the words, in pixels from the left edge."""
        return round(QFontMetricsF(self.style.small.font).horizontalAdvance(self.note)) + HANG


def branch_words(number: int, count: int, *, question: bool) -> str:
    """Which version of a message this is, as a screen reader says it."""
    words = tr("Question {number} of {count}") if question else tr("Answer {number} of {count}")
    return words.format(number=number, count=count)
