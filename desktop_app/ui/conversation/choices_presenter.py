"""The user's decisions about messages, with a way back: every change says what it did and can be undone.

Must not know what a plan makes of a change.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.floating import Toast

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.context_editing import ContextEditing
    from desktop_app.core.context.context_choices import ContextChoices


class ChoicesPresenter(QObject):
    """Changes the open thread's choices. Ids are message ids; whole turns follow."""

    def __init__(self, app_state: AppState, toast: Toast) -> None:
        super().__init__(toast)
        self._app_state = app_state
        self._toast = toast

    def pin(self, ids: Sequence[str]) -> None:
        self._start(self.tr("Pinned: always sent."), lambda to, thread: to.pin(thread, ids))

    def unpin(self, ids: Sequence[str]) -> None:
        self._start(self.tr("No longer pinned."), lambda to, thread: to.unpin(thread, ids))

    def exclude(self, ids: Sequence[str]) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._exclude(self._app_state.thread_id, ids, always=True))

    def exclude_quietly(self, ids: Sequence[str]) -> None:
        """As `exclude`, where what is excluded is shown to be: only what grows by it is said."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._exclude(self._app_state.thread_id, ids, always=False))

    def bring_back(self, ids: Sequence[str]) -> None:
        self._start(self.tr("Will be sent again."), lambda to, thread: to.bring_back(thread, ids))

    def delete(self, message_id: str) -> None:
        """Takes the turn of a message out of this branch."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._delete(self._app_state.thread_id, message_id))

    def take_back(self, carrier_id: str) -> None:
        """Sends again what the boundary stored with this message leaves out."""
        words = self.tr("Older messages will be sent again.")
        self._start(words, lambda to, thread: to.bring_boundary_back(thread, carrier_id))

    def start_fresh(self, message_id: str | None) -> None:
        """Leaves out everything up to and including the turn of this message; None takes that back."""
        words = self.tr("Everything will be sent again.")
        if message_id is not None:
            words = self.tr("Started fresh: earlier messages are no longer sent.")
        self._start(words, lambda to, thread: to.start_fresh(thread, message_id))

    @property
    def started_fresh(self) -> bool:
        """True where a fresh start is in force in the open thread; a load line that was moved is none."""
        thread = self._app_state.current
        return thread is not None and thread.choices.fresh_from is not None and not thread.choices.keeps_start

    async def undone(self, thread_id: str, choices: ContextChoices, tip: str | None = None) -> None:
        """Puts the choices back as they were, and with them the branch that ended with `tip`."""
        services = await self._app_state.services()
        await services.chat.context_editing.restore(thread_id, choices)
        if tip is not None and not services.chat.running(thread_id):
            await services.chat.branch_from(thread_id, tip)

    def tell(self, words: str, thread_id: str, before: ContextChoices, tip: str | None = None) -> None:
        """Says what was done, with the way back; `tip`: the end of the branch that was shown before, if it is not."""
        undo = partial(self.undone, thread_id, before, tip)
        self._toast.show_message(words, self.tr("Undo"), lambda: self._app_state.start(undo()))

    async def _exclude(self, thread_id: str, ids: Sequence[str], *, always: bool) -> None:
        services = await self._app_state.services()
        before, added = await services.chat.context_editing.exclude_weighed(thread_id, ids)
        words = self.tr("Excluded: no longer sent.")
        if added:
            words = self.tr("Excluded. The note and the search tool add {count} tokens.").format(count=grouped(added))
        if added or always:
            self.tell(words, thread_id, before)

    async def _delete(self, thread_id: str, message_id: str) -> None:
        services = await self._app_state.services()
        tip = (await services.chat.open_thread(thread_id)).thread.tip
        before = await services.chat.delete_turn(thread_id, message_id)
        after = (await services.chat.open_thread(thread_id)).thread
        gone = {one.message for one in after.choices.deleted - before.deleted}
        words = self.tr("Question and answer deleted") if len(gone) > 1 else self.tr("Message deleted")
        if any(not gone.isdisjoint(summary.sources) for summary in before.summaries):
            words = self.tr("Message deleted. The summary of it is no longer sent.")
        if after.tip != tip:
            words = self.tr("Version deleted. Another one is shown.")
        self.tell(words, thread_id, before, tip if after.tip != tip else None)

    def _start(self, words: str, change: Callable[[ContextEditing, str], Awaitable[ContextChoices]]) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._change(self._app_state.thread_id, words, change))

    async def _change(
        self, thread_id: str, words: str, change: Callable[[ContextEditing, str], Awaitable[ContextChoices]]
    ) -> None:
        services = await self._app_state.services()
        self.tell(words, thread_id, await change(services.chat.context_editing, thread_id))
