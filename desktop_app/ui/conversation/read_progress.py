"""The reading progress in the open thread: to its end, once that stood in view. Paints nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject

from desktop_app.core.messages import Message
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.view import TranscriptView


class ReadProgress(QObject):
    """Notes the end of the open thread as read while the window shows it; what ends unseen stays new after a restart.

    A window that is hidden, or that shows a page in the transcript's place, reads nothing.
    """

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._at_end = True
        self._marked: dict[str, str] = {}  # thread -> tip
        view.latest_visible_changed.connect(self._latest_visible_changed)
        view.installEventFilter(self)
        view.window().installEventFilter(self)

    def look(self, _fact: object = None) -> None:
        """Something may have come into view."""
        thread, services = self._app_state.current, self._app_state.ready
        if thread is None or services is None or thread.tip is None or not self._visible:
            return
        if self._app_state.running or self._marked.get(thread.id, thread.seen) == thread.tip:
            return
        if self._app_state.path and not _is_coming(self._app_state.path[-1]):
            self._marked[thread.id] = thread.tip
            self._app_state.start(services.chat.marks.seen(thread.id, thread.tip))

    def mark_read(self, thread_id: str) -> None:
        """The quick line showed the answer that a thread ends with."""
        self._app_state.start(self._mark_read(thread_id))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.WindowActivate):
            self.look()
        return False

    @property
    def _visible(self) -> bool:
        return self._at_end and self._view.isVisible() and not self._view.window().isMinimized()

    def _latest_visible_changed(self, left: bool) -> None:
        self._at_end = not left
        self.look()

    async def _mark_read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        if opened.thread.tip is not None and not services.chat.running(thread_id):
            await services.chat.marks.seen(thread_id, opened.thread.tip)


def _is_coming(message: Message) -> bool:
    """Return True if an answer is still being written, here or by another process."""
    return message.state == "partial" and message.failure is None and message.stop_reason is None
