"""The marks that a user sets on messages: ratings and notes, with their line, their field and their undo.

Local only: nothing of it is ever asked of a model. Paints nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_app.core.events import MarkChanged
from desktop_app.core.messages import NO_MARK, MessageMark, Rating
from desktop_app.ui.conversation.shown_messages import ShownMessages, is_question
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.message.annotation_line import AnnotationLine
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Toast

if TYPE_CHECKING:
    from desktop_app.controller.open_threads import OpenThread

RATINGS: Mapping[str, Rating] = {"rate_up": "up", "rate_down": "down"}
"""The rating that each action gives a message."""


class MarksPresenter(QObject):
    """The marks of the open thread. `note_begun`: a note is about to be written."""

    note_begun = Signal()

    def __init__(
        self,
        app_state: AppState,
        messages: ShownMessages,
        view: TranscriptView,
        toast: Toast,
        focus_elsewhere: Callable[[], None],
    ) -> None:
        """`focus_elsewhere`: gives the keyboard to where it belongs when nothing is written."""
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._toast = toast
        self._focus_elsewhere = focus_elsewhere
        self._marks: dict[str, MessageMark] = {}  # by the id of what is shown
        self._unfolded: set[str] = set()
        self._noted: tuple[str, str] | None = None  # thread and message of the note that is being written
        self._typed: dict[str, str] = {}  # message -> a note that was left unfinished
        self._by_keyboard = False

    def of(self, message_id: str) -> MessageMark:
        """The mark of a message that is shown."""
        return self._marks.get(message_id, NO_MARK)

    # Facts

    def show_opened(self, opened: OpenThread) -> None:
        """A thread is open, or was read again."""
        if self._noted is not None and (
            self._noted[0] != opened.thread.id or self._messages.find(self._noted[1]) is None
        ):
            self.leave_note()
        self._app_state.start(self._read(opened.thread.id))

    def thread_left(self, _thread: object = None) -> None:
        """Another thread is opened, or none: an unfinished note is there again when it is written on."""
        self.leave_note()
        self._marks, self._unfolded = {}, set()

    def changed(self, changed: MarkChanged) -> None:
        """A message has another mark."""
        if self._app_state.is_open(changed.thread_id):
            self._marks[self._messages.id_of(changed.message_id)] = changed.mark
            self._show()

    # Wishes

    def act(self, message_id: str, action: str) -> None:
        """Does with a message what its row, its line or its menu says."""
        match action:
            case "rate_up" | "rate_down":
                self.rate(message_id, RATINGS[action])
            case "note":
                self.write_note(message_id)
            case "fold_note":
                self._unfolded ^= {message_id}
                self._show()

    def act_here(self, action: str) -> None:
        """The same with the message that the keyboard is on, else with the last: with the last answer to rate it."""
        shown, focused = self._view.row_layout.messages, self._view.row_layout.focused
        if 0 <= focused < len(shown):
            self.act(shown[focused].id, action)
            return
        wanted = (one for one in reversed(self._messages.all) if action == "note" or not is_question(one))
        last = next(wanted, None)
        if last is not None:
            self.act(last.id, action)

    def rate(self, message_id: str, rating: Rating) -> None:
        """Rates an answer; the same again takes it back."""
        message = self._messages.find(message_id)
        if message is None or message.role != "assistant" or self._messages.is_growing(message):
            return
        mark = self.of(message_id)
        taken_back = mark.rating == rating
        told = {"up": self.tr("Rated up"), "down": self.tr("Rated down")}[rating]
        words = self.tr("Rating removed") if taken_back else told
        self._put(message_id, MessageMark("" if taken_back else rating, mark.note), words)

    def write_note(self, message_id: str) -> None:
        """Opens the field for a note beneath a message."""
        thread_id = self._app_state.thread_id
        message = self._messages.find(message_id)
        if thread_id is None or message is None or self._messages.is_growing(message):
            return
        self.leave_note()
        self.note_begun.emit()
        self._by_keyboard = self._view.hasFocus()
        panel = self._view.editing.note
        if not panel.property("wired"):
            panel.setProperty("wired", True)
            panel.done.connect(self.keep_note)
            panel.cancelled.connect(self.cancel_note)
        self._noted = (thread_id, message_id)
        self._view.editing.begin_note(message_id, self._typed.pop(message_id, self.of(message_id).note))

    def keep_note(self) -> None:
        """Keeps what was written; an empty note is taken away."""
        if self._noted is None:
            return
        message_id, text = self._noted[1], self._view.editing.note.text
        self._end_note()
        before = self.of(message_id)
        if text == before.note:
            return
        words = self.tr("Note saved") if text else self.tr("Note removed")
        self._put(message_id, MessageMark(before.rating, text), words)

    def cancel_note(self) -> bool:
        """Leaves the note as it was; False if none is being written."""
        if self._noted is None:
            return False
        self._end_note()
        return True

    def leave_note(self) -> None:
        """Something else is looked at: what was written is kept for as long as the window is open."""
        if self._noted is not None:
            self._typed[self._noted[1]] = self._view.editing.note.editor.toPlainText()
            self._noted = None
            self._view.editing.end()

    def hand_over(self, holds: Callable[[str], bool], to: MarksPresenter) -> None:
        """Another window shows a thread that was left here: notes that are not finished are there."""
        moved = {message: text for message, text in self._typed.items() if holds(message)}
        to._typed |= moved
        self._typed = {message: text for message, text in self._typed.items() if message not in moved}

    # Doings

    def _end_note(self) -> None:
        if self._noted is None:
            return
        index = self._view.path.number(self._noted[1])
        self._noted = None
        self._view.editing.end()
        if self._by_keyboard and index is not None:
            self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._view.keyboard.focus_message(index, stay=True)
        else:
            self._focus_elsewhere()

    def _put(self, message_id: str, mark: MessageMark, words: str) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._change(self._app_state.thread_id, message_id, mark, words))

    async def _change(self, thread_id: str, message_id: str, mark: MessageMark, words: str) -> None:
        services = await self._app_state.services()
        before = await services.chat.marks.put(thread_id, message_id, mark)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, words))
        self._toast.show_message(words, self.tr("Undo"), partial(self._undo, thread_id, message_id, before))

    def _undo(self, thread_id: str, message_id: str, before: MessageMark) -> None:
        self._app_state.start(self._take_back(thread_id, message_id, before))

    async def _take_back(self, thread_id: str, message_id: str, before: MessageMark) -> None:
        services = await self._app_state.services()
        await services.chat.marks.put(thread_id, message_id, before)

    async def _read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        marks = await services.chat.marks.of(thread_id)
        if self._app_state.is_open(thread_id):
            self._marks = {self._messages.id_of(message_id): mark for message_id, mark in marks.items()}
            self._show()

    def _show(self) -> None:
        shown = {
            message_id: AnnotationLine(mark, message_id in self._unfolded)
            for message_id, mark in self._marks.items()
            if not mark.empty
        }
        self._view.decorations.set_annotations(shown)
        self._view.actions_bar.follow()
