"""Owns one window from its first paint to its orderly end. Knows no storage: the caller composes the services."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog

from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.ui.i18n.language import spoken, tr
from desktop_app.ui.shell.background_presence import BackgroundPresence
from desktop_app.ui.shell.last_thread import LastThread
from desktop_app.ui.shell.paint_cache import LastPaint, write_last_paint
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.shell.reopening import Reopening
from desktop_app.ui.shell.repair_card import repair_failure
from desktop_app.ui.shell.unsaved_pages import UnsavedPages
from desktop_app.ui.shell.wiring import wire
from desktop_app.ui.shell.wiring_presence import bring_forward, wire_presence
from desktop_app.ui.startup.garbage import GarbageCollection
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge, Tasks
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.shutdown import end_wishes

if TYPE_CHECKING:
    from desktop_app.paths import DataPaths
    from desktop_app.ui.shell.opening import Opening

log = logging.getLogger(__name__)

STROKE = "/"
"""Stands between the id of a thread and that of a message in it."""
COMPOSE_AGAIN_S = 1.0
"""Between two attempts to open a history that is locked, or that somebody mends meanwhile."""
NEAR_VIEW = 10
"""Messages above and below the view whose lines the next start shows at once."""
IDLE_AFTER_MS = 1500
"""The SDK of the open thread is imported when the window has rested this long after its start."""


class WindowSession:
    """Brings a painted window to life. `compose` makes the services; it may raise `PlimsollError`."""

    def __init__(
        self,
        opening: Opening,
        paths: DataPaths,
        compose: Callable[[], Awaitable[WindowServices]],
        *,
        open_thread: str | None = None,
        presence: BackgroundPresence | None = None,
    ) -> None:
        """`presence`: what has been there before this window was asked for; it ends with the window."""
        self._loop = asyncio.get_event_loop()
        self.paths = paths
        self._compose = compose
        self._open_at_start = open_thread
        self.state = opening.state
        # before the first of them the first paint had nothing, so it could not stand lower than at the top
        self._first_tail = frozenset(message.id for message in opening.tail[1:])
        self.window = opening.window
        self.appearance = opening.appearance
        self.appearance.setParent(self.window)
        self.tasks = Tasks(self._loop, self.window)
        self.app_state = AppState(self._loop, self.tasks, Bridge(self.window), self.window)
        self.presenters: Presenters = wire(self.window, self.app_state, self.appearance, paths)
        self.unsaved = UnsavedPages(
            self.app_state, self.presenters.pages, self.presenters.unsaved_artifacts, paths.unsaved, self.window
        )
        self.last_thread = LastThread(self.app_state, self.state, self.window)
        self._garbage = GarbageCollection(QApplication.instance() or self.window)
        self.ended: asyncio.Future[int] = self._loop.create_future()
        self.opened_first = asyncio.Event()
        """Set once the thread that the window starts with was read, or there is none."""
        self.presence = presence or BackgroundPresence(self._loop, self.tasks, self.appearance, self.state)
        self._reopening = Reopening(
            self.window, self.app_state, self.presenters, self._composed, quick=self.presence.app_state
        )
        wire_presence(self.window, self.app_state, self.presenters, self.presence, lambda: self.end(0))
        self._take_over(opening)

    async def run(self) -> int:
        """Loads the services and waits for the end; the exit status."""
        self._listen_to_signals()
        self._garbage.start()
        services: WindowServices | None = None
        try:
            services = await self._composed()
            if services is not None:
                self.app_state.supply(services)
                if self.paths.set_aside:
                    self.window.toast.show_message("\n".join(map(spoken, self.paths.set_aside)))
                self._garbage.spare()
                await self._open_first(services)
                self._tell_repair(services)
                self.opened_first.set()
                self._garbage.spare()
                QTimer.singleShot(IDLE_AFTER_MS, self.window, self._warm_up)
            status = await self.ended
            await self._reopening.close()
            await self._shut_down(self.app_state.ready)
        finally:
            await self.tasks.close()
            self.window.close_now()
            await self.presence.destroy()
            await self._destroy_window()
            self._garbage.stop()
        return status

    def end(self, status: int) -> None:
        """Begins the orderly end."""
        if not self.ended.done():
            self.ended.set_result(status)

    def take_arguments(self, arguments: Mapping[str, str | bool | None]) -> None:
        """A second start handed these over: its thread is opened, or the quick line; the window comes to the front."""
        thread = arguments.get("open_thread")
        if isinstance(thread, str):
            self.tasks.start_task(self._open_named(thread))
        if arguments.get("quick"):
            self.presence.quick.open()
        else:
            bring_forward(self.window)

    def _take_over(self, opening: Opening) -> None:
        """What was painted, and what has been typed since, becomes the open thread's."""
        thread = opening.thread
        if thread is not None:
            self.app_state.show_first(thread, opening.tail)
            self.presenters.drafts.take_over(thread)
            self.presenters.transcript.take_over(thread, opening.tail)
        if self.window.composer.text() != (thread.draft if thread is not None else ""):
            self.presenters.drafts.text_edited()

    async def _composed(self) -> WindowServices | None:
        """The services. While the history can't be used the window says why, and tries again: what is typed stays.

        None where the window was closed before.
        """
        told: Failure | None = None
        while True:
            try:
                services = await self._compose()
            except PlimsollError as error:
                if error.failure != told:
                    told = error.failure
                    self.presenters.error_cards.show_failure(told)
                await asyncio.wait({self.ended}, timeout=COMPOSE_AGAIN_S)
                if self.ended.done():
                    return None
            else:
                if told is not None:
                    self.presenters.error_cards.clear()
                return services

    def _tell_repair(self, services: WindowServices) -> None:
        """Once, as a card that can be closed: what was wrong with the history, what came back, what is missing."""
        if services.repair is not None:
            self.presenters.error_cards.show_failure(repair_failure(services.repair))

    async def _open_first(self, services: WindowServices) -> None:
        self.presenters.thread_list.reload()
        named, current = self._open_at_start, self.app_state.current
        if named is not None and (current is None or current.id != named):
            await self._open_named(named)
        elif current is not None:
            try:
                await self.app_state.open_thread(current.id)
                self._return_to_place(current.id)
            except PlimsollError:
                # It was deleted elsewhere between the first look and now.
                self.app_state.close_thread()
        else:
            self.presenters.connections.show_choice()
            self.presenters.parameters.refresh()
            self.presenters.gauge.refresh()
        await self.unsaved.give_back(services)

    async def _open_named(self, name: str) -> None:
        """Opens the thread whose id begins so; behind a stroke may stand the beginning of a message's id."""
        services = await self.app_state.services()
        prefix, _, message = name.partition(STROKE)
        try:
            thread = await services.library.find(prefix)
        except PlimsollError as error:
            self.window.toast.show_message(error.failure.message)
            return
        await self.app_state.open_thread(thread.id)
        if message:
            await self._lead_to(thread.id, message)

    async def _lead_to(self, thread_id: str, prefix: str) -> None:
        """Brings the message of the open thread into view whose id begins so."""
        services = await self.app_state.services()
        ids = [one.id for one in (await services.chat.open_thread(thread_id)).conversation if one.id.startswith(prefix)]
        if len(ids) == 1:
            await self.presenters.navigation.show_message(thread_id, ids[0])
        elif ids:
            words = tr("Several messages of this thread have an id that begins so.")
            self.window.toast.show_message(words)
        else:
            words = tr("There is no such message in this thread.")
            self.window.toast.show_message(words)

    def _return_to_place(self, thread_id: str) -> None:
        """Goes on reading where the window was closed; what the first paint had is there already."""
        place, tail = self.state.reading_place, self._first_tail
        if place is not None and thread_id == self.state.open_thread and place[0] not in tail:
            self.window.stage.transcript.navigation.return_to(place)

    def _warm_up(self) -> None:
        """Lets the open thread's backend load what it needs, so that the first send does not wait for it."""
        services, thread_id = self.app_state.ready, self.app_state.thread_id
        if services is not None and thread_id is not None:
            self.tasks.start_task(services.chat.prepare_backend(thread_id))

    async def _destroy_window(self) -> None:
        """Here and now: a window left to Python's garbage could be destroyed by any thread."""
        gone: asyncio.Future[None] = self._loop.create_future()
        self.window.destroyed.connect(lambda: gone.set_result(None))
        self.window.deleteLater()
        await gone

    async def _shut_down(self, services: WindowServices | None) -> None:
        await self.last_thread.close()
        self.state.open_thread = self.app_state.lasting_id
        transcript = self.window.stage.transcript
        flow, lasts = transcript.row_layout, self.app_state.lasting_id is not None
        read_on = lasts and (flow.y < flow.bottom or flow.hold is not None)
        self.state.reading_place = transcript.navigation.whereabouts if read_on else None
        last_paint = self._last_paint()
        self.state.closed_groups = self.window.threads.model.lasting_closed_groups()
        self.state.keep_inspector(self.window.inspector.shown, self.window.inspector.pane_width)
        self.window.list_slot.leave()
        self.state.save(self.window, self.window.splitter, list_shown=self.window.list_slot.wanted)
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.reject()  # nobody answers it any more
        self.window.hide()
        await asyncio.to_thread(write_last_paint, self.paths.last_paint, last_paint)
        await self.presence.close()
        self.presenters.spelling.close()
        if services is not None:
            # what is typed first: what follows may wait for a slow disk
            await self._flush_drafts()
            await self.unsaved.close()  # a signal asks nothing
            await end_wishes(services, self.tasks, self.presence.app_state.tasks)
            await self._flush_drafts()  # what waited for an answer that was cut off is a draft again
            await self.presenters.height_cache.close()
            await self.presenters.empty_threads.remove_open()
            self.state.open_thread = self.app_state.lasting_id
            await self.tasks.close()
            await self.presence.app_state.tasks.close()
            await services.recovery.keep(typed=self._reopening.typed)
            await services.close()

    def _last_paint(self) -> LastPaint:
        """What the next start shows before it has read it; nothing of a private thread."""
        window, thread_id = self.window, self.app_state.lasting_id
        if self.app_state.private:
            return LastPaint()
        lines, last_message = window.stage.transcript.lines_in_view(NEAR_VIEW)
        model, parameters = window.composer.picker.shown
        return LastPaint(
            thread_id or "",
            model,
            parameters,
            window.composer.gauge.reading,
            window.stage.welcoming,
            last_message if self.state.reading_place is not None else "",
            lines,
        )

    async def _flush_drafts(self) -> None:
        """A history that can't be written does not keep the rest from ending in order."""
        try:
            await self.presenters.drafts.flush()
        except PlimsollError as error:
            log.warning("a draft could not be kept: %s", error.failure.code)

    def _listen_to_signals(self) -> None:
        if sys.platform != "win32":
            for number in (signal.SIGTERM, signal.SIGINT):
                self._loop.add_signal_handler(number, self.end, 128 + number)
