"""Owns what the card of a replaced history offers: saving what is here elsewhere, and opening the file that is there.

The window stays, with what is typed and with what came in it. Knows no storage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.dialogs import asked_file_to_write

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.history_recovery import CarriedThreads, SavedHistory
    from desktop_app.ui.state.services import WindowServices

REST_WITHIN_S = 1.0
"""So long what goes on with the old services may take to end before they are closed."""


class Reopening(QObject):
    """`compose` makes services over what stands at the history's path; None where the window was closed meanwhile."""

    def __init__(
        self,
        window: MainWindow,
        app_state: AppState,
        presenters: Presenters,
        compose: Callable[[], Awaitable[WindowServices | None]],
        *,
        quick: AppState,
    ) -> None:
        """`quick`: what the line to ask from anywhere has on its table; it gets the new services with the window."""
        super().__init__(window)
        self._window = window
        self._app_state = app_state
        self._to = presenters
        self._compose = compose
        self._quick = quick
        self._task: asyncio.Task[None] | None = None
        presenters.remedies.save_elsewhere_requested.connect(lambda: app_state.start(self._save_elsewhere()))
        presenters.remedies.new_file_requested.connect(self._start)

    @property
    def typed(self) -> str:
        """What stands in the composer and is the draft of no thread yet."""
        return "" if self._app_state.current is not None else self._window.composer.text()

    async def close(self) -> None:
        """Waits until the file that is being opened is open, or given up since the window closes."""
        if self._task is not None:
            await asyncio.wait({self._task})

    def _start(self) -> None:
        if self._app_state.ready is not None and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._open_new_file(self._app_state.ready))

    async def _save_elsewhere(self) -> None:
        path = await asked_file_to_write(self._window, self.tr("Save elsewhere"), "history-saved.db")
        if path is None:
            return
        services = await self._app_state.services()
        await self._keep_typed()
        try:
            saved = await services.recovery.save_elsewhere(path, typed=self.typed)
        except PlimsollError as error:
            actions = ("save_elsewhere", "open_new_file", "open_data_folder")
            self._to.error_cards.show_failure(replace(error.failure, actions=actions))
        else:
            self._window.toast.show_message(self._told(saved))

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
        shown = self._app_state.thread_id
        going_on = {one.id for one, _ in before.chat.in_memory() if before.chat.running(one.id)}
        await before.chat.close()
        await self._keep_typed()
        carried = await before.recovery.carried_over(going_on | ({shown} if shown is not None else set()))
        await before.recovery.keep(typed=self.typed)
        self._app_state.withdraw()
        if self._quick.current is not None:
            self._quick.close_thread()
        self._quick.withdraw()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rest(), REST_WITHIN_S)
        await before.close()
        self._to.error_cards.forget()
        after = await self._compose()
        if after is not None:
            await self._go_on(after, carried, shown)
        else:
            await carried.close()

    async def _go_on(self, services: WindowServices, carried: CarriedThreads, shown: str | None) -> None:
        failure: Failure | None = None
        try:
            await services.recovery.take(carried)
        except PlimsollError as error:
            failure = error.failure
        self._to.drafts.forget_saved()
        self._app_state.supply(services)
        self._to.thread_list.reload()
        try:
            if shown is not None:
                await self._app_state.open_thread(shown)
        except PlimsollError:  # it is not in this file
            typed = self._window.composer.text()
            self._app_state.close_thread()
            self._window.composer.editor.replace_text(typed)
        self._to.drafts.text_edited()
        if failure is not None:
            self._to.error_cards.show_failure(failure)
        self._window.composer.focus_editor()

    async def _keep_typed(self) -> None:
        """Notes the draft with its thread, even where no file takes it."""
        with suppress(PlimsollError):
            await self._to.drafts.flush()

    async def _rest(self) -> None:
        resting = asyncio.Event()
        self._app_state.tasks.after_running(resting.set)
        await resting.wait()
