"""The way of one message out of a field into the history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from desktop_app.core.attachment_facts import attachments_of
from desktop_app.core.errors import HistoryUnwritableError, UserError
from desktop_app.core.messages import Part
from desktop_app.ui.state.app_state import AppState


class DraftField(Protocol):
    """The field in which the message is written."""

    def text(self) -> str: ...

    def draft(self) -> tuple[Part, ...]: ...


class DraftSending:
    """Sends what stands in a field, which keeps it until it is stored. The user is there to answer what a plan asks."""

    def __init__(
        self,
        app_state: AppState,
        field: DraftField,
        *,
        leaves: Callable[[str, Sequence[Part]], None] = lambda _thread_id, _attached: None,
        shown: bool = False,
    ) -> None:
        """`leaves(thread id, attachments)`: they are on their way. `shown`: the user has the message's plan in view."""
        self._app_state = app_state
        self._field = field
        self._leaves = leaves
        self._shown = shown
        self._unstored: dict[str, str] = {}  # thread -> text on its way from the field into the history

    @property
    def busy(self) -> bool:
        """True while anything is on its way into the history."""
        return bool(self._unstored)

    def is_sending(self, thread_id: str | None) -> bool:
        return thread_id in self._unstored

    async def send(self, *, pass_cap: bool = False) -> bool:
        """Sends it in the open thread or a new one; False where nothing stands there any more.

        `pass_cap`: the user lets this one message pass the spending caps. Raises `PlimsollError` without a history.
        """
        try:
            thread = await self._app_state.made_thread()
        except HistoryUnwritableError as error:  # whoever sends is told each time, as of a thread that is there
            failure = error.failure
            raise UserError(failure.code, failure.message, detail=failure.detail, actions=failure.actions) from error
        typed, parts = self._field.text(), self._field.draft()
        if not parts or not self._app_state.is_open(thread.id) or thread.id in self._unstored:
            return False
        self._unstored[thread.id] = typed
        services = await self._app_state.services()
        self._leaves(thread.id, attachments_of(parts))
        services.chat.start_send(thread.id, parts, pass_cap=pass_cap, shown=self._shown, ask_first=True)
        return True

    def over(self, thread_id: str) -> str | None:
        """A thread's message is stored, or was not sent: the text that it was sent with; None: it was another's."""
        return self._unstored.pop(thread_id, None)
