"""The rule that a thread in which nothing was ever written does not stay in the list. Uses no pane but the composer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import UserError
from desktop_app.core.events import ThreadChanged
from desktop_app.core.messages import Thread
from desktop_app.ui.conversation.panes import MessageComposer
from desktop_app.ui.state.app_state import AppState


class EmptyThreads(QObject):
    """Takes away a thread without message, draft, attachment or name when it is left.

    `blank_changed(thread id, or None)`: nothing stands in the open thread any more, or something does again. It goes
    only when it is left: until then the field can take its deletion back.
    """

    blank_changed = Signal(object)

    def __init__(self, app_state: AppState, composer: MessageComposer, waiting: Callable[[], str]) -> None:
        """`waiting`: the queued message of the open thread, which is unsent and so part of its draft."""
        super().__init__(app_state)
        self._waiting = waiting
        self._app_state = app_state
        self._composer = composer

    def text_edited(self) -> None:
        """The composer's text or its attachments changed."""
        thread = self._app_state.current
        blank = thread is not None and not self._app_state.running and self._is_blank(thread)
        self.blank_changed.emit(thread.id if thread is not None and blank else None)

    def thread_changed(self, changed: ThreadChanged) -> None:
        """The field was emptied because its message is in the thread now, or the thread got a name."""
        if self._app_state.is_open(changed.thread.id) and not self._is_blank(changed.thread):
            self.blank_changed.emit(None)

    def left(self, thread: Thread) -> None:
        """Another thread is about to be shown; the composer still has this one's text."""
        if self._is_blank(thread):
            self._app_state.start(self.remove_if_blank(thread.id))

    async def remove_open(self) -> None:
        """The window closes: the open thread is left, too."""
        thread = self._app_state.current
        if thread is not None and self._is_blank(thread):
            await self.remove_if_blank(thread.id, still_open=True)

    def _is_blank(self, thread: Thread) -> bool:
        named = thread.title or thread.system or thread.pinned
        return thread.tip is None and not named and self._composer.is_empty() and not self._waiting()

    async def remove_if_blank(self, thread_id: str, *, still_open: bool = False) -> None:
        """Deletes a thread that has neither a message, an attachment nor a draft that somebody else kept."""
        services = await self._app_state.services()
        # Where it has been deleted already, that is why it was left.
        with contextlib.suppress(UserError):
            opened = await services.chat.open_thread(thread_id)
            kept = (await services.library.find(thread_id)).draft.strip() or await services.attachments.of(thread_id)
            if opened.path or kept or services.chat.running(thread_id):
                self.blank_changed.emit(None)
                return
            here, elsewhere = self._app_state.is_open(thread_id), self._app_state.others.have(thread_id)
            if (still_open or not here) and not elsewhere:
                await services.library.delete(thread_id)
