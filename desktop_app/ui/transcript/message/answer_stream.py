"""The messages that come at the end of a thread and the answers that grow there. Uses no theme and no other threads.

`AutoScroll` decides when the view may move (INTERFACE.md, "Reading while it streams"),
a `Coalescer` when what has come is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_app.core.messages import Message, Part, TextPart, ThinkingPart
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.message.decorations import Decorations, ThreadFooter
from desktop_app.ui.transcript.message.shown_path import ShownPath
from desktop_app.ui.transcript.reading.auto_scroll import AutoScroll
from desktop_app.ui.transcript.reading.exposed_transcripts import announce_reorder

Kind = Literal["text", "thinking"]

#: One frame at 60 Hz.
FRAME_MS = 16


class AnswerStream(QObject):
    """Adds messages at the end of a thread and grows answers there. Text that was painted stays where it is."""

    def __init__(
        self, canvas: Canvas, path: ShownPath, decorations: Decorations, auto_scroll: AutoScroll, footer: ThreadFooter
    ) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self._path = path
        self._decorations = decorations
        self._auto_scroll = auto_scroll
        self._footer = footer
        self._growing: dict[str, list[tuple[Kind, str]]] = {}
        self._coalescer = Coalescer(self._flush, self)

    @property
    def growing(self) -> Collection[str]:
        """The ids of the answers that are still coming."""
        return self._growing.keys()

    def is_growing(self, index: int) -> bool:
        """True for an answer that is still coming."""
        return self._row_layout.messages[index].id in self._growing

    def message_now(self, index: int) -> tuple[Message, bool]:
        """A message as it is by now, and whether more of it is coming."""
        message = self._row_layout.messages[index]
        if not self.is_growing(index):
            return message, False
        return replace(message, parts=self._row_layout.message_layout(index).parts), True

    def is_read(self, index: int, part: int) -> bool:
        """True for a part that is searched: text and thinking, not what tools and documents say."""
        if index >= len(self._row_layout.messages):
            return False
        grows = self.is_growing(index)
        parts = (self._row_layout.message_layout(index) if grows else self._row_layout.messages[index]).parts
        return 0 <= part < len(parts) and isinstance(parts[part], TextPart | ThinkingPart)

    def show_now(self) -> None:
        """Shows what has come without waiting for the frame's end."""
        self._coalescer.now()

    def clear(self) -> None:
        """No answer grows any more."""
        self._coalescer.now()
        self._growing.clear()

    def add_message(self, message: Message) -> None:
        """Adds a message at the end. A question moves to the top of the view; anything else moves nothing."""
        if self._path.number(message.id) is not None:
            self.replace_message(message)
            return
        if self._path.goes_on(message):
            self._extend(len(self._row_layout.messages) - 1, message)
            return
        index = self._path.append(message)
        self._footer.rebuild()
        if message.role == "user":
            self._auto_scroll.begin(index)
            self._auto_scroll.end()
        self._auto_scroll.show_changes()
        announce_reorder(self._canvas)

    def replace_message(self, message: Message) -> None:
        """Shows another state of a message that is there."""
        index = self._path.number(message.id)
        if index is not None:
            self._extend(index, message)

    def _extend(self, index: int, message: Message) -> None:
        self._path.extend(index, message)
        self._row_layout.drop(index)
        self._auto_scroll.show_changes()

    # --- an answer that grows

    def begin_answer(self, message: Message) -> None:
        """Adds the still empty answer; its question moves to the top and the answer grows beneath it.

        Where it goes on with the turn of the answer before it, it grows in that one, and nothing moves.
        """
        if self._path.number(message.id) is None and self._path.goes_on(message):
            self._path.extend(len(self._row_layout.messages) - 1, message)
            self.go_on()
            return
        index = self._path.number(message.id)
        if index is None:
            index = self._path.append(message)
            self._footer.rebuild()
        self._growing[self._path.id_of(message.id)] = []
        layout = self._row_layout.message_layout(index)
        layout.awaiting = True
        self._decorations.decorate(layout)
        asked = index - 1 if index and self._row_layout.messages[index - 1].role == "user" else None
        self._auto_scroll.begin(asked)
        self._auto_scroll.show_changes()
        announce_reorder(self._canvas)

    def go_on(self) -> None:
        """The last answer is not over: its tools are running, or the next answer of its turn begins."""
        if not self._row_layout.messages or self._row_layout.messages[-1].role == "user":
            return
        answer_id = self._row_layout.messages[-1].id
        self._growing.setdefault(answer_id, [])
        layout = self._path.layout_of(answer_id)
        layout.begin_next()
        self._decorations.decorate(layout)
        self._auto_scroll.begin(None)
        self._auto_scroll.show_changes()

    def continue_answer(self, message: Message, results: Message) -> None:
        """An answer is stored that asked for tools, and so are their results: its turn goes on."""
        index = self._path.number(message.id)
        if index is None:
            return
        self._flush()
        self._path.extend(index, message)
        answer = self._path.extend(index, results)
        self._growing.setdefault(answer.id, [])
        layout = self._row_layout.message_layout(index)
        layout.awaiting = True
        layout.finish(answer)
        self._decorations.decorate(layout)
        self._auto_scroll.show_changes()

    def grow_answer(self, message_id: str, kind: Kind, delta: str) -> None:
        """Text or thinking that arrived; shown at once or with what else comes in the same frame."""
        waiting = self._growing.get(self._path.id_of(message_id))
        if waiting is None:
            return
        waiting.append((kind, delta))
        self._coalescer.touch()

    def finish_part(self, message_id: str, part: Part) -> None:
        """A whole part: the finished form of the open one, a tool call, or the result of one."""
        if self._path.id_of(message_id) in self._growing:
            self._coalescer.now()
            self._flush()
            layout = self._path.layout_of(message_id)
            layout.finish_part(part)
            if layout.unread:
                self._coalescer.touch_later()
            self._auto_scroll.show_changes()

    def reset_answer(self, message_id: str) -> None:
        """Remove the text that came so far of this answer: it is superseded."""
        answer_id = self._path.id_of(message_id)
        if answer_id in self._growing:
            self._growing[answer_id].clear()
            self._path.layout_of(answer_id).reset()
            self._auto_scroll.show_changes()

    def finish_answer(self, message: Message) -> None:
        """The stored answer, whole or partial. Text that was painted stays where it is."""
        index = self._path.number(message.id)
        if index is None:
            self.add_message(message)
            return
        self._flush()
        answer = self._path.extend(index, message)
        self._growing.pop(answer.id, None)
        layout = self._row_layout.message_layout(index)
        layout.awaiting = False
        layout.finish(answer)
        self._decorations.decorate(layout)
        self._auto_scroll.show_changes()
        self._auto_scroll.end()
        words = tr("Answer finished") if message.state == "complete" else tr("Answer stopped")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._canvas, words))

    def _flush(self) -> None:
        grown = False
        for message_id, waiting in self._growing.items():
            layout = self._path.layout_of(message_id)
            if not waiting and not layout.unread:
                continue
            if waiting:
                for kind, text in _joined(waiting):
                    layout.grow(kind, text)
                waiting.clear()
            else:
                layout.read_on()
            grown = True
            if layout.unread:
                self._coalescer.touch()
        if grown:
            self._auto_scroll.show_changes()

    def keep_growing(self) -> list[str]:
        """Put the text that came of growing answers into their messages; return the ids of those with an unfinished
        part.
        """
        self._flush()
        layouts = {message_id: self._path.layout_of(message_id) for message_id in self._growing}
        for message_id, layout in layouts.items():
            number = self._path.number(message_id)
            assert number is not None
            self._row_layout.messages[number] = replace(self._row_layout.messages[number], parts=layout.parts)
        return [message_id for message_id, layout in layouts.items() if layout.grows]

    def go_on_growing(self, message_ids: Iterable[str]) -> None:
        """Let these answers, whose rows are made again, grow on: they have an unfinished part."""
        for message_id in message_ids:
            self._path.layout_of(message_id).go_on()
            self._coalescer.touch_later()


def _joined(waiting: list[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Neighbouring deltas of one kind as one."""
    joined: list[tuple[Kind, str]] = []
    for kind, text in waiting:
        if joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + text)
        else:
            joined.append((kind, text))
    return joined


class Coalescer(QObject):
    """Calls `flush` for any number of `touch()` calls: the first at once, those within a frame together at its end.

    However long a flush takes, the next one waits for the event loop: all deltas that are there at once cost one.
    """

    def __init__(self, flush: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._flush = flush
        self._waiting = False
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.now)

    def touch(self) -> None:
        """Something is to be shown."""
        self._waiting = True
        if not self._timer.isActive():
            self.now()

    def touch_later(self) -> None:
        """As `touch`, at the frame's end in any case."""
        self._waiting = True
        if not self._timer.isActive():
            self._timer.start(FRAME_MS)

    def now(self) -> None:
        """Shows what is waiting, if anything is."""
        self._timer.stop()
        if self._waiting:
            self._waiting = False
            self._since.start()
            self._timer.start(FRAME_MS)
            self._flush()
            # from the beginning of one to that of the next: what showing takes does not make the frame longer
            self._timer.start(max(0, FRAME_MS - self._since.elapsed()))
