"""A process that began with the quick line only, up to its end or to the main window's beginning."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from desktop_app.core.errors import PlimsollError
from desktop_app.paths import DataPaths
from desktop_app.system.process_owner import hear_signals
from desktop_app.ui.quick.quick_window import QuickOpening
from desktop_app.ui.shell.background_presence import BackgroundPresence
from desktop_app.ui.startup.background_imports import QUICK_REST, ImportsAtRest
from desktop_app.ui.startup.garbage import GarbageCollection
from desktop_app.ui.state.bridge import Tasks, end_wishes
from desktop_app.ui.state.services import WindowServices

if TYPE_CHECKING:  # the main window's are loaded when it is asked for
    from desktop_app.ui.shell.session import WindowSession

REST_MS = 700
"""Milliseconds that the line must rest before the modules of the main window are imported."""


@dataclass(frozen=True, slots=True)
class MainWish:
    """The purpose of the main window: a thread, or an action as `BackgroundPresence.window_wanted` names it."""

    thread: str | None = None
    action: str = ""


class QuickSession:
    """Brings a painted quick line to life. `compose` makes the services; it may raise `PlimsollError`."""

    def __init__(
        self,
        app: QApplication,
        opening: QuickOpening,
        paths: DataPaths,
        compose: Callable[[], Awaitable[WindowServices]],
    ) -> None:
        self._app = app
        self._loop = asyncio.get_event_loop()
        self._paths = paths
        self._compose = compose
        self._state = opening.state
        self._tasks = Tasks(self._loop, app)
        self.presence = BackgroundPresence(self._loop, self._tasks, opening.appearance, opening.state)
        self.main: WindowSession | None = None
        self._over: asyncio.Future[int | MainWish] = self._loop.create_future()
        self.kept: asyncio.Future[int] = self._loop.create_future()
        """As that of the main window's session."""
        self._told_to_end: int | None = None
        self._garbage = GarbageCollection(app)
        self._rest = ImportsAtRest(QUICK_REST, app)
        presence = self.presence
        # Only the first end counts: once there is a main window, it listens.
        presence.thread_wanted.connect(lambda thread: self._end(MainWish(thread)))
        presence.window_wanted.connect(lambda action: self._end(MainWish(action=action)))
        presence.quit_wanted.connect(lambda: self._end(0))
        presence.quick.rested.connect(self._rested)
        self._tasks.failed.connect(presence.quick.show_failure)
        self._tasks.unwritable.connect(presence.quick.show_failure)
        presence.quick.adopt(opening.window)

    async def run(self) -> int:
        """Loads the services and waits for the end; the exit status."""
        hear_signals(self._loop, self.end)
        self._garbage.start()
        services: WindowServices | None = None
        try:
            services = await self._compose()
            self.presence.supply(services)
            self._garbage.spare()
            await self._go_on_like_last(services)
            self._rest.start(REST_MS)
        except PlimsollError as error:
            self.presence.quick.break_off(error.failure)
        over = await self._over
        self._rest.stop()
        self._garbage.stop()
        try:
            if isinstance(over, MainWish):
                return await self._live_on(over, services)
            self.kept.set_result(over)
            await self.presence.close()
            if services is not None:
                await end_wishes(services, self._tasks)
                await self._tasks.close()
                await services.close()
            return over
        finally:
            await self._tasks.close()
            if self.main is None:
                await self.presence.destroy()

    def take_arguments(self, arguments: Mapping[str, str | bool | None]) -> None:
        """A second start handed these over."""
        thread = arguments.get("open_thread")
        if self.main is not None:
            self.main.take_arguments(arguments)
        elif isinstance(thread, str):
            self._end(MainWish(thread))
        elif arguments.get("quick"):
            self.presence.quick.open()
        else:
            self._end(MainWish())

    async def _go_on_like_last(self, services: WindowServices) -> None:
        """A question goes where the thread goes that was open last, as in the main window."""
        if (last := self._state.open_thread) is None:
            return
        try:
            self.presence.quick.go_on_like(await services.library.find(last))
        except PlimsollError:
            # It was deleted; what the settings say counts.
            return

    async def _live_on(self, wish: MainWish, services: WindowServices | None) -> int:
        """The main window takes over, with the same services and the line as it is."""
        from desktop_app.ui.shell.opening import Opening
        from desktop_app.ui.shell.session import WindowSession

        async def given() -> WindowServices:
            return services if services is not None else await self._compose()

        opening = Opening(self._app, self._paths, open_thread=wish.thread)
        session = WindowSession(opening, self._paths, given, open_thread=wish.thread, presence=self.presence)
        self.main = session
        session.kept.add_done_callback(lambda kept: self.kept.set_result(kept.result()))
        if self._told_to_end is not None:
            session.end(self._told_to_end)
        if wish.action:
            self.presence.window_wanted.emit(wish.action)
        return await session.run()

    def _rested(self) -> None:
        if not self.presence.stays:
            self._end(0)

    def end(self, status: int) -> None:
        """Ends the line, or the main window that is just being made."""
        self._told_to_end = status
        if self.main is not None:
            self.main.end(status)
        self._end(status)

    def _end(self, how: int | MainWish) -> None:
        if not self._over.done():
            self._over.set_result(how)
