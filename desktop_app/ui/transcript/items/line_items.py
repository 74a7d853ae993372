"""The quiet lines between text: rules, notes with words to click, the load line. Uses no message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import flood, radius, stroke
from desktop_app.ui.transcript.items.item import LOAD_LINE, ButtonItem, Item, Selected, TextStyle, paint_focus

if TYPE_CHECKING:
    from desktop_app.core.markdown.sections import Section

#: Pixels of a line at the usual text size.
NOTE_HEIGHT = 28
#: The same from one line of a note to the next.
LINE_PITCH = 20
#: Between the words to click in a note.
SEPARATOR = "  ·  "
#: Width and height of the grip of a line that can be dragged, at the usual text size.
GRIP = (28, 12)


def note_height(style: TextStyle) -> int:
    """Pixels of a line of small words."""
    return style.theme.pixels(NOTE_HEIGHT)


class RuleItem(Item):
    """A thematic break: one hairline."""

    __slots__ = ()

    def _estimate(self, width: int) -> int:
        return 9

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        flood(painter, QRect(0, 4, self._width, 1), self.style.color("hairline"))


class SpaceItem(Item):
    """Room for something that is not painted by the canvas, such as the error card."""

    __slots__ = ("_room",)

    def __init__(self, style: TextStyle, room: int) -> None:
        super().__init__(style)
        self._room = room

    def set_room(self, room: int) -> None:
        """Sets the height in pixels."""
        if room != self._room:
            self._room = room
            self._laid_out, self._width = False, -1
            self.changed()

    def _estimate(self, width: int) -> int:
        return self._room

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        pass


class NoteItem(ButtonItem):
    """One muted line, more where it has no room. `actions` (id, words) are clicked; `troubled`: the words are red."""

    __slots__ = ("_actions", "_rows", "_text_rows", "_troubled", "note")

    def __init__(
        self, style: TextStyle, note: str, actions: Sequence[tuple[str, str]] = (), *, troubled: bool = False
    ) -> None:
        super().__init__(style)
        self.note = note
        self._actions = tuple(actions)
        self._troubled = troubled
        self._rows = self._text_rows = 1

    @property
    def hint(self) -> str:  # type: ignore[override]
        """The text where it has no room, as far as a hint has."""
        is_cut = "".join(self._places()[0]).endswith("…") and not self.note.endswith("…")
        return self.note[:1_000] if is_cut else ""

    def set_note(self, note: str, actions: Sequence[tuple[str, str]] = (), *, troubled: bool = False) -> None:
        """Says something else in the same place."""
        if (note, tuple(actions), troubled) != (self.note, self._actions, self._troubled):
            self.note, self._actions, self._troubled = note, tuple(actions), troubled
            self.changed()

    def buttons(self) -> Sequence[tuple[str, str]]:
        return tuple((action, ", ".join(filter(None, (self.note, words)))) for action, words in self._actions)

    def _estimate(self, width: int) -> int:
        self._rows = self._text_rows = 1
        return note_height(self.style)

    def _arrange(self, width: int) -> int:
        # a text that is said later keeps to the rows of this one: painted text never moves
        self._rows, self._text_rows = 3, 2
        lines, places = self._places()
        self._text_rows = max(1, len(lines))
        self._rows = max(len(lines), *(1 + round(box.top()) // self._pitch for _, _, box in places), 1)
        return note_height(self.style) + (self._rows - 1) * self._pitch

    @property
    def _pitch(self) -> int:
        return self.style.theme.pixels(LINE_PITCH)

    def _places(self) -> tuple[list[str], list[tuple[str, str, QRectF]]]:
        """The text as it fits, line by line, and for each action its id, words and place."""
        metrics, height = QFontMetricsF(self.style.small.font), note_height(self.style)
        gap = metrics.horizontalAdvance(SEPARATOR)
        widths = [metrics.horizontalAdvance(words) for _, words in self._actions]
        room = self._width - sum(widths) - gap * len(widths)
        lines = [self.note] if self.note else []
        if self._rows > 1 and metrics.horizontalAdvance(self.note) > room:
            from desktop_app.ui.widgets.fitting import broken  # the first paint has room for its lines

            room, lines = self._width, broken(self.note, self.style.small.font, self._width, self._text_rows)
        lines = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, max(40, room)) for line in lines]
        x = metrics.horizontalAdvance(lines[-1]) if lines else -gap
        places, row = [], max(0, len(lines) - 1)
        for (action, words), width in zip(self._actions, widths, strict=True):
            if x > 0 and x + gap + width > self._width and row < self._rows - 1:
                x, row = -gap, row + 1
            places.append((action, words, QRectF(x + gap, row * self._pitch, width, height)))
            x += gap + width
        return lines, places

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        lines, places = self._places()
        painter.setFont(self.style.small.font)
        painter.setPen(self.style.color("danger" if self._troubled else "text-secondary"))
        middle, height = Qt.AlignmentFlag.AlignVCenter, note_height(self.style)
        for row, line in enumerate(lines):
            painter.drawText(QRectF(0, row * self._pitch, self._width, height), middle, line)
        for action, words, box in places:
            painter.setPen(self.style.color("text-secondary"))
            dot = QRectF(box.left() - 200, box.top(), 200, height)
            painter.drawText(dot, middle | Qt.AlignmentFlag.AlignRight, "·  " if box.left() else "")
            painter.setPen(self.style.color("text" if self._hot == action else "link"))
            painter.drawText(box.adjusted(0, 0, 4, 0), middle, words)
            if self._focused == action:
                paint_focus(painter, self.style, box.adjusted(-4, 2, 4, -2))

    def button_at(self, x: int, y: int) -> str:
        return next((one for one, _, box in self._places()[1] if box.adjusted(-4, 0, 4, 0).contains(x, y)), "")


class LoadLineItem(ButtonItem):
    """The mark where the model's view begins: a label at the left, a hairline across the column.

    One that `moves` has a grip at its end, and all of it is one button, which is dragged.
    """

    __slots__ = ("_label", "_moves")

    def __init__(self, style: TextStyle, label: str, *, moves: bool = False) -> None:
        super().__init__(style)
        self._label, self._moves = label, moves

    @property
    def hint(self) -> str:  # type: ignore[override]
        return tr("Drag to choose where the model starts reading") if self._moves else ""

    def _estimate(self, width: int) -> int:
        return note_height(self.style)

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        font, height = self.style.label.font, note_height(self.style)
        width = int(QFontMetricsF(font).horizontalAdvance(self._label))
        held = bool(self._hot or self._focused)
        color = self.style.color("accent" if held else "text-secondary")
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(QRectF(0, 0, width + 4, height), Qt.AlignmentFlag.AlignVCenter, self._label)
        flood(painter, QRect(width + 12, height // 2, max(0, self._width - width - 12), 2 if held else 1), color)
        if self._moves:
            paint_grip(painter, self.style, self._width, height // 2, held=held)
        if self._focused:
            paint_focus(painter, self.style, QRectF(-4, 2, self._width + 8, height - 4))

    def button_at(self, x: int, y: int) -> str:
        return LOAD_LINE if self._moves and 0 <= x < self._width and 0 <= y < note_height(self.style) else ""

    def buttons(self) -> Sequence[tuple[str, str]]:
        return ((LOAD_LINE, tr("{label}: move with the arrow keys").format(label=self._label)),) if self._moves else ()


def paint_grip(
    painter: QPainter, style: TextStyle, right: float, middle: float, *, held: bool, color: str = ""
) -> None:
    """The grip of a line that can be dragged, at its right end."""
    width, height = (style.theme.pixels(side) for side in GRIP)
    box = QRectF(right - width - 0.5, middle - height / 2, width, height)
    shade = style.color(color or ("accent" if held else "text-secondary"))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(shade, stroke("hair")))
    painter.setBrush(shade if held else style.color("background"))
    painter.drawRoundedRect(box, radius("small"), radius("small"))
    painter.setPen(QPen(style.color("on-accent") if held else shade, stroke("hair")))
    for lower in (-1.5, 1.5):
        y = box.center().y() + lower
        painter.drawLine(QPointF(box.left() + 8, y), QPointF(box.right() - 8, y))
    painter.restore()


#: What a line costs to be read besides its characters, in characters.
LINE = 30


class PlaceholderItem(Item):
    """Takes about the room that the rows of its text will take."""

    __slots__ = ("section",)

    def __init__(self, style: TextStyle, section: Section) -> None:
        super().__init__(style)
        self.section = section

    @property
    def weight(self) -> int:
        """About what it costs to read it: a character counts one."""
        return len(self.section.text) + LINE * self.section.text.count("\n")

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        """Nothing yet."""

    def _estimate(self, width: int) -> int:
        return self.style.body.pitch * (1 + int(len(self.section.text) * self.style.lines_per_character(width)))
