"""The offers of a replaced history's card: saving the text here elsewhere, and opening the file that is there.

The windows stay, with what is typed and with what came in them. Knows no storage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.dialogs import asked_file_to_write

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.history_recovery import CarriedThreads, SavedHistory
    from desktop_app.ui.shell.session_window import SessionWindow
    from desktop_app.ui.state.services import WindowServices

REST_WITHIN_S = 1.0
"""So long what goes on with the old services may take to end before they are closed."""


class Reopening(QObject):
    """`compose` makes services over what stands at the history's path; None where the window was closed meanwhile."""

    def __init__(
        self,
        windows: Callable[[], Sequence[SessionWindow]],
        compose: Callable[[], Awaitable[WindowServices | None]],
        *,
        quick: AppState,
    ) -> None:
        """`quick`: what the line to ask from anywhere has on its table; it gets the new services with the windows."""
        super().__init__(quick)
        self._windows = windows
        self._compose = compose
        self._quick = quick
        self._task: asyncio.Task[None] | None = None

    def follow(self, one: SessionWindow) -> None:
        """A window more, whose card may offer it."""
        remedies = one.presenters.remedies
        remedies.save_elsewhere_requested.connect(lambda: one.app_state.start(self._save_elsewhere(one)))
        remedies.new_file_requested.connect(lambda: self._start(one))

    @property
    def typed(self) -> str:
        """The text in the composers that is the draft of no thread yet."""
        texts = (one.window.composer.text() for one in self._windows() if one.app_state.current is None)
        return "\n\n".join(filter(None, texts))

    async def close(self) -> None:
        """Waits until the file that is being opened is open, or given up since the window closes."""
        if self._task is not None:
            await asyncio.wait({self._task})

    def _start(self, one: SessionWindow) -> None:
        if one.app_state.ready is not None and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._open_new_file(one.app_state.ready))

    async def _save_elsewhere(self, one: SessionWindow) -> None:
        path = await asked_file_to_write(one.window, self.tr("Save elsewhere"), "history-saved.db")
        if path is None:
            return
        services = await one.app_state.services()
        await self._keep_typed()
        try:
            saved = await services.recovery.save_elsewhere(path, typed=self.typed)
        except PlimsollError as error:
            actions = ("save_elsewhere", "open_new_file", "open_data_folder")
            one.presenters.error_cards.show_failure(replace(error.failure, actions=actions))
        else:
            one.window.toast.show_message(self._told(saved))

    def _told(self, saved: SavedHistory) -> str:
        words = (
            self.tr("{count} threads saved in {path}") if saved.threads != 1 else self.tr("1 thread saved in {path}")
        )
        words = words.format(count=grouped(saved.threads), path=saved.path)
        if saved.unread:
            names = ", ".join(title or self.tr("untitled") for title in saved.unread)
            words += "\n" + self.tr("Could not be read: {names}").format(names=names)
        return words

    async def _open_new_file(self, before: WindowServices) -> None:
        """Ends the services in order and makes others; what goes wrong is said on the card."""
        shown = {one: one.app_state.thread_id for one in self._windows()}
        going_on = {one.id for one, _ in before.chat.in_memory() if before.chat.running(one.id)}
        await before.chat.close()
        await self._keep_typed()
        carried = await before.recovery.carried_over(going_on | {one for one in shown.values() if one is not None})
        await before.recovery.keep(typed=self.typed)
        for one in shown:
            one.app_state.withdraw()
        if self._quick.current is not None:
            self._quick.close_thread()
        self._quick.withdraw()
        with suppress(TimeoutError):
            await asyncio.wait_for(_rest(shown), REST_WITHIN_S)
        await before.close()
        for one in shown:
            one.presenters.error_cards.forget()
        after = await self._compose()
        if after is not None:
            await self._go_on(after, carried, shown)
        else:
            await carried.close()

    async def _go_on(
        self, services: WindowServices, carried: CarriedThreads, shown: Mapping[SessionWindow, str | None]
    ) -> None:
        failure: Failure | None = None
        try:
            await services.recovery.take(carried)
        except PlimsollError as error:
            failure = error.failure
        for one, thread_id in shown.items():
            await _show(one, services, thread_id)
            if failure is not None:
                one.presenters.error_cards.show_failure(failure)
            one.window.composer.focus_editor()

    async def _keep_typed(self) -> None:
        """Notes the drafts with their threads, even where no file takes them."""
        for one in self._windows():
            with suppress(PlimsollError):
                await one.presenters.drafts.flush()


async def _show(one: SessionWindow, services: WindowServices, thread_id: str | None) -> None:
    """A window goes on with other services, in the thread that it showed."""
    one.presenters.drafts.forget_saved()
    one.app_state.supply(services)
    one.presenters.thread_list.reload()
    try:
        if thread_id is not None:
            await one.app_state.open_thread(thread_id)
    except PlimsollError:  # it is not in this file
        typed = one.window.composer.text()
        one.app_state.close_thread()
        one.window.composer.editor.replace_text(typed)
    one.presenters.drafts.text_edited()


async def _rest(windows: Iterable[SessionWindow]) -> None:
    for one in windows:
        resting = asyncio.Event()
        one.app_state.tasks.after_running(resting.set)
        await resting.wait()
