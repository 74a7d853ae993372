"""Owns that what stands in the composer is never lost: saved per thread, a moment after typing and on leaving.

Knows nothing of sending.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import DraftSaved, MessageAdded, WritingChanged
from desktop_app.core.messages import Thread
from desktop_app.ui.conversation.panes import MessageComposer
from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread

SAVE_AFTER_MS = 300
"""A draft is saved when typing has rested this long."""
SAVE_WITHIN_MS = 500
"""Who types without a rest has what is older than this saved, too (HIS-1)."""
LONG_DRAFT = 200_000
"""Characters from which on only a rest has the draft saved: writing megabytes twice a second helps nobody."""


class Drafts(QObject):
    """Keeps the composer's text with its thread; has the thread made when the first word of a new one is written."""

    def __init__(self, app_state: AppState, composer: MessageComposer, waiting: Callable[[], str]) -> None:
        """`waiting`: the queued message of the open thread, which is unsent and so part of its draft."""
        super().__init__(app_state)
        self._app_state = app_state
        self._waiting = waiting
        self._composer = composer
        self._of: str | None = None
        self._saved = ""
        self._on_the_way: dict[str, str] = {}
        self._left: dict[str, str] = {}
        """The drafts of threads that were left: a question stored there later clears more than its own words."""
        self._unmade = ""
        self._showing = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_AFTER_MS)
        self._timer.timeout.connect(self.save_now)
        self._latest = QTimer(self)
        self._latest.setSingleShot(True)
        self._latest.setInterval(SAVE_WITHIN_MS)
        self._latest.timeout.connect(self.save_now)

    def show_draft(self, thread: Thread) -> None:
        """The draft of the thread that was opened. Text already being written in it is left alone."""
        if thread.id == self._of:
            return
        self._put_aside()
        self._of = thread.id
        self._left.pop(thread.id, None)
        draft = self._on_the_way.get(thread.id, thread.draft)
        self._show(draft.removeprefix(self._waiting()).lstrip("\n") if self._waiting() else draft)
        self._saved = draft

    def take_over(self, thread: Thread) -> None:
        """The composer shows this thread's draft already, and perhaps what has been typed since."""
        self._of, self._saved = thread.id, thread.draft

    def show_opened(self, opened: OpenThread) -> None:
        self.show_draft(opened.thread)

    def clear(self) -> None:
        """An empty composer for a new thread, or what stood in the last one, which could not be made."""
        self._put_aside()
        self._of = None
        self._show(self._unmade)
        self._unmade = ""

    def forget_saved(self) -> None:
        """Another file is open: it has nothing of what stands in the composer, or a draft where nothing does."""
        self._saved = ""
        if self._composer.is_empty():
            self._of = None

    def adopt(self, thread: Thread) -> None:
        """What is being written belongs to the thread that was made for it."""
        self._of, self._saved = thread.id, ""
        self._timer.start()

    def text_edited(self) -> None:
        """The composer's text changed."""
        if self._showing:
            return
        if self._of is None and not self._composer.is_empty():
            self._app_state.make_thread()
        self._timer.start()
        if not self._latest.isActive() and self._composer.editor.document().characterCount() < LONG_DRAFT:
            self._latest.start()

    def leave(self, thread: Thread) -> None:
        """Another thread is about to be opened; the composer still has the text of this one."""
        self.save_now()
        if self._saved and thread.id == self._of:
            self._left[thread.id] = self._saved

    def save_now(self) -> None:
        """Saves what is unsaved."""
        self._timer.stop()
        self._latest.stop()
        waiting, text = self._waiting(), self._composer.text()
        text = f"{waiting}\n\n{text}" if waiting and text.strip() else waiting or text
        if self._of is not None and text != self._saved:
            self._saved = self._on_the_way[self._of] = text
            self._app_state.start(self._save(self._of, text))

    def stored(self, stored: DraftSaved) -> None:
        """The history has this draft now, whoever wrote it: a refused message is kept as one."""
        if stored.thread_id == self._of:
            self._saved = stored.text
            return
        left = self._left.get(stored.thread_id, stored.text)
        if left != stored.text and left.startswith(stored.text):
            self._keep_left(stored.thread_id, left)  # a message came back, and what was typed behind it stays
        elif stored.thread_id in self._left:
            self._left[stored.thread_id] = stored.text

    def message_stored(self, added: MessageAdded) -> None:
        """The history has cleared the draft with the question it stored: what was typed since is saved soon."""
        thread_id = added.message.thread_id
        if not opens_turn(added.message):
            return
        if thread_id == self._of:
            self._saved = ""
            self._timer.start()
        elif left := self._left.pop(thread_id, ""):
            rest = left.lstrip().removeprefix(added.message.text.strip()).lstrip("\n")
            if rest.strip():
                self._keep_left(thread_id, rest)

    def writing_changed(self, changed: WritingChanged) -> None:
        """What the history did not take is saved as soon as it can be written."""
        if changed.problem is not None:
            return
        for thread_id, text in tuple(self._on_the_way.items()):
            self._app_state.start(self._save(thread_id, text))
        if self._of is None:
            self.text_edited()

    def _put_aside(self) -> None:
        """What belongs to no thread, as none could be made for it, is shown again for the next new one."""
        if self._of is None and not self._composer.is_empty():
            self._unmade = self._composer.text()

    def _keep_left(self, thread_id: str, text: str) -> None:
        self._left[thread_id] = self._on_the_way[thread_id] = text
        self._app_state.start(self._save(thread_id, text))

    def hand_over(self, thread_id: str, to: Drafts) -> None:
        """Another window shows a thread that was left here: its draft is what stands there."""
        self._left.pop(thread_id, None)
        text = self._on_the_way.pop(thread_id, None)
        if text is not None:
            to.take_left(thread_id, text)

    def hand_over_all(self, to: Drafts) -> None:
        """This window closes: another looks after what was written here."""
        to._left |= self._left
        for thread_id in tuple(self._on_the_way):
            self.hand_over(thread_id, to)

    async def rest(self, thread_id: str) -> None:
        """Waits until the history has what was typed in a thread that was left, or did not take it."""
        text = self._on_the_way.get(thread_id)
        if text is not None:
            with suppress(PlimsollError):
                await self._save(thread_id, text)

    def take_left(self, thread_id: str, text: str) -> None:
        """Another window has not saved this draft yet."""
        self._on_the_way[thread_id] = text
        self._app_state.start(self._save(thread_id, text))

    @property
    def unmade(self) -> bool:
        """Whether something stands here that is the draft of no thread, as none could be made yet."""
        return self._of is None and not self._composer.is_empty()

    @property
    def all_saved(self) -> bool:
        """Whether the history has everything that was typed."""
        return not (self._timer.isActive() or self._latest.isActive() or self._on_the_way)

    async def flush(self) -> None:
        """Saves what is unsaved and waits until it is stored."""
        self.save_now()
        for thread_id, text in tuple(self._on_the_way.items()):
            await self._save(thread_id, text)

    async def _save(self, thread_id: str, text: str) -> None:
        services = await self._app_state.services()
        if self._on_the_way.get(thread_id) != text:
            return  # newer text is on its way
        await services.chat.save_draft(thread_id, text)
        if self._on_the_way.get(thread_id) == text:
            del self._on_the_way[thread_id]

    def _show(self, text: str) -> None:
        self._timer.stop()
        self._latest.stop()
        self._saved = text
        self._showing = True
        try:
            self._composer.set_text(text)
        finally:
            self._showing = False
