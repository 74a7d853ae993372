"""Owns how messages come at the end of a surface and how answers grow there. Knows no theme and no other threads.

`AutoScroll` decides when the view may move (INTERFACE.md, "Reading while it streams"),
a `Coalescer` when what has come is shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Message, Part
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.message.decorated_surface import DecoratedSurface
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.reading.auto_scroll import AutoScroll
from desktop_app.ui.transcript.reading.coalescer import Coalescer

Kind = Literal["text", "thinking"]


class GrowingSurface(DecoratedSurface):
    """A surface to whose end messages are added. Text that was painted stays where it is."""

    def __init__(self, row_layout: RowLayout, text_style: TextStyle, parent: QWidget | None = None) -> None:
        super().__init__(row_layout, text_style, parent)
        self._growing: dict[str, list[tuple[Kind, str]]] = {}
        self._reading = AutoScroll(row_layout)
        self._coalescer = Coalescer(self._flush, self)

    def add_message(self, message: Message) -> None:
        """Adds a message at the end. A question moves to the top of the view; anything else moves nothing."""
        if self.path.number(message.id) is not None:
            self.replace_message(message)
            return
        if self.path.goes_on(message):
            self._extend(len(self.row_layout.messages) - 1, message)
            return
        index = self.path.append(message)
        self._foot.renew()
        if message.role == "user":
            self._reading.begin(index)
            self._reading.end()
        self._show_changes()
        self._tell_readers()

    def replace_message(self, message: Message) -> None:
        """Shows another state of a message that is there."""
        index = self.path.number(message.id)
        if index is not None:
            self._extend(index, message)

    def _extend(self, index: int, message: Message) -> None:
        self.path.extend(index, message)
        self.row_layout.drop(index)
        self._show_changes()

    # --- an answer that grows

    def begin_answer(self, message: Message) -> None:
        """Adds the still empty answer; its question moves to the top and the answer grows beneath it.

        Where it goes on with the turn of the answer before it, it grows in that one, and nothing moves.
        """
        if self.path.number(message.id) is None and self.path.goes_on(message):
            self.path.extend(len(self.row_layout.messages) - 1, message)
            self.go_on()
            return
        index = self.path.number(message.id)
        if index is None:
            index = self.path.append(message)
            self._foot.renew()
        self._growing[self.path.id_of(message.id)] = []
        layout = self.row_layout.message_layout(index)
        layout.awaiting = True
        self._decorate(layout)
        asked = index - 1 if index and self.row_layout.messages[index - 1].role == "user" else None
        self._reading.begin(asked)
        self._show_changes()
        self._tell_readers()

    def go_on(self) -> None:
        """The last answer is not over: its tools are running, or the next answer of its turn begins."""
        if not self.row_layout.messages or self.row_layout.messages[-1].role == "user":
            return
        answer_id = self.row_layout.messages[-1].id
        self._growing.setdefault(answer_id, [])
        layout = self._layout_of(answer_id)
        layout.begin_next()
        self._decorate(layout)
        self._reading.begin(None)
        self._show_changes()

    def continue_answer(self, message: Message, results: Message) -> None:
        """An answer is stored that asked for tools, and so are their results: its turn goes on."""
        index = self.path.number(message.id)
        if index is None:
            return
        self._flush()
        self.path.extend(index, message)
        answer = self.path.extend(index, results)
        self._growing.setdefault(answer.id, [])
        layout = self.row_layout.message_layout(index)
        layout.awaiting = True
        layout.finish(answer)
        self._decorate(layout)
        self._show_changes()

    def grow_answer(self, message_id: str, kind: Kind, delta: str) -> None:
        """Text or thinking that arrived; shown at once or with what else comes in the same frame."""
        waiting = self._growing.get(self.path.id_of(message_id))
        if waiting is None:
            return
        waiting.append((kind, delta))
        self._coalescer.touch()

    def finish_part(self, message_id: str, part: Part) -> None:
        """A whole part: the finished form of the open one, a tool call, or the result of one."""
        if self.path.id_of(message_id) in self._growing:
            self._coalescer.now()
            self._flush()
            self._layout_of(message_id).finish_part(part)
            self._show_changes()

    def reset_answer(self, message_id: str) -> None:
        """What came so far of this answer is superseded."""
        answer_id = self.path.id_of(message_id)
        if answer_id in self._growing:
            self._growing[answer_id].clear()
            self._layout_of(answer_id).reset()
            self._show_changes()

    def finish_answer(self, message: Message) -> None:
        """The stored answer, whole or partial. Text that was painted stays where it is."""
        index = self.path.number(message.id)
        if index is None:
            self.add_message(message)
            return
        self._flush()
        answer = self.path.extend(index, message)
        self._growing.pop(answer.id, None)
        layout = self.row_layout.message_layout(index)
        layout.awaiting = False
        layout.finish(answer)
        self._decorate(layout)
        self._show_changes()
        self._reading.end()
        words = tr("Answer finished") if message.state == "complete" else tr("Answer stopped")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def _flush(self) -> None:
        grown = False
        for message_id, waiting in self._growing.items():
            if not waiting:
                continue
            layout = self._layout_of(message_id)
            for kind, text in _joined(waiting):
                layout.grow(kind, text)
            waiting.clear()
            grown = True
        if grown:
            self._show_changes()

    def _show_changes(self) -> None:
        self._reading.place_again()
        self.refresh()

    def show_latest(self) -> None:
        """Shows the end; while an answer grows, the view follows it until the reader scrolls."""
        self._reading.show_latest()
        self.refresh()
        self.start_rest()

    # --- inside

    def _number(self, message_id: str) -> int:
        number = self.path.number(message_id)
        assert number is not None
        return number

    def _layout_of(self, message_id: str) -> MessageLayout:
        return self.row_layout.message_layout(self._number(message_id))

    def _keep_growing(self) -> list[str]:
        """What has come of growing answers goes into their messages; the ids of those with an unfinished part."""
        self._flush()
        layouts = {message_id: self._layout_of(message_id) for message_id in self._growing}
        for message_id, layout in layouts.items():
            number = self._number(message_id)
            self.row_layout.messages[number] = replace(self.row_layout.messages[number], parts=layout.parts)
        return [message_id for message_id, layout in layouts.items() if layout.grows]

    def _tell_readers(self) -> None:
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.ObjectReorder))


def _joined(waiting: list[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Neighbouring deltas of one kind as one."""
    joined: list[tuple[Kind, str]] = []
    for kind, text in waiting:
        if joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + text)
        else:
            joined.append((kind, text))
    return joined
