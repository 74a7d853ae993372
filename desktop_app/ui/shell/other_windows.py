"""The rule that no thread is shown by two windows, and that the state one keeps of a thread goes along to the next.

So a thread has one draft, one message that waits and one card, wherever it is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from desktop_app.ui.shell.session_window import SessionWindow
from desktop_app.ui.shell.wiring_presence import bring_forward

REST_WITHIN_S: Final = 10.0
"""So long a message may take from a window into the history before its thread is opened in another all the same."""


class ThreadOwners:
    """Which window showed a thread last."""

    def __init__(self) -> None:
        self._last: dict[str, SessionWindow] = {}

    def follow(self, one: SessionWindow) -> None:
        """From now on what this window shows is its own."""
        one.app_state.thread_opened.connect(lambda opened: self._take(opened.thread.id, one))
        one.app_state.thread_made.connect(lambda thread: self._take(thread.id, one))

    def of(self, thread_id: str) -> SessionWindow | None:
        """The window that has what is left of a thread."""
        return self._last.get(thread_id)

    def inherit(self, gone: SessionWindow, heir: SessionWindow) -> None:
        """A window goes, and another has what it left."""
        self._last = {one: heir if owner is gone else owner for one, owner in self._last.items()}

    def _take(self, thread_id: str, one: SessionWindow) -> None:
        self._last[thread_id] = one


class OthersOf:
    """The other windows as one of them sees them, see `OtherWindows`."""

    def __init__(
        self, one: SessionWindow, windows: Callable[[], Sequence[SessionWindow]], owners: ThreadOwners
    ) -> None:
        self._one = one
        self._windows = windows
        self._owners = owners

    def have(self, thread_id: str) -> bool:
        """Return True if one of them shows the thread, or is about to."""
        return any(other.app_state.shows(thread_id) for other in self._others())

    def come_forward(self, thread_id: str, message_id: str = "", words: str = "") -> bool:
        """Brings the one that shows the thread to the front, at the message; False where none does."""
        other = next((other for other in self._others() if other.app_state.shows(thread_id)), None)
        if other is None:
            return False
        self._one.window.threads.view.clear_selection()
        bring_forward(other.window)
        if message_id:
            other.app_state.start(other.presenters.navigation.show_message(thread_id, message_id, words))
        elif other.presenters.pages.page is not None:
            other.presenters.pages.leave()
        return True

    async def rest(self, thread_id: str) -> None:
        """Waits until nothing that was written in the thread there is on its way into the history."""
        owner = self._owners.of(thread_id)
        if owner is not None and owner is not self._one:
            with suppress(TimeoutError):
                await asyncio.wait_for(owner.presenters.sending.rest(thread_id), REST_WITHIN_S)
            await owner.presenters.drafts.rest(thread_id)

    def hand_over(self, thread_id: str) -> None:
        """Hand over all that they still keep of the thread: it is this window's from now on."""
        owner, services = self._owners.of(thread_id), self._one.app_state.ready
        if owner is None or owner is self._one or services is None:
            return
        left, to = owner.presenters, self._one.presenters
        left.drafts.hand_over(thread_id, to.drafts)
        left.sending.hand_over(thread_id, to.sending)
        left.error_cards.hand_over(thread_id, to.error_cards)
        left.transcript.hand_over(thread_id, to.transcript)
        left.pages.hand_over(thread_id, to.pages)
        left.unsaved_artifacts.hand_over(to.unsaved_artifacts, thread_id)
        opened = services.chat.loaded(thread_id)
        if opened is not None:
            messages = opened.conversation
            left.branches.hand_over(lambda message_id: message_id in messages, to.branches)
            left.marks.hand_over(lambda message_id: message_id in messages, to.marks)

    def _others(self) -> Iterator[SessionWindow]:
        return (other for other in self._windows() if other is not self._one)
