"""The requests for a summary: asking, stopping, and telling of it while it is being written. Writes none itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.plan_text import older_messages
from desktop_app.core.events import SummaryEnded, SummaryStarted
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread


class SummaryRequests(QObject):
    """The open thread's summary in the making, as one muted line."""

    blocked = Signal(object, object)  # Failure, and what asks again past the spending cap

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view

    def summarise(self, ids: Sequence[str], *, then: Callable[[], None] | None = None, pass_cap: bool = False) -> None:
        """Has these messages of the open thread summarised; `then` is done where that came about."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._summarise(self._app_state.thread_id, tuple(ids), then, pass_cap))

    def stop(self) -> None:
        """Ends the summary that is being written, of this thread or for the one that is to go on from it."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._stop(self._app_state.thread_id))

    # Facts

    def started(self, started: SummaryStarted) -> None:
        if self._app_state.is_open(started.thread_id):
            self._show(translated(older_messages(started.messages)))

    def ended(self, ended: SummaryEnded) -> None:
        if not self._app_state.is_open(ended.thread_id):
            return
        if ended.summary is None:
            self._view.footer.set_notice(translated(ended.problem) or None)
            return
        words = self.tr("{count} summarized").format(count=translated(older_messages(len(ended.summary.sources))))
        edit, undo = f"edit:{ended.summary.id}", f"remove:{ended.summary.id}"
        self._view.footer.set_notice(words, ((edit, self.tr("Edit")), (undo, self.tr("Undo"))))

    def show_opened(self, opened: OpenThread) -> None:
        """A thread is opened while its summary is being written."""
        services = self._app_state.ready
        if services is not None and services.chat.summaries.running(opened.thread.id):
            self._show(self.tr("older messages"))

    def _show(self, what: str) -> None:
        words = self.tr("Summarizing {what}").format(what=what)
        self._view.footer.set_notice(words, (("stop_summary", self.tr("Stop")),))

    async def _summarise(
        self, thread_id: str, ids: tuple[str, ...], then: Callable[[], None] | None, pass_cap: bool
    ) -> None:
        services = await self._app_state.services()
        outcome = await services.chat.summaries.start(thread_id, ids, pass_cap=pass_cap)
        if not self._app_state.is_open(thread_id):
            return
        if outcome.summary is not None and then is not None:
            then()
        elif outcome.failure is not None and "pass_cap" in outcome.failure.actions:
            self._view.footer.set_notice(None)
            self.blocked.emit(outcome.failure, lambda: self.summarise(ids, then=then, pass_cap=True))

    async def _stop(self, thread_id: str) -> None:
        services = await self._app_state.services()
        await services.chat.stop(thread_id)
