"""The quiet rows of buttons beneath messages, and the line with arrows between versions. Carries nothing out itself.

The row lies over the empty space beneath a message: painted text never moves for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import icon, stroke
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.items.item import ButtonItem, Selected, TextStyle, paint_focus
from desktop_app.ui.transcript.items.line_items import NoteItem, note_height
from desktop_app.ui.transcript.message.message_layout import CARD_INSET, PAD

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
        painter.drawText(places[TREE], Qt.AlignmentFlag.AlignCenter, f"{self._number} / {self._count}")
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


HEIGHT = 26
WIDTH = 28
NARROW = 22
SIGN, NARROW_SIGN = 16, 12
#: Least height of a button above and below its sign.
GAP = 2
#: The highest button: no more is free between two messages.
HIGHEST = 2 * PAD - CARD_INSET - 1


@dataclass(frozen=True, slots=True)
class MessageAction:
    """Something that can be done with a message; with a `reason` it can't be done now.

    `on`: None for what is done once; whether it is so for what is either so or not. `narrow`: an arrow that belongs to
    the button before it.
    """

    id: str
    icon: str
    words: str
    reason: str = ""
    on: bool | None = None
    narrow: bool = False

    @property
    def width(self) -> int:
        """Pixels of its button at the usual text size."""
        return NARROW if self.narrow else WIDTH


class MessageButtons(QWidget):
    """The buttons of one message, at their place beneath it. `acted(message_id, action)`: one was pressed.

    Its buttons take no keyboard: whoever has only that finds all of them in the message's menu.
    """

    acted = Signal(str, str)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.viewport())
        self._canvas = canvas
        self._shown: tuple[MessageAction, ...] = ()
        self._buttons: list[QToolButton] = []
        self.message_id = ""
        self.setAccessibleName(tr("Message actions"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self.hide()
        canvas.style_changed.connect(lambda: self._fill(self._shown))

    def _sign(self, usual: int) -> int:
        """The side of a sign: it grows with the text."""
        return min(self._canvas.text_style.theme.pixels(usual), HIGHEST - 2 * GAP)

    @property
    def _height(self) -> int:
        return max(HEIGHT, self._sign(SIGN) + 2 * GAP)

    @property
    def _hang(self) -> int:
        """The distance that the row begins before the text: the first sign stands under the text's beginning."""
        return (self._canvas.text_style.theme.pixels(WIDTH) - self._sign(SIGN)) // 2

    @property
    def buttons(self) -> dict[str, QToolButton]:
        """The buttons that are shown, by what they do."""
        return {offer.id: button for offer, button in zip(self._shown, self._buttons, strict=False)}

    def place_of(self, index: int) -> tuple[int, int] | None:
        """Left and upper edge of the row of a message, behind the arrows between its versions; None: out of view."""
        row_layout, column = self._canvas.row_layout, self._canvas.column
        rows = [placed for placed in row_layout.placed if placed.message == index]
        branch = next((placed for placed in rows if isinstance(placed.row.item, BranchItem | AuthorItem)), None)
        if branch is not None and isinstance(branch.row.item, BranchItem | AuthorItem):
            return column.left() + branch.row.item.end + self._hang, branch.item_top + 1
        last = next((placed for placed in rows if placed.last), None)
        if last is None or last.bottom > row_layout.view + PAD:
            return None
        return column.left() - self._hang, last.bottom - (CARD_INSET if last.card else PAD) + 1

    def show_at(self, place: tuple[int, int], message_id: str, offers: Sequence[MessageAction]) -> None:
        """Shows what can be done with a message."""
        self.message_id = message_id
        if tuple(offers) != self._shown:
            self._fill(offers)
        pixels = self._canvas.text_style.theme.pixels
        self.setGeometry(*place, sum(pixels(offer.width) for offer in offers), self._height)
        self.setVisible(bool(offers))

    def show_offers(self, offers: Sequence[MessageAction]) -> None:
        """Shows a row wherever it stands, following nothing."""
        self._fill(offers)
        self.show()

    def _fill(self, offers: Sequence[MessageAction]) -> None:
        self._shown = tuple(offers)
        self.setFixedHeight(self._height)
        while len(self._buttons) < len(offers):
            button = QToolButton(self)
            button.setProperty("kind", "cross")
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setCursor(Qt.CursorShape.ArrowCursor)
            button.clicked.connect(partial(self._act, len(self._buttons)))
            self._row.addWidget(button)
            self._buttons.append(button)
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(offers))
            if number < len(offers):
                offer = offers[number]
                theme, sign = self._canvas.text_style.theme, NARROW_SIGN if offer.narrow else SIGN
                button.setFixedSize(QSize(theme.pixels(offer.width), self._height))
                side = self._sign(sign)
                button.setIconSize(QSize(side, side))
                button.setIcon(icon(offer.icon, theme, size=sign))
                button.setAccessibleName(offer.words)
                button.setToolTip(offer.reason or offer.words)
                button.setEnabled(not offer.reason)
                button.setCheckable(offer.on is not None)
                button.setChecked(bool(offer.on))

    def _act(self, number: int) -> None:
        if number < len(self._shown):
            self.acted.emit(self.message_id, self._shown[number].id)


class ActionBar(MessageButtons):
    """Follows the pointer and the keyboard over a canvas; beneath the last answer a row rests without them.

    Alt+Left and Alt+Right on a message are `PREVIOUS` and `NEXT`.
    """

    def __init__(self, canvas: Canvas, is_growing: Callable[[int], bool]) -> None:
        super().__init__(canvas)
        self._is_growing = is_growing
        self.offers: Callable[[str], Sequence[MessageAction]] = lambda _message_id: ()
        """The function that returns the actions on a message."""
        self._hovered = -1
        self._top: int | None = None
        self._opened_with: str | None = None
        self._rests = False
        self.resting = MessageButtons(canvas)
        self.resting.acted.connect(self.acted)
        canvas.carried = self.resting
        canvas.viewport().installEventFilter(self)
        canvas.installEventFilter(self)

    @property
    def visible_row(self) -> MessageButtons | None:
        """The row of the message that the pointer or the keyboard is on, else that of the last answer, if in view."""
        return next((row for row in (self, self.resting) if row.isVisible()), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._canvas:
            return isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._press(event)
        if event.type() == QEvent.Type.Enter and not self._rests:
            self._rests = True
            self._rest()
        elif event.type() == QEvent.Type.Leave:
            self._hover(-1)
        elif event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent) and not event.buttons():
            y = round(event.position().y())
            self._hover(self._canvas.message_index_at(y))
        return False

    def _press(self, event: QKeyEvent) -> bool:
        step = {Qt.Key.Key_Left: PREVIOUS, Qt.Key.Key_Right: NEXT}.get(Qt.Key(event.key()))
        index = self._canvas.row_layout.focused
        if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.AltModifier:
            return False
        if 0 <= index < len(self._canvas.row_layout.messages):
            self.acted.emit(self._canvas.row_layout.messages[index].id, step)
        return True

    def _hover(self, index: int) -> None:
        self._hovered, self._top = index, None
        self.follow()

    def follow(self) -> None:
        """Rows were placed, or another message is meant."""
        self._follow_pointer()
        self._rest()

    def _follow_pointer(self) -> None:
        canvas, index = self._canvas, self._hovered
        by_pointer = 0 <= index < len(canvas.row_layout.messages)
        if not by_pointer:
            index = canvas.row_layout.focused if canvas.hasFocus() else -1
        place = self.place_of(index) if 0 <= index < len(canvas.row_layout.messages) else None
        if place is not None and by_pointer:
            # what scrolls away under the pointer takes its buttons along only when the pointer moves again
            moved, self._top = self._top not in (None, place[1]), place[1]
            place = None if moved else place
        if place is None or self._is_growing(index):
            self._hovered = -1 if by_pointer and place is None else self._hovered
            self.hide()
            return
        message_id = canvas.row_layout.messages[index].id
        self.show_at(place, message_id, self.offers(message_id))

    def _rest(self) -> None:
        messages = self._canvas.row_layout.messages
        last = len(messages) - 1
        if messages and not self._rests:
            # what was painted first stays as it is until the pointer comes, or something else is shown
            self._opened_with = self._opened_with or messages[last].id
            self._rests = messages[last].id != self._opened_with
        if not self._rests:
            return
        is_answer = bool(messages) and messages[last].role == "assistant" and not self._is_growing(last)
        place = self.place_of(last) if is_answer else None
        if place is None or (self.isVisible() and self.message_id == messages[last].id):
            self.resting.hide()
        else:
            self.resting.show_at(place, messages[last].id, self.offers(messages[last].id))
