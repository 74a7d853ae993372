"""Owns the messages of a surface: going from one to the next, finding in them, what screen readers are told of them.

Knows nothing of how messages come, grow and change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.core.messages import Message, TextPart, ThinkingPart
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import frame
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow, RowLayout
from desktop_app.ui.transcript.canvas.surface import Surface
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.item import TextHighlight, utf16_length
from desktop_app.ui.transcript.message.decorations import Decorations
from desktop_app.ui.transcript.message.merged_answers import is_results
from desktop_app.ui.transcript.reading.selection import END, Spot

if TYPE_CHECKING:  # the first paint does without them
    from desktop_app.ui.transcript.find.find_in_thread import FindInThread
    from desktop_app.ui.transcript.find.go_to_bar import GoToBar
    from desktop_app.ui.transcript.formulas.formula_cache import FormulaCache
    from desktop_app.ui.transcript.formulas.formula_updates import FormulaUpdates
    from desktop_app.ui.transcript.reading.accessible_message import AccessibleMessage

#: Where in the view a question comes to stand that the keyboard leads to.
QUESTION_TOP = 8

#: How the keyboard comes here when no pointer brought it.
BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class MessageSurface(Surface):
    """A surface whose messages the keyboard goes through, and in which words can be found."""

    def __init__(self, row_layout: RowLayout, text_style: TextStyle, parent: QWidget | None = None) -> None:
        super().__init__(row_layout, text_style, parent)
        self._decorations = Decorations()
        self._growing: Mapping[str, Any] = {}
        self._finds = False
        self._formulas: FormulaUpdates | None = None
        self._go_to: GoToBar | None = None
        self._spoken: AccessibleMessage | None = None

    def _show_changes(self) -> None:
        self.row_layout.place_again()
        self.refresh()

    # --- formulas

    def formulas(self) -> FormulaCache:
        """What has formulas typeset, made with the first one."""
        if self._formulas is None:
            from desktop_app.ui.transcript.formulas.formula_updates import FormulaUpdates

            self._formulas = FormulaUpdates(self)
        return self._formulas.formulas

    @property
    def typesets(self) -> bool:
        """True while formulas are being typeset."""
        return self._formulas is not None and self._formulas.formulas.busy

    @property
    def grows(self) -> bool:
        """True while an answer is coming."""
        return bool(self._growing)

    # --- finding

    @cached_property
    def find_in_thread(self) -> FindInThread:
        """What finds words in the messages, made when it is first asked for."""
        from desktop_app.ui.transcript.find.find_in_thread import FindInThread

        self._finds = True
        return FindInThread(self)

    def unmark_found(self) -> None:
        """What a search found stands out no more; the find bar stays."""
        if self._finds and not self.find_in_thread.shown:
            self.find_in_thread.close()

    def marks_in(self, placed: PlacedRow) -> Sequence[TextHighlight]:
        return self.find_in_thread.marks_in(placed) if self._finds else ()

    def refresh(self) -> None:
        super().refresh()
        if self._finds:
            self.find_in_thread.look_again()

    def repaint_all(self) -> None:
        super().repaint_all()
        if self._finds:
            self.find_in_thread.look_again()

    def is_growing(self, index: int) -> bool:
        """True for an answer that is still coming."""
        return self.row_layout.messages[index].id in self._growing

    def message_now(self, index: int) -> tuple[Message, bool]:
        """A message as it is by now, and whether more of it is coming."""
        message = self.row_layout.messages[index]
        if not self.is_growing(index):
            return message, False
        return replace(message, parts=self.row_layout.message_layout(index).parts), True

    def is_read(self, index: int, part: int) -> bool:
        """True for a part that is searched: text and thinking, not what tools and documents say."""
        if index >= len(self.row_layout.messages):
            return False
        parts = (
            self.row_layout.message_layout(index).parts
            if self.is_growing(index)
            else self.row_layout.messages[index].parts
        )
        return 0 <= part < len(parts) and isinstance(parts[part], TextPart | ThinkingPart)

    # --- bars over the text

    bars_closed = Signal()

    @property
    def go_to(self) -> GoToBar:
        """The bar that leads to a message by number or date, made when it is first asked for."""
        if self._go_to is None:
            from desktop_app.ui.transcript.find.go_to_bar import GoToBar

            self._go_to = GoToBar(self)
            self._go_to.set_theme(self.text_style.theme)
            self._go_to.closed.connect(self.close_bars)
            self._go_to.chosen.connect(self._go_to_chosen)
        return self._go_to

    def open_find(self) -> None:
        """Opens the bar in which words are found."""
        if self._go_to is not None:
            self._go_to.hide()
        self.find_in_thread.open()

    def ask_where(self) -> None:
        """Opens the bar that leads to a message by number or date."""
        self.find_in_thread.close()
        self.set_top_bar(self.go_to)
        self.go_to.begin(self.row_layout.messages)

    def close_bars(self) -> bool:
        """Closes the bar over the text; False if there was none. What a search found stands out no more."""
        self.unmark_found()
        if self.find_in_thread.shown:
            self.find_in_thread.close()
        elif self._go_to is not None and not self._go_to.isHidden():
            self.set_top_bar(None)
        else:
            return False
        self.bars_closed.emit()
        return True

    def _go_to_chosen(self, index: int) -> None:
        self.close_bars()
        self.go_to_message(index)

    # --- from question to question

    def go_to_question(self, step: int) -> None:
        """Brings the next question (1), or the previous one (-1), to the top of the view."""
        messages, placed = self.row_layout.messages, self.row_layout.placed
        if not placed or not messages:
            return
        top = next((p for p in placed if p.bottom > QUESTION_TOP), placed[-1])
        index = top.message
        if step < 0 and not (top.first and top.top >= 0) and index < len(messages) and self._is_question(index):
            index += 1  # its beginning is out of view: that is where to go
        index += step
        while 0 <= index < len(messages) and not self._is_question(index):
            index += step
        if 0 <= index < len(messages):
            self.go_to_message(index)
        elif step > 0:
            self.scroll_by(self.row_layout.bottom - self.row_layout.y)

    def _is_question(self, index: int) -> bool:
        message = self.row_layout.messages[index]
        return message.role == "user" and not is_results(message)

    def go_to_message(self, index: int) -> None:
        """Brings a message to the top of the view; for a reader with the keyboard here, the keyboard goes along."""
        if self.hasFocus():
            self.keyboard.leave()
            self.row_layout.focused = index
        self.row_layout.place_message(index, QUESTION_TOP)
        self.row_layout.place_again()
        self.refresh()
        self.start_rest()
        self.scrolled_by_user.emit()

    # --- the keyboard on one message

    def focused_message(self) -> int:
        if self.row_layout.focused >= 0 or not self.row_layout.placed:
            return self.row_layout.focused
        return min(self.row_layout.placed[-1].message, len(self.row_layout.messages) - 1)

    def focus_message(self, index: int, *, stay: bool = False) -> None:
        """Puts the keyboard on a message, brings its top into view and says why it is toned down, if it is.

        `stay`: nothing moves where any of it is in view.
        """
        self.keyboard.leave()
        self.row_layout.focused = index
        here = [placed for placed in self.row_layout.placed if placed.message == index]
        if not (here if stay else any(placed.first and placed.top >= 0 for placed in here)):
            self.row_layout.place_message(index, 0)
        self._show_changes()
        if QAccessible.isActive():
            self._speak_of(index)
        told = self._decorations.told_of(self.row_layout.messages[index].id)
        if told:
            corner = self.viewport().mapToGlobal(self.message_corner(index))
            QToolTip.showText(corner, told, self.viewport())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Up and Ctrl+Down go from message to message; the menu key, or Enter, opens the message's menu."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and event.modifiers() == Qt.KeyboardModifier.ControlModifier and self.row_layout.messages:
            here = self.row_layout.focused
            index = here + step if here >= 0 else self.focused_message()
            self.focus_message(max(0, min(len(self.row_layout.messages) - 1, index)))
        elif self.keyboard.press(event):
            return
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.row_layout.focused >= 0:
            corner = self.message_corner(self.row_layout.focused)
            reason = QContextMenuEvent.Reason.Keyboard
            self.contextMenuEvent(QContextMenuEvent(reason, corner, self.viewport().mapToGlobal(corner)))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and not self.row_layout.messages:
            painter = QPainter(self.viewport())
            frame(painter, self.viewport().rect(), self.text_style.color("focus"))
            painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever comes with the keyboard is on the last message that is in view, and sees it."""
        super().focusInEvent(event)
        self._show_whether_empty()
        if event.reason() not in BY_KEYBOARD or self.row_layout.focused >= 0:
            return
        index = self.focused_message()
        if 0 <= index < len(self.row_layout.messages):
            self.row_layout.focused = index
            self._show_changes()
            if QAccessible.isActive():
                # Qt tells readers of the view itself after this event: the message is to be what they hear of last
                QTimer.singleShot(0, self, self._speak_of_focused)

    def _speak_of_focused(self) -> None:
        if 0 <= self.row_layout.focused < len(self.row_layout.messages):
            self._speak_of(self.row_layout.focused)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        # a menu takes the keyboard only for a while
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.keyboard.leave()
        if self.row_layout.focused >= 0 and event.reason() != Qt.FocusReason.PopupFocusReason:
            self.row_layout.focused = -1
            if self._spoken is not None:
                self._spoken.be_quiet()
            self._show_changes()
        super().focusOutEvent(event)
        self._show_whether_empty()

    def _show_whether_empty(self) -> None:
        if not self.row_layout.messages:
            self.viewport().update()

    # --- for screen readers

    def _speak_of(self, index: int) -> None:
        """Lets a running screen reader go through the text of a message; the caret there is the selection's."""
        if self._spoken is None:
            from desktop_app.ui.transcript.reading.accessible_message import AccessibleMessage

            self._spoken = AccessibleMessage(self)
        place = self.message_rect(index).translated(self.viewport().pos())
        name = self.message_name(index)
        self._spoken.speak_of(index, name, self.copying.reader.text(((index, 0, 0), (index, END, END))), place)
        QAccessible.updateAccessibility(QAccessibleEvent(self._spoken, QAccessible.Event.Focus))

    def spoken_message(self) -> AccessibleMessage | None:
        """The text of the message that the keyboard is on, for a running screen reader."""
        return self._spoken if self._spoken is not None and self._spoken.index >= 0 else None

    def selection_changed(self) -> None:
        super().selection_changed()
        spoken, ends = self.spoken_message(), (self.selection.anchor, self.selection.caret)
        if spoken is not None and ends[0] is not None and ends[1] is not None:
            anchor, caret = (self._spoken_position(spoken.index, end) for end in (ends[0], ends[1]))
            spoken.select(anchor, caret)

    def _spoken_position(self, index: int, spot: Spot) -> int:
        """A spot as a position in what is spoken of a message: before it, in it or at its end."""
        start = (index, 0, 0)
        if spot <= start:
            return 0
        return utf16_length(self.copying.reader.text((start, min(spot, (index, END, END)))))

    def message_count(self) -> int:
        """How many messages there are to read."""
        return len(self.row_layout.messages)

    def message_name(self, index: int) -> str:
        """Who speaks in a message, and what is to be said of it."""
        message = self.row_layout.messages[index]
        speaker = tr("You") if message.role == "user" else tr("Assistant")
        told, mark = self._decorations.said_of(message), self._decorations.annotations.get(message.id)
        named = f"{speaker}: {told}" if told else speaker
        return f"{named}, {mark.spoken}" if mark is not None else named

    def message_created(self, index: int) -> str:
        """When a message was said (ISO 8601, UTC)."""
        return self.row_layout.messages[index].created

    def message_text(self, index: int) -> str:
        """What a message says; of a growing answer, what has come so far."""
        from desktop_app.ui.i18n.attachment_words import spoken_of
        from desktop_app.ui.transcript.message.tool_rows import spoken_text

        message = self.row_layout.messages[index]
        if message.id in self._growing:
            return spoken_text(self.row_layout.message_layout(index).parts, ended=False)
        text = message.text if message.role == "user" else spoken_text(message.parts, ended=True)
        return f"{spoken_of(message)}\n{text}".strip()

    def message_actions(self, index: int) -> Sequence[str]:
        """What the links and buttons of a message are called, in order."""
        return [words for _, _, _, words in self.keyboard.stops(index)]

    def act_on_message(self, index: int, place: int) -> None:
        """Presses one of `message_actions`."""
        self.keyboard.press_stop(index, place)

    def message_rect(self, index: int) -> QRect:
        """Where a message is in view, in this widget's pixels; empty if it is not."""
        rows = [placed for placed in self.row_layout.placed if placed.message == index]
        if not rows:
            return QRect()
        reading = self.column
        return QRect(reading.left(), rows[0].top, reading.width(), rows[-1].bottom - rows[0].top)

    def message_index_at(self, y: int) -> int:
        """The message at a line of this widget, -1 if there is none."""
        placed = self.placed_at(y)
        return -1 if placed is None or placed.message >= len(self.row_layout.messages) else placed.message
