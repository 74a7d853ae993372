"""The way from announcements to Qt signals, the tasks that the window starts, and the order in which they end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.controller.ports import Announcements
from desktop_app.core.errors import HistoryUnwritableError, PlimsollError
from desktop_app.core.events import Announcement
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase
from desktop_app.ui.state.services import WindowServices

Told = TypeVar("Told", bound=Announcement)

log = logging.getLogger(__name__)

BUG_MESSAGE = phrase("Something went wrong inside Plimsoll. Your threads are safe; the details are in the log.")


class _Relay(QObject):
    """The signal of one kind of announcement, whose connections end with their receivers."""

    announced = Signal(object)


class Bridge(QObject):
    """Brings announcements of every kind to slots of the window; `announced` tells of each, whatever it says."""

    announced = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._relays: dict[type[Announcement], _Relay] = {}
        self._unsubscribe: Callable[[], None] = lambda: None

    def subscribe(self, kind: type[Told], slot: Callable[[Told], object]) -> None:
        """Calls the slot with each announcement of this kind, in the order of subscribing."""
        if kind not in self._relays:
            self._relays[kind] = _Relay(self)
        self._relays[kind].announced.connect(slot)

    def subscribe_each(self, kinds: Iterable[type[Announcement]], slot: Callable[[Any], object]) -> None:
        """Calls the slot with each announcement of these kinds."""
        for kind in kinds:
            self.subscribe(kind, slot)

    def listen(self, announcements: Announcements) -> None:
        """Passes on every announcement from now on, at once."""
        self.end()
        self._unsubscribe = announcements.subscribe(self._pass_on)

    def end(self) -> None:
        """Passes on nothing any more: the window goes, and others go on."""
        self._unsubscribe()

    def _pass_on(self, announcement: Announcement) -> None:
        self.announced.emit()
        if (relay := self._relays.get(type(announcement))) is not None:
            relay.announced.emit(announcement)


class Tasks(QObject):
    """The window's running coroutines. Keeps each alive until it is done and reports what went wrong in it."""

    failed = Signal(object)  # Failure
    unwritable = Signal(object)  # Failure: instead, where only the history can't be written for now

    def __init__(self, loop: asyncio.AbstractEventLoop, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop = loop
        self._running: set[asyncio.Task[Any]] = set()
        self._looks: set[asyncio.Task[Any]] = set()
        self._rest: asyncio.Future[None] | None = None
        self._closed = False

    def start_task(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Starts a coroutine from a slot; does nothing once closed.

        A known error is announced as `failed` or `unwritable`, any other is logged as a bug and announced in general
        words.
        """
        self._started(coroutine)

    def start_look(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """As `start_task`, for what stores nothing and may take long: nobody waits for it when the window closes."""
        if self._rest is not None:
            coroutine.close()
            return
        if (task := self._started(coroutine)) is not None:
            self._looks.add(task)
            task.add_done_callback(self._looks.discard)

    def after_running(self, act: Callable[[], None]) -> None:
        """Calls `act` once every coroutine that runs now is done; at once where none does.

        What they hold, such as a page that was left meanwhile, is there until then.
        """
        left = set(self._running)

        def done(task: asyncio.Task[Any]) -> None:
            left.discard(task)
            if not left:
                act()

        for task in tuple(left):
            task.add_done_callback(done)
        if not left:
            act()

    @property
    def running(self) -> int:
        """The number of coroutines that are not done yet."""
        return len(self._running)

    async def come_to_rest(self, within_ms: int) -> None:
        """Cancels looks and waits for everything else, with what follows from it; cancels what takes longer.

        Looks that are asked for from now on are not begun.
        """
        # somebody may be waiting already, with more patience
        rest = self._rest if self._rest is not None and not self._rest.done() else self._loop.create_future()
        self._rest = rest
        for look in tuple(self._looks):
            look.cancel()
        # Not a timer of the loop: Qt would keep that one when the loop is closed.
        late = QTimer(self, singleShot=True)
        late.timeout.connect(self._cancel_all)
        late.start(within_ms)
        try:
            if self._running:
                await rest
        finally:
            late.stop()
            late.deleteLater()

    async def close(self) -> None:
        """Cancels what still runs and waits for it; nothing starts any more."""
        self._closed = True
        running = [task for task in self._running if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _cancel_all(self) -> None:
        for task in tuple(self._running):
            task.cancel()

    def _started(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any] | None:
        if self._closed:
            coroutine.close()
            return None
        task = self._loop.create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not self._running and self._rest is not None and not self._rest.done():
            self._rest.set_result(None)
        if task.cancelled():
            return
        if isinstance(error := task.exception(), HistoryUnwritableError):
            self.unwritable.emit(error.failure)
        elif isinstance(error, PlimsollError):
            self.failed.emit(error.failure)
        elif error is not None:
            log.error("a task of the window failed", exc_info=error)
            self.failed.emit(Failure("backend", BUG_MESSAGE, detail=f"{type(error).__name__}: {error}"))


WITHIN_MS = 2_000
"""So long a wish is waited for when its window has gone already: one that stores something takes milliseconds."""


async def end_wishes(services: WindowServices, *tasks: Tasks) -> None:
    """Stops answers, which stores what came of them, and lets wishes end; what only looks is dropped.

    After this nothing is under way that is missed when it is cancelled. Returns when the history has stored what it
    was asked to, `WITHIN_MS` later at most.
    """
    for _ in range(2):
        # The first time the last question may just be on its way: it is refused and kept as a draft, which is told.
        await services.chat.close()
        for group in dict.fromkeys(tasks):
            await group.come_to_rest(WITHIN_MS)
